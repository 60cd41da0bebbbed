# SPDX-License-Identifier: MIT
"""Arrays of a program: VS variables, VS pointers with mesi_malloc memory, cudaMalloc memory, index
tables."""
from . import spaces
from .types import DOUBLE, FLOAT, INT, LLONG, SHORT, SIZE, UCHAR, UNSIGNED, USHORT, pick_element

VS, DYNAMIC, RAW = 'vs', 'dynamic', 'raw'


class Array:
    """limit: for a table, its values lie in [0, limit); is_permutation: each once. Tables are never
    written."""

    def __init__(self, name, element, dims, storage, is_static, limit=0, is_permutation=False):
        self.name, self.element, self.dims, self.storage, self.is_static = (
            name,
            element,
            dims,
            storage,
            is_static,
        )
        self.limit, self.is_permutation = limit, is_permutation
        self.is_counter = (
            False  # of small whole numbers, updated by atomic additions alone: sums are exact
        )
        self.count = 1
        for extent in dims:
            self.count *= extent

    @property
    def is_table(self):
        return self.limit > 0

    def declaration(self, macros):
        """In the notation of printing.py: @VS is __global__ in a .mcu and nothing in the twin."""
        return spaces.declared(self.name, self._declaration(macros, spaces.plain(self.name)))

    def _declaration(self, macros, name):
        if self.storage == RAW:
            return 'static %s *%s;' % (self.element.name, name)
        if self.storage == DYNAMIC:
            return '%s@VS %s *%s;' % ('static ' if self.is_static else '', self.element.name, name)
        extents = ''.join('[%s]' % macros.text(extent) for extent in self.dims)
        return '%s@VS %s %s%s;' % (
            'static ' if self.is_static else '',
            self.element.name,
            name,
            extents,
        )


class Macros:
    """Names for some extents: #define N0 512."""

    def __init__(self, choice, suffix, values):
        self._choice = choice
        self._names = {}
        for letter, value in zip('NWHD', values):
            if value not in self._names.values():
                self._names['%s%s' % (letter, suffix)] = value

    def lines(self):
        return ['#define %s %d' % item for item in self._names.items()]

    def text(self, value):
        names = [name for name, known in self._names.items() if known == value]
        return self._choice.one(names) if names and self._choice.chance(0.6) else str(value)


def make_arrays(choice, suffix, n, w, h, made=None, elements=None):
    """The arrays of a section. n elements in a line, h rows of w, a few planes; or the shapes and
    elements that are given."""
    shapes = [
        (4, lambda: (n,)),
        (1, lambda: (n + choice.number(1, 9),)),
        (1, lambda: (2 * n,)),
        (2, lambda: (h * w,)),
        (4, lambda: (h, w)),
        (1, lambda: (n, choice.number(3, 8))),
        (3, lambda: (choice.number(2, 5), h, w)),
    ]
    if n > 4096:
        shapes = [
            (8, lambda: (n,)),
            (2, lambda: (2 * n,)),
            (3, lambda: (h, w)),
            (1, lambda: (choice.number(2, 5), h, w)),
        ]
    shapes, arrays = made or shapes, []
    favourite = [
        choice.one([FLOAT, FLOAT, DOUBLE]) if n > 4096 else pick_element(choice) for _ in range(2)
    ]
    for i in range(choice.number(5, 8)):
        storage = choice.weighted((80, VS), (10, DYNAMIC), (10, RAW))
        dims = choice.weighted(*shapes)()
        if storage != VS:
            dims = (
                dims[0] * (dims[1] if len(dims) > 1 else 1) * (dims[2] if len(dims) > 2 else 1),
            )
        element = (
            choice.one(elements)
            if elements
            else choice.one(favourite)
            if choice.chance(0.7)
            else pick_element(choice)
        )
        arrays.append(
            Array('g%s%s' % ('abcdefgh'[i], suffix), element, dims, storage, choice.chance(0.6))
        )
    return arrays + make_tables(choice, suffix, n, w, h)


def make_counters(choice, suffix):
    """Counters of reals: they are in no list of arrays that kernels store to otherwise."""
    out = []
    for i in range(choice.weighted((50, 0), (35, 1), (15, 2))):
        dims = choice.weighted(
            (3, (1,)), (4, (choice.number(2, 40),)), (2, (choice.number(2, 6), choice.number(3, 9)))
        )
        out.append(
            Array(
                'gsum%s_%d' % (suffix, i),
                choice.one([FLOAT, FLOAT, DOUBLE]),
                dims,
                VS,
                choice.chance(0.6),
            )
        )
        out[-1].is_counter = True
    return out


def table_element(choice, limit):
    """A type for numbers below the limit."""
    return choice.weighted(
        (70, INT),
        (8, SHORT),
        (6, UNSIGNED),
        (5, USHORT),
        (4, LLONG),
        (3, SIZE),
        (4 if limit <= 128 else 0, UCHAR),
    )


def make_tables(choice, suffix, n, w, h):
    arrays = []
    arrays.append(
        Array('gmap%s' % suffix, table_element(choice, n), (n,), VS, choice.chance(0.6), n, True)
    )
    limit = choice.one([w, h, n])
    arrays.append(
        Array(
            'gtab%s' % suffix,
            table_element(choice, limit),
            (choice.one([n, w, 2 * h]),),
            VS,
            choice.chance(0.6),
            limit,
        )
    )
    return arrays
