# SPDX-License-Identifier: MIT
"""A profile: a file of kernels that leans towards one family, so that transformations which need a
certain form get enough of them (profiles.py has them all).

A profile has sizes, arrays, how often a kernel is of the family (else it is any kernel), how often
sums of reals are exact, and the options of -O2 and -O3: a mapping wherever it is right lowers the
gates of profit, never those of legality.
"""
from .kernel import Kernel
from .objects import make_arrays

# Those of analysis/mapping, and tiles that threads share unevenly, in the ways of
# analysis/mapping/tile/tile_ahead.c.
SHAPES = (
    '32x32',
    '64x64',
    '64x64',
    '128x64',
    '128x128',
    '64x16',
    '128x1',
    '256x1',
    '512x1',
    '32x1',
    '64x1',
    '48x32/12x4/10/1',
    '32x16/8x8/6/2',
    '64x1/32x1/8/1',
    '64x64/8x8/8/3',
)


class Profile:
    name, weight = 'general', 18
    family, share, exact = Kernel, 1, 0.12
    typed = ((60, 0.03), (40, 0.3))  # Kernel.typed_share
    counts = False  # sections have counters of reals
    checked = 0  # of files whose levels run in check mode as well
    args = (
        (22, ''),
        (10, '-arch=sm_70'),
        (10, '-arch=sm_75'),
        (4, '--shared-memory=2048'),
        (4, '--shared-memory=9000'),
        (30, '-arch=sm_80 --shared-memory=160000'),
        (20, '-arch=sm_90 --shared-memory=200000'),
    )

    def kernel(self, choice):
        """The class of the next kernel."""
        return self.family if choice.chance(self.share) else Kernel

    def sizes(self, choice, program):
        """n elements in a line, h rows of w"""
        n = choice.one(
            [7000, 13000, 14000, 14000]
            if program.is_large and choice.chance(0.8)
            else [40, 64, 100, 128, 200, 256, 300, 512, 700, 1000]
        )
        return n, choice.one([8, 12, 16, 20, 24, 32, 33, 48, 64]), choice.number(3, 24)

    def arrays(self, choice, suffix, n, w, h):
        return make_arrays(choice, suffix, n, w, h)

    def mappings(self, choice):
        """--mapping at -O2 and at -O3; '': the model decides."""
        return '', choice.one(
            ['untiled', 'always', choice.one(SHAPES), choice.one(['', 'always', 'untiled'])]
        )
