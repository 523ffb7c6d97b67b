/** T: assumptions, and what stands on them. */
import {
  all,
  ask,
  assume,
  call,
  define,
  each,
  fails,
  forget,
  remember,
  restart,
  type Rows,
  type Step,
  structure,
} from "../support/cases.ts";

const status = (fact: string, expected: string, ...justifications: string[]): Step =>
  call("get_belief_status", { fact }, all(/./, structure({ status: expected, justifications })));
const source = (fact: string, expected: string): Step =>
  call("get_belief_status", { fact }, structure({ source: expected }));
const retract = (assumption: string, expected?: string): Step =>
  call("retract_assumption", { assumption }, expected);
const assumptions = (...names: string[]): Step =>
  call("list_assumptions", {}, { assumptions: names });

/** After a fact that stood on `h` was taken away: nothing of it is left, now and after a restart. */
const nothingLeft: Step[] = [0, 1].flatMap(() => [
  call("get_justification", { assumption: "h" }, { facts: [] }),
  status("a(1)", "out"),
  assumptions(),
  restart,
]);

export const beliefs: Rows = {
  T02: [
    assume("up(db)", "h1"),
    assume("up(db)", "h1"),
    assume("up(db)", "h2"),
    ask("up(X)", [{ X: "db" }]),
    retract("h1", "Retracted assumption 'h1': 0 fact(s) removed"),
    ask("up(X)", [{ X: "db" }]),
    retract("h2", "Retracted assumption 'h2': 1 fact(s) removed"),
    ask("up(X)", []),
  ],
  T03: [
    assume("env(prod)", "e"),
    assume("feat(scale)", "f"),
    define("can", "env(prod), feat(scale)"),
    status("can", "in", "e", "f"),
    retract("f"),
    status("can", "out"),
  ],
  T04: [
    define("ok", "a"),
    define("ok", "b"),
    assume("a", "h1"),
    assume("b", "h2"),
    call("get_belief_status", { fact: "ok" }, structure({ environments: [["h1"], ["h2"]] })),
    retract("h1"),
    status("ok", "in", "h2"),
  ],
  T07: [
    ...[
      forget("a(1)"),
      call("clear_context", { category: "a(_)" }),
      call("update_fact", { old_fact: "a(1)", new_fact: "a(2)" }),
    ].flatMap((take) => [assume("a(1)", "h"), take, ...nothingLeft]),
    assume("key(1, a)", "h"),
    call("upsert_fact", { fact: "key(1, b)" }),
    status("key(1, a)", "out"),
    assumptions(),
  ],
  T08: [
    each(["infra_a", "infrab", "infra"], (name) => assume(`on(${name})`, name)),
    call("retract_assumptions", { pattern: "infra_*" }),
    assumptions("infrab", "infra"),
    each(
      ["x),halt,(y", "", "Bad", "a b", "[ab]"],
      (pattern) => call("retract_assumptions", { pattern }, fails("InvalidArguments")),
    ),
    assume("x(1)", "Bad", fails("InvalidArguments")),
    retract_unknown(),
    call("retract_assumptions", { pattern: "*" }),
    assumptions(),
  ],
  T09: [
    remember("tms_justification(a(1), h)"),
    remember("zpm_source(a,b)"),
    assumptions(),
    status("a(1)", "out"),
    ask("tms_justification(X, Y)", [{ X: "a(1)", Y: "h" }]),
    restart,
    assumptions(),
    ask("zpm_source(X, Y)", [{ X: "a", Y: "b" }]),
  ],
  T10: [
    remember("x(1)"),
    source("x(1)", "interactive"),
    restart,
    source("x(1)", "journal"),
    call("save_snapshot", { name: "s" }),
    forget("x(1)"),
    call("restore_snapshot", { name: "s" }),
    source("x(1)", "snapshot"),
    source("earlier(fact)", "file"),
    all_absent(),
  ],
};

function retract_unknown(): Step {
  return call("retract_assumption", { assumption: "nobody" }, fails("Unknown assumption 'nobody'"));
}

function all_absent(): Step {
  return call(
    "get_belief_status",
    { fact: "x(2)" },
    structure({ status: "out", source: "unknown" }),
  );
}
