:- module(zpm_references,
          [ rewritten/6,         % +Clause, +Module, +Target, -Rewritten, -HeadChanged, -References
            referring_rule/5,    % +Module, +Target, -Ref, -Rewritten, -References
            mentions/3,          % +Term, +Name, +Arity
            read_functor/4,      % +Text, +Module, +What, -Name
            warn_data/2          % +Memories, +Target
          ]).
:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(memories).
:- use_module(changes).
:- use_module(texts).
:- use_module(reading).
:- use_module(warnings).

/** <module> Where a predicate is meant: heads, and goals in the bodies of rules (SPEC 1.4)

One walk over a clause finds the references to a predicate and puts another name in their place. It follows
control constructs, the meta-arguments of the libraries with the arguments that are added when they are called,
lambdas, bodies of grammar rules, and the clauses that a rule of a file writes. Everything else is data: there the
name means what its author wanted it to mean, so it is told and never changed.

A target is target(Module, Name, Arity, New): Module is that of the memory or `any`, Arity a number or `any`, New the
name that takes its place, or Name itself. References are written by the memory that they name: `here`, or NAME as in
`NAME:goal`.
*/

%!  rewritten(+Clause, +Module, +Target, -Rewritten, -HeadChanged, -References) is det.
%
%   Module is that of the clause. HeadChanged is `true` when the head is of the target. References is a list of
%   ref(Module, Qualifier, Arity), in order.

rewritten(Clause0, Module, Target, Clause, HeadChanged, References) :-
    clause_shape(Clause0, Head0, Bodies0, Clause, Head, Bodies),
    (   goal_is(Head0, 0, Module, Target)
    ->  renamed(Head0, Target, Head), HeadChanged = true
    ;   Head = Head0, HeadChanged = false
    ),
    phrase(goals(Bodies0, Module, Target, Bodies), References).

clause_shape((H0 :- B0), H0, [B0], (H :- B), H, [B]) :- !.
clause_shape(((H0, G0) => B0), H0, [G0, B0], ((H, G) => B), H, [G, B]) :- !.
clause_shape((H0 => B0), H0, [B0], (H => B), H, [B]) :- !.
clause_shape(H0, H0, [], H, H, []).

goals([], _, _, []) --> [].
goals([G0|Gs0], Module, Target, [G|Gs]) -->
    goal(G0, 0, here, Module, Target, G),
    goals(Gs0, Module, Target, Gs).

%   goal(+Goal0, +Extra, +Qualifier, +Module, +Target, -Goal)//: Extra arguments are added when it is called.

goal(Goal0, _, _, _, _, Goal) --> { \+ callable(Goal0) }, !, { Goal = Goal0 }.
goal(Name:Goal0, Extra, _, _, Target, Name:Goal) -->
    { atom(Name), memory(Name), memory_module(Name, Module) },
    !,
    goal(Goal0, Extra, Name, Module, Target, Goal).
goal(Name:Goal, _, _, _, _, Name:Goal) --> !.
goal(Goal0, Extra, Qualifier, Module, Target, Goal) -->
    { lambda(Goal0, Extra, Inner0, Inner, InnerExtra, Goal) },
    !,
    goal(Inner0, InnerExtra, Qualifier, Module, Target, Inner).
goal(Goal0, Extra, Qualifier, Module, Target, Goal) -->
    (   { goal_is(Goal0, Extra, Module, Target) }
    ->  { renamed(Goal0, Target, Goal1) },
        { functor(Goal0, _, Arity0), Arity is Arity0 + Extra },
        [ref(Module, Qualifier, Arity)]
    ;   { Goal1 = Goal0 }
    ),
    (   { compound(Goal1), argument_kinds(Goal1, Extra, Module, Kinds) }
    ->  { compound_name_arguments(Goal1, Name, Arguments0) },
        arguments(Kinds, Arguments0, Qualifier, Module, Target, Arguments),
        { compound_name_arguments(Goal, Name, Arguments) }
    ;   { Goal = Goal1 }
    ).

goal_is(Goal, Extra, Module, target(Wanted, Name, Arity, _)) :-
    callable(Goal),
    functor(Goal, Name, Arity0),
    ( Wanted == any -> true ; Wanted == Module ),
    ( Arity == any -> true ; Arity =:= Arity0 + Extra ).

renamed(Goal0, target(_, _, _, New), Goal) :-
    (   atom(Goal0)
    ->  Goal = New
    ;   compound_name_arguments(Goal0, _, Arguments),
        compound_name_arguments(Goal, New, Arguments)
    ).

%   lambda(+Goal0, +Extra, -Inner0, -Inner, -InnerExtra, -Goal): Params>>Body, Free/Lambda, \X^Body and X^Body, which take
%   some of the arguments for themselves.

lambda(Params>>Inner0, Extra, Inner0, Inner, InnerExtra, Params>>Inner) :-
    ( nonvar(Params), Params = _/List -> true ; List = Params ),
    (   is_list(List)
    ->  length(List, Count),
        InnerExtra is max(0, Extra - Count)
    ;   InnerExtra = Extra
    ).
lambda(Free/Inner0, Extra, Inner0, Inner, Extra, Free/Inner) :-
    Extra > 0,
    nonvar(Inner0),
    ( Inner0 = (_ >> _) ; Inner0 = \_ ),
    !.
lambda(\Inner0, Extra, Inner0, Inner, Extra, \Inner) :-
    Extra > 0.
lambda(X^Inner0, Extra, Inner0, Inner, InnerExtra, X^Inner) :-
    InnerExtra is max(0, Extra - 1).

%   arguments(+Kinds, +Arguments0, ...)//: a kind is goal(Extra), carets, body (of a grammar rule), clause, head, or data.

arguments([], [], _, _, _, []) --> [].
arguments([Kind|Kinds], [A0|As0], Qualifier, Module, Target, [A|As]) -->
    argument(Kind, A0, Qualifier, Module, Target, A),
    arguments(Kinds, As0, Qualifier, Module, Target, As).

argument(data, A, _, _, _, A) --> [].
argument(goal(Extra), A0, Qualifier, Module, Target, A) -->
    goal(A0, Extra, Qualifier, Module, Target, A).
argument(carets, A0, Qualifier, Module, Target, A) -->
    goal(A0, 0, Qualifier, Module, Target, A).
argument(body, A0, Qualifier, Module, Target, A) -->
    grammar(A0, Qualifier, Module, Target, A).
argument(clause, A0, Qualifier, Module, Target, A) -->
    written(A0, Qualifier, Module, Target, A).

%   A clause that a rule writes or takes away.

written(A, _, _, _, A) --> { var(A) }, !.
written(Name:A0, _, _, Target, Name:A) -->
    { atom(Name), memory(Name), memory_module(Name, Module) },
    !,
    written(A0, Name, Module, Target, A).
written((Head0 :- Body0), Qualifier, Module, Target, (Head :- Body)) -->
    !,
    head(Head0, Qualifier, Module, Target, Head),
    goal(Body0, 0, Qualifier, Module, Target, Body).
written(Head0, Qualifier, Module, Target, Head) -->
    head(Head0, Qualifier, Module, Target, Head).

head(Head0, Qualifier, Module, Target, Head) -->
    (   { goal_is(Head0, 0, Module, Target) }
    ->  { renamed(Head0, Target, Head) },
        { functor(Head0, _, Arity) },
        [ref(Module, Qualifier, Arity)]
    ;   { Head = Head0 }
    ).

%   The body of a grammar rule, as phrase/2 takes it: two arguments are added to each nonterminal.

grammar(A, _, _, _, A) --> { \+ callable(A) ; A == [] ; A = [_|_] ; A == ! }, !.
grammar(A0, Qualifier, Module, Target, A) -->
    { control(A0, Parts0, Parts, A) },
    !,
    grammars(Parts0, Qualifier, Module, Target, Parts).
grammar({Goal0}, Qualifier, Module, Target, {Goal}) -->
    !,
    goal(Goal0, 0, Qualifier, Module, Target, Goal).
grammar(A0, Qualifier, Module, Target, A) -->
    goal(A0, 2, Qualifier, Module, Target, A).

grammars([], _, _, _, []) --> [].
grammars([A0|As0], Qualifier, Module, Target, [A|As]) -->
    grammar(A0, Qualifier, Module, Target, A),
    grammars(As0, Qualifier, Module, Target, As).

control((A0, B0), [A0, B0], [A, B], (A, B)).
control((A0 ; B0), [A0, B0], [A, B], (A ; B)).
control('|'(A0, B0), [A0, B0], [A, B], '|'(A, B)).
control((A0 -> B0), [A0, B0], [A, B], (A -> B)).
control(\+ A0, [A0], [A], \+ A).

%   argument_kinds(+Goal, +Extra, +Module, -Kinds) is semidet. What is not a goal's meta-argument is data; the memory's own
%   predicate of that name takes data only.

argument_kinds(Goal, Extra, Module, Kinds) :-
    compound_name_arity(Goal, Name, Arity0),
    Arity is Arity0 + Extra,
    \+ known(Module, Name, Arity),
    (   written_kinds(Name, Arity, Kinds0)
    ->  true
    ;   Name == call
    ->  More is Arity - 1,
        Kinds0 = [goal(More)|_]
    ;   functor(General, Name, Arity),
        predicate_property(zpm_libraries:General, meta_predicate(Modes)),
        compound_name_arguments(Modes, _, List),
        maplist(mode_kind, List, Kinds0)
    ),
    length(Kinds, Arity0),
    (   append(Kinds, _, Kinds0) -> maplist(data_where_open, Kinds) ; fail ).

data_where_open(Kind) :-
    ( var(Kind) -> Kind = data ; true ).

mode_kind(Mode, Kind) :-
    (   integer(Mode) -> Kind = goal(Mode)
    ;   Mode == (^) -> Kind = carets
    ;   Mode == (//) -> Kind = body
    ;   Kind = data
    ).

written_kinds(Name, 1, [clause]) :-
    memberchk(Name, [assert, asserta, assertz, retract, retractall]).
written_kinds(Name, 2, [clause, data]) :-
    memberchk(Name, [assert, asserta, assertz]).
written_kinds(clause, 2, [clause, goal(0)]).
written_kinds(clause, 3, [clause, goal(0), data]).

%!  referring_rule(+Module, +Target, -Ref, -Rewritten, -References) is nondet.
%
%   The rules of a memory whose bodies refer to the target, in order.

referring_rule(Module, Target, Ref, Rewritten, References) :-
    known(Module, Name, Arity),
    functor(Head, Name, Arity),
    predicate_property(Module:Head, number_of_rules(Rules)),
    Rules > 0,
    stored_clause(Module:Head, Clause, Ref),
    has_body(Clause),
    %   Looking is much cheaper than following what the body calls.
    ( Target = target(_, Wanted, _, _), atom(Wanted) -> mentions(Clause, Wanted, any) ; true ),
    rewritten(Clause, Module, Target, Rewritten, _, References),
    References \== [].

has_body((_ :- _)).
has_body((_ => _)).

%!  mentions(+Term, +Name, +Arity) is semidet.
%
%   The name stands in Term, as an atom or as the functor of a term with as many arguments, `any` number perhaps.

mentions(Term, Name, _), atom(Term) => Term == Name.
mentions(Term, Name, Arity), compound(Term) =>
    (   compound_name_arity(Term, Name, Arity0),
        ( Arity == any -> true ; Arity == Arity0 )
    ->  true
    ;   compound_name_arity(Term, _, Count),
        between(1, Count, N),
        arg(N, Term, Argument),
        mentions(Argument, Name, Arity)
    ->  true
    ;   fail
    ).
mentions(_, _, _) => fail.

%!  warn_data(+Memories, +Target) is det.
%
%   Tells of the clauses in which the name is data.

warn_data(Memories, Target) :-
    findall(Module-Ref, data_clause(Memories, Target, Module, Ref), Found),
    length(Found, Count),
    (   Count =:= 0
    ->  true
    ;   Target = target(_, Name, _, _),
        Few is min(Count, 3),
        length(Shown, Few),
        append(Shown, Others, Found),
        maplist(shown_clause, Shown, Texts),
        atomic_list_concat(Texts, ', ', List),
        ( Others == [] -> More = "" ; More = ", ..." ),
        ( Count =:= 1 -> Where = "1 clause" ; format(string(Where), "~d clauses", [Count]) ),
        format(string(Warning), "~q also stands as data in ~s, which is no reference and is not renamed: ~w~s",
               [Name, Where, List, More]),
        warn(Warning)
    ).

shown_clause(Module-Ref, Text) :-
    clause_display(Module, Ref, Text).

%   What is left of the name when all that is a predicate of that name is called otherwise.

data_clause(Memories, target(_, Wanted, WantedArity, _), Module, Ref) :-
    member(Memory, Memories),
    memory_module(Memory, Module),
    known(Module, Name, Arity),
    functor(Head, Name, Arity),
    stored_clause(Module:Head, Clause, Ref),
    mentions(Clause, Wanted, WantedArity),
    rewritten(Clause, Module, target(any, Wanted, any, '$zpm reference'), Rewritten, _, _),
    mentions(Rewritten, Wanted, WantedArity).

%!  read_functor(+Text, +Module, +What, -Name) is det.
%
%   Any text that reads as one atom is a functor.

read_functor(Text, Module, What, Name) :-
    (   catch(read_one(Text, What, Module, Name, _), error(zpm(_, _), _), fail),
        atom(Name)
    ->  true
    ;   format(string(Bracketed), "(~s)", [Text]),
        catch(read_one(Bracketed, What, Module, Name, _), error(zpm(_, _), _), fail),
        atom(Name)
    ->  true
    ;   catch(read_one(Text, What, Module, Indicator, _), error(zpm(_, _), _), fail),
        nonvar(Indicator),
        Indicator = _/_
    ->  format(string(Why), "\"~w\" is the name alone: give the arity as an argument of its own", [What]),
        throw(error(zpm(input, [why-Why]), _))
    ;   format(string(Why), "\"~w\" must be one Prolog atom, such as task_status or 'Task status'", [What]),
        throw(error(zpm(input, [why-Why]), _))
    ).
