:- module(zpm_hypotheses, []).
:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(memories).
:- use_module(supports).
:- use_module(batches).
:- use_module(changes).
:- use_module(plans).
:- use_module(facts).
:- use_module(heads).
:- use_module(queries).
:- use_module(reading).
:- use_module(texts).
:- use_module(warnings).

/** <module> What if: a question to a memory that is a little different (SPEC 1.7)

The memory is changed inside snapshot/1 and asked there: whatever happens, the end of the snapshot brings all of it
back. Clauses are erased and added as they are, without the books that changes.pl keeps for the journal, since a
goal sees nothing but clauses.

What is left out is gone as if nobody had said it: every fact that unifies, also one of a file or an assumed one,
where forget_fact takes the first; a second one would answer as if nothing had been left out. It goes first, so
that a fact can be replaced. A fact is supposed as remember_facts stores it, at the end of its predicate.
*/

:- multifile zpm:operation/3.

%   Request: that of query/2, `facts` and `without`, lists of texts, and `shown`. Pairs: those of query/2, `added` (a
%   count), `removed` (so many clauses as are to be shown) and `removed_count`.

zpm:operation(what_if, Request, Pairs) :-
    atom_string(Memory, Request.memory),
    memory_module(Memory, Module),
    foldl(checked(left_out, "without", Module), Request.without, Without, 0, _),
    foldl(checked(supposed, "facts", Module), Request.facts, Facts, 0, Added),
    append(Without, Facts, All),
    include(is_bad, All, Bads),
    length(All, Total),
    refuse(Bads, "suppositions", Total),
    findall(Ref, ( member(good(Refs), Without), member(Ref, Refs) ), Gone0),
    list_to_set(Gone0, Gone),
    removed_pairs(Gone, Module, Request.shown, Removed),
    snapshot(( maplist(erase, Gone),
               foldl(suppose, Facts, 0, _),
               query(Request, Pairs0)
             )),
    append([Pairs0, [added-Added], Removed], Pairs).

%   checked(:Goal, +List, +Module, +Text, -Checked, +Index, -Next): Checked is good(What) or bad(Pairs). A fact is
%   about the memory that it names, else about the one that is asked.

checked(Goal, List, Asked, Text, Checked, Index, Next) :-
    Next is Index + 1,
    catch(( read_fact(Text, fact, Asked, Fact0, Names),
            addressed(Fact0, Asked, Fact1, Module),
            unqualified(Fact1, Module, Fact, fact),
            call(Goal, Fact, Names, Module, What),
            Checked = good(What)
          ),
          Error,
          bad([list-List, index-Index], Error, Checked)).

supposed(Fact, Names, Module, fact(Fact, Names, Module)) :-
    check_head(Fact, Module),
    canonical_text(Fact, _).

left_out(Fact, Names, Module, Refs) :-
    require_term(Fact),
    functor(Fact, Name, Arity),
    (   known(Module, Name, Arity)
    ->  findall(Ref, stored_fact(Module, Fact, Ref), Refs)
    ;   Refs = []
    ),
    (   Refs == []
    ->  author_names(Fact, Names, Named),
        term_text(Fact, Module, Named, Text),
        throw(error(zpm(no_match, [fact-Text]), _))
    ;   true
    ).

%   suppose(+Checked, +Index, -Next)

suppose(good(fact(Fact, Names, Module)), Index, Next) :-
    Next is Index + 1,
    warn_variables(Fact, Names, Module),
    functor(Fact, Name, Arity),
    (   known(Module, Name, Arity),
        variant_clause(Module, Fact, Ref)
    ->  format(string(Warning), "facts[~d] is stored already", [Index]),
        warn(Warning),
        ( assumed(Module, Ref, _) -> true ; supposed_clause(Fact, Module, Index) )
    ;   supposed_clause(Fact, Module, Index)
    ).

supposed_clause(Fact, Module, Index) :-
    catch(add_clause(Module, Fact, 0-0, [], _), Error, not_supposed(Index, Fact, Error)).

not_supposed(Index, Fact, Error) :-
    catch(zpm_changes:refused(Error, Fact), Refused, true),
    bad([list-"facts", index-Index], Refused, Bad),
    refuse([Bad], "suppositions", 1).

%   removed_pairs(+Refs, +Asked, +Most, -Pairs): a pattern may match more than a reader wants to see.

removed_pairs(Refs, Asked, Most, [removed-Shown, removed_count-Count]) :-
    length(Refs, Count),
    ( length(First, Most), append(First, _, Refs) -> true ; First = Refs ),
    maplist(clause_shown(Asked), First, Texts),
    shown_clauses(Texts, removed, [removed-Shown|_]).
