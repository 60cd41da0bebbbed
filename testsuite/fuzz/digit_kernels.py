# SPDX-License-Identifier: MIT
"""Random kernels for outputs.py with blocks in a row whose threads take their number apart, and
with tiles by hand behind pointers that walk."""
from output_kernel import Kernel

SIZE = 40000
LOOP = 'for ({t} p = 0; p < k; p++) s += {x} * {y};'
TILED = '''  __shared__ {T} as[W * W], bs[W * W];
  {a};
  {b};
  for ({t} p = 0; p < k; p += W) {{
    as[y * W + x] = a[y * k + x];
    bs[y * W + x] = b[y * n + x];
    __syncthreads();
    {first}
    for ({t} i = 0; i < W; i++) s += as[y * W + i] * bs[i * W + x];
    __syncthreads();
    {last}
  }}
'''


class Digits(Kernel):
    """out[row][col] = sum over p of a[row][p] and b[p][col]"""

    def __init__(self, rng, number):
        Kernel.__init__(self, rng, number)
        self.id = rng.choice(['int', 'int', 'unsigned'])
        self.w, self.h = rng.choice([(8, 8), (16, 16), (32, 4), (16, 8), (4, 32), (12, 5)])
        self.tiled = self.chance(0.4)
        if self.tiled:
            self.w = self.h = rng.choice([4, 8, 16])
        self.turned = self.chance(0.5)  # rows along the grid's x
        self.flat = self.chance(0.8)
        self.guard = rng.choice(['return', 'around'])
        self.apart = True

    def split(self):
        """Lines that declare x and y, a thread's place in its block."""
        t, w = self.id, self.w
        if not self.flat:
            return '{t} x = threadIdx.x, y = threadIdx.y;'.format(t=t)
        forms = [
            '{t} x = threadIdx.x % {w}, y = threadIdx.x / {w};',
            '{t} i = threadIdx.x, x = i % {w}, y = i / {w};',
            '{t} y = threadIdx.x / {w}, x = threadIdx.x - y * {w};',
            '{t} x = threadIdx.x % {w}, y = threadIdx.x / {v};',
        ]
        if w & (w - 1) == 0:
            forms += ['{t} x = threadIdx.x & {m}, y = threadIdx.x >> {s};'] * 2
        form, other = self.rng.choice(forms), self.rng.choice([w, w, w, max(1, w // 2)])
        other = w if self.tiled else other
        self.apart = other == w or '{v}' not in form  # no two threads have one element
        return form.format(t=t, w=w, v=other, m=w - 1, s=w.bit_length() - 1)

    def blocks(self):
        return ('blockIdx.x', 'blockIdx.y') if self.turned else ('blockIdx.y', 'blockIdx.x')

    def ids(self):
        down, across = self.blocks()
        return '{t} row = {d} * {h} + y, col = {a} * {w} + x;'.format(
            t=self.id, d=down, a=across, h=self.h, w=self.w
        )

    def tiles(self):
        down, across = self.blocks()
        steps = ['a += W;', 'b += W * n;']
        names = {'a': 'a += %s * W * k' % down, 'b': 'b += %s * W' % across}
        first = ' '.join(step for step in steps if self.chance(0.5))
        last = ' '.join(step for step in steps if step not in first)
        return TILED.format(T=self.type, t=self.id, first=first, last=last, **names).replace(
            'W', str(self.w)
        )

    def body(self):
        if self.tiled:
            return self.tiles()
        x = self.rng.choice(['a[row * k + p]', 'a[row * k + p]', 'a[p * m + row]'])
        y = self.rng.choice(['b[p * n + col]', 'b[p * n + col]', 'b[col * k + p]', 'b[p]'])
        return '  ' + LOOP.format(t=self.id, x=x, y=y) + '\n'

    def text(self):
        t, r = self.type, self.restrict
        lines = '  %s\n  %s\n' % (self.split(), self.ids())
        own = self.apart and self.chance(0.1)
        first = self.rng.choice(['0', '0', '1', 'row'] + ['threadIdx.x'] * own)
        sign = self.rng.choice(['=', '=', '+='] if self.apart else ['='])
        store = '  out[row * n + col] %s s;\n' % sign
        if not self.tiled and self.guard == 'return':
            lines += '  if (row >= m || col >= n) return;\n'
        lines += '  %s s = %s;\n' % (t, first)
        if not self.tiled and self.guard == 'around':
            lines += '  if (row < m && col < n) {\n' + self.body() + store + '  }\n'
        else:
            lines += self.body() + store
        sizes = tuple(part for a in ('a', 'b', 'out') for part in (self.name(a), SIZE))
        return (
            'static __global__ %s %s[%d], %s[%d], %s[%d];\n' % ((t,) + sizes)
            + '__global__ void %s(const %s *%s a, const %s *%s b, %s *%s out, ' % (
                (self.name('k'),) + (t, r) * 3
            )
            + ', '.join('%s %s' % (self.id, n) for n in 'mnk')
            + ')\n{\n%s}\n' % lines
        )

    def run(self):
        rng, out = self.rng, self.fills(('a', SIZE), ('b', SIZE), ('out', SIZE))
        for _ in range(rng.randint(1, 2)):
            m, n, k = (rng.randint(1, 130) for _ in range(3))
            if self.tiled:
                m, n, k = (max(1, size // self.w) * self.w for size in (m, n, k))
            down, across = -(-m // self.h), -(-n // self.w)
            if not self.tiled:
                down += rng.choice([0, 0, 0, 1])
            grid = (down, across) if self.turned else (across, down)
            block = '%d' % (self.w * self.h) if self.flat else 'dim3(%d, %d)' % (self.w, self.h)
            shape, sizes = (self.name('k'), grid, block), (m, n, k)
            out += self.launch(shape, sizes)
        return out

    def launch(self, shape, sizes):
        """Sizes and grids that the compiler knows, or does not."""
        name, grid, block = shape
        arrays = ', '.join(self.name(a) for a in ('a', 'b', 'out'))
        if self.chance(0.3):
            return '  %s<<<dim3(%d, %d), %s>>>(%s, %d, %d, %d);\n' % (
                (name,) + grid + (block, arrays) + sizes
            )
        numbers = 'int m = same(%d), n = same(%d), k = same(%d), x = same(%d), y = same(%d); ' % (
            sizes + grid
        )
        return '  { %s%s<<<dim3(x, y), %s>>>(%s, m, n, k); }\n' % (numbers, name, block, arrays)
