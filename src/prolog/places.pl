:- module(zpm_places,
          [ clause_place/2,      % +Ref, -Place
            bring_back/2         % +Module, +Clauses
          ]).
:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(library(pairs)).
:- use_module(memories).

/** <module> Where a clause stands among those of its predicate

The state of a predicate is the clauses of files in load order, then the overlay in id order (ENGINE-NOTES 3,
R3). A place is a term whose standard order is that order: file(Name, Line, Index), then journal(Seq, Index, 0).

The engine adds at the end only. Whatever comes back to a place in the middle is added together with the
clauses that stand behind it, which are taken out first; they keep their ids, so that a restart, which builds
the same from the journal, comes to the same order.
*/

%!  clause_place(+Ref, -Place) is det.

clause_place(Ref, Place) :-
    clause_origin(Ref, Origin),
    origin_place(Origin, Ref, Place).

origin_place(journal(Seq, Index), _, journal(Seq, Index, 0)).
origin_place(file(File, Line), Ref, file(File, Line, Index)) :-
    clause_index(Ref, Index).

place_id(journal(Seq, Index, 0), Seq-Index).
place_id(file(File, Line, Index), (File:Line)-Index).

%!  bring_back(+Module, +Clauses) is det.
%
%   Clauses is a list of Place-clause(Clause, Names), in any order; none of them may be there.

bring_back(Module, Clauses) :-
    map_list_to_pairs(predicate_of, Clauses, Keyed0),
    keysort(Keyed0, Keyed),
    group_pairs_by_key(Keyed, Groups),
    forall(member(Name/Arity-Group, Groups), bring_back(Module, Name, Arity, Group)).

predicate_of(_-clause(Clause, _), Name/Arity) :-
    clause_head(Clause, Head),
    functor(Head, Name, Arity).

bring_back(Module, Name, Arity, Group0) :-
    keysort(Group0, Group),
    Group = [First-_|_],
    functor(Head, Name, Arity),
    declare(Module, Head),
    (   at_end(Module, Head, First)
    ->  Behind = []
    ;   findall(Place-Ref,
                ( clause(Module:Head, _, Ref), clause_place(Ref, Place), Place @>= First ),
                Behind)
    ),
    require_absent(Group, Behind),
    maplist(take_out(Module), Behind, Taken),
    append(Group, Taken, All0),
    keysort(All0, All),
    forall(member(Place-clause(Clause, Names), All),
           ( place_id(Place, Id), add_clause(Module, Clause, Id, Names, _) )).

%   Most come to the end; looking at each clause then would be the most of the work.

at_end(Module, Head, Place) :-
    predicate_property(Module:Head, number_of_clauses(Count)),
    (   Count =:= 0
    ->  true
    ;   nth_clause(Module:Head, Count, Last),
        clause_place(Last, LastPlace),
        LastPlace @< Place
    ).

take_out(Module, Place-Ref, Place-clause(Clause, Names)) :-
    clause_property(Ref, predicate(Module:Name/Arity)),
    functor(Head, Name, Arity),
    stored_clause(Module:Head, Clause, Ref),
    !,
    clause_names(Ref, Names),
    erase_clause(Module, Ref).

require_absent(Group, Behind) :-
    (   member(Place-_, Group), memberchk(Place-_, Behind)
    ->  throw(error(permission_error(bring_back, clause, Place), _))
    ;   true
    ).
