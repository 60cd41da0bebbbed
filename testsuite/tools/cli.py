#!/usr/bin/env python3
"""The command line: options, files, depfiles, exit status, the verbs. Last line: N passed, N
failed."""
import argparse, glob, json, os, re, subprocess, tempfile

import cli_bundles
from harness import expect, finish, run

parser = argparse.ArgumentParser()
parser.add_argument('--mesicc', required=True)
options = parser.parse_args()
MESICC = os.path.abspath(options.mesicc)
PROGRAM = """#include "size.h"
__global__ int a[N];
__global__ void k(int *p, int v) { p[threadIdx.x] += v; }
int main(int argc, char **argv) { k<<<1, N>>>(a, VALUE);
  for (int i = 0; i < N; i++) if (a[i] != VALUE) return 1; return argc; }
"""
THRUST = """#include <cstdio>
#include <thrust/device_vector.h>
#include <cuda/std/array>
#include <cuda/std/complex>
#include <cuda/std/tuple>
#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/reduce.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/system/cuda/execution_policy.h>
__global__ int kept[64];
using number = cuda::std::complex<float>;
__global__ void times(float *to) { float x = to[threadIdx.x];
  cuda::std::tuple<number, number> two(number(x, 1), number(2, x));
  to[threadIdx.x] = (cuda::std::get<0>(two) * cuda::std::get<1>(two)).imag(); }
__global__ void turn(int *p, int n) { int i = threadIdx.x; if (i < n) {
  cuda::std::array<int, 2> a{p[i], 1}; kept[i] = a[0] + a[1]; p[i] = -p[i]; } }
int main() {
  thrust::device_vector<int> v(64);
  thrust::sequence(thrust::cuda::par.on(0), v.begin(), v.end());
  turn<<<1, 64>>>(thrust::raw_pointer_cast(v.data()), 64);
  thrust::sort(v.begin(), v.end());
  int sum = thrust::reduce(v.begin(), v.end(), 0, thrust::plus<int>());
  thrust::device_vector<float> x(1, 3.f);
  times<<<1, 1>>>(thrust::raw_pointer_cast(x.data()));
  if (x[0] != 11) return 2;
  if (v[0] != -63 || v[63] != 0 || sum != -2016 || kept[5] != 6) return 1;
  printf("ok\\n");
}
"""


def mesicc(*args, stdin=b''):
    return run([MESICC] + list(args), stdin=stdin)


def read(path):
    return open(path).read()


def check_samples(base):
    """A folder with a sample.json stands for its options, sources and arguments."""
    os.makedirs('samples/one', exist_ok=True)
    open('samples/one/one.mcu', 'w').write(PROGRAM)
    open('samples/one/twice.c', 'w').write('int twice(int a) { return 2 * a; }\n')
    words = ' "include": ["../../inc"], "options": ["-DVALUE=7"]'
    one = '{ "sources": ["*.mcu", "*.c"], "arguments": ["x", "y"],%s, "small": {} }' % words
    open('samples/one/sample.json', 'w').write(one)
    result = mesicc('run', '--target=cpu', 'samples/one')
    expect('a folder: its arguments', result[0] == 3, result)
    result = mesicc('run', '--target=cpu', 'samples/one/', '--', 'x')
    expect('a folder: those of the command line', result[0] == 2, result)
    result = mesicc('-o', '-', 'samples/one')
    expect('a folder: translated', result[0] == 0 and '_mesi' in result[1], result, 300)
    expect(
        'a folder behind an option', mesicc(*base, '-I', 'samples/one', '-o', '-', 'p.mcu')[0] == 0
    )
    for text, word in [
        ('{', 'expected'),
        ('{ "sources": [] }', 'no sources'),
        ('{ "sources": ["no.mcu"] }', "no source 'no.mcu'"),
        ('{ "sources": ["."] }', "no source '.'"),
        ('{ "sources": ["one.mcu"], "options": [1] }', 'no text'),
        ('{ "sources": ["one.mcu"], "include": "a" }', 'no list'),
    ]:
        open('samples/one/sample.json', 'w').write(text)
        status, out, err = mesicc('run', 'samples/one')
        expect('sample.json: ' + text, status == 1 and 'M1002' in err and word in err, err)
    status, out, err = mesicc('survey', 'samples')
    expect('survey of a folder with a sample.json', status == 0, err)


def fake_toolkit(folder, architectures):
    """A folder with an nvcc that lists these architectures."""
    os.makedirs(folder + '/bin', exist_ok=True)
    os.makedirs(folder + '/include', exist_ok=True)
    open(folder + '/include/cuda_runtime.h', 'w').close()
    lines = ''.join('echo compute_%d\n' % n for n in architectures)
    open(folder + '/bin/nvcc', 'w').write(
        '#!/bin/sh\n[ "$1" = --list-gpu-arch ] || exit 1\n' + lines
    )
    os.chmod(folder + '/bin/nvcc', 0o755)
    return '--cuda-path=' + folder


def check_architectures():
    """Those that do not exist are refused by name; those that only a newer nvcc knows are not."""
    newer = fake_toolkit('newer', [90, 130])
    unknown = "there is no GPU architecture '%s'; mesicc knows sm_70, sm_72, "
    for words, said in [
        (['-arch=sm_99', '--cuda-path='], unknown % 'sm_99'),
        (['-arch=sm_99', newer], 'it is unknown to newer/bin/nvcc'),
        (['-arch=sm_130', '--cuda-path='], unknown % 'sm_130'),
        (['-arch=compute_90', '-code=sm_90,sm_97'], unknown % 'sm_97'),
        (['-gencode', 'arch=compute_90,code=[sm_90,sm_95]'], unknown % 'sm_95'),
        (['-arch=sm_80a'], "there is no 'sm_80a'"),
        (['-arch=sm_90f'], "there is no 'sm_90f'"),
        (['-arch=sm_35'], "'sm_35' is older than sm_70"),
        (['-arch=sm90'], "'sm90' is no name of a GPU architecture"),
        (['-arch=sm_121', '-Dx', '-o', '/nowhere/x.cu'], 'cannot be written'),
        (['-arch=sm_90a', '-o', '/nowhere/x.cu'], 'cannot be written'),
        (['-arch=sm_130', '-M', '-o', '/nowhere/x.d', newer], 'M2001'),  # none of its headers
    ]:
        result = mesicc(*words, 'empty.cu')
        expect('architectures: ' + ' '.join(words), said in result[2] and result[0], result)


def check_json():
    """JSON that is none: its place, and a caret."""
    os.makedirs('database', exist_ok=True)
    os.makedirs('none', exist_ok=True)
    for path in ['bad.json', 'database/compile_commands.json', 'none/sample.json']:
        open(path, 'w').write('{"a": 1,\n "b" 2}\n')
    for words, path in [
        (['plot', 'bad.json'], 'bad.json'),
        (['-p', 'database', 'empty.cu'], 'database/compile_commands.json'),
        (['run', 'none'], 'none/sample.json'),
        (['--tuned=bad.json', 'empty.cu'], 'bad.json'),
    ]:
        result = mesicc(*words)
        said = result[2].split('\n')
        place = said[0].startswith(path + ':2:6: error') and 'this is no JSON' in said[0]
        expect('no JSON: ' + path, result[0] == 1 and place and said[2].strip() == '^', result)


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    os.mkdir('inc')
    open('inc/size.h', 'w').write('#pragma once\n#define N 32\n')
    open('p.mcu', 'w').write(PROGRAM)
    open('typeof.cu', 'w').write('int main() { typeof(1) a = 0; return a; }\n')
    base = ['-I', 'inc', '-DVALUE=7']

    for what, args, status, word in [
        ('no input', [], 1, 'M1001'),
        ('unknown option', ['--frobnicate', 'p.mcu'], 1, 'frobnicate'),
        ('missing file', ['none.mcu'], 1, 'M1002'),
        ('a directory', ['inc'], 1, 'M1002'),
        ('two inputs of one name', ['p.mcu', 'p.mcu'], 1, 'M1007'),
        ('unwritable output', base + ['-o', '/nowhere/x.cu', 'p.mcu'], 1, 'M1003'),
        ('output is a directory', base + ['-o', 'inc', 'p.mcu'], 1, 'M1003'),
        ('bad level', ['-O7', 'p.mcu'], 1, 'M1001'),
        ('bad target', ['--target=tpu', 'p.mcu'], 1, 'M1001'),
        ('bad architecture', ['-arch=sm_35', 'p.mcu'], 1, 'M1001'),
        ('bad standard', ['-std=c++03', 'p.mcu'], 1, 'M1001'),
        ('bad size', ['--shared-memory=-1', 'p.mcu'], 1, 'M1001'),
        ('missing argument', ['p.mcu', '-o'], 1, 'M1001'),
        ('typeof in strict C++', ['-std=c++17', 'typeof.cu', '-o', '-'], 2, 'M2001'),
        ('a macro without a name', ['-D=3', 'p.mcu'], 1, 'M1001'),
        ('missing option file', ['@none', 'p.mcu'], 1, 'M1002'),
        ('arguments without run', ['p.mcu', '--', 'x'], 1, 'M1001'),
        ('--check for CUDA', base + ['--check', 'p.mcu'], 1, '--target=cpu'),
        (
            'run --check for CUDA',
            ['run', '--check', '--target=cuda'] + base + ['p.mcu'],
            1,
            '--target=cpu',
        ),
        ('source error', ['p.mcu'], 2, 'M2001'),
        ('a misspelt option', ['--explian', 'p.mcu'], 1, "did you mean '--explain'"),
        ('a misspelt -f option', ['-fno-asociative-math', 'p.mcu'], 1, 'did you mean'),
        ('a misspelt verb', ['rnu', 'p.mcu'], 1, "did you mean 'run'"),
        ('no such remark', ['-Rmesi=map,stags', 'p.mcu'], 1, "'-Rmesi=stags': the kinds are stage"),
        ('no number', ['tune', '--candidates=x', 'p.mcu'], 1, "'--candidates=x' is no number from"),
        ('setup of nothing', ['setup'], 1, 'setup needs the name'),
        ('an object of text', base + ['-o', 'p.o', 'p.mcu'], 1, '-c makes an object'),
        ('a phase with a verb', ['run', '-c', 'p.mcu'], 1, '--compile'),
        ('two phases', ['-ptx', '-cubin', 'p.mcu'], 1, 'one at a time'),
        ('-o for two', base + ['-o', 'x.cu', 'p.mcu', 'q.mcu'], 1, 'M1001'),
    ]:
        result = mesicc(*args)
        expect(
            what, result[0] == status and word in result[2] and not os.path.exists('p.cu'), result
        )

    result = mesicc(*base, 'p.mcu')
    expect('default output', result[0] == 0 and os.path.exists('p.cu'), result)
    emitted = read('p.cu')
    expect('twice the same', mesicc(*base, '-o', '-', 'p.mcu')[1] == emitted)
    expect('typeof, as nvcc has it', mesicc('typeof.cu', '-o', '-')[0] == 0)
    expect('standard input', mesicc(*base, '-o', '-', '-', stdin=PROGRAM.encode())[0] == 0)
    open('opts', 'w').write('-I "inc"\n-DVALUE=7\n')
    expect('@file', mesicc('@opts', '-o', '-', 'p.mcu')[1] == emitted)
    expect('-optf', mesicc('-optf', 'opts', '-o', '-', 'p.mcu')[1] == emitted)
    expect('joined options', mesicc('-Iinc', '-DVALUE=7', '-o', '-', 'p.mcu')[1] == emitted)
    expect('--no-line', '#line' not in mesicc(*base, '--no-line', '-o', '-', 'p.mcu')[1])
    expect('-include', mesicc('-I', 'inc', '-include', 'inc/value.h', '-o', '-', 'p.mcu')[0] == 2)
    open('inc/value.h', 'w').write('#define VALUE 7\n')
    expect(
        '-include of a file',
        mesicc('-I', 'inc', '-include', 'inc/value.h', '-o', '-', 'p.mcu')[0] == 0,
    )
    expect('--version', mesicc('--version')[1].startswith('mesicc '))
    expect('--help', '-Rmesi' in mesicc('--help')[1])
    open('sum.cu', 'w').write(
        '__global__ void sum(int *n, const int *v) { atomicAdd(n, v[blockIdx.x]); }\n'
        'void run(int *n, int *v) { sum<<<64, 64>>>(n, v); }\n'
    )
    said = [mesicc('-Rmesi=' + kind, '-o', '-', 'sum.cu')[2] for kind in ('privatize', 'private')]
    expect('-Rmesi=private is privatize', said[0] == said[1] and 'M401' in said[0], said[0], 300)
    for verb in ['run', 'compare', 'bundle', 'tune', 'prove']:
        page = mesicc('help', verb)[1]
        expect(
            'help ' + verb,
            page.startswith('mesicc %s ' % verb)
            and page == mesicc(verb, '--help')[1]
            and ('--candidates' in page) == (verb == 'tune')
            and max(map(len, page.split('\n'))) <= 100,
            page,
            300,
        )
    lines = mesicc('--help')[1].split('\n')
    expect('--help is at most 100 columns wide', max(map(len, lines)) <= 100, lines)
    for verb in ['plot', 'nvcc']:
        expect('help ' + verb + ': its options', '--target' not in mesicc('help', verb)[1])
    expect(
        'help of no verb', mesicc('help', 'tuen')[0] == 1 and 'tune' in mesicc('help', 'tuen')[2]
    )

    check_samples(base)

    strange_folder = os.path.join(folder, "a b'\"$(x);\\ü")
    os.mkdir(strange_folder)
    inputs = [os.path.join(folder, 'inc'), '-DVALUE=7', os.path.join(folder, 'p.mcu')]
    for where in ['/', '/usr', strange_folder]:
        for more in [[], ['--cuda-path='], ['--target=cpu']]:
            os.chdir(where)
            result = mesicc(*more, '-o', '-', '-I', *inputs)
            expect('in %s %s' % (where, more), result[0] == 0, result, 400)
    os.chdir(folder)

    mesicc(*base, '-MD', '-MP', 'p.mcu')
    expect(
        'depfile',
        read('p.d') == 'p.cu: p.mcu \\\n  inc/size.h\ninc/size.h:\n',
        read('p.d') if os.path.exists('p.d') else 'none',
    )
    mesicc(*base, '-MD', '-MF', 'x.d', '-MT', 'target', '-o', 'y.cu', 'p.mcu')
    expect('-MF -MT', read('x.d').startswith('target: p.mcu'))
    mesicc(*base, '-MJ', 'fragment', 'p.mcu')
    os.mkdir('db')
    open('db/compile_commands.json', 'w').write('[' + read('fragment').rstrip().rstrip(',') + ']')
    entry = json.load(open('db/compile_commands.json'))[0]
    expect(
        '-MJ',
        entry['file'] == os.path.join(folder, 'p.mcu') and '-DVALUE=7' in entry['arguments'],
        entry,
    )
    result = mesicc('-p', 'db', '-o', '-', 'p.mcu')
    expect('-p', result[0] == 0, result)
    expect('-p without an entry', mesicc('-p', 'db', '-o', '-', 'inc/size.h')[0] == 1)

    expect('-M', mesicc(*base, '-M', 'p.mcu')[1] == 'p.cu: p.mcu \\\n  inc/size.h\n')
    expect('-MQ', mesicc(*base, '-MM', '-MQ', 'a b$', 'p.mcu')[1].startswith('a\\ b$$: p.mcu'))
    os.mkdir('objects')
    open('q.mcu', 'w').write('extern __global__ int a[32];\nint last() { return a[31]; }\n')
    open('m.mcu', 'w').write(
        PROGRAM.replace('int main', 'int last();\nint main').replace(
            'return argc', 'return last() - VALUE'
        )
    )
    cpu = ['--target=cpu'] + base
    result = mesicc(*cpu, '-c', '-MD', '-odir', 'objects', 'm.mcu', 'q.mcu')
    expect(
        '-c of two files',
        result[0] == 0
        and read('objects/m.d').startswith('objects/m.o: m.mcu')
        and os.path.getsize('objects/q.o') > 1000,
        result,
    )
    result = mesicc(*cpu, '--link', 'm.mcu', 'objects/q.o', '-o', 'linked')
    expect('--link with an object', result[0] == 0 and run(['./linked'])[0] == 0, result)
    expect('-E', 'int last()' in mesicc(*cpu, '-E', 'q.mcu')[1])
    expect('-c is the target', mesicc(*cpu, '-ptx', 'q.mcu')[0] == 1)
    result = mesicc('run', *cpu, 'm.mcu', 'q.mcu')
    expect('run of two files', result[0] == 0, result)
    result = mesicc('compare', *cpu, '--levels=0,2', 'm.mcu', 'q.mcu')
    expect('compare of two files', result[0] == 0 and 'results agree' in result[1], result)
    result = mesicc('tune', *cpu, '--repeats=1', '--candidates=1', 'm.mcu', 'q.mcu')
    expect('tune of two files', result[0] == 0, result)
    result = mesicc(*base, '-odir', 'objects', 'm.mcu', 'q.mcu')
    expect('-odir', result[0] == 0 and os.path.exists('objects/q.cu'), result)

    os.symlink('p.mcu', 'soft.mcu')
    os.link('inc/size.h', 'hard.h')
    source, header = read('p.mcu'), read('inc/size.h')
    for what, args in [
        ('-o', ['-o', 'p.mcu']),
        ('-o, a symbolic link', ['-o', 'soft.mcu']),
        ('-o, an included header', ['-o', 'hard.h']),
        ('-MF', ['-o', 'new.cu', '-MF', './p.mcu']),
        ('-MJ', ['-o', 'new.cu', '-MJ', 'inc/size.h']),
        ('--explain-file', ['-o', 'new.cu', '--explain=json', '--explain-file=inc/../p.mcu']),
        ('two outputs', ['-o', 'new.cu', '-MF', 'inc/../new.cu']),
    ]:
        result = mesicc(*base, *args, 'p.mcu')
        same = (
            read('p.mcu') == source and read('inc/size.h') == header and os.path.islink('soft.mcu')
        )
        expect(
            'an output that is an input: ' + what,
            result[0] == 1 and 'M1007' in result[2] and same and not os.path.exists('new.cu'),
            result,
        )
    result = subprocess.run(
        [MESICC] + base + ['-o', 'p.mcu', '-'], stdin=open('p.mcu'), stderr=subprocess.PIPE
    )
    expect(
        'standard input is the output', result.returncode == 1 and read('p.mcu') == source, result
    )
    result = mesicc('tune', '--target=cpu', *base, '-o', 'p.mcu', 'p.mcu')
    expect('tune', result[0] == 1 and 'M1007' in result[2] and read('p.mcu') == source, result)

    flags = [
        '--extended-lambda',
        '--expt-relaxed-constexpr',
        '-lineinfo',
        '-use_fast_math',
        '-g',
        '-w',
        '-Xptxas',
        '-v',
        '-rdc=true',
        '-gencode',
        'arch=compute_90,code=sm_90',
        '-Xcompiler=-Wall,-O1',
        '-L',
        '/usr/lib',
        '-lm',
    ]
    expect(
        'options of nvcc change no text',
        mesicc(*base, '-arch=sm_90', *flags, '-o', '-', 'p.mcu')[1]
        == mesicc(*base, '-arch=sm_90', '-o', '-', 'p.mcu')[1],
    )
    expect('no architecture', mesicc(*base, '-gencode', 'arch=x', 'p.mcu')[0] == 1)
    open('omp.mcu', 'w').write(
        '#include <omp.h>\nint main() { return omp_get_max_threads() < 1 || _OPENMP < 200000; }\n'
    )
    result = mesicc('run', '--target=cpu', '-Xcompiler', '-fopenmp', 'omp.mcu')
    expect('-Xcompiler -fopenmp', result[0] == 0, result)
    expect(
        'a library',
        'none_of_that_name'
        in mesicc('run', '--target=cpu', *base, '-lnone_of_that_name', 'p.mcu')[2],
    )
    open('empty.cu', 'w').close()
    check_architectures()
    check_json()
    result = mesicc('bundle', '-o', 'with_library', *base, '-lm', 'p.mcu')
    libraries = glob.glob('with_library/src/*.libs')
    expect('libraries in a folder', result[0] == 0 and read(libraries[0]) == '-lm\n', result)
    result = mesicc('bundle', '-o', 'with_option', *base, '-Xcompiler=-g', 'p.mcu')
    expect('no options of compilers in a folder', 'M1001' in result[2], result)
    expect(
        'run passes the status on',
        mesicc('run', '--target=cpu', *base, 'p.mcu', '--', 'x', 'y')[0] == 3,
    )
    result = mesicc('compare', '--target=cpu', *base, 'p.mcu')
    expect('compare of a failing program', result[0] == 4 and 'results agree' in result[1], result)
    open('ok.mcu', 'w').write(PROGRAM.replace('return argc', 'return 0'))
    result = mesicc('compare', '--target=cpu', *base, 'ok.mcu')
    levels = re.findall(r'^-O\d', result[1], re.M)
    expect('compare', result[0] == 0 and 'results agree' in result[1], result)
    expect('compare: its levels', levels == ['-O0', '-O1', '-O2'], result)
    open('differs.mcu', 'w').write(
        PROGRAM.replace('return argc', 'a[0] = getpid(); return 0').replace(
            '#include', '#include <unistd.h>\n#include', 1
        )
    )
    result = mesicc('compare', '--target=cpu', *base, 'differs.mcu')
    expect(
        'compare finds a difference',
        result[0] == 4
        and 'results differ, at one level as well' in result[1]
        and 'a[0] is' in result[1],
        result,
    )

    open('grid.mcu', 'w').write(
        """__global__ float a[4][8]; static __global__ unsigned char c[3];
__global__ void k(float v) { a[blockIdx.x][threadIdx.x] = v; c[blockIdx.x % 3] = LAST; }
int main() { k<<<3, 8>>>(0.5f); return 0; }
"""
    )
    result = mesicc('compare', '--check', '-DLAST=7', 'grid.mcu')
    expect(
        'compare --check',
        result[0] == 0 and '-O3, random:1: same' in result[1] and 'results agree' in result[1],
        result,
    )
    result = mesicc('compare', '--check', '--levels=0,2', '-DLAST=(c[0]=blockIdx.x)', 'grid.mcu')
    expect(
        'compare --check names index and values',
        result[0] == 4 and '-O2, reverse: c[0] is 0, was 2' in result[1] and '-O1' not in result[1],
        result,
    )
    open('grid2.mcu', 'w').write(
        read('grid.mcu').replace('a[blockIdx.x][threadIdx.x] = v', 'a[3][5] = blockIdx.x + v')
    )
    result = mesicc('compare', '--check', '--levels=1', '-DLAST=1', 'grid2.mcu')
    expect(
        'compare --check names all indices',
        result[0] == 4 and '-O1, reverse: a[3][5] is 0.5, was 2.5' in result[1],
        result,
    )
    expect(
        '--check is for the CPU',
        mesicc('compare', '--check', '--target=cuda', '-DLAST=7', 'grid.mcu')[0] == 1,
    )
    expect(
        'prove takes one file or two',
        mesicc('prove')[0] == 1 and mesicc('prove', 'grid.mcu', 'grid2.mcu', 'ok.mcu')[0] == 1,
    )

    open('parts.mcu', 'w').write(
        """__global__ int a[8];
extern "C" int c_part(void); int cpp_part(void);
__global__ void k() { a[threadIdx.x] += threadIdx.x; }
int main(int argc, char **argv) { k<<<1, 8>>>();
  return c_part() == 8 + 7 && cpp_part() == 9 && argc == 2 ? 0 : 1; }
"""
    )
    open('c_part.c', 'w').write(
        '#include <mesi.h>\n#include "size.h"\nextern __global__ int a[8];\nint c_part(void) { int'
        ' *p = a; return N / 4 + p[7]; }\n'
    )
    open('cpp part;.cpp', 'w').write(
        'extern int a[8];\nint cpp_part() { return a[7] + [] { return VALUE; }() - 5; }\n'
    )
    parts = ['parts.mcu', 'c_part.c', 'cpp part;.cpp']
    result = mesicc('run', '--target=cpu', *base, *parts, '--', 'x')
    expect('run with C and C++ files', result[0] == 0, result)
    result = mesicc('compare', '--target=cpu', '--levels=0,2', *base, *parts, '--', 'x')
    expect('compare with C and C++ files', result[0] == 0 and 'results agree' in result[1], result)
    expect('a C file alone', mesicc('run', 'c_part.c')[0] != 0)
    expect('a translation of two files', mesicc(*base, 'ok.mcu', 'c_part.c')[0] == 1)
    result = mesicc('run', '--target=cpu', '-DVALUE=7', *parts)  # size.h is not found
    expect('a C file that does not compile', result[0] == 2 and 'c_part.c' in result[2], result)
    result = mesicc('run', '--target=cpu', *base, 'ok.mcu', 'missing.c')
    expect('a missing C file', result[0] in (1, 2) and 'missing.c' in result[2], result)
    result = mesicc(
        'bundle',
        '-o',
        'bundled',
        '-DVALUE=7',
        '-DN=8',
        'grid.mcu',
        '-DLAST=7',
        'c_part.c',
        '--',
        'some words',
        '2',
    )
    name = 'bundled/src/grid-VALUE=7-N=8-LAST=7'
    expect(
        'bundle with C files',
        result[0] == 0
        and read(name + '.run') == 'some words\n2\n'
        and os.path.exists(name + '.parts/c_part.c'),
        result,
    )
    copied = [
        os.path.join(folder, name)
        for folder, _, names in os.walk('bundled/runtime')
        for name in names
    ]
    missing = [
        (path, wanted)
        for path in copied
        for wanted in re.findall(r'^#include "([\w./]+\.(?:h|def))"', read(path), re.M)
        if not os.path.exists(os.path.join(os.path.dirname(path), wanted))
        and not path.endswith('_cpu.c')
    ]
    expect('a bundle has all that its runtime includes', len(copied) > 60 and not missing, missing)
    result = mesicc('bundle', '-o', 'bundled_headers', *base, 'ok.mcu')
    headers = sorted(n for n in os.listdir('inc') if n.endswith('.h'))
    expect(
        'bundle with a folder of headers',
        result[0] == 0 and headers and sorted(os.listdir('bundled_headers/include')) == headers,
        result,
    )
    cli_bundles.check(mesicc, base)
    os.makedirs('kernels', exist_ok=True)
    open('kernels/half.h', 'w').write('#define HALF(x) ((x) / 2)\n')
    open('kernels/halve.cuh', 'w').write(
        '#pragma once\n#include "half.h"\n__global__ float data[64];\n__global__ void halve() {'
        ' data[threadIdx.x] = HALF(data[threadIdx.x]); }\n'
    )
    open('halves.mcu', 'w').write(
        '#include "halve.cuh"\nint main() { data[3] = 8; halve<<<1, 64>>>(); return data[3] !='
        ' 4; }\n'
    )
    result = mesicc('bundle', '-o', 'bundled_kernels', '-I', 'kernels', '--levels=2', 'halves.mcu')
    emitted = read('bundled_kernels/src/halves_O2.cu')
    expect(
        'bundle with a header that is spliced in and includes another',
        result[0] == 0
        and '#include "half.h"' in emitted
        and os.path.exists('bundled_kernels/include/half.h'),
        result,
    )
    result = mesicc(
        'bundle', '-o', 'bundled_fast', '-use_fast_math', '--levels=0,2', *base, 'ok.mcu'
    )
    expect(
        'bundle with -use_fast_math',
        result[0] == 0
        and open('bundled_fast/cases').read().split()[1:] == ['0', '2', 'F']
        and len(os.listdir('bundled_fast/src')) > 3,
        result,
    )
    expect(
        'bundle with another option',
        mesicc('bundle', '-o', 'bundled_std', '-std=c++17', *base, 'ok.mcu')[0] in (0, 1),
    )

    for standard in ('c++11', 'c++14', 'c++17', 'c++20', 'c++23'):
        before, kept = os.environ.get('MESI_CACHE'), os.path.abspath('cache_of_' + standard)
        os.environ['MESI_CACHE'] = kept
        result = mesicc('-O0', '-std=' + standard, '-o', 'standard.cu', *base, 'ok.mcu')
        headers = [n for n in os.listdir(kept) if n.endswith('.pch')]
        expect('%s: a precompiled prelude' % standard, result[0] == 0 and headers, result)
        del os.environ['MESI_CACHE']
        if before:
            os.environ['MESI_CACHE'] = before

    open('sorted.mcu', 'w').write(THRUST)
    toolkit = (
        subprocess.run(
            ['sh', '-c', 'ls -d ${CUDA_PATH:-/usr/local/cuda}/include/cccl'],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        ).returncode
        == 0
    )
    result = mesicc('run', '--target=cpu', 'sorted.mcu')
    expect(
        'Thrust on the CPU backend, with the headers of a toolkit',
        not toolkit or result[0] == 0 and result[1].endswith('ok\n'),
        result,
    )
    result = mesicc('run', '--target=cpu', '--cuda-path=', 'sorted.mcu')
    expect(
        'Thrust without a toolkit',
        result[0] == 2 and "'thrust/device_vector.h' file not found" in result[2],
        result,
    )

    strange = 'a b;$(touch hacked)`touch hacked`"\'.mcu'
    open(strange, 'w').write(PROGRAM.replace('return argc', 'return 0'))
    expect('a strange file name', mesicc('run', '--target=cpu', *base, strange)[0] == 0)
    expect(
        'a strange macro value',
        mesicc(
            'run',
            '--target=cpu',
            '-I',
            'inc',
            '-DVALUE=7',
            '-DX="$(touch hacked)`touch hacked`"',
            'ok.mcu',
        )[0]
        == 0,
    )
    expect('no shell has run', not os.path.exists('hacked'))
    expect('nothing is left beside the outputs', not [n for n in os.listdir('.') if '.cu.' in n])
    os.chdir('/')

finish()
# SPDX-License-Identifier: MIT
