:- module(zpm_arguing, []).
:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(library(pairs)).
:- use_module(memories).
:- use_module(guards).
:- use_module(sentences).
:- use_module(sentexes).
:- use_module(believing).
:- use_module(answer_tables).
:- use_module(justifications).
:- use_module(declared).
:- use_module(queries).
:- use_module(warnings).
:- use_module(bounded).
:- use_module(texts).
:- use_module(wire).
:- use_module(faults).

/** <module> The verbs that read: query, argue and matching (SPEC 3.2)

Answers are collected in snapshot/1 and within the limits, as those of query_logic are (queries.pl). Sentences go out as
text in the syntax that was asked in, and as keys, which TypeScript turns into handles; each key is told once, in `keys`,
and meant by its place there.
*/

:- multifile zpm:operation/3.

%   Request: goal, context, syntax, base_context, max_depth, limit, justify; and what a query has.

zpm:operation(verb_query, Request, Pairs) :-
    asked_from(Request, Module, Syntax, View),
    read_asked(Request, goal, Module, Goal, Names0),
    exclude(silent, Names0, Names),
    warn_undeclared(Module, View, Goal),
    enter_goal_mode,
    belief_mode(View, any, Mode),
    collect(ask(Goal, Names, Module, Mode), Request, Rows, End0),
    told_rows(Rows, told(Module, Syntax, Mode, Request), Request.answer_bytes, Told, shown([], 0), shown(Keys, _)),
    ( same_length(Rows, Told) -> End = End0 ; cut_short(End0, End) ),
    pairs_keys_values(Told, Answers, Justifications),
    ( Request.justify == true -> Justified = [justifications-Justifications] ; Justified = [] ),
    warn_cut(Mode, Request),
    unknown_pairs(Module, Unknown),
    ended(End, Truncated),
    keys_pair(Keys, KeysPair),
    warning_pairs(Warned),
    append([[answers-Answers], Justified, [KeysPair], Unknown, Truncated, Warned], Pairs0),
    throw_end(End, Request, Pairs0),
    Pairs = Pairs0.

%   Request: sentence, context, syntax, base_context, max_depth.

zpm:operation(verb_argue, Request, Pairs) :-
    asked_from(Request, Module, Syntax, View0),
    read_literal(Request, sentence, Module, in(Context, Literal), Names),
    require_ground(Literal, Names, Syntax),
    (   var(Context) -> View = View0 ; View0 = view(_, _, Base), view(Module, Base, Context, View) ),
    warn_undeclared(Module, View, Literal),
    check_goal(Literal, Module),
    denied(Literal, Denial),
    enter_goal_mode,
    side(Literal, Module, View, Request, For),
    side(Denial, Module, View, Request, Against),
    verdict(For, Against, Module, View, Request, Verdict),
    foldl(side_json(Module, Request), [For, Against], Sides, shown([], 0), shown(Keys, _)),
    side_pairs(Sides, [for, against], SidePairs),
    unknown_pairs(Module, Unknown),
    keys_pair(Keys, KeysPair),
    warning_pairs(Warned),
    append([[verdict-Verdict], SidePairs, [KeysPair], Unknown, Warned], Pairs).

%   Request: pattern, context (or none: then each sentence is looked at from its own), syntax, base_context, limit.

zpm:operation(verb_matching, Request, Pairs) :-
    atom_string(Memory, Request.memory),
    memory_module(Memory, Module),
    atom_string(Base, Request.base_context),
    read_literal(Request, pattern, Module, in(Own, Head), _),
    (   nonvar(Own) -> Asked = Own
    ;   get_dict(context, Request, _) -> read_context(Request, context, Module, Asked)
    ;   true
    ),
    syntax(Request, Syntax),
    enter_goal_mode,
    collect(matched(Module, Base, Asked, Head), Request, Rows, End0),
    foldl(match_json(Module, Base, Syntax), Rows, Matches0, Keys0, 0, _),
    within_bytes(Matches0, Request, Matches, End0, End),
    same_length(Matches, Keys),
    append(Keys, _, Keys0),
    ended(End, Truncated),
    maplist(key_json, Keys, KeyJsons),
    warning_pairs(Warned),
    append([[matches-Matches, keys-KeyJsons], Truncated, Warned], Pairs0),
    throw_end(End, Request, Pairs0),
    Pairs = Pairs0.

asked_from(Request, Module, Syntax, View) :-
    atom_string(Memory, Request.memory),
    memory_module(Memory, Module),
    atom_string(Base, Request.base_context),
    read_context(Request, context, Module, Context),
    syntax(Request, Syntax),
    view(Module, Base, Context, View).

syntax(Request, Syntax) :-
    atom_string(Syntax, Request.syntax).

silent(Name=_) :- sub_atom(Name, 0, _, _, '_').

%   ask(+Goal, +Names, +Module, +Mode, +Request, -Row) is nondet: row(Bindings, Nodes), each set of bindings once.

ask(Goal, Names, Module, Mode, Request, row(Plain, Nodes)) :-
    trie_new(Seen),
    prove_believed(Goal, Module, s(Request.max_depth, [], Mode), Nodes),
    copy_term(Names, Plain0, Residual),
    (   Residual == [] -> true
    ;   warn("An answer holds under constraints, which are not shown")
    ),
    maplist(finite_binding, Plain0, Plain),
    require_shallow(Plain),
    trie_insert(Seen, Plain).

finite_binding(Name=Value0, Name=Value) :-
    finite(Value0, Value).

matched(Module, Base, Asked, Head, _, row(Ref)) :-
    trie_new(Seen),
    (   nonvar(Asked)
    ->  view(Module, Base, Asked, View),
        candidate(Module, View, Head, true, Ref, _)
    ;   stored_fact_of(Module, Base, Head, Ref, Context),
        view(Module, Base, Context, View),
        believed(Module, View, Ref)
    ),
    sentex_key(Module, Base, Ref, Key),
    trie_insert(Seen, Key).

%   collect(:Goal, +Request, -Rows, -End) is det: Goal is called with Request and a row. End is `complete`, `more`,
%   limit(Which) or error(E).

:- meta_predicate collect(2, +, -, -).

collect(Goal, Request, Rows, End) :-
    Count = count(0),
    snapshot(findall(Step, step(Goal, Request, Count, Step), Steps)),
    (   append(Rows, [end(End0)], Steps)
    ->  End = End0
    ;   Rows = Steps, End = complete
    ).

step(Goal, Request, Count, Step) :-
    catch(( call_with_inference_limit(call(Goal, Request, Row), Request.inferences, Result),
            (   Result == inference_limit_exceeded
            ->  Step = end(limit("inferences"))
            ;   arg(1, Count, Found),
                Found >= Request.limit
            ->  Step = end(more)
            ;   arg(1, Count, Found),
                Next is Found + 1,
                nb_setarg(1, Count, Next),
                announce_row,
                Step = Row
            )
          ),
          Error,
          Step = end(error(Error))),
    (   ( Step = end(_) ; get_dict(exactly, Request, true), arg(1, Count, Request.limit) )
    ->  !
    ;   true
    ).

%   within_bytes(+Jsons, +Request, -Shown, +End0, -End): as many as there is room for, and at least one.

within_bytes(Jsons, Request, Shown, End0, End) :-
    (   Jsons = [First|Rest0]
    ->  json_size(First, Size),
        Room is Request.answer_bytes - Size,
        fitting(Rest0, Room, Rest, Cut),
        Shown = [First|Rest],
        ( Cut == true -> cut_short(End0, End) ; End = End0 )
    ;   Shown = [], End = End0
    ).

cut_short(End0, End) :-
    ( memberchk(End0, [complete, more]) -> End = more ; End = End0 ).

fitting([], _, [], false).
fitting([Json|Jsons], Room, Shown, Cut) :-
    json_size(Json, Size),
    Left is Room - Size,
    (   Left < 0
    ->  Shown = [], Cut = true
    ;   Shown = [Json|Rest],
        fitting(Jsons, Left, Rest, Cut)
    ).

json_size(Json, Size) :-
    json_text(Json, Text),
    string_length(Text, Size).

ended(more, [truncated-true]) :- !.
ended(_, [truncated-false]).

throw_end(limit(Limit), Request, Pairs) :-
    !,
    tell_found(Request, Pairs),
    throw(error(zpm(limit, [limit-Limit]), _)).
throw_end(error(Error), Request, Pairs) :-
    !,
    tell_found(Request, Pairs),
    zpm_queries:rethrow(Error, Request.op).
throw_end(_, _, _).

row_answer(Syntax, row(Bindings, _), obj(Pairs)) :-
    variable_letters(Bindings, '_', Names),
    maplist(binding_json(Syntax, Names), Bindings, Pairs).

binding_json(Syntax, Names, Name=Value, Key-Text) :-
    variable_text(Syntax, Name, Key),
    value_text(Value, Syntax, Names, Text).

%   told_rows(+Rows, +Context, +Room, -Told, +Shown0, -Shown): Answer-Justification for as many rows as there is room for,
%   and for one at least.

told_rows([], _, _, [], Shown, Shown).
told_rows([Row|Rows], Context, Room, [Pair|Told], Shown0, Shown) :-
    told_row(Row, Context, Pair, Size, Shown0, Shown1),
    Left is Room - Size,
    more_rows(Rows, Context, Left, Told, Shown1, Shown).

more_rows([], _, _, [], Shown, Shown).
more_rows([Row|Rows], Context, Room, Told, Shown0, Shown) :-
    told_row(Row, Context, Pair, Size, Shown0, Shown1),
    Left is Room - Size,
    (   Left < 0
    ->  Told = [], Shown = Shown0
    ;   Told = [Pair|More],
        more_rows(Rows, Context, Left, More, Shown1, Shown)
    ).

told_row(Row, told(Module, Syntax, Mode, Request), Answer-Justification, Size, Shown0, Shown) :-
    row_answer(Syntax, Row, Answer),
    json_size(Answer, AnswerSize),
    (   Request.justify == true
    ->  Row = row(_, Nodes),
        maplist(proof_of(Mode), Nodes, Proofs),
        justified(Proofs, Module, Request, Justification, Shown0, Shown),
        json_size(Justification, ProofSize),
        Size is AnswerSize + ProofSize
    ;   Justification = none, Size = AnswerSize, Shown = Shown0
    ).

proof_of(Mode, Node, Proof) :-
    whole_proof(Node, Mode, Proof).

warn_cut(Mode, Request) :-
    mode_tables(Mode, Tables),
    (   was_cut(Tables)
    ->  format(string(Warning),
               "Rules were followed to depth ~d only, so there may be more: raise max_depth", [Request.max_depth]),
        warn(Warning)
    ;   true
    ),
    (   was_undecided(Tables)
    ->  warn("What depends on the absence of itself was not decided, and taken as not known")
    ;   true
    ).

require_ground(Literal, Names, Syntax) :-
    (   ground(Literal) -> true ; not_ground(Literal, Syntax, Names) ).

denied(-Literal, Literal) :- !.
denied(Literal, -Literal).

%   side(+Literal, +Module, +View, +Request, -Side): no, or yes(Literal, Proof).

side(Literal, Module, View, Request, Side) :-
    belief_mode(View, any, Mode),
    holds(Literal, Module, Mode, Request, Nodes, Answer),
    warn_cut(Mode, Request),
    (   Answer == yes
    ->  maplist(proof_of(Mode), Nodes, Proofs),
        Side = yes(Literal, Proofs)
    ;   Side = no
    ).

holds(Literal, Module, Mode, Request, Nodes, Answer) :-
    Proof = zpm_believing:prove_believed(Literal, Module, s(Request.max_depth, [], Mode), Nodes),
    first_outcome(true, Proof, Request.inferences, Outcome),
    (   Outcome = limit(Limit) -> throw(error(zpm(limit, [limit-Limit]), _))
    ;   Outcome = error(Error) -> zpm_queries:rethrow(Error, Request.op)
    ;   Answer = Outcome
    ).

verdict(no, no, _, _, _, "unknown") :- !.
verdict(yes(_, _), no, _, _, _, "true") :- !.
verdict(no, yes(_, _), _, _, _, "false") :- !.
verdict(yes(Literal, _), yes(Denial, _), Module, View, Request, Verdict) :-
    undefeatable(Literal, Module, View, Request, For),
    undefeatable(Denial, Module, View, Request, Against),
    (   For == Against -> Verdict = "contradiction"
    ;   For == yes -> Verdict = "true"
    ;   Verdict = "false"
    ).

undefeatable(Literal, Module, View, Request, Answer) :-
    belief_mode(View, monotonic, Mode),
    holds(Literal, Module, Mode, Request, _, Answer).

side_json(_, _, no, none, Shown, Shown).
side_json(Module, Request, yes(_, Proofs), some(Json), Shown0, Shown) :-
    justified(Proofs, Module, Request, Json, Shown0, Shown).

side_pairs([], [], []).
side_pairs([none|Sides], [_|Names], Pairs) :- side_pairs(Sides, Names, Pairs).
side_pairs([some(Json)|Sides], [Name|Names], [Name-Json|Pairs]) :- side_pairs(Sides, Names, Pairs).

match_json(Module, Base, Syntax, row(Ref), obj([handle-Place|Pairs]), Key, Place, Next) :-
    sentex_json(Module, Base, Syntax, Ref, Key, Pairs),
    Next is Place + 1.

stored_fact_of(Module, Base, Head, Ref, Context) :-
    stored_sentex(Module, Base, Head, Ref, Context),
    sentex_key(Module, Base, Ref, key(_, Clause)),
    clause_parts(Clause, _, true).
