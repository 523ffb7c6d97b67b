:- module(zpm_failures, []).
:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(memories).
:- use_module(changes).
:- use_module(texts).
:- use_module(reading).
:- use_module(guards).
:- use_module(heads).
:- use_module(queries).
:- use_module(warnings).
:- use_module(wire).
:- use_module(interpreter).
:- use_module(proofs).
:- use_module(near).
:- use_module(ways).

/** <module> Why not: for each way in which a goal could hold, where it ends (SPEC 1.7)

A list of goals that do not hold, the one that was asked about first. Each of the others is where one way of its
parent ends, and is looked at in turn, level by level, so that what is left out for want of room is the deepest.
*/

:- multifile zpm:operation/3.

%   The search may take this part of a call's inferences, so that the clock does not end it first.

search_share(100).

%   Request: memory, fact, max_depth, max_failures, inferences, answer_bytes. Pairs: fact, holds, failures, truncated,
%   and what a query tells beside. A failure has id, parent, goal, reason, rule, source, held, and near, witness,
%   same_as, message and truncated where they say something.

zpm:operation(why_not, Request, Pairs) :-
    atom_string(Memory, Request.memory),
    memory_module(Memory, Module),
    read_goal(Request.fact, Module, Goal, Bindings),
    check_goal(Goal, Module),
    enter_goal_mode,
    copy_term(Goal, Copy),
    first_answer(Module:Copy, Request, Answer),
    author_names(Goal, Bindings, Names),
    explained(Answer, Goal, Names, Module, Request, Result),
    unknown_pairs(Module, Unknown),
    warning_pairs(Warned),
    append([[fact-Request.fact|Result], Unknown, Warned], Pairs).

explained(yes, _, _, _, _, [holds-true, failures-[], truncated-false]).
explained(no, Goal, Names, Module, Request, [holds-false, failures-Failures, truncated-Truncated]) :-
    search_share(Share),
    statistics(inferences, Now),
    End is Now + Request.inferences // Share,
    goal_shown(Goal, Module, Names, Text),
    Root = failing(Goal, Module, null, 0, [goal-Text], [rule-null, source-null, held-[]], open),
    explore([Root], 0, Request.answer_bytes, [], why(Module, Request, search(End)), Failures, Truncated).

%   explore(+Queue, +Id, +Room, +Seen, +Why, -Failures, -Truncated). Seen holds seen(Goal, Id) of goals that were
%   looked at. The root is always shown.

explore([], _, _, _, _, [], false) :- !.
explore([Failing|Queue], Id, Room, Seen, Why, Failures, Truncated) :-
    Why = why(_, Request, _),
    (   Id >= Request.max_failures
    ->  Failures = [], Truncated = true
    ;   looked_at(Failing, Id, Seen, Why, Pairs, Children, Cut),
        Failure = obj(Pairs),
        json_text(Failure, Text),
        string_length(Text, Length),
        Left is Room - Length,
        (   Left < 0, Id > 0
        ->  Failures = [], Truncated = true
        ;   Failing = failing(Goal, Module, _, _, _, _, _),
            Next is Id + 1,
            append(Queue, Children, Queue1),
            Failures = [Failure|Failures1],
            explore(Queue1, Next, Left, [seen(Module:Goal, Id)|Seen], Why, Failures1, Truncated1),
            ( Cut == true -> Truncated = true ; Truncated = Truncated1 )
        )
    ).

%   looked_at(+Failing, +Id, +Seen, +Why, -Pairs, -Children, -Cut)

looked_at(failing(Goal, Module, Parent, Depth, Shown, Path, Given), Id, Seen, Why, Pairs, Children, Cut) :-
    (   Given = said(Reason, More)
    ->  Children = [], Cut = false
    ;   member(seen(Known, Same), Seen), Known =@= Module:Goal
    ->  Reason = "repeated", More = [same_as-Same], Children = [], Cut = false
    ;   reason(Goal, Module, Id-Depth, Why, Reason, More0, Children, Cut),
        ( Cut == true -> append(More0, [truncated-true], More) ; More = More0 )
    ),
    append([[id-Id, parent-Parent], Shown, [reason-Reason], Path, More], Pairs).

%   reason(+Goal, +Module, +Place, +Why, -Reason, -More, -Children, -Cut)

reason(Goal0, Module0, Id-Depth, Why, Reason, More, Children, Cut) :-
    addressed(Goal0, Module0, Goal, Module),
    goal_kind(Goal, Module, Kind),
    Why = why(Asked, Request, Search),
    near_pairs(Kind, Goal, Module, Asked, Near),
    ways(Kind, Goal, Module, Search, Ways, WaysCut),
    (   Ways == []
    ->  no_way(Kind, Goal, Module, Why, Reason, More0),
        append(More0, Near, More), Children = [], Cut = false
    ;   Depth >= Request.max_depth
    ->  Reason = "not_followed", More = Near, Children = [], Cut = true
    ;   ways_reason(Kind, Reason),
        children(Ways, Id-Depth, Why, Children, Cuts),
        ( memberchk(true, [WaysCut|Cuts]) -> Cut = true ; Cut = false ),
        More = Near
    ).

ways_reason(Kind, "rules") :- memberchk(Kind, [user, tabled, ssu]), !.
ways_reason(_, "parts").

near_pairs(Kind, Goal, Module, Asked, Pairs) :-
    ( memberchk(Kind, [user, tabled, ssu]) -> true ; Kind == leaf, is_unknown(Goal, Module) ),
    near(Goal, Module, Asked, Near, Cut),
    ( Cut == true -> warn("Not all facts were compared, so there may be nearer ones") ; true ),
    Near \== [],
    !,
    Pairs = [near-Near].
near_pairs(_, _, _, _, []).

no_way(not, Goal, Module, Why, "negation", [witness-Witness]) :-
    !,
    arg(1, Goal, Inner),
    witness(Inner, Module, Why, Witness).
no_way(leaf, forall(Condition, Action), Module, Why, "negation", [witness-Witness]) :-
    !,
    witness((Condition, \+ Action), Module, Why, Witness).
no_way(leaf, Goal, Module, _, Reason, []) :-
    !,
    ( is_unknown(Goal, Module) -> Reason = "unknown" ; Reason = "built_in" ).
no_way(Kind, _, _, _, Reason, []) :-
    ( memberchk(Kind, [user, tabled, ssu]) -> Reason = "no_clause" ; Reason = "built_in" ).

%   What a read that was undone leaves of a predicate is no definition.

is_unknown(Goal, Module) :-
    \+ ( predicate_property(Module:Goal, defined), \+ predicate_property(Module:Goal, dynamic) ).

%   witness(+Goal, +Module, +Why, -Witness): what holds although it is denied, with the source of its proof's root.

witness(Goal, Module, why(Asked, _, Search), obj([goal-Text, source-Source])) :-
    copy_term(Goal, Copy),
    ( asked(prove(Module:Copy, 0, 1, Proof), Search, yes) -> true ; Proof = none ),
    ( Proof = node(_, clause(Ref), _, _) -> source_text(Ref, Source) ; Source = null ),
    variable_letters(Copy, '_', Names),
    goal_shown(Module:Copy, Asked, Names, Text).

%   children(+Ways, +Place, +Why, -Children, -Cuts): whether some are left out is told for each way.

children(Ways, Place, Why, Children, Cuts) :-
    foldl(way_children(Place, Why), Ways, Lists, Cuts, reached, _),
    append(Lists, Children).

%   way_children(+Place, +Why, +Way, -Children, -Cut, +Reached0, -Reached): behind a clause that cut nothing was tried.

way_children(Place, Why, Way, Children, Cut, Reached0, Reached) :-
    Why = why(_, _, Search),
    Way = way(By, _, _, Module),
    (   Reached0 == reached
    ->  furthest(Way, Search, End),
        ended(End, Ends, Cut),
        (   By = clause(_), member(end(Held, _, _), Ends), memberchk(!, Held) -> Reached = cut ; Reached = reached )
    ;   ended(all([]), Ends, Cut), Reached = Reached0
    ),
    maplist(child(By, Module, Place, Why), Ends, Children).

%   ended(+End, -Ends, -Cut): each of Ends is end(Held, Goal, Given); Goal is `none` where all goals hold, or would not
%   be asked: then it is a cut that the clause is not reached for.

ended(stopped(Instances, Cut), Ends, Cut) :-
    findall(end(Held, Goal, open), member(Held-Goal, Instances), Ends).
ended(all(Held), [end(Held, none, said("cut", []))], false).
ended(broken(Held, Goal, limit(_)), [end(Held, Goal, said("limit", []))], true).
ended(broken(Held, Goal, error(Error)), [end(Held, Goal, said("raised", [message-Message]))], false) :-
    zpm_faults:message(Error, Message).

child(By, Module, Id-Depth, why(Asked, _, _), end(Held, Goal, Given),
      failing(Goal, Module, Id, Next, [goal-Text], [rule-Rule, source-Source, held-HeldTexts], Given)) :-
    Next is Depth + 1,
    variable_letters(Held-Goal, '_', Names),
    maplist(shown_in(Module, Asked, Names), Held, HeldTexts),
    ( Goal == none -> Text = null ; shown_in(Module, Asked, Names, Goal, Text) ),
    (   By = clause(Ref)
    ->  clause_property(Ref, predicate(Owner:_)),
        clause_display(Owner, Ref, Rule),
        source_text(Ref, Source)
    ;   Rule = null, Source = null
    ).

shown_in(Module, Asked, Names, Goal, Text) :-
    goal_shown(Module:Goal, Asked, Names, Text).
