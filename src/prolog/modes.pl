:- module(zpm_modes,
          [ comment_block/2,     % +Comment, -Block
            module_comment/3,    % +Comment, -Title, -Description
            mode_line/2,         % +Text, -Mode
            tag_words/3,         % +Text, -Word, -Rest
            tag_term/3           % +Text, -Term, -Bindings
          ]).
:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(library(strings)).
:- use_module(texts).
:- use_module(reading).

/** <module> What a comment says about a predicate: PlDoc's mode lines, text and tags (SPEC 2.1)

A comment comes from the reader, so that what stands in a quoted atom or in another comment is none. The mode
lines in it are terms, read in a module that has PlDoc's operators and no others.
*/

:- set_module(zpm_mode_syntax:base(system)).
:- set_prolog_flag(zpm_mode_syntax:double_quotes, string).
:- op(750, xf, zpm_mode_syntax:(...)).
:- op(650, fx, zpm_mode_syntax:(+)).
:- op(650, fx, zpm_mode_syntax:(++)).
:- op(650, fx, zpm_mode_syntax:(-)).
:- op(650, fx, zpm_mode_syntax:(--)).
:- op(650, fx, zpm_mode_syntax:(?)).
:- op(650, fx, zpm_mode_syntax:(:)).
:- op(650, fx, zpm_mode_syntax:(@)).
:- op(650, fx, zpm_mode_syntax:(!)).
:- op(200, xf, zpm_mode_syntax:(//)).

%!  comment_block(+Comment, -Block) is semidet.
%
%   Block is block(Modes, Description, Tags): texts of mode lines as Offset-Text, the offset in lines from the
%   beginning of the comment, and tags as Name-Text. Fails for a comment that has no mode line.

comment_block(Comment, block(Modes, Description, Tags)) :-
    string_concat("%", _, Comment),
    split_string(Comment, "\n", "\r", Lines0),
    first_mode_line(Lines0, 0, Lines, Offset),
    head_lines(Lines, Offset, Modes0, Rest),
    maplist(split_mode, Modes0, Modes, Leftovers),
    maplist(comment_text, Rest, Body),
    append(Leftovers, Body, Text),
    tags(Text, Description, Tags).

%   `%%` begins a comment or nothing: a line of them is a banner, and one further below is any comment.

first_mode_line([Line|Lines], Offset, [Line|Lines], Offset) :-
    (   marked(Line, "%!", _) -> true ; Offset =:= 0, marked(Line, "%%", _) ),
    !.
first_mode_line([_|Lines], Offset0, Rest, Offset) :-
    Offset1 is Offset0 + 1,
    first_mode_line(Lines, Offset1, Rest, Offset).

marked(Line, Mark, Text) :-
    string_concat(Mark, Text, Line),
    (   Text == "" -> true
    ;   sub_string(Text, 0, 1, _, Char), char_type(Char, space)
    ).

%   The head: as many texts as there are marked lines, each with the lines below that continue it, to the first
%   that is empty.

head_lines([Line|Lines], Offset, [Offset-[Text|More]|Modes], Rest) :-
    ( marked(Line, "%!", Text) ; marked(Line, "%%", Text) ),
    !,
    continuation(Lines, More, Rest0),
    length(More, Length),
    Next is Offset + 1 + Length,
    head_lines(Rest0, Next, Modes, Rest).
head_lines(Rest, _, [], Rest).

continuation([Line|Lines], [Text|More], Rest) :-
    \+ marked(Line, "%!", _),
    \+ marked(Line, "%%", _),
    comment_text(Line, Text),
    normalize_space(string(Words), Text),
    Words \== "",
    \+ string_concat("@", _, Words),
    !,
    continuation(Lines, More, Rest).
continuation(Rest, [], Rest).

comment_text(Line, Text) :-
    (   ( marked(Line, "%!", Text0) ; marked(Line, "%%", Text0) ) -> Text = Text0
    ;   string_concat("%", Text, Line) -> true
    ;   Text = Line
    ).

%   What stands behind the end of the mode line is text already.

split_mode(Offset-Lines, Offset-Mode, Rest) :-
    atomic_list_concat(Lines, '\n', Atom),
    atom_string(Atom, Text),
    (   catch(( require_shallow_text(Text), end_of_term(Text, Length) ), _, fail)
    ->  sub_string(Text, 0, Length, After, Mode),
        sub_string(Text, Length, After, 0, Rest)
    ;   Mode = Text, Rest = ""
    ).

end_of_term(Text, Length) :-
    setup_call_cleanup(
        open_string(Text, Stream),
        ( read_mode(Stream, _, _), character_count(Stream, Length) ),
        close(Stream)).

read_mode(Stream, Term, Bindings) :-
    read_term(Stream, Term,
              [ module(zpm_mode_syntax), variable_names(Bindings), syntax_errors(error), double_quotes(string) ]).

%   Lines up to the first that begins with @ are the description; what follows a tag's line belongs to it.

tags(Lines, Description, Tags) :-
    text_lines(Lines, Texts, Rest),
    atomic_list_concat(Texts, '\n', Joined),
    dedent_lines(Joined, Dedented, []),
    split_string(Dedented, "", " \t\n\r", [Description]),
    tag_list(Rest, Tags).

text_lines([], [], []).
text_lines([Line|Lines], Texts, Rest) :-
    (   tag_line(Line, _, _)
    ->  Texts = [], Rest = [Line|Lines]
    ;   Texts = [Line|More],
        text_lines(Lines, More, Rest)
    ).

tag_list([], []).
tag_list([Line|Lines], [Name-Text|Tags]) :-
    tag_line(Line, Name, First),
    text_lines(Lines, More, Rest),
    atomic_list_concat([First|More], ' ', Joined),
    normalize_space(string(Text), Joined),
    tag_list(Rest, Tags).

tag_line(Line, Name, Text) :-
    split_string(Line, "", " \t", [Trimmed]),
    string_concat("@", Tag, Trimmed),
    tag_words(Tag, Word, Text),
    Word \== "",
    atom_string(Name, Word).

%!  tag_words(+Text, -Word, -Rest) is det.
%
%   The first word and what follows it.

tag_words(Text, Word, Rest) :-
    normalize_space(string(Normal), Text),
    (   sub_string(Normal, Before, 1, After, " ")
    ->  sub_string(Normal, 0, Before, _, Word),
        sub_string(Normal, _, After, 0, Rest)
    ;   Word = Normal, Rest = ""
    ).

%!  tag_term(+Text, -Term, -Bindings) is semidet.
%
%   A term in a tag, with the names of its variables; fails when it does not read.

tag_term(Text, Term, Bindings) :-
    catch(( require_shallow_text(Text), read_text(Text, Term, Bindings) ), _, fail).

%!  module_comment(+Comment, -Title, -Description) is semidet.
%
%   A comment `/** <module> Title`, or the same behind `%!`.

module_comment(Comment, Title, Description) :-
    (   string_concat("/**", Inner0, Comment), string_concat(Inner, "*/", Inner0)
    ->  split_string(Inner, "\n", "\r", Lines0),
        maplist(starless, Lines0, Lines)
    ;   string_concat("%!", _, Comment)
    ->  split_string(Comment, "\n", "\r", Lines0),
        maplist(comment_text, Lines0, Lines)
    ),
    Lines = [First|Rest],
    normalize_space(string(Words), First),
    string_concat("<module>", Title0, Words),
    normalize_space(string(Title), Title0),
    tags(Rest, Description, _).

%   A column of stars on the left is decoration.

starless(Line, Text) :-
    split_string(Line, "", " \t", [Trimmed]),
    (   string_concat("* ", Text, Trimmed) -> true
    ;   Trimmed == "*" -> Text = ""
    ;   Text = Line
    ).

%!  mode_line(+Text, -Mode) is det.
%
%   Mode is mode(Name, Arguments, Determinism) with Arguments as argument(Sign, Name, Type), or
%   unusable(Name, Why) where Name is `none` when it cannot be told. Sign is an atom, `none` without one.

mode_line(Text, Mode) :-
    catch(( require_shallow_text(Text), read_text(Text, Term, Bindings) ), Error, true),
    (   nonvar(Error)
    ->  unreadable(Error, Why),
        Mode = unusable(none, Why)
    ;   mode_term(Term, Bindings, Mode)
    ->  true
    ;   Mode = unusable(none, "a mode line is written name(+In:type, -Out:type) is det.")
    ).

%   The full stop may be missing.

read_text(Text0, Term, Bindings) :-
    string_concat(Text0, "\n.", Text),
    setup_call_cleanup(open_string(Text, Stream), read_mode(Stream, Term, Bindings), close(Stream)).

unreadable(error(syntax_error(Reason), _), Why) :-
    !,
    zpm_reading:reason_text(Reason, Text),
    format(string(Why), "the mode line does not read: ~s", [Text]).
unreadable(_, "the mode line is nested too deeply").

mode_term(Term, _, _), var(Term) => fail.
mode_term(is(Head, Determinism0), Bindings, Mode) =>
    head_mode(Head, Bindings, Mode0),
    (   Mode0 = mode(Name, Arguments)
    ->  (   memberchk(Determinism0, [det, semidet, nondet, multi])
        ->  Mode = mode(Name, Arguments, Determinism0)
        ;   Mode = unusable(Name, "its determinism must be det, semidet, nondet or multi")
        )
    ;   Mode = Mode0
    ).
mode_term(Head, Bindings, Mode) =>
    callable(Head),
    head_mode(Head, Bindings, Mode0),
    (   Mode0 = mode(Name, _)
    ->  Mode = unusable(Name, "its determinism is missing: write 'is det', 'is semidet', 'is nondet' or 'is multi'")
    ;   Mode = Mode0
    ).

head_mode(Head, _, _), var(Head) => fail.
head_mode(//(Head), _, Mode), callable(Head) =>
    functor(Head, Name, _),
    Mode = unusable(Name, "it is a grammar rule: document a predicate that calls phrase/2").
head_mode(_:Head, _, Mode), callable(Head) =>
    functor(Head, Name, _),
    Mode = unusable(Name, "its name has a module in front: leave it out").
head_mode(Name, _, Mode), atom(Name) => Mode = mode(Name, []).
head_mode(Head, Bindings, Mode), compound(Head) =>
    compound_name_arguments(Head, Name, Arguments0),
    (   maplist(argument_mode(Bindings), Arguments0, Arguments)
    ->  Mode = mode(Name, Arguments)
    ;   Mode = unusable(Name, "each argument is written +Name:type or -Name:type")
    ).
head_mode(_, _, _) => fail.

argument_mode(Bindings, Argument, argument(Sign, Name, Type)) :-
    (   nonvar(Argument), signed(Argument, Sign, Typed) -> true ; Sign = none, Typed = Argument ),
    (   nonvar(Typed), Typed = Variable:Type -> true ; Variable = Typed, Type = any ),
    var(Variable),
    member(Name=Bound, Bindings),
    Bound == Variable,
    !.

signed(Argument, Sign, Typed) :-
    compound(Argument),
    compound_name_arguments(Argument, Sign, [Typed]),
    memberchk(Sign, [+, ++, -, --, ?, :, @, !]).
