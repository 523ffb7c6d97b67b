:- module(zpm_environments,
          [ begin_search/3,      % +Module, +Request, -Search
            believed/3,          % +Search, :Goal, -Belief
            environments/3,      % +Belief, -Environments, -Pairs
            falls_with/2         % +Belief, -Names
          ]).
:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(library(assoc)).
:- use_module(library(ordsets)).
:- use_module(library(pairs)).
:- use_module(memories).
:- use_module(supports).
:- use_module(absence).
:- use_module(bounded).
:- use_module(interpreter).

:- meta_predicate believed(+, 0, -).

/** <module> Which assumptions a belief rests on (ENGINE-NOTES 4.2, 4.3)

Proofs are not enumerated: there may be endlessly many. There is an oracle: does the goal hold in the *world*
that keeps only some assumptions? Inside snapshot/1 it takes out the clauses that stand on others only, and asks
the engine; recursion, cuts and tables are then the engine's business. A world is only(Names) or without(Names).

An environment is a minimal set of assumptions with which the goal holds: found by leaving out one name after
the other, beginning with those at the leaves of a proof. Further ones are found by hitting sets: in a world
that lacks something of each environment known, the goal holds by another one, or not at all.
*/

%   The engine is asked first, and for a short time: where it runs in a circle (a symmetric relation, two rules that
%   call each other), it would fill its stacks, while the interpreter that never proves a goal by means of itself
%   comes to an end. Later questions should take about as long as the first.

short_try(100_000).          % inferences of the engine; of later questions: at least half of it
short_interpreted(3_000_000).
long_interpreted(30_000_000).

most_environments(16).
most_sets(20_000).           % that are looked at to find them
search_share(25).            % at most this part of a call's inferences goes into finding further ones
proof_nodes(100_000).

%   Clauses are taken out when the guards are closed already, since each question runs a user's goal. The door
%   lets erase/1 through (zpm_guards) and is itself erased before the goal runs; the end of the snapshot brings
%   all of them back.

:- dynamic door/0.

%!  begin_search(+Module, +Request, -Search) is det.
%
%   To be called before goal mode. Request: inferences, fact.

begin_search(Module, Request, search(Request, Clauses, Alone, Names)) :-
    retractall(zpm_environments:door),
    assertz(zpm_environments:door),
    findall(Ref-Own, standing_in(Module, Ref, Own), Clauses),
    findall(Name, ( member(_-Own, Clauses), member(Name, Own) ), Names0),
    sort(Names0, Names),
    findall(Name-Ref, member(Ref-[Name], Clauses), Alone0),
    keysort(Alone0, Alone1),
    group_pairs_by_key(Alone1, Alone2),
    list_to_assoc(Alone2, Alone).

%   What stands on the assumptions of another memory can be reached as NAME:goal; their names are told as NAME:name.

standing_in(Module, Ref, Names) :-
    standing_clause(Module, Ref, Names).
standing_in(Module, Ref, Names) :-
    memory(Memory),
    memory_module(Memory, Other),
    Other \== Module,
    standing_clause(Other, Ref, Names0),
    maplist(in_memory(Memory), Names0, Names).

in_memory(Memory, Name0, Name) :-
    format(atom(Name), "~w:~w", [Memory, Name0]).

%   The clauses to take out when only the assumptions of a world are kept.

taken_out(only(Kept), search(_, Clauses, _, _), Refs) :-
    findall(Ref,
            ( member(Ref-Own, Clauses), \+ ( member(Name, Own), ord_memberchk(Name, Kept) ) ),
            Refs).
taken_out(without([]), _, []) :- !.
taken_out(without([Name]), search(_, _, Alone, _), Refs) :-
    !,
    ( get_assoc(Name, Alone, Refs) -> true ; Refs = [] ).
taken_out(without(Left), search(_, Clauses, _, _), Refs) :-
    findall(Ref,
            ( member(Ref-Own, Clauses), \+ ( member(Name, Own), \+ ord_memberchk(Name, Left) ) ),
            Refs).

take_out(Refs) :-
    clause(zpm_environments:door, true, Door),
    forall(member(Ref, Refs), erase(Ref)),
    erase(Door).

%!  believed(+Search, :Goal, -Belief) is semidet.
%
%   Whether Goal holds with all assumptions; Belief is what the other questions are asked about. Throws when a
%   limit or an exception keeps it from being known.

believed(Search, Goal, belief(Search, Goal, Try)) :-
    Search = search(Request, _, _, _),
    short_try(Short),
    First is min(Short, Request.inferences),
    statistics(inferences, Before),
    holds(without([]), belief(Search, Goal, First), Mode),
    statistics(inferences, After),
    ( Mode == plain -> Used is After - Before ; Used = 0 ),
    Try is min(Request.inferences, max(Short // 2, 10 * Used)).

%   holds(+World, +Belief, -Mode) is semidet. Mode is that of zpm_interpreter:prove/5 in which a proof is found.

holds(World, belief(Search, Goal, Try), Mode) :-
    Search = search(Request, _, _, _),
    taken_out(World, Search, Refs),
    short_interpreted(Short),
    long_interpreted(Long),
    All = Request.inferences,
    tried([plain-Try, acyclic-Short, plain-All, acyclic-Long], Goal, Refs, All, Mode, Outcome),
    held(Outcome, Request).

%   The first try that comes to an end. When none does, the limit is what stopped the engine on its own.

tried([Mode0-Inferences0|Tries], Goal, Refs, All, Mode, Outcome) :-
    Inferences is min(Inferences0, All),
    tried(Mode0, Goal, Refs, Inferences, Outcome0),
    (   Outcome0 = limit(_), Tries \== []
    ->  tried(Tries, Goal, Refs, All, Mode, Outcome1),
        ( Outcome1 = limit(_), Tries = [acyclic-_] -> Outcome = Outcome0 ; Outcome = Outcome1 )
    ;   Mode = Mode0, Outcome = Outcome0
    ).

tried(plain, Goal, Refs, Inferences, Outcome) :-
    copy_term(Goal, Copy),
    outcome(Copy, Refs, Inferences, Outcome).
tried(acyclic, Goal, Refs, Inferences, Outcome) :-
    interpreted(Goal, Refs, acyclic, Inferences, Outcome, _).

held(yes, _).
held(no, _) :- fail.
held(limit(Limit), _) :-
    throw(error(zpm(limit, [limit-Limit]), _)).
held(error(Error), Request) :-
    zpm_queries:rethrow(Error, Request.fact).

%   interpreted(+Goal, +Refs, +Mode, +Inferences, -Outcome, -Proof): see zpm_interpreter:prove/5.

interpreted(Goal, Refs, Mode, Inferences, Outcome, Proof) :-
    copy_term(Goal, Copy),
    proof_nodes(Nodes),
    outcome(prove(Copy, Mode, 1_000_000, Nodes, Proof), Refs, Inferences, Outcome).

%   outcome(:Goal, +Refs, +Inferences, -Outcome): `yes` with the bindings of the first answer, `no`, limit(Which)
%   or error(E).

outcome(Goal, Refs, Inferences, Outcome) :-
    (   zpm_memories:plain_table(_) -> abolish_all_tables ; true ),
    first_outcome(take_out(Refs), Goal, Inferences, Outcome).

%!  environments(+Belief, -Environments, -Pairs) is det.
%
%   Environments are sorted, the smallest first. Pairs: depends_on_absence, when a proof went through a negation,
%   an aggregation or a condition, and truncated, when there may be more environments.

environments(Belief, Environments, Pairs) :-
    first_environment(Belief, First),
    (   First == []
    ->  Found = [[]], Truncated = false
    ;   further_environments(Belief, First, Found, Truncated)
    ),
    map_list_to_pairs(length, Found, Keyed0),
    sort(Keyed0, Keyed),
    pairs_values(Keyed, Environments),
    (   member(Environment, Environments), on_absence(Belief, Environment) -> Absent = true ; Absent = false ),
    ( Truncated == true -> More = [truncated-true] ; More = [] ),
    Pairs = [depends_on_absence-Absent|More].

first_environment(Belief, Environment) :-
    (   holds(only([]), Belief, _)
    ->  Environment = []
    ;   minimal(Belief, [], Environment)
    ).

%   minimal(+Belief, +Left, -Environment): an environment with none of Left; the goal holds without these.

minimal(Belief, Left, Environment) :-
    Belief = belief(search(_, _, _, Names), _, _),
    (   leaves(Belief, Left, Leaves),
        holds(only(Leaves), Belief, _)
    ->  Names0 = Leaves
    ;   ord_subtract(Names, Left, Names0)
    ),
    shrunk(Names0, [], Belief, Environment).

shrunk([], Needed, _, Environment) :-
    sort(Needed, Environment).
shrunk([Name|Names], Needed, Belief, Environment) :-
    append(Needed, Names, Rest0),
    sort(Rest0, Rest),
    (   holds(only(Rest), Belief, _)
    ->  shrunk(Names, Needed, Belief, Environment)
    ;   shrunk(Names, [Name|Needed], Belief, Environment)
    ).

%   leaves(+Belief, +Left, -Leaves): one name for each clause of a proof that stands on assumptions only.

leaves(Belief, Left, Leaves) :-
    Belief = belief(search(_, Clauses, _, _), _, _),
    proof(Belief, without(Left), Proof),
    proof_clauses(Proof, Refs),
    findall(Name,
            ( member(Ref-Own, Clauses),
              memberchk(Ref, Refs),
              ord_subtract(Own, Left, [Name|_])
            ),
            Leaves0),
    sort(Leaves0, Leaves).

%   proof(+Belief, +World, -Proof) is semidet: the first one, unless it takes too long.

proof(Belief, World, Proof) :-
    holds(World, Belief, Mode),
    Belief = belief(Search, Goal, _),
    Search = search(Request, _, _, _),
    taken_out(World, Search, Refs),
    long_interpreted(Long),
    Inferences is min(Long, Request.inferences),
    interpreted(Goal, Refs, Mode, Inferences, yes, Proof).

%   further_environments(+Belief, +First, -Found, -Truncated): a queue of sets to leave out, level by level. A set
%   that leaves one of the known environments whole grows by each of its names; otherwise the oracle is asked.

further_environments(Belief, First, Found, Truncated) :-
    Belief = belief(search(Request, _, _, _), _, _),
    search_share(Share),
    statistics(inferences, Now),
    End is Now + Request.inferences // Share,
    list_to_assoc([[]-seen], Seen),
    hit([[]], [], search(0, Seen, End, Belief), [First], Found, Truncated).

hit([], [], _, Found, Found, false) :- !.
hit([], Next0, State, Known, Found, Truncated) :-
    !,
    reverse(Next0, Next),
    hit(Next, [], State, Known, Found, Truncated).
hit([Left|Sets], Next, State, Known, Found, Truncated) :-
    State = search(_, _, _, Belief),
    (   untouched(Known, Left, Environment)
    ->  grown(Environment, Left, Next, Next1, State, State1),
        hit(Sets, Next1, State1, Known, Found, Truncated)
    ;   exhausted(State)
    ->  Found = Known, Truncated = true
    ;   found(Belief, Left, Known, Answer),
        continued(Answer, [Left|Sets], Next, State, Known, Found, Truncated)
    ).

continued(none, [_|Sets], Next, State, Known, Found, Truncated) :-
    hit(Sets, Next, State, Known, Found, Truncated).
continued(environment(Environment), Sets, Next, State, Known, Found, Truncated) :-
    hit(Sets, Next, State, [Environment|Known], Found, Truncated).
continued(unknown, _, _, _, Known, Known, true).

untouched(Known, Left, Environment) :-
    member(Environment, Known),
    ord_disjoint(Environment, Left),
    !.

grown(Environment, Left, Next0, Next, search(Count0, Seen0, End, Belief), search(Count, Seen, End, Belief)) :-
    foldl(grown_by(Left), Environment, Next0-Count0-Seen0, Next-Count-Seen).

grown_by(Left, Name, Next-Count0-Seen0, Next1-Count-Seen) :-
    ord_union(Left, [Name], Set),
    (   get_assoc(Set, Seen0, _)
    ->  Next1 = Next, Count = Count0, Seen = Seen0
    ;   put_assoc(Set, Seen0, seen, Seen),
        Next1 = [Set|Next],
        Count is Count0 + 1
    ).

exhausted(search(Count, _, End, _)) :-
    most_sets(Most),
    (   Count > Most
    ->  true
    ;   statistics(inferences, Now),
        Now > End
    ).

%   What does not end is not an error here: there may be more environments than those found.

found(Belief, Left, Known, Answer) :-
    catch(another(Belief, Left, Known, Answer),
          error(zpm(limit, _), _),
          Answer = unknown).

another(Belief, Left, Known, Answer) :-
    (   holds(without(Left), Belief, _)
    ->  length(Known, Count),
        most_environments(Most),
        (   Count >= Most
        ->  Answer = unknown
        ;   minimal(Belief, Left, Environment),
            Answer = environment(Environment)
        )
    ;   Answer = none
    ).

on_absence(Belief, Environment) :-
    (   proof(Belief, only(Environment), Proof)
    ->  absence(Proof)
    ;   true
    ).

%!  falls_with(+Belief, -Names) is det.
%
%   The assumptions whose retraction alone ends the belief; exact whatever the rules say, since each is tried.

falls_with(Belief, Names) :-
    Belief = belief(search(_, _, Alone, _), _, _),
    assoc_to_keys(Alone, Candidates),
    exclude(held_without(Belief), Candidates, Names).

held_without(Belief, Name) :-
    holds(without([Name]), Belief, _).
