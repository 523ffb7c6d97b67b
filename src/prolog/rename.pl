:- module(zpm_rename, []).
:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(library(pairs)).
:- use_module(memories).
:- use_module(commits).
:- use_module(supports).
:- use_module(references).
:- use_module(facts).
:- use_module(changes).
:- use_module(texts).
:- use_module(heads).
:- use_module(warnings).
:- use_module(wire).

/** <module> Another name for a predicate, in every place that means it (SPEC 1.4)

Clauses cannot be changed, only removed and added at the end. So from the first clause that holds the name on, every
clause of its predicate is removed and added again in the same commit, and the order stays (ENGINE-NOTES 1.8). The
clauses of a file are hidden by that, and what takes their place is the memory's own.

Each memory is a commit of its own: the rules of other memories that say `NAME:old` are changed by a second plan, which
the supervisor is told to ask for. Where that was cut short, the same call again finishes it: a name that only rules of
other memories still call can be renamed, also to one that exists.
*/

:- multifile zpm_plans:planned/6.

zpm_plans:planned(rename, Request, Module, Seq, Operations, Pairs) :-
    memory_module(Memory, Module),
    read_functor(Request.old_functor, Module, old_functor, Old),
    read_functor(Request.new_functor, Module, new_functor, New),
    ( get_dict(arity, Request, Given) -> true ; Given = any ),
    require_writable(Memory),
    require_other_name(Old, New),
    refuse_operator(Old, Given),
    arity_of(Given, Old, Module, Memory, Request.propagate, Arity, Used),
    refuse_kept_name(Old, Arity),
    require_new_name(Used, New, Arity, Module, Memory),
    Target = target(Module, Old, Arity, New),
    warn_called_already(Used, New, Arity, Module),
    elsewhere(Memory, Target, Request.propagate, Impact, Requests),
    tails(Module, Target, Tails),
    counts(Tails, Module, Facts, Bodies, Heads),
    warn_files(Tails),
    warn_data([Memory], Target),
    json_list(( replaced_tails(Tails, Module, Seq), tables(Module, Target, Seq) ), Operations),
    Pairs = [ renamed_facts-Facts, rewritten_rule_bodies-Bodies, affected_rule_ids-Heads,
              cross_memory_impact-Impact, is_error-false, elsewhere-Requests
            ].

%   The same in another memory, whose rules name the renamed predicate as `NAME:old`.

zpm_plans:planned(rename_elsewhere, Request, Module, Seq, Operations, [rules_updated-Count]) :-
    atom_string(Memory, Request.target),
    memory_module(Memory, TargetModule),
    canonical_term(Request.old, Old),
    canonical_term(Request.new, New),
    tails(Module, target(TargetModule, Old, Request.arity, New), Tails),
    counts(Tails, Module, _, Count, _),
    warn_files(Tails),
    json_list(replaced_tails(Tails, Module, Seq), Operations).

%   What is refused, in the words of the reference (src/base/rename_errors.ts).

refuse(Kind, Pairs) :-
    throw(error(zpm(Kind, Pairs), _)).

require_writable(Memory) :-
    (   memory_mode(Memory, ro)
    ->  atom_string(Memory, Text),
        refuse(rename_read_only, [memory-Text])
    ;   true
    ).

require_other_name(Old, New) :-
    ( Old == New -> refuse(rename_same, []) ; true ).

%   What the verbs keep is found under its name only.

refuse_kept_name(Old, Arity) :-
    functor(Head, Old, Arity),
    ( kept(Head) -> refuse_head(Head) ; true ).

refuse_operator(Old, Given) :-
    (   iso_operator(Old, Arity),
        ( Given == any -> true ; Given == Arity )
    ->  indicator_text(Old/Arity, Text),
        refuse(rename_operator, [predicate-Text])
    ;   true
    ).

iso_operator(Name, 2) :-
    memberchk(Name, [ (:-), (-->), (;), (->), (','), '|', =, \=, ==, \==, @<, @=<, @>, @>=, (=..), is, =:=, =\=, <,
                      =<, >, >=, :, +, -, /\, \/, *, /, //, rem, mod, div, <<, >>, **, ^ ]).
iso_operator(Name, 1) :-
    memberchk(Name, [ (:-), (?-), (\+), -, +, \ ]).

%   arity_of(+Given, +Old, +Module, +Memory, +Propagate, -Arity, -Used): of the clauses that there are or, where there are
%   none, of the goals that call it. Used is `elsewhere` when only rules of other memories do.

arity_of(Given, Old, Module, Memory, Propagate, Arity, Used) :-
    arities(stored_arity(Module, Old), Given, Stored),
    arities(called_arity(Module, Old), Given, Called),
    (   integer(Given), ( Stored \== [] ; Called \== [] )
    ->  Arities = [Given], Used = here
    ;   Stored \== []
    ->  Arities = Stored, Used = here
    ;   Called \== []
    ->  Arities = Called, Used = here
    ;   arities(called_elsewhere(Memory, Old, _), Given, Arities),
        Used = elsewhere
    ),
    (   Arities == []
    ->  unknown(Old, Given, Memory, [])
    ;   Used == elsewhere, Propagate == false
    ->  findall(Name,
                ( member(A, Arities), called_elsewhere(Memory, Old, Other, A), atom_string(Other, Name) ),
                Names0),
        sort(Names0, Names),
        unknown(Old, Given, Memory, [callers-Names])
    ;   only_arity(Arities, Old, Arity)
    ).

:- meta_predicate arities(1, +, -).

arities(Goal, Given, Arities) :-
    findall(Arity, ( call(Goal, Arity), ( Given == any -> true ; Arity == Given ) ), Arities0),
    sort(Arities0, Arities).

only_arity([Arity], _, Arity) :- !.
only_arity(Arities, Old, _) :-
    format(string(Text), "~q", [Old]),
    refuse(rename_ambiguous, [functor-Text, arities-Arities]).

unknown(Old, Given, Memory, Pairs) :-
    (   Given == any -> format(string(Text), "~q", [Old]) ; indicator_text(Old/Given, Text) ),
    atom_string(Memory, MemoryText),
    refuse(rename_unknown, [predicate-Text, memory-MemoryText|Pairs]).

stored_arity(Module, Name, Arity) :-
    known(Module, Name, Arity),
    has_clauses(Module, Name, Arity).

has_clauses(Module, Name, Arity) :-
    known(Module, Name, Arity),
    functor(Head, Name, Arity),
    predicate_property(Module:Head, number_of_clauses(Count)),
    Count > 0.

called_arity(Module, Name, Arity) :-
    referring_rule(Module, target(Module, Name, any, Name), _, _, References),
    member(ref(_, _, Arity), References).

%   called_elsewhere(+Memory, +Name, -Other, ?Arity) is nondet: by a rule of a memory that can be written to.

called_elsewhere(Memory, Name, Other, Arity) :-
    memory_module(Memory, Module),
    memory(Other),
    Other \== Memory,
    memory_mode(Other, rw),
    memory_module(Other, OtherModule),
    referring_rule(OtherModule, target(Module, Name, any, Name), _, _, References),
    member(ref(_, _, Arity), References).

require_new_name(Used, New, Arity, Module, Memory) :-
    functor(Head, New, Arity),
    (   catch(refuse_head(Head), error(zpm(input, [why-Why]), _), true),
        nonvar(Why)
    ->  indicator_text(New/Arity, Text),
        refuse(rename_built_in, [predicate-Text, why-Why])
    ;   Used == here, has_clauses(Module, New, Arity)
    ->  indicator_text(New/Arity, Text),
        atom_string(Memory, MemoryText),
        refuse(rename_exists, [predicate-Text, memory-MemoryText])
    ;   check_head(Head, Module)
    ).

warn_called_already(Used, New, Arity, Module) :-
    (   Used == here,
        referring_rule(Module, target(Module, New, Arity, New), Ref, _, _)
    ->  indicator_text(New/Arity, Text),
        clause_display(Module, Ref, Rule),
        format(string(Warning), "~s is called already, where it had no clauses: ~s", [Text, Rule]),
        warn(Warning)
    ;   true
    ).

%   tails(+Module, +Target, -Tails): for each predicate that changes, its clauses from the first that changes on, as
%   item(Ref, Clause, Bindings, Changed) with Changed = changed(HeadChanged, References).

tails(Module, Target, Tails) :-
    findall(Name/Arity, may_change(Module, Target, Name, Arity), Indicators),
    convlist(tail(Module, Target), Indicators, Tails).

may_change(Module, target(Wanted, Old, OldArity, _), Name, Arity) :-
    known(Module, Name, Arity),
    (   Wanted == Module, Name == Old, Arity == OldArity
    ->  true
    ;   functor(Head, Name, Arity),
        predicate_property(Module:Head, number_of_rules(Rules)),
        Rules > 0
    ).

tail(Module, Target, Name/Arity, Tail) :-
    functor(Head, Name, Arity),
    findall(item(Ref, Clause, Bindings, Changed),
            ( stored_clause(Module:Head, Clause0, Ref),
              named(Clause0, Ref, Bindings),
              rewritten(Clause0, Module, Target, Clause, HeadChanged, References),
              Changed = changed(HeadChanged, References)
            ),
            Items),
    from_first_change(Items, Tail).

named(Clause, Ref, Bindings) :-
    clause_names(Ref, Texts),
    term_variables(Clause, Variables),
    bound_names(Variables, Texts, Bindings).

from_first_change([Item|Items], Tail) :-
    (   changed(Item) -> Tail = [Item|Items] ; from_first_change(Items, Tail) ).

changed(item(_, _, _, Changed)) :-
    Changed \== changed(false, []).

%   counts(+Tails, +Module, -Facts, -Bodies, -Heads): Heads are texts, each once.

counts(Tails, Module, Facts, Bodies, Heads) :-
    append(Tails, Items),
    include(renamed_fact, Items, FactItems),
    length(FactItems, Facts),
    include(rewritten_body, Items, BodyItems),
    length(BodyItems, Bodies),
    convlist(rule_head(Module), Items, Heads0),
    list_to_set(Heads0, Heads1),
    fitting_texts(Heads1, Heads, Rest),
    (   Rest == []
    ->  true
    ;   length(Rest, More),
        format(string(Warning), "affected_rule_ids leaves out ~d more", [More]),
        warn(Warning)
    ).

renamed_fact(item(_, Clause, _, changed(true, _))) :- \+ is_rule(Clause).

rewritten_body(item(_, _, _, changed(_, [_|_]))).

is_rule((_ :- _)).
is_rule((_ => _)).

rule_head(Module, item(_, Clause, Bindings, Changed), Text) :-
    Changed \== changed(false, []),
    is_rule(Clause),
    author_names(Clause, Bindings, Names),
    clause_head(Clause, Head),
    term_text(Head, Module, Names, Text).

%   The next edit of a file brings an old name back (ENGINE-NOTES 3, R12); a clause that had to be taken over is not
%   followed any more.

warn_files(Tails) :-
    append(Tails, Items),
    findall(File-Kind,
            ( member(Item, Items),
              Item = item(Ref, _, _, _),
              clause_origin(Ref, file(File, _)),
              ( changed(Item) -> Kind = holding ; Kind = taken )
            ),
            Pairs0),
    keysort(Pairs0, Pairs),
    group_pairs_by_key(Pairs, Groups),
    forall(( member(Kind, [holding, taken]), member(File-Kinds, Groups) ), warn_file(Kind, File, Kinds)).

warn_file(Kind, File, Kinds) :-
    include(==(Kind), Kinds, Same),
    length(Same, Count),
    (   Count =:= 0
    ->  true
    ;   ( Count =:= 1 -> Clauses = "1 clause lives" ; format(string(Clauses), "~d clauses live", [Count]) ),
        file_warning(Kind, Clauses, File, Warning),
        warn(Warning)
    ).

file_warning(holding, Clauses, File, Warning) :-
    format(string(Warning), "~s in ~w: rename there too, or the next edit brings the old name back", [Clauses, File]).
file_warning(taken, Clauses, File, Warning) :-
    format(string(Warning),
           "~s in ~w behind one that changed, and was taken over to keep the order: an edit there comes beside it",
           [Clauses, File]).

%   replaced_tails(+Tails, +Module, +Seq): writes each operation as JSON at once, since a predicate may be long.

replaced_tails(Tails, Module, Seq) :-
    foldl(replaced_tail(Module, Seq), Tails, 0, _).

replaced_tail(Module, Seq, Items, Index0, Index) :-
    maplist(taken(Module), Items, Pieces),
    foldl(given(Module, Seq), Pieces, Index0, Index).

%   taken(+Module, +Item, -Piece): Piece is piece(Clause, Bindings, Standing, Supports), where Standing is `assumed` for a
%   clause that stands on assumptions only, and Supports are those that went with it.

taken(Module, item(Ref, Clause, Bindings, _), piece(Clause, Bindings, Standing, Supports)) :-
    ( assumed(Module, Ref, _) -> Standing = assumed ; Standing = plain ),
    remove(Module, Ref, Removals, _),
    maplist(write_element, Removals),
    include(is_withdrawal, Removals, Supports).

is_withdrawal(["~a"|_]).

given(Module, Seq, piece(Clause, Bindings, Standing, Supports), Index0, Index) :-
    (   Standing == plain
    ->  add(Module, Clause, Bindings, Seq, Index0, Addition, _),
        write_element(Addition),
        Index1 is Index0 + 1
    ;   Index1 = Index0
    ),
    (   Supports == []
    ->  Index = Index1
    ;   canonical_text(Clause, Text),
        foldl(carried(Module, Text, Seq-Index1), Supports, Index1, Index)
    ).

%   A support keeps its first use, so that the assumptions keep their order; its place is the new clause's.

carried(Module, Text, Seq-Place, ["~a", _, Name, Names, [UseSeq, UseIndex]|_], Index0, Index) :-
    support(Module, Text, Name, Names, UseSeq-UseIndex, Seq-Place),
    write_element(["a", Text, Name, Names, [UseSeq, UseIndex], [Seq, Place]]),
    Index is Index0 + 1.

%   tables(+Module, +Target, +Seq): a table goes with its predicate. In a preview, whose number is 0, nothing is
%   done: tables are no part of what is taken back.

tables(Module, target(_, Old, Arity, New), Seq) :-
    functor(Head, Old, Arity),
    (   zpm_memories:plain_table(Module:Old/Arity)
    ->  indicator_text(Old/Arity, Text),
        format(string(Warning), "~s is a table with modes, declared in a file: declare it there for the new name", [Text]),
        warn(Warning)
    ;   predicate_property(Module:Head, tabled)
    ->  canonical_text(Old/Arity, OldText),
        canonical_text(New/Arity, NewText),
        Operations = [["t", NewText], ["~t", OldText]],
        maplist(write_element, Operations),
        ( Seq =:= 0 -> true ; apply_commit(Module, Seq, Operations) )
    ;   true
    ).

%   elsewhere(+Memory, +Target, +Propagate, -Impact, -Requests): the other memories whose rules name the predicate. What is
%   rewritten there is known when it is done.

elsewhere(Memory, Target, Propagate, Impact, Requests) :-
    findall(used(Other, Mode, References), used_in(Memory, Target, Other, Mode, References), Used),
    convlist(left(Propagate), Used, Warnings),
    convlist(skipped, Used, Skipped),
    Impact = obj([rewritten-[], warnings-Warnings, skipped_readonly-Skipped]),
    convlist(asked(Propagate, Memory, Target), Used, Requests).

used_in(Memory, Target, Other, Mode, Count) :-
    memory(Other),
    Other \== Memory,
    memory_mode(Other, Mode),
    memory_module(Other, Module),
    findall(References, referring_rule(Module, Target, _, _, References), Lists),
    Lists \== [],
    append(Lists, All),
    length(All, Count).

left(false, used(Other, rw, Count),
     obj([memory-Text, refs-Count, reason-"propagate_cross_memory_refs=false"])) :-
    atom_string(Other, Text).

skipped(used(Other, ro, Count), obj([memory-Text, refs-Count, reason-"read-only"])) :-
    atom_string(Other, Text).

asked(true, Memory, target(_, Old, Arity, New), used(Other, rw, _),
      obj([memory-OtherText, request-obj([op-"rename_elsewhere", target-Text, old-OldText, new-NewText, arity-Arity])])) :-
    atom_string(Other, OtherText),
    atom_string(Memory, Text),
    canonical_text(Old, OldText),
    canonical_text(New, NewText).
