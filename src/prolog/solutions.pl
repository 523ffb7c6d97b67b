:- module(zpm_solutions,
          [ solutions/6,           % +Call, +Outputs, +Limit, +Request, -Rows, -More
            first_solution/4,      % +Call, +Outputs, +Request, -Rows
            changing_solutions/7,  % +Call, +Outputs, +Limit, +Request, -Rows, -More, -Effects
            row_json/2             % +Outputs, -Json
          ]).
:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(library(solution_sequences)).
:- use_module(arguments).
:- use_module(effects).
:- use_module(exposure).
:- use_module(types).
:- use_module(guards).
:- use_module(warnings).
:- use_module(heads).
:- use_module(wire).

/** <module> The solutions of an operation, as JSON, within limits

A call runs as a query does: in goal mode, in snapshot/1, within an inference limit. findall/3 goes inside, and
catch/3 inside findall/3 (see queries.pl); but where a query tells what was found before an error, an operation
tells the error alone.
*/

%!  solutions(+Call, +Outputs, +Limit, +Request, -Rows, -More) is det.
%
%   Call is call(Module:Goal, Arguments-Values): what is called, and what is held against its domains before. Outputs
%   is a list of output(Name, Type, Value), with strings as names. At most Limit solutions, 0 for all of them; Request has `inferences`. Rows
%   are raw(Text), each a JSON text; More is true when there was another one. Whatever the goal changes is undone.
%   Throws what the goal threw, the limit that stopped it, and a value outside of its domain.

solutions(Call, Outputs, Limit, Request, Rows, More) :-
    (   Limit =:= 0 -> Wanted = infinite ; Wanted is Limit + 1 ),
    enter_goal_mode,
    snapshot(found(Call, limit(Wanted), Outputs, Request, Found)),
    rows_of(Found, Rows0),
    (   Limit > 0, length(Kept, Limit), append(Kept, [_|_], Rows0)
    ->  Rows = Kept, More = true
    ;   Rows = Rows0, More = false
    ).

%!  first_solution(+Call, +Outputs, +Request, -Rows) is det.
%
%   Rows has one row or none: nobody asks whether there is another one.

first_solution(Call, Outputs, Request, Rows) :-
    enter_goal_mode,
    snapshot(found(Call, limit(1), Outputs, Request, Found)),
    rows_of(Found, Rows).

%!  changing_solutions(+Call, +Outputs, +Limit, +Request, -Rows, -More, -Effects) is det.
%
%   The same for a goal that may change what its file declares dynamic; Effects are those of effects/2. The goal is
%   left after the last of Limit solutions, since finding out whether there is another one would change something; More
%   is true when it had choices left there. A goal without a solution has no effects.

changing_solutions(Call, Outputs, Limit, Request, Rows, More, Effects) :-
    Left = left(false),
    enter_change_mode,
    effects(found(Call, zpm_solutions:exactly(Limit, Left), Outputs, Request, Found), Effects0),
    rows_of(Found, Rows),
    (   Rows == [] -> Effects = [] ; Effects = Effects0 ),
    arg(1, Left, More).

:- public exactly/3.

exactly(Limit, Left, Goal) :-
    Count = count(0),
    call_cleanup(Goal, Done = true),
    arg(1, Count, N0),
    N is N0 + 1,
    nb_setarg(1, Count, N),
    (   N =\= Limit
    ->  true
    ;   Done == true
    ->  true
    ;   nb_setarg(1, Left, true), !
    ).

%   found(+Call, :Bound, +Outputs, +Request, -Found): Found is refused(Argument, Jsons) or steps(Steps).

found(call(Module:Goal, Checked), Bound, Outputs, Request, Found) :-
    refused_by_domain(Checked, Module, Request, Refused),
    (   Refused == none
    ->  get_dict(inferences, Request, Inferences),
        findall(Step, step(Module:Goal, Bound, Outputs, Inferences, Step), Steps),
        Found = steps(Steps)
    ;   Refused = end(_)
    ->  Found = steps([Refused])
    ;   Found = Refused
    ).

%   A goal that is written out as an argument would be compiled for each request, so it has a name.

step(Goal, Bound, Outputs, Inferences, Step) :-
    catch(solution(Goal, Bound, Outputs, Inferences, Step), Error, Step = end(error(Error))),
    (   Step = end(_) -> ! ; true ).

solution(Goal, Bound, Outputs, Inferences, Step) :-
    call_with_inference_limit(call(Bound, Goal), Inferences, Result),
    (   Result == inference_limit_exceeded
    ->  Step = end(limit("inferences"))
    ;   row_json(Outputs, Step)
    ).

%!  row_json(+Outputs, -Json) is det.
%
%   One solution is shaped by the outputs: none, one, several. Json is raw(Text).

row_json(Outputs, raw(Text)) :-
    with_output_to(string(Text), write_row(Outputs)).

write_row([]) => write_json(true).
write_row([output(_, Type, Value)]) =>
    term_json(Type, Value, Json),
    write_json(Json).
write_row(Outputs) =>
    member_jsons(Outputs, Pairs),
    write_json(obj(Pairs)).

member_jsons([], []).
member_jsons([output(Name, Type, Value)|Outputs], [Name-Json|Pairs]) :-
    term_json(Type, Value, Json),
    member_jsons(Outputs, Pairs).

%   rows_of(+Found, -Rows): throws what must be told instead of rows.

rows_of(Found, Rows) :-
    unknown_called(Unknown),
    (   Unknown = [First|_] -> undefined(First) ; true ),
    (   Found = refused(Argument, Values) -> outside(Argument, Values) ; true ),
    Found = steps(Steps),
    (   append(_, [end(End)], Steps)
    ->  (   End = error(Error) -> raise(Error)
        ;   End = limit(Which),
            throw(error(zpm(limit, [limit-Which]), _))
        )
    ;   Rows = Steps
    ).

undefined(_:Indicator) :-
    indicator_text(Indicator, Text),
    throw(error(zpm(undefined_procedure, [predicate-Text]), _)).

raise(error(zpm(Kind, Pairs), Context)) => throw(error(zpm(Kind, Pairs), Context)).
raise(error(existence_error(procedure, Indicator0), _)) =>
    ( Indicator0 = _:Indicator -> true ; Indicator = Indicator0 ),
    undefined(_:Indicator).
raise(Error) => throw(Error).

%   The values that a domain has now, where nothing may change them: a value that is none of them is refused
%   before the operation is called.

refused_by_domain(Arguments-Values, Module, Request, Refused) :-
    (   nth1(Place, Arguments, argument(+, Name, Type, _, Domain)),
        Domain = domain(_, _, _),
        nth1(Place, Values, Value),
        domain_goal(Module, Domain, Value, Goal, true),
        outcome(Goal, Request.inferences, Outcome),
        Outcome \== true
    ->  (   Outcome == false
        ->  domain_goal(Module, Domain, Each, All, true),
            findall(Json, ( catch(limit(20, distinct(Each, All)), _, fail), term_json(Type, Each, Json) ), Jsons),
            Refused = refused(Name, Jsons)
        ;   Refused = Outcome
        )
    ;   Refused = none
    ).

%   Outcome is true, false, or an end as of step/5.

outcome(Goal, Inferences, Outcome) :-
    catch(( call_with_inference_limit(once(Goal), Inferences, Result)
          ->  ( Result == inference_limit_exceeded -> Outcome = end(limit("inferences")) ; Outcome = true )
          ;   Outcome = false
          ),
          Error,
          Outcome = end(error(Error))).

outside(Name, Values) :-
    maplist(json_text, Values, Texts),
    atomic_list_concat(Texts, ', ', Listed),
    format(string(Why), "it must be a value of its domain, such as ~w", [Listed]),
    bad_argument(invalid, Name, Why).
