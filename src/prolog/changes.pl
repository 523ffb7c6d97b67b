:- module(zpm_changes,
          [ add/7,               % +Module, +Clause, +Bindings, +Seq, +Index, -Operation, -Text
            add_quietly/6,       % +Module, +Clause, +Bindings, +Seq, +Index, -Operation
            add_kept/6,          % +Module, +Fact, +Names, +Seq, +Index, -Operation
            remove/4,            % +Module, +Ref, -Operations, -Text
            remove_any/4,        % +Module, +Ref, -Operations, -Text
            stored_fact/3,       % +Module, +Fact, -Ref
            display/4,           % +Clause, +Module, +Names, -Text
            clause_display/3,    % +Module, +Ref, -Text
            clause_shown/3,      % +Asked, +Ref, -Text
            bound_names/3,       % +Variables, +Texts, -Names
            variable_names/3     % +Clause, +Bindings, -Names
          ]).
:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(memories).
:- use_module(supports).
:- use_module(texts).
:- use_module(heads).
:- use_module(warnings).

/** <module> The steps that plans are made of

Each changes this engine and says so in one operation of the journal (ENGINE-NOTES 1.9). The operation is made
from what the engine then holds, not from what was asked, so that every replica stores the same.
*/

%!  add(+Module, +Clause, +Bindings, +Seq, +Index, -Operation, -Text) is det.
%
%   Adds a clause at the end of its predicate. Index counts the additions of the commit Seq, from 0. Bindings
%   are the author's Name=Variable pairs; Text is the clause as it is shown. A fact that stands on assumptions
%   only has its clause already, which becomes a plain one.

add(Module, Clause, _, _, _, Operation, Text) :-
    \+ refuse_kept(Clause),
    canonical_text(Clause, Canonical),
    assumed_clause(Module, Canonical, Ref),
    !,
    assumed(Module, Ref, Assumptions),
    clause_origin(Ref, journal(Seq, Index)),
    clause_names(Ref, Names),
    stand_alone(Module, Canonical, Seq-Index, Names),
    Operation = ["p", Seq, Index, Canonical|Given],
    given_names(Names, Given),
    display(Clause, Module, Names, Text),
    atomic_list_concat(Assumptions, ', ', List),
    format(string(Warning),
           "The fact was assumed (~w) and is now also remembered: it has no second clause, and stays when that is retracted",
           [List]),
    warn(Warning).
add(Module, Clause, Bindings, Seq, Index, Operation, Text) :-
    variable_names(Clause, Bindings, Names),
    added(Module, Clause, Names, Seq-Index, Stored, Operation),
    display(Stored, Module, Names, Text).

%!  add_quietly(+Module, +Clause, +Bindings, +Seq, +Index, -Operation) is det.
%
%   The same for one of many: nobody is shown it, and what cannot be stored is found only afterwards.

add_quietly(Module, Clause, Bindings, Seq, Index, Operation) :-
    \+ refuse_kept(Clause),
    require_shallow(Clause),
    (   assumption(Module, _),
        canonical_text(Clause, Canonical),
        assumed_clause(Module, Canonical, _)
    ->  add(Module, Clause, Bindings, Seq, Index, Operation, _)
    ;   variable_names(Clause, Bindings, Names),
        added(Module, Clause, Names, Seq-Index, _, Operation)
    ).

%   refuse_kept(+Clause) is failure: what the verbs keep is written by them alone, since it says who wrote it.

refuse_kept(Clause) :-
    clause_head(Clause, Head),
    kept(Head),
    throw(error(zpm(input, [why-"'$sentex'/6 is kept by the verbs: assert and unassert change it"]), _)).

%!  add_kept(+Module, +Fact, +Names, +Seq, +Index, -Operation) is det.
%
%   Adds what only verbs, and the restore of what they kept, may add. Names are Name=Variable pairs.

add_kept(Module, Fact, Bindings, Seq, Index, Operation) :-
    require_shallow(Fact),
    variable_names(Fact, Bindings, Names),
    added(Module, Fact, Names, Seq-Index, _, Operation).

added(Module, Clause, Names, Id, Stored, Operation) :-
    catch(add_clause(Module, Clause, Id, Names, Ref), Error, refused(Error, Clause)),
    stored(Module, Ref, Stored),
    canonical_text(Stored, Canonical),
    given_names(Names, Given),
    Operation = ["+", Canonical|Given].

given_names([], []) :- !.
given_names(Names, [Names]).

refused(error(permission_error(_, _, _), _), Clause) :-
    !,
    clause_head(Clause, Head),
    functor(Head, Name, Arity),
    indicator_text(Name/Arity, Text),
    format(string(Why),
           "~s already has clauses of the other kind: a predicate is written with ':-' or with '=>', not with both",
           [Text]),
    throw(error(zpm(input, [why-Why]), _)).
refused(Error, _) :-
    throw(Error).

%!  variable_names(+Clause, +Bindings, -Names) is det.
%
%   The author's names in the order of the clause's variables, "_" for one without.

variable_names(Clause, Bindings, Names) :-
    author_names(Clause, Bindings, Named),
    maplist(name_text, Named, Names).

name_text(Name=_, Text) :-
    atom_string(Name, Text).

%!  remove(+Module, +Ref, -Operations, -Text) is det.
%
%   Erases an overlay clause, hides a file's one. With the last clause of a fact go the assumptions it stood on.

remove(Module, Ref, Operations, Text) :-
    stored(Module, Ref, Stored),
    \+ refuse_kept(Stored),
    remove_any(Module, Ref, Operations, Text).

%!  remove_any(+Module, +Ref, -Operations, -Text) is det.
%
%   The same, also of what the verbs keep: for a restore.

remove_any(Module, Ref, Operations, Text) :-
    stored(Module, Ref, Stored),
    canonical_text(Stored, Canonical),
    clause_names(Ref, Names),
    display(Stored, Module, Names, Text),
    (   assumed(Module, Ref, _)
    ->  withdraw_all(Module, Canonical, Operations)
    ;   (   only_clause(Module, Stored, Ref)
        ->  withdraw_all(Module, Canonical, Withdrawals)
        ;   Withdrawals = []
        ),
        clause_origin(Ref, Origin),
        removal(Origin, Module, Ref, Canonical-Names, Removal),
        append(Withdrawals, [Removal], Operations)
    ).

only_clause(Module, Stored, Ref) :-
    \+ ( variant_clause(Module, Stored, Other), Other \== Ref ).

%   The names go with the removal, so that whoever takes it back has them.

removal(journal(Seq, Index), Module, Ref, Text-Names, ["-", Seq, Index, Text|Given]) :-
    given_names(Names, Given),
    erase_clause(Module, Ref).
removal(file(_, _), Module, Ref, Text-_, ["x", Text, Occurrence]) :-
    occurrence(Module, Text, Ref, Occurrence),
    hide(Module, Text, Occurrence).

%!  stored_fact(+Module, +Fact, -Ref) is nondet.
%
%   The facts that unify, in order; binds Fact. A rule is none, not even one with the body `true`, which
%   clause/3 does not tell from a fact when it is written with `=>`.

stored_fact(Module, Fact, Ref) :-
    clause(Module:Fact, true, Ref),
    (   predicate_property(Module:Fact, ssu)
    ->  stored(Module, Ref, Stored),
        \+ Stored = (_ => _)
    ;   true
    ).

%!  clause_display(+Module, +Ref, -Text) is det.
%
%   A stored clause with its author's variable names.

clause_display(Module, Ref, Text) :-
    stored(Module, Ref, Stored),
    clause_names(Ref, Names),
    display(Stored, Module, Names, Text).

%!  clause_shown(+Asked, +Ref, -Text) is det.
%
%   The same, with the name of its memory when that is not the one that was asked.

clause_shown(Asked, Ref, Text) :-
    clause_property(Ref, predicate(Module:_)),
    clause_display(Module, Ref, Text0),
    (   Module == Asked
    ->  Text = Text0
    ;   memory_module(Name, Module),
        format(string(Text), "~w:~s", [Name, Text0])
    ).

stored(Module, Ref, Stored) :-
    clause_property(Ref, predicate(Module:Name/Arity)),
    functor(Head, Name, Arity),
    stored_clause(Module:Head, Stored, Ref),
    !.

%!  display(+Clause, +Module, +Names, -Text) is det.
%
%   Names are the stored ones, which may be none.

display(Stored, Module, Texts, Text) :-
    term_variables(Stored, Variables),
    bound_names(Variables, Texts, Names0),
    author_names(Stored, Names0, Names),
    clause_text(Stored, Module, Names, Text).

%!  bound_names(+Variables, +Texts, -Names) is det.
%
%   Name=Variable pairs from the stored names of a clause, which may be fewer than its variables.

bound_names([Variable|Variables], [Text|Texts], [Name=Variable|Names]) :-
    !,
    atom_string(Name, Text),
    bound_names(Variables, Texts, Names).
bound_names(_, _, []).
