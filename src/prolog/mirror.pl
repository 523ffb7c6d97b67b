:- module(zpm_mirror,
          [ mirror/2             % +Request, -Pairs
          ]).
:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(memories).
:- use_module(fates).
:- use_module(loader).
:- use_module(directives).
:- use_module(skipping).
:- use_module(texts).

/** <module> Effects as edits of a file, byte by byte (SPEC 2.3, "Persistence")

The clauses of a predicate stand in the engine in the order in which its file has them, so the n-th that is read here
is the n-th there. The file is read as the loader reads it, with the operators and flags that hold at each place, in a
module of its own; what is written there is read back at that place. Places are bytes that Prolog's reader tells.

Only facts that have a line to themselves go, with what is remarked behind them, and only ground facts come; all else
is refused by its line.
*/

%!  mirror(+Request, -Pairs) is det.
%
%   Request: memory, name and path of the file as it is. Pairs: edits, a list of [From, To, Text] in the order of the
%   file: the bytes from From up to To become Text.

mirror(Request, [edits-Edits]) :-
    changed_predicates(Request, Changes),
    (   Changes == []
    ->  Edits = []
    ;   setup_call_cleanup(
            open(Request.path, read, Stream, [bom(true), encoding(utf8)]),
            with_reading_module(Module, zpm_mirror:file_edits(Stream, Module, Changes, Request, Edits)),
            close(Stream))
    ).

%   The module has the operators that the file has declared so far.

:- meta_predicate with_reading_module(-, 0).

with_reading_module(Module, Goal) :-
    Module = zpm_mirrored,
    setup_call_cleanup(make_reading_module(Module), Goal, '$destroy_module'(Module)).

make_reading_module(Module) :-
    set_module(Module:class(temporary)),
    set_module(Module:base(zpm_libraries)),
    set_prolog_flag(Module:double_quotes, string),
    set_prolog_flag(Module:back_quotes, codes).

%   A track follows the clauses of one predicate through the file: track(Name/Arity, Module, Fates, Count, Seen,
%   Firsts, Lasts) with fates(Ref-Fate, ...) in order, and seen(N) of them so far. The state says where the line
%   begins, and whether only blanks stand on it so far.

file_edits(Stream, Reader, Changes, Request, Edits) :-
    atom_string(File, Request.name),
    new_reports(File),
    newline(Stream, Newline),
    skip_start(Stream),
    begin_reading,
    maplist(track, Changes, Tracks),
    Context = load{module:Reader, file:File, stream:Stream, names:[], newline:Newline},
    byte_count(Stream, Start),
    findall([From, To, Text], file_edit(Tracks, state(Start, true), Context, edit(From, To, Text)), Edits).

track(change(Module:Indicator, Fates0, Firsts, Lasts), track(Indicator, Module, Fates, Count, seen(0), Firsts, Lasts)) :-
    length(Fates0, Count),
    compound_name_arguments(Fates, fates, Fates0).

newline(Stream, Newline) :-
    stream_property(Stream, position(Position)),
    first_newline(Stream, Newline),
    set_stream_position(Stream, Position).

first_newline(Stream, Newline) :-
    get_char(Stream, Char),
    (   Char == '\r', peek_char(Stream, '\n') -> Newline = "\r\n"
    ;   memberchk(Char, ['\n', end_of_file]) -> Newline = "\n"
    ;   first_newline(Stream, Newline)
    ).

%   file_edit(+Tracks, +State, +Context, -Edit) is nondet.

file_edit(Tracks, State, Context, Edit) :-
    Stream = Context.stream,
    repeat,
        to_term(Stream, State),
        byte_count(Stream, Start),
        line_count(Stream, Line),
        reading_options(Context.module, Options),
        read_term(Stream, Term, Options),
        (   Term == end_of_file
        ->  !,
            require_whole(Tracks, Line, Context),
            end_edit(Tracks, Start, State, Context, Edit)
        ;   Term = (:- Directive)
        ->  scan_directive(Directive, Line, Context),
            nb_setarg(2, State, false),
            fail
        ;   spot(Term, Tracks, Start-Line, State, Context, Track, Spot),
            (   all_seen(Tracks) -> ! ; true ),
            spot_edit(Track, Spot, Context, Edit)
        ).

%   What is behind the last clause that matters is not read.

all_seen(Tracks) :-
    \+ ( member(track(_, _, _, Count, seen(Seen), _, _), Tracks), ( Count =:= 0 ; Seen < Count ) ).

%   To where the next term begins.

to_term(Stream, State) :-
    (   blank(Stream, State) -> to_term(Stream, State) ; true ).

blank(Stream, State) :-
    peek_code(Stream, Code),
    (   Code == 0'\n
    ->  get_code(Stream, _),
        new_line(Stream, State)
    ;   code_type(Code, space)
    ->  get_code(Stream, _)
    ;   Code == 0'%
    ->  to_line_end(Stream)
    ;   skip_block_comment(Stream),
        nb_setarg(2, State, false)
    ).

new_line(Stream, State) :-
    byte_count(Stream, Start),
    nb_setarg(1, State, Start),
    nb_setarg(2, State, true).

%   Of a directive only what changes how the file is read.

scan_directive(Directive, _, _), var(Directive) => true.
scan_directive((A, B), Line, Context) =>
    scan_directive(A, Line, Context),
    scan_directive(B, Line, Context).
scan_directive(module(_, Exports), Line, Context), is_list(Exports) =>
    forall(( member(Export, Exports), Export = op(_, _, _) ), directive(Export, Line, Context)).
scan_directive(Directive, Line, Context), reads_otherwise(Directive) =>
    directive(Directive, Line, Context).
scan_directive(_, _, _) => true.

reads_otherwise(op(_, _, _)).
reads_otherwise(encoding(_)).
reads_otherwise(set_prolog_flag(_, _)).
reads_otherwise(use_module(library(_))).
reads_otherwise(use_module(library(_), _)).

%   spot(+Term, +Tracks, +Start, +State, +Context, -Track, -Spot): where a clause stands, if it or what is beside it
%   changes: spot(N, Clause, LineStart, Clean, Start, End, Lines, Tail).

spot(Term, Tracks, Start-Line, State, Context, Track, Spot) :-
    State = state(LineStart, Clean),
    nb_setarg(2, State, false),
    tracked(Term, Tracks, Clause, Track),
    Track = track(_, _, Fates, Count, Seen, Firsts, Lasts),
    arg(1, Seen, Before),
    N is Before + 1,
    nb_setarg(1, Seen, N),
    (   N > Count -> not_loaded(Line, Context) ; true ),
    arg(N, Fates, Ref-Fate),
    \+ ( Fate == keep, \+ ( N =:= 1, Firsts \== [] ), \+ ( N =:= Count, Lasts \== [] ) ),
    require_loaded(Ref, Clause, Line, Context),
    Stream = Context.stream,
    byte_count(Stream, End),
    line_count(Stream, EndLine),
    tail(Stream, State, Tail),
    Spot = spot(N, Clause, LineStart, Clean, Start, End, Line-EndLine, Tail).

tracked(Term, Tracks, Clause, Track) :-
    Tracks = [track(_, Module, _, _, _, _, _)|_],
    file_clause(Term, Module, Clause),
    clause_head(Clause, Head),
    functor(Head, Name, Arity),
    Track = track(Name/Arity, _, _, _, _, _, _),
    memberchk(Track, Tracks).

%   Rules are never touched, and the engine may hold one in another shape than the file.

require_loaded(_, Clause, _, _), ( Clause = (_ :- _) ; Clause = (_ => _) ) => true.
require_loaded(Ref, Clause, Line, Context) =>
    clause_property(Ref, predicate(Module:Name/Arity)),
    functor(Head, Name, Arity),
    (   stored_clause(Module:Head, Stored, Ref), Stored =@= Clause -> true
    ;   not_loaded(Line, Context)
    ).

require_whole(Tracks, Line, Context) :-
    (   member(track(_, _, _, Count, seen(Seen), _, _), Tracks), Seen =\= Count
    ->  not_loaded(Line, Context)
    ;   true
    ).

not_loaded(Line, Context) :-
    cannot("the clauses of the file are not those that were loaded", Line, Context).

cannot(Why, Line, Context) :-
    atom_string(Context.file, File),
    throw(error(zpm(persist_failed, [file-File, line-Line, why-Why]), _)).

%   tail(+Stream, +State, -Tail): what is behind a clause on its line: line(Next, Newline) when it is blanks and a remark,
%   with the first byte of the next line and what ends this one; end(Byte) when the file ends there; more, when it is
%   more than that.

tail(Stream, State, Tail) :-
    peek_code(Stream, Code),
    (   Code =:= -1
    ->  byte_count(Stream, Byte), Tail = end(Byte)
    ;   line_end(Stream, Code, Newline)
    ->  new_line(Stream, State), arg(1, State, Next), Tail = line(Next, Newline)
    ;   code_type(Code, space)
    ->  get_code(Stream, _), tail(Stream, State, Tail)
    ;   Code == 0'%
    ->  to_line_end(Stream), tail(Stream, State, Tail)
    ;   Tail = more
    ).

line_end(Stream, 0'\n, "\n") :-
    get_code(Stream, _).
line_end(Stream, 0'\r, "\r\n") :-
    peek_string(Stream, 2, "\r\n"),
    get_code(Stream, _),
    get_code(Stream, _).

to_line_end(Stream) :-
    peek_code(Stream, Code),
    (   ( memberchk(Code, [-1, 0'\n]) ; Code == 0'\r, peek_string(Stream, 2, "\r\n") )
    ->  true
    ;   get_code(Stream, _),
        to_line_end(Stream)
    ).

%   spot_edit(+Track, +Spot, +Context, -Edit) is nondet: what comes before the clause, what becomes of it, what comes
%   behind it.

spot_edit(track(_, _, _, _, _, Firsts, _), Spot, Context, edit(At, At, Text)) :-
    Firsts \== [],
    Spot = spot(1, _, LineStart, Alone, Start, _, Line-_, Tail),
    ( Alone == true -> At = LineStart ; At = Start ),
    ( Tail = line(_, Newline) -> true ; Newline = Context.newline ),
    lines(Firsts, "", Newline, Line, Context, Text).
spot_edit(track(_, _, Fates, _, _, _, _), Spot, Context, Edit) :-
    Spot = spot(N, _, LineStart, _, Start, End, Line-_, Tail),
    arg(N, Fates, _-Fate),
    Fate \== keep,
    require_own_line(Spot, Context),
    (   Fate = instead(Clause)
    ->  fact_text(Clause, Line, Context, Text),
        Edit = edit(Start, End, Text)
    ;   ( Tail = line(To, _) ; Tail = end(To) ),
        Edit = edit(LineStart, To, "")
    ).
spot_edit(track(_, _, _, Count, _, _, Lasts), Spot, Context, edit(At, At, Text)) :-
    Lasts \== [],
    Spot = spot(Count, _, _, _, _, End, _-Line, Tail),
    (   Tail = line(At, LineEnd)
    ->  lines(Lasts, "", LineEnd, Line, Context, Text)
    ;   Newline = Context.newline,
        Tail = end(At)
    ->  lines(Lasts, Newline, "", Line, Context, Text)
    ;   At = End,
        Newline = Context.newline,
        lines(Lasts, Newline, "", Line, Context, Text0),
        string_concat(Text0, Newline, Text)
    ).

%   Facts of predicates without any clause come to the end of what is read.

end_edit(Tracks, Start, state(LineStart, Clean), Context, edit(Start, Start, Text)) :-
    Stream = Context.stream,
    byte_count(Stream, End),
    line_count(Stream, Line),
    findall(Fact, ( member(track(_, _, _, 0, _, Firsts, Lasts), Tracks), ( member(Fact, Firsts) ; member(Fact, Lasts) ) ), Facts),
    Facts \== [],
    (   ( End > Start ; Clean == true, LineStart =:= Start )
    ->  lines(Facts, "", Context.newline, Line, Context, Text)
    ;   lines(Facts, Context.newline, "", Line, Context, Text)
    ).

lines(Facts, Before, Behind, Line, Context, Text) :-
    findall(Part,
            ( member(Fact, Facts),
              fact_text(Fact, Line, Context, FactText),
              member(Part, [Before, FactText, Behind])
            ),
            Parts),
    atomics_to_string(Parts, Text).

require_own_line(spot(_, Clause, _, Alone, _, _, First-Last, Tail), Context) :-
    (   ( Clause = (_ :- _) ; Clause = (_ => _) )
    ->  cannot("a rule cannot be taken out of a file, only a fact can", First, Context)
    ;   \+ ground(Clause)
    ->  cannot("a fact with variables cannot be taken out of a file", First, Context)
    ;   First =\= Last
    ->  cannot("a fact on several lines cannot be taken out of a file", First, Context)
    ;   ( Alone \== true ; Tail == more )
    ->  cannot("a fact that shares its line cannot be taken out of a file", First, Context)
    ;   true
    ).

%   fact_text(+Clause, +Line, +Context, -Text): one line that reads back, at this place of the file, to the same fact.

fact_text(Clause, Line, Context, Text) :-
    (   ( Clause = (_ :- _) ; Clause = (_ => _) )
    ->  cannot("a rule cannot be written into a file, only a fact can", Line, Context)
    ;   \+ ground(Clause)
    ->  cannot("a fact with variables cannot be written into a file", Line, Context)
    ;   catch(readable_text(Clause, Context, Text), error(_, _), fail)
    ->  require_encoded(Text, Line, Context)
    ;   cannot("there is no text on one line that this file reads back to the same fact", Line, Context)
    ).

readable_text(Fact, Context, Text) :-
    require_shallow(Fact),
    Module = Context.module,
    term_text(Fact, Module, [], Bare),
    \+ ( member(Character, ["\n", "\r", "\u0000"]), sub_string(Bare, _, 1, _, Character) ),
    member(Stop, [".", " ."]),          % a name of symbols would swallow the first
    string_concat(Bare, Stop, Text),
    reading_options(Module, Options),
    setup_call_cleanup(
        open_string(Text, Stream),
        catch(( read_term(Stream, Again, Options), read_term(Stream, Rest, Options) ), error(_, _), fail),
        close(Stream)),
    Again == Fact,
    Rest == end_of_file,
    !.

require_encoded(Text, Line, Context) :-
    stream_property(Context.stream, encoding(Encoding)),
    (   Encoding == utf8
    ->  true
    ;   memberchk(Encoding, [ascii, iso_latin_1, octet, text]),
        \+ ( string_code(_, Text, Code), Code > 126 )
    ->  true
    ;   cannot("the fact has characters that are not written in the encoding of this file", Line, Context)
    ).
