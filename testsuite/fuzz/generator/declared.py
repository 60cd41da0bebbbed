# SPDX-License-Identifier: MIT
"""Conditions with declarations, and loops that count in their condition.

    if (ga[i] > 2) ...           =>      if (auto d0 = ga[i]; d0 > 2) ...    if (bool d0 = ...) ...
    for (int k = 0; k < n; k++)  =>      for (int k = 0; bool d0 = k < n; k++)
    while (unsigned low = m & -m) { m ^= low; ... }     switch (int c = i % 3; c) { ... }
    while (k--) ...
"""
import re

from .choice import Choice
from .methods import closed
from .scope import Local, Scope, Var
from .values import LOADED, Values, scaled

HEAD = re.compile(r'^(\s*(?:\} else )?(?:else )?)(if|while) \(')
LOOP = re.compile(r'^(\s*for \([^;]*; )([^;,=?]*)(; .*)$')
DECLARES = re.compile(r'(?:const )?\w+ [*&]*\w+ = ')
COMPARED = re.compile(r'^([^<>=!&|?]*\[[^<>=!&|?]*\]) ([<>]=?) (-?[\d.]+f?)$')


def conditions(seed, body, share):
    """The body; each condition so by `share`."""
    choice, out = Choice(seed), []
    for line in body:
        if '#' not in line and '\\' not in line and choice.chance(share):
            line = _declaring(choice, line, 'd%d_' % len(out))
        out.append(line)
    return out


def _declaring(choice, line, name):
    loop = LOOP.match(line)
    if loop:
        return '%sbool %s = %s%s' % (loop.group(1), name, loop.group(2), loop.group(3))
    head = HEAD.match(line)
    end = closed(line, head.end() - 1) if head else None
    if not end:
        return line
    condition = line[head.end(): end - 1]
    if ';' in condition or DECLARES.match(condition):
        return line
    return line[: head.end()] + _condition(choice, condition, name, head.group(2)) + line[end - 1:]


def _condition(choice, condition, name, head):
    compared = COMPARED.match(condition)
    forms = ['bool %s = %s' % (name, condition), 'const int %s = (%s) ? 3 : 0' % (name, condition)]
    if head == 'if':
        forms.append('bool %s = %s; %s' % (name, condition, name))
        forms.append('int %s = (%s) + 1; %s > 1' % (name, condition, name))
        if compared:
            kind = choice.one(['auto', 'auto', 'const auto', 'const auto &', 'auto &&'])
            parts = (kind, name, compared.group(1), name) + compared.groups()[1:]
            forms += ['%s %s = %s; %s %s %s' % parts] * 3
    return choice.one(forms)


class Declared:
    """Statements of a kernel."""

    def __init__(self, statements):
        self.kernel, self.choice = statements.kernel, statements.choice
        self.statements = statements

    def statement(self, scope):
        self.choice.one(
            [self._bits, self._switch, self._down] * 2 + [self._switch] * 3 + [self._store_of_value]
        )(scope)

    def _unsigned(self, scope):
        name = self.kernel.fresh('s')
        scope.line('unsigned %s = %d;' % (name, self.choice.number(0, 2)))
        return name

    def _bits(self, scope):
        """Over the bits of a number, the lowest first."""
        total, mask, low = self._unsigned(scope), self.kernel.fresh('m'), self.kernel.fresh('low')
        values = Values(self.choice, scope)
        scope.line('unsigned %s = (%s) & %du;' % (mask, values.unsigned(1),
                                                  self.choice.one([7, 31, 0x111])))
        scope.line('while (unsigned %s = %s & (0u - %s)) {' % (low, mask, mask))
        inner = Scope(self.kernel, scope)
        inner.trips, inner.in_loop = scope.trips * 5, True
        inner.locals.append(Local(low, 'unsigned'))
        add = '%s = %s * 3 + (%s);' % (total, total, Values(self.choice, inner).unsigned(1))
        drop = self.choice.one(['%s ^= %s;', '%s &= ~%s;', '%s -= %s;']) % (mask, low)
        for line in self.choice.one([[add, drop], [drop, add]]):
            inner.line(line)
        inner.close()
        scope.locals.append(Local(total, 'unsigned'))

    def _switch(self, scope):
        choice, total, chosen = self.choice, self._unsigned(scope), self.kernel.fresh('c')
        cases = choice.number(2, 4)
        value = '(int)((%s) %% %du)' % (Values(choice, scope).unsigned(1), cases)
        head = choice.one(['int %s = %s', 'int %s = %s; %s', 'const int %s = %s; %s'])
        scope.line('switch (%s) {' % (head % ((chosen, value, chosen)[: head.count('%s')])))
        for number in range(cases - choice.chance(0.5)):
            inner = Scope(self.kernel, scope)
            inner.vars.append(Var(chosen, 0, cases - 1))
            scope.line('case %d:' % number)
            inner.line('%s += %s;' % (total, Values(choice, inner).unsigned(1)))
            if choice.chance(0.75):
                inner.line('break;')
        if choice.chance(0.6):
            scope.line('default:')
            Scope(self.kernel, scope).line('%s ^= 77u;' % total)
        scope.line('}')
        scope.locals.append(Local(total, 'unsigned'))

    def _down(self, scope):
        """while (k--): the iterator is 0 in the last iteration and not known behind the loop."""
        choice, k = self.choice, self.kernel.fresh('k')
        trips = choice.number(1, max(1, min(12, 160 // scope.trips)))
        start = str(trips)
        if choice.chance(0.4):
            start = self.kernel.bounded_scalar(1, trips).text
        scope.line('%s %s = %s;' % (choice.one(['int', 'int', 'unsigned']), k, start))
        unsigned = scope.lines[-1].lstrip().startswith('unsigned')
        total = self.kernel.fresh('s')
        scope.line('float %s = 0;' % total)
        head = choice.one(['while (%s--) {', 'while (%s-- > 0) {', 'for (; %s--;) {'])
        scope.line(head % k)
        inner = self.statements._inside(scope, Var(k, 0, trips - 1, True, True, unsigned), trips)
        text, bound = Values(choice, inner).real(2, 'float')
        inner.line('%s += %s;' % (total, scaled(text, bound, 2.0**30, 'float')))
        inner.close()
        scope.locals.append(Local(total, 'real', min(bound, 2.0**30) * trips))

    def _store_of_value(self, scope):
        """if (float v = ...; v > 0) s += v; else s -= v;"""
        choice, total, v = self.choice, self.kernel.fresh('s'), self.kernel.fresh('v')
        text, bound = Values(choice, scope).real(2, 'float')
        scope.line('float %s = 1;' % total)
        scope.line('if (%sfloat %s = %s; %s %s) {' % (
            choice.one(['', 'const ']), v, scaled(text, bound, LOADED, 'float'), v,
            choice.one(['> 0', '<= 1.5f', '!= 0 || %s > -1' % v])))
        inner = Scope(self.kernel, scope)
        inner.locals.append(Local(v, 'real', min(bound, LOADED)))
        inner.line('%s += %s * 0.5f;' % (total, v))
        if choice.chance(0.7):
            inner.close('} else {')
            inner.line('%s -= %s;' % (total, v))
        inner.close()
        scope.locals.append(Local(total, 'real', LOADED * 2))
