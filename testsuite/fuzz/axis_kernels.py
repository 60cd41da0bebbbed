# SPDX-License-Identifier: MIT
"""Random kernels for outputs.py with three axes in any order (analysis/transform/turn_axes): blocks
of all shapes, known and of the launch, layers by blocks alone, flat ids, stencils; and near misses:
other uses of indices, loops of another length for each thread, elements that threads share."""
from output_kernel import Kernel

SIZE = 30000
SHAPES = (
    (8, 8, 8),
    (4, 4, 4),
    (16, 16, 1),
    (32, 4, 2),
    (64, 1, 1),
    (256, 1, 1),
    (2, 2, 32),
    (1, 4, 32),
    (5, 3, 7),
)
IDS = ('i', 'j', 'l')


class Axes(Kernel):
    """c[i][j][l] = what is made of a at neighbours, with i, j and l along any axes"""

    def __init__(self, rng, number):
        Kernel.__init__(self, rng, number)
        self.axes = rng.sample(range(3), 3) if self.chance(0.5) else [0, 1, 2]  # of i, j and l
        self.id = rng.choice(['int'] * 5 + ['unsigned', 'long long'])
        self.shape = rng.choice(SHAPES)
        self.flat = self.chance(0.12)
        self.layers = not self.flat and self.chance(0.2)  # along z by blocks alone
        if self.layers:
            self.shape = self.shape[:2] + (1,)
        self.literal = self.chance(0.2)  # sizes of blocks as numbers
        self.guard = rng.choice(['return', 'returns', 'around'])
        order = rng.choice([(0, 1, 2)] * 5 + [(1, 0, 2), (2, 0, 1), (0, 2, 1), (2, 1, 0)])
        self.order = [IDS[at] for at in order]
        self.rim = rng.choice([0, 0, 1])

    def at(self, steps=(0, 0, 0), order=None):
        parts = {
            name: '%s' % name if not by else '(%s %s %d)' % (name, '+' if by > 0 else '-', abs(by))
            for name, by in zip(IDS, steps)
        }
        size = {'i': 'n', 'j': 'm', 'l': 'k'}
        x, y, z = order or self.order
        return '(%s * %s + %s) * %s + %s' % (parts[x], size[y], parts[y], size[z], parts[z])

    def index(self, axis):
        letter = 'xyz'[axis]
        if axis == 2 and self.layers:
            return 'blockIdx.z'
        size = '%d' % self.shape[axis] if self.literal else 'blockDim.' + letter
        return 'blockIdx.%s * %s + threadIdx.%s' % (letter, size, letter)

    def ids(self):
        if self.flat:
            x, y, z = [IDS[self.axes.index(axis)] for axis in range(3)]
            size = {'i': 'n', 'j': 'm', 'l': 'k'}
            return [
                'int id = blockIdx.x * blockDim.x + threadIdx.x;',
                'if (id >= n * m * k) return;',
                'int %s = id %% %s;' % (x, size[x]),
                'int %s = id / %s %% %s;' % (y, size[x], size[y]),
                'int %s = id / (%s * %s);' % (z, size[x], size[y]),
            ]
        out = ['%s %s = %s;' % (self.id, IDS[at], self.index(self.axes[at])) for at in range(3)]
        self.rng.shuffle(out)
        return out

    def guards(self):
        rim = self.rim
        out = []
        for name, size in zip(IDS, 'nmk'):
            low = '%s < %d' % (name, rim)
            high = '%s >= %s' % (name, '%s - %d' % (size, rim) if rim else size)
            if self.id == 'unsigned' and rim:
                high = '%s + %d >= %s' % (name, rim, size)
            out += ([low] if rim else []) + [high]
        return out

    def load(self):
        rng = self.rng
        if self.rim and self.chance(0.7):
            steps = [0, 0, 0]
            steps[rng.randrange(3)] = rng.choice([-1, 1])
            return 'a[%s]' % self.at(steps)
        return rng.choice(
            ['a[%s]' % self.at()] * 4
            + ['b[%s]' % rng.choice(IDS), 'a[%s]' % self.at(order=rng.sample(IDS, 3))]
            + ['d[l]', 'd[i]']
            + ['(l > 0 ? a[%s] : 1)' % self.at((0, 0, -1)), 'b[(i + 1) % n]', '(%s)j' % self.type]
        )

    def body(self):
        rng, t = self.rng, self.type
        lines = ['%s s = %s;' % (t, self.load())]
        for _ in range(rng.randint(0, 4)):
            lines.append(
                rng.choice(
                    ['s += {n};', 's = s * 2 - {n};', 'if ({n} > 2) s -= {n};', 's += i - 2 * l;']
                ).format(n=self.load())
            )
        if self.chance(0.25):
            end = rng.choice(['3', 'm', 'm', 'l % 4', 'i'])
            lines.append('for (int p = 0; p < %s; p++) s += b[p] * %s;' % (end, self.load()))
        if self.chance(0.08):
            lines.append(
                rng.choice(
                    [
                        's += threadIdx.x % 2;',
                        's += blockIdx.y;',
                        's += blockDim.x;',
                        's += gridDim.z * blockDim.z;',
                    ]
                )
            )
        if self.chance(0.06):
            lines.append('if (s == 3) return;')
        self.adds = self.chance(0.2)
        lines.append('c[%s] %s s;' % (self.at(), '+=' if self.adds else '='))
        if t in ('int', 'unsigned') and self.chance(0.08):
            lines.append('atomicAdd(&d2[l], s);')
        return self.conditional(lines)

    def text(self):
        lines, body = self.ids(), self.body()
        guards = [] if self.flat and not self.rim else self.guards()
        if self.guard == 'returns':
            lines += ['if (%s) return;' % guard for guard in guards]
        elif guards and self.guard == 'return':
            lines += ['if (%s) return;' % ' || '.join(guards)]
        elif guards:
            body = ['if (!(%s)) {' % ' || '.join(guards)] + body + ['}']
        sizes = tuple(
            part for a, n in (('a', SIZE), ('b', 512), ('c', SIZE), ('d', 512), ('e', 512))
            for part in (self.name(a), n)
        )
        return (
            'static __global__ %s %s[%d], %s[%d], %s[%d], %s[%d], %s[%d];\n'
            % ((self.type,) + sizes)
            + (
                '__global__ void {k}(const {t} *{r} a, const {t} *{r} b, {t} *{r} c, '
                'const {t} *{r} d, {t} *{r} d2, int n, int m, int k)\n{{\n'
            ).format(k=self.name('k'), t=self.type, r=self.restrict)
            + ''.join('%s%s\n' % ('' if line[:1] == '#' else '  ', line) for line in lines + body)
            + '}\n'
        )

    def run(self):
        rng = self.rng
        out = self.fills(('a', SIZE), ('b', 512), ('c', SIZE), ('d', 512), ('e', 512))
        for _ in range(rng.randint(1, 3)):
            while True:
                sizes = [rng.choice([1, 5, 8, 16, 31, 32, 40, 64, 72, 130]) for _ in range(3)]
                if sizes[0] * sizes[1] * sizes[2] <= SIZE:
                    break
            extent = [sizes[self.axes.index(axis)] for axis in range(3)]
            names = ', '.join(self.name(a) for a in 'abcde')
            shape = 'dim3(%d, %d, %d)' % self.shape
            grid = 'dim3(%d, %d, %d)' % tuple(-(-e // s) for e, s in zip(extent, self.shape))
            if self.flat:
                shape, grid = '128', '%d' % -(-sizes[0] * sizes[1] * sizes[2] // 128)
            elif not self.literal and not self.layers and self.chance(0.3):
                other = rng.choice(SHAPES)
                shape = 'dim3(same(%d), same(%d), same(%d))' % other
                grid = 'dim3(%d, %d, same(%d))' % tuple(-(-e // s) for e, s in zip(extent, other))
            if self.chance(0.4):
                out += '  %s<<<%s, %s>>>(%s, %d, %d, %d);\n' % (
                    (self.name('k'), grid, shape, names) + tuple(sizes)
                )
            else:
                text = '  { int n = same(%d), m = same(%d), k = same(%d); '
                out += (text + '%s<<<%s, %s>>>(%s, n, m, k); }\n') % (
                    tuple(sizes) + (self.name('k'), grid, shape, names)
                )
        return out
