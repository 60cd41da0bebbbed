# SPDX-License-Identifier: MIT
"""Values of elements at the thread's place and beside it: what streams, transposes and stencils are
made of.

    axes    the coordinates that an array's dimensions are walked by, last one first: (i), (y, x),
            (x, y), (z, y, x)
"""
from . import index
from .values import LOADED, STORED, Values, scaled


class Near:
    def __init__(self, kernel, scope, most_distance=1, calls=5):
        self.kernel, self.scope, self.choice, self.most, self.calls = (
            kernel,
            scope,
            kernel.choice,
            most_distance,
            calls,
        )

    def _var(self, name):
        return next(v for v in self.scope.vars if v.text == name)

    def _at(self, name, extent, distance):
        """Within the array: at this distance, nearer, or wrapped where the coordinate leaves the
        array."""
        var = self._var(name)
        while distance and not (0 <= var.low + distance and var.high + distance < extent):
            distance -= 1 if distance > 0 else -1
        if 0 <= var.low + distance and var.high + distance < extent:
            return (
                name
                if not distance
                else '%s %s %d' % (name, '+' if distance > 0 else '-', abs(distance))
            )
        return (
            'min(%s, %d)' % (name, extent - 1)
            if self.choice.chance(0.7)
            else '%s %% %d' % (name, extent)
        )

    def place(self, slot, axes, still=0.5):
        """The element of a slot whose last dimensions run along the axes; those before are
        constants."""
        lead = [
            '%d' % self.choice.number(0, extent - 1)
            for extent in slot.shape[: len(slot.shape) - len(axes)]
        ]
        out = []
        for name, extent in zip(axes[-len(slot.shape) :], slot.shape[len(lead) :]):
            distance = 0 if self.choice.chance(still) else self.choice.number(-self.most, self.most)
            out.append(self._at(name, extent, distance))
        return slot.element_at(lead + out)

    def loads(self, slots, axes_of, count, still):
        """Some loads, no two the same."""
        out = {}
        for _ in range(count):
            slot = self.choice.one(slots)
            text, scalar = self.load(slot, axes_of(slot), still)
            out[text] = scalar
        return list(out.items())

    def load(self, slot, axes, still=0.5):
        """(text, scalar)"""
        suffix, scalar = self.choice.one(slot.element.members())
        return self.place(slot, axes, still) + suffix, scalar

    # ---- values ----

    @staticmethod
    def real(loaded, name):
        text, scalar = loaded
        return (text, LOADED) if scalar.kind == 'real' else ('(%s)(%s & 255)' % (name, text), 255.0)

    @staticmethod
    def unsigned(loaded):
        text, scalar = loaded
        return (
            text
            if scalar.kind == 'unsigned'
            else '(unsigned)(int)(%s)' % text
            if scalar.kind == 'real'
            else '(unsigned)%s' % text
        )

    def combined(self, loads, scalar, limit=STORED):
        """An expression of some loads, of the type of `scalar`."""
        if scalar.kind == 'real':
            return self._real(loads, scalar.name, limit)
        text = self._typed(loads) or self.unsigned(loads[0])
        for other in loads[1:]:
            text = '(%s %s %s)' % (
                text,
                self.choice.one(['+', '+', '^', '-', '*', '|']),
                self.unsigned(other),
            )
        by = index.divisor(self.choice, self.scope) if self.choice.chance(0.07) else None
        if by:
            text = '%s %s %s' % (
                text if ' ' not in text else '(%s)' % text,
                self.choice.one(['/', '%']),
                by,
            )
        if self.choice.chance(0.3):
            text = '%s + %du' % (text, self.choice.number(1, 99))
        return text if scalar.kind == 'unsigned' else '(%s)(%s)' % (scalar.name, text)

    def _typed(self, loads):
        """Two expressions of the first load that differ in a type."""
        if loads[0][1].kind == 'real' or not self.choice.chance(0.5 * self.kernel.typed_share):
            return None
        family = Values(self.choice, self.scope).typed_load(loads[0])
        return '((unsigned)(%s) + (unsigned)(%s))' % (family.value()[0], family.value()[0])

    def _real(self, loads, name, limit):
        choice = self.choice
        text, bound = self.real(loads[0], name)
        for other in loads[1:]:
            right, size = self.real(other, name)
            how = choice.weighted((50, '+'), (25, '-'), (20, '*'), (self.calls, 'least'))
            if how == '*' and bound * size < 2.0**60:
                text, bound = '(%s) * %s' % (text, right), bound * size
            elif how == 'least':
                text, bound = '%s(%s, %s)' % (
                    self.kernel.program.device_least(name),
                    text,
                    right,
                ), max(bound, size)
            else:
                text, bound = '%s %s %s' % (text, '-' if how == '-' else '+', right), bound + size
        if choice.chance(0.25):
            text, bound = '(%s) * %s' % (text, '0.75f' if name == 'float' else '0.75'), bound
        return scaled(text, bound, limit, name)

    def condition(self, loaded=None):
        """On a value, or on a coordinate."""
        choice = self.choice
        if loaded and choice.chance(0.6):
            text, scalar = loaded
            return (
                '%s > %s' % (text, choice.one(['0', '1', '20']))
                if scalar.kind == 'real'
                else '(%s & %d) != 0' % (text, choice.one([1, 3, 6]))
            )
        var = choice.one([v for v in self.scope.vars if not v.raw and v.high > v.low])
        if choice.chance(0.4):
            return '%s %% %d != %d' % (var.text, choice.number(2, 5), choice.number(0, 1))
        return '%s %s %d' % (
            var.text,
            choice.one(['<', '>', '!=', '>=']),
            choice.number(var.low, var.high),
        )

    def _arms(self, target, scalar, loads):
        """if (...) target = ...; else target = ...; or a chain of such."""
        one = self.choice.one
        text = 'if (%s) %s = %s; else ' % (
            self.condition(loads[0]),
            target,
            self.combined(one([loads, loads[:1]]), scalar),
        )
        if self.choice.chance(0.25):
            return text + self._arms(target, scalar, loads)
        return text + '%s = %s;' % (target, self.combined(loads[:1], scalar))

    def assign(self, scope, target, scalar, loads, updates=0.15, conditions=0.12, arms=0.04):
        """target = ..., an update, or a store in both arms of an if; now and then conditional."""
        choice = self.choice
        if choice.chance(updates) and scalar.kind in ('real', 'unsigned'):
            operators = ['+=', '-='] if scalar.kind == 'real' else ['+=', '^=', '-=']
            text = '%s %s %s;' % (target, choice.one(operators), self.combined(loads, scalar, 1.0))
        elif choice.chance(arms):
            text = self._arms(target, scalar, loads)
        elif choice.chance(conditions):
            text = '%s = %s ? %s : %s;' % (
                target,
                self.condition(loads[0]),
                self.combined(loads, scalar),
                self.combined(loads[:1], scalar),
            )
        else:
            text = '%s = %s;' % (target, self.combined(loads, scalar))
        if choice.chance(conditions):
            scope.line('if (%s)' % self.condition(choice.one(loads)))
            text = '  ' + text
        scope.line(text)
