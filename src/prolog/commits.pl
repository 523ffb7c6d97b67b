:- module(zpm_commits,
          [ apply_commits/2,     % +Name, +Commits
            apply_commit/3       % +Module, +Seq, +Operations
          ]).
:- use_module(library(lists)).
:- use_module(memories).
:- use_module(places).
:- use_module(supports).
:- use_module(texts).

/** <module> What the journal says, done to a memory

What the operations are is told in `src/store/protocol.ts`; what they mean stands in memories.pl, places.pl and supports.pl.
*/

%!  apply_commits(+Name, +Commits) is det.
%
%   Applies journaled commits, each [Seq, Operations]. Total: what the journal holds was planned by an
%   engine like this one, so an error here means that this engine is not like it (ENGINE-NOTES 1.10).

apply_commits(Name0, Commits) :-
    atom_string(Name, Name0),
    memory_module(Name, Module),
    forall(member([Seq, Operations], Commits),
           apply_commit(Module, Seq, Operations)).

%!  apply_commit(+Module, +Seq, +Operations) is det.

apply_commit(Module, Seq, Operations) :-
    apply_operations(Operations, Module, Seq, 0).

%   What comes back in a row is brought back at once: each time, the rest of the predicate is added again.

apply_operations([], _, _, _) :- !.
apply_operations(Operations, Module, Seq, Index) :-
    coming_back(Operations, Module, Clauses, Rest),
    Clauses \== [],
    !,
    append(Clauses, Placed),
    bring_back(Module, Placed),
    apply_operations(Rest, Module, Seq, Index).
apply_operations([Operation|Operations], Module, Seq, Index0) :-
    apply_operation(Module, Seq, Operation, Index0, Index),
    apply_operations(Operations, Module, Seq, Index).

coming_back([["r", Seq, Index, Text|Names0]|Operations], Module, Clauses, Rest) =>
    Clauses = [[journal(Seq, Index, 0)-clause(Clause, Names)]|Clauses1],
    canonical_term(Text, Clause),
    given_names(Names0, Names),
    vacate(Module, Text),
    coming_back(Operations, Module, Clauses1, Rest).
coming_back([["~x", Text, Occurrence]|Operations], Module, Clauses, Rest) =>
    Clauses = [Shown|Clauses1],
    unhide(Module, Text, Occurrence, Shown),
    ( Shown == [] -> true ; vacate(Module, Text) ),
    coming_back(Operations, Module, Clauses1, Rest).
coming_back(Operations, _, Clauses, Rest) => Clauses = [], Rest = Operations.

given_names([], []).
given_names([Names], Names).

%   given_ids(+Given, +Id, -Names, -Use, -Place): of a support, which has the id of the operation unless it had others.

given_ids([], Id, [], Id, Id).
given_ids([Names], Id, Names, Id, Id).
given_ids([Names, [UseSeq, UseIndex], [Seq, Index]], _, Names, UseSeq-UseIndex, Seq-Index).

%   Additions count: "+", "p" and "a" each take the next index of their commit, whether or not a clause comes of it.

apply_operation(Module, Seq, ["+", Text, Names, Index], _, Next) =>
    %   A checkpoint keeps the ids of the additions that are left.
    canonical_term(Text, Clause),
    add_clause(Module, Clause, Seq-Index, Names, _),
    settle(Module, Text),
    Next is Index + 1.
apply_operation(Module, Seq, ["+", Text|Names0], Index, Next) =>
    canonical_term(Text, Clause),
    given_names(Names0, Names),
    add_clause(Module, Clause, Seq-Index, Names, _),
    settle(Module, Text),
    Next is Index + 1.
apply_operation(Module, _, ["-", Seq, Index, Text|_], Next0, Next) =>
    canonical_term(Text, Clause),
    overlay_clause(Module, Clause, Seq-Index, Ref),
    erase_clause(Module, Ref),
    settle(Module, Text),
    Next = Next0.
apply_operation(Module, _, ["x", Text, Occurrence], Next0, Next) =>
    hide(Module, Text, Occurrence),
    settle(Module, Text),
    Next = Next0.
apply_operation(Module, Seq, ["a", Text, Name|Given], Index, Next) =>
    given_ids(Given, Seq-Index, Names, Use, Place),
    support(Module, Text, Name, Names, Use, Place),
    Next is Index + 1.
apply_operation(Module, _, ["~a", Text, Name|_], Next0, Next) =>
    withdraw(Module, Text, Name, _),
    Next = Next0.
apply_operation(Module, _, ["p", Seq, Index, Text|Names0], Next0, Next) =>
    given_names(Names0, Names),
    stand_alone(Module, Text, Seq-Index, Names),
    Next is Next0 + 1.
apply_operation(Module, _, ["d", Text], Next0, Next) =>
    canonical_term(Text, Name/Arity),
    functor(Head, Name, Arity),
    declare(Module, Head),
    Next = Next0.
apply_operation(Module, _, ["t", Text], Next0, Next) =>
    canonical_term(Text, Name/Arity),
    functor(Head, Name, Arity),
    declare(Module, Head),
    tabled(Module, Name/Arity),
    Next = Next0.
apply_operation(Module, _, ["~t", Text], Next0, Next) =>
    canonical_term(Text, Name/Arity),
    tabled_no_more(Module, Name/Arity),
    Next = Next0.
apply_operation(Module, Seq, ["s", Name], Next0, Next) =>
    note_restored(Module, Seq, Name),
    Next = Next0.

%   Mounts are the supervisor's business: it builds engines anew when they change.

apply_operation(_, _, ["m"|_], Next0, Next) => Next = Next0.
apply_operation(_, _, ["u"|_], Next0, Next) => Next = Next0.
