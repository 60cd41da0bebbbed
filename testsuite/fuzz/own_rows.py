# SPDX-License-Identifier: MIT
"""Random kernels for outputs.py whose threads go through rows of their own and write them."""
from output_kernel import Kernel

SIZE = 9000
# a row's element, also from the row's end, or from a neighbouring row's start
FORMS = (
    'r * {s} + {j}',
    '(r + 1) * {s} - 1 - {back}',
    'r * {s} + {s} - {back} - 1',
    '(r + 1) * {s} + {j} - {s}',
    '(r - 1) * {s} + {s} + {j}',
)


class OwnRows(Kernel):
    """x[r][j] = what is made of rows r of x, y and z, in loops over j that count up or down"""

    def __init__(self, rng, number):
        Kernel.__init__(self, rng, number)
        self.type = rng.choice(
            ['float', 'float', 'double', 'unsigned', 'unsigned', 'unsigned long long', 'short']
        )
        self.stride = rng.choice(['n', 'n', 'ld', 'ld', '100'])
        self.early = self.chance(0.5)
        self.near = self.chance(0.2)  # z's rows are the neighbours', too
        self.forms = rng.choice([FORMS[:1], FORMS[:1], FORMS, FORMS[1:]])

    def at(self, name, by):
        form = self.rng.choice(self.forms)
        j = 'j%s' % (' %+d' % by if by else '')
        return '%s[%s]' % (name, form.format(s=self.stride, j=j, back='(%s)' % j if by else j))

    def some(self):
        if self.near and self.chance(0.3):
            return 'z[(r + 1) * %s + j]' % self.stride
        return self.at(self.rng.choice('xxyyz'), self.rng.choice([0, 0, 0, -1, -1, 1, -2, 2]))

    def statement(self):
        rng = self.rng
        to = self.at(rng.choice('xxxy'), rng.choice([0, 0, 0, 0, -1, 1]))
        return rng.choice(
            [
                's = s / 2 + {a};',
                's = s / 2 + {a};',
                '{to} = s;',
                '{to} = s + {a};',
                '{to} = {to} / 2 - {a};',
                '{to} += {a} * 3;',
                '{to} = {a} > {b} ? {a} : s;',
                'if ({a} > 1) {to} = {b};',
                'if (j % 3) {to} = {a} / 2;',
                'if ({a} > {b}) s += 1;',
            ]
        ).format(to=to, a=self.some(), b=self.some())

    def loop(self):
        rng = self.rng
        step = rng.choice([1, 1, 1, 1, 2, 3])
        low, high = rng.choice([2, 2, 3, 'low']), rng.choice(['n - 2', 'n - 2', 'n - 3', '30'])
        head = (
            'for (int j = %s; j < %s; j += %d)' % (low, high, step)
            if self.chance(0.6)
            else 'for (int j = %s; j >= %s; j -= %d)' % (high + ' - 1', low, step)
        )
        lines = [self.statement() for _ in range(rng.choice([1, 2, 2, 3]))]
        if self.chance(0.05):
            lines.append('if (s == 7) break;')
        return ['  %s {' % head] + ['    ' + line for line in lines] + ['  }']

    def text(self):
        t, r = self.type, self.restrict
        sizes = tuple(part for a in 'xyz' for part in (self.name(a), SIZE))
        first = '%s[r * %s]' % (self.rng.choice('xy'), self.stride)
        body = ['  %s s = %s;' % (t, self.rng.choice(['0', 'r', 'z[r * %s]' % self.stride]))]
        body += ['  %s = s + 1;' % first] if self.chance(0.4) else []
        for _ in range(self.rng.choice([1, 1, 2, 3])):
            body += self.loop()
        body += ['  y[r * %s] = s;' % self.stride] if self.chance(0.6) else []
        guard = '  if (r >= rows) return;\n' if self.early else '  if (r < rows) {\n'
        return (
            'static __global__ %s %s[%d], %s[%d], %s[%d];\n' % ((t,) + sizes)
            + '__global__ void %s(%s *%s x, %s *%s y, const %s *%s z, int rows, int n, int ld, int'
            ' low)\n{\n' % (self.name('k'), t, r, t, r, t, r)
            + '  int r = blockIdx.x * blockDim.x + threadIdx.x;\n'
            + guard
            + '\n'.join(body)
            + '\n'
            + '  }\n' * (not self.early)
            + '}\n'
        )

    def run(self):
        rng, out = self.rng, self.fills(('x', SIZE), ('y', SIZE), ('z', SIZE))
        for _ in range(rng.randint(1, 3)):
            rows, n = rng.randint(1, 80), rng.choice([100, 97, 64, 33, 30, 5, rng.randint(30, 100)])
            threads = rng.choice([32, 64, 100])
            names = [self.name(a) for a in 'xyz']
            if not self.restrict and self.chance(0.3):  # one array, by several names
                names[1 if self.near else rng.randint(1, 2)] = names[0]
            out += '  %s<<<%d, %d>>>(%s, %d, %d, %d, %d);\n' % (
                self.name('k'),
                -(-rows // threads),
                threads,
                ', '.join(names),
                rows,
                max(n, 34),
                rng.choice([100, max(n, 34)]),
                rng.choice([2, 2, 3, 9]),
            )
        return out
