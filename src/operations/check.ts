/** `zpm check`: what a file exposes, what it does not and why (SPEC 2.1). */
import { ZpmError } from "../base/errors.ts";
import { isToolName, type Operation } from "./operation.ts";
import type { OperationService } from "./service.ts";
import { addresses, modeText } from "./words.ts";

export interface CheckReport {
  text: string;
  structure: Record<string, unknown>;
}

const CONTEXT = { client: "check" };

/** Asks the file what must be asked: whether keys are unique, and which values domains have. */
export async function checkOperations(
  file: string,
  service: OperationService,
): Promise<CheckReport> {
  const { title, operations, skipped, undone } = service.set;
  const exposed = service.offered.map((operation) =>
    shown(operation, addresses(operation, service.memberMethods(operation)))
  );
  const withheld = withheldOf(service);
  const collections = await Promise.all(
    operations.filter(({ collection }) => collection).map((one) => examined(one, service)),
  );
  const domains = operations.flatMap(domainsOf);
  const unnamed = operations.filter(({ name, collection }) => !collection && !isToolName(name))
    .map(({ name }) => name);
  const sections: [string, string[]][] = [
    [`exposed: ${exposed.length}`, exposed.map(shownLine)],
    [`withheld without --persist: ${withheld.length}`, withheld.map(shownLine)],
    [
      `skipped: ${skipped.length}`,
      skipped.map((s) => `${file}:${s.line}: ${s.mode}\n    ${s.why}`),
    ],
    [
      `changes that are undone: ${undone.length}`,
      undone.map((name) => `${name}: only what begins with put_, post_, patch_ or delete_ changes`),
    ],
    [`collections: ${collections.length}`, collections.map(collectionLine)],
    [`domains: ${domains.length}`, domains.map(domainLine)],
    [
      `not offered over MCP: ${unnamed.length}`,
      unnamed.map((name) => `${name}: a tool's name has 1 to 64 of A-Z a-z 0-9 _ -`),
    ],
  ];
  const lines = sections.filter(([, lines], at) => at === 0 || lines.length > 0)
    .flatMap(([head, lines]) => [head, ...lines.map((line) => `  ${line}`)]);
  return {
    text: [title ? `${file}: ${title}` : file, ...lines].join("\n"),
    structure: {
      file,
      title,
      exposed,
      withheld,
      skipped,
      undone,
      collections,
      domains,
      not_over_mcp: unnamed,
    },
  };
}

interface CheckedCollection {
  name: string;
  predicate: string;
  keys: string[];
  dynamic: boolean;
  /** Keys that more than one row has, as JSON. */
  repeated: string[];
  /** Why the rows could not be listed. */
  fault?: string;
}

async function examined(
  operation: Operation,
  service: OperationService,
): Promise<CheckedCollection> {
  const { name, keys, dynamic } = operation.collection!;
  const told = { name, predicate: operation.name, keys, dynamic };
  try {
    return { ...told, repeated: await service.repeatedKeys(operation, CONTEXT) };
  } catch (error) {
    if (!(error instanceof ZpmError)) throw error;
    return { ...told, repeated: [], fault: error.message };
  }
}

function domainsOf({ name, arguments: all }: Operation) {
  return all.flatMap(({ name: argument, domain }) =>
    domain ? [{ operation: name, argument, ...domain }] : []
  );
}

interface Shown {
  name: string;
  line: number;
  mode: string;
  addresses: string[];
}

function shown(operation: Operation, addresses: string[]): Shown {
  const { name, line } = operation;
  return { name, line, mode: modeText(operation), addresses };
}

function shownLine({ addresses, mode }: Shown): string {
  return `${addresses.join(", ")}: ${mode}`;
}

/** What is there with --persist only: operations, and changes of members. */
function withheldOf(service: OperationService): Shown[] {
  if (service.persists) return [];
  return service.set.operations.flatMap((operation) => {
    if (operation.changing) return [shown(operation, addresses(operation))];
    if (!operation.collection?.dynamic) return [];
    const [, ...members] = addresses(operation, ["PUT", "DELETE"]);
    return [shown(operation, members)];
  });
}

function collectionLine({ name, keys, dynamic, repeated, fault }: CheckedCollection): string {
  const about = `${name} by ${keys.join(", ")}, ${dynamic ? "dynamic" : "static"}`;
  if (fault) return `${about}: its rows could not be listed: ${fault}`;
  if (repeated.length === 0) return about;
  return `${about}: keys that are not unique: ${repeated.join(", ")}`;
}

function domainLine(
  { operation, argument, source, fixed }: ReturnType<typeof domainsOf>[number],
): string {
  return `${operation} ${argument}: ${source}, ${fixed ? "fixed" : "may change"}`;
}
