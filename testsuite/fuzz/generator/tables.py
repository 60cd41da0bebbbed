# SPDX-License-Identifier: MIT
"""Kernels whose blocks read stretches of an array that only the launch knows.

    s += p[row * n0 + k] * q[k];             Boxes: rows whose length is an argument
    s += v[t[k] + threadIdx.x];              Gathers: an index through a table that the launch can
                                             look at
    s += v[b[j * F + f] + t[f * T + threadIdx.x] + o[k * F + f]];     Segments: a base that changes
        with a loop, or the block's own

The element types are those of the arrays; tables hold the bases (gbase), positions (gpos) and
offsets (goff).
"""
from . import geometry
from .kernel import Kernel
from .near import Near
from .scope import Local, Scope, Var
from .slots import OWN, READ
from .values import LOADED

MOST_WORK = 220


class Tables(Kernel):
    kinds = (60, 'segments'), (20, 'gather'), (20, 'box')
    names_share, records_share, restrict_share = 0.05, 0.01, 0.3
    constant_share, opaque_share, hidden_share = 0.9, 0.03, 2

    def _choose_kind(self):
        self.has_barriers, self.is_product, self.is_sum = False, False, False

    def _make_geometry(self):
        choice, section = self.choice, self.section
        self.kind = choice.weighted(*self.kinds)
        if self.kind == 'box' and choice.chance(0.6):
            return geometry.make_plane(choice, section.w, section.h, True)
        return geometry.make_line(
            choice, choice.one([64, 100, 128, 256, 300, 500]), choice.chance(0.85)
        )

    def _choose_slots(self):
        choice, arrays = self.choice, self.section.arrays
        data = choice.shuffled([a for a in arrays if not a.is_table])
        numbers = [
            a
            for a in data
            if a.element.members()[0][0] == '' and len(a.dims) == 1 and a.count >= self.section.n
        ]
        self._add(
            data[0] if not numbers or data[0] is not numbers[0] or len(numbers) > 1 else data[1],
            OWN,
        )
        owned = self.slots[0].array
        self.values = [
            self._add(a, READ, True)
            for a in [a for a in numbers if a is not owned][: choice.number(1, 2)]
        ]
        self.tables = {
            a.name[:4]: self._add(a, READ)
            for a in arrays
            if a.is_table and a.name[1:4] in ('bas', 'pos', 'off')
        }
        if choice.chance(0.3):
            for array in [a for a in data if a is not owned and a not in numbers[:3]][:1]:
                self._add(array, READ)

    def _free_body(self, scope, statements):
        choice = self.choice
        usable = [v for v in self.values if v and v.text]
        for _ in range(choice.weighted((90, 1), (10, 2))):
            if usable:
                getattr(self, '_' + self.kind)(scope, statements, choice.one(usable))
        if choice.chance(0.8):
            scope.reads = []
            scope.vars = [v for v in scope.vars if not v.raw] or scope.vars
        for slot in self.owned:
            if choice.chance(0.3):
                statements.leave(scope, slot)
            choice.weighted(
                (60, statements.store),
                (20, statements.conditional_store),
                (20, statements.store_all),
            )(scope, slot)

    # ---- forms ----

    def _count(self, low, high):
        """A number of iterations: an argument, or a constant."""
        value = self.choice.number(low, high)
        return (
            self.bounded_scalar(max(1, value - 2), value).text
            if self.choice.chance(0.75)
            else str(value)
        ), value

    def _open(self, scope, name, text, value):
        scope.line('for (int %s = 0; %s < %s; %s++) {' % (name, name, text, name))
        inner = Scope(self, scope)
        inner.vars.append(Var(name, 0, value - 1, True, True))
        inner.trips = scope.trips * value
        return inner

    def _total(self, scope, slot):
        real = slot.element.kind == 'real'
        name = self.fresh('s')
        scope.line(
            '%s %s = %s;'
            % (slot.element.name if real else 'unsigned', name, self.choice.one(['0', '0', '1']))
        )
        return name, real

    def _done(self, scope, name, real):
        scope.locals.append(
            Local(name, 'real', LOADED * MOST_WORK) if real else Local(name, 'unsigned')
        )

    def _add_to(self, scope, name, real, loaded):
        text = loaded[0] if real else Near.unsigned(loaded)
        if real:
            scope.line('%s += %s%s;' % (name, text, self.choice.one(['', ' * 0.5f', ' * 0.25f'])))
        else:
            scope.line(
                self.choice.one(
                    [
                        '%s = %s * 3 + %s;' % (name, name, text),
                        '%s += %s;' % (name, text),
                        '%s ^= %s;' % (name, text),
                    ]
                )
            )

    def _segments(self, scope, statements, values):
        """A base out of a table, a position of the thread, an offset of the iteration."""
        choice, tables = self.choice, self.tables
        base, position, offset = tables.get('gbas'), tables.get('gpos'), tables.get('goff')
        if not base:
            return self._box(scope, statements, values)
        block = self.geometry.shapes[0][1][0]
        name, real = self._total(scope, values)
        loops, inner, k = [], scope, None
        segments = choice.weighted((45, 1), (20, 2), (20, 3), (10, 4), (5, 5))
        segment_text = (
            self.fixed_scalar(segments) if segments > 1 and choice.chance(0.7) else str(segments)
        )
        in_loop = choice.chance(0.75)
        if in_loop:
            page = self.fresh('j')
            text, pages = self._count(2, max(2, min(8, base.shape[0] // segments)))
            inner = self._open(inner, page, text, pages)
            loops.append(inner)
            head = page
        else:
            head = 'blockIdx.x'
        if in_loop or choice.chance(0.7):
            k = self.fresh('k')
            text, rounds = self._count(2, 9)
            inner = self._open(
                inner, k, text, min(rounds, offset.shape[0] // segments) if offset else rounds
            )
            loops.append(inner)
        if segments > 1:
            f = self.fresh('f')
            inner = self._open(inner, f, segment_text, segments)
            loops.append(inner)
            first = '%s[%s * %s + %s]' % (base.text, head, segment_text, f)
        else:
            f, first = None, '%s[%s]' % (base.text, head)
        if not in_loop and (
            self.geometry.shapes[0][0][0] * segments > base.shape[0]
            or len(self.geometry.shapes) > 1
        ):
            first = (
                first.replace(head, '%s %% %d' % (head, max(1, base.shape[0] // segments)), 1)
                if segments == 1
                else first.replace(
                    head, '(%s %% %d)' % (head, max(1, base.shape[0] // segments)), 1
                )
            )
        parts = choice.shuffled(
            [first, self._position(position, f, segment_text, block)]
            + ([self._offset(offset, k, f, segment_text)] if k else [])
        )
        suffix, scalar = values.element.members()[0]
        place = ' + '.join(parts) + (' + %d' % choice.number(1, 4) if choice.chance(0.3) else '')
        self._add_to(inner, name, real, (values.element_at([place]), scalar))
        if choice.chance(0.15) and real is False:
            inner.line('%s += %su;' % (name, choice.number(1, 9)))
        for scope_ in reversed(loops):
            scope_.close()
        return self._done(scope, name, real)

    def _position(self, table, f, segment_text, block):
        choice = self.choice
        if not table or choice.chance(0.35):
            return choice.one(['threadIdx.x', '(int)threadIdx.x'])
        if f and choice.chance(0.6) and table.shape[0] >= 5 * block:
            return '%s[%s * %d + threadIdx.x]' % (table.text, f, block)
        return '%s[threadIdx.x]' % table.text

    def _offset(self, table, k, f, segment_text):
        choice = self.choice
        if not table or choice.chance(0.25):
            return choice.one([k, '%s * 2' % k])
        return (
            '%s[%s * %s + %s]' % (table.text, k, segment_text, f)
            if f
            else '%s[%s]' % (table.text, k)
        )

    def _gather(self, scope, statements, values):
        choice, tables = self.choice, [t for t in self.tables.values() if t]
        if not tables:
            return self._box(scope, statements, values)
        name, real = self._total(scope, values)
        table, k = choice.one(tables), self.fresh('k')
        text, trips = self._count(4, min(24, table.shape[0]))
        inner = self._open(scope, k, text, trips)
        i = next(v for v in scope.vars if v.text in ('i', 'x'))
        if i.high < table.shape[0] and choice.chance(0.2):
            at = choice.one(['%s[%s] + %s' % (table.text, i.text, k)])
        else:
            at = choice.one(['%s[%s] + threadIdx.x', '%s[(%s + threadIdx.x) %% 32]', '%s[%s]']) % (
                table.text,
                k,
            )
        self._add_to(inner, name, real, (values.element_at([at]), values.element))
        inner.close()
        return self._done(scope, name, real)

    def _box(self, scope, statements, values):
        """Rows of a line whose pitch and length are arguments."""
        choice, section = self.choice, self.section
        name, real = self._total(scope, values)
        pitch = max(1, min(section.w, values.shape[0] // 4))
        pitch_text, k = self.fixed_scalar(pitch), self.fresh('k')
        text, trips = self._count(min(4, pitch), min(pitch, 40))
        inner = self._open(scope, k, text, trips)
        rows = values.shape[0] // pitch
        fitting = [
            v for v in scope.vars if not v.loop and 0 <= v.low and v.high < rows and not v.raw
        ]
        across = [
            v for v in scope.vars if not v.loop and 0 <= v.low and v.high < pitch and not v.raw
        ]
        how = choice.weighted(
            (50 if fitting else 0, 'row'),
            (30 if across and trips <= rows else 0, 'column'),
            (20, 'ahead'),
        )
        if how == 'row':
            place = '%s * %s + %s' % (choice.one(fitting).text, pitch_text, k)
        elif how == 'column':
            place = '%s * %s + %s' % (k, pitch_text, choice.one(across).text)
        else:
            place = 'threadIdx.x + %s' % k
        self._add_to(inner, name, real, (values.element_at([place]), values.element))
        if choice.chance(0.4) and len(self.values) > 1 and self.values[1]:
            other = self.values[1]
            if (other.element.kind == 'real') == real:
                self._add_to(
                    inner,
                    name,
                    real,
                    (other.element_at([choice.one([k, 'threadIdx.x + %s' % k])]), other.element),
                )
        inner.close()
        return self._done(scope, name, real)


class Segments(Tables):
    kinds = ((1, 'segments'),)
