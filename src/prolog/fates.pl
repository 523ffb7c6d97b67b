:- module(zpm_fates,
          [ changed_predicates/2,  % +Request, -Changes
            settle/2               % +Request, -Pairs
          ]).
:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(library(assoc)).
:- use_module(memories).
:- use_module(effects).

/** <module> What becomes of the clauses of a file, and the engine following it

Effects are told in the order of what happened; a file wants to know what becomes of each of its clauses, and what
comes before and behind them. A clause that was removed and added again stays where it is, and what is added behind
a last clause that goes takes its place. So the file decides on the order, and the engine takes it from there: it is
at any time what a restart would make of the file.
*/

%!  changed_predicates(+Request, -Changes) is det.
%
%   Request: memory. Keeps the changes for settle/2. Changes has a change(Module:Name/Arity, Fates, Firsts, Lasts) for each predicate of which something
%   changes: Fates is a list of Ref-Fate for all its clauses in order, where a fate is `keep`, `erase` or
%   instead(Clause); Firsts and Lasts are clauses that come in front and behind, in order.

changed_predicates(Request, Changes) :-
    atom_string(Memory, Request.memory),
    memory_module(Memory, Module),
    kept_effects(Effects),
    convlist(lost, Effects, Lost0),
    list_to_assoc(Lost0, Lost),
    findall(Predicate, ( member(Effect, Effects), effect_predicate(Effect, Predicate) ), Predicates0),
    include(in_module(Module), Predicates0, Predicates1),
    sort(Predicates1, Predicates),
    maplist(change(Effects, Lost), Predicates, Changes0),
    exclude(unchanged, Changes0, Changes),
    nb_setval(zpm_fates, Changes).

in_module(Module, Module:_).

lost(erased(Ref), Ref-erase).
lost(instead(Ref, _:Clause), Ref-instead(Clause)).

effect_predicate(Effect, Predicate) :-
    (   lost(Effect, Ref-_)
    ->  clause_property(Ref, predicate(Predicate))
    ;   arg(1, Effect, Module:Clause),
        indicator(Clause, Indicator),
        Predicate = Module:Indicator
    ).

indicator(Clause, Name/Arity) :-
    clause_head(Clause, Head),
    functor(Head, Name, Arity).

change(Effects, Lost, Module:Indicator, change(Module:Indicator, Fates, Firsts, Lasts)) :-
    Indicator = Name/Arity,
    functor(Head, Name, Arity),
    findall(Clause, ( member(last(Module:Clause), Effects), indicator(Clause, Indicator) ), Lasts0),
    findall(Clause, ( member(first(Module:Clause), Effects), indicator(Clause, Indicator) ), Nearest0),
    findall(Ref, clause(Module:Head, _, Ref), Refs),
    foldl(fate(Lost), Refs, Fates0, Lasts0-Nearest0, Lasts1-Nearest1),
    taken_over(Fates0, Lasts1, Fates1, Lasts),
    reverse(Fates1, Reversed1),
    taken_over(Reversed1, Nearest1, Reversed, Nearest),
    reverse(Reversed, Fates),
    reverse(Nearest, Firsts).

unchanged(change(_, Fates, [], [])) :-
    \+ ( member(_-Fate, Fates), Fate \== keep ).

clause_of(Ref, Clause) :-
    clause_property(Ref, predicate(Module:Name/Arity)),
    functor(Head, Name, Arity),
    stored_clause(Module:Head, Clause, Ref),
    !.

%   Firsts are the nearest first.

fate(Lost, Ref, Ref-Fate, Lasts0-Firsts0, Lasts-Firsts) :-
    (   get_assoc(Ref, Lost, Fate0)
    ->  clause_of(Ref, Clause),
        (   Fate0 == erase, without_variant(Lasts0, Clause, Lasts1)
        ->  Fate = keep, Lasts = Lasts1, Firsts = Firsts0
        ;   Fate0 == erase, without_variant(Firsts0, Clause, Firsts1)
        ->  Fate = keep, Lasts = Lasts0, Firsts = Firsts1
        ;   Fate = Fate0, Lasts = Lasts0, Firsts = Firsts0
        )
    ;   Fate = keep, Lasts = Lasts0, Firsts = Firsts0
    ).

without_variant([First|Rest], Clause, Others) :-
    (   First =@= Clause
    ->  Others = Rest
    ;   Others = [First|More],
        without_variant(Rest, Clause, More)
    ).

%   taken_over(+Fates0, +New0, -Fates, -New): the nearest new clause takes the place of the last one, if that goes.

taken_over(Fates0, [Nearest|New], Fates, New) :-
    append(Before, [Ref-erase], Fates0),
    !,
    append(Before, [Ref-instead(Nearest)], Fates).
taken_over(Fates, New, Fates, New).

%!  settle(+Request, -Pairs) is det.
%
%   Request: name of the file. The engine follows: what changed_predicates/2 said last is saved.

settle(Request, []) :-
    nb_getval(zpm_fates, Changes),
    nb_setval(zpm_fates, []),
    atom_string(File, Request.name),
    transaction(forall(member(Change, Changes), follow(Change, File))).

%   The engine adds at the end only: what stands behind the first clause that comes into the middle is added again.

follow(change(Module:_, Fates, Firsts, Lasts), File) :-
    (   Firsts == [], append(Front, [Ref-instead(Clause)|Behind], Fates)
    ->  Moved = [Ref-instead(Clause)|Behind]
    ;   Firsts == []
    ->  Front = Fates, Moved = []
    ;   Front = [], Moved = Fates
    ),
    convlist(remaining, Moved, Remaining),
    forall(( member(Gone-Fate, Front), Fate == erase ), erase_clause(Module, Gone)),
    forall(member(Gone-_, Moved), erase_clause(Module, Gone)),
    maplist(new_clause, Firsts, NewFirsts),
    maplist(new_clause, Lasts, NewLasts),
    append([NewFirsts, Remaining, NewLasts], Added),
    forall(member(clause(Clause1, Names), Added), add_clause(Module, Clause1, (File:1)-0, Names, _)).

new_clause(Clause, clause(Clause, [])).

remaining(_-instead(Clause), clause(Clause, [])).
remaining(Ref-keep, clause(Clause, Names)) :-
    clause_of(Ref, Clause),
    clause_names(Ref, Names).
