:- module(zpm_heartbeat, []).

/** <module> A running engine can be told to end

Nothing from outside reaches Prolog while it runs, and ending its worker does not always end a loop. So it shows
every so often that it is there, and the worker does not return from that when the supervisor wants it gone.
*/

:- multifile prolog:heartbeat/0.

%   It must fail: when it succeeds, the engine takes that for one more answer of whatever it is running, and a
%   loop of 100,000 steps counts 100,001.

prolog:heartbeat :-
    put_char(user_error, '\u0003'),
    nl(user_error),
    fail.

%   Inferences between two beats: some tens of milliseconds.

:- set_prolog_flag(heartbeat, 500 000).
