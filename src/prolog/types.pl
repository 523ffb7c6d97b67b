:- module(zpm_types,
          [ declared_type/2,     % +Declared, -Type
            type_json/2,         % +Type, -Json
            text_value/3,        % +Type, +Text, -Term
            json_value/3,        % +Type, +Json, -Term
            term_json/3,         % +Type, +Term, -Json
            expected/2           % +Type, -Text
          ]).
:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(json_texts).
:- use_module(texts).

/** <module> Values of a declared type, in both directions and at every depth (SPEC 2.1)

A type is one of int, nonneg, positive_integer, float, number, atom, string, bool, any, list(Type),
between(Low, High) and oneof(Values). Nothing is coerced but an integer to a float: what a number is, its text
decides. A value that does not fit makes a conversion to a term fail; the caller says which argument it was.
*/

%!  declared_type(+Declared, -Type) is semidet.
%
%   Fails for a type that no value of JSON can have.

declared_type(Declared, _), var(Declared) => fail.
declared_type(integer, Type) => Type = int.
declared_type(boolean, Type) => Type = bool.
declared_type(list, Type) => Type = list(any).
declared_type(term, Type) => Type = any.
declared_type(compound, Type) => Type = any.
declared_type(Declared, Type), atom(Declared) =>
    memberchk(Declared, [int, nonneg, positive_integer, float, number, atom, string, bool, any]),
    Type = Declared.
declared_type(list(Element0), Type) =>
    declared_type(Element0, Element),
    Type = list(Element).
declared_type(between(Low0, High0), Type) =>
    bound(Low0, Low),
    bound(High0, High),
    Low =< High,
    Type = between(Low, High).
declared_type(oneof(Values0), Type) =>
    is_list(Values0),
    Values0 \== [],
    maplist(choice, Values0, Values),
    Type = oneof(Values).
declared_type(_, _) => fail.

%   In a mode line a minus is an operator: what it makes of a number is the number.

bound(Number, Number) :- number(Number), !.
bound(Signed, Number) :- negative(Signed, Number).

choice(Value, Value) :- atomic(Value), Value \== [], !.
choice(Signed, Number) :- negative(Signed, Number).

negative(-Number0, Number) :- number(Number0), Number is -Number0.

%!  type_json(+Type, -Json) is det.
%
%   What a schema is made of.

type_json(list(Element), Json) =>
    type_json(Element, Inner),
    Json = obj([kind-"list", of-Inner]).
type_json(between(Low, High), Json) =>
    ( integer(Low), integer(High) -> Whole = true ; Whole = false ),
    Json = obj([kind-"between", low-Low, high-High, whole-Whole]).
type_json(oneof(Values), Json) =>
    maplist(term_json(any), Values, Texts),
    Json = obj([kind-"oneof", values-Texts]).
type_json(Name, Json) =>
    atom_string(Name, Text),
    Json = obj([kind-Text]).

%!  expected(+Type, -Text) is det.
%
%   The type in a sentence.

expected(int, Text) => Text = "an integer".
expected(nonneg, Text) => Text = "an integer from 0".
expected(positive_integer, Text) => Text = "an integer from 1".
expected(float, Text) => Text = "a number".
expected(number, Text) => Text = "a number".
expected(atom, Text) => Text = "a string".
expected(string, Text) => Text = "a string".
expected(bool, Text) => Text = "true or false".
expected(any, Text) => Text = "a string, a number, true, false, an array, or an object with \"functor\" and \"args\"".
expected(list(Element), Text) =>
    expected(Element, Inner),
    format(string(Text), "an array, each element ~s", [Inner]).
expected(between(Low, High), Text) =>
    ( integer(Low), integer(High) -> What = "an integer" ; What = "a number" ),
    format(string(Text), "~s from ~w to ~w", [What, Low, High]).
expected(oneof(Values), Text) =>
    maplist(term_json(any), Values, Jsons),
    maplist(zpm_wire:json_text, Jsons, Texts),
    atomic_list_concat(Texts, ', ', List),
    format(string(Text), "one of ~w", [List]).

%!  text_value(+Type, +Text, -Term) is semidet.
%
%   A value of a query string or a path: the text itself where the type is one of text, else JSON.

text_value(atom, Text, Term) => atom_string(Term, Text).
text_value(string, Text, Term) => Term = Text.
text_value(oneof(Values), Text, Term) =>
    (   member(Term, Values), ( atom(Term) ; string(Term) ), atom_string(Term, Text) -> true
    ;   catch(json_read(Text, Json), error(zpm(json, _), _), fail),
        json_value(oneof(Values), Json, Term)
    ).
text_value(Type, Text, Term) =>
    catch(json_read(Text, Json), error(zpm(json, _), _), fail),
    bare(Text),
    json_value(Type, Json, Term).

%   Blanks around a number are no part of it.

bare(Text) :-
    split_string(Text, "", " \t\n\r", [Trimmed]),
    (   Trimmed == Text -> true ; sub_string(Trimmed, 0, 1, _, Char), memberchk(Char, ["[", "{"]) ).

%!  json_value(+Type, +Json, -Term) is semidet.
%
%   Json is as json_texts.pl reads it.

json_value(int, Json, Term) => integer(Json), Term = Json.
json_value(nonneg, Json, Term) => integer(Json), Json >= 0, Term = Json.
json_value(positive_integer, Json, Term) => integer(Json), Json >= 1, Term = Json.
json_value(float, Json, Term) =>
    number(Json),
    catch(Term is float(Json), error(evaluation_error(_), _), fail).
json_value(number, Json, Term) => number(Json), Term = Json.
json_value(atom, Json, Term) => string(Json), atom_string(Term, Json).
json_value(string, Json, Term) => string(Json), Term = Json.
json_value(bool, Json, Term) => memberchk(Json, [true, false]), Term = Json.
json_value(list(Type), Json, Term) =>
    is_list(Json),
    maplist(json_value(Type), Json, Term).
json_value(between(Low, High), Json, Term) =>
    number(Json),
    (   integer(Low), integer(High) -> integer(Json), Term = Json ; Term is float(Json) ),
    Term >= Low,
    Term =< High.
json_value(oneof(Values), Json, Term) =>
    member(Term, Values),
    (   string(Json) -> ( atom(Term) ; string(Term) ), atom_string(Term, Json)
    ;   number(Json) -> number(Term), Term =:= Json
    ;   memberchk(Json, [true, false]), Term == Json
    ),
    !.
json_value(any, Json, Term) => any_value(Json, Term).

any_value(Json, Term), string(Json) => atom_string(Term, Json).
any_value(Json, Term), number(Json) => Term = Json.
any_value(Json, Term), is_list(Json) => maplist(any_value, Json, Term).
any_value(obj(Pairs), Term) =>
    length(Pairs, 2),
    memberchk("functor"-Functor, Pairs),
    memberchk("args"-Arguments0, Pairs),
    string(Functor),
    is_list(Arguments0),
    maplist(any_value, Arguments0, Arguments),
    atom_string(Name, Functor),
    compound_name_arguments(Term, Name, Arguments).
any_value(Json, Term) => memberchk(Json, [true, false]), Term = Json.

%!  term_json(+Type, +Term, -Json) is det.
%
%   Total: a term that is not of its type is shown in the shape of `any`, so that the difference is seen. Throws
%   for what JSON cannot hold: a cycle, a constrained variable.

term_json(Type, Term, Json) :-
    atomic(Term),
    !,
    shown(Type, Term, Json).
term_json(Type, Term, Json) :-
    (   acyclic_term(Term) -> true ; unrepresentable("a cyclic term") ),
    term_attvars(Term, Attributed),
    (   Attributed == [] -> true ; unrepresentable("a constrained variable") ),
    require_shallow(Term),
    shown(Type, Term, Json).

unrepresentable(What) :-
    throw(error(zpm(unrepresentable_answer, [what-What]), _)).

shown(bool, Term, Json), memberchk_eq(Term, [true, false]) => Json = Term.
shown(list(Type), Term, Json), is_list(Term) => maplist(shown(Type), Term, Json).
shown(_, Term, Json), var(Term) => Json = null.
shown(_, Term, Json), string(Term) => Json = Term.
shown(_, Term, Json), integer(Term) =>
    (   abs(Term) =< 9007199254740991 -> Json = Term ; format(string(Json), "~d", [Term]) ).
shown(_, Term, Json), float(Term) =>
    (   float_class(Term, Class), memberchk(Class, [nan, infinite])
    ->  format(string(Json), "~w", [Term])
    ;   Json = Term
    ).
shown(_, Term, Json), is_list(Term) => maplist(shown(any), Term, Json).
shown(_, Term, Json), atom(Term) => atom_string(Term, Json).
shown(_, Term, Json), compound(Term) =>
    compound_name_arguments(Term, Name, Arguments0),
    (   atom(Name) -> atom_string(Name, Functor) ; format(string(Functor), "~q", [Name]) ),
    maplist(shown(any), Arguments0, Arguments),
    Json = obj([functor-Functor, args-Arguments]).
shown(_, Term, Json) => format(string(Json), "~q", [Term]).

memberchk_eq(Term, Terms) :-
    member(Each, Terms),
    Each == Term,
    !.
