:- module(zpm_warnings,
          [ begin_call/0,
            warn/1,              % +String
            warnings/1,          % -Strings
            warning_pairs/1,     % -Pairs
            unknown_called/1     % -Indicators
          ]).
:- use_module(library(lists)).

/** <module> What a call has to tell beside its answer

Warnings and the unknown predicates that a call met. They live in global variables, since a read's database
changes are undone. In goal mode only note_unknown/1 may set one of them (zpm_guards).
*/

%!  begin_call is det.
%
%   The constraint solvers give their global variables a value when they miss it; the same hook resets them.

begin_call :-
    emptied(zpm_warnings),
    emptied(zpm_unknown),
    reset_others.

%   Looking is cheaper than setting, and there is seldom something.

emptied(Key) :-
    (   nb_current(Key, []) -> true ; nb_setval(Key, []) ).

%   Asked for by name, a variable that is missing would come into being.

reset_others :-
    nb_current(Key, _),
    \+ ours(Key),
    reset(Key),
    fail.
reset_others.

ours(zpm_warnings).
ours(zpm_unknown).
ours('$inprint_message').

reset('$tbl_reeval') :- !,
    nb_delete('$tbl_reeval').
reset(Key) :-
    sub_atom(Key, 0, _, _, '$clp'),
    ignore(user:exception(undefined_global_variable, Key, _)).

%!  warn(+String) is det.

warn(String) :-
    nb_getval(zpm_warnings, Warnings),
    (   memberchk(String, Warnings) -> true ; nb_setval(zpm_warnings, [String|Warnings]) ).

%!  warnings(-Strings) is det.

warnings(Strings) :-
    nb_getval(zpm_warnings, Warnings),
    reverse(Warnings, Strings).

%!  warning_pairs(-Pairs) is det.
%
%   The same as a part of an answer: none when there are no warnings.

warning_pairs(Pairs) :-
    warnings(Warnings),
    ( Warnings == [] -> Pairs = [] ; Pairs = [warnings-Warnings] ).

%!  unknown_called(-Indicators) is det.
%
%   Module:Name/Arity of predicates that goals of this call asked for and nobody defined, in that order.

unknown_called(Indicators) :-
    nb_getval(zpm_unknown, Unknown),
    reverse(Unknown, Indicators).

%   The flag `unknown=warning` of a memory's module makes the engine print this message and fail the goal.

:- multifile user:message_hook/3.
:- dynamic user:message_hook/3.

user:message_hook(error(existence_error(procedure, Module:Indicator), _), warning, _) :-
    zpm_warnings:note_unknown(Module:Indicator).

note_unknown(Indicator) :-
    nb_getval(zpm_unknown, Unknown),
    (   memberchk(Indicator, Unknown) -> true ; nb_setval(zpm_unknown, [Indicator|Unknown]) ).
