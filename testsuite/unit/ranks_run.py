#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs runtime_ranks under mpirun: several ranks, GPUs, ways between them; then those that fail.

usage: ranks_run.py PROGRAM NCCL NO_NCCL
NCCL and NO_NCCL are libraries; they get the name of NCCL. A case has to end with the right status
and words within its seconds, with what the program prints once.
"""
import os, re, shutil, subprocess, sys, tempfile, time

MPIRUN = ['mpirun', '--allow-run-as-root', '--oversubscribe', '--timeout', '120', '-n']
RIGHT = [  # ranks, seed, environment
    (2, 1, {'MESI_RANKS': 'nccl'}),
    (2, 2, {'MESI_RANKS': 'host'}),
    (3, 3, {'MESI_RANKS': 'mpi'}),
    (4, 4, {'MESI_RANKS': 'nccl', 'MESI_SPREAD': 'turns'}),
    (2, 5, {'MESI_RANKS': 'nccl', 'MESI_DEVICES': '2'}),
    (2, 6, {'MESI_RANKS': 'host', 'MESI_DEVICES': '2'}),
    (2, 7, {'MESI_RANKS': 'nccl', 'MESI_DEVICES': 'all', 'CUDA_VISIBLE_DEVICES': '0,1,2,3'}),
    (2, 8, {'MESI_RANKS': 'nccl', 'MESI_DEVICES': '0,', 'CUDA_SIM_DEVICES': '1'}),
    (2, 9, {'MESI_RANKS': 'nccl', 'CUDA_SIM_PINS': '1'}),
    (2, 10, {'MESI_RANKS': 'nccl', 'MESI_SPREAD': 'never'}),
    (2, 12, {'MESI_RANKS': 'nccl', 'MESI_SPREAD': 'always', 'MESI_STATS': '/dev/null'}),
    (4, 13, {'MESI_RANKS': 'nccl', 'MESI_SPREAD': 'always', 'MESI_STATS': '/dev/null'}),
    (2, 14, {'MESI_RANKS': 'nccl', 'MESI_SPREAD': 'auto', 'CUDA_SIM_MS': '400'}),
    (3, 15, {'MESI_RANKS': 'host', 'MESI_SPREAD': 'auto', 'CUDA_SIM_MS': '400'}),
    (2, 16, {'MESI_RANKS': 'mpi', 'MESI_SPREAD': '', 'MESI_DEVICES': '2', 'CUDA_SIM_MS': '400'}),
    (2, 11, {'MESI_RANKS': 'nccl', 'CUDA_SIM_DEVICES': '8', 'CUDA_VISIBLE_DEVICES': '5,3,1'}),
]
FAILS = [  # ranks, environment, words
    (2, {'MESI_RANKS': 'nccl', 'CUDA_SIM_DEVICES': '1'}, 'rank 1 has 0 GPUs and wants 1'),
    (2, {'MESI_RANKS': 'nccl', 'CUDA_VISIBLE_DEVICES': '0'}, 'the host has 1'),
    (2, {'MESI_RANKS': 'nccl', 'NCCL_SIM_HANG': '1', 'MESI_WAIT_LIMIT': '1'}, 'has not answered'),
    (2, {'MESI_RANKS': 'nccl', 'RANKS_FAULT': 'leave'}, 'exit'),
    (2, {'MESI_RANKS': 'nccl', 'RANKS_FAULT': 'stop', 'MESI_WAIT_LIMIT': '1'}, 'has not answered'),
    (2, {'MESI_RANKS': 'nccl', 'RANKS_FAULT': 'differ'}, 'has done something else'),
    (2, {'MESI_RANKS': 'other'}, 'is none of mpi, nccl and host'),
    (2, {'MESI_RANKS': 'nccl', 'MESI_DEVICES': '5'}, 'at most 8 devices'),
]
MOST_SECONDS = 30  # that a failing run may take


class Case:
    def __init__(self, program, library, work):
        self.program, self.work = program, work
        self.base = {k: v for k, v in os.environ.items() if not k.startswith(('MESI_', 'CUDA_V'))}
        self.base['MESI_SPREAD'] = 'always'
        self.base['NCCL_SIM_FOLDER'] = work
        for name in ('MESI_SEEDED_BUG', 'MESI_SEEDED_REACHED'):
            if name in os.environ:
                self.base[name] = os.environ[name]
        # MPI leaves memory of libraries that it has unloaded, which no suppression can name
        self.base['ASAN_OPTIONS'] = os.environ.get('ASAN_OPTIONS', '') + ':detect_leaks=0'
        shutil.copy(library, work + '/libnccl.so.2')
        self.log = work + '/log'

    def run(self, ranks, seed, env):
        if os.path.exists(self.log):
            os.unlink(self.log)
        env = dict(self.base, LD_LIBRARY_PATH=self.work, NCCL_SIM_LOG=self.log, **env)
        argv = MPIRUN + [str(ranks), self.program, str(seed)]
        done = subprocess.run(argv, env=env, text=True, capture_output=True)
        return done.returncode, done.stdout, done.stdout + done.stderr

    def crossing(self):
        """Groups in which a GPU both sends and receives."""
        lines = open(self.log).read().splitlines() if os.path.exists(self.log) else []
        return sum(' to ' in line and ' from ' in line for line in lines)


def main():
    program, nccl, no_nccl = sys.argv[1:]
    problems = []

    def check(so, what, text):
        if not so:
            problems.append(what)
            print('%s:\n%s' % (what, text[-1500:]))

    with tempfile.TemporaryDirectory(prefix='ranks_run.') as work:
        case = Case(program, nccl, work)
        for ranks, seed, env in RIGHT:
            status, out, text = case.run(ranks, seed, env)
            check(status == 0 and out == 'right\n', '%d ranks, %s' % (ranks, env), text)
            if seed == 1:
                check(case.crossing() > 10, 'no messages cross', text)
        for ranks, env, words in FAILS:
            began = time.time()
            status, out, text = case.run(ranks, 1, env)
            check(status != 0 and re.search(words, text), '%s: no "%s"' % (env, words), text)
            check(time.time() - began < MOST_SECONDS, '%s: it took too long' % env, text)
    with tempfile.TemporaryDirectory(prefix='ranks_run.') as work:
        case = Case(program, no_nccl, work)
        status, out, text = case.run(2, 12, {'MESI_RANKS': 'mpi'})
        check(
            status == 0 and out == 'right\n' and 'through the hosts' in text, 'no fall-back', text
        )
        status, out, text = case.run(2, 12, {'MESI_RANKS': 'nccl'})
        check(status != 0 and 'older than 2.7' in text, 'NCCL is not missed', text)
    print('%d problems' % len(problems))
    return bool(problems)


if __name__ == '__main__':
    sys.exit(main())
