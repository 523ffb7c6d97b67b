:- module(zpm_heartbeat, []).

/** <module> A running engine can be told to end

Nothing from outside reaches Prolog while it runs, and ending its worker does not always end a loop. So it shows
every so often that it is there, and the worker does not return from that when the supervisor wants it gone.
*/

%   The engine calls the hook like one more goal behind the one that has just succeeded. So it must succeed, once:
%   failing would take that success back, and a second clause, as library(wasm) has one, would be tried on
%   backtracking and make one success two.

:- abolish(prolog:heartbeat/0).
:- multifile prolog:heartbeat/0.

prolog:heartbeat :-
    put_char(user_error, '\u0003'),
    nl(user_error).

%   Inferences between two beats: some tens of milliseconds.

:- set_prolog_flag(heartbeat, 500 000).
