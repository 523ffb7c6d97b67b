:- module(zpm_near, [near/5]).   % +Goal, +Module, +Asked, -Near, -Cut
:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(memories).
:- use_module(changes).
:- use_module(closeness).
:- use_module(proofs).

/** <module> Stored clauses that would nearly give a goal

Near is a clause that differs in one argument, has the two arguments the other way round, or the same arguments
under a name that is nearly the same.
*/

most_near(3).
most_compared(2_000).        % clauses for each argument

%!  near(+Goal, +Module, +Asked, -Near, -Cut) is det.
%
%   Near: up to three obj/1 with fact, source and differs (`argument N`, `order` or `name`), the nearest first. Cut is
%   `true` when not all clauses were compared.

near(Goal, Module, Asked, Near, Cut) :-
    findall(Found, candidate(Goal, Module, Found), Found),
    partition(==(cut), Found, Cuts, Candidates),
    ( Cuts == [] -> Cut = false ; Cut = true ),
    keysort(Candidates, Sorted),
    nearest(Sorted, [], Nearest0),
    most_near(Most),
    ( length(Nearest, Most), append(Nearest, _, Nearest0) -> true ; Nearest = Nearest0 ),
    maplist(near_pairs(Asked), Nearest, Near).

%   A clause that is near in two ways is told once.

nearest([], _, []).
nearest([_-(_-Ref)|Candidates], Seen, Nearest) :-
    memberchk(Ref, Seen),
    !,
    nearest(Candidates, Seen, Nearest).
nearest([_-Candidate|Candidates], Seen, [Candidate|Nearest]) :-
    Candidate = _-Ref,
    nearest(Candidates, [Ref|Seen], Nearest).

near_pairs(Asked, Differs-Ref, obj([fact-Text, source-Source, differs-Differs])) :-
    clause_shown(Asked, Ref, Text),
    source_text(Ref, Source).

%   candidate(+Goal, +Module, -Candidate) is nondet: Distance-(Differs-Ref), or `cut`.

candidate(Goal, Module, Candidate) :-
    functor(Goal, Name, Arity),
    known(Module, Name, Arity),
    between(1, Arity, N),
    arg(N, Goal, Asked),
    nonvar(Asked),
    with_argument(Goal, N, Stored, General),
    Count = count(0),
    clause(Module:General, Body, Ref),
    (   too_many(Count)
    ->  !, Candidate = cut
    ;   Stored \= Asked,                            % else it is no near clause: it could give the goal
        value_distance(Asked, Stored, Distance0),
        ( Body == true -> Distance = Distance0 ; Distance is Distance0 + 5 ),
        format(string(Differs), "argument ~d", [N]),
        Candidate = Distance-(Differs-Ref)
    ).
candidate(Goal, Module, 1-("order"-Ref)) :-
    compound(Goal),
    Goal =.. [Name, A, B],
    known(Module, Name, 2),
    A \= B,
    Turned =.. [Name, B, A],
    once(clause(Module:Turned, true, Ref)).
candidate(Goal, Module, Distance-("name"-Ref)) :-
    Goal =.. [Name|Arguments],
    functor(Goal, Name, Arity),
    known(Module, Other, Arity),
    Other \== Name,
    name_distance(Name, Other, Distance),
    atom_length(Name, Length),
    3 * Distance =< Length,
    Renamed =.. [Other|Arguments],
    once(clause(Module:Renamed, true, Ref)).

%   with_argument(+Goal, +N, -Stored, -General): General has the variable Stored for its N-th argument.

with_argument(Goal, N, Stored, General) :-
    compound_name_arguments(Goal, Name, Arguments),
    nth1(N, Arguments, _, Others),
    nth1(N, General0, Stored, Others),
    compound_name_arguments(General, Name, General0).

too_many(Count) :-
    arg(1, Count, N0),
    N is N0 + 1,
    nb_setarg(1, Count, N),
    most_compared(Most),
    N > Most.
