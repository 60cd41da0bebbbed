# SPDX-License-Identifier: MIT
"""Random kernels for outputs.py whose threads share elements in loops (analysis/transform/
stride_loops), and near misses: elements that iterations share, numbers that they hand on."""
from output_kernel import Kernel

SIZE = 40000
FIRST = (
    'blockIdx.{x} * blockDim.{x} + threadIdx.{x}',
    'threadIdx.{x} + blockDim.{x} * blockIdx.{x}',
)
STEP = ('gridDim.{x} * blockDim.{x}', 'blockDim.{x} * gridDim.{x}')
SIGNATURE = (
    '__global__ void {k}(const {t} *{r} a, const {t} *{r} b, {t} *{r} c, int m, int n, int k,'
    ' int ld)\n{{\n'
)


class Strides(Kernel):
    """c[i][j] = what is made of rows of a and columns of b, for the threads' elements"""

    def __init__(self, rng, number):
        Kernel.__init__(self, rng, number)
        self.form = rng.choice(['nest', 'nest', 'block', 'block', 'line'])
        self.turned = self.chance(0.3)  # rows along x
        self.alone = self.chance(0.25)  # one thread: elements may be shared, arrays may meet
        if self.alone:
            self.type = rng.choice(['float', 'double', 'unsigned'])
        self.id = rng.choice(['int'] * 8 + ['unsigned', 'long long', 'size_t'])
        self.adds = False
        self.at = self.place()

    def place(self):
        own = ['i * n + j'] * 4 + ['i * ld + j'] * 3 + ['j * m + i', 'i * 200 + j']
        if self.form == 'line':
            own = ['j', 'j', '2 * j', 'n - 1 - j', 'j * 3 + 1', '(j + 1) * 2 - 1', 'j * k']
        shared = [
            'j', 'i + j', 'i * k + j', 'i / 2 * n + j', 'i * 2 + j * 3', 'j / 2', 'j * (k - 1)',
        ]
        if self.form == 'line':
            shared = ['j / 2', 'j % 7', 'j * (k - 1)', 'j * j % 50', 'k']
        return self.rng.choice(own + shared * self.alone)

    # ---- loops ----

    def loop(self, name, axis, bound, of_block=False):
        rng, before = self.rng, []
        first = 'threadIdx.x' if of_block else rng.choice(FIRST).format(x=axis)
        step = 'blockDim.x' if of_block else rng.choice(STEP).format(x=axis)
        if self.chance(0.2):
            before.append('int first_%s = %s;' % (name, first))
            first = 'first_' + name
        if self.chance(0.2):
            before.append('int step_%s = %s;' % (name, step))
            step = 'step_' + name
        miss = rng.choice(['first', 'step', 'down', 'end'] + [''] * 36)
        if miss == 'first':
            first += ' + 1'
        if miss == 'step':
            step = '2 * (%s)' % step
        head = 'for ({t} {i} = {a}; {i} < {e}; {i} += {s})'
        if miss == 'end':
            head = 'for ({t} {i} = {a}; {i} <= {e} - 1; {i} += {s})'
        if miss == 'down' and self.id == 'int':
            head = 'for ({t} {i} = {e} - 1 - ({a}); {i} >= 0; {i} -= {s})'
        before.append(head.format(t=self.id, i=name, a=first, e=bound, s=step) + ' {')
        return before

    def bound(self, name):
        return self.rng.choice(
            [name] * 8 + ['%s - 1' % name, '(int)%s' % name, '%s - k + k' % name]
        )

    # ---- the body ----

    def load(self):
        rows = ['a[i * k + p]', 'b[p * n + j]', 'b[j * k + p]', 'a[p]', 'b[i + p]', 'a[j + p]']
        if self.alone:
            rows += ['a[(i + 1) * k + p]', 'c[%s]' % self.at]
        return self.rng.choice(rows)

    def sum(self):
        rng = self.rng
        end = rng.choice(['k'] * 6 + ['i % 7', 'j % 5 + 1', 'k - 1'])
        head = 'for (int p = 0; p < %s; p++) ' % end
        if self.chance(0.15):
            head = 'for (int p = %s - 1; p >= 0; p--) ' % end
        if self.alone:
            return head + 's = s / 2 + %s / 4;' % self.load()
        return head + rng.choice(
            ['s += {x} * {y};', 's += {x} * {y};', 's += {x};', 'if ({x} > {y}) s = {x};']
        ).format(x=self.load(), y=self.load())

    def store(self):
        rng = self.rng
        way = rng.choice(['='] * 5 + ['+=', '-='])
        self.adds |= way != '='
        text = 'c[%s] %s s;' % (self.at, way)
        if self.alone:
            return rng.choice(
                ['c[%s] = s;' % self.at, 'c[{0}] = c[{0}] / 2 + s / 2;'.format(self.at)]
            )
        return rng.choice([text] * 4 + ['if (s > 1) ' + text, 'if (j % 3 != 1) ' + text])

    def body(self):
        rng, t = self.rng, self.type
        lines = ['%s s = %s;' % (t, rng.choice(['0', '1', 'b[j]', 'i % 9', '0']))]
        if self.carried:
            lines = ['s = s / 2;']
        if self.chance(0.1):
            lines.insert(0, rng.choice(['if (i == j) continue;', 'if (j % 4 == 2) continue;']))
        if self.chance(0.04):
            lines.append(
                rng.choice(['if (s == 7) break;', 'if (j == k) break;', 'if (j == 9) return;'])
            )
        lines += [self.sum() for _ in range(rng.choice([1, 1, 2]))]
        lines.append(self.store())
        if self.chance(0.15):
            lines.append(self.store())
        return self.conditional(lines)

    def before(self):
        """What stands in front of the loops."""
        return self.rng.choice(
            ['']*6 + ['int half = n / 2;', 'n = n - 1;', 'if (n < 0) return;', 'a += 2;', 'c++;']
        )

    def text(self):
        rng = self.rng
        self.carried = self.chance(0.06)
        lines = [self.before(), '%s s = 0;' % self.type if self.carried else '']
        x, y = ('y', 'x') if self.turned else ('x', 'y')
        if self.form == 'nest':
            lines += self.loop('i', y, self.bound('m'))
            lines += rng.choice([[], [], ['int base = i * n;'], ['%s row = b[i];' % self.type]])
            lines += self.loop('j', x, self.bound('n'))
        if self.form == 'block':
            lines += [rng.choice(['int i = blockIdx.x;', 'const int i = blockIdx.x;'])]
            lines += rng.choice([[], [], [], ['if (i >= m) return;']])
            lines += self.loop('j', 'x', self.bound('n'), True)
        if self.form == 'line':
            lines += [rng.choice(['int i = 3;', 'int i = k;'])]
            lines += self.loop('j', 'x', self.bound('n'))
        lines += self.body() + ['}'] * (1 + (self.form == 'nest'))
        if self.form == 'nest' and self.chance(0.04):
            lines.insert(
                -1, 'if (threadIdx.%s + blockIdx.%s == 0) c[%d + i] = k;' % (x, x, SIZE - 400),
            )
        if self.chance(0.03):
            lines.append('if (threadIdx.x == 0) c[%d + blockIdx.x] = n;' % (SIZE - 400))
        sizes = tuple(part for a in 'abc' for part in (self.name(a), SIZE + 8))
        return (
            'static __global__ %s %s[%d], %s[%d], %s[%d];\n' % ((self.type,) + sizes)
            + SIGNATURE.format(k=self.name('k'), t=self.type, r=self.restrict)
            + ''.join('%s%s\n' % ('' if line[:1] == '#' else '  ', line) for line in lines)
            + '}\n'
        )

    # ---- launches ----

    def run(self):
        rng, out = self.rng, self.fills(*((a, SIZE) for a in 'abc'))
        for _ in range(rng.randint(1, 3)):
            m, n, k = rng.randint(1, 70), rng.choice(
                [64, 32, 100, rng.randint(2, 130)]
            ), rng.randint(1, 12)
            if self.form == 'line':
                n = rng.choice([1000, 2048, rng.randint(2, 3000)])
            names = [self.name(a) for a in 'abc']
            if self.alone and not self.restrict and self.chance(0.4):
                names[2] = '%s + %d' % (names[rng.randint(0, 1)], rng.choice([0, 0, 1, n, 33]))
            ld = rng.choice([n, n, n + 3, 130])
            if self.alone:
                ld = rng.choice([n, n - 1, 1, 0, 2])
            out += self.launch(self.shape(m), ', '.join(names), (m, n, k, ld))
        return out

    def shape(self, m):
        rng, again = self.rng, not self.adds and self.chance(0.06)
        if self.alone:
            return '1', '1'
        if self.form == 'block':
            return '%d' % m, '%d' % rng.choice([32, 64, 100, 33, 16])
        if self.form == 'line':
            return '%d' % rng.choice([1, 4, 7]), '%d' % rng.choice([32, 64, 100, 1])
        grid = 'dim3(%d, %d%s)' % (rng.randint(1, 4), rng.randint(1, 4), ', 2' * again)
        return grid, 'dim3(%d, %d)' % rng.choice([(32, 8), (16, 16), (32, 4), (10, 3), (1, 32)])

    def launch(self, shape, names, sizes):
        head = '%s<<<%s, %s>>>(%s, ' % ((self.name('k'),) + shape + (names,))
        if self.chance(0.4):
            return '  %s%d, %d, %d, %d);\n' % ((head,) + sizes)
        if self.form == 'block' and shape[0].isdigit() and self.chance(0.5):
            head = '%s<<<same(%s), same(%s)>>>(%s, ' % ((self.name('k'),) + shape + (names,))
        numbers = 'int m = same(%d), n = same(%d), k = same(%d), ld = same(%d); ' % sizes
        return '  { %s%sm, n, k, ld); }\n' % (numbers, head)
