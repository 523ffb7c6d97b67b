/**
 * What a server says of itself. Clients that load tools only when they need them read nothing else before, and
 * cut it at 2 KB: so it tells when to think of zpm at all, and names no tool that is not offered.
 */
import type { Tool } from "../../tools/tool.ts";

const when =
  `zpm is a memory that reasons: facts and rules in Prolog, kept on disk for this project.

Use it when
- something should still be known in a later session: decisions, preferences, who owns what, what depends on what;
- an answer follows from several facts: reachability, inheritance, eligibility, consistency, counting;
- a conclusion has to be justified: the proof names each fact and where it came from.`;

/** A line, and the tools without which it says nothing. */
const how: [string, string[]][] = [
  ["get_knowledge_schema first, to use the predicates that are already there.", [
    "get_knowledge_schema",
  ]],
  [
    "remember_fact for one fact, such as depends_on(api, database); define_rule for what follows from facts.",
    ["remember_fact", "define_rule"],
  ],
  [
    "query_logic to ask, explain_why for the proof of an answer. Names start with a lowercase letter or are " +
    "'quoted', variables with a capital letter.",
    ["query_logic", "explain_why"],
  ],
  [
    "why_not when an answer is missing that you expected; what_if to see what a change would lead to before making it.",
    ["why_not", "what_if"],
  ],
  ["update_fact or forget_fact when something is no longer true.", ["update_fact", "forget_fact"]],
  [
    "assume_fact for what is only supposed: retract_assumption takes it back with all that follows from it.",
    ["assume_fact", "retract_assumption"],
  ],
];

const readOnly = "This server only reads: nothing can be stored or changed through it.";

const promise =
  "An empty answer means no; errors, limits and unknown predicates are always said, never shown as no.";

/** `writes`: there may be tools beside these that change something. */
export function instructionsFor(
  tools: readonly Tool[],
  { writes = false }: { writes?: boolean } = {},
): string {
  const names = new Set(tools.map(({ name }) => name));
  const lines = how.filter(([, needed]) => needed.every((name) => names.has(name)))
    .map(([line]) => `- ${line}`);
  return [
    when,
    ...(lines.length > 0 ? [["How", ...lines].join("\n")] : []),
    ...(writes || tools.some(({ effect }) => effect === "write") ? [] : [readOnly]),
    promise,
  ].join("\n\n");
}
