# SPDX-License-Identifier: MIT
"""Random kernels for outputs.py whose blocks go through a tile in steps (analysis/transform/
stride_loops/block_steps.c), with and without shared memory, and near misses: blocks of other sizes
than the steps, rows that end, values of a thread."""
from output_kernel import Kernel

SIZE = 40000
HEADS = {
    'blocks': 'for ({t} j = 0; j < {T}; j += {B}) {{',
    'thread': 'for ({t} j = threadIdx.{s}; j < {T}; j += {d}) {{',
    'one': 'for ({t} j = 0; j < {N}; j++) {{',
}


class Tiles(Kernel):
    """out[y][x] or out[x][y] = what is made of in, for a tile of T x T elements a block"""

    def __init__(self, rng, number):
        Kernel.__init__(self, rng, number)
        self.id = rng.choice(['int'] * 6 + ['unsigned', 'size_t'])
        self.tile, self.by = rng.choice([(32, 8), (32, 8), (16, 4), (16, 8), (32, 4), (24, 8)])
        self.side = rng.choice('yyx')  # along which the loop goes
        self.form = rng.choice(['blocks', 'blocks', 'thread', 'one'])
        self.shared = self.chance(0.25)
        self.whole = self.shared or self.chance(0.35)  # sizes are multiples of the tile
        self.other = self.chance(0.1)  # blocks of another size than the loop's step
        self.swap = self.chance(0.5)  # the row is stored as a column
        self.in_place = not self.swap and self.chance(0.2)
        self.other &= not (self.swap and self.whole)  # rows beyond the last are columns' starts
        self.adds = self.in_place

    def rows(self):
        """y and x as the kernel names them, and the element along the loop's side."""
        start = self.rng.choice(
            ['blockIdx.{s} * {T} + threadIdx.{s}', 'threadIdx.{s} + {T} * blockIdx.{s}']
        )
        lines, names = [], {}
        for side in 'yx':
            text, width = start, self.tile
            if side == self.side and self.form == 'thread':
                text = 'blockIdx.{s} * {T}'
            lines.append('%s %s = %s;' % (self.id, side, text.format(s=side, T=width)))
            names[side] = side
        step = {'blocks': 'j', 'thread': 'j', 'one': 'j * %s' % self.stride()}[self.form]
        names[self.side] = self.rng.choice(
            ['(%s + %s)', '(%s + %s)', '(%s + (%s))']
        ) % (self.side, step)
        return lines, names

    def stride(self):
        return self.rng.choice(['%d' % self.by, 'blockDim.%s' % self.side])

    def head(self):
        by = self.rng.choice(['%d' % self.by, 'blockDim.%s' % self.side])
        return HEADS[self.form].format(
            t=self.rng.choice([self.id, self.id, 'int']),
            s=self.side,
            T=self.tile,
            B=by,
            d=self.rng.choice(['blockDim.%s' % self.side] * 3 + ['%d' % self.by]),
            N=self.tile // self.by,
        )

    def value(self, y, x):
        rng = self.rng
        at = '%s * n + %s' % (y, x)
        if self.id == 'size_t' and self.chance(0.3):
            at = '(size_t)%s * n + %s' % (y, x)
        place = 'out[%s]' % at if self.in_place else 'in[%s]' % at
        more = rng.choice(
            [''] * 6 + [' + in[%s]' % x, ' - in[%s] * 2' % y, ' + %s' % y, ' + in[%s + 1]' % at]
        )
        if self.in_place:
            more = rng.choice(['', ' + in[%s]' % at, ' - in[%s]' % x])
        if not self.other and self.chance(0.03):
            more += rng.choice([' + threadIdx.x', ' + j', ' + blockDim.y', ' + blockIdx.x'])
        return at, place + more

    def body(self, names):
        rng, t = self.rng, self.type
        y, x = names['y'], names['x']
        at, value = self.value(y, x)
        to = '%s * m + %s' % (x, y) if self.swap else at
        lines = ['%s s = %s;' % (t, value)]
        if self.chance(0.2):
            row, column = rng.choice([(y, x), (y, x), (x, y)])
            lines.append(
                'for (int p = 0; p < k; p++) s += in[%s * k + p] * w[p * n + %s];' % (row, column)
                if not self.in_place
                else 'for (int p = 0; p < k; p++) s += w[p * n + %s];' % column
            )
        way = rng.choice(['=', '=', '=', '+='])
        self.adds |= way != '='
        store = 'out[%s] %s s;' % (to, way)
        lines.append(rng.choice([store] * 5 + ['if (s > 1) ' + store, store + ' ' + store]))
        return self.conditional(lines)

    def guards(self, names):
        """(lines in front of the loop, in the loop, around its body)"""
        if self.whole:
            return [], [], ''
        x, y = '%s < n' % names['x'], '%s < m' % names['y']
        along, across = (y, x) if self.side == 'y' else (x, y)
        turn = lambda text: text.replace(' < ', ' >= ')
        return self.rng.choice(
            [
                ([], [], '%s && %s' % (x, y)),
                ([], [], '%s && %s' % (y, x)),
                (['if (%s) return;' % turn(across)], [], along),
                (['if (%s) return;' % turn(across)], ['if (%s) break;' % turn(along)], ''),
                (['if (%s) return;' % turn(across)], ['if (%s) return;' % turn(along)], ''),
                ([], ['if (%s || %s) continue;' % (turn(x), turn(y))], ''),
                (['if (x >= n || y >= m) return;'], [], '%s && %s' % (x, y)),
                (['if (x < n && y < m)'], [], '%s && %s' % (x, y)),
            ]
        )

    def tiled(self):
        """Through shared memory."""
        T, B, t = self.tile, self.by, self.id
        early = self.rng.choice(['', '', 'if (k > 99) return;'])
        pad = self.rng.choice([0, 1])
        return [
            '__shared__ %s s[%d][%d];' % (self.type, T, T + pad),
            early,
            '%s x = blockIdx.x * %d + threadIdx.x, y = blockIdx.y * %d + threadIdx.y;' % (t, T, T),
            'for (int j = 0; j < %d; j += %d)' % (T, B),
            '  s[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];',
            '__syncthreads();',
            'x = blockIdx.y * %d + threadIdx.x; y = blockIdx.x * %d + threadIdx.y;' % (T, T),
            'for (int j = 0; j < %d; j += %d)' % (T, B),
            '  out[(y + j) * m + x] = s[threadIdx.x][threadIdx.y + j]%s;'
            % (self.rng.choice(['', ' * 2', ' + w[x]'])),
        ]

    def text(self):
        if self.shared:
            self.form, self.side, self.other, self.in_place = 'blocks', 'y', False, False
            lines = self.tiled()
        else:
            lines, names = self.rows()
            before, inside, around = self.guards(names)
            lines += before + [self.head()] + inside
            lines += ['if (%s) {' % around if around else '{'] + self.body(names) + ['}', '}']
            if self.chance(0.05):
                lines.append('if (threadIdx.x == 0) out[%d + blockIdx.x] = n;' % (SIZE - 300))
        sizes = tuple(part for a in ('in', 'out', 'w') for part in (self.name(a), SIZE + 200))
        sign = '__global__ void {k}(const {t} *{r} in, {t} *{r} out, const {t} *{r} w, '
        sign += '{i} m, {i} n, int k)\n'
        number = 'unsigned' if self.id == 'unsigned' else 'int'
        return (
            'static __global__ %s %s[%d], %s[%d], %s[%d];\n' % ((self.type,) + sizes)
            + sign.format(k=self.name('k'), t=self.type, r=self.restrict, i=number)
            + '{\n'
            + ''.join('%s%s\n' % ('' if line[:1] == '#' else '  ', line) for line in lines)
            + '}\n'
        )

    def run(self):
        rng, out, T = self.rng, self.fills(('in', SIZE), ('out', SIZE), ('w', SIZE)), self.tile
        for _ in range(rng.randint(1, 3)):
            m, n, k = rng.randint(1, 150), rng.randint(1, 150), rng.randint(1, 9)
            if self.whole:
                m, n = -(-m // T) * T, -(-n // T) * T
            grid = [-(-n // T), -(-m // T)]
            if not self.whole:
                grid[rng.randint(0, 1)] += rng.choice([0, 0, 0, 1, -1])
            grid = [max(1, g) for g in grid]
            by = self.by
            if self.other and not self.adds:
                by = rng.choice([self.by // 2, self.by * 2])
            block = (T, by) if self.side == 'y' else (by, T)
            shape = (self.name('k'),) + tuple(grid) + block
            arrays = ', '.join(self.name(a) for a in ('in', 'out', 'w'))
            if self.chance(0.4):
                out += '  %s<<<dim3(%d, %d), dim3(%d, %d)>>>(%s, %d, %d, %d);\n' % (
                    shape + (arrays, m, n, k)
                )
            else:
                out += (
                    '  { int m = same(%d), n = same(%d); '
                    '%s<<<dim3(%d, %d), dim3(%d, %d)>>>(%s, m, n, %d); }\n'
                    % ((m, n) + shape + (arrays, k))
                )
        return out
