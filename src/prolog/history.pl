:- module(zpm_history, []).
:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(library(pairs)).
:- use_module(memories).
:- use_module(commits).
:- use_module(supports).
:- use_module(changes).
:- use_module(texts).
:- use_module(reading).
:- use_module(heads).
:- use_module(warnings).

/** <module> Commits as people read them, and taken back (ENGINE-NOTES 3, R10)

The supervisor knows the commits; here they are data: lists [Seq, Operations] as the journal has them.

Each operation says of one thing, an overlay clause, an occurrence of a file clause, a support, that it is there
from now on or that it is gone. So the state before some commits is known from the first thing that they say of
each, and the state after them from the last; undoing is making the difference, in one commit of its own.
*/

:- multifile zpm:operation/3, zpm_plans:planned/6.

%   history: the changes of each commit as texts, at most Request.changes of them; with a predicate, only its
%   changes, and only commits that have some.

zpm:operation(history, Request, [commits-Rows]) :-
    atom_string(Name, Request.memory),
    memory_module(Name, Module),
    (   get_dict(predicate, Request, Text)
    ->  read_predicate(Text, Module, Wanted)
    ;   Wanted = any
    ),
    convlist(row(Module, Wanted, Request.changes), Request.commits, Rows).

row(Module, Wanted, Max, [Seq, Operations], obj([number-Seq, changes-Texts, more-More])) :-
    (   Wanted == any
    ->  Changes = Operations
    ;   include(concerns(Wanted), Operations, Changes),
        Changes \== []
    ),
    length(Changes, Count),
    Shown is min(Count, Max),
    length(First, Shown),
    append(First, _, Changes),
    maplist(change_text(Module), First, Texts),
    More is Count - Shown.

%   read_predicate(+Text, +Module, -Wanted): Name/Arity, or Name for every arity.

read_predicate(Text, Module, Wanted) :-
    read_one(Text, predicate, Module, Term, _),
    (   nonvar(Term), Term = Name/Arity, atom(Name), integer(Arity)
    ->  Wanted = Name/Arity
    ;   atom(Term)
    ->  Wanted = Term
    ;   throw(error(zpm(input, [why-"A predicate is written name/arity, or its name alone for every arity"]), _))
    ).

concerns(Wanted, Operation) :-
    about(Operation, Name, Arity),
    ( Wanted = Name/Arity -> true ; Wanted == Name ).

about([Op, Text|_], Name, Arity) :-
    memberchk(Op, ["d", "t", "~t"]),
    !,
    canonical_term(Text, Name/Arity).
about(Operation, Name, Arity) :-
    clause_of(Operation, Text, _),
    canonical_term(Text, Clause),
    clause_head(Clause, Head),
    functor(Head, Name, Arity).

%   clause_of(+Operation, -Text, -Names)

clause_of(["+", Text|Names], Text, Names).
clause_of([Op, _, _, Text|Names], Text, Names) :- memberchk(Op, ["-", "r", "p"]).
clause_of([Op, Text, _], Text, []) :- memberchk(Op, ["x", "~x"]).
clause_of([Op, Text, _|Given], Text, Names) :-
    memberchk(Op, ["a", "~a"]),
    ( Given = [Names0|_] -> Names = [Names0] ; Names = [] ).

%   change_text(+Module, +Operation, -Text): one line, "+" for what came and "-" for what went.

change_text(Module, Operation, Text) :-
    clause_of(Operation, Canonical, Names0),
    !,
    canonical_term(Canonical, Clause),
    (   Names0 = [Names]
    ->  true
    ;   Operation = [_, _, Occurrence], integer(Occurrence)
    ->  file_names(Module, Canonical, Occurrence, Names)
    ;   Names = []
    ),
    display(Clause, Module, Names, Shown),
    Operation = [Op|_],
    sign(Op, Sign),
    remark(Operation, Remark),
    format(string(Text), "~w ~s~w", [Sign, Shown, Remark]).
change_text(_, ["d", Indicator], Text) :- format(string(Text), "declare ~s", [Indicator]).
change_text(_, ["t", Indicator], Text) :- format(string(Text), "table ~s", [Indicator]).
change_text(_, ["~t", Indicator], Text) :- format(string(Text), "untable ~s", [Indicator]).
change_text(_, ["m", Memory, Scope, Mode], Text) :-
    format(string(Text), "mount ~s (~s, ~s)", [Memory, Scope, Mode]).
change_text(_, ["s", Name], Text) :- format(string(Text), "restored ~s", [Name]).
change_text(_, ["u", Memory|_], Text) :- format(string(Text), "unmount ~s", [Memory]).

sign(Op, '+') :- memberchk(Op, ["+", "r", "~x", "a", "p"]), !.
sign(_, '-').

remark([Op, _, _], ' (of a file)') :- memberchk(Op, ["x", "~x"]), !.
remark([Op, _, Name|_], Remark) :-
    memberchk(Op, ["a", "~a"]),
    !,
    format(atom(Remark), " (assumed: ~s)", [Name]).
remark(_, '').

%   undo: Request.commits are the commits to undo, the oldest first; the supervisor has chosen them. An unmount
%   carries the scope and the mode that the memory was mounted with. Where the number is 0, this is a preview;
%   tables are not part of the transaction that takes it back.

zpm_plans:planned(undo, Request, Module, Seq, Operations, [undone-Numbers, changes-Changes, count-Count]) :-
    commits_events(Request.commits, Events),
    differences(Events, Differences),
    foldl(inverse(Module), Differences, Steps, []),
    keysort(Steps, Sorted),
    pairs_values(Sorted, Operations),
    change_texts(Operations, Module, 16384, Changes),
    length(Operations, Count),
    (   Seq =:= 0
    ->  exclude(table_step, Operations, Applied)
    ;   Applied = Operations
    ),
    apply_commit(Module, Seq, Applied),
    (   Operations == []
    ->  warn("These commits take each other back already: there is nothing to change")
    ;   true
    ),
    findall(Number, member([Number|_], Request.commits), Numbers).

table_step([Op|_]) :- memberchk(Op, ["t", "~t"]).

%   The texts that fit into a reply; what a long commit changes beyond that is not even made.

change_texts([], _, _, []).
change_texts([Operation|Operations], Module, Room, Texts) :-
    change_text(Module, Operation, Text),
    string_length(Text, Length),
    (   Length =< Room
    ->  Left is Room - Length,
        Texts = [Text|More],
        change_texts(Operations, Module, Left, More)
    ;   Texts = []
    ).

%   commits_events(+Commits, -Events): Thing-Event, where Event is there(What) or gone(What), and What is all that making it
%   so again needs. "+", "a" and "p" take the next index of their commit.

commits_events([], []).
commits_events([[Seq, Operations]|Commits], Events) :-
    operations_events(Operations, Seq, 0, Events, Rest),
    commits_events(Commits, Rest).

operations_events([], _, _, Events, Events).
operations_events([Operation|Operations], Seq, Index, Events, Rest) :-
    %   That a predicate is known, "d", hurts nobody, nor that the memory was as a snapshot says, "s".
    (   event(Operation, Seq-Index, Event)
    ->  Events = [Event|Events1]
    ;   Events = Events1
    ),
    (   Operation = [Name|_], memberchk(Name, ["+", "a", "p"])
    ->  Next is Index + 1
    ;   Next = Index
    ),
    operations_events(Operations, Seq, Next, Events1, Rest).

event(["+", Text|Names], Seq-Index, clause(Seq, Index)-there(Text-Names)).
event(["a", Text, Name|More], _, support(Text, Name)-there(More)).
event(["p", Seq, Index, Text|Names], _, clause(Seq, Index)-there(Text-Names)).
event(["-", Seq, Index, Text|Names], _, clause(Seq, Index)-gone(Text-Names)).
event(["r", Seq, Index, Text|Names], _, clause(Seq, Index)-there(Text-Names)).
event(["x", Text, Occurrence], _, file(Text, Occurrence)-gone([])).
event(["~x", Text, Occurrence], _, file(Text, Occurrence)-there([])).
event(["~a", Text, Name|More], _, support(Text, Name)-gone(More)).
event(["t", Indicator], _, table(Indicator)-there([])).
event(["~t", Indicator], _, table(Indicator)-gone([])).
event(["m", Memory|Mount], _, mount(Memory)-there(Mount)).
event(["u", Memory|Mount], _, mount(Memory)-gone(Mount)).

%   differences(+Events, -Differences): Thing-(Before-After) of the things that are not what they were.

differences(Events, Differences) :-
    keysort(Events, Sorted),
    group_pairs_by_key(Sorted, Groups),
    convlist(difference, Groups, Differences).

difference(Thing-Events, Thing-(Before-After)) :-
    Events = [First|_],
    last(Events, After),
    opposite(First, Before),
    Before \== After,
    \+ ( Before = there(_), After = there(_), \+ somewhere(Thing) ),
    \+ ( Before = gone(_), After = gone(_) ).

%   What can be there in more ways than one: a mount has a mode, a support a place among the clauses.

somewhere(mount(_)).
somewhere(support(_, _)).

opposite(there(What), gone(What)).
opposite(gone(What), there(What)).

%   inverse(+Module, +Difference, -Steps, ?Rest): Phase-Operation. What goes, goes first; what comes back to clauses comes in
%   one run, so that it is brought back at once.

inverse(Module, Thing-(Before-After), Steps, Rest) :-
    findall(Step, step(Thing, Before, After, Module, Step), Own),
    append(Own, Rest, Steps).

step(clause(Seq, Index), there(Text-Names), _, _, 3-["r", Seq, Index, Text|Names]).
step(clause(Seq, Index), _, there(Text-Names), _, 2-["-", Seq, Index, Text|Names]).
step(file(Text, Occurrence), there(_), _, _, 3-["~x", Text, Occurrence]).
step(file(Text, Occurrence), _, there(_), _, 2-["x", Text, Occurrence]).
step(support(Text, Name), there(More), _, _, 5-["a", Text, Name|More]).
step(support(Text, Name), _, there(_), Module, 4-["~a", Text, Name, Names, [UseSeq, UseIndex], [Seq, Index]]) :-
    atom_string(TextAtom, Text),
    atom_string(NameAtom, Name),
    supported(Module, TextAtom, NameAtom, support(Names, UseSeq-UseIndex, Seq-Index)).
step(table(Indicator), there(_), _, _, 6-["t", Indicator]).
step(table(Indicator), _, there(_), _, 1-["~t", Indicator]).
step(mount(Memory), _, there(_), _, 7-["u", Memory]).
step(mount(Memory), there(Mount), _, _, 8-["m", Memory|Mount]).
