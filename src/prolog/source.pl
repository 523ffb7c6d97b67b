:- module(zpm_source, []).
:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(library(pairs)).
:- use_module(memories).
:- use_module(texts).
:- use_module(catalog).
:- use_module(snapshots).

/** <module> A memory, or one predicate of it, as Prolog text to read

Complete and loadable by any Prolog, like a snapshot, but in the order of the state: the clauses of files first, in
the order in which they were loaded, then what was stored, in the order in which that happened (ENGINE-NOTES 3, R3).
*/

:- multifile zpm:operation/3.

%!  zpm:operation(+Op, +Request, -Pairs) is semidet.
%
%   source: the text of a memory. source_size: its bytes, null when there are more clauses than
%   `at_most`, for then it takes long. predicate_source: of one predicate; found is false when there is none.

zpm:operation(source, Request, [text-Text]) :-
    module_of(Request, Module),
    source(Module, Text).
zpm:operation(source_size, Request, [bytes-Bytes]) :-
    module_of(Request, Module),
    findall(Count, predicate_shape(Module, shape(_, _, _, Count)), Counts),
    sum_list(Counts, Total),
    (   Total =< Request.at_most
    ->  source(Module, Text),
        utf8_length(Text, Bytes)
    ;   Bytes = null
    ).
zpm:operation(predicate_source, Request, Pairs) :-
    module_of(Request, Module),
    atom_string(Name, Request.functor),
    Arity = Request.arity,
    (   known(Module, Name, Arity)
    ->  functor(Head, Name, Arity),
        with_output_to(string(Text),
                       ( write_declaration(Module, Head),
                         forall(stored_clause(Module:Head, Clause, Ref), write_stored(Clause, Ref))
                       )),
        Pairs = [found-true, text-Text]
    ;   Pairs = [found-false]
    ).

module_of(Request, Module) :-
    atom_string(Name, Request.memory),
    memory_module(Name, Module).

source(Module, Text) :-
    with_output_to(string(Text), write_source(Module)).

write_source(Module) :-
    findall(Key-Ref, ( known_head(Module, Head),
                       stored_clause(Module:Head, _, Ref),
                       clause_origin(Ref, Origin),
                       place_key(Origin, Key)
                     ), Keyed),
    keysort(Keyed, Sorted),
    pairs_values(Sorted, Refs),
    (   scattered(Refs)
    ->  format(":- style_check(-discontiguous).~n")
    ;   true
    ),
    forall(known_head(Module, Head), write_declaration(Module, Head)),
    ( Refs == [] -> true ; nl ),
    forall(member(Ref, Refs), write_referenced(Module, Ref)).

%   Whether the clauses of some predicate do not stand together.

scattered(Refs) :-
    maplist(predicate_of, Refs, All),
    runs(All, Runs),
    sort(Runs, Unique),
    \+ same_length(Runs, Unique).

predicate_of(Ref, Name/Arity) :-
    clause_property(Ref, predicate(_:Name/Arity)).

runs([], []).
runs([First|Rest], [First|Runs]) :-
    skipped(Rest, First, Others),
    runs(Others, Runs).

skipped([Same|Rest], First, Others) :-
    Same == First,
    !,
    skipped(Rest, First, Others).
skipped(Others, _, Others).

known_head(Module, Head) :-
    known(Module, Name, Arity),
    functor(Head, Name, Arity).

%   Sorting is stable, so clauses that one line of a file holds stay as they are.

place_key(file(Owner, Line), 0-Owner/Line).
place_key(journal(Seq, Index), 1-Seq/Index).

write_referenced(Module, Ref) :-
    predicate_of(Ref, Name/Arity),
    functor(Head, Name, Arity),
    stored_clause(Module:Head, Clause, Ref),
    !,
    write_stored(Clause, Ref).

utf8_length(Text, Length) :-
    string_codes(Text, Codes),
    foldl(add_length, Codes, 0, Length).

add_length(Code, Length0, Length) :-
    code_length(Code, Bytes),
    Length is Length0 + Bytes.

code_length(Code, 1) :- Code < 0x80, !.
code_length(Code, 2) :- Code < 0x800, !.
code_length(Code, 3) :- Code < 0x10000, !.
code_length(_, 4).
