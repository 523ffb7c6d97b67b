:- module(zpm_faults,
          [ fault/2,             % +Error, -Fault
            told/2,              % +Kind, +Pairs
            tell_found/2,        % +Request, +Pairs
            found_before/4,      % +Request, +Error, +Fault, -Complete
            message/2,           % +Error, -Message
            formal_text/2        % +Error, -Text
          ]).
:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(wire).
:- use_module(texts).

/** <module> Errors as data

Operations throw error(zpm(Kind, Pairs), _); what else is thrown comes from a user's goal or from the engine.
This file turns both into plain data; the words a user sees stand in `src/base/errors.ts`.

A user's goal can throw what looks like an error of ours. So the pairs of one are texts and numbers, never text of JSON
that would be written as it is; and what was found before an error does not travel in it, but beside it.
*/

%!  fault(+Error, -Fault) is det.

fault(error(zpm(Kind, Pairs), _), obj([kind-Text|Pairs])) :-
    told(Kind, Pairs),
    !,
    atom_string(Kind, Text).
fault(error(resource_error(Resource), _), obj([kind-"limit", limit-Limit])) :-
    !,
    exhausted(Resource, Limit).
fault(unwind(halt(_)), Fault) :-
    !,
    fault(error(zpm(not_allowed, [goal-"halt", class-"process"]), _), Fault).
fault(Error, obj([kind-"raised", message-Message, term-Formal])) :-
    message(Error, Message),
    formal_text(Error, Formal).

%!  told(+Kind, +Pairs) is semidet.
%
%   Both are what an error of ours has.

told(Kind, Pairs) :-
    atom(Kind),
    acyclic_term(Pairs),
    plain_pairs(Pairs).

plain_pairs(Pairs) :-
    is_list(Pairs),
    maplist(plain_pair, Pairs).

plain_pair(Pair), nonvar(Pair), Pair = Key-Value => atom(Key), plain(Value).
plain_pair(_) => fail.

plain(Value), string(Value) => true.
plain(Value), integer(Value) => true.
plain(Value), atom(Value), Value \== [] => memberchk(Value, [true, false, null]).
plain(Value), is_list(Value) => maplist(plain, Value).
plain(Value), nonvar(Value), Value = obj(Pairs) => plain_pairs(Pairs).
plain(_) => fail.

%!  tell_found(+Request, +Pairs) is det.
%
%   Pairs are told with the error that comes next.

tell_found(Request, Pairs) :-
    nb_setarg(1, Request.found, Pairs).

%!  found_before(+Request, +Error, +Fault, -Complete) is det.
%
%   Complete has what was found as `partial`; an engine without room tells its error alone.

found_before(_, error(resource_error(_), _), Fault, Complete) :-
    !,
    Complete = Fault.
found_before(Request, _, obj(Pairs0), obj(Pairs)) :-
    arg(1, Request.found, Found),
    (   Found == none -> Pairs = Pairs0 ; append(Pairs0, [partial-obj(Found)], Pairs) ).

exhausted(tripwire(max_integer_size, _), "size") :- !.
exhausted(_, "memory").

%!  message(+Error, -Message) is det.
%
%   As Prolog's toplevel prints it: `Type error: ...`, `Unhandled exception: Unknown message: ball`.

message(Error, Message) :-
    catch(message_lines(Error, Message), _, fail),
    !.
message(Error, Message) :-
    catch(term_text(Error, user, [], Message), _, Message = "an error that cannot be printed").

message_lines(Error, Message) :-
    Error = error(_, _),
    !,
    remove_context(Error, Plain),
    message_to_text(Plain, Message).
message_lines(Ball, Message) :-
    term_text(Ball, user, [], Text),
    string_concat("Unhandled exception: ", Text, Message).

%   Where in our own code the error came from says nothing to the caller, and of the modules of memories nobody knows.

remove_context(error(Formal, Context0), error(Formal, Context)) :-
    (   nonvar(Context0), Context0 = context(Where0, Message)
    ->  place(Where0, Where),
        ( var(Where), var(Message) -> true ; Context = context(Where, Message) )
    ;   true
    ).

place(Where, _) :- ours(Where), !.
place(Module:Name/Arity, Where) :-
    maplist(atomic, [Module, Name, Arity]),
    !,
    without_modules(Module:Name/Arity, 'memory default', Where).
place(Where, Where).

ours(Where) :- var(Where), !.
ours(Module:_) :- sub_atom(Module, 0, _, _, zpm).
ours(system:(catch)/3).
ours(system:'<meta-call>'/1).

message_to_text(Error, Text) :-
    phrase('$messages':translate_message(Error), Lines),
    with_output_to(string(Text0), print_message_lines(current_output, '', Lines)),
    split_string(Text0, "", "\n ", [Text]).

%!  formal_text(+Error, -Text) is det.
%
%   What a catch/3 would match on.

formal_text(Error0, Text) :-
    (   nonvar(Error0), Error0 = error(Formal, _) -> Error = Formal ; Error = Error0 ),
    catch(( require_shallow(Error), acyclic_term(Error),
            without_modules(Error, 'memory default', Plain),
            variable_letters(Plain, '_', Names),
            term_text(Plain, user, Names, Text)
          ), _, fail),
    !.
formal_text(_, "").
