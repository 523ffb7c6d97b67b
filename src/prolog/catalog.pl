:- module(zpm_catalog, [schema/2]).   % +Memory, -Pairs
:- use_module(library(lists)).
:- use_module(memories).

/** <module> What a memory holds: predicates and their shapes */

%!  schema(+Memory, -Pairs) is det.
%
%   Every predicate that has clauses, in the order in which it became known.

schema(Name0, [predicates-Predicates, total-Total]) :-
    atom_string(Name, Name0),
    memory_module(Name, Module),
    findall(Predicate, described(Module, Predicate), Predicates),
    length(Predicates, Total).

described(Module, obj([name-NameText, arity-Arity, type-Type, count-Count])) :-
    known(Module, Name, Arity),
    functor(Head, Name, Arity),
    predicate_property(Module:Head, number_of_clauses(Count)),
    Count > 0,
    predicate_property(Module:Head, number_of_rules(Rules)),
    shape(Rules, Count, Type),
    atom_string(Name, NameText).

shape(0, _, "fact") :- !.
shape(Count, Count, "rule") :- !.
shape(_, _, "both").
