# SPDX-License-Identifier: MIT
"""Grids, blocks, and the coordinates that tell a kernel's threads apart."""
from .scope import Var

THREADS = 2048


class Coordinate:
    def __init__(self, text, count, uniform=False, raw=False):
        self.text, self.count, self.uniform, self.raw = text, count, uniform, raw
        self.ctype = None  # of typed.py, where it is another than `raw` says


class Geometry:
    """shapes: (grid, block) of each launch form, one block shape for all where `fixed`;
    definitions: lines of C that declare the coordinates."""

    def __init__(self, shapes, coordinates, definitions, fixed):
        self.shapes, self.coordinates, self.definitions, self.fixed = (
            shapes,
            coordinates,
            definitions,
            fixed,
        )

    def index_vars(self):
        """The built-in indices as variables, for all launches."""
        most = [
            [max(shape[part][axis] for shape in self.shapes) for axis in range(3)]
            for part in range(2)
        ]
        out = []
        for axis, letter in enumerate('xyz'):
            if most[0][axis] > 1:
                out.append(Var('blockIdx.' + letter, 0, most[0][axis] - 1, True, raw=True))
            if most[1][axis] > 1:
                out.append(Var('threadIdx.' + letter, 0, most[1][axis] - 1, raw=True))
        return out


def _block_width(choice, most=256):
    wanted = choice.weighted(
        (3, 1),
        (3, 2),
        (5, 4),
        (3, 7),
        (10, 8),
        (14, 16),
        (3, 17),
        (3, 24),
        (22, 32),
        (2, 33),
        (2, 48),
        (14, 64),
        (2, 96),
        (9, 128),
        (4, 256),
    )
    return min(wanted, most)


def _up(value, unit):
    return (value + unit - 1) // unit


def _global(choice, axis, block, fixed):
    size = str(block) if fixed and choice.chance(0.35) else 'blockDim.' + axis
    product = choice.one(['%s * blockIdx.%s' % (size, axis), 'blockIdx.%s * %s' % (axis, size)])
    if choice.chance(0.1):
        product = '__mul24(%s, blockIdx.%s)' % (size, axis)
    return choice.one(
        ['%s + threadIdx.%s' % (product, axis), 'threadIdx.%s + %s' % (axis, product)]
    )


def _declare(choice, name, text):
    return '%sint %s = %s;' % ('const ' if choice.chance(0.2) else '', name, text)


def _line(choice, n, fixed):
    bx = _block_width(choice)
    n = min(n, choice.one([512, THREADS, n]))
    shapes = [((max(1, _up(n, bx) + choice.weighted((8, 0), (1, 1), (1, -1))), 1, 1), (bx, 1, 1))]
    if choice.chance(0.25):
        other = bx if fixed else _block_width(choice)
        shapes.append(((max(1, _up(n, other) // choice.number(1, 2)), 1, 1), (other, 1, 1)))
    count = max(g[0] * b[0] for g, b in shapes)
    text = _global(choice, 'x', bx, fixed)
    return Geometry(shapes, [Coordinate('i', count)], [_declare(choice, 'i', text)], fixed)


def _plane(choice, w, h, fixed):
    bx = _block_width(choice, 32)
    by = choice.one([b for b in (1, 2, 3, 4, 8, 16) if b * bx <= 256])
    grid = (_up(w, bx) + (choice.chance(0.1)), _up(h, by) + (choice.chance(0.1)), 1)
    lines = [
        _declare(choice, 'y', _global(choice, 'y', by, fixed)),
        _declare(choice, 'x', _global(choice, 'x', bx, fixed)),
    ]
    return Geometry(
        [(grid, (bx, by, 1))],
        [Coordinate('y', grid[1] * by), Coordinate('x', grid[0] * bx)],
        choice.shuffled(lines),
        fixed,
    )


def _rows(choice, w, h, fixed):
    bx = _block_width(choice, 64)
    grid = (_up(w, bx), h, 1)
    lines = [
        _declare(choice, 'row', 'blockIdx.y'),
        _declare(choice, 'col', _global(choice, 'x', bx, fixed)),
    ]
    return Geometry(
        [(grid, (bx, 1, 1))],
        [Coordinate('row', h, True), Coordinate('col', grid[0] * bx)],
        lines,
        fixed,
    )


def _blocks(choice, w, h, fixed):
    """A block for each row, a thread for each column."""
    raw = choice.chance(0.5)
    lines = (
        [] if raw else [_declare(choice, 'b', 'blockIdx.x'), _declare(choice, 't', 'threadIdx.x')]
    )
    names = ('blockIdx.x', 'threadIdx.x') if raw else ('b', 't')
    return Geometry(
        [((h, 1, 1), (w, 1, 1))],
        [Coordinate(names[0], h, True, raw), Coordinate(names[1], w, False, raw)],
        lines,
        fixed,
    )


def _space(choice, w, h, fixed):
    bx, by, bz = choice.one([(8, 4, 2), (16, 2, 2), (4, 4, 4), (32, 2, 1), (8, 8, 1)])
    grid = (_up(w, bx), _up(h, by), choice.number(1, 3))
    lines = [
        _declare(choice, n, _global(choice, a, b, fixed))
        for n, a, b in (('z', 'z', bz), ('y', 'y', by), ('x', 'x', bx))
    ]
    return Geometry(
        [(grid, (bx, by, bz))],
        [
            Coordinate(n, g * b)
            for n, g, b in (('z', grid[2], bz), ('y', grid[1], by), ('x', grid[0], bx))
        ],
        lines,
        fixed,
    )


def make_layers(choice, w, h, d):
    """A space of d layers and about as many threads."""
    bx, by, bz = choice.one(
        [
            (8, 4, 2),
            (16, 2, 2),
            (4, 4, 4),
            (32, 2, 1),
            (8, 8, 1),
            (16, 4, 4),
            (32, 4, 2),
            (10, 3, 2),
        ]
    )
    grid = [
        _up(extent, block) + choice.weighted((12, 0), (1, 1))
        for extent, block in ((w, bx), (h, by), (d, bz))
    ]
    lines = [
        _declare(choice, n, _global(choice, a, b, True))
        for n, a, b in (('z', 'z', bz), ('y', 'y', by), ('x', 'x', bx))
    ]
    return Geometry(
        [(tuple(grid), (bx, by, bz))],
        [
            Coordinate(n, g * b)
            for n, g, b in (('z', grid[2], bz), ('y', grid[1], by), ('x', grid[0], bx))
        ],
        choice.shuffled(lines),
        True,
    )


def _flattened(choice, n, fixed):
    """A two-dimensional block as a line."""
    bx, by = choice.one([(8, 4), (16, 2), (4, 4), (32, 2), (16, 16), (5, 3)])
    blocks = _up(n, bx * by)
    rows = choice.one([1, 1, 2])
    grid = (_up(blocks, rows), rows, 1)
    lines = [
        _declare(choice, 't', 'threadIdx.y * blockDim.x + threadIdx.x'),
        _declare(
            choice,
            'i',
            '(blockIdx.y * gridDim.x + blockIdx.x) * %s + t'
            % choice.one([str(bx * by), '(blockDim.x * blockDim.y)']),
        ),
    ]
    return Geometry(
        [(grid, (bx, by, 1))], [Coordinate('i', grid[0] * grid[1] * bx * by)], lines, fixed
    )


RETYPED = (
    ('unsigned', 'unsigned'),
    ('size_t', 'unsigned long'),
    ('long long', 'long'),
    ('short', 'int'),
    ('unsigned short', 'int'),
    ('unsigned long long', 'unsigned long'),
)


def retype(choice, geometry):
    """Another integer type for some of the coordinates."""
    for coordinate in geometry.coordinates:
        start = 'int %s = ' % coordinate.text
        for at, line in enumerate(geometry.definitions):
            if start in line and choice.chance(0.7):
                name, ctype = choice.one(RETYPED)
                geometry.definitions[at] = line.replace(start, '%s %s = ' % (name, coordinate.text))
                coordinate.raw, coordinate.ctype = ctype != 'int', ctype


def make_ids(choice, n, w, h, fixed):
    """Coordinates that are global ids."""
    return _plane(choice, w, h, fixed) if choice.chance(0.6) else _line(choice, n, fixed)


def make_sums(choice, n, w, h, fixed):
    """A thread for each row or column of an array."""
    wanted = choice.one([w, w, h, h, n])
    geometry = _line(choice, wanted, fixed)
    geometry.wanted = wanted
    return geometry


def make_line(choice, threads, fixed):
    """About so many threads in a line."""
    block = choice.weighted((2, 32), (1, 48), (5, 64), (1, 96), (5, 128), (6, 256))
    grid = max(1, _up(threads, block) + choice.weighted((8, 0), (1, 1), (1, -1)))
    return Geometry(
        [((grid, 1, 1), (block, 1, 1))],
        [Coordinate('i', grid * block)],
        [_declare(choice, 'i', _global(choice, 'x', block, fixed))],
        fixed,
    )


make_plane, make_space = _plane, _space


def make(choice, n, w, h, fixed):
    kind = choice.weighted(
        (34, 'line'), (17, 'plane'), (12, 'rows'), (13, 'blocks'), (50, 'space'), (8, 'flattened')
    )
    if kind == 'plane':
        return _plane(choice, w, h, fixed)
    if kind == 'rows' and h * w <= THREADS:
        return _rows(choice, w, h, fixed)
    if kind == 'blocks' and w <= 256:
        return _blocks(choice, w, h, fixed)
    if kind == 'space' and w * h * 4 <= THREADS:
        return _space(choice, w, h, fixed)
    if kind == 'flattened':
        return _flattened(choice, n, fixed)
    return _line(choice, n, fixed)
