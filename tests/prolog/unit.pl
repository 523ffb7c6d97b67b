:- module(unit, []).
:- use_module(library(lists)).

/** <module> Runs the tests of the other files of this folder

A test is a clause test(Name) :- Body of a module that begins with `test_`. It passes when Body is true. It
fails when Body is false or throws; fail_with/1 says why.
*/

:- multifile zpm:operation/3.

%   Every test with its outcome: "passed", or what went wrong.

zpm:operation(unit, _, [outcomes-Outcomes]) :-
    findall(obj([name-NameText, outcome-Outcome]),
            ( current_module(Module),
              sub_atom(Module, 0, _, _, test_),
              clause(Module:test(Name), Body),
              format(string(NameText), "~w: ~w", [Module, Name]),
              unit:outcome(Module:Body, Outcome)
            ),
            Outcomes).

outcome(Goal, Outcome) :-
    zpm_warnings:begin_call,
    catch(( Goal -> Outcome = "passed" ; Outcome = "failed" ), Error, unit:said(Error, Outcome)).

said(failed(Text), Text) :- !.
said(Error, Text) :- format(string(Text), "~p", [Error]).

%!  fail_with(+Format, +Arguments): ends a test with the reason.

:- public fail_with/2.

fail_with(Format, Arguments) :-
    format(string(Text), Format, Arguments),
    throw(failed(Text)).

%!  each(:Goal, +Values): Goal holds for each of the values, or the test ends with the first that it does not.

:- meta_predicate each(1, +).
:- public each/2.

each(Goal, Values) :-
    forall(member(Value, Values),
           (   catch(call(Goal, Value), Error, fail_with("~q: ~p", [Value, Error]))
           ->  true
           ;   fail_with("~q", [Value])
           )).
