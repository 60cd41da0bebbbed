# SPDX-License-Identifier: MIT
"""Value expressions. Real ones carry a bound on their magnitude, so that no infinity and no NaN
arises; integer ones are unsigned, or have a range that fits an int. Every load of a real array is
below LOADED, every store keeps it so."""
from . import index, typed
from .types import INT, UNSIGNED

LOADED = 2.0**20
STORED = 2.0**8
LARGEST = 2.0**90


def literal(choice, scalar_name):
    text = choice.one(
        ['0.5', '1.25', '0.75', '2.0', '3.0', '-0.5', '-1.5', '0.125', '0.1', '0.3', '1.0']
    )
    return text + ('f' if (scalar_name == 'float') != choice.chance(0.12) else ''), abs(float(text))


class Values:
    def __init__(self, choice, scope):
        self.choice, self.scope = choice, scope

    # ---- loads ----

    def _sites(self, kinds):
        out = [
            (s, m, 'read')
            for s in self.scope.reads
            if not s.array.is_table
            for m in s.element.members()
            if m[1].kind in kinds
        ]
        owned = [] if self.scope.kernel.only_writes else self.scope.owned
        out += [(s, m, 'own') for s in owned for m in s.element.members() if m[1].kind in kinds]
        out += [
            (s, m, 'shared')
            for s in self.scope.shared
            for m in s.element.members()
            if m[1].kind in kinds
        ] * 3
        return out

    def load(self, kinds):
        """(text, scalar), or None where nothing of these kinds can be read."""
        sites = self._sites(kinds)
        if not sites:
            return None
        slot, (suffix, scalar), how = self.choice.one(sites)
        if how == 'own':
            return slot.own_element(self.choice, self.scope) + suffix, scalar
        places = [index.make(self.choice, self.scope, extent).text for extent in slot.shape]
        if (
            how == 'read'
            and len(places) == 1
            and not suffix
            and scalar in (INT, UNSIGNED)
            and self.choice.chance(0.2 * self.scope.kernel.typed_share)
        ):
            other = UNSIGNED if scalar is INT else INT
            return '((const %s *)%s)[%s]' % (other.name, slot.text, places[0]), other
        return slot.element_at(places) + suffix, scalar

    # ---- real ----

    def real(self, depth=2, name='float'):
        """(text, bound)"""
        choice = self.choice
        if depth <= 0 or choice.chance(0.15):
            return self._real_leaf(name)
        a, bound_a = self.real(depth - 1, name)
        how = choice.weighted(
            (34, '+'),
            (16, '-'),
            (22, 'scale'),
            (10, '*'),
            (4, '/'),
            (4, 'abs'),
            (4, 'min'),
            (3, 'choose'),
            (7, 'call'),
            (3, 'power'),
        )
        if how == 'scale':
            text, size = literal(choice, name)
            return '%s * %s' % (text, _inner(a)), bound_a * size
        if how == 'abs':
            return ('fabsf(%s)' if name == 'float' else 'fabs(%s)') % a, bound_a
        if how == 'power':
            return self._power(name)
        if how == 'call':
            return '%s(%s)' % (self.scope.kernel.program.device_value(name), a), bound_a * 4 + 4
        b, bound_b = self.real(depth - 1, name)
        if how == '*' and bound_a * bound_b < LARGEST**0.5:
            return '%s * %s' % (_inner(a), _inner(b)), bound_a * bound_b
        if how == '/':
            one = '1.0f' if name == 'float' else '1.0'
            return (
                '%s / (%s + %s)'
                % (_inner(a), ('fabsf(%s)' if name == 'float' else 'fabs(%s)') % b, one),
                bound_a,
            )
        if how == 'min':
            return '%s(%s, %s)' % (self.scope.kernel.program.device_least(name), a, b), max(
                bound_a, bound_b
            )
        if how == 'choose':
            return '(%s ? %s : %s)' % (self.condition(), a, b), max(bound_a, bound_b)
        return '%s %s %s' % (a, '-' if how == '-' else '+', _inner(b)), bound_a + bound_b

    def _power(self, name):
        """A power of a small whole number, which is the same by pow and by products."""
        exponent = self.choice.one([2, 3, 4])
        base = index.make(self.choice, self.scope, 8).text
        if name == 'float':
            form = 'powf((float)(%s), %d.0f)'
        else:
            form = self.choice.one(['pow((double)(%s), %d)', 'pow((double)(%s), %d.0)'])
        return form % (base, exponent), 7.0**exponent

    def _real_leaf(self, name):
        choice = self.choice
        locals_ = [v for v in self.scope.locals if v.kind == 'real']
        what = choice.weighted(
            (60, 'load'), (20 if locals_ else 0, 'local'), (10, 'int'), (10, 'literal')
        )
        if what == 'load':
            loaded = self.load(('real',))
            if loaded:
                return loaded[0], LOADED
            loaded = self.load(('unsigned', 'int'))
            if loaded:
                return '(%s)(%s & 255)' % (name, loaded[0]), 255.0
        if what == 'local':
            local = choice.one(locals_)
            return local.text, local.bound
        if what == 'int':
            text, low, high = self.int_()
            return '(%s)(%s)' % (name, text), float(max(abs(low), abs(high)))
        return literal(choice, name)

    # ---- integers ----

    def int_(self):
        """(text, low, high), small enough to add and multiply a little."""
        choice = self.choice
        if choice.chance(0.7 * self.scope.kernel.typed_share):
            form = typed.place(choice, self.scope, choice.one([16, 100, 1024]))
            if form:
                return form.signed().inner(), form.low, form.high
        what = choice.weighted((40, 'index'), (25, 'small'), (20, 'mask'), (15, 'constant'))
        if what == 'small':
            loaded = self.load(('small',))
            if loaded:
                return loaded[0], loaded[1].low, loaded[1].high
        if what == 'mask':
            loaded = self.load(('int', 'unsigned'))
            if loaded:
                mask = choice.one([7, 15, 255, 1023])
                return '(int)(%s & %d)' % (loaded[0], mask), 0, mask
        if what != 'constant' and self.scope.vars:
            form = index.fit(
                choice,
                self.scope,
                index.linear(choice, index._terms(choice, self.scope, 4096), choice.number(0, 3)),
                4096,
            )
            return form.signed().inner(), form.low, form.high
        value = choice.number(0, 99)
        return str(value), value, value

    def unsigned(self, depth=2):
        """Text of type unsigned, defined for all values."""
        choice = self.choice
        if depth <= 0 or choice.chance(0.15):
            return self._unsigned_leaf()
        a = self.unsigned(depth - 1)
        how = choice.weighted(
            (30, '+'),
            (14, '-'),
            (16, '*'),
            (10, '^'),
            (6, '&'),
            (6, '|'),
            (6, '>>'),
            (4, '<<'),
            (4, '/'),
            (4, '%'),
            (4, 'choose'),
        )
        if how in ('>>', '<<'):
            return '(%s %s %d)' % (_inner(a), how, choice.number(1, 7))
        if how in ('/', '%'):
            by = index.divisor(choice, self.scope) if choice.chance(0.3) else None
            if by:
                return '(%s %s %s)' % (_inner(a), how, by)
            return '(%s %s %du)' % (_inner(a), how, choice.number(2, 31))
        b = self.unsigned(depth - 1)
        if how == 'choose':
            return '(%s ? %s : %s)' % (self.condition(), a, b)
        if how in ('+', '-'):
            return '%s %s %s' % (
                a if '&' not in a and '|' not in a and '^' not in a else '(%s)' % a,
                how,
                _inner(b),
            )
        return '(%s %s %s)' % (_inner(a), how, _inner(b))

    def _typed(self):
        """Of a variable, or of what is loaded: one expression, or two that differ in a type. None
        where there is nothing."""
        choice, scope, family = self.choice, self.scope, None
        if choice.chance(0.5):
            family = self.typed_load()
        family = family or typed.family(choice, scope)
        if not family:
            return None
        texts = ['(unsigned)(%s)' % family.value()[0] for _ in range(choice.number(1, 2))]
        return (
            texts[0]
            if len(texts) == 1
            else '(%s %s %s)' % (texts[0], choice.one(['+', '^', '-', '*']), texts[1])
        )

    def typed_pair(self, kinds):
        """(text, text, scalar): elements of one array at places that differ in a type alone; None
        where there are none."""
        choice, sites = self.choice, self._sites(kinds)
        sites = [site for site in sites if site[2] != 'own']
        family = typed.family(choice, self.scope) if sites else None
        if not family:
            return None
        slot, (suffix, scalar), _ = choice.one(sites)
        at = choice.number(0, len(slot.shape) - 1)
        places = [index.make(choice, self.scope, extent).text for extent in slot.shape]
        texts = []
        for _ in range(2):
            places[at] = family.place(slot.shape[at]).text
            texts.append(slot.element_at(places) + suffix)
        return texts[0], texts[1], scalar

    def typed_load(self, load=None):
        """A family over an element that is loaded here, of few bits; None where there is none."""
        choice, load = self.choice, load or self.load(('unsigned', 'int', 'small', 'wide'))
        if not load:
            return None
        text, scalar = load
        if scalar.kind == 'small':
            return typed.over(
                choice, self.scope.kernel.program, text, 'int', scalar.low, scalar.high
            )
        ctype = 'long' if scalar.low < 0 else 'unsigned long'
        if scalar.kind != 'wide':
            ctype = scalar.kind
        if choice.chance(0.4):
            return typed.quotients(choice, self.scope.kernel.program, text, ctype)
        mask = choice.one([63, 255, 1023])
        return typed.over(
            choice, self.scope.kernel.program, '(%s & %d)' % (text, mask), ctype, 0, mask
        )

    def _unsigned_leaf(self):
        choice = self.choice
        if choice.chance(self.scope.kernel.typed_share):
            text = self._typed()
            if text:
                return text
        locals_ = [v for v in self.scope.locals if v.kind == 'unsigned']
        what = choice.weighted(
            (55, 'load'), (20 if locals_ else 0, 'local'), (15, 'int'), (10, 'constant')
        )
        if what == 'load':
            loaded = self.load(('unsigned', 'int', 'small', 'wide'))
            if loaded:
                return loaded[0] if loaded[1].kind == 'unsigned' else '(unsigned)%s' % loaded[0]
            loaded = self.load(('real',))
            if loaded:
                return '(unsigned)(int)(%s)' % loaded[0]
        if what == 'local':
            return choice.one(locals_).text
        if what == 'int':
            return '(unsigned)(%s)' % self.int_()[0]
        return '%du' % choice.number(1, 9999)

    def condition(self):
        choice = self.choice
        if choice.chance(0.06):
            return '(%s) %s (%s)' % (
                self.condition(),
                choice.one(['&&', '&&', '||']),
                self.condition(),
            )
        what = choice.weighted((35, 'real'), (25, 'unsigned'), (40, 'int'))
        if what == 'int' and choice.chance(self.scope.kernel.typed_share):
            family = typed.family(choice, self.scope)
            if family:
                return '%s %s %d' % (
                    '(%s)' % family.value()[0],
                    choice.one(['>', '<', '==', '!=']),
                    choice.number(0, 5),
                )
        if what == 'real':
            loaded = self.load(('real',))
            if loaded:
                return '%s %s %s' % (
                    loaded[0],
                    choice.one(['>', '<', '>=']),
                    choice.one(['0', '1', '0.5f', '-1']),
                )
        if what == 'unsigned':
            loaded = self.load(('unsigned', 'int', 'small', 'wide'))
            if loaded:
                return '(%s & %d) %s %d' % (
                    loaded[0],
                    choice.one([1, 3, 7]),
                    choice.one(['==', '!=', '>']),
                    choice.number(0, 1),
                )
        text, low, high = self.int_()
        how = choice.one(['<', '>', '==', '!=', '%'])
        if how == '%':
            return '%s %% %d == %d' % (text, choice.number(2, 4), choice.number(0, 1))
        return '%s %s %d' % (text, how, choice.number(low, high))

    # ---- what is stored ----

    def stored(self, scalar, depth=2, limit=STORED):
        """An expression that may be assigned to (or, with a smaller limit, added to) an element of
        type scalar."""
        if scalar.kind == 'real':
            text, bound = self.real(depth, scalar.name)
            return scaled(text, bound, limit, scalar.name)
        if scalar.kind == 'unsigned':
            return self.unsigned(depth)
        if scalar.kind == 'int':
            return '(int)(%s)' % self.unsigned(depth)
        return '(%s)(%s)' % (scalar.name, self.unsigned(depth))


def scaled(text, bound, limit, name):
    """The expression times the power of two that keeps it within the limit."""
    factor = 1.0
    while bound * factor > limit:
        factor *= 0.5
    return (
        text
        if factor == 1.0
        else '%s * %.17g%s' % (_inner(text), factor, 'f' if name == 'float' else '')
    )


def _inner(text):
    simple = all(c.isalnum() or c in '_.[]' for c in text)
    return text if simple else '(%s)' % text
