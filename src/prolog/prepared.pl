:- module(zpm_prepared,
          [ prepare/2,           % +Module, +Operation
            forget_prepared/1,   % +Module
            prepared/3           % +Module, +Name, -Prepared
          ]).
:- use_module(library(apply)).

/** <module> The call of an operation, made ready once (SPEC 2.1)

Most of what a call needs follows from the declaration: the goal, which variable of it is which argument, the text
of every name. It is a clause from the moment at which the file is documented, so that a request gets all of it,
with fresh variables, by one look.
*/

:- dynamic prepared_/3.          % Module, Name, Prepared

%!  prepare(+Module, +Operation) is det.
%
%   Operation is as exposure.pl makes it.

prepare(Module, Operation) :-
    Operation = op(Name, Arguments, _, _),
    length(Arguments, Arity),
    length(Values, Arity),
    (   Values == [] -> Goal = Name ; compound_name_arguments(Goal, Name, Values) ),
    maplist(column, Arguments, Values, Columns),
    convlist(input, Columns, Inputs),
    convlist(output, Columns, Outputs),
    assertz(zpm_prepared:prepared_(Module, Name, prepared(Operation, Goal, Values, Inputs, Outputs))).

column(argument(Sign, Name, Type, _, _), Value, column(Sign, Text, Type, Value)) :-
    atom_string(Name, Text).

input(column(+, Name, Type, Value), input(Name, Type, Value)).
output(column(-, Name, Type, Value), output(Name, Type, Value)).

%!  forget_prepared(+Module) is det.

forget_prepared(Module) :-
    retractall(zpm_prepared:prepared_(Module, _, _)).

%!  prepared(+Module, +Name, -Prepared) is semidet.
%
%   Prepared is prepared(Operation, Goal, Values, Inputs, Outputs): Values are the arguments of Goal, and stand in
%   Inputs as input(Name, Type, Value) and in Outputs as output(Name, Type, Value), each in the order of the mode line
%   and with a string as the name.

prepared(Module, Name, Prepared) :-
    prepared_(Module, Name, Prepared).
