:- module(zpm_snapshots,
          [ write_declaration/2, % +Module, +Head
            write_stored/2       % +Clause, +Ref
          ]).
:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(memories).
:- use_module(heads).
:- use_module(catalog).
:- use_module(commits).
:- use_module(changes).
:- use_module(restores).
:- use_module(texts).
:- use_module(reading).
:- use_module(warnings).

/** <module> Snapshots: a memory as one Prolog text, and the way back to it

A snapshot is complete and loadable by any Prolog: it is an export, known by the fact
`'$zpm_snapshot'(Name, Version, Time)` in it, and never loaded as a source. Restoring computes the changes that
turn the present state into the snapshot's and commits them like any other change (ENGINE-NOTES 3, R8 and R9).
*/

:- multifile zpm:operation/3, zpm_plans:planned/6.

%!  zpm:operation(+Op, +Request, -Pairs) is semidet.
%
%   snapshot_text: the text of the whole memory, and the number of its clauses. export_text: the same for whoever
%   loads it as a file: a fact that stands on assumptions is one as any other. snapshot_heads: which of the given files
%   are snapshots, with name, time and number of clauses.

zpm:operation(snapshot_text, Request, [text-Text, clauses-Count]) :-
    atom_string(Memory, Request.memory),
    memory_module(Memory, Module),
    with_output_to(string(Text), write_snapshot(Module, Request)),
    count_clauses(Module, Count).
zpm:operation(export_text, Request, [text-Text]) :-
    atom_string(Memory, Request.memory),
    memory_module(Memory, Module),
    with_output_to(string(Text), forall(predicate_head(Module, Head), write_predicate(Module, Head))).
zpm:operation(snapshot_heads, Request, [snapshots-Snapshots]) :-
    findall(Snapshot, ( member(File, Request.files), head(File, Snapshot) ), Snapshots).

predicate_head(Module, Head) :-
    known(Module, Name, Arity),
    functor(Head, Name, Arity).

write_snapshot(Module, Request) :-
    atom_string(Name, Request.name),
    atom_string(Time, Request.time),
    format("% Snapshot ~w of the memory ~w, made by zpm at ~w.~n", [Name, Request.memory, Time]),
    format("% Complete: 'zpm restore-snapshot ~w' brings it back, any Prolog can load it.~n~n", [Name]),
    write_clause('$zpm_snapshot'(Name, 1, Time)),
    forall(predicate_head(Module, Head), write_predicate(Module, Head)),
    ( support_line(Module, _) -> nl ; true ),
    forall(support_line(Module, Term), write_clause(Term)).

write_predicate(Module, Head) :-
    nl,
    write_declaration(Module, Head),
    forall(stored_clause(Module:Head, Clause, Ref), write_stored(Clause, Ref)).

%!  write_declaration(+Module, +Head) is det.
%
%   What any Prolog must be told before it loads the predicate's clauses.

write_declaration(Module, Head) :-
    functor(Head, Name, Arity),
    (   predicate_property(system:Head, visible), \+ predicate_property(system:Head, iso)
    ->  write_clause((:- redefine_system_predicate(Head)))
    ;   true
    ),
    write_indicated(dynamic, Name/Arity),
    (   predicate_property(Module:Head, tabled) -> write_indicated(table, Name/Arity) ; true ).

%   The writer puts no blank before a quoted name or a bracket, and `dynamic[]/1` reads as something else.

write_indicated(Directive, Indicator) :-
    canonical_text(Indicator, Text),
    format(":- ~w ~s.~n", [Directive, Text]).

%!  write_stored(+Clause, +Ref) is det.
%
%   The clause as a line of text that means the same everywhere, with its author's variable names.

write_stored(Clause, Ref) :-
    clause_names(Ref, Texts),
    term_variables(Clause, Variables),
    bound_names(Variables, Texts, Bindings),
    author_names(Clause, Bindings, Names),
    (   distinct_names(Names) -> Written = Names ; variable_letters(Clause, '', Written) ),
    clause_text(Clause, zpm_canonical, Written, Text),
    write_line(Text).

%   A full stop would become a part of a symbol in front of it: `a :- $.`

write_line(Text) :-
    sub_string(Text, _, 1, 0, Last),
    (   ( char_type(Last, csym) ; sub_string(")]}'\"`", _, 1, _, Last) )
    ->  format("~s.~n", [Text])
    ;   format("~s .~n", [Text])
    ).

%   Two variables may have got the same name when a rule was made of others.

distinct_names(Names) :-
    findall(Name, ( member(Name=_, Names), Name \== '_' ), All),
    sort(All, Sorted),
    same_length(All, Sorted).

write_clause(Clause) :-
    canonical_line(Clause, Text),
    write_line(Text).

canonical_line((:- Directive), Text) :- !,
    directive_text(Directive, Body),
    format(string(Text), ":- ~s", [Body]).
canonical_line(Clause, Text) :-
    canonical_text(Clause, Text).

head(File, obj([name-NameText, at-TimeText, clauses-Count, file-File.name])) :-
    snapshot_terms(File.text, skip, Terms),
    memberchk(term(_, '$zpm_snapshot'(Name, _, Time), _), Terms),
    !,
    atom_string(Name, NameText),
    atom_string(Time, TimeText),
    include(is_clause, Terms, Clauses),
    length(Clauses, Count).

is_clause(term(_, Term, _)) :-
    \+ Term = (:- _),
    \+ Term = '$zpm_snapshot'(_, _, _),
    \+ Term = '$zpm_support'(_, _, _).

%   snapshot_terms(+Text, +Broken, -Terms): all terms of a text as term(Line, Term, Bindings). Broken says what to do
%   about a term that does not read: `error` throws, `skip` goes on behind it.

snapshot_terms(Text, Broken, Terms) :-
    setup_call_cleanup(open_string(Text, Stream),
                       read_terms(Stream, Broken, Terms),
                       close(Stream)).

read_terms(Stream, Broken, Terms) :-
    catch(read_one_term(Stream, Term), error(syntax_error(Reason), Where), true),
    (   nonvar(Reason), Broken == error
    ->  throw(error(syntax_error(Reason), Where))
    ;   nonvar(Reason)
    ->  read_terms(Stream, Broken, Terms)
    ;   Term = term(_, end_of_file, _)
    ->  Terms = []
    ;   Terms = [Term|Rest],
        read_terms(Stream, Broken, Rest)
    ).

read_one_term(Stream, term(Line, Term, Bindings)) :-
    read_term(Stream, Term,
              [ module(zpm_canonical), variable_names(Bindings), term_position(Position),
                syntax_errors(error), double_quotes(string), dotlists(false), var_prefix(false)
              ]),
    stream_position_data(line_count, Position, Line).

%   restore: one commit that makes the memory what the snapshot says.

zpm_plans:planned(restore, Request, Module, Seq, Operations, [name-Request.name, added-Added, removed-Removed]) :-
    snapshot_clauses(Request.text, Clauses, Declared, Supports),
    findall(Name/Arity, ( member(clause(Head, _, _, _), Clauses), functor(Head, Name, Arity) ), Named0),
    findall(Name/Arity, known(Module, Name, Arity), Known),
    append([Known, Declared, Named0], All),
    list_to_set(All, Indicators),
    foldl(predicate_changes(Module, Clauses), Indicators, [], Changes0),
    reverse(Changes0, Changes),
    removals(Changes, Module, RemoveOps, Removed),
    findall(Addition, ( member(changes(_, _, Additions), Changes), member(Addition, Additions) ), ToAdd),
    additions(ToAdd, Module, Supports, Seq, 0, AddOps),
    findall(Operation, declaration(Declared, Module, Clauses, Operation), DeclareOps),
    maplist(apply_now(Module, Seq), DeclareOps),
    length(AddOps, Added),
    restore_supports(Module, Supports, Seq, Added, SupportOps),
    Mark = ["s", Request.name],
    apply_now(Module, Seq, Mark),
    append([RemoveOps, AddOps, DeclareOps, SupportOps, [Mark]], Operations).

apply_now(Module, Seq, Operation) :-
    apply_commit(Module, Seq, [Operation]).

%   Clauses as clause(Head, Clause, Bindings, Text), declared predicates, and support rows.

snapshot_clauses(Text, Clauses, Declared, Supports) :-
    catch(snapshot_terms(Text, error, Terms), error(syntax_error(Reason), stream(_, Line, _, _)),
          ( zpm_reading:reason_text(Reason, Why),
            throw(error(zpm(snapshot_broken, [reason-Why, line-Line]), _)) )),
    (   memberchk(term(_, '$zpm_snapshot'(_, Version, _), _), Terms), Version == 1
    ->  true
    ;   throw(error(zpm(snapshot_broken, [reason-"it is not a snapshot of this version", line-1]), _))
    ),
    findall(Term, member(term(_, Term, _), Terms), Bare),
    support_rows(Bare, Supports),
    assumed_texts(Supports, Assumed),
    findall(Clause, ( member(Term, Terms), as_clause(Term, Assumed, Clause) ), Clauses),
    findall(Indicator, ( member(term(_, (:- Directive), _), Terms),
                         ( Directive = dynamic(Indicator) ; Directive = table(Indicator) ),
                         Indicator = _/_ ), Declared).

as_clause(Term, Assumed, clause(Head, Clause, Bindings, Key)) :-
    is_clause(Term),
    Term = term(_, Clause, Bindings),
    clause_head(Clause, Head),
    canonical_text(Clause, Text),
    restored_key(Assumed, Text, Key).

%   What must happen to one predicate: file clauses that match the snapshot's front in order stay file clauses, so
%   that later edits replace them; the rest of the overlay that is the same at the front stays too.

predicate_changes(Module, Clauses, Name/Arity, Changes, [changes(Name/Arity, Removals, Additions)|Changes]) :-
    functor(General, Name, Arity),
    findall(clause(Clause, Bindings, Key),
            ( member(clause(Head, Clause, Bindings, Key), Clauses), functor(Head, Name, Arity) ),
            Wanted),
    findall(have(Origin, Ref, Key), present(Module, General, Origin, Ref, Key), Present),
    partition(from_file, Present, Files, Overlay),
    kept_files(Wanted, Files, Rest, HideFiles),
    kept_overlay(Rest, Overlay, Additions, DropOverlay),
    append(HideFiles, DropOverlay, Drop),
    findall(Ref, member(have(_, Ref, _), Drop), Removals).

present(Module, General, Origin, Ref, Key) :-
    functor(General, Name, Arity),
    known(Module, Name, Arity),
    stored_clause(Module:General, Clause, Ref),
    clause_origin(Ref, Origin),
    canonical_text(Clause, Text),
    present_key(Module, Ref, Text, Key).

from_file(have(file(_, _), _, _)).

kept_files([clause(_, _, Key)|Wanted], Files, Rest, Hidden) :-
    append(Before, [have(_, _, Key)|After], Files),
    !,
    append(Before, Hidden1, Hidden),
    kept_files(Wanted, After, Rest, Hidden1).
kept_files(Wanted, Files, Wanted, Files).

kept_overlay([clause(_, _, Key)|Wanted], [have(_, _, Key)|Overlay], Additions, Drop) :-
    !,
    kept_overlay(Wanted, Overlay, Additions, Drop).
kept_overlay(Wanted, Overlay, Wanted, Overlay).

removals(Changes, Module, Operations, Count) :-
    findall(Ref, ( member(changes(_, Refs, _), Changes), member(Ref, Refs) ), All),
    length(All, Count),
    maplist(removed(Module), All, Lists),
    append(Lists, Operations).

removed(Module, Ref, Operations) :-
    remove_any(Module, Ref, Operations, _).

additions([], _, _, _, _, []).
additions([Clause|Rest], Module, Supports, Seq, Index, [Operation|Operations]) :-
    addition(Clause, Module, Supports, Seq, Index, Operation),
    Next is Index + 1,
    additions(Rest, Module, Supports, Seq, Next, Operations).

addition(clause(Clause, Bindings, assumed(Text)), Module, Supports, Seq, Index, Operation) :-
    !,
    variable_names(Clause, Bindings, Names),
    restore_assumed(Module, Supports, Text, Names, Seq, Index, Operation).
addition(clause(Clause, Bindings, _), Module, _, Seq, Index, Operation) :-
    clause_head(Clause, Head),
    kept(Head),
    !,
    add_kept(Module, Clause, Bindings, Seq, Index, Operation).
addition(clause(Clause, Bindings, _), Module, _, Seq, Index, Operation) :-
    add(Module, Clause, Bindings, Seq, Index, Operation, _).

declaration(Declared, Module, Clauses, ["d", Text]) :-
    member(Name/Arity, Declared),
    \+ known(Module, Name, Arity),
    \+ ( member(clause(Head, _, _, _), Clauses), functor(Head, Name, Arity) ),
    canonical_text(Name/Arity, Text).
