import { resolve } from "node:path";
import type { Filter, Shown } from "../../authority/audit_show.ts";
import type { Verified } from "../../authority/audit_verify.ts";
import type { Chained } from "../../authority/chain.ts";
import { auditFault } from "../../base/authority_errors.ts";
import { counted } from "../../base/journal_errors.ts";
import { limits } from "../../base/limits.ts";
import { failure, type ToolResult } from "../../tools/invoke.ts";
import { type Command, type CommandCall, told } from "../command.ts";
import { configOption, namedConfig } from "../config_file.ts";
import { type Sorted, usage } from "../options.ts";

export const audit: Command = {
  name: "audit",
  summary: "Check the audit of a server with principals, or show a part of it.",
  description:
    "Reads the audit that a server with principals writes, also while it runs. 'verify' goes through the chain of its " +
    "records from the first one on, and exits with 1 at the first line that was changed, removed or inserted; with " +
    "--config it also tells whether lines were cut off the end. 'show' prints the last records, those of one " +
    "principal, one verb or some time.",
  positionals: ["action"],
  usage: "verify|show --config FILE, or --audit-dir DIR",
  options: [
    configOption,
    {
      name: "audit-dir",
      type: "string",
      placeholder: "DIR",
      description: "The folder of the audit, where there is no config; its end is not checked then",
      env: "ZPM_AUDIT_DIR",
    },
    {
      name: "principal",
      type: "string",
      placeholder: "NAME",
      description: "Show the calls of this principal",
    },
    {
      name: "verb",
      type: "string",
      placeholder: "VERB",
      description: "Show the calls of this verb",
    },
    {
      name: "since",
      type: "string",
      placeholder: "TIME",
      description: "Show what was written since then, as 2026-11-30 or 2026-11-30T20:59:38Z",
    },
    {
      name: "limit",
      type: "integer",
      placeholder: "N",
      description:
        `How many records to show at most, the last ones (default ${limits.audit_shown})`,
    },
  ],
  examples: [
    { line: "zpm audit verify --config server.json" },
    { line: "zpm audit show --config server.json --principal ana --verb assert" },
    { line: "zpm audit show --audit-dir /var/lib/zpm/audit --since 2026-11-30 --format json" },
  ],
  async run(call) {
    const [action] = call.sorted.positionals;
    if (action === "verify") {
      for (const option of SHOW_ONLY.filter((option) => call.sorted.options.has(option))) {
        throw usage(`--${option} goes with 'show' only`);
      }
      return verified(await verify(call));
    }
    if (action === "show") return shown(await show(call));
    const said = action === undefined ? "nothing" : JSON.stringify(action);
    throw usage(`Say what to do: verify or show, not ${said}`);
  },
};

const SHOW_ONLY = ["principal", "verb", "since", "limit"];

async function verify(call: CommandCall): Promise<Verified> {
  const folders = await foldersOf(call);
  const { verifyAudit } = await import("../../authority/audit_verify.ts");
  const { denoFileSystem } = await import("../../store/file_system.ts");
  const { usable } = await import("../../authority/usable.ts");
  return await usable("audit", folders.audit_dir, () => verifyAudit(denoFileSystem, folders));
}

async function show(call: CommandCall): Promise<Shown> {
  const filter = filterOf(call.sorted);
  const folders = await foldersOf(call);
  const { showAudit } = await import("../../authority/audit_show.ts");
  const { denoFileSystem } = await import("../../store/file_system.ts");
  const { usable } = await import("../../authority/usable.ts");
  return await usable("audit", folders.audit_dir, () => showAudit(denoFileSystem, folders, filter));
}

function verified(found: Verified): ToolResult {
  const { records, last_at, head, behind_head, unfinished_bytes, fault } = found;
  if (fault) return broken(found, found);
  const last = last_at === undefined ? "" : `, the last of ${last_at}`;
  const notes = [`The audit is whole: ${counted(records, "record")}${last}`];
  if (head === undefined && records > 0) {
    notes.push("Whether lines were cut off its end is not known: name the config with --config");
  }
  if (behind_head > 0) {
    notes.push(
      `${
        counted(behind_head, "record")
      } at its end came after the last one that the server knows of, ${head}: ` +
        "a crash leaves that, and so does somebody who adds records",
    );
  }
  if (unfinished_bytes > 0) {
    notes.push(
      `${unfinished_bytes} bytes at its end are a record that is not finished: ` +
        "one that is being written, or that a crash left",
    );
  }
  return told(notes, { whole: true, ...found });
}

function shown({ shown: records, matching, ...found }: Shown): ToolResult {
  const structure = { records: records, matching };
  const left = matching - records.length;
  const lines = [
    ...(left > 0 ? [`... ${left} before, which --limit leaves out`] : []),
    ...records.map(line),
  ];
  const text = lines.join("\n") || "No record";
  if (!found.fault) return told([text], structure);
  // What is before the fault is still what was written, and says so on standard output.
  const { texts } = failure(auditFault(found.file, found.fault));
  return told([text, ...texts], { ...structure, fault: found.fault });
}

function broken({ file, fault }: Verified, structure: object): ToolResult {
  const result = failure(auditFault(file, fault!));
  return { ...result, structure: { whole: false, ...structure, ...result.structure } };
}

/** `12 2026-11-30T20:59:38.268Z attempt 5d3c...: assert by ana on ana` */
function line(record: Chained): string {
  const { seq, at, kind, operation, hash: _, prev: __, digest, ...rest } = record;
  const called = operation === undefined ? "" : ` ${operation}`;
  return `${seq} ${at} ${kind}${called}: ${detail(rest)}${
    digest === undefined ? "" : `, arguments ${String(digest).slice(0, 12)}`
  }`;
}

function detail(members: Record<string, unknown>): string {
  return Object.entries(members).map(([name, value]) =>
    `${name} ${typeof value === "string" ? value : JSON.stringify(value)}`
  ).join(", ");
}

async function foldersOf(
  { sorted, io }: CommandCall,
): Promise<{ audit_dir: string; state_dir?: string }> {
  const named = sorted.options.get("audit-dir") as string | undefined;
  const config = await namedConfig(sorted, io);
  if (config && named !== undefined) throw usage("Give --config or --audit-dir, not both");
  if (config) {
    const { readConfig } = await import("../../authority/config.ts");
    const { audit_dir, state_dir } = readConfig(config.text, config.path, io.env);
    if (audit_dir !== undefined) return { audit_dir, state_dir };
    throw usage("The config has no audit_dir", "Name it there, or in ZPM_AUDIT_DIR");
  }
  const audit_dir = named ?? io.env("ZPM_AUDIT_DIR");
  if (audit_dir) return { audit_dir: resolve(io.cwd(), audit_dir) };
  throw usage("Name the config of the server, --config FILE, or the folder, --audit-dir DIR");
}

/** Not a number when it is no date, for the parser takes many things for one. */
function timeOf(text: string): number {
  return /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : NaN;
}

function filterOf({ options }: Sorted): Filter {
  const since = options.get("since") as string | undefined;
  const since_ms = since === undefined ? undefined : timeOf(since);
  if (Number.isNaN(since_ms)) throw usage(`--since must be a time, not ${JSON.stringify(since)}`);
  const limit = (options.get("limit") as string | undefined) ?? String(limits.audit_shown);
  if (!/^[1-9]\d{0,8}$/.test(limit)) {
    throw usage(`--limit must be an integer from 1 to 999999999, not ${JSON.stringify(limit)}`);
  }
  return {
    principal: options.get("principal") as string | undefined,
    verb: options.get("verb") as string | undefined,
    since_ms,
    limit: Number(limit),
  };
}
