:- module(zpm_reading,
          [ read_one/5,        % +Text, +What, +Module, -Term, -Names
            read_goal/4,       % +Text, +Module, -Goal, -Names
            read_rule/5,       % +HeadText, +BodyText, +Module, -Rule, -Names
            read_fact/5,       % +Text, +What, +Module, -Fact, -Names
            read_next/4,       % +Stream, +Text, +Module, -Next
            refuse_fences/1    % +Text
          ]).
:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(texts).
:- use_module(brackets).
:- use_module(warnings).

/** <module> What a user typed, as one term (SPEC 1.3)

Exactly one term, the final full stop optional. What people paste by habit is named and, where it is
harmless, understood: a `?-` and Markdown fences around a goal. What would silently mean something else is
refused (typographic quotes, `main.rs`) or stored with a warning (`1,000`).

What names the text in errors: `fact`, `goal`, `head`, `body`, ...
*/

%!  read_one(+Text, +What, +Module, -Term, -Names) is det.
%
%   Names is a list of Name=Variable, anonymous variables left out. Throws zpm(syntax, _) with the reason
%   and its place, zpm(input, _) for blank text.

read_one(Text, What, Module, Term, Names) :-
    require_shallow_text(Text),
    string_concat(Text, "\n.\n", Closed),
    catch(read_closed(Closed, Module, Term, Names, Layout, Rest), Error, true),
    (   nonvar(Error)
    ->  unreadable(Error, Text, What)
    ;   true
    ),
    nothing_follows(Rest, What),
    within(Layout, Text, What),
    require_shallow(Term),
    refuse_surprises(Term, Layout, Text, What),
    warn_digit_groups(Layout, Text).

read_closed(Closed, Module, Term, Names, Layout, Rest) :-
    setup_call_cleanup(
        open_string(Closed, Stream),
        (   read_term(Stream, Term,
                      [ module(Module), variable_names(Names), subterm_positions(Layout),
                        syntax_errors(error), double_quotes(string), back_quotes(codes),
                        dotlists(false), var_prefix(false)
                      ]),
            read_string(Stream, _, Rest)
        ),
        close(Stream)).

%   A text that ends in 0' would take the line break behind it for its character.

within(Layout, Text, What) :-
    string_length(Text, Length),
    (   compound(Layout), arg(2, Layout, End), integer(End), End > Length
    ->  unreadable(error(syntax_error(end_of_file), stream(_, _, _, Length)), Text, What)
    ;   true
    ).

%   Our own full stop ends the text unless the author wrote one; behind that only layout may stand.

nothing_follows(Rest, What) :-
    (   string_concat(Tail, "\n.\n", Rest)
    ->  (   catch(read_closed(Tail, zpm_canonical, End, _, _, _), _, fail), End == end_of_file
        ->  true
        ;   one_only(What)
        )
    ;   true
    ).

one_only(What) :-
    format(string(Why), "The ~w must be exactly one ~w, but text follows its full stop", [What, What]),
    throw(error(zpm(input, [why-Why]), _)).

unreadable(error(syntax_error(Reason0), Context), Text, What) =>
    (   blank(Text)
    ->  format(string(Why), "The ~w is blank", [What]),
        throw(error(zpm(input, [why-Why]), _))
    ;   true
    ),
    (   unbalanced(Text, At)
    ->  Reason = "unbalanced parentheses", Offset = At
    ;   reason_text(Reason0, Reason),
        error_offset(Context, Offset)
    ),
    line_column(Text, Offset, Line, Column),
    syntax_hint(Reason0, Text, Hint),
    atom_string(What, WhatText),
    throw(error(zpm(syntax,
                    [ what-WhatText, reason-Reason, line-Line, column-Column, hint-Hint ]), _)).
unreadable(Error, _, _) => throw(Error).

error_offset(stream(_, _, _, Offset), Offset) :- !.
error_offset(_, 0).

blank(Text) :-
    catch(read_closed(Text, zpm_canonical, Term, _, _, _), _, fail),
    Term == end_of_file.
blank(Text) :-
    split_string(Text, "", " \t\r\n.", [""]).

reason_text(bidi_override(_), "an invisible character that turns the direction of text") :- !.
reason_text(Reason, Text) :-
    catch(phrase('$messages':syntax_error(Reason), Lines), _, fail),
    with_output_to(string(Text0), print_message_lines(current_output, '', Lines)),
    split_string(Text0, "", "\n ", [Text1]),
    Text1 \== "",
    !,
    sub_string(Text1, 0, 1, _, First0),
    sub_string(Text1, 1, _, 0, Rest),
    string_lower(First0, First),
    string_concat(First, Rest, Text).
reason_text(Reason, Text) :-
    format(string(Text), "~w", [Reason]).

line_column(Text, Offset0, Line, Column) :-
    string_length(Text, Length),
    Offset is min(Offset0, Length),
    sub_string(Text, 0, Offset, _, Before),
    split_string(Before, "\n", "", Lines),
    length(Lines, Line),
    last(Lines, Last),
    string_length(Last, Column0),
    Column is Column0 + 1.

syntax_hint(bidi_override(Code), _, Hint) :- !,
    format(string(Hint), "Leave it out, or write it as \\u~16R", [Code]).
syntax_hint(_, Text, "Write straight quotes: ' or \"") :-
    member(Quote, ["\u201C", "\u201D", "\u2018", "\u2019", "\u201E"]),
    sub_string(Text, _, _, _, Quote),
    !.
syntax_hint(_, Text, Hint) :-
    called_variable(Text, Name),
    !,
    format(string(Hint), "~w begins like a variable: begin the name with a lower-case letter, or write '~w'(...)",
           [Name, Name]).
syntax_hint(_, _, "").

%   Terms that read but mean something else than they look like.

refuse_surprises(Term, Layout, Text, What) :-
    (   surprise_at(Term, Layout, Offset, Reason, Hint)
    ->  surprised(What, Reason, Hint, Text, Offset)
    ;   true
    ).

surprise_at(Term, Layout, Offset, Reason, Hint) :-
    sub_term_at(Term, Layout, Sub, SubLayout),
    layout_start(SubLayout, Offset),
    surprise(Sub, SubLayout, Reason, Hint),
    !.

surprised(What, Reason, Hint, Text, Offset) :-
    atom_string(What, WhatText),
    line_column(Text, Offset, Line, Column),
    throw(error(zpm(syntax,
                    [ what-WhatText, reason-Reason, line-Line, column-Column, hint-Hint ]), _)).

surprise(Sub, _, "typographic quotes", "Write straight quotes: ' or \"") :-
    compound_name_arity(Sub, Name, 1),
    memberchk(Name, ['\u201C\u201D', '\u2018\u2019', '\u00AB\u00BB']).
surprise(Sub, Layout, "an unquoted dot between names or numbers",
         "Quote versions and file names: '1.2.3', 'main.rs'") :-
    compound_name_arity(Sub, '.', 2),
    \+ name_first(Layout).                             % '.'(a, b)

name_first(term_position(From, _, From, _, _)).
name_first(parentheses_term_position(_, _, Layout)) :- name_first(Layout).

%   sub_term_at(+Term, +Layout, -Sub, -SubLayout): the compound subterms.

sub_term_at(Term, Layout, Sub, SubLayout) :-
    compound(Term),
    (   Sub = Term,
        SubLayout = Layout
    ;   part(Layout, Term, Argument, ArgumentLayout),
        sub_term_at(Argument, ArgumentLayout, Sub, SubLayout)
    ).

layout_start(From-_, From) :- !.
layout_start(Layout, From) :- compound(Layout), arg(1, Layout, From).

part(term_position(_, _, _, _, Layouts), Term, Argument, Layout) :-
    nth1(N, Layouts, Layout),
    arg(N, Term, Argument).
part(list_position(_, _, Layouts, _), List, Element, Layout) :-
    paired(Layouts, List, Layout, Element).
part(list_position(_, _, Layouts, Layout), List, Tail, Layout) :-
    Layout \== none,
    length(Layouts, N),
    length(Front, N),
    append(Front, Tail, List).
part(brace_term_position(_, _, Layout), {}(Argument), Argument, Layout).
part(parentheses_term_position(_, _, Layout), Term, Term, Layout).

%   Side by side: looking each element up by its number would be quadratic.

paired([Layout|_], [Element|_], Layout, Element).
paired([_|Layouts], [_|Elements], Layout, Element) :-
    paired(Layouts, Elements, Layout, Element).

%   `1,000` is two arguments; whoever typed it meant one thousand.

warn_digit_groups(Layout, Text) :-
    (   digit_group(Layout, Text, Group)
    ->  format(string(Warning),
               "'~s' was read as two arguments; write the number without a comma", [Group]),
        warn(Warning)
    ;   true
    ).

digit_group(term_position(_, _, _, _, Arguments), Text, Group) :-
    (   append(_, [From-Comma, Next-To|_], Arguments),
        Next =:= Comma + 1,
        To =:= Next + 3,
        Comma - From =< 3,
        all_digits(Text, From, Comma),
        all_digits(Text, Next, To)
    ->  Length is To - From,
        sub_string(Text, From, Length, _, Group)
    ;   member(Argument, Arguments),
        digit_group(Argument, Text, Group)
    ).

all_digits(Text, From, To) :-
    Length is To - From,
    sub_string(Text, From, Length, _, Digits),
    string_codes(Digits, Codes),
    forall(member(Code, Codes), code_type(Code, digit)).

%!  read_goal(+Text, +Module, -Goal, -Names) is det.

read_goal(Text0, Module, Goal, Names) :-
    without_fences(Text0, Text),
    read_one(Text, goal, Module, Term, Names),
    (   nonvar(Term), Term = (?- Goal0)
    ->  warn("The leading '?-' was left out"),
        Goal = Goal0
    ;   Goal = Term
    ),
    (   clause_like(Goal)
    ->  throw(error(zpm(input, [why-"A goal is a question, not a clause or a directive: use define_rule to add a rule"]), _))
    ;   compound(Goal), compound_name_arity(Goal, Name, 0)
    ->  format(string(Why), "~q() has no arguments: write ~q", [Name, Name]),
        throw(error(zpm(input, [why-Why]), _))
    ;   callable(Goal) -> true
    ;   var(Goal)
    ->  throw(error(zpm(input, [why-"The goal is a variable: name a predicate"]), _))
    ;   throw(error(zpm(input, [why-"A goal must be an atom or a compound term"]), _))
    ).

clause_like(Term) :- var(Term), !, fail.
clause_like((_ :- _)).
clause_like((:- _)).
clause_like((_ --> _)).
clause_like((_ => _)).

without_fences(Text0, Text) :-
    split_string(Text0, "", " \t\r\n", [Trimmed]),
    string_concat("```", Opened, Trimmed),
    string_concat(Body0, "```", Opened),
    sub_string(Body0, Before, 1, _, "\n"),
    !,
    sub_string(Body0, Before, _, 0, Text),
    warn("The Markdown fences around the goal were left out").
without_fences(Text, Text).

%!  read_fact(+Text, +What, +Module, -Fact, -Names) is det.
%
%   What names the argument, as the reference's sentence does: `fact must not contain rule syntax`.

read_fact(Text, What, Module, Fact, Names) :-
    refuse_fences(Text),
    read_one(Text, What, Module, Fact, Names),
    (   nonvar(Fact), ( Fact = (_ :- _) ; Fact = (_ => _) )
    ->  atom_string(What, WhatText),
        throw(error(zpm(rule_syntax, [what-WhatText]), _))
    ;   refuse_grammar_and_directives(Fact)
    ).

%!  refuse_fences(+Text) is det.

refuse_fences(Text) :-
    (   split_string(Text, "", " \t\r\n", [Trimmed]),
        string_concat("```", _, Trimmed)
    ->  throw(error(zpm(input, [why-"Send the clause alone, without Markdown fences"]), _))
    ;   true
    ).

refuse_grammar_and_directives(Term) :-
    (   nonvar(Term), refused_form(Term, Why)
    ->  throw(error(zpm(input, [why-Why]), _))
    ;   true
    ).

refused_form((_ --> _), "A grammar rule (-->) must be translated: give it to load_knowledge, or put it into a kb/*.pl file").
refused_form((:- _), "A directive cannot be stored").
refused_form((?- _), "A question cannot be stored: use query_logic to ask it").

%!  read_rule(+HeadText, +BodyText, +Module, -Rule, -Names) is det.
%
%   Both texts are read by themselves, so that a comment ends where its text ends, and then share the
%   variables that have the same name.

read_rule(HeadText, BodyText, Module, (Head :- Body), Names) :-
    refuse_fences(HeadText),
    refuse_fences(BodyText),
    catch(( read_one(HeadText, head, Module, Head, HeadNames),
            read_one(BodyText, body, Module, Body, BodyNames)
          ), error(zpm(syntax, Pairs), _),
          throw(error(zpm(rule_syntax_error, Pairs), _))),
    foldl(share, BodyNames, HeadNames, Names),
    refuse_grammar_and_directives(Head),
    (   nonvar(Head), clause_like(Head)
    ->  throw(error(zpm(input, [why-"The head must not contain a neck: give head and body separately"]), _))
    ;   clause_like(Body)
    ->  throw(error(zpm(input, [why-"The body must be a goal, not a clause"]), _))
    ;   true
    ).

share(Name=Variable, Names0, Names) :-
    (   memberchk(Name=Shared, Names0)
    ->  Variable = Shared, Names = Names0
    ;   append(Names0, [Name=Variable], Names)
    ).

%!  read_next(+Stream, +Text, +Module, -Next) is det.
%
%   The next clause of a text of many, whose layout in front was skipped: clause(Term, Names), or `end`. Stream
%   reads all of Text. The last full stop is optional. After an error the stream stands behind the clause.

read_next(Stream, _, _, Next), at_end_of_stream(Stream) =>
    Next = end.
read_next(Stream, Text, Module, Next) =>
    Next = clause(Term, Names),
    character_count(Stream, Offset),
    catch(read_term(Stream, Term0,
                    [ module(Module), variable_names(Names0),
                      syntax_errors(error), double_quotes(string), back_quotes(codes),
                      dotlists(false), var_prefix(false)
                    ]),
          Error, true),
    (   var(Error)
    ->  Term = Term0, Names = Names0,
        require_shallow(Term),
        (   Term == end_of_file
        ->  throw(error(zpm(input, [why-"end_of_file ends every text: choose another name"]), _))
        ;   suspicious(Term)
        ->  character_count(Stream, End),
            Length is End - Offset,
            sub_string(Text, Offset, Length, _, Own),
            look_closely(Own, Offset, Text, Module)
        ;   true
        )
    ;   Error = error(syntax_error(end_of_file), _),
        sub_string(Text, Offset, _, 0, Rest),
        catch(read_one(Rest, clause, Module, Term, Names), _, fail)
    ->  true
    ;   unreadable_clause(Error, Text)
    ).

unreadable_clause(error(syntax_error(Reason0), stream(_, Line, Column0, _)), _) =>
    reason_text(Reason0, Reason),
    Column is Column0 + 1,
    throw(error(zpm(syntax, [what-"clause", reason-Reason, line-Line, column-Column, hint-""]), _)).
unreadable_clause(Error, _) => throw(Error).

%   suspicious(+Term): where the places of its parts have to be looked at. Reading them for every clause of a long
%   text would take most of the time.

suspicious(Term) :-
    compound(Term),
    (   surprise(Term, unknown, _, _) -> true
    ;   is_list(Term) -> member(Element, Term), suspicious(Element), !
    ;   compound_name_arguments(Term, _, Arguments),
        (   append(_, [A, B|_], Arguments), integer(A), integer(B), A < 1000, B < 1000
        ->  true
        ;   member(Argument, Arguments), suspicious(Argument), !
        )
    ).

look_closely(Own, Offset, Text, Module) :-
    read_closed(Own, Module, Term, _, Layout, _),
    (   surprise_at(Term, Layout, At, Reason, Hint)
    ->  Place is Offset + At,
        surprised(clause, Reason, Hint, Text, Place)
    ;   warn_digit_groups(Layout, Own)
    ).
