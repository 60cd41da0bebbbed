# SPDX-License-Identifier: MIT
"""Random kernels for outputs.py in blocks with rows of threads that all do what the first one does
(analysis/transform/stride_loops/idle_rows.c), and near misses: kernels that name a row, its size,
or add up by atomic operations."""
from output_kernel import Kernel

SIZE = 30000


class IdleRows(Kernel):
    """y[i] = what is made of a column or a row of a, the same in all rows of threads"""

    def __init__(self, rng, number):
        Kernel.__init__(self, rng, number)
        self.miss = rng.choice(['index', 'size', 'block', 'add', 'depth'] + [''] * 15)
        self.number = rng.choice(['int'] * 4 + ['unsigned', 'long long'])

    def load(self):
        return self.rng.choice(
            ['a[i * m + j]'] * 5 + ['a[j * n + i]'] * 3 + ['x[i]', 'x[j]', 'x[i + j]', 'a[i]']
        )

    def sum(self):
        rng = self.rng
        head = rng.choice(
            [
                'for (int i = 0; i < n; i++) ',
                'for (int i = 0; i < n; i++) ',
                'for (int i = n - 1; i >= 0; i--) ',
                'for (int i = 0; i < n; i += 2) ',
                'for (int i = j % 3; i < n; i++) ',
            ]
        )
        return head + rng.choice(
            ['s += {u} * {v};', 's += {u};', 's = s / 2 + {u};', 'if ({u} > {v}) s = {u};']
        ).format(u=self.load(), v=self.load())

    def stores(self):
        out = [self.rng.choice(['y[j] = s;', 'y[j] = s;', 'if (s > 2) y[j] = s;', 'y[m - j] = s;'])]
        if self.miss == 'index':
            out = ['y[threadIdx.y * m + j] = s;']
        if self.miss == 'block':
            out = ['y[blockIdx.y * m + j] = s;']
        if self.miss == 'size':
            out = ['y[j] = s * (%s)blockDim.y;' % self.type]
        if self.miss == 'depth':
            out = ['y[threadIdx.z * m + j] = s + blockDim.z;']
        if self.miss == 'add':
            out += ['atomicAdd(&count[j % 5], j + 1);']
        if self.chance(0.15):
            out += ['z[j] = %s;' % self.load().replace('i', '0')]
        return out

    def text(self):
        rng = self.rng
        lines = [
            '%s j = %s;'
            % (
                self.number,
                rng.choice(
                    [
                        'blockIdx.x * blockDim.x + threadIdx.x',
                        'threadIdx.x + blockIdx.x * blockDim.x',
                    ]
                ),
            )
        ]
        early = self.chance(0.5)
        lines += ['if (j >= m) return;'] if early else ['if (j < m) {']
        lines.append('%s s = %s;' % (self.type, rng.choice(['0', '1', 'x[j]', 'j % 7'])))
        lines += [self.sum() for _ in range(rng.choice([0, 1, 1, 1, 2]))]
        lines += self.stores() + ['}'] * (not early)
        sizes = tuple(
            part
            for a, size in (('a', SIZE), ('x', 900), ('y', 9000), ('z', 900))
            for part in (self.name(a), size)
        )
        return (
            'static __global__ %s %s[%d], %s[%d], %s[%d], %s[%d];\n' % ((self.type,) + sizes)
            + 'static __global__ int %s[5];\n' % self.name('count')
            + '__global__ void %s(const %s *%s a, const %s *%s x, %s *%s y, %s *%s z, int *count,'
            ' int n, int m)\n{\n' % ((self.name('k'),) + (self.type, self.restrict) * 4)
            + ''.join('  %s\n' % line for line in self.conditional(lines))
            + '}\n'
        )

    def run(self):
        rng = self.rng
        out = self.fills(('a', SIZE), ('x', 900), ('y', 9000), ('z', 900))
        for _ in range(rng.randint(1, 3)):
            n, m = rng.choice([1, 30, 64, rng.randint(0, 100)]), rng.choice(
                [32, 100, 256, rng.randint(1, 290)]
            )
            x, y, z = rng.choice([(32, 8, 1), (16, 16, 1), (32, 2, 1), (20, 3, 1), (8, 4, 2)])
            grid = '%d' % -(-m // x)
            if self.chance(0.3):
                grid = 'dim3(%s, %d)' % (grid, rng.choice([1, 1, 2, 3]))
            names = ', '.join(self.name(a) for a in ('a', 'x', 'y', 'z', 'count'))
            call = '%s<<<%s, dim3(%d, %d%s)>>>(%s, ' % (
                self.name('k'), grid, x, y, ', %d' % z if z > 1 or self.chance(0.2) else '', names,
            )
            if self.chance(0.4):
                out += '  %s%d, %d);\n' % (call, n, m)
            else:
                out += '  { int n = same(%d), m = same(%d); %sn, m); }\n' % (n, m, call)
        return out
