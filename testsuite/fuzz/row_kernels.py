# SPDX-License-Identifier: MIT
"""Random kernels for outputs.py with a row a block and a column a thread (analysis/transform/
block_rows), and near misses: threads that see each other, sizes of the launch as strides."""
from output_kernel import Kernel

SIZE = 40000
NAMES = (
    ('blockIdx.x', 'threadIdx.x'),
    ('row', 'col'),
    ('row', 'col'),
    ('row', 'col'),
    ('row', 'threadIdx.x'),
)


class BlockRows(Kernel):
    """c[row][col] = what is made of a[row][...] and b[...][col]"""

    def __init__(self, rng, number):
        Kernel.__init__(self, rng, number)
        self.row, self.col = rng.choice(NAMES)
        self.id = rng.choice(['int'] * 5 + ['unsigned', 'size_t', 'short'])
        self.turned = self.chance(0.2)  # the block is a column
        if self.turned:
            self.row, self.col = self.col, self.row
        self.guard = rng.choice(['', '', 'return', 'around', 'few'])
        self.adds = False
        self.at = rng.choice(
            ['{r} * n + {c}'] * 4
            + ['{r} * blockDim.x + {c}', '{c} * gridDim.x + {r}', '{c} * m + {r}']
            + [
                '(gridDim.x - 1 - {r}) * n + {c}', '{r} * n + n - 1 - {c}',
                '({r} + 1) * n - {c} - 1',
            ]
        ).format(r=self.row, c=self.col)
        if self.turned:
            self.at = rng.choice(
                ['{r} * n + {c}', '{c} * m + {r}', '{r} * gridDim.x + {c}']
            ).format(
                r=self.row, c=self.col
            )

    def load(self):
        r, c = self.row, self.col
        at = self.rng.choice(
            ['a[{r} * k + p]'] * 3
            + ['b[p * n + {c}]'] * 3
            + ['b[{c} * k + p]', 'b[p * blockDim.x + {c}]', 'a[p * gridDim.x + {r}]']
            + [
                'a[({r} + 1) % gridDim.x * k + p]', 'b[({c} + p) % blockDim.x]',
                'a[({r} + 1) * k + 3 - p]',
            ]
        )
        return at.format(r=r, c=c)

    def near(self):
        r, c = self.row, self.col
        return self.rng.choice(
            [
                'a[{r}]', 'b[{c}]', 'a[{r} * n + {c}]', 'b[{r} * n + {c} + 1]', 'gridDim.x', '{c}',
                'b[({r} + 1) * n + {c}]',
            ]
            + ['({c} + 1 < blockDim.x ? b[{c} + 1] : 0)', '({r} > 0 ? a[({r} - 1) * n + {c}] : 1)']
        ).format(r=r, c=c)

    def body(self):
        rng, t = self.rng, self.type
        lines = ['%s s = %s;' % (t, rng.choice(['0', '1', self.col, 'a[%s]' % self.row]))]
        if self.chance(0.75):
            end = rng.choice(['k'] * 5 + ['%s %% 5' % self.row, '%s %% 5 + 1' % self.col, 'k / 2'])
            lines.append(
                'for (int p = 0; p < %s; p++) s += %s * %s;' % (end, self.load(), self.load())
            )
        for _ in range(rng.choice([0, 1, 1, 2])):
            lines.append(
                rng.choice(
                    ['s += {n};', 's = s * 2 - {n};', 'if ({n} > 2) s -= {n};']
                ).format(n=self.near())
            )
        if self.chance(0.05):
            lines.insert(
                rng.randint(1, len(lines)),
                rng.choice(['if (s == 3) return;', 'if (%s %% 3 == 1) return;' % self.col]),
            )
        way = rng.choice(['=', '=', '=', '+='])
        self.adds |= way != '='
        lines.append('c[%s] %s s;' % (self.at, way))
        if self.type in ('int', 'unsigned', 'float') and self.chance(0.1) and not self.warps:
            self.adds = True
            if self.type != 'float':
                lines.append(
                    rng.choice(['atomicAdd(&d[%s], s);', 'atomicMax(&d[%s], s);']) % self.row
                )
        return self.conditional(lines)

    def together(self):
        """What the threads of a block do together."""
        rng = self.rng
        if self.type not in ('int', 'unsigned', 'float'):
            return []
        return rng.choice(
            [
                [
                    '__shared__ %s u[1024];' % self.type,
                    'u[threadIdx.x] = b[threadIdx.x];',
                    '__syncthreads();',
                    '%s v = u[blockDim.x - 1 - threadIdx.x];' % self.type,
                    'd[blockIdx.x * blockDim.x + threadIdx.x] = v;',
                ],
                [
                    '%s v = __shfl_xor_sync(~0u, b[threadIdx.x], 1);' % self.type,
                    'd[blockIdx.x * blockDim.x + threadIdx.x] = v;',
                ],
                ['if (threadIdx.x == 0) d[blockIdx.x] = a[blockIdx.x];'],
            ]
        )

    def text(self):
        rng, lines = self.rng, []
        for name, builtin in ((self.row, 'row'), (self.col, 'col')):
            if name in ('row', 'col'):
                index = 'blockIdx.x' if (name == 'row') else 'threadIdx.x'
                lines.append('%s %s = %s;' % (self.id, name, index))
        lines = rng.choice([lines, lines[::-1]])
        self.warps = False
        if self.chance(0.1):
            lines += self.together()
            self.warps = True
        if self.guard == 'return':
            lines.append('if (%s >= n || %s >= m) return;' % (self.col, self.row))
        if self.guard == 'few':
            lines.append('if (%s >= n - 3) return;' % self.col)
        body = self.body()
        if self.guard == 'around':
            body = ['if (%s < n) {' % self.col] + body + ['}']
        sizes = tuple(part for a in 'abcd' for part in (self.name(a), SIZE))
        return (
            'static __global__ %s %s[%d], %s[%d], %s[%d], %s[%d];\n' % ((self.type,) + sizes)
            + (
                '__global__ void {k}(const {t} *{r} a, const {t} *{r} b, {t} *{r} c, {t} *{r} d, '
                'int m, int n, int k)\n{{\n'
            ).format(
                k=self.name('k'), t=self.type, r=self.restrict
            )
            + ''.join('%s%s\n' % ('' if line[:1] == '#' else '  ', line) for line in lines + body)
            + '}\n'
        )

    def run(self):
        rng, out = self.rng, self.fills(*((a, SIZE) for a in 'abcd'))
        for _ in range(rng.randint(1, 3)):
            m, n, k = rng.randint(1, 90), rng.choice(
                [32, 64, 128, 100, rng.randint(2, 200)]
            ), rng.randint(1, 12)
            if self.warps:
                n = rng.choice([32, 64, 128])
            blocks, threads = (n, m) if self.turned else (m, n)
            if self.turned and self.warps:
                threads = m = 32 * -(-m // 32)
            names = [self.name(a) for a in 'abcd']
            grid = '%d' % blocks
            if not self.adds and self.chance(0.06):
                grid = 'dim3(%d, 2)' % blocks
            if self.chance(0.35):
                out += '  %s<<<%s, %d>>>(%s, %d, %d, %d);\n' % (
                    self.name('k'), grid, threads, ', '.join(names), m, n, k,
                )
            else:
                hidden = rng.choice(
                    ['same(%d)' % blocks, '%d' % blocks]
                ) if grid.isdigit() else grid
                size = rng.choice(['same(%d)', '%d']) % threads
                text = '  { int m = same(%d), n = same(%d), k = same(%d); '
                text += '%s<<<%s, %s>>>(%s, m, n, k); }\n'
                out += text % (m, n, k, self.name('k'), hidden, size, ', '.join(names))
        return out
