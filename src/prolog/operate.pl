:- module(zpm_operate,
          [ operate/2,           % +Request, -Pairs
            rows/2,              % +Request, -Pairs
            member_row/2,        % +Request, -Pairs
            repeated_keys/2,     % +Request, -Pairs
            domain_values/2,     % +Request, -Pairs
            opened/4,            % +Request, -Operation, -Call, -Outputs
            prepared_call/3,     % +Request, -Module, -Prepared
            answer/6,            % +Determinism, +Outputs, +Name, +Rows, +More, -Pairs
            the_row/5,           % +Call, +Outputs, +Operation, +Request, -Rows
            bind_key/3,          % +Operation, +Values, +Request
            of_key/2             % +Operation, +Output
          ]).
:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(library(solution_sequences)).
:- use_module(memories).
:- use_module(operations).
:- use_module(exposure).
:- use_module(prepared).
:- use_module(arguments).
:- use_module(solutions).

/** <module> Calling an operation: JSON to terms, the call, terms to JSON (SPEC 2.1 to 2.3)

What the caller sent arrives as texts and is read by the declared types (arguments.pl); no goal is made of text.
Whether the answer is one solution or an array of them is the declaration's business, never that of how many there
were.
*/

%!  operate(+Request, -Pairs) is det.
%
%   Request: memory, name, query (a list of [Name, Text]), perhaps body (a text), limit (0: none), inferences.
%   Pairs: result, truncated, and `empty` for an operation declared multi that had no solution.

operate(Request, Pairs) :-
    opened(Request, op(Name, _, Determinism, _), Call, Outputs),
    (   memberchk(Determinism, [det, semidet])
    ->  first_solution(Call, Outputs, Request, Rows),
        More = false
    ;   solutions(Call, Outputs, Request.limit, Request, Rows, More)
    ),
    answer(Determinism, Outputs, Name, Rows, More, Pairs).

%!  opened(+Request, -Operation, -Call, -Outputs) is det.
%
%   What the request names, with the arguments that it gives: Operation is that of operation_of/3, Call and Outputs are
%   those of solutions/6.

opened(Request, Operation, call(Module:Goal, Arguments-Values), Outputs) :-
    prepared_call(Request, Module, prepared(Operation, Goal, Values, Inputs, Outputs)),
    Operation = op(_, Arguments, _, _),
    given(Request, Given),
    bind_inputs(Inputs, Given).

%!  prepared_call(+Request, -Module, -Prepared) is det.
%
%   Prepared is that of prepared/3, with fresh variables.

prepared_call(Request, Module, Prepared) :-
    operation_place(Request, Module, Name),
    (   prepared(Module, Name, Prepared) -> true ; no_operation ).

the_operation(Request, Module, Operation) :-
    operation_place(Request, Module, Name),
    (   operation_of(Module, Name, Operation) -> true ; no_operation ).

operation_place(Request, Module, Name) :-
    get_dict(memory, Request, MemoryText),
    atom_string(Memory, MemoryText),
    memory_module(Memory, Module),
    get_dict(name, Request, NameText),
    atom_string(Name, NameText).

no_operation :-
    throw(error(zpm(input, [why-"There is no operation of that name"]), _)).

%!  answer(+Determinism, +Outputs, +Name, +Rows, +More, -Pairs) is det.
%
%   The declaration decides on the shape. One that is declared det and has no solution is an error.

answer(det, _, Name, [], _, _) :- !,
    atom_string(Name, Text),
    throw(error(zpm(no_solution, [name-Text]), _)).
answer(det, _, _, [Row|_], _, [result-Row, truncated-false]) :- !.
answer(semidet, [], _, [], _, [result-false, truncated-false]) :- !.
answer(semidet, _, _, [], _, [result-null, truncated-false]) :- !.
answer(semidet, _, _, [Row|_], _, [result-Row, truncated-false]) :- !.
answer(multi, _, _, [], _, [result-[], truncated-false, empty-true]) :- !.
answer(_, _, _, Rows, More, [result-Rows, truncated-More]).

%!  rows(+Request, -Pairs) is det.
%
%   All rows of a collection: an array, each row by the rule for one solution.

rows(Request, Pairs) :-
    opened(Request, _, Call, Outputs),
    solutions(Call, Outputs, Request.limit, Request, Rows, More),
    Pairs = [result-Rows, truncated-More].

%!  member_row(+Request, -Pairs) is det.
%
%   Request has `key` as well, texts for the columns of the key. Pairs: result, or nothing when no row has it.

member_row(Request, Pairs) :-
    opened(Request, Operation, Call, Outputs0),
    Call = call(_, _-Values),
    bind_key(Operation, Values, Request),
    exclude(of_key(Operation), Outputs0, Outputs),
    the_row(Call, Outputs, Operation, Request, Rows),
    (   Rows = [Row] -> Pairs = [result-Row] ; Pairs = [] ).

%!  the_row(+Call, +Outputs, +Operation, +Request, -Rows) is det.
%
%   Rows has the row with the key that is bound in Call, or nothing. Throws when there are several.

the_row(Call, Outputs, Operation, Request, Rows) :-
    solutions(Call, Outputs, 1, Request, Rows, More),
    (   More == true
    ->  Operation = op(_, _, _, more(_, _, _, _, _, collection(Collection, _))),
        atomic_list_concat(Request.key, '/', KeyText0),
        maplist(atom_string, [Collection, KeyText0], [CollectionText, KeyText]),
        throw(error(zpm(key_not_unique, [collection-CollectionText, key-KeyText]), _))
    ;   true
    ).

key_places(op(_, _, _, more(_, _, _, _, _, collection(_, Places))), Places).

%!  bind_key(+Operation, +Values, +Request) is det.
%
%   The columns of the key become what the texts of Request.key say.

bind_key(Operation, Values, Request) :-
    Operation = op(_, Arguments, _, _),
    key_places(Operation, Places),
    maplist(key_value(Arguments, Values), Places, Request.key).

key_value(Arguments, Values, Place, Text) :-
    nth1(Place, Arguments, argument(_, Name, Type, _, _)),
    nth1(Place, Values, Value),
    argument_value(text(Text), Type, Name, Value).

%!  of_key(+Operation, +Output) is semidet.
%
%   The column is one of the key; the others are what is shown of a member.

of_key(Operation, output(Text, _, _)) :-
    atom_string(Name, Text),
    Operation = op(_, Arguments, _, _),
    key_places(Operation, Places),
    member(Place, Places),
    nth1(Place, Arguments, argument(_, Name, _, _, _)),
    !.

%!  repeated_keys(+Request, -Pairs) is det.
%
%   The keys of a collection that more than one row has, at most ten, as texts of JSON.

repeated_keys(Request, [keys-Texts]) :-
    opened(Request, Operation, Call, Outputs),
    include(of_key(Operation), Outputs, KeyOutputs),
    solutions(Call, KeyOutputs, 0, Request, Rows, _),
    msort(Rows, Sorted),
    findall(Text, limit(10, distinct(Text, repeated(Sorted, Text))), Texts).

repeated(Sorted, Text) :-
    append(_, [raw(Text), raw(Text)|_], Sorted).

%!  domain_values(+Request, -Pairs) is det.
%
%   Request: argument, and limit. The values of the argument's domain, each once, in the order of the clauses.

domain_values(Request, Pairs) :-
    the_operation(Request, Module, op(_, Arguments, _, _)),
    atom_string(Name, Request.argument),
    (   member(argument(_, Name, Type, _, Domain), Arguments), Domain = domain(_, _, _) -> true
    ;   throw(error(zpm(input, [why-"That argument has no domain"]), _))
    ),
    domain_goal(Module, Domain, Value, Goal, _),
    Goal = Module:Plain,
    Call = call(Module:distinct(Value, Plain), []-[]),
    solutions(Call, [output(Request.argument, Type, Value)], Request.limit, Request, Rows, More),
    Pairs = [values-Rows, truncated-More].
