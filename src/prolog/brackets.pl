:- module(zpm_brackets,
          [ unbalanced/2,         % +Text, -Offset
            nested_deeper/2,      % +Text, +Limit
            called_variable/2     % +Text, -Name
          ]).
:- use_module(library(lists)).

/** <module> Where brackets do not match

Prolog's reader names the token at which it gave up; a person looks for the bracket. This scanner knows
quotes, character codes and comments, and nothing else of the syntax.
*/

%!  unbalanced(+Text, -Offset) is semidet.
%
%   True when a bracket of Text has no partner; Offset is the wrong closing bracket, or the end of the text
%   when one is not closed.

unbalanced(Text, Offset) :-
    string_codes(Text, Codes),
    scan(Codes, 0, [], Offset).

scan([], At, [_|_], At).
scan([Code|Codes], At, Open, Offset) :-
    At1 is At + 1,
    (   skipped(Code, Codes, At1, Codes1, At2)
    ->  scan(Codes1, At2, Open, Offset)
    ;   pair(Code, Close)
    ->  scan(Codes, At1, [Close|Open], Offset)
    ;   pair(_, Code)
    ->  (   Open = [Code|Open1]
        ->  scan(Codes, At1, Open1, Offset)
        ;   Offset = At
        )
    ;   scan(Codes, At1, Open, Offset)
    ).

%!  nested_deeper(+Text, +Limit) is semidet.
%
%   True when more than Limit brackets of Text are open at once.

nested_deeper(Text, Limit) :-
    %   Nearly every text has so few of them that they need not be looked at.
    split_string(Text, "([{", "", Parts),
    length(Parts, Count),
    Count > Limit + 1,
    string_codes(Text, Codes),
    deeper(Codes, 0, Limit).

deeper([Code|Codes], Depth, Limit) :-
    (   skipped(Code, Codes, 0, Rest, _)
    ->  deeper(Rest, Depth, Limit)
    ;   pair(Code, _)
    ->  Depth1 is Depth + 1,
        ( Depth1 > Limit -> true ; deeper(Codes, Depth1, Limit) )
    ;   pair(_, Code)
    ->  Depth1 is Depth - 1,
        deeper(Codes, Depth1, Limit)
    ;   deeper(Codes, Depth, Limit)
    ).

%!  called_variable(+Text, -Name) is semidet.
%
%   Name is the first name that begins like a variable and is followed by its arguments, such as Human(X).

called_variable(Text, Name) :-
    string_codes(Text, Codes),
    called(Codes, Name).

called([Code|Codes], Name) :-
    (   skipped(Code, Codes, 0, Rest, _)
    ->  called(Rest, Name)
    ;   code_type(Code, csym)
    ->  word(Codes, Word, Rest),
        (   Rest = [0'(|_], code_type(Code, prolog_var_start)
        ->  string_codes(Name, [Code|Word])
        ;   called(Rest, Name)
        )
    ;   called(Codes, Name)
    ).

word([Code|Codes], [Code|Word], Rest) :-
    code_type(Code, csym),
    !,
    word(Codes, Word, Rest).
word(Rest, [], Rest).

pair(0'(, 0')).
pair(0'[, 0']).
pair(0'{, 0'}).

%   0'c, quoted text, and comments are skipped whole.

skipped(0'0, [0'', 0'\\, _|Codes], At, Codes, At1) :- !, At1 is At + 3.
skipped(0'0, [0'', 0'', 0''|Codes], At, Codes, At1) :- !, At1 is At + 3.
skipped(0'0, [0'', _|Codes], At, Codes, At1) :- !, At1 is At + 2.
skipped(Quote, Codes, At, Rest, End) :-
    memberchk(Quote, [0'', 0'", 0'`]),
    !,
    quoted(Codes, Quote, At, Rest, End).
skipped(0'%, Codes, At, Rest, End) :-
    !,
    until_newline(Codes, At, Rest, End).
skipped(0'/, [0'*|Codes], At, Rest, End) :-
    At1 is At + 1,
    until_comment_end(Codes, At1, Rest, End).

quoted([], _, At, [], At).
quoted([0'\\, _|Codes], Quote, At, Rest, End) :- !, At1 is At + 2, quoted(Codes, Quote, At1, Rest, End).
quoted([Quote|Codes], Quote, At, Codes, End) :- !, End is At + 1.
quoted([_|Codes], Quote, At, Rest, End) :- At1 is At + 1, quoted(Codes, Quote, At1, Rest, End).

until_newline([], At, [], At).
until_newline([0'\n|Codes], At, Codes, End) :- !, End is At + 1.
until_newline([_|Codes], At, Rest, End) :- At1 is At + 1, until_newline(Codes, At1, Rest, End).

until_comment_end([], At, [], At).
until_comment_end([0'*, 0'/|Codes], At, Codes, End) :- !, End is At + 2.
until_comment_end([_|Codes], At, Rest, End) :- At1 is At + 1, until_comment_end(Codes, At1, Rest, End).
