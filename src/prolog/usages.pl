:- module(zpm_usages, []).
:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(memories).
:- use_module(supports).
:- use_module(references).
:- use_module(changes).
:- use_module(texts).
:- use_module(heads).
:- use_module(queries).
:- use_module(pages).
:- use_module(warnings).

/** <module> Where a predicate is used: the answer of find_predicate_references

Rules of the memory itself, rules of other memories that name it as `NAME:goal`, facts that stand on assumptions,
and the rules that define it: one list, shown a page at a time.
*/

:- multifile zpm:operation/3.

zpm:operation(references, Request, Pairs) :-
    scope(Request.scope, Memories, Reading, Module),
    read_functor(Request.functor, Reading, functor, Name),
    ( get_dict(arity, Request, Arity) -> true ; Arity = any ),
    Target = target(Module, Name, Arity, Name),
    target_text(Name, Arity, Text),
    findall(Row, usage(Memories, Request.cross, Target, Row), Rows),
    facts_count(Memories, Name, Arity, Facts),
    window(Rows, Request, Before, Window, After),
    maplist(row_json, Window, Jsons),
    append([Before, Jsons, After], Values),
    page(Values, Request, Shown, Page),
    maplist(of_kind(Window, Shown), [rule, assumed, cross, defining], [Rules, Assumed, Cross, Defining]),
    (   Rows == [], Facts =:= 0 -> warn_nowhere(Memories, Name, Arity) ; true ),
    warn_data(Memories, Target),
    warning_pairs(Warned),
    append([ [ target-Text, memory-Request.scope, rules-Rules, direct_facts_count-Facts,
               facts_referenced_in_assumptions-Assumed, cross_memory_refs-Cross, defined_by-Defining
             ], Page, Warned ], Pairs).

%   scope(+Text, -Memories, -Reading, -Module): Module is that of the one memory, or `any`; the name is read with the
%   operators of Reading.

scope("__all__", Memories, Reading, any) :-
    !,
    findall(Memory, memory(Memory), Memories),
    memory_module(default, Reading).
scope(Text, [Memory], Module, Module) :-
    atom_string(Memory, Text),
    memory_module(Memory, Module).

target_text(Name, any, Text) :- !, format(string(Text), "~q", [Name]).
target_text(Name, Arity, Text) :- indicator_text(Name/Arity, Text).

%   usage(+Memories, +Cross, +Target, -Row): in the order in which they are shown.

usage(Memories, _, Target, rule(Module, Ref)) :-
    member(Memory, Memories),
    memory_module(Memory, Module),
    referring_rule(Module, Target, Ref, _, References),
    memberchk(ref(Module, _, _), References).
usage(_, true, Target, cross(Module, Ref, Qualifier)) :-
    memory(Memory),
    memory_module(Memory, Module),
    referring_rule(Module, Target, Ref, _, References),
    member(ref(Other, Qualifier, _), References),
    Other \== Module.
usage(Memories, _, target(_, Name, Arity, _), assumed(Module, Text, Names, Assumption)) :-
    member(Memory, Memories),
    memory_module(Memory, Module),
    findall(Use-row(Text0, Names0, Assumption0),
            ( supported(Module, Text0, Assumption0, support(Names0, Use, _)),
              canonical_term(Text0, Fact),
              functor(Fact, Name, FactArity),
              ( Arity == any -> true ; Arity == FactArity )
            ),
            Rows0),
    keysort(Rows0, Rows),
    member(_-row(Text, Names, Assumption), Rows).
usage(Memories, _, target(_, Name, Arity, _), defining(Module, Ref)) :-
    defined(Memories, Name, Arity, Module, Head),
    stored_clause(Module:Head, Clause, Ref),
    ( Clause = (_ :- _) ; Clause = (_ => _) ).

defined(Memories, Name, Arity, Module, Head) :-
    member(Memory, Memories),
    memory_module(Memory, Module),
    known(Module, Name, KnownArity),
    ( Arity == any -> true ; Arity == KnownArity ),
    functor(Head, Name, KnownArity).

facts_count(Memories, Name, Arity, Count) :-
    findall(N,
            ( defined(Memories, Name, Arity, Module, Head),
              predicate_property(Module:Head, number_of_clauses(Clauses)),
              predicate_property(Module:Head, number_of_rules(Rules)),
              N is Clauses - Rules
            ),
            Ns),
    sum_list(Ns, Count).

%   window(+Rows, +Request, -Before, -Window, -After): only what may be shown is made into JSON.

window(Rows, Request, Before, Window, After) :-
    length(Rows, Count),
    Skipped is min(Request.offset, Count),
    Taken is min(Request.limit, Count - Skipped),
    length(Before, Skipped),
    append(Before, Rest, Rows),
    length(Window, Taken),
    append(Window, After, Rest).

row_json(rule(Module, Ref), obj([head-Head, body-Body, memory-Memory])) :-
    rule_texts(Module, Ref, Head, Body),
    memory_text(Module, Memory).
row_json(cross(Module, Ref, Qualifier), obj([head-Head, body-Body, memory-Memory, qualifier-Text])) :-
    rule_texts(Module, Ref, Head, Body),
    memory_text(Module, Memory),
    atom_string(Qualifier, Text).
row_json(assumed(Module, Text, Names, Assumption), obj([assumption-Name, fact-Fact, memory-Memory])) :-
    canonical_term(Text, Term),
    display(Term, Module, Names, Fact),
    atom_string(Assumption, Name),
    memory_text(Module, Memory).
row_json(defining(Module, Ref), Text) :-
    clause_display(Module, Ref, Text).

memory_text(Module, Text) :-
    memory_module(Memory, Module),
    atom_string(Memory, Text).

rule_texts(Module, Ref, HeadText, BodyText) :-
    clause_property(Ref, predicate(Module:Name/Arity)),
    functor(General, Name, Arity),
    stored_clause(Module:General, Clause, Ref),
    !,
    clause_names(Ref, Texts),
    term_variables(Clause, Variables),
    bound_names(Variables, Texts, Bindings),
    author_names(Clause, Bindings, Names),
    parts(Clause, Head, Body),
    term_text(Head, Module, Names, HeadText),
    body_text(Body, Module, Names, BodyText).

parts((Head :- Body), Head, Body).
parts((Head => Body), Head, Body).

of_kind(Rows, Shown, Kind, Values) :-
    findall(Value, ( nth1(N, Shown, Value), nth1(N, Rows, Row), functor(Row, Kind, _) ), Values).

warn_nowhere(Memories, Name, Arity) :-
    (   integer(Arity), Memories = [Memory], memory_module(Memory, Module)
    ->  ( known(Module, Name, Arity) -> true ; warn_unknown(Module:Name/Arity) )
    ;   member(Memory, Memories), memory_module(Memory, Module), known(Module, Name, _)
    ->  true
    ;   format(string(Warning), "~q is the name of no predicate here: no fact, no rule and no goal has it", [Name]),
        warn(Warning)
    ).
