:- module(zpm_interpreter,
          [ prove/4,             % :Goal, +Depth, +Nodes, -Proof
            prove/5,             % :Goal, +Mode, +Depth, +Nodes, -Proof
            goal_nodes/6,        % +Goal, +Module, +State, +N0, -N, -Nodes
            body/7,              % +Goal, +Module, +Choice, +State, +N0, -N, -Nodes
            single_sided/4,      % +Goal, +Module, -Body, -Ref
            goal_kind/3,         % +Goal, +Module, -Kind
            called_goal/4        % +Goal, +Module, -Called, -CalledModule
          ]).
:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(memories).

/** <module> A meta-interpreter that builds the proof, with real cut (ENGINE-NOTES 6)

Each clause body runs with the cut semantics of the engine: prolog_current_choice/1 is taken before a clause
is chosen, and `!` is prolog_cut_to/1. What is classified is classified deterministically first, since an
alternative left behind by the interpreter itself would lie below the choice point and survive the cut.

A proof is node(Goal, By, Children, Cut): By is clause(Ref), `builtin`, `negation` or `tabled`; Cut is `cut`
when the children are left out. At depth 0, or when the nodes are used up, control is still interpreted and
goals are called natively, so that the bindings are those of the engine.

State is s(Depth, Ancestors, Mode): Ancestors are the goals above of which a proof must not use itself, the tabled
ones or, except in the mode `plain`, all. A mode that is a compound term belongs to another file: own_kind/4 says which
goals that runs, and control constructs stay the business of this one.
Nodes left are threaded from N0 to N.
*/

:- meta_predicate
    prove(:, +, +, -),
    prove(:, +, +, +, -).

%!  prove(:Goal, +Depth, +Nodes, -Proof) is nondet.
%
%   One proof for each answer of Goal, in the engine's order. A conjunction at the top has a node of its own.

prove(Goal, Depth, Nodes, Proof) :-
    prove(Goal, plain, Depth, Nodes, Proof).

%!  prove(:Goal, +Mode, +Depth, +Nodes, -Proof) is nondet.
%
%   In the mode `acyclic` no goal is proved by means of itself. That takes no proof away, since what such a goal
%   could be proved by would prove the goal above at once, but it ends where the engine runs in a circle. The mode
%   `every` is the same, and a tabled answer has all its proofs, where otherwise it has the first.

prove(Module0:Goal, Mode, Depth, Nodes, Proof) :-
    ( memory(Module0) -> memory_module(Module0, Module) ; Module = Module0 ),
    goal_nodes(Goal, Module, s(Depth, [], Mode), Nodes, _, List),
    (   List = [node(Root, By, Children, Cut)],
        strip_module(Goal, _, Plain),
        Root == Plain
    ->  Proof = node(Root, By, Children, Cut)
    ;   Proof = node(Goal, builtin, List, whole)
    ).

%!  own_kind(+Mode, +Goal, +Module, -Kind) is semidet.
%!  own_run(+Kind, +Goal, +Module, +State, -Nodes) is nondet.
%
%   How the goals of a mode of another file are run, one of each for the mode. A goal of no kind is run as in any mode, one
%   of the kind instead(Other) as Other is.

:- multifile own_kind/4, own_run/5.

%!  goal_nodes(+Goal, +Module, +State, +N0, -N, -Nodes) is nondet.
%
%   A goal with its own barrier for the cut.

goal_nodes(Goal, Module, State, N0, N, Nodes) :-
    prolog_current_choice(Choice),
    body(Goal, Module, Choice, State, N0, N, Nodes).

%!  body(+Goal, +Module, +Choice, +State, +N0, -N, -Nodes) is nondet.
%
%   A goal in which a cut goes back to Choice.

body(Goal, Module, Choice, State, N0, N, Nodes) :-
    (   State = s(_, _, Mode), compound(Mode), nonvar(Goal), own_kind(Mode, Goal, Module, Own)
    ->  (   Own = instead(Other)
        ->  body(Other, Module, Choice, State, N0, N, Nodes)
        ;   N = N0,
            own_run(Own, Goal, Module, State, Nodes)
        )
    ;   goal_kind(Goal, Module, Kind),
        run(Kind, Goal, Module, Choice, State, N0, N, Nodes)
    ).

%!  goal_kind(+Goal, +Module, -Kind) is det.
%
%   `user`, `tabled`, `ssu`, `leaf` (what the engine runs as a whole) or a control construct. run/8 leaves no choice
%   point of its own before the goal's.

goal_kind(Goal, Module, Kind) :-
    (   var(Goal) -> Kind = call
    ;   control(Goal, Kind0) -> Kind = Kind0
    ;   \+ callable(Goal) -> Kind = call
    ;   functor(Goal, Name, Arity), known(Module, Name, Arity)
    ->  (   predicate_property(Module:Goal, tabled) -> Kind = tabled
        ;   predicate_property(Module:Goal, ssu) -> Kind = ssu
        ;   Kind = user
        )
    ;   Kind = leaf
    ).

control(true, true).
control((_, _), and).
control(!, cut).
control((If ; _), Kind) :-
    (   nonvar(If), If = (_ -> _) -> Kind = if_then_else
    ;   nonvar(If), If = (_ *-> _) -> Kind = soft_cut_else
    ;   Kind = or
    ).
control((_ -> _), if_then).
control((_ *-> _), soft_cut).
control(\+ _, not).
control(not(_), not).
control(_ : _, qualified).
control(Goal, call_n) :- compound(Goal), compound_name_arity(Goal, call, N), N > 0.
control(once(_), once).
control(ignore(_), ignore).
control(catch(_, _, _), catch).

run(true, _, _, _, _, N, N, []).
run(and, (A, B), Module, Choice, State, N0, N, Nodes) :-
    body(A, Module, Choice, State, N0, N1, NodesA),
    body(B, Module, Choice, State, N1, N, NodesB),
    append(NodesA, NodesB, Nodes).
run(cut, _, _, Choice, _, N, N, []) :-
    prolog_cut_to(Choice).
run(or, (A ; B), Module, Choice, State, N0, N, Nodes) :-
    (   body(A, Module, Choice, State, N0, N, Nodes)
    ;   body(B, Module, Choice, State, N0, N, Nodes)
    ).
run(if_then_else, (C -> A ; B), Module, Choice, State, N0, N, Nodes) :-
    (   goal_nodes(C, Module, State, N0, N1, NodesC)
    ->  body(A, Module, Choice, State, N1, N, NodesA),
        append(NodesC, NodesA, Nodes)
    ;   body(B, Module, Choice, State, N0, N, Nodes)
    ).
run(soft_cut_else, (C *-> A ; B), Module, Choice, State, N0, N, Nodes) :-
    %   A cut in C would else find the soft cut's own choice point, which is dead after the first answer.
    (   ( true ; fail ),
        goal_nodes(C, Module, State, N0, N1, NodesC)
    *-> body(A, Module, Choice, State, N1, N, NodesA),
        append(NodesC, NodesA, Nodes)
    ;   body(B, Module, Choice, State, N0, N, Nodes)
    ).
run(if_then, (C -> A), Module, Choice, State, N0, N, Nodes) :-
    (   goal_nodes(C, Module, State, N0, N1, NodesC)
    ->  body(A, Module, Choice, State, N1, N, NodesA),
        append(NodesC, NodesA, Nodes)
    ).
run(soft_cut, (C *-> A), Module, Choice, State, N0, N, Nodes) :-
    ( true ; fail ),
    goal_nodes(C, Module, State, N0, N1, NodesC),
    body(A, Module, Choice, State, N1, N, NodesA),
    append(NodesC, NodesA, Nodes).
run(not, Goal, Module, _, State, N0, N, Nodes) :-
    arg(1, Goal, Inner),
    not_provable(Inner, Module, State, N0),
    leaf(Goal, negation, State, N0, N, Nodes).
run(qualified, Name:Goal, Module, Choice, State, N0, N, Nodes) :-
    (   atom(Name), memory(Name) -> memory_module(Name, Other) ; Other = Name ),
    ignore(Module = _),
    body(Goal, Other, Choice, State, N0, N, Nodes).
run(call, Goal, Module, _, State, N0, N, Nodes) :-
    call(Module:Goal),
    leaf(Goal, builtin, State, N0, N, Nodes).
run(call_n, Goal, Module, _, State, N0, N, Nodes) :-
    (   called_goal(Goal, Module, Called, Module1)
    ->  goal_nodes(Called, Module1, State, N0, N, Nodes)
    ;   call(Module:Goal),
        leaf(Goal, builtin, State, N0, N, Nodes)
    ).
run(once, once(Goal), Module, _, State, N0, N, Nodes) :-
    ( goal_nodes(Goal, Module, State, N0, N, Nodes) -> true ).
run(ignore, ignore(Goal), Module, _, State, N0, N, Nodes) :-
    ( goal_nodes(Goal, Module, State, N0, N, Nodes) -> true ; N = N0, Nodes = [] ).
run(catch, catch(Goal, Ball, Recovery), Module, _, State, N0, N, Nodes) :-
    catch(goal_nodes(Goal, Module, State, N0, N, Nodes), Ball,
          goal_nodes(Recovery, Module, State, N0, N, Nodes)).
run(leaf, Goal, Module, _, State, N0, N, Nodes) :-
    call(Module:Goal),
    leaf(Goal, builtin, State, N0, N, Nodes).
run(user, Goal, Module, _, State, N0, N, Nodes) :-
    (   shown(State, N0, State1, N1)
    ->  below(Goal, Module, State1, State2),
        prolog_current_choice(Choice),
        clause(Module:Goal, Body, Ref),
        clause_body(Body, Goal, Module, Ref, Choice, State2, N1, N, Nodes)
    ;   call(Module:Goal),
        N = N0, Nodes = []
    ).
run(ssu, Goal, Module, _, State, N0, N, Nodes) :-
    (   shown(State, N0, State1, N1)
    ->  below(Goal, Module, State1, State2),
        prolog_current_choice(Choice),
        single_sided(Goal, Module, Body, Ref),
        clause_body(Body, Goal, Module, Ref, Choice, State2, N1, N, Nodes)
    ;   call(Module:Goal),
        N = N0, Nodes = []
    ).
run(tabled, Goal, Module, _, State, N0, N, Nodes) :-
    call(Module:Goal),
    (   shown(State, N0, State1, N1)
    ->  tabled_nodes(Goal, Module, State1, N1, N, Nodes)
    ;   N = N0, Nodes = []
    ).

%!  called_goal(+Goal, +Module, -Called, -CalledModule) is semidet.
%
%   What call/N calls. A yall lambda copies its free variables: the engine runs it as a whole.

called_goal(Goal, Module, Called, CalledModule) :-
    Goal =.. [call, Closure|Extra],
    callable(Closure),
    \+ higher_order(Closure),
    strip_module(Module:Closure, CalledModule, Plain),
    Plain =.. List0,
    append(List0, Extra, List),
    Called =.. List.

higher_order(_ >> _).
higher_order(_ / _).

%   Whether a node may be shown here, and the state for its children.

shown(s(Depth, Ancestors, Mode), N0, s(Left, Ancestors, Mode), N) :-
    Depth >= 0,
    N0 > 0,
    Left is Depth - 1,
    N is N0 - 1.

%   below(+Goal, +Module, +State0, -State) is semidet: the state for what proves Goal.

below(_, _, s(Left, Ancestors, plain), s(Left, Ancestors, plain)) :- !.
below(Goal, Module, s(Left, Ancestors, Mode), s(Left, [Module:Goal|Ancestors], Mode)) :-
    \+ ( member(Ancestor, Ancestors), Ancestor == Module:Goal ).

%   What is under a negation does not help to prove what is above: a goal that denies itself has no answer here,
%   it runs into a limit.

not_provable(Inner, Module, s(_, _, plain), _) :-
    !,
    \+ call(Module:Inner).
not_provable(Inner, Module, s(Left, _, Mode), N) :-
    \+ goal_nodes(Inner, Module, s(Left, [], Mode), N, _, _).

leaf(Goal, Kind, State, N0, N, Nodes) :-
    (   shown(State, N0, _, N1)
    ->  N = N1, Nodes = [node(Goal, Kind, [], whole)]
    ;   N = N0, Nodes = []
    ).

clause_body(true, Goal, _, Ref, _, _, N, N, [node(Goal, clause(Ref), [], whole)]) :- !.
clause_body(Body, Goal, Module, Ref, Choice, State, N0, N, [node(Goal, clause(Ref), Children, Cut)]) :-
    ( Body = Module:Plain -> true ; Plain = Body ),
    (   State = s(Left, _, _), Left >= 0, N0 > 0 -> Cut = whole ; Cut = cut ),
    body(Plain, Module, Choice, State, N0, N, Children).

%!  single_sided(+Goal, +Module, -Body, -Ref) is semidet.
%
%   Head => Body: the head is matched, not unified, the guard runs once, and then there is no way back.

single_sided(Goal, Module, Body, Ref) :-
    functor(Goal, Name, Arity),
    functor(General, Name, Arity),
    findall(Ref0, rule(Module:General, _, Ref0), Refs),
    member(Ref, Refs),
    functor(Head0, Name, Arity),
    stored_clause(Module:Head0, Rule, Ref),
    (   Rule = ((Head, Guard) => Body) -> true
    ;   Rule = (Head => Body), Guard = true
    ),
    subsumes_term(Head, Goal),
    Head = Goal,
    call(Module:Guard),
    !.

tabled_nodes(Goal, Module, s(Left, Ancestors, every), N0, N, Nodes) :-
    !,
    tabled_proof(Goal, Module, s(Left, Ancestors, every), N0, N, Nodes).
tabled_nodes(Goal, Module, State, N0, N, Nodes) :-
    (   once(tabled_proof(Goal, Module, State, N0, N1, Nodes0))
    ->  N = N1, Nodes = Nodes0
    ;   N = N0, Nodes = [node(Goal, tabled, [], whole)]
    ).

%   A tabled answer is proved by the clauses, for the instance that the table holds. Its proof must not need
%   itself: a table holds only what has such a proof.

tabled_proof(Goal, Module, s(Left, Ancestors, Mode), N0, N, Nodes) :-
    \+ ( member(Ancestor, Ancestors), Ancestor =@= Module:Goal ),
    clause(Module:Goal, Body, Ref),
    prolog_current_choice(Choice),
    clause_body(Body, Goal, Module, Ref, Choice, s(Left, [Module:Goal|Ancestors], Mode), N0, N, Nodes).
