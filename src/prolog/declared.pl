:- module(zpm_declared,
          [ require_declared/3,  % +Module, +Base, +Clause
            warn_undeclared/3    % +Module, +View, +Goal
          ]).
:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(memories).
:- use_module(references).
:- use_module(closeness).
:- use_module(queries).
:- use_module(heads).
:- use_module(sentences).
:- use_module(sentexes).

/** <module> Which predicates a client may use (SPEC 3.2)

A predicate is declared when a believed sentex uses it, as its head or in its body, or when `arity` or `comment` says
so. Each sentex is looked at from its own context. The built-ins that rules may call need no declaration, and neither
do the words that declare.
*/

%!  require_declared(+Module, +Base, +Clause) is det.
%
%   Throws zpm(undeclared, _) for the first predicate that is not.

require_declared(Module, Base, Clause) :-
    clause_parts(Clause, Head, Body),
    forall(( literal(Head, Literal) ; literal(Body, Literal) ),
           ( functor(Literal, Name, Arity),
             ( declared(Module, Base, Name, Arity) -> true ; refuse(Module, Name, Arity) )
           )).

refuse(Module, Name, Arity) :-
    indicator_text(Name/Arity, Text),
    (   closest_used(Module, Name, Arity, Closest)
    ->  indicator_text(Closest, ClosestText)
    ;   ClosestText = ""
    ),
    throw(error(zpm(undeclared, [predicate-Text, closest-ClosestText]), _)).

%!  warn_undeclared(+Module, +View, +Goal) is det.
%
%   That nobody defines a predicate is told with an answer, which would be an empty one. What is there and not believed is
%   defined.

warn_undeclared(Module, view(_, _, Base), Goal) :-
    forall(( literal(Goal, Literal),
             functor(Literal, Name, Arity),
             functor(General, Name, Arity),
             \+ stored_sentex(Module, Base, General, _, _),
             \+ declared(Module, Base, Name, Arity)
           ),
           zpm_warnings:note_unknown(Module:Name/Arity)).

declared(_, _, Name, Arity) :-
    memberchk(Name/Arity, [arity/2, comment/2, genlCx/2]),
    !.
declared(Module, Base, Name, Arity) :-
    functor(General, Name, Arity),
    ( General = Head ; General = Inner, Head = -Inner ),
    stored_sentex(Module, Base, Head, Ref, Context),
    believed_at_home(Module, Base, Ref, Context),
    !.
declared(Module, _, Name, Arity) :-
    \+ known(Module, Name, Arity),
    functor(General, Name, Arity),
    predicate_property(zpm_libraries:General, defined),
    \+ has_sentex(Module, General),
    !.
declared(Module, Base, Name, Arity) :-
    ( Says = arity(Name, Arity) ; Says = comment(Name, _) ),
    stored_sentex(Module, Base, Says, Ref, Context),
    believed_at_home(Module, Base, Ref, Context),
    !.
declared(Module, Base, Name, Arity) :-
    used_in_body(Module, Base, Name, Arity, Ref, Context),
    believed_at_home(Module, Base, Ref, Context),
    !.

used_in_body(Module, Base, Name, Arity, Ref, Base) :-
    referring_rule(Module, target(Module, Name, Arity, Name), Ref, _, _).
used_in_body(Module, _, Name, Arity, Ref, Context) :-
    known(Module, '$sentex', 6),
    clause(Module:'$sentex'(_, Body, Context, _, _, _), true, Ref),
    Body \== true,
    literal(Body, Literal),
    functor(Literal, Name, Arity).

believed_at_home(Module, Base, Ref, Context) :-
    view(Module, Base, Context, View),
    believed(Module, View, Ref).

%   closest_used(+Module, +Name, +Arity, -Indicator) is semidet: one that may have been meant.

closest_used(Module, Name, Arity, Closest) :-
    findall(Used/UsedArity, used_head(Module, Used, UsedArity), Heads0),
    sort(Heads0, Heads1),
    exclude(==(Name/Arity), Heads1, Heads),
    findall(Distance-(Used/Arity),
            ( member(Used/Arity, Heads), name_distance(Name, Used, Distance) ),
            Pairs),
    keysort(Pairs, Sorted),
    (   Sorted = [_-Closest|_]
    ->  true
    ;   Closest = Name/_,
        memberchk(Closest, Heads)
    ).

used_head(Module, Name, Arity) :-
    known(Module, Name, Arity),
    Name \== '$sentex'.
used_head(Module, Name, Arity) :-
    known(Module, '$sentex', 6),
    clause(Module:'$sentex'(Head, _, _, _, _, _), true),
    literal(Head, Literal),
    functor(Literal, Name, Arity),
    Name \== '$except'.
