:- module(zpm_queries,
          [ query/2,             % +Request, -Pairs
            unknown_pairs/2,     % +Module, -Pairs
            warn_unknown/1,      % +Indicator
            announce_row/0,
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
:- use_module(closeness).
:- use_module(faults).

:- meta_predicate call_outcome(0, -).

/** <module> Questions: all answers, in order, within limits

Reads run in snapshot/1, which undoes what a goal changed. It is once/1, so findall/3 goes inside it, and
catch/3 inside findall/3, so that answers found before an error or a limit are not lost (ENGINE-NOTES 5.2).
*/

%!  query(+Request, -Pairs) is det.
%
%   Request: memory, goal, offset, limit, inferences, answer_bytes, and perhaps `exactly`: then nobody looks
%   whether there is an answer beyond the limit. Pairs is the structure of SPEC 1.6. Throws what the goal threw; the
%   answers so far are told with it (tell_found/2).

query(Request, Pairs) :-
    atom_string(Name, Request.memory),
    memory_module(Name, Module),
    read_goal(Request.goal, Module, Goal, Bindings0),
    check_goal(Goal, Module),
    exclude(silent, Bindings0, Bindings),
    enter_goal_mode,
    ask(Module:Goal, Bindings, Request, Rows, End, Writes),
    finish(End, Rows, Writes, Module, Request, Pairs).

silent(Name=_) :- sub_atom(Name, 0, _, _, '_').

%   Rows are row(AnswerText, ExactText), JSON texts already. End is complete, more (there is another answer),
%   limit(Which) or error(E).

ask(Goal, Bindings, Request, Rows, End, Writes) :-
    statistics(inferences, Before),
    snapshot(( findall(Step, step(Goal, Bindings, Request, Step), Steps),
               transaction_updates(Updates)
             )),
    statistics(inferences, After),
    ( Updates == [] -> Writes = false ; Writes = true ),
    (   append(Rows, [end(End0)], Steps)
    ->  End = End0
    ;   Rows = Steps,
        ( After - Before >= Request.inferences -> End = limit("inferences") ; End = complete )
    ).

%   One answer after the other, until something ends it: the last step is then end(_), and the cut leaves no
%   way to go on.

step(Goal, Bindings, Request, Step) :-
    Counts = counts(0, 0),                              % answers, bytes
    next_step(Goal, Bindings, Request, Counts, Step),
    (   Step = end(_) -> ! ; true ).

next_step(Goal, Bindings, Request, Counts, Step) :-
    Goal = Module:_,
    (   get_dict(exactly, Request, true) -> Wanted = Request.limit ; Wanted is Request.limit + 1 ),
    catch(( call_with_inference_limit(limit(Wanted, offset(Request.offset, Goal)),
                                      Request.inferences, Result),
            (   Result == inference_limit_exceeded
            ->  Step = end(limit("inferences"))
            ;   copy_term(Bindings, Plain, Residual),
                row_step(row(Plain, Residual), Module, Request, Counts, Step)
            )
          ),
          Error,
          Step = end(error(Error))).

%   Whole answers until the count or the budget is full, at least one; the answer beyond the limit only says
%   that there is more.

row_step(Row, Module, Request, Counts, Step) :-
    Counts = counts(Rows, Bytes0),
    (   Rows >= Request.limit
    ->  Step = end(more)
    ;   answer_json(Row, Module, Answer, Exact),
        json_text(Answer, A), string_length(A, LengthA),
        json_text(Exact, E), string_length(E, LengthE),
        Bytes is Bytes0 + LengthA + LengthE + 2,
        (   Rows =:= 0, Bytes > 4194304
        ->  throw(error(zpm(limit, [limit-"size"]), _))
        ;   Rows > 0, Bytes > Request.answer_bytes
        ->  Step = end(more)
        ;   Rows1 is Rows + 1,
            nb_setarg(1, Counts, Rows1),
            nb_setarg(2, Counts, Bytes),
            announce_row,
            Step = row(A, E)
        )
    ).

%   The supervisor counts these: when the clock stops the goal, it asks once more for as many answers as
%   there were (src/memory/service.ts).

announce_row :-
    put_char(user_error, '\u0002'),
    nl(user_error).

finish(End, Rows, Writes, Module, Request, Pairs) :-
    unknown_pairs(Module, Unknown),
    (   Writes == true
    ->  warn("A rule wrote to the memory: a query changes nothing, so that was undone")
    ;   true
    ),
    maplist(raw_row, Rows, Answers, Exact),
    (   End == more
    ->  length(Rows, Shown),
        Next is Request.offset + Shown,
        Truncated = [truncated-true, next_offset-Next]
    ;   Truncated = [truncated-false]
    ),
    warning_pairs(Warned),
    append([[answers-Answers, exact-Exact], Unknown, Truncated, Warned], Pairs0),
    (   End = limit(Limit)
    ->  tell_found(Request, Pairs0),
        throw(error(zpm(limit, [limit-Limit]), _))
    ;   End = error(Error)
    ->  tell_found(Request, Pairs0),
        rethrow(Error, Request.goal)
    ;   Pairs = Pairs0
    ).

raw_row(row(A, E), raw(A), raw(E)).

%   A goal's own error carries the goal.

rethrow(error(zpm(Kind, Pairs), Context), _), told(Kind, Pairs) =>
    throw(error(zpm(Kind, Pairs), Context)).
rethrow(error(existence_error(procedure, Module:_), _), _),
    atom(Module), \+ zpm_mounts:image_module(Module), \+ memory_module(_, Module) =>
    atom_string(Module, Name),
    throw(error(zpm(memory_missing, [name-Name]), _)).
rethrow(error(resource_error(Resource), Context), _) =>
    throw(error(resource_error(Resource), Context)).
rethrow(Error, Goal) =>
    message(Error, Message),
    formal_text(Error, Formal),
    throw(error(zpm(raised, [message-Message, term-Formal, goal-Goal]), _)).

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
    warn_unknown(Module:Name/Arity).

%!  warn_unknown(+Indicator) is det.
%
%   Indicator is Module:Name/Arity.

warn_unknown(Module:Name/Arity) :-
    indicator_text(Name/Arity, Text),
    (   closest(Module, Name, Arity, Closest)
    ->  indicator_text(Closest, ClosestText),
        format(string(Warning), "~s is not known in this memory: no fact and no rule has that name; did you mean ~s?",
               [Text, ClosestText])
    ;   format(string(Warning), "~s is not known in this memory: no fact and no rule has that name", [Text])
    ),
    warn(Warning).

%!  call_outcome(:Goal, -Outcome) is det.
%
%   Outcome is `true`, `false` or error(E): one answer of a goal, nothing kept but its bindings.

call_outcome(Goal, Outcome) :-
    catch(( call(Goal) -> Outcome = true ; Outcome = false ), Error, Outcome = error(Error)).
