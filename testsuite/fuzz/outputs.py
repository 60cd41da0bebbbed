#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random kernels whose threads compute several outputs in a loop: at -O0, and at -O2 under two
schedules, bit for bit; no access of what is emitted may be provably wrong.

usage: outputs.py --mesicc PATH --build DIR [--seconds N] [--programs N] [--first SEED] [--seed
       SEED] [--print SEED] [--family NAME] [--devices 2,3] [--prove] [--keep DIR]

A program has six kernels of one family (FAMILIES). Of `others`, two have rows of a thread that load
elements in common (analysis/transform/unroll_jam/jam.c): conditions of a row, several loops and
sums, stores to one element, and what must stay as it is: values that are handed on, other bounds in
each row, arguments that overlap. Two take what they load from tables, which the launch finds to be
alike in groups or not. Two go through layers in a loop of their own
(analysis/transform/stream_layers/layer_stream.c): sums over neighbours in all directions, in loops
or one by one, statements in other orders, other types, rims of any kind. The other families have
modules of their own. All are mapped wherever that is right. All VS variables have to hold the same
bytes at the end. Last line: "N passed, N failed".
"""
import argparse, os, random, re, shutil, sys, tempfile, time
from collections import Counter

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from axis_kernels import Axes  # noqa: E402
from digit_kernels import Digits  # noqa: E402
from divisor_kernels import Divisors  # noqa: E402
from execute import Broken, Tools, on_devices, prove, read, told  # noqa: E402
from flat_kernels import FlatIds  # noqa: E402
from half_kernels import Halves  # noqa: E402
from idle_kernels import IdleRows  # noqa: E402
from output_kernel import Kernel  # noqa: E402
from own_rows import OwnRows  # noqa: E402
from plane_kernels import Planes  # noqa: E402
from range_kernels import Ranges  # noqa: E402
from row_kernels import BlockRows  # noqa: E402
from run_kernels import Runs  # noqa: E402
from steps import run  # noqa: E402
from stride_kernels import Strides  # noqa: E402
from tile_kernels import Tiles  # noqa: E402
from tree_kernels import Trees  # noqa: E402

FORMS = (
    ('rows of a thread at once', r"M4019\].*? in '(k\d+_\d+)' run at once: "),
    ('pages at once, where tables allow', r"M4019\].*? in '(k\d+_\d+)' run at once where"),
    ('layers loaded once', r"M4008\]: '(k\d+_\d+)' .*load each layer once"),
    ('an id along each axis', r"M4036\]: '(k\d+_\d+)' gets an id along each axis"),
    ('rows of threads for a block in a row', r"M4046\]: '(k\d+_\d+)' gets rows of threads"),
    ('axes in another order', r"M4060\].*?'(k\d+_\d+)' "),
    ('rows of blocks as rows of threads', r"M4047\].*?'(k\d+_\d+)' "),
    ('elements for loops that share them', r"M4048\].*?'(k\d+_\d+)' "),
    ('a mapping of its threads', r"M4008\]: '(k\d+_\d+)' "),
    ('tiles by hand elsewhere', r"M4026\]: '(k\d+_\d+)' gets what fills"),
    ('trees by one warp', r"M4038\]: '(k\d+_\d+)' sums up .* behind one barrier"),
    ('arguments as constants', r"M4040\]: '(k\d+_\d+)' gets the numbers of its launches"),
    ('divisions as multiplications', r"M4042\]: '(k\d+_\d+)' divides by numbers of the launch"),
    ('ranges in chunks', r"M4043\]: '[\w, ]+' is staged in chunks .*? in '(k\d+_\d+)'"),
    ('both halves in one pass', r"M4050\]: '(k\d+_\d+)' "),
    ('own rows in tiles', r"M4008\]: '(k\d+_\d+)' .*(?:x|y|z) staged tile by tile"),
)
RAN = {
    'rows of a thread at once': r'^// (\w+_jammed\w*): ',
    'layers loaded once': r'^// (\w+): [^\n]*load each layer once',
    'ranges in chunks': r'^// (\w+_ranges\w*): ',
}
SAME = 'static int same(int n) { return getenv("NO_SUCH_NAME") ? n + 1 : n; }\n'
FILL = '''template<class T> static void fill(T *to, long n, unsigned seed)
{
  for (long i = 0; i < n; i++)
    to[i] = (T)((int)((i * 7919u + seed * 104729u) % 211u) - 105) / (T)%d;
}
'''


class Rows(Kernel):
    """z[r][col] = sum over i of x[r][i] and y[i][col]"""

    def __init__(self, rng, number):
        Kernel.__init__(self, rng, number)
        self.rows, self.m, self.k = rng.randint(1, 14), rng.randint(3, 90), rng.randint(1, 12)
        self.kept = self.chance(0.85)  # its mapping to threads

    def text(self):
        t, r = self.type, self.restrict
        unit = (
            '  __shared__ int unit;\n  if (threadIdx.x == 0) unit = 1;\n  __syncthreads();\n'
            if self.kept
            else '  int unit = 1;\n'
        )
        return (
            'static __global__ %s %s[%d], %s[%d], %s[%d];\nstatic __global__ int %s[%d];\n'
            % (
                t,
                self.name('x'),
                14 * 12 + 8,
                self.name('y'),
                12 * 90 + 8,
                self.name('z'),
                20 * 90,
                self.name('last'),
                20,
            )
            + '__global__ void %s(const %s *%s x, const %s *%s y, %s *%s z, const int *%s last, int'
            ' n, int m, int k)\n{\n' % (self.name('k'), t, r, t, r, t, r, r)
            + '  int col = blockIdx.x * blockDim.x + threadIdx.x;\n'
            + unit
            + self.body()
            + '}\n'
        )

    def body(self):
        rng, early = self.rng, self.chance(0.5)
        out = ['if (col * unit >= m) return;'] if early else ['if (col * unit < m) {']
        carried = self.chance(0.06)
        if carried:
            out += ['%s sum0 = 0;' % self.type]
        out += ['for (int r = 0; r < n; r++) {']
        guard = rng.choice(
            ['', '', 'col < last[r]', 'last[r] + col < m', 'r % 3 != 1', 'x[r * k] > 0']
        )
        place = rng.choice(['r * m + col', 'r * m + col', 'place', 'col', '(r / 2) * m + col'])
        if place == 'place':
            out += ['int place = r * m + col;']
        out += ['if (%s) {' % guard] if guard else []
        sums = rng.randint(1, 3)
        for s in range(sums):
            if not (carried and s == 0):
                out += [
                    '%s sum%d = %s;'
                    % (self.type, s, rng.choice(['0', '0', '1', 'last[r]', 'r'] * 3 + ['y[col]']))
                ]
        for _ in range(rng.randint(1, 2)):
            bound = 'k - r % 2' if self.chance(0.05) else rng.choice(['k', 'k', '(3 < k ? 3 : k)'])
            out += ['for (int i = 0; i < %s; i++) {' % bound]
            both = self.chance(0.4)
            out += ['%s value = y[i * m + col];' % self.type] if both else []
            for s in range(sums):
                out += [self.update(s, 'value' if both else 'y[i * m + col]')]
            if self.chance(0.1):
                out += ['for (int j = 0; j < 2; j++) sum0 += y[j * m + col];']
            out += ['}']
        for s in range(sums):
            out += ['z[%s] %s sum%d;' % (place, '=' if s == 0 else '+=', s)]
        out += ['}'] * bool(guard) + ['}'] + ['}'] * (not early)
        return ''.join('  %s\n' % line for line in out)

    def update(self, s, y):
        x = self.rng.choice(
            ['x[r * k + i]'] * 9 + ['x[(n - 1 - r) * k + i]'] * 3 + ['x[i]', 'x[r]']
        )
        form = self.rng.choice(
            [
                'sum{s} += {x} * {y};',
                'sum{s} += {x} * {y};',
                'sum{s} -= {x} + {y};',
                'if ({x} > 0) sum{s} += {y};',
                'sum{s} = {x} > {y} ? sum{s} + {x} : sum{s} * 2;',
                'sum{s} = sum{s} * 3 + ({y} > 1 ? {x} : 1);',
            ]
        )
        return form.format(s=s, x=x, y=y)

    def run(self):
        rng, out = self.rng, self.fills(('x', 14 * 12 + 8), ('y', 12 * 90 + 8), ('z', 20 * 90))
        out += '  for (int i = 0; i < 20; i++) %s[i] = (i * %d) %% %d;\n' % (
            self.name('last'),
            rng.randint(1, 50),
            rng.choice([self.m + 5, self.m, 7]),
        )
        for _ in range(rng.randint(1, 3)):
            n, threads = rng.choice([self.rows, self.rows, rng.randint(0, 14)]), rng.choice(
                [32, 64, 100]
            )
            z = (
                self.name('z')
                if self.restrict or self.chance(0.7)
                else '%s + %d' % (self.name(rng.choice(['x', 'y'])), rng.randint(0, 7))
            )
            if not self.restrict and z != self.name('z'):  # one thread: no race
                out += '  %s<<<1, 1>>>(%s, %s, %s, %s, %d, 1, %d);\n' % (
                    self.name('k'),
                    self.name('x'),
                    self.name('y'),
                    z,
                    self.name('last'),
                    n,
                    self.k,
                )
            else:
                out += '  %s<<<%d, %d>>>(%s, %s, %s, %s, %d, %d, %d);\n' % (
                    self.name('k'),
                    (self.m + threads - 1) // threads,
                    threads,
                    self.name('x'),
                    self.name('y'),
                    z,
                    self.name('last'),
                    n,
                    self.m,
                    self.k,
                )
        return out


class Tables(Kernel):
    """output[page] = sum over s of what is made of values at page's, thread's and summand's
    place"""

    def __init__(self, rng, number):
        Kernel.__init__(self, rng, number)
        self.restrict = ' __restrict__' if rng.random() < 0.85 else ''
        self.functions, self.pages, self.summands, self.threads = (
            rng.randint(1, 4),
            rng.randint(1, 40),
            rng.randint(1, 7),
            rng.choice([32, 32, 64]),
        )
        self.fixed = self.chance(0.08)  # the number of functions is known

    def text(self):
        t, r = self.type, self.restrict
        f = '%d' % self.functions if self.fixed else 'functions'
        guard = self.rng.choice(['', '', 'if (at[page] + thread < most)'])
        combine = self.rng.choice(
            [('1', 'product *= %s;'), ('0', 'product += %s;'), ('1', 'product = product * 3 + %s;')]
        )
        load = 'v[p[page * %s + f] + t[f * blockDim.x + thread] + o[s * %s + f]]' % (f, f)
        end = self.rng.choice(
            [
                'sum += product;',
                'sum += product;',
                'sum = sum * 2 - product;',
                'if (product > sum) sum = product; else sum += 1;',
            ]
        )
        return (
            'static __global__ %s %s[8000], %s[%d];\nstatic __global__ int %s[160], %s[256],'
            ' %s[28], %s[40];\n'
            % (
                t,
                self.name('v'),
                self.name('out'),
                40 * 64,
                self.name('p'),
                self.name('t'),
                self.name('o'),
                self.name('at'),
            )
            + '__global__ void %s(const %s *%s v, %s *%s out, const int *p, const int *t, const int'
            ' *o, const int *at, int functions, int pages, int summands, int most)\n{\n'
            % (self.name('k'), t, r, t, r)
            + '  int thread = threadIdx.x;\n  for (int page = 0; page < pages; page++) {\n    %s'
            ' {\n      %s sum = 0;\n      for (int s = 0; s < summands; s++) {\n' % (guard, t)
            + '        %s product = %s;\n        for (int f = 0; f < %s; f++)\n          %s\n      '
            '  %s\n      }\n' % (t, combine[0], f, combine[1] % load, end)
            + '      out[page * blockDim.x + thread] = sum;\n    }\n  }\n}\n'
        )

    def run(self):
        rng, out = self.rng, self.fills(('v', 8000))
        for _ in range(rng.randint(1, 3)):
            for f in range(self.functions):
                inner, outer, by = (
                    rng.choice([1, 2, 4, 4, 8, 40]),
                    rng.choice([1, 2, 4]),
                    rng.randint(0, 90),
                )
                out += (
                    '  for (int i = 0; i < 40; i++) %s[i * %d + %d] = i / %d %% %d * %d + i / %d *'
                    ' %d;\n'
                    % (
                        self.name('p'),
                        self.functions,
                        f,
                        inner,
                        outer,
                        by,
                        inner * outer,
                        rng.choice([0, 13, 40]),
                    )
                )
                out += '  for (int i = 0; i < %d; i++) %s[%d * %d + i] = i %s;\n' % (
                    self.threads,
                    self.name('t'),
                    f,
                    self.threads,
                    rng.choice(['* 0', '* 1', '* 17', '/ 4 * 29', '% 5 * 40', '* i % 97']),
                )
                out += '  for (int i = 0; i < 7; i++) %s[i * %d + %d] = i * %d%s;\n' % (
                    self.name('o'),
                    self.functions,
                    f,
                    rng.randint(0, 60),
                    rng.choice(['', '', ' + i % 2 * 3']),
                )
            out += '  for (int i = 0; i < 40; i++) %s[i] = i * %d %% 20;\n' % (
                self.name('at'),
                rng.choice([0, 0, 3, 7]),
            )
            if self.chance(0.25):
                at = rng.randint(0, self.pages * self.functions - 1)
                out += '  %s[%d] += %d;\n' % (self.name('p'), at, rng.randint(1, 9))
            arguments = (
                (self.name('k'), self.threads)
                + tuple(self.name(a) for a in ('v', 'out', 'p', 't', 'o', 'at'))
                + (self.functions, self.pages, self.summands, rng.choice([1000, self.threads, 40]))
            )
            out += '  %s<<<1, %d>>>(%s, %s, %s, %s, %s, %s, %d, %d, %d, %d);\n' % arguments
        return out


class Layers(Kernel):
    """out[i][j][k] = sum of in around it, in a loop over i"""

    def __init__(self, rng, number):
        Kernel.__init__(self, rng, number)
        self.d, self.h, self.w = (
            rng.randint(64, 70),
            rng.randint(3, 10),
            rng.choice([8, 12, 16, 20, 36, 40, rng.randint(5, 40)]),
        )
        self.low = [rng.choice([0, 0, 1, 1, 1, 1, 2]) for _ in range(3)]
        self.high = [rng.choice([0, 0, 1, 1, 1, 1, 2]) for _ in range(3)]
        self.h += self.low[1] + self.high[1]
        self.two = self.chance(0.3)

    def at(self, i, j, k):
        sign = lambda name, by: (
            name
            if by == 0
            else (
                '%s %s %s' % (name, '-' if by < 0 else '+', abs(by))
                if isinstance(by, int)
                else '%s + %s' % (name, by)
            )
        )
        return '((%s) * h + %s) * w + %s' % (sign('i', i), sign('j', j), sign('k', k))

    def random_at(self):
        rng = self.rng
        return self.at(*[rng.randint(-low, high) for low, high in zip(self.low, self.high)])

    def loops(self, s):
        """sum over some of the neighbours, in short loops"""
        rng, names, around, lines = self.rng, [], [], []
        for axis, name in enumerate('xyz'):
            if self.chance(0.65):
                lines.append(
                    'for (int %s = %d; %s <= %d; %s++)'
                    % (name, -self.low[axis], name, self.high[axis], name)
                )
                names.append(name)
                around.append(name)
            else:
                around.append(rng.randint(-self.low[axis], self.high[axis]))
        weight = rng.choice(
            [
                '',
                ' * %s' % ' * '.join('(%s + 3)' % n for n in names) if names else '',
                ' * f[%s]'
                % ' + '.join(
                    ['0'] + ['(%s + 2)%s' % (n, ' * 5' if n == 'x' else '') for n in names]
                ),
            ]
        )
        return ' '.join(lines) + ' s%d += in[%s]%s;' % (s, self.at(*around), weight)

    def text(self):
        t, r, rng = self.type, self.restrict, self.rng
        size = 80 * 24 * 48
        out = 'static __global__ %s %s[%d], %s[%d], %s[%d], %s[64];\n' % (
            t,
            self.name('in'),
            size,
            self.name('in2_'),
            size,
            self.name('to'),
            size,
            self.name('f'),
        )
        out += (
            '__global__ void %s(const %s *%s in, const %s *%s in2, const %s *%s f, %s *%s to, int'
            ' d, int h, int w)\n{\n' % (self.name('k'), t, r, t, r, t, r, t, r)
        )
        out += (
            '  int k = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y +'
            ' threadIdx.y;\n'
        )
        yes = (
            ['k >= %d' % self.low[2]] * (self.low[2] > 0)
            + [
                (
                    'k < w - %d' % self.high[2]
                    if self.chance(0.5) or not self.high[2]
                    else 'k + %d < w' % self.high[2]
                )
            ]
            + ['j >= %d' % self.low[1]] * (self.low[1] > 0)
            + ['j < h - %d' % self.high[1]]
        )
        out += (
            '  if (%s)\n' % ' && '.join(yes)
            if self.chance(0.5)
            else '  if (!(%s)) return;\n' % ' && '.join(yes)
        )
        out += '  for (int i = %d; i < d - %d; i++) {\n' % (self.low[0], self.high[0])
        sums = rng.randint(1, 2)
        lines = [
            '%s s%d = %s;' % (t, s, rng.choice(['0', '1', 'f[3]', 'in[%s]' % self.random_at()]))
            for s in range(sums)
        ]
        for _ in range(rng.choice([1, 1, 2, 2, 3])):
            s = rng.randrange(sums)
            lines.append(
                rng.choice(
                    [
                        self.loops(s),
                        self.loops(s),
                        's%d += in[%s];' % (s, self.random_at()),
                        's%d = s%d * 2 - in[%s] * f[2];' % (s, s, self.random_at()),
                        's%d += in[%s] * in[%s];' % (s, self.random_at(), self.random_at()),
                    ]
                )
            )
        if self.two:
            lines.append('s0 -= in2[%s]%s;' % (self.at(0, 0, 0), rng.choice(['', ' * f[i % 50]'])))
        value = ' + '.join('s%d' % s for s in range(sums))
        lines.append(
            '%s[%s] %s %s;' % ('to', self.at(0, 0, 0), rng.choice(['=', '=', '=', '+=']), value)
        )
        return out + ''.join('    %s\n' % line for line in lines) + '  }\n}\n'

    def run(self):
        size, rng = 80 * 24 * 48, self.rng
        out = self.fills(('in', size), ('in2_', size), ('f', 64), ('to', size))
        for _ in range(rng.randint(1, 2)):
            x, y = rng.choice([(32, 8), (16, 16), (32, 4)])
            by = rng.choice([0, 0, 0, 1])
            d = self.d if self.chance(0.95) else rng.randint(1, 63)
            arguments = (
                self.name('k'),
                -(-self.w // x),
                -(-self.h // y),
                x,
                y,
                self.name('in'),
                by,
                self.name('in2_'),
                self.name('f'),
                self.name('to'),
                d,
                self.h,
                self.w,
            )
            out += (
                '  %s<<<dim3(%d, %d), dim3(%d, %d)>>>(%s + %d, %s, %s, %s, %d, %d, %d);\n'
                % arguments
            )
        return out


FAMILIES = {
    'others': (Rows, Rows, Tables, Tables, Layers, Layers),
    'own': (OwnRows,) * 6, 'flat': (FlatIds,) * 6, 'trees': (Trees,) * 6,
    'divisors': (Divisors,) * 6,
    'ranges': (Ranges,) * 6,
    'strides': (Strides,) * 6,
    'tiles': (Tiles,) * 6, 'axes': (Axes,) * 6,
    'blocks': (BlockRows,) * 6,
    'planes': (Planes,) * 6,
    'digits': (Digits,) * 4,
    'halves': (Halves,) * 6,
    'runs': (Runs,) * 3 + (IdleRows,) * 3,
}


def is_mapped(seed):
    return seed % 4 > 0


def program(seed):
    rng, families = random.Random(seed), list(FAMILIES.values())
    kernels = [family(rng, number) for number, family in enumerate(families[seed % len(families)])]
    return (
        '// seed %d\n#include <cstdio>\n#include <cstdlib>\n' % seed
        + SAME
        + FILL.replace('%d', str(rng.choice([1, 3, 8])))
        + ''.join(k.text() for k in kernels)
        + 'int main()\n{\n'
        + ''.join(k.run() for k in kernels)
        + '  return 0;\n}\n'
    )


def prove_program(tools, seed, folder, counts):
    """The same in a finite field, with sums in any order."""
    with open(os.path.join(folder, 'program.mcu'), 'w') as file:
        file.write(program(seed))
    try:
        decided = prove(tools, folder, '3 --mapping=' + ('always' if is_mapped(seed) else 'auto'))
        counts['proved' if decided is True else 'not decided'] += 1
    except Broken as broken:
        return '%s: %s' % (broken.kind, broken)
    return None


def execute(tools, seed, folder, counts, devices=None):
    """What is wrong, or None."""
    path, reference = os.path.join(folder, 'p.mcu'), None
    mapping = ' --mapping=' + ('always' if is_mapped(seed) else 'untiled')
    with open(path, 'w') as file:
        file.write(program(seed))
    try:
        for i, variant in enumerate(
            (
                '0',
                '2' + mapping if seed % 6 else '2',
                '3 -fno-associative-math' + mapping,
            )
        ):
            cpp, out = '%s/%d.cpp' % (folder, i), '%s/%d' % (folder, i)
            log = os.environ['MESI_VERIFY_EMITTED'] = out + '.emitted'
            remarks = tools.translate(path, cpp, variant, [])
            wrong = re.search(r'(\d+) found wrong', read(log) if os.path.exists(log) else '')
            if wrong and int(wrong.group(1)):
                return '-O%s: accesses of the emitted code are wrong:\n%s' % (variant, read(log))
            tools.compile(told(cpp), out)
            for schedule in ['forward'] if not i else ['reverse', 'random:1'][: 1 + (i == 1)]:
                dump = run(out, schedule, variant, {})
                reference = dump if reference is None else reference
                if dump != reference:
                    return 'results differ with -O%s, schedule %s' % (variant, schedule)
            for schedule, more in on_devices(devices, seed) if devices and i == 1 else ():
                if run(out, schedule, variant, more) != reference:
                    return 'results differ with -O%s on devices, %s' % (variant, more)
            if i == 1:
                text, ran = read(cpp), read(out + '.ran').split()
                for what, pattern in FORMS:
                    for name in set(re.findall(pattern, remarks)):
                        counts[what] += 1
                        if what in RAN:
                            counts[what + ', ran'] += any(
                                v.startswith(name) and v in ran
                                for v in re.findall(RAN[what], text, re.M)
                            )
    except Broken as broken:
        return '%s: %s' % (broken.kind, broken)
    return None


def main():
    parser = argparse.ArgumentParser()
    for name in ('--mesicc', '--build', '--keep'):
        parser.add_argument(name)
    parser.add_argument('--seconds', type=float, default=60)
    parser.add_argument('--programs', type=int, default=1 << 60)
    parser.add_argument('--first', type=int, default=1)
    parser.add_argument('--seed', type=int)
    parser.add_argument('--print', type=int)
    parser.add_argument('--devices', help='numbers of simulated devices, at -O2')
    parser.add_argument('--prove', action='store_true', help='-O3 against -O0 in a finite field')
    parser.add_argument('--family', choices=list(FAMILIES), help='its seeds alone')
    o = parser.parse_args()
    if o.print is not None:
        print(program(o.print))
        return 0
    work = tempfile.mkdtemp(prefix='mesi-outputs-')
    tools, counts = Tools(o.mesicc, o.build), Counter()
    tools.precompile(work)
    end, passed, failed, seed = (
        time.time() + o.seconds,
        0,
        0,
        o.seed if o.seed is not None else o.first,
    )
    while True:
        while o.family and list(FAMILIES)[seed % len(FAMILIES)] != o.family:
            seed += 1
        with tempfile.TemporaryDirectory() as folder:
            problem = (
                prove_program(tools, seed, folder, counts)
                if o.prove
                else execute(tools, seed, folder, counts, o.devices)
            )
            if problem:
                print('seed %d: %s' % (seed, problem), flush=True)
                if o.keep:
                    shutil.copytree(folder, '%s/outputs-%d' % (o.keep, seed), dirs_exist_ok=True)
        passed, failed = passed + (problem is None), failed + (problem is not None)
        seed += 1
        if o.seed is not None or time.time() > end or passed + failed >= o.programs:
            break
    shutil.rmtree(work, ignore_errors=True)
    for what, count in sorted(counts.items()):
        print('  %-48s %7d' % (what, count))
    print('%d kernels; next seed %d' % (6 * (passed + failed), seed))
    print('%d passed, %d failed' % (passed, failed))
    return failed > 0


if __name__ == '__main__':
    sys.exit(main())
