# SPDX-License-Identifier: MIT
"""Kernels that are filters with weights (weighted.py), of arrays of reals mostly, or loops over
windows (windows.py)."""
from . import geometry
from .kernel import Kernel
from .objects import make_arrays
from .profile import Profile
from .types import DOUBLE, FLOAT, INT, UNSIGNED


class Filters(Kernel):
    beside_share, filter_share, restrict_share, records_share = 1, 500, 0.4, 0.1

    def _choose_kind(self):
        self.has_barriers, self.is_product, self.is_sum = False, True, False

    def _make_geometry(self):
        section = self.section
        return geometry.make_ids(
            self.choice, section.n, section.w, section.h, self.choice.chance(0.9)
        )


class FiltersProfile(Profile):
    name, weight = 'filters', 44
    family, share, exact = Filters, 0.9, 0

    def sizes(self, choice, program):
        return (
            choice.one([200, 300, 512, 1000]),
            choice.one([16, 20, 32, 33, 40, 64]),
            choice.number(6, 32),
        )

    def arrays(self, choice, suffix, n, w, h):
        shapes = [
            (8, lambda: (h, w)),
            (3, lambda: (h + choice.number(1, 3), w)),
            (4, lambda: (n,)),
            (2, lambda: (h * w,)),
            (1, lambda: (w,)),
        ]
        elements = [FLOAT, FLOAT, FLOAT, FLOAT, DOUBLE, choice.one([INT, UNSIGNED])]
        return make_arrays(choice, suffix, n, w, h, shapes, elements)

    def mappings(self, choice):
        return choice.weighted((35, ''), (40, 'always'), (25, 'untiled')), choice.weighted(
            (25, ''), (45, 'always'), (30, 'untiled')
        )


class WindowKernels(Filters):
    window_share = 4000


class WindowsProfile(FiltersProfile):
    name, weight = 'windows', 14
    family, share = WindowKernels, 0.92

    def arrays(self, choice, suffix, n, w, h):
        shapes = [
            (8, lambda: (h, w)),
            (2, lambda: (h + choice.number(1, 3), w)),
            (5, lambda: (n,)),
            (3, lambda: (h * w,)),
        ]
        elements = [INT, UNSIGNED, INT, FLOAT, FLOAT, DOUBLE]
        return make_arrays(choice, suffix, n, w, h, shapes, elements)
