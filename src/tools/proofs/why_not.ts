import { limits } from "../../base/limits.ts";
import { unknownOutput } from "../answers.ts";
import { type Failure, failureText, reasons } from "../failure_text.ts";
import { count, defineTool, memoryName, optional, text } from "../tool.ts";

/** A type, not an interface, so that it fits `Record<string, unknown>`. */
type Answer = {
  fact: string;
  holds: boolean;
  failures: Failure[];
  truncated: boolean;
  unknown?: string[];
};

export default defineTool({
  name: "why_not",
  title: "Why Not",
  effect: "read",
  idempotent: true,
  destructive: false,
  summary: "Show why a fact does not hold: where each way to it ends.",
  description:
    "For each rule that could give a fact, show the goals that hold and the first that does not, which is looked " +
    "into in turn, and stored facts that are nearly the ones looked for. Use it when an expected answer is missing. " +
    "A fact that holds is said to: explain_why shows its proof.",
  input: {
    fact: text('The Prolog term that was expected to hold (e.g. "risky(deploy_v3)")'),
    max_depth: optional(
      count(
        `Follow goals that fail so many levels down (default ${limits.failure_depth})`,
        { minimum: 1 },
      ),
    ),
    memory: memoryName(),
  },
  output: {
    fact: { type: "string", description: "The term as it was given" },
    holds: { type: "boolean", description: "The term holds after all" },
    failures: failuresOutput(),
    truncated: { type: "boolean", description: "Not everything is shown" },
    unknown: unknownOutput,
  },
  examples: [{
    input: { fact: "mortal(zeus)" },
    says: "mortal(zeus) does not hold\n- mortal(X) :- human(X) (commit 3)\n" +
      "  fails: human(zeus): no fact or rule matches it\n" +
      "  near: human(socrates) (commit 1; argument 1 differs)",
  }],
  async run(memory, { fact, max_depth }) {
    const { warnings, output: _, ...structure } = await memory.ask<Answer & { output?: string }>({
      op: "why_not",
      fact,
      max_depth: max_depth ?? limits.failure_depth,
      max_failures: limits.failures,
    });
    return { structure, warnings, notes: structure.truncated ? [cutNote] : [] };
  },
  say: ({ fact, holds, failures }) =>
    holds ? `${fact} holds: explain_why shows its proof` : failureText(failures),
});

const cutNote = "Not everything is shown: ask about one of the goals that fail, or raise max_depth";

function failuresOutput() {
  const string = (description: string) => ({ type: "string", description });
  const orNull = (description: string) => ({ type: ["string", "null"], description });
  const list = (description: string, items: Record<string, unknown>) => ({
    type: "array",
    description,
    items,
  });
  return list("Goals that do not hold: the one asked about, then where ways to it end", {
    type: "object",
    additionalProperties: false,
    properties: {
      id: { type: "integer", description: "Number" },
      parent: { type: ["integer", "null"], description: "The failure it explains" },
      goal: orNull("What does not hold; null when the rule was not reached"),
      reason: { ...string("Why"), enum: reasons },
      rule: orNull("The clause that needs it; null for a part of the parent"),
      source: orNull("file:line or commit of that clause"),
      held: list("Goals before it that hold", { type: "string" }),
      near: list("Stored clauses that are nearly the goal", {
        type: "object",
        additionalProperties: false,
        properties: {
          fact: string("The clause"),
          source: string("Where it is from"),
          differs: string("argument N, order or name"),
        },
      }),
      witness: {
        type: "object",
        description: "What holds and must not",
        additionalProperties: false,
        properties: { goal: string("The goal"), source: orNull("Where its clause is from") },
      },
      same_as: { type: "integer", description: "The failure with the same goal" },
      message: string("The error that it raised"),
      truncated: { type: "boolean", description: "Not all ways are shown" },
    },
  });
}
