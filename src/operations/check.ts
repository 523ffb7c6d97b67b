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
  const { title, operations, skipped } = service.set;
  const exposed = operations.filter(({ changing }) => !changing);
  const withheld = operations.filter(({ changing }) => changing);
  const collections = await Promise.all(
    operations.filter(({ collection }) => collection).map((one) => examined(one, service)),
  );
  const domains = operations.flatMap(domainsOf);
  const unnamed = operations.filter(({ name, collection }) => !collection && !isToolName(name))
    .map(({ name }) => name);
  const sections: [string, string[]][] = [
    [`exposed: ${exposed.length}`, exposed.map(exposedLine)],
    [`withheld, since they change something: ${withheld.length}`, withheld.map(exposedLine)],
    [
      `skipped: ${skipped.length}`,
      skipped.map((s) => `${file}:${s.line}: ${s.mode}\n    ${s.why}`),
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
      exposed: exposed.map(shown),
      withheld: withheld.map(shown),
      skipped,
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

function shown(operation: Operation) {
  const { name, line } = operation;
  return { name, line, mode: modeText(operation), addresses: addresses(operation) };
}

function exposedLine(operation: Operation): string {
  return `${addresses(operation).join(", ")}: ${modeText(operation)}`;
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
