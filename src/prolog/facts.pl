:- module(zpm_facts,
          [ shown_clauses/3,     % +Texts, +Key, -Pairs
            fitting_texts/3,     % +Texts, -Shown, -Rest
            require_term/1       % +Term
          ]).
:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(memories).
:- use_module(changes).
:- use_module(plans).
:- use_module(texts).
:- use_module(reading).
:- use_module(heads).
:- use_module(queries).
:- use_module(warnings).

/** <module> Replacing facts, and clearing what matches (SPEC 1.4)

Plans like those of plans.pl: each step is one of changes.pl. What is read is checked before anything is
looked for, so that a text that does not fit is refused whatever the memory holds.
*/

:- multifile zpm_plans:planned/6.

%   update: the first fact that matches goes, the new one comes to the end. Both texts are read with the same
%   variables, so `old(X)` and `new(X)` mean the same X.

zpm_plans:planned(update, Request, Module, Seq, Operations,
                  [old_fact-OldText, new_fact-NewText, removed-[OldText]]) :-
    read_fact(Request.old_fact, old_fact, Module, Old0, OldNames),
    read_fact(Request.new_fact, new_fact, Module, New0, NewNames),
    share_variables(OldNames, NewNames, Names),
    unqualified(Old0, Module, Old, old_fact),
    unqualified(New0, Module, New, new_fact),
    require_term(Old),
    check_head(New, Module),
    (   matching_fact(Module, Old, Ref)
    ->  true
    ;   author_names(Old, Names, Named),
        term_text(Old, Module, Named, Given),
        throw(error(zpm(nothing_to_update, [fact-Given]), _))
    ),
    remove(Module, Ref, Removals, OldText),
    warn_variables(New, Names, Module),
    add(Module, New, Names, Seq, 0, Addition, NewText),
    append(Removals, [Addition], Operations).

%   upsert: the key is the first argument. A stored fact with a variable there is about everything and is not
%   replaced.

zpm_plans:planned(upsert, Request, Module, Seq, Operations, Pairs) :-
    read_fact(Request.fact, fact, Module, Fact0, Names),
    unqualified(Fact0, Module, Fact, fact),
    check_head(Fact, Module),
    require_key(Fact),
    findall(Ref, same_key(Module, Fact, Ref), Refs),
    maplist(remove(Module), Refs, Removals, Removed),
    warn_variables(Fact, Names, Module),
    add(Module, Fact, Names, Seq, 0, Addition, Text),
    append(Removals, Gone),
    append(Gone, [Addition], Operations),
    length(Refs, Count),
    shown_clauses(Removed, removed, Shown),
    append([fact-Text, replaced-Count], Shown, Pairs).

%   clear: facts and rules alike. Without a match there is nothing to journal.

zpm_plans:planned(clear, Request, Module, _, Operations, [pattern-Text, count-Count|Shown]) :-
    read_pattern(Request.category, Module, Head, Text),
    findall(Ref, matching_clause(Module, Head, Ref), Refs),
    maplist(remove(Module), Refs, Removals, Removed),
    append(Removals, Operations),
    length(Refs, Count),
    shown_clauses(Removed, removed, Shown),
    functor(Head, Name, Arity),
    ( known(Module, Name, Arity) -> true ; warn_unknown(Module:Name/Arity) ).

%   share_variables(+OldNames, +NewNames, -Names): equal names become the same variable.

share_variables(OldNames, NewNames, Names) :-
    foldl(zpm_reading:share, NewNames, OldNames, Names).

%!  require_term(+Term) is det.
%
%   What no fact can be is refused; a name that cannot be stored simply has no match.

require_term(Term) :-
    (   callable(Term), \+ ( compound(Term), compound_name_arity(Term, _, 0) ) -> true ; refuse_head(Term) ).

require_key(Fact) :-
    (   compound(Fact), arg(1, Fact, Key), \+ ground(Key)
    ->  throw(error(zpm(input, [why-"The first argument is the key that says which facts to replace: it must not contain a variable"]), _))
    ;   true
    ).

%   The key finds the candidates by the engine's index; whether it is the same is then asked of what is stored.

same_key(Module, Fact, Ref) :-
    functor(Fact, Name, Arity),
    known(Module, Name, Arity),
    functor(Candidate, Name, Arity),
    (   Arity =:= 0
    ->  stored_fact(Module, Candidate, Ref)
    ;   arg(1, Fact, Key),
        arg(1, Candidate, Key),
        stored_fact(Module, Candidate, Ref),
        functor(Stored, Name, Arity),
        clause(Module:Stored, true, Ref),
        arg(1, Stored, StoredKey),
        StoredKey == Key
    ).

matching_fact(Module, Fact, Ref) :-
    functor(Fact, Name, Arity),
    known(Module, Name, Arity),
    stored_fact(Module, Fact, Ref),
    !.

%   stored_clause/3 uses the head to find candidates, it does not unify it.

matching_clause(Module, Head, Ref) :-
    functor(Head, Name, Arity),
    known(Module, Name, Arity),
    stored_clause(Module:Head, Clause, Ref),
    clause_head(Clause, Stored),
    unifiable(Head, Stored, _).

%   read_pattern(+Text, +Module, -Head, -Shown): a head, as it is shown.

read_pattern(Given, Module, Head, Shown) :-
    catch(read_fact(Given, category, Module, Head0, Names),
          error(zpm(rule_syntax, _), _),
          no_pattern("The category is a pattern for heads, such as role(_, _), not a rule")),
    unqualified(Head0, Module, Head, category),
    (   callable(Head)
    ->  refuse_head(Head)
    ;   no_pattern("The category must name a predicate, such as role(_, _)")
    ),
    author_names(Head, Names, Named),
    term_text(Head, Module, Named, Shown).

no_pattern(Why) :-
    throw(error(zpm(input, [why-Why]), _)).

%!  shown_clauses(+Texts, +Key, -Pairs) is det.
%
%   The list under Key, cut when it would fill the reply.

shown_clauses(Texts, Key, Pairs) :-
    fitting_texts(Texts, Shown, Rest),
    ( Rest == [] -> Pairs = [Key-Shown] ; Pairs = [Key-Shown, truncated-true] ).

%!  fitting_texts(+Texts, -Shown, -Rest) is det.
%
%   As many of the first as do not fill the reply.

fitting_texts(Texts, Shown, Rest) :-
    fitting(Texts, 16384, Shown, Rest).

fitting([], _, [], []).
fitting([Text|Texts], Room, Shown, Rest) :-
    string_length(Text, Length),
    Left is Room - Length,
    (   Left >= 0
    ->  Shown = [Text|More],
        fitting(Texts, Left, More, Rest)
    ;   Shown = [],
        Rest = [Text|Texts]
    ).
