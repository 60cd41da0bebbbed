# SPDX-License-Identifier: MIT
"""A random kernel of outputs.py: its number, its type, its names, the contents of its arrays."""

# conditions on the architecture, of which the CPU's is 900
CONDITIONS = (
    '#if __CUDA_ARCH__ >= 350',
    '#if __CUDA_ARCH__ < 300',
    '#if __CUDA_ARCH__ >= 300 && __CUDA_ARCH__ < 2000',
    '#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 200',
    '#if defined(__CUDA_ARCH__)',
    '#ifdef __CUDA_ARCH__',
    '#ifndef __CUDA_ARCH__',
    '#if !(__CUDA_ARCH__ >= 300)',
)


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

    def conditional(self, lines, share=0.12):
        """The lines; now and then one of them depends on the architecture, or has a twin that
        does."""
        if not self.chance(share):
            return lines
        at, out = self.rng.randrange(len(lines)), list(lines)
        if '{' in out[at] or '}' in out[at]:
            return lines
        condition, line = self.rng.choice(CONDITIONS), out[at]
        other = [line] if self.chance(0.5) or not line.startswith('s ') else []
        arms = [[line], other or ['s = s - 1;']]
        if self.chance(0.5):
            arms.reverse()
        out[at : at + 1] = [condition] + arms[0] + ['#else'] + arms[1] + ['#endif']
        return out
