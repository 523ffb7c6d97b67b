import {
  answerArguments,
  answerNotes,
  answerOutput,
  answerRequest,
  type Answers,
  answersText,
} from "../answers.ts";
import { count, defineTool, memoryName, optional, text } from "../tool.ts";

export default defineTool({
  name: "query_logic",
  title: "Query Logic",
  effect: "read",
  idempotent: true,
  destructive: false,
  summary: "Ask a goal and get every answer as JSON.",
  description:
    "Execute a Prolog goal and return all variable bindings as JSON. Answers come in order, from stored " +
    "facts, rules and the pure libraries (lists, arithmetic, findall, aggregate, clpfd). No answer is []; a goal " +
    "that does not read, throws or hits a limit is an error. Use it to look something up, to combine facts, or " +
    "to check whether something follows. Nothing it does is kept.",
  input: {
    goal: text('A Prolog goal to query (e.g. "fruit(X)", "parent(john, Y)")'),
    memory: memoryName(),
    ...answerArguments,
    as_of: optional(
      count("Ask what was stored as of this commit (see history)", { minimum: 0 }),
    ),
  },
  output: answerOutput,
  examples: [
    { input: { goal: "mortal(X)" }, says: '[{"X":"socrates"}]' },
    { input: { goal: "member(N, [1, 2, 3])", limit: 2 }, says: '[{"N":1},{"N":2}]' },
  ],
  async run(memory, { goal, limit, offset, as_of }) {
    const { warnings, ...structure } = await memory.ask<Answers>({
      op: "query",
      goal,
      ...answerRequest({ limit, offset }),
      ...(as_of !== undefined && { as_of }),
    });
    const past = as_of === undefined ? [] : [asOfText(as_of)];
    return { structure, warnings: [...past, ...warnings ?? []], notes: answerNotes(structure) };
  },
  say: answersText,
});

function asOfText(commit: number): string {
  return `As of commit ${commit}: what was stored then, with the files as they are now`;
}
