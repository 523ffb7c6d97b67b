:- module(zpm_answer_tables,
          [ new_tables/1,        % -Tables
            table_answers/5,     % +Goal, +Module, +State, -Id, -Answers
            table_answer/4,      % +Tables, +Id, +Height, -Answer
            absent/3,            % +Goal, +Module, +State
            settled/2,           % :Goal, +Mode
            node_height/2,       % +Node, -Height
            note_cut/1,          % +Tables
            was_cut/1,           % +Tables
            was_undecided/1      % +Tables
          ]).
:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(believing).

:- meta_predicate settled(0, +).

/** <module> All answers of a goal, once (SPEC 3.2)

Rules lead to themselves: whole parts of parts, friends of friends. Following them blindly costs as much as there are
ways, and may never end. So a goal whose predicate has rules has a table of its answers, found in this way:

  * A goal that is asked while it is being answered gets the answers found so far, and the goal that was first of such a
    circle is answered again until nothing new comes (Tarjan's strong components decide which one that is). Then all
    goals of the circle are complete.
  * An answer has a height: 0 for a stored fact, one more than the highest of what a rule needed. The lowest is kept,
    with its proof, so that the proofs that the tables hold are no circles. A goal has a budget, what is left of the depth
    that was allowed, and sees the answers that are no higher. Where something was left out for that reason the search
    was cut, which is noted; a complete table that was cut is only good for its own budget.
  * "Not known" holds when the search for it has ended, without an answer and without a cut. A goal that needs the
    absence of what is still being answered is undecided, and so does not hold.

Everything lies in tries, the one store that a goal may write to and that backtracking leaves alone. Terms are keys of
tries and values are small integers or tries: where a value that is a compound term is updated, the engine aborts. The
trie of a question has counters (`cut`, `round`, `serial`, `low`, `changes`, `undecided`, `pending`), the ids of the
incomplete tables at pending(1) and up, and for each table:

    key(Key)       its id
    budget(Id)     what it was last answered with
    round(Id)      when that was
    status(Id)     see status/2
    was_cut(Id)    1 when something was left out
    order(Id)      a trie: from an answer to its place among the answers
    height(Id)     a trie: from an answer to its lowest height
    rows(Id)       a trie of row(Place, Height, answer(Goal, Height, By, Nodes))
    list(Id, N)    a trie with one key, all answers as a list; N is whole(Id)
*/

%   Lower than no table.

nothing(1 000 000 000).

%   status(?Number, ?Status)

status(-1, new) :- !.
status(-2, complete) :- !.
status(Number, Status) :-
    (   integer(Number)
    ->  Index is Number // 2,
        ( Number mod 2 =:= 0 -> Status = running(Index) ; Status = incomplete(Index) )
    ;   Status = running(Index)
    ->  Number is 2 * Index
    ;   Status = incomplete(Index),
        Number is 2 * Index + 1
    ).

%!  new_tables(-Tables) is det.

new_tables(Tables) :-
    trie_new(Tables),
    nothing(Nothing),
    forall(member(Counter, [cut, round, serial, changes, undecided, pending]), trie_insert(Tables, Counter, 0)),
    trie_insert(Tables, low, Nothing).

count(Tables, Counter, Before) :-
    trie_lookup(Tables, Counter, Before),
    After is Before + 1,
    trie_update(Tables, Counter, After).

%!  note_cut(+Tables) is det.
%!  was_cut(+Tables) is semidet.
%!  was_undecided(+Tables) is semidet.

note_cut(Tables) :- count(Tables, cut, _).

was_cut(Tables) :- trie_lookup(Tables, cut, Cuts), Cuts > 0.

was_undecided(Tables) :- trie_lookup(Tables, undecided, Times), Times > 0.

%!  table_answers(+Goal, +Module, +State, -Id, -Answers) is det.
%
%   Answers is a list of answer(Goal, Height, By, Nodes), in the order in which they were found. State is s(Budget, _, Mode).

table_answers(Goal, Module, s(Budget, _, Mode), Id, Answers) :-
    mode_tables(Mode, Tables),
    table(Tables, Goal, Module, Mode, Id),
    brought(Id, Goal, Module, Budget, Mode),
    current_answers(Tables, Id, All),
    include(no_higher(Budget), All, Answers),
    ( same_length(All, Answers) -> true ; note_cut(Tables) ).

no_higher(Budget, answer(_, Height, _, _)) :- Height =< Budget.

table(Tables, Goal, Module, Mode, Id) :-
    mode_context(Mode, Context),
    Key = key(Context:Module:Goal),
    (   trie_lookup(Tables, Key, Id)
    ->  true
    ;   count(Tables, serial, Id),
        trie_insert(Tables, Key, Id),
        trie_insert(Tables, budget(Id), -1),
        trie_insert(Tables, round(Id), -1),
        trie_insert(Tables, status(Id), -1),
        trie_insert(Tables, was_cut(Id), 0),
        forall(member(Part, [order(Id), height(Id), rows(Id)]),
               ( trie_new(Trie), trie_insert(Tables, Part, Trie) ))
    ).

%   brought(+Id, +Goal, +Module, +Budget, +Mode): the table is complete, or part of a circle that is being answered.

brought(Id, Goal, Module, Budget, Mode) :-
    mode_tables(Mode, Tables),
    trie_lookup(Tables, status(Id), Number),
    trie_lookup(Tables, budget(Id), Had),
    trie_lookup(Tables, was_cut(Id), Cut),
    status(Number, Status),
    (   Status == complete, ( Cut =:= 0 ; Had >= Budget )
    ->  ( Cut =:= 1 -> note_cut(Tables) ; true )
    ;   Status = running(Index)
    ->  lower(Tables, Index)
    ;   Status = incomplete(Low),
        trie_lookup(Tables, round, Now),
        trie_lookup(Tables, round(Id), Now),
        Had >= Budget
    ->  lower(Tables, Low)
    ;   Most is max(Had, Budget),
        evaluate(Id, Goal, Module, Most, Mode)
    ).

lower(Tables, Index) :-
    trie_lookup(Tables, low, Low0),
    Low is min(Low0, Index),
    trie_update(Tables, low, Low).

evaluate(Id, Goal, Module, Budget, Mode) :-
    mode_tables(Mode, Tables),
    count(Tables, serial, Index),
    trie_lookup(Tables, low, Outer),
    trie_lookup(Tables, cut, Cuts),
    trie_lookup(Tables, pending, Pending),
    trie_update(Tables, budget(Id), Budget),
    set_status(Tables, Id, running(Index)),
    rounds(Id, Goal, Module, Budget, Mode, Index, Low),
    (   Low >= Index
    ->  trie_lookup(Tables, cut, CutsNow),
        ( CutsNow > Cuts -> Cut = 1 ; Cut = 0 ),
        complete(Tables, Cut, Id),
        trie_lookup(Tables, pending, Last),
        First is Pending + 1,
        forall(between(First, Last, N), ( trie_lookup(Tables, pending(N), Other), complete(Tables, Cut, Other) )),
        trie_update(Tables, pending, Pending),
        trie_update(Tables, low, Outer)
    ;   set_status(Tables, Id, incomplete(Low)),
        count(Tables, pending, Before),
        Place is Before + 1,
        trie_update(Tables, pending(Place), Id),
        Both is min(Outer, Low),
        trie_update(Tables, low, Both)
    ).

set_status(Tables, Id, Status) :-
    status(Number, Status),
    trie_update(Tables, status(Id), Number).

%   rounds(+Id, +Goal, +Module, +Budget, +Mode, +Index, -Low): Low is the lowest table that is being answered and that was
%   asked, of those below this one.

rounds(Id, Goal, Module, Budget, Mode, Index, Low) :-
    mode_tables(Mode, Tables),
    nothing(Nothing),
    trie_lookup(Tables, changes, Before),
    trie_lookup(Tables, round, Now),
    trie_update(Tables, round(Id), Now),
    trie_update(Tables, low, Nothing),
    forall(derived(Goal, Module, s(Budget, [], Mode), Node), keep(Tables, Id, Node)),
    trie_lookup(Tables, low, Low0),
    trie_lookup(Tables, changes, After),
    (   Low0 =:= Index, After > Before
    ->  count(Tables, round, _),
        rounds(Id, Goal, Module, Budget, Mode, Index, Low)
    ;   Low = Low0
    ).

complete(Tables, Cut, Id) :-
    set_status(Tables, Id, complete),
    trie_update(Tables, was_cut(Id), Cut),
    sorted_answers(Tables, Id, List),
    count(Tables, serial, N),
    trie_new(Whole),
    trie_insert(Whole, List),
    trie_insert(Tables, list(Id, N), Whole),
    trie_update(Tables, whole(Id), N).

%   keep(+Tables, +Id, +Node): as an answer, if it is new or lower than before. What no table can hold is told.

keep(Tables, Id, Node) :-
    Node = node(Goal, By, Nodes, _),
    (   acyclic_term(Node), term_attvars(Node, [])
    ->  node_height(Node, Height),
        trie_lookup(Tables, height(Id), Heights),
        (   trie_lookup(Heights, Goal, Known), Known =< Height
        ->  true
        ;   count(Tables, changes, Serial),
            trie_update(Heights, Goal, Height),
            trie_lookup(Tables, order(Id), Orders),
            ( trie_lookup(Orders, Goal, Place) -> true ; Place = Serial, trie_insert(Orders, Goal, Place) ),
            trie_lookup(Tables, rows(Id), Rows),
            ignore(trie_insert(Rows, row(Place, Height, answer(Goal, Height, By, Nodes))))
        )
    ;   zpm_warnings:warn("An answer that holds under constraints, or that is a circle, was left out")
    ).

current_answers(Tables, Id, Answers) :-
    (   trie_lookup(Tables, status(Id), -2)
    ->  whole_list(Tables, Id, Answers)
    ;   sorted_answers(Tables, Id, Answers)
    ).

whole_list(Tables, Id, Answers) :-
    trie_lookup(Tables, whole(Id), N),
    trie_lookup(Tables, list(Id, N), Whole),
    once(trie_gen(Whole, Answers)).

%   In the order of their places, the lowest row of each.

sorted_answers(Tables, Id, Answers) :-
    trie_lookup(Tables, rows(Id), Rows),
    findall(row(Place, Height, Answer), trie_gen(Rows, row(Place, Height, Answer)), All0),
    sort(2, @>=, All0, All1),
    sort(1, @>=, All1, All2),
    lowest(All2, [], Answers).

%   From the last place to the first, of each place the lowest row last.

lowest([], Answers, Answers).
lowest([row(Place, _, _)|Rows], Answers0, Answers) :-
    Rows = [row(Place, _, _)|_],
    !,
    lowest(Rows, Answers0, Answers).
lowest([row(_, _, Answer)|Rows], Answers0, Answers) :-
    lowest(Rows, [Answer|Answers0], Answers).

%!  table_answer(+Tables, +Id, +Height, -Answer) is nondet.
%
%   The answers of a complete table that are no higher.

table_answer(Tables, Id, Height, Answer) :-
    whole_list(Tables, Id, Answers),
    Answer = answer(_, Own, _, _),
    member(Answer, Answers),
    Own =< Height.

%!  node_height(+Node, -Height) is det.

node_height(node(_, table(_, Height), _, _), Height) :- !.
node_height(node(_, source(_), Nodes, _), Height) :-
    Nodes = [_|_],
    !,
    maplist(node_height, Nodes, Heights),
    max_list(Heights, Highest),
    Height is Highest + 1.
node_height(node(_, source(Ref), [], _), Height) :-
    !,
    ( is_rule(Ref) -> Height = 1 ; Height = 0 ).
node_height(_, 0).

%!  absent(+Goal, +Module, +State) is semidet.
%
%   The goal is not known, and that is certain.

absent(Goal, Module, State) :-
    State = s(_, _, Mode),
    mode_tables(Mode, Tables),
    trie_lookup(Tables, cut, Cuts),
    settled(zpm_answer_tables:found(Goal, Module, State, Found), Mode),
    Found == false,
    trie_lookup(Tables, cut, Cuts).

found(Goal, Module, State, Found) :-
    ( prove_believed(Goal, Module, State, _) -> Found = true ; Found = false ).

%!  settled(:Goal, +Mode) is nondet.
%
%   Goal, unless it asks what is still being answered. What was found in vain there may come yet, so that is undecided.

settled(Goal, Mode) :-
    mode_tables(Mode, Tables),
    nothing(Nothing),
    trie_lookup(Tables, low, Outer),
    trie_update(Tables, low, Nothing),
    ( call(Goal) *-> Holds = true ; Holds = false ),
    trie_lookup(Tables, low, Low),
    Both is min(Outer, Low),
    trie_update(Tables, low, Both),
    (   Low =:= Nothing
    ->  Holds == true
    ;   count(Tables, undecided, _),
        fail
    ).
