:- module(zpm_believing,
          [ belief_mode/3,       % +View, +Strength, -Mode
            prove_believed/4,    % +Goal, +Module, +State, -Nodes
            search_was_cut/1,    % +Mode
            whole_proof/3        % +Node, +Mode, -Proof
          ]).
:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(memories).
:- use_module(interpreter).
:- use_module(sentexes).

/** <module> What follows from what is believed (SPEC 3.2)

A mode of the proof interpreter: goals find the believed sentexes of a view where they would find clauses. Every use of
a rule costs one of the depth; at 0 only facts are found. Where a rule was not used for that reason the search was cut,
and whoever answers says so.

A goal whose predicate has rules is answered once for each depth and then looked up, also in a variant. So rules that
lead to themselves, such as transitivity, cost as much as there are goals, where following them blindly would cost as
much as there are ways. What was answered without being cut holds for every greater depth. Answers are a set, in the
order in which they were found first. A table is kept in a trie, the one store that a goal may write to and that no
backtracking empties.

Mode is belief(View, Strength, Table): Strength `any`, or `monotonic` where only what nothing can defeat counts, and then
negation as failure does not.

A node is that of interpreter.pl: By is source(Ref), table(Id), `builtin` or `negation`.
*/

%   More nodes than any proof has: what is shown is bounded where it is shown.

nodes(1 000 000 000).

%!  belief_mode(+View, +Strength, -Mode) is det.

belief_mode(View, Strength, belief(View, Strength, Table)) :-
    trie_new(Table),
    trie_insert(Table, cut, 0),
    trie_insert(Table, next, 0).

%!  search_was_cut(+Mode) is semidet.

search_was_cut(belief(_, _, Table)) :-
    trie_lookup(Table, cut, Cuts),
    Cuts > 0.

note_cut(Table) :-
    trie_lookup(Table, cut, Cuts0),
    Cuts is Cuts0 + 1,
    trie_update(Table, cut, Cuts).

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
own(\+ _, _, monotonic, defeasible) :- !.
own(not(_), _, monotonic, defeasible) :- !.
own(-_, _, _, believed) :- !.
own(Goal, Module, Strength, Kind) :-
    callable(Goal),
    \+ zpm_interpreter:control(Goal, _),
    functor(Goal, Name, Arity),
    (   known(Module, Name, Arity) -> Kind = believed
    ;   has_sentex(Module, Goal) -> Kind = believed
    ;   calls_goals(Goal)
    ->  ( Strength == monotonic -> Kind = defeasible ; Kind = meta )
    ).

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
run(ist, ist(Context, Goal), Module, s(Depth, Above, belief(View0, Strength, Table)), Nodes) :-
    View0 = view(_, _, Base),
    view(Module, Base, Context, View),
    prove_believed(Goal, Module, s(Depth, Above, belief(View, Strength, Table)), Nodes).
run(except_when, exceptWhen(Guard, Goal), Module, State, Nodes) :-
    State = s(_, _, belief(_, Strength, _)),
    Strength \== monotonic,
    prove_believed(Goal, Module, State, Nodes0),
    prove_believed(\+ Guard, Module, State, Nodes1),
    append(Nodes0, Nodes1, Nodes).
run(meta, Goal0, Module, State, [node(Goal0, builtin, [], whole)]) :-
    predicate_property(zpm_libraries:Goal0, meta_predicate(Modes)),
    Goal0 =.. [Name|Arguments0],
    Modes =.. [_|Each],
    maplist(believing(Module, State), Each, Arguments0, Arguments),
    Goal =.. [Name|Arguments],
    call(Module:Goal).
run(believed, Goal, Module, State, [Node]) :-
    State = s(_, _, Mode),
    (   looked_up(Goal, Module, Mode)
    ->  table(Goal, Module, State, Id, Answers),
        member(answer(Goal, _, _), Answers),
        Node = node(Goal, table(Id), [], whole)
    ;   derived(Goal, Module, State, Node)
    ).

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

%   looked_up(+Goal, +Module, +Mode) is semidet: the goal's predicate has a rule, and a table can hold the goal.

looked_up(Goal, Module, _) :-
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

%   table(+Goal, +Module, +State, -Id, -Answers) is det: all answers of the goal, answer(Goal, Ref, Nodes).

table(Goal, Module, s(Depth, _, belief(View, Strength, Table)), Id, Answers) :-
    View = view(Context, _, _),
    Key = Context:Module:Goal,
    (   trie_lookup(Table, whole(Key), Id)
    ->  true
    ;   trie_lookup(Table, cut(Depth, Key), Id)
    ->  note_cut(Table)
    ;   trie_lookup(Table, cut, Before),
        findall(answer(Goal, By, Nodes),
                derived(Goal, Module, s(Depth, [], belief(View, Strength, Table)), node(_, By, Nodes, _)),
                Answers0),
        distinct_answers(Answers0, Distinct),
        trie_lookup(Table, next, Id),
        Next is Id + 1,
        trie_update(Table, next, Next),
        trie_insert(Table, answers(Id), Distinct),
        trie_lookup(Table, cut, After),
        (   After =:= Before
        ->  trie_insert(Table, whole(Key), Id)
        ;   trie_insert(Table, cut(Depth, Key), Id)
        )
    ),
    trie_lookup(Table, answers(Id), Answers).

distinct_answers(Answers0, Answers) :-
    trie_new(Seen),
    include(unseen(Seen), Answers0, Answers).

unseen(Seen, answer(Goal, _, _)) :-
    (   acyclic_term(Goal), term_attvars(Goal, [])
    ->  trie_insert(Seen, Goal)
    ;   true
    ).

%   derived(+Goal, +Module, +State, -Node) is nondet: by one sentex, and what its body needs.

derived(Goal, Module, s(Depth, _, belief(View, Strength, Table)), node(Goal, source(Ref), Nodes, whole)) :-
    prolog_current_choice(Choice),
    candidate(Module, View, Goal, Body, Ref, _),
    ( Strength == monotonic -> sentex_strength(Module, Ref, monotonic) ; true ),
    (   Body == true
    ->  Nodes = []
    ;   Depth =:= 0
    ->  note_cut(Table),
        fail
    ;   Left is Depth - 1,
        nodes(Many),
        body(Body, Module, Choice, s(Left, [], belief(View, Strength, Table)), Many, _, Nodes)
    ).

%!  whole_proof(+Node, +Mode, -Proof) is det.
%
%   With what the tables hold in its place: proof(Goal, By, Premises).

whole_proof(node(Goal, table(Id), _, _), Mode, Proof) :-
    Mode = belief(_, _, Table),
    trie_lookup(Table, answers(Id), Answers),
    member(answer(Found, By, Nodes), Answers),
    subsumes_term(Found, Goal),
    !,
    Found = Goal,
    whole_proof(node(Goal, By, Nodes, whole), Mode, Proof).
whole_proof(node(Goal, By, Nodes, _), Mode, proof(Goal, By, Premises)) :-
    maplist(whole_premise(Mode), Nodes, Premises).

whole_premise(Mode, Node, Proof) :-
    whole_proof(Node, Mode, Proof).
