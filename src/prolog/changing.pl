:- module(zpm_changing,
          [ change/2,            % +Request, -Pairs
            put_row/2,           % +Request, -Pairs
            delete_row/2         % +Request, -Pairs
          ]).
:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(memories).
:- use_module(changes).
:- use_module(effects).
:- use_module(operate).
:- use_module(operations).
:- use_module(arguments).
:- use_module(solutions).

/** <module> Operations that change what their file declares dynamic (SPEC 2.2, 2.3)

The first of three steps: what is asked for is tried, taken back, and kept as effects. The second makes new bytes
for the file of them (mirror.pl), the third changes this engine when those are saved. So nobody ever sees a change
that could not be saved.
*/

%!  change(+Request, -Pairs) is det.
%
%   Request is that of operate/2. Pairs: those of operate/2, and `changes`: whether there is anything to save. An
%   operation without a solution changes nothing.

change(Request, Pairs) :-
    opened(Request, op(Name, _, Determinism, _), Call, Outputs),
    (   memberchk(Determinism, [det, semidet]) -> Limit = 1 ; Limit = Request.limit ),
    changing_solutions(Call, Outputs, Limit, Request, Rows, More, Effects),
    answer(Determinism, Outputs, Name, Rows, More, Pairs0),
    kept(Effects, Pairs0, Pairs).

kept(Effects, Pairs0, Pairs) :-
    keep_effects(Effects),
    ( Effects == [] -> Changes = false ; Changes = true ),
    append(Pairs0, [changes-Changes], Pairs).

%!  put_row(+Request, -Pairs) is det.
%
%   Request: memory, name of a collection, key (texts), query and body with the other columns, inferences. Pairs:
%   result (the other columns, as member_row/2 shows them), created, changes.

put_row(Request, Pairs) :-
    prepared_call(Request, Module, prepared(Operation, New, Values, _, Columns)),
    require_dynamic(Module, Operation),
    partition(of_key(Operation), Columns, _, Others),
    key_names(Operation, KeyNames),
    maplist(arg(1), Others, OtherNames),
    row_given(Request, KeyNames, OtherNames, Given),
    maplist(as_input, Columns, Inputs),
    bind_inputs(Inputs, Given),
    prepared_call(Request, _, prepared(_, Old, Stored, _, OldColumns)),
    bind_key(Operation, Stored, Request),
    exclude(of_key(Operation), OldColumns, Outputs),
    given_arguments(Operation, Arguments),
    the_row(call(Module:Old, Arguments-Values), Outputs, Operation, Request, Rows),
    (   Rows == []
    ->  Effects = [last(Module:New)], Created = true
    ;   the_clause(Module, Old, Ref, Clause),
        ( Clause =@= New -> Effects = [] ; Effects = [instead(Ref, Module:New)] ),
        Created = false
    ),
    row_json(Others, Json),
    kept(Effects, [result-Json, created-Created], Pairs).

as_input(output(Name, Type, Value), input(Name, Type, Value)).

key_names(Operation, Names) :-
    Operation = op(_, Arguments, _, more(_, _, _, _, _, collection(_, Places))),
    findall(Name, ( member(Place, Places), nth1(Place, Arguments, argument(_, Name0, _, _, _)), atom_string(Name0, Name) ), Names).

%   A row is given, so its values are held against domains as those of arguments are.

given_arguments(op(_, Columns, _, _), Arguments) :-
    maplist(given_argument, Columns, Arguments).

given_argument(argument(_, Name, Type, Text, Domain), argument(+, Name, Type, Text, Domain)).

%   Which predicates are dynamic to the file; all are to the engine.

require_dynamic(Module, op(Name, Arguments, _, _)) :-
    length(Arguments, Arity),
    (   declared_dynamic(Module, Name/Arity) -> true
    ;   throw(error(permission_error(modify, static_procedure, Name/Arity), _))
    ).

%!  delete_row(+Request, -Pairs) is det.
%
%   Request: memory, name of a collection, key, inferences. Pairs: found, changes.

delete_row(Request, Pairs) :-
    opened(Request, Operation, Call, Outputs0),
    Call = call(Module:Goal, _-Values),
    require_dynamic(Module, Operation),
    bind_key(Operation, Values, Request),
    exclude(of_key(Operation), Outputs0, Outputs),
    the_row(Call, Outputs, Operation, Request, Rows),
    (   Rows == []
    ->  kept([], [found-false], Pairs)
    ;   the_clause(Module, Goal, Ref, _),
        kept([erased(Ref)], [found-true], Pairs)
    ).

%   The clause that gives a row: the fact, or else the first rule that may be meant, which mirror.pl then refuses by
%   its line.

the_clause(Module, Row, Ref, Row) :-
    stored_fact(Module, Row, Ref),
    !.
the_clause(Module, Row, Ref, Clause) :-
    stored_clause(Module:Row, Clause, Ref),
    clause_head(Clause, Head),
    Head = Row,
    !.
