# SPDX-License-Identifier: MIT
"""A random kernel of outputs.py: its number, its type, its names, the contents of its arrays."""


class Kernel:
    def __init__(self, rng, number):
        self.rng, self.n = rng, number
        self.type = rng.choice(
            ['float', 'float', 'double', 'int', 'int', 'unsigned', 'short', 'long long']
        )
        self.restrict = ' __restrict__' if rng.random() < 0.7 else ''

    def chance(self, share):
        return self.rng.random() < share

    def name(self, which):
        return '%s%d_%d' % (which, self.n, self.n) if which == 'k' else 'g_%s%d' % (which, self.n)

    def fills(self, *sizes):
        return ''.join(
            '  fill(%s, %d, %d);\n' % (self.name(which), size, self.rng.randint(1, 999))
            for which, size in sizes
        )
