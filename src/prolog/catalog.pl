:- module(zpm_catalog,
          [ schema/2,            % +Memory, -Pairs
            predicate_shape/2,   % +Module, -Shape
            count_clauses/2      % +Module, -Count
          ]).
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
    predicate_shape(Module, shape(Name, Arity, Type, Count)),
    atom_string(Name, NameText).

%!  count_clauses(+Module, -Count) is det.

count_clauses(Module, Count) :-
    findall(N, predicate_shape(Module, shape(_, _, _, N)), Ns),
    sum_list(Ns, Count).

%!  predicate_shape(+Module, -Shape) is nondet.
%
%   Shape is shape(Name, Arity, Type, Count): Type is "fact", "rule" or "both".

predicate_shape(Module, shape(Name, Arity, Type, Count)) :-
    known(Module, Name, Arity),
    functor(Head, Name, Arity),
    predicate_property(Module:Head, number_of_clauses(Count)),
    Count > 0,
    predicate_property(Module:Head, number_of_rules(Rules)),
    type(Rules, Count, Type).

type(0, _, "fact") :- !.
type(Count, Count, "rule") :- !.
type(_, _, "both").
