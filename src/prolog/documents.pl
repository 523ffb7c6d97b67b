:- module(zpm_documents,
          [ note_documents/3,    % +Module, +File, +Path
            documented/2,        % +Request, -Pairs
            expose_documents/1,  % +Request
            journaled/1          % +Module
          ]).
:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(memories).
:- use_module(exposure).
:- use_module(operations).

/** <module> The documented predicates of a memory's files (SPEC 2.3)

A file is read for its comments when it is loaded, since its text is there only then; what is an operation is decided
when somebody asks, since a domain may be a predicate of a file that comes later. Each file is judged for itself, as
`zpm check` judges it. The first file that has an operation of a name keeps it.
*/

:- dynamic
    journaled_/1,        % Module
    noted_/3,            % Module, File, Blocks
    from_/3,             % Module, Name, File
    left_out_/3.         % Module, File, Skipped

%!  note_documents(+Module, +File, +Path) is det.
%
%   Most files have no mode lines, and looking for their mark costs little.

note_documents(Module, File, Path) :-
    (   journaled(Module) -> true ; assertz(journaled_(Module)) ),
    (   marked(Path)
    ->  read_documents(Path, Module, found(_, _, Blocks, _)),
        assertz(noted_(Module, File, Blocks))
    ;   true
    ).

%!  journaled(+Module) is semidet.
%
%   It is a memory with a journal, to which every predicate of it is open.

journaled(Module) :-
    journaled_(Module).

marked(Path) :-
    setup_call_cleanup(
        open(Path, read, Stream, [bom(true), encoding(utf8)]),
        read_string(Stream, _, Text),
        close(Stream)),
    (   sub_string(Text, _, _, _, "%!") -> true
    ;   sub_string(Text, _, _, _, "%% ") -> true
    ).

%!  expose_documents(+Request) is det.
%
%   Request: memory. Makes operations of what was noted; before the first of them is asked for, in kernel mode.

expose_documents(Request) :-
    atom_string(Memory, Request.memory),
    memory_module(Memory, Module),
    expose_noted(Module).

expose_noted(Module) :-
    (   noted_(Module, _, _)
    ->  findall(File-Blocks, retract(noted_(Module, File, Blocks)), Files),
        forall(member(File-Blocks, Files), expose_file(Module, File, Blocks))
    ;   true
    ).

expose_file(Module, File, Blocks) :-
    expose(Blocks, Module, Operations, Skipped),
    forall(member(Operation, Operations), exposed(Module, File, Operation)),
    forall(member(Each, Skipped), assertz(left_out_(Module, File, Each))).

exposed(Module, File, Operation) :-
    Operation = op(Name, _, _, more(Line, _, _, _, _, _)),
    (   from_(Module, Name, Other)
    ->  format(string(Text), "~q", [Name]),
        format(string(Why), "~w has an operation of that name", [Other]),
        assertz(left_out_(Module, File, skipped(Line, Text, Why)))
    ;   assertz(from_(Module, Name, File)),
        keep_operation(Module, Operation)
    ).

%!  documented(+Request, -Pairs) is det.
%
%   Request: memory. Pairs: operations, as document/2 tells them, in the order of files and lines; skipped, each with
%   its file.

documented(Request, [operations-Operations, skipped-Skipped]) :-
    atom_string(Memory, Request.memory),
    memory_module(Memory, Module),
    expose_noted(Module),
    findall(Json, ( operation_of(Module, _, Operation), operation_json(Module, Operation, Json) ), Operations),
    findall(Json, left_out(Module, Json), Skipped).

left_out(Module, obj([file-FileText, line-Line, mode-Text, why-Why])) :-
    left_out_(Module, File, skipped(Line, Text, Why)),
    atom_string(File, FileText).
