:- module(zpm_imports, []).
:- use_module(library(lists)).
:- use_module(memories).
:- use_module(changes).
:- use_module(texts).

/** <module> Facts from elsewhere: rows of values, in one commit

Values cross as data: what a row calls an atom becomes an atom however it is spelt. Rows that are there already
are passed over, so that an import can be repeated.
*/

:- multifile zpm_plans:planned/6.

%   Request.rows: lists of functor, then [kind, value] for each argument; kind is `atom` or `string`.

zpm_plans:planned(import, Request, Module, Seq, Operations, [imported-Count, skipped-Skipped]) :-
    findall(Fact, ( member(Row, Request.rows), row_fact(Row, Fact) ), Facts0),
    list_to_set(Facts0, Facts),
    new_facts(Facts, Module, Seq, 0, Operations),
    length(Operations, Count),
    length(Facts0, All),
    Skipped is All - Count.

row_fact([Functor0|Values], Fact) :-
    atom_string(Functor, Functor0),
    values(Values, Arguments),
    compound_name_arguments(Fact, Functor, Arguments).

values([], []).
values([["atom", Text]|Values], [Atom|Arguments]) :- atom_string(Atom, Text), values(Values, Arguments).
values([["string", Text]|Values], [Text|Arguments]) :- values(Values, Arguments).

new_facts([], _, _, _, []).
new_facts([Fact|Facts], Module, Seq, Index, Operations) :-
    functor(Fact, Name, Arity),
    (   known(Module, Name, Arity),
        clause(Module:Fact, true, _)
    ->  Operations = Operations1,
        Next = Index
    ;   add(Module, Fact, [], Seq, Index, Operation, _),
        Operations = [Operation|Operations1],
        Next is Index + 1
    ),
    new_facts(Facts, Module, Seq, Next, Operations1).
