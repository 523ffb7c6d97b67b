:- module(zpm_guards,
          [ close_guards/0,
            enter_goal_mode/0,
            enter_change_mode/0,
            check_goal/2,        % +Goal, +Module
            check_body/2         % +Body, +Module
          ]).
:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(library(prolog_wrap)).
:- use_module(memories).
:- use_module(texts).

/** <module> What a user's goal may call (SPEC 1.5, ENGINE-NOTES 5.5)

Each dangerous predicate is wrapped: in kernel mode it runs, in goal mode it throws. The wrapper sits on the
definition, so it holds through variables, call/N and library code, and costs nothing where it is not. The
mode is a Prolog flag that only JavaScript can set back, before the next call: in goal mode
set_prolog_flag/2 itself is wrapped.

What can be seen before a goal runs, or when a rule is defined, is refused with the same error: check_goal/2
and check_body/2 walk the control constructs and the usual meta-arguments.
*/

%!  enter_goal_mode is det.
%
%   From here to the end of this call the guards are closed.

enter_goal_mode :-
    set_prolog_flag(zpm_mode, goal).

%!  enter_change_mode is det.
%
%   The same for a goal that is asked to change something: it may write, but only to what its file declares dynamic.
%   Everything of a memory is dynamic to the engine, so the guard says what Prolog would say. In a memory with a journal
%   whatever is known may be written to, as the tools of zpm do.

enter_change_mode :-
    set_prolog_flag(zpm_mode, change).

:- create_prolog_flag(zpm_mode, kernel, [type(atom), keep(true)]).

%   guarded(+Class, -Indicators): the class chooses the hint in `src/base/errors.ts`. Some stand for libraries
%   that are not loaded: they cannot run, but "not allowed" is a better answer than "unknown".

guarded(database,
        [ assert/1, assert/2, asserta/1, asserta/2, assertz/1, assertz/2, retract/1, retractall/1 ]).
guarded(definitions,
        [ erase/1, abolish/1, abolish/2, redefine_system_predicate/1, compile_predicates/1, (dynamic)/1,
          (dynamic)/2, (multifile)/1, (discontiguous)/1, (table)/1, untable/1, (module_transparent)/1,
          (meta_predicate)/1, (public)/1, (volatile)/1, (thread_local)/1, (initialization)/1, (initialization)/2,
          copy_predicate_clauses/2, '$record_clause'/3, '$record_clause'/4, '$store_clause'/4,
          '$set_predicate_attribute'/3, wrap_predicate/4, unwrap_predicate/2, '$wrap_predicate'/5,
          '$c_wrap_predicate'/5, abolish_all_tables/0, abolish_module_tables/1, abolish_table_subgoals/1,
          prolog_listen/2, prolog_listen/3, prolog_unlisten/2, compile_aux_clauses/1, format_predicate/2,
          '$clause_from_source'/4, term_expansion/2 ]).
guarded(loading,
        [ consult/1, load_files/1, load_files/2, ensure_loaded/1, include/1, make/0, use_module/1,
          use_module/2, reexport/1, reexport/2, autoload/1, autoload/2, require/1, qcompile/1, qcompile/2,
          load_foreign_library/1, load_foreign_library/2, use_foreign_library/1, use_foreign_library/2,
          '[|]'/2, module/1, module/2, set_module/1, add_import_module/3, delete_import_module/2, import/1,
          export/1, '$set_source_module'/1, '$set_source_module'/2, '$set_typein_module'/1, attach_packs/0,
          attach_packs/1, attach_packs/2, pack_attach/2, unload_file/1, make_library_index/1, make_library_index/2,
          reload_library_index/0, register_iri_scheme/3, '$load_file'/3, '$qload_file'/5 ]).
guarded(flags,
        [ set_prolog_flag/2, create_prolog_flag/3, style_check/1, op/3, char_conversion/2,
          set_prolog_stack/2, set_prolog_gc_thread/1, garbage_collect/0, garbage_collect_atoms/0,
          garbage_collect_clauses/0, trim_stacks/0, trim_heap/0, set_random/1, set_locale/1,
          locale_create/3, locale_destroy/1, setlocale/3, prolog_debug/1, prolog_nodebug/1, noprofile/1,
          '$set_prolog_file_extension'/0, license/1, license/2, known_licenses/0 ]).
guarded(variables,
        [ b_setval/2, nb_setval/2, nb_linkval/2, recorda/2, recorda/3, recordz/2, recordz/3, flag/3,
          set_flag/2, nb_delete/1 ]).
guarded(files,
        [ open/3, open/4, close/1, close/2, see/1, seen/0, tell/1, append/1, told/0, set_input/1,
          set_output/1, set_stream/2, set_prolog_IO/3, set_end_of_stream/1, seek/4, set_system_IO/3, with_tty_raw/1, win_rename_file/2, gc_file_search_cache/1,
          open_null_stream/1, open_resource/2, open_resource/3, exists_file/1, exists_directory/1,
          directory_files/2, delete_file/1, rename_file/2, size_file/2, time_file/2, set_time_file/3,
          absolute_file_name/2, absolute_file_name/3, working_directory/2, chdir/1, make_directory/1,
          delete_directory/1, tmp_file/2, tmp_file_stream/2, tmp_file_stream/3, access_file/2, read_link/3,
          same_file/2, expand_file_name/2, file_search_path/2, protocol/1, protocola/1, noprotocol/0,
          read_file_to_string/3, read_file_to_codes/3, read_file_to_terms/3, phrase_from_file/2,
          phrase_from_file/3, directory_member/3, csv_read_file/2, load_json/2, http_open/3, tcp_socket/1,
          tcp_connect/3, process_create/3, qsave_program/2 ]).
guarded(input,
        [ read/1, read/2, read_term/2, get_char/1, peek_char/1, get_code/1, peek_code/1, get_byte/1, peek_byte/1,
          get0/1, get/1, get_single_char/1, skip/1, read_clause/3, prompt/2, prompt1/1, ttyflush/0,
          read_pending_codes/3, read_pending_chars/3, fill_buffer/1, wait_for_input/3, copy_stream_data/2,
          copy_stream_data/3, set_stream_position/2, read_line_to_string/2, read_line_to_codes/2,
          read_line_to_codes/3, read_stream_to_codes/2, read_stream_to_codes/3, read_term_with_history/2 ]).
guarded(process,
        [ halt/0, halt/1, halt/2, abort/0, prolog/0, break/0, trace/0, trace/1, trace/2, notrace/0, spy/1,
          nospy/1, nospyall/0, debug/0, nodebug/0, debugging/0, tracing/0, visible/1, leash/1, sleep/1,
          shell/0, shell/1, shell/2, getenv/2, setenv/2, unsetenv/1, at_halt/1, cancel_halt/1, on_signal/3,
          prolog_cut_to/1, prolog_skip_level/2, prolog_skip_frame/1, prolog_alert_signal/2, engine_create/3,
          engine_create/4, prolog_interrupt/0, initialize/0, sig_block/1, sig_unblock/1, thread_create/2, thread_create/3, thread_create/4, message_queue_create/1, listing/0, listing/1,
          listing/2, apropos/1, help/0, help/1, prolog_exception_hook/5 ]).

%   javascript: everything that library(wasm) exports, found when the image is built.

javascript(Head) :-
    module_property(wasm, exports(Indicators)),
    member(Name/Arity, Indicators),
    \+ memberchk(Name, [is_object, is_async]),      % the message system asks them
    functor(Head, Name, Arity).
javascript(Head) :-
    predicate_property(system:Head, defined),
    functor(Head, Name, _),
    ( sub_atom(Name, 0, _, _, js_) ; sub_atom(Name, 0, _, _, '$js_') ).

%   internal(Head): what the engine's own library is made of. It is not meant for anybody else, and some of it reaches
%   around the guards.

internal(Head) :-
    predicate_property(system:Head, defined),
    functor(Head, Name, _),
    sub_atom(Name, 0, _, _, '$'),
    Name \== '$'.

:- dynamic guarded_head/2.   % Head, Class: what is wrapped in this image

close_guards :-
    findall(Head-Class, guarded_predicate(Head, Class), Guards),
    forall(member(Head-Class, Guards), assertz(zpm_guards:guarded_head(Head, Class))),
    findall((Module:Head)-Class, ( member(Head-Class, Guards), definition(Head, Module) ), Definitions),
    forall(member(Definition-Class, Definitions), close_guard(Definition, Class)),
    forall(( member(Head-Class, Guards), \+ predicate_property(zpm_libraries:Head, defined) ),
           close_door(Head, Class)),
    findall(Head, internal(Head), Internals),
    forall(member(Head, Internals), close_inside(Head)).

guarded_predicate(Head, Class) :-
    guarded(Class, Indicators),
    member(Name/Arity, Indicators),
    functor(Head, Name, Arity).
guarded_predicate(Head, javascript) :-
    javascript(Head).

%   What no memory sees would be unknown to a goal that comes to it through a variable, and so just false.

close_door(Head, Class) :-
    assertz((zpm_libraries:Head :- zpm_guards:deny(Head, Class))).

%   The libraries go on seeing the engine's own; a memory sees this one, which is in front of it.

close_inside(Head) :-
    redefine_system_predicate(zpm_libraries:Head),
    assertz((zpm_libraries:Head :- zpm_guards:inside(Head))),
    (   guarded_head(Head, _) -> true ; assertz(zpm_guards:guarded_head(Head, process)) ).

:- public inside/1.

inside(Head) :-
    (   current_prolog_flag(zpm_mode, kernel) -> system:Head ; deny(Head, process) ).

%   What is written in Prolog on top of a guarded primitive needs no guard of its own; neither does a list
%   as a goal, which is consult/1. The kernel itself uses some of them, and a wrapper would stand between a
%   transparent predicate and its caller's module; prolog_cut_to/1 is what the proof interpreter cuts with,
%   and a goal that comes to it through a variable cuts only its own answers.

definition([_|_], _) :- !, fail.
definition(Head, _) :-
    functor(Head, Name, Arity),
    memberchk(Name/Arity, [(dynamic)/1, (dynamic)/2, (table)/1, abolish_all_tables/0, prolog_cut_to/1]),
    !,
    fail.
definition(Head, Module) :-
    member(Context, [system, wasm, zpm_libraries]),
    predicate_property(Context:Head, defined),
    \+ predicate_property(Context:Head, dynamic),
    !,
    (   predicate_property(Context:Head, imported_from(Module)) -> true ; Module = Context ).

%   The wrapper of a transparent predicate is transparent itself: context_module/1 in it tells the caller's
%   module, in which the wrapped predicate must run.

close_guard(Module:Head, Class) :-
    (   predicate_property(Module:Head, transparent)
    ->  wrap_predicate(Module:Head, zpm_guard, Wrapped,
                       Module:( context_module(Context),
                                zpm_guards:guard(Class, Head, Context, Wrapped)
                              ))
    ;   wrap_predicate(Module:Head, zpm_guard, Wrapped,
                       zpm_guards:guard(Class, Head, system, Wrapped))
    ).

:- public guard/4.

guard(Class, Head, Context, Wrapped) :-
    (   current_prolog_flag(zpm_mode, kernel)
    ->  @(Wrapped, Context)
    ;   allowed(Class, Head, Context)
    ->  @(Wrapped, Context)
    ;   deny(Head, Class)
    ).

%   A rule of a file may write to predicates of its memory; inside a read that is undone. A predicate that
%   is not known must not come into being: it would hide a library's, on this engine only.

allowed(database, Head, Context) :-
    arg(1, Head, Clause0),
    strip_module(Context:Clause0, Module, Clause),
    memory(Name),
    memory_module(Name, Module),
    nonvar(Clause),
    ( Clause = (H :- _) -> true ; H = Clause ),
    callable(H),
    functor(H, F, Arity),
    (   current_prolog_flag(zpm_mode, change)
    ->  require_dynamic(Module, F/Arity)
    ;   known(Module, F, Arity)
    ).
allowed(definitions, erase(_), _) :-
    zpm_environments:door.                          % closed while a goal of the user runs
allowed(variables, Head, _) :-
    arg(1, Head, Key),
    library_variable(Key).

require_dynamic(Module, Indicator) :-
    (   zpm_operations:declared_dynamic(Module, Indicator) -> true
    ;   zpm_documents:journaled(Module), Indicator = Name/Arity, known(Module, Name, Arity) -> true
    ;   throw(error(permission_error(modify, static_procedure, Indicator), _))
    ).

%   Constraint solvers, tabling, the message system and our own warnings keep global variables. Every call begins
%   with fresh ones (zpm_warnings:begin_call/0), so a goal that sets one harms only itself.

library_variable(Key) :- atom(Key), sub_atom(Key, 0, _, _, '$clp').
library_variable('$inprint_message').
library_variable('$tbl_reeval').
library_variable(zpm_warnings).
library_variable(zpm_unknown).
library_variable(zpm_effects).

deny(Head0, Class) :-
    strip_module(Head0, _, Head),
    goal_text(Head, Text),
    atom_string(Class, ClassText),
    throw(error(zpm(not_allowed, [goal-Text, class-ClassText]), _)).

goal_text(Goal0, Text) :-
    catch(( require_shallow(Goal0),
            acyclic_term(Goal0),
            without_modules(Goal0, 'memory default', Goal),
            variable_letters(Goal, '_', Names),
            term_text(Goal, zpm_canonical, Names, Text)
          ), _, Text = "..."),
    !.

%!  check_goal(+Goal, +Module) is det.
%
%   Throws zpm(not_allowed, _) for a goal that would be stopped anyway, zpm(memory_missing, _) for a
%   qualifier that is not a mounted memory.

check_goal(Goal, Module) :-
    check(Goal, Module, "query").

%!  check_body(+Body, +Module) is det.

check_body(Body, Module) :-
    check(Body, Module, "rule").

check(Goal, _, _), var(Goal) => true.
check(Name:Goal, Module, Where) =>
    (   atom(Name), memory(Name)
    ->  memory_module(Name, Other),
        check(Goal, Other, Where)
    ;   var(Name), Where == "rule"
    ->  ignore(Module = _)
    ;   format(string(Text), "~w", [Name]),
        throw(error(zpm(memory_missing, [name-Text]), _))
    ).
check(Goal, Module, Where), meta_arguments(Goal, Goals) =>
    refuse_guarded(Goal, Module, Where),
    forall(member(Inner-Extra, Goals), check_inner(Inner, Extra, Module, Where)).
check(Goal, Module, Where), callable(Goal) =>
    refuse_guarded(Goal, Module, Where).
check(Goal, _, _) =>
    format(string(Why), "~p cannot be called: a goal is an atom or a compound term", [Goal]),
    throw(error(zpm(input, [why-Why]), _)).

check_inner(Goal, _, _, _), \+ callable(Goal) => true.
check_inner(Goal, 0, Module, Where) => check(Goal, Module, Where).
check_inner(Goal, Extra, Module, Where) =>
    (   Goal = Qualifier:Plain -> Full = Qualifier:Extended ; Plain = Goal, Full = Extended ),
    (   callable(Plain)
    ->  length(More, Extra),
        Plain =.. List0,
        append(List0, More, List),
        Extended =.. List,
        check(Full, Module, Where)
    ;   true
    ).

%   The memory's own predicate of that name is meant when there is one.

refuse_guarded(Goal, Module, _) :-
    functor(Goal, Name, Arity),
    (   known(Module, Name, Arity)
    ->  true
    ;   guarded_head(Goal, Class)
    ->  deny(Goal, Class)
    ;   true
    ).

%   Goal-InnerGoals with the number of arguments that are added when it is called.

meta_arguments((A, B), [A-0, B-0]).
meta_arguments((A ; B), [A-0, B-0]).
meta_arguments((A -> B), [A-0, B-0]).
meta_arguments((A *-> B), [A-0, B-0]).
meta_arguments(\+ A, [A-0]).
meta_arguments(Goal, Goals) :-
    compound(Goal),
    compound_name_arity(Goal, call, Arity),
    !,
    Extra is Arity - 1,
    arg(1, Goal, Inner),
    Goals = [Inner-Extra].
meta_arguments(Goal, Goals) :-
    callable(Goal),
    \+ Goal = (_ , _), \+ Goal = (_ ; _), \+ Goal = (_ -> _), \+ Goal = (_ *-> _), \+ Goal = (\+ _),
    predicate_property(zpm_libraries:Goal, meta_predicate(Modes)),
    findall(Inner-Extra,
            ( arg(N, Modes, Mode), meta_mode(Mode, Extra), arg(N, Goal, Inner0), without_carets(Mode, Inner0, Inner) ),
            Goals),
    Goals \== [].

meta_mode(Mode, Mode) :- integer(Mode).
meta_mode(^, 0).

without_carets(^, Goal0, Goal) :-
    nonvar(Goal0), Goal0 = _^Inner, !,
    without_carets(^, Inner, Goal).
without_carets(_, Goal, Goal).

