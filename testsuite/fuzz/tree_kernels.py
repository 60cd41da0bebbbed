# SPDX-License-Identifier: MIT
"""Random kernels for outputs.py whose blocks sum up by trees in shared memory, and near misses."""
from output_kernel import Kernel

SIZE = 20000

HALVED = (
    'for (int d = {half}; d > 0; d /= 2) {{ {step} __syncthreads(); }}',
    'for (unsigned d = {half}; d > 0; d >>= 1) {{ {step} __syncthreads(); }}',
    'for (int d = {half}; d >= 1; d = d / 2) {{ {step} __syncthreads(); }}',
    'int d = {half}; while (d != 0) {{ {step} __syncthreads(); d /= 2; }}',
    'for (int d = {half}; d > 0; d /= 2) {{ __syncthreads(); {step} }} __syncthreads();',
    'for (int d = {half}; d > {last}; d /= 2) {{ {step} __syncthreads(); }}',
)
DOUBLED = (
    'for (int d = 1; d < {all}; d *= 2) {{ {step} __syncthreads(); }}',
    'for (int d = 1; d <= {half}; d <<= 1) {{ {step} __syncthreads(); }}',
    'int d = 1; while (d < {all}) {{ {step} __syncthreads(); d += d; }}',
)


class Trees(Kernel):
    """out[block] = what a tree over the block's threads makes of in"""

    def __init__(self, rng, number):
        Kernel.__init__(self, rng, number)
        self.type = rng.choice(['float', 'float', 'float', 'double', 'int', 'unsigned'])
        self.threads = rng.choice([64, 64, 128, 128, 256, 96, 32])
        self.two, self.flat = self.chance(0.3), self.chance(0.85)
        self.loops = self.chance(0.3)
        self.halved = self.chance(0.6) or self.threads == 96
        self.again = False  # a second tree, with names of its own

    def update(self, s, own, other):
        kind = self.rng.choice(['sum'] * 6 + ['most', 'chosen', 'product'])
        most = 'fmaxf' if self.type == 'float' else 'max' if self.type != 'double' else 'fmax'
        a, b = '%s[%s]' % (s, own), '%s[%s]' % (s, other)
        if kind == 'chosen':
            return 'if (%s %s %s) %s = %s;' % (a, self.rng.choice('<>'), b, a, b)
        if kind == 'most':
            return '%s = %s(%s, %s);' % (a, most, a, b)
        if kind == 'product':
            return '%s *= %s;' % (a, b)
        both = self.rng.choice(['%s = %s + %s;' % (a, a, b), '%s = %s + %s;' % (a, b, a)])
        return self.rng.choice(['%s += %s;' % (a, b), both])

    def step(self):
        rng, miss = self.rng, self.chance(0.12)
        names = ['s'] + ['u'] * self.two
        if self.halved:
            own, other = 't', rng.choice(['t + d', 't + d', 'd + t'])
            guard = rng.choice(['t < d', 't < d', 't + d < 2 * d', 'd > t'])
            if miss:
                other = '2 * d - 1 - t'
        elif self.chance(0.5):
            own, other = 't', 't + d'
            guard = rng.choice(['t % (2 * d) == 0', '(t & (2 * d - 1)) == 0', '!(t % (d * 2))'])
        else:
            own, other = '2 * d * t', '2 * d * t + d'
            guard = '2 * d * t < %d' % self.threads
        body = ' '.join(self.update(s, own, other) for s in names)
        return 'if (%s) { %s }' % (guard, body)

    def tree(self):
        half = self.rng.choice(['blockDim.x / 2', '%d' % (self.threads // 2)])
        if not self.flat:
            half = '%d' % (self.threads // 2)
        every = '%d' % self.threads if not self.flat else 'blockDim.x'
        form = self.rng.choice(HALVED if self.halved else DOUBLED)
        last = self.rng.choice([0, 0, 1, 16])
        self.whole = '{last}' not in form or last == 0
        text = form.format(half=half, all=every, step=self.step(), last=last)
        return '{ %s }' % text if self.again else text

    def pass_over(self, row):
        rng, fill = self.rng, rng_fill(self.rng, row)
        lines = ['%s[t] = %s;' % (s, fill) for s in ['s'] + ['u'] * self.two]
        if self.chance(0.2):
            lines.insert(0, '%s v = in[t];' % self.type)
            lines[1] = 's[t] = v * 2;'
        if self.chance(0.15):
            lines.append('for (int j = 0; j < 3; j++) s[t] += in[%s + j];' % row)
        lines += ['__syncthreads();', self.tree()]
        self.again = True
        if self.chance(0.1):
            lines.append(self.tree())
        return lines

    def end(self, row):
        rng = self.rng
        value = 's[0]' + ' - u[0]' * self.two
        if not self.whole:
            return 'for (int j = 0; j < 2; j++) out[%s] += s[j];' % row
        return rng.choice(
            [
                'out[%s] = %s;' % (row, value),
                'out[%s] = %s;' % (row, value),
                'out[%s] = %s + s[t];' % (row, value),
                'out[%s] = %s + b;' % (row, value),
                'out[%s] = %s - s[1];' % (row, value),
            ]
        )

    def text(self):
        rng, t = self.rng, self.type
        block = 'threadIdx.x' if self.flat else 'threadIdx.y * blockDim.x + threadIdx.x'
        lines = ['__shared__ %s s[%d]%s;' % (t, self.threads, ', u[%d]' % self.threads * self.two)]
        lines += ['int t = %s, b = blockIdx.x;' % block]
        if self.loops:
            lines += ['for (int r = b; r < n; r += gridDim.x) {']
            lines += self.pass_over('r * %d + t' % self.threads)
            every = self.chance(0.5) and self.whole
            lines += (
                ['out[r * %d + t] = s[0];' % self.threads]
                if every
                else ['if (t == 0) { %s }' % self.end('r')]
            )
            lines += ['__syncthreads();', '}']
        else:
            lines += self.pass_over('b * %d + t' % self.threads)
            lines += ['if (t == 0) { %s }' % self.end('b')]
        sizes = (t, self.name('in'), SIZE, self.name('out'), SIZE)
        return (
            'static __global__ %s %s[%d], %s[%d];\n' % sizes
            + '__global__ void %s(const %s *%s in, %s *%s out, int n)\n{\n'
            % (self.name('k'), t, self.restrict, t, self.restrict)
            + ''.join('  %s\n' % line for line in lines)
            + '}\n'
        )

    def run(self):
        rng, out = self.rng, self.fills(('in', SIZE), ('out', SIZE))
        for _ in range(rng.randint(1, 2)):
            rows = rng.choice([1, 3, 4, 8, 17, rng.randint(1, 60)])
            blocks = rng.randint(1, rows) if self.loops else rows
            shape = '%d' % self.threads
            if not self.flat:
                shape = 'dim3(16, %d)' % (self.threads // 16)
            out += '  %s<<<%d, %s>>>(%s, %s, %d);\n' % (
                self.name('k'),
                blocks,
                shape,
                self.name('in'),
                self.name('out'),
                rows if self.loops else rows * self.threads,
            )
        return out


def rng_fill(rng, row):
    return rng.choice(
        [
            'in[%s]' % row,
            '%s < n ? in[%s] : 0' % (row, row),
            'in[%s] * in[%s + 1]' % (row, row),
            't',
        ]
    )
