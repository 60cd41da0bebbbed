# SPDX-License-Identifier: MIT
"""Random kernels for outputs.py over a plane or a line, with ids and indices of all integer types,
weights of literals and conditions on the architecture."""
from output_kernel import Kernel

SIZE = 30000
IDS = ('size_t', 'size_t', 'unsigned', 'unsigned long long', 'int', 'long long')


class Planes(Kernel):
    """out[y][x] = what is made of in's elements beside it"""

    def __init__(self, rng, number):
        Kernel.__init__(self, rng, number)
        self.type = rng.choice(['float', 'float', 'float', 'double', 'int', 'unsigned'])
        self.id, self.size = rng.choice(IDS), rng.choice(['int', 'int', 'unsigned', 'size_t'])
        self.reach = rng.choice([1, 1, 1, 2])
        self.line = self.chance(0.2)
        self.rim = rng.choice(['guard', 'guard', 'guard', 'clamp', 'torus', 'zero', 'return'])
        if self.line:
            self.rim = rng.choice(['guard', 'return'])
        self.weight = self.weights()
        self.flat = self.chance(0.4)

    # ---- weights ----

    def literal(self):
        suffix = 'f' if self.type == 'float' else ''
        if self.type in ('int', 'unsigned'):
            return self.rng.choice(['2', '3', '-1', '5u', "'a'", '6 / 2', '(1 << 3)'])
        return self.rng.choice(
            [
                '1.{s} / 25.{s}', '1.0{s} / 9', '0.25{s}', '2.{s} / 3.{s}', '1 / 16.0{s}',
                '-0.5{s}', '1.{s} / 3.{s}',
            ]
        ).format(s=suffix)

    def weights(self):
        """One for all, or one by place."""
        if self.chance(0.5):
            one = self.literal()
            return lambda: one
        return self.literal

    # ---- places ----

    def shifted(self, name, size, by):
        """The coordinate `by` beside."""
        one = '%d%s' % (
            abs(by), self.rng.choice(['', '', '', 'u', 'ul', 'LL']),
        ) if self.typed else '%d' % abs(by)
        if by == 0:
            return name
        plain = '%s %s %s' % (name, '-' if by < 0 else '+', one)
        if self.rim == 'clamp':
            return (
                '(%s > %d ? %s : 0)' % (name, abs(by) - 1, plain)
                if by < 0
                else '(%s + %d < %s ? %s : %s - 1)' % (name, by, size, plain, size)
            )
        if self.rim == 'torus':
            return '(%s + %s %s %d) %% %s' % (name, size, '-' if by < 0 else '+', abs(by), size)
        return '(%s)' % plain

    def place(self, dy, dx):
        if self.line:
            return self.shifted('x', 'w', dx)
        if self.flat and self.rim in ('guard', 'return'):
            at = 'i'
            for by, unit in ((dy, 'w'), (dx, '')):
                if by:
                    unit_text = '%d%s' % (
                        abs(by), ' * w' if unit else '',
                    ) if not unit or abs(by) > 1 else 'w'
                    at += ' %s %s' % ('-' if by < 0 else '+', unit_text)
            return at
        y, x = self.shifted('y', 'h', dy), self.shifted('x', 'w', dx)
        form = self.rng.choice(
            ['%s * w + %s', '%s * w + %s', '%s * (size_t)w + %s', '(size_t)%s * w + %s']
        )
        return form % (y, x)

    def load(self):
        r = self.reach
        dy, dx = (0 if self.line else self.rng.randint(-r, r)), self.rng.randint(-r, r)
        text = 'in[%s]' % self.place(dy, dx)
        if self.rim == 'zero' and (dy or dx):
            tests = []
            for name, size, by in (('y', 'h', dy), ('x', 'w', dx)):
                if by < 0:
                    tests.append('%s >= %d' % (name, -by))
                if by > 0:
                    tests.append('%s + %d < %s' % (name, by, size))
            text = '(%s ? %s : 0)' % (' && '.join(tests), text)
        return text

    # ---- the kernel ----

    def loops(self):
        """A filter in loops over the neighbours."""
        d = self.rng.choice(['int', 'int', 'long'])
        r = self.reach
        at = '(y + v) * w + x + u'
        if self.flat and self.size != 'unsigned':  # else v * w has 32 bits, and is no step back
            at = 'i + v * w + u'
        return (
            'for ({d} v = -{r}; v <= {r}; v++) '
            'for ({d} u = -{r}; u <= {r}; u++) s += {w} * in[{at}];'
        ).format(d=d, r=r, w=self.weight().replace("'a'", '4'), at=at)

    def body(self):
        rng, t = self.rng, self.type
        lines = ['%s s = %s;' % (t, rng.choice(['0', '0', self.load()]))]
        self.typed = self.chance(0.3)
        if self.rim in ('guard', 'return') and not self.line and self.chance(0.35):
            lines.append(self.loops())
        else:
            for _ in range(rng.choice([2, 3, 5, 9])):
                lines.append(
                    rng.choice(
                        [
                            's += {w} * {a};', 's += {w} * {a};', 's += {a} * ({w});',
                            's = s - {a} * {w};', 's += {a};',
                        ]
                    )
                    .format(w=self.parenthesised(), a=self.load())
                )
        if self.type in ('float', 'double') and self.chance(0.2):
            lines.append(
                rng.choice(
                    ['s /= 9;', 's = s * %s;' % self.literal(), 's = %s * s + 1;' % self.literal()]
                )
            )
        to = 'out[%s]' % ('x' if self.line else 'y * w + x')
        lines.append('%s %s s;' % (to, rng.choice(['=', '=', '=', '+='])))
        return self.conditional(lines, 0.3)

    def parenthesised(self):
        weight = self.weight()
        return '(%s)' % weight if '/' in weight and self.chance(0.8) else weight

    def guard(self):
        rng, r = self.rng, self.reach
        if self.rim in ('clamp', 'torus', 'zero'):
            return 'x < w && y < h'
        forms = [
            ('{n} >= {r}', '{n} < {s} - {r}'), ('{n} > {q}', '{n} + {r} < {s}'),
            ('{n} - {r} < {s} - 2 * {r}', ''),
        ]
        if self.id in ('int', 'long long') or self.size == 'unsigned' and self.id != 'unsigned':
            forms = forms[:2]
        if self.size != 'size_t' or self.id in ('int', 'long long'):
            forms = forms[:2]
        parts = []
        for name, size in (('x', 'w'),) + (() if self.line else (('y', 'h'),)):
            low, high = rng.choice(forms)
            parts += [p.format(n=name, s=size, r=r, q=r - 1) for p in (low, high) if p]
        return ' && '.join(parts)

    def text(self):
        rng, t = self.rng, self.type
        self.typed = self.chance(0.3)
        cast = '(%s)' % self.id if self.chance(0.5) else ''
        lines = ['%s x = %sblockIdx.x * blockDim.x + threadIdx.x;' % (self.id, cast)]
        if not self.line:
            lines.append('%s y = %sblockIdx.y * blockDim.y + threadIdx.y;' % (self.id, cast))
        lines = rng.choice([lines, lines[::-1]])
        guard = self.guard()
        if not self.line and self.flat:
            lines.append('%s i = y * w + x;' % rng.choice([self.id, self.id, 'size_t']))
        body = self.body()
        lines += (
            ['if (!(%s)) return;' % guard] + body
            if self.rim == 'return'
            else ['if (%s) {' % guard] + body + ['}']
        )
        sizes = tuple(part for a in ('in', 'out') for part in (self.name(a), SIZE))
        return (
            'static __global__ %s %s[%d], %s[%d];\n' % ((t,) + sizes)
            + '__global__ void {k}(const {t} *{r} in, {t} *{r} out, {s} w, {s} h)\n{{\n'.format(
                k=self.name('k'), t=t, r=self.restrict, s=self.size
            )
            + ''.join('%s%s\n' % ('' if line[:1] == '#' else '  ', line) for line in lines)
            + '}\n'
        )

    def run(self):
        rng, out = self.rng, self.fills(('in', SIZE), ('out', SIZE))
        for _ in range(rng.randint(1, 3)):
            least = 2 * self.reach + 1
            w, h = rng.choice([64, 128, 100, 33, rng.randint(least, 150)]), rng.randint(least, 90)
            x, y = rng.choice([(32, 8), (16, 16), (32, 4), (128, 1)])
            if self.line:
                w, h, y = rng.choice([1000, 2048, rng.randint(least, 4000)]), 1, 1
            shape = (
                self.name('k'), -(-w // x), -(-h // y), x, y, self.name('in'), self.name('out'),
            )
            sizes = (w, h) if self.chance(0.4) else ('same(%d)' % w, 'same(%d)' % h)
            out += '  %s<<<dim3(%d, %d), dim3(%d, %d)>>>(%s, %s, %s, %s);\n' % (shape + sizes)
        return out
