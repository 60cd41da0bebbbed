# SPDX-License-Identifier: MIT
"""Device functions of a program, made when a kernel first asks for one."""


class Devices:
    def __init__(self, choice):
        self._choice, self._lines, self._names = choice, {}, {}

    def lines(self):
        return [line for text in self._lines.values() for line in text.split('\n')]

    def _add(self, key, stem, text):
        """`text` with NAME for the function's name."""
        if key not in self._names:
            name = '%s%d' % (stem, len(self._names))
            self._names[key] = name
            inline = self._choice.weighted((6, ''), (2, '__forceinline__ '), (1, '__noinline__ '))
            self._lines[name] = '__device__ %s%s' % (inline, text.replace('NAME', name))
        return self._names[key]

    def _functor(self, key, stem, result, parameters, body):
        """A function, or a class that is called: the text in front of the arguments."""
        how = self._choice.weighted(
            (35, 'function'), (30, 'functor'), (12, 'static'), (13, 'derived'), (10, 'state')
        )
        if how == 'function':
            return self._add(key, stem, '%s NAME(%s) %s' % (result, parameters, body))
        key = key + (how,)
        if key not in self._names:
            name = '%s%d' % (stem.capitalize(), len(self._names))
            method = '__device__ %s operator()(%s) const %s' % (result, parameters, body)
            text = {
                'functor': 'struct NAME { METHOD };',
                'static': 'struct NAME { %s };' % method.replace('operator()', 'of')
                .replace('__device__', 'static __device__').replace(' const {', ' {'),
                'derived': 'template <class D> struct NAME_base { __device__ %s operator()(%s) '
                'const { return static_cast<const D *>(this)->go(%s); } };\n'
                'struct NAME : NAME_base<NAME> { %s };' % (
                    result, parameters,
                    ', '.join(p.split()[-1].lstrip('*') for p in parameters.split(', ')),
                    method.replace('operator()', 'go')),
                'state': 'class NAME { int zero; public: __device__ NAME() : zero(0) {} METHOD };',
            }[how].replace('METHOD', method).replace('NAME', name)
            self._lines[name] = text
            self._names[key] = name + ('::of' if how == 'static' else '()')
        return self._names[key]

    def wrap_function(self):
        return self._add(
            'wrap', 'wrap', 'int NAME(int i, int n) { return i < 0 ? i + n : i >= n ? i - n : i; }'
        )

    def value(self, real):
        f, one = ('f', '0.25f') if real == 'float' else ('', '0.25')
        text = self._choice.one(
            [
                '{ return x < 0 ? x * %s : x + x; }' % one,
                '{ %s y = fabs%s(x); return y > 1 ? x * %s : y; }' % (real, f, one),
            ]
        )
        return self._functor(('value', real), 'bend', real, '%s x' % real, text)

    def least(self, real):
        """Not fminf, which may take either of two zeros."""
        return self._functor(
            ('least', real), 'least', real, '%s a, %s b' % (real, real), '{ return a < b ? a : b; }'
        )

    def meeting(self):
        return self._add('meeting', 'meet', 'void NAME() { __syncthreads(); }')

    def shuffle(self, how, kind, mask, width):
        text = '%s NAME(%s v, int d) { return __shfl_%s_sync(%s, v, d%s); }' % (
            kind,
            kind,
            how,
            mask,
            width,
        )
        return self._add(('shuffle', text), 'lane', text)

    def store(self, real):
        how = self._choice.one(
            ['*p += v;', 'p[0] = p[0] * %s + v;' % ('0.5f' if real == 'float' else '0.5')]
        )
        return self._functor(
            ('store', real), 'put', 'void', '%s *p, %s v' % (real, real), '{ %s }' % how
        )

    def sum(self, element, kind):
        weight = '' if kind == 'unsigned' else ' * 0.5f' if kind == 'float' else ' * 0.5'
        term = '(unsigned)p[k]' if kind == 'unsigned' else 'p[k]'
        return self._functor(
            ('sum', element),
            'sum',
            kind,
            'const %s *p, int n' % element,
            '{\n  %s s = 0;\n  for (int k = 0; k < n; k++)\n    s += %s%s;\n  return s;\n}'
            % (kind, term, weight),
        )
