:- module(zpm_queries,
          [ query/2,             % +Request, -Pairs
            unknown_pairs/2,     % +Module, -Pairs
            call_outcome/2       % :Goal, -Outcome
          ]).
:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(library(solution_sequences)).
:- use_module(memories).
:- use_module(texts).
:- use_module(reading).
:- use_module(guards).
:- use_module(warnings).
:- use_module(wire).
:- use_module(heads).

:- meta_predicate call_outcome(0, -).

/** <module> Questions: all answers, in order, within limits

Reads run in snapshot/1, which undoes what a goal changed. It is once/1, so findall/3 goes inside it, and
catch/3 inside findall/3, so that answers found before an error or a limit are not lost (ENGINE-NOTES 5.2).
*/

%!  query(+Request, -Pairs) is det.
%
%   Request: memory, goal, offset, limit, explicit_limit, inferences, answer_bytes. Pairs is the structure
%   of SPEC 1.6. Throws what the goal threw, with the answers so far as `partial`.

query(Request, Pairs) :-
    atom_string(Name, Request.memory),
    memory_module(Name, Module),
    read_goal(Request.goal, Module, Goal, Bindings0),
    check_goal(Goal, Module),
    exclude(silent, Bindings0, Bindings),
    enter_goal_mode,
    Wanted is Request.limit + 1,
    ask(Module:Goal, Bindings, Request.offset, Wanted, Request.inferences, Rows, End, Writes),
    shown(Rows, Module, Request, Answers, Exact, Cut),
    finish(End, Cut, Writes, Module, Request, Answers, Exact, Pairs).

silent(Name=_) :- sub_atom(Name, 0, _, _, '_').

ask(Goal, Bindings, Offset, Wanted, Inferences, Rows, End, Writes) :-
    statistics(inferences, Before),
    snapshot(( findall(Step, step(Goal, Bindings, Offset, Wanted, Inferences, Step), Steps),
               transaction_updates(Updates)
             )),
    statistics(inferences, After),
    ( Updates == [] -> Writes = false ; Writes = true ),
    partition([row(_, _)]>>true, Steps, Rows, Ends),
    (   Ends = [end(End0)|_] -> End = End0
    ;   After - Before >= Inferences -> End = limit("inferences")
    ;   length(Rows, Wanted) -> End = more
    ;   End = complete
    ).

step(Goal, Bindings, Offset, Wanted, Inferences, Step) :-
    catch(( call_with_inference_limit(limit(Wanted, offset(Offset, Goal)), Inferences, Result),
            (   Result == inference_limit_exceeded
            ->  Step = end(limit("inferences"))
            ;   copy_term(Bindings, Plain, Residual),
                Step = row(Plain, Residual)
            )
          ),
          Error,
          Step = end(error(Error))).

%   Whole answers until the budget is full, at least one; the row beyond the limit only says that there is
%   more.

shown(Rows, Module, Request, Answers, Exact, Cut) :-
    take(Rows, Request.limit, Taken),
    fitting(Taken, Module, 0, Request.answer_bytes, Answers, Exact),
    length(Answers, Shown),
    length(Taken, Held),
    ( Shown < Held -> Cut = true ; Cut = false ).

take([], _, []) :- !.
take(_, 0, []) :- !.
take([Row|Rows], N, [Row|Taken]) :- N1 is N - 1, take(Rows, N1, Taken).

fitting([], _, _, _, [], []).
fitting([Row|Rows], Module, Used0, Budget, Answers, Exact) :-
    answer_json(Row, Module, Answer, Text),
    json_text(Answer, A), string_length(A, Length1),
    json_text(Text, T), string_length(T, Length2),
    Used is Used0 + max(Length1, Length2) + 2,
    (   Used0 =:= 0, Used > 4194304
    ->  throw(error(zpm(limit, [limit-"size"]), _))
    ;   Used0 > 0, Used > Budget
    ->  Answers = [], Exact = []
    ;   Answers = [Answer|Answers1],
        Exact = [Text|Exact1],
        fitting(Rows, Module, Used, Budget, Answers1, Exact1)
    ).

finish(End, Cut, Writes, Module, Request, Answers, Exact, Pairs) :-
    unknown_pairs(Module, Unknown),
    (   Writes == true
    ->  warn("A rule wrote to the memory: a query changes nothing, so that was undone")
    ;   true
    ),
    length(Answers, Shown),
    Next is Request.offset + Shown,
    (   ( Cut == true ; End == more )
    ->  Truncated = [truncated-true, next_offset-Next]
    ;   Truncated = [truncated-false]
    ),
    warnings(Warnings),
    ( Warnings == [] -> Warned = [] ; Warned = [warnings-Warnings] ),
    append([[answers-Answers, exact-Exact], Unknown, Truncated, Warned], Pairs0),
    (   Cut == false, End = limit(Limit)
    ->  throw(error(zpm(limit, [limit-Limit, partial-obj(Pairs0)]), _))
    ;   Cut == false, End = error(Error)
    ->  rethrow(Error, Request.goal, Pairs0)
    ;   Pairs = Pairs0
    ).

%   A goal's own error carries the goal and what was found before it.

rethrow(error(zpm(Kind, Pairs), Context), _, Found) =>
    throw(error(zpm(Kind, [partial-obj(Found)|Pairs]), Context)).
rethrow(error(resource_error(Resource), Context), _, _) =>
    throw(error(resource_error(Resource), Context)).
rethrow(Error, Goal, Found) =>
    zpm_faults:message(Error, Message),
    zpm_faults:formal_text(Error, Formal),
    throw(error(zpm(raised, [message-Message, term-Formal, goal-Goal, partial-obj(Found)]), _)).

%!  unknown_pairs(+Module, -Pairs) is det.
%
%   `unknown` and a warning for every predicate that was asked for and that nobody defined.

unknown_pairs(Module, Pairs) :-
    unknown_called(Indicators),
    (   Indicators == []
    ->  Pairs = []
    ;   maplist(unknown_text(Module), Indicators, Texts),
        Pairs = [unknown-Texts]
    ).

unknown_text(_, Module:Name/Arity, Text) :-
    indicator_text(Name/Arity, Text),
    (   closest(Module, Name, Arity, Closest)
    ->  indicator_text(Closest, ClosestText),
        format(string(Warning), "~s is not known in this memory: no fact and no rule has that name; did you mean ~s?",
               [Text, ClosestText])
    ;   format(string(Warning), "~s is not known in this memory: no fact and no rule has that name", [Text])
    ),
    warn(Warning).

closest(Module, Name, Arity, Closest) :-
    findall(Distance-(Known/KnownArity),
            ( known(Module, Known, KnownArity),
              distance(Name, Arity, Known, KnownArity, Distance)
            ),
            Pairs),
    keysort(Pairs, [_-Closest|_]).

%   The same name with another arity, or at most two letters changed, left out, added or swapped.

distance(Name, _, Name, _, 0) :- !.
distance(Name, Arity, Known, Arity, Distance) :-
    atom_codes(Name, A),
    atom_codes(Known, B),
    length(A, LengthA), length(B, LengthB),
    abs(LengthA - LengthB) =< 2,
    edits(A, B, 2, Distance),
    Distance < max(LengthA, 2).

edits([], B, Budget, N) :- length(B, N), N =< Budget.
edits(A, [], Budget, N) :- A = [_|_], length(A, N), N =< Budget.
edits([C|A], [C|B], Budget, N) :- !, edits(A, B, Budget, N).
edits([X|A], [Y|B], Budget, N) :-
    Budget > 0,
    Left is Budget - 1,
    findall(M,
            ( edits(A, [Y|B], Left, M)
            ; edits([X|A], B, Left, M)
            ; edits(A, B, Left, M)
            ; A = [Y|A1], B = [X|B1], edits(A1, B1, Left, M)
            ),
            Ms),
    min_list(Ms, Least),
    N is Least + 1.

%!  call_outcome(:Goal, -Outcome) is det.
%
%   Outcome is `true`, `false` or error(E): one answer of a goal, nothing kept but its bindings.

call_outcome(Goal, Outcome) :-
    catch(( call(Goal) -> Outcome = true ; Outcome = false ), Error, Outcome = error(Error)).
