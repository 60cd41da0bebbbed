# SPDX-License-Identifier: MIT
"""Kernels of global ids whose threads read beside their own place: stencils, filters, rows that
each iteration of a loop reads again.

    float s0 = 0;
    for (int a0 = -1; a0 <= 1; a0++)
      for (int a1 = -2; a1 <= 2; a1++)
        if (y + a0 >= 0 && y + a0 < H && x + a1 >= 0 && x + a1 < W)
          s0 += ga[y + a0][x + a1] * gf[a0 + 1];
    gc[y][x] = s0;
"""
from . import index
from .scope import Local, Scope, Var
from .values import LOADED
from .weighted import Weighted
from .windows import Windows

MOST_TERMS = 160


class Neighbours:
    def __init__(self, products):
        self.products, self.kernel, self.choice = products, products.kernel, products.choice

    def gather(self, scope, slot):
        """Into an owned element: from around the thread's place."""
        choice, products = self.choice, self.products
        suffix, scalar = choice.one(slot.element.members())
        sites = [
            (s, m)
            for s in products._readable(scope)
            for m in s.element.members()
            if m[1].kind != 'small' and (m[1].kind == 'real') == (scalar.kind == 'real')
        ]
        if scalar.kind == 'small' or not sites:
            return products._reduce(scope, slot)
        target = slot.own_element(choice, scope) + suffix
        total = products._local(scope, scalar)
        for _ in range(choice.weighted((80, 1), (20, 2))):
            choice.weighted(
                (40, self._filter),
                (30, self._points),
                (18, self._rows),
                (self.kernel.filter_share, Weighted(self).add),
                (self.kernel.window_share, Windows(self).add),
            )(
                scope, total, scalar, choice.one(sites)
            )
        real, bound = scalar.kind == 'real', LOADED * LOADED * MOST_TERMS * 2
        scope.locals.append(Local(total, 'real', bound) if real else Local(total, 'unsigned'))
        return products._store_local(scope, target, total, scalar, bound)

    # ---- places ----

    def _beside(self, scope, extent, offset, low, high):
        """(index text, conditions): a coordinate and an offset in low ... high; or anything."""
        coordinates = [
            v for v in scope.vars if not v.raw and not v.loop and v.high > v.low and v.low < extent
        ]
        if not coordinates:
            return index.make(self.choice, scope, extent).text, []
        v = self.choice.one(coordinates)
        text = (
            v.text
            if offset == '0'
            else '%s + %s' % (v.text, offset)
            if not offset.startswith('-')
            else '%s - %s' % (v.text, offset[1:])
        )
        extra = self.choice.chance(0.3)
        conditions = ['%s >= 0' % text] if v.low + low < 0 or extra else []
        if v.high + high >= extent or extra:
            conditions.append('%s < %d' % (text, extent))
        return text, conditions

    def _term(self, suffix, slot, indices, scalar):
        text = slot.element_at(indices) + suffix
        return text if scalar.kind == 'real' else '(unsigned)' + text

    def _add(self, scope, total, term, conditions, scalar):
        add = '%s %s %s;' % (
            total,
            self.choice.one(['+=', '+=', '-='] if scalar.kind == 'real' else ['+=', '^=', '-=']),
            term,
        )
        if conditions:
            scope.line('if (%s)' % ' && '.join(conditions))
            scope.line('  ' + add)
        else:
            scope.line(add)

    # ---- forms ----

    def _filter(self, scope, total, scalar, site):
        """Loops over offsets around the thread's place."""
        choice, (slot, (suffix, _)) = self.choice, site
        indices, conditions, inner, around = [], [], scope, []
        for extent in slot.shape:
            if len(around) == 2 or choice.chance(0.15):
                indices.append(index.make(choice, scope, extent).text)
                continue
            name, radius = self.kernel.fresh('a'), choice.number(1, 2)
            first = choice.weighted((70, -radius), (30, 0))
            inner.line('for (int %s = %d; %s <= %d; %s++) {' % (name, first, name, radius, name))
            var = Var(name, first, radius, True, True)
            inner = self.products.statements._inside(inner, var, radius - first + 1)
            around.append(var)
            text, needed = self._beside(scope, extent, name, first, radius)
            indices.append(text)
            conditions += needed
        term = self._term(suffix, slot, indices, scalar)
        if around and choice.chance(0.5):
            var = choice.one(around)
            weights = [
                s
                for s in self.products._readable(scope)
                if len(s.shape) == 1 and s.shape[0] > var.high - var.low
            ]
            kinds = [
                (s, m)
                for s in weights
                for m in s.element.members()
                if (m[1].kind == 'real') == (scalar.kind == 'real') and m[1].kind != 'small'
            ]
            if kinds:
                weight, (ending, _) = choice.one(kinds)
                term += ' * ' + self._term(
                    ending,
                    weight,
                    ['%s + %d' % (var.text, -var.low) if var.low else var.text],
                    scalar,
                )
        self._add(inner, total, term, conditions, scalar)
        for _ in around:
            inner.close()
            inner = (
                Scope(self.kernel, scope)
                if len(around) > 1 and inner.indent > scope.indent + 1
                else scope
            )

    def _points(self, scope, total, scalar, site):
        """A few neighbours, each under its condition or all under one."""
        choice, (slot, (suffix, _)) = self.choice, site
        terms, all_conditions, together = [], [], choice.chance(0.6)
        for _ in range(choice.number(2, 6)):
            indices, conditions, moved = [], [], False
            for extent in slot.shape:
                offset = 0 if moved and choice.chance(0.6) else choice.number(-1, 1)
                moved |= offset != 0
                text, needed = self._beside(scope, extent, str(offset), offset, offset)
                indices.append(text)
                conditions += needed
            terms.append((self._term(suffix, slot, indices, scalar), conditions))
            all_conditions += [c for c in conditions if c not in all_conditions]
        if together and all_conditions:
            inner = Scope(self.kernel, scope)
            scope.line('if (%s) {' % ' && '.join(all_conditions))
            for term, _ in terms:
                self._add(inner, total, term, [], scalar)
            inner.close()
        else:
            for term, conditions in terms:
                self._add(scope, total, term, conditions, scalar)

    def _rows(self, scope, total, scalar, site):
        """A short row that every iteration of a loop reads again."""
        choice, (slot, (suffix, _)) = self.choice, site
        inner, _ = self.products._loop(scope)
        name, trips = self.kernel.fresh('d'), min(choice.number(1, 5), slot.shape[-1])
        inner.line('for (int %s = 0; %s < %d; %s++) {' % (name, name, trips, name))
        row = self.products.statements._inside(inner, Var(name, 0, trips - 1, True, True), trips)
        indices = [self.products._position(scope, extent, None) for extent in slot.shape[:-1]]
        term = self._term(suffix, slot, indices + [name], scalar)
        self._add(row, total, '%s * 0.0625f' % term if scalar.kind == 'real' else term, [], scalar)
        row.close()
        inner.close()
