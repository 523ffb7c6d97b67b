:- module(zpm_absence,
          [ proof_clauses/2,     % +Proof, -Refs
            absence/1            % +Proof
          ]).
:- use_module(library(lists)).
:- use_module(memories).

/** <module> Whether a proof rests on something not being there

A conclusion that went through a negation, an aggregation or a condition can end because something is added. The
proofs are those of interpreter.pl.
*/

%!  proof_clauses(+Proof, -Refs) is det.

proof_clauses(Proof, Refs) :-
    findall(Ref, proof_node(Proof, node(_, clause(Ref), _, _)), Refs0),
    sort(Refs0, Refs).

proof_node(Proof, Proof).
proof_node(node(_, _, Children, _), Node) :-
    member(Child, Children),
    proof_node(Child, Node).

%!  absence(+Proof) is semidet.

absence(Proof) :-
    proof_node(Proof, Node),
    on_absence(Node),
    !.

on_absence(node(_, negation, _, _)).
on_absence(node(_, _, _, cut)).         % nobody knows what is below
on_absence(node(Goal, builtin, _, _)) :-
    strip_module(Goal, _, Plain),
    aggregation(Plain).
on_absence(node(_, clause(Ref), _, _)) :-
    clause_property(Ref, predicate(Module:Name/Arity)),
    functor(Head, Name, Arity),
    stored_clause(Module:Head, Clause, Ref),
    ( Clause = (_ :- Body) ; Clause = (_ => Body) ),
    conditional(Body).

conditional(Body) :- var(Body), !, fail.
conditional((_ -> _)).
conditional((_ *-> _)).
conditional(ignore(_)).
conditional((A , B)) :- ( conditional(A) ; conditional(B) ).
conditional((A ; B)) :- ( conditional(A) ; conditional(B) ).

aggregation(Goal) :-
    callable(Goal),
    functor(Goal, Name, Arity),
    memberchk(Name/Arity,
              [ findall/3, findall/4, findnsols/4, bagof/3, setof/3, forall/2, foreach/2, tnot/1,
                aggregate_all/3, aggregate_all/4, aggregate/3, aggregate/4, (\+)/1, not/1,
                include/3, exclude/3, partition/4, partition/6, limit/2, offset/2, order_by/2,
                distinct/1, distinct/2, call_nth/2, ignore/1
              ]).
