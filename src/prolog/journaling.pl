:- module(zpm_journaling, [documented_change/2]).   % +Request, -Pairs
:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(memories).
:- use_module(changes).
:- use_module(effects).
:- use_module(documents).
:- use_module(solutions).

/** <module> Documented predicates that change a memory (SPEC 2.3)

The first of two steps: what is called is tried, taken back, and kept as effects (effects.pl). The second is a plan
like any other: it makes operations of the journal of them. The files of `kb` are never written.
*/

%!  documented_change(+Request, -Pairs) is det.
%
%   Request and Pairs are those of operate/2. A call without a solution changes nothing.

documented_change(Request, Pairs) :-
    expose_documents(Request),
    zpm_operate:opened(Request, op(Name, _, Determinism, _), Call, Outputs),
    (   memberchk(Determinism, [det, semidet]) -> Limit = 1 ; Limit = Request.limit ),
    changing_solutions(Call, Outputs, Limit, Request, Rows, More, Effects),
    zpm_operate:answer(Determinism, Outputs, Name, Rows, More, Pairs),
    keep_effects(Effects).

:- multifile zpm_plans:planned/6.

zpm_plans:planned(kept_effects, _, Module, Seq, Operations, []) :-
    kept_effects(Effects),
    keep_effects([]),
    foldl(zpm_journaling:journal(Module, Seq), Effects, Nested, 0, _),
    append(Nested, Operations).

%   journal(+Module, +Seq, +Effect, -Operations, +Index0, -Index): Index counts the additions of the commit.

journal(Module, _, erased(Ref), Operations, Index, Index) :-
    clause_property(Ref, predicate(Owner:_)),
    require_own(Module, Owner),
    remove(Module, Ref, Operations, _).
journal(Module, Seq, last(Owner:Clause), [Operation], Index0, Index) :-
    require_own(Module, Owner),
    add(Module, Clause, [], Seq, Index0, Operation, _),
    Index is Index0 + 1.
journal(_, _, first(_), _, _, _) :-
    throw(error(zpm(unjournaled, [what-"asserta/1, since a commit adds at the end: use assertz/1"]), _)).

require_own(Module, Owner) :-
    (   Module == Owner -> true
    ;   throw(error(zpm(unjournaled, [what-"a change of another memory: use the tools of zpm"]), _))
    ).
