# SPDX-License-Identifier: MIT
"""Random kernels for outputs.py whose threads go over ranges that a table gives, one next to the
other."""
from output_kernel import Kernel

SIZE = 6000
ROWS = 400

# The first element of range i, for the host.
TABLES = (
    'i * {n}',
    'i * {n}',
    'i * {n} + i % 3',
    'i / 8 * {n}',
    'i < 50 ? 0 : (i - 50) * {n}',
    'i < {m} ? i : i + 3000',
    'i * {n} + (i % {m} == 5 ? 900 : 0)',
    'i * 37 % 501',
    '{m}',
)
HEADS = (
    '{t} j = p[r]; j < p[r + 1]; j++',
    '{t} j = p[r]; j < p[r + 1]; j++',
    '{t} j = p[r]; j < p[r + 1]; ++j',
    '{t} j = from; j < to; j++',
    '{t} j = p[r]; j < q[r]; j++',
    'j = from; j < to; j++',
)


class Ranges(Kernel):
    """out[r] = what is made of elements of range r, in their order"""

    def __init__(self, rng, number):
        Kernel.__init__(self, rng, number)
        self.index = rng.choice(['int', 'int', 'int', 'unsigned', 'long long'])
        self.guard = rng.choice(['around', 'around', 'return', 'stride', 'both', ''])
        self.restrict = ' __restrict__' if rng.random() < 0.8 else ''

    def element(self):
        return self.rng.choice(
            ['x[j]', 'x[j]', 'x[j]', 'x[at[j]]', 'x[at[j]]', 'at[j]', 'x[c]', 'x[j + 1]']
            + ['x[j * 2 % 5000]', 'x[r]', 'y[r]', 'x[(at[j] + r) % 5000]']
        )

    def statement(self):
        form = self.rng.choice(
            ['s = s / 2 + {a};'] * 3
            + ['s += {a} * {b};'] * 3
            + ['if ({a} > {b}) s = s / 2 - {a};', 'if (j % 3) s += {a};', 's -= {a};']
            + ['if ({a} == 3) continue;', 'for (int d = 0; d < 2; d++) s = s / 2 + x[j + d];']
            + ['w = {a}; s += w;', 's += w; w = {a};']
        )
        return form.format(a=self.element(), b=self.element())

    def loop(self):
        head = self.rng.choice(HEADS).format(t=self.index)
        lines = [self.statement() for _ in range(self.rng.choice([1, 2, 2, 3]))]
        if self.chance(0.2):
            lines.append(self.rng.choice(['if (s > 90) break;', 'if (at[j] == 7) break;']))
        if self.chance(0.06) and self.guard != 'stride':
            lines.append('if (s > 80) { out[r] = 1; return; }')
        return (
            ['for (%s) {' % head, '  const int c = at[j];']
            + ['  ' + line for line in lines]
            + ['}']
        )

    def text(self):
        t, i, r, rng = self.type, self.index, self.restrict, self.rng
        body = ['%s s = %s, w = 1;' % (t, rng.choice(['0', 'r', 'x[r]']))]
        body += ['%s from = p[r], to = p[r + 1], j = 0;' % i]
        for _ in range(rng.choice([1, 1, 1, 2])):
            loop = self.loop()
            if self.chance(0.15):
                loop = ['for (int k = 0; k < 2; k++) {'] + loop + ['}']
            if self.chance(0.1):
                guard = rng.choice(['n > 9', 'r > 5', 'r % 2', 'y[r] > 0'])
                loop = ['if (%s) {' % guard] + loop + ['}']
            body += loop
        body += ['out[r] = s%s;' % rng.choice(['', '', ' + (%s)j' % t, ' * w'])]
        first = 'blockIdx.x * blockDim.x + threadIdx.x'
        head, tail = {
            'around': (['int r = %s;' % first, 'if (r < n) {'], ['}']),
            'return': (['int r = %s;' % first, 'if (r >= n) return;'], []),
            'both': (['int r = %s;' % first, 'if (r >= 3 && r < n) {'], ['}']),
            'stride': (
                ['for (int r = %s; r < n; r += blockDim.x * gridDim.x) {' % first],
                ['}'],
            ),
            '': (['int r = %s;' % first], []),
        }[self.guard]
        names = tuple(self.name(a) for a in ('p', 'q', 'x', 'y', 'out', 'at'))
        return (
            'static __global__ %s %s[%d], %s[%d];\n' % (i, names[0], ROWS + 1, names[1], ROWS + 1)
            + 'static __global__ %s %s[%d], %s[%d], %s[%d];\nstatic __global__ int %s[%d];\n'
            % (t, names[2], SIZE, names[3], ROWS, names[4], ROWS, names[5], SIZE)
            + '__global__ void %s(const %s *%s p, const %s *%s q, const %s *%s x, const %s *%s y,'
            % (self.name('k'), i, r, i, r, t, r, t, r)
            + ' %s *%s out, const int *%s at, int n)\n{\n' % (t, r, r)
            + ''.join('  %s\n' % line for line in head + body + tail)
            + '}\n'
        )

    def run(self):
        rng, out = self.rng, self.fills(('x', SIZE), ('y', ROWS), ('out', ROWS))
        out += '  for (int i = 0; i < %d; i++) %s[i] = i * %d %% 5000;\n' % (
            SIZE,
            self.name('at'),
            rng.choice([1, 3, 7, 37, 0]),
        )
        for _ in range(rng.randint(1, 2)):
            n, table = rng.choice([1, 5, 12]), rng.choice(TABLES)
            table = table.format(n=n, m=rng.choice([7, 64, 150, 390]))
            out += '  for (int i = 0; i <= %d; i++) %s[i] = (%s) %% 5500;\n' % (
                ROWS,
                self.name('p'),
                table,
            )
            out += '  for (int i = 0; i <= %d; i++) %s[i] = %s[i] + i %% %d;\n' % (
                ROWS,
                self.name('q'),
                self.name('p'),
                rng.choice([1, 3, 60]),
            )
            threads = rng.choice([32, 64, 64, 100])
            rows = rng.choice([ROWS, ROWS, 3 * threads, 50])
            blocks = rows // threads if not self.guard else -(-rows // threads)
            blocks = rng.choice([1, 2]) if self.guard == 'stride' else max(blocks, 1)
            rows = min(rows, ROWS)
            names = [self.name(a) for a in ('p', 'q', 'x', 'y', 'out', 'at')]
            if not self.restrict and self.chance(0.2):
                names[3] = names[4]
            out += '  %s<<<%d, %d>>>(%s, %d);\n' % (
                self.name('k'),
                blocks,
                threads,
                ', '.join(names),
                rows,
            )
        return out
