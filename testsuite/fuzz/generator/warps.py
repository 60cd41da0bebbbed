# SPDX-License-Identifier: MIT
"""Kernels whose warps work together after some of their threads have ended.

    if (threadIdx.x % 32 >= 16) return;                              half a warp goes on
    for (int d = 8; d > 0; d /= 2)                                   under the full mask: the others
      v += __shfl_down_sync(0xffffffff, v, d);                       have ended
    if (threadIdx.x % 16 == 0) atomicAdd(&gcount[y], v);             counters at the end

The lanes that remain, and those that a lane reads from, are parts of 8, 16 or 32 lanes that go on
as a whole.
"""
from . import geometry, index
from .counted import Counters
from .scope import Local, Scope
from .slots import ATOMIC
from .values import Values, scaled

BLOCKS = (
    (32, 1, 1),
    (64, 1, 1),
    (96, 1, 1),
    (128, 1, 1),
    (16, 16, 1),
    (16, 8, 1),
    (8, 8, 1),
    (32, 4, 1),
    (32, 2, 2),
)
FULL = ('0xffffffff', '0xffffffffu', '~0u', '-1')


class Warps(Counters):
    template_share, early_share = 0.1, 1

    def _choose_kind(self):
        self.is_product, self.is_sum, self.has_barriers = False, False, False
        self.loops = self.choice.chance(0.3)

    def _make_geometry(self):
        choice, section = self.choice, self.section
        block = choice.one(BLOCKS)
        threads = block[0] * block[1] * block[2]
        grid = max(1, min(section.n, 2048) // threads)
        rank = 'threadIdx.x'
        if block[1] > 1:
            rank = 'threadIdx.y * %d + threadIdx.x' % block[0]
        if block[2] > 1:
            rank = '(threadIdx.z * %d + threadIdx.y) * %d + threadIdx.x' % (block[1], block[0])
        lines = ['int t = %s;' % rank, 'int i = blockIdx.x * %d + t;' % threads]
        return geometry.Geometry(
            [((grid, 1, 1), block)], [geometry.Coordinate('i', grid * threads)], lines, True
        )

    def _limits(self, at):
        """Blocks end as a whole: the warps' work stands behind no limit of a coordinate."""
        return []

    def _choose_guard(self):
        """The stores that threads own stand behind the warps' work, each under its guard."""
        Counters._choose_guard(self)
        self._later, self._conditions = self._conditions, []

    # ---- the body ----

    def _free_body(self, scope, statements):
        choice = self.choice
        threads = self.geometry.shapes[0][1]
        scope.owned = []  # owned elements are used behind a guard alone
        self.threads = threads[0] * threads[1] * threads[2]
        self.part = choice.one([part for part in (8, 16, 16, 32, 32) if self.threads % part == 0])
        if choice.chance(0.4):
            statements.accumulate(scope)
        inner, ends = self._leave(scope)
        if not ends and choice.chance(0.15):
            inner.line('__syncthreads();')
        for _ in range(choice.number(1, 3)):
            choice.weighted((60, self._shuffled), (30, self._voted))(inner)
        self._count(inner)
        self._own_stores(inner, statements)
        for end in reversed(ends):
            inner.close(end)

    def _leave(self, scope):
        """Parts of warps end here, or stay out of a condition: (scope, ends)."""
        choice, ends = self.choice, []
        for _ in range(choice.weighted((15, 0), (65, 1), (20, 2))):
            text = self._parts()
            if choice.chance(0.8):
                scope.line('if (%s) return;' % text)
                continue
            scope.line('if (!(%s)) {' % text)
            scope = Scope(self, scope)
            ends.append('}')
        return scope, ends

    def _parts(self):
        """A condition that is the same in all lanes of a part."""
        choice, part = self.choice, self.part
        number = choice.one(
            ['t / %d' % part, '(t >> %d)' % (part.bit_length() - 1), 'i / %d' % part]
        )
        forms = [
            '%s %% %d %s %d'
            % (number, choice.number(2, 3), choice.one(['==', '!=']), choice.number(0, 1)),
            'blockIdx.x %% 3 == %d' % choice.number(0, 2),
            'i >= %d' % (part * choice.number(1, 40)),
        ]
        if self.threads > part:
            forms.append('t >= %d' % (part * choice.number(1, self.threads // part)))
        if part < 32:
            forms += ['t %% 32 %s %d' % (choice.one(['>=', '<']), part), 't & %d' % part]
        return choice.one(forms)

    def _mask(self):
        return self.choice.one(FULL)

    def _shuffled(self, scope):
        """Sums, greatest ones or exchanges over the lanes of a part."""
        choice, name, step, half = self.choice, self.fresh('v'), self.fresh('d'), self.part // 2
        kind = choice.one(['int', 'unsigned', 'unsigned', 'float', 'double', 'long long'])
        real = kind in ('float', 'double')
        if real:
            text, bound = Values(choice, scope).real(2, kind)
            scope.line('%s %s = %s;' % (kind, name, scaled(text, bound, 2.0**20, kind)))
        else:
            scope.line(
                '%s %s = %s & 4095;' % (kind, name, '(%s)' % Values(choice, scope).unsigned(2))
            )
        how = choice.weighted((40, 'down'), (35, 'xor'), (15, 'up'), (10, 'one'))
        width = choice.one([', %d' % self.part, '']) if how == 'xor' else ', %d' % self.part
        if self.part == 32 and choice.chance(0.7):
            width = ''
        if how == 'one':
            scope.line(
                '%s += __shfl_sync(%s, %s, %d%s);'
                % (name, self._mask(), name, choice.number(0, self.part - 1), width)
            )
        else:
            scope.line(
                'for (int %s = %d; %s > 0; %s %s)'
                % (step, half, step, step, choice.one(['/= 2', '>>= 1']))
            )
            other = '__shfl_%s_sync(%s, %s, %s%s)' % (how, self._mask(), name, step, width)
            if choice.chance(0.3):
                lane = self.program.devices.shuffle(how, kind, self._mask(), width)
                other = '%s(%s, %s)' % (lane, name, step)
            update = '%s += %s;' % (name, other)
            if kind == 'int' and choice.chance(0.3):
                update = '%s = max(%s, %s);' % (name, name, other)
            scope.line('  ' + update)
        scope.locals.append(
            Local(name, 'real', 2.0**20 * 32) if real else self._as_unsigned(scope, name, kind)
        )

    def _as_unsigned(self, scope, name, kind):
        if kind == 'unsigned':
            return Local(name, 'unsigned')
        number = self.fresh('u')
        scope.line('unsigned %s = (unsigned)%s;' % (number, name))
        return Local(number, 'unsigned')

    def _voted(self, scope):
        choice, name = self.choice, self.fresh('u')
        condition = Values(choice, scope).condition()
        vote = choice.one(
            [
                '__ballot_sync(%s, %s)',
                '(unsigned)__any_sync(%s, %s)',
                '(unsigned)__all_sync(%s, %s)',
                '(unsigned)__popc(__ballot_sync(%s, %s))',
            ]
        )
        scope.line('unsigned %s = %s;' % (name, vote % (self._mask(), condition)))
        if choice.chance(0.15):
            scope.line('__syncwarp(%s);' % self._mask())
        scope.locals.append(Local(name, 'unsigned'))

    def _count(self, scope):
        """The lane in front of a part adds what it has; or all of them do."""
        choice = self.choice
        for slot in [s for s in self.slots if s.use == ATOMIC]:
            inner, end = scope, None
            if choice.chance(0.75):
                scope.line(
                    'if (t %% %d == 0) {' % self.part
                    if choice.chance(0.7)
                    else 'if (!(t & %d)) {' % (self.part - 1)
                )
                inner, end = Scope(self, scope), '}'
            if choice.chance(0.2):
                inner.line('if (%s) return;' % Values(choice, inner).condition())
            self._some(inner, None, slot)
            if end:
                inner.close(end)

    def _some(self, scope, statements, slot):
        self._update(scope, slot)

    def _place(self, scope, extent):
        return (
            index.make(self.choice, scope, extent).text
            if self.choice.chance(0.6)
            else Counters._place(self, scope, extent)
        )

    def _own_stores(self, scope, statements):
        for slot in self.owned:
            self._conditions = self._later
            inner, end = self._enter(scope)
            statements.store(inner, slot)
            self._conditions = []
            if end:
                inner.close(end)
