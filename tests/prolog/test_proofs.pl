:- module(test_proofs, []).
:- use_module(unit).
:- use_module(interpreter).
:- use_module(memories).
:- use_module(texts).
:- use_module(library(lists)).

/** <module> All proofs of a goal: in a net of paths, each way through it is one */

%   Between s and t: two ways through a and b, and those that go over c; edge(c, a) closes circles.

net(["edge(s,a)", "edge(s,b)", "edge(a,t)", "edge(b,t)", "edge(a,c)", "edge(c,a)", "edge(c,t)",
     "edge(s,b)"]).

left_recursive(["path(X,Y):-edge(X,Y)", "path(X,Y):-path(X,Z),edge(Z,Y)"]).
right_recursive(["path(X,Y):-edge(X,Y)", "path(X,Y):-edge(X,Z),path(Z,Y)"]).

test('a tabled goal has a proof for each way') :-
    left_recursive(Rules),
    proofs(Rules, tabled, 64, Count),
    expected(Count).

test('a goal in a circle has a proof for each way without one') :-
    right_recursive(Rules),
    proofs(Rules, plain, 64, Count),
    expected(Count).

%   edge(s, b) is stored twice, and both clauses are told. s-a-t, s-b-t (twice), s-a-c-t: what goes round, over
%   s-a-c-a, would prove path(a, t) by means of itself.

expected(Count) :-
    ( Count =:= 4 -> true ; unit:fail_with("~w proofs", [Count]) ).

proofs(Rules, How, Depth, Count) :-
    create_memory(ways, rw),
    memory_module(ways, Module),
    net(Edges),
    append(Edges, Rules, Texts),
    forall(nth0(Index, Texts, Text),
           ( canonical_term(Text, Clause), add_clause(Module, Clause, 1-Index, [], _) )),
    ( How == tabled -> tabled(Module, path/2) ; true ),
    findall(Proof, prove(Module:path(s, t), every, Depth, 1000, Proof), Proofs0),
    ( How == tabled -> tabled_no_more(Module, path/2) ; true ),
    forall(member(Name/Arity, [edge/2, path/2]),
           ( functor(Head, Name, Arity), forall(clause(Module:Head, _, Ref), erase_clause(Module, Ref)) )),
    sort(Proofs0, Proofs),                          % all of them are ground
    length(Proofs, Count).
