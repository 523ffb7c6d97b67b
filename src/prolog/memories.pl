:- module(zpm_memories,
          [ create_memory/2,     % +Name, +Mode
            memory/1,            % ?Name
            memory_mode/2,       % ?Name, ?Mode
            memory_module/2,     % ?Name, ?Module
            known/3,             % ?Module, ?Name, ?Arity
            declare/2,           % +Module, +Head
            restored/3,          % ?Module, -Seq, -Name
            note_restored/3,     % +Module, +Seq, +Name
            tabled/2,            % +Module, +Indicator
            tabled_no_more/2,    % +Module, +Indicator
            hide/3,              % +Module, +Text, +Occurrence
            unhide/4,            % +Module, +Text, +Occurrence, -Clauses
            file_names/4,        % +Module, +Text, +Occurrence, -Names
            add_clause/5,        % +Module, +Clause, +Id, +Names, -Ref
            erase_clause/2,      % +Module, +Ref
            stored_clause/3,     % +Module:Head, -Clause, ?Ref
            variant_clause/3,    % +Module, +Clause, -Ref
            overlay_clause/4,    % +Module, +Clause, +Id, -Ref
            clause_origin/2,     % +Ref, -Origin
            clause_index/2,      % +Ref, -Index
            clause_names/2,      % +Ref, -Names
            occurrence/4,        % +Module, +Text, +Ref, -Occurrence
            clause_head/2,       % +Clause, -Head
            hidden/5,            % ?Module, ?Text, ?Occurrence, ?Place, ?Names
            plain_table/1        % ?Indicator
          ]).
:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(texts).
:- use_module(places).
:- use_module(leftovers).

/** <module> A memory is a module, and its clauses know where they come from

State = the file clauses that are not hidden, in load order, then the overlay in id order (ENGINE-NOTES 3,
R3). Files are loaded before any commit is applied, so the live module always has this shape.

The origin stands inside each clause, put there by `'$record_clause'/4`: owner `journal` and the commit's
number, or the file's name and the clause's line (ENGINE-NOTES 1.3). Two small tables hold what does not fit:
the index of all but the first addition of a commit, or of all but the first clause on a line, and the author's
variable names.

Which predicates are known is a table of ours, kept by apply, never predicate_property/2: a read that was
undone may leave an empty dynamic predicate behind (ENGINE-NOTES 1.1).
*/

:- dynamic
    memory/1,
    memory_mode/2,       % Name, rw or ro
    known/3,
    later_index/2,       % Ref, Index: of additions of a commit, or clauses on a line, but the first
    clause_variables/2,  % Ref, Names in order of the clause's variables
    restored/3,          % Module, Seq, Name: the last restore of a snapshot
    hidden/5.            % Module, Text, Occurrence, Place or `none`, Names: all that bringing it back needs

%!  create_memory(+Name, +Mode) is det.
%
%   Mode is `rw` or `ro`, for plans that write to more than their own memory; the supervisor refuses the others.

create_memory(Name0, Mode0) :-
    atom_string(Name, Name0),
    atom_string(Mode, Mode0),
    memory_module(Name, Module),
    set_module(Module:base(zpm_libraries)),
    set_prolog_flag(Module:unknown, warning),
    set_prolog_flag(Module:double_quotes, string),
    set_prolog_flag(Module:back_quotes, codes),
    %   `NAME:Goal` finds its way through a module of that name, which has nothing but its base.
    set_module(Name:base(Module)),
    set_prolog_flag(Name:unknown, warning),
    retractall(zpm_memories:memory_mode(Name, _)),
    assertz(zpm_memories:memory_mode(Name, Mode)),
    (   memory(Name) -> true ; assertz(zpm_memories:memory(Name)) ).

%!  memory_module(?Name, ?Module) is semidet.
%
%   The module's name has a blank in it, so that no memory's name and no library's name is one.

memory_module(Name, Module) :-
    atom_concat('memory ', Name, Module).

%!  declare(+Module, +Head) is det.
%
%   Makes the predicate of Head known: dynamic, multifile and incremental. A library predicate that a query
%   has linked into the module is unlinked first, on every replica alike (ENGINE-NOTES 1.7).

declare(Module, Head) :-
    functor(Head, Name, Arity),
    (   known(Module, Name, Arity)
    ->  true
    ;   forall(( Context = Module ; memory_module(Context, Module), memory(Context) ),
               unlinked(Context:Head)),
        dynamic([Module:Name/Arity], [incremental(true), multifile(true)]),
        assertz(zpm_memories:known(Module, Name, Arity)),
        note_declared(Module:Name/Arity),
        %   A table that called it while it was unknown does not follow it.
        abolish_all_tables
    ).

unlinked(Head) :-
    (   predicate_property(Head, imported_from(_)) -> redefine_system_predicate(Head) ; true ).

%!  note_restored(+Module, +Seq, +Name) is det.
%
%   At the commit Seq the memory was what the snapshot Name says.

note_restored(Module, Seq, Name) :-
    retractall(zpm_memories:restored(Module, _, _)),
    assertz(zpm_memories:restored(Module, Seq, Name)).

%!  tabled(+Module, +Indicator) is det.
%
%   Already tabled is fine: a file's directive and a tool may say it both.

tabled(Module, Name/Arity) :-
    functor(Head, Name, Arity),
    (   predicate_property(Module:Head, tabled)
    ->  true
    ;   table(Module:Name/Arity as incremental)
    ).

%!  tabled_no_more(+Module, +Indicator) is det.
%
%   A file's directive holds whatever the journal says. Other tables must go on following the predicate.

:- dynamic file_table/2.    % Module, Name/Arity

tabled_by_file(Module, Indicator) :-
    tabled(Module, Indicator),
    assertz(zpm_memories:file_table(Module, Indicator)).

tabled_no_more(Module, Indicator) :-
    (   file_table(Module, Indicator)
    ->  true
    ;   untable(Module:Indicator),
        dynamic([Module:Indicator], [incremental(true), multifile(true)])
    ).

%   A table with modes cannot be incremental: begin_call/0 empties it, since what a read undid would stay in it.

:- dynamic plain_table/1.   % Module:Name/Arity

tabled_with_modes(Module, Moded) :-
    table(Module:Moded),
    functor(Moded, Name, Arity),
    assertz(zpm_memories:file_table(Module, Name/Arity)),
    assertz(zpm_memories:plain_table(Module:Name/Arity)).

%!  add_clause(+Module, +Clause, +Id, +Names, -Ref) is det.
%
%   Id is Seq-Index for the overlay or (File:Line)-Index for a file. Names are the author's variable names, in the
%   order of the clause's variables.

add_clause(Module, Clause, Id, Names, Ref) :-
    clause_head(Clause, Head),
    declare(Module, Head),
    place(Id, Owner, Line),
    recordable(Clause, Recordable),
    '$record_clause'(Module:Recordable, Owner, Owner:Line, Ref),
    (   Id = _-Index, Index > 0
    ->  assertz(zpm_memories:later_index(Ref, Index))
    ;   true
    ),
    (   Names == [] -> true ; assertz(zpm_memories:clause_variables(Ref, Names)) ).

place((File:Line)-_, File, Line) :- !.
place(Seq-_, journal, Seq).

%   The engine stores a guarded single-sided rule only in this form (ENGINE-NOTES 1.4).

recordable((Head, Guard => Body), '?=>'(Head, (Guard, !, Body))) :- !.
recordable(Clause, Clause).

clause_head((Head :- _), Head1) :- !, Head1 = Head.
clause_head((Head, _ => _), Head1) :- !, Head1 = Head.
clause_head((Head => _), Head1) :- !, Head1 = Head.
clause_head(Head, Head).

%!  erase_clause(+Module, +Ref) is det.

erase_clause(_, Ref) :-
    retractall(zpm_memories:later_index(Ref, _)),
    retractall(zpm_memories:clause_variables(Ref, _)),
    erase(Ref).

%!  stored_clause(+QualifiedHead, -Clause, ?Ref) is nondet.
%
%   The clauses of a predicate as their author wrote them: rule/3 keeps `=>`, which clause/2 loses, and the
%   module that the engine puts in front of a body is taken off again. The head only helps to find them: it is
%   not unified, so there may be more than those that match it.

stored_clause(Module:Head, Clause, Ref) :-
    rule(Module:Head, Rule, Ref),
    plain_rule(Rule, Module, Clause).

plain_rule((Head :- Body0), Module, Rule) => Rule = (Head :- Body), plain(Body0, Module, Body).
plain_rule((Head => Body0), Module, Rule) => Rule = (Head => Body), plain(Body0, Module, Body).
plain_rule('?=>'(Head, Body0), Module, Rule) =>
    plain(Body0, Module, (Guard, !, Body)),
    Rule = ((Head, Guard) => Body).
plain_rule(Fact, _, Clause) => Clause = Fact.

plain(Body0, Module, Body) :-
    (   nonvar(Body0), Body0 = Module:Body1 -> Body = Body1 ; Body = Body0 ).

%!  clause_origin(+Ref, -Origin) is det.
%
%   journal(Seq, Index) or file(Name, Line).

clause_origin(Ref, Origin) :-
    clause_property(Ref, file(Owner)),
    clause_property(Ref, line_count(Line)),
    (   Owner == journal
    ->  clause_index(Ref, Index),
        Origin = journal(Line, Index)
    ;   Origin = file(Owner, Line)
    ).

%!  clause_index(+Ref, -Index) is det.
%
%   Which one of the additions of its commit, or of the clauses on its line, a clause is; from 0.

clause_index(Ref, Index) :-
    ( later_index(Ref, Index0) -> Index = Index0 ; Index = 0 ).

%!  clause_names(+Ref, -Names) is det.

clause_names(Ref, Names) :-
    ( clause_variables(Ref, Names) -> true ; Names = [] ).

%!  variant_clause(+Module, +Clause, -Ref) is nondet.

variant_clause(Module, Clause, Ref) :-
    clause_head(Clause, Head),
    stored_clause(Module:Head, Stored, Ref),
    Stored =@= Clause.

%!  overlay_clause(+Module, +Clause, +Id, -Ref) is det.

overlay_clause(Module, Clause, Seq-Index, Ref) :-
    (   variant_clause(Module, Clause, Ref),
        clause_origin(Ref, journal(Seq, Index))
    ->  true
    ;   throw(error(existence_error(overlay_clause, Seq-Index), _))
    ).

%   The k-th occurrence over all files: hidden ones are gone from the module, so they are counted first.
%   An occurrence that no file has is remembered all the same: it may come back with another branch (R4).

hide(Module, Text, Occurrence) :-
    (   shown_occurrence(Module, Text, Occurrence, Ref)
    ->  clause_place(Ref, Place),
        clause_names(Ref, Names),
        erase_clause(Module, Ref)
    ;   Place = none, Names = []
    ),
    assertz(zpm_memories:hidden(Module, Text, Occurrence, Place, Names)).

shown_occurrence(Module, Text, Occurrence, Ref) :-
    canonical_term(Text, Clause),
    clause_head(Clause, Head),
    findall(Before, ( hidden(Module, Text, Before, _, _), Before < Occurrence ), Gone),
    length(Gone, Skipped),
    Nth is Occurrence - Skipped,
    findall(R, file_clause(Module, Head, Clause, R), Refs),
    nth1(Nth, Refs, Ref).

%!  file_names(+Module, +Text, +Occurrence, -Names) is det.
%
%   The author's names of a file clause, hidden or not; none when no file has it.

file_names(Module, Text, Occurrence, Names) :-
    (   hidden(Module, Text, Occurrence, _, Names0)
    ->  Names = Names0
    ;   shown_occurrence(Module, Text, Occurrence, Ref)
    ->  clause_names(Ref, Names)
    ;   Names = []
    ).

%!  unhide(+Module, +Text, +Occurrence, -Clauses) is det.
%
%   Clauses is what bring_back/2 takes, or [].

unhide(Module, Text, Occurrence, Clauses) :-
    (   retract(zpm_memories:hidden(Module, Text, Occurrence, Place, Names))
    ->  true
    ;   throw(error(existence_error(hidden_clause, Text-Occurrence), _))
    ),
    (   Place == none
    ->  Clauses = []
    ;   canonical_term(Text, Clause),
        Clauses = [Place-clause(Clause, Names)]
    ).

file_clause(Module, Head, Clause, Ref) :-
    functor(Head, Name, Arity),
    known(Module, Name, Arity),
    variant_clause(Module, Clause, Ref),
    clause_origin(Ref, file(_, _)).

%!  occurrence(+Module, +Text, +Ref, -Occurrence) is det.
%
%   Which occurrence of its text a living file clause is.

occurrence(Module, Text, Ref, Occurrence) :-
    canonical_term(Text, Clause),
    clause_head(Clause, Head),
    findall(R, file_clause(Module, Head, Clause, R), Refs),
    nth1(Nth, Refs, Ref),
    !,
    findall(K, hidden(Module, Text, K, _, _), Hidden),
    nth_free(Nth, 1, Hidden, Occurrence).

nth_free(Nth, K, Hidden, Occurrence) :-
    K1 is K + 1,
    (   memberchk(K, Hidden)
    ->  nth_free(Nth, K1, Hidden, Occurrence)
    ;   Nth =:= 1
    ->  Occurrence = K
    ;   Nth1 is Nth - 1,
        nth_free(Nth1, K1, Hidden, Occurrence)
    ).
