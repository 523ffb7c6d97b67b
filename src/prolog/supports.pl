:- module(zpm_supports,
          [ support/6,           % +Module, +Text, +Name, +Names, +Use, +Place
            withdraw/4,          % +Module, +Text, +Name, -Operation
            withdraw_all/3,      % +Module, +Text, -Operations
            stand_alone/4,       % +Module, +Text, +Place, +Names
            settle/2,            % +Module, +Text
            vacate/2,            % +Module, +Text
            supported/4,         % +Module, ?Text, ?Name, -Support
            assumption/2,        % +Module, ?Name
            assumed_clause/3,    % +Module, +Text, -Ref
            assumed/3,           % +Module, +Ref, -Names
            standing_clause/3    % +Module, -Ref, -Names
          ]).
:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(library(pairs)).
:- use_module(memories).
:- use_module(places).
:- use_module(texts).

/** <module> Which assumptions a fact stands on (ENGINE-NOTES 4.1)

A fact, known by its canonical text, has its plain clauses (remembered, or of a file) and a set of supports, one
for each assumption. What is shown is the plain clauses or, when there are none but supports, one clause that
stands on assumptions only. So the order in which a fact is remembered, assumed and retracted does not matter.

The tables are the kernel's own: no memory can name them, and facts of a memory that look like them are data.
A support remembers its first use, which orders the assumptions, and the place of the clause that stands on
assumptions: the id of the first support that the fact had. That clause keeps its id when it becomes plain.
*/

:- dynamic
    row/8,               % Text, Name, Module, Fact, Names, Use, Seq, Index: Seq-Index is the place
    standing/3.          % Module, Seq, Index: the clauses that stand on assumptions only

%!  support(+Module, +Text, +Name, +Names, +Use, +Place) is det.
%
%   The fact stands on the assumption Name, too. Names are its author's variable names; Use and Place are
%   Seq-Index. Where the fact has supports already, its place is theirs.

support(Module, Text0, Name0, Names, Use, Place0) :-
    atom_string(Text, Text0),
    atom_string(Name, Name0),
    canonical_term(Text, Fact),
    ( place(Module, Text, Place) -> true ; Place = Place0 ),
    Place = Seq-Index,
    assertz(zpm_supports:row(Text, Name, Module, Fact, Names, Use, Seq, Index)),
    settle(Module, Text).

%   place(+Module, +Text, -Place) is semidet: of the supports of a fact.

place(Module, Text, Seq-Index) :-
    row(Text, _, Module, _, _, _, Seq, Index),
    !.

%!  withdraw(+Module, +Text, +Name, -Operation) is semidet.
%
%   The fact stands on the assumption no longer. Operation says so, and how to take it back.

withdraw(Module, Text0, Name0, Operation) :-
    atom_string(Text, Text0),
    atom_string(Name, Name0),
    retract(zpm_supports:row(Text, Name, Module, Fact, Names, UseSeq-UseIndex, Seq, Index)),
    !,
    ( place(Module, Text, _) -> true ; vacated(Module, Fact, Seq-Index) ),
    atom_string(Text, TextString),
    atom_string(Name, NameString),
    Operation = ["~a", TextString, NameString, Names, [UseSeq, UseIndex], [Seq, Index]].

%!  withdraw_all(+Module, +Text, -Operations) is det.

withdraw_all(Module, Text0, Operations) :-
    (   any_support(Module)
    ->  atom_string(Text, Text0),
        findall(Name, row(Text, Name, Module, _, _, _, _, _), Names),
        maplist(withdraw(Module, Text), Names, Operations)
    ;   Operations = []
    ).

any_support(Module) :-
    row(_, _, Module, _, _, _, _, _),
    !.

%!  stand_alone(+Module, +Text, +Place, +Names) is det.
%
%   The clause that stands on assumptions only is a plain one from now on. Where it is not shown, since a file
%   has the fact, too, a plain clause comes to its place.

stand_alone(Module, Text, Seq-Index, Names) :-
    (   retract(zpm_supports:standing(Module, Seq, Index))
    ->  true
    ;   canonical_term(Text, Fact),
        bring_back(Module, [journal(Seq, Index, 0)-clause(Fact, Names)])
    ).

%!  settle(+Module, +Text) is det.
%
%   To be called when plain clauses of Text came or went.

settle(Module, Text0) :-
    (   any_support(Module),
        atom_string(Text, Text0),
        row(Text, _, Module, Fact, Names, _, Seq, Index)
    ->  (   plain_clause(Module, Fact) -> vacated(Module, Fact, Seq-Index)
        ;   is_standing(Module, Seq-Index) -> true
        ;   bring_back(Module, [journal(Seq, Index, 0)-clause(Fact, Names)]),
            assertz(zpm_supports:standing(Module, Seq, Index))
        )
    ;   true
    ).

%!  vacate(+Module, +Text) is det.
%
%   Takes away the clause that stands on assumptions only, if there is one: a plain one comes back, perhaps to
%   the same place.

vacate(Module, Text0) :-
    (   any_support(Module),
        atom_string(Text, Text0),
        row(Text, _, Module, Fact, _, _, Seq, Index)
    ->  vacated(Module, Fact, Seq-Index)
    ;   true
    ).

vacated(Module, Fact, Place) :-
    (   is_standing(Module, Place)
    ->  overlay_clause(Module, Fact, Place, Ref),
        erase_clause(Module, Ref),
        Place = Seq-Index,
        retractall(zpm_supports:standing(Module, Seq, Index))
    ;   true
    ).

is_standing(Module, Seq-Index) :-
    standing(Module, Seq, Index),
    !.

plain_clause(Module, Fact) :-
    functor(Fact, Name, Arity),
    known(Module, Name, Arity),
    variant_clause(Module, Fact, Ref),
    \+ assumed_at(Module, Ref, _),
    !.

%   assumed_at(+Module, +Ref, -Place) is semidet: the clause stands on assumptions only.

assumed_at(Module, Ref, Seq-Index) :-
    standing(Module, _, _),
    !,
    clause_origin(Ref, journal(Seq, Index)),
    is_standing(Module, Seq-Index).

%!  supported(+Module, ?Text, ?Name, -Support) is nondet.
%
%   Support is support(Names, Use, Place). Text and Name are atoms.

supported(Module, Text, Name, support(Names, Use, Seq-Index)) :-
    row(Text, Name, Module, _, Names, Use, Seq, Index).

%!  assumed_clause(+Module, +Text, -Ref) is semidet.
%
%   The clause of a fact that stands on assumptions only.

assumed_clause(Module, Text0, Ref) :-
    any_support(Module),
    atom_string(Text, Text0),
    row(Text, _, Module, Fact, _, _, Seq, Index),
    !,
    is_standing(Module, Seq-Index),
    overlay_clause(Module, Fact, Seq-Index, Ref).

%!  assumed(+Module, +Ref, -Names) is semidet.
%
%   The assumptions, in order of first use, that a clause stands on, when it stands on nothing else.

assumed(Module, Ref, Names) :-
    assumed_at(Module, Ref, Seq-Index),
    findall(Use-Name, row(_, Name, Module, _, _, Use, Seq, Index), Pairs0),
    sort(Pairs0, Pairs),
    pairs_values(Pairs, Names).

%!  standing_clause(+Module, -Ref, -Names) is nondet.
%
%   The clauses that stand on assumptions only, each with these, sorted.

standing_clause(Module, Ref, Names) :-
    findall(Seq-Index-Name, ( row(_, Name, Module, _, _, _, Seq, Index), is_standing(Module, Seq-Index) ), Pairs0),
    sort(Pairs0, Pairs),
    group_pairs_by_key(Pairs, Groups),
    member(Seq-Index-Names, Groups),
    once(row(_, _, Module, Fact, _, _, Seq, Index)),
    overlay_clause(Module, Fact, Seq-Index, Ref).

%!  assumption(+Module, ?Name) is nondet.
%
%   The assumptions that some fact stands on, in order of first use.

assumption(Module, Name) :-
    nonvar(Name),
    !,
    row(_, Name, Module, _, _, _, _, _),
    !.
assumption(Module, Name) :-
    findall(Use-Name0, row(_, Name0, Module, _, _, Use, _, _), Pairs0),
    sort(Pairs0, Pairs),
    pairs_values(Pairs, Names0),
    list_to_set(Names0, Names),
    member(Name, Names).
