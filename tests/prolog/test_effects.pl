:- module(test_effects, []).
:- use_module(unit).
:- discontiguous test/1.
:- use_module(memories).
:- use_module(effects).
:- use_module(library(lists)).
:- use_module(library(apply)).

/** <module> What a goal would change: told in order, and taken back */

%   Two predicates of the default memory, while Goal runs.

with_memory(Goal) :-
    snapshot(( memory_module(default, Module),
               create_memory("default", "rw"),
               forall(member(Clause, [p(1), p(2), (p(X) :- X == 3), q(a)]), stored(Module, Clause)),
               call(Goal, Module)
             )).

stored(Module, Clause) :-
    add_clause(Module, Clause, ('t.pl':1)-0, [], _).

column(Module, Clauses) :-
    findall(Clause, ( member(Head, [p(_), q(_)]), stored_clause(Module:Head, Clause, _) ), Clauses).

shown(Module, erased(Ref), erased(Clause)) :-
    clause_property(Ref, predicate(_:Name/Arity)),
    functor(Head, Name, Arity),
    stored_clause(Module:Head, Clause, Ref).
shown(_, last(_:Clause), last(Clause)).
shown(_, first(_:Clause), first(Clause)).

expect(Goal, Expected, Module) :-
    column(Module, Before),
    effects(Module:Goal, Effects),
    column(Module, After),
    ( Before =@= After -> true ; unit:fail_with("not taken back: ~q", [After]) ),
    maplist(shown(Module), Effects, Shown),
    ( Shown =@= Expected -> true ; unit:fail_with("~q", [Shown]) ).

test('effects are told in order') :-
    with_memory(expect(( retract(p(1)), assertz(p(4)), asserta(q(b)), retract(p(2)) ),
                       [erased(p(1)), last(p(4)), first(q(b)), erased(p(2))])).

test('a clause that comes and goes is no effect') :-
    with_memory(expect(( assertz(p(9)), retract(p(9)) ), [])).

test('rules come and go as well') :-
    with_memory(expect(( assertz((q(X) :- p(X), X > 1)), retractall(p(1)) ),
                       [last((q(X) :- p(X), X > 1)), erased(p(1)), erased((p(Y) :- Y == 3))])).

test('bindings stay, failure and errors pass through') :-
    with_memory(passes).

passes(Module) :-
    effects(Module:( p(X), assertz(q(X)) ), [last(_:q(1))]),
    X == 1,
    \+ effects(Module:( assertz(q(1)), fail ), _),
    catch(( effects(Module:( assertz(q(1)), throw(ball) ), _), fail ), ball, true),
    findall(Y, Module:q(Y), [a]).

test('effects within a transaction are those of the goal alone') :-
    with_memory(nested).

nested(Module) :-
    transaction(( assertz(Module:q(before)),
                  effects(Module:assertz(q(inside)), Effects),
                  findall(Y, Module:q(Y), Values)
                )),
    Effects = [last(_:q(inside))],
    Values == [a, before].

test('books of our own are no effects') :-
    with_memory(quiet).

quiet(Module) :-
    effects(note_restored(Module, 1, name), []).

test('effects wait for the next call') :-
    keep_effects([last(m:p(1))]),
    zpm_warnings:begin_call,
    kept_effects([last(m:p(1))]).
