/** The verbs as MCP lists them, and what a server says of itself to whoever may use them. */
import type { Tool as ListedTool } from "@modelcontextprotocol/server";
import { verbs } from "../../verbs/registry.ts";
import { type Syntax, type Verb, verbSchemas } from "../../verbs/verb.ts";

const listed: Record<Syntax, ListedTool[]> = {
  edn: verbs.map((verb) => listedVerb(verb, "edn")),
  prolog: verbs.map((verb) => listedVerb(verb, "prolog")),
};

export function listedVerbs(syntax: Syntax): ListedTool[] {
  return listed[syntax];
}

const FORMS = {
  edn:
    "Sentences are EDN: (likes ann tea) is a fact, (implies (and (parent ?x ?y)) (child ?y ?x)) a rule, " +
    "(not S) a denial; ?x is a variable.",
  prolog: "Sentences are Prolog: likes(ann, tea) is a fact, child(Y, X) :- parent(X, Y) a rule.",
};

export function instructionsForVerbs(syntax: Syntax): string {
  return [
    "zpm is a memory that reasons, shared by several principals. What you assert is kept in your fork of a common " +
    "base, which nobody can change; every call is audited.",
    `${FORMS[syntax]} Each sentence stands in a context, such as CxUniverse, and has a handle.`,
    "assert to store, unassert or unassert_handle to hide, query for what follows, argue for the verdict on one " +
    "sentence, matching for what is stored.",
  ].join("\n\n");
}

function listedVerb(verb: Verb, syntax: Syntax): ListedTool {
  const { name, title, description, effect, destructive, idempotent, examples } = verb;
  const example = examples[syntax];
  const { input, output } = verbSchemas(verb);
  return {
    name,
    title,
    description: `${description}\nExample: ${
      JSON.stringify(example.input)
    } answers ${example.says}`,
    inputSchema: input as ListedTool["inputSchema"],
    outputSchema: output as ListedTool["outputSchema"],
    annotations: {
      title,
      readOnlyHint: effect === "read",
      destructiveHint: destructive,
      idempotentHint: idempotent,
      openWorldHint: false,
    },
  };
}
