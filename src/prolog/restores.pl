:- module(zpm_restores,
          [ support_line/2,      % +Module, -Term
            support_rows/2,      % +Terms, -Rows
            assumed_texts/2,     % +Rows, -Texts
            restored_key/3,      % +Texts, +Text, -Key
            present_key/4,       % +Module, +Ref, +Text, -Key
            restore_assumed/7,   % +Module, +Rows, +Text, +Names, +Seq, +Index, -Operation
            restore_supports/5   % +Module, +Rows, +Seq, +Index, -Operations
          ]).
:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(library(assoc)).
:- use_module(library(pairs)).
:- use_module(memories).
:- use_module(supports).
:- use_module(texts).

/** <module> What facts stand on, in a snapshot and back

A snapshot tells its supports as facts `'$zpm_support'(Text, Assumption, Kind)`, in order of first use. Kind is
`assumed` when the fact stands on assumptions only, so that its clause in the snapshot is not a plain one, else
`remembered`.

To restore clauses, each is compared by its key: its text, or assumed(Text). The supports follow: those that are
first in both orders stay, what comes after is put in the order of the snapshot.
*/

%!  support_line(+Module, -Term) is nondet.

support_line(Module, '$zpm_support'(Text, Name, Kind)) :-
    in_order(Module, Rows),
    member(_-row(TextAtom, Name), Rows),
    atom_string(TextAtom, Text),
    ( assumed_clause(Module, TextAtom, _) -> Kind = assumed ; Kind = remembered ).

in_order(Module, Rows) :-
    findall(Use-row(Text, Name), supported(Module, Text, Name, support(_, Use, _)), Rows0),
    sort(Rows0, Rows).

%!  support_rows(+Terms, -Rows) is det.
%
%   Rows are Rank-row(Text, Name, Kind), from the facts among the terms of a snapshot.

support_rows(Terms, Rows) :-
    findall(row(Text, Name, Kind),
            ( member('$zpm_support'(String, Name, Kind), Terms), atom_string(Text, String) ),
            Rows0),
    findall(Rank-Row, nth1(Rank, Rows0, Row), Rows).

%!  assumed_texts(+Rows, -Texts) is det.
%
%   Texts is a set for restored_key/3.

assumed_texts(Rows, Texts) :-
    findall(Text-true, member(_-row(Text, _, assumed), Rows), Pairs0),
    sort(Pairs0, Pairs),
    list_to_assoc(Pairs, Texts).

%!  restored_key(+Texts, +Text, -Key) is det.

restored_key(Texts, Text, Key) :-
    atom_string(Atom, Text),
    ( get_assoc(Atom, Texts, _) -> Key = assumed(Text) ; Key = Text ).

%!  present_key(+Module, +Ref, +Text, -Key) is det.

present_key(Module, Ref, Text, Key) :-
    ( assumed(Module, Ref, _) -> Key = assumed(Text) ; Key = Text ).

%!  restore_assumed(+Module, +Rows, +Text, +Names, +Seq, +Index, -Operation) is det.
%
%   A fact that stands on assumptions only comes to the end of its predicate, on the first of them.

restore_assumed(Module, Rows, Text, Names, Seq, Index, Operation) :-
    atom_string(Atom, Text),
    memberchk(Rank-row(Atom, Name, _), Rows),
    add_row(Module, Atom, Name, Names, Seq-Rank, Seq-Index, Operation).

add_row(Module, Text, Name, Names, UseSeq-UseIndex, Seq-Index, Operation) :-
    support(Module, Text, Name, Names, UseSeq-UseIndex, Seq-Index),
    atom_string(Text, TextString),
    atom_string(Name, NameString),
    Operation = ["a", TextString, NameString, Names, [UseSeq, UseIndex], [Seq, Index]].

%!  restore_supports(+Module, +Rows, +Seq, +Index, -Operations) is det.
%
%   To be called when the clauses are as the snapshot has them. Index is that of the next addition.

restore_supports(Module, Rows, Seq, Index, Operations) :-
    in_order(Module, Present),
    findall(row(Text, Name), member(_-row(Text, Name, _), Rows), Wanted0),
    list_to_set(Wanted0, Wanted),
    partition(is_wanted(Wanted), Present, Kept, Dropped),
    in_place(Kept, Wanted, Seq, 1, Misplaced),
    foldl(put_row(Module, Seq), Misplaced, Index-Puts, _-[]),
    %   Behind, so that a clause that changes its assumptions stays in its place.
    maplist(drop_row(Module), Dropped, Drops),
    append(Puts, Drops, Operations).

is_wanted(Wanted, _-Row) :-
    memberchk(Row, Wanted).

drop_row(Module, _-row(Text, Name), Operation) :-
    withdraw(Module, Text, Name, Operation).

%   in_place(+Kept, +Wanted, +Seq, +Rank, -Misplaced): passes over what both begin with; Misplaced are Rank-Row.

in_place([Use-Row|Kept], [Row|Wanted], Seq, Rank, Misplaced) :-
    Use @< Seq-0,
    !,
    Next is Rank + 1,
    in_place(Kept, Wanted, Seq, Next, Misplaced).
in_place(_, Wanted, _, Rank, Misplaced) :-
    ranked(Wanted, Rank, Misplaced).

ranked([], _, []).
ranked([Row|Rows], Rank, [Rank-Row|Ranked]) :-
    Next is Rank + 1,
    ranked(Rows, Next, Ranked).

%   What restore_assumed/7 has just put is right already.

put_row(Module, Seq, Rank-row(Text, Name), Index-Operations0, Next-Operations) :-
    (   supported(Module, Text, Name, support(_, Seq-Rank, _))
    ->  Next = Index, Operations = Operations0
    ;   supported(Module, Text, Name, support(Names, _, Place))
    ->  withdraw(Module, Text, Name, Withdrawal),
        add_row(Module, Text, Name, Names, Seq-Rank, Place, Addition),
        Operations0 = [Withdrawal, Addition|Operations],
        Next is Index + 1
    ;   fact_names(Module, Text, Names),
        add_row(Module, Text, Name, Names, Seq-Rank, Seq-Index, Addition),
        Operations0 = [Addition|Operations],
        Next is Index + 1
    ).

fact_names(Module, Text, Names) :-
    canonical_term(Text, Fact),
    (   variant_clause(Module, Fact, Ref)
    ->  clause_names(Ref, Names)
    ;   Names = []
    ).
