#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Is each number that an emitted kernel stores rounded as the kernel as written rounds it?

usage: trees.py --mesicc PATH --build DIR [--jobs N] [--arch sm_90] [--option WORD]... [-v] FILE...

nvcc compiles the program at -O0 and at -O2 to PTX. From what is stored in global memory the tool
goes back to loads, parameters, constants and what several ways lead to: a tree of operations. Loads
have no names in it, so that the elements of a thread have the same tree, and products and sums say
how they are rounded: `fma`, or `mul` and `add`. The tree of each number that an emitted kernel
stores, or hands on to another basic block, has to be one of the kernel as written.

`mul` without .rn is ptxas's choice: it is `fused` if all its uses are sums and differences of its
own basic block, of two products of a sum the first one. docs/inside/rounding.md has the rules.
Kernels whose loops nvcc unrolls in another way have other trees: a finding says to look, and no
finding that the rounding is the same. --option: of mesicc, as --option=--mapping=always.
-v prints the number of trees of each kernel. Last line: "N passed, N failed".
"""
import argparse, collections, concurrent.futures, os, re, sys, tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__))))
import contraction, programs

COMMUTES = ('add', 'mul', 'fma', 'min', 'max')
DEEP = 20000  # of the walk: chains of unrolled loops


class Trees:
    """The trees of a function, as numbers: equal trees have one number in `known`."""

    def __init__(self, function, known):
        self.f, self.known, self.by_register = function, known, {}
        self.chains = contraction.Chains(function)

    def number(self, *node):
        return self.known.setdefault(node, len(self.known))

    def operand(self, word):
        found = re.match(r'-?(%\w+)$', word)
        if not found:
            return self.number('constant', word) if word[:1] == '0' else self.number('leaf')
        register = found[1]
        if register not in self.by_register:
            self.by_register[register] = self.number('way')  # while it is looked at
            self.by_register[register] = self.of_register(register)
        return self.by_register[register]

    def of_register(self, register):
        made = self.f.made.get(register, ())
        if len(made) != 1:
            return self.number('way' if made else 'leaf')
        op, _, operands, _, rn = made[0]
        name = op.split('.')[0]
        if name in ('mov', 'cvta') and len(operands) == 1 and re.match(r'mov\.(f|b)', op):
            return self.operand(operands[0])
        if name in contraction.SUMS and not rn:
            return self.of_sum(name, operands, made[0])
        if name in ('add', 'sub', 'mul', 'fma', 'neg', 'abs', 'min', 'max', 'div', 'rcp', 'sqrt',
                    'rsqrt', 'ex2', 'lg2', 'sin', 'cos', 'selp', 'cvt') and \
                not re.search(r'\.[usb](16|32|64)$', op):
            return self.node(name, operands)
        return self.number('leaf')

    def node(self, name, operands):
        below = [self.operand(o) for o in operands]
        if name in COMMUTES:
            below[:2] = sorted(below[:2])
        return self.number(name, *below)

    def of_sum(self, name, operands, item):
        """A sum with the products that ptxas fuses it with."""
        below, fused = [], False
        for operand in operands:
            made = self.chains.source(operand)
            state = made and made[0] == 'mul' and not made[4] and self.chains.state(made)
            if state in ('fused', 'x') and not fused:
                fused = True
                below.append(self.number(state, *sorted(map(self.operand, made[2]))))
            else:
                below.append(self.operand(operand))
        return self.number(name, *(sorted(below) if name == 'add' and not fused else below))

    def plain(self, numbers):
        """`add` of a fused product and a value is `fma`, as cicc writes it."""
        names = {number: node for node, number in self.known.items()}
        result = set()
        for number in numbers:
            node = names[number]
            for turned in ((1, 2), (2, 1)):
                below = names[node[turned[0]]] if node[0] == 'add' and len(node) == 3 else ('', )
                if below[0] == 'fused':
                    number = self.number('fma', *below[1:], node[turned[1]])
            result.add(number)
        return result

    def all(self):
        roots = set()
        for items in self.f.used.values():
            for item in items:
                if item[0].startswith('st.global') and re.search(r'\.f(32|64)$', item[0]):
                    roots |= {self.operand(w) for o in item[2][1:] for w in re.findall(r'%\w+', o)}
        for register, made in self.f.made.items():
            if len(made) > 1 and register.startswith(('%f', '%fd')):
                roots |= {self.of_way(item) for item in made}
        leaf = {self.number('leaf'), self.number('way')}
        return self.plain(roots) - leaf

    def of_way(self, item):
        op, _, operands, _, rn = item
        name = op.split('.')[0]
        if name == 'mov':
            return self.operand(operands[0])
        if name in contraction.SUMS and not rn:
            return self.of_sum(name, operands, item)
        return self.node(name, operands) if name in ('add', 'sub', 'mul', 'fma', 'neg') else \
            self.number('leaf')


def shown(known, number, depth=5):
    """The tree as text, its upper part."""
    node = {n: k for k, n in known.items()}[number]
    if node[0] in ('leaf', 'way', 'constant'):
        return 'v' if node[0] != 'constant' else node[1]
    if not depth:
        return '...'
    return '%s(%s)' % (node[0], ', '.join(shown(known, n, depth - 1) for n in node[1:]))


def compare(written, emitted):
    """(what is wrong, lines for -v) of two PTX texts."""
    known, by_name, wrong, lines = {}, collections.defaultdict(set), [], []
    for function in contraction.functions_of(written):
        by_name[contraction.identifier(function.name)] |= Trees(function, known).all()
    for function in contraction.functions_of(emitted):
        own = contraction.identifier(function.name)
        names = [n for n in by_name if own == n or own.startswith(n + '_')]
        if not names:
            continue
        found = Trees(function, known).all()
        lines.append('%s: %d trees' % (own, len(found)))
        others = found - by_name[max(names, key=len)]
        constants = {n for node, n in known.items() if node[0] == 'constant'}
        for number in sorted(others - constants):
            wrong.append('%s: %s' % (own, shown(known, number)))
    return wrong, lines


class Comparison(contraction.Comparison):
    def one(self, path):
        path = os.path.abspath(path)
        args = programs.Runner.args_of(None, path) + self.o.option
        with tempfile.TemporaryDirectory(prefix='mesi-trees-') as work:
            texts = []
            for level in '02':
                text, problem = self.ptx(path, args, level, work)
                if problem:
                    return None, [problem]
                texts.append(text)
        return compare(*texts)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--mesicc', required=True)
    parser.add_argument('--build', required=True)
    parser.add_argument('--jobs', type=int, default=os.cpu_count())
    parser.add_argument('--arch', default='sm_90')
    parser.add_argument('--option', action='append', default=[])
    parser.add_argument('-v', action='store_true')
    parser.add_argument('files', nargs='+')
    options = parser.parse_args()
    sys.setrecursionlimit(DEEP)
    comparison = Comparison(options)
    passed = failed = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for path, (wrong, lines) in zip(options.files, pool.map(comparison.one, options.files)):
            failed += wrong is None or bool(wrong)
            passed += wrong == []
            if wrong is None:
                print('FAILED %s: %s' % (path, lines[0]), flush=True)
            elif wrong:
                print('FAILED %s\n  %s' % (path, '\n  '.join(wrong)), flush=True)
            if options.v and wrong is not None:
                print('%s\n  %s' % (path, '\n  '.join(lines)), flush=True)
    print('%d passed, %d failed' % (passed, failed))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
