#!/usr/bin/env python3
"""Runs `mesicc prove` over whole programs: what -O3 (or the level of --level) emits must compute
what -O0 does, in the field.

usage: prove.py --mesicc PATH [--jobs N] [--level 3] [--real] [--beyond 2] [--seconds N] [--decided]
       [--samples] [--benchmarks N] [--pairs DIR] [--every N] [-v] FILE[:OPTION...]...
A program passes where prove says equal, or not decided with its reason (with --decided only where
it says equal). With --real only programs that use floating point are taken; with --beyond only
those whose text differs from that of this level, which another test runs and compares bit for bit.
A program's first lines may hold `// args: ...`, options for mesicc; `// prove: ...` are options for
prove alone. The part of a name behind `:` is more options: samples/ep/ep.mcu:-DN=4. --pairs adds
the files NAME.a.cu of DIR, each with its NAME.b.cu, where the first line says what prove must say:
`// expect: equal`, `different` or `not decided`. --samples adds the samples at small sizes, and the
benchmarks at theirs; --benchmarks N takes every Nth of these, each day others. --every N takes
every Nth of the files likewise. --seconds stops before the next program after so many. Without
clang or LLVM's headers, where prove cannot work at all, nothing is run. Last line: "N passed, N
failed".
"""
import argparse, concurrent.futures, glob, os, re, shutil, subprocess, sys, tempfile, time

import programs
from kept import Kept

EQUAL, DIFFERENT, UNDECIDED = 0, 4, 5
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SAMPLES = [
    'matmul:-DN=128:-DBX=32',
    'matmul:-DN=128:-DBX=64:-DELEM=float',
    'dif:-DN=4096:-DSTEPS=20:-DBX=32',
    'pipeline:-DFRAMES=3:-DPIXELS=20000:-DROUNDS=3',
]
UNABLE = ('there is no clang', 'mesicc was built without prove')


def options_of(path):
    with open(path, errors='replace') as file:
        head = [file.readline() for _ in range(6)]
    found = []
    for line in head:
        match = re.search(r'(?://|\*) (?:args|prove): (.*)', line)
        if match:
            found += match.group(1).replace('*/', '').split()
    return found


def expected_of(path):
    found = re.match(r'// expect: (.*)', open(path).readline())
    return (
        {'equal': EQUAL, 'different': DIFFERENT, 'not decided': UNDECIDED}[found.group(1)]
        if found
        else None
    )


def uses_reals(path):
    return (
        re.search(r'\b(float|double|half)\d?\b|\d\.\d', open(path, errors='replace').read())
        is not None
    )


def sample_files(every):
    """The samples, and every so many of the benchmarks."""
    small = [name.partition(':') for name in SAMPLES]
    benchmarks = sorted(glob.glob(os.path.join(ROOT, 'samples/bench/*/*.mcu')))
    return [
        os.path.join(ROOT, 'samples', name, name + '.mcu') + colon + options
        for name, colon, options in small
    ] + programs.of_today(benchmarks, every)


os.environ.setdefault(
    'MESI_TIME_LIMIT', '300'
)  # seconds of a translation: a busy machine is no mistake found

# As translator/driver/prove_build.c has them: a precompiled header has to agree with them.
COMPILER = 'clang++-22'
FLAGS = (
    '-std=gnu++17 -O1 -Xclang -disable-llvm-passes -w -ffp-contract=off -fno-strict-aliasing'
    ' -fno-math-errno -pthread -Xclang -fno-pch-timestamp -fpch-instantiate-templates'
).split()


def surface(folder):
    """Options that give mesicc the header that each emitted text includes first precompiled, and
    the faster linker."""
    header = folder + '/surface.h'
    with open(header, 'w') as file:
        file.write('#include <mesi_cpu.h>\n')
    folders = [os.path.join(ROOT, 'runtime', below) for below in ('', 'cpu', 'cpu/include')]
    status, text = programs.run(
        [COMPILER]
        + FLAGS
        + [word for f in folders for word in ('-isystem', f)]
        + ['-x', 'c++-header', header, '-o', header + '.pch']
    )
    if status:
        raise SystemExit('the surface does not compile:\n' + text)
    return ['-Xcompiler=-include-pch,%s.pch' % header, '-Xcompiler=-fuse-ld=gold']


class Prover:
    def __init__(self, options):
        self.o = options
        self.began = time.time()
        self.surface = []  # for programs without options of their own
        self.kept = Kept(
            ROOT, os.path.abspath(os.path.join(os.path.dirname(options.mesicc), '..', '..'))
        )

    def text_of(self, path, options, level, folder):
        """As programs.py translates it, so that what it has kept serves here."""
        path, output = os.path.abspath(path), '%s/O%s.cpp' % (folder, level)
        argv = [
            self.o.mesicc,
            '--target=cpu',
            '-O' + level,
            '--hook-launches',
            '-I',
            os.path.dirname(path),
        ] + options
        folders = [os.path.join(ROOT, 'runtime'), os.path.dirname(path)]
        status, _ = self.kept.translate(argv, path, folders, output, programs.run, dict(os.environ))
        return open(output, 'rb').read() if status == 0 else None

    def is_run_elsewhere(self, path, options):
        """Does the level emit what the one of --beyond does?"""
        with tempfile.TemporaryDirectory(prefix='mesi-prove-') as folder:
            below, text = (
                self.text_of(path, options, level, folder)
                for level in (self.o.beyond, self.o.level)
            )
        return below is not None and below == text

    def one(self, name):
        path, *more = name.split(':')
        if (
            self.o.beyond
            and name in self.o.files
            and self.is_run_elsewhere(path, options_of(path) + more)
        ):
            return name, None, 'left out: the text is that of -O%s' % self.o.beyond
        if time.time() - self.began > self.o.seconds:
            return name, None, 'left out: %d seconds are over' % self.o.seconds
        pair = [path[: -len('.a.cu')] + '.b.cu'] if path.endswith('.a.cu') else []
        level = ['-O%s' % self.o.level] if not pair else []
        own = options_of(path) + more
        plain = not any(o.startswith(('-D', '-U', '-std', '-f', '-X')) for o in own)
        argv = (
            [self.o.mesicc, 'prove', '-I', os.path.dirname(path) or '.']
            + level
            + (self.surface if plain else [])
            + own
            + [path]
            + pair
        )
        try:
            done = subprocess.run(
                argv,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                timeout=1200,
            )
        except subprocess.TimeoutExpired:
            return name, 124, 'timed out'
        return name, done.returncode, done.stdout.decode(errors='replace').strip()

    # A run that ends before there are results decides nothing: that is a mistake of prove or of the
    # program.
    def good(self, name, status, text):
        expected = expected_of(name) if name.endswith('.a.cu') else None
        if expected is not None:
            return status == expected
        return status == EQUAL or (
            status == UNDECIDED and not self.o.decided and 'without results' not in text
        )


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--mesicc', required=True)
    parser.add_argument('--jobs', type=int, default=os.cpu_count())
    parser.add_argument('--level', default='3')
    parser.add_argument('--seconds', type=float, default=1e9)
    parser.add_argument('--real', action='store_true')
    parser.add_argument('--beyond', metavar='LEVEL')
    parser.add_argument('--decided', action='store_true')
    parser.add_argument('--benchmarks', type=int, default=1)
    parser.add_argument('--pairs')
    parser.add_argument('--samples', action='store_true')
    parser.add_argument('--every', type=int, default=1)
    parser.add_argument('-v', action='store_true')
    parser.add_argument('files', nargs='*')
    options = parser.parse_args()
    options.files = programs.of_today(options.files, options.every)
    prover = Prover(options)
    pairs = sorted(glob.glob(os.path.join(options.pairs, '*.a.cu'))) if options.pairs else []
    names = pairs + [
        f
        for f in options.files + (sample_files(options.benchmarks) if options.samples else [])
        if not options.real or uses_reals(f.split(':')[0])
    ]
    counts, passed, failed = {}, 0, 0
    with tempfile.TemporaryDirectory(
        prefix='mesi-surface-'
    ) as folder, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        if shutil.which(COMPILER):
            prover.surface = surface(folder)
        for name, status, text in pool.map(prover.one, names):
            counts[status] = counts.get(status, 0) + 1
            if status == UNDECIDED and any(why in text for why in UNABLE):
                print(text.split('not decided: ')[-1] + '; nothing is proved')
                break
            if status is None:
                continue
            good = prover.good(name, status, text)
            passed, failed = passed + good, failed + (not good)
            if options.v or not good or (status != EQUAL and not name.endswith('.a.cu')):
                print(
                    '%s %s' % ('status %s:' % status if status else 'equal:', text[-1500:]),
                    flush=True,
                )
    print(
        'equal %d, different %d, not decided %d, left out %d'
        % tuple(counts.get(status, 0) for status in (EQUAL, DIFFERENT, UNDECIDED, None))
    )
    print('%d passed, %d failed' % (passed, failed))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
# SPDX-License-Identifier: MIT
