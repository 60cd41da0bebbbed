# SPDX-License-Identifier: MIT
"""Which thread writes which element: an injective map from coordinates (and an extra index that
runs within one thread) to the elements of an array. Each map says how far each coordinate may go;
the kernel's guard keeps it there."""
from . import typed


class Ownership:
    """place(coordinates, extra) -> index texts; extra: extent of the extra index, 0 for none;
    limits: per coordinate, exclusive; covers: coordinates that run over consecutive elements of the
    last dimension."""

    def __init__(self, place, limits, extra=0, uses_map=None):
        self.place, self.limits, self.extra, self.uses_map = place, limits, extra, uses_map

    def indices(self, choice, scope):
        coordinates = [c.text for c in scope.kernel.geometry.coordinates]
        return self.place(
            coordinates, extra_index(choice, scope, self.extra) if self.extra else None
        )


def extra_index(choice, scope, extent):
    form = typed.place(choice, scope, extent) if choice.chance(scope.kernel.typed_share) else None
    if form:
        return '(%s)' % form.text
    loops = [v for v in scope.vars if v.loop and v.low >= 0 and v.high < extent]
    return (
        choice.one(loops).text
        if loops and choice.chance(0.85)
        else str(choice.number(0, extent - 1))
    )


def _plus(text, offset):
    return '%s + %d' % (text, offset) if offset else text


def _line_from_one(choice, extent, n, permutations):
    """One coordinate, one dimension."""

    def offset():
        room = extent - n
        return choice.number(0, min(room, 9)) if room > 0 and choice.chance(0.5) else 0

    o, s, k = offset(), choice.number(2, 3), choice.number(2, 4)
    usable = [p for p in permutations if p.array.limit <= extent]
    kinds = [
        (46, 'direct'),
        (10, 'stride'),
        (8, 'reverse'),
        (10, 'strip'),
        (8, 'far'),
        (12 if usable else 0, 'permuted'),
    ]
    kind = choice.weighted(*kinds)
    if kind == 'stride':
        o = choice.number(0, s - 1)
        return Ownership(
            lambda c, e: [_plus('%d * %s' % (s, c[0]), o)], [(extent - 1 - o) // s + 1]
        )
    if kind == 'reverse':
        return Ownership(lambda c, e: ['%d - %s' % (extent - 1, c[0])], [extent])
    if kind == 'strip' and extent // k > 3:
        return Ownership(lambda c, e: ['%s * %d + %s' % (c[0], k, e)], [extent // k], k)
    if kind == 'far' and extent // k > 3:
        return Ownership(lambda c, e: ['%s * %d + %s' % (e, extent // k, c[0])], [extent // k], k)
    if kind == 'permuted':
        table = choice.one(usable)
        return Ownership(
            lambda c, e: ['%s[%s]' % (table.text, c[0])], [table.array.limit], uses_map=table
        )
    return Ownership(lambda c, e: [_plus(c[0], o)], [extent - o])


def _rows_from_one(choice, shape, n):
    """One coordinate, two dimensions or more."""
    height, width = shape[-2], shape[-1]
    lead = ['%d' % choice.number(0, extent - 1) for extent in shape[:-2]]
    kind = choice.weighted((40, 'divide'), (30, 'row'), (30, 'column'))
    if kind == 'row':
        return Ownership(lambda c, e: lead + [c[0], e], [height], width)
    if kind == 'column':
        return Ownership(lambda c, e: lead + [e, c[0]], [width], height)
    return Ownership(
        lambda c, e: lead + ['%s / %d' % (c[0], width), '%s %% %d' % (c[0], width)],
        [height * width],
    )


def _from_two(choice, shape, counts):
    if len(shape) == 1:
        pitch = min(counts[1], shape[0])
        return Ownership(
            lambda c, e: ['%s * %d + %s' % (c[0], pitch, c[1])], [shape[0] // pitch, pitch]
        )
    if len(shape) == 2:
        if choice.chance(0.3):
            return Ownership(lambda c, e: [c[1], c[0]], [shape[1], shape[0]])
        o = choice.number(0, 2) if shape[1] - counts[1] >= 2 and choice.chance(0.3) else 0
        return Ownership(lambda c, e: [c[0], _plus(c[1], o)], [shape[0], shape[1] - o])
    at = choice.number(0, 2)
    rest = [shape[d] for d in range(3) if d != at]

    def place(c, e):
        out = [c[0], c[1]]
        out.insert(at, e)
        return out

    return Ownership(place, rest, shape[at])


def _from_three(choice, shape, counts):
    if len(shape) == 3:
        return Ownership(lambda c, e: [c[0], c[1], c[2]], list(shape))
    if len(shape) == 2:
        rows = min(counts[1], shape[0])
        return Ownership(
            lambda c, e: ['%s * %d + %s' % (c[0], rows, c[1]), c[2]],
            [shape[0] // rows, rows, shape[1]],
        )
    width = min(counts[2], shape[0])
    rows = min(counts[1], shape[0] // width)
    return Ownership(
        lambda c, e: ['(%s * %d + %s) * %d + %s' % (c[0], rows, c[1], width, c[2])],
        [shape[0] // (width * rows), rows, width],
    )


def choose(choice, shape, counts, permutations):
    """A map from coordinates with these counts into an array of this shape."""
    if len(counts) == 1:
        if len(shape) == 1:
            return _line_from_one(choice, shape[0], counts[0], permutations)
        return _rows_from_one(choice, shape, counts[0])
    return (
        _from_two(choice, shape, counts) if len(counts) == 2 else _from_three(choice, shape, counts)
    )
