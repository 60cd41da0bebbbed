# SPDX-License-Identifier: MIT
"""Locals that a kernel computes from global ids, with a conversion somewhere in the middle.

    const long long id = blockIdx.x * blockDim.x + threadIdx.x - 5;
    size_t id1 = (unsigned long long)(row - 5);

The first is large in the first columns, whose sum is unsigned; the second is 2^64 - 5 in the first
row.
"""
import re

from . import typed
from .scope import Local

DEFINED = re.compile(r'\bint (\w+) = (.*);$')
DECLARED = (
    ('long long', 'long'),
    ('long long', 'long'),
    ('unsigned long long', 'unsigned long'),
    ('size_t', 'unsigned long'),
    ('int', 'int'),
    ('unsigned', 'unsigned'),
    ('short', 'short'),
    ('unsigned short', 'unsigned short'),
    ('auto', None),
)


def bases(geometry):
    """The coordinates, by name and as the expressions that they are defined by."""
    out = []
    for line in geometry.definitions:
        found = DEFINED.search(line)
        counts = [c.count for c in geometry.coordinates if found and c.text == found.group(1)]
        if counts:
            out.append(typed.Base('(%s)' % found.group(2), 'unsigned', 0, counts[0] - 1))
            out.append(typed.Base(found.group(1), 'int', 0, counts[0] - 1))
    return [base for base in out if base.values]


def declare(kernel, scope):
    """A local, and a number that is made of it, for the place's values."""
    choice, known = kernel.choice, bases(kernel.geometry)
    if not known:
        return
    base, enumerators = choice.one(known), kernel.program.enumerators
    c, t = choice.one([1, 3, 5, 5, 9]), choice.weighted((60, 'int'), (20, 'unsigned'), (20, 'long'))
    tree = ('-', ('base',), ('constant', t, c))
    if choice.chance(0.5):
        tree = ('cast', choice.one(typed.RANKS + ['short', 'unsigned short']), tree)
    if choice.chance(0.25):
        tree = (choice.one('+*'), tree, ('constant', 'int', choice.number(1, 7)))
    name, (text, ctype) = kernel.fresh('id'), choice.one(DECLARED)
    own = typed.type_of(tree, base.ctype)
    ctype = ctype or own
    scope.line(
        '%s%s %s = %s;'
        % (
            choice.one(['const ', '']),
            text,
            name,
            typed.printed(tree, base.text, choice, enumerators),
        )
    )
    values = [
        typed.wrapped(v, ctype) for v in map(typed.function_of(tree, base.ctype), base.values)
    ]
    local = typed.Base(
        name, ctype if ctype in typed.SIZES else 'int', min(values), max(values), values
    )
    scope.bases.append(local)
    family = typed.Family(choice, enumerators, local)
    kernel.families.append(family)
    number = kernel.fresh('u')
    scope.line('unsigned %s = (unsigned)(%s);' % (number, family.value()[0]))
    scope.locals.append(Local(number, 'unsigned'))
    scope.adjust = number
