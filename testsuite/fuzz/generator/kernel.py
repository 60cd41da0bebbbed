# SPDX-License-Identifier: MIT
"""A kernel: which arrays, which threads write what, the guard, the body."""
from . import arch, chains, geometry, index, nested, ownership
from .barrier import Barriers
from .choice import Choice
from .declared import Declared, conditions
from .hiding import hidden
from .methods import Viewed
from .products import Products
from .scope import Local, Scope, Var
from .slots import ATOMIC, MIRROR, NAME, OWN, PARAM, READ, RECORD, Slot, make_slot
from .statements import Statements
from .types import INT, UNSIGNED
from .templates import Template
from .texts import Macroed
from .walks import Walks

ATOMICS = {
    'unsigned': ['atomicAdd', 'atomicMax', 'atomicMin', 'atomicOr', 'atomicXor', 'atomicAnd'],
    'int': ['atomicAdd', 'atomicMax', 'atomicMin', 'atomicXor', 'atomicSub'],
    'unsigned long long': ['atomicAdd', 'atomicMax', 'atomicMin', 'atomicOr'],
    'float': ['atomicAdd'],
    'double': ['atomicAdd'],
}


class ScalarParam:
    """An int argument whose value at each launch lies in [low, high], or a real one with its
    text."""

    def __init__(self, text, low, high, real=None):
        self.text, self.low, self.high, self.real = text, low, high, real


class Kernel:
    names_share = 0.35  # of arrays that are used by name
    records_share = 0.75  # of pointers in a structure
    restrict_share = 0.08  # of pointers
    beside_share = 0.45  # of kernels of global ids that read beside their place
    early_share = 0.55  # of guards that are an early return
    template_share = 0.25  # of kernels that are templates
    constant_share = 0  # of launches whose grid and block are constants; the others may be
    unknown_share = 0.2  # of grids otherwise that the translator knows no value of
    opaque_share = 0.25  # of scalar arguments that are calls
    offset_share = 0.4  # of pointers to objects with room that lead behind the start
    hidden_share = 0.1  # of those in a variable that the translator knows no value of
    ids_share = 0.12  # of kernels whose coordinates may have another type than int
    arch_share = 0.04  # of kernels with a statement that depends on the architecture
    window_share = 70  # of what is read beside: loops over a window
    table_share = 0.08  # of terms of products that take a table in constant memory
    total_share = 0.15  # of sums in an object that needs its first value
    filter_share = 90  # of what is read beside: filters with weights (to 88 of others)
    viewed_share = 0.4  # of kernels that reach elements, and ids, through methods
    declared_shares = ((55, 0), (35, 0.4), (10, 0.8))  # of conditions that declare something
    # of kernels of programs with typed expressions that have locals of global ids, with conversions
    chain_share = 0.3

    def __init__(self, program, section, name):
        self.program, self.section, self.name, self.choice = program, section, name, program.choice
        self.slots, self.scalars, self.owned = [], [], []
        self.dynamic_bytes = 0
        self.file_lines = []
        self.reserved = []  # arrays that no launch may pass
        self.families = []  # of typed expressions
        self.typed_share = (
            program.typed
        )  # of indexes and values where there may be a typed expression
        self._counts = {}
        self._template = None
        self._conditions = []
        self._choose_kind()
        self.sized = (
            self.choice.weighted((60, 0.3), (40, 0.95)) if self.is_product else 0.3
        )  # how often a bound is an argument
        self.only_writes = not self.is_product and self.choice.chance(0.3)
        self.bounds = self.choice.weighted((75, None), (25, self.choice.number(64, 256)))
        self.geometry = self._make_geometry()
        if self.choice.chance(self.ids_share):
            geometry.retype(self.choice, self.geometry)
        self._choose_slots()
        nested.nest(self)
        self._choose_ownership()
        self._choose_guard()
        self._body = self._make_body()

    # ---- what a family of kernels (profiles.py) has otherwise ----

    def _choose_kind(self):
        self.has_barriers = self.choice.chance(0.4)
        self.is_product = not self.has_barriers and self.choice.chance(0.35)
        self.is_sum = self.program.is_exact or (self.is_product and self.choice.chance(0.2))
        if self.is_sum:
            self.has_barriers, self.is_product = False, True

    def _make_geometry(self):
        section, make = (
            self.section,
            geometry.make_sums
            if self.is_sum
            else geometry.make_ids
            if self.is_product
            else geometry.make,
        )
        return make(
            self.choice,
            section.n,
            section.w,
            section.h,
            self.has_barriers or self.choice.chance(0.8),
        )

    def _ids_body(self, scope, statements):
        """Of a kernel that uses global ids only, behind the guard."""
        Products(statements).body(scope)
        self._atomics(scope, statements)

    # ---- names and parameters ----

    def fresh(self, stem):
        self._counts[stem] = self._counts.get(stem, -1) + 1
        return stem + (
            str(self._counts[stem]) if self._counts[stem] or stem not in ('k', 's', 'v') else ''
        )

    def fixed_scalar(self, value):
        for scalar in self.scalars:
            if scalar.low == scalar.high == value and self.choice.chance(0.7):
                return scalar.text
        self.scalars.append(ScalarParam('n%d' % len(self.scalars), value, value))
        return self.scalars[-1].text

    def bounded_scalar(self, low, high):
        self.scalars.append(ScalarParam('n%d' % len(self.scalars), low, high))
        return Var(self.scalars[-1].text, low, high, True)

    def real_scalar(self, value):
        self.scalars.append(ScalarParam('f%d' % len(self.scalars), 0, 0, value))
        return self.scalars[-1].text

    def coordinate_texts(self):
        return [c.text for c in self.geometry.coordinates]

    # ---- arrays ----

    def _choose_slots(self):
        choice, arrays = self.choice, self.section.arrays
        data = choice.shuffled([a for a in arrays if not a.is_table])
        if self.is_sum and not self.program.is_exact:
            data.sort(key=lambda a: a.element not in (INT, UNSIGNED))
        written = data[: 1 if self.is_sum else choice.weighted((60, 1), (30, 2), (10, 3))]
        rest = data[len(written) :]
        for array in written:
            self._add(array, OWN)
        counted = [a for a in rest if a.element in (INT, UNSIGNED)]
        if counted and choice.chance(0.1 if self.is_product else 0.35):
            self._add(counted[0], ATOMIC)
            rest.remove(counted[0])
        for array in rest[: choice.weighted((6, 0), (28, 1), (36, 2), (20, 3), (10, 4))]:
            self._add(array, READ)
            if choice.chance(0.08):
                self._add(array, READ)
        for array in arrays:
            if array.is_table and choice.chance(0.3):
                self._add(array, READ)

    def _add(self, array, use, whole=False):
        slot = make_slot(self.choice, self, array, use, len(self.slots), whole)
        if any(slot.text == other.text for other in self.slots):
            return None
        if use == ATOMIC:
            slot.atomic_name = self.choice.one(ATOMICS[slot.element.name])
        self.slots.append(slot)
        return slot

    def _choose_ownership(self):
        choice = self.choice
        maps = [s for s in self.slots if s.array.is_permutation]
        counts = [c.count for c in self.geometry.coordinates]
        for slot in [s for s in self.slots if s.use == OWN]:
            slot.own = ownership.choose(choice, slot.shape, counts, maps)
            self.owned.append(slot)
            if slot.by == PARAM and choice.chance(0.15):
                self._add_mirror(slot)

    def _add_mirror(self, slot):
        slot.is_restrict = False
        mirror = Slot(slot.array, 'p%d' % len(self.slots), MIRROR, PARAM)
        mirror.shape, mirror.is_flat, mirror.pitch, mirror.own = (
            slot.shape,
            slot.is_flat,
            slot.pitch,
            slot.own,
        )
        mirror.mirrored, mirror.is_const = slot, self.choice.chance(0.5)
        self.slots.append(mirror)

    # ---- the guard ----

    def _choose_guard(self):
        choice = self.choice
        for at, coordinate in enumerate(self.geometry.coordinates):
            limit = min(
                [slot.own.limits[at] for slot in self.owned] + [coordinate.count] + self._limits(at)
            )
            needed = limit < coordinate.count
            held = [s for s in self.slots if s.by == RECORD and limit // 2 < s.needed <= limit]
            if needed or choice.chance(0.7 if held else 0.2):
                high = max(1, limit - (0 if choice.chance(0.8) else choice.number(0, 3)))
                if held and choice.chance(0.7):  # a number beside the pointer
                    slot = choice.one(held)
                    text, high = slot.text[:-1] + 'n', slot.needed
                elif choice.chance(self.sized):
                    text = self.bounded_scalar(max(1, high - 9), high).text
                else:
                    text = self.section.macros.text(high)
                self._conditions.append(
                    ('%s < %s' % (coordinate.text, text), coordinate.text, 0, high - 1)
                )
            if not coordinate.raw and coordinate.count > 4 and choice.chance(0.12):
                low = choice.number(1, 2)
                last = (
                    self._conditions[-1][3]
                    if self._conditions and self._conditions[-1][1] == coordinate.text
                    else limit - 1
                )
                if low < last:
                    self._conditions.append(
                        ('%s >= %d' % (coordinate.text, low), coordinate.text, low, last)
                    )

    def _limits(self, _):
        """More limits of a coordinate."""
        return [self.geometry.wanted] if self.is_sum else []

    def guard_conditions(self):
        """(text, coordinate, low, high) for each part of the guard."""
        return self._conditions

    def _enter(self, scope):
        """The guard as an early return or as an if; the scope behind it and what closes it."""
        choice = self.choice
        if not self._conditions:
            scope.owned = list(self.owned) + self._mirrors()
            return scope, None
        if choice.chance(self.early_share):
            if choice.chance(0.7):
                scope.line(
                    'if (%s) return;'
                    % ' || '.join(_negated(text) for text, _, _, _ in self._conditions)
                )
            else:
                for text, _, _, _ in self._conditions:
                    scope.line('if (!(%s)) return;' % text)
            inner, end = scope, None
        else:
            scope.line('if (%s) {' % ' && '.join(text for text, _, _, _ in self._conditions))
            inner, end = Scope(self, scope), '}'
        for _, name, low, high in self._conditions:
            inner.narrowed(name, low, high)
        inner.owned = list(self.owned) + self._mirrors()
        return inner, end

    def _mirrors(self):
        return [s for s in self.slots if s.use == MIRROR]

    # ---- the body ----

    def _start(self):
        scope = Scope(self)
        coordinates = self.geometry.coordinates
        scope.vars = [
            Var(c.text, 0, c.count - 1, c.uniform, raw=c.raw, ctype=c.ctype) for c in coordinates
        ]
        known = {v.text for v in scope.vars}
        if not self.is_product:
            scope.vars += [v for v in self.geometry.index_vars() if v.text not in known]
        scope.vars += [v for s in self.slots if s.record for v in s.record.numbers()]
        scope.reads = [s for s in self.slots if s.use == READ]
        for line in self.geometry.definitions:
            scope.line(line)
        if self.choice.chance(self.chain_share * min(1, 4 * self.typed_share)):
            chains.declare(self, scope)
        if self.choice.chance(0.25):
            scope.vars.append(self.bounded_scalar(0, 3))
        if self.choice.chance(0.3):
            self.scalars.append(
                ScalarParam(
                    'f%d' % len(self.scalars),
                    0,
                    0,
                    self.choice.one(['0.5f', '1.5f', '-2.0f', '0.3f']),
                )
            )
            scope.locals.append(Local(self.scalars[-1].text, 'real', 2.0))
        return scope

    def _make_body(self):
        scope, statements = self._start(), Statements(self)
        if self.has_barriers:
            self._barrier_body(scope, statements)
        else:
            if not self.is_sum and self.choice.chance(0.15):
                statements.temporary(scope)
            inner, end = self._enter(scope)
            if self.is_product:
                self._ids_body(inner, statements)
            else:
                self._free_body(inner, statements)
            if end:
                inner.close(end)
        self._end(scope)
        return scope.lines

    def _end(self, scope):
        """What changes nothing that is looked at: a fence, a pointer parameter that is stepped."""
        if self.choice.chance(0.015):
            scope.line(self.choice.one(['__threadfence();', '__threadfence_block();']))
        for slot in [s for s in self.owned if s.by == PARAM]:
            if self.choice.chance(0.015):
                scope.line('%s++;' % slot.text)

    def _free_body(self, scope, statements):
        choice = self.choice
        for _ in range(choice.weighted((15, 0), (48, 1), (27, 2), (10, 3))):
            choice.weighted(
                (50, statements.accumulate),
                (20, statements.temporary),
                (6, statements.local_array),
                (14, statements.call_sum),
                (60 * self.typed_share, statements.typed_loads),
                (150 if statements.can_walk(scope) else 0, statements.walk),
                (48, Walks(statements).statement),
                (90, Declared(statements).statement),
            )(scope)
        for slot in self.owned:
            choice.weighted(
                (38, statements.store),
                (20, statements.store_all),
                (14, statements.conditional_store),
                (14, statements.bounded_store),
                (14, statements.loop_store),
                (200 * self.typed_share, statements.typed_stores),
            )(scope, slot)
            if not self.has_barriers and choice.chance(0.45):
                statements.leave(scope, slot)
            if choice.chance(0.25):
                choice.weighted(
                    (40, statements.store),
                    (30, statements.conditional_store),
                    (30, statements.loop_store),
                )(scope, slot)
        self._atomics(scope, statements)

    def _atomics(self, scope, statements):
        for slot in [s for s in self.slots if s.use == ATOMIC]:
            if self.choice.chance(0.5):
                statements.atomic(scope, slot)
            else:
                inner, end = statements.loop(scope, 6)
                statements.atomic(inner, slot)
                inner.close(end)

    def _barrier_body(self, scope, statements):
        choice, barriers = self.choice, Barriers(statements)
        exchanged = [s for s in self.owned if barriers.can_exchange(s)]
        for _ in range(choice.weighted((70, 1), (30, 2))):
            if exchanged and choice.chance(0.35):
                scope.owned = list(self.owned)
                barriers.exchange(scope, choice.one(exchanged))
                continue
            choice.weighted(
                (45, barriers.tile),
                (20, barriers.tree),
                (20, barriers.rounds),
                (15, barriers.counts),
            )(scope)
        inner, end = self._enter(scope)
        self._free_body(inner, statements)
        if end:
            inner.close(end)

    # ---- text ----

    def records(self):
        return sorted({s.element.name for s in self.slots if s.by == RECORD})

    def _text(self):
        params = []
        for slot in self.slots:
            if slot.by == PARAM:
                params.append(slot.parameter())
            elif slot.by == RECORD and slot is slot.record.slots[0]:
                params.append('%s %s' % (slot.record.type(), slot.record.name))
        for scalar in self.scalars:
            params.append('%s %s' % ('float' if scalar.real else 'int', scalar.text))
        bounds = '__launch_bounds__(256) ' if self.bounds else ''
        head = '__global__ %svoid %s(%s)' % (bounds, self.name, ', '.join(params))
        return head, ['{'] + self._body + ['}']

    @property
    def template(self):
        """Its text and how launches name it."""
        if not self._template:
            seed = (
                self.program.seed * 1000
                + int(self.name.split('_')[0][1:]) * 10
                + int(self.name.split('_')[1])
            )
            self.choice_of_text = Choice(seed)
            head, body = self._text()
            body = Viewed(seed + 7, self, body, self.viewed_share).body
            if self.choice_of_text.chance(0.3):
                body = hidden(seed, head, body, 0.5)
            body = conditions(seed + 8, body, self.choice_of_text.weighted(*self.declared_shares))
            macroed = Macroed(seed, self.name, body, self.program.macroed)
            share = 0 if macroed.defines else self.template_share
            self._template = Template(seed, self.name, head, macroed.body, share)
            lines = self._template.lines
            if self.choice_of_text.chance(0.015) and not macroed.defines:
                lines = [digraphs(line) for line in lines]
            if self.choice_of_text.chance(self.arch_share):
                lines = arch.conditional(self.choice_of_text, lines)
            self._template.lines = self.outside() + macroed.defines + lines
        return self._template

    def outside(self):
        """Lines of file scope in front of the kernel."""
        return self.file_lines

    def lines(self):
        return self.template.lines


def digraphs(line):
    for plain, other in (('{', '<%'), ('}', '%>'), ('[', '<: '), (']', ':>')):
        line = line.replace(plain, other)
    return line


def _negated(text):
    for operator, opposite in ((' < ', ' >= '), (' >= ', ' < ')):
        if operator in text:
            return text.replace(operator, opposite)
    raise ValueError(text)
