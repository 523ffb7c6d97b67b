import { limits } from "../../base/limits.ts";
import { refusedOutput } from "../refused.ts";
import { count, defineTool, memoryName, optional, text } from "../tool.ts";

/** A type, not an interface, so that it fits `Record<string, unknown>`. */
type Loaded = { clauses: number; facts: number; rules: number; duplicates: number };

export default defineTool({
  name: "load_knowledge",
  title: "Load Knowledge",
  effect: "write",
  idempotent: false,
  destructive: false,
  summary: "Store a whole text of facts, rules and grammar rules.",
  description:
    "Store a text of Prolog clauses in one commit: facts, rules (:-), grammar rules (-->), each ended by a full " +
    "stop; dynamic and table declarations are understood. All of it is stored, or nothing when a clause is refused; " +
    "the error names the lines. Use it for more than a few clauses, and to take over a Prolog file.",
  input: {
    text: { ...text("The clauses, as they would stand in a Prolog file"), file: true },
    memory: memoryName(),
    timeout_ms: optional(count(
      `Stop after so many milliseconds (default ${limits.deadline_ms})`,
      { minimum: 1, maximum: limits.deadline_max_ms },
    )),
  },
  output: {
    clauses: { type: "integer", description: "Number of clauses stored" },
    facts: { type: "integer", description: "How many of them are facts" },
    rules: { type: "integer", description: "How many of them are rules" },
    duplicates: { type: "integer", description: "How many facts were there before" },
    commit: { type: "integer", description: "Number of the commit that holds them" },
    errors: refusedOutput({ line: { type: "integer", description: "Line of the text, from 1" } }),
  },
  examples: [{
    input: { text: "wise(X) :- human(X), asks(X, _).\nasks(socrates, why)." },
    says: "Loaded 2 clauses: 1 fact, 1 rule",
  }],
  async run(memory, { text }) {
    const { warnings, ...structure } = await memory.commit<Loaded>({ op: "load_text", text });
    return { structure, warnings };
  },
  say: ({ clauses, facts, rules }) =>
    `Loaded ${many(clauses, "clause")}: ${many(facts, "fact")}, ${many(rules, "rule")}`,
});

function many(count: number, noun: string): string {
  return `${count} ${count === 1 ? noun : `${noun}s`}`;
}
