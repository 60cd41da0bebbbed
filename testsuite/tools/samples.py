#!/usr/bin/env python3
"""Every sample at small sizes through `mesicc compare` on the CPU backend, and the published
outcomes of the plan. Every benchmark likewise, and those of its peers that need no library.
--every N: of the benchmarks and peers every Nth, each day others.
Last line: N passed, N failed."""
import argparse, concurrent.futures, glob, os, re, time

from harness import ROOT, finish, precompiled, report, run

COMPARED = [
    ('matmul', ['-DN=128', '-DBX=32']),
    ('matmul', ['-DN=256', '-DBX=128']),
    ('matmul', ['-DN=128', '-DBX=64', '-DELEM=float']),
    ('dif', ['-DN=4096', '-DSTEPS=20', '-DBX=32']),
    ('dif', ['-DN=8192', '-DSTEPS=20', '-DBX=256']),
    ('ep', ['-DCLASS=S']),
    ('ep', ['-DCLASS=S', '-DWHOLE']),
    ('pipeline', ['-DFRAMES=3', '-DPIXELS=20000', '-DROUNDS=3']),
]
PUBLISHED = (
    [  # sample, options, staged arrays with their sizes by dimension, arrays that are not staged
        ('matmul', ['-DN=1024', '-DBX=128'], {'a': [1, 1024], 'c': [1, 128]}, ['b']),
        ('dif', ['-DBX=128'], {'u': [130]}, []),
        ('ep', ['-DBX=128'], {'q': [128, 10]}, ['numbers']),
        ('ep', ['-DBX=32', '-DWHOLE'], {'q': [32, 10]}, ['numbers']),
    ]
)


def staged_arrays(text):
    """Array name -> list of dimension sizes, from --dump-plan."""
    arrays, name = {}, None
    for line in text.splitlines():
        found = re.match(r'  plan (stage|skip) (\w+)', line)
        if found:
            name = found.group(2) if found.group(1) == 'stage' else None
            if name:
                arrays[name] = []
        found = re.match(r'    dim (\d+) ', line)
        if found and name:
            arrays[name].append(int(found.group(1)))
    return arrays


parser = argparse.ArgumentParser()
parser.add_argument('--mesicc', required=True)
parser.add_argument(
    '--only', choices=['compared', 'folders', 'published', 'bench'], help='run one of the parts'
)
parser.add_argument('--every', type=int, default=1)
options = parser.parse_args()
FAST = precompiled()


def path_of(sample):
    return os.path.join(ROOT, 'samples', sample, sample + '.mcu')


def said(*words):
    """mesicc's status and all that it says."""
    status, out, err = run([options.mesicc] + list(words))
    return status, out + err


def compared(task):
    """What is wrong with a sample at a size; None: nothing."""
    sample, args = task
    status, text = said('compare', '--target=cpu', '--levels=0,1,2', *FAST, *args, path_of(sample))
    return None if status == 0 and 'results agree' in text and 'check: ok' in text else text


def bench(program):
    status, text = said('compare', '--target=cpu', '-arch=sm_90', '--levels=0,2', *FAST, program)
    return None if status == 0 and 'results agree' in text and 'check: ok' in text else text


def peer(program):
    status, text = said('run', '--target=cpu', '-O0', *FAST, program)
    return None if status == 0 and 'check: ok' in text and 'kernel_ms ' in text else text


if options.only in (None, 'compared'):
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for (sample, args), problem in zip(COMPARED, pool.map(compared, COMPARED)):
            report('%s %s' % (sample, ' '.join(args)), problem)
if options.only in (None, 'folders'):
    for folder in sorted(glob.glob(os.path.join(ROOT, 'samples', '*', ''))):
        if os.path.basename(folder[:-1]) == 'figures':
            continue
        status, text = said('--target=cpu', '-O1', '-o', os.devnull, folder)
        report(os.path.relpath(folder, ROOT) + ' as a program', None if status == 0 else text)
for sample, args, wanted, unwanted in PUBLISHED if options.only in (None, 'published') else []:
    for toolkit in ([], ['--cuda-path=']):
        status, text = said('-O1', '--dump-plan', *toolkit, *args, path_of(sample))
        arrays = staged_arrays(text)
        wrong = [a for a in wanted if arrays.get(a) != wanted[a]] + [
            a for a in unwanted if a in arrays
        ]
        report(
            'published plan of %s %s' % (sample, toolkit),
            '%s differ in:\n%s' % (wrong, text) if wrong else None,
        )

if options.only in (None, 'bench'):
    folder = os.path.join(ROOT, 'samples', 'bench', '*')
    programs = [(bench, path) for path in sorted(glob.glob(folder + '/*.mcu'))]
    programs += [
        (peer, path)
        for path in sorted(glob.glob(folder + '/peers/*.cu'))
        if not os.path.exists(path[:-3] + '.args')
    ]
    programs = programs[int(time.time() / 86400) % options.every :: options.every]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for (_, path), problem in zip(programs, pool.map(lambda job: job[0](job[1]), programs)):
            report(os.path.relpath(path, ROOT), problem)
finish()
# SPDX-License-Identifier: MIT
