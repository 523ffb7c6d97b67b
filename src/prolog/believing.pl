:- module(zpm_believing,
          [ belief_mode/3,       % +View, +Strength, -Mode
            mode_tables/2,       % +Mode, -Tables
            mode_context/2,      % +Mode, -Context
            prove_believed/4,    % +Goal, +Module, +State, -Nodes
            derived/4,           % +Goal, +Module, +State, -Node
            is_rule/1,           % +Ref
            whole_proof/3        % +Node, +Mode, -Proof
          ]).
:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(memories).
:- use_module(interpreter).
:- use_module(sentexes).
:- use_module(answer_tables).

/** <module> What follows from what is believed (SPEC 3.2)

A mode of the proof interpreter: goals find the believed sentexes of a view where they would find clauses. A goal whose
predicate has rules is looked up in a table (answer_tables.pl), any other one goes through the facts.

Mode is belief(View, Strength, Tables): Strength `any`, or `monotonic` where only what nothing can defeat counts, and
then what is not known does not. A node is that of interpreter.pl: By is source(Ref), table(Id, Height), `builtin` or
`negation`.
*/

%   More nodes than any proof has: what is shown is bounded where it is shown.

nodes(1 000 000 000).

%!  belief_mode(+View, +Strength, -Mode) is det.

belief_mode(View, Strength, belief(View, Strength, Tables)) :-
    new_tables(Tables).

mode_tables(belief(_, _, Tables), Tables).

mode_context(belief(view(Context, _, _), _, _), Context).

%!  prove_believed(+Goal, +Module, +State, -Nodes) is nondet.
%
%   State is s(Depth, [], Mode).

prove_believed(Goal, Module, State, Nodes) :-
    nodes(Many),
    goal_nodes(Goal, Module, State, Many, _, Nodes).

zpm_interpreter:own_kind(belief(_, Strength, _), Goal, Module, Kind) :-
    own(Goal, Module, Strength, Kind).

own(ist(_, _), _, _, ist) :- !.
own(exceptWhen(_, _), _, _, except_when) :- !.
own(\+ _, _, Strength, Kind) :- !, ( Strength == monotonic -> Kind = defeasible ; Kind = unknown ).
own(not(_), _, Strength, Kind) :- !, ( Strength == monotonic -> Kind = defeasible ; Kind = unknown ).
own(-_, _, _, believed) :- !.
own(catch(_, _, _), _, _, catch) :- !.
own(Goal, _, _, instead(Other)) :- certain(Goal, Other), !.
own(Goal, Module, Strength, Kind) :-
    callable(Goal),
    \+ zpm_interpreter:control(Goal, _),
    functor(Goal, Name, Arity),
    (   known(Module, Name, Arity) -> Kind = believed
    ;   has_sentex(Module, Goal) -> Kind = believed
    ;   calls_goals(Goal)
    ->  ( Strength == monotonic -> Kind = defeasible ; Kind = meta )
    ).

%   certain(+Goal, -Other) is semidet: Other does not take what was not found for what is not so. What a lambda calls is
%   followed, too.

certain((If ; Else), (If ; \+ Condition, Else)) :-
    nonvar(If),
    ( If = (Condition -> _) ; If = (Condition *-> _) ),
    !,
    \+ ( nonvar(Else), Else = (\+ Same, _), Same == Condition ).
certain(forall(Condition, Action), \+ (Condition, \+ Action)).
certain(Call, Goal) :-
    compound(Call),
    compound_name_arguments(Call, call, [Lambda|Arguments]),
    nonvar(Lambda),
    lambda_body(Lambda, Arguments, Goal).

lambda_body(Free/Lambda, Arguments, Goal) :-
    nonvar(Lambda),
    Lambda = (_ >> _),
    !,
    copy_term_nat(Free/Lambda, Free/Copy),
    parameters(Copy, Arguments, Goal).
lambda_body(Lambda, Arguments, Goal) :-
    Lambda = (_ >> _),
    copy_term_nat(Lambda, Copy),
    parameters(Copy, Arguments, Goal).

parameters(Parameters >> Body, Arguments, Goal) :-
    bound_parameters(Parameters, Arguments, Rest),
    (   Rest == []
    ->  Goal = Body
    ;   Goal =.. [call, Body|Rest]
    ).

bound_parameters([Parameter|Parameters], [Argument|Arguments], Rest) :-
    !,
    Parameter = Argument,
    bound_parameters(Parameters, Arguments, Rest).
bound_parameters(_, Rest, Rest).

calls_goals(Goal) :-
    predicate_property(zpm_libraries:Goal, meta_predicate(Modes)),
    arg(_, Modes, Mode),
    calling(Mode),
    !.

calling(Mode) :- integer(Mode).
calling(^).

zpm_interpreter:own_run(Kind, Goal, Module, State, Nodes) :-
    run(Kind, Goal, Module, State, Nodes).

%   What negation and the like derive can be defeated by a sentence more.

run(defeasible, _, _, _, _) :-
    fail.
run(ist, ist(Context, Goal), Module, s(Depth, Above, belief(View0, Strength, Tables)), Nodes) :-
    View0 = view(_, _, Base),
    view(Module, Base, Context, View),
    prove_believed(Goal, Module, s(Depth, Above, belief(View, Strength, Tables)), Nodes).
run(unknown, Goal, Module, State, [node(Goal, negation, [], whole)]) :-
    arg(1, Goal, Inner),
    absent(Inner, Module, State).
run(except_when, exceptWhen(Guard, Goal), Module, State, Nodes) :-
    prove_believed(Goal, Module, State, Nodes0),
    prove_believed(\+ Guard, Module, State, Nodes1),
    append(Nodes0, Nodes1, Nodes).
run(catch, catch(Goal, Ball, Recovery), Module, State, Nodes) :-
    State = s(_, _, belief(_, _, Tables)),
    %   What was being answered stays unfinished, and so not certain.
    catch(prove_believed(Goal, Module, State, Nodes), Ball,
          ( note_cut(Tables), prove_believed(Recovery, Module, State, Nodes) )).
run(meta, Goal0, Module, State, [node(Goal0, builtin, [], whole)]) :-
    predicate_property(zpm_libraries:Goal0, meta_predicate(Modes)),
    Goal0 =.. [Name|Arguments0],
    Modes =.. [_|Each],
    maplist(believing(Module, State), Each, Arguments0, Arguments),
    Goal =.. [Name|Arguments],
    (   collecting(Name)
    ->  State = s(_, _, Mode),
        settled(Module:Goal, Mode)
    ;   call(Module:Goal)
    ).
run(believed, Goal, Module, State, [Node]) :-
    (   looked_up(Goal, Module)
    ->  table_answers(Goal, Module, State, Id, Answers),
        member(answer(Goal, Height, _, _), Answers),
        Node = node(Goal, table(Id, Height), [], whole)
    ;   derived(Goal, Module, State, Node)
    ).

%   What collects answers says something about those that there are not.

collecting(Name) :-
    memberchk(Name, [findall, findnsols, bagof, setof, aggregate_all, include, exclude, partition]).

%   A goal that a built-in calls asks what is believed, too.

believing(Module, State, Mode, Goal0, Goal) :-
    (   calling(Mode), callable(Goal0) -> carets(Goal0, Module, State, Goal) ; Goal = Goal0 ).

carets(Variable^Goal0, Module, State, Variable^Goal) :-
    callable(Goal0),
    !,
    carets(Goal0, Module, State, Goal).
carets(Goal, Module, State, zpm_believing:holds(State, Module, Goal)).

:- public holds/3, holds/4, holds/5, holds/6, holds/7, holds/8, holds/9, holds/10.

holds(State, Module, Goal) :- prove_believed(Goal, Module, State, _).
holds(State, Module, Goal, A) :- holds_with(State, Module, Goal, [A]).
holds(State, Module, Goal, A, B) :- holds_with(State, Module, Goal, [A, B]).
holds(State, Module, Goal, A, B, C) :- holds_with(State, Module, Goal, [A, B, C]).
holds(State, Module, Goal, A, B, C, D) :- holds_with(State, Module, Goal, [A, B, C, D]).
holds(State, Module, Goal, A, B, C, D, E) :- holds_with(State, Module, Goal, [A, B, C, D, E]).
holds(State, Module, Goal, A, B, C, D, E, F) :- holds_with(State, Module, Goal, [A, B, C, D, E, F]).
holds(State, Module, Goal, A, B, C, D, E, F, G) :- holds_with(State, Module, Goal, [A, B, C, D, E, F, G]).

holds_with(State, Module, Goal, Extra) :-
    Call =.. [call, Goal|Extra],
    prove_believed(Call, Module, State, _).

%   looked_up(+Goal, +Module) is semidet: the goal's predicate has a rule, and a table can hold the goal.

looked_up(Goal, Module) :-
    functor(Goal, Name, Arity),
    functor(General, Name, Arity),
    (   known(Module, Name, Arity),
        predicate_property(Module:General, number_of_rules(Rules)),
        Rules > 0
    ->  true
    ;   known(Module, '$sentex', 6),
        clause(Module:'$sentex'(General, Body, _, _, _, _), true),
        Body \== true
    ->  true
    ),
    term_attvars(Goal, []),
    acyclic_term(Goal).

%!  derived(+Goal, +Module, +State, -Node) is nondet.
%
%   By one sentex, and what its body needs. A rule takes one of the depth that is left.

derived(Goal, Module, s(Depth, _, belief(View, Strength, Tables)), node(Goal, source(Ref), Nodes, whole)) :-
    prolog_current_choice(Choice),
    candidate(Module, View, Goal, Body, Ref, _),
    ( Strength == monotonic -> sentex_strength(Module, Ref, monotonic) ; true ),
    (   Body == true
    ->  Nodes = []
    ;   Depth =:= 0
    ->  note_cut(Tables),
        fail
    ;   Left is Depth - 1,
        nodes(Many),
        body(Body, Module, Choice, s(Left, [], belief(View, Strength, Tables)), Many, _, Nodes)
    ).

%!  is_rule(+Ref) is semidet.

is_rule(Ref) :-
    clause_property(Ref, predicate(Module:Name/Arity)),
    (   Name == '$sentex'
    ->  clause(Module:'$sentex'(_, Body, _, _, _, _), true, Ref),
        Body \== true
    ;   functor(Head, Name, Arity),
        \+ clause(Module:Head, true, Ref)
    ).

%!  whole_proof(+Node, +Mode, -Proof) is det.
%
%   With what the tables hold in its place: proof(Goal, By, Premises).

whole_proof(node(Goal, table(Id, Height), _, _), Mode, Proof) :-
    mode_tables(Mode, Tables),
    table_answer(Tables, Id, Height, answer(Found, _, By, Nodes)),
    subsumes_term(Found, Goal),
    !,
    Found = Goal,
    whole_proof(node(Goal, By, Nodes, whole), Mode, Proof).
whole_proof(node(Goal, By, Nodes, _), Mode, proof(Goal, By, Premises)) :-
    maplist(whole_premise(Mode), Nodes, Premises).

whole_premise(Mode, Node, Proof) :-
    whole_proof(Node, Mode, Proof).
