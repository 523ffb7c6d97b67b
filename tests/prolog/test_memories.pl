:- module(test_memories, []).
:- use_module(library(lists)).
:- use_module(unit).

/** <module> Clauses of a memory */

test('each of many clauses is found once') :-
    zpm_memories:create_memory("crowd", "rw"),
    Module = 'memory crowd',
    forall(between(1, 30000, N),
           ( atom_concat(node, N, Name), zpm_memories:add_clause(Module, host(Name, N), 1-N, [], _) )),
    findall(Ref, zpm_memories:stored_clause(Module:host(_, _), _, Ref), Refs),
    length(Refs, Found),
    sort(Refs, Distinct),
    length(Distinct, Different),
    ( Found-Different == 30000-30000 -> true ; unit:fail_with("~w found, ~w different", [Found, Different]) ).
test('text that is not read back is what would be read back') :-
    unit:each(test_memories:same, [ p(a, 'B c', "s", -1, 10), f(g(h('it''s'))), 'a.b'(1), p('\n', "\t\\"),
                                    p('été', '日本'), p(''), p('$VAR'(1)), 'p q'(r) ]),
    unit:each(test_memories:read_back, [ p(X), p(1.0), p([]), p('[]'), p({}), p([a]), p(- 1), -(1), - a, a:b,
                                         p(-), '\\'(a), p(dynamic), f(), p(_{a:1}), {a}, p(X, X), p('{}'(1)) ]).

same(Term) :-
    zpm_texts:plain_data(Term, 32),
    zpm_texts:canonical_text(Term, Text),
    zpm_texts:canonical_term(Text, Again),
    Again == Term.

read_back(Term) :-
    \+ zpm_texts:plain_data(Term, 32).
