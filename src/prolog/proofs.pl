:- module(zpm_proofs, [explain/2]).   % +Request, -Pairs
:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(memories).
:- use_module(supports).
:- use_module(changes).
:- use_module(texts).
:- use_module(reading).
:- use_module(guards).
:- use_module(queries).
:- use_module(warnings).
:- use_module(interpreter).

/** <module> Why: the proof of a goal's first answer (SPEC 1.4, explain_why)

Whether the goal holds is asked natively, under the usual limits; the proof is then made by interpreter.pl. When
the interpreter gives up, the answer stays what it was: proven, with a tree that says that it is cut.
*/

%!  explain(+Request, -Pairs) is det.
%
%   Request: memory, fact, max_depth, max_nodes, inferences. Pairs: fact, proven, tree (nested, as the
%   reference shows it), nodes (flat: id, parent, goal, rule_applied, source), and what a query tells beside.

explain(Request, Pairs) :-
    atom_string(Name, Request.memory),
    memory_module(Name, Module),
    read_goal(Request.fact, Module, Goal0, _),
    check_goal(Goal0, Module),
    Goal = Module:Goal0,
    copy_term(Goal, Fresh),
    enter_goal_mode,
    first_answer(Goal, Request.inferences, Outcome),
    explained(Outcome, Goal, Fresh, Module, Request, Result),
    unknown_pairs(Module, Unknown),
    warnings(Warnings),
    ( Warnings == [] -> Warned = [] ; Warned = [warnings-Warnings] ),
    append([[fact-Request.fact|Result], Unknown, Warned], Pairs).

%   First answer under the limits: `answer`, `none`, or thrown.

first_answer(Goal, Inferences, Outcome) :-
    statistics(inferences, Before),
    snapshot(catch(( call_with_inference_limit(Goal, Inferences, Result)
                   ->  ( Result == inference_limit_exceeded -> Outcome = limit ; Outcome = answer )
                   ;   Outcome = none
                   ),
                   Error, Outcome = error(Error))),
    statistics(inferences, After),
    (   ( Outcome == limit ; Outcome == none, After - Before >= Inferences )
    ->  throw(error(zpm(limit, [limit-"inferences"]), _))
    ;   true
    ).

explained(error(Error), _, _, _, Request, _) :-
    zpm_queries:rethrow(Error, Request.fact, []).
explained(none, _, _, _, _, [proven-false, tree-null, nodes-[]]).
explained(answer, Goal, Fresh, Module, Request, [proven-true, tree-Tree, nodes-Nodes]) :-
    proof(Goal, Fresh, Request, Proof),
    require_shallow(Goal),
    variable_letters(Proof, '_', Names),
    nested(Proof, Module, Names, Tree),
    flat(Proof, Module, Names, Nodes).

%   The interpreter follows the goal as it was asked. Should it come to another first answer than the engine,
%   the answer itself is proved; should it come to none, the root stands alone.

proof(Goal, Fresh, Request, Proof) :-
    limited_proof(Fresh, Request, Proof),
    Fresh =@= Goal,
    !.
proof(Goal, _, Request, Proof) :-
    limited_proof(Goal, Request, Proof),
    !.
proof(_:Goal, _, _, node(Goal, unknown, [], cut)).

limited_proof(Goal, Request, Proof) :-
    Depth is min(Request.max_depth, 256),
    snapshot(catch(( call_with_inference_limit(prove(Goal, Depth, Request.max_nodes, Proof),
                                               Request.inferences, Result),
                     Result \== inference_limit_exceeded
                   ), _, fail)).

%   nested(+Proof, +Module, +Names, -Json): {goal, rule_applied, children, truncated?}

nested(node(Goal, By, Children, Cut), Module, Names, obj(Pairs)) :-
    described(Goal, By, Module, Names, GoalText, RuleText, _),
    maplist(nested_in(Module, Names), Children, Jsons),
    ( Cut == cut -> Truncated = [truncated-true] ; Truncated = [] ),
    append([goal-GoalText, rule_applied-RuleText, children-Jsons], Truncated, Pairs).

nested_in(Module, Names, Proof, Json) :-
    nested(Proof, Module, Names, Json).

%   flat(+Proof, +Module, +Names, -Nodes): parents before their children, ids from 0.

flat(Proof, Module, Names, Nodes) :-
    numbered([Proof-null], 0, Numbered),
    maplist(flat_node(Module, Names), Numbered, Nodes).

numbered([], _, []).
numbered([Node-Parent|Rest], Id, [numbered(Id, Parent, Node)|Numbered]) :-
    Node = node(_, _, Children, _),
    with_parent(Children, Id, Pairs),
    append(Pairs, Rest, Queue),
    Next is Id + 1,
    numbered(Queue, Next, Numbered).

with_parent([], _, []).
with_parent([Child|Children], Id, [Child-Id|Pairs]) :-
    with_parent(Children, Id, Pairs).

flat_node(Module, Names, numbered(Id, Parent, node(Goal, By, _, Cut)), obj(Pairs)) :-
    described(Goal, By, Module, Names, GoalText, RuleText, Source),
    ( Cut == cut -> Truncated = [truncated-true] ; Truncated = [] ),
    append([id-Id, parent-Parent, goal-GoalText, rule_applied-RuleText, source-Source],
           Truncated, Pairs).

described(Goal0, By, Module, Names, GoalText, RuleText, Source) :-
    without_modules(Goal0, Module, Goal),
    (   catch(require_shallow(Goal), _, fail)
    ->  body_text(Goal, Module, Names, GoalText)
    ;   GoalText = "..."
    ),
    applied(By, Module, RuleText, Source).

applied(clause(Ref), _, RuleText, Source) :-
    clause_property(Ref, predicate(Owner:Name/Arity)),
    functor(Head, Name, Arity),
    stored_clause(Owner:Head, Clause, Ref),
    !,
    (   ( Clause = (_ :- _) ; Clause = (_ => _) )
    ->  clause_display(Owner, Ref, RuleText)
    ;   RuleText = "fact"
    ),
    source_text(Owner, Ref, Source).
applied(Kind, _, RuleText, null) :-
    atom_string(Kind, RuleText).

source_text(Module, Ref, Source) :-
    assumed(Module, Ref, Names),
    !,
    atomic_list_concat(Names, ', ', List),
    ( Names = [_] -> Word = assumption ; Word = assumptions ),
    format(string(Source), "~w ~w", [Word, List]).
source_text(_, Ref, Source) :-
    clause_origin(Ref, Origin),
    (   Origin = file(File, Line)
    ->  format(string(Source), "~w:~d", [File, Line])
    ;   Origin = journal(Seq, _),
        format(string(Source), "commit ~d", [Seq])
    ).
