/** U: upsert, update, forget, clear; files, modules, memories. */
import {
  all,
  ask,
  call,
  define,
  each,
  fails,
  file,
  forget,
  remember,
  restart,
  type Rows,
  type Step,
  structure,
  warns,
} from "../support/cases.ts";

const upsert = (fact: string, expected?: Parameters<typeof remember>[1]): Step =>
  call("upsert_fact", { fact }, expected);
const clear = (category: string, expected?: Parameters<typeof remember>[1]): Step =>
  call("clear_context", { category }, expected);
const update = (new_fact: string, expected: Parameters<typeof remember>[1]): Step =>
  call("update_fact", { old_fact: "role(jo,dev)", new_fact }, expected);
const invalid = fails("InvalidArguments", /./);

export const updates: Rows = {
  U01: [
    remember("deploy(prod,v1)"),
    remember("deploy(dev,v1)"),
    upsert("deploy(E, v9)", fails("InvalidArguments", /first argument/)),
    ask("deploy(E, V)", [{ E: "prod", V: "v1" }, { E: "dev", V: "v1" }]),
  ],
  U02: [
    each(
      ["port(1,a)", "port(1.0,b)", 'port("1",c)', "port('1',d)", "port(1)", "port(1,a,x)"],
      (f) => remember(f),
    ),
    upsert("port(1,z)", "Upserted: port(1,z)".replace(",", ", ")),
    ask(
      "port(K, V)",
      structure({
        exact: [
          { K: "1.0", V: "b" },
          { K: '"1"', V: "c" },
          { K: "'1'", V: "d" },
          { K: "1", V: "z" },
        ],
      }),
    ),
    ask("port(X), port(1,Y,Z)", [{ X: 1, Y: "a", Z: "x" }]),
    upsert("ready"),
    upsert("ready"),
    ask("ready", [{}]),
  ],
  U04: [
    remember("role(jo,dev)"),
    update("role(jo,", fails(/^Cannot read the new_fact: unbalanced parentheses/)),
    update("X", invalid),
    update("atom_length(a,b)", invalid),
    update("role(jo,dev) :- x", fails("new_fact must not contain rule syntax")),
    ask("role(A, B)", [{ A: "jo", B: "dev" }]),
  ],
  U06: [
    file(".zpm/kb/base.pl", "server(alpha).\nserver(beta).\nat(alpha, 1).\n"),
    restart,
    remember("server(gamma)"),
    forget("server(alpha)", "Retracted: server(alpha)"),
    upsert("at(alpha, 2)"),
    restart,
    ask("server(X)", [{ X: "beta" }, { X: "gamma" }]),
    ask("at(alpha, X)", [{ X: 2 }]),
    clear("server(_)"),
    restart,
    ask("server(X)", []),
  ],
  U07: [
    each(["p(1)", "p(1)", "p(2)", "q(9)"], (fact) => remember(fact)),
    define("p(X)", "q(X)"),
    forget("p(1)", "Retracted: p(1)"),
    ask("p(X)", [{ X: 1 }, { X: 2 }, { X: 9 }]),
    forget("p(X)", "Retracted: p(1)"),
    ask("p(X)", [{ X: 2 }, { X: 9 }]),
    forget("p(9)", fails("No matching clause found for: p(9)")),
    ask("p(X)", [{ X: 2 }, { X: 9 }]),
  ],
  U08: [
    clear("ghost(_,_)", "Cleared all facts matching: ghost(_,_)".replace(",", ", ")),
    call("get_knowledge_schema", {}, structure({ total: 1 })),
    ask("ghost(A,B)", warns([], /ghost\/2 is not known/)),
    remember("p(1)"),
    clear("p(X) :- q(X)", invalid),
    clear("_", invalid),
    clear("atom_length(_, _)", invalid),
    clear("p"),
    ask("p(X)", [{ X: 1 }]),
  ],
  U09: [
    each(
      ["is(4,even)", "X = Y", "atom_length(a,1)", "!", "a -> b", "call(x)", "findall(a,b,c)"],
      (f) => remember(f, fails("InvalidArguments", /control construct|built-in predicate/)),
    ),
    define("true", "fail", fails("InvalidArguments", /control construct/)),
    define("(a,b)", "c", fails("InvalidArguments", /control construct/)),
    ask("X = 1", [{ X: 1 }]),
  ],
  U11: [
    each(
      ["lists:hack(1)", "system:foo(1)", "other_mem:task(1)", "user:x(1)", "zpm_memories:x(1)"],
      (fact) => remember(fact, fails(/^Memory not mounted: /)),
    ),
    ask("zpm_internal:secret(X)", fails("Memory not mounted: zpm_internal")),
    define("m:p(X)", "q(X)", fails("Memory not mounted: m")),
    ask("foo(X) ; hack(X) ; task(X)", []),
    call("create_memory", { name: "notes" }),
    call("mount_memory", { name: "notes", mode: "rw" }),
    remember("notes:task(1)", all("Asserted: task(1)", structure({ memory: "notes" }))),
    ask("task(X)", []),
    ask("notes:task(X)", [{ X: 1 }]),
  ],
  U12: [
    call("create_memory", { name: "m" }),
    call("mount_memory", { name: "m", mode: "rw" }),
    call("remember_fact", { fact: "x(0)", memory: "m" }),
    call("unmount_memory", { name: "m" }),
    call("mount_memory", { name: "m", mode: "ro" }),
    call("remember_fact", { fact: "x(1)", memory: "m" }, fails("Memory is read-only: m")),
    remember("m:x(1)", fails("Memory is read-only: m")),
    ask("assertz(x(1))", fails(/^Not allowed/), { memory: "m" }),
    ask("m:assertz(x(1))", fails(/^Not allowed/)),
    ask("assertz(m:x(1))", fails(/^Not allowed/)),
    ask("m:x(A)", [{ A: 0 }]),
    call("unmount_memory", { name: "m" }),
    ask("m:x(A)", fails("Memory not mounted: m")),
    call("mount_memory", { name: "m", mode: "rw" }),
    ask("m:x(A)", [{ A: 0 }]),
  ],
};
