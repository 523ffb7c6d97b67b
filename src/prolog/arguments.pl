:- module(zpm_arguments,
          [ given/2,             % +Request, -Given
            row_given/4,         % +Request, +Keys, +Others, -Given
            bind_inputs/2,       % +Inputs, +Given
            argument_value/4,    % +Said, +Type, +Name, -Value
            bad_argument/3       % +Problem, +Name, +Why
          ]).
:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(types).
:- use_module(json_texts).
:- use_module(wire).

/** <module> What a caller sent, as terms of the declared types (SPEC 2.1, 2.2)

It arrives as texts, in a query string or in a body of JSON, and is read here and nowhere else. Nothing is coerced,
and what is missing, unknown, given twice or of another type is refused by its name.
*/

%!  bad_argument(+Problem, +Name, +Why) is failure.
%
%   Throws: Problem is `invalid`, `missing`, `unknown` or `duplicate`, Why says what would be right.

bad_argument(Problem, Name, Why) :-
    format(string(Text), "~w", [Name]),
    atom_string(Problem, ProblemText),
    throw(error(zpm(argument, [problem-ProblemText, argument-Text, why-Why]), _)).

%!  given(+Request, -Given) is det.
%
%   Request: query (a list of [Name, Text]) and body (a text), both optional. Given is a list of Name-text(Text) and
%   Name-json(Json), in the order in which they came.

given(Request, Given) :-
    (   get_dict(query, Request, Query) -> true ; Query = [] ),
    (   get_dict(body, Request, Body) -> json(Body, Json), members(Json, FromBody) ; FromBody = [] ),
    from_query(Query, FromBody, Given),
    once_each(Given).

from_query([], Given, Given).
from_query([[Name, Text]|Query], Rest, [Name-text(Text)|Given]) :-
    from_query(Query, Rest, Given).

%   Of many names, too: whoever sends them must not keep an engine busy.

once_each(Given) :-
    (   repeated_name(Given, Name) -> bad_argument(duplicate, Name, "it is given twice") ; true ).

%!  row_given(+Request, +Keys, +Others, -Given) is det.
%
%   The same for a row that is put to its place: Request has `key`, texts for the columns Keys, and the body has the
%   columns Others (both are strings), as an object by their names. Where there is one other column, its value alone does as well, and
%   where there is none, `true` or nothing. No column has the name `functor`, so an object with that member is a value.

row_given(Request, Keys, Others, Given) :-
    maplist(from_key, Keys, Request.key, FromKey),
    (   get_dict(query, Request, Query) -> true ; Query = [] ),
    (   get_dict(body, Request, Body) -> json(Body, Json), row_members(Json, Others, FromBody) ; FromBody = [] ),
    append(FromKey, FromBody, Rest),
    from_query(Query, Rest, Given),
    once_each(Given).

from_key(Name, Text, Name-text(Text)).

row_members(true, [], Given) => Given = [].
row_members(Json, [], _), Json \= obj(_) =>
    unreadable("there are no columns beside the key: the body is true, or there is none").
row_members(Json, [Name], Given), a_value(Json) => Given = [Name-json(Json)].
row_members(Json, _, Given) => members(Json, Given).

a_value(obj(Members)) => memberchk("functor"-_, Members).
a_value(_) => true.

json(Text, Json) :-
    catch(json_read(Text, Json), error(zpm(json, Pairs), _), broken_body(Pairs)).

members(obj(Members), Given) => maplist(member_json, Members, Given).
members(_, _) => unreadable("the body must be a JSON object with the arguments").

member_json(Name-Value, Name-json(Value)).

broken_body(Pairs) :-
    memberchk(why-Why, Pairs),
    (   memberchk(twice-Name, Pairs) -> bad_argument(duplicate, Name, "it is given twice") ; true ),
    format(string(Text), "the body is not JSON: ~s", [Why]),
    unreadable(Text).

unreadable(Why) :-
    throw(error(zpm(unreadable_request, [why-Why]), _)).

%!  bind_inputs(+Inputs, +Given) is det.
%
%   Inputs is a list of input(Name, Type, Value) as prepared.pl makes it, Given that of given/2; each value is bound to
%   what was given for it. A name that the operation does not take is told before one that is missing: more often than
%   not it is the same one, misspelt.

bind_inputs(Inputs, Given) :-
    taken(Given, Inputs),
    bind(Inputs, Given).

taken([], _).
taken([Name-_|Given], Inputs) :-
    (   memberchk(input(Name, _, _), Inputs) -> true ; unknown_argument(Inputs, Name) ),
    taken(Given, Inputs).

unknown_argument(Inputs, Name) :-
    (   Inputs == []
    ->  Why = "there is no argument of that name: the operation takes none"
    ;   maplist(arg(1), Inputs, Names),
        atomic_list_concat(Names, ', ', Listed),
        format(string(Why), "there is no argument of that name: it takes ~w", [Listed])
    ),
    bad_argument(unknown, Name, Why).

bind([], _).
bind([input(Name, Type, Value)|Inputs], Given) :-
    (   memberchk(Name-Said, Given)
    ->  argument_value(Said, Type, Name, Value)
    ;   expected(Type, Expected),
        format(string(Why), "give ~s", [Expected]),
        bad_argument(missing, Name, Why)
    ),
    bind(Inputs, Given).

%!  argument_value(+Said, +Type, +Name, -Value) is det.
%
%   Said is text(Text) or json(Json); what it is not by the declared type is refused.

argument_value(text(Text), Type, _, Value), text_value(Type, Text, Value0) => Value = Value0.
argument_value(json(Json), Type, _, Value), json_value(Type, Json, Value0) => Value = Value0.
argument_value(Said, Type, Name, _) =>
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
