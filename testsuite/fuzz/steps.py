#!/usr/bin/env python3
"""Random loops of launches that hand arrays on to one another, at -O0 and, put together with random depths and shapes, at -O2.

usage: steps.py --mesicc PATH --build DIR [--seconds N] [--programs N] [--first SEED] [--seed SEED] [--print SEED] [--keep DIR]

A program has four loops: of one kernel or of two that take turns, in one, two or three dimensions, with random distances, guards, holes that
nobody writes, scalars that differ, indices that are clamped, other arrays, swapped pointers, and host accesses in between. All VS variables have to hold the
same bytes at the end, under two schedules. Last line: "N passed, N failed", programs; before it how many launches were put together.
"""
import argparse, os, random, re, subprocess, sys, tempfile, time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

class Loop:
    def __init__(self, rng, number):
        self.rng, self.n = rng, number
        self.axes = rng.choice([1, 1, 1, 2, 2, 2, 3])
        self.type = rng.choice(['int', 'int', 'float', 'float', 'double', 'unsigned', 'short', 'long long'])
        top = {1: 2600, 2: 130, 3: 26}[self.axes]
        self.size = [rng.randint(top // 3, top) for _ in range(self.axes)]   # outermost first
        self.flat = self.axes == 2 and rng.random() < 0.3
        self.two = rng.random() < 0.35
        self.named = not self.flat and rng.random() < 0.25 and self.two
        self.swaps = not self.two and rng.random() < 0.4
        self.value = rng.random() < 0.4
        self.extra = rng.random() < 0.4
        self.steps = rng.randint(1, 14)
        self.host = rng.random() < 0.25
        self.block = {1: [rng.choice([32, 100, 128])], 2: [rng.choice([4, 8]), rng.choice([16, 32])], 3: [rng.choice([1, 2]), 4, 8]}[self.axes]

    def name(self, which):
        return '%s%d' % (which, self.n)

    def dims(self):
        return ''.join('[%d]' % d for d in self.size)

    def declare(self):
        if self.flat:
            return '__global__ %s *%s, *%s, *%s;\n' % (self.type, self.name('a'), self.name('b'), self.name('c'))
        return '__global__ %s %s%s, %s%s, %s%s;\n' % (self.type, self.name('a'), self.dims(), self.name('b'), self.dims(), self.name('c'), self.dims())

    def element(self, array, index):
        if self.flat:
            return '%s[(%s) * w + %s]' % (array, index[0], index[1])
        return array + ''.join('[%s]' % i for i in index)

    def kernel(self, name, source, target, moves):
        rng, ids = self.rng, ['z', 'y', 'x'][-self.axes:]
        reach = 2 if self.axes < 3 else 1
        low, high = [rng.randint(0, reach) for _ in ids], [rng.randint(0, reach) for _ in ids]
        guards, reads = [], []
        for d, i in enumerate(ids):
            end = ('h', 'w')[d] if self.flat else str(self.size[d])
            guards.append('%s >= %d && %s < %s - %d' % (i, low[d] if moves else rng.randint(0, 2), i, end, high[d] if moves else rng.randint(0, 2)))
        if rng.random() < 0.3:
            d = rng.randrange(len(ids))
            at = rng.randint(1, self.size[d] - 1)
            guards.append('%s %s %d' % (ids[d], rng.choice(['!=', '!=', '<', '>']), at))
        if rng.random() < 0.15:
            guards.append('!(%s)' % ' && '.join('%s > %d && %s < %d' % (i, self.size[d] // 3, i, self.size[d] // 2) for d, i in enumerate(ids)))
        for _ in range(rng.randint(1, 4)):
            index = []
            for d, i in enumerate(ids):
                offset = rng.randint(-low[d], high[d]) if moves else 0
                term = '%s %s %d' % (i, '+' if offset >= 0 else '-', abs(offset)) if offset else i
                if offset and not self.flat and rng.random() < 0.1:
                    term = 'max(%s, 0)' % term if offset < 0 else 'min(%s, %d)' % (term, self.size[d] - 1)
                index.append(term)
            factor = rng.choice(['', '', '2 * ', '3 * ', 'by * ' if self.value else ''])
            reads.append(factor + self.element(source, index))
        if self.extra:
            reads.append(self.element('other' if self.flat or not self.named else self.name('c'), ids))
        total = ' + '.join(reads)
        if self.type in ('float', 'double'):
            total = '(%s) * %s' % (total, rng.choice(['0.125', '0.25', '0.0625']) + ('f' if self.type == 'float' else ''))
        elif self.type in ('short', 'int', 'long long'):
            total = '(%s) %% %d' % (total, rng.choice([97, 1009, 251]))
        pre = ''.join('  int %s = blockIdx.%s * blockDim.%s + threadIdx.%s;\n' % (i, 'xyz'[len(ids) - 1 - d], 'xyz'[len(ids) - 1 - d], 'xyz'[len(ids) - 1 - d])
                      for d, i in enumerate(ids))
        store = '%s = %s;' % (self.element(target, ids), total)
        if rng.random() < 0.25:
            body = '  if (!(%s))\n    return;\n  %s\n' % (' && '.join(guards), store)
        else:
            body = '  if (%s)\n    %s\n' % (' && '.join(guards), store)
        if rng.random() < 0.1:
            body = body.replace(store, 'if (%s %% 3 != 1) %s' % (ids[-1], store))
        params = []
        if not self.named:
            inner = ''.join('[%d]' % d for d in self.size[1:])
            kind = '%s *%s' if self.flat or self.axes == 1 else '%s (*%s)' + inner
            params = ['const ' + kind % (self.type, source), kind % (self.type, target)] + (['const ' + kind % (self.type, 'other')] if self.extra else [])
        params += ['int h, int w'] if self.flat else []
        params += ['int by'] if self.value else []
        return '__global__ void %s(%s)\n{\n%s%s}\n' % (name, ', '.join(params), pre, body)

    def kernels(self):
        a, b = (self.name('a'), self.name('b')) if self.named else ('from', 'to')
        text = self.kernel(self.name('k'), a, b, True)
        if self.two:
            text += self.kernel(self.name('m'), *((b, a) if self.named else ('from', 'to')), self.rng.random() < 0.4)
        return text

    def launch(self, kernel, source, target, by):
        reverse = list(reversed(self.size))
        blocks = list(reversed(self.block))
        grid = ', '.join('%d' % ((s + b - 1) // b) for s, b in zip(reverse, blocks))
        args = [] if self.named else [source, target] + ([self.name('c')] if self.extra else [])
        args += ['%d, %d' % tuple(self.size)] if self.flat else []
        args += [by] if self.value else []
        return '%s<<<dim3(%s), dim3(%s)>>>(%s);' % (kernel, grid, ', '.join(map(str, blocks)), ', '.join(args))

    def run(self):
        a, b, c, n = self.name('a'), self.name('b'), self.name('c'), 1
        for s in self.size:
            n *= s
        text = ''
        if self.flat:
            text += ''.join('  %s = (%s *)mesi_malloc(%d * sizeof *%s);\n' % (x, self.type, n, x) for x in (a, b, c))
        flat = ['%s[i]' % x if self.flat else '(&%s%s)[i]' % (x, '[0]' * self.axes) for x in (a, b, c)]
        text += '  for (int i = 0; i < %d; i++) {\n%s  }\n' % (n, ''.join('    %s = i * %d %% %d;\n' % (f, p, q) for f, p, q in zip(flat, (7, 5, 3), (61, 53, 11))))
        by = self.rng.choice(['t', '2', 't % 3'])
        body = []
        if self.two:
            body = [self.launch(self.name('k'), a, b, by), self.launch(self.name('m'), b, a, by)]
        elif self.swaps and not self.named:
            kind = '%s *' % self.type if self.flat or self.axes == 1 else None
            if kind:
                text += '  %sp = %s, *q = %s;\n' % (kind, a, b) if True else ''
                body = [self.launch(self.name('k'), 'p', 'q', by), '%sr = p;' % kind, 'p = q;', 'q = r;']
        if not body:
            body = [self.launch(self.name('k'), a, b, by), self.launch(self.name('k'), b, a, by)]
        loop = '  for (int t = 0; t < %d + zero; t++) {\n%s  }\n' % (self.steps, ''.join('    %s\n' % l for l in body))
        text += loop
        if self.host:
            text += '  %s = %d;\n' % (flat[0].replace('[i]', '[%d]' % (n // 2)), self.rng.randint(0, 50))
            text += loop
        return 'static void run%d(int zero)\n{\n%s}\n' % (self.n, text)

def program(seed):
    rng = random.Random(seed)
    loops = [Loop(rng, i) for i in range(4)]
    return ('// seed %d\n#include <cstdio>\n' % seed + ''.join(l.declare() + l.kernels() + l.run() for l in loops) +
            'int main(int argc, char **argv)\n{\n' + ''.join('  run%d(argc - 1);\n' % i for i in range(4)) + '  return 0;\n}\n')

def shape(rng):
    depth = rng.choice([3, 5, 7, 9, 31])
    return rng.choice(['always', str(depth), str(depth), '%d/128x1x1/32x3x1w' % depth, '%d/64x1x1/32x2x1w' % depth, '%d/64x20x1/32x5x1w' % min(depth, 5),
                       '%d/64x24x1/32x4x1w' % min(depth, 5), '%d/32x32x1/32x8x1' % min(depth, 7), '%d/16x16x16/16x4x4' % min(depth, 5), '%d/96x1x1/32x1x1' % depth])

def execute(o, seed, folder):
    rng = random.Random(seed)
    text = program(seed)
    path = os.path.join(folder, 'p.mcu')
    open(path, 'w').write(text)
    dumps, stepped, forms = [], 0, [('0', []), ('2', ['--temporal=' + shape(rng)]), ('2', ['--temporal=' + shape(rng)])]
    for i, (level, extra) in enumerate(forms):
        cpp, out = '%s/%d.cpp' % (folder, i), '%s/%d' % (folder, i)
        done = subprocess.run([o.mesicc, '--target=cpu', '-O' + level, *extra, '-o', cpp, path], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60)
        if done.returncode:
            return 'translation %s: %s' % (extra, done.stdout.decode()[-500:]), 0
        lib = os.path.join(o.build, 'runtime')
        done = subprocess.run(['g++', '-O1', '-w', '-std=c++17', '-ffp-contract=off', '-fno-strict-aliasing', '-pthread', '-isystem', ROOT + '/runtime', '-isystem', ROOT + '/runtime/cpu',
                               '-isystem', ROOT + '/runtime/cpu/include', '-fuse-ld=gold', cpp, lib + '/cpu/libmesi_cpu.a', lib + '/libmesi_cpu_core.a', lib + '/cpu/libmesi_cpu.a',
                               '-lboost_context', '-ldl', '-lm', '-o', out], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300)
        if done.returncode:
            return 'g++ %s: %s' % (extra, done.stdout.decode()[-800:]), 0
        for schedule in ['forward'] if not i else ['reverse', 'random:1']:
            env = dict(os.environ, MESI_DUMP=out + '.dump', MESI_SCHEDULE=schedule, MESI_STATS=out + '.stats')
            done = subprocess.run([out], env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120)
            if done.returncode:
                return 'status %d at %s: %s' % (done.returncode, extra, done.stdout.decode()[-500:]), 0
            dumps.append(open(out + '.dump', 'rb').read())
            found = re.search(r'^stepped (\d+)', open(out + '.stats').read(), re.M)
            stepped += int(found.group(1)) if found else 0
            if dumps[-1] != dumps[0]:
                return 'results differ with %s, schedule %s' % (extra, schedule), stepped
    return None, stepped

def main():
    parser = argparse.ArgumentParser()
    for name in ('--mesicc', '--build', '--keep'):
        parser.add_argument(name)
    parser.add_argument('--seconds', type=float, default=60)
    parser.add_argument('--programs', type=int, default=1 << 60)
    parser.add_argument('--first', type=int, default=1)
    parser.add_argument('--seed', type=int)
    parser.add_argument('--print', type=int)
    o = parser.parse_args()
    if o.print is not None:
        print(program(o.print))
        return 0
    end, passed, failed, stepped, seed = time.time() + o.seconds, 0, 0, 0, o.seed if o.seed is not None else o.first
    while True:
        with tempfile.TemporaryDirectory() as folder:
            problem, count = execute(o, seed, folder)
        stepped += count
        passed, failed = passed + (problem is None), failed + (problem is not None)
        if problem:
            print('seed %d: %s' % (seed, problem))
            if o.keep:
                os.makedirs(o.keep, exist_ok=True)
                open('%s/steps-%d.mcu' % (o.keep, seed), 'w').write(program(seed))
        seed += 1
        if o.seed is not None or time.time() > end or passed + failed >= o.programs:
            break
    print('%d launches became part of others; next seed %d' % (stepped, seed))
    print('%d passed, %d failed' % (passed, failed))
    return failed > 0

if __name__ == '__main__':
    sys.exit(main())
