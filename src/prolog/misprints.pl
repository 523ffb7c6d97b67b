:- module(zpm_misprints,
          [ misprinted/2,        % +Term, +Module
            mended/3,            % +Term, +Module, -Mended
            write_mended/2       % +Part, +Options
          ]).
:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(library(option)).

/** <module> What the engine's writer writes as another term

- It takes the letters of Latin-1 for no letters, and leaves no blank between them and an operator in front of them
  that is a word: `f(a)mod é` comes out as `f(a)modé`.
- `'[]'(a)` comes out as `[a]`, `'.'(a, b)` as `a.b`.

Such parts are replaced by marks, which write_mended/2 writes: it is the `portray_goal` of the writer.
*/

%!  misprinted(+Term, +Module) is semidet.
%
%   There is such a part in Term, which is acyclic. Module is where its operators are.

misprinted(Term, _), \+ compound(Term) => fail.
misprinted([Head|Tail], Module) =>
    (   misprinted(Head, Module) -> true ; misprinted(Tail, Module) ).
misprinted(Term, _), shorthand(Term, _) => true.
misprinted(Term, Module) =>
    (   crowded(Term, Module, _, _)
    ->  true
    ;   compound_name_arity(Term, _, Arity),
        misprinted_arguments(Arity, Term, Module)
    ).

misprinted_arguments(N, Term, Module) :-
    N > 0,
    arg(N, Term, Argument),
    (   misprinted(Argument, Module)
    ->  true
    ;   N1 is N - 1,
        misprinted_arguments(N1, Term, Module)
    ).

%!  mended(+Term, +Module, -Mended) is det.
%
%   Term with its marks. A variable with a name of its author is '$zpm variable'(Name) in both.

mended(Term, _, Mended), \+ compound(Term) => Mended = Term.
mended([Head0|Tail0], Module, Mended) =>
    Mended = [Head|Tail],
    mended(Head0, Module, Head),
    mended(Tail0, Module, Tail).
mended(Term, Module, Mended) =>
    compound_name_arguments(Term, Name, Arguments0),
    maplist(mended_in(Module), Arguments0, Arguments1),
    (   shorthand(Term, Text)
    ->  Mended = '$zpm plain'(Text, Arguments1)
    ;   crowded(Term, Module, N, _)
    ->  nth1(N, Arguments1, Operand0, Others),
        apart(Operand0, Module, Operand),
        nth1(N, Arguments, Operand, Others),
        compound_name_arguments(Mended, Name, Arguments)
    ;   compound_name_arguments(Mended, Name, Arguments1)
    ).

mended_in(Module, Term, Mended) :-
    mended(Term, Module, Mended).

shorthand(Term, Text) :-
    compound_name_arity(Term, Name, Arity),
    short(Arity, Name, Text).

short(1, '[]', "'[]'").
short(2, '.', "'.'").

%!  write_mended(+Part, +Options) is semidet.

write_mended('$zpm variable'(Name), _) :-
    write(Name).
write_mended('$zpm apart'(Term), Options) :-
    write(' '),
    write_term(Term, Options).
write_mended('$zpm plain'(Text, [Argument|Arguments]), Options0) :-
    select_option(priority(_), Options0, Options1, _),
    Options = [priority(999)|Options1],
    write(Text),
    write('('),
    write_term(Argument, Options),
    forall(member(Other, Arguments), ( write(', '), write_term(Other, Options) )),
    write(')').

%   crowded(+Term, +Module, -N, -Leaf): the N-th argument of Term begins with Leaf, in front of which a blank is needed.

crowded(Term, Module, N, Leaf) :-
    word_operand(Term, Module, N, Operand),
    leftmost(Operand, Module, Leaf),
    latin_letter_first(Leaf).

%   word_operand(+Term, +Module, -N, -Operand): Operand stands behind an operator that ends in a letter and that the
%   writer does not surround with blanks, as it does when a word or a number is on its left.

word_operand(Term, Module, N, Operand) :-
    compound_name_arity(Term, Name, N),
    ( N =:= 1 -> Types = [fy, fx] ; N =:= 2, Types = [xfx, xfy, yfx] ),
    current_op(_, Type, Module:Name),
    memberchk(Type, Types),
    sub_atom(Name, _, 1, 0, Last),
    char_type(Last, csym),
    !,
    (   N =:= 2 -> arg(1, Term, Left), \+ word(Left) ; true ),
    arg(N, Term, Operand).

word(Term) :- var(Term), !.
word('$zpm variable'(_)) :- !.
word(Term) :- number(Term), !.
word(Term) :-
    atom(Term),
    atom_chars(Term, [First|Chars]),
    char_type(First, csymf),
    \+ char_type(First, upper(_)),
    forall(member(Char, Chars), char_type(Char, csym)).

leftmost(Term, Module, Leaf) :-
    (   left_operand(Term, Module, Left) -> leftmost(Left, Module, Leaf) ; Leaf = Term ).

apart(Term, Module, Apart) :-
    (   left_operand(Term, Module, Left)
    ->  compound_name_arguments(Term, Name, [_|Others]),
        apart(Left, Module, Left1),
        compound_name_arguments(Apart, Name, [Left1|Others])
    ;   Apart = '$zpm apart'(Term)
    ).

left_operand(Term, Module, Left) :-
    compound(Term),
    compound_name_arity(Term, Name, Arity),
    ( Arity =:= 2 -> Types = [xfx, xfy, yfx] ; Arity =:= 1, Types = [xf, yf] ),
    current_op(_, Type, Module:Name),
    memberchk(Type, Types),
    !,
    arg(1, Term, Left).

latin_letter_first(Leaf) :-
    nonvar(Leaf),
    (   Leaf = '$zpm variable'(Name) -> true
    ;   atom(Leaf) -> Name = Leaf
    ;   compound(Leaf), compound_name_arity(Leaf, Name, _)
    ),
    atom(Name),
    sub_atom(Name, 0, 1, _, Character),
    char_code(Character, Code),
    Code > 0x7f,
    Code < 0x100,
    char_type(Character, csym).
