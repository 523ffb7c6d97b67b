:- module(test_texts, []).
:- use_module(unit).
:- discontiguous test/1.
:- use_module(texts).
:- use_module(memories).
:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(library(yall)).
:- use_module(library(dif)).

/** <module> Text out and back in (SPEC 1.2, 1.3) */

terms([ a, 'A b', [], '[]', {}, '{}'(x), "a string", "", '', 'don''t', 'a\nb', 'a\\b', '/*', '% x', 'É', 'é', '日本',
        "say \"hi\"", '\e[31m', 1, -1, 1.0, -0.0, 1.0e100, 1.5e-7, 9007199254740993, -(1), - 1, -(-(1)), 1 - (-1),
        1r3, [a|_], [a, [b, "c"]|t], f(_, _), f(X, X), '$VAR'(1), '$VAR'('X'), f('$VAR'(27)), (a :- b, c), (:- a),
        (a , b ; c -> d), \+ a, \+ (a, b), -(-), [-], [(a :- b)], {a, b}, f(:-), ((:-) :- (:-)), - a, a = (\+), f(;),
        (a --> b), a:b:c, 'hello world'(x), p('.'), '.', ' ', f(','), ',', '|', f((a, b)), f((a :- b)), (dynamic),
        0'a, (a => b), 'Upper'(_), -(2)^2, (-2)^2, 1 - (2 - 3), 2 ** -1, f(a- - b), (a ; b) = c, [a = b, (c , d)] ]) :-
    X = X.

test('canonical text reads back to the same term') :-
    terms(Terms),
    unit:each(test_texts:canonical_back, Terms).

canonical_back(Term) :-
    canonical_text(Term, Text),
    canonical_term(Text, Again),
    Again =@= Term.

test('display text reads back in the memory to the same term') :-
    create_memory(text_test, rw),
    memory_module(text_test, Module),
    terms(Terms),
    unit:each(test_texts:display_back(Module), Terms).

display_back(Module, Term) :-
    variable_letters(Term, '_', Names),
    term_text(Term, Module, Names, Text),
    term_string(Again, Text, [module(Module), double_quotes(string), dotlists(false), var_prefix(false)]),
    Again =@= Term.

test('what has no text is refused') :-
    dif(D, a),
    C = f(C),
    current_output(Stream),
    unit:each(test_texts:refused, [p(D), C, p(Stream), p("a\u0000b"), 'a\u0000b']).

refused(Term) :-
    catch(canonical_text(Term, _), error(zpm(unrepresentable, _), _), true).

test('nesting is limited, length is not') :-
    numlist(1, 100000, Long),
    require_shallow(Long),
    nested(256, Fits),
    require_shallow(Fits),
    nested(258, Deep),
    catch(( require_shallow(Deep), unit:fail_with("258 levels pass", []) ), error(zpm(limit, _), _), true),
    foldl([N, Sum, Sum + N]>>true, Long, 0, Chain),
    catch(( require_shallow(Chain), unit:fail_with("a chain passes", []) ), error(zpm(limit, _), _), true).

nested(0, a) :- !.
nested(N, f(Term)) :- N1 is N - 1, nested(N1, Term).

test('variables have letters in order of appearance') :-
    variable_letters(f(A, g(B), A), '_', Names),
    Names == ['_A'=A, '_B'=B],
    length(Many, 60),
    variable_letters(Many, '', ManyNames),
    findall(Name, member(Name=_, ManyNames), [First|Texts]),
    First == 'A',
    nth1(25, Texts, 'Z'),
    nth1(26, Texts, 'A1'),
    sort([First|Texts], Distinct),
    length(Distinct, 60).
