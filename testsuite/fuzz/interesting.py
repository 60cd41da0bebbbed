#!/usr/bin/env python3
"""The test of a reduction: is program.mcu in the current folder still a valid program that shows
the failure?

usage: interesting.py --mesicc PATH --build DIR [--levels 0,2 or '2 --mapping=always'] [--twin]

Valid: it translates at -O0, its twin compiles without warnings about uninitialised values, runs
clean under AddressSanitizer and UBSan, and -O0 gives the same results under every schedule. The
failure: another level of --levels differs from -O0 or ends otherwise; with --twin, -O0 differs from
the twin. Status 0: interesting.
"""
import argparse
import os
import re
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from execute import (
    Broken,
    SCHEDULES,
    Tools,
    arguments_of,
    command,
    difference,
    read,
    stem,
)  # noqa: E402

LAUNCH = re.compile(r'(\w+)\s*<<<(.*?)>>>\s*\(((?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\)', re.S)
DYNAMIC = re.compile(r'extern\s+__shared__\s+(\w+)\s+(\w+)\s*\[\s*\]\s*;')
VARIABLE = re.compile(r'__global__\s+(?!__launch|void)(?:\w+\s+)+?(\w+)((?:\s*\[[^\]]*\])+)\s*;')
WARNINGS = [
    '-Wuninitialized',
    '-Wmaybe-uninitialized',
    '-Wreturn-type',
    '-Werror',
    '-O1',
    '-fno-inline',
]


def twin_of(text):
    """The plain C++ twin of a .mcu text that has the generator's shape."""
    objects = [m.group(1) for m in VARIABLE.finditer(text)]
    text = LAUNCH.sub(
        lambda m: 'mesi_cpu::launch(%s, mesi_cpu::config(%s)%s)'
        % (m.group(1), m.group(2), ', ' + m.group(3) if m.group(3).strip() else ''),
        text,
    )
    text = DYNAMIC.sub(r'\1 (&\2)[] = *(\1 (*)[])mesi_cpu_dynamic_shared();', text)
    text = re.sub(r'__global__\s+(?!__launch|void)', '', text).replace('mesi_malloc', 'malloc')
    dump = ' '.join('twin_object("%s", &%s, sizeof %s);' % (name, name, name) for name in objects)
    return (
        '#include <mesi_cpu.h>\n#include "twin.h"\n'
        + text
        + '\nstruct at_exit { ~at_exit() { %s twin_dump(); } } at_exit;\n' % dump
    )


def result_of(tools, folder, variant, args, schedule):
    emitted, program = '%s/%s.cpp' % (folder, stem(variant)), '%s/%s' % (folder, stem(variant))
    if not os.path.exists(program):
        tools.translate('program.mcu', emitted, variant, args)
        tools.compile(emitted, program)
    return tools.run(program, schedule)


def is_valid(options, tools, folder, args, reference):
    """Dear, so it comes last."""
    twin = folder + '/twin.cpp'
    try:
        flags = [f for f in tools.flags if f not in ('-w', '-O0')]
        if command(['g++'] + flags + WARNINGS + ['-c', twin, '-o', folder + '/warned.o'], 120)[0]:
            return False
        clean = Tools(options.mesicc, options.build, sanitize=True)
        clean.compile(twin, folder + '/clean')
        clean.run(folder + '/clean', 'forward')
        return all(
            difference(reference, result_of(tools, folder, '0', args, schedule)) is None
            for schedule in SCHEDULES
        )
    except Broken:
        return False


def fails(options, tools, folder, args, reference):
    if options.twin:
        tools.compile(folder + '/twin.cpp', folder + '/twin')
        return difference(tools.run(folder + '/twin', 'forward'), reference) is not None
    for level in [l for l in options.levels.split(',') if l != '0']:
        for schedule in SCHEDULES:
            try:
                if difference(reference, result_of(tools, folder, level, args, schedule)):
                    return True
            except Broken as broken:
                return broken.kind in ('crash', 'compiler')
    return False


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--mesicc', required=True)
    parser.add_argument('--build', required=True)
    parser.add_argument('--levels', default='1,2,3')
    parser.add_argument('--twin', action='store_true')
    options = parser.parse_args()
    tools = Tools(options.mesicc, options.build)
    args = arguments_of(read('program.mcu'))
    with tempfile.TemporaryDirectory() as folder:
        with open(folder + '/twin.cpp', 'w') as file:
            file.write(twin_of(read('program.mcu')))
        try:
            reference = result_of(tools, folder, '0', args, SCHEDULES[0])
            shown = fails(options, tools, folder, args, reference) and is_valid(
                options, tools, folder, args, reference
            )
        except Broken:
            shown = False
        return 0 if shown else 1


if __name__ == '__main__':
    sys.exit(main())
# SPDX-License-Identifier: MIT
