/** The prompts: what a person picks to begin with, so that the agent knows what the memory holds and how to use it. */
import {
  type GetPromptResult,
  type Prompt,
  ProtocolError,
  ProtocolErrorCode,
} from "@modelcontextprotocol/server";
import { ZpmError } from "../../base/errors.ts";
import { limits } from "../../base/limits.ts";
import type { CallContext, Memories } from "../../memory/memory.ts";
import type { Tool } from "../../tools/tool.ts";

const OVERVIEW = "knowledge_base_overview";
const GUIDE = "use_memory_well";

export const prompts: Prompt[] = [
  {
    name: OVERVIEW,
    title: "What the memory holds",
    description: "Shows the predicates of a memory, with samples, and how to ask about them",
    arguments: [{ name: "memory", description: "The memory to show; default when absent" }],
  },
  {
    name: GUIDE,
    title: "Use the memory well",
    description: "How to store knowledge so that it can be found and reasoned with later",
  },
];

export interface PromptCall {
  memories: Memories;
  /** Those that are offered. */
  tools: readonly Tool[];
  context: CallContext;
}

interface Overview {
  predicates: { functor: string; arity: number; kind: string; count: number; samples: string[] }[];
  total: number;
  assumptions: string[];
  truncated: boolean;
  warnings?: string[];
}

export async function getPrompt(
  name: string,
  given: Record<string, string>,
  { memories, tools, context }: PromptCall,
): Promise<GetPromptResult> {
  if (name === GUIDE) return message("How to use the memory well", guide(tools));
  if (name !== OVERVIEW) throw invalid(`Unknown prompt: ${name}`);
  const memory = given.memory || "default";
  try {
    const overview = await (await memories.memory(memory, context)).ask<Overview>({
      op: "overview",
      sample_size: limits.prompt_samples,
      bytes: limits.prompt_bytes,
    });
    return message(`What the memory ${memory} holds`, shown(memory, overview));
  } catch (error) {
    throw error instanceof ZpmError ? invalid(`${error.message}; ${error.hint}`) : error;
  }
}

function shown(memory: string, overview: Overview): string {
  const { predicates, total, assumptions, truncated, warnings = [] } = overview;
  const lines = predicates.map(({ functor, arity, kind, count, samples }) => {
    const what = `${functor}/${arity}: ${count} ${
      kind === "both" ? "facts and rules" : `${kind}s`
    }`;
    return [`- ${what}`, ...samples.map((sample) => `    ${sample}`)].join("\n");
  });
  return [
    `The zpm memory "${memory}" holds ${total} predicate${
      total === 1 ? "" : "s"
    }. Prolog text; samples are indented:`,
    lines.join("\n") || "(nothing yet)",
    assumptions.length > 0 && `Assumptions in force: ${assumptions.join(", ")}`,
    truncated && "Not everything is shown: get_knowledge_schema lists every predicate.",
    ...warnings.map((warning) => `Warning: ${warning}`),
    "Ask it with query_logic, and show with explain_why what a conclusion rests on. Use these predicates and " +
    "their argument order when something new is stored.",
  ].filter(Boolean).join("\n\n");
}

/** How to use the tools that are offered: without those that store, there is nothing to say of storing. */
function guide(tools: readonly Tool[]): string {
  const writes = tools.some(({ effect }) => effect === "write");
  const parts = writes ? [storing, asking, keeping] : [asking];
  return ["Use zpm, the project's memory, like this.", ...parts].join("\n\n");
}

const storing = `Before you store
- Look at get_knowledge_schema. Use the predicates that are there, in their argument order; a second name for the same relation splits what is known.
- Choose a predicate for a relation, with few arguments: depends_on(web, api), owner(api, dana), decided(use_wasm, '2026-03-01', 'no native code'). One fact says one thing.
- Names begin with a lowercase letter or are quoted: 'Dana', 'eu-west-1'. A capital letter begins a variable: likes(Bob, pizza) says that everybody likes pizza.

What to store
- What a later session needs and cannot read from the code: decisions with their reasons, owners, dependencies, preferences, what was tried and failed.
- General statements as rules, once, and not as many facts: define_rule "affects(X, Y)" "depends_on(Y, X)".
- Not: what changes every hour, secrets, long texts.`;

const asking = `Asking
- query_logic combines facts: "depends_on(X, database), owner(X, Who)". Variables are what you want to know.
- [] is a no. If the reply warns of an unknown predicate, the name is wrong, not the world.
- \\+ Goal holds when Goal cannot be shown. Count with aggregate_all(count, Goal, N).
- When an answer is missing that you expected, why_not shows where the way to it ends, and facts that are nearly it.
- Before you change something, what_if asks as if facts were stored, or others were not.
- Before you rely on a conclusion, explain_why shows the facts it rests on, and where they came from.`;

const keeping = `Keeping it true
- When something stops being true, forget_fact it or update_fact it: a memory that lies is worse than none.
- What you only suppose, store with assume_fact under a name, so that it can be taken back with all that follows.`;

function message(description: string, text: string): GetPromptResult {
  return { description, messages: [{ role: "user", content: { type: "text", text } }] };
}

function invalid(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}
