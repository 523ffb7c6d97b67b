:- module(zpm_overlays, []).
:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(library(occurs)).
:- use_module(memories).
:- use_module(changes).
:- use_module(batches).
:- use_module(texts).
:- use_module(edn).
:- use_module(sentences).
:- use_module(sentexes).
:- use_module(asserting).

/** <module> Overlays: sentences of files, in the base of all forks (SPEC 3.3)

An overlay is said by whoever runs the server, so its sentences are monotonic, may use new predicates, and say which
context sees which. They become clauses of a file, before an image of the base is taken; no journal has them. A sentence in
the base's own context becomes a clause that the usual tools see, too, unless it has a form that only sentences have.
*/

:- multifile zpm:operation/3.

%   Request: memory, name (of the file), forms, a list of [Line, Form], base_context, excepts. A form is a sentence, or a
%   vector of one and its context. With `excepts` what the sentences match there is hidden; Unmatched has the lines of those
%   that hide nothing. All or nothing; what is wrong is told with its line.

zpm:operation(verb_overlay, Request, [unmatched-Unmatched]) :-
    atom_string(Memory, Request.memory),
    memory_module(Memory, Module),
    atom_string(Base, Request.base_context),
    atom_string(File, Request.name),
    maplist(checked(Request.excepts, Module, Base), Request.forms, Checked),
    include(is_bad, Checked, Bads),
    length(Checked, Total),
    refuse(Bads, "overlay", Total),
    foldl(placed(Request.excepts, Module, Base, File), Checked, Unmatched0, 0-0, _),
    append(Unmatched0, Unmatched).

%   checked(+Excepts, +Module, +Base, +Given, -Checked): Checked is good(Line, Context, Clause, Names) or bad(Pairs).

checked(Excepts, Module, Base, [Line, Form], Checked) :-
    catch(( edn_term(Form, Term0, Names),
            ( is_list(Term0), Term0 = [Sentence, Where] -> Term = ist(Where, Sentence) ; Term = Term0 ),
            said_sentence(Term, edn, Module, in(Own, Clause)),
            canonical_text(Clause, _),
            ( var(Own) -> Context = Base ; Context = Own ),
            clause_parts(Clause, Head, Body),
            (   Body == true, Excepts == false, \+ ground(Head) -> not_ground(Head, edn, Names) ; true ),
            Checked = good(Line, Context, Clause, Names)
          ),
          Error,
          bad([line-Line], Error, Checked)).

%   placed(+Excepts, +Module, +Base, +File, +Checked, -Unmatched, +Place0, -Place): Place is Line-Index, since several clauses
%   may begin on a line.

placed(false, Module, Base, File, good(Line, Context, Clause, Names), [], Place0, Place) :-
    (   keyed(Module, Base, key(Context, Clause), _)
    ->  Place = Place0
    ;   in_file(Base, Context, Clause, Stored),
        stored_names(edn, Names, Named),
        at_place(Module, File, Line, Stored, Named, Place0, Place)
    ).
placed(true, Module, Base, File, good(Line, Context, Clause, _), Unmatched, Place0, Place) :-
    view(Module, Base, Context, View),
    findall(Key, matching_key(Module, View, Clause, Key), Keys0),
    distinct_keys(Keys0, Keys),
    ( Keys == [] -> Unmatched = [Line] ; Unmatched = [] ),
    foldl(hidden_at(Module, File, Line, Context), Keys, Place0, Place).

hidden_at(Module, File, Line, Context, key(Where, Clause), Place0, Place) :-
    Except = '$sentex'('$except'(Where, Clause), true, Context, monotonic, "base", null),
    at_place(Module, File, Line, Except, [], Place0, Place).

at_place(Module, File, Line, Clause, Named, Last-Index0, Line-Index) :-
    ( Line =:= Last -> Index is Index0 + 1 ; Index = 0 ),
    variable_names(Clause, Named, Names),
    add_clause(Module, Clause, (File:Line)-Index, Names, _).

%   in_file(+Base, +Context, +Clause, -Stored): what the usual tools can follow is a clause, if it stands in the base.

in_file(Base, Context, Clause, Stored) :-
    clause_parts(Clause, Head, Body),
    (   Context == Base,
        \+ sentence_form(Body)
    ->  Stored = Clause
    ;   Stored = '$sentex'(Head, Body, Context, monotonic, "base", null)
    ).

sentence_form(Body) :-
    sub_term(Form, Body),
    compound(Form),
    compound_name_arity(Form, Name, 2),
    memberchk(Name, [ist, exceptWhen]).
