#!/usr/bin/env python3
"""Translation time with a warm PCH against `nvcc -c` on the emitted file, and peak memory. Medians
of five runs each (three of nvcc). Times are of the processor, user and system, all processes of a
command: what else the machine does hardly shows in them.
usage: translation_time.py --mesicc PATH [--level N] [FILE...]    default: the samples"""
import argparse, os, resource, shutil, statistics, subprocess, sys, tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
parser = argparse.ArgumentParser()
parser.add_argument('--mesicc', required=True)
parser.add_argument('--level', default='1')
parser.add_argument('files', nargs='*')
options = parser.parse_args()
files = options.files or [
    os.path.join(ROOT, 'samples', s, s + '.mcu') for s in ('matmul', 'dif', 'ep')
]
nvcc = shutil.which('nvcc') or '/usr/local/cuda/bin/nvcc'


def timed(argv, runs=5):
    times, peak = [], 0
    for _ in range(runs):
        child = subprocess.Popen(argv, stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(child.pid, 0)
        times.append(usage.ru_utime + usage.ru_stime)
        peak = max(peak, usage.ru_maxrss)
        if status:
            sys.exit('failed: %s' % argv)
    return statistics.median(times), peak


rows = []
with tempfile.TemporaryDirectory() as work:
    for path in files:
        output = os.path.join(work, '%d_%s.cu' % (len(rows), os.path.basename(path)))
        translate = [options.mesicc, '-O' + options.level, '-o', output, path]
        timed(translate, 1)
        rows.append([path, output, timed(translate)[0]])
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024  # nothing else has run yet
    print('%-12s %14s %12s %8s' % ('file', 'translation s', 'nvcc -c s', 'ratio'))
    for path, output, ours in rows:
        theirs = 0
        if os.path.exists(nvcc):
            theirs, _ = timed(
                [
                    nvcc,
                    '-std=c++17',
                    '--extended-lambda',
                    '-O3',
                    '-arch=sm_90',
                    '-I',
                    os.path.join(ROOT, 'runtime'),
                    '-I',
                    os.path.dirname(os.path.abspath(path)),
                    '-c',
                    output,
                    '-o',
                    work + '/out.o',
                ],
                3,
            )
        print(
            '%-12s %14.3f %12.3f %8.3f'
            % (os.path.basename(path), ours, theirs, ours / theirs if theirs else 0)
        )
print('peak memory of a translation: %.0f MB' % peak)
# SPDX-License-Identifier: MIT
