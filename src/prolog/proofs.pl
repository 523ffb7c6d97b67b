:- module(zpm_proofs,
          [ explain/2,           % +Request, -Pairs
            first_answer/3,      % :Goal, +Request, -Answer
            goal_shown/4,        % +Goal, +Module, +Names, -Text
            source_text/2        % +Ref, -Text
          ]).
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
:- use_module(bounded).
:- use_module(wire).

:- meta_predicate first_answer(0, +, -).

/** <module> Why: the proof of a goal's first answer (SPEC 1.4, explain_why)

Whether the goal holds is asked natively, under the usual limits; the proof is then made by interpreter.pl. When
the interpreter gives up, the answer stays what it was: proven, with a tree that says that it is cut.
*/

%!  explain(+Request, -Pairs) is det.
%
%   Request: memory, fact, max_depth, max_nodes, inferences, and perhaps max_proofs with answer_bytes. Pairs: fact,
%   proven, nodes (flat: id, parent, goal, rule_applied, source), what a query tells beside and, where max_proofs is
%   given, other_proofs (nodes of each) and more_proofs.

explain(Request, Pairs) :-
    atom_string(Name, Request.memory),
    memory_module(Name, Module),
    read_goal(Request.fact, Module, Goal0, _),
    check_goal(Goal0, Module),
    Goal = Module:Goal0,
    copy_term(Goal, Fresh),
    enter_goal_mode,
    first_answer(Goal, Request, Answer),
    explained(Answer, Goal, Fresh, Module, Request, Result),
    unknown_pairs(Module, Unknown),
    warning_pairs(Warned),
    append([[fact-Request.fact|Result], Unknown, Warned], Pairs).

%!  first_answer(:Goal, +Request, -Answer) is det.
%
%   Answer is `yes`, with the bindings of the first answer, or `no`; limits and errors are thrown.

first_answer(Goal, Request, Answer) :-
    first_outcome(true, Goal, Request.inferences, Outcome),
    answered(Outcome, Request, Answer).

answered(yes, _, yes).
answered(no, _, no).
answered(limit(Limit), _, _) :-
    throw(error(zpm(limit, [limit-Limit]), _)).
answered(error(Error), Request, _) :-
    zpm_queries:rethrow(Error, Request.fact).

explained(no, _, _, _, Request, [proven-false, nodes-[]|Others]) :-
    ( get_dict(max_proofs, Request, _) -> Others = [other_proofs-[], more_proofs-false] ; Others = [] ).
explained(yes, Goal, Fresh, Module, Request, [proven-true, nodes-Nodes|Others]) :-
    proof(Goal, Fresh, Request, Proof),
    require_shallow(Goal),
    shown_proof(Module, Proof, Nodes),
    (   get_dict(max_proofs, Request, Most)
    ->  other_proofs(Goal, Proof, Most, Request, Proofs, More0),
        maplist(shown_proof(Module), Proofs, Shown0),
        fitting_proofs([Nodes|Shown0], Request.answer_bytes, [_|Shown], Cut),
        ( Cut == true -> More = too_long ; More = More0 ),
        more_told(More, Told),
        Others = [other_proofs-Shown, more_proofs-Told]
    ;   Others = []
    ).

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
    proof_depth(Request, Depth),
    first_outcome(true, prove(Goal, Depth, Request.max_nodes, Proof), Request.inferences, yes).

proof_depth(Request, Depth) :-
    Depth is min(Request.max_depth, 256).

%   other_proofs(:Goal, +First, +Most, +Request, -Proofs, -More): those of the first answer that are not First, so
%   many that there are Most in all. More is `no`, `yes`, `too_long`, limit(_) or error(_): the search has a small share
%   of the call's inferences, since the clock must not end it, and the first proof with it.

search_share(400).

other_proofs(Goal, First, Most, Request, Proofs, More) :-
    search_share(Share),
    Inferences is Request.inferences // Share,
    proof_size(First, Size),
    Found = found([First], 1, Size),
    copy_term(Goal, Copy),
    first_outcome(true, enough_proofs(Copy, Most, Request, Found), Inferences, Outcome),
    Found = found(All, Count, _),
    reverse(All, [_|Others]),
    (   Count > Most
    ->  append(Proofs, [_], Others),
        More = yes
    ;   Proofs = Others,
        ( Outcome == yes -> More = too_long ; More = Outcome )
    ).

%   enough_proofs(:Goal, +Most, +Request, !Found) is semidet: there is one more than wanted, or they have so many
%   nodes that nobody wants to read more.

enough_proofs(Goal, Most, Request, Found) :-
    proof_depth(Request, Depth),
    prove(Goal, every, Depth, Request.max_nodes, Proof),
    Found = found(Proofs, Count0, Size0),
    \+ ( member(Known, Proofs), Known =@= Proof ),
    proof_size(Proof, Size1),
    Count is Count0 + 1,
    Size is Size0 + Size1,
    nb_setarg(1, Found, [Proof|Proofs]),
    nb_setarg(2, Found, Count),
    nb_setarg(3, Found, Size),
    ( Count > Most -> true ; Size > Request.max_nodes ),
    !.

%   more_told(+More, -Told): whether there are, or may be, more, with a warning where more of them cannot be had by
%   asking for more.

more_told(no, false).
more_told(yes, true).
more_told(too_long, true) :-
    warn("There are more proofs than fit into one answer: max_depth makes them shorter").
more_told(limit(_), true) :-
    warn("The search for other proofs took too long and was stopped: there may be more").
more_told(error(Error), true) :-
    zpm_faults:message(Error, Message),
    format(string(Warning), "The search for other proofs ended with an error, so there may be more: ~s", [Message]),
    warn(Warning).

proof_size(node(_, _, Children, _), Size) :-
    maplist(proof_size, Children, Sizes),
    sum_list([1|Sizes], Size).

%   fitting_proofs(+Proofs, +Room, -Shown, -Cut): the first one, and as many others as Room has bytes for.

fitting_proofs([First|Others0], Room, [First|Others], Cut) :-
    json_text(First, Text),
    string_length(Text, Length),
    Left is Room - Length,
    fitting_others(Others0, Left, Others, Cut).

fitting_others([], _, [], false).
fitting_others([Proof|Proofs], Room, Shown, Cut) :-
    json_text(Proof, Text),
    string_length(Text, Length),
    Left is Room - Length,
    (   Left >= 0
    ->  Shown = [obj([nodes-Proof])|More],
        fitting_others(Proofs, Left, More, Cut)
    ;   Shown = [], Cut = true
    ).

shown_proof(Module, Proof, Nodes) :-
    variable_letters(Proof, '_', Names),
    flat(Proof, Module, Names, Nodes).

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

described(Goal, By, Module, Names, GoalText, RuleText, Source) :-
    goal_shown(Goal, Module, Names, GoalText),
    applied(By, Module, RuleText, Source).

%!  goal_shown(+Goal, +Module, +Names, -Text) is det.

goal_shown(Goal0, Module, Names, Text) :-
    acyclic_term(Goal0),
    !,
    without_modules(Goal0, Module, Goal),
    (   catch(require_shallow(Goal), _, fail)
    ->  body_text(Goal, Module, Names, Text)
    ;   Text = "..."
    ).
goal_shown(Goal0, Module, _, Text) :-
    strip_module(Goal0, _, Goal1),
    finite(Goal1, Goal2),
    without_modules(Goal2, Module, Goal),
    variable_letters(Goal, '_', Names),
    body_text(Goal, Module, Names, Text).

applied(clause(Ref), _, RuleText, Source) :-
    clause_property(Ref, predicate(Owner:Name/Arity)),
    functor(Head, Name, Arity),
    stored_clause(Owner:Head, Clause, Ref),
    !,
    (   ( Clause = (_ :- _) ; Clause = (_ => _) )
    ->  clause_display(Owner, Ref, RuleText)
    ;   RuleText = "fact"
    ),
    source_text(Ref, Source).
applied(Kind, _, RuleText, null) :-
    atom_string(Kind, RuleText).

%!  source_text(+Ref, -Text) is det.
%
%   Where a clause comes from.

source_text(Ref, Source) :-
    clause_property(Ref, predicate(Module:_)),
    assumed(Module, Ref, Names),
    !,
    atomic_list_concat(Names, ', ', List),
    ( Names = [_] -> Word = assumption ; Word = assumptions ),
    format(string(Source), "~w ~w", [Word, List]).
source_text(Ref, Source) :-
    clause_origin(Ref, Origin),
    (   Origin = file(File, Line)
    ->  format(string(Source), "~w:~d", [File, Line])
    ;   Origin = journal(Seq, _),
        format(string(Source), "commit ~d", [Seq])
    ).
