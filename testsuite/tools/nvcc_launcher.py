#!/usr/bin/env python3
"""mesicc nvcc in the place of nvcc: projects for make and CMake are built with both; objects, rules
for make, messages and exit statuses are compared.

usage: nvcc_launcher.py --mesicc FILE. Last line: N passed, N failed. Without nvcc nothing is
tested.
"""
import argparse, os, re, shutil, subprocess, tempfile

from harness import ROOT, expect, finish, run
from kept import wall

parser = argparse.ArgumentParser()
parser.add_argument('--mesicc', required=True)
options = parser.parse_args()
MESICC = os.path.abspath(options.mesicc)
NVCC = shutil.which('nvcc') or '/usr/local/cuda/bin/nvcc'
ARCH = '-arch=sm_90'

PROJECT = {
    'src/product.h': 'void product(const float *, const float *, float *, int);\n'
    '#define SIZE 64\n',
    'src/product.cu': """#include "product.h"
__global__ void multiply(const float *a, const float *b, float *c, int n) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n || col >= n) return;
  float sum = 0;
  for (int k = 0; k < n; k++) sum += a[row * n + k] * b[k * n + col];
  c[row * n + col] = sum;
}
void product(const float *a, const float *b, float *c, int n) {
  multiply<<<dim3((n + 15) / 16, (n + 15) / 16), dim3(16, 16)>>>(a, b, c, n);
}
""",
    'src/main.cu': """#include <cstdio>
#include "product.h"
__global__ void fill(float *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = i % 7;
}
int main() {
  float *p, host[SIZE];
  const int count = SIZE * SIZE;
  if (cudaMalloc(&p, 3 * count * sizeof(float))) return printf("no device\\n"), 0;
  fill<<<(2 * count + 127) / 128, 128>>>(p, 2 * count);
  product(p, p + count, p + 2 * count, SIZE);
  cudaMemcpy(host, p + 2 * count, sizeof host, cudaMemcpyDeviceToHost);
  float sum = 0;
  for (float x : host) sum += x;
  printf("sum %g\\n", sum);
  return 0;
}
""",
    'Makefile': """NVCC = nvcc
FLAGS = -arch=sm_90 -Isrc -w
prog: main.o product.o
\t$(NVCC) $(FLAGS) $^ -o $@
%.o: src/%.cu
\t$(NVCC) $(FLAGS) -MD -MF $*.dep -c $< -o $@
-include main.dep product.dep
""",
    'CMakeLists.txt': """cmake_minimum_required(VERSION 3.18)
project(product LANGUAGES CXX CUDA)
add_library(product STATIC src/product.cu)
add_executable(prog src/main.cu)
target_link_libraries(prog product)
""",
}
FILES = {
    'plain.cu': 'int plain() { return 1; }\n',
    'wrong.cu': '__global__ void k(int *p) { *p = 1; }\nint main() {\n  return nobody;\n}\n',
    'other.txt': PROJECT['src/product.cu'].replace('"product.h"', '"src/product.h"'),
    'args.rsp': '-Isrc -DWIDTH=3 %s' % ARCH,
    'warns.cu': '#include "src/product.h"\n'
    + PROJECT['src/product.cu'].split('\n', 1)[1]
    + 'int other() { int unused; return 3; }\n',
}


def write(folder, files):
    for name, text in files.items():
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        open(path, 'w').write(text)


def both(*args, **environment):
    """(status, standard output, standard error) of nvcc and of mesicc nvcc."""
    return [run(argv + list(args), **environment) for argv in ([NVCC], [MESICC, 'nvcc'])]


def names(path):
    """External names of an object or program, without those of launches by mesicc's headers."""
    listed = subprocess.run(['nm', '-g', '--defined-only', path], capture_output=True, text=True)
    found = {line.split()[-1] for line in listed.stdout.splitlines() if line.split()}
    return {name for name in found if 'mesi' not in name}


def rule(path, folder='src'):
    """The target and the user's files that a rule for make names."""
    text = open(path).read().replace('\\\n', ' ')
    words = text.split()
    return [words[0]] + sorted(w for w in words[1:] if w.startswith(folder))


def log():
    text = open('log').read() if os.path.exists('log') else ''
    if text:
        os.unlink('log')
    return text


# ---- make and CMake ----


def check_make():
    for tool, command in (('nvcc', NVCC), ('mesicc', '%s nvcc' % MESICC)):
        write(tool, PROJECT)
        status, out, err = run(
            ['make', '-C', tool, 'NVCC=' + command], MESI_NVCC_LOG=os.path.abspath('log')
        )
        expect('make with %s' % tool, status == 0, out + err)
        expect('... is silent', 'mesi' not in err, err)
    told = log()
    expect('make: both units are looked at', told.count('\n') == 2, told)
    expect('make: a unit is changed', 'src/product.cu: changed' in told, told)
    for name in ('main.o', 'product.o'):
        expected, found = names('nvcc/' + name), names('mesicc/' + name)
        expect('names of %s' % name, expected and found == expected, found ^ expected)
    for name in ('main.dep', 'product.dep'):
        expected, found = rule('nvcc/' + name), rule('mesicc/' + name)
        expect('rule of %s' % name, found == expected, found)
        text = open('mesicc/' + name).read()
        expect('... has no name of ours', 'mesi_' not in text and '/tmp' not in text, text)
    status, out, err = run(['make', '-C', 'mesicc', 'NVCC=%s nvcc' % MESICC])
    expect('nothing is made twice', 'up to date' in out, out)
    os.utime('mesicc/src/product.h', (2e9, 2e9))
    status, out, err = run(['make', '-n', '-C', 'mesicc', 'NVCC=%s nvcc' % MESICC])
    expect('a header that is newer', '-o main.o' in out and '-o product.o' in out, out)
    check_runs('nvcc/prog', 'mesicc/prog')


def check_runs(plain, ours):
    """On a GPU both print the same; elsewhere both say that there is none."""
    expected, found = run([plain]), run([ours])
    expect('what programs print', expected[1] and found[:2] == expected[:2], found)


def check_cpu():
    """The same sources for the CPU backend, as they are and translated."""
    results = []
    for level in ('-O0', '-O2'):
        argv = [MESICC, 'run', '--target=cpu', level, '-Xcompiler=-O1', 'src/main.cu']
        status, out, err = run(argv + ['src/product.cu'], timeout=wall(300))
        results.append(out)
        expect('%s on the CPU' % level, status == 0 and out.startswith('sum '), err)
    expect('both print the same', results[0] == results[1], results)


def check_cmake():
    if not shutil.which('cmake'):
        print('cmake is not installed: it is not tested')
        return
    for tool, launcher in (('cmake_plain', ''), ('cmake_ours', '%s;nvcc' % MESICC)):
        write(tool, PROJECT)
        argv = ['cmake', '-S', tool, '-B', tool + '/build', '-DCMAKE_CUDA_ARCHITECTURES=90']
        argv += ['-DCMAKE_CUDA_COMPILER=' + NVCC, '-DCMAKE_CUDA_COMPILER_LAUNCHER=' + launcher]
        status, out, err = run(argv)
        expect('cmake for %s' % tool, status == 0, err)
        environment = {'MESI_NVCC_LOG': os.path.abspath('log')}
        status, out, err = run(['cmake', '--build', tool + '/build'], **environment)
        expect('build of %s' % tool, status == 0, out + err)
    told = log()
    expect('CMake: a unit is changed', 'product.cu: changed' in told, told)
    expected, found = names('cmake_plain/build/libproduct.a'), names(
        'cmake_ours/build/libproduct.a'
    )
    expect('CMake: names of the library', expected and expected == found, expected ^ found)
    check_runs('cmake_plain/build/prog', 'cmake_ours/build/prog')


# ---- single calls ----


def products():
    found = [n for n in os.listdir('.') if re.search(r'\.(o|d|ii|ptx)$|^a\.out$|^prog$', n)]
    for name in found:
        os.unlink(name)
    return sorted(found)


def check_same(what, *args, changed, made, status=0):
    """Both end alike and make the same files; which units are changed stands in the log."""
    results = []
    for argv in ([NVCC], [MESICC, 'nvcc']):
        done = run(argv + list(args), MESI_NVCC_LOG='log')
        results.append((done, products()))
    (plain, plain_made), (ours, ours_made) = results
    expect(what + ': exit status', (plain[0], ours[0]) == (status, status), ours)
    expect(what + ': files', plain_made == ours_made == made, (plain_made, ours_made))
    if plain[0]:
        expect(what + ': messages', plain[1:] == ours[1:], (plain, ours))
    told = log()
    expect(what + ': changed', told.count(': changed') == changed, told)
    return plain, ours


def check_calls():
    source = 'src/product.cu'
    check_same('-c', ARCH, '-c', source, changed=1, made=['product.o'])
    check_same('-c -MD', ARCH, '-MD', '-c', source, changed=1, made=['product.d', 'product.o'])
    check_same(
        'two inputs', ARCH, '-c', source, 'plain.cu', changed=1, made=['plain.o', 'product.o']
    )
    check_same('-x cu', ARCH, '-x', 'cu', '-c', 'other.txt', changed=1, made=['other.o'])
    check_same('-dc', ARCH, '-dc', source, '-o', 'prog', changed=1, made=['prog'])
    check_same(
        'compile and link', ARCH, source, 'src/main.cu', '-o', 'prog', changed=1, made=['prog']
    )
    check_same('an options file', '--options-file', 'args.rsp', '-c', source, changed=1,
               made=['product.o'])  # fmt: skip
    check_same('-std=c++11', ARCH, '-std=c++11', '-c', source, changed=1, made=['product.o'])
    check_same('-G', ARCH, '-G', '-c', source, changed=0, made=['product.o'])
    check_same('nothing to change', ARCH, '-c', 'plain.cu', changed=0, made=['plain.o'])


def check_passed_through():
    for what, args in (
        ('-E', ['-E', 'src/product.cu']),
        ('-M', ['-M', 'src/product.cu']),
        ('--version', ['--version']),
        ('no input', []),
        ('a file that is missing', [ARCH, '-c', 'none.cu']),
        ('an option that is unknown', ['--no-such-option', '-c', 'plain.cu']),
    ):
        plain, ours = both(*args)
        expect('%s is passed through' % what, plain == ours, (plain[0], ours))


def check_errors():
    plain, ours = check_same('an error', ARCH, '-c', 'wrong.cu', changed=0, made=[], status=2)
    expect('an error names the line', 'wrong.cu(3): error' in ours[1] + ours[2], ours)
    plain, ours = check_same('a warning', ARCH, '-c', 'warns.cu', changed=1, made=['warns.o'])
    lines = [
        re.findall(r'^warns\.cu\(\d+\): warning[^\n]*', r[1] + r[2], re.M) for r in (plain, ours)
    ]
    expect('warnings have their lines', lines[0] and lines[0] == lines[1], lines)
    expect('... and no other file', '/tmp' not in ours[2] and 'mesi' not in ours[2], ours[2])


def check_words():
    status, out, err = run([MESICC, 'nvcc', ARCH, '-Rmesi', '-c', 'src/product.cu'])
    expect('-Rmesi tells', status == 0 and 'M4008' in err, err)
    status, out, err = run([MESICC, 'nvcc', ARCH, '-Rmesi', '-c', 'wrong.cu'])
    expect('-Rmesi tells what is not taken', status == 2 and 'M4030' in err, err)
    status, out, err = run([MESICC, 'nvcc', NVCC, ARCH, '-c', 'plain.cu'])
    expect('a compiler that is named', status == 0 and products() != [], err)
    check_script()
    check_toolkit_of_script()
    status, out, err = run([MESICC, 'nvcc', 'true', '-c', 'plain.cu'])
    expect('another compiler gets its words', status == 0 and not products(), err)
    expect('no folder stays', not [n for n in os.listdir(os.environ['TMPDIR']) if 'mesicc-' in n])


def check_script():
    """A script in place of nvcc, named or found on the PATH, one leading back to mesicc nvcc; with
    neither variables nor a folder that tell where the toolkit is."""
    real = shutil.which('nvcc', path='/usr/local/cuda/bin') or NVCC
    for what, line in (('', real), (' that leads here', '%s nvcc %s' % (MESICC, real))):
        write('.', {'tools/nvcc': '#!/bin/sh\nexec %s "$@"\n' % line})
        os.chmod('tools/nvcc', 0o755)
        path = os.path.abspath('tools') + ':/usr/bin:/bin'
        base = {k: v for k, v in os.environ.items() if k not in ('CUDA_HOME', 'CUDA_PATH')}
        base.update(PATH=path, MESI_NVCC_LOG=os.path.abspath('log'))
        for named in ([], [os.path.abspath('tools/nvcc')]):
            argv = [MESICC, 'nvcc'] + named + [ARCH, '-c', 'src/product.cu']
            status, out, err = run(argv, base=base)
            told = log()
            expect(
                'a script%s, %s' % (what, 'named' if named else 'found'),
                status == 0 and products() == ['product.o'] and told.count(': changed') == 1,
                (status, err, told),
            )


def other_toolkit(folder):
    """A toolkit of links whose cuda_runtime.h defines OTHER_TOOLKIT; returns its nvcc."""
    real = os.path.realpath(shutil.which('nvcc', path='/usr/local/cuda/bin') or NVCC)
    top = os.path.dirname(os.path.dirname(real))
    own = ('', 'bin', 'targets', 'targets/x86_64-linux', 'targets/x86_64-linux/include')
    for place in own:
        os.makedirs(os.path.join(folder, place))
        for name in os.listdir(os.path.join(top, place)):
            if os.path.join(place, name) not in own:
                os.symlink(os.path.join(top, place, name), os.path.join(folder, place, name))
    header, nvcc = folder + '/targets/x86_64-linux/include/cuda_runtime.h', folder + '/bin/nvcc'
    first = '#define OTHER_TOOLKIT\n#include "%s"\n' % os.path.realpath(header)
    os.unlink(header)
    write('.', {header: first})
    os.unlink(folder + '/include')
    os.symlink('targets/x86_64-linux/include', folder + '/include')
    os.unlink(nvcc)
    shutil.copy(real, nvcc)
    return os.path.abspath(nvcc)


def check_toolkit_of_script():
    """The headers that are read are those of the compiler behind the script."""
    nvcc = other_toolkit('other')
    only = '#ifndef OTHER_TOOLKIT\n#error another toolkit\n#endif\n'
    write('.', {'tools/nvcc': '#!/bin/sh\nexec %s "$@"\n' % nvcc,
                'only.cu': only + PROJECT['src/product.cu'].replace('"', '"src/', 1)})  # fmt: skip
    os.chmod('tools/nvcc', 0o755)
    argv = [MESICC, 'nvcc', os.path.abspath('tools/nvcc'), ARCH, '-c', 'only.cu']
    status, out, err = run(argv, MESI_NVCC_LOG=os.path.abspath('log'))
    told = log()
    expect(
        "a script's toolkit",
        status == 0 and products() == ['only.o'] and told.count(': changed') == 1,
        (status, err, told),
    )


def check_library():
    """An object that needs libmesi is linked with it, another is not."""
    write('.', {'vs.cu': '#include <mesi.h>\n__global__ int value[4];\n' + VS})
    argv = [MESICC, '-arch=sm_90', '-c', 'vs.cu', '-o', 'vs.o']
    status, out, err = run(argv)
    expect('an object with variables that are shared', status == 0, err)
    status, out, err = run([MESICC, 'nvcc', ARCH, 'vs.o', '-o', 'prog'])
    expect('... is linked with libmesi', status == 0 and 'mesi_launch_begin' in raw('prog'), err)
    write('.', {'apart.cu': APART})
    argv = [MESICC, 'nvcc', ARCH, '-c', 'apart.cu']
    status, out, err = run(argv, MESI_NVCC_LOG=os.path.abspath('log'))
    told = log()
    expect('an object without, which is changed', status == 0 and 'apart.cu: changed' in told, told)
    libraries = os.path.dirname(os.path.dirname(NVCC)) + '/lib64'
    status, out, err = run(['g++', 'apart.o', '-o', 'prog', '-L' + libraries, '-lcudart'])
    expect('... is linked by g++ alone', status == 0, err)
    products()


APART = """__global__ void multiply(const float *a, const float *b, float *c, int n) {
  int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k++) sum += a[row * n + k] * b[k * n + col];
  c[row * n + col] = sum;
}
int main(int argc, char **argv) {
  float *p = 0;
  multiply<<<dim3(argc, argc), dim3(16, 16)>>>(p + argc, p + 2 * argc, p, 16 * argc);
  return !argv;
}
"""
VS = """__global__ void k() { value[threadIdx.x] = 1; }
int main() { k<<<1, 4>>>(); return value[0] - 1; }
"""


def raw(path):
    return open(path, 'rb').read().decode('latin-1')


if not os.path.exists(NVCC):
    print('nvcc is not installed: nothing is tested')
    finish()
with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    os.makedirs('temporary')
    os.environ['TMPDIR'] = folder + '/temporary'
    write('.', PROJECT)
    write('.', FILES)
    check_make()
    check_cpu()
    check_cmake()
    check_calls()
    check_passed_through()
    check_errors()
    check_words()
    check_library()
finish()
# SPDX-License-Identifier: MIT
