:- module(zpm_texts,
          [ canonical_text/2,    % +Clause, -Text
            canonical_term/2,    % +Text, -Clause
            clause_text/4,       % +Clause, +Module, +Names, -Text
            term_text/4,         % +Term, +Module, +Names, -Text
            body_text/4,         % +Body, +Module, +Names, -Text
            directive_text/2,    % +Directive, -Text
            variable_letters/3,  % +Term, +Prefix, -Names
            author_names/3,      % +Term, +Bindings, -Names
            without_modules/3,   % +Term, +Module, -Plain
            require_shallow/1,   % +Term
            require_shallow_text/1  % +Text
          ]).
:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(misprints).
:- use_module(brackets).

/** <module> Prolog text out, and canonical text back in

Two kinds of text. *Canonical* text is what the journal holds: written and read in a module of its own whose
base is `system`, so that no file's operators or flags change what it means (ENGINE-NOTES 1.6). *Display*
text is for people: the memory's operators, the author's variable names, a blank after each comma.

Names is a list of Name=Variable throughout.
*/

:- set_module(zpm_canonical:base(system)).
:- set_prolog_flag(zpm_canonical:double_quotes, string).
:- set_prolog_flag(zpm_canonical:back_quotes, codes).
:- set_prolog_flag(zpm_canonical:character_escapes, true).

%!  canonical_text(+Clause, -Text) is det.
%
%   Throws a representation error for what text cannot hold: attributed variables, blobs, cycles. The text
%   is read back before it is returned: nothing is journaled that an engine has not itself read
%   (ENGINE-NOTES 0.2).

canonical_text(Clause, Text) :-
    (   cyclic_term(Clause) -> unrepresentable("a cyclic term") ; true ),
    term_attvars(Clause, Attributed),
    (   Attributed \== [] -> unrepresentable("a constrained variable") ; true ),
    require_shallow(Clause),
    variable_letters(Clause, '', Names),
    (   plain_data(Clause, 32) -> Plain = true ; Plain = false ),
    Options = [ quoted(true), numbervars(false), portray(false), module(zpm_canonical),
                character_escapes(true), dotlists(false)
              ],
    (   Plain == false, misprinted(Clause, zpm_canonical)
    ->  printed(write_marked(Clause, zpm_canonical, Names, Options), Text)
    ;   printed(write_term(Clause, [variable_names(Names)|Options]), Text)
    ),
    (   sub_string(Text, _, 1, _, "\u0000") -> unrepresentable("a NUL character") ; true ),
    (   Plain == true
    ->  true
    ;   catch(canonical_term(Text, Again), _, fail),
        Again =@= Clause
    ->  true
    ;   unrepresentable("a stream, a reference or another term without text")
    ).

%   Reading back costs as much as all the rest; what is written as names, numbers, strings and plain compounds
%   of them, without an operator, cannot come back as anything else (ENGINE-NOTES 1.9).

plain_data(Term, _), var(Term) => fail.
plain_data(Term, _), atom(Term) =>
    blob(Term, Type), memberchk(Type, [text, ucs_text]),
    Term \== '[]', Term \== {},
    \+ current_op(_, _, zpm_canonical:Term).
plain_data(Term, _), atomic(Term) => ( integer(Term) -> true ; string(Term) ).
plain_data(Term, Depth) =>
    Depth > 0,
    compound_name_arity(Term, Name, Arity),
    Arity > 0,
    plain_data(Name, 0),
    Left is Depth - 1,
    plain_arguments(Arity, Term, Left).

plain_arguments(0, _, _) :- !.
plain_arguments(N, Term, Depth) :-
    arg(N, Term, Argument),
    plain_data(Argument, Depth),
    N1 is N - 1,
    plain_arguments(N1, Term, Depth).

unrepresentable(What) :-
    throw(error(zpm(unrepresentable, [what-What]), _)).

%!  canonical_term(+Text, -Clause) is det.

canonical_term(Text, Clause) :-
    term_string(Clause, Text,
                [ module(zpm_canonical), syntax_errors(error), double_quotes(string),
                  dotlists(false), var_prefix(false)
                ]).

%!  clause_text(+Clause, +Module, +Names, -Text) is det.
%
%   `H :- B` with blanks around the neck, as the reference shows rules.

clause_text(Clause, Module, Names, Text) :-
    clause_parts(Clause, Head, Neck, Body),
    !,
    term_text(Head, Module, Names, HeadText),
    body_text(Body, Module, Names, BodyText),
    format(string(Text), "~s ~w ~s", [HeadText, Neck, BodyText]).
clause_text(Fact, Module, Names, Text) :-
    term_text(Fact, Module, Names, Text).

clause_parts((Head :- Body), Head, (:-), Body).
clause_parts((Head => Body), Head, (=>), Body).

%!  body_text(+Body, +Module, +Names, -Text) is det.
%
%   A conjunction stands without parentheses, other control constructs with them.

body_text(Body, Module, Names, Text) :-
    printed(written(Body, Module, Names, 1000), Text).

%!  directive_text(+Directive, -Text) is det.
%
%   What stands behind `:-`, with the variables named by letters.

directive_text(Directive, Text) :-
    variable_letters(Directive, '', Names),
    printed(written(Directive, zpm_canonical, Names, 1199), Text).

%!  term_text(+Term, +Module, +Names, -Text) is det.
%
%   Text that reads back in Module to the same term; `'$VAR'(1)` stays what it is, a cyclic term is
%   factorised. Priority 999: as an argument or an element.

term_text(Term, Module, _, Text) :-
    plain_atomic(Term, Module),
    !,
    format(string(Text), "~q", [Term]).
term_text(Term, Module, Names, Text) :-
    printed(written(Term, Module, Names, 999), Text).

%   Most of what answers are made of, and written in a third of the time: integers, and atoms of Latin-1 that are
%   no operators and have no control characters, for which there are several escapes.

plain_atomic(Term, _) :-
    integer(Term),
    !.
plain_atomic(Term, Module) :-
    atom(Term),
    blob(Term, text),
    Term \== '[]',
    \+ current_op(_, _, Module:Term),
    atom_codes(Term, Codes),
    \+ ( member(Code, Codes), code_type(Code, cntrl) ).

%   What Goal writes. The reader refuses the invisible characters that turn the direction of text, the writer
%   leaves them as they are. They stand in quotes only, and there an escape means the same.

printed(Goal, Text) :-
    with_output_to(string(Text0), Goal),
    (   turning(Code, _), char_code(Character, Code), sub_string(Text0, _, 1, _, Character)
    ->  string_codes(Text0, Codes0),
        phrase(escaped(Codes0), Codes),
        string_codes(Text, Codes)
    ;   Text = Text0
    ).

escaped([]) --> [].
escaped([Code|Codes]) -->
    (   { turning(Code, Escape) } -> string(Escape) ; [Code] ),
    escaped(Codes).

string(String) -->
    { string_codes(String, Codes) },
    Codes.

turning(0x202A, "\\u202A").
turning(0x202B, "\\u202B").
turning(0x202C, "\\u202C").
turning(0x202D, "\\u202D").
turning(0x202E, "\\u202E").
turning(0x2066, "\\u2066").
turning(0x2067, "\\u2067").
turning(0x2068, "\\u2068").
turning(0x2069, "\\u2069").

written(Term, Module, Names, Priority) :-
    (   acyclic_term(Term) -> Cycles = false ; Cycles = true ),
    Options = [ quoted(true), numbervars(false), portray(false), module(Module), priority(Priority),
                spacing(next_argument), attributes(ignore), cycles(Cycles), dotlists(false),
                character_escapes(true)
              ],
    (   maplist(plain_name, Names),
        \+ ( Cycles == false, misprinted(Term, Module) )
    ->  write_term(Term, [variable_names(Names)|Options])
    ;   write_marked(Term, Module, Names, Options)
    ).

%   The reader takes any capital letter as the start of a variable, the writer only ASCII ones: for the others
%   the variables become terms that print as their names.

plain_name(Name=_) :-
    atom_codes(Name, Codes),
    forall(member(Code, Codes), Code < 128).

write_marked(Term, Module, Names, Options) :-
    copy_term(Term-Names, Copy-Bound, _),
    maplist(bind_name, Bound),
    (   acyclic_term(Copy) -> mended(Copy, Module, Mended) ; Mended = Copy ),
    write_term(Mended, [portray_goal(zpm_misprints:write_mended)|Options]).

bind_name(Name='$zpm variable'(Name)).

%!  variable_letters(+Term, +Prefix, -Names) is det.
%
%   Names for all variables of Term in order of appearance: A, B, ..., Z, A1, ... behind Prefix.

variable_letters(Term, Prefix, Names) :-
    term_variables(Term, Variables),
    letters(Variables, 0, Prefix, Names).

letters([], _, _, []).
letters([Variable|Rest], N, Prefix, [Name=Variable|Names]) :-
    letter(N, Prefix, Name),
    N1 is N + 1,
    letters(Rest, N1, Prefix, Names).

letter(N, Prefix, Name) :-
    Letter is 0'A + N mod 26,
    Round is N // 26,
    (   Round =:= 0
    ->  format(atom(Name), "~w~c", [Prefix, Letter])
    ;   format(atom(Name), "~w~c~d", [Prefix, Letter, Round])
    ).

%!  author_names(+Term, +Bindings, -Names) is det.
%
%   The author's name for each variable of Term. One without is `_`, or a letter when it stands in more places
%   than one, as those of a translated grammar rule do.

author_names(Term, Bindings, Names) :-
    term_variables(Term, Variables),
    (   Variables == []
    ->  Names = []
    ;   term_singletons(Term, Singletons),
        author_names(Variables, Bindings, Singletons, 0, Names)
    ).

author_names([], _, _, _, []).
author_names([Variable|Variables], Bindings, Singletons, N0, [Name=Variable|Names]) :-
    (   member(Name0=Bound, Bindings), Bound == Variable, Name0 \== '_'
    ->  Name = Name0, N = N0
    ;   member(Singleton, Singletons), Singleton == Variable
    ->  Name = '_', N = N0
    ;   free_letter(N0, Bindings, Name, N)
    ),
    author_names(Variables, Bindings, Singletons, N, Names).

free_letter(N0, Bindings, Letter, N) :-
    letter(N0, '', Letter0),
    N1 is N0 + 1,
    (   memberchk(Letter0=_, Bindings)
    ->  free_letter(N1, Bindings, Letter, N)
    ;   Letter = Letter0, N = N1
    ).

%!  without_modules(+Term, +Module, -Plain) is det.
%
%   The engine qualifies what it stores and passes on; nobody wrote that. The module of the memory itself
%   goes, that of another memory becomes the memory's name.

without_modules(Term, _, Plain), \+ compound(Term) => Plain = Term.
without_modules(Name:Term, Module, Plain), Name == Module => without_modules(Term, Module, Plain).
without_modules(Other:Term, Module, Plain), atom(Other), atom_concat('memory ', Name, Other) =>
    Plain = Name:Plain1,
    without_modules(Term, Module, Plain1).
without_modules(Term, Module, Plain) =>
    compound_name_arguments(Term, Name, Arguments0),
    maplist(without_modules_in(Module), Arguments0, Arguments),
    compound_name_arguments(Plain, Name, Arguments).

without_modules_in(Module, Term, Plain) :-
    without_modules(Term, Module, Plain).

%!  require_shallow(+Term) is det.
%
%   Throws when Term is nested deeper than the limit; the length of a list does not count. The writer and
%   the clause compiler recurse on a C stack of 1 MB without a guard (ENGINE-NOTES 0.1).

require_shallow(Term) :-
    (   cyclic_term(Term) -> true
    ;   shallow(Term, 256) -> true
    ;   too_deep
    ).

%!  require_shallow_text(+Text) is det.
%
%   The same of the brackets of a text that is not yet read. The reader, too, recurses on the C stack: at some
%   depths it ends the engine, and at others it never comes back.

require_shallow_text(Text) :-
    (   nested_deeper(Text, 256) -> too_deep ; true ).

too_deep :-
    throw(error(zpm(limit, [limit-"depth 256"]), _)).

shallow(Term, _), \+ compound(Term) => true.
shallow([Head|Tail], Left) =>
    Left > 0,
    Left1 is Left - 1,
    shallow(Head, Left1),
    shallow(Tail, Left).
shallow(Term, Left) =>
    Left > 0,
    Left1 is Left - 1,
    compound_name_arity(Term, _, Arity),
    shallow_arguments(Arity, Term, Left1).

shallow_arguments(0, _, _) :- !.
shallow_arguments(N, Term, Left) :-
    arg(N, Term, Argument),
    shallow(Argument, Left),
    N1 is N - 1,
    shallow_arguments(N1, Term, Left).
