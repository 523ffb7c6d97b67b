:- module(zpm_operate,
          [ operate/2,           % +Request, -Pairs
            rows/2,              % +Request, -Pairs
            member_row/2,        % +Request, -Pairs
            repeated_keys/2,     % +Request, -Pairs
            domain_values/2      % +Request, -Pairs
          ]).
:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(library(solution_sequences)).
:- use_module(memories).
:- use_module(operations).
:- use_module(exposure).
:- use_module(types).
:- use_module(json_texts).
:- use_module(guards).
:- use_module(warnings).
:- use_module(heads).
:- use_module(wire).

/** <module> Calling an operation: JSON to terms, the call, terms to JSON (SPEC 2.1 to 2.3)

What the caller sent arrives as texts and is read here, by the declared types; no goal is made of text. The call
runs as a query does: in goal mode, in snapshot/1, within an inference limit. Whether the answer is one solution
or an array of them is the declaration's business, never that of how many there were.
*/

%!  operate(+Request, -Pairs) is det.
%
%   Request: memory, name, query (a list of [Name, Text]), perhaps body (a text), limit (0: none), inferences.
%   Pairs: result, truncated, and `empty` for an operation declared multi that had no solution.

operate(Request, Pairs) :-
    the_operation(Request, Module, op(Name, Arguments, Determinism, _)),
    given(Request, Given),
    inputs(Arguments, Given, Module, Values),
    goal(Name, Values, Goal),
    outputs(Arguments, Values, Outputs),
    (   memberchk(Determinism, [det, semidet]) -> Limit = 1 ; Limit = Request.limit ),
    solutions(Module:Goal, Arguments-Values, Outputs, Limit, Request, Rows, More),
    answer(Determinism, Outputs, Name, Rows, More, Pairs).

the_operation(Request, Module, Operation) :-
    atom_string(Memory, Request.memory),
    memory_module(Memory, Module),
    atom_string(Name, Request.name),
    (   operation_of(Module, Name, Operation) -> true
    ;   throw(error(zpm(input, [why-"There is no operation of that name"]), _))
    ).

goal(Name, Values, Goal) :-
    (   Values == [] -> Goal = Name ; compound_name_arguments(Goal, Name, Values) ).

%   One solution is shaped by the outputs: none, one, several.

answer(det, _, Name, [], _, _) :- !,
    atom_string(Name, Text),
    throw(error(zpm(no_solution, [name-Text]), _)).
answer(det, _, _, [Row|_], _, [result-Row, truncated-false]) :- !.
answer(semidet, [], _, [], _, [result-false, truncated-false]) :- !.
answer(semidet, _, _, [], _, [result-null, truncated-false]) :- !.
answer(semidet, _, _, [Row|_], _, [result-Row, truncated-false]) :- !.
answer(multi, _, _, [], _, [result-[], truncated-false, empty-true]) :- !.
answer(_, _, _, Rows, More, [result-Rows, truncated-More]).

%   outputs(+Arguments, +Values, -Outputs): output(Name, Type, Value), in the order of the mode line.

outputs(Arguments, Values, Outputs) :-
    findall(Place, nth1(Place, Arguments, argument(-, _, _, _, _)), Places),
    maplist(output(Arguments, Values), Places, Outputs).

output(Arguments, Values, Place, output(Name, Type, Value)) :-
    nth1(Place, Arguments, argument(_, Name, Type, _, _)),
    nth1(Place, Values, Value).

solution_json([], Json) => Json = true.
solution_json([output(_, Type, Value)], Json) => term_json(Type, Value, Json).
solution_json(Outputs, Json) =>
    maplist(member_json, Outputs, Pairs),
    Json = obj(Pairs).

member_json(output(Name, Type, Value), Text-Json) :-
    atom_string(Name, Text),
    term_json(Type, Value, Json).

%   Rows are texts of JSON. More is true when there was a solution beyond the limit.

solutions(Goal, Checked, Outputs, Limit, Request, Rows, More) :-
    Goal = Module:_,
    (   Limit =:= 0 -> Wanted = infinite ; Limit =:= 1 -> Wanted = 1 ; Wanted is Limit + 1 ),
    enter_goal_mode,
    snapshot(( refused_by_domain(Checked, Module, Request, Refused),
               (   Refused == none
               ->  findall(Step, step(Goal, Outputs, Wanted, Request.inferences, Step), Steps)
               ;   Refused = end(_)
               ->  Steps = [Refused]
               ;   Steps = []
               )
             )),
    (   append(Rows0, [end(End)], Steps) -> true ; Rows0 = Steps, End = complete ),
    unknown_called(Unknown),
    (   Unknown = [First|_] -> undefined(First) ; true ),
    (   Refused = refused(Argument, Values) -> outside(Argument, Values) ; true ),
    (   End = error(Error) -> raise(Error)
    ;   End = limit(Which) -> throw(error(zpm(limit, [limit-Which]), _))
    ;   true
    ),
    (   Limit > 1, length(Rows0, Length), Length > Limit
    ->  length(Kept, Limit),
        append(Kept, _, Rows0),
        More = true
    ;   Kept = Rows0, More = false
    ),
    maplist(raw_row, Kept, Rows).

raw_row(Text, raw(Text)).

step(Goal, Outputs, Wanted, Inferences, Step) :-
    catch(( call_with_inference_limit(limit(Wanted, Goal), Inferences, Result),
            (   Result == inference_limit_exceeded
            ->  Step = end(limit("inferences"))
            ;   solution_json(Outputs, Json),
                json_text(Json, Step)
            )
          ),
          Error,
          Step = end(error(Error))),
    (   Step = end(_) -> ! ; true ).

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

bad_argument(Problem, Name, Why) :-
    format(string(Text), "~w", [Name]),
    atom_string(Problem, ProblemText),
    throw(error(zpm(argument, [problem-ProblemText, argument-Text, why-Why]), _)).

%   given(+Request, -Given): Name-text(Text) and Name-json(Json), in the order in which they came.

given(Request, Given) :-
    (   get_dict(query, Request, Query) -> true ; Query = [] ),
    maplist(from_query, Query, FromQuery),
    (   get_dict(body, Request, Body)
    ->  body(Body, FromBody)
    ;   FromBody = []
    ),
    append(FromQuery, FromBody, Given),
    (   append(_, [Name1-_|Rest], Given), memberchk(Name1-_, Rest)
    ->  bad_argument(duplicate, Name1, "it is given twice")
    ;   true
    ).

from_query([Name, Text], Name-text(Text)).
from_body(Name-Value, Name-json(Value)).

body(Text, Given) :-
    catch(json_read(Text, Json), error(zpm(json, Pairs), _), broken_body(Pairs)),
    (   Json = obj(Members) -> true ; unreadable("the body must be a JSON object with the arguments") ),
    maplist(from_body, Members, Given).

broken_body(Pairs) :-
    memberchk(why-Why, Pairs),
    (   memberchk(twice-Name, Pairs) -> bad_argument(duplicate, Name, "it is given twice") ; true ),
    format(string(Text), "the body is not JSON: ~s", [Why]),
    unreadable(Text).

unreadable(Why) :-
    throw(error(zpm(unreadable_request, [why-Why]), _)).

%   inputs(+Arguments, +Given, +Module, -Values): a value for each argument, a variable for an output.

inputs(Arguments, Given, _, Values) :-
    forall(( member(Name-_, Given), \+ takes(Arguments, Name) ), unknown_argument(Arguments, Name)),
    maplist(input(Given), Arguments, Values).

takes(Arguments, Text) :-
    member(argument(+, Name, _, _, _), Arguments),
    atom_string(Name, Text).

unknown_argument(Arguments, Name) :-
    findall(Input, member(argument(+, Input, _, _, _), Arguments), Inputs),
    (   Inputs == []
    ->  Why = "there is no argument of that name: the operation takes none"
    ;   atomic_list_concat(Inputs, ', ', Listed),
        format(string(Why), "there is no argument of that name: it takes ~w", [Listed])
    ),
    bad_argument(unknown, Name, Why).

input(_, argument(-, _, _, _, _), _) :- !.
input(Given, argument(+, Name, Type, _, _), Value) :-
    atom_string(Name, Text),
    (   memberchk(Text-Said, Given)
    ->  value(Said, Type, Name, Value)
    ;   expected(Type, Expected),
        format(string(Why), "give ~s", [Expected]),
        bad_argument(missing, Name, Why)
    ).

value(text(Text), Type, _, Value), text_value(Type, Text, Value0) => Value = Value0.
value(json(Json), Type, _, Value), json_value(Type, Json, Value0) => Value = Value0.
value(Said, Type, Name, _) =>
    expected(Type, Expected),
    found(Said, Found),
    format(string(Why), "expected ~s, found ~s", [Expected, Found]),
    bad_argument(invalid, Name, Why).

found(text(Text), Found) =>
    json_text(Text, Quoted),
    shortened(Quoted, Found).
found(json(Json), Found), string(Json) =>
    json_text(Json, Quoted),
    shortened(Quoted, Short),
    string_concat("the string ", Short, Found).
found(json(overflow), Found) => Found = "a number that is too large".
found(json(Json), Found), integer(Json) =>
    format(string(Text), "~d", [Json]),
    shortened(Text, Found).
found(json(Json), Found), number(Json) => format(string(Found), "~w", [Json]).
found(json(Json), Found), is_list(Json) => Found = "an array".
found(json(obj(_)), Found) => Found = "an object".
found(json(Literal), Found) => atom_string(Literal, Found).

shortened(Text, Short) :-
    string_length(Text, Length),
    (   Length =< 60 -> Short = Text
    ;   sub_string(Text, 0, 60, _, Begin),
        string_concat(Begin, "...", Short)
    ).

%!  rows(+Request, -Pairs) is det.
%
%   All rows of a collection: an array, each row by the rule for one solution.

rows(Request, Pairs) :-
    the_operation(Request, Module, op(Name, Arguments, _, _)),
    given(Request, Given),
    inputs(Arguments, Given, Module, Values),
    goal(Name, Values, Goal),
    outputs(Arguments, Values, Outputs),
    solutions(Module:Goal, Arguments-Values, Outputs, Request.limit, Request, Rows, More),
    Pairs = [result-Rows, truncated-More].

%!  member_row(+Request, -Pairs) is det.
%
%   Request has `key` as well, texts for the columns of the key. Pairs: found, and when it is true result.

member_row(Request, Pairs) :-
    the_operation(Request, Module, op(Name, Arguments, _, more(_, _, _, _, _, collection(Collection, Places)))),
    given(Request, Given),
    inputs(Arguments, Given, Module, Values),
    maplist(key_value(Arguments, Values), Places, Request.key),
    goal(Name, Values, Goal),
    outputs(Arguments, Values, Outputs0),
    findall(Key, ( member(Place, Places), nth1(Place, Arguments, argument(_, Key, _, _, _)) ), Keys),
    exclude(of_key(Keys), Outputs0, Outputs),
    solutions(Module:Goal, []-[], Outputs, 2, Request, Rows, _),
    (   Rows = [_, _|_]
    ->  atomic_list_concat(Request.key, '/', KeyText0),
        maplist(atom_string, [Collection, KeyText0], [CollectionText, KeyText]),
        throw(error(zpm(key_not_unique, [collection-CollectionText, key-KeyText]), _))
    ;   Rows = [Row]
    ->  Pairs = [found-true, result-Row]
    ;   Pairs = [found-false]
    ).

key_value(Arguments, Values, Place, Text) :-
    nth1(Place, Arguments, argument(_, Name, Type, _, _)),
    nth1(Place, Values, Value),
    value(text(Text), Type, Name, Value).

of_key(Keys, output(Name, _, _)) :-
    memberchk(Name, Keys).

%!  repeated_keys(+Request, -Pairs) is det.
%
%   The keys of a collection that more than one row has, at most ten, as texts of JSON.

repeated_keys(Request, [keys-Texts]) :-
    the_operation(Request, Module, op(Name, Arguments, _, more(_, _, _, _, _, collection(_, Places)))),
    length(Arguments, Arity),
    length(Values, Arity),
    goal(Name, Values, Goal),
    outputs(Arguments, Values, Outputs),
    findall(Key, ( member(Place, Places), nth1(Place, Arguments, argument(_, Key, _, _, _)) ), Keys),
    include(of_key(Keys), Outputs, KeyOutputs),
    solutions(Module:Goal, []-[], KeyOutputs, 0, Request, Rows, _),
    msort(Rows, Sorted),
    findall(Text, limit(10, distinct(Text, repeated(Sorted, Text))), Texts).

repeated(Sorted, Text) :-
    append(_, [raw(Text0), raw(Text0)|_], Sorted),
    ( string(Text0) -> Text = Text0 ; atom_string(Text0, Text) ).

%!  domain_values(+Request, -Pairs) is det.
%
%   Request: argument, and limit. The values of the argument's domain, each once, in the order of the clauses.

domain_values(Request, Pairs) :-
    the_operation(Request, Module, op(_, Arguments, _, _)),
    atom_string(Name, Request.argument),
    (   member(argument(_, Name, Type, _, Domain), Arguments), Domain = domain(_, _, _) -> true
    ;   throw(error(zpm(input, [why-"That argument has no domain"]), _))
    ),
    domain_goal(Module, Domain, Value, Goal, _),
    Goal = Module:Plain,
    solutions(Module:distinct(Value, Plain), []-[], [output(Name, Type, Value)], Request.limit, Request, Rows, More),
    Pairs = [values-Rows, truncated-More].
