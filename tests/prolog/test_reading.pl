:- module(test_reading, []).
:- use_module(unit).
:- discontiguous test/1.
:- use_module(reading).
:- use_module(brackets).
:- use_module(warnings).
:- use_module(memories).
:- use_module(library(lists)).

/** <module> What a user typed, as one term (SPEC 1.3) */

module(Module) :-
    create_memory(reading_test, rw),
    memory_module(reading_test, Module).

fact(Text, Fact) :-
    module(Module),
    read_fact(Text, fact, Module, Fact, _).

test('the full stop is optional, and layout and comments are no text') :-
    unit:each(test_reading:is_dog,
              [ "dog(rex)", "dog(rex).", "dog(rex) . ", " dog(rex)\n.\n", "dog(rex). % a comment", "% first\ndog(rex)",
                "/* a */ dog(rex) /* b. */", "dog( rex )", "dog(rex).\n/* c */" ]).

is_dog(Text) :- fact(Text, dog(rex)).

test('one clause is one clause') :-
    unit:each(test_reading:refused_as(input),
              [ "a(1). b(2)", "a(1). b(2).", "a(1).\n\nb(2)", "", "   ", ".", "% nothing", "/* nothing */", ":- a", "?- a",
                "a --> b" ]),
    unit:each(test_reading:refused_as(rule_syntax), [ "a :- b", "a => b" ]),
    unit:each(test_reading:refused_as(syntax),
              [ "a(1", "a)", "a(1))", "[a", "{a", "'a", "\"a", "a b", "1.2.3", "f(a.b)", "f(\u201Ca\u201D)", "/* a" ]).

refused_as(Kind, Text) :-
    catch(( fact(Text, Fact), unit:fail_with("~q was read as ~q", [Text, Fact]) ),
          error(zpm(Kind, _), _), true).

test('quoted text is not looked into') :-
    fact("f('a. b', \"c. d\", 'e :- f', 'g --> h')", Fact),
    Fact == f('a. b', "c. d", 'e :- f', 'g --> h').

test('head and body share their variables and nothing else') :-
    module(Module),
    read_rule("p(X, Y) % a comment", "q(X, Z), r(Z, _)", Module, (p(A, _) :- q(B, C), r(D, _)), Names),
    A == B, C == D,
    findall(Name, member(Name=_, Names), All),
    All == ['X', 'Y', 'Z'].

test('a place is a line and a column') :-
    unit:each(test_reading:stands_at,
              [ at("p(a", 1, 4), at("p(a))", 1, 5), at("p(\n  a b)", 2, 4), at("p(a,\nq(", 2, 3), at("[a, b)", 1, 6) ]).

stands_at(at(Text, Line, Column)) :-
    catch(( fact(Text, _), fail ), error(zpm(syntax, Pairs), _), true),
    memberchk(line-Line, Pairs),
    memberchk(column-Column0, Pairs),
    (   Column0 == Column -> true ; unit:fail_with("~q: column ~w, not ~w", [Text, Column0, Column]) ).

test('brackets in quotes, codes and comments do not count') :-
    unit:each(test_reading:balanced,
              [ "", "p(a)", "p('(')", "p(\"(\")", "p(`(`)", "p(0'()", "p(0'))", "p('it''s (')", "p('\\'(')", "p(a) % (",
                "p(/* ( */ a)", "[a, {b, (c)}]", "p(0''')", "p(0'\\n)", "p(\"a\"\"(\")" ]),
    unit:each(test_reading:first_fault,
              [ at("(", 1), at(")", 0), at("p(a", 3), at("p(a]", 3), at("[(])", 2), at("'(' )", 4), at("% (\n)", 4) ]).

balanced(Text) :- \+ unbalanced(Text, _).

first_fault(at(Text, Offset)) :- unbalanced(Text, Found), Found == Offset.

test('digit groups with a comma are told') :-
    unit:each(test_reading:warned, [ "n(1,000)", "f(g(12,345))", "n(999,999)" ]),
    unit:each(test_reading:silent, [ "n(1, 000)", "n(1,00)", "n(1,0000)", "n(1000)", "n(a,000)", "n(1 000)" ]).

warned(Text) :- begin_call, fact(Text, _), warnings([_]).
silent(Text) :- begin_call, fact(Text, _), warnings([]).

test('a prompt and fences are left out of a goal, with a note') :-
    module(Module),
    forall(member(Text, [ "?- a(X).", "```prolog\na(X).\n```", "```\na(X)\n```", "  ?- a(X)" ]),
           (   begin_call,
               read_goal(Text, Module, Goal, Names),
               Goal = a(X), Names == ['X'=X],
               warnings([_])
           ->  true
           ;   unit:fail_with("~q", [Text])
           )).

test('brackets that are open at once are counted before a text is read') :-
    forall(member(Pair, [ "()", "[]", "{}" ]),
           (   nested(Pair, 256, Shallow),
               \+ nested_deeper(Shallow, 256),
               nested(Pair, 257, Deep),
               nested_deeper(Deep, 256)
           ->  true
           ;   unit:fail_with("~w", [Pair])
           )),
    nested("()", 300, Deep),
    unit:each(test_reading:shallow_text(Deep), [ "a('~w')", "a(\"~w\")", "a % ~w", "/* ~w */ a" ]),
    many("f(x), ", 300, Wide),
    \+ nested_deeper(Wide, 256).

nested(Pair, Depth, Text) :-
    sub_string(Pair, 0, 1, _, Open),
    sub_string(Pair, 1, 1, _, Close),
    many(Open, Depth, Opens),
    many(Close, Depth, Closes),
    string_concat(Opens, Closes, Text).

many(Text, Count, Texts) :-
    findall(Text, between(1, Count, _), List),
    atomic_list_concat(List, Joined),
    atom_string(Joined, Texts).

shallow_text(Deep, Format) :-
    format(string(Text), Format, [Deep]),
    \+ nested_deeper(Text, 256).
