#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Does nvcc round in the code that mesicc emits at -O2 as it does in the kernels as written?

usage: contraction.py --mesicc PATH --build DIR [--jobs N] [--arch sm_90] [-v] [FILE...]
FILE: all programs of testsuite/cuda, conformance, golden and samples where none is given.

nvcc compiles the program at -O0 and at -O2 to PTX. A chain is a sum with the products that it uses:
each is fused with it, rounded before, or left to ptxas. The factors of a product are described by
what computes them: constants by value, v for memory, parameters, sums, and what several ways lead
to. A product with a power of two is exact, and left out. A chain of an emitted kernel that the
kernel as written has not got is a finding.

ptxas fuses what cicc leaves, too. It fuses a product whose uses are all sums of its own block, of
any number; of two products of a sum the left one. Where a use stands in another block, its choice
depends on what is live there: `x`. docs/inside/rounding.md has the rules.
-v prints the chains of each program. Last line: "N passed, N failed".
"""
import argparse, collections, concurrent.futures, glob, os, re, sys, tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, 'testsuite', 'tools'))
import programs

PATTERNS = (
    'testsuite/cuda/*.cu',
    'testsuite/conformance/*.mcu',
    'testsuite/golden/*.mcu',
    'samples/*/*.mcu',
    'samples/bench/*/*.mcu',
)
FOLDERS = ('samples/mpf', 'samples/junction', 'samples/binning')
ENTRY = re.compile(r'\.(?:entry|func)\s+(?:\([^)]*\)\s*)?([\w$]+)')
REAL = re.compile(r'(fma|mul|add|sub)\.(.*\.)?(f32|f64)$')
SUMS = ('add', 'sub')
DEPTH = 2  # of what factors are computed by


def is_power(constant):
    """Is it a power of two?"""
    if not re.match(r'0[fd][0-9A-Fa-f]+$', constant):
        return False
    mantissa = 23 if constant[1] == 'f' else 52
    return not int(constant[2:], 16) & ((1 << mantissa) - 1)


class Function:
    """The instructions of a kernel: their operation, result, operands and basic block."""

    def __init__(self, name):
        self.name = name
        self.made = collections.defaultdict(list)  # register -> instructions
        self.used = collections.defaultdict(list)
        self.real = []

    def add(self, words, block):
        op, operands = words
        found = REAL.match(op)
        stores = op.startswith(('st.', 'red.', 'bar', 'bra', 'call')) or not operands
        item = (found[1] if found else op, operands[0] if not stores else None,
                operands if stores else operands[1:], block, bool(found and '.rn.' in op + '.'))
        if found:
            self.real.append(item)
        for result in re.findall(r'%\w+', '' if stores else operands[0]):
            self.made[result].append(item)
        for operand in item[2]:
            for register in re.findall(r'%\w+', operand):
                self.used[register].append(item)


def functions_of(text):
    """The kernels and functions of PTX."""
    functions, function, block = [], None, 0
    for line in text.splitlines():
        line = line.split('//')[0].strip()
        found = ENTRY.search(line)
        if found:
            function, block = Function(found[1]), 0
            functions.append(function)
        if not function or line.startswith('.') or not line:
            continue
        if line.endswith(':'):
            block += 1
            continue
        line = re.sub(r'^[{@]\s*!?%?p?\d*\s*', '', line).rstrip(';')
        op, _, rest = line.partition(' ')
        op, _, more = op.partition('\t')
        operands = re.findall(r'\{[^}]*\}|\[[^\]]*\]|[^,\s]+', more + ' ' + rest)
        if re.match(r'[a-z]', op):
            function.add((op, operands), block)
        if op.startswith(('bra', 'ret')):
            block += 1
    return functions


class Chains:
    def __init__(self, function):
        self.f = function

    def source(self, operand):
        """The one instruction that computes an operand, behind moves; None: several, or none."""
        for _ in range(8):
            made = self.f.made.get(operand, ())
            if len(made) != 1:
                return None
            if not made[0][0].startswith(('mov.f', 'mov.b', 'neg.f')):
                return made[0]
            operand = made[0][2][0]
        return None

    def described(self, operand, depth=DEPTH):
        if operand.startswith('0f') or operand.startswith('0d'):
            return operand
        item = self.source(operand)
        if item is None:
            made = self.f.made.get(operand, ())
            constant = len(made) == 1 and made[0][0].startswith('mov') and made[0][2][0]
            return constant if constant and constant[0] == '0' else 'v'
        op = item[0]
        if op in ('add', 'sub', 'fma') or op.startswith(('ld', 'selp', 'shfl', 'call')):
            return 'v'
        if op == 'mul' and not depth:
            return 'v'
        if not depth:
            return op
        return '%s(%s)' % (op, ','.join(sorted(self.described(o, depth - 1) for o in item[2])))

    def users(self, item):
        """What uses the result, behind negations."""
        for user in self.f.used[item[1]]:
            if user[0].startswith('neg.f'):
                yield from self.users(user)
            else:
                yield user

    def state(self, product):
        """What ptxas does with a product that a sum uses."""
        users = list(self.users(product))
        if len(self.f.made[product[1]]) > 1 or any(u[0] not in SUMS for u in users):
            return 'rounded'
        return 'fused' if all(u[3] == product[3] for u in users) else 'x'

    def factors(self, item):
        """None: the product is exact."""
        factors = sorted(self.described(o) for o in item[2][:2])
        return None if any(map(is_power, factors)) else ' * '.join(factors)

    def product(self, item, taken):
        """A sum's product; of two that it could fuse, the left one is."""
        factors = self.factors(item)
        state = 'pinned' if item[4] else 'rounded' if taken else self.state(item)
        return factors and '%s %s' % (state, factors)

    def of_sum(self, item):
        parts = []
        for operand in item[2]:
            made = self.source(operand)
            if made and made[0] == 'mul':
                taken = any(part.startswith('fused') for part in parts if part)
                parts.append(self.product(made, taken))
        return ' + '.join(sorted(filter(None, parts)))

    def of_fused(self, item):
        chain = self.factors(item)
        chain = chain and 'fused ' + chain
        added = self.source(item[2][2])
        if added and added[0] == 'mul' and self.factors(added):
            chain = (chain + ' + ' if chain else '') + (
                'pinned ' if added[4] else 'rounded ') + self.factors(added)
        return chain

    def all(self):
        found = set()
        for item in self.f.real:
            if item[0] in SUMS and not item[4]:
                chain = self.of_sum(item)
            elif item[0] == 'fma':
                chain = self.of_fused(item)
            else:
                continue
            if chain:
                found.add(chain)
        return found


def chains_of(text):
    """Name of a kernel -> its chains."""
    return {f.name: Chains(f).all() for f in functions_of(text)}


def identifier(name):
    """k of _Z1kPf: the last name with its length in front."""
    found = re.match(r'_Z(?:N|L)*', name)
    rest, last = name[found.end():] if found else '', name
    while True:
        number = re.match(r'\d+', rest)
        if not number:
            return last
        end = number.end() + int(number[0])
        last, rest = rest[number.end():end], rest[end:]


CONVERSION = re.compile(r'cvt[\w.]*(\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))?')


def ordered(chain):
    parts = [part.partition(' ') for part in chain.split(' + ') if part]
    return ' + '.join(sorted(
        state + ' ' + ' * '.join(sorted(factors.split(' * '))) for state, _, factors in parts))


def forms(chain):
    """The chain, and with fewer constants: nvcc may know a number here and not there. A product
    that mesicc rounds (pinned) is one that nvcc rounds, or what came from memory as written."""
    kept = ' + '.join(p for p in chain.split(' + ') if not p.startswith('pinned'))
    for one in (chain.replace('pinned', 'rounded'), kept):
        plain = CONVERSION.sub('v', one)
        for form in (one, plain, re.sub(r'0[fd][0-9A-F]+', 'v', plain)):
            yield ordered(form)


def new_chains(written, emitted):
    """What an emitted kernel has and the one as written has not."""
    by_name = collections.defaultdict(set)
    for name, chains in written.items():
        by_name[identifier(name)] |= chains
    everything = set().union(*by_name.values()) if by_name else set()
    for name, chains in sorted(emitted.items()):
        own = identifier(name)
        names = [n for n in by_name if own == n or own.startswith(n + '_') or
                 re.match(r'(mesi_)?%s' % re.escape(n), own)]
        had = by_name[max(names, key=len)] if names else everything
        known = {form for chain in had for form in list(forms(chain))[:2]} | {''}
        for chain in sorted(c for c in chains - had if known.isdisjoint(forms(c))):
            yield '%s: %s' % (own, chain)


class Comparison:
    def __init__(self, options):
        self.o = options
        self.runner = programs.Runner(programs.plain_options(options.mesicc, options.build, 'auto'))

    def ptx(self, path, args, level, work):
        source, output = '%s/O%s.cu' % (work, level), '%s/O%s.ptx' % (work, level)
        folders = [w for f in FOLDERS for w in ('-I', os.path.join(ROOT, f))]
        args = [a for a in args if not re.match(r'-O\d$|-arch=', a)] + ['-arch=' + self.o.arch]
        status, text = self.runner.translate(path, args + folders, 'cuda', level, source)
        if status:
            return None, 'mesicc ends with %d: %s' % (status, text[:300])
        taken = ('-D', '-U', '-std=', '--use_fast', '-use_fast')
        defines = [a for a in args if a.startswith(taken)]
        std = [] if any(a.startswith('-std=') for a in defines) else ['-std=c++17']
        if 'nvcc: --extended-lambda' in open(path, errors='replace').readline():
            std.append('--extended-lambda')
        folder, runtime = os.path.dirname(path), self.runner.runtime
        command = [self.runner.o.nvcc] + std + defines + ['-ptx', '-w', '-arch=' + self.o.arch]
        command += ['-I', folder, '-I', runtime] + folders
        status, text = self.runner.kept.make(
            command, source, [runtime, folder], output, programs.run)
        if status:
            return None, 'nvcc: ' + text[:300]
        return open(output, errors='replace').read(), None

    def one(self, path):
        """(what is wrong, the chains as text)"""
        path = os.path.abspath(path)
        args = programs.Runner.args_of(None, path)
        with tempfile.TemporaryDirectory(prefix='mesi-chains-') as work:
            texts = []
            for level in '02':
                text, problem = self.ptx(path, args, level, work)
                if problem:
                    return None, problem
                texts.append(text)
        written, emitted = map(chains_of, texts)
        shown = [
            '%s: %s' % (identifier(n), c) for n, cs in sorted(emitted.items()) for c in sorted(cs)
        ]
        return list(new_chains(written, emitted)), '\n  '.join(shown)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--mesicc', required=True)
    parser.add_argument('--build', required=True)
    parser.add_argument('--jobs', type=int, default=os.cpu_count())
    parser.add_argument('--arch', default='sm_90')
    parser.add_argument('-v', action='store_true')
    parser.add_argument('files', nargs='*')
    options = parser.parse_args()
    files = options.files or sorted(f for p in PATTERNS for f in glob.glob(os.path.join(ROOT, p)))
    comparison = Comparison(options)
    passed = failed = left = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for path, (wrong, shown) in zip(files, pool.map(comparison.one, files)):
            name = os.path.relpath(path, ROOT)
            left += wrong is None
            failed += bool(wrong)
            passed += wrong == []
            if wrong:
                print('FAILED %s\n  %s' % (name, '\n  '.join(wrong)), flush=True)
            elif wrong is None:
                print('left out %s: %s' % (name, shown), flush=True)
            if options.v:
                print('%s\n  %s' % (name, shown), flush=True)
    print('%d left out\n%d passed, %d failed' % (left, passed, failed))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
