:- module(zpm_directives,
          [ directive/3,             % +Directive, +Line, +Context
            new_reports/1,           % +File
            report/3,                % +Line, +Severity, +Message
            reports/1,               % -Reports
            begin_clause_warnings/0,
            pass_on_warnings/1       % +Line
          ]).
:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(memories).
:- use_module(heads).
:- use_module(warnings).
:- use_module(texts).

/** <module> The directives that a file may use (SPEC 1.5), and what the loader has to say

Nothing here calls a goal of the file. What is not on the list is reported and skipped.
*/

:- dynamic module_file/3.   % Memory module, module name, file: `:- module` seen

%!  directive(+Directive, +Line, +Context) is det.
%
%   Context is the loader's dict: module, file, stream, names.

directive(Directive, Line, _), var(Directive) =>
    report(Line, error, "A directive cannot be a variable; it was skipped").
directive((A, B), Line, Context) =>
    directive(A, Line, Context),
    directive(B, Line, Context).
directive(dynamic(Spec), Line, Context) =>
    forall(indicator(Spec, Line, Indicator), declared(Indicator, Line, Context)).
directive(multifile(Spec), Line, Context) =>
    forall(indicator(Spec, Line, Indicator), declared(Indicator, Line, Context)).
directive(discontiguous(_), _, _) => true.
directive(style_check(_), _, _) => true.
directive(license(_), _, _) => true.
directive(table(Spec), Line, Context) =>
    table_directive(Spec, Line, Context).
directive(op(Priority, Type, Names), Line, Context) =>
    declare_operators(Names, Priority, Type, Line, Context).
directive(module(Name, Exports), Line, Context) =>
    module_directive(Name, Exports, Line, Context).
directive(use_module(File), Line, Context) => used(File, Line, Context).
directive(use_module(File, _), Line, Context) => used(File, Line, Context).
directive(ensure_loaded(File), Line, Context) => used(File, Line, Context).
directive(include(File), Line, Context) => used(File, Line, Context).
directive(encoding(Encoding), Line, Context) =>
    nb_setval(zpm_encoding, declared),
    catch(set_stream(Context.stream, encoding(Encoding)), _,
          report(Line, error, "The encoding is not known; the directive was skipped")).
directive(set_prolog_flag(double_quotes, Value), _, _),
    memberchk(Value, [codes, chars, atom, string]) =>
    nb_setval(zpm_double_quotes, Value).
directive(Directive, Line, _) =>
    catch(( require_shallow(Directive), directive_text(Directive, Text) ), _, Text = "..."),
    format(string(Message), "The directive ':- ~s' is not run; it was skipped", [Text]),
    report(Line, warning, Message).

%   p/1, q/2 and lists of them, with or without `as Options`.

indicator(Spec, Line, _), var(Spec) => report(Line, error, "An indicator is missing"), fail.
indicator((A, B), Line, Indicator) => ( indicator(A, Line, Indicator) ; indicator(B, Line, Indicator) ).
indicator(as(Spec, _), Line, Indicator) => indicator(Spec, Line, Indicator).
indicator([], _, _) => fail.
indicator([A|B], Line, Indicator) => ( indicator(A, Line, Indicator) ; indicator(B, Line, Indicator) ).
indicator(_:Spec, Line, Indicator) => indicator(Spec, Line, Indicator).
indicator(Name/Arity, _, Indicator), atom(Name), integer(Arity) => Indicator = Name/Arity.
indicator(Name//Arity0, _, Indicator), atom(Name), integer(Arity0) =>
    Arity is Arity0 + 2, Indicator = Name/Arity.
indicator(_, Line, _) => report(Line, error, "An indicator is written Name/Arity"), fail.

declared(Name/Arity, Line, Context) :-
    functor(Head, Name, Arity),
    catch(( ( known(Context.module, Name, Arity) -> true ; check_head(Head, Context.module) ),
            declare(Context.module, Head)
          ), Error, refused(Error, Line)).

refused(Error, Line) :-
    (   Error = error(zpm(_, [why-Why]), _) -> true ; zpm_faults:message(Error, Why) ),
    report(Line, error, Why).

%   Every table is incremental, so that it follows the facts; a moded one cannot be, and is emptied by the
%   kernel before each call instead (ENGINE-NOTES 5.4).

table_directive(as(Spec, _), Line, Context) :- !, table_directive(Spec, Line, Context).
table_directive((A, B), Line, Context) :- !,
    table_directive(A, Line, Context),
    table_directive(B, Line, Context).
table_directive(Name/Arity, Line, Context) :- !,
    declared(Name/Arity, Line, Context),
    catch(zpm_memories:tabled_by_file(Context.module, Name/Arity), Error, refused(Error, Line)).
table_directive(Moded, Line, Context) :-
    callable(Moded), !,
    functor(Moded, Name, Arity),
    declared(Name/Arity, Line, Context),
    catch(zpm_memories:tabled_with_modes(Context.module, Moded), Error, refused(Error, Line)).
table_directive(_, Line, _) :-
    report(Line, error, "A table is declared by Name/Arity or by a moded head").

declare_operators(Names, Priority, Type, Line, Context) :-
    ( is_list(Names) -> List = Names ; List = [Names] ),
    forall(member(Name0, List),
           ( strip_module(Context.module:Name0, _, Name),
             catch(op(Priority, Type, Context.module:Name), Error, refused(Error, Line)) )).

module_directive(Name, Exports, Line, Context) :-
    (   module_file(Context.module, Name, Other)
    ->  format(string(Message), "~w already names its module ~w: all files of a memory share one space of names",
               [Other, Name]),
        report(Line, warning, Message)
    ;   assertz(zpm_directives:module_file(Context.module, Name, Context.file))
    ),
    (   is_list(Exports)
    ->  forall(( member(Export, Exports), Export = op(Priority, Type, Names) ),
               declare_operators(Names, Priority, Type, Line, Context))
    ;   true
    ).

%   Files of the same folder are loaded anyway, each once, in byte order of their names.

used(library(Library), Line, Context) :-
    !,
    (   offered(Library)
    ->  catch(use_module(Context.module:library(Library)), Error, refused(Error, Line))
    ;   included(Library)
    ->  true
    ;   format(string(Message), "library(~w) is not available to a memory; it was skipped", [Library]),
        report(Line, warning, Message)
    ).
used(File, Line, Context) :-
    (   atomic(File),
        ( file_name_extension(_, pl, File) -> Full = File ; file_name_extension(File, pl, Full) ),
        atom_string(Full, Text),
        memberchk(Text, Context.names)
    ->  true
    ;   format(string(Message), "~w is not a .pl file of this folder; it was skipped", [File]),
        report(Line, error, Message)
    ).

%   Loaded into every engine but visible only to a memory that asks.

offered(clpb).
offered(clpr).

included(Library) :-
    memberchk(Library,
              [ lists, apply, aggregate, yall, pairs, assoc, ordsets, ugraphs, option, error, occurs, terms,
                strings, solution_sequences, dcg/basics, dcg/high_order, dif, when, nb_set, rbtrees, heaps,
                random, clpfd, tabling, basics, debug, arithmetic, prolog_code
              ]).

%!  new_reports(+File) is det.

new_reports(File) :-
    nb_setval(zpm_file, File),
    nb_setval(zpm_reports, []).

%!  report(+Line, +Severity, +Message) is det.
%
%   Severity is `error` (something of the file is missing), `warning` or `note`.

report(Line, Severity, Message) :-
    nb_getval(zpm_file, File),
    nb_getval(zpm_reports, Reports),
    atom_string(File, FileText),
    atom_string(Severity, SeverityText),
    nb_setval(zpm_reports,
              [obj([file-FileText, line-Line, severity-SeverityText, message-Message])|Reports]).

%!  reports(-Reports) is det.

reports(Reports) :-
    nb_getval(zpm_reports, Reversed),
    reverse(Reversed, Reports).

%!  begin_clause_warnings is det.
%!  pass_on_warnings(+Line) is det.
%
%   Warnings of one clause (a hidden library predicate) become reports with its line.

begin_clause_warnings :-
    nb_setval(zpm_warnings, []).

pass_on_warnings(Line) :-
    warnings(Warnings),
    forall(member(Warning, Warnings), report(Line, warning, Warning)).
