# SPDX-License-Identifier: MIT
"""Index expressions with their ranges.

    form   sum of coefficient * variable + constant, or an entry of an index table
    fit    shift, / d, % extent, min and max, a wrapping device function, until 0 <= form < extent
"""
from . import typed
from .form import Form
from .scope import Var


def linear(choice, terms, constant):
    """terms: (coefficient, Var), the first coefficients may be negative."""
    negative = constant < 0 or any(c < 0 for c, _ in terms)
    text, low, high, raw = '', constant, constant, False
    for coefficient, var in sorted(terms, key=lambda term: term[0] < 0):
        name = '(int)' + var.text if var.raw and negative else var.text
        raw |= var.raw and not negative
        size = abs(coefficient)
        product = (
            name
            if size == 1
            else '%d * %s' % (size, name)
            if choice.chance(0.5)
            else '%s * %d' % (name, size)
        )
        if text:
            text += (' - ' if coefficient < 0 else ' + ') + product
        else:
            text = '-' + product if coefficient < 0 else product
        low += min(coefficient * var.low, coefficient * var.high)
        high += max(coefficient * var.low, coefficient * var.high)
    if not terms:
        return Form(str(constant), constant, constant, False, constant >= 0)
    if constant and any(c > 0 for c, _ in terms) and constant > 0 and choice.chance(0.3):
        text = '%d + %s' % (constant, text)
    elif constant:
        text += ' %s %d' % ('-' if constant < 0 else '+', abs(constant))
    return Form(
        text,
        low,
        high,
        raw,
        len(terms) == 1 and not constant and abs(terms[0][0]) == 1 and terms[0][0] > 0,
    )


def divisor(choice, scope):
    """Text of type unsigned, of a number that is not 0 where the program is, and 0 for a thread or
    an iteration beside it; None: nothing is known."""
    usable = [v for v in scope.vars if not v.raw and 0 < v.high - v.low <= 4096]
    if not usable:
        return None
    var = choice.one(usable)
    if var.low == 1 or var.low > 0 and choice.chance(0.5):
        return (
            '(unsigned)%s' % var.text
            if var.low == 1
            else '(unsigned)(%s - %d)' % (var.text, var.low - 1)
        )
    return '(unsigned)(%d - %s)' % (var.high + 1, var.text)


def _terms(choice, scope, extent):
    usable = [v for v in scope.vars if v.high - v.low <= 4096]
    if not usable:
        return []
    weights = [(6 if v.loop else 3 if v.uniform else 4, v) for v in usable]
    count = choice.weighted((6, 0), (58, 1), (32, 2), (4, 3))
    out = []
    for _ in range(count):
        var = choice.weighted(*weights)
        if any(var is v for _, v in out):
            continue
        out.append(
            (
                choice.weighted(
                    (70, 1), (10, 2), (6, 3), (8, -1), (2, -2), (4, choice.number(4, 9))
                ),
                var,
            )
        )
    return out


def _table_entry(choice, scope):
    """An entry of an index table as a form; None where there is none."""
    tables = [s for s in scope.reads if s.array.is_table]
    if not tables:
        return None
    slot = choice.one(tables)
    position = fit(
        choice, scope, linear(choice, _terms(choice, scope, slot.shape[0]), 0), slot.shape[0]
    )
    return Form(
        '%s[%s]' % (slot.text, position.text),
        0,
        slot.array.limit - 1,
        slot.element.kind in ('unsigned', 'wide'),
        True,
    )


def _halo_form(choice, scope, extent):
    """A coordinate and a small distance, where some coordinate leaves room for it."""
    distance = choice.one([-2, -1, -1, 1, 1, 2])
    room = [
        v
        for v in scope.vars
        if v.low + distance >= 0 and v.high + distance < extent and v.high > v.low
    ]
    return linear(choice, [(1, choice.one(room))], distance) if room else None


def _spread(choice, scope, extent):
    """All over the array: i * 33 % extent."""
    var = choice.one(scope.vars)
    form = linear(
        choice,
        [(choice.weighted((40, 5), (40, 33), (15, 97), (5, 7919)), var)],
        choice.number(0, 99),
    ).signed()
    return Form('%s %% %d' % (form.inner(), extent), 0, extent - 1)


def make(choice, scope, extent):
    """An expression e with 0 <= e < extent."""
    exact = [v for v in scope.vars if v.low >= 0 and v.high < extent and v.high > v.low]
    kind = choice.weighted(
        (100 * scope.kernel.typed_share, 'typed'),
        (25 if exact else 0, 'plain'),
        (15, 'halo'),
        (45, 'linear'),
        (10, 'table'),
        (8, 'constant'),
        (8 if extent > 4096 else 3, 'spread'),
    )
    form = None
    if kind == 'typed':
        form = typed.place(choice, scope, extent)
    elif kind == 'plain':
        form = linear(choice, [(1, choice.one(exact))], 0)
    elif kind == 'halo':
        form = _halo_form(choice, scope, extent)
    elif kind == 'table':
        form = _table_entry(choice, scope)
    elif kind == 'spread' and scope.vars:
        form = _spread(choice, scope, extent)
    elif kind == 'constant':
        form = Form(str(choice.number(0, extent - 1)), 0, extent - 1, False, True)
    if form is None:
        form = linear(
            choice,
            _terms(choice, scope, extent),
            choice.weighted((6, 0), (4, choice.number(-3, 4))),
        )
    return fit(choice, scope, form, extent)


def shift(form, by):
    if not by:
        return form
    form = form if by > 0 else form.signed()
    return Form(
        '%s %s %d' % (form.text, '+' if by > 0 else '-', abs(by)),
        form.low + by,
        form.high + by,
        form.raw,
    )


def fit(choice, scope, form, extent):
    if form.low >= 0 and form.high < extent:
        return form
    span = form.high - form.low
    if span < extent and choice.chance(0.75):
        return shift(form.signed(), choice.number(-form.low, extent - 1 - form.high))
    how = choice.weighted((40, 'modulo'), (20, 'clamp'), (15, 'divide'), (25, 'wrap'), (10, 'mask'))
    form = form.signed()
    if how == 'wrap' and -extent <= form.low and form.high < 2 * extent:
        return Form(
            '%s(%s, %d)' % (scope.kernel.program.wrap_function(), form.text, extent),
            0,
            extent - 1,
            False,
            True,
        )
    if how == 'clamp':
        if choice.chance(0.5):
            return Form('min(max(%s, 0), %d)' % (form.text, extent - 1), 0, extent - 1, False, True)
        inner = form.inner()
        return Form(
            '(%s < 0 ? 0 : %s >= %d ? %d : %s)' % (inner, inner, extent, extent - 1, inner),
            0,
            extent - 1,
            False,
            True,
        )
    if form.low < 0:
        form = shift(form, -form.low)
    if how == 'divide':
        divisor = form.high // extent + 1
        return Form('%s / %d' % (form.inner(), divisor), 0, form.high // divisor)
    if how == 'mask':
        power = 1
        while power * 2 <= extent:
            power *= 2
        return Form('%s & %d' % (form.inner(), power - 1), 0, power - 1, False)
    return Form('%s %% %d' % (form.inner(), extent), 0, extent - 1)


def as_var(name, form, uniform=False):
    return Var(name, form.low, form.high, uniform)
