:- module(zpm_sentences,
          [ read_sentence/5,     % +Request, +Key, +Module, -Sentence, -Names
            said_sentence/4,     % +Term, +Syntax, +Module, -Sentence
            read_asked/5,        % +Request, +Key, +Module, -Goal, -Names
            read_literal/5,      % +Request, +Key, +Module, -Literal, -Names
            read_context/4,      % +Request, +Key, +Module, -Context
            sentence_text/4,     % +Clause, +Syntax, +Names, -Text
            value_text/4,        % +Term, +Syntax, +Names, -Text
            shown_names/4,       % +Term, +Syntax, +Given, -Names
            stored_names/3,      % +Syntax, +Given, -Stored
            variable_text/3,     % +Syntax, +Name, -Text
            clause_parts/3,      % ?Clause, ?Head, ?Body
            literal/2,           % +Body, -Literal
            not_ground/3         % +Literal, +Syntax, +Names
          ]).
:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(texts).
:- use_module(reading).
:- use_module(heads).
:- use_module(guards).
:- use_module(edn).

/** <module> Sentences: what a client says, as clauses (SPEC 3.1)

A sentence is kept as the clause that says the same, so that a rule of a client and the same rule in a file of the base
are one sentence. Both syntaxes come to the same terms:

| EDN | Prolog | kept as |
|---|---|---|
| `(p a ?x)` | `p(a, X)` | p(a, X) |
| `(not S)` | `-S` | -S, a fact that denies |
| `(implies (and A B) C)` | `C :- A, B` | (C :- A, B) |
| `(unknown S)` | `\+ S`, `not(S)`, `unknown(S)` | \+ S, negation as failure |
| `(ist Cx S)` | `ist(Cx, S)` | S in Cx; within a rule or goal ist(Cx, S) |
| `(exceptWhen Q R)` | `exceptWhen(Q, (C :- A))` | (C :- exceptWhen(Q, A)) |

A stored denial is `-S` because not/1 is negation as failure to every rule in a file.
*/

%!  read_sentence(+Request, +Key, +Module, -Sentence, -Names) is det.
%
%   Sentence is in(Context, Clause): Context is unbound unless the sentence says its own. Names are those of its author.
%   Request has the sentence under Key, tokens or text, and `syntax`.

read_sentence(Request, Key, Module, Sentence, Names) :-
    read_form(Request, Key, Module, Syntax, Term, Names),
    said_sentence(Term, Syntax, Module, Sentence).

%!  said_sentence(+Term, +Syntax, +Module, -Sentence) is det.
%
%   Of a term that was read.

said_sentence(Term, Syntax, Module, in(Context, Clause)) :-
    sentence(Term, Syntax, Context, Clause),
    clause_parts(Clause, _, Body),
    forall(literal(Body, Literal), check_body(Literal, Module)),
    %   What it is hidden by holds it, and what restores it holds that.
    require_shallow(f(f(f(f(f(f(Clause))))))).

%!  read_asked(+Request, +Key, +Module, -Goal, -Names) is det.
%
%   A goal: a sentence that is no rule, or several.

read_asked(Request, Key, Module, Goal, Names) :-
    read_form(Request, Key, Module, Syntax, Term, Names),
    (   Syntax == edn, is_list(Term)
    ->  conjunction(Term, Syntax, Goal)
    ;   body(Term, Syntax, Goal)
    ),
    forall(literal(Goal, Literal), check_goal(Literal, Module)).

%!  read_literal(+Request, +Key, +Module, -Literal, -Names) is det.
%
%   Literal is in(Context, Head): one literal or its denial, Context unbound unless it says its own.

read_literal(Request, Key, Module, in(Context, Head), Names) :-
    read_form(Request, Key, Module, Syntax, Term0, Names),
    placed(Term0, Context, Term),
    (   nonvar(Term), several(Term, Syntax)
    ->  throw(error(zpm(literal, [why-"One literal is wanted, not several or a rule",
                                  hint-"Ask query for a conjunction"]), _))
    ;   head(Term, Syntax, Head)
    ).

several(Term, _) :- is_list(Term).
several(Term, _) :- callable(Term), functor(Term, Name, Arity), memberchk(Name/Arity, [(',')/2, (:-)/2, implies/2, exceptWhen/2, unknown/1, (\+)/1]).
several(Term, edn) :- compound(Term), compound_name_arity(Term, and, _).

%!  read_context(+Request, +Key, +Module, -Context) is det.

read_context(Request, Key, Module, Context) :-
    read_form(Request, Key, Module, _, Context0, _),
    require_context(Context0),
    Context = Context0.

require_context(Context) :-
    (   atom(Context), Context \== []
    ->  true
    ;   malformed("A context is a symbol, such as CxUniverse or 'CxUniverse'", "")
    ).

read_form(Request, Key, Module, Syntax, Term, Names) :-
    get_dict(Key, Request, Given),
    (   is_list(Given)
    ->  Syntax = edn,
        edn_term(Given, Term, Names)
    ;   Syntax = prolog,
        refuse_fences(Given),
        read_one(Given, Key, Module, Term, Names)
    ).

malformed(Why, Hint) :-
    throw(error(zpm(sentence, [why-Why, hint-Hint]), _)).

malformed(Format, Arguments, Hint) :-
    format(string(Why), Format, Arguments),
    malformed(Why, Hint).

%   sentence(+Term, +Syntax, -Context, -Clause)

sentence(Term, Syntax, Context, Clause) :-
    (   nonvar(Term), Term = ist(Context0, Inner)
    ->  require_context(Context0),
        sentence(Inner, Syntax, Context1, Clause),
        %   The innermost wins.
        ( var(Context1) -> Context = Context0 ; Context = Context1 )
    ;   rule(Term, Syntax, Head, Body)
    ->  clause_parts(Clause, Head, Body)
    ;   head(Term, Syntax, Clause)
    ).

rule(Term, Syntax, Head, Body), nonvar(Term), implication(Term, Syntax, Body0, Head0) =>
    head(Head0, Syntax, Head),
    body(Body0, Syntax, Body).
rule(exceptWhen(Guard0, Rule), Syntax, Head, Body) =>
    (   rule(Rule, Syntax, Head, Inner)
    ->  body(Guard0, Syntax, Guard),
        Body = exceptWhen(Guard, Inner)
    ;   malformed("exceptWhen guards a rule, and what it was given is none", "Write (exceptWhen Q (implies A B))")
    ).
rule(_, _, _, _) => fail.

implication(implies(Body, Head), edn, Body, Head).
implication((Head :- Body), prolog, Body, Head).

placed(Term, Context, Plain) :-
    (   nonvar(Term), Term = ist(Context0, Inner)
    ->  require_context(Context0),
        placed(Inner, Context1, Plain),
        ( var(Context1) -> Context = Context0 ; Context = Context1 )
    ;   Plain = Term
    ).

%   head(+Term, +Syntax, -Head): a literal or its denial. Two denials are none.

head(Term, Syntax, Head) :-
    (   nonvar(Term), denial(Term, Syntax, Inner)
    ->  head(Inner, Syntax, Head0),
        ( Head0 = -Plain -> Head = Plain ; Head = -Head0 )
    ;   atomic_sentence(Term, Syntax, Head),
        refuse_head(Head)
    ).

denial(not(Inner), edn, Inner).
denial(-Inner, prolog, Inner).

%   body(+Term, +Syntax, -Body)

body(Term, _, _), var(Term) => malformed("A variable is no sentence", "").
body(Term, edn, Body), compound(Term), compound_name_arguments(Term, and, Parts) =>
    conjunction(Parts, edn, Body).
body((A, B), prolog, Body) =>
    conjunction([A, B], prolog, Body).
body(Term, Syntax, Body), unknown(Term, Syntax, Inner) =>
    Body = (\+ Goal),
    body(Inner, Syntax, Goal).
body(ist(Context, Inner), Syntax, Body) =>
    require_context(Context),
    Body = ist(Context, Goal),
    body(Inner, Syntax, Goal).
body(Term, Syntax, Body) =>
    head_or_test(Term, Syntax, Body).

unknown(unknown(Inner), _, Inner).
unknown(\+ Inner, prolog, Inner).
unknown(not(Inner), prolog, Inner).

%   However it was nested, a conjunction is one list of goals.

conjunction([], _, _) :-
    !,
    malformed("A conjunction of nothing says nothing", "").
conjunction(Terms, Syntax, Body) :-
    foldl(conjunct(Syntax), Terms, Goals, []),
    in_a_row(Goals, Body).

conjunct(Syntax, Term, Goals, Rest) :-
    body(Term, Syntax, Goal),
    conjuncts(Goal, Parts),
    append(Parts, Rest, Goals).

in_a_row([Goal], Body) :- !, Body = Goal.
in_a_row([Goal|Goals], (Goal, Rest)) :- in_a_row(Goals, Rest).

%   In a body the built-in tests may stand, too.

head_or_test(Term, Syntax, Body) :-
    (   denial(Term, Syntax, Inner)
    ->  head(Inner, Syntax, Head0),
        ( Head0 = -Plain -> Body = Plain ; Body = -Head0 )
    ;   atomic_sentence(Term, Syntax, Body)
    ).

%   atomic_sentence(+Term, +Syntax, -Literal): `(p)` is the atom p.

atomic_sentence(Term, _, _), var(Term) =>
    malformed("A variable is no sentence", "").
atomic_sentence(Term, edn, Literal), compound(Term) =>
    compound_name_arity(Term, Name, Arity),
    ( Arity =:= 0 -> Literal = Name ; Literal = Term ),
    refuse_form(Literal, edn).
atomic_sentence(Term, prolog, Literal), callable(Term), \+ is_list(Term) =>
    Literal = Term,
    refuse_form(Literal, prolog).
atomic_sentence(Term, Syntax, _) =>
    shown_names(Term, Syntax, [], Names),
    value_text(Term, Syntax, Names, Text),
    malformed("~s is not a sentence", [Text], "A sentence is a predicate with its arguments, such as (likes ann tea)").

refuse_form(Literal, Syntax) :-
    functor(Literal, Name, Arity),
    (   special(Syntax, Name, Arity)
    ->  malformed("The form ~w has no meaning here", [Name],
                  "The forms are implies, and, not, unknown, ist and exceptWhen; a rule is (implies (and A B) C)")
    ;   Name == (-), Arity =:= 1
    ->  malformed("(- S) is no sentence", [], "Write (not S)")
    ;   true
    ).

%   Forms of other languages of this family, and those of ours in a place where they mean nothing.

special(_, Name, _) :-
    memberchk(Name, [ forall, forAll, exists, thereExists, thereExistsExactly, thereExistsAtLeast, thereExistsAtMost,
                      or, xor, iff, equiv, implies, and, except, exceptWhen, exceptFor, ist, unknown,
                      (:-), (-->), (=>), (','), (;), (->), (*->), '|', !, (:), (?-), {}, [], '[|]' ]).
special(_, '$sentex', _).
special(edn, not, _).
special(edn, (\+), _).

%!  clause_parts(?Clause, ?Head, ?Body) is det.
%
%   The body of a fact is `true`.

clause_parts(Clause, Head, Body) :-
    (   nonvar(Clause)
    ->  ( Clause = (Head0 :- Body0) -> Head = Head0, Body = Body0 ; Head = Clause, Body = true )
    ;   Body == true
    ->  Clause = Head
    ;   Clause = (Head :- Body)
    ).

%!  literal(+Body, -Literal) is nondet.
%
%   The literals of a body, without their denials.

literal(Body, Literal) :-
    (   var(Body) -> fail
    ;   inner(Body, _) -> inner(Body, Inner), literal(Inner, Literal)
    ;   Body == true -> fail
    ;   Literal = Body
    ).

inner((A, B), Inner) :- ( Inner = A ; Inner = B ).
inner((A ; B), Inner) :- ( Inner = A ; Inner = B ).
inner((A -> B), Inner) :- ( Inner = A ; Inner = B ).
inner((A *-> B), Inner) :- ( Inner = A ; Inner = B ).
inner(\+ A, A).
inner(not(A), A).
inner(-A, A).
inner(ist(_, A), A).
inner(exceptWhen(A, B), Inner) :- ( Inner = B ; Inner = A ).

%!  sentence_text(+Clause, +Syntax, +Names, -Text) is det.
%
%   Text that reads to the same sentence. Names are those of shown_names/4.

sentence_text(Clause0, Syntax, Names, Text) :-
    without_modules(Clause0, zpm_canonical, Clause),
    said(Syntax, Clause, Term),
    (   Syntax == edn
    ->  edn_text(Term, Names, Text)
    ;   clause_text(Term, zpm_canonical, Names, Text)
    ).

said(edn, '$except'(Context, Clause), except(ist(Context, Said))) :- !, said(edn, Clause, Said).
said(prolog, '$except'(Context, Clause), except(ist(Context, Clause))) :- !.
said(edn, (Head0 :- exceptWhen(Guard0, Body)), exceptWhen(Guard, Rule)) :-
    !,
    said_goal(Guard0, Guard),
    said(edn, (Head0 :- Body), Rule).
said(prolog, (Head :- exceptWhen(Guard, Body)), exceptWhen(Guard, Rule)) :-
    !,
    said(prolog, (Head :- Body), Rule).
said(edn, (Head0 :- Body0), implies(Body, Head)) :-
    !,
    said_goal(Head0, Head),
    said_goal(Body0, Body).
said(edn, Goal, Said) :- !, said_goal(Goal, Said).
said(prolog, Clause, Clause).

said_goal(Goal, Said), var(Goal) => Said = Goal.
said_goal((A, B), Said) =>
    conjuncts((A, B), Goals),
    maplist(said_goal, Goals, Parts),
    compound_name_arguments(Said, and, Parts).
said_goal((A ; B), Said) =>
    Said = or(SaidA, SaidB),
    said_goal(A, SaidA),
    said_goal(B, SaidB).
said_goal(\+ A, Said) => Said = unknown(Inner), said_goal(A, Inner).
said_goal(not(A), Said) => Said = unknown(Inner), said_goal(A, Inner).
said_goal(-A, Said) => Said = not(Inner), said_goal(A, Inner).
said_goal(ist(Context, A), Said) => Said = ist(Context, Inner), said_goal(A, Inner).
said_goal(Atom, Said), atom(Atom) => compound_name_arguments(Said, Atom, []).
said_goal(Goal, Said) => Said = Goal.

conjuncts(Goal, Goals) :-
    (   nonvar(Goal), Goal = (A, B)
    ->  conjuncts(A, GoalsA),
        conjuncts(B, GoalsB),
        append(GoalsA, GoalsB, Goals)
    ;   Goals = [Goal]
    ).

%!  value_text(+Term, +Syntax, +Names, -Text) is det.

value_text(Term, edn, Names, Text) :- edn_text(Term, Names, Text).
value_text(Term, prolog, Names, Text) :- term_text(Term, zpm_canonical, Names, Text).

%!  shown_names(+Term, +Syntax, +Given, -Names) is det.
%
%   A name for each variable of Term: that of Given, else a letter. `_x` is how a clause keeps the name of `?x`.

shown_names(Term, Syntax, Given, Names) :-
    author_names(Term, Given, Names0),
    foldl(shown_name(Syntax), Names0, Names, [], _).

shown_name(Syntax, Name0=Variable, Name=Variable, Used, [Name|Used]) :-
    (   Syntax == prolog
    ->  Name = Name0
    ;   Name0 == '_'
    ->  unused('Any', 0, Used, Name)
    ;   atom_concat('_', Name1, Name0)
    ->  unused(Name1, 0, Used, Name)
    ;   unused(Name0, 0, Used, Name)
    ).

unused(Name0, N, Used, Name) :-
    ( N =:= 0 -> Name1 = Name0 ; atom_concat(Name0, N, Name1) ),
    (   memberchk(Name1, Used)
    ->  N1 is N + 1,
        unused(Name0, N1, Used, Name)
    ;   Name = Name1
    ).

%!  stored_names(+Syntax, +Given, -Stored) is det.
%
%   Names that Prolog takes for variables: `_x` for ?x. What cannot be one is left out.

stored_names(prolog, Names, Names) :- !.
stored_names(edn, Names0, Names) :-
    convlist(stored_name, Names0, Names).

stored_name(Name0=Variable, Name=Variable) :-
    atom_codes(Name0, [First|Rest]),
    forall(member(Code, [First|Rest]), ( Code < 128, code_type(Code, csym) )),
    ( code_type(First, upper) -> Name = Name0 ; atom_concat('_', Name0, Name) ).

%!  variable_text(+Syntax, +Name, -Text) is det.
%
%   As it stands in answers.

variable_text(edn, Name, Text) :- atom_concat(?, Name, Text).
variable_text(prolog, Name, Name).

%!  not_ground(+Literal, +Syntax, +Names) is det.
%
%   Throws zpm(not_ground, _), which names the first variable.

not_ground(Literal, Syntax, Names) :-
    term_variables(Literal, [Variable|_]),
    shown_names(Literal, Syntax, Names, Shown),
    member(Name=Named, Shown),
    Named == Variable,
    !,
    variable_text(Syntax, Name, NameText),
    format(string(VariableText), "~w", [NameText]),
    sentence_text(Literal, Syntax, Shown, Text),
    throw(error(zpm(not_ground, [variable-VariableText, sentence-Text]), _)).
