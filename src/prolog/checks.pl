:- module(zpm_checks,
          [ trace_dependency/2,       % +Request, -Pairs
            verify_consistency/2      % +Request, -Pairs
          ]).
:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(library(assoc)).
:- use_module(memories).
:- use_module(changes).
:- use_module(texts).
:- use_module(reading).
:- use_module(guards).
:- use_module(queries).
:- use_module(leftovers).
:- use_module(faults).
:- use_module(pages).
:- use_module(warnings).
:- use_module(wire).

/** <module> What follows from a node, and what must not be (SPEC 1.4)

Both run what the memory says: path/2 and integrity_violation/N. An error or a limit is never shown as an empty
list.
*/

%!  trace_dependency(+Request, -Pairs) is det.
%
%   Request: memory, start_node, offset, limit, inferences, answer_bytes. The nodes X of path(Start, X), each
%   once: from near to far where path/2 is the transitive closure of one relation, else in standard order.

trace_dependency(Request, Pairs) :-
    atom_string(Name, Request.memory),
    memory_module(Name, Module),
    read_one(Request.start_node, 'start node', Module, Start, _),
    (   ground(Start) -> true
    ;   throw(error(zpm(input, [why-"The start node must not contain a variable: quote a name that begins with a capital letter, such as 'Core'"]), _))
    ),
    (   closure(Module, Relation)
    ->  Search = zpm_checks:reached(Module, Relation, Start, Nodes)
    ;   ( known(Module, path, 2) -> lend_table(Module:path/2) ; true ),
        Search = zpm_checks:answers(Module, Start, Nodes)
    ),
    goal_text(Start, Module, Text),
    enter_goal_mode,
    catch(within_limits(Search, Request), Error, zpm_queries:rethrow(Error, Text)),
    maplist(node_json(Module), Nodes, Values),
    page(Values, Request, Shown, Page),
    unknown_pairs(Module, Unknown),
    warning_pairs(Warned),
    append([[nodes-Shown], Unknown, Page, Warned], Pairs).

goal_text(Start, Module, Text) :-
    Goal = path(Start, X),
    term_text(Goal, Module, ['X'=X], Text).

node_json(Module, Node, Json) :-
    value_json(Node, Module, Json).

within_limits(Search, Request) :-
    statistics(inferences, Before),
    snapshot(call_with_inference_limit(Search, Request.inferences, Result)),
    statistics(inferences, After),
    (   ( Result == inference_limit_exceeded ; After - Before >= Request.inferences )
    ->  throw(error(zpm(limit, [limit-"inferences"]), _))
    ;   true
    ).

:- public answers/3, reached/4.

answers(Module, Start, Nodes) :-
    findall(Node, Module:path(Start, Node), Nodes0),
    sort(Nodes0, Nodes).

%   closure(+Module, -Relation): path/2 has two rules, `path(X, Y) :- R(X, Y)` and one that goes on from there.
%   Relation is relation(X, Y, Goal).

closure(Module, relation(X, Y, Goal)) :-
    known(Module, path, 2),
    findall(Clause, stored_clause(Module:path(_, _), Clause, _), [First, Second]),
    (   Base-Step = First-Second ; Base-Step = Second-First ),
    Base = (path(X, Y) :- Goal),
    var(X), var(Y), X \== Y,
    conjuncts(Goal, Goals),
    forall(member(G, Goals), one_step(G)),
    steps(Base, Steps),
    member(Expected, Steps),
    Step = (Head :- Body),
    conjuncts(Body, Bodies),
    (Head :- Bodies) =@= Expected,
    !.

%   Control inside a step would have to be understood; a plain goal need not be.

one_step(Goal) :-
    callable(Goal),
    \+ Goal = path(_, _),
    \+ memberchk(Goal, [!, (_ ; _), (_ -> _), (_ *-> _), _:_]).

steps(Base, [ (path(X, Z) :- EdgeThenPath), (path(X, Z) :- PathThenEdge),
              (path(X, Z) :- PathFirst), (path(X, Z) :- EdgeLast),
              (path(X, Z) :- [path(X, Y), path(Y, Z)])
            ]) :-
    edge(Base, X, Y, XY),
    edge(Base, Y, Z, YZ),
    append(XY, [path(Y, Z)], EdgeThenPath),
    PathThenEdge = [path(X, Y)|YZ],
    PathFirst = [path(Y, Z)|XY],
    append(YZ, [path(X, Y)], EdgeLast).

edge(Base, X, Y, Goals) :-
    copy_term(Base, (path(X, Y) :- Goal)),
    conjuncts(Goal, Goals).

conjuncts(Goal, [Goal]), var(Goal) => true.
conjuncts((A, B), Goals) =>
    conjuncts(A, GoalsA),
    conjuncts(B, GoalsB),
    append(GoalsA, GoalsB, Goals).
conjuncts(Goal, Goals) => Goals = [Goal].

%   reached(+Module, +Relation, +Start, -Nodes): breadth first. The start is reached only by a way back to it.

reached(Module, Relation, Start, Nodes) :-
    empty_assoc(None),
    neighbours(Module, Relation, Start, First),
    spread(First, [], Module-Relation, None, Nodes).

%   spread(+Near, +Far, +Edges, +Seen, -Nodes): Far are the nodes of the next round, last first.

spread([], [], _, _, []) :- !.
spread([], Far, Edges, Seen, Nodes) :-
    !,
    reverse(Far, Near),
    spread(Near, [], Edges, Seen, Nodes).
spread([Node|Near], Far0, Edges, Seen0, Nodes) :-
    (   seen(Node, Seen0, Seen)
    ->  Nodes = [Node|More],
        Edges = Module-Relation,
        neighbours(Module, Relation, Node, Next),
        reverse(Next, Reversed),
        append(Reversed, Far0, Far)
    ;   Nodes = More, Far = Far0, Seen = Seen0
    ),
    spread(Near, Far, Edges, Seen, More).

%   seen(+Term, +Seen0, -Seen) is semidet: Term is the first of its variants, and noted.

seen(Term, Seen0, Seen) :-
    copy_term(Term, Key, _),
    numbervars(Key, 0, _),
    \+ get_assoc(Key, Seen0, _),
    put_assoc(Key, Seen0, true, Seen).

neighbours(Module, Relation, Node, Next) :-
    copy_term(Relation, relation(Node, Neighbour, Goal)),
    findall(Neighbour, Module:Goal, Next).

%!  verify_consistency(+Request, -Pairs) is det.
%
%   Request: memory, perhaps scope, offset, limit, inferences, answer_bytes, and perhaps `exactly`: then limit is the
%   number of clauses that the clock allowed. Each clause of integrity_violation/N is asked by itself, so that
%   one that throws hides none of the others. Pairs: violations, each once, and faults: what clauses threw.

verify_consistency(Request, Pairs) :-
    atom_string(Name, Request.memory),
    memory_module(Name, Module),
    findall(Check, check(Module, Check), Checks0),
    ( Checks0 == [] -> warn("Nothing was checked: there is no rule integrity_violation(X)") ; true ),
    (   get_dict(exactly, Request, true)
    ->  length(Checks, Request.limit),
        append(Checks, _, Checks0),
        Paged = Request.put(limit, 10000)
    ;   Checks = Checks0, Paged = Request
    ),
    ( get_dict(scope, Request, Scope0) -> atom_string(Scope, Scope0), Wanted = scope(Scope) ; Wanted = all ),
    statistics(inferences, Before),
    Last is Before + Request.inferences,
    enter_goal_mode,
    maplist(checked(Module, Last), Checks, Found, Faults0),
    append(Found, Violations0),
    include(in_scope(Wanted), Violations0, Violations1),
    each_once(Violations1, Violations),
    maplist(violation_json(Module), Violations, Values),
    page(Values, Paged, Shown, Page),
    append(Faults0, Faults),
    unknown_pairs(Module, Unknown),
    warning_pairs(Warned),
    append([[violations-Shown, faults-Faults], Unknown, Page, Warned], Pairs).

%   check(+Module, -Check): check(Text, Head, Goal), in order of arity and then of clauses. A predicate with `=>`
%   commits to one clause, so it is asked as a whole.

check(Module, check(Text, Head, Goal)) :-
    findall(Arity, known(Module, integrity_violation, Arity), Arities0),
    sort(Arities0, Arities),
    member(Arity, Arities),
    functor(Head0, integrity_violation, Arity),
    (   predicate_property(Module:Head0, ssu)
    ->  Head = Head0, Goal = Head0,
        format(string(Text), "integrity_violation/~d", [Arity])
    ;   clause(Module:Head0, _, Ref),
        stored_clause(Module:Head0, Clause, Ref),
        ( Clause = (Head :- Goal) -> true ; Head = Clause, Goal = true ),
        clause_display(Module, Ref, Text)
    ).

%   checked(+Module, +Last, +Check, -Heads, -Faults): Last is the number of inferences at which all must end.

checked(Module, Last, check(Text, Head, Goal), Heads, Faults) :-
    statistics(inferences, Now),
    Left is max(Last - Now, 1),
    snapshot(findall(Step, check_step(Module, Head, Goal, Left, Step), Steps)),
    statistics(inferences, After),
    (   append(Heads, [end(Error)], Steps)
    ->  fault(Error, obj(Pairs)),
        Faults = [obj([clause-Text|Pairs])]
    ;   After >= Last
    ->  throw(error(zpm(limit, [limit-"inferences"]), _))
    ;   Heads = Steps, Faults = []
    ),
    announce_row.

check_step(Module, Head, Goal, Inferences, Step) :-
    catch(( call_with_inference_limit(Module:Goal, Inferences, Result),
            (   Result == inference_limit_exceeded
            ->  Step = end(error(zpm(limit, [limit-"inferences"]), _))
            ;   Step = Head
            )
          ),
          Error,
          Step = end(Error)),
    ( Step = end(_) -> ! ; true ).

in_scope(all, _).
in_scope(scope(Scope), Head) :-
    compound(Head),
    arg(1, Head, First),
    (   First == Scope
    ->  true
    ;   compound(First),
        compound_name_arity(First, Scope, _)
    ).

each_once(Heads, Once) :-
    empty_assoc(None),
    each_once(Heads, None, Once).

each_once([], _, []).
each_once([Head|Heads], Seen0, Once) :-
    ( seen(Head, Seen0, Seen) -> Once = [Head|More] ; Once = More, Seen = Seen0 ),
    each_once(Heads, Seen, More).

%   One argument is the value itself, several are a list; without any the name stands for itself.

violation_json(Module, Head, Json) :-
    Head =.. [Name|Arguments],
    (   Arguments == []
    ->  atom_string(Name, Json)
    ;   Arguments = [Argument]
    ->  value_json(Argument, Module, Json)
    ;   value_json(Arguments, Module, Json)
    ).
