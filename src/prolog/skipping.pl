:- module(zpm_skipping,
          [ skip_start/1,        % +Stream
            skip_layout/1,       % +Stream
            skip_block_comment/1, % +Stream
            skip_clause/1        % +Stream
          ]).

/** <module> Passing over text without reading it

A clause that kills the engine when it is read must be passed over by characters. Like brackets.pl this knows
quotes, character codes and comments; a clause ends at a full stop that layout, a comment or the end follows.
*/

%!  skip_start(+Stream) is det.
%
%   What stands before the text of a file: a byte order mark, and the line that names an interpreter.

skip_start(Stream) :-
    ( peek_char(Stream, '\uFEFF') -> get_char(Stream, _) ; true ),
    ( peek_string(Stream, 2, "#!") -> skip(Stream, 0'\n) ; true ).

%!  skip_layout(+Stream) is det.
%
%   Blanks and comments, up to where the next term begins.

skip_layout(Stream) :-
    (   layout(Stream) -> skip_layout(Stream) ; true ).

layout(Stream) :-
    peek_code(Stream, Code),
    (   Code == 0'\n
    ->  get_code(Stream, _)
    ;   Code == 0'%
    ->  skip_line(Stream)
    ;   Code == 0'/
    ->  skip_block_comment(Stream)
    ;   code_type(Code, space),
        get_code(Stream, _)
    ).

%!  skip_block_comment(+Stream) is semidet.
%
%   Fails when none begins here.

skip_block_comment(Stream) :-
    peek_string(Stream, 2, "/*"),
    get_char(Stream, _),
    get_char(Stream, _),
    skip_comment(Stream, ' ').

%!  skip_clause(+Stream) is det.

skip_clause(Stream) :-
    skip_from(Stream, ' ').

skip_from(Stream, Before) :-
    get_char(Stream, Char),
    (   Char == end_of_file
    ->  true
    ;   ends(Char, Before, Stream)
    ->  true
    ;   pass(Char, Stream),
        skip_from(Stream, Char)
    ).

ends('.', Before, Stream) :-
    \+ memberchk(Before, [#, $, &, *, +, -, '.', /, :, <, =, >, ?, @, ^, ~, \]),
    peek_char(Stream, Next),
    (   Next == end_of_file ; Next == '%' ; char_type(Next, space) ),
    !.

pass('%', Stream) :- !, skip_line(Stream).
pass('/', Stream) :- peek_char(Stream, *), !, get_char(Stream, _), skip_comment(Stream, ' ').
pass('0', Stream) :- peek_char(Stream, ''''), !, get_char(Stream, _), skip_code(Stream).
pass(Quote, Stream) :- quote(Quote), !, skip_quoted(Stream, Quote).
pass(_, _).

quote('''').
quote('"').
quote('`').

skip_line(Stream) :-
    get_char(Stream, Char),
    (   ( Char == '\n' ; Char == end_of_file ) -> true ; skip_line(Stream) ).

skip_comment(Stream, Before) :-
    get_char(Stream, Char),
    (   ( Char == end_of_file ; Before == *, Char == / ) -> true ; skip_comment(Stream, Char) ).

skip_code(Stream) :-
    get_char(Stream, Char),
    (   Char == (\) -> get_char(Stream, _)
    ;   Char == '''', peek_char(Stream, '''') -> get_char(Stream, _)
    ;   true
    ).

skip_quoted(Stream, Quote) :-
    get_char(Stream, Char),
    (   ( Char == Quote ; Char == end_of_file ) -> true
    ;   Char == (\) -> get_char(Stream, _), skip_quoted(Stream, Quote)
    ;   skip_quoted(Stream, Quote)
    ).
