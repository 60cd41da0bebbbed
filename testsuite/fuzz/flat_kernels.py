# SPDX-License-Identifier: MIT
"""Random kernels for outputs.py whose threads take a flat id apart."""
from output_kernel import Kernel

SIZE = 180000
MOST = 4096  # threads of a launch

TWO = (
    '{t} y = i / w, x = i % w;',
    '{t} y = i / w, x = i - y * w;',
    '{t} y = i / w; {t} x = i - w * y;',
    '{t} r = i, x = r % w; r /= w; {t} y = r;',
    '{t} r = i; {t} y = r / w; r -= y * w; {t} x = r;',
    '{t} y = i >> 6, x = i & 63;',
    '{t} y = i / 64, x = i % 64;',
    '{t} y = i / w, x = i % v;',
    '{t} y = i / w, x = i - y * v;',
    '{t} r = i; if (v > 40) r = i / 2; {t} y = r / w, x = r % w;',
)
THREE = (
    '{t} z = i / (w * h), y = i / w % h, x = i % w;',
    '{t} z = i / (w * h); {t} r = i - z * (w * h); {t} y = r / w, x = r % w;',
    '{t} z = i / (w * h); {t} r = i - z * w * h; {t} y = r / w, x = r - y * w;',
    '{t} x = i % w; {t} r = i / w; {t} y = r % h, z = r / h;',
    '{t} r = i; {t} x = r % w; r /= w; {t} y = r % h; r /= h; {t} z = r;',
    '{t} r = i; {t} z = r / (h * w); r = r % (h * w); {t} y = r / w; r %= w; {t} x = r;',
    '{t} z = i / (w * h), y = i / v % h, x = i % w;',
)


class FlatIds(Kernel):
    """out[i] = what is made of arrays at i's digits"""

    def __init__(self, rng, number):
        Kernel.__init__(self, rng, number)
        self.type = rng.choice(['float', 'float', 'double', 'int', 'unsigned', 'unsigned short'])
        self.id = rng.choice(['int', 'int', 'int', 'unsigned', 'size_t'])
        self.three = self.chance(0.4)
        self.split = rng.choice(THREE if self.three else TWO)
        self.all = 'd * h * w' if self.three else 'h * w'
        if '64' in self.split or '63' in self.split:
            self.all = 'h * 64'
        self.guard = rng.choice(['return', 'return', 'around', 'around', '', 'cut', 'early'])
        self.adds = False
        self.whole = self.guard in ('return', 'around', 'early')

    def load(self):
        row = '(z * h + y)' if self.three else 'y'
        return self.rng.choice(
            [
                'a[%s * m + k]' % row,
                'a[%s * m + k]' % row,
                'b[k * w + x]',
                'b[k * w + x]',
                'b[x * m + k]',
                'a[y * m + k]',
                'b[i]',
                'b[i + w]',
            ]
            + ['a[z * v + y * m + k]', 'b[z * h + x * m + k]'] * self.three
        )

    def loop(self):
        """A sum over k, whose end may be a quotient that threads with work compute, or rows."""
        step = 's += %s * %s;' % (self.load(), self.load())
        if self.chance(0.4):
            end = self.rng.choice(['m * v / v', 'm / 2', 'm % 7', 'm / 3 * 2', '(m + h) / h'])
            return 'int e = %s; for (int k = 0; k < e; k++) %s' % (end, step)
        if self.chance(0.2):
            at = self.rng.choice(['p * h + q', 'y + p * h + q', '(x + p) * h + q', 'p * m + q'])
            add = self.rng.choice(['', '', ' * (p + 1)'])
            rows = 'for (int p = 0; p < m; p++) for (int q = 0; q < h; q++) '
            return rows + 's += a[%s]%s;' % (at, add)
        return 'for (int k = 0; k < m; k++) ' + step

    def near(self):
        return self.rng.choice(
            ['a[i]', 'b[i + 1]', 'b[i + w]', 'a[i + w + 1]', 'a[x]', 'b[y]', 'a[x * h + y]']
            + ['b[z]'] * self.three
        )

    def body(self):
        rng, lines = self.rng, []
        if self.chance(0.7):
            lines.append(self.loop())
        for _ in range(rng.choice([0, 1, 1, 3])):
            lines.append(
                rng.choice(
                    [
                        's += {n};',
                        's += {n};',
                        's = s * 2 - {n};',
                        'if (x > 0 && x + 1 < w) s += {n};',
                        'if (y % 2) s -= {n};',
                        'if (i < h / 2 * w) s += 3;',
                        'if (i >= v) s += {n};',
                        'if (s > {n}) s = {n};',
                    ]
                ).format(n=self.near())
            )
        place = 'i'
        if self.whole and not self.three and 'i % v' not in self.split and self.chance(0.25):
            place = 'x * h + y' if self.split in TWO[:5] else 'i'
        lines.append('out[%s] %s s;' % (place, rng.choice(['=', '=', '=', '+='])))
        if place == 'i' and self.chance(0.05):
            lines.append('out[i] += threadIdx.x;')
        self.adds = any('out[' in line and '+=' in line for line in lines)
        return lines

    def text(self):
        t, r = self.type, self.restrict
        one = 'blockIdx.x * blockDim.x + threadIdx.x'
        lines = ['%s i = %s%s;' % (self.id, '(size_t)' if self.id == 'size_t' else '', one)]
        count = '(%s)(%s)' % (self.id, self.all) if self.chance(0.3) else self.all
        if self.guard == 'early':
            lines += ['c[i] = i;']
        if self.guard in ('return', 'early'):
            lines += ['if (i >= %s) return;' % count]
        if self.guard == 'cut':
            lines += ['if (i >= n) return;']
        if self.guard == 'around':
            lines += ['if (i < %s) {' % count]
        lines += [self.split.format(t=self.id)]
        lines += ['%s s = %s;' % (t, self.rng.choice(['0', '1', 'x']))]
        lines += self.body() + ['}'] * (self.guard == 'around')
        sizes = tuple(part for a in ('a', 'b', 'out') for part in (self.name(a), SIZE))
        number = 'int' if self.id == 'size_t' else self.id
        counts = ', '.join('%s %s' % (number, n) for n in 'dhwvmn')
        return (
            'static __global__ %s %s[%d], %s[%d], %s[%d];\nstatic __global__ int %s[%d];\n'
            % ((t,) + sizes + (self.name('c'), SIZE))
            + '__global__ void %s(const %s *%s a, const %s *%s b, %s *%s out, int *%s c, %s)\n{\n'
            % (self.name('k'), t, r, t, r, t, r, r, counts)
            + ''.join('  %s\n' % line for line in lines)
            + '}\n'
        )

    def run(self):
        rng, out = self.rng, self.fills(('a', SIZE), ('b', SIZE), ('out', SIZE))
        for _ in range(rng.randint(1, 3)):
            w = 64 if '6' in self.split else rng.choice([64, 128, 32, 1, 100, rng.randint(1, 130)])
            d = rng.choice([1, 2, 3, 5]) if self.three else 1
            threads = rng.choice([32, 64, 128, 100])
            h = rng.choice([rng.randint(1, 40), 16, 32])
            h = max(1, min(h, MOST // (d * w)))
            other = [w, max(w - 1, 1), 1] + [w + 1, 130] * ('y * v' not in self.split)
            blocks = -(-d * h * w // threads) + rng.choice([0, 0, 0, 0, 1, 2, -1])
            blocks = max(1, min(blocks, MOST // threads))
            shape = '%d' % blocks if self.chance(0.9) else 'dim3(%d, 1, 2)' % blocks
            if shape[0] == 'd' and self.adds:
                shape = '%d' % blocks
            out += '  %s<<<%s, %d>>>(%s, %s, %s, %s, %d, %d, %d, %d, %d, %d);\n' % (
                (self.name('k'), shape, threads)
                + tuple(self.name(a) for a in ('a', 'b', 'out', 'c'))
                + (d, h, w, rng.choice(other), rng.choice([1, 5, 16, 12]))
                + (rng.choice([blocks * threads, d * h * w, rng.randint(1, MOST), h * w]),)
            )
        return out
