import { defineTool, memoryName, text } from "../tool.ts";

export default defineTool({
  name: "remember_fact",
  title: "Remember Fact",
  effect: "write",
  idempotent: false,
  destructive: true,
  summary: "Store one fact in a memory.",
  description:
    "Assert a Prolog fact into the knowledge base. The fact is on disk before the reply, survives " +
    "restarts and can be queried at once. Use it for anything worth knowing later: decisions, preferences, " +
    "relations between things. Names are lowercase or 'quoted'; a capital letter starts a variable, which " +
    "matches anything. For knowledge with a condition use define_rule.",
  input: {
    fact: text('A Prolog fact to assert (e.g. "human(socrates)")'),
    memory: memoryName(),
  },
  output: {
    fact: { type: "string", description: "The fact as it was stored" },
    commit: { type: "integer", description: "Number of the commit that holds it" },
    duplicate: {
      type: "boolean",
      description: "The same fact was there before; it is now stored twice",
    },
  },
  examples: [
    { input: { fact: "human(socrates)" }, says: "Asserted: human(socrates)" },
    { input: { fact: 'server(alpha, "1.0")' }, says: 'Asserted: server(alpha, "1.0")' },
  ],
  async run(memory, { fact }) {
    const { warnings, ...stored } = await memory.commit<{ fact: string; duplicate: boolean }>({
      op: "remember",
      fact,
    });
    return {
      structure: { fact: stored.fact, commit: stored.commit, duplicate: stored.duplicate },
      warnings,
    };
  },
  say: ({ fact }) => `Asserted: ${fact}`,
});
