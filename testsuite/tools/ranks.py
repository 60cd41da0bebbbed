#!/usr/bin/env python3
"""Runs whole programs under mpirun, as several ranks that run the same host program (MESI_RANKS):
each is translated for the CPU backend with --parts=always and has to give with 2 and 4 ranks, bit
for bit, what it gives alone, with its output once: all launches over all ranks that can be, and
those that the gate lets out.

usage: ranks.py --mesicc PATH --build DIR [--jobs N] [--levels 0,2] [--ranks 2,4] [-v] FILE...
--faults: the programs (testsuite/ranks) end with an error, soon, and leave no results. Their first
lines hold `// ranks: N TEXT`, how many and what is said, and `// env: NAME=VALUE`. `// ranks: N
spread`: it ends well, with the results of one rank, and the gate lets launches out over all.
A line `// ranks: one, WHY` says that a program is for one rank and cannot be refused.
--refused: a program that several ranks refuse, with a message, is counted and no failure.
--every N: every Nth of the files, each day others.
Where there is no mpirun nothing is run. Last line: "N passed, N failed".
"""
import argparse, os, re, shutil, sys, tempfile, time

from programs import Runner, run, run_on_several

MPIRUN = ['mpirun', '--allow-run-as-root', '--oversubscribe', '--timeout', '120', '-n']
MOST_SECONDS = 30  # that a failing run may take


class Ranks(Runner):
    def __init__(self, options):
        super().__init__(options)
        self.refused = {}  # message -> programs

    def run_with(self, program, ranks, copies='', **more):
        """Exit status, output and dump of one run; 0 ranks: alone."""
        dump = '%s.%s.dump' % (program, ranks)
        if os.path.exists(dump):
            os.unlink(dump)
        env = dict(os.environ, MESI_DUMP=dump, MESI_CPU_COPIES=copies, MESI_SPREAD='always')
        env.update(more)
        env.update(MESI_RANKS='mpi' if ranks else '')
        argv = MPIRUN + [str(ranks), program] if ranks else [program]
        status, text = run(argv, env=env, timeout=60)
        return status, text, open(dump, 'rb').read() if os.path.exists(dump) else None

    def build(self, path, level, work):
        """(program or None, what is wrong or None)"""
        source, program = '%s/O%s.cpp' % (work, level), '%s/O%s' % (work, level)
        status, text = self.translate(path, self.args_of(path), 'cpu', level, source)
        if not status:
            status, text = self.compile_cpu(path, self.args_of(path), source, program)
        return (None, '-O%s: %s' % (level, text[-2000:])) if status else (program, None)

    def compare(self, path, level, work):
        program, problem = self.build(path, level, work)
        if problem:
            return problem
        alone = self.run_with(program, 0)
        runs = [(ranks, 'always') for ranks in self.o.ranks.split(',')]
        for i, (ranks, spread) in enumerate(runs + [(runs[0][0], 'auto')]):
            copies = 'late' if i % 2 else ''
            status, text, dump = self.run_with(program, ranks, copies, MESI_SPREAD=spread)
            refusal = re.search(r'several ranks: (?:[^:\n]*\): )?([^\n]*)', text)
            if status and refusal and self.o.refused:
                self.refused.setdefault(refusal.group(1), set()).add(os.path.basename(path))
                return None
            if (status, text, dump) != alone:
                return '-O%s, %s ranks, %s: exit status %s, %s\n%s' % (
                    level,
                    ranks,
                    spread,
                    status,
                    'the same output' if text == alone[1] else 'another output',
                    text[-2000:],
                )
        return None

    def fault(self, path, work):
        lines = open(path).read()
        ranks, wanted = re.search(r'^// ranks: (\d+) (.*)$', lines, re.M).groups()
        env = dict(re.findall(r'^// env: (\w+)=(.*)$', lines, re.M))
        program, problem = self.build(path, '2', work)
        if problem:
            return problem
        if wanted == 'spread':
            return self.gate(program, ranks)
        began = time.time()
        status, text, dump = self.run_with(program, ranks, **env)
        if not status or wanted not in text or dump:
            return 'exit status %s, %s, no "%s" in\n%s' % (
                status,
                'results' if dump else 'no results',
                wanted,
                text[-2000:],
            )
        seconds = time.time() - began
        return None if seconds < MOST_SECONDS else 'it took %.0f s to end' % seconds

    def gate(self, program, ranks):
        """What the gate lets out without being told to, by the times of the ranks."""
        stats = program + '.stats'
        alone = self.run_with(program, 0)
        for more in ({}, {'MESI_STATS': stats}):
            if self.run_with(program, ranks, MESI_SPREAD='', **more) != alone:
                return 'other results than alone'
        spread = re.search(r'^spread (\d+)$', open(stats).read(), re.M)
        return None if spread and int(spread.group(1)) else 'no launch went out over all ranks'

    def program(self, path):
        work = tempfile.mkdtemp(prefix='ranks.')
        try:
            if self.o.faults:
                return self.fault(path, work)
            if re.search(r'^// ranks: one, ', open(path, errors='replace').read(), re.M):
                return None
            for level in self.o.levels.split(','):
                problem = self.compare(path, level, work)
                if problem:
                    return problem
            return None
        finally:
            shutil.rmtree(work)

    def summary(self):
        return [
            '%d refused: %s (%s)' % (len(programs), why, ' '.join(sorted(programs)[:4]))
            for why, programs in sorted(self.refused.items())
        ]


if __name__ == '__main__':
    parser = argparse.ArgumentParser()
    parser.add_argument('--ranks', default='2,4')
    parser.add_argument('--refused', action='store_true')
    if not shutil.which('mpirun'):
        print('there is no mpirun (Debian: openmpi-bin); nothing was run')
        print('0 passed, 0 failed')
        sys.exit(0)
    sys.exit(run_on_several(Ranks, parser, 1))
# SPDX-License-Identifier: MIT
