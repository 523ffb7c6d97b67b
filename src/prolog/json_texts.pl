:- module(zpm_json_texts,
          [ json_read/2,         % +Text, -Json
            repeated_name/2      % +Pairs, -Name
          ]).
:- use_module(library(lists)).
:- use_module(library(pairs)).

/** <module> JSON text, read exactly (RFC 8259)

A number is an integer when its text has neither fraction nor exponent, however long it is; nothing is rounded
but what is written as a float. An object keeps its members in order, and a name that comes twice is an error.
Json is obj(Pairs) with strings as keys, a list, a string, a number, or one of the atoms true, false, null,
and `overflow` for a number that no float holds.
*/

%!  json_read(+Text, -Json) is det.
%
%   Throws error(zpm(json, [why-Why]), _) when Text is no JSON, or is nested too deeply.

json_read(Text, Json) :-
    string_codes(Text, Codes),
    blank(Codes, Rest0),
    value(Rest0, Rest1, 256, Json),
    blank(Rest1, Rest),
    (   Rest == [] -> true ; broken("text follows the value") ).

broken(Why) :-
    throw(error(zpm(json, [why-Why]), _)).

blank([Code|Codes], Rest) :-
    memberchk(Code, [0'\s, 0'\t, 0'\n, 0'\r]),
    !,
    blank(Codes, Rest).
blank(Rest, Rest).

value(_, _, 0, _) :- !, broken("it is nested too deeply").
value([], _, _, _) :- !, broken("it ends too early").
value([0'{|Codes], Rest, Depth, obj(Pairs)) :- !,
    Inner is Depth - 1,
    blank(Codes, Rest0),
    (   Rest0 = [0'}|Rest1] -> Rest = Rest1, Pairs = []
    ;   members(Rest0, Rest, Inner, Pairs),
        unique_names(Pairs)
    ).
value([0'[|Codes], Rest, Depth, Elements) :- !,
    Inner is Depth - 1,
    blank(Codes, Rest0),
    (   Rest0 = [0']|Rest1] -> Rest = Rest1, Elements = []
    ;   elements(Rest0, Rest, Inner, Elements)
    ).
value([0'"|Codes], Rest, _, String) :- !,
    string_value(Codes, Rest, String).
value(Codes, Rest, _, Literal) :-
    member(Name-Literal, ["true"-true, "false"-false, "null"-null]),
    string_codes(Name, Word),
    append(Word, Rest, Codes),
    !.
value(Codes, Rest, _, Number) :-
    number_codes_of(Codes, Rest, Text, Kind),
    !,
    number_value(Kind, Text, Number).
value(_, _, _, _) :-
    broken("a value is a string, a number, true, false, null, an array or an object").

members(Codes, Rest, Depth, [Name-Value|Pairs]) :-
    (   Codes = [0'"|Codes0] -> true ; broken("a member of an object begins with its name in quotes") ),
    string_value(Codes0, Rest0, Name),
    blank(Rest0, Rest1),
    (   Rest1 = [0':|Rest2] -> true ; broken("a colon is missing behind the name of a member") ),
    blank(Rest2, Rest3),
    value(Rest3, Rest4, Depth, Value),
    blank(Rest4, Rest5),
    (   Rest5 = [0'}|Rest6] -> Rest = Rest6, Pairs = []
    ;   Rest5 = [0',|Rest6]
    ->  blank(Rest6, Rest7),
        members(Rest7, Rest, Depth, Pairs)
    ;   broken("an object is not closed")
    ).

elements(Codes, Rest, Depth, [Value|Values]) :-
    value(Codes, Rest0, Depth, Value),
    blank(Rest0, Rest1),
    (   Rest1 = [0']|Rest2] -> Rest = Rest2, Values = []
    ;   Rest1 = [0',|Rest2]
    ->  blank(Rest2, Rest3),
        elements(Rest3, Rest, Depth, Values)
    ;   broken("an array is not closed")
    ).

%   The first object that has a name twice is an error with that name: nobody can tell which was meant.

unique_names(Pairs) :-
    (   repeated_name(Pairs, Name)
    ->  throw(error(zpm(json, [why-"a name stands twice in an object", twice-Name]), _))
    ;   true
    ).

%!  repeated_name(+Pairs, -Name) is semidet.
%
%   Name is a key that stands twice in Pairs; of several, the first in the standard order.

repeated_name(Pairs, Name) :-
    pairs_keys(Pairs, Names),
    msort(Names, Sorted),
    append(_, [Name, Name|_], Sorted),
    !.

string_value(Codes, Rest, String) :-
    string_rest(Codes, Rest, Characters),
    string_codes(String, Characters).

string_rest([], _, _) :- !, broken("a string is not closed").
string_rest([0'"|Rest0], Rest, Characters) :- !, Rest = Rest0, Characters = [].
string_rest([0'\\|Codes], Rest, [Code|More]) :- !,
    escaped(Codes, Codes1, Code),
    string_rest(Codes1, Rest, More).
string_rest([Code|_], _, _) :- Code < 0x20, !, broken("a control character stands in a string: write it as \\uXXXX").
string_rest([Code|Codes], Rest, [Code|More]) :-
    string_rest(Codes, Rest, More).

escaped([0'u|Codes], Rest, Code) :- !,
    four(Codes, Rest0, Unit),
    (   Unit >= 0xD800, Unit =< 0xDBFF
    ->  (   Rest0 = [0'\\, 0'u|Rest1], four(Rest1, Rest2, Low), Low >= 0xDC00, Low =< 0xDFFF
        ->  Rest = Rest2,
            Code is 0x10000 + ((Unit - 0xD800) << 10) + (Low - 0xDC00)
        ;   broken("a surrogate has no partner")
        )
    ;   Unit >= 0xDC00, Unit =< 0xDFFF
    ->  broken("a surrogate has no partner")
    ;   Rest = Rest0, Code = Unit
    ).
escaped([Letter|Rest], Rest, Code) :-
    memberchk(Letter-Code, [0'"-0'", 0'\\-0'\\, 0'/-0'/, 0'b-8, 0'f-12, 0'n-10, 0'r-13, 0't-9]),
    !.
escaped(_, _, _) :- broken("an escape in a string is none of JSON's").

four([A, B, C, D|Rest], Rest, Unit) :-
    maplist_digits([A, B, C, D], 0, Unit),
    !.
four(_, _, _) :- broken("\\u is followed by four hexadecimal digits").

maplist_digits([], Unit, Unit).
maplist_digits([Code|Codes], Unit0, Unit) :-
    code_type(Code, xdigit(Weight)),
    Unit1 is Unit0 * 16 + Weight,
    maplist_digits(Codes, Unit1, Unit).

%   number_codes_of(+Codes, -Rest, -Text, -Kind): JSON's grammar, which Prolog's is wider than.

number_codes_of(Codes, Rest, Text, Kind) :-
    ( Codes = [0'-|Codes1] -> Sign = [0'-] ; Codes1 = Codes, Sign = [] ),
    digits(Codes1, Codes2, Whole),
    Whole = [First|Others],
    ( First == 0'0 -> Others == [] ; true ),
    (   Codes2 = [0'.|Codes3], digits(Codes3, Codes4, Digits), Digits = [_|_]
    ->  Fraction = Digits, Kind0 = float
    ;   Codes4 = Codes2, Fraction = [0'0], Kind0 = integer
    ),
    (   Codes4 = [E|Codes5], memberchk(E, [0'e, 0'E]), exponent(Codes5, Codes6, Exponent)
    ->  Rest = Codes6, Kind = float
    ;   Rest = Codes4, Exponent = [], Kind = Kind0
    ),
    (   Kind == integer
    ->  append(Sign, Whole, Text)
    ;   append([Sign, Whole, [0'.], Fraction, Exponent], Text)
    ).

exponent(Codes, Rest, [0'e|Exponent]) :-
    ( Codes = [0'-|Codes1] -> Exponent = [0'-|Digits] ; Codes = [0'+|Codes1] -> Exponent = Digits ; Codes1 = Codes, Exponent = Digits ),
    digits(Codes1, Rest, Digits),
    Digits = [_|_].

digits([Code|Codes], Rest, [Code|More]) :-
    Code >= 0'0, Code =< 0'9,
    !,
    digits(Codes, Rest, More).
digits(Rest, Rest, []).

number_value(integer, Text, Number) :-
    number_codes(Number, Text).
number_value(float, Text, Number) :-
    (   catch(number_codes(Number0, Text), error(_, _), fail), float(Number0), float_class(Number0, Class),
        \+ memberchk(Class, [infinite, nan])
    ->  Number = Number0
    ;   Number = overflow
    ).
