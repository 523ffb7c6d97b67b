:- module(zpm_loader,
          [ load_file/2,         % +Request, -Reports
            begin_reading/0,
            reading_options/2,   % +Module, -Options
            file_clause/3        % +Term, +Module, -Clause
          ]).
:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(library(occurs)).
:- use_module(memories).
:- use_module(heads).
:- use_module(changes).
:- use_module(texts).
:- use_module(warnings).
:- use_module(directives).
:- use_module(documents).
:- use_module(skipping).

/** <module> Reading a file of `kb` into a memory (SPEC 1.5)

Our own loader, not consult/1: no hook of a file runs, a directive is honoured only when it is on the list of
directives.pl, and every clause that is not taken is reported with its line. Reading goes on behind a broken
clause. A file that carries the fact `'$zpm_snapshot'(Name, Version, Time)` is an export of ours and is never
a source.

When a clause kills the engine, the supervisor loads again with `announce`: the line of each clause is
printed before it is read further, so that the last line announced is the culprit's (ENGINE-NOTES 0.2).
*/

%!  load_file(+Request, -Reports) is det.
%
%   Request: memory, name (`kb/a.pl`), path (in the engine's file system), names (of all files), skip (lines
%   of clauses to pass over), announce, perhaps document (its operations are noted), bad_line (of the first byte that
%   is not UTF-8, or 0). Reports is a list of obj/1 with file, line, severity, message.

load_file(Request, Reports) :-
    atom_string(Memory, Request.memory),
    memory_module(Memory, Module),
    atom_string(File, Request.name),
    new_reports(File),
    setup_call_cleanup(
        open(Request.path, read, Stream, [bom(true), encoding(utf8)]),
        catch(load_stream(Stream, Module, File, Request), snapshot, drop_snapshot(Module, File)),
        close(Stream)),
    note_operations(Module, File, Request),
    (   nb_getval(zpm_encoding, declared) -> true
    ;   Request.bad_line =:= 0 -> true
    ;   report(Request.bad_line, error,
               "The text is not UTF-8 from here on: save the file as UTF-8, or begin it with ':- encoding(iso_latin_1).'")
    ),
    reports(Reports).

%   Its comments are read after its clauses, unless it has one that stops an engine: that would stop it once more.

note_operations(Module, File, Request) :-
    (   get_dict(document, Request, true),
        get_dict(skip, Request, [])
    ->  catch(note_documents(Module, File, Request.path), Error, not_noted(Error))
    ;   true
    ).

not_noted(Error) :-
    explanation(Error, Text),
    format(string(Message), "~s; so its documented predicates are no tools", [Text]),
    report(1, warning, Message).

load_stream(Stream, Module, File, Request) :-
    skip_start(Stream),
    Context = load{module:Module, file:File, stream:Stream, names:Request.names, bad_line:Request.bad_line},
    get_dict(skip, Request, Skip),
    get_dict(announce, Request, Announce),
    begin_reading,
    nb_setval(zpm_last_line, 0),
    nb_setval(zpm_last_index, 0),
    repeat,
        skip_layout(Stream),
        line_count(Stream, Start),
        (   Announce == true -> announce(Start) ; true ),
        (   memberchk(Start, Skip)
        ->  skip_clause(Stream),
            report(Start, error, "Reading this clause stops the engine (nested too deeply or too long); it was skipped"),
            fail
        ;   next_term(Stream, Module, Start, Line, Term, Bindings)
        ),
        (   Term == end_of_file
        ->  !
        ;   plain_fact(Term, Module),
            catch(add_at(Line, Module, File, Term, []), _, fail)
        ->  fail
        ;   begin_clause_warnings,
            catch(take(Term, Bindings, Line, Context), Error, not_taken(Error, Line)),
            pass_on_warnings(Line),
            fail
        ).

%   plain_fact(+Term, +Module): one more fact of a predicate that is known, with nothing in it that take/4 looks
%   for. Large files are made of these.

plain_fact(Fact, Module) :-
    compound(Fact),
    compound_name_arity(Fact, Name, Arity),
    known(Module, Name, Arity),
    \+ ( arg(_, Fact, Argument), \+ atomic(Argument) ).

announce(Line) :-
    format(user_error, "\u0001~d~n", [Line]),
    flush_output(user_error).

%!  begin_reading is det.
%
%   From here on the flags are those with which every file begins; directives change them.

begin_reading :-
    nb_setval(zpm_double_quotes, string),
    nb_setval(zpm_encoding, default).

%!  reading_options(+Module, -Options) is det.
%
%   How a term of a file is read: with the operators of Module, and the flags at that place of the file.

reading_options(Module, Options) :-
    nb_getval(zpm_double_quotes, Quotes),
    Options = [ module(Module), syntax_errors(error), double_quotes(Quotes), back_quotes(codes), dotlists(false),
                var_prefix(false)
              ].

%   The next clause or directive. A broken one is reported with the lines that it swallowed; then this fails,
%   and the loop reads on behind it.

next_term(Stream, Module, Start, Line, Term, Bindings) :-
    reading_options(Module, Options),
    catch(read_term(Stream, Term, [variable_names(Bindings), term_position(Position)|Options]),
          error(syntax_error(Reason), Where),
          ( broken(Reason, Where, Start, Stream), fail )),
    stream_position_data(line_count, Position, Line),
    \+ ( dotted(Term), broken_by_dot(Stream, Position, Options, Line) ).

%   Where a blank is missing behind the end of a clause, two clauses read as one of `.`/2. Only how it is written
%   tells that from a quoted '.', and reading what tells it takes long.

broken_by_dot(Stream, Position, Options, Line) :-
    set_stream_position(Stream, Position),
    read_term(Stream, Term, [subterm_positions(Layout)|Options]),
    zpm_reading:surprise_at(Term, Layout, _, Reason, _),
    format(string(Message), "Syntax error: ~s; the clause was skipped", [Reason]),
    report(Line, error, Message).

dotted(Term) :-
    compound(Term),
    compound_name_arity(Term, Name, Arity),
    (   Name == '.', Arity == 2
    ->  true
    ;   arg(_, Term, Argument),
        dotted(Argument)
    ->  true
    ).

broken(Reason, Where, Start, Stream) :-
    zpm_reading:reason_text(Reason, Text),
    ( Where = stream(_, Line0, _, _) -> Line = Line0 ; Line = Start ),
    line_count(Stream, End),
    (   End > Start
    ->  format(string(Message), "Syntax error: ~s; lines ~d to ~d were skipped", [Text, Start, End])
    ;   format(string(Message), "Syntax error: ~s; the clause was skipped", [Text])
    ),
    report(Line, error, Message).

%   take(+Term, +Bindings, +Line, +Context): a directive, a grammar rule, or a clause.

take(Clause, _, Line, _) :-
    var(Clause),
    !,
    report(Line, error, "A variable is not a clause; it was skipped").
take((:- Directive), _, Line, Context) :-
    !,
    directive(Directive, Line, Context).
take((?- _), _, Line, _) :-
    !,
    report(Line, warning, "A question in a file is not asked; it was skipped").
take('$zpm_snapshot'(_, _, _), _, _, _) :-
    !,
    throw(snapshot).
take((Head --> Body), _, Line, Context) :-
    !,
    grammar_clause((Head --> Body), Clause),
    take(Clause, [], Line, Context).
take(Clause0, Bindings, Line, Context) :-
    require_shallow(Clause0),
    require_decoded(Clause0, Context),
    unqualified_clause(Clause0, Context.module, Clause),
    clause_head(Clause, Head),
    require_head(Head, Context.module),
    clause_variable_names(Clause, Bindings, Names),
    add_at(Line, Context.module, Context.file, Clause, Names).

add_at(Line, Module, File, Clause, Names) :-
    index_on_line(Line, Index),
    add_clause(Module, Clause, (File:Line)-Index, Names, _).

%!  file_clause(+Term, +Module, -Clause) is semidet.
%
%   The clause that a term of a file becomes in Module; fails for a directive and for a question.

file_clause((:- _), _, _) => fail.
file_clause((?- _), _, _) => fail.
file_clause((Head --> Body), Module, Clause) =>
    grammar_clause((Head --> Body), Clause0),
    unqualified_clause(Clause0, Module, Clause).
file_clause(Term, Module, Clause) =>
    unqualified_clause(Term, Module, Clause).

%   Bytes that are not UTF-8 are read as U+FFFD, which nobody meant.

require_decoded(_, Context), Context.bad_line =:= 0 => true.
require_decoded(_, _), nb_getval(zpm_encoding, declared) => true.
require_decoded(Clause, _), sub_term(Part, Clause), named(Part, Name), sub_atom(Name, _, _, _, '\uFFFD') =>
    throw(error(zpm(input, [why-"The clause holds bytes that are not UTF-8"]), _)).
require_decoded(_, _) => true.

named(Part, Name) :- compound(Part), !, compound_name_arity(Part, Name, _).
named(Part, Part) :- atom(Part).
named(Part, Part) :- string(Part).

%   Several clauses may begin on one line.

index_on_line(Line, Index) :-
    nb_getval(zpm_last_line, Last),
    (   Line =:= Last
    ->  nb_getval(zpm_last_index, Before),
        Index is Before + 1
    ;   nb_setval(zpm_last_line, Line),
        Index = 0
    ),
    nb_setval(zpm_last_index, Index).

unqualified_clause(Clause0, Module, Clause) :-
    (   Clause0 = Name:Inner
    ->  unqualified(Name:Inner, Module, Clause, clause)
    ;   Clause0 = (Name:Head :- Body)
    ->  unqualified(Name:Head, Module, Plain, clause),
        Clause = (Plain :- Body)
    ;   Clause = Clause0
    ).

require_head(Head, Module) :-
    (   callable(Head), functor(Head, Name, Arity), ( known(Module, Name, Arity) ; kept(Head) )
    ->  true
    ;   check_head(Head, Module)
    ).

clause_variable_names(Clause, Bindings, Names) :-
    (   Clause = (_ :- _) -> variable_names(Clause, Bindings, Names)
    ;   Clause = (_ => _) -> variable_names(Clause, Bindings, Names)
    ;   Names = []
    ).

%   What was wrong with one clause; the rest of the file is not concerned.

not_taken(snapshot, _) :-
    throw(snapshot).
not_taken(Error, Line) :-
    explanation(Error, Text),
    format(string(Message), "~s; the clause was skipped", [Text]),
    report(Line, error, Message).

explanation(error(zpm(input, [why-Why]), _), Why) :- !.
explanation(error(zpm(limit, [limit-Limit]), _), Text) :- !,
    format(string(Text), "The clause exceeds the limit ~s", [Limit]).
explanation(error(zpm(memory_missing, [name-Name]), _), Text) :- !,
    format(string(Text), "~s is not this memory: a file's clauses go to its own memory", [Name]).
explanation(Error, Text) :-
    zpm_faults:message(Error, Text).

%   An export of ours is not a source: everything that came from this file goes again.

drop_snapshot(Module, File) :-
    findall(Ref,
            ( known(Module, Name, Arity),
              functor(Head, Name, Arity),
              stored_clause(Module:Head, _, Ref),
              clause_origin(Ref, file(File, _))
            ),
            Refs),
    forall(member(Ref, Refs), erase_clause(Module, Ref)),
    new_reports(File),
    report(1, note, "A snapshot: not loaded as a source").
