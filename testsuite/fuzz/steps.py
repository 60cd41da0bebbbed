#!/usr/bin/env python3
"""Random loops of launches that hand arrays on to one another, at -O0 and, put together with random
depths and shapes, at -O2.

usage: steps.py --mesicc PATH --build DIR [--seconds N] [--programs N] [--first SEED] [--seed SEED]
       [--print SEED] [--keep DIR] [--lines] [--devices 2,3,5]

A program has four loops: of one kernel or of two that take turns, in one, two or three dimensions,
with random distances, guards, holes that nobody writes, scalars that differ, indices that are
clamped, other arrays, swapped pointers, and host accesses in between. Loops of lines may add up
rows of an array that nobody writes, which a scalar chooses; with --lines all do. All VS variables
have to hold the same bytes at the end, under two schedules; with --devices on so many simulated
devices, every launch that can over all of them, at -O0 and -O2. Last line: "N passed, N failed",
programs; before it what was done to how many kernels, and how many launches were put together.
"""
import argparse, os, random, re, shutil, sys, tempfile, time
from collections import Counter

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from execute import (
    Broken,
    Outcome,
    Tools,
    command,
    on_devices,
    read,
    schedule_name,
    spread_of,
    told,
)  # noqa: E402
from tally import Tally  # noqa: E402

ROWS = 40


class Loop:
    def __init__(self, rng, number, lines, wide):
        self.rng, self.n = rng, number
        self.axes = 1 if lines else rng.choice([1, 1, 1, 2, 2, 2, 3])
        self.type = rng.choice(
            ['int', 'int', 'float', 'float', 'double', 'unsigned', 'short', 'long long']
            + (['double', 'long long'] if wide else ['int', 'float', 'unsigned']) * 12 * lines
        )
        top = {1: 2600, 2: 130, 3: 26}[self.axes]
        self.size = [rng.randint(top // 3, top) for _ in range(self.axes)]  # outermost first
        self.flat = self.axes == 2 and rng.random() < 0.3
        if lines and rng.random() < 0.9:
            self.size[0] -= self.size[0] % 4
        self.wall = (
            self.axes == 1
            and (lines or rng.random() < 0.4)
            and rng.choice(['named'] * 9 + ['rows', 'line'])
        )
        self.two = rng.random() < 0.35
        self.named = not self.flat and rng.random() < 0.25 and self.two
        self.swaps = not self.two and rng.random() < 0.4
        self.value = rng.random() < 0.4
        self.extra = rng.random() < 0.4
        self.steps = rng.randint(1, 14)
        self.host = rng.random() < 0.25
        self.block = {
            1: [rng.choice([32, 100, 128])],
            2: [rng.choice([4, 8]), rng.choice([16, 32])],
            3: [rng.choice([1, 2]), 4, 8],
        }[self.axes]

    def name(self, which):
        return '%s%d' % (which, self.n)

    def kernel_name(self, which):
        return 'k%d_%d' % (self.n, which)

    def dims(self):
        return ''.join('[%d]' % d for d in self.size)

    def declare(self):
        if self.flat:
            return '__global__ %s *%s, *%s, *%s;\n' % (
                self.type,
                self.name('a'),
                self.name('b'),
                self.name('c'),
            )
        wall = (
            '__global__ %s %s[%d][%d];\n' % (self.type, self.name('wall'), ROWS, self.size[0])
            if self.wall
            else ''
        )
        return wall + '__global__ %s %s%s, %s%s, %s%s;\n' % (
            self.type,
            self.name('a'),
            self.dims(),
            self.name('b'),
            self.dims(),
            self.name('c'),
            self.dims(),
        )

    def element(self, array, index):
        if self.flat:
            return '%s[(%s) * w + %s]' % (array, index[0], index[1])
        return array + ''.join('[%s]' % i for i in index)

    def rows(self, source, low, high):
        """What a kernel adds of rows: (statements, terms); the point may be as far from the ends as
        `low` and `high`."""
        rng, out, terms = self.rng, [], []

        def element():
            row, offset = rng.choice(
                ['row', 'row', 'row', 'row + 1', 'row - 1', 'above']
            ), rng.randint(-low, high)
            if row == 'above' and not any(line.startswith('int above') for line in out):
                out.insert(0, 'int above = row - 1;')
            place = 'x %s %d' % ('+' if offset > 0 else '-', abs(offset)) if offset else 'x'
            array = self.name('wall') if self.wall == 'named' else 'wall'
            return (
                '%s[%s * n + %s]' % (array, '(%s)' % row if ' ' in row else row, place)
                if self.wall == 'line'
                else '%s[%s][%s]' % (array, row, place)
            )

        how = rng.choice(['plain', 'plain', 'plain', 'local', 'condition', 'changed'])
        if how != 'plain':
            out.append('%s sum = %s;' % (self.type, element()))
            terms.append('sum')
        if how == 'condition':
            conditions = [
                'row % 3 != 1',
                'row > 4',
                source + '[x] > 3',
                source + '[x] > 20',
                'x > %d' % (self.size[0] // 3),
                'x %% %d != 1' % rng.randint(2, 5),
            ]
            out.append('if (%s) sum += %s;' % (rng.choice(conditions), element()))
        if how == 'changed':
            out += [
                'int at = x;',
                'sum += %s;' % element().replace('x', 'at'),
                'at = row %% 2 ? x : x - %d;' % min(low, 1),
                'sum += %s;' % element().replace('x', 'at'),
            ]
            out = [re.sub(r'\bat [+-] \d+', 'at', line) for line in out]
        terms += [
            rng.choice(['', '', '2 * ']) + element() for _ in range(rng.randint(how == 'plain', 3))
        ]
        return out, terms

    def kernel(self, name, source, target, moves):
        rng, ids = self.rng, ['z', 'y', 'x'][-self.axes :]
        reach = 2 if self.axes < 3 else 1
        low, high = [rng.randint(0, reach) for _ in ids], [rng.randint(0, reach) for _ in ids]
        guards, reads, work = [], [], []
        for d, i in enumerate(ids):
            end = ('h', 'w')[d] if self.flat else str(self.size[d])
            least, most = low[d] if moves else rng.randint(0, 2), high[d] if moves else rng.randint(
                0, 2
            )
            guards.append('%s >= %d && %s < %s - %d' % (i, least, i, end, most))
        if self.wall:
            work, reads = self.rows(source, least, most)
        if rng.random() < 0.3:
            d = rng.randrange(len(ids))
            at = rng.randint(1, self.size[d] - 1)
            guards.append('%s %s %d' % (ids[d], rng.choice(['!=', '!=', '<', '>']), at))
        if rng.random() < 0.15:
            guards.append(
                '!(%s)'
                % ' && '.join(
                    '%s > %d && %s < %d' % (i, self.size[d] // 3, i, self.size[d] // 2)
                    for d, i in enumerate(ids)
                )
            )
        for _ in range(rng.randint(1, 4)):
            index = []
            for d, i in enumerate(ids):
                offset = rng.randint(-low[d], high[d]) if moves else 0
                term = '%s %s %d' % (i, '+' if offset >= 0 else '-', abs(offset)) if offset else i
                if offset and not self.flat and rng.random() < 0.1:
                    term = (
                        'max(%s, 0)' % term
                        if offset < 0
                        else 'min(%s, %d)' % (term, self.size[d] - 1)
                    )
                index.append(term)
            factor = rng.choice(['', '', '2 * ', '3 * ', 'by * ' if self.value else ''])
            reads.append(factor + self.element(source, index))
        if self.extra:
            reads.append(
                self.element('other' if self.flat or not self.named else self.name('c'), ids)
            )
        total = ' + '.join(reads)
        if self.type in ('float', 'double'):
            total = '(%s) * %s' % (
                total,
                rng.choice(['0.125', '0.25', '0.0625']) + ('f' if self.type == 'float' else ''),
            )
        elif self.type in ('short', 'int', 'long long'):
            total = '(%s) %% %d' % (total, rng.choice([97, 1009, 251]))
        pre = ''.join(
            '  int %s = blockIdx.%s * blockDim.%s + threadIdx.%s;\n'
            % (i, 'xyz'[len(ids) - 1 - d], 'xyz'[len(ids) - 1 - d], 'xyz'[len(ids) - 1 - d])
            for d, i in enumerate(ids)
        )
        store = '%s = %s;' % (self.element(target, ids), total)
        if work:
            store = '{\n    %s\n  }' % '\n    '.join(work + [store])
        if rng.random() < 0.25:
            body = '  if (!(%s))\n    return;\n  %s\n' % (' && '.join(guards), store)
        else:
            body = '  if (%s)\n    %s\n' % (' && '.join(guards), store)
        if rng.random() < 0.1 and not work:
            body = body.replace(store, 'if (%s %% 3 != 1) %s' % (ids[-1], store))
        params = []
        if not self.named:
            inner = ''.join('[%d]' % d for d in self.size[1:])
            kind = '%s *%s' if self.flat or self.axes == 1 else '%s (*%s)' + inner
            params = ['const ' + kind % (self.type, source), kind % (self.type, target)] + (
                ['const ' + kind % (self.type, 'other')] if self.extra else []
            )
        if self.wall in ('rows', 'line'):
            params.append(
                'const %s (*wall)[%d]' % (self.type, self.size[0])
                if self.wall == 'rows'
                else 'const %s *wall, int n' % self.type
            )
        params += ['int row'] if self.wall else []
        params += ['int h, int w'] if self.flat else []
        params += ['int by'] if self.value else []
        return '__global__ void %s(%s)\n{\n%s%s}\n' % (name, ', '.join(params), pre, body)

    def kernels(self):
        a, b = (self.name('a'), self.name('b')) if self.named else ('from', 'to')
        text = self.kernel(self.kernel_name(0), a, b, True)
        if self.two:
            text += self.kernel(
                self.kernel_name(1),
                *((b, a) if self.named else ('from', 'to')),
                self.rng.random() < 0.4
            )
        return text

    def launch(self, kernel, source, target, by):
        reverse = list(reversed(self.size))
        blocks = list(reversed(self.block))
        grid = ', '.join('%d' % ((s + b - 1) // b) for s, b in zip(reverse, blocks))
        args = [] if self.named else [source, target] + ([self.name('c')] if self.extra else [])
        args += (
            [self.name('wall')]
            if self.wall == 'rows'
            else ['&%s[0][0], %d' % (self.name('wall'), self.size[0])]
            if self.wall == 'line'
            else []
        )
        args += (
            [
                self.rng.choice(
                    [
                        't + 1',
                        't + 1',
                        '2 * t + %d' % self.rng.randint(1, 2),
                        '3 * t %% %d + 1' % (ROWS - 2),
                        '5' if self.rng.random() < 0.3 else 't + 2',
                    ]
                )
            ]
            if self.wall
            else []
        )
        args += ['%d, %d' % tuple(self.size)] if self.flat else []
        args += [by] if self.value else []
        return '%s<<<dim3(%s), dim3(%s)>>>(%s);' % (
            kernel,
            grid,
            ', '.join(map(str, blocks)),
            ', '.join(args),
        )

    def run(self):
        a, b, c, n = self.name('a'), self.name('b'), self.name('c'), 1
        for s in self.size:
            n *= s
        text = ''
        if self.flat:
            text += ''.join(
                '  %s = (%s *)mesi_malloc(%d * sizeof *%s);\n' % (x, self.type, n, x)
                for x in (a, b, c)
            )
        flat = [
            '%s[i]' % x if self.flat else '(&%s%s)[i]' % (x, '[0]' * self.axes) for x in (a, b, c)
        ]
        text += '  for (int i = 0; i < %d; i++) {\n%s  }\n' % (
            n,
            ''.join(
                '    %s = i * %d %% %d;\n' % (f, p, q)
                for f, p, q in zip(flat, (7, 5, 3), (61, 53, 11))
            ),
        )
        if self.wall:
            text += '  for (int i = 0; i < %d; i++)\n    (&%s[0][0])[i] = i * 11 %% 37;\n' % (
                ROWS * self.size[0],
                self.name('wall'),
            )
        by = self.rng.choice(['t', '2', 't % 3'])
        body = []
        if self.two:
            body = [
                self.launch(self.kernel_name(0), a, b, by),
                self.launch(self.kernel_name(1), b, a, by),
            ]
        elif self.swaps and not self.named:
            kind = '%s *' % self.type if self.flat or self.axes == 1 else None
            if kind:
                text += '  %sp = %s, *q = %s;\n' % (kind, a, b) if True else ''
                body = [
                    self.launch(self.kernel_name(0), 'p', 'q', by),
                    '%sr = p;' % kind,
                    'p = q;',
                    'q = r;',
                ]
        if not body:
            body = [
                self.launch(self.kernel_name(0), a, b, by),
                self.launch(self.kernel_name(0), b, a, by),
            ]
        loop = '  for (int t = 0; t < %d + zero; t++) {\n%s  }\n' % (
            self.steps,
            ''.join('    %s\n' % l for l in body),
        )
        text += loop
        if self.host:
            text += '  %s = %d;\n' % (
                flat[0].replace('[i]', '[%d]' % (n // 2)),
                self.rng.randint(0, 50),
            )
            text += loop
        return 'static void run%d(int zero)\n{\n%s}\n' % (self.n, text)


def is_wide(seed):
    """Are most numbers of a file of lines of 8 bytes? Shapes are for one size."""
    return seed % 3 == 0


def program(seed, lines):
    """(text, kernels)"""
    rng = random.Random(seed)
    loops = [Loop(rng, i, lines, is_wide(seed)) for i in range(4)]
    text = (
        '// seed %d\n#include <cstdio>\n' % seed
        + ''.join(l.declare() + l.kernels() + l.run() for l in loops)
        + 'int main(int argc, char **argv)\n{\n'
        + ''.join('  run%d(argc - 1);\n' % i for i in range(4))
        + '  return 0;\n}\n'
    )
    return text, sum(1 + loop.two for loop in loops)


def shape(rng, lines, wide):
    depth = rng.choice([3, 5, 7, 9, 31])
    if lines and rng.random() < 0.9:
        return rng.choice(
            ['always']
            + ['%d/%dx1x1/32x%dx1w' % (depth, 64 if wide else 128, warps) for warps in (2, 3, 4, 8)]
        )
    return rng.choice(
        [
            'always',
            str(depth),
            str(depth),
            '%d/128x1x1/32x3x1w' % depth,
            '%d/64x1x1/32x2x1w' % depth,
            '%d/64x20x1/32x5x1w' % min(depth, 5),
            '%d/64x24x1/32x4x1w' % min(depth, 5),
            '%d/32x32x1/32x8x1' % min(depth, 7),
            '%d/16x16x16/16x4x4' % min(depth, 5),
            '%d/96x1x1/32x1x1' % depth,
        ]
    )


def variants_of(o, seed, rng):
    """The levels with their options, the first for reference."""
    deep = ['2 --temporal=' + shape(rng, o.lines, is_wide(seed)) for _ in range(2)]
    if o.devices:
        return ['0', '0 --parts=always', deep[0] + ' --parts=always']
    return ['0'] + deep


def settings_of(o, seed, first):
    """(schedule, environment) of each run of a variant."""
    if first:
        return [('forward', {})]
    return on_devices(o.devices, seed) if o.devices else [('reverse', {}), ('random:1', {})]


def execute(o, tools, seed, folder):
    """(what is wrong or None, launches that became part of others, Outcome)"""
    rng, outcome = random.Random(seed), Outcome()
    path = os.path.join(folder, 'p.mcu')
    with open(path, 'w') as file:
        file.write(program(seed, o.lines)[0])
    dumps, stepped = [], 0
    try:
        for i, variant in enumerate(variants_of(o, seed, rng)):
            cpp, out = '%s/%d.cpp' % (folder, i), '%s/%d' % (folder, i)
            outcome.remarks[variant] = tools.translate(
                path, cpp, variant, ['-arch=' + o.arch] if o.arch else []
            )
            outcome.texts[variant] = read(cpp)
            tools.compile(told(cpp), out)
            for schedule, more in settings_of(o, seed, not i):
                dumps.append(run(out, schedule, variant, more))
                outcome.ran.setdefault(variant, set()).update(read(out + '.ran').split())
                stats = read(out + '.stats')
                outcome.spread.update(spread_of(stats))
                found = re.search(r'^stepped (\d+)', stats, re.M)
                stepped += int(found.group(1)) if found else 0
                if dumps[-1] != dumps[0]:
                    text = 'results differ with -O%s, %s'
                    return text % (variant, schedule_name(schedule, more)), stepped, None
    except Broken as broken:
        return '%s: %s' % (broken.kind, broken), stepped, None
    return None, stepped, outcome


def run(out, schedule, variant, more):
    """The dump."""
    env = dict(
        os.environ,
        MESI_DUMP=out + '.dump',
        MESI_SCHEDULE=schedule,
        MESI_STATS=out + '.stats',
        FUZZ_RAN=out + '.ran',
    )
    env.update(more)
    status, _, text = command([out], 120, env)
    if status:
        name = schedule_name(schedule, more)
        raise Broken('crash', 'status %d with -O%s, %s: %s' % (status, variant, name, text[-500:]))
    with open(out + '.dump', 'rb') as file:
        return file.read()


def keep(o, seed, folder, problem):
    print('seed %d: %s' % (seed, problem), flush=True)
    if o.keep:
        shutil.copytree(folder, '%s/steps-%d' % (o.keep, seed), dirs_exist_ok=True)


def parse():
    parser = argparse.ArgumentParser()
    for name in ('--mesicc', '--build', '--keep', '--arch', '--devices'):
        parser.add_argument(name)
    parser.add_argument('--seconds', type=float, default=60)
    parser.add_argument('--programs', type=int, default=1 << 60)
    parser.add_argument('--first', type=int, default=1)
    parser.add_argument('--seed', type=int)
    parser.add_argument('--print', type=int)
    parser.add_argument('--lines', action='store_true')
    return parser.parse_args()


def main():
    o = parse()
    if o.print is not None:
        print(program(o.print, o.lines)[0])
        return 0
    tools, tally, work = Tools(o.mesicc, o.build), Tally(), tempfile.mkdtemp(prefix='mesi-steps-')
    tools.precompile(work)
    spread = Counter()
    end, passed, failed, stepped, kernels, seed = (
        time.time() + o.seconds,
        0,
        0,
        0,
        0,
        o.seed if o.seed is not None else o.first,
    )
    while True:
        with tempfile.TemporaryDirectory() as folder:
            problem, count, outcome = execute(o, tools, seed, folder)
            if problem:
                keep(o, seed, folder, problem)
            else:
                tally.add(outcome)
                spread += outcome.spread
        stepped, kernels = stepped + count, kernels + program(seed, o.lines)[1]
        passed, failed = passed + (problem is None), failed + (problem is not None)
        seed += 1
        if o.seed is not None or time.time() > end or passed + failed >= o.programs:
            break
    shutil.rmtree(work, ignore_errors=True)
    tally.print(kernels)
    for why, launches in spread.most_common() if o.devices else []:
        print('%8d launches: %s' % (launches, why))
    print('%d kernels; %d launches became part of others; next seed %d' % (kernels, stepped, seed))
    print('%d passed, %d failed' % (passed, failed))
    return failed > 0


if __name__ == '__main__':
    sys.exit(main())
# SPDX-License-Identifier: MIT
