:- module(zpm_pages, [page/4]).   % +Values, +Request, -Shown, -Pairs
:- use_module(library(lists)).
:- use_module(wire).

/** <module> A piece of a long list */

%!  page(+Values, +Request, -Shown, -Pairs) is det.
%
%   Values are JSON values. Request has offset, limit and answer_bytes: Shown begins behind offset and ends before
%   the limit and the bytes are used up, but not before one value. Pairs says whether there is more, and where it
%   begins.

page(Values, Request, Shown, Pairs) :-
    Offset = Request.offset,
    behind(Offset, Values, Rest),
    take(Rest, Request.limit, Request.answer_bytes, Shown, Left),
    (   Left == []
    ->  Pairs = [truncated-false]
    ;   length(Shown, Count),
        Next is Offset + Count,
        Pairs = [truncated-true, next_offset-Next]
    ).

behind(0, Values, Rest) => Rest = Values.
behind(_, [], Rest) => Rest = [].
behind(N, [_|Values], Rest) =>
    N1 is N - 1,
    behind(N1, Values, Rest).

take([Value|Values], Limit, Room, Shown, Left) :-
    Limit > 0,
    json_text(Value, Text),
    string_length(Text, Length),
    Room1 is Room - Length - 1,
    !,
    Shown = [Value|More],
    (   Room1 =< 0
    ->  More = [], Left = Values
    ;   Limit1 is Limit - 1,
        take(Values, Limit1, Room1, More, Left)
    ).
take(Left, _, _, [], Left).
