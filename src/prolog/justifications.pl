:- module(zpm_justifications,
          [ justified/6,         % +Proofs, +Module, +Request, -Jsons, +Shown0, -Shown
            sentex_json/6,       % +Module, +Base, +Syntax, +Ref, -Key, -Pairs
            clause_sentence/4,   % +Clause, +Syntax, +Ref, -Text
            keys_pair/2          % +Keys, -Pair
          ]).
:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(memories).
:- use_module(changes).
:- use_module(texts).
:- use_module(sentences).
:- use_module(sentexes).
:- use_module(warnings).

/** <module> Why, as trees (SPEC 3.2)

Each node is a step: `sentence` is what it derives, and the sentex that derives it gives `handle`, `context` and
`provenance`, as the store has them. A rule is told as `rule`. What a built-in or the absence of a proof gives has
none of these, only `by`. The strength of a step is that of its weakest part, and absence is never more than default.

Keys are collected from last to first; a handle is a place among them until TypeScript has the numbers.
*/

%!  justified(+Proofs, +Module, +Request, -Jsons, +Shown0, -Shown) is det.
%
%   Shown is shown(Keys, Nodes): the keys so far, and how many nodes there are, of which Request.max_nodes are wanted.

justified(Proofs, Module, Request, Jsons, Shown0, Shown) :-
    atom_string(Base, Request.base_context),
    atom_string(Syntax, Request.syntax),
    foldl(step_json(told(Module, Base, Syntax, Request.max_nodes)), Proofs, Jsons, _, Shown0, Shown).

step_json(Told, proof(Goal, By, Premises), obj(Pairs), Strength, Shown0, Shown) :-
    Told = told(Module, Base, Syntax, Most),
    Shown0 = shown(Keys0, Nodes0),
    Nodes is Nodes0 + 1,
    shown_names(Goal, Syntax, [], Names),
    sentence_text(Goal, Syntax, Names, Text),
    source(By, Module, Base, Syntax, Own, SourcePairs, Keys0, Keys1),
    (   Nodes >= Most, Premises \== []
    ->  PremisePairs = [premises-[], truncated-true],
        Weakest = default,
        Shown = shown(Keys1, Nodes),
        warn("A justification is too long to be shown whole")
    ;   foldl(step_json(Told), Premises, Jsons, Strengths, shown(Keys1, Nodes), Shown),
        weakest([Own|Strengths], Weakest),
        PremisePairs = [premises-Jsons]
    ),
    Strength = Weakest,
    atom_string(Weakest, StrengthText),
    append([[sentence-Text|SourcePairs], [strength-StrengthText], PremisePairs], Pairs).

weakest(Strengths, Weakest) :-
    ( memberchk(default, Strengths) -> Weakest = default ; Weakest = monotonic ).

source(builtin, _, _, _, monotonic, [by-"builtin"], Keys, Keys).
source(negation, _, _, _, default, [by-"unknown"], Keys, Keys).
source(source(Ref), Module, Base, Syntax, Strength, Pairs, Keys0, Keys) :-
    sentex_facts(Module, Base, Ref, facts(Key, Strength, Creator, At)),
    Key = key(Context, Clause),
    key_place(Key, Place, Keys0, Keys),
    clause_parts(Clause, _, Body),
    (   Body == true
    ->  RulePairs = [by-"fact"]
    ;   clause_sentence(Clause, Syntax, Ref, Text),
        RulePairs = [by-"rule", rule-Text]
    ),
    provenance(Creator, At, Provenance),
    atom_string(Context, ContextText),
    append([[handle-Place, context-ContextText], RulePairs, [provenance-Provenance]], Pairs).

%!  clause_sentence(+Clause, +Syntax, +Ref, -Text) is det.
%
%   With the names that the author of the stored clause Ref gave to its variables.

clause_sentence(Clause, Syntax, Ref, Text) :-
    clause_names(Ref, Texts),
    term_variables(Clause, Variables),
    bound_names(Variables, Texts, Given),
    shown_names(Clause, Syntax, Given, Names),
    sentence_text(Clause, Syntax, Names, Text).

%!  sentex_json(+Module, +Base, +Syntax, +Ref, -Key, -Pairs) is det.
%
%   A stored sentence as a list of matches has it, but for its handle.

sentex_json(Module, Base, Syntax, Ref, Key, Pairs) :-
    sentex_facts(Module, Base, Ref, facts(Key, Strength, Creator, At)),
    Key = key(Context, Clause),
    clause_sentence(Clause, Syntax, Ref, Text),
    provenance(Creator, At, Provenance),
    atom_string(Context, ContextText),
    atom_string(Strength, StrengthText),
    Pairs = [ sentence-Text, context-ContextText, strength-StrengthText,
              provenance-Provenance
            ].

%   provenance(+Creator, +At, -Json): a commit is told as such, and looked up by whoever holds the journal.

provenance(commit(Seq), _, obj([commit-Seq])) :- !.
provenance(Creator, At, obj([creator-Creator, asserted_at-At])).

%   key_place(+Key, -Place, +Keys0, -Keys): Place counts from 0; Keys0 has the last one first.

key_place(Key, Place, Keys0, Keys) :-
    (   append(_, [Known|Before], Keys0),
        Known =@= Key
    ->  length(Before, Place),
        Keys = Keys0
    ;   length(Keys0, Place),
        Keys = [Key|Keys0]
    ).

%!  keys_pair(+Keys, -Pair) is det.

keys_pair(Keys0, keys-Jsons) :-
    reverse(Keys0, Keys),
    maplist(key_json, Keys, Jsons).
