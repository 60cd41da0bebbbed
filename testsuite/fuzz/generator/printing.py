# SPDX-License-Identifier: MIT
"""The two texts of a program.

    notation     @VS float a[N];   @LAUNCH k @CONFIG 4, 64 @ARGS a, n @END;   @MALLOC(n)   @DUMP
                 @DYNAMIC float s;   (the kernel's dynamic shared memory)
                 @OUTSIDE in front of a line of a .mcu, @INSIDE in front of one of a twin
    .mcu         __global__ float a[N];   k<<<4, 64>>>(a, n);   mesi_malloc(n)
    twin         float a[N];   mesi_cpu::launch(k, mesi_cpu::config(4, 64), a, n);   malloc(n)
                               twin_object(...) for each

The twin has one memory and no transfers: what mesicc and the runtime do with VS memory is not in
it.
"""
import re

LAUNCH = re.compile(r'@LAUNCH ([\w<>, ]+?) @CONFIG (.*?) @ARGS (.*?) @END')
DYNAMIC = re.compile(r'@DYNAMIC (\w+) (\w+);')
DUMP = '@DUMP'


def mcu(lines):
    text = (
        '\n'.join(line for line in lines if line.strip() != DUMP and '@INSIDE ' not in line) + '\n'
    )
    text = text.replace('@OUTSIDE ', '')
    text = LAUNCH.sub(lambda m: '%s<<<%s>>>(%s)' % m.groups(), text)
    text = DYNAMIC.sub(r'extern __shared__ \1 \2[];', text)
    text = text.replace('@VS', '__global__').replace('@MALLOC', 'mesi_malloc')
    return text.replace('@CALLOC', 'mesi_calloc').replace('@REALLOC', 'mesi_realloc')


def _call(match):
    name, configuration, arguments = match.groups()
    return 'mesi_cpu::launch(%s, mesi_cpu::config(%s)%s)' % (
        name,
        configuration,
        ', ' + arguments if arguments else '',
    )


def twin(lines, objects):
    out = ['#include <mesi_cpu.h>', '#include "twin.h"']
    for line in lines:
        if line.strip() == DUMP:
            out += [
                '  twin_object("%s", %s, %d * sizeof(%s));'
                % (
                    'mesi_malloc' if array.storage == 'dynamic' else array.name.lstrip(':'),
                    array.name,
                    array.count,
                    array.element.name,
                )
                for array in objects
            ]
            out.append('  twin_dump();')
        elif '@OUTSIDE ' not in line:
            out.append(line.replace('@INSIDE ', ''))
    text = LAUNCH.sub(_call, '\n'.join(out) + '\n')
    text = DYNAMIC.sub(r'\1 (&\2)[] = *(\1 (*)[])mesi_cpu_dynamic_shared();', text)
    text = text.replace('@VS ', '').replace('@MALLOC', 'malloc')
    text = text.replace('__CUDA_ARCH__', 'MESI_CUDA_ARCH')
    return text.replace('@CALLOC', 'calloc').replace('@REALLOC', 'realloc')
