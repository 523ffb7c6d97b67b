:- module(zpm_plans,
          [ plan/4,              % +Request, +Memory, +Seq, -Result
            preview/3,           % +Request, +Memory, -Reply
            warn_variables/3,    % +Fact, +Names, +Module
            duplicate/3          % +Module, +Fact, -Duplicate
          ]).
:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(memories).
:- use_module(commits).
:- use_module(supports).
:- use_module(changes).
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

plan(Request, Name, Seq, [ops-Operations, reply-obj(Reply)]) :-
    transaction(run_plan(Request, Name, Seq, Operations, Reply)).

%!  preview(+Request, +Memory, -Reply) is det.
%
%   The same, taken back: what would change.

preview(Request, Name, Reply) :-
    catch(transaction(( run_plan(Request, Name, 0, _, Reply0), throw(previewed(Reply0)) )),
          previewed(Reply), true).

run_plan(Request, Name0, Seq, Operations, Reply) :-
    atom_string(Name, Name0),
    memory_module(Name, Module),
    get_dict(op, Request, Op0),
    atom_string(Op, Op0),
    (   planned(Op, Request, Module, Seq, Operations, Reply0)
    ->  true
    ;   throw(error(zpm(bug, [message-"a plan failed"]), _))
    ),
    warning_pairs(Warned),
    append(Reply0, Warned, Reply).

%!  planned(+Op, +Request, +Module, +Seq, -Operations, -Pairs) is semidet.
%
%   One clause per operation that changes something; other files add theirs. Changes are made with
%   changes.pl, in the order in which they stand in Operations.

:- multifile planned/6.

planned(remember, Request, Module0, Seq, [Operation], [fact-Text, duplicate-Duplicate]) :-
    read_fact(Request.fact, fact, Module0, Fact0, Names),
    unqualified(Fact0, Module0, Fact, fact),
    check_head(Fact, Module0),
    warn_variables(Fact, Names, Module0),
    duplicate(Module0, Fact, Duplicate),
    add(Module0, Fact, Names, Seq, 0, Operation, Text).
planned(define_rule, Request, Module, Seq, Operations, [rule-Text]) :-
    read_rule(Request.head, Request.body, Module, (Head0 :- Body), Names),
    unqualified(Head0, Module, Head, head),
    check_head(Head, Module),
    check_body(Body, Module),
    add(Module, (Head :- Body), Names, Seq, 0, Operation, Text),
    (   Request.tabled == true,
        \+ predicate_property(Module:Head, tabled)
    ->  functor(Head, Name, Arity),
        canonical_text(Name/Arity, Indicator),
        Table = ["t", Indicator],
        apply_commit(Module, Seq, [Table]),
        Operations = [Operation, Table]
    ;   Operations = [Operation]
    ).
planned(forget, Request, Module, _, Operations, [fact-Text, removed-[Text]]) :-
    read_fact(Request.fact, fact, Module, Fact0, Names),
    unqualified(Fact0, Module, Fact, fact),
    (   callable(Fact), \+ ( compound(Fact), compound_name_arity(Fact, _, 0) ) -> true ; check_head(Fact, Module) ),
    (   functor(Fact, Name, Arity),
        known(Module, Name, Arity),
        stored_fact(Module, Fact, Ref)
    ->  remove(Module, Ref, Operations, Text)
    ;   author_names(Fact, Names, Named),
        term_text(Fact, Module, Named, Text),
        throw(error(zpm(no_match, [fact-Text]), _))
    ).

%!  duplicate(+Module, +Fact, -Duplicate) is det.
%
%   Whether the fact is stored already: `true`, with a warning, or `false`.

duplicate(Module, Fact, Duplicate) :-
    functor(Fact, Name, Arity),
    (   known(Module, Name, Arity),
        variant_clause(Module, Fact, Ref),
        \+ assumed(Module, Ref, _)
    ->  Duplicate = true,
        warn("The same fact was already there: it now has one more clause")
    ;   Duplicate = false
    ).

%!  warn_variables(+Fact, +Names, +Module) is det.
%
%   A fact with a variable matches anything there, which is seldom meant.

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
