# SPDX-License-Identifier: MIT
"""Stencils over the layers of a space, for threads that go through layers with rows in registers
(analysis/transform/stream25d/stream25d.c).

    int x = ..., y = ..., z = ...;
    if (z < 2 || z >= n0 || y >= 11) return;             the guard: of several parts, in one
                                                         condition or in several
    if (x > 0 && x + 3 < 36)
      gb[z][y][x] = ga[z - 2][y][x] + ga[z + 1][y][x] * 0.5f + ga[z][y][x + 3] + gw[2];

A column of a row is read in several layers; beside it lie neighbours in all directions, other
arrays, coefficients that neighbours have in common. Arrays have three dimensions, two or one. Some
kernels are such that nothing may be carried: rows that do not begin at multiples of 16 bytes,
layers that are no interval, conditions on x and z at once or on data, arrays that are read and
written.
"""
from . import geometry
from .near import Near
from .ownership import Ownership
from .scope import Scope
from .slots import OWN, READ, Slot
from .streams import NearKernel
from .types import UNSIGNED

AXES = ('z', 'y', 'x')


class Folded(Slot):
    """A space in a line, or in rows of a plane."""

    def fold(self, depth, height, width, texts):
        self.folded = len(self.array.dims)
        self.is_flat = self.folded == 1
        self.shape = (depth, height, width)
        self.height, self.width, self.layer = texts
        return self

    def element_at(self, indices):
        z, y, x = ['%s' % i if i.isalnum() else '(%s)' % i for i in indices]
        if self.folded == 2:
            return '%s[%s * %s + %s][%s]' % (self.text, z, self.height, indices[1], indices[2])
        if self.layer:
            return '%s[%s * %s + %s * %s + %s]' % (
                self.text,
                z,
                self.layer,
                y,
                self.width,
                indices[2],
            )
        return '%s[(%s * %s + %s) * %s + %s]' % (
            self.text,
            z,
            self.height,
            y,
            self.width,
            indices[2],
        )

    @property
    def needed(self):
        return self.shape[0] * self.shape[1] * (self.shape[2] if self.is_flat else 1)

    def parameter(self):
        shape, self.shape = self.shape, tuple(self.array.dims)
        text = Slot.parameter(self)
        self.shape = shape
        return text

    def accepts(self, array):
        if array.element is not self.element or array.is_table or len(array.dims) != self.folded:
            return False
        return (
            array.count >= self.needed
            if self.is_flat
            else array.dims[1] == self.shape[2] and array.dims[0] >= self.needed
        )


class March(NearKernel):
    axes = AXES
    names_share, records_share = 0.2, 0.005
    constant_share, template_share, restrict_share = 0.95, 0.12, 0.8
    inputs = ((45, 1), (40, 2), (15, 3))

    def _make_geometry(self):
        section = self.section
        self.depth = min([a.dims[0] for a in section.arrays if len(a.dims) == 3] or [4])
        return geometry.make_layers(self.choice, section.w, section.h, self.depth)

    # ---- arrays ----

    def _fits(self, array):
        section, dims = self.section, array.dims
        if array.element.members()[0][0] != '' or array.count < self.depth * section.h * section.w:
            return False
        return len(dims) == 3 or len(dims) == 1 or dims[1] == section.w

    def _add(self, array, use, whole=False):
        slot = NearKernel._add(self, array, use, whole)
        if not slot or len(array.dims) == 3 or not self._fits(array):
            return slot
        section, choice = self.section, self.choice
        texts = [
            self.fixed_scalar(value) if choice.chance(0.05) else section.macros.text(value)
            for value in (section.h, section.w, section.h * section.w)
        ]
        texts[2] = texts[2] if choice.chance(0.3) else ''
        folded = Folded(array, slot.text, slot.use, slot.by).fold(
            self.depth, section.h, section.w, texts
        )
        folded.is_const, folded.is_restrict = slot.is_const, slot.is_restrict
        self.slots[self.slots.index(slot)] = folded
        return folded

    def _choose_slots(self):
        """Results and what is read are mostly of one type."""
        choice = self.choice
        fitting = choice.shuffled(
            [a for a in self.section.arrays if not a.is_table and self._fits(a)]
        )
        results = [a for a in fitting if a.element.kind != 'small'] or fitting
        if choice.chance(0.85):
            fitting.sort(key=lambda a: a.element is not results[0].element)
        written = [a for a in fitting if a in results][
            : choice.weighted((75, 1), (25, 2)) if len(fitting) > 2 else 1
        ]
        for array in written:
            self._add(array, OWN, True)
        rest = [a for a in fitting if a not in written]
        for array in rest[: choice.weighted(*self.inputs)]:
            self._add(array, READ, True)
        small = [
            a
            for a in self.section.arrays
            if not a.is_table and not self._fits(a) and len(a.dims) == 1
        ]
        for array in small[:1] if choice.chance(0.4) else []:
            self._add(array, READ, True)

    def _choose_ownership(self):
        choice, self.least = self.choice, [0, 0, 0]
        for slot in [s for s in self.slots if s.use == OWN]:
            offsets, step = [0, 0, 0], 1
            if choice.chance(0.25):
                offsets = [
                    choice.one([0, 0, 1, 2]),
                    choice.one([0, 0, 1]),
                    choice.one([0, 0, 4, 2, 1, -4, -2]),
                ]
                offsets = [o if extent > o + 6 else 0 for o, extent in zip(offsets, slot.shape)]
            elif choice.chance(0.04):
                step = 2
            self.least = [max(low, -o) for low, o in zip(self.least, offsets)]
            slot.own = Ownership(
                lambda c, e, o=offsets, s=step: [
                    _plus(c[0], o[0]),
                    _plus(c[1], o[1]),
                    _plus(c[2] if s == 1 else '%d * %s' % (s, c[2]), o[2]),
                ],
                [extent - max(o, 0) for extent, o in zip(slot.shape[:2], offsets)]
                + [(slot.shape[2] - max(offsets[2], 0) + step - 1) // step],
            )
            self.owned.append(slot)

    # ---- the guard ----

    def _choose_guard(self):
        """(text, its opposite, coordinate, low, high)"""
        self.chooses = self.choice.chance(0.25)
        choice, self.around = self.choice, (
            _radius(self.choice),
            self.choice.number(0, 2),
            self.choice.one([0, 1, 1, 2, 3, 5]),
        )
        reads = [s for s in self.slots if s.use == READ and len(s.shape) == 3]
        for at, coordinate in enumerate(self.geometry.coordinates):
            name, count = coordinate.text, coordinate.count
            limit = min(
                [slot.own.limits[at] for slot in self.owned]
                + [count]
                + [s.shape[at] for s in reads]
            )
            low, high = self._clipped(at, limit)
            if low:
                self._conditions.append(self._least(name, low, high))
            if high < count - 1 or choice.chance(0.1):
                self._conditions.append(self._most(name, low, high, limit))
            if choice.chance(0.03):
                self._conditions.append(self._odd(name, low, high))

    def _clipped(self, at, limit):
        """Where layers are chosen, all of them are within the guard: conditions on the layer keep
        loads in the array."""
        choice, radius = self.choice, 0 if self.chooses and not at else self.around[at]
        low = max(
            self.least[at],
            choice.weighted((70, radius), (15, 0), (15, choice.number(0, radius + 1))),
        )
        high = (
            limit - 1 - choice.weighted((70, radius), (15, 0), (15, choice.number(0, radius + 1)))
        )
        return (low, high) if high > low + 1 else (self.least[at], limit - 1)

    def _least(self, name, low, high):
        text = self.choice.one(
            [
                ('%s >= %d' % (name, low), '%s < %d' % (name, low)),
                ('%s > %d' % (name, low - 1), '%s <= %d' % (name, low - 1)),
                ('%d <= %s' % (low, name), '%s < %d' % (name, low)),
                ('%s >= %d' % (name, low), '%s - %d < 0' % (name, low)),
            ]
        )
        return text + (name, low, 1 << 20)

    def _most(self, name, low, high, limit):
        choice = self.choice
        end = (
            self.bounded_scalar(max(low + 1, high - 4), high + 1).text
            if choice.chance(0.3)
            else self.section.macros.text(high + 1)
        )
        rest = limit - 1 - high
        forms = [
            ('%s < %s' % (name, end), '%s >= %s' % (name, end)),
            ('%s <= %s - 1' % (name, end), '%s > %s - 1' % (name, end)),
        ]
        if rest > 0:
            text = self.section.macros.text(limit)
            forms += [
                ('%s < %s - %d' % (name, text, rest), '%s >= %s - %d' % (name, text, rest)),
                ('%s + %d < %s' % (name, rest, text), '%s + %d >= %s' % (name, rest, text)),
            ]
        return choice.one(forms) + (name, 0, high)

    def _odd(self, name, low, high):
        """Of other forms; on layers that are no interval, on x and z."""
        choice = self.choice
        at, by = choice.number(low, high), choice.number(2, 4)
        forms = [
            ('%s != %d' % (name, at), '%s == %d' % (name, at)),
            ('%s %% %d != %d' % (name, by, by - 1), '%s %% %d == %d' % (name, by, by - 1)),
            ('2 * %s < %d' % (name, at + high), '2 * %s >= %d' % (name, at + high)),
            ('x + z < %d' % (at + high), 'x + z >= %d' % (at + high)),
            ('x + y != %d' % at, 'x + y == %d' % at),
        ]
        return choice.one(forms) + (name, 0, 1 << 20)

    def _enter(self, scope):
        """Early returns, ifs in each other, or some of both: (scope, the ifs)."""
        choice, opened, inner = self.choice, [], scope
        scope.owned = list(self.owned)
        rest = choice.shuffled(self._conditions)
        groups = choice.weighted((60, 1), (25, 2), (15, 3))
        early = choice.chance(self.early_share)
        for at in range(groups):
            some, rest = (
                (rest, []) if at + 1 == groups else (rest[: len(rest) // 2], rest[len(rest) // 2 :])
            )
            if not some:
                continue
            if early and (at + 1 < groups or choice.chance(0.6)):
                inner.line(
                    choice.one(['if (%s)', 'if (%s)', 'if (%s) {'])
                    % ' || '.join(no for _, no, _, _, _ in some)
                )
                closing = inner.lines[-1].endswith('{')
                inner.line('  return;')
                if closing:
                    inner.line('}')
            else:
                inner.line('if (%s) {' % ' && '.join(yes for yes, _, _, _, _ in some))
                inner = Scope(self, inner)
                opened.append(inner)
            for _, _, name, low, high in some:
                inner.narrowed(name, low, high)
        inner.reads, inner.owned = scope.reads, list(self.owned)
        return inner, opened

    def _make_body(self):
        scope = self._start()
        inner, opened = self._enter(scope)
        for slot in self.owned:
            self._write(inner, slot)
        for one in reversed(opened):
            one.close()
        return scope.lines

    # ---- the body ----

    def _offset(self, scope, slot, axis, wanted):
        """The nearest that stays in the array."""
        var = next(v for v in scope.vars if v.text == AXES[axis])
        while wanted and not (0 <= var.low + wanted and var.high + wanted < slot.shape[axis]):
            wanted -= 1 if wanted > 0 else -1
        return wanted

    def _load(self, scope, slot, offsets):
        offsets = [self._offset(scope, slot, axis, o) for axis, o in enumerate(offsets)]
        suffix, scalar = slot.element.members()[0]
        return (
            slot.element_at([self._at(name, o) for name, o in zip(AXES, offsets)]) + suffix,
            scalar,
        )

    def _at(self, name, offset):
        if offset and self.choice.chance(0.06):
            return '%d + %s' % (offset, name)
        return _plus(name, offset)

    def _column(self, scope, slot):
        """Loads of a row in several layers, and of what lies beside it."""
        choice, (far, beside, along) = self.choice, self.around
        aside = choice.weighted(
            (80, (0, 0)), (10, (choice.number(-1, 1), 0)), (10, (0, choice.one([4, -4, 2, 8])))
        )
        layers = list(range(-far, far + 1))
        chosen = (
            layers
            if choice.chance(0.5)
            else choice.shuffled(layers)[: choice.number(2, max(2, len(layers)))]
        )
        places = [(z,) + aside for z in chosen]
        for _ in range(choice.weighted((25, 0), (25, 2), (25, 4), (25, choice.number(1, 8)))):
            z = 0 if choice.chance(0.7) else choice.number(-far, far)
            places.append(
                choice.one(
                    [
                        (z, 0, choice.one([-1, 1]) * max(1, choice.number(0, along))),
                        (z, choice.one([-1, 1]) * max(1, beside), 0),
                        (z, choice.number(-beside, beside), choice.number(-along, along)),
                    ]
                )
            )
        return places

    def _loads_of(self, scope):
        choice, out = self.choice, {}
        spaces = [s for s in scope.reads if len(s.shape) == 3]
        if not spaces:
            suffix, scalar = choice.one(scope.owned).element.members()[0]
            return [(choice.one(scope.owned).own_element(choice, scope) + suffix, scalar)]
        for slot in choice.shuffled(spaces)[: choice.weighted((70, 1), (30, 2))]:
            for place in self._column(scope, slot):
                text, scalar = self._load(scope, slot, place)
                out[text] = scalar
        for slot in scope.reads:
            if slot not in spaces:
                text, scalar = (
                    Near(self, scope, 1).load(slot, (choice.one(AXES),), 0.9)
                    if choice.chance(0.3)
                    else (
                        slot.element_at(['%d' % choice.number(0, slot.shape[0] - 1)])
                        + slot.element.members()[0][0],
                        slot.element.members()[0][1],
                    )
                )
                out[text] = scalar
            elif choice.chance(0.5):
                text, scalar = self._load(scope, slot, (choice.number(-1, 1), 0, 0))
                out[text] = scalar
        for _ in range(choice.number(1, 3) if self.chooses else 0):
            text, scalar = self._chosen(scope, choice.one(spaces))
            out[text] = scalar
        return list(out.items())

    def _chosen(self, scope, slot):
        """(text, scalar): a load beside the thread's place where that is in the array, else a
        number."""
        choice, axis = self.choice, self.choice.weighted((75, 0), (15, 1), (10, 2))
        distance, name, extent = choice.one([-2, -1, -1, 1, 1, 2]), AXES[axis], slot.shape[axis]
        var = next(v for v in scope.vars if v.text == name)
        if not (0 <= var.low + max(distance, 0) and var.high + min(distance, 0) < extent):
            return self._load(scope, slot, (0, 0, 0))
        suffix, scalar = slot.element.members()[0]
        text = slot.element_at([_plus(a, distance if a == name else 0) for a in AXES]) + suffix
        d, size = abs(distance), self.section.macros.text(extent)
        inside = (
            choice.one(
                [
                    '%s >= %d' % (name, d),
                    '%s > %d' % (name, d - 1),
                    '%s - %d >= 0' % (name, d),
                    '%d <= %s' % (d, name),
                ]
            )
            if distance < 0
            else choice.one(
                [
                    '%s + %d < %s' % (name, d, size),
                    '%s < %s - %d' % (name, size, d),
                    '%s + %d <= %d' % (name, d, extent - 1),
                ]
            )
        )
        other = '%d%s' % (
            choice.number(0, 9),
            {'real': '.0f', 'unsigned': 'u'}.get(scalar.kind, ''),
        )
        return self._under(scope, inside, text, other, scalar), scalar

    def _under(self, scope, inside, text, other, scalar):
        choice = self.choice
        how = choice.weighted((45, '?'), (10, '!'), (20, '&&'), (15, '||'), (30, 'if'))
        if how == 'if':
            name = self.fresh('v')
            scope.line('%s %s = %s;' % (scalar.name, name, other))
            scope.line(
                'if (%s) %s %s %s;'
                % (
                    inside,
                    name,
                    choice.one(['=', '+=']) if scalar.kind in ('real', 'unsigned') else '=',
                    text,
                )
            )
            return name
        if how in ('&&', '||'):
            test = (
                '%s && %s > %s' % (inside, text, other)
                if how == '&&'
                else '!(%s) || %s > %s' % (inside, text, other)
            )
            return '((%s) ? %s : (%s)1)' % (test, other, scalar.name)
        return '(%s ? %s : %s)' % (
            (inside, text, other) if how == '?' else ('!(%s)' % inside, other, text)
        )

    def _local(self, scope, near, loads, scalar):
        """Some of them in a local: what stands for them."""
        choice, cut = self.choice, self.choice.number(1, len(loads) - 1)
        name = self.fresh('v')
        kind = scalar.name if scalar.kind == 'real' else 'unsigned'
        local = scalar if scalar.kind == 'real' else UNSIGNED
        text = near.combined(loads[:cut], local)
        if choice.chance(0.3):
            scope.line('%s %s = 0;' % (kind, name))
            scope.line('%s += %s;' % (name, text))
        else:
            scope.line('%s%s %s = %s;' % ('const ' if choice.chance(0.2) else '', kind, name, text))
        return [(name, local)] + loads[cut:]

    def _write(self, scope, slot):
        choice = self.choice
        near = Near(self, scope, 1, choice.chance(0.03) * 5)
        suffix, scalar = slot.element.members()[0]
        target, loads = slot.own_element(choice, scope) + suffix, self._loads_of(scope)
        if scalar.kind == 'small':
            return near.assign(scope, target, scalar, loads[:4], 0, 0.02)
        for _ in range(2):
            if len(loads) > 2 and choice.chance(0.3):
                loads = choice.shuffled(loads)
                loads = self._local(scope, near, loads, scalar)
        return near.assign(scope, target, scalar, loads, 0.02, 0.01)


def _radius(choice):
    return choice.weighted((55, 1), (25, 2), (15, 3), (5, 4))


def _plus(text, offset):
    return '%s %s %d' % (text, '+' if offset > 0 else '-', abs(offset)) if offset else text
