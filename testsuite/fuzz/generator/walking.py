# SPDX-License-Identifier: MIT
"""Kernels with pointers that walk, in locals, in shared memory and in device memory.

    const float *q = ga + i;  for (...) { s += *q; q += n0; }      a local one, or a reference to it
    __shared__ const float *at;  ... if (t == 0) at += 3;          stepped by one thread
    __device__ float *at0;  if (i == 0) { *at0 = v; at0++; }       goes on in the next launch
"""
from . import geometry
from .kernel import Kernel
from .scope import Local, Scope, Var
from .slots import NAME, OWN, PARAM, READ, Slot
from .values import LOADED, Values

STEPS = ('%s++;', '++%s;', '%s += 1;', '%s = %s + 1;', '%s = &%s[1];')


class Walking(Kernel):
    names_share, records_share = 0.3, 0.02

    def _choose_kind(self):
        self.has_barriers, self.is_product, self.is_sum = False, False, False
        self.how = self.choice.weighted((50, 'local'), (25, 'shared'), (25, 'device'))

    def _make_geometry(self):
        choice, section = self.choice, self.section
        if self.how == 'local' and choice.chance(0.5):
            return geometry.make_ids(choice, section.n, section.w, section.h, True)
        return geometry.make_line(choice, section.n, True)

    def _lines_of(self, least):
        """Arrays in a line, of elements that are no structures."""
        return [
            a
            for a in self.section.arrays
            if not a.is_table
            and len(a.dims) == 1
            and a.element.members()[0][0] == ''
            and a.count >= least
        ]

    def _choose_slots(self):
        choice = self.choice
        Kernel._choose_slots(self)
        taken = [s.array for s in self.slots]
        free = [a for a in choice.shuffled(self._lines_of(40)) if a not in taken]
        self.walked = self.line = None
        if free:
            by = PARAM if free[0].storage == 'raw' or choice.chance(0.6) else NAME
            self.line = Slot(
                free[0], 'l%d' % len(self.slots) if by == PARAM else free[0].name, READ, by
            )
            self.line.is_const = by == PARAM and choice.chance(0.5)
            self.slots.append(self.line)
        if self.how == 'device' and len(free) > 1 and free[1].storage == 'vs':
            self.walked = free[1]
            self.reserved = [free[1]]

    def _free_body(self, scope, statements):
        if self.line and self.how != 'device':
            getattr(self, '_' + self.how)(scope)
        if self.walked:
            self._device(scope)
        Kernel._free_body(self, scope, statements)

    # ---- a local pointer ----

    def _total(self, scope):
        scalar = self.line.element
        real = scalar.kind == 'real'
        name = self.fresh('s')
        scope.line('%s %s = 0;' % (scalar.name if real else 'unsigned', name))
        return name, real

    def _done(self, scope, name, real, count):
        scope.locals.append(
            Local(name, 'real', LOADED * count) if real else Local(name, 'unsigned')
        )

    def _element(self):
        const = 'const ' if self.line.is_const or self.choice.chance(0.5) else ''
        return const + self.line.element.name

    def _local(self, scope):
        choice, extent = self.choice, self.line.array.count
        starts = [v for v in scope.vars if not v.loop and 0 <= v.low < v.high < extent // 2]
        start = choice.one(starts) if starts else Var('0', 0, 0)
        trips = choice.number(2, 12)
        step = choice.weighted(
            (50, 1), (50, choice.number(2, max(2, (extent - 1 - start.high) // trips)))
        )
        trips = min(trips, (extent - 1 - start.high) // step)
        if trips < 1:
            return
        name, real = self._total(scope)
        q, k, text = self.fresh('q'), self.fresh('k'), self._element()
        begin = choice.one(['%s + %s', '&%s[%s]']) % (self.line.text, start.text)
        scope.line('%s *%s = %s;' % (text, q, begin))
        walker = q
        if choice.chance(0.25):
            walker = q + '_'
            scope.line('%s *&%s = %s;' % (text, walker, q))
        add = '%s += %%s;' % name if real else '%s = %s * 3 + (unsigned)%%s;' % (name, name)
        if step == 1 and choice.chance(0.4):
            scope.line(
                'for (int %s = 0; %s < %d; %s++) %s' % (k, k, trips, k, add % ('*%s++' % walker))
            )
        elif choice.chance(0.3):
            first = '%s + %s' % (self.line.text, start.text)
            end = '%s + %d' % (first, step * trips)
            scope.line(
                'for (; %s != %s; %s += %d) %s' % (walker, end, walker, step, add % ('*' + q))
            )
        else:
            scope.line('for (int %s = 0; %s < %d; %s++) {' % (k, k, trips, k))
            scope.line('  ' + add % choice.one(['*%s' % q, '%s[0]' % q]))
            scope.line('  %s += %d;' % (walker, step))
            scope.line('}')
        if choice.chance(0.3):
            scope.line(add % '%s[-1]' % q if not real else '%s += %s[-1];' % (name, q))
        self._done(scope, name, real, trips + 1)

    # ---- shared memory: no thread has ended here ----

    def _enter(self, scope):
        if self.how == 'shared' and self.line:
            self._shared_walk(scope)
        return Kernel._enter(self, scope)

    def _shared(self, scope):
        """What walks did so in front of the guard."""

    def _shared_walk(self, scope):
        choice, at = self.choice, self.fresh('at')
        block = self.geometry.shapes[0][1][0]
        room = self.line.array.count - block
        if room < 1:
            return
        rounds = choice.number(1, 3)
        step = choice.number(1, max(1, room // (rounds + 1)))
        first = choice.number(0, max(0, room - step * rounds))
        if first + step * rounds > room:
            return
        name, real = self._total(scope)
        scope.line('__shared__ %s *%s;' % (self._element(), at))
        scope.line('if (threadIdx.x == 0) %s = %s + %d;' % (at, self.line.text, first))
        scope.line('__syncthreads();')
        k = self.fresh('k')
        scope.line('for (int %s = 0; %s < %d; %s++) {' % (k, k, rounds, k))
        load = choice.one(['%s[threadIdx.x]', '*(%s + threadIdx.x)']) % at
        scope.line('  %s += %s%s;' % (name, '' if real else '(unsigned)', load))
        scope.line('  __syncthreads();')
        moved = choice.one(STEPS).replace('%s', at) if step == 1 else '%s += %d;' % (at, step)
        scope.line('  if (threadIdx.x == %d) %s' % (choice.number(0, block - 1), moved))
        scope.line('  __syncthreads();')
        scope.line('}')
        self._done(scope, name, real, rounds)

    # ---- device memory ----

    def _device(self, scope):
        """One thread stores at a pointer that the launch before has left."""
        choice, array = self.choice, self.walked
        at, left = 'at_' + self.name, 'left_' + self.name
        most = choice.number(2, 6)
        scope.line('if (%s == 0) {' % self.geometry.coordinates[-1].text)
        inner = Scope(self, scope)
        inner.line(
            'if (%s == 0) { %s = %s; %s = %d; }' % (left, at, array.name, left, array.count // most)
        )
        k = self.fresh('k')
        inner.line('for (int %s = 0; %s < %d; %s++) {' % (k, k, most, k))
        body = Scope(self, inner)
        value = Values(choice, body).stored(array.element.members()[0][1], 1, 1.0)
        body.line('*%s = %s;' % (at, value))
        body.line(choice.one(STEPS).replace('%s', at))
        body.close()
        inner.line('%s--;' % left)
        inner.close()

    def outside(self):
        """Lines of file scope in front of the kernel."""
        if not self.walked:
            return self.file_lines
        return self.file_lines + [
            '__device__ %s *at_%s;' % (self.walked.element.name, self.name),
            '__device__ int left_%s;' % self.name,
        ]
