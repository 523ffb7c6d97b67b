:- module(zpm_bounded, [first_outcome/4]).   % :Prepare, :Goal, +Inferences, -Outcome

/** <module> The first answer of a goal, within a limit, with nothing kept but its bindings */

:- meta_predicate first_outcome(0, 0, +, -).

%!  first_outcome(:Prepare, :Goal, +Inferences, -Outcome) is det.
%
%   Outcome is `yes`, with the bindings of the first answer, `no`, limit(Which) or error(E). Prepare changes the memory
%   for Goal; it and whatever Goal changes is taken back.

first_outcome(Prepare, Goal, Inferences, Outcome) :-
    statistics(inferences, Before),
    snapshot(( Prepare,
               catch(limited(Goal, Inferences, Outcome0), Error, Outcome0 = error(Error))
             )),
    statistics(inferences, After),
    (   %   A goal that catches the limit is not stopped by it.
        ( Outcome0 == limit ; Outcome0 == no, After - Before >= Inferences )
    ->  Outcome = limit("inferences")
    ;   Outcome0 = error(error(resource_error(Resource), _))
    ->  zpm_faults:exhausted(Resource, Limit),
        Outcome = limit(Limit)
    ;   Outcome = Outcome0
    ).

limited(Goal, Inferences, Outcome) :-
    (   call_with_inference_limit(Goal, Inferences, Result)
    ->  ( Result == inference_limit_exceeded -> Outcome = limit ; Outcome = yes )
    ;   Outcome = no
    ).
