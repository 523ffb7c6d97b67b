import { withoutEngine } from "../../base/execution_errors.ts";
import { limits } from "../../base/limits.ts";
import type { MemoryEntry, ReadMemory } from "../../memory/memory.ts";
import { count, defineTool, optional } from "../tool.ts";

/** Types, not interfaces, so that they fit `Record<string, unknown>`. */
type Predicate = {
  functor: string;
  arity: number;
  kind: "fact" | "rule" | "both";
  count: number;
  samples: string[];
};
type Mount = Pick<MemoryEntry, "name" | "scope" | "mode">;
type Surroundings = {
  snapshots: { count: number; latest: string | null; latest_at: string | null };
  persistence: { wal_pending: number; healthy: boolean };
  mounts: { available: boolean; count: number; items: Mount[] };
};
type Overview =
  & {
    predicates: Predicate[];
    assumptions: { count: number; names: string[] };
  }
  & Surroundings
  & { truncated: boolean };

/** As Prolog answers. */
type Contents = {
  predicates: Predicate[];
  total: number;
  assumptions: string[];
  assumptions_total: number;
  truncated: boolean;
};

export default defineTool({
  name: "get_kb_overview",
  title: "Get KB Overview",
  effect: "read",
  idempotent: true,
  destructive: false,
  summary: "Show the default memory at one glance, with samples.",
  description:
    "Return a single-call JSON snapshot of the default knowledge base: file-loaded static and asserted user " +
    "predicates (with functor, arity, kind, clause count, and sample clauses as Prolog term strings), the active " +
    "assumptions, persisted snapshots metadata, persistence layer health, and mounted memory segments. Use it to " +
    "begin a session. It stays under 64 KiB: first samples, then predicates are left out, and truncated says so.",
  input: {
    sample_size: optional(
      count(
        `Number of sample clauses per predicate (default: ${limits.overview_samples}, max: ${limits.overview_samples_max})`,
        { minimum: 0, maximum: limits.overview_samples_max },
      ),
    ),
  },
  output: {
    predicates: {
      type: "array",
      description: "What is stored",
      items: {
        type: "object",
        additionalProperties: false,
        properties: {
          functor: { type: "string", description: "Name" },
          arity: { type: "integer", description: "Number of arguments" },
          kind: {
            type: "string",
            enum: ["fact", "rule", "both"],
            description: "What its clauses are",
          },
          count: { type: "integer", description: "Number of clauses" },
          samples: {
            type: "array",
            items: { type: "string" },
            description: "The first clauses",
          },
        },
      },
    },
    assumptions: {
      type: "object",
      description: "What is assumed",
      additionalProperties: false,
      properties: {
        count: { type: "integer", description: "How many assumptions" },
        names: { type: "array", items: { type: "string" }, description: "Their names" },
      },
    },
    snapshots: {
      type: "object",
      description: "What can be restored",
      additionalProperties: false,
      properties: {
        count: { type: "integer", description: "How many snapshots" },
        latest: { type: ["string", "null"], description: "Name of the newest" },
        latest_at: { type: ["string", "null"], description: "When it was made" },
      },
    },
    persistence: {
      type: "object",
      description: "How the memory is kept",
      additionalProperties: false,
      properties: {
        wal_pending: { type: "integer", description: "Commits since the last checkpoint" },
        healthy: { type: "boolean", description: "Writes are durable" },
      },
    },
    mounts: {
      type: "object",
      description: "The memories that can be used",
      additionalProperties: false,
      properties: {
        available: { type: "boolean", description: "Memories can be mounted" },
        count: { type: "integer", description: "How many are mounted" },
        items: {
          type: "array",
          description: "The mounted memories",
          items: {
            type: "object",
            additionalProperties: false,
            properties: {
              name: { type: "string", description: "Name" },
              scope: { type: "string", description: "project or global" },
              mode: { type: "string", description: "rw or ro" },
            },
          },
        },
      },
    },
    truncated: { type: "boolean", description: "Something was left out" },
  },
  examples: [{
    input: {},
    says: '{"predicates":[{"functor":"human","arity":1,"kind":"fact","count":1,' +
      '"samples":["human(socrates)"]},{"functor":"server","arity":2,"kind":"fact","count":1,' +
      '"samples":["server(alpha, \\"1.0\\")"]},{"functor":"mortal","arity":1,"kind":"rule","count":1,' +
      '"samples":["mortal(X) :- human(X)"]}],"assumptions":{"count":0,"names":[]},' +
      '"snapshots":{"count":0,"latest":null,"latest_at":null},' +
      '"persistence":{"wal_pending":3,"healthy":true},"mounts":{"available":true,"count":1,' +
      '"items":[{"name":"default","scope":"project","mode":"rw"}]},"truncated":false}',
  }],
  async run(memory, { sample_size }) {
    try {
      const around = await surroundings(memory);
      const { warnings = [], ...contents } = await memory.ask<Contents>({
        op: "overview",
        sample_size: sample_size ?? limits.overview_samples,
        bytes: limits.overview_bytes - JSON.stringify(overview(empty, around)).length -
          COUNT_DIGITS,
      });
      return {
        structure: overview(contents, around),
        warnings: [...warnings, ...leftOut(contents)],
      };
    } catch (error) {
      throw withoutEngine(error, "Prolog engine is not initialized");
    }
  },
  say: (structure) => JSON.stringify(structure),
});

/** What a count takes more than the 0 of nothing. */
const COUNT_DIGITS = 16;

const empty: Contents = {
  predicates: [],
  total: 0,
  assumptions: [],
  assumptions_total: 0,
  truncated: false,
};

function overview(contents: Contents, around: Surroundings): Overview {
  return {
    predicates: contents.predicates,
    assumptions: { count: contents.assumptions_total, names: contents.assumptions },
    ...around,
    truncated: contents.truncated,
  };
}

/** What is known of the memory without looking into it. */
async function surroundings(memory: ReadMemory): Promise<Surroundings> {
  const [health, snapshots, memories] = await Promise.all([
    memory.health(),
    memory.snapshots.list(),
    memory.list(),
  ]);
  const latest = snapshots.reduce<{ name: string | null; at: string | null }>(
    (newest, next) => newest.at === null || next.at > newest.at ? next : newest,
    { name: null, at: null },
  );
  const kept = health.status !== "degraded";
  const mounted = kept ? memories.filter((entry) => entry.mounted) : [];
  return {
    snapshots: { count: snapshots.length, latest: latest.name, latest_at: latest.at },
    persistence: {
      wal_pending: kept ? health.commits - (health.checkpoint ?? 0) : 0,
      healthy: health.status === "active",
    },
    mounts: {
      available: kept,
      count: mounted.length,
      items: mounted.map(({ name, scope, mode }) => ({ name, scope, mode })),
    },
  };
}

/** What the reader cannot see, and which tool shows it. */
function leftOut({ predicates, total, assumptions, assumptions_total, truncated }: Contents) {
  if (!truncated) return [];
  const predicatesCut = predicates.length < total &&
    `Only ${predicates.length} of ${total} predicates are shown: get_knowledge_schema lists them all`;
  const assumptionsCut = assumptions.length < assumptions_total &&
    `Only ${assumptions.length} of ${assumptions_total} assumptions are named: list_assumptions names them all`;
  const sentences = [predicatesCut, assumptionsCut].filter((sentence) => sentence !== false);
  return sentences.length > 0 ? sentences : ["Samples were left out to keep this under 64 KiB"];
}
