:- module(zpm_plans, [plan/4]).   % +Request, +Memory, +Seq, -Result
:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(memories).
:- use_module(texts).
:- use_module(reading).
:- use_module(heads).
:- use_module(guards).
:- use_module(warnings).

/** <module> Writes: what a tool's call changes, as journal operations

A plan changes this engine and says in journal operations what it changed. It runs in a transaction that
keeps its changes only when the plan succeeds, under the journal's lock: the supervisor journals the
operations and throws this engine away when that fails (DESIGN section 4, rule W). The clauses are read back
from the engine, not from the request, so that the journal holds what a replica will really store.
*/

%!  plan(+Request, +Memory, +Seq, -Result) is det.
%
%   Result is [ops-Operations, reply-obj(Pairs)]. On any error nothing is changed; when a predicate was
%   created on the way, the error is marked `retire`, since the engine keeps an empty one.

plan(Request, Name0, Seq, [ops-Operations, reply-obj(Reply)]) :-
    atom_string(Name, Name0),
    memory_module(Name, Module),
    get_dict(op, Request, Op0),
    atom_string(Op, Op0),
    (   transaction(planned(Op, Request, Module, Seq, Operations, Reply0))
    ->  true
    ;   throw(error(zpm(bug, [message-"a plan failed"]), _))
    ),
    warnings(Warnings),
    (   Warnings == [] -> Reply = Reply0 ; append(Reply0, [warnings-Warnings], Reply) ).

planned(remember, Request, Module0, Seq, [Operation], [fact-Text, duplicate-Duplicate]) :-
    read_fact(Request.fact, fact, Module0, Fact0, Names),
    unqualified(Fact0, Module0, Fact, fact),
    check_head(Fact, Module0),
    warn_variables(Fact, Names, Module0),
    duplicate(Module0, Fact, Duplicate),
    add(Module0, Fact, Names, Seq-0, Operation, Text).
planned(define_rule, Request, Module, Seq, Operations, [rule-Text]) :-
    read_rule(Request.head, Request.body, Module, (Head0 :- Body), Names),
    unqualified(Head0, Module, Head, head),
    check_head(Head, Module),
    check_body(Body, Module),
    add(Module, (Head :- Body), Names, Seq-0, Operation, Text),
    (   Request.tabled == true
    ->  functor(Head, Name, Arity),
        canonical_text(Name/Arity, Indicator),
        Table = ["t", Indicator],
        apply_operations(Module, Seq, [Table]),
        Operations = [Operation, Table]
    ;   Operations = [Operation]
    ).
planned(forget, Request, Module, _, [Operation], [fact-Text, removed-[Text]]) :-
    read_fact(Request.fact, fact, Module, Fact0, Names),
    unqualified(Fact0, Module, Fact, fact),
    (   callable(Fact), \+ ( compound(Fact), compound_name_arity(Fact, _, 0) ) -> true ; check_head(Fact, Module) ),
    (   functor(Fact, Name, Arity),
        known(Module, Name, Arity),
        clause(Module:Fact, true, Ref)
    ->  remove(Module, Ref, Operation, Text)
    ;   author_names(Fact, Names, Named),
        term_text(Fact, Module, Named, Text),
        throw(error(zpm(no_match, [fact-Text]), _))
    ).

apply_operations(Module, Seq, Operations) :-
    atom_string(Module, _),
    zpm_memories:apply_commit(Module, Seq, Operations).

%   Adds one clause and describes it: the journal's operation and the text for the reply.

add(Module, Clause, Bindings, Id, Operation, Text) :-
    canonical_text(Clause, _),
    variable_names(Clause, Bindings, Names),
    catch(add_clause(Module, Clause, Id, Names, Ref), Error, refused(Error, Clause, Module)),
    clause_head(Clause, Head),
    functor(Head, Name, Arity),
    functor(General, Name, Arity),
    stored_clause(Module:General, Stored, Ref),
    !,
    canonical_text(Stored, Canonical),
    operation(Canonical, Names, Operation),
    term_variables(Stored, Variables),
    named(Variables, Names, Named),
    clause_text(Stored, Module, Named, Text).

operation(Text, [], ["+", Text]) :- !.
operation(Text, Names, ["+", Text, Names]).

refused(error(permission_error(_, _, _), _), Clause, Module) :-
    !,
    clause_head(Clause, Head),
    functor(Head, Name, Arity),
    indicator_text(Name/Arity, Text),
    ignore(Module = _),
    format(string(Why),
           "~s already has clauses of the other kind: a predicate is written with ':-' or with '=>', not with both",
           [Text]),
    throw(error(zpm(input, [why-Why]), _)).
refused(Error, _, _) :-
    throw(Error).

%   The author's names in the order of the clause's variables, "_" for one without; none for a ground clause.

variable_names(Clause, Bindings, Names) :-
    author_names(Clause, Bindings, Named),
    maplist(name_text, Named, Names).

name_text(Name=_, Text) :-
    atom_string(Name, Text).

named([], _, []).
named([Variable|Variables], [Text|Texts], [Name=Variable|Named]) :-
    !,
    atom_string(Name, Text),
    named(Variables, Texts, Named).
named(_, [], []).

remove(Module, Ref, Operation, Text) :-
    clause(Module:Head, _, Ref),
    functor(Head, Name, Arity),
    functor(General, Name, Arity),
    stored_clause(Module:General, Stored, Ref),
    !,
    canonical_text(Stored, Canonical),
    clause_names(Ref, Names),
    term_variables(Stored, Variables),
    named(Variables, Names, Named),
    clause_text(Stored, Module, Named, Text),
    clause_origin(Ref, Origin),
    removal(Origin, Module, Ref, Canonical, Operation).

removal(journal(Seq, Index), Module, Ref, Text, ["-", Seq, Index, Text]) :-
    erase_clause(Module, Ref).
removal(file(_, _), Module, Ref, Text, ["x", Text, Occurrence]) :-
    occurrence(Module, Text, Ref, Occurrence),
    zpm_memories:hide(Module, Text, Occurrence).

duplicate(Module, Fact, Duplicate) :-
    functor(Fact, Name, Arity),
    (   known(Module, Name, Arity),
        copy_term(Fact, Copy),
        clause(Module:Copy, true, _),
        Copy =@= Fact
    ->  Duplicate = true,
        warn("The same fact was already there: it now has one more clause")
    ;   Duplicate = false
    ).

warn_variables(Fact, Names, Module) :-
    (   ground(Fact)
    ->  true
    ;   author_names(Fact, Names, Named),
        term_text(Fact, Module, Named, Text),
        (   Names = [Name=_|_]
        ->  format(string(Warning),
                   "~w is a variable, so ~s matches anything there; quote it if a name was meant: '~w'",
                   [Name, Text, Name])
        ;   format(string(Warning), "~s has a variable, so it matches anything there", [Text])
        ),
        warn(Warning)
    ).
