:- module(test_supports, []).
:- use_module(unit).
:- discontiguous test/1.
:- use_module(memories).
:- use_module(commits).
:- use_module(supports).
:- use_module(plans).
:- use_module(texts).
:- use_module(warnings).
:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(library(pairs)).

/** <module> Facts and what they stand on: order, restarts, and taking changes back

Each test works in snapshots, so that it leaves nothing to the next.
*/

%   A state is what tools can see of it, and what a restart must restore: clauses in order with their ids,
%   supports in order of use.

state(Module, Clauses-Supports) :-
    findall(PI-(Clause-Origin),
            ( known(Module, Name, Arity), PI = Name/Arity,
              functor(Head, Name, Arity),
              stored_clause(Module:Head, Clause, Ref),
              ( assumed(Module, Ref, Names) -> Origin = assumed(Names) ; clause_origin(Ref, Origin) )
            ),
            Clauses0),
    keysort(Clauses0, Clauses),
    findall(Text-Name-Support, supported(Module, Text, Name, Support), Supports0),
    sort(Supports0, Supports).

%   The same without what depends on when a fact came first.

beliefs(Module, Clauses-Supports) :-
    state(Module, Clauses0-Supports0),
    findall(Text-Assumed,
            ( member(_-(Clause-Origin), Clauses0), canonical_text(Clause, Text), ( Origin = assumed(Names) -> sort(Names, Assumed) ; Assumed = [] ) ),
            Clauses1),
    msort(Clauses1, Clauses),
    findall(Text-Name, member(Text-Name-_, Supports0), Supports1),
    sort(Supports1, Supports).

request(remember(Fact), _{op:"remember", fact:Fact}).
request(assume(Fact, Name), _{op:"assume", fact:Fact, assumption:Name}).
request(forget(Fact), _{op:"forget", fact:Fact}).
request(retract(Name), _{op:"retract_assumption", assumption:Name}).
request(retract_all(Pattern), _{op:"retract_assumptions", pattern:Pattern}).
request(rule(Head, Body), _{op:"define_rule", head:Head, body:Body, tabled:false}).

%   done(+Memory, +Action, +Seq, -Operations): without a transaction of its own, since it is in a snapshot.

done(Memory, Action, Seq, Operations) :-
    request(Action, Request),
    begin_call,
    zpm_plans:run_plan(Request, Memory, Seq, Operations, _).

all_done(Memory, Actions, Commits) :-
    foldl(done_next(Memory), Actions, 1-Commits, _-[]).

done_next(Memory, Action, Seq-[[Seq, Operations]|Commits], Next-Commits) :-
    done(Memory, Action, Seq, Operations),
    Next is Seq + 1.

fresh(Memory, Module) :-
    create_memory(Memory, rw),
    memory_module(Memory, Module).

test('the order of remembering, assuming, retracting, rules and facts does not matter') :-
    Actions = [ remember("p(1)"), assume("p(1)", "h1"), assume("p(2)", "h1"), rule("p(X)", "q(X)"),
                retract("h1"), assume("q(3)", "h2") ],
    findall(Beliefs,
            ( permutation(Actions, Order), possible(Order),
              snapshot(( fresh(order, Module), all_done(order, Order, _), beliefs(Module, Beliefs) ))
            ),
            All),
    length(All, Count),
    sort(All, Distinct),
    ( Count >= 240 -> true ; unit:fail_with("only ~w orders", [Count]) ),
    (   Distinct = [["p(1)"-[], "p(A):-q(A)"-[], "q(3)"-[h2]]-['q(3)'-h2]]
    ->  true
    ;   unit:fail_with("~q", [Distinct])
    ).

%   An assumption can only be retracted after its last use.

possible(Order) :-
    append(_, [retract("h1")|After], Order),
    \+ member(assume(_, "h1"), After).

test('two remembered, one assumed: the count of clauses is that of the remembered ones') :-
    forall(permutation([remember("p(1)"), remember("p(1)"), assume("p(1)", "h")], Order),
           (   snapshot(( fresh(order, Module), all_done(order, Order, _), beliefs(Module, Beliefs) )),
               Beliefs = ["p(1)"-[], "p(1)"-[]]-['p(1)'-h]
           ->  true
           ;   unit:fail_with("~q gives ~q", [Order, Beliefs])
           )).

%   Random walks.

test('a restart and a checkpoint come to the same state, taking a commit back to the one before') :-
    numlist(1, 60, Seeds),
    unit:each(test_supports:walked, Seeds).

walked(Seed) :-
    nb_setval(test_seed, Seed),
    snapshot(walk(Verdict)),
    ( Verdict == good -> true ; unit:fail_with("~q", [Verdict]) ).

walk(Verdict) :-
    fresh(live, Live),
    fresh(again, Again),
    fresh(saved, Saved),
    forall(( member(Module, [Live, Again, Saved]), nth1(Line, [p(1), p(2), p(1)], Fact) ),
           add_clause(Module, Fact, ('kb/a.pl':Line)-0, [], _)),
    steps(1, 30, Live, Commits, Verdict),
    (   Verdict \== good
    ->  true
    ;   apply_commits(again, Commits),
        same_state(restart, Live, Again),
        zpm:operation(checkpoint, _{memory:"live", head:200}, [commits-Objects]),
        findall([Seq, Operations], member(obj([seq-Seq, ops-Operations]), Objects), Checkpoint),
        apply_commits(saved, Checkpoint),
        same_state(checkpoint, Live, Saved)
    ).

same_state(What, Live, Other) :-
    state(Live, State),
    state(Other, State1),
    ( State =@= State1 -> true ; unit:fail_with("~w: ~q instead of ~q", [What, State1, State]) ).

steps(Seq, Last, _, [], good) :- Seq > Last, !.
steps(Seq, Last, Live, Commits, Verdict) :-
    action(Action),
    state(Live, Before),
    (   catch(done(live, Action, Seq, Operations), error(zpm(_, _), _), fail)
    ->  state(Live, After),
        taken_back(Operations, Seq, 0, [], Inverse),
        Undo is Seq + 100,
        snapshot(( apply_commit(Live, Undo, Inverse), state(Live, Back) )),
        (   Back =@= Before
        ->  Commits = [[Seq, Operations]|Commits1],
            Next is Seq + 1,
            steps(Next, Last, Live, Commits1, Verdict)
        ;   Commits = [], Verdict = undo(Action, Operations, before(Before), after(After), back(Back))
        )
    ;   Next is Seq + 1,
        steps(Next, Last, Live, Commits, Verdict)
    ).

taken_back([], _, _, Inverse, Inverse).
taken_back([Operation|Operations], Seq, Index, Done, Inverse) :-
    inverse(Operation, Seq, Index, Back),
    ( Operation = [Name|_], memberchk(Name, ["+", "a", "p"]) -> Next is Index + 1 ; Next = Index ),
    taken_back(Operations, Seq, Next, [Back|Done], Inverse).

inverse(["+", Text|Names], Seq, Index, ["-", Seq, Index, Text|Names]).
inverse(["-"|Rest], _, _, ["r"|Rest]).
inverse(["p"|Rest], _, _, ["-"|Rest]).
inverse(["x"|Rest], _, _, ["~x"|Rest]).
inverse(["a"|Rest], _, _, ["~a"|Rest]).
inverse(["~a"|Rest], _, _, ["a"|Rest]).

action(Action) :-
    draw(7, Kind),
    draw(3, N),
    draw(2, M),
    nth0(N, ["p(1)", "p(2)", "p(X)"], Fact),
    nth0(M, ["h1", "h2"], Name),
    nth0(Kind, [remember(Fact), remember(Fact), assume(Fact, Name), assume(Fact, Name), assume(Fact, "other"),
                forget(Fact), retract(Name)], Action).

draw(Below, N) :-
    nb_getval(test_seed, Seed0),
    Seed is (Seed0 * 1103515245 + 12345) mod 2147483648,
    nb_setval(test_seed, Seed),
    N is Seed * Below // 2147483648.

test('many supports go at once') :-
    snapshot(( fresh(many, Module),
               numlist(1, 3000, Numbers),
               foldl(assumed_number(Module), Numbers, 0, _),
               begin_call,
               done(many, retract_all("h*"), 1, Operations),
               state(Module, State)
             )),
    length(Operations, 3000),
    State == []-[].

assumed_number(Module, Number, Index, Next) :-
    format(string(Text), "p(~d)", [Number]),
    support(Module, Text, "h1", [], 1-Index, 1-Index),
    Next is Index + 1.

test('names are matched as globs') :-
    snapshot(( fresh(globs, Module),
               all_done(globs, [assume("p(1)", "infra_a"), assume("p(2)", "infrab"), assume("p(3)", "infra")], _),
               done(globs, retract_all("infra_*"), 4, _),
               findall(Name, assumption(Module, Name), Names)
             )),
    Names == [infrab, infra].
