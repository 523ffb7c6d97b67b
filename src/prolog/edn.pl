:- module(zpm_edn,
          [ edn_term/3,          % +Tokens, -Term, -Names
            edn_text/3           % +Term, +Names, -Text
          ]).
:- use_module(library(lists)).
:- use_module(library(apply)).

/** <module> EDN forms as terms, and terms as EDN (SPEC 3.1)

The characters are read in TypeScript (`src/verbs/edn.ts`), which hands over tokens in prefix notation: the kind in one
character, then the content. `(f a)` is the compound f(a), `(f)` is f(), a vector is a list, `?x` a variable. What is
written here is read there to the same term; an atom that is no symbol is written as `#zpm/atom "..."`.

Names is a list of Name=Variable whose names have no question mark.
*/

%!  edn_term(+Tokens, -Term, -Names) is det.
%
%   Throws zpm(sentence, _) for a form that is no term.

edn_term(Tokens, Term, Names) :-
    item(Term, [], Names0, Tokens, []),
    reverse(Names0, Names).

item(Term, Names0, Names, [Token|Rest0], Rest) :-
    sub_string(Token, 0, 1, _, Kind),
    sub_string(Token, 1, _, 0, Content),
    made(Kind, Content, Term, Names0, Names, Rest0, Rest).

made("s", Content, Atom, Names, Names, Rest, Rest) :-
    atom_string(Atom, Content).
made("t", Content, Content, Names, Names, Rest, Rest).
made("v", "", _, Names, Names, Rest, Rest) :- !.
made("v", Content, Variable, Names0, Names, Rest, Rest) :-
    atom_string(Name, Content),
    (   memberchk(Name=Known, Names0)
    ->  Variable = Known, Names = Names0
    ;   Names = [Name=Variable|Names0]
    ).
made("i", Content, Integer, Names, Names, Rest, Rest) :-
    unsigned(Content, Sign, Digits),
    number_string(Natural, Digits),
    Integer is Sign * Natural.
made("f", Content, Float, Names, Names, Rest, Rest) :-
    float_of(Content, Float).
made("r", Content, Ratio, Names, Names, Rest, Rest) :-
    unsigned(Content, Sign, Digits),
    split_string(Digits, "/", "", [Over, Under]),
    number_string(Numerator, Over),
    number_string(Denominator, Under),
    Ratio is Sign * Numerator rdiv Denominator.
made("[", Content, List, Names0, Names, Rest0, Rest) :-
    number_string(Count, Content),
    items(Count, List, Names0, Names, Rest0, Rest).
made("(", Content, Term, Names0, Names, Rest0, Rest) :-
    number_string(Count, Content),
    items(Count, Items, Names0, Names, Rest0, Rest),
    called(Items, Term).

items(0, [], Names, Names, Rest, Rest) :- !.
items(Count, [Item|Items], Names0, Names, Rest0, Rest) :-
    item(Item, Names0, Names1, Rest0, Rest1),
    Left is Count - 1,
    items(Left, Items, Names1, Names, Rest1, Rest).

called([Name|Arguments], Term), atom(Name), Name \== [] =>
    compound_name_arguments(Term, Name, Arguments).
called([], _) =>
    not_a_term("() has no meaning in a sentence").
called([First|_], _), var(First) =>
    not_a_term("A list begins with a symbol, not with a variable").
called([First|_], _) =>
    edn_text(First, [], Text),
    format(string(Why), "A list begins with a symbol, not with ~s", [Text]),
    not_a_term(Why).

not_a_term(Why) :-
    throw(error(zpm(sentence, [why-Why, hint-"A vector is a list of values: [1 2 3]"]), _)).

unsigned(Content, -1, Digits) :- string_concat("-", Digits, Content), !.
unsigned(Content, 1, Digits) :- string_concat("+", Digits, Content), !.
unsigned(Content, 1, Content).

float_of("inf", Float) :- !, Float is inf.
float_of("-inf", Float) :- !, Float is -inf.
float_of("nan", Float) :- !, Float is nan.
float_of(Content, Float) :-
    unsigned(Content, Sign, Digits),
    (   catch(number_string(Number, Digits), _, fail)
    ->  Float is Sign * float(Number)
    ;   format(string(Why), "~s is beyond what a number with a point can be", [Content]),
        not_a_term(Why)
    ).

%!  edn_text(+Term, +Names, -Text) is det.
%
%   Term is acyclic. Every variable of Term has a name.

edn_text(Term, Names, Text) :-
    with_output_to(string(Text), written(Term, Names)).

written(Variable, Names), var(Variable) =>
    ( member(Name=Named, Names), Named == Variable -> true ; Name = '' ),
    format("?~w", [Name]).
written([], _) => write([]).
written(Atom, _), atom(Atom), blob(Atom, Type), memberchk(Type, [text, ucs_text]) =>
    (   symbol(Atom)
    ->  write(Atom)
    ;   write('#zpm/atom '),
        quoted(Atom)
    ).
written(String, _), string(String) => quoted(String).
written(Integer, _), integer(Integer) => format("~d", [Integer]).
written(Float, _), float(Float) => write_float(Float).
written(Ratio, _), rational(Ratio, Numerator, Denominator) => format("~d/~d", [Numerator, Denominator]).
written(List, Names), is_list(List) =>
    put_char('['),
    spaced(List, Names),
    put_char(']').
written(Term, Names), compound(Term) =>
    compound_name_arguments(Term, Name, Arguments),
    put_char('('),
    spaced([Name|Arguments], Names),
    put_char(')').
written(Other, _) =>
    format(string(Text), "~q", [Other]),
    write('#zpm/opaque '),
    quoted(Text).

spaced([], _).
spaced([Item|Items], Names) :-
    written(Item, Names),
    forall(member(Next, Items), ( put_char(' '), written(Next, Names) )).

write_float(Float) :-
    float_class(Float, Class),
    (   Class == nan -> write('##NaN')
    ;   Class == infinite -> ( Float > 0 -> write('##Inf') ; write('##-Inf') )
    ;   write(Float)
    ).

%   symbol(+Atom): what the reader takes for a symbol again. `?` begins a variable, a digit a number.

symbol(Atom) :-
    atom_codes(Atom, [First|Rest]),
    symbol_code(First),
    \+ memberchk(First, `?'.`),
    \+ code_type(First, digit),
    \+ ( memberchk(First, `+-`), Rest = [Second|_], code_type(Second, digit) ),
    forall(member(Code, Rest), symbol_code(Code)).

symbol_code(Code) :- code_type(Code, csym), !.
symbol_code(Code) :- memberchk(Code, `+-*/.!?<>=$%&|'`).

quoted(Text) :-
    text_to_string(Text, String),
    string_length(String, Length),
    put_char('"'),
    forall(between(1, Length, N), ( string_code(N, String, Code), quoted_code(Code) )),
    put_char('"').

quoted_code(0'") => write('\\"').
quoted_code(0'\\) => write('\\\\').
quoted_code(0'\n) => write('\\n').
quoted_code(0'\r) => write('\\r').
quoted_code(0'\t) => write('\\t').
quoted_code(Code) =>
    (   invisible(Code)
    ->  format("\\u~|~`0t~16r~4+", [Code])
    ;   put_char_code(Code)
    ).

put_char_code(Code) :-
    char_code(Character, Code),
    put_char(Character).

%   Control characters, and those that turn the direction of text.

invisible(Code) :- Code < 0x20, !.
invisible(Code) :- Code >= 0x7F, Code =< 0x9F, !.
invisible(Code) :- Code >= 0x2028, Code =< 0x202E, !.
invisible(Code) :- Code >= 0x2066, Code =< 0x2069, !.
invisible(0xFEFF).
