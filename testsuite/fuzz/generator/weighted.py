# SPDX-License-Identifier: MIT
"""Filters with weights, of elements that neighbours share: weights as literals, as parameters, in
constant arrays; borders by if, by ?:, by clamping; products of selections, and behind loops.

    s0 += w_k0_0[0] * (x > 0 ? ga[y][x - 1] : 0.0f) + f1 * ga[y][min(x + 1, W - 1)];
    for (int a0 = -n0; a0 <= n0; a0++) if (x + a0 >= 0 && x + a0 < W) s0 += w_k0_0[a0 + 2] * ...;
"""
from . import index
from .scope import Scope, Var

REALS = ('0.1', '0.25', '0.3', '1 / 9.0', '0.0625', '-0.5', '2.0', '1.5', '-0.125', '0.7', '1.0')
EXACT = ('0.5', '0.25', '2.0', '-0.5', '1.0')
BORDERS = ('if', 'each', 'select', 'select', 'product', 'product', 'clamp', 'clamp')


class Weighted:
    def __init__(self, neighbours):
        self.near, self.kernel, self.choice = neighbours, neighbours.kernel, neighbours.choice

    def add(self, scope, total, scalar, site):
        self.scope, self.total, self.scalar = scope, total, scalar
        self.slot, (self.suffix, _) = site
        self.real, self.reach = scalar.kind == 'real', self.choice.number(1, 2)
        if not self._axes():
            return self.near._points(scope, total, scalar, site)
        self.border = self.choice.one(BORDERS)
        self.weights = self.choice.weighted((33, 'literal'), (34, 'parameter'), (33, 'constant'))
        if self.choice.chance(0.25):
            self._loop_before()
        if self.weights == 'constant' and self.choice.chance(0.5):
            return self._in_loop()
        return self._written_out()

    # ---- places ----

    def _axes(self):
        """For each dimension the coordinate it is walked by, or an index text; whether there is a
        coordinate."""
        self.axes, used = [], []
        for extent in reversed(self.slot.shape):
            fitting = [v for v in self.scope.vars
                       if not v.raw and not v.loop and 0 <= v.low < min(v.high, extent)
                       and v.text not in used]
            if fitting and len(used) < 2 and self.choice.chance(0.9):
                self.axes.insert(0, self.choice.one(fitting))
                used.append(self.axes[0].text)
            else:
                self.axes.insert(0, index.make(self.choice, self.scope, extent).text)
        return bool(used)

    def _place(self, offsets, least=None, most=None):
        """(element, conditions) at these offsets of the axes, numbers or names."""
        indices, conditions, offsets = [], [], list(offsets)
        for axis, extent in zip(self.axes, self.slot.shape):
            if isinstance(axis, str):
                indices.append(axis)
                continue
            by = offsets.pop(0) if offsets else 0
            low, high = (by, by) if isinstance(by, int) else (least, most)
            text = axis.text if by == 0 else '%s + %s' % (axis.text, by)
            if isinstance(by, int) and by < 0:
                text = '%s - %d' % (axis.text, -by)
            under, over = axis.low + low < 0, axis.high + high >= extent
            if self.border == 'clamp':
                text = self._clamped(text, extent, under, over)
            else:
                conditions += ['%s >= 0' % text] if under else []
                conditions += ['%s < %d' % (text, extent)] if over else []
            indices.append(text)
        return self.near._term(self.suffix, self.slot, indices, self.scalar), conditions

    def _clamped(self, text, extent, under, over):
        if self.choice.chance(0.5):
            text = 'max(%s, 0)' % text if under else text
            return 'min(%s, %d)' % (text, extent - 1) if over else text
        last = '%s >= %d ? %d : %s' % (text, extent, extent - 1, text) if over else text
        text = '%s < 0 ? 0 : %s' % (text, last) if under else last
        return '(%s)' % text if under or over else text

    # ---- weights ----

    def _number(self):
        if not self.real:
            return self.choice.one(['2', '3', '5', '7', '1'])
        text = self.choice.one(EXACT if self.kernel.program.is_exact else REALS)
        return text + ('f' if self.scalar.name == 'float' else '')

    def _constants(self, count):
        """A constant array."""
        name = 'w%d_%s' % (len(self.kernel.file_lines), self.kernel.name)
        kind = self.scalar.name if self.real else 'unsigned'
        self.kernel.file_lines.append('%s %s %s[%d] = {%s};' % (
            self.choice.one(['__constant__', '__constant__', 'static __device__ const',
                             '__constant__ const']),
            kind, name, count, ', '.join(self._number() for _ in range(count))))
        return name

    def _weight(self, at):
        if self.weights == 'constant':
            self.array = getattr(self, 'array', None) or self._constants(25)
            return '%s[%d]' % (self.array, at)
        if self.weights == 'parameter' and self.real:
            return self.kernel.real_scalar(self._number())
        if self.weights == 'parameter':
            return '(unsigned)' + self.kernel.bounded_scalar(1, 3).text
        return '(%s)' % self._number() if self.real else self._number() + 'u'

    # ---- sums ----

    def _term(self, at, offsets):
        """(term, conditions that it needs around it)"""
        value, conditions = self._place(offsets)
        weight, all_ = self._weight(at), ' && '.join(conditions)
        if conditions and self.border == 'select':
            value = '(%s ? %s : %s)' % (all_, value, '0' if self.choice.chance(0.7) else
                                        self._number())
            conditions = []
        elif self.real and self.choice.chance(0.2):
            value = '(%s > %s ? %s : %s)' % (value, '0.5', value, weight)
        product = ' * '.join(self.choice.shuffled([weight, value]))
        if conditions and self.border == 'product':
            product, conditions = '(%s ? %s : 0)' % (all_, product), []
        return product, conditions

    def _offsets(self):
        moved, r = sum(not isinstance(a, str) for a in self.axes), self.reach
        if moved == 1:
            return [(d,) for d in range(-r, r + 1)]
        if self.choice.chance(0.4):
            return [(y, x) for y in (-1, 0, 1) for x in (-1, 0, 1)]
        if self.choice.chance(0.5):
            return [(0, 0), (0, -1), (0, 1), (-1, 0), (1, 0)]
        return [(0, d) for d in range(-r, r + 1)]

    def _written_out(self):
        terms = [self._term(at, offsets) for at, offsets in enumerate(self._offsets())]
        needed = []
        for _, conditions in terms:
            needed += [c for c in conditions if c not in needed]
        if not needed and self.choice.chance(0.6):
            signs = [self.choice.one(['+', '+', '-']) for _ in terms]
            text = terms[0][0] + ''.join(' %s %s' % pair for pair in
                                         zip(signs[1:], [t for t, _ in terms[1:]]))
            self.scope.line('%s %s %s;' % (self.total, self.choice.one(['=', '+=', '+=']), text))
        elif self.border == 'if' and needed:
            self.scope.line('if (%s) {' % ' && '.join(needed))
            inner = Scope(self.kernel, self.scope)
            for term, _ in terms:
                inner.line('%s += %s;' % (self.total, term))
            inner.close()
        else:
            for term, conditions in terms:
                self.near._add(self.scope, self.total, term, conditions, self.scalar)

    def _in_loop(self):
        choice, r, inner, moved = self.choice, self.reach, self.scope, []
        weights = self._constants(25)
        for axis in self.axes:
            if isinstance(axis, str):
                continue
            name, bound = self.kernel.fresh('a'), str(r)
            if choice.chance(self.kernel.sized):
                bound = self.kernel.bounded_scalar(1, r).text
            if choice.chance(0.1):
                inner.line('#pragma unroll')
            inner.line('for (int %s = -%s; %s <= %s; %s++) {' % (name, bound, name, bound, name))
            inner = self.near.products.statements._inside(
                inner, Var(name, -r, r, True, True), 2 * r + 1)
            moved.append(name)
        value, conditions = self._place(moved, -r, r)
        at = moved[0] + ' + %d' % r
        if len(moved) > 1:
            at = '(%s) * %d + %s + %d' % (at, 2 * r + 1, moved[1], r)
        if conditions and self.border in ('select', 'product'):
            value, conditions = '(%s ? %s : 0)' % (' && '.join(conditions), value), []
        term = ' * '.join(choice.shuffled(['%s[%s]' % (weights, at), value]))
        self.near._add(inner, self.total, term, conditions, self.scalar)
        indent = inner.indent
        for depth in range(len(moved)):
            self.scope.lines.append('  ' * (indent - 1 - depth) + '}')

    def _loop_before(self):
        """A loop to a bound that is an argument: what comes behind it is a product too."""
        inner, k = self.near.products._loop(self.scope)
        load = self.near.products._load(
            inner, ('real',) if self.real else ('unsigned', 'int', 'wide'), k)
        if load:
            text = load[0] if self.real else '(unsigned)' + load[0]
            inner.line('%s += %s * %s;' % (self.total, text, self._number()))
        inner.close()
