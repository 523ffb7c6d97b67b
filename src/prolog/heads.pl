:- module(zpm_heads,
          [ check_head/2,       % +Head, +Module
            kept/1,             % +Head
            refuse_head/1,      % +Head
            unqualified/4,      % +Term, +Module, -Plain, +What
            grammar_clause/2,   % +Rule, -Clause
            addressed/4,        % +Term, +Module, -Plain, -Addressed
            indicator_text/2    % +Indicator, -Text
          ]).
:- use_module(library(lists)).
:- use_module(memories).
:- use_module(warnings).

/** <module> Which heads may be stored (SPEC 1.3)

Control constructs, what the engine protects, the system predicates that rule bodies live on, and hooks of
the loader and the message system are refused. Every other name is plain data, with a warning when it hides
a predicate of a library or of the system in this memory.
*/

%!  unqualified(+Term0, +Module, -Term, +What) is det.
%
%   `NAME:term` addresses the mounted memory NAME and nothing else.

unqualified(Term0, Module, Term, What) :-
    (   nonvar(Term0), Term0 = Name:Inner
    ->  (   atom(Name), memory_module(Name, Module), memory(Name)
        ->  unqualified(Inner, Module, Term, What)
        ;   atom(Name), memory(Name)
        ->  atom_string(Name, Other),
            throw(error(zpm(other_memory, [name-Other]), _))
        ;   not_mounted(Name)
        )
    ;   Term = Term0
    ).

not_mounted(Name) :-
    format(string(Text), "~w", [Name]),
    throw(error(zpm(memory_missing, [name-Text]), _)).

%!  grammar_clause(+Rule, -Clause) is det.

grammar_clause(Rule, Clause) :-
    catch(dcg_translate_rule(Rule, Clause0), error(_, _), fail),
    !,
    Clause = Clause0.
grammar_clause(_, _) :-
    input_error("A grammar rule has a name on the left of -->, and on the right names, lists of terminals and {goals}").

%!  addressed(+Term0, +Module0, -Term, -Module) is det.
%
%   Without the names of memories in front of it: Module is that of the last one, else Module0.

addressed(Term0, Module0, Term, Module) :-
    (   nonvar(Term0), Term0 = Name:Term1, atom(Name), memory(Name), callable(Term1)
    ->  memory_module(Name, Module1),
        addressed(Term1, Module1, Term, Module)
    ;   Term = Term0, Module = Module0
    ).

%!  check_head(+Head, +Module) is det.
%
%   Throws for a head that may not be stored, warns of one that hides another predicate.

check_head(Head, Module) :-
    refuse_head(Head),
    warn_hidden(Head, Module).

%!  refuse_head(+Head) is det.

refuse_head(Head), \+ callable(Head) =>
    input_error("Store an atom or a compound term, such as human(socrates)").
refuse_head(Head), compound(Head), compound_name_arity(Head, Name, 0) =>
    format(string(Why), "~q() has no arguments: write ~q", [Name, Name]),
    input_error(Why).
refuse_head([_|_]) =>
    input_error("A list cannot be stored as a fact: give it a name, such as colours([red, green])").
refuse_head(Head), protected(Head, Why) =>
    functor(Head, Name, Arity),
    indicator_text(Name/Arity, Text),
    format(string(Sentence), "~s is ~w: choose another name", [Text, Why]),
    input_error(Sentence).
refuse_head(_) => true.

input_error(Why) :-
    throw(error(zpm(input, [why-Why]), _)).

protected(Head, "a hook of the loader or of the message system") :-
    functor(Head, Name, Arity),
    hook(Name/Arity).
protected(Head, "a control construct") :-
    functor(Head, Name, Arity),
    memberchk(Name/Arity, [(:-)/1, (:-)/2, (?-)/1, (-->)/2, (=>)/2, (',')/2, (;)/2, (->)/2, (*->)/2,
                           (\+)/1, !/0, ('|')/2, (:)/2, ('[|]')/2, []/0, {}/1, true/0, fail/0, false/0]).
protected(Head, "a built-in predicate") :-
    functor(Head, Name, Arity),
    predicate_property(system:Head, defined),
    (   predicate_property(system:Head, iso) -> true
    ;   everyday(Name/Arity) -> true
    ;   \+ shadowable(Name/Arity)
    ),
    !.
protected(Head, "kept by the verbs") :-
    kept(Head).
protected(end_of_file, "the end of every file").

%!  kept(+Head) is semidet.
%
%   What only the verbs write, and files that were made of it.

kept(Head) :-
    functor(Head, '$sentex', 6).

hook(term_expansion/2).
hook(term_expansion/4).
hook(goal_expansion/2).
hook(goal_expansion/4).
hook(message_hook/3).
hook(message_property/2).
hook(prolog_load_file/2).
hook(portray/1).
hook(exception/3).
hook(expand_query/4).
hook(expand_answer/2).

%   Whether the engine lets a module have its own predicate of this name: asked once, in a scratch module.

:- dynamic shadowable_/2.

shadowable(Indicator) :-
    (   shadowable_(Indicator, Known) -> true
    ;   (   catch(dynamic(zpm_scratch:Indicator), _, fail) -> Known = true ; Known = false ),
        assertz(zpm_heads:shadowable_(Indicator, Known))
    ),
    Known == true.

%   System predicates that are not ISO and not protected by the engine, but that rule bodies live on: a
%   clause of that name would silently change every rule of the memory.

everyday(Indicator) :-
    memberchk(Indicator,
        [ between/3, succ/2, plus/3, forall/2, ignore/1, not/1, once/1, apply/2, call/1, findall/4,
          findnsols/4, aggregate_all/3, msort/2, sort/4, predsort/3, is_list/1, ground/1, string/1,
          is_dict/1, is_assoc/1, text_concat/3, atomic_list_concat/2, atomic_list_concat/3,
          split_string/4, string_concat/3, string_length/2, string_chars/2, string_codes/2,
          string_to_atom/2, string_code/3, string_lower/2, string_upper/2, sub_string/5, atom_string/2,
          atom_to_term/3, atom_number/2, number_string/2, term_string/2, term_string/3, term_to_atom/2,
          sformat/3, format/1, format/2, format/3, writeln/1, writeln/2, print/1, print/2, write_ln/1,
          tab/1, tab/2, print_message/2, with_output_to/2, dif/2, freeze/2, frozen/2, when/2,
          tnot/1, call_cleanup/2, setup_call_cleanup/3, term_variables/3, nb_getval/2, b_getval/2,
          rational/1, callable/1, cyclic_term/1, unifiable/3, (?=)/2, compare/3, (=@=)/2, (\=@=)/2,
          get_time/1, format_time/3, stamp_date_time/3, date_time_stamp/2, char_type/2, code_type/2,
          downcase_atom/2, upcase_atom/2, normalize_space/2, tabling/0, limit/2, snapshot/1,
          call_with_inference_limit/3, call_with_depth_limit/3, apropos/1
        ]).

warn_hidden(Head, Module) :-
    functor(Head, Name, Arity),
    (   known(Module, Name, Arity) -> true
    ;   predicate_property(zpm_libraries:Head, imported_from(Library))
    ->  hidden_warning(Name/Arity, Library)
    ;   predicate_property(system:Head, defined)
    ->  hidden_warning(Name/Arity, system)
    ;   true
    ).

hidden_warning(Indicator, Library) :-
    indicator_text(Indicator, Text),
    (   Library == system
    ->  format(string(Warning), "~s hides the built-in of that name in this memory", [Text])
    ;   module_property(Library, file(File))
    ->  file_base_name(File, Base0),
        file_name_extension(Base, _, Base0),
        format(string(Warning), "~s hides library(~w) in this memory", [Text, Base])
    ;   format(string(Warning), "~s hides ~w in this memory", [Text, Library])
    ),
    warn(Warning).

%!  indicator_text(+Indicator, -Text) is det.

indicator_text(Name/Arity, Text) :-
    format(string(Text), "~q/~w", [Name, Arity]).
