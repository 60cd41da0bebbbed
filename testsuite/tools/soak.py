#!/usr/bin/env python3
"""Translates testsuite/soak/soak.mcu for the CPU and runs it: threads that use virtual shared data
at random, beside a plain twin.

usage: soak.py --mesicc PATH --build DIR [--seconds N] [--seed N] [--levels 0,1]
With copies at once and as late as the waits allow, half of the time each, shared by the levels.
Last line: "N passed, N failed"."""
import argparse, os, subprocess, sys, tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def build(options, level, work):
    runtime, libraries = ROOT + '/runtime', os.path.abspath(options.build) + '/runtime'
    source, program = '%s/soak%s.cpp' % (work, level), '%s/soak%s' % (work, level)
    subprocess.run(
        [
            options.mesicc,
            '--target=cpu',
            '-O' + level,
            '-o',
            source,
            ROOT + '/testsuite/soak/soak.mcu',
        ],
        check=True,
    )
    subprocess.run(
        [
            'g++',
            '-std=c++17',
            '-O1',
            '-g',
            '-w',
            '-pthread',
            '-isystem',
            runtime,
            '-isystem',
            runtime + '/cpu',
            '-isystem',
            runtime + '/cpu/include',
            source,
        ]
        + [
            libraries + l
            for l in ('/cpu/libmesi_cpu.a', '/libmesi_cpu_core.a', '/cpu/libmesi_cpu.a')
        ]
        + ['-lboost_context', '-ldl', '-lm', '-o', program],
        check=True,
    )
    return program


def run(program, seconds, seed, late):
    env = dict(os.environ, MESI_CPU_COPIES='late' if late else '')
    try:
        done = subprocess.run(
            [program, str(seconds), str(seed)],
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=3 * seconds + 60,
        )
        return done.returncode, done.stdout.decode(errors='replace')
    except subprocess.TimeoutExpired as timeout:
        return 124, 'hangs: ' + (timeout.stdout or b'').decode(errors='replace')


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--mesicc', required=True)
    parser.add_argument('--build', required=True)
    parser.add_argument('--seconds', type=float, default=10)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--levels', default='0,1')
    options = parser.parse_args()
    levels, passed, failed = options.levels.split(','), 0, 0
    with tempfile.TemporaryDirectory() as work:
        for level in levels:
            program = build(options, level, work)
            for late in (False, True):
                status, text = run(program, options.seconds / len(levels) / 2, options.seed, late)
                print(
                    '-O%s%s: %s' % (level, ', late copies' if late else '', text.strip()),
                    flush=True,
                )
                passed, failed = passed + (status == 0), failed + (status != 0)
                if status:
                    print('FAILED with status %d' % status)
    print('%d passed, %d failed' % (passed, failed))
    return 1 if failed else 0


sys.exit(main())
# SPDX-License-Identifier: MIT
