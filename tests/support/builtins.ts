/** What an engine defines, for tests that try all of it: `name TAB arity`, the name as Prolog writes it. */
import { Engine } from "../../src/engine/engine.ts";
import { readReply } from "../../src/engine/reply.ts";
import { assets } from "./engines.ts";

/** The last thing that zpm.pl does. */
const LAST = ":- close_guards.";

const OPERATION = `
operation(builtins, _, [names-Names]) :-
    findall(Text,
            ( lists:member(Context, [system, zpm_libraries]),
              predicate_property(Context:Head, visible),
              functor(Head, Name, Arity),
              format(string(Text), "~q\\t~d", [Name, Arity])
            ),
            Texts),
    sort(Texts, Names).
`;

export async function builtins(): Promise<string[]> {
  const usual = await assets();
  const zpm = usual.files["zpm.pl"].replace(LAST, OPERATION + LAST);
  const engine = new Engine({ ...usual, files: { ...usual.files, "zpm.pl": zpm } }, undefined);
  try {
    const { names } = readReply(await engine.ask({ op: "builtins" }), "query");
    return names as string[];
  } finally {
    engine.stop();
  }
}
