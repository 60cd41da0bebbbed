# SPDX-License-Identifier: MIT
"""Integer expressions whose value depends on the type of a constant or of a conversion in them.

    (i - 5) % 8      (i - 5u) % 8      (i - U5) % 8      (short)(i - 5) % 8      i - 5LL > 2

A Family has several of one form over one variable, which differ in a type alone. They are
evaluated here as C does, so that a place in an array is in bounds for all of them, with the same
text around each.
"""
from .form import Form

MOST_VALUES = 2100
SIZES = {
    'int': (32, True),
    'unsigned': (32, False),
    'long': (64, True),
    'unsigned long': (64, False),
}
RANKS = list(SIZES)
NARROW = {
    'short': (16, True),
    'unsigned short': (16, False),
    'signed char': (8, True),
    'unsigned char': (8, False),
}
WIDE = ('long', 'unsigned long')
NAMES = {'long': ('long long', 'long'), 'unsigned long': ('unsigned long long', 'size_t')}


class Enumerators:
    """Enumerations of a program, one for each of the types that enumerators can have."""

    kinds = (
        ('enum whole {', 'I%d'),
        ('enum positive : unsigned {', 'U%d'),
        ('enum large : unsigned long long {', 'L%d'),
        ('enum class scoped : unsigned {', 'S%d'),
    )

    def __init__(self):
        self._values = [set() for _ in self.kinds]

    def name(self, kind, value):
        self._values[kind].add(value)
        return self.kinds[kind][1] % value

    def lines(self):
        return [
            '%s %s };' % (head, ', '.join('%s = %d' % (stem % v, v) for v in sorted(values)))
            for (head, stem), values in zip(self.kinds, self._values)
            if values
        ]


def spelled(choice, enumerators, ctype, value):
    """A constant expression of this type and value, without parentheses around it."""
    if ctype == 'int':
        letter = chr(value) if 65 <= value <= 122 and chr(value).isalpha() else ''
        return choice.weighted(
            (70, str(value)),
            (8, '0x%x' % value),
            (14 if letter else 0, "'%s'" % letter),
            (14, None),
            (4, '(int)%du' % value),
        ) or enumerators.name(0, value)
    if ctype == 'unsigned':
        how = choice.weighted(
            (60, 'u'), (6, 'U'), (6, 'hex'), (14, 'enum'), (6, 'scoped'), (8, 'cast')
        )
        if how == 'enum':
            return enumerators.name(1, value)
        return {'hex': '0x%xu' % value, 'cast': '(unsigned)%d' % value}.get(how) or (
            '(unsigned)scoped::' + enumerators.name(3, value)
            if how == 'scoped'
            else '%d%s' % (value, how)
        )
    if ctype == 'long':
        return (
            choice.weighted((50, '%dLL'), (25, '%dL'), (10, '(long long)%d'), (5, '0x%xll')) % value
        )
    if choice.chance(0.15):
        return enumerators.name(2, value)
    return choice.weighted((50, '%dull'), (20, '%dUL'), (15, '(size_t)%d')) % value


# ---- trees: ('base',), ('constant', type, value), (operator, left, right), ('cast', type, tree)


def wrapped(value, ctype):
    bits, signed = SIZES.get(ctype) or NARROW[ctype]
    value &= (1 << bits) - 1
    return value - (1 << bits) if signed and value >> (bits - 1) else value


def common(a, b):
    return RANKS[max(RANKS.index(a), RANKS.index(b))]


def divided(a, b):
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


OPERATORS = {
    '+': lambda a, b: a + b,
    '-': lambda a, b: a - b,
    '*': lambda a, b: a * b,
    '/': divided,
    '%': lambda a, b: a - divided(a, b) * b,
    '&': lambda a, b: a & b,
    '>>': lambda a, b: a >> b,
}
COMPARED = {
    '<': lambda a, b: a < b,
    '>': lambda a, b: a > b,
    '>=': lambda a, b: a >= b,
    '<=': lambda a, b: a <= b,
}


def type_of(tree, base):
    """The type after integer promotion."""
    if tree[0] == 'base':
        return base
    if tree[0] == 'constant':
        return tree[1]
    if tree[0] == 'cast':
        return tree[1] if tree[1] in SIZES else 'int'
    if tree[0] in COMPARED:
        return 'int'
    left = type_of(tree[1], base)
    return left if tree[0] == '>>' else common(left, type_of(tree[2], base))


def function_of(tree, base):
    """A function of the base's value; None where signed arithmetic overflows in it."""
    if tree[0] == 'base':
        return lambda v: v
    if tree[0] == 'constant':
        return lambda v, value=tree[2]: value
    if tree[0] == 'cast':
        inner, ctype = function_of(tree[2], base), tree[1]
        return lambda v: wrapped(inner(v), ctype)
    ctype = (
        type_of(tree[1], base)
        if tree[0] == '>>'
        else common(type_of(tree[1], base), type_of(tree[2], base))
    )
    a, b = function_of(tree[1], base), function_of(tree[2], base)
    if tree[0] in COMPARED:
        how = COMPARED[tree[0]]
        return lambda v: int(how(wrapped(a(v), ctype), wrapped(b(v), ctype)))
    operator = OPERATORS[tree[0]]
    if SIZES[ctype][1]:
        return lambda v: operator(a(v), b(v))
    return lambda v: wrapped(operator(wrapped(a(v), ctype), wrapped(b(v), ctype)), ctype)


def printed(tree, base, choice, enumerators):
    if tree[0] == 'base':
        return base
    if tree[0] == 'constant':
        return spelled(choice, enumerators, tree[1], tree[2])
    if tree[0] == 'cast':
        name = choice.one(NAMES.get(tree[1], (tree[1],)))
        inner = printed(tree[2], base, choice, enumerators)
        return '(%s)%s' % (name, inner if tree[2][0] in ('base', 'cast') else '(%s)' % inner)
    sides = [printed(side, base, choice, enumerators) for side in tree[1:]]
    sides = [
        '(%s)' % text if side[0] in OPERATORS or side[0] in COMPARED else text
        for side, text in zip(tree[1:], sides)
    ]
    return '%s %s %s' % (sides[0], tree[0], sides[1])


class Base:
    """What the expressions are over: one of this type (after promotion) in low ... high."""

    def __init__(self, text, ctype, low, high, values=None):
        self.text, self.ctype, self.low, self.high = text, ctype, low, high
        few = high - low <= MOST_VALUES
        self.values = values or (range(low, high + 1) if few else None)


def _forms(choice, middle):
    """Trees of one form, by the type that they differ in. middle: of the base's range."""
    c = choice.one([1, 2, 3, 5, 5, 7, 9, 16, 66, 97, 100] + [middle] * 2)
    d = choice.one([2, 3, 5, 7, 8, 8, 10, 16])
    if choice.chance(0.1):
        inner, types = _narrowed(min(c, 100) * 37), RANKS + list(NARROW)
    else:
        inner, types = _inner_form(choice, c, d), RANKS
    how = choice.weighted(
        (50, '%'), (30, '/'), (12, '>>'), (12, choice.one(list(COMPARED))), (8, '')
    )
    if types is RANKS and how in ('%', '/') and choice.chance(0.15):
        return {t: (how, inner('int'), ('constant', t, d)) for t in RANKS}
    second = ('constant', 'int', choice.one([1, 3, 31]) if how == '>>' else d)
    return {t: (how, inner(t), second) if how else inner(t) for t in types}


def _inner_form(choice, c, d):
    """From the type that changes to a tree: a constant or a conversion in it has that type."""
    base, minus = ('base',), ('-', ('base',), ('constant', 'int', c))
    return choice.weighted(
        (50, lambda t: ('-', base, ('constant', t, c))),
        (8, lambda t: ('-', ('constant', t, c), base)),
        (8, lambda t: ('-', ('*', base, ('constant', t, d)), ('constant', 'int', c))),
        (6, lambda t: ('+', minus, ('constant', t, 1))),
        (12, lambda t: ('cast', t, minus)),
        (6, lambda t: ('cast', 'long', ('-', base, ('constant', t, c)))),
        (6, lambda t: ('-', ('cast', t, base), ('constant', 'int', c))),
    )


def _narrowed(factor):
    return lambda t: ('cast', t, ('*', ('base',), ('constant', 'int', factor)))


class Family:
    """Expressions of one form over one base, which differ in a type."""

    def __init__(self, choice, enumerators, base, trees=None):
        self.choice, self.enumerators, self.base = choice, enumerators, base
        middle = min(max((base.low + base.high) // 2, 5), 5000)
        self.trees = trees or self._telling(middle)
        self.fits = {}
        self._ranges = None
        self.used = []

    def _telling(self, middle):
        """Trees that have different values for one type and another, within a few tries."""
        for _ in range(4):
            trees = _forms(self.choice, middle)
            sample = [
                v
                for v in (self.base.low, self.base.low + 1, self.base.high)
                if self.base.values is None
            ]
            sample = sample or list(self.base.values)[:40]
            first, second = [
                function_of(tree, self.base.ctype) for tree in list(trees.values())[:2]
            ]
            if any(first(v) != second(v) for v in sample):
                break
        return trees

    def _limits(self):
        """The least and the largest value of any of them; None where that is not known."""
        if self._ranges is None and self.base.values is not None:
            lows, highs = [], []
            for tree in self.trees.values():
                values = list(map(function_of(tree, self.base.ctype), self.base.values))
                lows.append(min(values))
                highs.append(max(values))
            self._ranges = min(lows), max(highs)
        return self._ranges

    def _type(self):
        """Of the next one: the two plain types most often, and none twice at first."""
        choice, rest = self.choice, [t for t in self.trees if t not in self.used] or list(
            self.trees
        )
        plain = [t for t in ('int', 'unsigned') if t in rest]
        chosen = choice.one(plain) if plain and choice.chance(0.8) else choice.one(rest)
        self.used.append(chosen)
        return chosen

    def value(self):
        """(text, type) of one of them."""
        tree = self.trees[self._type()]
        text = printed(tree, self.base.text, self.choice, self.enumerators)
        return text, type_of(tree, self.base.ctype)

    def place(self, extent):
        """One of them, brought into 0 <= ... < extent in the way of the others: a Form."""
        if extent not in self.fits:
            self.fits[extent] = self._fit(extent)
        text, ctype = self.value()
        around, low, high = self.fits[extent]
        return Form(around % text, low, high, ctype != 'int', False)

    def _fit(self, extent):
        choice, limits = self.choice, self._limits()
        if limits and limits[1] - limits[0] < extent:
            low, high = limits
            by = choice.number(-low, extent - 1 - high)
            around = '(%%s) %s %d' % ('+' if by > 0 else '-', abs(by)) if by else '%s'
            return around, low + by, high + by
        if choice.chance(0.5):
            power = 1 << (extent.bit_length() - 1)
            return '(%%s) & %d' % (power - 1), 0, power - 1
        if extent > 1:
            return (
                choice.one(['(unsigned)(%%s) %%%% %d', '(unsigned long long)(%%s) %%%% %d'])
                % extent,
                0,
                extent - 1,
            )
        return '0 & (%s)', 0, 0


def base_of(var):
    """The variable of a scope as a base."""
    return Base(var.text, var.ctype, var.low, var.high)


def family(choice, scope):
    """A family over a variable that the place may name: one that the kernel has, or a new one;
    None where there is no variable."""
    kernel, names = scope.kernel, {}
    for v in scope.vars:
        names[v.text] = v
    known = [
        f
        for f in kernel.families
        if f.base.text in names
        and f.base.low <= names[f.base.text].low
        and names[f.base.text].high <= f.base.high
    ]
    known += [f for f in kernel.families if f.base in scope.bases]
    if known and choice.chance(0.7):
        return choice.one(known)
    usable = [v for v in scope.vars if v.high > v.low and v.high - v.low <= MOST_VALUES]
    bases = [base_of(v) for v in usable if not v.loop] + [base_of(v) for v in usable] + scope.bases
    if not bases:
        return None
    made = Family(choice, kernel.program.enumerators, choice.one(bases))
    kernel.families.append(made)
    return made


def place(choice, scope, extent):
    found = family(choice, scope)
    return found.place(extent) if found else None


def over(choice, program, text, ctype, low, high, values=None):
    """A family of its own over an expression with this type and range."""
    return Family(choice, program.enumerators, Base(text, ctype, low, high, values))


def quotients(choice, program, text, ctype):
    """The same over an expression of any value: only the type of a divisor differs."""
    operator, d = choice.one(['/', '%']), choice.one([2, 3, 5, 7, 8, 10])
    trees = {t: (operator, ('base',), ('constant', t, d)) for t in RANKS}
    return Family(choice, program.enumerators, Base(text, ctype, -(1 << 31), 1 << 31), trees)
