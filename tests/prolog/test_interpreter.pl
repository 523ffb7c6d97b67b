:- module(test_interpreter, []).
:- use_module(unit).
:- discontiguous test/1.
:- use_module(interpreter).
:- use_module(memories).
:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(library(aggregate)).
:- use_module(library(solution_sequences)).

/** <module> The proof interpreter against the engine, on programs that nobody wrote

A program has a few predicates, each calling only those after it, so that every goal ends. The answers of the
interpreter must be those of the engine, in order, with duplicates, errors included; at every depth and with
any number of nodes left.
*/

test('generated programs have the answers of the engine') :-
    create_memory(generated, rw),
    memory_module(generated, Module),
    numlist(1, 300, Seeds),
    unit:each(test_interpreter:agrees(Module), Seeds).

%   Were all of them empty, the comparison would say nothing.

test('generated programs have something to say') :-
    memory_module(generated, Module),
    findall(Kind, ( between(1, 80, Seed), nb_setval(test_seed, Seed), test_interpreter:said(Module, Kind) ), Kinds),
    forall(member(Kind-Least, [answer-10, answers-10, raised-10, none-8]),
           (   aggregate_all(count, member(Kind, Kinds), Count),
               Count >= Least
           ->  true
           ;   unit:fail_with("too few programs with ~w: ~q", [Kind, Kinds])
           )).

said(Module, Kind) :-
    snapshot(( program(Module, _), results(p0(X, Y), Module:p0(X, Y), Results) )),
    (   Results == [] -> Kind = none
    ;   last(Results, raised(_)) -> Kind = raised
    ;   Results = [_] -> Kind = answer
    ;   Kind = answers
    ).

%   Programs are made and dropped in a snapshot, so that none is left to the next.

agrees(Module, Seed) :-
    nb_setval(test_seed, Seed),
    snapshot(agree(Module, Verdict)),
    (   Verdict == same -> true ; unit:fail_with("program ~w: ~s", [Seed, Verdict]) ).

agree(Module, Verdict) :-
    program(Module, Clauses),
    Goal = p0(_, _),
    results(Goal, Module:Goal, Expected),
    (   member(Mode, [plain, every]),               % without tables there is no more to find
        member(Depth/Nodes, [64/2000, 0/2000, 1/2000, 2/3, 64/1, 3/7]),
        results(Goal, prove(Module:Goal, Mode, Depth, Nodes, _), Found),
        Found \== Expected
    ->  with_output_to(string(Verdict),
                       ( format("~q instead of ~q in mode ~w at depth ~w~n", [Found, Expected, Mode, Depth/Nodes]),
                         forall(member(Clause, Clauses), portray_clause(Clause)) ))
    ;   Verdict = same
    ).

program(Module, Clauses) :-
    findall(Clause, generated(Clause), Clauses),
    forall(nth0(Index, Clauses, Clause), add_clause(Module, Clause, 1-Index, [], _)).

%   The first answers in order, and the error that ended them.

results(Goal, Call, Results) :-
    findall(Result,
            limit(60, catch(( call(Call), copy_term(Goal, Result) ), Error, Result = raised(Error))),
            Results0),
    maplist(plain, Results0, Results).

plain(raised(error(Formal, _)), raised(Formal)) :- !.
plain(raised(Ball), raised(Ball)) :- !.
plain(Term, Text) :- copy_term(Term, Copy), numbervars(Copy, 0, _), format(string(Text), "~q", [Copy]).

generated(Clause) :-
    member(Level, [0, 1, 2, 3]),
    random_to(3, Count0),
    Count is Count0 + 1,
    between(1, Count, _),
    clause_of(Level, Clause).

clause_of(Level, (Head :- Body)) :-
    atom_concat(p, Level, Name),
    Variables = [X, Y, _Z],
    Head =.. [Name, X, Y],
    random_to(3, Depth),
    body(Depth, Level, Variables, Body).

body(0, Level, Variables, Goal) :- !, goal(Level, Variables, Goal).
body(Depth, Level, Variables, Body) :-
    Depth1 is Depth - 1,
    random_to(14, Kind),
    (   Kind =< 4
    ->  body(Depth1, Level, Variables, A), body(Depth1, Level, Variables, B), Body = (A, B)
    ;   body(Depth1, Level, Variables, A),
        body(Depth1, Level, Variables, B),
        goal(Level, Variables, C),
        combined(Kind, A, B, C, Body)
    ).

combined(5, A, B, _, (A ; B)).
combined(6, A, B, C, (C -> A ; B)).
combined(7, A, B, C, (C *-> A ; B)).
combined(8, A, _, C, (C -> A)).
combined(9, A, _, _, \+ A).
combined(10, A, B, _, (A, !, B)).
combined(11, A, B, _, (once(A), B)).
combined(12, A, B, _, (call((A, !)), B)).
combined(13, A, B, _, catch(A, _, B)).

goal(Level, Variables, Goal) :-
    random_member_of(Variables, V),
    random_member_of(Variables, W),
    random_member_of([a, b, c], Constant),
    random_to(12, Kind),
    basic(Kind, Level, V, W, Constant, Goal).

basic(0, _, _, _, _, !) :- !.
basic(1, _, V, _, C, V = C) :- !.
basic(2, _, V, W, _, V = W) :- !.
basic(3, _, V, W, _, V \== W) :- !.
basic(4, _, V, _, _, member(V, [a, b])) :- !.
basic(5, _, V, _, C, \+ V = C) :- !.
basic(6, _, V, _, C, ( V == C -> true ; throw(ball) )) :- !.
basic(7, _, V, _, _, nonvar(V)) :- !.
basic(8, _, _, _, _, true) :- !.
basic(_, Level, V, W, _, Goal) :-
    Next is Level + 1,
    (   Next =< 3
    ->  atom_concat(p, Next, Name),
        random_to(2, Way),
        ( Way =:= 0 -> Goal =.. [call, Name, V, W] ; Goal =.. [Name, V, W] )
    ;   Goal = member(V-W, [a-b, b-c, c-a])
    ).

%   Numbers that are the same in every run, on every engine.

random_to(N, Value) :-
    nb_getval(test_seed, Seed0),
    Seed is (Seed0 * 1103515245 + 12345) mod 2147483648,
    nb_setval(test_seed, Seed),
    Value is (Seed >> 8) mod N.

random_member_of(List, Element) :-
    length(List, Length),
    random_to(Length, Index),
    nth0(Index, List, Element).
