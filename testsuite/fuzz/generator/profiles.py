# SPDX-License-Identifier: MIT
"""The profiles, by the family of kernels that a file leans towards:

general     everything
products    products and stencils of global ids: tiles
counters    atomic operations on few elements
sums        loops that threads may share
stream      short kernels in a line
exchange    transposes
layers      stencils in a space
tables      sizes and tables that the launch knows
ranges      ranges that tables give, for all threads
typed       constants and conversions of all types
warps       warp operations after some threads have ended
walking     pointers that are stepped
march       stencils over layers, with rows in registers
filters     filters with weights
windows     loops over a window at the thread's place
triples     records of three numbers
complex     products of complex numbers

By name only (no seed draws them):

planes      stencils and filters in a plane
segments    tables of segments
matrices    products of two factors: tiles, on tensor cores too
pitched     the same of matrices whose sizes the launch knows: aligned and exact versions
"""
from . import geometry
from .complexes import ComplexProfile
from .counted import Counters
from .filters import FiltersProfile, WindowsProfile
from .kernel import Kernel
from .marching import March
from .matrices import Matrix, Pitched
from .objects import VS, Array, make_arrays, table_element
from .profile import SHAPES, Profile
from .ranges import Ranges
from .streams import Exchange, Layers, Planes, Stream
from .tables import Segments, Tables
from .triples import TriplesProfile
from .walking import Walking
from .warps import Warps
from .slots import OWN, READ
from .types import DOUBLE, FLOAT, INT, RARE, SHORT, STRUCTS, UCHAR, UNSIGNED


class Products(Kernel):
    beside_share, restrict_share, records_share = 0.5, 0.35, 0.12

    def _choose_kind(self):
        self.has_barriers, self.is_product, self.is_sum = False, True, False

    def _make_geometry(self):
        section = self.section
        return geometry.make_ids(
            self.choice, section.n, section.w, section.h, self.choice.chance(0.8)
        )


class Sums(Kernel):
    records_share, restrict_share, beside_share = 0.02, 0.5, 0.06
    total_share = 0.04

    def _choose_kind(self):
        self.has_barriers, self.is_product, self.is_sum = False, True, True

    def _choose_slots(self):
        choice = self.choice
        data = choice.shuffled([a for a in self.section.arrays if not a.is_table])
        reals = self.program.is_exact and choice.chance(0.7)
        data.sort(key=lambda a: (a.element not in (INT, UNSIGNED)) != reals)
        self._add(data[0], OWN)
        planes = [a for a in data[1:] if len(a.dims) > 1]
        planes.sort(key=lambda a: a.element is data[0].element)
        for array in planes[: choice.weighted((60, 1), (40, 2))]:
            self._add(array, READ, choice.chance(0.7))
        for array in [a for a in data[1:] if a not in planes[:2]][
            : choice.weighted((40, 0), (40, 1), (20, 2))
        ]:
            self._add(array, READ)


class CountersProfile(Profile):
    name, weight = 'counters', 15
    family, share, exact = Counters, 0.88, 0.05
    counts = True

    def sizes(self, choice, program):
        return (
            choice.one([200, 256, 500, 512, 777, 1000, 1500, 2048]),
            choice.one([8, 16, 24, 32, 33, 64]),
            choice.number(3, 24),
        )

    def arrays(self, choice, suffix, n, w, h):
        out = make_arrays(choice, suffix, n, w, h)
        shapes = [
            (3, lambda: (1,)),
            (7, lambda: (choice.number(2, 40),)),
            (3, lambda: (choice.one([64, 100, 256]),)),
            (2, lambda: (choice.number(2, 6), choice.number(3, 9))),
        ]
        for i in range(choice.number(2, 3)):
            storage = VS if choice.chance(0.85) else choice.one(['dynamic', 'raw'])
            dims = choice.weighted(*shapes)()
            out.insert(
                0,
                Array(
                    'gcount%s_%d' % (suffix, i),
                    choice.one([INT, UNSIGNED]),
                    dims if storage == VS else (dims[0] * dims[-1],),
                    storage,
                    choice.chance(0.8),
                ),
            )
        return out

    def mappings(self, choice):
        return choice.weighted((25, ''), (75, 'always')), choice.weighted(
            (10, ''), (75, 'always'), (15, 'untiled')
        )


class SumsProfile(Profile):
    name, weight = 'sums', 17
    family, share, exact = Sums, 0.9, 0.6

    def sizes(self, choice, program):
        return (
            choice.one([64, 128, 300, 512]),
            choice.one([8, 12, 16, 20, 24, 32, 33, 40, 48, 64, 64, 96]),
            choice.one([8, 16, 20, 24, 32, choice.number(5, 40)]),
        )

    def arrays(self, choice, suffix, n, w, h):
        shapes = [
            (6, lambda: (h, w)),
            (4, lambda: (w, h)),
            (2, lambda: (w, w)),
            (3, lambda: (n,)),
            (2, lambda: (h * w,)),
            (2, lambda: (w,)),
            (1, lambda: (choice.number(2, 4), h, w)),
        ]
        return make_arrays(
            choice,
            suffix,
            n,
            w,
            h,
            shapes,
            [INT, UNSIGNED, INT, UNSIGNED, FLOAT, DOUBLE, choice.one([SHORT] + STRUCTS)],
        )

    def mappings(self, choice):
        return choice.weighted((30, ''), (70, 'always')), choice.weighted((15, ''), (85, 'always'))


class StreamProfile(Profile):
    name, weight = 'stream', 13
    family, share, exact = Stream, 0.9, 0

    def sizes(self, choice, program):
        return (
            choice.one([1100, 1500, 2048, 2500, 3000, 3333, 4096, 5000]),
            choice.one([16, 32, 33, 64]),
            choice.number(3, 24),
        )

    def arrays(self, choice, suffix, n, w, h):
        shapes = [
            (5, lambda: (n,)),
            (4, lambda: (n + choice.number(1, 16),)),
            (1, lambda: (2 * n,)),
            (1, lambda: (w,)),
            (1, lambda: (h, w)),
        ]
        return make_arrays(
            choice,
            suffix,
            n,
            w,
            h,
            shapes,
            choice.one(
                [
                    [FLOAT, FLOAT, INT, UNSIGNED],
                    [FLOAT, DOUBLE, DOUBLE, INT],
                    [FLOAT, DOUBLE, INT, UNSIGNED, choice.one([FLOAT, SHORT] + STRUCTS)],
                ]
            ),
        )

    def mappings(self, choice):
        return choice.weighted((5, ''), (75, 'untiled'), (20, 'always')), choice.weighted(
            (10, ''), (30, 'untiled'), (60, 'always')
        )


class ExchangeProfile(Profile):
    name, weight = 'exchange', 13
    family, share, exact = Exchange, 0.9, 0

    def sizes(self, choice, program):
        w = choice.one([20, 32, 33, 40, 48, 64, 65, 70, 96])
        return choice.one([300, 512, 1000]), w, choice.one([w, w, choice.number(8, 70), 32, 33])

    def arrays(self, choice, suffix, n, w, h):
        shapes = [
            (6, lambda: (h, w)),
            (6, lambda: (w, h)),
            (2, lambda: (w + choice.number(1, 3), h)),
            (2, lambda: (h * w,)),
            (1, lambda: (n,)),
            (1, lambda: (2, h, w)),
        ]
        return make_arrays(choice, suffix, n, w, h, shapes)

    def mappings(self, choice):
        return choice.weighted((8, ''), (72, 'untiled'), (20, 'always')), choice.weighted(
            (10, ''), (30, 'untiled'), (60, 'always')
        )


class LayersProfile(Profile):
    name, weight = 'layers', 13
    family, share, exact = Layers, 0.9, 0

    def sizes(self, choice, program):
        return (
            choice.one([300, 512, 1000]),
            choice.one([8, 16, 20, 32, 33, 40]),
            choice.number(3, 14),
        )

    def arrays(self, choice, suffix, n, w, h):
        d = choice.number(2, 12)
        shapes = [
            (12, lambda: (d, h, w)),
            (3, lambda: (d + choice.number(1, 3), h, w)),
            (1, lambda: (h, w)),
            (1, lambda: (w,)),
            (1, lambda: (n,)),
        ]
        return make_arrays(choice, suffix, n, w, h, shapes)

    def mappings(self, choice):
        return choice.weighted((8, ''), (72, 'untiled'), (20, 'always')), choice.weighted(
            (10, ''), (30, 'untiled'), (60, 'always')
        )


class PlanesProfile(LayersProfile):
    name, weight = 'planes', 0
    family, share, exact = Planes, 0.95, 0

    def sizes(self, choice, program):
        return (
            choice.one([300, 512, 1000]),
            choice.one([16, 20, 32, 40, 64, 68, 33]),
            choice.number(8, 40),
        )

    def arrays(self, choice, suffix, n, w, h):
        shapes = [
            (12, lambda: (h, w)),
            (4, lambda: (h, w + 4)),
            (2, lambda: (h + choice.number(1, 3), w)),
            (1, lambda: (w,)),
            (1, lambda: (n,)),
        ]
        return make_arrays(choice, suffix, n, w, h, shapes)


class MarchProfile(LayersProfile):
    name, weight = 'march', 4
    family, share, exact = March, 0.97, 0
    checked = 0.2
    args = (
        (30, '-arch=sm_90'),
        (20, '-arch=sm_80'),
        (20, '-arch=sm_70'),
        (10, ''),
        (20, '-arch=sm_72'),
    )  # sm_72 has few multiprocessors: the model takes more layers

    def sizes(self, choice, program):
        if '72' in program.args and choice.chance(0.15):
            return 64, choice.one([64, 128]), choice.one([32, 64])
        return (
            choice.one([64, 200]),
            choice.one(
                [16, 20, 24, 32, 32, 36, 40, 44, 64, 64, 28, 48, choice.one([32, 40, 33, 22])]
            ),
            choice.number(3, 14),
        )

    def depth(self, choice, w, h):
        return choice.one([64, 128]) if w * h >= 2048 else choice.number(4, 22)

    def arrays(self, choice, suffix, n, w, h):
        d = self.depth(choice, w, h)
        shapes = [
            (14, lambda: (d, h, w)),
            (3, lambda: (d + choice.number(1, 3), h, w)),
            (3, lambda: (d, h + choice.number(1, 3), w)),
            (2, lambda: (d, h, w + choice.one([4, 4, 4, 8, 2]))),
            (4, lambda: (d * h * w,)),
            (2, lambda: (d * h, w)),
            (2, lambda: (n,)),
            (1, lambda: (w,)),
        ]
        most = choice.weighted((45, FLOAT), (25, DOUBLE), (15, INT), (15, UNSIGNED))
        return make_arrays(
            choice,
            suffix,
            n,
            w,
            h,
            shapes,
            [most] * 14 + [choice.one([DOUBLE, FLOAT, INT, UNSIGNED, SHORT])],
        )


class ProductsProfile(Profile):
    name, weight = 'products', 13
    family, share, exact = Products, 0.92, 0
    args = (
        (15, ''),
        (24, '-arch=sm_70'),
        (11, '-arch=sm_75'),
        (4, '--shared-memory=9000'),
        (26, '-arch=sm_80 --shared-memory=160000'),
        (20, '-arch=sm_90 --shared-memory=200000'),
    )

    def sizes(self, choice, program):
        return (
            choice.one([128, 256, 512, 1000]),
            choice.one([12, 16, 20, 24, 32, 33, 48, 64]),
            choice.number(6, 40),
        )

    def arrays(self, choice, suffix, n, w, h):
        shapes = [
            (6, lambda: (h, w)),
            (4, lambda: (w, h)),
            (2, lambda: (w, w)),
            (2, lambda: (h * w,)),
            (1, lambda: (n,)),
            (2, lambda: (w,)),
        ]
        return make_arrays(choice, suffix, n, w, h, shapes)

    def mappings(self, choice):
        return (
            choice.weighted((5, ''), (63, 'always'), (2, 'untiled'), (30, choice.one(SHAPES))),
            choice.weighted((30, 'always'), (45, 'untiled'), (25, choice.one(SHAPES))),
        )


class MatricesProfile(Profile):
    name, weight = 'matrices', 0
    family, share, exact = Matrix, 0.96, 0.85
    args = (
        (24, '-arch=sm_70'),
        (6, '-arch=sm_75 --shared-memory=12000'),
        (40, '-arch=sm_80 --products=always --shared-memory=160000'),
        (20, '-arch=sm_90 --products=always --shared-memory=200000'),
        (10, '-arch=sm_90'),
    )

    def sizes(self, choice, program):
        return (
            choice.one([128, 256, 512]),
            choice.one([16, 20, 24, 32, 33, 48, 64, 96]),
            choice.number(8, 64),
        )

    def arrays(self, choice, suffix, n, w, h):
        depth = choice.one([8, 16, 20, 24, 32, choice.number(5, 50)])
        shapes = [
            (5, lambda: (h, w)),
            (4, lambda: (h, depth)),
            (4, lambda: (depth, w)),
            (2, lambda: (w, depth)),
            (2, lambda: (depth, h)),
            (1, lambda: (h * w,)),
        ]
        most = choice.weighted((65, DOUBLE), (15, FLOAT), (10, INT), (10, UNSIGNED))
        return make_arrays(
            choice,
            suffix,
            n,
            w,
            h,
            shapes,
            [most] * 6 + [DOUBLE, FLOAT, INT, choice.one([SHORT, UCHAR])],
        )

    def mappings(self, choice):
        return (
            choice.weighted((10, ''), (60, 'always'), (30, choice.one(SHAPES))),
            choice.weighted((15, ''), (75, 'always'), (10, choice.one(SHAPES))),
        )


class PitchedProfile(MatricesProfile):
    name, weight = 'pitched', 0
    family = Pitched
    args = (
        (15, '-arch=sm_70'),
        (45, '-arch=sm_80 --shared-memory=160000'),
        (40, '-arch=sm_90 --shared-memory=200000'),
    )

    def sizes(self, choice, program):
        if choice.chance(0.35):  # whole blocks
            return 128, choice.one([32, 64, 64, 128]), choice.one([32, 64])
        return (
            choice.one([128, 256, 512]),
            choice.one([16, 20, 24, 32, 36, 48, 64, 96, 40, choice.one([33, 50])]),
            choice.number(8, 64),
        )

    def arrays(self, choice, suffix, n, w, h):
        depth = choice.one(
            [8, 16, 20, 24, 32, 32, 40, choice.one([28, 36, 52, 44, choice.number(5, 50)])]
        )
        shapes = [
            (5, lambda: (h, w)),
            (4, lambda: (h, depth)),
            (4, lambda: (depth, w)),
            (2, lambda: (w, depth)),
            (2, lambda: (depth, h)),
        ]
        most = choice.weighted((25, DOUBLE), (40, FLOAT), (20, INT), (15, UNSIGNED))
        return make_arrays(choice, suffix, n, w, h, shapes, [most] * 8 + [DOUBLE, FLOAT, INT])

    def mappings(self, choice):
        two = [shape for shape in SHAPES if 'x1' not in shape]
        return (
            choice.weighted((5, ''), (65, 'always'), (30, choice.one(two))),
            choice.weighted((5, ''), (75, 'always'), (20, choice.one(two))),
        )


class TablesProfile(Profile):
    name, weight = 'tables', 15
    family, share, exact = Tables, 0.9, 0
    args = (
        (15, ''),
        (35, '--shared-memory=6000'),
        (35, '--shared-memory=9000'),
        (15, '-arch=sm_90 --shared-memory=16000'),
    )
    positions, offsets = 256, 64

    def sizes(self, choice, program):
        return (
            choice.one([3000, 5000, 5000, 14000]),
            choice.one([8, 12, 16, 24, 32, 33, 48]),
            choice.number(3, 24),
        )

    def arrays(self, choice, suffix, n, w, h):
        shapes = [(8, lambda: (n,)), (1, lambda: (2 * n,)), (3, lambda: (h, w))]
        out = make_arrays(
            choice,
            suffix,
            n,
            w,
            h,
            shapes,
            [FLOAT, FLOAT, FLOAT, DOUBLE, INT, UNSIGNED, INT, SHORT],
        )
        for name, count, limit in (
            ('gbase', choice.one([48, 100, 500]), n - self.positions - self.offsets - 8),
            ('gpos', 5 * 256, self.positions),
            ('goff', choice.one([64, 200]), self.offsets),
        ):
            if choice.chance(0.92):
                out.append(
                    Array(
                        name + suffix,
                        table_element(choice, limit),
                        (count,),
                        VS,
                        choice.chance(0.6),
                        limit,
                    )
                )
        return out

    def mappings(self, choice):
        return choice.weighted((75, ''), (25, 'never')), choice.weighted((50, ''), (50, 'always'))


class SegmentsProfile(TablesProfile):
    name, weight = 'segments', 0
    family, share = Segments, 1
    args = (
        (30, '--shared-memory=12000'),
        (30, '--shared-memory=24000'),
        (40, '-arch=sm_90 --shared-memory=60000'),
    )

    def mappings(self, choice):
        return '', choice.weighted((50, ''), (50, 'always'))


class RangesProfile(TablesProfile):
    name, weight = 'ranges', 12
    family = Ranges
    args = ((40, '-arch=sm_90'), (30, ''), (15, '--shared-memory=9000'), (15, '-arch=sm_70'))

    def mappings(self, choice):
        return choice.weighted((15, ''), (85, 'always')), choice.weighted((30, ''), (70, 'always'))


class WarpsProfile(CountersProfile):
    name, weight = 'warps', 8
    family, share, exact = Warps, 0.9, 0

    def mappings(self, choice):
        return choice.weighted((25, ''), (75, 'always')), choice.weighted(
            (10, ''), (75, 'always'), (15, 'untiled')
        )


class WalkingProfile(Profile):
    name, weight = 'walking', 6
    family, share, exact = Walking, 0.85, 0

    def mappings(self, choice):
        return choice.weighted((50, ''), (50, 'always')), choice.weighted((30, ''), (70, 'always'))


class TypedProfile(Profile):
    """Any kernel, products most often, with constants and conversions of all types."""

    name, weight = 'typed', 14
    family, share, exact = Products, 0.6, 0.2
    typed = ((100, 0.45),)

    def sizes(self, choice, program):
        return (
            choice.one([64, 100, 128, 200, 256, 300, 512]),
            choice.one([16, 20, 24, 32, 33, 48, 64]),
            choice.number(8, 40),
        )

    def arrays(self, choice, suffix, n, w, h):
        elements = [INT, INT, UNSIGNED, FLOAT, DOUBLE, SHORT, UCHAR] + RARE
        return make_arrays(choice, suffix, n, w, h, None, elements)

    def kernel(self, choice):
        return choice.weighted((45, Products), (25, Sums), (30, Kernel))

    def mappings(self, choice):
        return (
            choice.weighted((35, ''), (55, 'always'), (10, choice.one(SHAPES))),
            choice.weighted((20, ''), (60, 'always'), (20, choice.one(SHAPES))),
        )


PROFILES = [
    Profile(),
    CountersProfile(),
    SumsProfile(),
    StreamProfile(),
    ExchangeProfile(),
    LayersProfile(),
    ProductsProfile(),
    TablesProfile(),
    RangesProfile(),
    PlanesProfile(),
    WarpsProfile(),
    WalkingProfile(),
    TypedProfile(),
    SegmentsProfile(),
    MatricesProfile(),
    PitchedProfile(),
    MarchProfile(),
    FiltersProfile(),
    WindowsProfile(),
    TriplesProfile(),
    ComplexProfile(),
]


def profile_of(choice, name=None):
    """The profile of that name; None: by weights. Takes the same choices either way."""
    drawn = choice.weighted(*[(profile.weight, profile) for profile in PROFILES])
    return next(profile for profile in PROFILES if profile.name == name) if name else drawn
