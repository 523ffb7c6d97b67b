:- module(zpm_history, []).
:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(library(pairs)).
:- use_module(memories).
:- use_module(commits).
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
    ;   Operation = [_, _, Occurrence]
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

zpm_plans:planned(undo, Request, Module, Seq, Operations, Pairs) :-
    maplist(commit_events, Request.commits, Events0),
    append(Events0, Events),
    differences(Events, Differences),
    maplist(inverse(Module), Differences, Steps0),
    append(Steps0, Steps1),
    keysort(Steps1, Steps),
    pairs_values(Steps, Operations),
    maplist(change_text(Module), Operations, Changes),
    (   Seq =:= 0
    ->  exclude(table_step, Operations, Applied)
    ;   Applied = Operations
    ),
    apply_commit(Module, Seq, Applied),
    (   Operations == []
    ->  warn("These commits take each other back already: there is nothing to change")
    ;   true
    ),
    findall(Number, member([Number|_], Request.commits), Numbers),
    length(Changes, Count),
    shown_changes(Changes, 16384, Shown),
    Pairs = [undone-Numbers, changes-Shown, count-Count].

table_step([Op|_]) :- memberchk(Op, ["t", "~t"]).

shown_changes([], _, []).
shown_changes([Text|Texts], Room, Shown) :-
    string_length(Text, Length),
    (   Length =< Room
    ->  Left is Room - Length,
        Shown = [Text|More],
        shown_changes(Texts, Left, More)
    ;   Shown = []
    ).

%   commit_events(+Commit, -Events): Thing-Event, where Event is there(What) or gone(What), and What is all that
%   making it so again needs. "+", "a" and "p" take the next index of their commit.

commit_events([Seq, Operations], Events) :-
    foldl(operation_event(Seq), Operations, Lists, 0, _),
    append(Lists, Events).

operation_event(Seq, ["+", Text|Names], Events, Index, Next) =>
    Events = [clause(Seq, Index)-there(Text-Names)],
    Next is Index + 1.
operation_event(_, ["p", Seq, Index, Text|Names], Events, Count, Next) =>
    Events = [clause(Seq, Index)-there(Text-Names)],
    Next is Count + 1.
operation_event(_, ["a", Text, Name|More], Events, Count, Next) =>
    Events = [support(Text, Name)-there(More)],
    Next is Count + 1.
operation_event(_, Operation, Events, Count, Next) =>
    Next = Count,
    event(Operation, Events).

event(["-", Seq, Index, Text|Names], [clause(Seq, Index)-gone(Text-Names)]).
event(["r", Seq, Index, Text|Names], [clause(Seq, Index)-there(Text-Names)]).
event(["x", Text, Occurrence], [file(Text, Occurrence)-gone([])]).
event(["~x", Text, Occurrence], [file(Text, Occurrence)-there([])]).
event(["~a", Text, Name|More], [support(Text, Name)-gone(More)]).
event(["t", Indicator], [table(Indicator)-there([])]).
event(["~t", Indicator], [table(Indicator)-gone([])]).
event(["m", Memory|Mount], [mount(Memory)-there(Mount)]).
event(["u", Memory|Mount], [mount(Memory)-gone(Mount)]).
%   That a predicate is known hurts nobody, nor that the memory was once as a snapshot says.
event(["d", _], []).
event(["s", _], []).

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
    \+ ( Before = there(_), After = there(_), Thing \= mount(_) ),
    \+ ( Before = gone(_), After = gone(_) ).

opposite(there(What), gone(What)).
opposite(gone(What), there(What)).

%   inverse(+Module, +Difference, -Steps): Phase-Operation. What goes, goes first; what comes back to clauses comes in
%   one run, so that it is brought back at once.

inverse(_, clause(Seq, Index)-(there(Text-Names)-_), [3-["r", Seq, Index, Text|Names]]).
inverse(_, clause(Seq, Index)-(_-there(Text-Names)), [2-["-", Seq, Index, Text|Names]]).
inverse(_, file(Text, Occurrence)-(there(_)-_), [3-["~x", Text, Occurrence]]).
inverse(_, file(Text, Occurrence)-(_-there(_)), [2-["x", Text, Occurrence]]).
inverse(_, support(Text, Name)-(there(More)-_), [5-["a", Text, Name|More]]).
inverse(Module, support(Text, Name)-(_-there(_)), [4-["~a", Text, Name, Names, [UseSeq, UseIndex], [Seq, Index]]]) :-
    atom_string(TextAtom, Text),
    atom_string(NameAtom, Name),
    zpm_supports:supported(Module, TextAtom, NameAtom, support(Names, UseSeq-UseIndex, Seq-Index)),
    !.
inverse(_, table(Indicator)-(there(_)-_), [6-["t", Indicator]]).
inverse(_, table(Indicator)-(_-there(_)), [1-["~t", Indicator]]).
inverse(_, mount(Memory)-(Before-After), Steps) :-
    ( After = there(_) -> Steps = [7-["u", Memory]|Steps1] ; Steps = Steps1 ),
    ( Before = there(Mount) -> Steps1 = [8-["m", Memory|Mount]] ; Steps1 = [] ).
