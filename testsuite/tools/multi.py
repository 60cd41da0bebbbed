#!/usr/bin/env python3
"""Programs of several files (testsuite/conformance/multi/*): every .mcu is translated for the CPU,
.c and .cpp files are compiled by gcc and g++ alone, those of the folder lib become a static
library; all is linked and run.
Last line: N passed, N failed."""
import argparse, glob, os, subprocess, sys, tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
parser = argparse.ArgumentParser()
parser.add_argument('--mesicc', required=True)
parser.add_argument('--build', required=True)
options = parser.parse_args()
runtime, passed, failed = os.path.join(ROOT, 'runtime'), 0, 0


def compile_all(folder, level, work, objects, shared):
    for source in sorted(glob.glob(folder + '/*.mcu')):
        emitted = os.path.join(work, os.path.basename(source)[:-4] + '.mcu.cpp')
        yield [options.mesicc, '--target=cpu', '-O%d' % level, '-I', shared, '-o', emitted, source]
        objects.append(emitted + '.o')
        yield [
            'g++',
            '-std=c++17',
            '-O1',
            '-w',
            '-ffp-contract=off',
            '-I',
            folder,
            '-I',
            shared,
            '-isystem',
            runtime,
            '-isystem',
            runtime + '/cpu',
            '-isystem',
            runtime + '/cpu/include',
            '-c',
            emitted,
            '-o',
            objects[-1],
        ]
    for source in sorted(glob.glob(folder + '/*.c')):
        objects.append(os.path.join(work, os.path.basename(source) + '.o'))
        yield [
            'gcc',
            '-O1',
            '-Wall',
            '-Werror',
            '-I',
            folder,
            '-I',
            shared,
            '-I',
            runtime,
            '-c',
            source,
            '-o',
            objects[-1],
        ]
    for source in sorted(glob.glob(folder + '/*.cpp')):
        objects.append(os.path.join(work, os.path.basename(source) + '.o'))
        yield [
            'g++',
            '-O1',
            '-Wall',
            '-Werror',
            '-I',
            folder,
            '-I',
            shared,
            '-I',
            runtime,
            '-c',
            source,
            '-o',
            objects[-1],
        ]


def steps(folder, level, work):
    objects, members, archive = [], [], []
    yield from compile_all(folder, level, work, objects, folder)
    yield from compile_all(folder + '/lib', level, work, members, folder)
    if members:
        archive = [work + '/libvs.a']
        yield ['ar', 'rcs'] + archive + members
    libraries = [
        options.build + '/runtime' + l
        for l in ('/cpu/libmesi_cpu.a', '/libmesi_cpu_core.a', '/cpu/libmesi_cpu.a')
    ]
    yield ['g++', '-pthread'] + objects + archive + libraries + [
        '-lboost_context',
        '-ldl',
        '-lm',
        '-o',
        work + '/program',
    ]
    yield [work + '/program']


for folder in sorted(glob.glob(os.path.join(ROOT, 'testsuite/conformance/multi/*/'))):
    for level in (0, 1):
        with tempfile.TemporaryDirectory() as work:
            problem = None
            for argv in steps(folder.rstrip('/'), level, work):
                done = subprocess.run(argv, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
                if done.returncode:
                    problem = '%s\n%s' % (
                        ' '.join(argv),
                        done.stdout.decode(errors='replace')[:2000],
                    )
                    break
            if problem:
                failed += 1
                print('FAILED %s -O%d: %s' % (folder, level, problem))
            else:
                passed += 1
print('%d passed, %d failed' % (passed, failed))
sys.exit(1 if failed else 0)
# SPDX-License-Identifier: MIT
