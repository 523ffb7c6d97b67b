/** The memories as resources: what a person attaches to a conversation, and what a client may watch. */
import {
  ProtocolError,
  ProtocolErrorCode,
  type Resource,
  ResourceNotFoundError,
  type ResourceTemplateType,
  type TextResourceContents,
} from "@modelcontextprotocol/server";
import { ZpmError } from "../../base/errors.ts";
import { limits } from "../../base/limits.ts";
import type { CallContext, Memories, ReadMemory } from "../../memory/memory.ts";
import { type ResourceName, resourceName, uriTemplates } from "./resource_names.ts";

const PROLOG = "text/x-prolog";
const JSON_TYPE = "application/json";

export const resourceTemplates: ResourceTemplateType[] = [
  {
    uriTemplate: uriTemplates.source,
    name: "source",
    title: "Source of a memory",
    description: "All clauses of a memory as Prolog text that any Prolog can load",
    mimeType: PROLOG,
  },
  {
    uriTemplate: uriTemplates.schema,
    name: "schema",
    title: "Schema of a memory",
    description: "The predicates of a memory, with what their clauses are and how many there are",
    mimeType: JSON_TYPE,
  },
  {
    uriTemplate: uriTemplates.predicate,
    name: "predicate",
    title: "One predicate",
    description: "The clauses of one predicate as Prolog text",
    mimeType: PROLOG,
  },
  {
    uriTemplate: uriTemplates.snapshot,
    name: "snapshot",
    title: "A snapshot",
    description: "A memory as it was when the snapshot was made, as Prolog text",
    mimeType: PROLOG,
  },
];

/** Source and schema of each memory that is mounted; predicates and snapshots are found by their templates. */
export async function listResources(memories: Memories, context: CallContext): Promise<Resource[]> {
  const memory = await memories.memory("default", context);
  const mounted = (await memory.list()).filter((entry) => entry.mounted);
  const listed = mounted.map(async ({ name }) => {
    const about = name === "default" ? memory : await memories.memory(name, context);
    return [await sourceResource(about), schemaResource(name)];
  });
  return (await Promise.all(listed)).flat();
}

async function sourceResource(memory: ReadMemory): Promise<Resource> {
  const { name } = memory;
  const { bytes } = await memory.ask<{ bytes: number | null }>({
    op: "source_size",
    at_most: limits.sized_clauses,
  });
  return {
    uri: uriTemplates.source.replace("{name}", name),
    name: `${name}/source`,
    title: `Source of the memory ${name}`,
    description: "All of its clauses as Prolog text",
    mimeType: PROLOG,
    annotations: { audience: ["user", "assistant"], priority: 0.5 },
    ...(bytes !== null && { size: bytes }),
  };
}

function schemaResource(name: string): Resource {
  return {
    uri: uriTemplates.schema.replace("{name}", name),
    name: `${name}/schema`,
    title: `Schema of the memory ${name}`,
    description: "Its predicates, with what their clauses are and how many there are",
    mimeType: JSON_TYPE,
    annotations: { audience: ["user", "assistant"], priority: 0.8 },
  };
}

/** The text that a URI names. Throws a protocol error: resources have no failed results. */
export async function readResource(
  uri: string,
  memories: Memories,
  context: CallContext,
): Promise<TextResourceContents> {
  const name = resourceName(uri);
  if (!name) throw new ResourceNotFoundError(uri);
  try {
    const memory = await memories.memory(name.memory, context);
    const contents = await contentsOf(name, memory);
    if (!contents) throw new ResourceNotFoundError(uri);
    checkSize(contents.text);
    return { uri, ...contents };
  } catch (error) {
    throw worded(uri, error);
  }
}

type Contents = Omit<TextResourceContents, "uri">;

async function contentsOf(name: ResourceName, memory: ReadMemory): Promise<Contents | undefined> {
  switch (name.kind) {
    case "schema":
      return { mimeType: JSON_TYPE, text: JSON.stringify(await memory.ask({ op: "schema" })) };
    case "source":
      return program(await memory.ask<Program>({ op: "source" }));
    case "predicate": {
      const { functor, arity } = name;
      return program(await memory.ask<Program>({ op: "predicate_source", functor, arity }));
    }
    case "snapshot":
      return program({ text: await memory.snapshots.read(name.snapshot) });
  }
}

interface Program {
  found?: boolean;
  text?: string;
  warnings?: string[];
}

/** Warnings stand in the text, as comments: a resource has no other place for them. */
function program({ found, text, warnings = [] }: Program): Contents | undefined {
  if (found === false || text === undefined) return undefined;
  const said = warnings.map((warning) => `% Warning: ${warning.replaceAll("\n", " ")}\n`).join("");
  return { mimeType: PROLOG, text: said + text };
}

function checkSize(text: string): void {
  if (text.length <= limits.resource_bytes) return;
  throw new ProtocolError(
    ProtocolErrorCode.InternalError,
    `Stopped: size; more than ${limits.resource_bytes} bytes: read it predicate by predicate`,
  );
}

function worded(uri: string, error: unknown): unknown {
  if (!(error instanceof ZpmError)) return error;
  const absent = error.code === "memory_missing" || error.code === "not_found";
  if (absent) return new ResourceNotFoundError(uri, error.message);
  return new ProtocolError(ProtocolErrorCode.InternalError, `${error.message}; ${error.hint}`);
}
