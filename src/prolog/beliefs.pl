:- module(zpm_beliefs,
          [ assume/7,            % +Module, +Fact, +Bindings, +Name, +Id, -Operations, -Text
            retract_support/5    % +Module, +Text, +Name, -Operation, -Gone
          ]).
:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(library(ordsets)).
:- use_module(memories).
:- use_module(supports).
:- use_module(changes).
:- use_module(plans).
:- use_module(facts).
:- use_module(texts).
:- use_module(reading).
:- use_module(heads).
:- use_module(guards).
:- use_module(queries).
:- use_module(environments).
:- use_module(pages).
:- use_module(warnings).

/** <module> Facts that hold as long as an assumption does (SPEC 1.4, truth maintenance)

What a fact stands on is kept by supports.pl; here are the plans and the questions of the tools.
*/

:- multifile zpm_plans:planned/6, zpm:operation/3.

zpm_plans:planned(assume, Request, Module, Seq, Operations, [fact-Text, assumption-Request.assumption]) :-
    read_fact(Request.fact, fact, Module, Fact0, Bindings),
    unqualified(Fact0, Module, Fact, fact),
    check_head(Fact, Module),
    atom_string(Name, Request.assumption),
    warn_variables(Fact, Bindings, Module),
    assume(Module, Fact, Bindings, Name, Seq-0, Operations, Text).
zpm_plans:planned(retract_assumption, Request, Module, _, Operations, Pairs) :-
    atom_string(Name, Request.assumption),
    (   assumption(Module, Name)
    ->  retracted(Module, [Name], Operations, Pairs)
    ;   throw(error(zpm(unknown_assumption, [name-Request.assumption]), _))
    ).
zpm_plans:planned(retract_assumptions, Request, Module, _, Operations, [pattern-Request.pattern|Pairs]) :-
    findall(Name,
            ( assumption(Module, Name), wildcard_match(Request.pattern, Name) ),
            Names),
    retracted(Module, Names, Operations, Pairs).

zpm:operation(justification, Request, Pairs) :-
    justification(Request, Pairs).
zpm:operation(assumptions, Request, Pairs) :-
    memory_of(Request, Module),
    findall(Text, ( assumption(Module, Name), name_text(Name, Text) ), Names),
    page(Names, Request, Shown, Page),
    warned([assumptions-Shown|Page], Pairs).
zpm:operation(belief, Request, Pairs) :-
    belief(Request, Pairs).

memory_of(Request, Module) :-
    atom_string(Name, Request.memory),
    memory_module(Name, Module).

warned(Pairs0, Pairs) :-
    warning_pairs(Warned),
    append(Pairs0, Warned, Pairs).

name_text(Name, Text) :-
    atom_string(Name, Text).

%!  assume(+Module, +Fact, +Bindings, +Name, +Id, -Operations, -Text) is det.
%
%   A step of a plan: the fact stands on the assumption Name, too. Id is Seq-Index, as of an addition; there is no
%   operation when it does already.

assume(Module, Fact, Bindings, Name, Id, Operations, Shown) :-
    canonical_text(Fact, Text),
    atom_string(Key, Text),
    variable_names(Fact, Bindings, Names),
    shown_fact(Module, Text, Names, Shown),
    (   supported(Module, Key, Name, _)
    ->  Operations = [],
        format(string(Warning), "The fact was already assumed under '~w': nothing was changed", [Name]),
        warn(Warning)
    ;   catch(support(Module, Text, Name, Names, Id, Id), Error, zpm_changes:refused(Error, Fact)),
        name_text(Name, NameText),
        ( Names == [] -> Given = [] ; Given = [Names] ),
        Operations = [["a", Text, NameText|Given]],
        (   assumed_clause(Module, Text, _)
        ->  true
        ;   warn("The fact also stands by itself: it has no second clause, and stays when the assumption is retracted")
        )
    ).

shown_fact(Module, Text, Names, Shown) :-
    canonical_term(Text, Fact),
    display(Fact, Module, Names, Shown).

%   retracted(+Module, +Names, -Operations, -Pairs)

retracted(Module, Names, Operations, Pairs) :-
    findall(Use-(Name-Text),
            ( member(Name, Names), supported(Module, Text, Name, support(_, Use, _)) ),
            Rows0),
    sort(Rows0, Rows),
    foldl(withdrawn(Module), Rows, Operations-Removed, []-[]),
    length(Removed, Count),
    maplist(name_text, Names, Texts),
    shown_clauses(Removed, removed, Shown),
    append([assumptions-Texts, count-Count], Shown, Pairs).

withdrawn(Module, _-(Name-Text), [Operation|Operations]-Removed0, Operations-Removed) :-
    retract_support(Module, Text, Name, Operation, Gone),
    ( Gone = gone(Shown) -> Removed0 = [Shown|Removed] ; Removed0 = Removed ).

%!  retract_support(+Module, +Text, +Name, -Operation, -Gone) is det.
%
%   A step of a plan: the fact stands on the assumption no longer. Gone is gone(Shown) when its clause went with
%   it, else `none`.

retract_support(Module, Text, Name, Operation, Gone) :-
    (   assumed_clause(Module, Text, Ref),
        assumed(Module, Ref, [Name])
    ->  clause_display(Module, Ref, Shown),
        Gone = gone(Shown)
    ;   Gone = none
    ),
    withdraw(Module, Text, Name, Operation).

%   justification(+Request, -Pairs): the facts that stand on an assumption, as they were assumed.

justification(Request, Pairs) :-
    memory_of(Request, Module),
    atom_string(Name, Request.assumption),
    (   assumption(Module, Name)
    ->  true
    ;   format(string(Warning), "Unknown assumption '~w': no fact stands on it", [Name]),
        warn(Warning)
    ),
    findall(Use-(Text-Names), supported(Module, Text, Name, support(Names, Use, _)), Rows0),
    sort(Rows0, Rows),
    maplist(shown_row(Module), Rows, Facts),
    page(Facts, Request, Shown, Page),
    warned([facts-Shown|Page], Pairs).

shown_row(Module, _-(Text-Names), Shown) :-
    shown_fact(Module, Text, Names, Shown).

%   belief(+Request, -Pairs): whether a goal holds, and on what it rests. A stored fact's own assumptions come
%   first, in order of first use; then those that other proofs rest on.

belief(Request, Pairs) :-
    memory_of(Request, Asked),
    read_goal(Request.fact, Asked, Goal0, _),
    check_goal(Goal0, Asked),
    addressed(Goal0, Asked, Goal, Module),
    stored_supports(Module, Goal, Own, Origin),
    source(Origin, Module, Request, Source),
    begin_search(Module, Request, Search),
    enter_goal_mode,
    (   believed(Search, Module:Goal, Belief) -> Status = in(Belief) ; Status = out ),
    unknown_pairs(Asked, _),
    belief_pairs(Status, Own, Source, Pairs0),
    warned(Pairs0, Pairs).

belief_pairs(out, _, Source,
             [ status-"out", justifications-[], environments-[], falls_with-[], depends_on_absence-false,
               source-Source ]).
belief_pairs(in(Belief), Own, Source, Pairs) :-
    environments(Belief, Environments0, Absence),
    falls_with(Belief, Falls0),
    ord_union(Environments0, Names),
    exclude(among(Own), Names, Others),
    append(Own, Others, Justifications0),
    maplist(name_text, Justifications0, Justifications),
    maplist(maplist(name_text), Environments0, Environments),
    maplist(name_text, Falls0, Falls),
    append([ [ status-"in", justifications-Justifications, environments-Environments, falls_with-Falls ],
             Absence,
             [ source-Source ]
           ], Pairs).

among(Names, Name) :-
    memberchk(Name, Names).

%   stored_supports(+Module, +Goal, -Names, -Origin): of the fact as it is stored, `none` when it is not. What
%   stands on assumptions only comes from the first of these.

stored_supports(Module, Goal, Names, Origin) :-
    (   catch(canonical_text(Goal, String), _, fail)
    ->  atom_string(Text, String),
        findall(Use-Name, supported(Module, Text, Name, support(_, Use, _)), Rows0),
        sort(Rows0, Rows),
        findall(Name, member(_-Name, Rows), Names),
        origin(Module, Goal, Rows, Origin)
    ;   Names = [], Origin = none
    ).

origin(Module, Goal, Rows, Origin) :-
    (   functor(Goal, Name, Arity),
        known(Module, Name, Arity),
        variant_clause(Module, Goal, Ref),
        \+ assumed(Module, Ref, _)
    ->  clause_origin(Ref, Origin)
    ;   Rows = [(Seq-Index)-_|_]
    ->  Origin = journal(Seq, Index)
    ;   Origin = none
    ).

%   source(+Origin, +Module, +Request, -Source): what was there at the last restore is what the restore brought.
%   Request says which commits this process made.

source(none, _, _, "unknown").
source(file(_, _), _, _, "file").
source(journal(Seq, _), Module, Request, Source) :-
    (   restored(Module, Restored, _), Seq =< Restored
    ->  Source = "snapshot"
    ;   member([From, To], Request.own), From =< Seq, Seq =< To
    ->  Source = "interactive"
    ;   Source = "journal"
    ).
