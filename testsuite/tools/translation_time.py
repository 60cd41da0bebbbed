#!/usr/bin/env python3
"""Translation time with a warm PCH against `nvcc -c` on the emitted file, and peak memory. Medians of five runs each.
usage: translation_time.py --mesicc PATH [--level N] [FILE...]    default: the samples"""
import argparse, os, resource, shutil, statistics, subprocess, sys, tempfile, time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
parser = argparse.ArgumentParser()
parser.add_argument('--mesicc', required=True)
parser.add_argument('--level', default='1')
parser.add_argument('files', nargs='*')
options = parser.parse_args()
files = options.files or [os.path.join(ROOT, 'samples', s, s + '.mcu') for s in ('matmul', 'dif', 'ep')]
nvcc = shutil.which('nvcc') or '/usr/local/cuda/bin/nvcc'

def timed(argv, runs=5):
    times, peak = [], 0
    for _ in range(runs):
        start = time.time()
        child = subprocess.Popen(argv, stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(child.pid, 0)
        times.append(time.time() - start)
        peak = max(peak, usage.ru_maxrss)
        if status:
            sys.exit('failed: %s' % argv)
    return statistics.median(times), peak

print('%-12s %14s %12s %8s %16s' % ('file', 'translation s', 'nvcc -c s', 'ratio', 'peak memory MB'))
with tempfile.TemporaryDirectory() as work:
    for path in files:
        output = os.path.join(work, 'out.cu')
        translate = [options.mesicc, '-O' + options.level, '-o', output, path]
        timed(translate, 1)
        ours, _ = timed(translate)
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss  # of all descendants so far: the sandboxed child too
        if os.path.exists(nvcc):
            theirs, _ = timed([nvcc, '-std=c++17', '-arch=sm_90', '-I', os.path.join(ROOT, 'runtime'), '-c', output, '-o', work + '/out.o'], 3)
            print('%-12s %14.3f %12.3f %8.3f %16.0f' % (os.path.basename(path), ours, theirs, ours / theirs, peak / 1024))
        else:
            print('%-12s %14.3f %12s %8s %16.0f' % (os.path.basename(path), ours, '-', '-', peak / 1024))
