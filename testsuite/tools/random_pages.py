#!/usr/bin/env python3
"""Writes a program of four random kernels whose indices are sums of table elements: bases that
change in loops (pages), with blocks, with an inner loop (functions), offsets of threads and
summands, in every order of loops; constants and locals in between, tables of several types, scaled
and subtracted; guards, breaks and early returns around them; sizes that are constants or arguments.
Tables count up evenly or repeat their values, change between launches, on the host and in kernels.

usage: random_pages.py SEED > f.mcu
then   programs.py --levels 0,1,2 ... f.mcu                 compares all results bit for bit
"""
import random, sys

seed = int(sys.argv[1])
R = random.Random(seed)
LOW, HIGH, ROOM = -40, 90, 6000
pick = R.choice


def kernel(i):
    loops = pick(['p', 'ps', 'ps', 'psf', 'psf', 'psf', 'sf', 's', 'pqs', 'pfs', 'pqsf', 'fps', ''])
    sizes = {v: pick([1, 2, 3, 4, 5, 6, 9]) for v in 'pqsf'}
    if 's' in loops:
        sizes['s'] = pick([3, 8, 17, 30])
    runtime = {v: R.random() < 0.6 for v in 'pqsf'}
    threads, blocks = pick([32, 64, 96, 33]), pick([1, 2, 3])
    element = pick(['float', 'int', 'double', 'unsigned', 'short'])
    size = lambda v: f'n{v}' if runtime[v] else str(sizes[v])
    tables, terms = [], []

    def table(variables):
        """An element of a new table, indexed by these loops, the block (b) or the thread (t)."""
        name, kind = f't{i}_{len(tables)}', pick(
            ['int', 'int', 'int', 'short', 'unsigned char', 'long long']
        )
        extents = {'t': threads, 'b': blocks, **sizes}
        count, index = 1, ''
        order = list(variables)
        R.shuffle(order)
        for v in order:
            text = {
                't': pick(['threadIdx.x', 'thread', 'thread']),
                'b': pick(['blockIdx.x', 'block', 'block']),
            }.get(v, v)
            extent = {'t': pick(['blockDim.x', str(threads)]), 'b': str(blocks)}.get(v) or size(v)
            index = (
                text
                if not index
                else (
                    f'({index}) * {extent} + {text}'
                    if ' ' in index
                    else f'{index} * {extent} + {text}'
                )
            )
            count *= extents[v]
        shift = pick([0, 0, 0, 3])
        if shift:
            index += f' + {shift}' if index else str(shift)
        tables.append((name, kind, count + shift))
        return f'{name}[{index or 0}]'

    locals_ = []
    base = [v for v in loops if v in 'pq'] + (['f'] if 'f' in loops and R.random() < 0.9 else [])
    if base:
        terms.append(table(base))
    if R.random() < 0.5:
        terms.append(table(['b'] + (['f'] if 'f' in loops and R.random() < 0.7 else [])))
    if R.random() < 0.8:
        terms.append(table(['t'] + (['f'] if 'f' in loops and R.random() < 0.7 else [])))
    else:
        terms.append(pick(['thread', '2 * thread']))
    if 's' in loops:
        terms.append(
            table(['s'] + (['f'] if 'f' in loops and R.random() < 0.7 else []))
            if R.random() < 0.8
            else '(int)s'
        )
    if R.random() < 0.3:
        terms.append(pick(['7', '2 * block'] + [f'3 * (int){v}' for v in loops]))
    R.shuffle(terms)
    terms = [t if R.random() < 0.85 else f'2 * {t}' for t in terms]
    index = terms[0]
    for t in terms[1:]:
        index += f' - {t}' if R.random() < 0.12 else f' + {t}'
    value = f'v[{index}]'
    if R.random() < 0.15:
        value += pick([' * ', ' - ']) + f'v[{index} + 1]'
    body = pick(
        [
            f'sum = sum * 2 + {value};',
            f'sum += {value};',
            f'if (sum < 1000) sum += {value}; else sum = 1;',
            f'{{ int at = {index}; sum += v[at]; }}',
        ]
    )
    for v in reversed(loops):
        head = pick(
            [f'for (int {v} = 0; {v} < {size(v)}; {v}++)'] * 5
            + [
                f'for (int {v} = {size(v)} - 1; {v} >= 0; {v}--)',
                f'for (int {v} = 0; {v} < {size(v)}; {v} += 2)',
                f'for (unsigned {v} = 0; {v} < {size(v)}; {v}++)',
                f'for (int {v} = 1; {v} < {size(v)}; {v}++)',
            ]
        )
        first = last = ''
        if R.random() < 0.12:
            first = pick(
                [
                    f'if ({v} == 2) continue; ',
                    f'if ({v} > 3 && thread > 20) break; ',
                    f'if ({v} + thread > 40) continue; ',
                    f'if (thread % 7 == {v}) sum += 1; ',
                ]
            )
        if R.random() < 0.12 and v in 'pq' and 'break' not in first and 'return' not in first:
            last = ' __syncthreads();' if 'thread' not in first else ''
        if R.random() < 0.15:
            body = f'if ({pick([f"{v} + thread < 35", f"{v} < 3", "flag"])}) {{ {body} }}'
        if 'continue' in first:
            last = ''
        body = f'{head} {{ {first}{body}{last} }}'
    early = pick([''] * 6 + ['if (thread > 29) return; ', 'if (block == 1) return; '])
    if '__syncthreads' in body and ('return' in early or 'break' in body):
        early = ''
        body = body.replace(' __syncthreads();', '')
    if 'if (' in body and '__syncthreads' in body:
        body = body.replace(' __syncthreads();', '')
    restrict = pick(['', '', '__restrict__ '])
    params = ', '.join(
        [f'const {element} *{restrict}v', f'{element} *{restrict}out']
        + [f'const {k} *{n}' for n, k, _ in tables]
        + [f'int n{v}' for v in 'pqsf']
        + ['int flag']
    )
    code = (
        f'__global__ void k{i}({params})\n{{\n  int thread = threadIdx.x, block = blockIdx.x;\n '
        f' {element} sum = 0;\n  {early}{body}\n  out[block * blockDim.x + thread] = sum;\n}}\n'
    )
    storage = f'__global__ {element} v{i}[{ROOM}], out{i}[{threads * blocks}];\n' + ''.join(
        f'__global__ {k} {n}[{c}];\n' for n, k, c in tables
    )
    uneven = lambda: [
        f"i * {R.randrange(1, 40)} % {R.randrange(2, HIGH)}",
        f"i / {R.randrange(2, 5)} * {R.randrange(1, 30)} % {HIGH}",
        str(R.randrange(HIGH)),
    ]
    even = lambda c: [f"i * {max(1, 90 // c)}"] * 2 if c <= 200 else []
    fill = (
        lambda n, c, k: (f'for (int i = 0; i < {c}; i++) {n}[i] = ' + pick(even(c) + uneven()))
        + ('' if k.startswith('unsigned') else f' - {R.randrange(-LOW)}')
        + ';'
    )
    lines = [f'for (int i = 0; i < {ROOM}; i++) v{i}[i] = i * {R.randrange(1, 50)} % 23 - 5;'] + [
        fill(n, c, k) for n, k, c in tables
    ]

    def launch():
        args = ', '.join(
            [f'v{i} + {ROOM // 2}', f'out{i}']
            + [n for n, _, _ in tables]
            + [
                (str(sizes[v]) + ' + zero' if R.random() < 0.7 else str(R.randrange(sizes[v] + 1)))
                for v in 'pqsf'
            ]
            + [str(R.randrange(2))]
        )
        return f'k{i}<<<{blocks}, {threads}>>>({args}); note(out{i}, {threads * blocks});'

    lines.append(launch())
    for _ in range(R.randrange(1, 4)):
        if tables and R.random() < 0.7:
            n, k, c = pick(tables)
            lines.append(
                pick(
                    [
                        fill(n, c, k),
                        f'{n}[{R.randrange(c)}] = {R.randrange(HIGH)};',
                        f'set<<<1, 1>>>({n}, {R.randrange(c)}, {R.randrange(HIGH)});',
                    ]
                )
            )
        if R.random() < 0.3:
            lines.append(f'v{i}[{ROOM // 2 + R.randrange(300)}] = 9;')
        lines.append(launch())
    return storage + code, lines


parts = [kernel(i) for i in range(4)]
print(f'// random kernels of seed {seed}')
print(
    '#include <stdio.h>\ntemplate<class T> __global__ void set(T *table, int i, int value) {'
    ' table[i] = value; }'
)
print(
    'static double total;\ntemplate<class T> static void note(const T *out, int n) { for (int i ='
    ' 0; i < n; i++) total = total * 0.5 + out[i] * (i % 11 + 1); }'
)
for text, _ in parts:
    print(text)
print('int main(int argc, char **)\n{\n  int zero = argc - 1;')
for _, lines in parts:
    for line in lines:
        print('  ' + line)
print('  printf("%.17g\\n", total);\n  return 0;\n}')
# SPDX-License-Identifier: MIT
