# SPDX-License-Identifier: MIT
"""Products of matrices: each thread of a plane sums up products of a factor of its row and one of
its column.

    double s = 0;
    for (int k = 0; k < n0; k++)
      s += ga[y][k] * p1[k][x];            either one may lie the other way round; of one array
                                           twice; of several types
    gc[y][x] = s;                          or in memory: gc[y][x] += ...

Where the program is exact, reals are products of small whole numbers: at -O3 their sums are the
same in any order.
"""
from . import geometry
from .near import Near
from .ownership import Ownership
from .scope import Scope, Var
from .slots import OWN, PARAM, READ
from .streams import NearKernel
from .values import LOADED, scaled

MOST_TRIPS = 64
LIMITED = 0.92  # of extents that arguments give
SMALL = 15.0  # of whole numbers


class Matrix(NearKernel):
    ids_share = 0
    axes = ('y', 'x')
    distance, narrows, others_share = 1, 0.1, 0.02
    inputs = ((10, 1), (60, 2), (25, 3), (5, 4))

    def _make_geometry(self):
        return geometry.make_plane(
            self.choice, self.section.w, self.section.h, self.choice.chance(0.8)
        )

    def _fits(self, array):
        return len(array.dims) == 2 and array.element.members()[0][0] == ''

    def _limits(self, at):
        return []

    def _choose_slots(self):
        """Factors are mostly of one type, of that of the result or not."""
        choice = self.choice
        fitting = choice.shuffled(
            [a for a in self.section.arrays if not a.is_table and self._fits(a)]
        )
        results = [a for a in fitting if a.element.kind != 'small']
        if not results:
            return NearKernel._choose_slots(self)
        self._add(results[0], OWN, choice.chance(0.8))
        rest = [a for a in fitting if a is not results[0]]
        if choice.chance(0.75):
            rest.sort(key=lambda a: a.element is not results[0].element)
        for array in rest[: choice.weighted(*self.inputs)]:
            self._add(array, READ, choice.chance(0.8))
        return None

    def _choose_ownership(self):
        for slot in [s for s in self.slots if s.use == OWN]:
            extents = list(slot.shape)
            if len(extents) == 2:
                slot.own = Ownership(lambda c, e: [c[0], c[1]], extents)
            else:
                pitch = min(self.section.w, extents[0])
                slot.own = Ownership(
                    lambda c, e, p=pitch: ['%s * %d + %s' % (c[0], p, c[1])],
                    [extents[0] // pitch, pitch],
                )
            self.owned.append(slot)

    # ---- factors ----

    def _sites(self, scope, axis):
        """(slot, whether the coordinate is its first index, extent of the other) for factors along
        the axis."""
        high = next(v.high for v in scope.vars if v.text == axis)
        out = []
        for slot in [s for s in scope.reads if len(s.shape) == 2]:
            for first in (True, False):
                if slot.shape[not first] > high and 4 <= slot.shape[first]:
                    out.append((slot, first, min(slot.shape[first], MOST_TRIPS)))
        return out

    def _load(self, site, axis, k):
        slot, first, _ = site
        suffix, scalar = self.choice.one(slot.element.members())
        return slot.element_at([axis, k] if first else [k, axis]) + suffix, scalar

    def _factor(self, site, axis, k, kind):
        """(text, bound); more than a load now and then."""
        choice, loaded = self.choice, self._load(site, axis, k)
        if kind == 'unsigned':
            return Near.unsigned(loaded), 0
        if self.program.is_exact:
            return '(%s)((int)%s & 15)' % (kind, loaded[0]), SMALL
        text, bound = Near.real(loaded, kind)
        how = choice.weighted((75, ''), (12, 'times'), (8, 'plus'), (5, 'other'))
        if how == 'times':
            return '%s * %s' % ('0.75f' if kind == 'float' else '0.75', text), bound
        if how == 'plus':
            return '(%s + 1)' % text, bound + 1
        if how == 'other':
            other, size = Near.real(self._load(site, axis, k), kind)
            return '(%s - %s)' % (text, other), bound + size
        return text, bound

    # ---- statements ----

    def _loop(self, scope, first, last):
        """(inner scope, name of its iterator) over what both factors have."""
        choice, k = self.choice, self.fresh('k')
        most = min(first[2], last[2])
        bound = self.section.macros.text(most)
        if choice.chance(0.5):
            bound = self.bounded_scalar(max(1, most - choice.number(0, 7)), most).text
        elif choice.chance(0.2):
            bound = str(choice.number(max(1, most - 6), most))
        scope.line(
            'for (int %s = %d; %s < %s; %s++) {'
            % (k, choice.weighted((90, 0), (10, 1)), k, bound, k)
        )
        inner = Scope(self, scope)
        inner.vars.append(Var(k, 0, most - 1, True, True))
        return inner, k

    def _sum(self, scope, total, kind, limit):
        """A loop that adds products to `total`, each within the limit; False: nothing fits."""
        choice, rows, columns = self.choice, self._sites(scope, 'y'), self._sites(scope, 'x')
        if not rows or not columns:
            return False
        first, last = choice.one(rows), choice.one(columns)
        inner, k = self._loop(scope, first, last)
        if choice.chance(0.05):
            inner.line('if (%s %% 3 == %d) continue;' % (k, choice.number(0, 2)))
        for _ in range(choice.weighted((88, 1), (12, 2))):
            (a, one), (b, other) = self._factor(first, 'y', k, kind), self._factor(
                last, 'x', k, kind
            )
            a, b = choice.weighted((80, (a, b)), (20, (b, a)))
            text, bound = '%s * %s' % (a, b), one * other
            if not self.program.is_exact and kind != 'unsigned' and choice.chance(0.05):
                text, bound = '%s + %s' % (text, b), bound + LOADED
            if kind != 'unsigned' and bound > limit:
                text = scaled(text, bound, limit, kind)
            inner.line('%s %s %s;' % (total, choice.weighted((85, '+='), (15, '-=')), text))
        inner.close()
        return True

    def _write(self, scope, slot):
        choice = self.choice
        suffix, scalar = choice.one(slot.element.members())
        target, near = slot.own_element(choice, scope) + suffix, Near(self, scope, self.distance)
        if (
            scalar.kind == 'small'
            or (scope.reads and not (self._sites(scope, 'y') and self._sites(scope, 'x')))
            or not scope.reads
        ):
            near.assign(scope, target, scalar, self._loads(scope, near, 3, 0.8))
            return
        kind = scalar.name if scalar.kind == 'real' else 'unsigned'
        whole = self.program.is_exact and kind != 'unsigned'
        if choice.chance(0.3) and scalar.kind != 'int':
            if choice.chance(0.6) or whole:
                scope.line('%s = %s;' % (target, choice.one(['0', '1'])))
            self._sum(scope, target, kind, SMALL * SMALL if whole else 1.0)
            return
        total = self.fresh('s')
        scope.line('%s %s = %s;' % (kind, total, choice.one(['0', '0', '1'])))
        for _ in range(choice.weighted((85, 1), (15, 2))):
            self._sum(scope, total, kind, SMALL * SMALL if whole else 2.0**40)
        value = (
            '(int)%s' % total
            if scalar.kind == 'int'
            else total
            if kind == 'unsigned'
            else scaled(total, 2.0**15 if whole else 2.0**49, 128.0, kind)
        )
        scope.line(
            '%s %s %s;'
            % (target, '=' if scalar.kind != 'unsigned' else choice.one(['=', '+=']), value)
        )


class Pitched(Matrix):
    """Of matrices in lines, whose pitches, rows and columns only the launch knows: p[y * n0 + k], k
    < n0, y < n1."""

    names_share, records_share, restrict_share = 0.05, 0.01, 0.75
    opaque_share, hidden_share, constant_share = 0.03, 3, 0.2
    template_share, narrows, offset_share, unknown_share = 0.1, 0.04, 0.12, 0.5

    def _choose_kind(self):
        Matrix._choose_kind(self)
        self.constant_pitch = self.choice.chance(0.25)  # the sizes alone are arguments

    def _extent(self, value):
        """One argument for all that is as long, mostly."""
        known = [s.text for s in self.scalars if s.low == s.high == value]
        if known and self.choice.chance(0.95):
            return known[0]
        return (
            self.fixed_scalar(value)
            if self.choice.chance(LIMITED)
            else self.section.macros.text(value)
        )

    def _add(self, array, use, whole=False):
        slot = Matrix._add(self, array, use, True)
        if slot and slot.by == PARAM and len(slot.shape) == 2 and self.choice.chance(0.92):
            width = slot.shape[1]
            slot.is_flat, slot.pitch = True, self.section.macros.text(
                width
            ) if self.constant_pitch else self._extent(width)
        return slot

    def _choose_guard(self):
        choice = self.choice
        for at, coordinate in enumerate(self.geometry.coordinates):
            limit = min([slot.own.limits[at] for slot in self.owned] + [coordinate.count])
            if limit < coordinate.count or choice.chance(0.4):
                high = max(1, limit - choice.weighted((88, 0), (12, choice.number(1, 5))))
                self._conditions.append(
                    (
                        '%s < %s' % (coordinate.text, self._extent(high)),
                        coordinate.text,
                        0,
                        high - 1,
                    )
                )

    def _loop(self, scope, first, last):
        choice, k = self.choice, self.fresh('k')
        most = min(first[2], last[2])
        most = most - choice.weighted((85, 0), (15, choice.number(0, min(5, most - 1))))
        bound = (
            self.bounded_scalar(max(1, most - 7), most).text
            if choice.chance(0.08)
            else self._extent(most)
        )
        scope.line(
            'for (int %s = %d; %s < %s; %s++) {'
            % (k, choice.weighted((92, 0), (8, 1)), k, bound, k)
        )
        inner = Scope(self, scope)
        inner.vars.append(Var(k, 0, most - 1, True, True))
        return inner, k
