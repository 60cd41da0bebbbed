#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Is each number that an emitted kernel stores rounded as the kernel as written rounds it?

usage: trees.py --mesicc PATH --build DIR [--jobs N] [--arch sm_90] [--option WORD]... [-v]
                [--filters N] [--random N] [--first SEED] [--keep DIR] FILE...

nvcc compiles the program at -O0 and at -O2 to PTX. From what is stored in global memory the tool
goes back to loads, parameters, constants and what several ways lead to: a tree of operations. Loads
have no names in it, so that the elements of a thread have the same tree, and products and sums say
how they are rounded: `fma`, or `mul` and `add`. The tree of each number that an emitted kernel
stores, or hands on to another basic block, has to be one of the kernel as written.

`mul` without .rn is ptxas's choice: it is `fused` if all its uses are sums and differences of its
own basic block, of two products of a sum the first one. docs/inside/rounding.md has the rules.
Steps of the same form one after another count once, for nvcc unrolls loops in other ways; what the
kernel as written stores and an emitted one keeps in a register counts as a load, and so may a
number, for it may be an argument as written. A finding
says to look; no finding says that the rounding is the same, if both kernels have the same steps.
--option: of mesicc, as --option=--mapping=always.
--filters, --random: random kernels (testsuite/fuzz), ten a program; what fails is kept in DIR
(tree-failures). Without nvcc nothing is done.
-v prints the number of trees of each kernel. Last line: "N passed, N failed".
"""
import argparse, collections, concurrent.futures, itertools, os, re, shutil, sys, tempfile, time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), 'fuzz')]
import contraction, programs  # noqa: E402
from generator.program import generate  # noqa: E402

COMMUTES = ('add', 'min', 'max')
DEEP = 20000  # of the walk: chains of unrolled loops
STORES = ('st.global', 'st.shared', 'st.local')
ONE, MINUS_ONE = ('0f3F800000', '0d3FF0000000000000'), ('0fBF800000', '0dBFF0000000000000')
KERNELS = 10  # of a random program
FORMS = 12  # of a tree with loads in the place of its parts


class Trees:
    """The trees of a function, as numbers: equal trees have one number in `known`. Differences are
    sums with what is negated, and the sign of a product stands at one factor."""

    def __init__(self, function, known):
        self.f, self.known, self.by_register = function, known, {}
        self.nodes = list(known)  # in the order of their numbers
        self.chains = contraction.Chains(function)

    def number(self, *node):
        if len(node) > 2 and node[0] in ('fma', 'add'):
            for i in range(1, len(node)):  # the same step again
                below = self.nodes[node[i]]
                if below[0] == node[0] and sorted(below[1:]) == sorted(
                        node[1:i] + node[i + 1:] + (below[-1], )) and node[i] != below[-1]:
                    return node[i]
        number = self.known.setdefault(node, len(self.known))
        if number == len(self.nodes):
            self.nodes.append(node)
        return number

    def operand(self, word):
        found = re.match(r'-?(%\w+)$', word)
        if not found:
            zero = word[:1] == '0' and not int(word[2:], 16)  # what loops begin with
            return self.number('constant', word) if word[:1] == '0' and not zero else \
                self.number('leaf')
        register = found[1]
        if register not in self.by_register:
            self.by_register[register] = self.number('leaf')  # while it is looked at
            self.by_register[register] = self.of_register(register)
        return self.by_register[register]

    def of_register(self, register):
        made = self.f.made.get(register, ())
        if len(made) != 1:
            return self.number('leaf')
        op, _, operands, _, rn = made[0]
        name = op.split('.')[0]
        if name in ('mov', 'cvta') and len(operands) == 1 and re.match(r'mov\.(f|b)', op):
            return self.operand(operands[0])
        if name in contraction.SUMS and not rn:
            return self.of_sum(name, operands, made[0])
        if name in ('add', 'sub', 'mul', 'fma', 'neg', 'abs', 'min', 'max', 'div', 'rcp', 'sqrt',
                    'rsqrt', 'ex2', 'lg2', 'sin', 'cos', 'cvt') and \
                not re.search(r'\.[usb](16|32|64)$', op):
            return self.node(name, operands)
        return self.number('leaf')

    def negated(self, number):
        node = self.nodes[number]
        if node[0] == 'constant':
            return self.number('constant', self.other_sign(node[1]))
        if node[0] == 'neg':
            return node[1]
        if node[0] == 'div' and self.nodes[node[2]][0] == 'constant':
            return self.number('div', node[1], self.negated(node[2]))
        return self.number('neg', number)

    @staticmethod
    def other_sign(constant):
        digits = len(constant) - 2
        return '%s%0*X' % (constant[:2], digits, int(constant[2:], 16) ^ 8 << 4 * (digits - 1))

    def factors(self, operands, negative=False):
        """Two factors with the sign of their product at one place."""
        below = []
        for number in operands:
            if self.nodes[number][0] == 'neg':
                number, negative = self.nodes[number][1], not negative
            below.append(number)
        constants = [i for i in (0, 1) if self.nodes[below[i]][0] == 'constant']
        if negative:
            chosen = constants[0] if constants else below.index(min(below))
            below[chosen] = self.negated(below[chosen])
        return sorted(below)

    def node(self, name, operands):
        below = [self.operand(o) for o in operands]
        if name == 'neg':
            return self.negated(below[0])
        if name == 'sub':
            name, below[1] = 'add', self.negated(below[1])
        if name == 'mul':
            return self.product(self.factors(below))
        if name == 'fma':
            return self.fused(self.factors(below[:2]), below[2])
        return self.number(name, *(sorted(below) if name in COMMUTES else below))

    def product(self, factors):
        """One with 1 is exact, and with -1 the sign alone."""
        for i, number in enumerate(factors):
            if self.nodes[number] in (('constant', c) for c in MINUS_ONE):
                return self.negated(factors[1 - i])
            if self.nodes[number] in (('constant', c) for c in ONE):
                return factors[1 - i]
        return self.number('mul', *factors)

    def fused(self, product, other, name='fma'):
        """A product with a power of two is exact: the same fused or not."""
        constants = [self.nodes[n][1] for n in product if self.nodes[n][0] == 'constant']
        if any(map(contraction.is_power, constants)):
            return self.number('add', *sorted((self.number('mul', *product), other)))
        return self.number(name, *product, other)

    def of_sum(self, name, operands, item):
        """A sum, fused with the product that ptxas takes first."""
        for i, operand in enumerate(operands):
            made = self.chains.source(operand)
            state = made and made[0] == 'mul' and not made[4] and self.chains.state(made)
            if state in ('fused', 'x'):
                other = self.operand(operands[1 - i])
                other = self.negated(other) if name == 'sub' and not i else other
                negative = (name == 'sub' and i == 1) != self.is_negated(operand)
                product = self.factors([self.operand(o) for o in made[2]], negative)
                return self.fused(product, other, 'fma' if state == 'fused' else 'fma or not')
        return self.node(name, operands)

    def is_negated(self, operand):
        """Is the product behind it negated?"""
        made = self.f.made.get(operand, ())
        negative = False
        while len(made) == 1 and made[0][0].startswith(('mov.f', 'neg.f')):
            negative ^= made[0][0].startswith('neg.f')
            made = self.f.made.get(made[0][2][0], ())
        return negative

    def all(self, memory=('st.global', )):
        """What is stored there, or handed on."""
        roots = set()
        for items in self.f.used.values():
            for item in items:
                if item[0].startswith(memory) and re.search(r'\.f(32|64)$', item[0]):
                    roots |= {self.operand(w) for o in item[2][1:] for w in re.findall(r'%\w+', o)}
        for register, made in self.f.made.items():
            if made[0][0].startswith('selp.f'):
                roots |= set(map(self.operand, made[0][2][:2]))
            if len(made) > 1 and register.startswith(('%f', '%fd')):
                roots |= {self.of_way(item) for item in made}
        return {n for n in roots if self.nodes[n][0] not in ('leaf', 'constant')}

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
    if node[0] in ('leaf', 'constant'):
        return 'v' if node[0] != 'constant' else node[1]
    if not depth:
        return '...'
    return '%s(%s)' % (node[0], ', '.join(shown(known, n, depth - 1) for n in node[1:]))


class Kept:
    """Trees in which what the kernel as written stores, and reads again, stays in a register."""

    def __init__(self, trees, stored):
        self.trees, self.stored, self.seen = trees, stored, {}

    def forms(self, number):
        """The tree, and some with a load in the place of parts that are stored in the kernel as
        written."""
        if number in self.seen:
            return self.seen[number]
        self.seen[number] = [number]  # while it is looked at
        node, out = self.trees.nodes[number], [number]
        if node[0] == 'constant':  # it may be an argument as written
            out.insert(0, self.trees.number('leaf'))
        if node[0] not in ('leaf', 'constant'):
            below = [self.operand(n) for n in node[1:]]
            for chosen in itertools.islice(itertools.product(*below), 10 * FORMS):
                chosen = sorted(chosen) if node[0] in COMMUTES else chosen
                chosen = sorted(chosen[:2]) + list(chosen[2:]) if node[0][:3] in ('mul', 'fma') \
                    else chosen
                made = self.trees.number(node[0], *chosen)
                out += [made] if made not in out else []
        self.seen[number] = out[:FORMS]
        return self.seen[number]

    def operand(self, number):
        forms = self.forms(number)
        load = [self.trees.number('leaf')] if not self.stored.isdisjoint(forms) else []
        return load + forms


def compare(written, emitted):
    """(what is wrong, lines for -v) of two PTX texts."""
    known, by_name, wrong, lines = {}, collections.defaultdict(set), [], []
    for function in contraction.functions_of(written):
        by_name[contraction.identifier(function.name)] |= Trees(function, known).all(STORES)
    for function in contraction.functions_of(emitted):
        own = contraction.identifier(function.name)
        names = [n for n in by_name if own == n or own.startswith(n + '_')]
        if not names:
            continue
        trees, stored = Trees(function, known), by_name[max(names, key=len)]
        if '_steps' in own:  # of two kernels that take turns
            stored = set().union(*by_name.values())
        found, kept = trees.all(), Kept(trees, stored)
        stored = stored.union(*(Kept(trees, stored).forms(n) for n in stored))
        lines.append('%s: %d trees' % (own, len(found)))
        for number in sorted(n for n in found if stored.isdisjoint(kept.forms(n))):
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
    parser.add_argument('--filters', type=int, default=0)
    parser.add_argument('--random', type=int, default=0)
    parser.add_argument('--first', type=int, default=int(time.time() / 86400))
    parser.add_argument('--keep', default='tree-failures')
    parser.add_argument('files', nargs='*')
    options = parser.parse_args()
    sys.setrecursionlimit(DEEP)
    comparison = Comparison(options)
    if not comparison.runner.o.nvcc:
        print('there is no nvcc\n0 passed, 0 failed')
        return 0
    with tempfile.TemporaryDirectory(prefix='mesi-filters-') as folder:
        return compare_all(options, comparison, options.files + random_programs(options, folder))


def random_programs(options, folder):
    """Paths of programs of --filters kernels and of --random kernels, some in each program."""
    paths = []
    for profile, kernels in (('filters', options.filters), (None, options.random)):
        for number, first in enumerate(range(0, kernels, KERNELS)):
            seed = options.first + number
            program = generate(seed, min(KERNELS, kernels - first), 1, profile)
            paths.append('%s/%s-%d.mcu' % (folder, profile or 'random', seed))
            with open(paths[-1], 'w') as file:
                file.write(program.mcu)
    return paths


def compare_all(options, comparison, files):
    passed = failed = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for path, (wrong, lines) in zip(files, pool.map(comparison.one, files)):
            if wrong != [] and path not in options.files:
                os.makedirs(options.keep, exist_ok=True)
                path = shutil.copy(path, options.keep)
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
