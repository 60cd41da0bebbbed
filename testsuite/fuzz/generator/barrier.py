# SPDX-License-Identifier: MIT
"""Kernels whose threads share memory inside a block. Every barrier stands where all threads of the
block pass: at the top level of the kernel or in a loop with a constant trip count; what is guarded
lies between them.

    tile       __shared__ filled, barrier, read at any place
    tree       __shared__ filled, halved with a barrier in each round
    rounds     a loop that refills a tile
    counts     shared counters, atomicAdd, barrier
    exchange   an owned element of device memory, barrier, a neighbour's element, barrier
"""
from . import index
from .scope import Local, Scope, Var
from .types import FLOAT, INT, UNSIGNED
from .values import LOADED, Values, scaled


class SharedArray:
    """Like a slot for reading."""

    def __init__(self, text, element, shape):
        self.text, self.element, self.shape = text, element, shape

    def element_at(self, indices):
        return self.text + ''.join('[%s]' % i for i in indices)


class Barriers:
    def __init__(self, statements):
        self.statements, self.kernel, self.choice = statements, statements.kernel, statements.choice
        block = self.kernel.geometry.shapes[0][1]
        self.threads = block[0] * block[1] * block[2]
        self.rank = self._rank(block)

    @staticmethod
    def _rank(block):
        """The thread's number in its block."""
        if block[2] > 1:
            return '(threadIdx.z * %d + threadIdx.y) * %d + threadIdx.x' % (block[1], block[0])
        return 'threadIdx.y * %d + threadIdx.x' % block[0] if block[1] > 1 else 'threadIdx.x'

    def _sync(self, scope):
        scope.line(
            '%s();'
            % (
                self.kernel.program.devices.meeting()
                if self.choice.chance(0.06)
                else '__syncthreads'
            )
        )

    def _declare(self, scope, element, size, may_be_dynamic=True):
        kernel, name = self.kernel, self.kernel.fresh('sh')
        if may_be_dynamic and not kernel.dynamic_bytes and self.choice.chance(0.2):
            name = '%s_%s' % (name, kernel.name)
            scope.line('@DYNAMIC %s %s;' % (element.name, name))
            kernel.dynamic_bytes = size * element.size
        elif self.choice.chance(0.15):
            name = '%s_%s' % (name, kernel.name)
            text = '__shared__ %s %s[%d];' % (element.name, name, size)
            scope.line('@INSIDE ' + text)
            kernel.file_lines.append('@OUTSIDE ' + text)
        else:
            scope.line('__shared__ %s %s[%d];' % (element.name, name, size))
        return SharedArray(name, element, (size,))

    def _rank_var(self, scope):
        name = self.kernel.fresh('tid')
        scope.line('int %s = %s;' % (name, self.rank))
        scope.vars.append(Var(name, 0, self.threads - 1))
        return name

    def _guarded(self, scope):
        """A scope in which the coordinates are within their limits, and what closes it."""
        conditions = self.kernel.guard_conditions()
        if not conditions:
            return scope, None
        scope.line('if (%s) {' % ' && '.join(text for text, _, _, _ in conditions))
        inner = Scope(self.kernel, scope)
        inner.owned = list(self.kernel.owned)
        for _, name, low, high in conditions:
            inner.narrowed(name, low, high)
        return inner, '}'

    def _fill(self, scope, shared, target):
        """shared[target] = a value; within the guard, else 0."""
        name = shared.element.name
        if self.kernel.guard_conditions():
            scope.line('%s[%s] = 0;' % (shared.text, target))
        inner, end = self._guarded(scope)
        if not end:
            inner = Scope(self.kernel, scope)
            inner.indent = scope.indent
            inner.owned = list(self.kernel.owned)
        values = Values(self.choice, inner)
        if name == 'float':
            text, bound = values.real(2)
            text = scaled(text, bound, LOADED / 4096, 'float')
        else:
            text = values.unsigned(2) if name == 'unsigned' else '(int)(%s)' % values.unsigned(2)
        inner.line('%s[%s] = %s;' % (shared.text, target, text))
        if end:
            inner.close(end)

    def tile(self, scope):
        tid = self._rank_var(scope)
        size = self.threads + self.choice.one([0, 0, 1])
        shared = self._declare(scope, self.choice.one([FLOAT, FLOAT, UNSIGNED, INT]), size)
        self._fill(
            scope, shared, tid if self.choice.chance(0.6) else '%d - %s' % (self.threads - 1, tid)
        )
        if size > self.threads:
            scope.line('if (%s == 0) %s[%d] = 1;' % (tid, shared.text, self.threads))
        self._sync(scope)
        scope.shared.append(shared)

    def tree(self, scope):
        power = 1
        while power * 2 <= self.threads:
            power *= 2
        if power != self.threads or power < 2:
            return self.tile(scope)
        tid = self._rank_var(scope)
        shared = self._declare(scope, self.choice.one([FLOAT, UNSIGNED]), self.threads)
        self._fill(scope, shared, tid)
        self._sync(scope)
        step = self.kernel.fresh('d')
        scope.line(
            'for (int %s = %d; %s > 0; %s %s) {'
            % (step, power // 2, step, step, self.choice.one(['/= 2', '>>= 1']))
        )
        scope.line(
            '  if (%s < %s) %s[%s] += %s[%s + %s];'
            % (tid, step, shared.text, tid, shared.text, tid, step)
        )
        scope.line('  __syncthreads();')
        scope.line('}')
        scope.shared.append(shared)

    def rounds(self, scope):
        tid = self._rank_var(scope)
        shared = self._declare(scope, FLOAT, self.threads)
        total, k, trips = self.kernel.fresh('s'), self.kernel.fresh('k'), self.choice.number(2, 4)
        scope.line('float %s = 0;' % total)
        scope.line('for (int %s = 0; %s < %d; %s++) {' % (k, k, trips, k))
        inner = self.statements._inside(scope, Var(k, 0, trips - 1, True, True), trips)
        self._fill(inner, shared, tid)
        self._sync(inner)
        inner.shared.append(shared)
        text, bound = Values(self.choice, inner).real(2)
        inner.line('%s += %s;' % (total, scaled(text, bound, LOADED, 'float')))
        self._sync(inner)
        inner.close()
        scope.locals.append(Local(total, 'real', LOADED * trips))

    def counts(self, scope):
        tid = self._rank_var(scope)
        shared = self._declare(
            scope, self.choice.one([UNSIGNED, INT]), self.choice.number(4, 32), False
        )
        size = shared.shape[0]
        k = self.kernel.fresh('k')
        scope.line(
            'for (int %s = %s; %s < %d; %s += %d) %s[%s] = 0;'
            % (k, tid, k, size, k, self.threads, shared.text, k)
        )
        self._sync(scope)
        inner, end = self._guarded(scope)
        values = Values(self.choice, inner)
        loaded = values.load(('unsigned', 'int', 'small', 'wide'))
        place = (
            '%s %% %du'
            % (('(unsigned)%s' % loaded[0]) if loaded[1].kind != 'unsigned' else loaded[0], size)
            if loaded
            else index.make(self.choice, inner, size).text
        )
        inner.line('atomicAdd(&%s[%s], 1);' % (shared.text, place))
        if end:
            inner.close(end)
        self._sync(scope)
        scope.shared.append(shared)

    def exchange(self, scope, slot):
        """Elements of device memory that the threads of a block own, read by their neighbours
        between barriers."""
        geometry = self.kernel.geometry
        width = geometry.shapes[0][1][0]
        name, other = geometry.coordinates[-1].text, self.kernel.fresh('o')
        real = slot.element.members()[0][1]
        self.statements.store(scope, slot)
        self._sync(scope)
        scope.line(
            'int %s = (int)%s - (int)threadIdx.x + ((int)threadIdx.x + %d) %% %d;'
            % (other, name, self.choice.number(1, 3), width)
        )
        texts = [c.text for c in geometry.coordinates]
        texts[-1] = other
        value, suffix = self.kernel.fresh('v'), slot.element.members()[0][0]
        kind = real.name if real.kind == 'real' else 'unsigned'
        scope.line(
            '%s %s = %s;' % (kind, value, slot.element_at(slot.own.place(texts, '0')) + suffix)
        )
        self._sync(scope)
        scope.locals.append(
            Local(value, 'real', LOADED) if real.kind == 'real' else Local(value, 'unsigned')
        )

    def can_exchange(self, slot):
        """No guard, one block wide rows of neighbours."""
        return (
            not self.kernel.guard_conditions()
            and self.kernel.geometry.shapes[0][1][0] > 1
            and not slot.own.uses_map
        )
