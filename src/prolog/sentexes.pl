:- module(zpm_sentexes,
          [ view/4,              % +Module, +Base, +Context, -View
            view_contexts/2,     % +View, -Contexts
            candidate/6,         % +Module, +View, ?Head, -Body, -Ref, -Context
            stored_sentex/5,     % +Module, +Base, ?Head, -Ref, -Context
            keyed/4,             % +Module, +Base, +Key, -Ref
            sentex_key/4,        % +Module, +Base, +Ref, -Key
            believed/3,          % +Module, +View, +Ref
            hidden_by/4,         % +Module, +View, +Ref, -Except
            sentex_facts/4,      % +Module, +Base, +Ref, -Facts
            sentex_strength/3,   % +Module, +Ref, -Strength
            key_json/2,          % +Key, -Json
            json_key/3,          % +Context, +Sentence, -Key
            has_sentex/2         % +Module, +Head
          ]).
:- use_module(library(lists)).
:- use_module(memories).
:- use_module(texts).
:- use_module(contexts).
:- use_module(sentences).

/** <module> Sentexes: sentences in contexts, and which of them are believed (SPEC 3.1)

A sentex is a clause of the memory, which stands in the base's context, or a fact of one reserved predicate,

    '$sentex'(Head, Body, Context, Strength, Creator, At)

journaled like any other. Its key, key(Context, Clause), is what makes it the same sentex: a second clause with the same
key is the same one again.

An except is a sentex whose head is `'$except'(Context, Clause)`: it keeps the key of what it hides, so nothing that is
loaded in another order makes it hide anything else. It hides what is older than itself, seen from its own context or
one that sees that. Files are as old as each other and older than what a journal says. An except holds what it hides
as a part of itself, so no two can hide each other, and whether one is believed is always decided.

A view is view(Context, Contexts, Base): from where one looks, and what is seen from there.
*/

%!  view(+Module, +Base, +Context, -View) is det.

view(Module, Base, Context, view(Context, Contexts, Base)) :-
    visible_contexts(Module, Base, Context, Contexts).

view_contexts(view(_, Contexts, _), Contexts).

%!  has_sentex(+Module, +Head) is semidet.
%
%   Some sentex, believed or not, has a head with this functor that is no clause of its own.

has_sentex(Module, Head) :-
    known(Module, '$sentex', 6),
    functor(Head, Name, Arity),
    functor(General, Name, Arity),
    clause(Module:'$sentex'(General, _, _, _, _, _), true),
    !.

%!  candidate(+Module, +View, ?Head, -Body, -Ref, -Context) is nondet.
%
%   The believed sentexes that View sees, whose head unifies: clauses first, then those of the reserved predicate.

candidate(Module, View, Head, Body, Ref, Context) :-
    View = view(_, Contexts, Base),
    (   functor(Head, Name, Arity),
        known(Module, Name, Arity),
        Context = Base,
        plain_candidate(Module, Head, Body, Ref)
    ;   known(Module, '$sentex', 6),
        clause(Module:'$sentex'(Head, Body, Context, _, _, _), true, Ref),
        memberchk(Context, Contexts)
    ),
    believed(Module, View, Ref).

plain_candidate(Module, Head, Body, Ref) :-
    (   predicate_property(Module:Head, ssu)
    ->  zpm_interpreter:single_sided(Head, Module, Body, Ref)
    ;   clause(Module:Head, Body0, Ref),
        ( nonvar(Body0), Body0 = Module:Body1 -> Body = Body1 ; Body = Body0 )
    ).

%!  stored_sentex(+Module, +Base, ?Head, -Ref, -Context) is nondet.
%
%   Those whose head unifies, wherever they stand, believed or not.

stored_sentex(Module, Base, Head, Ref, Base) :-
    functor(Head, Name, Arity),
    known(Module, Name, Arity),
    functor(General, Name, Arity),
    stored_clause(Module:General, Clause, Ref),
    clause_head(Clause, Head).
stored_sentex(Module, _, Head, Ref, Context) :-
    known(Module, '$sentex', 6),
    clause(Module:'$sentex'(Head, _, Context, _, _, _), true, Ref).

%!  believed(+Module, +View, +Ref) is semidet.

believed(Module, View, Ref) :-
    (   has_sentex(Module, '$except'(_, _))
    ->  \+ hidden_by(Module, View, Ref, _)
    ;   true
    ).

%!  hidden_by(+Module, +View, +Ref, -Except) is nondet.
%
%   Except is the clause of an except that is believed itself and hides the sentex.

hidden_by(Module, View, Ref, Except) :-
    View = view(_, Contexts, Base),
    known(Module, '$sentex', 6),
    sentex_key(Module, Base, Ref, key(Context, Clause)),
    member(Where, Contexts),
    newest(Module, Where, key(Context, Clause), Except),
    age(Ref, Age),
    age(Except, ExceptAge),
    Age @=< ExceptAge,
    \+ hidden_by(Module, View, Except, _).

%   newest(+Module, +Where, +Key, -Except) is semidet: the last except of that key in a context. What hides it hides those
%   before it, so that the others need not be looked at.

newest(Module, Where, key(Context, Clause), Except) :-
    copy_term(Clause, Like),
    findall(Ref,
            ( clause(Module:'$sentex'('$except'(Context, Like), true, Where, _, _, _), true, Ref),
              clause(Module:'$sentex'('$except'(_, Hidden), _, _, _, _, _), true, Ref),
              Hidden =@= Clause
            ),
            Refs),
    last(Refs, Except).

%   age(+Ref, -Age): in the standard order of terms.

age(Ref, Age) :-
    clause_origin(Ref, Origin),
    (   Origin = journal(Seq, Index)
    ->  Age = Seq-Index
    ;   Age = 0-0
    ).

%!  sentex_key(+Module, +Base, +Ref, -Key) is det.

sentex_key(Module, Base, Ref, Key) :-
    clause_property(Ref, predicate(_:Name/Arity)),
    functor(General, Name, Arity),
    (   Name == '$sentex', Arity == 6
    ->  clause(Module:General, true, Ref),
        General = '$sentex'(Head, Body, Context, _, _, _),
        clause_parts(Clause, Head, Body),
        Key = key(Context, Clause)
    ;   stored_clause(Module:General, Clause, Ref),
        Key = key(Base, Clause)
    ),
    !.

%!  keyed(+Module, +Base, +Key, -Ref) is nondet.
%
%   The clauses with that key, in order, seen or not.

keyed(Module, Base, key(Context, Clause), Ref) :-
    (   Context == Base,
        clause_head(Clause, Head),
        callable(Head),
        functor(Head, Name, Arity),
        known(Module, Name, Arity),
        variant_clause(Module, Clause, Ref)
    ;   known(Module, '$sentex', 6),
        copy_term(Clause, Like),
        clause_parts(Like, Head, Body),
        clause(Module:'$sentex'(Head, Body, Context, _, _, _), true, Ref),
        sentex_key(Module, Base, Ref, key(_, Stored)),
        Stored =@= Clause
    ).

%!  sentex_facts(+Module, +Base, +Ref, -Facts) is det.
%
%   Facts is facts(Key, Strength, Creator, At): a clause of a file is the base's, one that was remembered in the fork is
%   default, and its creator is commit(Seq), which knows who that was and when. Otherwise Creator and At are strings, or At
%   is `null`.

sentex_facts(Module, Base, Ref, facts(Key, Strength, Creator, At)) :-
    sentex_key(Module, Base, Ref, Key),
    said(Module, Ref, Strength, Creator, At).

said(Module, Ref, Strength, Creator, At) :-
    clause_property(Ref, predicate(_:'$sentex'/6)),
    !,
    clause(Module:'$sentex'(_, _, _, Strength, Creator, At), true, Ref).
said(_, Ref, monotonic, "base", null) :-
    clause_origin(Ref, file(_, _)),
    !.
said(_, Ref, default, commit(Seq), null) :-
    clause_origin(Ref, journal(Seq, _)).

%!  sentex_strength(+Module, +Ref, -Strength) is det.

sentex_strength(Module, Ref, Strength) :-
    said(Module, Ref, Strength, _, _).

%!  key_json(+Key, -Json) is det.

key_json(key(Context, Clause), obj([context-ContextText, sentence-Text])) :-
    atom_string(Context, ContextText),
    canonical_text(Clause, Text).

%!  json_key(+Context, +Sentence, -Key) is det.

json_key(ContextText, Text, key(Context, Clause)) :-
    atom_string(Context, ContextText),
    canonical_term(Text, Clause).
