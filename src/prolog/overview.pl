:- module(zpm_overview, [overview/2]).   % +Request, -Pairs
:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(memories).
:- use_module(supports).
:- use_module(catalog).
:- use_module(changes).
:- use_module(wire).

/** <module> A memory at one glance, within a number of bytes

Breadth before depth: every predicate comes before any sample, every first sample before any second one. What
does not fit is left out, and that something was left out is said.
*/

%!  overview(+Request, -Pairs) is det.
%
%   Request: memory, sample_size, bytes. Pairs: predicates, assumptions (their names), how many there are of each,
%   truncated.

overview(Request, [ predicates-Predicates, total-Total, assumptions-Names, assumptions_total-NamesTotal,
                    truncated-Truncated ]) :-
    atom_string(Name, Request.memory),
    memory_module(Name, Module),
    assumption_names(Module, AllNames),
    length(AllNames, NamesTotal),
    Reserved is Request.bytes // 4,
    fitting(AllNames, Reserved, Names, NamesLeft),
    Room0 is Request.bytes - Reserved + NamesLeft,
    findall(Shape, predicate_shape(Module, Shape), Shapes),
    length(Shapes, Total),
    maplist(entry, Shapes, Entries0),
    fitting_entries(Entries0, Room0, Entries, Room),
    sampled(1, Request.sample_size, Module, state(Room, none, whole), Entries, Sampled, state(_, _, Cut)),
    maplist(entry_json, Sampled, Predicates),
    (   Cut == whole, same_length(Entries0, Entries), same_length(AllNames, Names)
    ->  Truncated = false
    ;   Truncated = true
    ).

%!  assumption_names(+Module, -Names) is det.
%
%   The names of the assumptions that facts stand on, sorted.

assumption_names(Module, Names) :-
    findall(Text, ( assumption(Module, Name), atom_string(Name, Text) ), Names0),
    sort(Names0, Names).

%   entry(Shape, Samples): Samples is a list of texts, the last one first.

entry(Shape, entry(Shape, [])).

entry_json(entry(shape(Name, Arity, Kind, Count), Reversed), Json) :-
    atom_string(Name, Functor),
    reverse(Reversed, Samples),
    Json = obj([functor-Functor, arity-Arity, kind-Kind, count-Count, samples-Samples]).

%   fitting(+Values, +Room, -Shown, -Left): as many as fit, and the bytes that are left.

fitting([Value|Values], Room0, Shown, Left) :-
    bytes(Value, Bytes),
    Room is Room0 - Bytes,
    Room >= 0,
    !,
    Shown = [Value|More],
    fitting(Values, Room, More, Left).
fitting(_, Room, [], Room).

fitting_entries([Entry|Entries], Room0, Shown, Left) :-
    entry_json(Entry, Json),
    bytes(Json, Bytes),
    Room is Room0 - Bytes,
    Room >= 0,
    !,
    Shown = [Entry|More],
    fitting_entries(Entries, Room, More, Left).
fitting_entries(_, Room, [], Room).

%   The bytes of a value in a list, with the comma behind it.

bytes(Value, Bytes) :-
    json_text(Value, Text),
    string_bytes(Text, List, utf8),
    length(List, Length),
    Bytes is Length + 1.

%   sampled(+Round, +Rounds, +Module, +State0, +Entries0, -Entries, -State): one more sample of each in each round. State
%   is state(Room, Added, Cut); a sample that does not fit leaves room for shorter ones.

sampled(Round, Rounds, Module, State0, Entries0, Entries, State) :-
    State0 = state(Room, _, Cut),
    (   Round > Rounds
    ->  Entries = Entries0, State = State0
    ;   foldl(one_more(Round, Module), Entries0, Entries1, state(Room, none, Cut), State1),
        (   State1 = state(_, none, _)
        ->  Entries = Entries1, State = State1
        ;   Next is Round + 1,
            sampled(Next, Rounds, Module, State1, Entries1, Entries, State)
        )
    ).

one_more(Round, _, Entry, Entry, State, State) :-
    Entry = entry(shape(_, _, _, Count), _),
    Count < Round,
    !.
one_more(Round, Module, entry(Shape, Samples0), entry(Shape, Samples), state(Room0, Added0, Cut0), State) :-
    (   Room0 >= 4,
        Shape = shape(Name, Arity, _, _),
        functor(Head, Name, Arity),
        nth_clause(Module:Head, Round, Ref),
        clause_display(Module, Ref, Sample),
        bytes(Sample, Bytes),
        Room is Room0 - Bytes,
        Room >= 0
    ->  Samples = [Sample|Samples0],
        State = state(Room, added, Cut0)
    ;   Samples = Samples0,
        State = state(Room0, Added0, cut)
    ).
