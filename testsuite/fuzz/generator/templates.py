# SPDX-License-Identifier: MIT
"""Kernels as templates: a type, a number or a functor of the kernel's text becomes a parameter.

    __global__ void k(float *p, int n) { ...j < 16... }
 => template <class T0, int C0> __global__ void k(T0 *p, int n) { ...j < C0... }      k<float,
     16><<<...>>>(a, n)
"""
import re

from .choice import Choice

TYPES = ('float', 'double', 'int', 'unsigned', 'short', 'unsigned char', 'point', 'cell', 'mixed',
         'pixel', 'uchar3', 'float3', 'float2')
FUNCTOR = re.compile(r'\b((?:Bend|Least|Put|Sum)\d+)(?=\(\)|::of)')
NUMBER = re.compile(r'(?<![\w.])(?<![eE][-+])(\d+)(?![\w.])')


def _type(name):
    """The name as a type of its own, not as a part of another one's name."""
    return re.compile(
        r'(?<!\w)(?<!unsigned )(?<!signed )(?<!long )%s(?!\w)(?! (?:char|short|long|int))' % name
    )


def _numbers(body):
    return sorted({int(n) for line in body for n in NUMBER.findall(line) if 2 <= int(n) <= 4096})


class Template:
    """lines: the kernel's text; callee: how a launch names it."""

    def __init__(self, seed, name, head, body, share):
        choice = Choice(seed)
        self.lines, self.callee = [head] + body, name
        functors = sorted({name for line in body for name in FUNCTOR.findall(line)})
        share = max(share, 0.7) if functors and share else share
        if not choice.chance(share) or any('@' in line for line in body):
            return
        types = [t for t in TYPES if _type(t).search(head)]
        numbers = _numbers(body)
        chosen = [t for t in types if choice.chance(0.5)][:2] + [
            n for n in numbers if choice.chance(0.4)
        ][:2] + [f for f in functors if choice.chance(0.8)][:1]
        chosen = choice.shuffled(chosen) if choice.chance(0.5) else chosen
        if chosen:
            self._make(choice, name, head, body, chosen)

    def _make(self, choice, name, head, body, chosen):
        parameters, arguments, lines = [], [], [head] + body
        for item in chosen:
            stem = 'C' if isinstance(item, int) else 'F' if item[0].isupper() else 'T'
            parameter = '%s%d' % (stem, sum(p.split()[1][0] == stem for p in parameters))
            parameters.append(
                '%s %s'
                % (
                    choice.one(['int', 'int', 'unsigned'])
                    if stem == 'C'
                    else choice.one(['class', 'typename']),
                    parameter,
                )
            )
            arguments.append(
                '%du' % item
                if parameters[-1].startswith('unsigned') and choice.chance(0.3)
                else str(item)
            )
            if stem == 'F':
                lines = [re.sub(r'\b%s\b(?=\(\)|::of)' % item, parameter, line) for line in lines]
            elif stem == 'T':
                lines = [_type(item).sub(parameter, line) for line in lines]
            else:
                cast = '(int)' if parameters[-1].startswith('unsigned') else ''
                lines = [lines[0]] + [
                    NUMBER.sub(
                        lambda m: cast + parameter if int(m.group(1)) == item else m.group(0), line
                    )
                    for line in lines[1:]
                ]
        start = 'template <%s>' % ', '.join(parameters)
        self.lines = (
            ([start] + lines) if choice.chance(0.5) else ['%s %s' % (start, lines[0])] + lines[1:]
        )
        self.callee = '%s<%s>' % (name, ', '.join(arguments))
