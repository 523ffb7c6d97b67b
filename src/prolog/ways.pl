:- module(zpm_ways,
          [ ways/6,              % +Kind, +Goal, +Module, +Search, -Ways, -Cut
            furthest/3,          % +Way, +Search, -End
            asked/3              % :Goal, +Search, -Outcome
          ]).
:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(library(solution_sequences)).
:- use_module(memories).
:- use_module(bounded).
:- use_module(interpreter).

/** <module> The ways in which a goal could hold, and how far each of them goes

A way is way(By, Held, Goals, Module): the clause(Ref) or the `part` of a control construct that it is, what holds
already, and the goals that must hold after that, in the engine's order. Goals are asked of the engine as it asks
them itself, so that their cuts, order and bindings are its own; what proves them is not looked for.

Search is search(End): the inferences of the call, counted from its start, at which the search ends.
*/

most_ways(10).
most_instances(3).

%!  ways(+Kind, +Goal, +Module, +Search, -Ways, -Cut) is det.
%
%   Kind is that of goal_kind/3. Cut is `true` when there are more ways than these.

ways(Kind, Goal, Module, Search, Ways, Cut) :-
    most_ways(Most),
    Wanted is Most + 1,
    findall(Way, limit(Wanted, way(Kind, Goal, Module, Search, Way)), Ways0),
    (   length(Ways, Most), append(Ways, [_], Ways0)
    ->  Cut = true
    ;   Ways = Ways0, Cut = false
    ).

way(user, Goal, Module, _, Way) :- clause_way(Goal, Module, Way).
way(tabled, Goal, Module, _, Way) :- clause_way(Goal, Module, Way).
%   The first rule whose head matches and whose guard holds is the only one that counts.
way(ssu, Goal, Module, Search, way(clause(Ref), [], Goals, Module)) :-
    Committed = committed(false),
    functor(Goal, Name, Arity),
    functor(General, Name, Arity),
    stored_clause(Module:General, Rule, Ref),
    (   Rule = ((Head, Guard) => Body) -> true
    ;   Rule = (Head => Body), Guard = true
    ),
    subsumes_term(Head, Goal),
    ( arg(1, Committed, true) -> !, fail ; true ),
    Head = Goal,
    ( \+ \+ asked(Module:Guard, Search, yes) -> nb_setarg(1, Committed, true) ; true ),
    goals((Guard, Body), Goals).
way(and, Goal, Module, _, way(part, [], Goals, Module)) :-
    goals(Goal, Goals).
way(or, (A ; B), Module, _, way(part, [], Goals, Module)) :-
    ( goals(A, Goals) ; goals(B, Goals) ).
way(if_then_else, (If -> Then ; Else), Module, Search, Way) :-
    asked(Module:If, Search, Outcome),
    branch(Outcome, If, [], Then, [Else], Module, Way).
way(soft_cut_else, (If *-> Then ; Else), Module, Search, Way) :-
    copy_term(If, Copy),
    asked(Module:Copy, Search, Outcome),
    branch(Outcome, If, [If], Then, [Else], Module, Way).
way(if_then, (If -> Then), Module, Search, Way) :-
    asked(Module:If, Search, Outcome),
    branch(Outcome, If, [], Then, [], Module, Way).
way(soft_cut, (If *-> Then), Module, _, way(part, [], Goals, Module)) :-
    goals((If, Then), Goals).
way(once, once(Goal), Module, _, way(part, [], Goals, Module)) :-
    goals(Goal, Goals).
way(catch, catch(Goal, _, _), Module, _, way(part, [], Goals, Module)) :-
    goals(Goal, Goals).
way(call_n, Goal, Module, _, way(part, [], Goals, CalledModule)) :-
    called_goal(Goal, Module, Called, CalledModule),
    goals(Called, Goals).

%   branch(+Outcome, +If, +First, +Then, +Else, +Module, -Way): by the condition's first answer or, where First has it,
%   by all of them.

branch(yes, If, First, Then, _, Module, way(part, Held, Goals, Module)) :-
    ( First == [] -> Held = [If] ; Held = [] ),
    goals(Then, Goals0),
    append(First, Goals0, Goals).
branch(no, If, _, _, [Else], Module, way(part, [\+ If], Goals, Module)) :-
    !,
    goals(Else, Goals).
branch(Outcome, If, _, _, _, Module, way(part, [], [If], Module)) :-
    Outcome \== yes.

clause_way(Goal, Module, way(clause(Ref), [], Goals, Module)) :-
    clause(Module:Goal, Body0, Ref),
    ( nonvar(Body0), Body0 = Module:Body -> true ; Body = Body0 ),
    goals(Body, Goals).

%   goals(+Body, -Goals): the conjunction as a list.

goals(Body, Goals) :-
    phrase(goals(Body), Goals).

goals(Body) --> { var(Body) }, !, [Body].
goals((A, B)) --> !, goals(A), goals(B).
goals(true) --> !, [].
goals(Goal) --> [Goal].

:- meta_predicate asked(0, +, -).

%!  asked(:Goal, +Search, -Outcome) is det.
%
%   first_outcome/4, within what is left.

asked(Goal, Search, Outcome) :-
    inferences_left(Search, Left),
    (   Left < 1_000
    ->  Outcome = limit("inferences")
    ;   first_outcome(true, Goal, Left, Outcome)
    ).

inferences_left(search(End), Left) :-
    statistics(inferences, Now),
    Left is End - Now.

%!  furthest(+Way, +Search, -End) is det.
%
%   As many of the goals, from the first on, as hold together. End is
%   - all(Held): all of them do
%   - stopped(Instances, More): each is Held-Goal, where Goal does not hold after Held; More is `true` when there
%     are other instances
%   - broken(Held, Goal, Outcome): limit(_) or error(_) instead of an answer

furthest(way(_, Held0, Goals, Module), Search, End) :-
    length(Goals, Count),
    furthest(0, Count, Goals, Goals, Module, Search, End0),
    before(End0, Held0, End).

before(all(Held), Held0, all(All)) :- append(Held0, Held, All).
before(broken(Held, Goal, Outcome), Held0, broken(All, Goal, Outcome)) :- append(Held0, Held, All).
before(stopped(Instances0, More), Held0, stopped(Instances, More)) :-
    findall(All-Goal, ( member(Held-Goal, Instances0), append(Held0, Held, All) ), Instances).

%   Instance is Goals with the bindings of the first answer of the first K of them.

furthest(Count, Count, _, Instance, _, _, all(Instance)) :- !.
furthest(K, Count, Goals, Instance, Module, Search, End) :-
    Next is K + 1,
    copy_term(Goals, Copy),
    conjunction(Next, Copy, Conjunction),
    asked(Module:Conjunction, Search, Outcome),
    (   Outcome == yes
    ->  furthest(Next, Count, Goals, Copy, Module, Search, End)
    ;   Outcome == no
    ->  instances(K, Goals, Instance, Module, Search, Instances, More),
        End = stopped(Instances, More)
    ;   split(K, Instance, Held, Goal),
        End = broken(Held, Goal, Outcome)
    ).

conjunction(Count, Goals, Conjunction) :-
    length(Prefix, Count),
    append(Prefix, _, Goals),
    !,
    conjunction(Prefix, Conjunction).

conjunction([Goal], Goal) :- !.
conjunction([Goal|Goals], (Goal, Conjunction)) :-
    conjunction(Goals, Conjunction).

split(K, Instance, Held, Goal) :-
    length(Held, K),
    append(Held, [Goal|_], Instance),
    !.

%   instances(+K, +Goals, +Instance, +Module, +Search, -Instances, -More): what comes before may hold in several ways,
%   and the next goal fails for each of them.

instances(0, _, Instance, _, _, [[]-Goal], false) :-
    !,
    Instance = [Goal|_].
instances(K, Goals, Instance, Module, Search, Instances, More) :-
    most_instances(Most),
    Wanted is Most + 1,
    conjunction(K, Goals, Conjunction),
    (   asked(findall(Goals, limit(Wanted, Module:Conjunction), Found), Search, yes)
    ->  true
    ;   Found = [Instance]
    ),
    maplist(split_at(K), Found, Split0),
    different(Split0, [], Split),
    (   length(Instances, Most), append(Instances, [_|_], Split)
    ->  More = true
    ;   Instances = Split,
        ( length(Found, Wanted) -> More = true ; More = false )
    ).

split_at(K, Instance, Held-Goal) :-
    split(K, Instance, Held, Goal).

%   A goal that fails in the same way is told once.

different([], _, []).
different([_-Goal|Instances], Seen, Different) :-
    member(Known, Seen),
    Known =@= Goal,
    !,
    different(Instances, Seen, Different).
different([Held-Goal|Instances], Seen, [Held-Goal|Different]) :-
    different(Instances, [Goal|Seen], Different).
