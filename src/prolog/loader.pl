:- module(zpm_loader, [load_file/6]).   % +Memory, +Name, +Path, +Skip, +Announce, -Reports
load_file(_,_,_,_,_,[]).
