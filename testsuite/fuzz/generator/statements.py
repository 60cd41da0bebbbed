# SPDX-License-Identifier: MIT
"""Statements of a kernel: stores to owned elements, loops, accumulations, conditions, atomics,
calls."""
from . import index, typed
from .scope import Local, Scope, Var
from .values import LOADED, Values, literal, scaled

MOST_TRIPS = 160


class Statements:
    def __init__(self, kernel):
        self.kernel, self.choice = kernel, kernel.choice

    # ---- names ----

    def fresh(self, stem):
        return self.kernel.fresh(stem)

    def values(self, scope):
        return Values(self.choice, scope)

    # ---- loops ----

    def loop(self, scope, most=32, extent=None):
        """Opens a loop; (inner scope, text that closes it). extent: run over exactly 0 .. extent -
        1."""
        choice, name = self.choice, self.fresh('k')
        if extent:
            scope.line(
                'for (int %s = 0; %s < %s; %s++) {'
                % (name, name, self.kernel.section.macros.text(extent), name)
            )
            return self._inside(scope, Var(name, 0, extent - 1, True, True), extent), '}'
        room = max(1, min(most, MOST_TRIPS // scope.trips))
        small = [v for v in scope.vars if not v.loop and 1 <= v.high <= room and not v.raw]
        kind = choice.weighted(
            (40, 'plain'),
            (12, 'symbolic'),
            (8, 'step'),
            (8, 'down'),
            (10 if small else 0, 'triangle'),
            (8, 'modulo'),
            (6, 'while'),
            (8, 'do'),
            (8 if self.kernel.section.w <= room else 0, 'row'),
        )
        if kind == 'row':
            return self.loop(scope, most, self.kernel.section.w)
        if kind == 'symbolic':
            bound = self.kernel.bounded_scalar(1, room)
            scope.line('for (int %s = 0; %s < %s; %s++) {' % (name, name, bound.text, name))
            return self._inside(scope, Var(name, 0, bound.high - 1, True, True), room), '}'
        if kind == 'step':
            step, trips = choice.number(2, 4), choice.number(1, max(1, room // 2))
            scope.line(
                'for (int %s = %d; %s < %d; %s += %d) {'
                % (name, step - 1, name, step * trips, name, step)
            )
            return (
                self._inside(scope, Var(name, step - 1, step * trips - 1, True, True), trips),
                '}',
            )
        if kind == 'down':
            trips = choice.number(1, room)
            scope.line('for (int %s = %d; %s >= 0; %s--) {' % (name, trips - 1, name, name))
            return self._inside(scope, Var(name, 0, trips - 1, True, True), trips), '}'
        if kind == 'triangle':
            var = choice.one(small)
            how = choice.one(['<', '<='])
            scope.line('for (int %s = 0; %s %s %s; %s++) {' % (name, name, how, var.text, name))
            return self._inside(scope, Var(name, 0, var.high, var.uniform, True), var.high + 1), '}'
        if kind == 'modulo' and scope.vars:
            form = index.linear(choice, [(1, choice.one([v for v in scope.vars]))], 0).signed()
            trips = choice.number(2, max(2, min(7, room)))
            scope.line(
                'for (int %s = 0; %s <= %s %% %d; %s++) {' % (name, name, form.inner(), trips, name)
            )
            return self._inside(scope, Var(name, 0, trips - 1, False, True), trips), '}'
        trips = choice.number(1, room)
        if kind == 'do':
            return self._do(scope, name, trips)
        if kind == 'while':
            scope.line('int %s = 0;' % name)
            scope.line('while (%s < %d) {' % (name, trips))
            return (
                self._inside(scope, Var(name, 0, trips - 1, True, True), trips),
                '  %s++; }' % name,
            )
        first = choice.weighted((80, 0), (20, choice.number(0, 5)))
        kind = 'unsigned' if choice.chance(0.12) else 'int'
        end = str(first + trips) + (
            choice.one(['u', 'u', 'LL', 'ull']) if choice.chance(self.kernel.typed_share) else ''
        )
        scope.line(
            'for (%s %s = %d; %s < %s; %s) {'
            % (kind, name, first, name, end, choice.one(['%s++', '++%s', '%s += 1']) % name)
        )
        return (
            self._inside(
                scope, Var(name, first, first + trips - 1, True, True, kind == 'unsigned'), trips
            ),
            '}',
        )

    def _do(self, scope, name, trips):
        """A loop whose first iteration is not asked for."""
        choice, bound = self.choice, str(trips)
        if choice.chance(self.kernel.sized):
            bound = self.kernel.bounded_scalar(max(1, trips - 3), trips).text
        down = choice.chance(0.3)
        scope.line('int %s = %s;' % (name, bound + ' - 1' if down else '0'))
        scope.line('do {')
        inner = self._inside(scope, Var(name, 0, trips - 1, True, True), trips)
        if down:
            return inner, choice.one(['} while (%s-- > 0);', '} while (--%s >= 0);']) % name
        test = choice.one(['} while (++{k} < {n});', '  {k}++; }} while ({k} < {n});'])
        return inner, test.replace('} while (++', '}} while (++').format(k=name, n=bound)

    def _inside(self, scope, var, trips):
        inner = Scope(self.kernel, scope)
        inner.vars.append(var)
        inner.trips = scope.trips * trips
        inner.in_loop = True
        return inner

    # ---- values ----

    def accumulate(self, scope):
        """A local that sums over one or two loops."""
        choice, name = self.choice, self.fresh('s')
        real = choice.chance(0.7)
        double = real and choice.chance(0.25)
        kind = 'double' if double else 'float' if real else 'unsigned'
        scope.line('%s %s = %s;' % (kind, name, '0' if choice.chance(0.7) else '1'))
        inner, end = self.loop(scope)
        loops = [(inner, end)]
        if choice.chance(0.3):
            loops.append(self.loop(inner, 8))
        body = loops[-1][0]
        values = self.values(body)
        if choice.chance(0.12):
            body.line(
                'if (%s) %s;'
                % (
                    values.condition(),
                    choice.one(['continue', 'break'])
                    if end == '}' and len(loops) == 1
                    else name + ' += 1',
                )
            )
        trips = body.trips // scope.trips
        if real:
            text, bound = values.real(choice.number(1, 3), kind)
            text = scaled(text, bound, 2.0**40, kind)
            body.line('%s %s %s;' % (name, choice.one(['+=', '+=', '-=']), text))
            local = Local(name, 'real', 1 + min(bound, 2.0**40) * trips)
        else:
            body.line(
                '%s %s %s;'
                % (name, choice.one(['+=', '^=', '-=', '+=']), values.unsigned(choice.number(1, 2)))
            )
            local = Local(name, 'unsigned')
        for inner, end in reversed(loops):
            inner.close(end)
        scope.locals.append(local)

    def typed_loads(self, scope):
        """A loop that reads one array at places that differ in a type alone."""
        pair = self.values(scope).typed_pair(('unsigned', 'int', 'small', 'wide', 'real'))
        if not pair:
            return self.accumulate(scope)
        first, second, scalar = pair
        real, name = scalar.kind == 'real', self.fresh('s')
        scope.line('%s %s = 0;' % (scalar.name if real else 'unsigned', name))
        inner, end = self.loop(scope, 12)
        k = inner.vars[-1].text
        if real:
            inner.line('%s += %s * 0.5f - %s;' % (name, first, second))
        else:
            inner.line(
                '%s = %s * 3 + (unsigned)%s * (unsigned)%s + (unsigned)%s;'
                % (name, name, first, k, second)
            )
        inner.close(end)
        return scope.locals.append(
            Local(name, 'real', LOADED * 32) if real else Local(name, 'unsigned')
        )

    def typed_stores(self, scope, slot):
        """A loop that updates elements of the thread at places that differ in a type alone."""
        family = typed.family(self.choice, scope) if slot.own.extra and slot.own.extra > 1 else None
        if not family:
            return self.loop_store(scope, slot)
        coordinates = self.kernel.coordinate_texts()
        suffix, scalar = self.choice.one(slot.element.members())
        targets = [
            slot.element_at(slot.own.place(coordinates, '(%s)' % family.place(slot.own.extra).text))
            + suffix
            for _ in range(2)
        ]
        inner, end = self.loop(scope, 12)
        for target in targets:
            inner.line(self._compound(self.values(inner), target, scalar))
        inner.close(end)
        return None

    def _long(self, scope):
        return [
            s
            for s in scope.reads
            if not s.array.is_table
            and len(s.shape) == 1
            and s.shape[0] > 4096
            and s.element.members()[0][1].kind == 'real'
        ]

    def can_walk(self, scope):
        return scope.trips == 1 and bool(self._long(scope))

    def walk(self, scope):
        """Each thread adds up elements all over a long array."""
        choice, slot, name, k = (
            self.choice,
            self.choice.one(self._long(scope)),
            self.fresh('s'),
            self.fresh('k'),
        )
        suffix, scalar = slot.element.members()[0]
        extent = slot.shape[0]
        scope.line('%s %s = 0;' % (scalar.name, name))
        if choice.chance(0.5):
            trips, width = extent // 64 + 1, 64
            scope.line(
                'for (int %s = threadIdx.x %% %d; %s < %d; %s += %d)'
                % (k, width, k, extent, k, width)
            )
            scope.line('  %s += %s%s * 0.25f;' % (name, slot.element_at([k]), suffix))
        else:
            trips = choice.number(24, 96)
            starts = [v for v in scope.vars if v.low >= 0 and v.high < extent // 2]
            start = choice.one(starts) if starts else Var('0', 0, 0)
            stride = (extent - 1 - start.high) // (trips - 1)
            scope.line('for (int %s = 0; %s < %d; %s++)' % (k, k, trips, k))
            place = '%s + %s * %d' % (start.text, k, stride)
            scope.line('  %s += %s%s * 0.25f;' % (name, slot.element_at([place]), suffix))
        scope.locals.append(Local(name, 'real', LOADED * trips))

    def temporary(self, scope):
        choice, values = self.choice, self.values(scope)
        if choice.chance(0.35):
            name = self.fresh('q')
            text, low, high = values.int_()
            if low >= 0 and high <= 4096:
                scope.line('int %s = %s;' % (name, text))
                scope.vars.append(Var(name, low, high))
                return
        name = self.fresh('v')
        if choice.chance(0.7):
            kind = choice.one(['float', 'float', 'double'])
            text, bound = values.real(2, kind)
            scope.line('%s %s = %s;' % (kind, name, scaled(text, bound, 2.0**40, kind)))
            scope.locals.append(Local(name, 'real', min(bound, 2.0**40)))
        else:
            scope.line('unsigned %s = %s;' % (name, values.unsigned(2)))
            scope.locals.append(Local(name, 'unsigned'))

    def local_array(self, scope):
        """A small array of the thread, filled and summed."""
        name, total, size = self.fresh('t'), self.fresh('s'), self.choice.number(2, 5)
        scope.line('float %s[%d];' % (name, size))
        k = self.fresh('k')
        scope.line('for (int %s = 0; %s < %d; %s++) {' % (k, k, size, k))
        inner = self._inside(scope, Var(k, 0, size - 1, True, True), size)
        text, bound = self.values(inner).real(2)
        inner.line('%s[%s] = %s;' % (name, k, scaled(text, bound, LOADED, 'float')))
        inner.close()
        scope.line('float %s = %s[0];' % (total, name))
        scope.line(
            'for (int %s = 1; %s < %d; %s++) %s += %s[%s] * 0.5f;' % (k, k, size, k, total, name, k)
        )
        scope.locals.append(Local(total, 'real', LOADED * size))

    # ---- stores ----

    def store(self, scope, slot):
        """One member of an owned element."""
        choice, values = self.choice, self.values(scope)
        suffix, scalar = choice.one(slot.element.members())
        target = slot.own_element(choice, scope) + suffix
        if scope.trips > 1 or choice.chance(0 if self.kernel.only_writes else 0.25):
            scope.line(self._compound(values, target, scalar))
        elif not self.kernel.only_writes and choice.chance(0.08) and scalar.kind == 'real':
            scope.line(
                '%s(&%s, %s);'
                % (
                    self.kernel.program.device_store(scalar.name),
                    target,
                    values.stored(scalar, 2, 1.0),
                )
            )
        else:
            scope.line('%s = %s;' % (target, values.stored(scalar, choice.number(1, 3))))

    def _compound(self, values, target, scalar):
        choice = self.choice
        if scalar.kind == 'real':
            if choice.chance(0.2):
                return '%s *= %s;' % (target, '0.5f' if scalar.name == 'float' else '0.5')
            return '%s %s %s;' % (
                target,
                choice.one(['+=', '+=', '-=']),
                values.stored(scalar, 2, 1.0),
            )
        if scalar.kind == 'unsigned':
            return choice.one(
                ['%s += %s;', '%s ^= %s;', '%s *= %s | 1u;', '%s -= %s;', '%s |= %s;']
            ) % (target, '(%s)' % values.unsigned(1))
        if scalar.kind == 'int':
            return self._int_compound(target, values)
        return choice.one(
            [
                '%s += %d;' % (target, choice.number(1, 9)),
                ('%s |= 1;' if scalar.name == 'bool' else '%s++;') % target,
                '%s ^= %d;' % (target, choice.number(1, 99)),
            ]
        )

    def _int_compound(self, target, values):
        operand = '(int)(%s)' % values.unsigned(1)
        return self.choice.one(
            [
                '%s ^= %s;' % (target, operand),
                '%s &= ~(%s | 1);' % (target, operand),
                '%s = (int)((unsigned)%s + %s);' % (target, target, values.unsigned(1)),
            ]
        )

    def store_all(self, scope, slot):
        """All elements of a thread, where it owns several."""
        if not slot.own.extra or slot.own.extra > max(2, MOST_TRIPS // scope.trips):
            return self.store(scope, slot)
        inner, end = self.loop(scope, extent=slot.own.extra)
        suffix, scalar = self.choice.one(slot.element.members())
        inner.line(
            '%s = %s;'
            % (
                slot.element_at(slot.own.place(self.kernel.coordinate_texts(), inner.vars[-1].text))
                + suffix,
                self.values(inner).stored(scalar, 2),
            )
        )
        inner.close(end)

    def conditional_store(self, scope, slot):
        scope.line('if (%s) {' % self.values(scope).condition())
        inner = Scope(self.kernel, scope)
        self.store(inner, slot)
        if self.choice.chance(0.35):
            inner.close('} else {')
            self.store(inner, slot)
        inner.close()

    def bounded_store(self, scope, slot):
        """if (i > 0 && i < n - 1) b[i] = ... a[i - 1] ... a[i + 1]"""
        vars_ = [v for v in scope.vars if v.high - v.low >= 4 and not v.loop and not v.raw]
        if not vars_:
            return self.store(scope, slot)
        var = self.choice.one(vars_)
        low, high = var.low + self.choice.number(0, 2), var.high - self.choice.number(0, 2)
        parts = [
            '%s >= %d' % (var.text, low)
            if self.choice.chance(0.5) or low == 0
            else '%s > %d' % (var.text, low - 1),
            '%s <= %d' % (var.text, high)
            if self.choice.chance(0.5)
            else '%s < %d' % (var.text, high + 1),
        ]
        scope.line('if (%s) {' % ' && '.join(self.choice.shuffled(parts)))
        inner = Scope(self.kernel, scope).narrowed(var.text, low, high)
        self.store(inner, slot)
        inner.close()

    def loop_store(self, scope, slot):
        """Stores inside a loop: a running sum in the array itself."""
        inner, end = self.loop(scope, 12)
        self.store(inner, slot)
        if self.choice.chance(0.3):
            self.store(inner, slot)
        inner.close(end)

    def leave(self, scope, slot):
        """A return in the middle of the kernel, behind a store in a condition, or out of a loop."""
        how = self.choice.weighted((15, 'plain'), (35, 'nested'), (50, 'loop'))
        if how == 'plain':
            scope.line('if (%s) return;' % self.values(scope).condition())
            return
        if how == 'nested':
            scope.line('if (%s) {' % self.values(scope).condition())
            inner = Scope(self.kernel, scope)
            self.store(inner, slot)
            inner.line('return;')
            inner.close()
            return
        inner, end = self.loop(scope, 6)
        inner.line('if (%s) return;' % self.values(inner).condition())
        inner.close(end)

    def atomic(self, scope, slot):
        choice, values = self.choice, self.values(scope)
        place = slot.element_at([index.make(choice, scope, extent).text for extent in slot.shape])
        operand = '%s & 1023u' % values._unsigned_leaf()
        if slot.element.kind == 'int':
            operand = '(int)(%s)' % operand
        name = slot.atomic_name
        scope.line('%s(&%s, %s);' % (name, place, operand))

    def call_sum(self, scope):
        """A device function that walks a row or a stretch of an array: sum_f(&a[i][0], 8)."""
        choice = self.choice
        slots = [
            s
            for s in scope.reads
            if not s.array.is_table and s.element.members()[0][0] == '' and s.shape[-1] >= 2
        ]
        if not slots:
            return self.accumulate(scope)
        slot, name = choice.one(slots), self.fresh('s')
        length = choice.number(1, min(slot.shape[-1], max(1, min(24, MOST_TRIPS // scope.trips))))
        indices = [index.make(choice, scope, extent).text for extent in slot.shape[:-1]]
        if slot.is_flat:
            start = '%s + (%s) * %s' % (slot.text, indices[0], slot.pitch)
        elif indices and choice.chance(0.5):
            start = slot.element_at(indices)
        else:
            first = index.make(choice, scope, slot.shape[-1] - length + 1).text
            whole = slot.element_at(indices + [first])
            start = (
                '&' + whole
                if choice.chance(0.6) or indices
                else '%s + %s' % (slot.text, first if first.isalnum() else '(%s)' % first)
            )
        scalar = slot.element
        kind = scalar.name if scalar.kind == 'real' else 'unsigned'
        scope.line(
            '%s %s = %s(%s, %d);'
            % (kind, name, self.kernel.program.device_sum(scalar.name, kind), start, length)
        )
        scope.locals.append(
            Local(name, 'real', LOADED * length * 2)
            if scalar.kind == 'real'
            else Local(name, 'unsigned')
        )
