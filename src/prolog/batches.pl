:- module(zpm_batches,
          [ is_bad/1,            % +Checked
            bad/3,               % +Place, +Error, -Checked
            refuse/3             % +Bads, +What, +Total
          ]).
:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(memories).
:- use_module(commits).
:- use_module(supports).
:- use_module(changes).
:- use_module(plans).
:- use_module(facts).
:- use_module(texts).
:- use_module(reading).
:- use_module(skipping).
:- use_module(heads).
:- use_module(guards).
:- use_module(faults).
:- use_module(warnings).
:- use_module(wire).

/** <module> Many facts, or a whole text of clauses, in one commit (SPEC 1.7)

All or nothing: what is wrong is collected and told together, each with its place, and then nothing is stored.
*/

:- multifile zpm_plans:planned/6.

zpm_plans:planned(remember_all, Request, Module, Seq, Operations, Pairs) :-
    length(Request.facts, Total),
    foldl(checked_fact(Module), Request.facts, Checked, 0, _),
    include(is_bad, Checked, Bads),
    refuse(Bads, "facts", Total),
    foldl(added_fact(Module, Seq), Checked, Results, 0-0, _-Duplicates),
    findall(Operation, member(Operation-_, Results), Operations),
    findall(Text, member(_-Text, Results), Texts),
    shown_clauses(Texts, facts, Shown),
    append([stored-Total, duplicates-Duplicates], Shown, Pairs).

%   checked_fact(+Module, +Text, -Checked, +Index, -Next): Checked is good(Fact, Names) or bad(Pairs).

checked_fact(Module, Text, Checked, Index, Next) :-
    Next is Index + 1,
    catch(( read_fact(Text, fact, Module, Fact0, Names),
            unqualified(Fact0, Module, Fact, fact),
            check_head(Fact, Module),
            Checked = good(Fact, Names)
          ),
          Error,
          bad([index-Index], Error, Checked)).

%!  is_bad(+Checked) is semidet.

is_bad(bad(_)).

added_fact(Module, Seq, good(Fact, Names), Operation-Text, Index-Duplicates0, Next-Duplicates) :-
    warn_variables(Fact, Names, Module),
    duplicate(Module, Fact, Duplicate),
    ( Duplicate == true -> Duplicates is Duplicates0 + 1 ; Duplicates = Duplicates0 ),
    catch(add(Module, Fact, Names, Seq, Index, Operation, Text), Error, refused_fact(Index, Error)),
    Next is Index + 1.

refused_fact(Index, Error) :-
    bad([index-Index], Error, Bad),
    refuse([Bad], "facts", 1).

%!  bad(+Place, +Error, -Checked) is det.
%
%   Checked is bad(Pairs), which begin with those of Place. What stops the engine is about the whole, not about one
%   of many.

bad(_, error(resource_error(Resource), Context), _) :-
    !,
    throw(error(resource_error(Resource), Context)).
bad(Place, Error, bad(Pairs)) :-
    fault(Error, obj(Pairs0)),
    append(Place, Pairs0, Pairs).

%!  refuse(+Bads, +What, +Total) is det.
%
%   Throws unless there are none.

refuse([], _, _) :- !.
refuse(Bads, What, Total) :-
    length(Bads, Count),
    ( length(Told, 20), append(Told, _, Bads) -> true ; Told = Bads ),
    refuse(Told, Count, What, Total).

refuse(Told, Count, What, Total) :-
    findall(obj(Pairs), member(bad(Pairs), Told), Faults),
    throw(error(zpm(batch, [what-What, total-Total, bad-Count, faults-Faults]), _)).

%   load_text: clause by clause, and each operation is written as JSON at once, so that a long text takes little
%   room on the stacks. From the first clause that is wrong on nothing more is added, and the others are only
%   looked at.

zpm_plans:planned(load_text, Request, Module, Seq, Operations, Pairs) :-
    (   catch(refuse_fences(Request.text), _, fail) -> true
    ;   input_error("Send the clauses alone, without Markdown fences")
    ),
    Nothing = seen{clauses:0, rules:0, duplicates:0, bad:0, told:[], variables:[], tables:[]},
    json_list(load_text(load(Module, Seq, Request.text), Nothing, Seen), Operations),
    ( Operations == raw("[]") -> input_error("There is no clause in the text") ; true ),
    warn_places(Seen.variables),
    warn_twice(Seen.duplicates),
    Facts is Seen.clauses - Seen.rules,
    Pairs = [clauses-Seen.clauses, facts-Facts, rules-Seen.rules, duplicates-Seen.duplicates].

load_text(Load, Nothing, Seen) :-
    Load = load(Module, Seq, Text),
    setup_call_cleanup(
        open_string(Text, Stream),
        ( skip_start(Stream), loaded(Stream, Load, Nothing, Seen) ),
        close(Stream)),
    ( Seen.bad =:= 0 -> true ; refuse_all(Seen) ),
    sort(Seen.tables, Tables),
    convlist(table_operation(Module, Seq), Tables, Tabled),
    maplist(write_element, Tabled).

%   loaded(+Stream, +Load, +Seen0, -Seen): Load is load(Module, Seq, Text), Seen what was seen of the text.

loaded(Stream, Load, Seen0, Seen) :-
    skip_layout(Stream),
    line_count(Stream, Line),
    announce_line(Line),
    next(Stream, Load, Line, Next),
    (   Next == end
    ->  Seen = Seen0
    ;   step(Next, Line, Load, Seen0, Seen1),
        loaded(Stream, Load, Seen1, Seen)
    ).

%   Should reading a clause have ended the engine, then the next one is asked to tell the lines as it goes
%   (src/memory/writes.ts).

announce_line(Line) :-
    (   nb_current(zpm_announce, true) -> format(user_error, "\u0001~d~n", [Line]) ; true ).

next(Stream, load(Module, _, Text), Line, Next) :-
    catch(read_next(Stream, Text, Module, Next), Error, bad([clause_line-Line], Error, Next)).

step(bad(Pairs), _, _, Seen0, Seen) :-
    !,
    noted(bad(Pairs), Seen0, Seen).
step(clause(Term, Names), Line, Load, Seen0, Seen) :-
    catch(taken(Term, Names, Line, Load, Seen0, Seen1), Error, true),
    (   var(Error)
    ->  Seen = Seen1
    ;   bad([clause_line-Line], Error, Bad),
        noted(Bad, Seen0, Seen)
    ).

%   Twenty are told in full; after a hundred it is the text that is wrong.

noted(Bad, Seen0, Seen) :-
    Count is Seen0.bad + 1,
    ( Count =< 20 -> Told = [Bad|Seen0.told] ; Told = Seen0.told ),
    Seen = Seen0.put(_{bad:Count, told:Told}),
    ( Count < 100 -> true ; refuse_all(Seen) ).

refuse_all(Seen) :-
    reverse(Seen.told, Told),
    Total is Seen.clauses + Seen.bad,
    refuse(Told, Seen.bad, "clauses", Total).

%   taken(+Term, +Names, +Line, +Load, +Seen0, -Seen)

taken(Term, _, _, _, _, _), var(Term) =>
    input_error("A variable is not a clause").
taken((:- Directive), _, _, load(Module, _, _), Seen0, Seen) =>
    directed(Directive, Module, Seen0, Seen).
taken((?- _), _, _, _, _, _) =>
    input_error("A question cannot be stored: use query_logic to ask it").
taken((Head --> Body), Names, Line, Load, Seen0, Seen) =>
    grammar_clause((Head --> Body), Clause),
    taken(Clause, Names, Line, Load, Seen0, Seen).
taken(Clause0, Names, Line, load(Module, Seq, _), Seen0, Seen) =>
    parts(Clause0, Module, Clause, Head, Goals),
    ( callable(Head), functor(Head, Name, Arity), known(Module, Name, Arity) -> true ; check_head(Head, Module) ),
    maplist(checked_body(Module), Goals),
    (   Seen0.bad =:= 0
    ->  doubled(Goals, Module, Clause, Duplicates),
        add_quietly(Module, Clause, Names, Seq, Seen0.clauses, Operation),
        write_element(Operation)
    ;   Duplicates = 0
    ),
    counted(Goals, Clause, Line, Duplicates, Seen0, Seen).

%   parts(+Clause0, +Module, -Clause, -Head, -Goals): without the name of the memory; a fact has no goals.

parts(Name:Clause0, Module, Clause, Head, Goals) =>
    unqualified(Name:Clause0, Module, Clause1, clause),
    parts(Clause1, Module, Clause, Head, Goals).
parts((Head0 :- Body), Module, Clause, Head, Goals) =>
    unqualified(Head0, Module, Head, head),
    Clause = (Head :- Body), Goals = [Body].
parts((Head0, Guard => Body), Module, Clause, Head, Goals) =>
    unqualified(Head0, Module, Head, head),
    Clause = ((Head, Guard) => Body), Goals = [Guard, Body].
parts((Head0 => Body), Module, Clause, Head, Goals) =>
    unqualified(Head0, Module, Head, head),
    Clause = (Head => Body), Goals = [Body].
parts(Fact, _, Clause, Head, Goals) =>
    Clause = Fact, Head = Fact, Goals = [].

checked_body(Module, Body) :-
    check_body(Body, Module).

doubled([], Module, Fact, Count) :- variant_fact(Module, Fact), !, Count = 1.
doubled(_, _, _, 0).

variant_fact(Module, Fact) :-
    functor(Fact, Name, Arity),
    known(Module, Name, Arity),
    variant_clause(Module, Fact, Ref),
    \+ assumed(Module, Ref, _).

counted(Goals, Clause, Line, Duplicates, Seen0, Seen) :-
    Clauses is Seen0.clauses + 1,
    ( Goals == [] -> Rules = Seen0.rules ; Rules is Seen0.rules + 1 ),
    Twice is Seen0.duplicates + Duplicates,
    (   Goals == [], \+ ground(Clause), length(Seen0.variables, Length), Length < 20
    ->  Variables = [Line|Seen0.variables]
    ;   Variables = Seen0.variables
    ),
    Seen = Seen0.put(_{clauses:Clauses, rules:Rules, duplicates:Twice, variables:Variables}).

%   directed(+Directive, +Module, +Seen0, -Seen): what a text may say of its predicates.

directed(Directive, _, _, _), var(Directive) =>
    input_error("A directive cannot be a variable").
directed((A, B), Module, Seen0, Seen) =>
    directed(A, Module, Seen0, Seen1),
    directed(B, Module, Seen1, Seen).
directed(dynamic(Spec), Module, Seen0, Seen) =>
    indicators(Spec, Indicators),
    convlist(declaration(Module), Indicators, Operations),
    maplist(write_element, Operations),
    Seen = Seen0.
directed(table(Spec), _, Seen0, Seen) =>
    indicators(Spec, Indicators),
    append(Indicators, Seen0.tables, Tables),
    Seen = Seen0.put(tables, Tables).
directed(discontiguous(_), _, Seen0, Seen) => Seen = Seen0.
directed(multifile(_), _, Seen0, Seen) => Seen = Seen0.
directed(Directive, _, _, _) =>
    (   require_shallow(Directive), callable(Directive)
    ->  functor(Directive, Name, Arity),
        indicator_text(Name/Arity, Text)
    ;   Text = "..."
    ),
    format(string(Why), "The directive ~s is not run here: put it into a kb/*.pl file", [Text]),
    input_error(Why).

indicators(Spec, Indicators) :-
    (   catch(phrase(indicators(Spec), Indicators), not_an_indicator, fail) -> true
    ;   input_error("A predicate is declared as Name/Arity, without modes or options")
    ).

indicators(Spec) --> { var(Spec), throw(not_an_indicator) }.
indicators((A, B)) --> !, indicators(A), indicators(B).
indicators([]) --> !.
indicators([A|B]) --> !, indicators(A), indicators(B).
indicators(Name/Arity) --> { atom(Name), integer(Arity), Arity >= 0 }, !, [Name/Arity].
indicators(Name//Arity0) --> { atom(Name), integer(Arity0), Arity is Arity0 + 2 }, [Name/Arity].

declaration(Module, Name/Arity, ["d", Text]) :-
    \+ known(Module, Name, Arity),
    functor(Head, Name, Arity),
    check_head(Head, Module),
    declare(Module, Head),
    canonical_text(Name/Arity, Text).

%   Last, since a table outlives what is taken back.

table_operation(Module, Seq, Name/Arity, Operation) :-
    functor(Head, Name, Arity),
    \+ predicate_property(Module:Head, tabled),
    ( known(Module, Name, Arity) -> true ; check_head(Head, Module) ),
    canonical_text(Name/Arity, Text),
    Operation = ["t", Text],
    apply_commit(Module, Seq, [Operation]).

warn_places([]) :- !.
warn_places(Lines0) :-
    reverse(Lines0, Lines),
    atomic_list_concat(Lines, ', ', Text),
    format(string(Warning),
           "A fact with a variable matches anything there; quote what was meant as a name: line ~w", [Text]),
    warn(Warning).

warn_twice(0) :- !.
warn_twice(Count) :-
    format(string(Warning), "Facts that were already there have one more clause now: ~d", [Count]),
    warn(Warning).

input_error(Why) :-
    throw(error(zpm(input, [why-Why]), _)).
