/** A server's authority on a disk in memory, with a clock that stands still, and other processes beside it. */
import { AuthorityLog, type Written } from "../../src/authority/authority_log.ts";
import type { Order } from "../../src/authority/authority_state.ts";
import { LoggedAuthority } from "../../src/authority/logged_authority.ts";
import type { Principal } from "../../src/authority/principal.ts";
import type { AuthorityCalls } from "../../src/authority/protocol.ts";
import { digestOf } from "../../src/base/digest.ts";
import type { FileSystem } from "../../src/store/file_system.ts";
import { custodianOn, freshDisk } from "./custodians.ts";
import type { ForgetfulFileSystem } from "./forgetful_fs.ts";

export const TOKENS = { ana: "token of ana", ben: "token of ben", lea: "token of lea" };

/** `ana` and `ben` share a durable fork, `lea` has a leased one. */
export async function principals(): Promise<Map<string, Principal>> {
  const shared = { fork_id: "team", lifecycle: "durable" } as const;
  const leased = { fork_id: "lea", lifecycle: "leased", lease_ttl_ms: 1_000 } as const;
  const all: Principal[] = [
    { name: "ana", token_sha256: await sumOf(TOKENS.ana), ...shared },
    { name: "ben", token_sha256: await sumOf(TOKENS.ben), ...shared },
    { name: "lea", token_sha256: await sumOf(TOKENS.lea), ...leased },
  ];
  return new Map(all.map((each) => [each.name, each]));
}

export function sumOf(token: string): Promise<string> {
  return digestOf(new TextEncoder().encode(token));
}

export interface AuthorityRig {
  disk: ForgetfulFileSystem;
  authority: LoggedAuthority;
  calls: AuthorityCalls;
  /** What `reload` finds. */
  config: Map<string, Principal>;
  clock: { now_ms: number };
  warnings: string[];
  /** What `zpm principal` does in a process of its own. */
  elsewhere(order: Order & { principal: string }): Promise<Written[]>;
}

/** `see` puts something between the disk and those who use it. */
export async function authorityRig(
  disk = freshDisk(),
  see: (fs: FileSystem) => FileSystem = (fs) => fs,
): Promise<AuthorityRig> {
  const fs = see(disk);
  const calls = custodianOn(fs);
  const { written } = await calls.open();
  const config = await principals();
  const clock = { now_ms: Date.parse("2026-01-01T00:00:00Z") };
  const warnings: string[] = [];
  const authority = new LoggedAuthority({
    calls,
    principals: new Map(config),
    readPrincipals: () => Promise.resolve(new Map(config)),
    written,
    now: () => clock.now_ms,
    warn: (text) => warnings.push(text),
  });
  const elsewhere = async (order: Order & { principal: string }) => {
    const log = new AuthorityLog(fs, "/state");
    try {
      await log.open();
      return await log.alone(order.principal, () => log.write(order));
    } finally {
      log.close();
    }
  };
  return { disk, authority, calls, config, clock, warnings, elsewhere };
}
