:- module(zpm_operations,
          [ document/2,          % +Request, -Pairs
            read_documents/3,    % +Path, +Module, -Found
            keep_operation/2,    % +Module, +Operation
            operation_of/3,      % +Module, ?Name, -Operation
            declared_dynamic/2   % +Module, ?Indicator
          ]).
:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(library(occurs)).
:- use_module(memories).
:- use_module(modes).
:- use_module(types).
:- use_module(exposure).
:- use_module(prepared).
:- use_module(skipping).
:- use_module(wire).

/** <module> The operations of a file: which of its predicates are documented, and how (SPEC part 2)

The file is loaded already; here it is read once more for its comments, which the loader passes over. A comment
with mode lines waits for the next clause: when that is one of its predicate, there is an operation. Directives
that declare a predicate may stand between; one that is declared dynamic need not have clauses there, since they come
and go. Whatever is not exposed is told, with the reason.
*/

:- dynamic
    operation_/3,        % Module, Name, Operation
    declared_dynamic/2.  % Module, Name/Arity

%!  operation_of(+Module, ?Name, -Operation) is nondet.
%
%   At most one of a name. Operation is op(Name, Arguments, Determinism, More) as exposure.pl makes it.

operation_of(Module, Name, Operation) :-
    operation_(Module, Name, Operation).

%!  document(+Request, -Pairs) is det.
%
%   Request: memory, path. Keeps the operations of the file for the calls to come, and tells them.

document(Request, Pairs) :-
    atom_string(Memory, Request.memory),
    memory_module(Memory, Module),
    retractall(operation_(Module, _, _)),
    retractall(declared_dynamic(Module, _)),
    forget_prepared(Module),
    read_documents(Request.path, Module, found(Title, Description, Blocks, Changes)),
    expose(Blocks, Module, Operations, Skipped0),
    forall(member(Operation, Operations), keep_operation(Module, Operation)),
    maplist(zpm_exposure:operation_json(Module), Operations, Jsons),
    sort(1, @=<, Skipped0, Skipped1),
    maplist(skipped_json, Skipped1, Skipped),
    findall(Name, ( member(Operation, Operations), undone(Module, Operation, Name) ), Undone),
    Pairs = [ title-Title, description-Description, operations-Jsons, skipped-Skipped, undone-Undone,
              changes_itself-Changes ].

%   An operation that writes although its name does not say so: what it writes is undone. Only its own clauses are
%   looked at.

undone(Module, op(Name, Arguments, _, more(_, _, _, _, false, none)), Text) :-
    length(Arguments, Arity),
    functor(Head, Name, Arity),
    once(( clause(Module:Head, Body), Body \== true, writes(Body) )),
    atom_string(Name, Text).

%!  keep_operation(+Module, +Operation) is det.
%
%   For the calls to come.

keep_operation(Module, Operation) :-
    Operation = op(Name, _, _, _),
    assertz(zpm_operations:operation_(Module, Name, Operation)),
    prepare(Module, Operation).

skipped_json(skipped(Line, Text, Why), obj([line-Line, mode-Text, why-Why])).

%!  read_documents(+Path, +Module, -Found) is det.
%
%   Found is found(Title, Description, Blocks, Changes): blocks in order as block(Line, Modes, Description, Tags, Below)
%   where Below is clause(Name/Arity), or Why the block has no clauses, or inside(Why) where it never could;
%   Changes tells whether the text writes to the database. What it declares dynamic is kept.

read_documents(Path, Module, Found) :-
    setup_call_cleanup(
        %   Lines that end with CR LF are lines: the reader would take a comment of several for several.
        open(Path, read, Stream, [bom(true), encoding(utf8), newline(dos)]),
        scan(Stream, Module, Found),
        close(Stream)).

scan(Stream, Module, found(Title, Description, Blocks, Changes)) :-
    skip_start(Stream),
    State = state("", "", [], none, false),
    repeat,
        next(Stream, Module, Term, Start, Comments),
        take_comments(Comments, Start, State),
        (   Term == end_of_file
        ->  !, drop_waiting(State, "no clause follows it")
        ;   take_term(Term, Module, State),
            fail
        ),
    State = state(Title, Description, Reversed, _, Changes),
    reverse(Reversed, Blocks).

%   What does not read here was reported when the file was loaded.

next(Stream, Module, Term, Start, Comments) :-
    catch(read_term(Stream, Term,
                    [ module(Module), syntax_errors(error), comments(Comments), term_position(Position),
                      double_quotes(string), back_quotes(codes), dotlists(false), var_prefix(false) ]),
          error(syntax_error(_), _), fail),
    stream_position_data(char_count, Position, Start).

take_comments([], _, _).
take_comments([Position-Comment|Comments], Start, State) :-
    stream_position_data(char_count, Position, At),
    stream_position_data(line_count, Position, Line),
    (   module_comment(Comment, Title, Description)
    ->  (   arg(1, State, "") -> nb_setarg(1, State, Title), nb_setarg(2, State, Description) ; true )
    ;   comment_block(Comment, Block)
    ->  drop_waiting(State, "another mode line follows it before a clause does"),
        nb_setarg(4, State, waiting(Line, Block)),
        (   At > Start -> drop_waiting(State, inside("it stands inside a clause")) ; true )
    ;   true
    ),
    take_comments(Comments, Start, State).

drop_waiting(State, Why) :-
    arg(4, State, Waiting),
    (   Waiting == none -> true ; settle(State, Waiting, Why) ).

settle(State, waiting(Line, block(Modes, Description, Tags)), Below) :-
    arg(3, State, Blocks),
    nb_setarg(3, State, [block(Line, Modes, Description, Tags, Below)|Blocks]),
    nb_setarg(4, State, none).

take_term((:- Directive), Module, State) =>
    (   writes(Directive) -> nb_setarg(5, State, true) ; true ),
    findall(Indicator, declares(Directive, dynamic, Indicator), Dynamic),
    forall(( member(Indicator, Dynamic), \+ declared_dynamic(Module, Indicator) ),
           assertz(zpm_operations:declared_dynamic(Module, Indicator))),
    (   arg(4, State, Waiting), Waiting \== none, member(Name/Arity, Dynamic), awaited(Waiting, Name, Arity)
    ->  settle(State, Waiting, clause(Name/Arity))
    ;   declaration(Directive)
    ->  true
    ;   drop_waiting(State, "a directive stands between it and the clauses")
    ).
take_term(Clause, _, State) =>
    (   writes(Clause) -> nb_setarg(5, State, true) ; true ),
    arg(4, State, Waiting),
    (   Waiting == none
    ->  true
    ;   clause_indicator(Clause, Indicator)
    ->  settle(State, Waiting, clause(Indicator))
    ;   drop_waiting(State, "no clause follows it")
    ).

awaited(waiting(_, block(Modes, _, _)), Name, Arity) :-
    member(_-Text, Modes),
    mode_line(Text, mode(Name, Arguments, _)),
    length(Arguments, Arity).

clause_indicator(Clause, _), var(Clause) => fail.
clause_indicator((Head :- _), Indicator) => clause_indicator(Head, Indicator).
clause_indicator((Head => _), Indicator) => clause_indicator(Head, Indicator).
clause_indicator((Head, _), Indicator) => clause_indicator(Head, Indicator).
clause_indicator((Head --> _), Indicator) =>
    callable(Head),
    functor(Head, Name, Arity0),
    Arity is Arity0 + 2,
    Indicator = Name/Arity.
clause_indicator(_:Head, Indicator) => clause_indicator(Head, Indicator).
clause_indicator(Head, Indicator) =>
    callable(Head),
    functor(Head, Name, Arity),
    Indicator = Name/Arity.

declaration(Directive) :-
    callable(Directive),
    functor(Directive, Name, _),
    memberchk(Name, [dynamic, discontiguous, multifile, table]).

declares(Directive, _, _), var(Directive) => fail.
declares((A, B), Kind, Indicator) =>
    ( declares(A, Kind, Indicator) ; declares(B, Kind, Indicator) ).
declares(dynamic(Spec), dynamic, Indicator) => indicator(Spec, Indicator).
declares(_, _, _) => fail.

indicator(Spec, _), var(Spec) => fail.
indicator((A, B), Indicator) => ( indicator(A, Indicator) ; indicator(B, Indicator) ).
indicator(as(Spec, _), Indicator) => indicator(Spec, Indicator).
indicator(List, Indicator), is_list(List) => member(Spec, List), indicator(Spec, Indicator).
indicator(_:Spec, Indicator) => indicator(Spec, Indicator).
indicator(Name/Arity, Indicator), atom(Name), integer(Arity) => Indicator = Name/Arity.
indicator(_, _) => fail.

%   A file that changes itself is answered by one engine: a change reaches the one that made it and no other.

writes(Term) :-
    sub_term(Part, Term),
    (   callable(Part), functor(Part, Name, _) -> true ; fail ),
    memberchk(Name, [assert, asserta, assertz, retract, retractall, abolish]),
    !.
