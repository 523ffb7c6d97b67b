:- module(zpm_checkpoints, []).
:- use_module(library(lists)).
:- use_module(library(pairs)).
:- use_module(memories).
:- use_module(supports).
:- use_module(texts).

/** <module> The overlay as commits: what a new segment of the journal begins with

A checkpoint says all that the journal says of the present state, and nothing of how it came about: the clauses
that are there, with the ids that they got, what is hidden, tabled, supported and known (ENGINE-NOTES 2.6, 3 R7).
Files are not in it.
*/

:- multifile zpm:operation/3.

%!  zpm:operation(checkpoint, +Request, -Pairs) is det.
%
%   Request: memory, head (the number of its last commit). Pairs holds commits, each obj/1 with seq and ops, in
%   order; the last one has the number `head`.

zpm:operation(checkpoint, Request, [commits-Commits]) :-
    atom_string(Memory, Request.memory),
    memory_module(Memory, Module),
    findall(Seq-add(Index, Operation), addition(Module, Seq, Index, Operation), Additions0),
    keysort(Additions0, Additions),
    group_pairs_by_key(Additions, Groups),
    findall(["d", Text], known_by_journal(Module, Text), Known),
    findall(Operation, beside(Module, Operation), Rest),
    commits(Groups, Known, Request.head, Rest, Commits).

addition(Module, Seq, Index, ["+", Text, Names, Index]) :-
    known(Module, Name, Arity),
    functor(Head, Name, Arity),
    stored_clause(Module:Head, Clause, Ref),
    clause_origin(Ref, journal(Seq, Index)),
    \+ assumed(Module, Ref, _),
    clause_names(Ref, Names),
    canonical_text(Clause, Text).
%   Supports come where their clause stands, or would: behind the fact itself when that is a plain one.
addition(Module, Seq, Index, ["a", Text, Name, Names, [UseSeq, UseIndex], [Seq, Index]]) :-
    supported(Module, TextAtom, NameAtom, support(Names, UseSeq-UseIndex, Seq-Index)),
    atom_string(TextAtom, Text),
    atom_string(NameAtom, Name).
addition(Module, Seq, end, ["s", Name]) :-
    restored(Module, Seq, Name).

%   Known with clauses of the journal, or with none at all: what only files define becomes known with them.

known_by_journal(Module, Text) :-
    known(Module, Name, Arity),
    functor(Head, Name, Arity),
    \+ ( stored_clause(Module:Head, _, Ref), clause_origin(Ref, file(_, _)) ),
    canonical_text(Name/Arity, Text).

beside(Module, ["x", Text, Occurrence]) :-
    hidden(Module, Text, Occurrence, _, _).
beside(Module, ["t", Text]) :-
    known(Module, Name, Arity),
    functor(Head, Name, Arity),
    predicate_property(Module:Head, tabled),
    \+ plain_table(Module:Name/Arity),
    canonical_text(Name/Arity, Text).

%   What is known comes first, so that the order in which predicates became known is kept.

commits(Groups, Known, Head, Rest, Commits) :-
    (   Groups = [First-_|_] -> true ; First = Head ),
    append(Groups, [Head-[]], All0),
    merged(All0, All),
    commits_of(All, First, Known, Head, Rest, Commits).

merged([Seq-A, Seq-B|Groups], Merged) :- !, append(A, B, AB), merged([Seq-AB|Groups], Merged).
merged([Group|Groups], [Group|Merged]) :- merged(Groups, Merged).
merged([], []).

commits_of([], _, _, _, _, []).
commits_of([Seq-Adds0|Groups], First, Known, Head, Rest, [obj([seq-Seq, ops-Operations])|Commits]) :-
    sort(1, @=<, Adds0, Adds),
    findall(Operation, member(add(_, Operation), Adds), AddOperations),
    ( Seq == First -> Before = Known ; Before = [] ),
    ( Seq == Head -> After = Rest ; After = [] ),
    append([Before, AddOperations, After], Operations),
    commits_of(Groups, First, Known, Head, Rest, Commits).
