:- module(zpm_asserting,
          [ matching_key/4,      % +Module, +View, +Clause, -Key
            distinct_keys/2      % +Keys, -Distinct
          ]).
:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(library(pairs)).
:- use_module(changes).
:- use_module(batches).
:- use_module(plans).
:- use_module(sentences).
:- use_module(sentexes).
:- use_module(declared).
:- use_module(justifications).

/** <module> The verbs that write: assert, unassert and unassert_handle (SPEC 3.2)

Nothing is ever taken away: what is no longer to be believed gets an except, and what is believed again gets an except
of that. Who did it and when is what the caller of the plan says, never what a client sends.
*/

:- multifile zpm_plans:planned/6.

%   Request: sentence, context, perhaps strength; syntax, base_context, creator, at.

zpm_plans:planned(verb_assert, Request, Module, Seq, Operations, [keys-[Json]|Pairs]) :-
    said(Request, Said),
    assert_one(Request, Said, Module, Seq-0, Operations, Key, Pairs),
    key_json(Key, Json).

%   Request: sentences, a list of [Sentence, Context]; the others as above. All or nothing; what is wrong is told with
%   its index.

zpm_plans:planned(verb_assert_all, Request, Module, Seq, Operations, [results-Results, keys-Keys]) :-
    said(Request, Said),
    foldl(asserted(Request.syntax, Said, Module, Seq), Request.sentences, Outcomes, 0-0, _),
    include(is_bad, Outcomes, Bads),
    length(Request.sentences, Total),
    refuse(Bads, "sentences", Total),
    findall(Operation, ( member(good(Own, _, _), Outcomes), member(Operation, Own) ), Operations),
    findall(obj(Pairs), member(good(_, _, Pairs), Outcomes), Results),
    findall(Json, ( member(good(_, Key, _), Outcomes), key_json(Key, Json) ), Keys).

said(Request, said(Request.base_context, Request.creator, Request.at)).

%   asserted(+Syntax, +Said, +Module, +Seq, +Given, -Outcome, +Places0, -Places): Places is Index-Additions.

asserted(Syntax, Said, Module, Seq, [Sentence, Context], Outcome, Index-Additions0, Next-Additions) :-
    Next is Index + 1,
    Given = given{sentence:Sentence, context:Context, syntax:Syntax},
    catch(( assert_one(Given, Said, Module, Seq-Additions0, Operations, Key, Pairs),
            length(Operations, Count),
            Additions is Additions0 + Count,
            Outcome = good(Operations, Key, Pairs)
          ),
          Error,
          ( bad([index-Index], Error, Outcome), Additions = Additions0 )).

%   assert_one(+Given, +Said, +Module, +Id, -Operations, -Key, -Pairs): Id is that of the first clause that is added.

assert_one(Given, Said, Module, Seq-Index, Operations, Key, Pairs) :-
    Said = said(BaseText, _, _),
    atom_string(Base, BaseText),
    atom_string(Syntax, Given.syntax),
    require_strength(Given),
    read_sentence(Given, sentence, Module, in(Own, Clause), Names),
    read_context(Given, context, Module, Asked),
    ( nonvar(Own) -> Context = Own ; Context = Asked ),
    clause_parts(Clause, Head, Body),
    require_open_to_clients(Head),
    ( Body == true -> require_ground_fact(Head, Syntax, Names) ; true ),
    require_declared(Module, Base, Clause),
    Key = key(Context, Clause),
    view(Module, Base, Context, View),
    findall(Ref, keyed(Module, Base, Key, Ref), Refs),
    stated(Refs, Module, View, Key, Names, Said, Syntax, Seq-Index, Operations, Status),
    shown_names(Clause, Syntax, Names, Shown),
    sentence_text(Clause, Syntax, Shown, Text),
    atom_string(Context, ContextText),
    Pairs = [sentence-Text, context-ContextText, status-Status].

require_strength(Given) :-
    (   get_dict(strength, Given, Strength), Strength \== "default"
    ->  throw(error(zpm(capped, [strength-Strength]), _))
    ;   true
    ).

require_open_to_clients(Head) :-
    (   Head = genlCx(_, _)
    ->  kept("The hierarchy of contexts is declared in the base and its overlay", "Ask whoever runs the server")
    ;   true
    ).

kept(Why, Hint) :-
    throw(error(zpm(kept, [why-Why, hint-Hint]), _)).

require_ground_fact(Head, Syntax, Names) :-
    (   ground(Head) -> true ; not_ground(Head, Syntax, Names) ).

%   stated(+Refs, +Module, +View, +Key, +Names, +Said, +Syntax, +Id, -Operations, -Status)

stated([], Module, _, key(Context, Clause), Names0, Said, Syntax, Id, [Operation], "asserted") :-
    !,
    stored_names(Syntax, Names0, Names),
    keep(Module, Clause, Context, Names, Said, Id, Operation).
stated(Refs, Module, View, _, _, _, _, _, [], "already_there") :-
    member(Ref, Refs),
    believed(Module, View, Ref),
    !.
stated(Refs, Module, View, _, _, Said, _, Id, Operations, "restored") :-
    View = view(Context, _, Base),
    findall(Except, ( member(Ref, Refs), hidden_by(Module, View, Ref, Except) ), Excepts0),
    maplist(sentex_key(Module, Base), Excepts0, Keys0),
    distinct_keys(Keys0, Keys),
    foldl(except(Module, Context, Said), Keys, Operations, _, Id, _).

%!  distinct_keys(+Keys, -Distinct) is det.

distinct_keys(Keys0, Keys) :-
    foldl(distinct_key, Keys0, [], Keys1),
    reverse(Keys1, Keys).

distinct_key(Key, Keys0, Keys) :-
    (   member(Known, Keys0), Known =@= Key -> Keys = Keys0 ; Keys = [Key|Keys0] ).

%   except(+Module, +Context, +Said, +Hidden, -Operation, -Key, +Id, -NextId): in Context, Hidden is not believed.

except(Module, Context, Said, key(Where, Clause), Operation, Key, Seq-Index, Seq-Next) :-
    Except = '$except'(Where, Clause),
    Key = key(Context, Except),
    keep(Module, Except, Context, [], Said, Seq-Index, Operation),
    Next is Index + 1.

keep(Module, Clause, Context, Names, said(_, Creator, At), Seq-Index, Operation) :-
    clause_parts(Clause, Head, Body),
    add_kept(Module, '$sentex'(Head, Body, Context, default, Creator, At), Names, Seq, Index, Operation).

%   Request: sentence, context, syntax, base_context, creator, at.

zpm_plans:planned(verb_unassert, Request, Module, Seq, Operations, Pairs) :-
    read_sentence(Request, sentence, Module, in(Own, Clause), _),
    read_context(Request, context, Module, Asked),
    ( nonvar(Own) -> Context = Own ; Context = Asked ),
    clause_parts(Clause, Head, _),
    require_open_to_clients(Head),
    atom_string(Base, Request.base_context),
    view(Module, Base, Context, View),
    findall(Key, matching_key(Module, View, Clause, Key), Keys0),
    distinct_keys(Keys0, Keys),
    excepted(Keys, Request, Module, View, Seq, Operations, Pairs).

%   Request: key_context, key_sentence, perhaps context; syntax, base_context, creator, at.

zpm_plans:planned(verb_unassert_handle, Request, Module, Seq, Operations, Pairs) :-
    json_key(Request.key_context, Request.key_sentence, Key),
    Key = key(Own, Clause),
    ( get_dict(context, Request, _) -> read_context(Request, context, Module, Context) ; Context = Own ),
    atom_string(Base, Request.base_context),
    view(Module, Base, Context, View),
    view_contexts(View, Contexts),
    (   memberchk(Own, Contexts), keyed(Module, Base, Key, _)
    ->  clause_parts(Clause, Head, _),
        require_open_to_clients(Head),
        excepted([Key], Request, Module, View, Seq, Operations, Pairs)
    ;   throw(error(zpm(unknown_key, []), _))
    ).

%!  matching_key(+Module, +View, +Clause, -Key) is nondet.
%
%   Of what is seen and says the same or a case of it. A rule says the same as itself only.

matching_key(Module, View, Clause, Key) :-
    View = view(_, Contexts, Base),
    clause_parts(Clause, Head, _),
    copy_term(Head, Like),
    stored_sentex(Module, Base, Like, Ref, Context),
    memberchk(Context, Contexts),
    sentex_key(Module, Base, Ref, Key),
    Key = key(_, Stored),
    (   clause_parts(Clause, Head, true)
    ->  subsumes_term(Head, Stored)
    ;   Stored =@= Clause
    ).

%   excepted(+Keys, +Request, +Module, +View, +Seq, -Operations, -Pairs)

excepted(Keys, Request, Module, View, Seq, Operations, Pairs) :-
    View = view(Context, _, Base),
    Said = said(Request.base_context, Request.creator, Request.at),
    partition(held(Module, View), Keys, Held, Hidden),
    foldl(except(Module, Context, Said), Held, Operations, ExceptKeys, Seq-0, _),
    findall(Key-By, ( member(Key, Hidden), keyed(Module, Base, Key, Ref), hidden_by(Module, View, Ref, Except),
                      sentex_key(Module, Base, Except, By)
                    ),
            Already0),
    distinct_keys(Already0, Already),
    pairs_keys_values(Excepted, Held, ExceptKeys),
    atom_string(Syntax, Request.syntax),
    status(Excepted, Already, Status),
    foldl(excepted_json(Syntax), Excepted, ExceptedJsons, 0-[], Places),
    foldl(excepted_json(Syntax), Already, AlreadyJsons, Places, _-Jsons0),
    reverse(Jsons0, Jsons),
    Pairs = [status-Status, excepted-ExceptedJsons, already-AlreadyJsons, keys-Jsons].

held(Module, View, Key) :-
    View = view(_, _, Base),
    keyed(Module, Base, Key, Ref),
    believed(Module, View, Ref),
    !.

status([_|_], _, "excepted") :- !.
status([], [_|_], "already_excepted") :- !.
status([], [], "not_found").

excepted_json(Syntax, Key-By, obj([handle-Place, except_handle-ByPlace, sentence-Text, context-ContextText]),
              Place-Jsons, Next-[ByJson,KeyJson|Jsons]) :-
    ByPlace is Place + 1,
    Next is Place + 2,
    Key = key(Context, Clause),
    shown_names(Clause, Syntax, [], Names),
    sentence_text(Clause, Syntax, Names, Text),
    atom_string(Context, ContextText),
    key_json(Key, KeyJson),
    key_json(By, ByJson).
