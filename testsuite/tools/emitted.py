#!/usr/bin/env python3
"""Translates programs for the GPU with the code that plans have made checked (mesicc
--verify-emitted), and says how much of it is proved.

usage: emitted.py --mesicc PATH [--jobs N] [--levels 3] [--archs sm_90] [--untold] [FILE...]
FILE: conformance programs, plain CUDA programs, samples and benchmarks where none is given.
--untold: prints what could not be told, with how often. A program that does not translate, or says
nothing of what was looked at, has failed. Last line: "N passed, N failed".
"""
import argparse, collections, concurrent.futures, glob, os, sys, tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, 'testsuite', 'tools'))
import programs

PATTERNS = (
    'testsuite/conformance/*.mcu',
    'testsuite/cuda/*.cu',
    'testsuite/bench/*/*.mcu',
    'samples/*/*.mcu',
    'samples/bench/*/*.mcu',
)
FOLDERS = ('samples/mpf', 'samples/junction', 'samples/binning')  # of headers that samples share


def args_of(path):
    return programs.Runner.args_of(None, path)


def translate(task):
    """The numbers of the line, what could not be told, and the message of a finding."""
    mesicc, path, level, arch = task
    with tempfile.TemporaryDirectory(prefix='mesi-emitted-') as folder:
        log = folder + '/log'
        argv = [mesicc, '-O' + level, '-arch=' + arch, '-I', os.path.dirname(path)] + [
            w for f in FOLDERS for w in ('-I', os.path.join(ROOT, f))
        ]
        status, text = programs.run(
            argv + args_of(path) + ['-o', folder + '/out.cu', path],
            timeout=600,
            env=dict(os.environ, MESI_VERIFY_EMITTED=log, MESI_TIME_LIMIT='300'),
        )
        lines = open(log).read().splitlines() if os.path.exists(log) else []
    found = programs.EMITTED.search(lines[0]) if lines else None
    wrong = [line for line in text.splitlines() if 'M3005' in line or 'M3003' in line]
    if not wrong and (status or not found):
        wrong = ['status %d' % status] + text.splitlines()[:2]
    return (
        [int(n) for n in found.groups()] if found else None,
        [line.strip() for line in lines[1:]],
        wrong,
    )


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--mesicc', required=True)
    parser.add_argument('--jobs', type=int, default=os.cpu_count())
    parser.add_argument('--levels', default='3')
    parser.add_argument('--archs', default='sm_90')
    parser.add_argument('--untold', action='store_true')
    parser.add_argument('files', nargs='*')
    options = parser.parse_args()
    files = options.files or sorted(
        f for pattern in PATTERNS for f in glob.glob(os.path.join(ROOT, pattern))
    )
    passed = failed = 0
    for arch in options.archs.split(','):
        for level in options.levels.split(','):
            sums, untold = [0] * 11, collections.Counter()
            tasks = [(options.mesicc, os.path.abspath(path), level, arch) for path in files]
            with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
                for task, (numbers, unknown, wrong) in zip(tasks, pool.map(translate, tasks)):
                    name = os.path.basename(task[1])
                    if wrong:
                        failed += 1
                        print(
                            'FAILED %s -O%s %s: %s' % (name, level, arch, '\n  '.join(wrong)),
                            flush=True,
                        )
                    else:
                        passed += 1
                    sums = [a + b for a, b in zip(sums, numbers or [0] * 11)]
                    untold.update('%s: %s' % (name, line) for line in unknown)
            print('-O%s %s: %s' % (level, arch, programs.emitted_line(sums)), flush=True)
            if options.untold:
                for line, times in sorted(untold.items()):
                    print('  %d x %s' % (times, line))
    print('%d passed, %d failed' % (passed, failed))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
# SPDX-License-Identifier: MIT
