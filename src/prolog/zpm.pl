:- module(zpm, [zpm_call/2]).   % +Request, -Reply

/** <module> The Prolog half of zpm: one entry for everything

TypeScript calls one predicate, zpm_call/2, with plain data: a dict whose strings are what a user typed or
canonical text, and whose `op` names an operation below. The reply is JSON text that begins with the
request's number, so that the supervisor can tell an answer from the ruins of an engine (ENGINE-NOTES 0.1). A
second line is JSON text that the supervisor may hand on without reading it.

Operations are clauses of operation/3, one per op. Kernel mode lasts until an operation runs a user's goal
(zpm_guards:enter_goal_mode/0); there is no way back within a call.
*/

:- use_module(libraries).
:- use_module(faults).
:- use_module(wire).
:- use_module(texts).
:- use_module(reading).
:- use_module(memories).
:- use_module(commits).
:- use_module(heads).
:- use_module(warnings).
:- use_module(guards).
:- use_module(plans).
:- use_module(facts).
:- use_module(batches).
:- use_module(queries).
:- use_module(hypotheses).
:- use_module(proofs).
:- use_module(failures).
:- use_module(catalog).
:- use_module(checks).
:- use_module(overview).
:- use_module(leftovers).
:- use_module(loader).
:- use_module(heartbeat).
:- use_module(mounts).
:- use_module(snapshots).
:- use_module(source).
:- use_module(imports).
:- use_module(history).
:- use_module(checkpoints).
:- use_module(beliefs).
:- use_module(usages).
:- use_module(rename).
:- use_module(operations).
:- use_module(documents).
:- use_module(operate).
:- use_module(journaling).
:- use_module(effects).
:- use_module(asserting).
:- use_module(arguing).
:- use_module(overlays).
:- use_module(changing).
:- use_module(fates).
:- use_module(mirror).

%!  zpm_call(+Request, -Reply) is det.
%
%   Answers one request. Never fails and never throws: an operation's error is part of the reply, so a
%   call that ends otherwise tells the supervisor that this engine is damaged.

zpm_call(Request0, Reply) :-
    get_dict(n, Request0, N),
    put_dict(found, Request0, found(none), Request),
    (   catch(answer(Request, Answer0), Error, true)
    ->  (   var(Error)
        ->  Answer = Answer0
        ;   fault(Error, Fault0),
            found_before(Request, Error, Fault0, Fault),
            Answer = error(Fault)
        )
    ;   Answer = error(obj([kind-"bug", message-"an operation failed"]))
    ),
    with_output_to(string(Reply), write_reply(Answer, N)),
    %   What a goal printed belongs to its own reply, the last line without its end as well.
    flush_output(user_output),
    flush_output(user_error).

write_reply(error(Fault), N) => write_json(obj([n-N, error-Fault])).
write_reply([result-Json, truncated-false], N) =>
    write('{"n":'), write(N), write(',"ok":{}}\n'),
    write_json(Json).
write_reply([result-Json|Pairs], N) =>
    write_json(obj([n-N, ok-obj(Pairs)])),
    nl,
    write_json(Json).
write_reply(Pairs, N) => write_json(obj([n-N, ok-obj(Pairs)])).

answer(Request, Result) :-
    get_dict(op, Request, Name),
    atom_string(Op, Name),
    begin_call,
    clear_leftovers,
    (   zpm_memories:plain_table(_) -> abolish_all_tables ; true ),
    operation(Op, Request, Result).

%!  operation(+Op, +Request, -Pairs) is semidet.
%
%   One clause per operation; other files add theirs. Pairs is what the tool gets, in order. With `result` in front, that
%   one stands in a line of its own.

:- multifile operation/3.

operation(hello, Request, [hello-"zpm"]) :-
    set_random(seed(Request.seed)).
operation(rest, _, []) :-
    garbage_collect,
    garbage_collect_atoms,
    trim_stacks.
operation(version, _, [prolog-Version]) :-
    current_prolog_flag(version_data, swi(Major, Minor, Patch, _)),
    format(string(Version), "~w.~w.~w", [Major, Minor, Patch]).
operation(create, Request, []) :-
    create_memory(Request.memory, Request.mode).
operation(load, Request, [reports-Reports]) :-
    load_file(Request, Reports).
operation(apply, Request, []) :-
    apply_commits(Request.memory, Request.commits).
operation(plan, Request, Result) :-
    ( get_dict(announce, Request, true) -> nb_setval(zpm_announce, true) ; nb_setval(zpm_announce, false) ),
    plan(Request.request, Request.memory, Request.seq, Result).
operation(preview, Request, Pairs) :-
    preview(Request.request, Request.memory, Pairs).
operation(query, Request, Result) :-
    query(Request, Result).
operation(explain, Request, Result) :-
    explain(Request, Result).
operation(trace, Request, Result) :-
    trace_dependency(Request, Result).
operation(consistency, Request, Result) :-
    verify_consistency(Request, Result).
operation(overview, Request, Result) :-
    overview(Request, Result).
operation(count, Request, [clauses-Count]) :-
    atom_string(Memory, Request.memory),
    memory_module(Memory, Module),
    count_clauses(Module, Count).
operation(schema, Request, Result) :-
    schema(Request.memory, Result).
operation(document, Request, Result) :-
    document(Request, Result).
operation(documented, Request, Result) :-
    documented(Request, Result).
operation(documented_call, Request, Result) :-
    expose_documents(Request),
    operate(Request, Result).
operation(documented_change, Request, Result) :-
    documented_change(Request, Result).
operation(documented_values, Request, Result) :-
    expose_documents(Request),
    domain_values(Request, Result).
operation(operate, Request, Result) :-
    operate(Request, Result).
operation(rows, Request, Result) :-
    rows(Request, Result).
operation(member, Request, Result) :-
    member_row(Request, Result).
operation(keys, Request, Result) :-
    repeated_keys(Request, Result).
operation(values, Request, Result) :-
    domain_values(Request, Result).
operation(change, Request, Result) :-
    change(Request, Result).
operation(put_row, Request, Result) :-
    put_row(Request, Result).
operation(delete_row, Request, Result) :-
    delete_row(Request, Result).
operation(mirror, Request, Result) :-
    mirror(Request, Result).
operation(settle, Request, Result) :-
    settle(Request, Result).

%   Last: a wrapped loader would import into the wrong module.

:- note_modules.
:- close_guards.
