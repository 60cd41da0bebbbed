#!/usr/bin/env python3
"""Translates programs in every way that makes a difference, without compiling or running what comes
out: each level, both targets, with the checker, and as a whole program. A translation that ends
with anything but a status of design 2 counts as failed.

usage: translate_all.py --mesicc PATH [--jobs N] FILE...      Last line: N passed, N failed.
"""
import argparse, concurrent.futures, os, subprocess, sys

from heads import args_of

STATUSES = (0, 1, 2, 3)
WAYS = [
    way.split()
    for way in (
        '-O0',
        '-O1 --hook-launches -Rmesi',
        '-O2 -Rmesi',
        '-O3 --whole-program',
        '--target=cpu -O1 --whole-program -Rmesi',
        '--target=cpu -O0 --check',
        '--target=cpu -O1 --check',
        '--target=cpu -O2 --check',
    )
]


def translate(mesicc, path):
    folder, name = os.path.split(os.path.abspath(path))
    for way in WAYS:
        argv = [mesicc, '--cuda-path='] + args_of(path) + way + ['-o', '/dev/null', '-I', '.', name]
        done = subprocess.run(
            argv,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        if done.returncode not in STATUSES:
            return '%s: ends with %d\n%s' % (
                ' '.join(argv),
                done.returncode,
                done.stderr.decode(errors='replace')[-2000:],
            )
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--mesicc', required=True)
    parser.add_argument('--jobs', type=int, default=os.cpu_count())
    parser.add_argument('files', nargs='+')
    options = parser.parse_args()
    mesicc = os.path.abspath(options.mesicc)
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for problem in pool.map(lambda path: translate(mesicc, path), options.files):
            if problem:
                failed += 1
                print('FAILED ' + problem, flush=True)
    print('%d passed, %d failed' % (len(options.files) - failed, failed))
    return 1 if failed else 0


sys.exit(main())
# SPDX-License-Identifier: MIT
