:- module(zpm_wire,
          [ json_text/2,        % +Value, -Text
            write_json/1,       % +Value
            json_list/2,        % :Goal, -List
            write_element/1,    % +Value
            answer_json/4,      % +Row, +Module, -Answer, -Exact
            value_json/3,       % +Term, +Module, -Json
            finite/2            % +Term, -Finite
          ]).
:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(library(json)).
:- use_module(texts).

/** <module> Terms to JSON (SPEC 1.2)

A JSON value is written here as: obj(Pairs) with Key-Value in order, a list, a string, a number, or one of
the atoms `true`, `false`, `null`, or raw(Text) for what is JSON text already. Any other text must already be a string: an atom here is a mistake.
*/

%!  json_text(+Value, -Text) is det.

json_text(Value, Text) :-
    with_output_to(string(Text), write_json(Value)).

%!  json_list(:Goal, -List) is nondet.
%
%   The list that Goal writes, element by element with write_element/1, so that a long one is never on the stacks.

:- meta_predicate json_list(0, -).

json_list(Goal, raw(Text)) :-
    with_output_to(string(Text), ( put_char('['), call(Goal), put_char(']') )).

write_element(Value) :-
    current_output(Out),
    (   character_count(Out, 1) -> true ; put_char(Out, ',') ),
    json(Value, Out).

%!  write_json(+Value) is det.

write_json(Value) :-
    current_output(Out),
    json(Value, Out).

json(obj(Pairs), Out) => put_char(Out, '{'), pairs(Pairs, Out), put_char(Out, '}').
json(List, Out), is_list(List) => put_char(Out, '['), elements(List, Out), put_char(Out, ']').
json(String, Out), string(String) => quoted(String, Out).
json(Number, Out), number(Number) => write(Out, Number).
json(Literal, Out), memberchk(Literal, [true, false, null]) => write(Out, Literal).
json(raw(Text), Out) => write(Out, Text).
json(Other, _) => throw(error(type_error(json, Other), _)).

pairs([], _).
pairs([Key-Value|Rest], Out) :-
    quoted(Key, Out), put_char(Out, :), json(Value, Out),
    (   Rest == [] -> true ; put_char(Out, ','), pairs(Rest, Out) ).

elements([], _).
elements([Value|Rest], Out) :-
    json(Value, Out),
    (   Rest == [] -> true ; put_char(Out, ','), elements(Rest, Out) ).

%   library(json)'s own string writer, in C; not exported by it.

quoted(Text, Out) :-
    json:json_write_string(Out, Text).

%!  answer_json(+Row, +Module, -Answer, -Exact) is det.
%
%   Row is row(Bindings, Residual): a list of Name=Value and the residual goals. Answer and Exact are the
%   two obj/1 forms of SPEC 1.2: simple JSON, and Prolog text that can be pasted into a goal.

answer_json(row(Bindings, []), Module, obj(Answer), obj(Exact)) :-
    \+ ( member(_=Value, Bindings), \+ atomic(Value) ),
    !,
    maplist(binding_json(Module, []), Bindings, Answer, Exact).
answer_json(row(Bindings0, Residual0), Module, obj(Answer), obj(Exact)) :-
    require_shallow(Bindings0),
    require_shallow(Residual0),
    maplist(finite_binding, Bindings0, Bindings),
    maplist(plain_goal(Module), Residual0, Residual),
    variable_letters(Bindings-Residual, '_', Names),
    maplist(binding_json(Module, Names), Bindings, Answer0, Exact0),
    (   Residual == []
    ->  Answer = Answer0, Exact = Exact0
    ;   maplist(text_of(Module, Names), Residual, Goals),
        append(Answer0, ['_residual'-Goals], Answer),
        append(Exact0, ['_residual'-Goals], Exact)
    ).

finite_binding(Name=Value0, Name=Value) :-
    finite(Value0, Value).

%!  finite(+Term, -Finite) is det.
%
%   A cyclic term is shown as @(Skeleton, Substitutions).

finite(Value, Value) :- acyclic_term(Value), !.
finite(Value, @(Skeleton, Substitutions)) :-
    %   Factorising writes into the term, and what other bindings share with it would lose its cycle.
    duplicate_term(Value, Copy),
    term_variables(Value, Variables),
    term_variables(Copy, Variables),
    '$factorize_term'(Copy, Skeleton, Substitutions).

plain_goal(Module, Goal0, Goal) :-
    strip_module(Goal0, _, Goal1),
    finite(Goal1, Goal2),
    without_modules(Goal2, Module, Goal).

binding_json(Module, Names, Name=Value, Name-Json, Name-Text) :-
    value(Value, Module, Names, Json),
    term_text(Value, Module, Names, Text).

text_of(Module, Names, Goal, Text) :-
    term_text(Goal, Module, Names, Text).

value(Value, _, Names, Json), var(Value) =>
    member(Name=Variable, Names), Variable == Value, !,
    atom_string(Name, Json).
value([], _, _, Json) => Json = [].
value(Value, _, _, Json), atom(Value) => atom_string(Value, Json).
value(Value, _, _, Json), string(Value) => Json = Value.
value(Value, _, _, Json), integer(Value) =>
    (   abs(Value) =< 9007199254740991 -> Json = Value ; format(string(Json), "~d", [Value]) ).
value(Value, _, _, Json), float(Value) =>
    (   float_class(Value, Kind), memberchk(Kind, [nan, infinite])
    ->  format(string(Json), "~w", [Value])
    ;   Json = Value
    ).
value(Value, Module, Names, Json), acyclic_term(Value), is_list(Value) =>
    maplist(element_json(Module, Names), Value, Json).
value(Value, Module, Names, Json) => term_text(Value, Module, Names, Json).

element_json(Module, Names, Value, Json) :-
    value(Value, Module, Names, Json).

%!  value_json(+Term, +Module, -Json) is det.
%
%   One value, in the simple form.

value_json(Term0, Module, Json) :-
    require_shallow(Term0),
    finite(Term0, Term),
    variable_letters(Term, '_', Names),
    value(Term, Module, Names, Json).
