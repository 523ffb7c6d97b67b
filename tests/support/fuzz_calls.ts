/** Calls as a hostile client makes them: texts that are nearly Prolog, arguments of the wrong kind, lines that are nearly JSON. */
import { tools } from "../../src/tools/registry.ts";
import type { Argument, Tool } from "../../src/tools/tool.ts";

/** A number from 0 up to `below`. */
export type Random = (below: number) => number;

/** Ends or turns around a text, or begins one; the rest is what such texts are made of. */
const TOKENS =
  "a b foo bar X Y _ _Z 'q a' \"s\" `c` 0'a 0' 0'' 1 -1 007 1.0 1.0Inf 1.5NaN 0x1F 1r3 1e400 1.0e400 [ ] ( ) { } , | . .. :- --> ?- => : = \\= == =.. is + - * / // ** ^ \\ \\+ -> ; *-> ! % /* */ ' \" \\x41\\ \\u202e $VAR '$VAR'(1) é É 日本 😀 \u0301 \u202e \u0000 \n \t @ # & ~ $ dynamic table mod rdiv"
    .split(" ").concat(" ", " ", " ", "  ");

const GOALS =
  "foo(X)|foo(1)|bar(X,Y)|X = f(X)|X = 1|member(X,[1,2,3])|between(1,inf,X)|between(1,3,X)|repeat|fail|true|halt|length(L,N)|findall(X,foo(X),L)|bagof(X,Y^bar(X,Y),L)|aggregate_all(count,foo(_),N)|forall(foo(X),write(X))|atom_length(X,Y)|X is foo+1|X is 7**77|throw(ball)|throw(error(type_error(a,b),_))|catch(foo(X),_,true)|catch(repeat,_,true)|freeze(X,fail)|dif(X,Y)|X #> 3|copy_term(X,Y)|assertz(foo(2))|retract(foo(X))|call(X)|G = halt, call(G)|read(X)|open(x,read,S)|write(é)|format(\"~w~n\",[x])|format('~a~*c',[x,3,0'y])|print_message(error,foo)|tab(20000)|numlist(1,1000,L)|nb_setval(k,1)|b_getval(k,V)|string_concat(X,Y,abc)|sub_atom(abc,B,L,A,S)|term_to_atom(X,'foo(Y)')|term_string(T,\"f(X\")|setof(X-Y,bar(X,Y),L)|default:foo(X)|user:foo(1)|notes:foo(X)|foo(X), !|\\+ foo(1)|once(member(X,[a]))|X := 1|consult(x)|number_vars|tnot(foo(1))|clause(foo(X),B)|current_op(P,T,N)|path(a,X)|integrity_violation(X)|call_with_depth_limit(foo(X),10,D)|call_with_inference_limit(repeat,1000,R)|setup_call_cleanup(true,member(X,[1,2]),halt)|call_cleanup(fail,throw(x))|prolog_current_frame(F)|prolog_stack_property(S,P)|snapshot(assertz(foo(7)))|transaction(true)|prolog_cut_to(X)|deep(0)"
    .split("|");

const FACTS =
  "foo(1)|foo(a)|foo(\"s\")|foo(X)|foo(1.0)|foo('A b')|foo([1,2])|bar(a,b)|bar(b,c)|path(a,b)|edge(a,b)|integrity_violation(bad)|foo(é)|foo('\\u2066')|foo(- 1)|foo(-(1))|foo(a:b)|foo('$VAR'(1))|foo({a})|foo(f())|foo(1r3)|foo(1.5NaN)|notes:foo(1)|foo(a mod b)|foo((a:-b))|term_expansion(a,b)|foo|p|q(1)"
    .split("|");

const NAMES = [
  "h",
  "h1",
  "s1",
  "s2",
  "notes",
  "default",
  "all",
  "Bad",
  "../x",
  "con",
  "",
  "a*",
  "*",
  "h?",
  "x'y",
  "__all__",
];

const WRONG = [
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  "",
  " ",
  [],
  {},
  [null],
  { a: 1 },
  ["a", 1],
  "x".repeat(10_000),
  -0,
  2 ** 53,
];

/** Tools after which engines are built anew, or files looked at: they come less often. */
const COSTLY = /snapshot|mount|create|undo/;

/** These build every engine anew while the others write: a few of them do. */
const REBUILDS = /mount_memory$/;
const OTHERS = tools.filter(({ name }) => !REBUILDS.test(name));

/** One call, as a tool would get it. */
export interface FuzzCall {
  name: string;
  arguments: unknown;
}

export class Fuzz {
  readonly #random: Random;
  readonly #builtins: string[];

  /** `builtins` are the heads of what the engine defines: a name and how many arguments it has. */
  constructor(random: Random, builtins: string[]) {
    this.#random = random;
    this.#builtins = builtins;
  }

  call(): FuzzCall {
    if (this.#random(3) === 0) return { name: "query_logic", arguments: { goal: this.goal() } };
    let tool = this.#pick(tools);
    if (COSTLY.test(tool.name) && this.#random(8) > 0) tool = this.#pick(tools);
    if (REBUILDS.test(tool.name) && this.#random(8) > 0) tool = this.#pick(OTHERS);
    return { name: tool.name, arguments: this.#arguments(tool) };
  }

  /** A goal, now and then with what no goal has. */
  goal(): string {
    return this.#text(() => this.#goal(3));
  }

  /** A line that is no call: what is wrong with it differs. */
  line(): string {
    const call = JSON.stringify({
      jsonrpc: "2.0",
      id: "line",
      method: "tools/call",
      params: this.call(),
    });
    switch (this.#random(6)) {
      case 0:
        return call.slice(0, this.#random(call.length));
      case 1:
        return this.#damaged(call);
      case 2:
        return JSON.stringify({
          jsonrpc: "2.0",
          method: this.#pick(["tools/call", "x", "notifications/cancelled"]),
        });
      case 3:
        return JSON.stringify(
          this.#pick([[], [1], "x", 7, null, {}, { id: 1 }, { jsonrpc: "1.0", id: "line" }]),
        );
      case 4:
        return `{"jsonrpc":"2.0","id":"line","method":${
          JSON.stringify(this.#pick(["ping", "nothing", "resources/read", "completion/complete"]))
        },"params":${JSON.stringify(this.#pick(WRONG))}}`;
      default:
        return this.#soup(40);
    }
  }

  #arguments(tool: Tool): unknown {
    if (this.#random(60) === 0) return this.#pick(WRONG);
    const entries: [string, unknown][] = [];
    for (const [name, argument] of Object.entries<Argument>(tool.input)) {
      if (!argument.required && this.#random(name === "as_of" ? 30 : 3) > 0) continue;
      if (this.#random(60) === 0) continue;
      entries.push([
        name,
        this.#random(40) === 0 ? this.#pick(WRONG) : this.#value(name, argument),
      ]);
    }
    if (this.#random(60) === 0) {
      entries.push([this.#pick(["nonsense", "constructor", "__proto__"]), 1]);
    }
    return Object.fromEntries(entries);
  }

  #value(name: string, { type, choices, minimum, maximum }: Argument): unknown {
    if (choices && this.#random(10) > 0) return this.#pick([...choices]);
    if (name === "timeout_ms") return 1 + this.#random(100);
    if (type === "boolean") return this.#random(2) === 0;
    if (type === "integer") {
      return (minimum ?? 0) + this.#random(Math.min(maximum ?? 50, 50)) - this.#random(2);
    }
    if (type === "array") {
      return Array.from({ length: this.#random(4) }, () => this.#text(() => this.#pick(FACTS)));
    }
    if (name === "memory") return this.#random(8) === 0 ? this.#pick(NAMES) : "default";
    if (/name|assumption|pattern|predicate/.test(name)) return this.#pick(NAMES);
    if (/functor/.test(name)) {
      return this.#pick(["foo", "bar", "p", "is", "'A b'", "F", "foo(", ...NAMES]);
    }
    if (/goal|body/.test(name)) return this.goal();
    if (name === "text") {
      return Array.from({ length: this.#random(5) }, () => `${this.#clause()}.\n`).join("");
    }
    return this.#text(() => this.#pick(FACTS));
  }

  #clause(): string {
    return this.#random(2) === 0 ? this.#pick(FACTS) : `foo(X) :- ${this.#goal(2)}`;
  }

  #goal(depth: number): string {
    const inner = () => this.#goal(depth - 1);
    const kind = depth === 0 ? 0 : this.#random(12);
    if (kind < 4) return this.#pick(GOALS);
    if (kind < 7) return this.#builtin();
    if (kind === 7) return `${inner()}, ${inner()}`;
    if (kind === 8) return `( ${inner()} ; ${inner()} )`;
    if (kind === 9) return `( ${inner()} -> ${inner()} ; ${inner()} )`;
    if (kind === 10) return `findall(X, (${inner()}), L)`;
    return `catch((${inner()}), E, true)`;
  }

  /** Something of the engine itself with arguments of any kind. */
  #builtin(): string {
    const [name, arity] = this.#pick(this.#builtins).split("\t");
    const values = [
      "X",
      "Y",
      "_",
      "a",
      "1",
      "-1",
      "[]",
      "[a,b]",
      "[X|Y]",
      '"s"',
      "foo(X)",
      "foo/1",
      "f(1,Y)",
      "1.5",
      "'A b'",
      "default",
      "user_output",
      "{a}",
      "true",
    ];
    const given = Array.from({ length: Number(arity) }, () => this.#pick(values));
    return given.length > 0 ? `${name}(${given.join(", ")})` : name;
  }

  /** Mostly what `well` makes; else damaged, a soup of tokens, or far too much of something. */
  #text(well: () => string): string {
    const kind = this.#random(100);
    if (kind < 70) return well();
    if (kind < 85) return this.#damaged(well());
    if (kind < 99) return this.#soup(12);
    return this.#pick([
      "(",
      "[",
      "{",
      "- ",
      "f(",
      "\\+",
      "a,",
      "a:-",
      "'",
      '"',
      "0'",
      "/*",
      "1",
      "_",
    ]).repeat(
      this.#pick([20, 20, 300, 300, 300, 3_000]),
    );
  }

  #damaged(text: string): string {
    const at = this.#random(text.length + 1);
    const end = at + this.#random(3);
    return text.slice(0, at) + this.#pick(TOKENS) + text.slice(end);
  }

  #soup(length: number): string {
    return Array.from({ length: 1 + this.#random(length) }, () => this.#pick(TOKENS)).join("");
  }

  #pick<Item>(items: readonly Item[]): Item {
    return items[this.#random(items.length)];
  }
}
