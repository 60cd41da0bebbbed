# SPDX-License-Identifier: MIT
"""Families of kernels whose threads touch elements at their place and beside it, each a few times.

    Stream      b[i + 3] = a[i] + a[i + 1];                     a line of threads, no loop: 16 bytes
                at once
    Exchange    b[x][y] = a[y][x] + c[x];                       a plane, transposed on one side:
                through shared memory
    Layers      b[z][y][x] = a[z - 1][y][x] + a[z + 1][y][x];   a space: several rows and layers a
                thread
"""
from . import geometry
from .kernel import Kernel
from .near import Near
from .ownership import Ownership
from .scope import Scope, Var
from .slots import OWN, READ
from .types import DOUBLE


def _plus(text, offset):
    return '%s + %d' % (text, offset) if offset else text


class NearKernel(Kernel):
    """What the families share. axes: names of coordinates, the last dimension's last."""

    axes = ()
    ids_share = 0
    distance, others_share = 1, 0.1
    records_share, constant_share, restrict_share = 0.02, 0.6, 0.4
    inputs = ((30, 1), (40, 2), (25, 3), (5, 4))

    def _choose_kind(self):
        self.has_barriers, self.is_product, self.is_sum = False, True, False

    def _fits(self, array):
        return True

    def _choose_slots(self):
        choice = self.choice
        fitting = choice.shuffled(
            [a for a in self.section.arrays if not a.is_table and self._fits(a)]
        )
        written = choice.weighted((75, 1), (25, 2)) if len(fitting) > 2 else 1
        for array in fitting[:written]:
            self._add(array, OWN, True)
        rest = fitting[written:] + [
            a
            for a in choice.shuffled(self.section.arrays)
            if not a.is_table and a not in fitting and choice.chance(self.others_share)
        ]
        for array in rest[: choice.weighted(*self.inputs)]:
            self._add(array, READ, True)

    def _axes_of(self, slot):
        return self.axes

    def _limits(self, at):
        """Mostly within what is read."""
        count, out = self.geometry.coordinates[at].count, []
        for slot in [s for s in self.slots if s.use == READ]:
            axes = self._axes_of(slot)[-len(slot.shape) :]
            out += [
                extent
                for name, extent in zip(axes, slot.shape[len(slot.shape) - len(axes) :])
                if name == self.axes[at] and 2 * extent > count
            ]
        return out if self.choice.chance(0.9) else []

    def _loads(self, scope, near, most, still):
        """Some loads; of the thread's own element where nothing is read."""
        choice = self.choice
        if scope.reads and choice.chance(0.94):
            return near.loads(scope.reads, self._axes_of, choice.number(1, most), still)
        slot = choice.one(scope.owned)
        suffix, scalar = choice.one(slot.element.members())
        return [(slot.own_element(choice, scope) + suffix, scalar)]

    def _narrowed(self, scope):
        """Within a condition that leaves room beside the thread's place, now and then: (scope, its
        end)."""
        choice, parts, limits = self.choice, [], []
        for name in self.axes:
            var = next(v for v in scope.vars if v.text == name)
            if var.high - var.low >= 4 and choice.chance(0.7):
                low, high = var.low + choice.number(0, self.distance), var.high - choice.number(
                    0, self.distance
                )
                parts += ['%s >= %d' % (name, low)] * (low > var.low) + [
                    '%s < %d' % (name, high + 1)
                ] * (high < var.high)
                limits.append((name, low, high))
        if not parts:
            return scope, None
        scope.line('if (%s) {' % ' && '.join(choice.shuffled(parts)))
        inner = Scope(self, scope)
        for name, low, high in limits:
            inner.narrowed(name, low, high)
        return inner, '}'

    def _ids_body(self, scope, statements):
        choice = self.choice
        inner, end = self._narrowed(scope) if choice.chance(self.narrows) else (scope, None)
        for slot in self.owned:
            self._write(inner, slot)
            if end and choice.chance(0.12):
                inner.close('} else {')
                inner.lines.append(
                    '  ' * inner.indent
                    + '%s = 0;' % (slot.own_element(choice, scope) + slot.element.members()[0][0])
                )
                break
        if end:
            inner.close(end)
        self._atomics(scope, statements)


class Stream(NearKernel):
    axes = ('i',)
    distance, others_share = 4, 0.02
    narrows = 0.3

    def _make_geometry(self):
        wide = [
            a
            for a in self.section.arrays
            if a.element is DOUBLE and len(a.dims) == 1 and a.count >= self.section.n
        ]
        self.size = 8 if len(wide) > 1 and self.choice.chance(0.4) else 4  # of most elements
        return geometry.make_line(
            self.choice, self.section.n - self.choice.number(0, 3), self.choice.chance(0.8)
        )

    def _fits(self, array):
        return (
            len(array.dims) == 1
            and array.count >= self.section.n
            and array.element.members()[0][0] == ''
            and (array.element.size == self.size or self.choice.chance(0.03))
        )

    def _choose_ownership(self):
        for slot in [s for s in self.slots if s.use == OWN]:
            extent = slot.shape[0]
            o = (
                self.choice.number(0, min(12, extent - self.section.n))
                if extent > self.section.n and self.choice.chance(0.5)
                else 0
            )
            o -= o % 4 if self.choice.chance(0.7) else 0
            if self.choice.chance(0.04):
                slot.own = Ownership(
                    lambda c, e, last=extent - 1: ['%d - %s' % (last, c[0])], [extent]
                )
            else:
                slot.own = Ownership(lambda c, e, o=o: [_plus(c[0], o)], [extent - o])
            self.owned.append(slot)

    def _write(self, scope, slot):
        near = Near(self, scope, self.distance)
        suffix, scalar = self.choice.one(slot.element.members())
        near.assign(
            scope,
            slot.own_element(self.choice, scope) + suffix,
            scalar,
            self._loads(scope, near, 4, 0.8),
            0.06,
            0.04,
            0.22,
        )


class Exchange(NearKernel):
    """Some arrays lie the other way round: their last dimension runs along y."""

    axes = ('y', 'x')
    distance = 1
    narrows = 0.15

    def _make_geometry(self):
        made = geometry.make_plane(
            self.choice, self.section.w, self.section.h, self.choice.chance(0.8)
        )
        self.across = {}
        self.side = self.choice.weighted((50, 'store'), (35, 'loads'), (15, 'both'))
        return made

    def _fits(self, array):
        return (
            len(array.dims) >= 2
            and min(array.dims[-2:]) >= 4
            or len(array.dims) == 1
            and array.count >= self.section.w * self.section.h
            and self.choice.chance(0.6)
        )

    def _is_across(self, slot):
        """Its rows run along y."""
        if slot not in self.across:
            here = self.side == 'both' or (slot.use == OWN) == (self.side == 'store')
            self.across[slot] = here and (not any(self.across.values()) or self.choice.chance(0.6))
        return self.across[slot]

    def _axes_of(self, slot):
        return (
            ('x', 'y')
            if self._is_across(slot) and (len(slot.shape) > 1 or self.choice.chance(0.5))
            else ('y', 'x')
        )

    def _choose_ownership(self):
        choice = self.choice
        for slot in [s for s in self.slots if s.use == OWN]:
            across, shape = self._is_across(slot), slot.shape
            outer, inner = (1, 0) if across else (0, 1)
            if len(shape) == 1:
                pitch = max(4, min(self.section.h if across else self.section.w, shape[0]))
                text = self.fixed_scalar(pitch) if choice.chance(0.5) else str(pitch)
                limits = [0, 0]
                limits[outer], limits[inner] = shape[0] // pitch, pitch
                slot.own = Ownership(
                    lambda c, e, o=outer, i=inner, t=text: ['%s * %s + %s' % (c[o], t, c[i])],
                    limits,
                )
            else:
                lead = ['%d' % choice.number(0, extent - 1) for extent in shape[:-2]]
                limits = [0, 0]
                limits[outer], limits[inner] = shape[-2], shape[-1]
                slot.own = Ownership(
                    lambda c, e, o=outer, i=inner, lead=lead: lead + [c[o], c[i]], limits
                )
            self.owned.append(slot)

    def _write(self, scope, slot):
        near = Near(self, scope, self.distance)
        suffix, scalar = self.choice.one(slot.element.members())
        near.assign(
            scope,
            slot.own_element(self.choice, scope) + suffix,
            scalar,
            self._loads(scope, near, 3, 0.8),
            0.05,
            0.07,
        )


class Layers(NearKernel):
    """Stencils in a space; of short loops now and then."""

    axes = ('z', 'y', 'x')
    distance = 2
    narrows, marches = 0.75, 0.3
    inputs = ((50, 1), (40, 2), (10, 3))

    def _make_geometry(self):
        return geometry.make_space(self.choice, self.section.w, self.section.h, True)

    def _fits(self, array):
        return len(array.dims) == len(self.axes)

    def _choose_ownership(self):
        for slot in [s for s in self.slots if s.use == OWN]:
            slot.own = Ownership(lambda c, e: list(c), list(slot.shape))
            self.owned.append(slot)

    def _write(self, scope, slot):
        choice = self.choice
        suffix, scalar = choice.one(slot.element.members())
        target = slot.own_element(choice, scope) + suffix
        deep = [s for s in scope.reads if len(s.shape) == len(self.axes)]
        if deep and scalar.kind != 'small' and choice.chance(self.marches):
            return self._march(scope, choice.one(deep), target, scalar)
        near = Near(self, scope, self.distance)
        loads = self._loads(scope, near, 7, 0.45)
        if deep:
            one = choice.one(deep)
            loads += [
                l
                for l in near.loads([one], self._axes_of, choice.number(2, 5), 0.4)
                if l not in loads
            ]
        near.assign(scope, target, scalar, loads, 0.05, 0.08)
        return None

    def _march(self, scope, slot, target, scalar):
        """A sum over neighbours along one axis or two."""
        choice, total, radius = self.choice, self.fresh('s'), self.choice.number(1, self.distance)
        real, kind = scalar.kind == 'real', scalar.name if scalar.kind == 'real' else 'unsigned'
        scope.line('%s %s = 0;' % (kind, total))
        inner, texts, conditions, loops = scope, list(self.axes), [], 0
        for axis in sorted(
            choice.shuffled(range(len(self.axes)))[: choice.weighted((60, 1), (40, 2))]
        ):
            d = self.fresh('d')
            inner.line('for (int %s = %d; %s <= %d; %s++) {' % (d, -radius, d, radius, d))
            inner = Scope(self, inner)
            inner.vars.append(Var(d, -radius, radius, True, True))
            var = next(v for v in scope.vars if v.text == texts[axis])
            texts[axis] = '%s + %s' % (var.text, d)
            conditions += ['%s >= 0' % texts[axis]] * (var.low < radius) + [
                '%s < %d' % (texts[axis], slot.shape[axis])
            ] * (var.high + radius >= slot.shape[axis])
            loops += 1
        for axis in range(len(self.axes)):
            var = next(v for v in scope.vars if v.text == self.axes[axis])
            if texts[axis] == self.axes[axis] and var.high >= slot.shape[axis]:
                conditions.append('%s < %d' % (var.text, slot.shape[axis]))
        suffix, member = choice.one(slot.element.members())
        loaded = (slot.element_at(texts) + suffix, member)
        term = Near.real(loaded, kind)[0] if real else Near.unsigned(loaded)
        inner.line(
            ('if (%s) ' % ' && '.join(conditions) if conditions else '')
            + '%s += %s%s;' % (total, term, ' * 0.00000001f' if real else '')
        )
        for _ in range(loops):
            scope.lines.append('  ' * (inner.indent - 1) + '}')
            inner.indent -= 1
        scope.line('%s = %s%s;' % (target, '(int)' if scalar.kind == 'int' else '', total))


class Planes(Layers):
    """The same in a plane: rows that a thread's neighbours share."""

    axes = ('y', 'x')
    narrows, marches = 0.85, 0.6

    def _make_geometry(self):
        return geometry.make_plane(
            self.choice, self.section.w, self.section.h, self.choice.chance(0.9)
        )
