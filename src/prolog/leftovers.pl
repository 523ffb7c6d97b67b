:- module(zpm_leftovers,
          [ note_declared/1,     % +Indicator
            lend_table/1,        % +Indicator
            clear_leftovers/0
          ]).
:- use_module(library(lists)).
:- use_module(memories).

/** <module> What a call leaves in the engine although it was taken back

Transactions and snapshots take back clauses, not what is known of a predicate. The recorded database is not
taken back, so it remembers what to look at; the next call begins by putting it right, since a call that ran a
user's goal has closed the guards behind itself. Indicators are Module:Name/Arity.
*/

%!  note_declared(+Indicator) is det.
%
%   A predicate came into being. Should the change be taken back, then it is empty, and would hide a library's of
%   that name.

note_declared(Indicator) :-
    recordz(zpm_declared, Indicator).

%!  lend_table(+Indicator) is det.
%
%   The predicate is tabled until the next call, so that its cycles end.

lend_table(Module:Name/Arity) :-
    functor(Head, Name, Arity),
    (   predicate_property(Module:Head, tabled)
    ->  true
    ;   recordz(zpm_lent, Module:Name/Arity),
        table(Module:Name/Arity as incremental)
    ).

%!  clear_leftovers is det.

clear_leftovers :-
    \+ recorded(zpm_declared, _),
    \+ recorded(zpm_lent, _),
    !.
clear_leftovers :-
    taken(zpm_declared, Declared),
    taken(zpm_lent, Lent),
    findall(Empty, ( member(Empty, Declared), Empty = Module:Name/Arity, \+ known(Module, Name, Arity) ), Empties),
    (   Empties == [], Lent == []
    ->  true
    ;   abolish_all_tables,
        forall(member(Empty, Empties), abolish(Empty)),
        forall(member(Indicator, Lent), take_table_back(Indicator))
    ).

taken(Key, Values) :-
    findall(Value, ( recorded(Key, Value, Ref), erase(Ref) ), Values).

%   The property `incremental` goes with the table, and others that depend on the predicate need it.

take_table_back(Module:Name/Arity) :-
    untable(Module:Name/Arity),
    dynamic([Module:Name/Arity], [incremental(true), multifile(true)]).
