# SPDX-License-Identifier: MIT
"""Kernels that mostly count: atomic operations on few elements, at places that data or coordinates
give.

    if (i >= n) return;
    atomicAdd(&gc[(unsigned)ga[i] % 12], 1);
    for (int k = 0; k < 3; k++) atomicMax(&gm[0], p1[i + k] & 1023u);

Half of them use global ids only, so that blocks may take turns at the launch's elements; the others
keep their shape.
"""
from . import geometry, index
from .kernel import Kernel
from .scope import Scope
from .slots import ATOMIC, OWN, READ
from .values import Values

MOST_COUNTERS = 300
WHOLE = ('int', 'unsigned', 'unsigned long long')


class Counters(Kernel):
    records_share, early_share, restrict_share = 0.02, 0.85, 0.5

    def _choose_kind(self):
        self.is_product, self.is_sum = self.choice.chance(0.52), False
        self.has_barriers = not self.is_product and self.choice.chance(0.2)
        self.loops = self.choice.chance(0.5)

    def _make_geometry(self):
        choice, section = self.choice, self.section
        if self.is_product:
            return (
                geometry.make_line(choice, section.n, choice.chance(0.7))
                if choice.chance(0.75)
                else geometry.make_ids(choice, section.n, section.w, section.h, True)
            )
        return (
            geometry.make_line(choice, section.n, True)
            if choice.chance(0.4)
            else geometry.make(choice, section.n, section.w, section.h, True)
        )

    def _choose_slots(self):
        choice = self.choice
        data = choice.shuffled([a for a in self.section.arrays if not a.is_table])
        small = choice.shuffled(
            self.section.counters
            + [a for a in data if a.count <= MOST_COUNTERS and a.element.name in WHOLE]
        )
        counted = small[: choice.weighted((70, 1), (30, 2))]
        rest = [a for a in data if a not in counted and a.count > MOST_COUNTERS // 8]
        if rest and choice.chance(0.3 if counted else 1):
            apart = [
                a
                for a in rest
                if a.element.members()[0][1].kind == 'real' and a.element.members()[0][0] == ''
            ]
            array = apart[0] if apart and choice.chance(0.75) else rest[0]
            rest.remove(array)
            self._add(array, OWN)
        for array in counted:
            self._add(array, ATOMIC, choice.chance(0.7))
        for array in rest[: choice.weighted((60, 1), (30, 2), (10, 3))]:
            self._add(array, READ)
        for array in self.section.arrays:
            if array.is_table and choice.chance(0.15):
                self._add(array, READ)

    def _limits(self, at):
        count = self.geometry.coordinates[at].count
        return (
            [max(1, count - self.choice.number(1, 20))]
            if self.choice.chance(0.6 if self.is_product else 0.9) and (count > 40 or at)
            else []
        )

    def _ids_body(self, scope, statements):
        choice = self.choice
        for slot in choice.shuffled(self.owned):
            choice.one([statements.store, statements.store, statements.conditional_store])(
                scope, slot
            )
        self._atomics(scope, statements)

    def _atomics(self, scope, statements):
        choice = self.choice
        for slot in [s for s in self.slots if s.use == ATOMIC]:
            for _ in range(choice.weighted((55, 1), (30, 2), (15, 3))):
                if not self.is_product and choice.chance(0.35):
                    scope.line('if (%s) return;' % Values(choice, scope).condition())
                self._some(scope, statements, slot)

    def _some(self, scope, statements, slot):
        choice = self.choice
        how = choice.weighted((60, 'plain'), (25, 'if'), (110 if self.loops else 0, 'loop'))
        if how == 'loop':
            inner, end = statements.loop(scope, 6)
            if choice.chance(0.55):
                inner.line('if (%s) return;' % Values(choice, inner).condition())
            self._update(inner, slot)
            if choice.chance(0.2):
                self._update(inner, slot)
            inner.close(end)
        elif how == 'if':
            scope.line('if (%s) {' % Values(choice, scope).condition())
            inner = Scope(self, scope)
            self._update(inner, slot)
            if choice.chance(0.3):
                inner.close('} else {')
                self._update(inner, slot)
            if not self.is_product and choice.chance(0.35):
                inner.line('return;')
            inner.close()
        else:
            self._update(scope, slot)

    def _update(self, scope, slot):
        place = (
            slot.element_at([self._place(scope, extent) for extent in slot.shape])
            if not slot.is_flat
            else slot.element_at(
                [index.make(self.choice, scope, extent).text for extent in slot.shape]
            )
        )
        pointer = '&' + place
        if len(slot.shape) == 1 and not slot.is_flat and self.choice.chance(0.15):
            pointer = (
                slot.text
                if slot.shape[0] == 1
                else '%s + (%s)' % (slot.text, self._place(scope, slot.shape[0]))
            )
        scope.line('%s(%s, %s);' % (slot.atomic_name, pointer, self._operand(scope, slot)))

    def _place(self, scope, extent):
        choice = self.choice
        if extent == 1:
            return '0'
        loaded = (
            Values(choice, scope).load(('unsigned', 'int', 'small', 'wide', 'real'))
            if choice.chance(0.75)
            else None
        )
        if not loaded:
            return index.make(choice, scope, extent).text
        text, scalar = loaded
        text = (
            text
            if scalar.kind == 'unsigned'
            else '(unsigned)(int)(%s)' % text
            if scalar.kind == 'real'
            else '(unsigned)%s' % text
        )
        power = 1 << (extent.bit_length() - 1)
        how = choice.weighted((50, '%'), (30, '&'), (20, 'min'))
        if how == 'min':
            return 'min((int)(%s & 1023u), %d)' % (text, extent - 1)
        return '%s %% %du' % (text, extent) if how == '%' else '%s & %du' % (text, power - 1)

    def _operand(self, scope, slot):
        choice = self.choice
        if slot.element.kind == 'real':
            return (
                '(%s)(%s & 3)'
                % (slot.element.name, '(%s)' % Values(choice, scope)._unsigned_leaf())
                if choice.chance(0.6)
                else '1'
            )
        text = choice.weighted(
            (45, '1'),
            (45, '%s & 1023u' % Values(choice, scope)._unsigned_leaf()),
            (10, '%d' % choice.number(2, 99)),
        )
        return '(int)(%s)' % text if slot.element.kind == 'int' and not text.isdigit() else text
