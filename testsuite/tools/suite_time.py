#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Translation time against `nvcc -c -arch=sm_90` on the file as written, for the units of trees.
Times are of the processor, user and system, all processes of a command. mesicc keeps no results;
its precompiled header is warm.

usage: suite_time.py --mesicc PATH [--level N] [--every N] [--nvcc FILE] [--only WORD] [-D MACRO]
                     TREE...
--every N: every Nth unit of each tree. --nvcc FILE: keeps nvcc's seconds there, for the next run.
Units are those that `mesicc survey` takes, with the folders of headers that it finds, and that nvcc
compiles with the same folders."""
import argparse, json, math, os, resource, shutil, subprocess, tempfile

parser = argparse.ArgumentParser()
parser.add_argument('--mesicc', required=True)
parser.add_argument('--level', default='2')
parser.add_argument('--every', type=int, default=1)
parser.add_argument('--nvcc')
parser.add_argument('--only', default='')
parser.add_argument('-D', action='append', default=[], dest='macros')
parser.add_argument('--worst', type=int, default=10)
parser.add_argument('trees', nargs='+')
options = parser.parse_args()
MACROS = ['-D' + macro for macro in options.macros]
NVCC = shutil.which('nvcc') or '/usr/local/cuda/bin/nvcc'
environment = {k: v for k, v in os.environ.items() if k != 'MESI_OBJECTS'}


def timed(argv):
    """The seconds of the processor; None: it failed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        argv, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        env=environment,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return None if done.returncode else seconds


def units(tree):
    """The units of a tree that are taken, with their folders of headers."""
    done = subprocess.run(
        [options.mesicc, 'survey', '--json', '-O0', '-arch=sm_90'] + MACROS + [tree],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment,
    )
    taken = [unit for unit in json.loads(done.stdout)['units'] if unit['taken']]
    for unit in taken[:: options.every]:
        if options.only in unit['unit']:
            folders = dict.fromkeys(header['folder'] for header in unit['headers'])
            yield unit['unit'], [word for folder in folders for word in ('-I', folder)]


def kept():
    return json.load(open(options.nvcc)) if options.nvcc and os.path.exists(options.nvcc) else {}


def table(rows):
    if not rows:
        print('0 units')
        return
    ratios = [ours / theirs for _, ours, theirs in rows]
    print('%d units; mesicc %.1f s, nvcc %.1f s' % (
        len(rows), sum(r[1] for r in rows), sum(r[2] for r in rows)))
    print('ratio: mean %.3f, geometric mean %.3f, most %.3f, above 0.5: %d, above 1: %d' % (
        sum(ratios) / len(ratios),
        math.exp(sum(map(math.log, ratios)) / len(ratios)),
        max(ratios),
        sum(r > 0.5 for r in ratios),
        sum(r > 1 for r in ratios),
    ))
    for path, ours, theirs in sorted(rows, key=lambda r: -r[1] / r[2])[: options.worst]:
        print('| %s | %.2f s | %.2f s | %.2f |' % (path, ours, theirs, ours / theirs))


def main():
    seconds, rows = kept(), []
    with tempfile.TemporaryDirectory() as work:
        for tree in options.trees:
            for path, folders in units(tree):
                if path not in seconds:
                    seconds[path] = timed(
                        [NVCC, '-w', '-arch=sm_90']
                        + MACROS
                        + folders
                        + ['-c', path, '-o', work + '/o.o']
                    )
                    if options.nvcc:
                        json.dump(seconds, open(options.nvcc, 'w'), indent=0)
                if seconds[path] is None:
                    continue
                ours = timed(
                    [options.mesicc, '-O' + options.level, '-arch=sm_90']
                    + MACROS
                    + folders
                    + ['-o', work + '/o.cu', path]
                )
                if ours is not None:
                    rows.append((os.path.relpath(path, os.path.dirname(tree)), ours, seconds[path]))
                    print('%-60s %6.2f %6.2f' % rows[-1], flush=True)
    table(rows)


main()
