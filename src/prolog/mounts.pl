:- module(zpm_mounts, [note_modules/0]).
:- use_module(library(lists)).
:- use_module(memories).

/** <module> Mounting memories, as commits of the default one

The supervisor finds the folders; here it is decided whether a name may be a memory's, and whether it is mounted
at the moment when the commit is made.
*/

:- multifile zpm_plans:planned/6, zpm:operation/3.

%   A new memory: whether its name may be one.

zpm:operation(memory_name, Request, []) :-
    atom_string(Name, Request.name),
    require_free_name(Name).

zpm_plans:planned(mount, Request, _, _, [["m", Text, Request.scope, Request.mode]], [name-Text, mode-Request.mode]) :-
    Text = Request.name,
    atom_string(Name, Text),
    require_free_name(Name),
    (   memory(Name)
    ->  throw(error(zpm(mounted, [name-Text]), _))
    ;   true
    ).
zpm_plans:planned(unmount, Request, _, _, [["u", Text]], [name-Text]) :-
    Text = Request.name,
    atom_string(Name, Text),
    (   memory(Name)
    ->  true
    ;   throw(error(zpm(not_mounted, [name-Text]), _))
    ).

%   A memory's name becomes a module, through which `NAME:Goal` finds its way: it must not be one already, nor
%   the name of a library, which a later engine might load.

:- dynamic image_module/1.   % Module: there when the image was made

%!  note_modules is det.
%
%   Later modules are those of memories, and those that a clause names as `NAME:Goal` without having been mounted.

note_modules :-
    forall(current_module(Module), assertz(zpm_mounts:image_module(Module))).

require_free_name(Name) :-
    (   reserved(Name)
    ->  format(string(Why), "~w is a reserved name: choose another one", [Name]),
        throw(error(zpm(input, [why-Why]), _))
    ;   memory(Name) -> true
    ;   ( image_module(Name) ; library_name(Name) )
    ->  format(string(Why), "~w is the name of a Prolog module or library: choose another one", [Name]),
        throw(error(zpm(input, [why-Why]), _))
    ;   true
    ).

library_name(Name) :-
    member(Folder, [library, 'library/clp', 'library/dcg', 'library/unicode', 'library/dialect']),
    member(Extension, [qlf, pl]),
    format(atom(Path), "/swipl/~w/~w.~w", [Folder, Name, Extension]),
    exists_file(Path),
    !.

%   Words that mean something in the memory argument, and what Windows does not take as a folder's name.

reserved(Name) :-
    memberchk(Name, [default, all, '__all__', library, prolog, swi, con, prn, aux, nul]),
    !.
reserved(Name) :-
    member(Device, [com, lpt]),
    atom_concat(Device, Number, Name),
    atom_number(Number, N),
    between(1, 9, N),
    !.
