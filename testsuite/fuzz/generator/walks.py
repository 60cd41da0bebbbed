# SPDX-License-Identifier: MIT
"""Loops that a pointer counts, over a row or a stretch of an array.

    const float *p = &ga[y][2], *end = p + 7;
    while (p < end) s0 += *p++;
    for (p = row; p != row + m; ++p) ...        for (; q < end; q += 2, x += 3) ...
"""
from . import index
from .scope import Local, Var
from .values import LOADED


class Walks:
    def __init__(self, statements):
        self.kernel, self.choice, self.statements = (
            statements.kernel, statements.choice, statements,
        )

    def _slots(self, scope, least):
        return [
            s
            for s in scope.reads
            if not s.array.is_table
            and s.element.members()[0][0] == ''
            and s.shape[-1] >= least
            and (s.element.kind != 'real' or not self.kernel.program.is_exact)
        ]

    def _stretch(self, scope, slot, span):
        """The address of the first of `span` elements in a line."""
        first = index.make(self.choice, scope, slot.shape[-1] - span + 1).text
        if slot.is_flat:
            row = index.make(self.choice, scope, slot.shape[0]).text
            return '%s + (%s) * %s + (%s)' % (slot.text, row, slot.pitch, first)
        rows = [index.make(self.choice, scope, extent).text for extent in slot.shape[:-1]]
        if not rows:
            return self.choice.one(['%s + (%s)', '&%s[%s]']) % (slot.text, first)
        return self.choice.one(['&%s[%s]', '%s + (%s)']) % (slot.element_at(rows), first)

    def statement(self, scope):
        choice = self.choice
        slots = self._slots(scope, 4)
        if not slots:
            return self.statements.accumulate(scope)
        slot = choice.one(slots)
        step = choice.weighted((50, 1), (30, 2), (20, 3))
        most = max(1, min(24, slot.shape[-1] // step, 160 // scope.trips))
        trips = choice.number(1, most)
        low = trips
        if choice.chance(self.kernel.sized):
            low = max(1, trips - choice.number(0, 4))
        kind, real = slot.element.name, slot.element.kind == 'real'
        total, p = self.kernel.fresh('s'), self.kernel.fresh('p_')
        scope.line('%s %s = 0;' % (kind if real else 'unsigned', total))
        count = str(trips) if low == trips else self.kernel.bounded_scalar(low, trips).text
        start = self._stretch(scope, slot, trips * step)
        other = choice.one(slots) if choice.chance(0.95) else None
        other = other if other and other.shape[-1] >= trips else None
        scope.line('const %s *%s = %s;' % (kind, p, start))
        term = self._beside(scope, other, trips) if other else None
        self._loop(scope, total, p, count, step, term, real)
        bound = LOADED * LOADED * trips * 2
        scope.locals.append(Local(total, 'real', bound) if real else Local(total, 'unsigned'))
        return None

    def _beside(self, scope, other, trips):
        """A second pointer, of another step: (name, what is read, its step)"""
        q, by = self.kernel.fresh('q_'), min(other.shape[-1] // trips, self.choice.number(0, 4))
        scope.line('const %s *%s = %s;' % (
            other.element.name, q, self._stretch(scope, other, trips * max(1, by))))
        return q, other.element.kind == 'real', by

    def _loop(self, scope, total, p, count, step, term, real):
        choice, end = self.choice, self.kernel.fresh('e_')
        length = count if step == 1 else '%s * %d' % (count, step)
        value = '*%s' % p
        moves = ['%s += %d' % (p, step) if step > 1 else choice.one([p + '++', '++' + p])]
        if term:
            q, q_real, by = term
            cast = ('' if q_real else '(float)') if real else '(unsigned)' + '(int)' * q_real
            value = '%s * %s*%s' % (value, cast, q)
            if by:
                moves.append('%s += %d' % (q, by))
        if not real:
            value = '(unsigned)%s' % value
        add = '%s += %s;' % (total, value)
        how = choice.weighted(
            (35, 'while'), (40, 'for'), (0 if term else 15, 'once'), (15, 'count')
        )
        test = choice.one(['%s < %s', '%s != %s']) % (p, end)
        if how == 'count':  # the count goes down, the pointers up
            k = self.kernel.fresh('k')
            scope.line('int %s = %s;' % (k, count))
            scope.line('while (%s--) { %s %s; }' % (k, add, '; '.join(moves)))
            return
        scope.line('const auto %s = %s + %s;' % (end, p, length))
        if how == 'once' and step == 1 and not term:
            star = '(unsigned)*%s++' if not real else '*%s++'
            scope.line('while (%s) %s += %s;' % (test, total, star % p))
        elif how == 'for':
            scope.line('for (; %s; %s) %s' % (test, ', '.join(moves), add))
        else:
            scope.line('while (%s) {' % test)
            for line in [add] + [m + ';' for m in choice.shuffled(moves)]:
                scope.line('  ' + line)
            scope.line('}')
