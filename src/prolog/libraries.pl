:- module(zpm_libraries, []).
:- set_module(zpm_libraries:base(system)).

/** <module> What a memory sees without asking, and the flags of every engine

A memory's module inherits from this one, and this one from `system`: so a memory sees the pure libraries
below and nothing of ours. Every library is loaded before the image is taken, since loading is refused once
goals run (ENGINE-NOTES 5.5) and autoloading would make one engine differ from another (1.7).
*/

:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(library(aggregate)).
:- use_module(library(yall)).
:- use_module(library(pairs)).
:- use_module(library(assoc)).
:- use_module(library(ordsets)).
:- use_module(library(ugraphs)).
:- use_module(library(option)).
:- use_module(library(error)).
:- use_module(library(occurs)).
:- use_module(library(terms)).
:- use_module(library(strings)).
:- use_module(library(solution_sequences)).
:- use_module(library(dcg/basics)).
:- use_module(library(dcg/high_order)).
:- use_module(library(dif)).
:- use_module(library(when)).
:- use_module(library(nb_set)).
:- use_module(library(rbtrees)).
:- use_module(library(heaps)).
:- use_module(library(random)).
:- use_module(library(clpfd)).
:- use_module(library(clpb), []).
:- use_module(library(clpr), []).
:- use_module(library(wasm), []).

:- set_prolog_flag(autoload, false).
:- set_prolog_flag(stack_limit, 64000000).
:- set_prolog_flag(max_integer_size, 1000000).
:- set_prolog_flag(generate_debug_info, false).
:- set_prolog_flag(color_term, false).
:- set_prolog_flag(message_context, []).
