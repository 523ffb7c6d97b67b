:- module(zpm_exposure,
          [ expose/4,            % +Blocks, +Module, -Operations, -Skipped
            operation_json/3,    % +Module, +Operation, -Json
            domain_goal/5        % +Module, +Domain, -Value, -Goal, -Fixed
          ]).
:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(memories, [known/3]).
:- use_module(modes).
:- use_module(types).

/** <module> Which documented predicates are operations, and at which address (SPEC 2.1 to 2.3)

An operation is op(Name, Arguments, Determinism, More): Arguments are argument(Sign, Name, Type, Text, Domain)
with the sign + or -, and More is more(Line, Description, Method, Path, Changing, Collection). A prefix of the
name says the method. Collection is `none` or collection(Name, Keys) with the keys as places of arguments.
*/

%!  expose(+Blocks, +Module, -Operations, -Skipped) is det.
%
%   Blocks as operations.pl finds them. Skipped is a list of skipped(Line, Text, Why).

expose(Blocks, Module, Operations, Skipped) :-
    expose_blocks(Blocks, [], Module, Reversed, [], Skipped1),
    reverse(Reversed, Operations0),
    with_domains(Operations0, Operations0, Module, Operations, Skipped2),
    append(Skipped1, Skipped2, Skipped).

expose_blocks([], Operations, _, Operations, Skipped, Skipped).
expose_blocks([block(Line, Modes, Description, Tags, Below)|Blocks], Operations0, Module, Operations, Skipped0, Skipped) :-
    expose_modes(Modes, block(Line, Description, Tags, Below), Module, Operations0, Operations1, Skipped0, Skipped1),
    expose_blocks(Blocks, Operations1, Module, Operations, Skipped1, Skipped).

expose_modes([], _, _, Operations, Operations, Skipped, Skipped).
expose_modes([Offset-Text0|Modes], Block, Module, Operations0, Operations, Skipped0, Skipped) :-
    Block = block(First, _, _, _),
    Line is First + Offset,
    normalize_space(string(Text), Text0),
    (   operation(Text0, Line, Block, Module, Operations0, Outcome)
    ->  true
    ;   Outcome = skipped("it cannot be exposed")
    ),
    (   Outcome = skipped(Why)
    ->  Operations1 = Operations0, Skipped1 = [skipped(Line, Text, Why)|Skipped0]
    ;   Operations1 = [Outcome|Operations0], Skipped1 = Skipped0
    ),
    expose_modes(Modes, Block, Module, Operations1, Operations, Skipped1, Skipped).

%   operation(+Text, +Line, +Block, +Module, +Earlier, -Outcome): Outcome is an operation, or skipped(Why).

operation(Text, Line, block(_, Description, Tags, Below0), Module, Earlier, Outcome) :-
    mode_line(Text, Mode),
    (   Mode = unusable(_, Why)
    ->  Outcome = skipped(Why)
    ;   Mode = mode(Name, Arguments0, _),
        below(Below0, Module, Name, Arguments0, Below),
        reason(Name, Arguments0, Below, Earlier, Why)
    ->  Outcome = skipped(Why)
    ;   Mode = mode(Name, Arguments0, Determinism),
        typed_arguments(Arguments0, Tags, Arguments, Bad),
        (   Bad = bad(Why)
        ->  Outcome = skipped(Why)
        ;   placed(Name, Arguments, Determinism, Line, Description, Tags, Earlier, Outcome)
        )
    ).

%   The clauses of a dynamic predicate come and go, with all of them the last.

below(inside(Why), _, _, _, Below) => Below = Why.
below(_, Module, Name, Arguments, Below), length(Arguments, Arity), zpm_operations:declared_dynamic(Module, Name/Arity) =>
    Below = clause(Name/Arity).
below(Below0, _, _, _, Below) => Below = Below0.

reason(_, _, Below, _, Why) :-
    string(Below),
    !,
    Why = Below.
reason(Name, _, _, Earlier, Why) :-
    member(op(Name, _, _, more(Line, _, _, _, _, _)), Earlier),
    !,
    format(string(Why), "~q has a mode line already, in line ~d", [Name, Line]).
reason(Name, Arguments, clause(Other/OtherArity), _, Why) :-
    length(Arguments, Arity),
    Name/Arity \== Other/OtherArity,
    !,
    format(string(Why), "the clauses below it are those of ~q, not of ~q", [Other/OtherArity, Name/Arity]).
reason(_, Arguments, _, _, Why) :-
    member(argument(Sign, Name, _), Arguments),
    \+ memberchk(Sign, [+, -]),
    !,
    (   Sign == none
    ->  format(string(Why), "the argument ~w has no mode: write + for input or - for output", [Name])
    ;   format(string(Why), "the mode ~w of the argument ~w is neither input (+) nor output (-)", [Sign, Name])
    ).
reason(_, Arguments, _, _, Why) :-
    append(_, [argument(_, Name, _)|Rest], Arguments),
    memberchk(argument(_, Name, _), Rest),
    !,
    format(string(Why), "the argument name ~w stands twice", [Name]).

typed_arguments([], _, [], good).
typed_arguments([argument(Sign, Name, Declared)|Rest], Tags, [argument(Sign, Name, Type, Text, none)|Arguments], Bad) :-
    (   declared_type(Declared, Type)
    ->  argument_text(Tags, Name, Text),
        typed_arguments(Rest, Tags, Arguments, Bad)
    ;   format(string(Why), "the type of the argument ~w is not one that JSON has: ~p", [Name, Declared]),
        Bad = bad(Why), Arguments = []
    ).

argument_text(Tags, Name, Text) :-
    atom_string(Name, Word),
    (   member(Tag-Line, Tags), memberchk(Tag, [arg, param]), tag_words(Line, Word, Text0) -> Text = Text0
    ;   Text = ""
    ).

%   Where it is: a collection at its own name, all else at the name without its prefix.

placed(Name, Arguments0, Determinism, Line, Description, Tags, Earlier, Outcome) :-
    domains_noted(Tags, Arguments0, Arguments),
    (   memberchk(collection-Text, Tags)
    ->  (   collection(Text, Arguments, Collection, Why)
        ->  true
        ;   Why = "@collection is written NAME key(Argument, ...), with arguments of the mode line"
        ),
        (   Why == "" -> Collection = collection(Path, _), Method = 'GET', Changing = false ; true )
    ;   Collection = none, Why = "", address(Name, Method, Path, Changing)
    ),
    (   Why \== ""
    ->  Outcome = skipped(Why)
    ;   memberchk(Path, ['', 'openapi.json'])
    ->  Outcome = skipped("no name is left for its address")
    ;   taken(Method, Path, Collection, Earlier, Other)
    ->  format(string(Taken), "its address ~w /~w is that of ~q", [Method, Path, Other]),
        Outcome = skipped(Taken)
    ;   Outcome = op(Name, Arguments, Determinism, more(Line, Description, Method, Path, Changing, Collection))
    ).

address(Name, Method, Path, Changing) :-
    member(Prefix-Method-Changing,
           [ get_-'GET'-false, put_-'PUT'-true, delete_-'DELETE'-true, post_-'POST'-true, patch_-'PATCH'-true ]),
    atom_concat(Prefix, Path, Name),
    !.
address(Name, 'GET', Name, false).

%   A collection has its address to itself, with all methods.

taken(Method, Path, Collection, Earlier, Other) :-
    member(op(Other, _, _, more(_, _, OtherMethod, Path, _, OtherCollection)), Earlier),
    ( OtherMethod == Method ; Collection \== none ; OtherCollection \== none ),
    !.

collection(Text, Arguments, collection(Name, Keys), Why) :-
    tag_words(Text, Word, Rest),
    Word \== "",
    atom_string(Name, Word),
    tag_term(Rest, Key, Bindings),
    compound(Key),
    compound_name_arguments(Key, key, Variables),
    Variables \== [],
    maplist(key_place(Bindings, Arguments), Variables, Keys),
    sort(Keys, Distinct),
    length(Keys, Length),
    length(Distinct, Length),
    (   member(argument(+, _, _, _, _), Arguments)
    ->  Why = "a collection lists all its rows: its arguments are outputs (-), without exception"
    ;   Why = ""
    ).

key_place(Bindings, Arguments, Variable, Place) :-
    member(Name=Bound, Bindings),
    Bound == Variable,
    nth1(Place, Arguments, argument(_, Name, _, _, _)),
    !.

domains_noted(Tags, Arguments0, Arguments) :-
    maplist(domain_noted(Tags), Arguments0, Arguments).

domain_noted(Tags, argument(Sign, Name, Type, Text, none), argument(Sign, Name, Type, Text, Domain)) :-
    atom_string(Name, Word),
    (   member(domain-Line, Tags), tag_words(Line, Word, Source)
    ->  Domain = said(Source)
    ;   Domain = none
    ).

%   Domains name collections, which may stand further below: so they are looked up at the end.

with_domains([], _, _, [], []).
with_domains([op(Name, Arguments0, Determinism, More)|Rest], All, Module, [op(Name, Arguments, Determinism, More)|Operations], Skipped) :-
    foldl(with_domain(Name, More, All, Module), Arguments0, Arguments, Skipped, Skipped1),
    with_domains(Rest, All, Module, Operations, Skipped1).

with_domain(Name, more(Line, _, _, _, _, _), All, Module, argument(Sign, Argument, Type, Text, Domain0),
            argument(Sign, Argument, Type, Text, Domain), Skipped0, Skipped) :-
    (   Domain0 = said(Source)
    ->  (   domain(Source, All, Module, Domain)
        ->  Skipped0 = Skipped
        ;   Domain = none,
            format(string(Tag), "~q: @domain ~w ~s", [Name, Argument, Source]),
            Skipped0 = [skipped(Line, Tag, "the domain is neither a collection nor a predicate of this file, as name/arity")|Skipped]
        )
    ;   Domain = none, Skipped0 = Skipped
    ).

%   domain(Indicator, Place, Text): the values are those of one argument of a predicate.

domain(Source, All, Module, domain(Name/Arity, Place, Source)) :-
    tag_term(Source, Term, _),
    (   Term = Name/Arity, atom(Name), integer(Arity), Arity > 0
    ->  known(Module, Name, Arity),
        Place = 1
    ;   atom(Term),
        member(op(Name, Arguments, _, more(_, _, _, _, _, collection(Term, [Place|_]))), All),
        length(Arguments, Arity)
    ),
    !.

%!  domain_goal(+Module, +Domain, -Value, -Goal, -Fixed) is det.
%
%   Goal has the values of the domain as Value. Fixed is true when nothing declares that they may change.

domain_goal(Module, domain(Name/Arity, Place, _), Value, Module:Goal, Fixed) :-
    functor(Goal, Name, Arity),
    arg(Place, Goal, Value),
    (   zpm_operations:declared_dynamic(Module, Name/Arity) -> Fixed = false ; Fixed = true ).

%!  operation_json(+Module, +Operation, -Json) is det.

operation_json(Module, op(Name, Arguments, Determinism, More), Json) :-
    More = more(Line, Description, Method, Path, Changing, Collection),
    maplist(argument_json(Module), Arguments, ArgumentJsons),
    maplist(text, [Name, Determinism, Method, Path], [NameText, DeterminismText, MethodText, PathText]),
    collection_json(Module, Name, Arguments, Collection, CollectionPairs),
    append([ name-NameText, line-Line, method-MethodText, path-PathText, changing-Changing,
             determinism-DeterminismText, description-Description, arguments-ArgumentJsons ],
           CollectionPairs, Pairs),
    Json = obj(Pairs).

text(Atom, Text) :- atom_string(Atom, Text).

collection_json(_, _, _, none, []) :- !.
collection_json(Module, Name, Arguments, collection(CollectionName, Places), [collection-obj(Pairs)]) :-
    length(Arguments, Arity),
    findall(Key, ( member(Place, Places), nth1(Place, Arguments, argument(_, Key0, _, _, _)), text(Key0, Key) ), Keys),
    (   zpm_operations:declared_dynamic(Module, Name/Arity) -> Dynamic = true ; Dynamic = false ),
    text(CollectionName, Text),
    Pairs = [name-Text, keys-Keys, (dynamic)-Dynamic].

argument_json(Module, argument(Sign, Name, Type, Text, Domain), obj(Pairs)) :-
    text(Name, NameText),
    ( Sign == (+) -> Direction = "in" ; Direction = "out" ),
    type_json(Type, TypeJson),
    Pairs0 = [name-NameText, direction-Direction, type-TypeJson, description-Text],
    (   Domain = domain(_, _, Source)
    ->  domain_goal(Module, Domain, _, _, Fixed),
        append(Pairs0, [domain-obj([source-Source, fixed-Fixed])], Pairs)
    ;   Pairs = Pairs0
    ).
