# SPDX-License-Identifier: MIT
"""Kernels that multiply complex numbers (pairs.py)."""
from . import geometry
from .kernel import Kernel
from .objects import make_arrays
from .profile import SHAPES, Profile
from .types import FLOAT, INT, PAIRS


class ComplexKernels(Kernel):
    beside_share, restrict_share, records_share = 0.08, 0.35, 0.12

    def _choose_kind(self):
        self.has_barriers, self.is_product, self.is_sum = False, True, False

    def _make_geometry(self):
        section = self.section
        return geometry.make_ids(
            self.choice, section.n, section.w, section.h, self.choice.chance(0.8)
        )


class ComplexProfile(Profile):
    name, weight = 'complex', 12
    family, share, exact = ComplexKernels, 0.95, 0

    def sizes(self, choice, program):
        return (
            choice.one([128, 256, 512]),
            choice.one([12, 16, 20, 24, 32, 33, 48]),
            choice.number(6, 40),
        )

    def arrays(self, choice, suffix, n, w, h):
        pair = choice.one(PAIRS)
        shapes = [(6, lambda: (h, w)), (4, lambda: (w, h)), (2, lambda: (h * w,))]
        return make_arrays(choice, suffix, n, w, h, shapes, [pair] * 5 + [FLOAT, INT])

    def mappings(self, choice):
        return (
            choice.weighted((5, ''), (65, 'always'), (30, choice.one(SHAPES))),
            choice.weighted((40, 'always'), (35, 'untiled'), (25, choice.one(SHAPES))),
        )
