# SPDX-License-Identifier: MIT
"""Kernels in a line of records of three numbers: read whole or by members, made anew, changed,
stored whole or a member alone.

    const pixel v0 = ga[i], &v1 = p1[i + 1];            float3 v0 = ga[i];
    p2[i] = (unsigned char)(v0.r * 3 + v1.b);           v0.y = v0.x * 0.5f; gb[i] = v0;
"""
from .near import Near
from .objects import make_arrays
from .profile import Profile
from .streams import Stream
from .types import FLOAT, SHORT, TRIPLES, UCHAR, INT
from .values import LOADED, STORED, scaled


def is_triple(element):
    return element in TRIPLES


class Triples(Stream):
    records_share, restrict_share, distance = 0.02, 0.5, 1
    declared_shares = ((100, 0),)

    def _make_geometry(self):
        made = Stream._make_geometry(self)
        self.copies = {}
        return made

    def _fits(self, array):
        return len(array.dims) == 1 and array.count >= self.section.n and (
            is_triple(array.element) or self.choice.chance(0.6))

    def _write(self, scope, slot):
        triples = [s for s in scope.reads if is_triple(s.element)]
        if not triples and not is_triple(slot.element):
            return Stream._write(self, scope, slot)
        taken = [self._copy(scope, s) for s in triples[: self.choice.number(1, 2)]]
        if is_triple(slot.element):
            return self._store(scope, slot, taken)
        suffix, scalar = self.choice.one(slot.element.members())
        target = slot.own_element(self.choice, scope) + suffix
        return scope.line('%s = %s;' % (target, self._value(taken, scalar)))

    def _copy(self, scope, slot):
        """(name of a copy or a reference, or the element's text; element)"""
        choice, near = self.choice, Near(self, scope, self.distance)
        place = near.place(slot, self._axes_of(slot), 0.8)
        how = choice.weighted((45, '%s %s = %s;'), (15, 'const %s %s = %s;'),
                              (20, 'const %s &%s = %s;'), (20, None))
        if not how:
            return place, slot.element
        name = self.fresh('v')
        scope.line(how % (slot.element.name, name, place))
        return name, slot.element

    def _value(self, taken, scalar):
        """Of the members of what was read, of the type of `scalar`."""
        choice = self.choice
        loads = [(name + suffix, member) for name, element in taken
                 for suffix, member in element.members()]
        loads = choice.shuffled(loads)[: choice.number(1, 4)]
        if scalar.kind != 'real':
            parts = ['%d * %s' % (choice.number(1, 99), Near.unsigned(loaded)) for loaded in loads]
            text = ' + '.join(parts)
            return '(%s)((%s) >> %d)' % (scalar.name, text, choice.number(0, 6))
        parts = [Near.real(loaded, scalar.name) for loaded in loads]
        factor = choice.one(['0.25', '0.5', '0.299', '1.0'])
        factor += 'f' if scalar.name == 'float' else ''
        text = ' + '.join('%s * %s' % (factor, part) for part, _ in parts)
        return scaled(text, LOADED * len(parts), STORED, scalar.name)

    def _store(self, scope, slot, taken):
        choice, element = self.choice, slot.element
        target = slot.own_element(choice, scope)
        own = [(target, element)]
        members = element.members()
        same = [name for name, other in taken if other is element]
        how = choice.weighted((25 if same else 0, 'copy'), (30, 'made'), (20, 'member'),
                              (15, 'members'), (25, 'changed'))
        values = [self._value(taken or own, scalar) for _, scalar in members]
        if how == 'copy':
            return scope.line('%s = %s;' % (target, choice.one(same)))
        if how == 'made':
            make = 'make_' + element.name if element.builtin else element.name
            text = '(%s)' if element.builtin else '{%s}'
            return scope.line('%s = %s%s;' % (target, make, text % ', '.join(values)))
        if how == 'changed':  # some members of a copy
            name = self.fresh('v')
            scope.line('%s %s = %s;' % (element.name, name, target))
            target = name
        chosen = choice.number(1, 2) if how == 'changed' else 3 if how == 'members' else 1
        for at in sorted(choice.shuffled(range(3))[:chosen]):
            if how == 'changed' and choice.chance(0.3):
                scope.line('if (%s %% 3) %s%s = %s;' % (
                    scope.vars[0].text, target, members[at][0], values[at]))
            else:
                scope.line('%s%s = %s;' % (target, members[at][0], values[at]))
        if how == 'changed':
            scope.line('%s = %s;' % (slot.own_element(choice, scope), target))
        return None


class TriplesProfile(Profile):
    name, weight = 'triples', 20
    family, share, exact = Triples, 0.92, 0

    def sizes(self, choice, program):
        return (
            choice.one([1100, 1500, 2048, 2500, 3000, 3333, 4096]),
            choice.one([16, 32, 33, 64]),
            choice.number(3, 24),
        )

    def arrays(self, choice, suffix, n, w, h):
        shapes = [(6, lambda: (n,)), (3, lambda: (n + choice.number(1, 16),)), (1, lambda: (w,))]
        one = choice.one(TRIPLES)
        scalar = one.members()[0][1]
        elements = [one] * 4 + [scalar] * 2 + [choice.one(TRIPLES),
                                               choice.one([FLOAT, UCHAR, SHORT, INT])]
        return make_arrays(choice, suffix, n, w, h, shapes, elements)

    def mappings(self, choice):
        return choice.weighted((5, ''), (45, 'untiled'), (50, 'always')), choice.weighted(
            (10, ''), (30, 'untiled'), (60, 'always')
        )
