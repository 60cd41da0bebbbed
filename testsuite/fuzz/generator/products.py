# SPDX-License-Identifier: MIT
"""Kernels that use thread and block indices as global ids only, so that the translator may choose
their mapping to threads: products of rows and columns, walks of a row, reductions into an element
or a local. Where the program is exact, sums of reals are of small whole numbers: threads may share
them at -O3.

    if (y < H && x < W) {
      for (int k = 0; k < n0; k++) {
        gc[y][x] += ga[y][k] * p1[k][x];            memory: the element is updated in each iteration
        s0 += gf[k] * 0.5f;                         register: a local that is stored behind the loop
      }
    }
"""
from . import index
from .declared import Declared
from .neighbours import Neighbours
from .pairs import Pairs
from .scope import Local, Scope, Var
from .values import LOADED, Values, scaled
from .walks import Walks

MOST_TRIPS = 64
TERM = 2.0**20
INTEGERS = ('unsigned', 'int', 'small', 'wide')


class Products:
    def __init__(self, statements):
        self.statements, self.kernel, self.choice = statements, statements.kernel, statements.choice
        self.operators = None

    def body(self, scope):
        """All statements behind the guard."""
        beside, more = self.choice.chance(self.kernel.beside_share), None
        if self.choice.chance(0.4):
            more = self._another(scope)
        for slot in self.kernel.owned:
            if self.choice.chance(0.4 * self.kernel.typed_share):
                self._extremes(scope, slot)
                continue
            (Neighbours(self).gather if beside else self._reduce)(scope, slot)
            if scope.adjust:
                self._adjust(scope, slot)
            if more:
                self._use(scope, slot, more)

    def _another(self, scope):
        """A local of what other kernels do as well: pointers that walk, declared conditions."""
        known = len(scope.locals)
        if self.kernel.program.is_exact:
            Walks(self.statements).statement(scope)
        else:
            self.choice.one([Walks, Declared])(self.statements).statement(scope)
        return scope.locals[-1] if len(scope.locals) > known else None

    def _use(self, scope, slot, local):
        suffix, scalar = self.choice.one(slot.element.members())
        target = slot.own_element(self.choice, scope) + suffix
        if local.kind != 'real':
            value = '(%s)(%s & 31)' % (scalar.name, local.text)
        elif scalar.kind == 'real':
            value = scaled(local.text, local.bound, 1.0, scalar.name)
        else:
            value = '(%s)(%s > 1)' % (scalar.name, local.text)
        if scalar.kind in ('real', 'unsigned'):
            scope.line('%s += %s;' % (target, value))
        else:
            scope.line('%s = (%s)((unsigned)%s + (unsigned)%s);' % (
                target, scalar.name, target, value))

    def _adjust(self, scope, slot):
        """Lets an element depend on what is computed from the global ids."""
        suffix, scalar = self.choice.one(slot.element.members())
        target, value = slot.own_element(self.choice, scope) + suffix, '%s & 63' % scope.adjust
        if scalar.kind in ('real', 'unsigned'):
            scope.line('%s += (%s)(%s);' % (target, scalar.name, value))
        else:
            scope.line('%s = (%s)((unsigned)%s + (%s));' % (target, scalar.name, target, value))

    # ---- reading ----

    def _readable(self, scope):
        return [s for s in scope.reads if not s.array.is_table]

    def _position(self, scope, extent, k):
        """The index in one dimension: k, a coordinate, or what else fits."""
        fitting = [
            v
            for v in scope.vars
            if v is not k and v.low >= 0 and v.high < extent and v.high > v.low
        ]
        walks = k is not None and k.low >= 0 and k.high < extent
        how = self.choice.weighted(
            (50 if walks else 0, 'walk'), (40 if fitting else 0, 'coordinate'), (4, 'any')
        )
        if how == 'walk':
            if k.high + 2 < extent and self.choice.chance(0.12):
                return index.linear(self.choice, [(1, k)], self.choice.number(1, 2)).text
            return k.text
        return (
            self.choice.one(fitting).text
            if how == 'coordinate'
            else index.make(self.choice, scope, extent).text
        )

    def _load(self, scope, kinds, k):
        """(text, scalar), or None"""
        sites = [
            (s, m) for s in self._readable(scope) for m in s.element.members() if m[1].kind in kinds
        ]
        if not sites:
            return None
        slot, (suffix, scalar) = self.choice.one(sites)
        return (
            slot.element_at([self._position(scope, extent, k) for extent in slot.shape]) + suffix,
            scalar,
        )

    def _constant(self, k, kind, numbers):
        """An element of a table in constant memory, that all threads read in this iteration."""
        name = 't%d_%s' % (len(self.kernel.file_lines), self.kernel.name)
        count = k.high + 1
        self.kernel.file_lines.append('__constant__ %s %s[%d] = {%s};' % (
            kind, name, count, ', '.join(self.choice.one(numbers) for _ in range(count))))
        return '%s[%s]' % (name, k.text)

    def _real_term(self, scope, name, k):
        """(text, bound): a load, a product, a sum, a choice of two."""
        choice, parts = self.choice, []
        if k.low >= 0 and choice.chance(self.kernel.table_share):
            loaded = self._load(scope, ('real',), k)
            if loaded:
                table = self._constant(k, name, ('0.5', '0.1', '-0.25', '2'))
                return ' * '.join(choice.shuffled([table, loaded[0]])), 2 * LOADED
        pair = (
            Values(choice, scope).typed_pair(('real',))
            if choice.chance(0.6 * self.kernel.typed_share)
            else None
        )
        if pair:
            return '%s - %s' % pair[:2], 2 * LOADED
        for _ in range(choice.weighted((25, 1), (60, 2), (15, 3))):
            loaded = self._load(scope, ('real',), k)
            parts.append((loaded[0], LOADED) if loaded else Values(choice, scope).real(1, name))
        text, bound = parts[0]
        for other, size in parts[1:]:
            how = choice.weighted((60, '*'), (25, '+'), (15, '-'))
            text = '%s %s %s' % (
                text if how != '*' or ' ' not in text else '(%s)' % text,
                how,
                other if ' ' not in other else '(%s)' % other,
            )
            bound = bound * size if how == '*' else bound + size
        if len(parts) > 1 and choice.chance(0.1):
            text, bound = '(%s > %s ? %s : %s)' % (
                parts[0][0],
                parts[1][0],
                text,
                parts[1][0],
            ), max(bound, parts[1][1])
        return text, bound

    def _streamed(self, scope, k):
        """An element that the thread reads in this iteration and no other thread does: (text,
        scalar), or None."""
        choice, found = self.choice, []
        for slot in self._readable(scope):
            for at, extent in enumerate(slot.shape):
                if not 0 <= k.low <= k.high < extent:
                    continue
                for other, size in enumerate(slot.shape):
                    fitting = [
                        v
                        for v in scope.vars
                        if v is not k and not v.uniform and v.low >= 0 and v.low < v.high < size
                    ]
                    if other != at and fitting:
                        found.append((slot, at, other, choice.one(fitting)))
        if not found:
            return None
        slot, at, other, var = choice.one(found)
        indices = [
            k.text
            if d == at
            else var.text
            if d == other
            else index.make(choice, scope, extent).text
            for d, extent in enumerate(slot.shape)
        ]
        suffix, scalar = choice.one(slot.element.members())
        return slot.element_at(indices) + suffix, scalar

    def _whole(self, loaded):
        """As unsigned."""
        text, scalar = loaded
        if scalar.kind == 'unsigned':
            return text
        return '(unsigned)(int)(%s)' % text if scalar.kind == 'real' else '(unsigned)' + text

    def _sum_term(self, scope, k):
        """For loops that threads may share."""
        choice, streamed = self.choice, self._streamed(scope, k)
        if not streamed:
            return None
        text = self._whole(streamed)
        if choice.chance(0.5):
            loaded = self._load(scope, ('unsigned', 'int', 'small', 'wide'), k)
            other = self._whole(loaded) if loaded else k.text
            text = '%s %s %s' % (text, choice.one(['*', '+', '^']), other)
        return text

    def _typed_term(self, scope, k):
        """Of one loaded value two that differ in a type, each with a factor; None where nothing of
        an integer type is read."""
        choice, load = self.choice, self._load(scope, INTEGERS, k)
        pair = Values(choice, scope).typed_pair(INTEGERS) if choice.chance(0.4) else None
        if pair:
            factor = ' * %s' % self._whole(load) if load else ''
            return '(unsigned)%s%s %s (unsigned)%s' % (
                pair[0],
                factor,
                choice.one(['+', '-', '^']),
                pair[1],
            )
        if not load:
            return None
        family, other = Values(choice, scope).typed_load(load), self._load(scope, INTEGERS, k)
        factor = ' * %s' % self._whole(other) if other and choice.chance(0.8) else ''
        terms = ['(unsigned)(%s)%s' % (family.value()[0], factor) for _ in range(2)]
        if choice.chance(0.5):
            terms = ['(unsigned)(int)(%s)%s' % (family.value()[0], factor) for _ in range(2)]
        return (' %s ' % choice.one(['+', '+', '-', '^'])).join(
            terms if not factor else ['(%s)' % t for t in terms]
        )

    def _extreme(self, scope, k):
        """An update of the least or the greatest of what is read, if a comparison says so: of the
        value itself, or of one that differs in a type."""
        choice, load = self.choice, self._streamed(scope, k) if self.kernel.is_sum else None
        load = load or self._load(scope, INTEGERS + ('real',), k)
        if not load:
            return None
        name, text = self.extreme, load[0]
        if load[1].kind == 'real':
            first, second = choice.one(
                [
                    (text, text),
                    ('%s * 0.1' % text, '%s * 0.1f' % text),
                    ('%s * 0.1f' % text, '%s * 0.1f' % text),
                ]
            )
            second = '(int)(%s)' % second
        else:
            family = Values(choice, scope).typed_load(load)
            first, second = family.value()[0], family.value()[0]
            first = second if choice.chance(0.25) else first
        more = choice.one(['>', '<', '>='])
        less = {'>': '<', '<': '>', '>=': '<='}[more]
        return choice.weighted(
            (50, 'if ((%s) %s %s) %s = %s;' % (first, more, name, name, second)),
            (20, 'if (%s %s (%s)) %s = %s;' % (name, less, first, name, second)),
            (20, '%s = (%s) %s %s ? %s : %s;' % (name, first, more, name, second, name)),
            (10, '%s = %s(%s, (int)(%s));' % (name, 'max' if more != '<' else 'min', name, second)),
        )

    def _extremes(self, scope, slot):
        """A loop that finds the least or the greatest: True where there is one."""
        choice, (suffix, scalar) = self.choice, self.choice.one(slot.element.members())
        target, self.extreme = slot.own_element(choice, scope) + suffix, self.kernel.fresh('m')
        scope.line(
            'int %s = %s;'
            % (self.extreme, choice.one(['0', '0', '-1000', '100000', '-2147483647']))
        )
        inner, k = self._loop(scope)
        update = self._extreme(inner, k)
        inner.line(update or '%s ^= (int)%s;' % (self.extreme, k.text))
        inner.close()
        value = '(%s)(%s & 127)' if scalar.kind in ('real', 'small') else '(%s)%s'
        scope.line('%s = %s;' % (target, value % (scalar.name, self.extreme)))

    def _integer_term(self, scope, k):
        choice = self.choice
        if choice.chance(self.kernel.typed_share):
            term = self._typed_term(scope, k)
            if term:
                return term
        term = self._sum_term(scope, k) if self.kernel.is_sum else None
        if term:
            return term
        parts = [
            self._load(scope, ('unsigned', 'int', 'small', 'wide'), k)
            for _ in range(choice.number(1, 2))
        ]
        by = index.divisor(choice, scope) if parts[0] and choice.chance(0.05) else None
        if by:
            return '(unsigned)%s %s %s' % (parts[0][0], choice.one(['/', '%']), by)
        if parts[0] and k.low >= 0 and choice.chance(self.kernel.table_share):
            table = self._constant(k, choice.one(['unsigned', 'int']), ('1', '3', '7', '255'))
            return '(unsigned)%s * (unsigned)%s' % (table, parts[0][0])
        texts = ['(unsigned)' + p[0] if p[1].kind != 'unsigned' else p[0] for p in parts if p] or [
            Values(choice, scope).unsigned(1)
        ]
        return (' %s ' % choice.one(['*', '*', '+', '^'])).join(
            t if ' ' not in t else '(%s)' % t for t in texts
        )

    # ---- loops ----

    def _trips(self, scope):
        """An extent that the loop runs over."""
        extents = [e for s in self._readable(scope) for e in s.shape if 4 <= e <= MOST_TRIPS]
        if self.kernel.is_sum:
            extents = [
                e
                for s in self._readable(scope)
                for at, e in enumerate(s.shape)
                if 4 <= e <= 2 * MOST_TRIPS
                and any(
                    v.high < size and not v.loop
                    for other, size in enumerate(s.shape)
                    if other != at
                    for v in scope.vars
                    if v.high > v.low >= 0
                )
            ] or extents
        return (
            self.choice.one(extents)
            if extents and self.choice.chance(0.85)
            else self.choice.number(5, 40)
        )

    def _loop(self, scope):
        """(inner scope, Var)"""
        choice, name, extent = self.choice, self.kernel.fresh('k'), self._trips(scope)
        first = choice.weighted((80, 0), (20, choice.number(1, 2)))
        bound = self.kernel.section.macros.text(extent)
        if choice.chance(self.kernel.sized):
            bound = self.kernel.bounded_scalar(max(1, extent - choice.number(0, 6)), extent).text
        if choice.chance(0.16):
            return self._other_loop(scope, name, bound, extent)
        return self._upwards(scope, name, first, bound, extent)

    def _other_loop(self, scope, name, bound, extent):
        """Downwards, from its end to 0, in tiles; or with its test at the end. What closes it is
        in the scope."""
        choice, var = self.choice, Var(name, 0, extent - 1, True, True)
        how = choice.one(['down', 'down', 'while', 'do', 'do down', 'tiles', 'tiles'])
        if how == 'tiles':
            return self._tiles(scope, name, bound, extent)
        if how == 'down':
            scope.line(choice.one([
                'for (int {k} = {n} - 1; {k} >= 0; {k}--) {{', 'for (int {k} = {n}; {k}-- > 0;) {{',
                'for (int {k} = {n} - 1; {k} > -1; --{k}) {{',
            ]).format(k=name, n=bound))
        else:
            start = {'while': '%s', 'do': '0', 'do down': '%s - 1'}[how]
            scope.line('int %s = %s;' % (name, start % bound if '%' in start else start))
            scope.line('while (%s-- > 0) {' % name if how == 'while' else 'do {')
        inner = self.statements._inside(scope, var, extent)
        inner.end = {'do': '} while (++%s < %s);' % (name, bound),
                     'do down': '} while (%s-- > 0);' % name}.get(how, '}')
        return inner, var

    def _tiles(self, scope, name, bound, extent):
        """Tiles from the last to the first, each upwards or downwards."""
        choice, width = self.choice, self.choice.one([2, 4, 8])
        tile = self.kernel.fresh('t_')
        whole = extent - extent % width
        start = 'for (int {t} = {n} - {w}; {t} >= 0; {t} -= {w})' if bound == str(whole) else (
            'for (int {t} = ({n} - 1) / {w} * {w}; {t} >= 0; {t} -= {w})')
        scope.line(start.format(t=tile, n=bound, w=width))
        scope.line(choice.one([
            '  for (int {k} = {t}; {k} < {t} + {w} && {k} < {n}; {k}++) {{',
            '  for (int {k} = min({t} + {w}, {n}) - 1; {k} >= {t}; {k}--) {{',
            '  for (int {k} = {t}; {k} < min({t} + {w}, {n}); {k}++) {{',
        ]).format(k=name, t=tile, w=width, n=bound))
        var = Var(name, 0, extent - 1, True, True)
        inner = self.statements._inside(scope, var, extent)
        return inner, var

    def _upwards(self, scope, name, first, bound, extent):
        choice = self.choice
        step = choice.weighted((85, 1), (10, 2), (5, 3))
        kind = choice.weighted((85, 'int'), (7, 'unsigned'), (8, 'long'))
        if kind == 'unsigned' and not bound.isdigit() and bound.startswith('n'):
            kind = 'int'
        raw = kind != 'int'
        if choice.chance(0.5 * self.kernel.typed_share):
            bound = '(%s)%s' % (
                choice.one(['unsigned', 'unsigned', 'long long', 'size_t', 'short']),
                bound,
            )
        advance = (
            choice.one(['%s++', '++%s', '%s += 1']) % name
            if step == 1
            else '%s += %d' % (name, step)
        )
        head, beside = '%s = %d' % (name, first), None
        if choice.chance(0.06):  # the head declares more than the iterator, and may step it
            beside = self.kernel.fresh('z')
            steps = '%s = %d, %s = ++%s' % (name, first - 1, beside, name)
            head = choice.one([steps, '%s, %s = %d' % (head, beside, choice.number(0, 9))])
        scope.line('for (%s %s; %s < %s; %s) {' % (kind, head, name, bound, advance))
        var = Var(name, first, max(first, extent - 1), True, True, raw, kind)
        inner = self.statements._inside(scope, var, max(1, extent - first))
        if beside:
            inner.locals.append(Local(beside, 'unsigned'))
        return inner, var

    # ---- statements ----

    def _reduce(self, scope, slot):
        """Into an owned element: in memory, through a local, or both."""
        choice = self.choice
        if Pairs(self).fits(scope, slot) and choice.chance(0.8):
            return Pairs(self).reduce(scope, slot)
        suffix, scalar = choice.one(slot.element.members())
        target = slot.own_element(choice, scope) + suffix
        if scalar.kind == 'small':
            return self.statements.store(scope, slot)
        real = scalar.kind == 'real'
        in_memory = choice.chance(0.25 if self.kernel.is_sum else 0.55)
        total = None if in_memory else self._local(scope, scalar)
        also = (
            self._local(scope, scalar)
            if total
            and self.kernel.is_sum
            and (not real or self._is_exact(scalar))
            and choice.chance(0.4)
            else None
        )
        if in_memory and (choice.chance(0.6) or self._is_exact(scalar)):
            scope.line('%s = %s;' % (target, choice.one(['0', '1'])))
        outer = scope
        rounds = choice.chance(0.03 if self.kernel.is_sum else 0.15)
        if rounds:
            scope, _ = self._rounds(scope)
        for _ in range(choice.weighted((75, 1), (5 if self.kernel.is_sum else 25, 2))):
            inner, k = self._loop(scope)
            self._iteration(inner, k, total or target, scalar, 1.0 if in_memory else TERM)
            if also:
                self._update(inner, k, also, scalar, TERM)
            inner.close()
        if rounds:
            scope.close()
        if also:
            outer.line('%s += %s;' % (total, also))
        if not in_memory:
            trips = MOST_TRIPS * 2 * (3 if rounds else 1)
            outer.locals.append(
                Local(total, 'real', TERM * trips * 4) if real else Local(total, 'unsigned')
            )
            self._store_local(outer, target, total, scalar, TERM * trips * 4)
        elif choice.chance(0.2):
            self.statements.store(outer, slot)
        return None

    def _local(self, scope, scalar):
        name = self.kernel.fresh('s')
        kind, first = scalar.name if scalar.kind == 'real' else 'unsigned', self.choice.one('001')
        if self.choice.chance(self.kernel.total_share):  # an object that needs its first value
            self.kernel.program.classes.need('total')
            scope.line('total<%s> %s(%s);' % (kind, name, first))
            return name + '.value'
        scope.line('%s %s = %s;' % (kind, name, first))
        return name

    def _rounds(self, scope):
        name, trips = self.kernel.fresh('k'), self.choice.number(2, 3)
        scope.line('for (int %s = 0; %s < %d; %s++) {' % (name, name, trips, name))
        return self.statements._inside(scope, Var(name, 0, trips - 1, True, True), trips), trips

    def _store_local(self, scope, target, total, scalar, bound):
        choice = self.choice
        if scalar.kind == 'real':
            scope.line('%s = %s;' % (target, scaled(total, bound, 128.0, scalar.name)))
        elif scalar.kind == 'unsigned':
            size = ' + (unsigned)sizeof(%s)' % total if choice.chance(0.05) else ''
            scope.line('%s %s %s%s;' % (target, choice.one(['=', '=', '+=', '^=']), total, size))
        else:
            scope.line('%s = (int)%s;' % (target, total))

    def _iteration(self, scope, k, target, scalar, limit):
        choice = self.choice
        if choice.chance(0.1):
            scope.line(
                'if (%s %% %d == %d) continue;' % (k.text, choice.number(3, 6), choice.number(0, 2))
            )
        for _ in range(choice.weighted((80, 1), (20, 2))):
            self._update(scope, k, target, scalar, limit)
        if choice.chance(0.15):
            inner = Scope(self.kernel, scope)
            scope.line('if (%s) {' % Values(choice, scope).condition())
            self._update(inner, k, target, scalar, limit)
            inner.close()

    def _operators(self):
        """In a kernel whose loops threads may share they go together."""
        if not self.kernel.is_sum:
            return ['+=', '+=', '-=', '^=']
        if not self.operators:
            self.operators = self.choice.weighted(
                (60, ['+=', '+=', '-=']), (10, ['*=']), (10, ['^=']), (10, ['|=']), (10, ['&='])
            )
        return self.operators

    def _is_exact(self, scalar):
        return scalar.kind == 'real' and self.kernel.program.is_exact

    def _update(self, scope, k, target, scalar, limit):
        choice = self.choice
        if self._is_exact(scalar):
            scope.line(
                '%s %s (%s)((%s) & 15);'
                % (
                    target,
                    choice.one(['+=', '+=', '-=']),
                    scalar.name,
                    self._integer_term(scope, k),
                )
            )
        elif scalar.kind == 'real':
            text, bound = self._real_term(scope, scalar.name, k)
            scope.line(
                '%s %s %s;'
                % (
                    target,
                    choice.one(['+=', '+=', '+=', '-=']),
                    scaled(text, bound, limit, scalar.name),
                )
            )
        elif scalar.kind == 'unsigned' or limit == TERM:
            scope.line(
                '%s %s %s;' % (target, choice.one(self._operators()), self._integer_term(scope, k))
            )
        else:
            text = self._integer_term(scope, k)
            scope.line(
                choice.one(
                    [
                        '%s ^= (int)(%s);' % (target, text),
                        '%s = (int)((unsigned)%s + (%s));' % (target, target, text),
                    ]
                )
            )
