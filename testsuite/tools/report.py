#!/usr/bin/env python3
"""What --explain says of a launch is what is emitted: each launch of a program, at several levels,
as the report has it (its kernel as written or another, in parts, put together with others) and as
the emitted text has it.

usage: report.py --mesicc PATH [--every N] [--level O2]... [--arch sm_90] [FILE...]
FILE: all conformance programs where none is given, which takes four minutes of processor time;
programs.py says the same of each program at -O3. Last line: N passed, N failed."""
import argparse, concurrent.futures, glob, os, re, subprocess, tempfile

from harness import ROOT
from kept import wall
from programs import of_today
from reported import wrong_launches


def translate(options, path, level, *more):
    argv = [options.mesicc, '--cuda-path=', '-' + level, '-arch=' + options.arch, '-o', '-']
    with open(path, errors='replace') as file:
        found = re.search(r'args: (.*)', file.readline())
    given = (
        [a for a in found.group(1).replace('*/', '').split() if not a.startswith('-O')]
        if found
        else []
    )
    done = subprocess.run(
        argv + list(more) + given + ['-I' + os.path.dirname(path), path],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        timeout=wall(120),
    )
    return done.stdout.decode(errors='replace') if not done.returncode else None


def wrong_at_level(options, path, level, written):
    """How many launches there are, and what is wrong."""
    with tempfile.NamedTemporaryFile() as file:
        text = translate(options, path, level, '--explain=json', '--explain-file=' + file.name)
        report = open(file.name, errors='replace').read()
    if text is None or written is None:
        return 0, []
    launches, wrong = wrong_launches(path, written, text, report)
    return launches, ['-%s: %s' % (level, problem) for problem in wrong]


def wrong_in_program(options, path):
    """(launches, what is wrong) at each level."""
    written = translate(options, path, 'O0')
    return [wrong_at_level(options, path, level, written) for level in options.level]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--mesicc', required=True)
    parser.add_argument('--every', type=int, default=1, help='one file of so many, each day others')
    parser.add_argument('--level', action='append')
    parser.add_argument('--arch', default='sm_90')
    parser.add_argument('--jobs', type=int, default=os.cpu_count())
    parser.add_argument('files', nargs='*')
    options = parser.parse_args()
    options.mesicc = os.path.abspath(options.mesicc)
    files = options.files or sorted(
        glob.glob(os.path.join(ROOT, 'testsuite', 'conformance', '*.*cu'))
    )
    options.level = options.level or ['O1', 'O2', 'O3']
    results = []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for found in pool.map(
            lambda f: wrong_in_program(options, f), of_today(files, options.every)
        ):
            results += found
            for text in [text for _, wrong in found for text in wrong]:
                print(text, flush=True)
    failed = sum(bool(wrong) for _, wrong in results)
    print('%d launches in %d translations' % (sum(n for n, _ in results), len(results)))
    print('%d passed, %d failed' % (len(results) - failed, failed))
    return failed > 0


if __name__ == '__main__':
    raise SystemExit(main())
# SPDX-License-Identifier: MIT
