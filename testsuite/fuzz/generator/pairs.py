# SPDX-License-Identifier: MIT
"""Products of complex numbers, into the thread's own: members one by one, chains of fmaf, functions
that take and give pairs.

    float2 s0 = {0, 0};
    for (int k = 0; k < n; k++) {
      const float2 v0 = ga[y][k], v1 = gb[k][x];
      s0.x = fmaf(v0.x, v1.x, s0.x); s0.x = fmaf(-v0.y, v1.y, s0.x); ...
    }
    gc[y][x] = s0;
"""
from .types import PAIRS
from .values import LOADED, scaled

FUNCTIONS = """static __device__ KIND PRE_mul(KIND a, KIND b)
{
  KIND r;
  r.x = a.x * b.x - a.y * b.y;
  r.y = a.x * b.y + a.y * b.x;
  return r;
}
static __device__ KIND PRE_fma(KIND a, KIND b, KIND c)
{
  SCALAR x = a.x * b.x + c.x;
  SCALAR y = a.x * b.y + c.y;
  x = FMA(-a.y, b.y, x);
  y = FMA(a.y, b.x, y);
  return make_KIND(x, y);
}"""


def functions(element):
    """Lines of file scope."""
    real = element.members()[0][1].name
    text = FUNCTIONS.replace('KIND', element.name).replace('PRE', 'cu_' + element.name)
    text = text.replace('SCALAR', real).replace('FMA', 'fma' + 'f' * (real == 'float'))
    return text.split('\n')


class Pairs:
    def __init__(self, products):
        self.products, self.kernel, self.choice = products, products.kernel, products.choice

    def fits(self, scope, slot):
        return (slot.element in PAIRS and not self.kernel.program.is_exact
                and any(s.element is slot.element for s in self.products._readable(scope)))

    def reduce(self, scope, slot):
        choice, element = self.choice, slot.element
        scalar, total = element.members()[0][1], self.kernel.fresh('s')
        target = slot.own_element(choice, scope)
        scope.line('%s %s = %s;' % (element.name, total, choice.one(
            ['{0, 0}', 'make_%s(0, 0)' % element.name, '{1, -1}'])))
        inner, k = self.products._loop(scope)
        self._iteration(inner, k, total, element)
        if choice.chance(0.12):
            self._iteration(inner, k, total, element)
        inner.close()
        bound = LOADED * LOADED * 2.0**10
        for suffix, _ in element.members():
            text = total + suffix
            scope.line('%s = %s;' % (text, scaled(text, bound, 128.0, scalar.name)))
        if choice.chance(0.7):
            return scope.line('%s = %s;' % (target, total))
        for suffix, _ in choice.shuffled(element.members()):
            scope.line('%s%s %s %s%s;' % (target, suffix, choice.one(['=', '=', '+=']), total,
                                          suffix))
        return None

    def _operand(self, scope, k, element):
        """A local, or the element itself."""
        products, choice = self.products, self.choice
        slots = [s for s in products._readable(scope) if s.element is element]
        slot = choice.one(slots)
        text = slot.element_at([products._position(scope, extent, k) for extent in slot.shape])
        if choice.chance(0.3):
            return text
        name = self.kernel.fresh('v')
        scope.line('%s%s %s = %s;' % (choice.one(['const ', '']), element.name, name, text))
        return name

    def _iteration(self, scope, k, s, element):
        choice = self.choice
        a, b = (self._operand(scope, k, element) for _ in range(2))
        fma = 'fma' + 'f' * (element.name == 'float2')
        name = 'cu_' + element.name
        how = choice.weighted((30, 'plain'), (30, 'fma'), (20, 'call'), (20, 'fused'))
        if how in ('call', 'fused'):
            self.kernel.program.pairs.add(element)
        if how == 'fused':
            return scope.line('%s = %s_fma(%s, %s, %s);' % (s, name, a, b, s))
        if how == 'call':
            v = self.kernel.fresh('v')
            scope.line('%s %s = %s_mul(%s, %s);' % (element.name, v, name, a, b))
            return scope.line('%s.x += %s.x, %s.y %s %s.y;' % (
                s, v, s, choice.one(['+=', '-=']), v))
        if how == 'plain':
            minus = choice.one(['-', '-', '+'])  # with + : the second is conjugated
            other = '+' if minus == '-' else '-'
            scope.line('{s}.x += {a}.x * {b}.x {m} {a}.y * {b}.y;'.format(s=s, a=a, b=b, m=minus))
            return scope.line(
                '{s}.y += {a}.x * {b}.y {m} {a}.y * {b}.x;'.format(s=s, a=a, b=b, m=other))
        for line in ('{s}.x = {f}({a}.x, {b}.x, {s}.x);', '{s}.y = {f}({a}.x, {b}.y, {s}.y);',
                     '{s}.x = {f}(-{a}.y, {b}.y, {s}.x);', '{s}.y = {f}({a}.y, {b}.x, {s}.y);'):
            scope.line(line.format(s=s, a=a, b=b, f=fma))
        return None
