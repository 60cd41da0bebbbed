#!/usr/bin/env python3
"""Writes a program of eight random kernels that tempt the mapping of -O2: products of rows and
columns with guards, several loops, conditions, steps, flat and two-dimensional arrays, accumulators
in memory and in registers, constant and other grids, sizes that only the launch knows (multiples of
the blocks and others, so that exact versions and general ones run). With a MAPPING of one dimension
(32x1/32x1/16) the kernels have one, too: a thread goes through rows and columns that it reads once.

usage: random_mapping.py SEED MAPPING [OPTION] > f.mcu      MAPPING as of --mapping=, OPTION e.g.
       -arch=sm_90
then   programs.py --levels 0,2 ... f.mcu                   compares all results bit for bit (a few
       seeds read beyond an array: -O0 fails)
"""
import random, sys

seed = int(sys.argv[1])
R = random.Random(seed)


def kernel(i, N, M, K):
    T = R.choice(['float', 'int', 'double', 'unsigned', 'short'])
    flat = R.random() < 0.5
    onedim = R.random() < 0.2
    runtime = (
        R.random() < 0.4
    )  # sizes that only the launch knows; those of the arrays and the guards
    if runtime:
        lda, ldb, ldc = ('n', 'nc', 'nc')
    else:
        lda, ldb, ldc = ('lda', 'ldb', 'ldc')
    A = lambda r, c: f'a{i}[{r}*{lda}+{c}]' if flat else f'a{i}[{r}][{c}]'
    B = lambda r, c: f'b{i}[{r}*{ldb}+{c}]' if flat else f'b{i}[{r}][{c}]'
    C = lambda r, c: f'c{i}[{r}*{ldc}+{c}]' if flat else f'c{i}[{r}][{c}]'
    decl = (
        f'__global__ {T} a{i}[{N*K}], b{i}[{K*M}], c{i}[{N*M}], w{i}[{K}];'
        if flat
        else f'__global__ {T} a{i}[{N}][{K}], b{i}[{K}][{M}], c{i}[{N}][{M}], w{i}[{K}];'
    )
    bx, by = R.choice([(8, 4), (16, 2), (32, 1), (16, 16), (5, 3)])
    xs = R.choice(
        [
            'blockIdx.x * blockDim.x + threadIdx.x',
            f'threadIdx.x + {bx} * blockIdx.x',
            'blockDim.x*blockIdx.x+threadIdx.x',
        ]
    )
    ys = R.choice(
        ['blockIdx.y * blockDim.y + threadIdx.y', 'threadIdx.y + blockIdx.y * blockDim.y']
    )
    it = R.choice(['int', 'int', 'int', 'long'])
    guard = R.choice(['ret', 'if', 'ret2', 'nested'])
    L = []
    acc = R.choice(['mem', 'reg', 'regout'])
    body = []

    def term():
        t = R.choice(
            [
                f'{A("row","k")} * {B("k","col")}',
                f'{A("row","k")} * {B("k","col")}',
                f'{A("row","k")} + {B("k","col")}',
                f'{B("k","col")} * w{i}[k]',
                f'w{i}[k] * {A("row","k")} - {B("k","col")}',
                f'({A("row","k")} > {B("k","col")} ? {A("row","k")} : w{i}[k])',
            ]
        )
        return t

    lo = R.choice(['0', '0', '0', '1', 'lo'])
    hi = R.choice(
        ['n', 'n', 'n', str(K), 'n - 1'] if runtime else [str(K), str(K), 'n', 'n', 'n - 1']
    )
    step = R.choice(['k++', 'k++', '++k', 'k += 2', 'k += 3'])
    S = 'sum' if acc != 'mem' else C('row', 'col')
    op = (
        R.choice(['+=', '+=', '-=', '^='])
        if T in ('int', 'unsigned', 'short')
        else R.choice(['+=', '+=', '-='])
    )
    inner = [f'{S} {op} {term()};']
    if R.random() < 0.3:
        inner.append(f'{T} v = {term()};')
        inner.append(f'{S} += v * 2;' if R.random() < 0.5 else f'if (v > 3) {S} -= v;')
    if R.random() < 0.15:
        inner.append('if (k % 5 == 3) continue;')
        inner.append(f'{S} += {term()};')
    if R.random() < 0.15:
        inner.insert(0, 'other = other * 3 + k;')
    loop = f'for ({it} k = {lo}; k < {hi}; {step}) {{ ' + ' '.join(inner) + ' }'
    if R.random() < 0.2:
        loop = f'for (int r = 0; r < rounds; r++) {{ {S} += r; {loop} }}'
    pre = (
        f'{T} sum = {R.choice(["0","row","col + 1"])};'
        if acc != 'mem'
        else (f'{C("row","col")} = 1;' if R.random() < 0.7 else '')
    )
    post = f'{C("row","col")} = sum + other;' if acc != 'mem' else f'{C("row","col")} += other;'
    if R.random() < 0.2:
        post += f' {C("row","col")} *= 2;'
    if acc == 'regout':
        L.append(pre)
        pre = ''
    core = ' '.join([pre, loop, post])
    if R.random() < 0.25:
        core += ' ' + f'for (int k = 0; k < {K}; k++) {C("row","col")} += w{i}[k];'
    rows, cols = ('nr', 'nc') if runtime else (N, M)
    cond = f'row < {rows} && col < {cols}'
    if guard == 'ret':
        L.append(f'if (row >= {rows} || col >= {cols}) return;')
        L.append(core)
    elif guard == 'ret2':
        L.append(f'if (row >= {rows}) return;')
        L.append(f'if (col >= {cols}) return;')
        L.append(core)
    elif guard == 'if':
        L.append(f'if ({cond}) {{ {core} }}')
    else:
        L.append(f'if (row < {rows}) {{ if (col < {cols}) {{ {core} }} }}')
    # regout: sum declared before the guard uses row,col only
    params = 'int n, int rounds, int lo, int lda, int ldb, int ldc, int nr, int nc'
    code = (
        f'{decl}\n__global__ void k{i}({params})\n{{\n  int row = {ys}, col = {xs};\n  int other ='
        f' {R.choice(["0","1","row - col"])};\n  ' + '\n  '.join(L) + '\n}\n'
    )
    args = (
        f'({R.choice([K,K,K//2,1])}, {R.choice([0,1,2,3])}, {R.choice([0,1,2])}, {K}, {M}, {M},'
        f' {N} + zero, {M} + zero)'
    )
    if runtime:
        args = (
            f'({K} + zero, {R.choice([0,1,2])}, {R.choice([0,1,2])}, {K}, {M}, {M}, {N} + zero,'
            f' {M} + zero)'
        )
    gx, gy = (M + bx - 1) // bx, (N + by - 1) // by
    if R.random() < 0.2:
        gx = max(1, gx - 1)
    dyn = R.random() < (0.8 if runtime else 0.4)
    g = f'dim3({gx} + zero, {gy})' if dyn else f'dim3({gx}, {gy})'
    init = ''
    f = lambda n, e: (
        f'  for (int i = 0; i < {n}; i++) (({T} *){e})[i] = ({T})((i * {R.choice([7,13,29])} +'
        f' {R.choice([1,5])}) % {R.choice([11,17,23])} -'
        f' {R.choice([0,5,8])}){R.choice([""," / 3" if T in ("float","double") else ""])};\n'
    )
    init += f(N * K, f'a{i}') + f(K * M, f'b{i}') + f(N * M, f'c{i}') + f(K, f'w{i}')
    return code, init + f'  k{i}<<<{g}, dim3({bx}, {by})>>>{args};\n'


def line_kernel(i, N, M, K):
    """One thread a line: rows of a, columns of b, vectors w and v, sums in memory or in a
    register."""
    T = R.choice(['float', 'int', 'double', 'unsigned', 'float', 'short'])
    flat = R.random() < 0.5
    at = lambda name, r, c, ld: f'{name}{i}[{r}*{ld}+{c}]' if flat else f'{name}{i}[{r}][{c}]'
    A = lambda: at(
        'a', 'line', R.choice(['k', 'k', 'k + 1', 'k']), f'{K+4}' if R.random() < 0.5 else 'lda'
    )
    B = lambda: at('b', 'k', 'line', f'{N}' if R.random() < 0.5 else 'ldb')
    terms = [
        A,
        A,
        B,
        lambda: f'{A()} * w{i}[k]',
        lambda: f'{B()} * w{i}[k]',
        lambda: f'({A()} > {B()} ? {A()} : w{i}[k])',
        lambda: f'w{i}[k + line % 2]',
    ]
    size = f'{N*(K+4)}],b{i}[{(K+4)*N}' if flat else f'{N}][{K+4}],b{i}[{K+4}][{N}'
    decl = f'__global__ {T} a{i}[{size}],w{i}[{K+4}],c{i}[{N}],d{i}[{N}];'
    S = R.choice(['sum', f'c{i}[line]'])
    op = (
        R.choice(['+=', '+=', '-=', '^='])
        if T in ('int', 'unsigned', 'short')
        else R.choice(['+=', '-='])
    )

    def loop():
        body = [f'{S} {op} {R.choice(terms)()};' for _ in range(R.choice([1, 1, 2]))]
        if R.random() < 0.2:
            body.append(f'if ({R.choice(terms)()} > 3) {S} -= {R.choice(terms)()};')
        if R.random() < 0.2:
            body.insert(0, f'{S} = {S} * 3 + {R.choice(terms)()};')
        lo, hi = R.choice(['0', '0', '0', '1', 'lo']), R.choice([str(K), str(K), 'n', 'n - 1', 'n'])
        text = (
            f'for ({R.choice(["int","int","long"])} k = {lo}; k < {hi};'
            f' {R.choice(["k++","k++","k++","k += 2"])}) {{ ' + ' '.join(body) + ' }'
        )
        return f'for (int r = 0; r < rounds; r++) {{ {text} }}' if R.random() < 0.15 else text

    core = ' '.join(loop() for _ in range(R.choice([1, 1, 2])))
    core = (
        f'{T} sum = {R.choice(["0","line"])}; {core} d{i}[line] ='
        f' sum{R.choice([""," + 1"," * 2"])};'
        if S == 'sum'
        else f'{R.choice(["",f"c{i}[line] = 1; "])}{core}'
    )
    guard = (
        f'if (line >= {N}) return; {core}'
        if R.random() < 0.5
        else f'if (line < {R.choice([N,N,"total"])}) {{ {core} }}'
    )
    code = (
        f'{decl}\n__global__ void k{i}(int n, int rounds, int lo, int lda, int ldb, int'
        f' total)\n{{\n  int line = blockIdx.x * blockDim.x + threadIdx.x;\n  {guard}\n}}\n'
    )
    threads = R.choice([1, 5, 32, 50, 64, 128])
    blocks = (N + threads - 1) // threads
    grid = f'{blocks} + zero' if R.random() < 0.4 else str(blocks)
    f = lambda n, e: (
        f'  for (int i = 0; i < {n}; i++) (({T} *){e})[i] = ({T})((i * {R.choice([7,13,29])} +'
        f' {R.choice([1,5])}) % {R.choice([11,17,23])} -'
        f' {R.choice([0,5,8])}){R.choice([""," / 3" if T in ("float","double") else ""])};\n'
    )
    init = f(N * (K + 4), f'a{i}') + f((K + 4) * N, f'b{i}') + f(K + 4, f'w{i}') + f(N, f'c{i}')
    return (
        code,
        init + f'  k{i}<<<{grid}, {threads}>>>({R.choice([K,K,K//2,1])}, {R.choice([0,1,2,3])},'
        f' {R.choice([0,1,2])}, {K+4}, {N}, {R.choice([N,N-1,N//2])});\n',
    )


print(f'// args: --mapping={sys.argv[2]} {sys.argv[3] if len(sys.argv)>3 else ""}')
print('#include <stdio.h>')
make = line_kernel if sys.argv[2].split('/')[0].endswith('x1') else kernel
ks = [
    make(
        i,
        R.choice([20, 33, 64, 64, 70, 128]),
        R.choice([17, 40, 64, 64, 65, 128]),
        R.choice([1, 7, 16, 32, 33, 48, 64]),
    )
    for i in range(8)
]
for c, _ in ks:
    print(c)
print(
    'int zero;\nint main(int argc, char **argv)\n{\n  zero = argc - 1;\n'
    + ''.join(m for _, m in ks)
    + '  puts("ok");\n  return 0;\n}'
)
# SPDX-License-Identifier: MIT
