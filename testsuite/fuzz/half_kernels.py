# SPDX-License-Identifier: MIT
"""Random kernels for outputs.py that sum over both halves of a matrix (analysis/transform/
both_halves), and near misses: other pairs, other elements, sums that are looked at."""
from output_kernel import Kernel

SIDE = 320  # rows that fit
ARRAYS = (('a', SIDE * SIDE + 800), ('x', 2 * SIDE), ('w', 2 * SIDE), ('y', 2 * SIDE))
FACTORS = ['x[j]'] * 4 + ['x[n - 1 - j]', 'x[j] * w[j]', '3', 'x[j * 2 % {side}]', '(x[j] + i)']
MISSES = ('x[i]', 'w[(i + j) % {side}]', 'a[j * d + j]')


class Halves(Kernel):
    """y[i] = the sum of a[i][j] x[j] on one side of the diagonal and of a[j][i] x[j] on the
    other"""

    def __init__(self, rng, number):
        Kernel.__init__(self, rng, number)
        self.id = rng.choice(['int'] * 4 + ['unsigned'])
        self.index = rng.choice(['int'] * 4 + ['long long'])
        self.sum = self.type if self.chance(0.9) else rng.choice(['int', 'double'])
        self.rows = self.chance(0.5)  # a[i][j] is below the diagonal
        self.two = self.chance(0.25)  # sums

    def factor(self):
        parts = [self.rng.choice(FACTORS).format(side=SIDE)]
        if self.chance(0.08):
            parts.append(self.rng.choice(MISSES).format(side=SIDE))
        return parts

    def element(self, own):
        """a[i][j], or a[j][i]"""
        at = ['i * d + j', '(%s)i * d + j' % self.index] if own else ['j * d + i', 'i + d * j']
        if self.chance(0.05):
            at = ['j * d + i + 1', 'i * d + j', 'j * n + i', '(j + 1) * d + i']
        return 'a[%s]' % self.rng.choice(at)

    def term(self, own, into):
        rng, parts = self.rng, self.factor() + [self.element(own)]
        rng.shuffle(parts)
        form = ['{s} += {e};'] * 4 + ['{s} -= {e};', '{s} = {s} + {e};', '{s} = {e} + {s};']
        return rng.choice(form).format(s=into, e=' * '.join(parts))

    def head(self, below, diagonal):
        rng, i = self.rng, '(%s)i' % self.index
        if below:
            start, end = '0', '<= ' + i if diagonal else '< ' + i
        else:
            start, end = i if diagonal else i + ' + 1', '< n'
        if self.chance(0.04):
            end = rng.choice(['< n - 1', '<= %s + 1' % i, '< %s - 1' % i])
        step = rng.choice(['j++'] * 6 + ['++j', 'j += 1']) if self.chance(0.97) else 'j += 2'
        return 'for (%s j = %s; j %s; %s)' % (self.index, start, end, step)

    def loops(self):
        rng, into = self.rng, ['s', 't' if self.two else 's']
        diagonal = rng.choice([(True, False), (False, True), (False, False), (True, True)])
        terms = [
            '%s %s'
            % (
                self.head(below, diagonal[not below]),
                self.term(below == self.rows, into[not below]),
            )
            for below in (True, False)
        ]
        if self.chance(0.3):
            terms.reverse()
        if self.chance(0.15):
            terms.insert(1, rng.choice(['v += s;', 'y[i] = s;', 's = s + 1;', 'v = n;']))
        return terms

    def one_loop(self):
        rng, head = self.rng, 'for (%s j = 0; j < n; j++)' % self.index
        below = rng.choice(['j <= {i}', 'j < {i}', '{i} >= j', '!({i} < j)', '{i} > j'])
        below = below.format(i='(%s)i' % self.index)
        first, second = self.element(self.rows), self.element(not self.rows)
        factor = self.factor()[0]
        if self.chance(0.3):
            return [
                '%s { if (%s) %s else %s }'
                % (head, below, self.term(self.rows, 's'), self.term(not self.rows, 's'))
            ]
        if self.chance(0.3):
            first, second = first[2:-1], second[2:-1]
            return ['%s s += a[%s ? %s : %s] * %s;' % (head, below, first, second, factor)]
        if self.chance(0.5):
            choice = '%s v_ = %s ? %s : %s;' % (self.type, below, first, second)
            return ['%s { %s s += v_ * %s; }' % (head, choice, factor)]
        return ['%s s += (%s ? %s : %s) * %s;' % (head, below, first, second, factor)]

    def text(self):
        rng, t, r = self.rng, self.type, self.restrict
        lines = ['%s s = %s, t = 1, v = 2;' % (self.sum, rng.choice(['0', '1', 'x[i]']))]
        body = self.loops() if self.chance(0.6) else self.one_loop()
        if self.chance(0.05):
            body = ['if (x[i] > 2) {'] + body + ['}']
        lines += self.conditional(body)
        way, rest = rng.choice(['=', '=', '+=']), rng.choice(['+ t + v', '* t'])
        lines.append('y[i] %s s %s;' % (way, rest))
        guard = rng.choice(['return', 'around', 'sums'])
        if guard == 'around':
            lines = ['if (i < (%s)n) {' % self.id] + lines + ['}']
        elif guard == 'return':
            lines.insert(0, 'if (i >= (%s)n) return;' % self.id)
        else:
            lines = lines[:1] + ['if (i < (%s)n) {' % self.id] + lines[1:-1] + ['}'] + lines[-1:]
        lines.insert(0, '%s i = blockIdx.x * blockDim.x + threadIdx.x;' % self.id)
        return (
            ''.join('static __global__ %s %s[%d];\n' % (t, self.name(n), c) for n, c in ARRAYS)
            + '__global__ void %s(const %s *%s a, const %s *%s x, const %s *%s w, %s *%s y, int n,'
            % (self.name('k'), t, r, t, r, t, r, t, r)
            + ' int d)\n{\n'
            + ''.join('  %s\n' % line for line in lines)
            + '}\n'
        )

    def run(self):
        rng = self.rng
        out = self.fills(*ARRAYS)
        for _ in range(rng.randint(1, 2)):
            n = rng.choice([1, 33, 64, 100, 129, 200, 257, SIDE])
            d = rng.choice([n, n, min(n + 3, SIDE), SIDE])
            block = rng.choice([32, 64, 96, 128, 256])
            blocks = min(-(-n // block) + self.chance(0.1), 2 * SIDE // block)
            names = [self.name(a) for a in ('a', 'x', 'w', 'y')]
            n, d = (str(n), str(d)) if self.chance(0.3) else ('same(%d)' % n, 'same(%d)' % d)
            out += '  %s<<<%d, %d>>>(%s, %s, %s);\n' % (
                self.name('k'), blocks, block, ', '.join(names), n, d,
            )
        return out
