#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Times the kernels of a bundle of programs with Nsight Compute, each level beside -O0.

usage: times.py FILE SECONDS [NAME...]     in the bundle's folder, behind ./run.sh -b

A kernel's time is the sum of gpu__time_duration over its launches (the first 300 of a program); the
emitted kernels count for the kernel whose name theirs begins with. The output of each level is
compared with that of -O0. The table goes to FILE, too; no program starts behind SECONDS."""
import csv
import glob
import io
import math
import os
import re
import subprocess
import sys
import time
from collections import defaultdict

METRIC = 'gpu__time_duration.sum'
MICROSECONDS = {'ns': 1e-3, 'nsecond': 1e-3, 'us': 1, 'usecond': 1, 'ms': 1e3, 'msecond': 1e3}
NCU = ['ncu', '--clock-control', 'none', '--metrics', METRIC, '--csv', '--print-kernel-base']
LEAST = 3  # us: shorter kernels are left out of the means


def arguments_of(name):
    path = 'src/%s.run' % name
    return open(path).read().split('\n')[:-1] if os.path.exists(path) else []


def kernels_of(program, arguments):
    """Kernel -> [launches, us]; None where ncu says nothing."""
    done = subprocess.run(
        ['timeout', '60'] + NCU + ['function', '-c', '300', program] + arguments,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    text = done.stdout.decode(errors='replace')
    table = text[text.index('"ID"') :] if '"ID"' in text else ''
    found = defaultdict(lambda: [0, 0.0])
    for row in csv.DictReader(io.StringIO(table)):
        if row['Metric Name'] == METRIC:
            value = float(row['Metric Value'].replace(',', ''))
            found[row['Kernel Name']][0] += 1
            found[row['Kernel Name']][1] += value * MICROSECONDS[row['Metric Unit']]
    return found if table else None


def by_kernel(found, names):
    """The times of emitted kernels, by the name as written that is a part of theirs."""
    sums = defaultdict(float)
    for kernel, (_, us) in (found or {}).items():
        own = (n for n in names if kernel == n or kernel.startswith(n + '_'))
        sums[next(own, '?' + kernel)] += us
    return sums


def time_program(name, say):
    """(gain at -O2, best gain) of each kernel of more than LEAST us."""
    levels = sorted(path[-1] for path in glob.glob('build/%s_O?' % name))
    outputs, found = {}, {}
    for level in levels:
        program = 'build/%s_O%s' % (name, level)
        done = subprocess.run(
            ['timeout', '40', program] + arguments_of(name),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        outputs[level] = (done.returncode, done.stdout)
        found[level] = kernels_of(program, arguments_of(name))
    others = [level for level in levels if level != '0']
    same = ['O%s %s' % (l, 'same' if outputs[l] == outputs['0'] else 'differs') for l in others]
    say('== %s: status %d, %s' % (name, outputs['0'][0], ', '.join(same)))
    names = sorted(found['0'] or {}, key=len, reverse=True)
    sums = {level: by_kernel(found[level], names) for level in levels}
    gains = []
    for kernel in sorted(names):
        launches, us = found['0'][kernel]
        ratio = {l: us / sums[l][kernel] if sums[l].get(kernel) else 0 for l in others}
        columns = ' '.join('O%s %6.2f' % item for item in ratio.items())
        say('   %-28s %9.2f us x %4d  %s' % (kernel, us / launches, launches, columns))
        if us / launches > LEAST and ratio.get('2'):
            gains.append((ratio['2'], max(ratio.values())))
    return gains


def mean(numbers):
    return math.exp(sum(map(math.log, numbers)) / len(numbers))


def main():
    end, only = time.time() + float(sys.argv[2]), sys.argv[3:]
    names = sorted(re.sub(r'_O0$', '', os.path.basename(p)) for p in glob.glob('build/*_O0'))
    gains = []
    with open(sys.argv[1], 'a') as file:

        def say(line):
            print(line, flush=True)
            file.write(line + '\n')
            file.flush()

        for name in names:
            if not only or name in only:
                if time.time() < end:
                    gains += time_program(name, say)
                else:
                    say('== %s: no time is left' % name)
        if gains:
            say(
                '%d kernels of more than %d us: mean gain %.3f at -O2, %.3f at the best level; %d'
                ' gain more than 1.05; %d are below 0.975 at -O2'
                % (
                    len(gains),
                    LEAST,
                    mean([gain for gain, _ in gains]),
                    mean([best for _, best in gains]),
                    sum(best > 1.05 for _, best in gains),
                    sum(gain < 0.975 for gain, _ in gains),
                )
            )


if __name__ == '__main__':
    main()
