:- module(zpm_contexts,
          [ visible_contexts/4   % +Module, +Base, +Context, -Contexts
          ]).
:- use_module(library(lists)).
:- use_module(memories).

/** <module> Contexts, and which see which (SPEC 3.1)

`genlCx(Sub, Super)` lets Sub see what stands in Super, and all that Super sees; a circle is harmless, its contexts see
each other. Only what files say about it counts, since the hierarchy is the business of base and overlay. The base's
own context is seen by every other: its clauses hold everywhere.
*/

%!  visible_contexts(+Module, +Base, +Context, -Contexts) is det.
%
%   Context itself first, without repetition.

visible_contexts(Module, Base, Context, Contexts) :-
    seen([Context], Module, [], Seen),
    reverse(Seen, Contexts0),
    (   memberchk(Base, Contexts0)
    ->  Contexts = Contexts0
    ;   append(Contexts0, [Base], Contexts)
    ).

seen([], _, Seen, Seen).
seen([Context|Contexts], Module, Seen0, Seen) :-
    (   memberchk(Context, Seen0)
    ->  seen(Contexts, Module, Seen0, Seen)
    ;   findall(Super, above(Module, Context, Super), Supers),
        append(Contexts, Supers, Next),
        seen(Next, Module, [Context|Seen0], Seen)
    ).

above(Module, Context, Super) :-
    known(Module, genlCx, 2),
    clause(Module:genlCx(Context, Super), true, Ref),
    atom(Super),
    clause_origin(Ref, file(_, _)).
