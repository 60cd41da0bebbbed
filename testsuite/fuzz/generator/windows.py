# SPDX-License-Identifier: MIT
"""Loops over a window at the thread's own place: between ends that are cut off by max and min, by
?:, by &&, by locals, or guarded in the body, that a break or a continue leaves.

    for (int j0 = y - 2; j0 <= y + 2; j0++)
      for (int j1 = max(x - 1, 0); j1 < min(x + n0, W); j1++)
        if (j0 >= 0 && j0 < H) s0 = s0 * 3u + ga[j0][j1];
"""
from . import index
from .scope import Scope, Var

ENDS = ('guarded', 'guarded', 'clipped', 'clipped', 'chosen', 'chosen', 'anded', 'cut', 'left')
MOST_ITERATIONS = 49


class Axis:
    """A dimension that is walked: its loop, where it begins, how far it goes."""

    def __init__(self, var, extent, below, above, scale):
        self.var, self.extent, self.below, self.above, self.scale = (
            var, extent, below, above, scale
        )
        self.base = var.text if scale == 1 else '%s * %d' % (var.text, scale)
        self.first = self.base if not below else '%s - %d' % (self.base, below)
        self.under = var.low * scale - below < 0
        self.over = var.high * scale + above >= extent
        self.last = self.base if not above else '%s + %d' % (self.base, above)
        self.end = '%s + %d' % (self.base, above + 1)


class Windows:
    def __init__(self, neighbours):
        self.near, self.kernel, self.choice = neighbours, neighbours.kernel, neighbours.choice

    def add(self, scope, total, scalar, site):
        choice, (slot, (suffix, _)) = self.choice, site
        axes = self._axes(scope, slot)
        moved = [axis for axis in axes if isinstance(axis, Axis)]
        if not moved:
            return self.near._points(scope, total, scalar, site)
        inner, conditions, opened = scope, [], 0
        for axis in moved:
            inner, needed = self._open(inner, axis)
            conditions += needed
            opened += 1
        places = [a.name if isinstance(a, Axis) else a for a in axes]
        term = self.near._term(suffix, slot, places, scalar)
        if conditions and choice.chance(0.3) and len(conditions) > 1:
            inner.line('if (%s)' % conditions.pop(0))
            inner.indent += 1
        if conditions:
            inner.line('if (%s)' % ' && '.join(choice.shuffled(conditions)))
            inner.indent += 1
        inner.line(self._update(scope, total, term, scalar, choice.one(moved)))
        for depth in range(opened):
            scope.lines.append('  ' * (scope.indent + opened - 1 - depth) + '}')
        return None

    # ---- what is walked ----

    def _axes(self, scope, slot):
        """For each dimension an Axis, or the text of an index."""
        out, used, rest = [], [], MOST_ITERATIONS
        for extent in reversed(slot.shape):
            fitting = [v for v in scope.vars
                       if not v.raw and not v.loop and 0 <= v.low < v.high and v.low < extent
                       and v.text not in used]
            if self.choice.chance(0.9):  # rather a thread's place than a number of the launch
                fitting = [v for v in fitting if not v.uniform] or fitting
            if fitting and len(used) < 2 and self.choice.chance(0.92):
                axis = self._axis(self.choice.one(fitting), extent, 7 if rest > 7 else 3)
                used.append(axis.var.text)
                rest //= axis.below + axis.above + 1
                out.insert(0, axis)
            else:
                out.insert(0, index.make(self.choice, scope, extent).text)
        return out

    def _axis(self, var, extent, most):
        choice = self.choice
        reach = choice.number(1, most // 2)
        below, above = choice.weighted(
            (50, (reach, reach)), (20, (0, choice.number(1, most - 1))), (15, (reach, 0)),
            (15, (choice.number(0, most // 2), choice.number(0, most // 2))),
        )
        scale = choice.number(2, 3) if choice.chance(0.1) else 1
        return Axis(var, extent, below, max(above, 1 - below), scale)

    # ---- a loop ----

    def _extent(self, axis):
        """A number of the launch, or of the program."""
        held = [s for s in self.kernel.slots if s.record and s.needed == axis.extent]
        if held and self.choice.chance(0.6):
            return self.choice.one(held).text[:-1] + 'n'
        if self.choice.chance(0.5 * self.kernel.sized):
            return self.kernel.fixed_scalar(axis.extent)
        return self.kernel.section.macros.text(axis.extent)

    def _ends(self, axis):
        """How long the window is may be an argument."""
        choice = self.choice
        if choice.chance(0.25 * self.kernel.sized) and axis.above:
            by = self.kernel.bounded_scalar(1, axis.above).text
            axis.last, axis.end = '%s + %s' % (axis.base, by), '%s + %s + 1' % (axis.base, by)
            if axis.below == axis.above and choice.chance(0.6):
                axis.first = '%s - %s' % (axis.base, by)
        elif choice.chance(0.2 * self.kernel.sized):
            axis.end = '%s + %s' % (
                axis.base, self.kernel.bounded_scalar(1, axis.above + 1).text)
            axis.last = axis.end + ' - 1'

    def _open(self, scope, axis):
        """Opens the loop: (the scope in it, what the body has to ask)"""
        choice = self.choice
        axis.name, extent, how = self.kernel.fresh('j'), self._extent(axis), choice.one(ENDS)
        self._ends(axis)
        if axis.over or axis.under or choice.chance(0.3):
            low, high, needed, behind = getattr(self, '_' + how)(scope, axis, extent)
        else:
            low, high, needed, behind = axis.first, self._until(axis), [], []
        step = choice.weighted((84, '%s++'), (6, '++%s'), (7, '%s += 2'), (3, '%s += 3'))
        if choice.chance(0.06):
            scope.line('#pragma unroll')
        scope.line('for (int %s = %s; %s; %s) {' % (axis.name, low, high, step % axis.name))
        inner = Scope(self.kernel, scope)
        for line in behind:
            inner.line(line)
        inner.vars.append(Var(axis.name, max(0, axis.var.low * axis.scale - axis.below),
                              axis.extent - 1, False, True))
        inner.trips, inner.in_loop = scope.trips * (axis.below + axis.above + 1), True
        return inner, needed

    def _until(self, axis):
        end = self.choice.one([('<=', axis.last), ('<', axis.end)])
        return '%s %s %s' % ((axis.name,) + end)

    def _guarded(self, scope, axis, extent):
        needed = ['%s >= 0' % axis.name, '%s < %s' % (axis.name, extent)]
        return axis.first, self._until(axis), [
            text for text, asked in zip(needed, (axis.under, axis.over))
            if asked or self.choice.chance(0.4)
        ], []

    def _low(self, axis):
        """Cut off, where the window begins in front of the row."""
        if not axis.under and self.choice.chance(0.7):
            return axis.first
        return self.choice.one(['max(%s, 0)', 'max(0, %s)']) % axis.first

    def _clipped(self, scope, axis, extent):
        last = self.choice.one(['min(%s, %s - 1)', 'min(%s, -1 + %s)']) % (axis.last, extent)
        end = self.choice.one([('<=', last), ('<', 'min(%s, %s)' % (axis.end, extent)),
                               ('<', 'min(%s, %s)' % (extent, axis.end))])
        return self._low(axis), '%s %s %s' % ((axis.name,) + end), [], []

    def _chosen(self, scope, axis, extent):
        """Ends in locals, by ?:"""
        first, last, name = axis.first, axis.last, axis.name
        low = self.choice.one(['%s < 0 ? 0 : %s', '%s > 0 ? %s : 0', '%s >= 0 ? %s : 0'])
        high = self.choice.one([
            '{last} >= {e} ? {e} - 1 : {last}', '{last} <= {e} - 1 ? {last} : {e} - 1',
            '{last} > {e} - 1 ? {e} - 1 : {last}', '{last} < {e} ? {last} : {e} - 1',
        ]).format(last=last, e=extent)
        const = self.choice.one(['const int', 'int'])
        scope.line('%s %sa = %s, %sb = %s;' % (
            const, name, low % (first, first) if axis.under else first, name, high))
        return name + 'a', '%s <= %sb' % (name, name), [], []

    def _anded(self, scope, axis, extent):
        parts = [self._until(axis), '%s < %s' % (axis.name, extent)]
        return self._low(axis), ' && '.join(self.choice.shuffled(parts)), [], []

    def _cut(self, scope, axis, extent):
        """An end that an if cuts off."""
        name = axis.name
        scope.line('int %sb = %s;' % (name, axis.end))
        scope.line('if (%sb > %s) %sb = %s;' % (name, extent, name, extent))
        return self._low(axis), '%s < %sb' % (name, name), [], []

    def _left(self, scope, axis, extent):
        name = axis.name
        behind = ['if (%s < 0) continue;' % name] if axis.under else []
        behind.append('if (%s >= %s) %s;' % (name, extent, self.choice.one(['break', 'continue'])))
        return axis.first, self._until(axis), [], behind

    # ---- what is made of an element ----

    def _update(self, scope, total, term, scalar, axis):
        choice, real = self.choice, scalar.kind == 'real'
        if real and not self.kernel.program.is_exact and choice.chance(0.5):
            at = '%s - (%s) + %d' % (axis.name, axis.base, axis.below)
            term = ' * '.join(choice.shuffled([self._weight(at, axis, scalar), term]))
        elif not real and choice.chance(0.5):
            return '%s = %s * 3u + %s;' % (total, total, term)
        if choice.chance(0.12):
            return 'if (%s > %s) %s = %s;' % (term, total, total, term)
        return '%s %s %s;' % (total, choice.one(['+=', '+=', '-=']), term)

    def _weight(self, at, axis, scalar):
        """An element of a constant array, or a number."""
        if self.choice.chance(0.4):
            return '0.25f' if scalar.name == 'float' else '0.25'
        name, count = 't%d_%s' % (len(self.kernel.file_lines), self.kernel.name), (
            axis.below + axis.above + 1)
        numbers = ', '.join(self.choice.one(['0.5', '0.1', '2.0', '-0.25']) for _ in range(count))
        self.kernel.file_lines.append(
            '__constant__ %s %s[%d] = {%s};' % (scalar.name, name, count, numbers))
        return '%s[%s]' % (name, at)
