# SPDX-License-Identifier: MIT
"""Random kernels for outputs.py that divide by numbers which only the launch knows, and near
misses."""
from output_kernel import Kernel

SIZE = 6000
TYPES = ('int', 'int', 'unsigned', 'long', 'unsigned long long', 'short')


class Divisors(Kernel):
    """out[i] = in at places that follow from i by quotients and remainders"""

    def __init__(self, rng, number):
        Kernel.__init__(self, rng, number)
        self.type = rng.choice(['int', 'unsigned', 'float', 'double', 'long long'])
        self.params = [rng.choice(TYPES) for _ in range(rng.randint(1, 4))]
        self.id = rng.choice(['int', 'int', 'unsigned', 'long', 'size_t'])
        self.record = self.chance(0.3)  # its first parameter is a member
        self.changes = self.chance(0.15)  # one of them is no number of the launch
        self.loops = self.chance(0.25)

    def param(self, number):
        return 'of.n0' if self.record and number == 0 else 'n%d' % number

    def divisor(self):
        rng = self.rng
        name = lambda: self.param(rng.randrange(len(self.params)))
        form = rng.choice(
            ['{a}'] * 5
            + ['{a} * {b}', '({a} + {b})', '({a} * {b} + 1)', '({a} / 2 + 1)', '({a} + 300)']
            + ['-({a} * 2)' if self.chance(0.5) else '{a}', '{n}', 'local', '(unsigned){a}']
        )
        text = form.format(a=name(), b=name(), n=rng.randint(2, 90))
        return '(%s)' % text if ' ' in text and text[0] != '(' else text

    def value(self, of):
        rng = self.rng
        op = rng.choice(['/', '%'])
        dividend = rng.choice([of, of, '(%s - 1000)' % of, '(%s * 37)' % of, 'r'])
        return '%s %s %s' % (dividend, op, self.divisor())

    def text(self):
        rng, t = self.rng, self.type
        params = ['%s n%d' % (kind, i) for i, kind in enumerate(self.params)]
        lines = ['%s i = blockIdx.x * blockDim.x + threadIdx.x;' % self.id]
        lines += ['if (i >= (%s)n) return;' % self.id]
        first = self.param(0)
        lines += ['int local = %s %s;' % (first, rng.choice(['', '+ 3', '* 2 - 1', '/ 3 + 1']))]
        if self.changes:
            lines += ['%s += i %% 3;' % first]
        lines += ['long r = i * %d - %d; %s sum = 0;' % (rng.randint(1, 9), rng.choice([0, 9]), t)]
        body = []
        for _ in range(rng.randint(1, 4)):
            step = rng.random()
            if step < 0.25:
                body += ['r %s= %s;' % (rng.choice('/%'), self.divisor())]
            elif step < 0.5:
                body += ['sum += (%s)(%s);' % (t, self.value('i'))]
            else:
                place = '(unsigned long)(%s) %% %du' % (self.value('i'), SIZE)
                body += ['sum %s in[%s];' % (rng.choice(['+=', '-=']), place)]
        if self.chance(0.4):
            body += ['sum = sum + in[i %% %d] * (%s)%d;' % (SIZE, t, rng.randint(2, 5))]
        if self.loops:
            lines += ['for (int j = 0; j < %d; j++) {' % rng.randint(2, 5)]
            lines += ['r += j * 5;'] + body + ['}']
        else:
            lines += body
        lines += ['out[i] = sum + (%s)r;' % t]
        own = 'struct %s { %s n0; int other; };\n' % (self.name('of'), self.params[0])
        if self.record:
            params[0] = '%s of' % self.name('of')
        return (
            'static __global__ %s %s[%d], %s[%d];\n'
            % (t, self.name('in'), SIZE, self.name('out'), SIZE)
            + (own if self.record else '')
            + '__global__ void %s(const %s *%s in, %s *%s out, int n, %s)\n{\n'
            % (self.name('k'), t, self.restrict, t, self.restrict, ', '.join(params))
            + ''.join('  %s\n' % line for line in lines)
            + '}\n'
        )

    def run(self):
        rng, out = self.rng, self.fills(('in', SIZE), ('out', SIZE))
        for number in range(rng.randint(1, 2)):
            numbers = [
                rng.choice([1, 2, 3, 16, 255, 1000, rng.randint(1, 30000)]) for _ in self.params
            ]
            names = [self.name('v%d_%d' % (number, i)) for i in range(len(numbers))]
            for name, value, kind in zip(names, numbers, self.params):
                out += '  volatile %s %s = (%s)%d;\n' % (kind, name, kind, value)
            if self.record:
                names[0] = '%s{%s, 1}' % (self.name('of'), names[0])
                out += '  %s %s = %s;\n' % (self.name('of'), self.name('r%d' % number), names[0])
                names[0] = self.name('r%d' % number)
            copies = []
            for i, (name, kind) in enumerate(zip(names, self.params)):
                if self.record and i == 0:
                    copies.append(name)
                    continue
                copies.append(self.name('w%d_%d' % (number, i)))
                out += '  %s %s = %s;\n' % (kind, copies[-1], name)
            n = rng.choice([SIZE, rng.randint(1, SIZE)])
            out += '  %s<<<%d, 128>>>(%s, %s, %d, %s);\n' % (
                self.name('k'),
                (SIZE + 127) // 128,
                self.name('in'),
                self.name('out'),
                n,
                ', '.join(copies),
            )
        return out
