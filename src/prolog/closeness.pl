:- module(zpm_closeness,
          [ closest/4,           % +Module, +Name, +Arity, -Indicator
            name_distance/3,     % +Name, +Other, -Distance
            value_distance/3     % +Value, +Other, -Distance
          ]).
:- use_module(library(lists)).
:- use_module(memories).

/** <module> What somebody may have meant who wrote something else */

%!  closest(+Module, +Name, +Arity, -Indicator) is semidet.
%
%   The known predicate whose name is nearest: the same name with another arity, or a name_distance/3. Never the one
%   that is asked for, which may be known without a clause.

closest(Module, Name, Arity, Closest) :-
    findall(Distance-(Known/KnownArity),
            ( known(Module, Known, KnownArity),
              Known/KnownArity \== Name/Arity,
              distance(Name, Arity, Known, KnownArity, Distance)
            ),
            Pairs),
    keysort(Pairs, [_-Closest|_]).

distance(Name, _, Name, _, 0) :- !.
distance(Name, Arity, Known, Arity, Distance) :-
    name_distance(Name, Known, Distance).

%!  name_distance(+Name, +Other, -Distance) is semidet.
%
%   At most two letters changed, left out, added or swapped, and one at least is the same.

name_distance(Name, Other, Distance) :-
    atom_length(Name, LengthA),
    atom_length(Other, LengthB),
    abs(LengthA - LengthB) =< 2,
    atom_codes(Name, A),
    atom_codes(Other, B),
    edits(A, B, 2, Distance),
    Distance < max(LengthA, 2).

edits([], B, Budget, N) :- length(B, N), N =< Budget.
edits(A, [], Budget, N) :- A = [_|_], length(A, N), N =< Budget.
edits([C|A], [C|B], Budget, N) :- !, edits(A, B, Budget, N).
edits([X|A], [Y|B], Budget, N) :-
    Budget > 0,
    Left is Budget - 1,
    findall(M,
            ( edits(A, [Y|B], Left, M)
            ; edits([X|A], B, Left, M)
            ; edits(A, B, Left, M)
            ; A = [Y|A1], B = [X|B1], edits(A1, B1, Left, M)
            ),
            Ms),
    min_list(Ms, Least),
    N is Least + 1.

%!  value_distance(+Value, +Other, -Distance) is det.
%
%   0: the same text as another type; 1: the same but for capital letters; 2 and 3: letters changed; 4: something else.

value_distance(Value, Other, Distance) :-
    (   textual(Value, A), textual(Other, B),
        text_distance(A, B, Distance0)
    ->  Distance = Distance0
    ;   Distance = 4
    ).

textual(Value, Atom) :-
    (   atom(Value) -> Atom = Value
    ;   string(Value) -> atom_string(Atom, Value)
    ;   number(Value) -> atom_number(Atom, Value)
    ).

text_distance(Text, Text, 0) :- !.
text_distance(A, B, 1) :-
    downcase_atom(A, Lower),
    downcase_atom(B, Lower),
    !.
text_distance(A, B, Distance) :-
    name_distance(A, B, Distance0),
    Distance is Distance0 + 1.
