#!/usr/bin/env python3
"""Random programs through every level and schedule.

usage: run.py --mesicc PATH --build DIR                       the short run: 200 programs, fixed
       seeds; --every 2 takes half of them, each day the other (./check)
       run.py ... --long [--seconds N] [--kernels N] [--first SEED]   more seeds, until one of the
           limits or a signal
       run.py ... --seed N                                     one file again
       run.py --print SEED [--twin]                            its text
       run.py ... --bundle DIR --kernels N                     adds N kernels to a GPU bundle
           (testsuite/bundle.sh)
options: --jobs N, --keep DIR (files that fail, default fuzz-failures), --sanitize (twins only,
         under ASan and UBSan),
         --sections N (programs a file: they share nothing but main; default 6), --profile NAME
             (generator/profiles.py; default: the seed's),
         --rates (with --long: translates only and counts transformations), --arch sm_NN (for all
             files, in place of their own),
         --prove (`mesicc prove` at -O3 in place of the runs: sums in any order, all programs),
             --levels 23 (these alone; they are compared with the twin as ever), --checked (each
             level in check mode as well: run --check),
         --devices 2,3,5 (every launch that can goes out over so many simulated devices, in place of
             the schedules, at -O0 and at one level above)
The long run prints a line a minute to standard error, and its tables however it ends; --first with
the seed that it names then goes on from there.
Last line: N passed, N failed.
"""
import argparse
import concurrent.futures
import os
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import bundle  # noqa: E402
from execute import (
    LEVELS,
    SCHEDULES,
    Broken,
    Tools,
    check,
    on_devices,
    prove,
    translations,
)  # noqa: E402
from generator.choice import Choice  # noqa: E402
from generator.profiles import PROFILES  # noqa: E402
from generator.program import generate  # noqa: E402
from tally import Tally  # noqa: E402

SHORT_PROGRAMS = 200
PROGRAMS_A_FILE = 6
PROGRESS_SECONDS = 60
PARTED = (  # profiles of which half the launches, or more, can go out over several devices
    'stream',
    'exchange',
    'layers',
    'planes',
    'march',
    'tables',
    'matrices',
    'products',
    'pitched',
    'typed',
    'sums',
    'segments',
    'ranges',
    'walking',
)


def write(path, text):
    with open(path, 'w') as file:
        file.write(text)


def variants_of(program, levels='0123', everywhere=False):
    """The levels, the upper ones with the mappings that the program's profile asks for; two files
    of three have every launch in parts that can go out so, at -O0 or at -O2; launches of loops
    become one wherever that is right at one of the upper two; blocks share sums at the highest, 2,
    3 or 5 of them, in three files of four. The highest keeps the order of sums unless they have the
    same value in any order. everywhere: -O0 and one above, all launches in parts.
    """
    mappings = [
        ' --mapping=' + m if m else ''
        for m in program.profile.mappings(Choice(program.seed ^ 0x6D617070))
    ]
    order = '' if program.is_exact else ' -fno-associative-math'
    parts = [
        ' --parts=always' if everywhere or program.seed % 3 == which else '' for which in (0, 1)
    ]
    last = ' --parts=always' if everywhere else ''
    steps = [' --temporal=always' if program.seed % 2 == which else '' for which in (0, 1)]
    split = ('', ' --split=2', ' --split=3', ' --split=5')[program.seed % 4]
    all_levels = (
        LEVELS[0] + parts[0],
        LEVELS[1],
        LEVELS[2] + mappings[0] + parts[1] + steps[0],
        LEVELS[3] + order + mappings[1] + last + steps[1] + split,
    )
    if everywhere:
        levels = '0' + '23'[program.seed // len(PARTED) % 2]
    return tuple(variant for variant in all_levels if variant[0] in levels)


def for_arch(text, arch):
    """The program with its options for this architecture, in the limits of shared memory that each
    has."""
    if not arch:
        return text
    first, rest = text.split('\n', 1) if text.startswith('// args:') else ('// args:', text)
    kept = [word for word in first.split() if not word.startswith(('-arch=', '--shared-memory='))]
    return '%s -arch=%s\n%s' % (' '.join(kept), arch, rest)


class Runner:
    def __init__(self, options):
        self.options = options
        self.work = tempfile.mkdtemp(prefix='mesi-fuzz-')
        self.tools = Tools(options.mesicc, options.build, options.sanitize)
        self.tools.precompile(self.work)
        self.tally = Tally()
        self.programs = self.kernels = self.failed = self.same = self.limits = self.undecided = 0
        self.spread = Counter()  # launches over several devices, and why others were not
        self.next_seed = None  # behind the last one that counts
        self.stopping = False  # a signal came
        self.start = self.told = time.time()

    def one(self, seed):
        """(program, outcome or None, Broken or None)"""
        profile = self.options.profile or self.options.devices and PARTED[seed % len(PARTED)]
        program = generate(seed, self.options.sections, profile=profile)
        folder = os.path.join(self.work, str(seed))
        os.mkdir(folder)
        write(folder + '/program.mcu', for_arch(program.mcu, self.options.arch))
        write(folder + '/twin.cpp', program.twin)
        try:
            if self.options.sanitize:
                self.tools.compile(folder + '/twin.cpp', folder + '/twin')
                self.tools.run(folder + '/twin', 'forward')
                return program, None, None
            if self.options.prove:
                self._prove(folder, program)
                return program, None, None
            if self.options.rates:
                return (
                    program,
                    translations(self.tools, folder, variants_of(program, self.options.levels)),
                    None,
                )
            return (program, self._check(folder, program), None)
        except Broken as broken:
            self._keep(folder, seed, broken)
            return program, None, broken
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def _check(self, folder, program):
        devices = self.options.devices
        return check(
            self.tools,
            folder,
            variants_of(program, self.options.levels, bool(devices)),
            on_devices(devices, program.seed) if devices else SCHEDULES,
            checked=self.options.checked or program.is_checked and not devices,
        )

    def _prove(self, folder, program):
        variant = variants_of(program, '3')[0].replace(' -fno-associative-math', '')
        answer = prove(self.tools, folder, variant)
        if answer is not True:
            self.undecided += 1
            print('seed %s, -O%s: %s' % (program.seed, variant, answer[-400:]), flush=True)

    def _keep(self, folder, seed, broken):
        kept = os.path.join(self.options.keep, '%s-%s' % (broken.kind, seed))
        shutil.rmtree(kept, ignore_errors=True)
        shutil.copytree(
            folder,
            kept,
            ignore=lambda d, names: [n for n in names if n.endswith('.dump') or '.' not in n],
        )
        write(kept + '/message', str(broken) + '\n')

    def note(self, result):
        program, outcome, broken = result
        self.next_seed = program.seed + 1
        self.programs += self.options.sections
        if broken and broken.kind == 'limit' and self.options.long:
            self.limits += self.options.sections
            print('skipped seed %s: %s' % (program.seed, broken), flush=True)
            return
        self.kernels += program.kernel_count
        if broken:
            self.failed += self.options.sections
            print(
                'FAILED seed %s (%s): %s' % (program.seed, broken.kind, str(broken)[:600]),
                flush=True,
            )
        elif outcome:
            self.same += len(outcome.same_as)
            self.spread += outcome.spread
            self.tally.add(outcome)

    def _progress(self):
        if self.options.long and time.time() - self.told >= PROGRESS_SECONDS:
            self.told = time.time()
            print(
                '%5.0f s: %d programs, %d kernels, %d failed, %d beyond the limits, next seed %s'
                % (
                    self.told - self.start,
                    self.programs,
                    self.kernels,
                    self.failed,
                    self.limits,
                    self.next_seed,
                ),
                file=sys.stderr,
                flush=True,
            )

    def _wait(self, waiting, limit):
        """Notes results in the order of their seeds until no more than `limit` are awaited."""
        while len(waiting) > limit:
            try:
                self.note(waiting[0].result(timeout=1))
                waiting.pop(0)
            except concurrent.futures.TimeoutError:
                pass
            except concurrent.futures.CancelledError:
                waiting.pop(0)
            self._progress()
            if self.stopping and limit:
                return

    def many(self, seeds, enough):
        """Runs seeds in turn, a few ahead, until `enough` says so or a signal comes; what has begun
        is brought to its end."""
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._stop)
        with concurrent.futures.ThreadPoolExecutor(self.options.jobs) as pool:
            waiting = []
            for seed in seeds:
                waiting.append(pool.submit(self.one, seed))
                self._wait(waiting, 2 * self.options.jobs)
                if self.stopping or enough(self):
                    for future in reversed(waiting):
                        future.cancel()
                    break
            self._wait(waiting, 0)
        shutil.rmtree(self.work, ignore_errors=True)

    def _stop(self, number, _):
        self.stopping = True
        print('signal %d: ends after what has begun' % number, file=sys.stderr, flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--mesicc')
    parser.add_argument('--build')
    parser.add_argument('--jobs', type=int, default=os.cpu_count())
    parser.add_argument('--keep', default='fuzz-failures')
    parser.add_argument('--long', action='store_true')
    parser.add_argument('--seconds', type=float, default=1e9)
    parser.add_argument('--kernels', type=int, default=1 << 60)
    parser.add_argument('--programs', type=int, default=SHORT_PROGRAMS)
    parser.add_argument('--first', type=int)
    parser.add_argument('--every', type=int, default=1)
    parser.add_argument('--seed', type=int)
    parser.add_argument('--print', type=int, dest='shown')
    parser.add_argument('--twin', action='store_true')
    parser.add_argument('--sections', type=int)
    parser.add_argument('--sanitize', action='store_true')
    parser.add_argument('--bundle')
    parser.add_argument('--profile', choices=[profile.name for profile in PROFILES])
    parser.add_argument('--rates', action='store_true')
    parser.add_argument('--arch')
    parser.add_argument('--checked', action='store_true')
    parser.add_argument('--prove', action='store_true')
    parser.add_argument('--devices')
    parser.add_argument('--levels', default=''.join(LEVELS))
    options = parser.parse_args()
    options.sections = options.sections or PROGRAMS_A_FILE
    if options.shown is not None:
        program = generate(options.shown, options.sections, profile=options.profile)
        sys.stdout.write(program.twin if options.twin else for_arch(program.mcu, options.arch))
        return 0
    if not options.mesicc or not options.build:
        parser.error('--mesicc and --build are needed')
    if options.bundle:
        return bundle.write(options)
    runner = Runner(options)
    if options.seed is not None:
        runner.many([options.seed], lambda r: False)
    elif options.long:
        first = options.first if options.first is not None else 1000000
        runner.many(
            iter(range(first, 1 << 60)),
            lambda r: time.time() - r.start > options.seconds or r.kernels >= options.kernels,
        )
    else:
        first = options.first or 0
        today = first + int(time.time() / 86400) % options.every
        end = first + options.programs // options.sections
        runner.many(range(today, end, options.every), lambda r: False)
    seconds = time.time() - runner.start
    if options.long:
        runner.tally.print(runner.kernels)
        print('goes on with --first %s' % runner.next_seed)
    for why, launches in runner.spread.most_common():
        print('%8d launches: %s' % (launches, why))
    used = os.times()
    if options.prove:
        print('%d files not decided' % runner.undecided)
    print(
        '%d programs, %d kernels, %d variants with the text of an earlier one, %d programs in files'
        ' that fail, %d beyond the limits of a translation, %.0f s, %.0f s and %.0f s of processor'
        ' time per 1000 kernels'
        % (
            runner.programs,
            runner.kernels,
            runner.same,
            runner.failed,
            runner.limits,
            seconds,
            1000 * seconds / max(1, runner.kernels),
            1000
            * (used.children_user + used.children_system + used.user + used.system)
            / max(1, runner.kernels),
        )
    )
    print('%d passed, %d failed' % (runner.programs - runner.failed - runner.limits, runner.failed))
    return 1 if runner.failed else 0


if __name__ == '__main__':
    sys.exit(main())
# SPDX-License-Identifier: MIT
