# SPDX-License-Identifier: MIT
"""Random kernels for outputs.py whose threads go through neighbouring elements of their own
(analysis/transform/stride_loops/thread_runs.c), and near misses: other ends, numbers that are
handed on, runs that overlap or have gaps."""
from output_kernel import Kernel

SIZE = 24000
IDS = (
    'blockIdx.x * blockDim.x + threadIdx.x',
    'threadIdx.x + blockDim.x * blockIdx.x',
    '({t})blockIdx.x * blockDim.x + threadIdx.x',
)
FAR = ['c[{i} + k]', 'c[2 * {i} + 1]']
TOTAL = ('gridDim.x * blockDim.x', 'blockDim.x * gridDim.x')


class Runs(Kernel):
    """c[i] = what is made of a and b around i, for the run of a thread"""

    def __init__(self, rng, number):
        Kernel.__init__(self, rng, number)
        self.many = rng.choice(['constant', 'constant', 'parameter', 'parameter', 'launch'])
        self.each = rng.choice([4, 4, 8, 16, 2, 3, 5, 7])
        self.id = rng.choice(['int'] * 6 + ['unsigned', 'unsigned', 'long long', 'size_t'])
        self.plane = self.many != 'launch' and self.chance(0.15)  # runs along x, rows along y
        self.limited = not self.plane and self.chance(0.8)
        self.place = 'c[{i}]' if self.plane else rng.choice(['c[{i}]'] * 12 + FAR)
        self.adds = False

    def length(self):
        return {'constant': '%d' % self.each, 'parameter': 'k', 'launch': 'chunk'}[self.many]

    # ---- the body ----

    def load(self):
        near = ['a[{i}]'] * 5 + ['b[{i}]'] * 3 + ['a[{i} + 1]', 'b[{i} > 0 ? {i} - 1 : 0]']
        far = ['a[{i} / 2]', 'b[k]', 'a[{i} + k]', 'b[n - 1 - {i} + n]', 'a[2 * {i}]']
        return self.rng.choice(near + far)

    def statement(self):
        rng, ways = self.rng, ['='] * 6 + ['+=', '-=']
        way = rng.choice(ways)
        self.adds |= way != '='
        text = rng.choice(
            [
                '{c} {w} {x};',
                '{c} {w} {x};',
                '{c} {w} {x} * 3 - {y};',
                '{c} {w} {x} + {y};',
                '{{ {t} s = {x}; for (int p = 0; p < k; p++) s += b[p] * 2; {c} {w} s; }}',
                'if ({x} > {y}) {c} {w} {x};',
            ]
        ).format(c=self.place, w=way, x=self.load(), y=self.load(), t=self.type)
        if self.chance(0.04):
            text = '%s = (%s)({i} - s0);' % (self.place, self.type)  # a run's number
            self.carried = True
        if self.chance(0.04):
            text = 'last = last / 2 + a[{i}]; %s = last;' % self.place
            self.carried = True
        if self.chance(0.03):
            text = 'if (a[{i}] == 3) break; ' + text
        if self.chance(0.06):
            text = 'if (a[{i}] == 3) continue; ' + text
        return text

    def body(self, i):
        out = [self.statement() for _ in range(self.rng.choice([1, 1, 1, 2]))]
        return self.conditional([line.replace('{i}', i) for line in out])

    # ---- the loop ----

    def counted(self, each):
        """The iterator counts the run's elements."""
        at = self.rng.choice(['s0 + j', 'j + s0', 'id * (%s) + j' % each, '(%s) * id + j' % each])
        at = '(%s)' % at
        guard = self.rng.choice(['break', 'if', 'condition', 'return']) if self.limited else 'none'
        head = 'for (%s j = 0; j < %s; j++) {' % (self.rng.choice([self.id, self.id, 'int']), each)
        if guard == 'condition':
            head = head.replace('; j++', ' && %s < n; j++' % at)
        lines = [head]
        if self.chance(0.4):
            lines.append('%s e = %s;' % (self.id, at))
            at = 'e'
        if guard in ('break', 'return'):
            lines.append('if (%s >= n) %s;' % (at, guard))
        body = self.body(at)
        if guard == 'if':
            body = ['if (%s < n) {' % at] + body + ['}']
        return lines + body + ['}']

    def walked(self, each):
        """The iterator is the element."""
        end = 's0 + %s' % each
        limit = self.rng.choice(['min', 'cut', 'choice', 'and', 'if']) if self.limited else 'none'
        before, head = [], 'for (%s i = s0; i < end; %s) {' % (
            self.id,
            self.rng.choice(['i++', '++i', 'i += 1']),
        )
        if limit == 'min':
            before = ['%s end = min(%s, (%s)n);' % (self.id, end, self.id)]
        elif limit == 'choice':
            before = ['%s end = %s < n ? %s : n;' % (self.id, end, end)]
        else:
            before = ['%s end = %s;' % (self.id, end)]
            if limit == 'cut':
                before.append('if (end > n) end = n;')
            if limit == 'and':
                head = head.replace('i < end', 'i < end && i < n')
        body = self.body('i')
        if limit == 'if':
            body = ['if (i < n) {'] + body + ['}']
        return before + [head] + body + ['}']

    def text(self):
        rng, each = self.rng, self.length()
        self.carried = False
        lines = ['%s id = %s;' % (self.id, rng.choice(IDS).format(t=self.id))]
        if self.many == 'launch':
            total = rng.choice(TOTAL)
            lines.append('int total = %s, chunk = (n + total - 1) / total;' % total)
        if self.plane:
            lines.append('int y = blockIdx.y * blockDim.y + threadIdx.y;')
            lines.append('if (y >= rows) return;')
            lines.append('a += y * ld, b += y * ld, c += y * ld;' if self.chance(0.3) else '')
        miss = rng.choice(['gap', 'overlap', 'shift'] + [''] * 30)
        first = 'id * (%s)' % each if self.chance(0.5) else '(%s) * id' % each
        if miss == 'gap':
            first = 'id * (%s + 1)' % each
        if miss == 'shift':
            first += ' + 3'
        lines.append('%s s0 = %s;' % (self.id, first))
        if miss == 'overlap':
            each = '%s + 1' % each
        if self.chance(0.1) and not self.plane:
            lines.append('if (s0 >= n) return;')
        loop = self.walked(each) if self.chance(0.5) else self.counted(each)
        if self.plane:
            loop = [line.replace('c[', 'c[y * ld + ').replace('a[', 'a[y * ld + ') for line in loop]
        # overlapping runs must write the same from all threads
        if miss == 'overlap' and (self.adds or self.carried):
            loop = ['if (id == 0) c[0] = 1;']
        if self.carried:
            lines.append('%s last = 0;' % self.type)
        sizes = tuple(part for a in 'abc' for part in (self.name(a), 3 * SIZE + 64))
        return (
            'static __global__ %s %s[%d], %s[%d], %s[%d];\n' % ((self.type,) + sizes)
            + '__global__ void %s(const %s *%s a, const %s *%s b, %s *%s c, int n, int k, int rows,'
            ' int ld)\n{\n' % ((self.name('k'),) + (self.type, self.restrict) * 3)
            + ''.join(
                '%s%s\n' % ('' if line[:1] == '#' else '  ', line) for line in lines + loop if line
            )
            + '}\n'
        )

    # ---- launches ----

    def run(self):
        rng, out = self.rng, self.fills(*((a, 3 * SIZE + 64) for a in 'abc'))
        for _ in range(rng.randint(1, 3)):
            threads = rng.choice([32, 64, 96, 100, 128, 33])
            k = rng.choice([4, 4, 8, 16, 3, 1, 7])
            each = {'constant': self.each, 'parameter': k, 'launch': 1}[self.many]
            n, rows = rng.choice([4096, 1000, 37, 5, rng.randint(1, 5000)]), 1
            blocks = rng.randint(1, 5) if self.many == 'launch' else -(-n // (each * threads))
            if not self.limited:
                n = blocks * each * threads
            if self.chance(0.15) and self.limited:
                blocks += rng.randint(1, 2)
            shape, ld = '%d, %d' % (blocks, threads), 0
            if self.plane:
                rows, x = rng.randint(1, 12), rng.choice([8, 16, 32])
                blocks = rng.randint(1, 3)
                n = ld = blocks * x * (each + 1) + 3
                shape = 'dim3(%d, %d), dim3(%d, 4)' % (blocks, -(-rows // 4), x)
            numbers = 'int n = same(%d), k = same(%d), rows = same(%d), ld = same(%d); ' % (
                n, k, rows, ld,
            )
            names = ', '.join(self.name(a) for a in 'abc')
            call = '%s<<<%s>>>(%s, ' % (self.name('k'), shape, names)
            if self.chance(0.3):
                out += '  %s%d, %d, %d, %d);\n' % (call, n, k, rows, ld)
            else:
                out += '  { %s%sn, k, rows, ld); }\n' % (numbers, call)
        return out
