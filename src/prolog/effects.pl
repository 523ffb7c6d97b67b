:- module(zpm_effects,
          [ effects/2,           % :Goal, -Effects
            keep_effects/1,      % +Effects
            kept_effects/1       % -Effects
          ]).
:- use_module(library(apply)).
:- use_module(memories).

/** <module> What a goal would change

A goal of a user cannot be let loose on the memory and then be looked at: the guards are closed behind it, and the
journal or the file may still refuse. So it runs in snapshot/1, which takes back whatever it did; what stays is a
list of its effects, and the next call of the supervisor, in kernel mode again, makes of them what it needs.
*/

:- meta_predicate effects(0, -).

%!  effects(:Goal, -Effects) is semidet.
%
%   Calls Goal once, keeps its bindings, and takes back its changes to memories. Effects tells them in the order in
%   which they were made:
%
%     - erased(Ref): the clause Ref went. It is there again.
%     - last(Module:Clause): Clause was added behind the others of its predicate, as assertz/1 does.
%     - first(Module:Clause): it was added in front of them, as asserta/1 does.
%
%   A clause that was added and went again is in no effect. Clauses have the form of stored_clause/3. Fails when Goal
%   fails, throws what it throws.

effects(Goal, Effects) :-
    snapshot(( call(Goal),
               transaction_updates(Updates),
               convlist(zpm_effects:effect, Updates, Effects)
             )).

%   The books that our own modules keep are taken back as well, and are nobody's business.

effect(erased(Ref), erased(Ref)) :-
    of_memory(Ref, _).
effect(assertz(Ref), last(Module:Clause)) :-
    added(Ref, Module, Clause).
effect(asserta(Ref), first(Module:Clause)) :-
    added(Ref, Module, Clause).

added(Ref, Module, Clause) :-
    of_memory(Ref, Module:Head),
    stored_clause(Module:Head, Clause, Ref),
    !.

of_memory(Ref, Module:Head) :-
    clause_property(Ref, predicate(Module:Name/Arity)),
    memory_module(Memory, Module),
    memory(Memory),
    functor(Head, Name, Arity).

%!  keep_effects(+Effects) is det.
%!  kept_effects(-Effects) is det.
%
%   From one call of the supervisor to the next. Only the engine that was asked has them, until it is asked for
%   others.

keep_effects(Effects) :-
    nb_setval(zpm_effects, Effects).

kept_effects(Effects) :-
    nb_getval(zpm_effects, Effects).
