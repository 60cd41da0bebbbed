# SPDX-License-Identifier: MIT
"""Random .mcu programs: race-free, in bounds and without undefined behaviour by construction.

    from generator.program import generate
    program = generate(seed, sections=1)
    program.mcu     what mesicc translates
    program.twin    the same program in plain C++ for the CPU backend's CUDA surface: no VS memory,
                    no mesicc

Modules, lowest first: choice (the random source), types, objects (arrays), scope (what a place in a
kernel may name), form, typed (expressions that differ in a type), index (index expressions with
their ranges), chains (locals of global ids), values (value expressions), ownership (which thread
writes which element), geometry (grids, blocks, coordinates), kernel (statements), products (kernels
of global ids), neighbours (those that read beside their place), barrier (kernels that share memory
inside a block), devices (device functions), host (launches, host accesses), near (values at a
thread's place and beside it), families of kernels: streams (streams, transposes, layers), marching
(stencils over layers), matrices (products), counted (counters), tables (sizes and tables of the
launch), warps, walking (pointers that are stepped), triples (records of three numbers), complexes
(complex numbers; pairs has the products); windows (loops over a window), nested (structures with
pointers in others); texts and wrapping (macros), hiding (names that locals hide), arch (conditions
on the architecture), spaces (namespaces);
profile and profiles (which family a program leans towards), program, printing.
"""
