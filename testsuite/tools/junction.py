#!/usr/bin/env python3
"""The junction sample: its checks at all levels and schedules of the CPU backend and with double, a
small sweep, wrong words. What propagation gives is in mpf.py.
Last line: N passed, N failed."""
import argparse, concurrent.futures, glob, os, tempfile

from harness import ROOT, finish, precompiled, report, run

MPF, SAMPLE = os.path.join(ROOT, 'samples/mpf'), os.path.join(ROOT, 'samples/junction')
FILES = (
    ['-lz', '-I', MPF, '-I', SAMPLE, SAMPLE + '/junction.mcu']
    + sorted(glob.glob(SAMPLE + '/*.c'))
    + [
        os.path.join(MPF, name + '.c')
        for name in ('words', 'crew', 'network', 'order', 'text', 'bif')
    ]
)

parser = argparse.ArgumentParser()
parser.add_argument('--mesicc', required=True)
options = parser.parse_args()
FAST = precompiled()


def build(work):
    """Programs of all levels, which compare leaves in its folder; with double."""
    commands = {
        'compare': ['compare', '--target=cpu', '--levels=0,1,2', '--keep=' + work]
        + FAST
        + FILES
        + ['--', 'check', '--keep', '--random', '12'],
        'double': ['run', '--target=cpu', '-DREAL=double', '--keep=' + work + '/double']
        + FAST
        + FILES
        + ['--', 'check'],
    }
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        results = pool.map(lambda words: run([options.mesicc] + words), commands.values())
    for what, (status, out, err) in zip(commands, results):
        agree = what != 'compare' or 'results agree' in out
        report(what, None if status == 0 and agree and 'check: ok' in out else out + err)


def levels_and_schedules(work):
    for level in (0, 1, 2):
        for schedule in ('forward', 'reverse', 'random:1'):
            status, out, err = run(
                [
                    '%s/program_O%d' % (work, level),
                    'check',
                    '--random',
                    '15',
                    '--seed',
                    str(level + 2),
                ],
                MESI_SCHEDULE=schedule,
            )
            report(
                '-O%d, %s' % (level, schedule),
                None if status == 0 and 'check: ok' in out else out + err,
            )


def figures(work):
    """The versions by hand, which the figures check, and lines of each figure."""
    words = ['figures', '--width', '9', '--entries', '10', '--repeats', '1']
    for level in (0, 2):
        status, out, err = run(['%s/program_O%d' % (work, level)] + words)
        lines = [out.count('\nfigure %d |' % figure) for figure in (3, 4, 5)]
        good = status == 0 and 'check: ok' in out and lines == [5, 65, 11]
        report('figures at -O%d' % level, None if good else '%s\n%s' % (lines, out + err))


def sweep(work):
    small = [
        '--widths',
        '6,11',
        '--states',
        '2,3',
        '--separators',
        '1,4',
        '--children',
        '1,3',
        '--repeats',
        '1',
        '--memory',
        '2M',
    ]
    for words in ([], ['--log'], ['--fan-in', '4']):
        status, out, err = run([work + '/program_O2', 'bench'] + small + words)
        good = (
            status == 0
            and out.endswith('check: ok\n')
            and out.count('takes more than --memory') == 4
            and len(out.splitlines()) == 19
        )
        report('bench %s' % ' '.join(words), None if good else out + err)


def bad_words(program):
    for words, text in [
        (['bench', '--widths', '3,x'], 'bad option'),
        (['bench', '--states', '0'], 'bad option'),
        (['bench', 'now'], 'bad option'),
        (['bench', '--fan-in', '1'], 'bad option'),
        (['bench', '--memory'], 'requires an argument'),
        (['bench', '--what'], "unrecognized option '--what'"),
        (['check', 'now'], "unknown word 'now'"),
        (['frobnicate'], 'junction bench'),
    ]:
        status, out, err = run([program] + words)
        report(
            ' '.join(words),
            None
            if status == 1 and text in err and not out
            else 'status %d\n%s%s' % (status, out, err),
        )


with tempfile.TemporaryDirectory() as work:
    build(work)
    if os.path.exists(work + '/program_O2'):
        levels_and_schedules(work)
        sweep(work)
        figures(work)
        bad_words(work + '/program_O2')
finish()
# SPDX-License-Identifier: MIT
