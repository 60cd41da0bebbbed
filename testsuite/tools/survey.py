#!/usr/bin/env python3
"""mesicc survey: units, their fates, table, JSON, progress, and the table of reasons.

usage: survey.py --mesicc FILE. Last line: N passed, N failed."""
import argparse, glob, json, os, re, shutil, subprocess, tempfile

from harness import ROOT, expect, finish, on_terminal, run

parser = argparse.ArgumentParser()
parser.add_argument('--mesicc', required=True)
options = parser.parse_args()
MESICC = os.path.abspath(options.mesicc)

HEAD = """#define N 1024
#define LAUNCH(k) int main() { float *p; cudaMalloc(&p, 3 * sizeof(float) * N * N); \\
  k<<<dim3(N / 128, N), 128>>>(p, p + N * N, p + 2 * N * N); return 0; }
"""
PRODUCT = """__global__ void product(const float *%(r)s a, const float *%(r)s b, float *%(r)s c) {
  int row = blockIdx.y, col = blockIdx.x * 128 + threadIdx.x;
  for (int k = 0; k < N; k++) c[row * N + col] += a[row * N + k] * b[k * N + col];
}
LAUNCH(product)
"""
UNITS = {
    'tree/apart.cu': HEAD + PRODUCT % {'r': '__restrict__'},
    'tree/aliased.cu': HEAD + PRODUCT % {'r': ''},
    'tree/inner/refused.cu': 'int main() { return nobody; }\n',
    'tree/inner/plain.mcu': """__global__ int a[32];
__global__ void add(int *p) { p[threadIdx.x] += 1; }
__global__ void alone(int *p) { p[0] = 1; }
template <int K> __global__ void scaled(int *p) {
  __shared__ int s[K]; s[threadIdx.x] = p[threadIdx.x];
  __syncthreads(); p[threadIdx.x] = s[K - 1 - threadIdx.x]; }
int main() { add<<<1, 32>>>(a); scaled<32><<<1, 32>>>(a);
  scaled<64><<<1, 64>>>(a); return a[0] != 1; }
""",
    'tree/inner/no_unit.h': '#error "is no unit"\n',
    'tree/.hidden/x.cu': '#error "is not looked at"\n',
    'other.cu': '#include "given.h"\nint main() { return VALUE; }\n',
    'inc/given.h': '#pragma once\n',
    'slow.cu': '#define A(x) x x x x x x x x x x x x x x x x\n'
    'int main() { int n = 0; A(A(A(A(A(A(A(n++;))))))) return n; }\n',
    'shape.cu': HEAD
    + """__global__ void sums(const int *from, int *to) {
  int i = blockDim.x * (gridDim.x * blockIdx.y + blockIdx.x) + threadIdx.x;
  to[i] += from[i * 32] + from[i * 32 + 1]; }
int main(int argc, char **argv) { int *p; cudaMalloc(&p, 34 * 4096 * sizeof(int));
  sums<<<4096 / argc, argc>>>(p + 4096, p); return 0; }
""",
    'shared.cu': """#define N 2048
__global__ void norm(int m, float *a, float *r, int k) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t == 0) { float sum = 0; for (int i = 0; i < m; i++) sum += a[i * N + k] * a[i * N + k];
    r[k * N + k] = sqrtf(sum); } }
void launch(int m) { float *a, *r; cudaMalloc(&a, sizeof(float) * N * N);
  cudaMalloc(&r, sizeof(float) * N * N);
  for (int k = 0; k < N; k++) norm<<<1, 256>>>(m, a, r, k); }
""",
    'hidden.cu': """template <class T> __global__ void by_pack(T *p) { p[threadIdx.x] = 1; }
template <class... A> void pass(A... a) { by_pack<int><<<1, 32>>>(a...); }
__global__ void handed(int *p) { p[threadIdx.x] = 1; }
__global__ void nowhere(int *p);
__global__ void nowhere(int *p) { p[threadIdx.x] = 1; /* nowhere<<<1, 1>>> */ }
void launch(int *p) { pass(p); void *args[] = {&p};
  cudaLaunchKernel((void *)handed, dim3(1), dim3(32), args, 0, 0); }
""",
    'tile.cu': """__device__ void other(float *p);
__global__ void tiled(float *p) {
  __shared__ float s[128]; other(p); volatile float *v = p; s[threadIdx.x] = *v;
  __syncthreads(); p[threadIdx.x] = s[127 - threadIdx.x]; }
void launch(float *p) { tiled<<<1, 128>>>(p); }
""",
    'empty/readme': '',
    'suite/app/main.cu': """// #include "alone.cu"
/* of no use:
#include "alone.cu" */
#include <stdio.h>
#include "sizes.h"
#include "parts.h"
int main() { int *p; cudaMalloc(&p, SIZE); first<<<1, SIZE>>>(p); return near(); }
""",
    'suite/app/parts.h': '#include "kernel.cu" // both kernels\n',
    'suite/app/kernel.cu': '__global__ void first(int *p) { p[threadIdx.x] = UNKNOWN_ALONE; }\n',
    'suite/app/alone.cu': '#include "common/near.h"\nint main() { return near(); }\n',
    'suite/app/stdio.h': '#error "is not the system header"\n',
    'suite/app/lib/common/near.h': '#pragma once\ninline int near() { return 0; }\n',
    'suite/far/sizes.h': '#error "is farther than the other"\n',
    'suite/far/common/near.h': '#error "is farther, too"\n',
    'suite/app/inc/sizes.h': """#pragma once
#define SIZE 32
#define UNKNOWN_ALONE 1
#include "common/near.h"
""",
    'suite/gone/nowhere.cu': '#include "nowhere.h"\nint main() { return 0; }\n',
    'suite/gone/members.cu': """#include <stdio.h>
int main() { other(); cudaDeviceProp p; return p.clockRate; }
""",
    'suite/gone/wait.cu': 'int main() { return cudaThreadSynchronize(); }\n',
    'suite/gone/refused.cu': 'int main() { return cudaThreadSynchronise(); }\n',
    'suite/round/a.cu': '#ifndef A\n#include "b.cu"\nint main() { return A; }\n#endif\n',
    'suite/round/b.cu': '#ifndef A\n#define A 0\n#include "a.cu"\n#endif\n',
    'built/one.cu': '#include "two.cu"\nint main() { return two(); }\n',
    'built/two.cu': '#pragma once\nint two() { return VALUE; }\n',
}


def survey(*args, **environment):
    return run([MESICC, 'survey'] + list(args), **environment)


def survey_json(*args, **environment):
    status, out, err = survey('--json', *args, **environment)
    expect('status of survey %s' % ' '.join(args), status == 0, err)
    return json.loads(out)


def kernel(found, name):
    rows = [k for unit in found['units'] for k in unit['kernels'] if k['name'] == name]
    expect('one row for %s' % name, len(rows) == 1, rows)
    return rows[0] if rows else {}


def check_hidden():
    found = survey_json('-arch=sm_90', 'hidden.cu')
    around, elsewhere = 'the code around its launch', 'its name is handed on'
    for name, why in (
        ('by_pack', around),
        ('handed', elsewhere),
        ('nowhere', 'no launch of this unit'),
    ):
        row = kernel(found, name)
        expect('%s: %s' % (name, why), (row['why'] or '').startswith(why), row)


def check_tree():
    found = survey_json('-arch=sm_90', 'tree')
    units = [unit['unit'] for unit in found['units']]
    wanted = ['aliased.cu', 'apart.cu', 'inner/plain.mcu', 'inner/refused.cu']
    expect('units of a tree', units == ['tree/' + name for name in wanted], units)
    refused = found['units'][-1]
    expect(
        'a unit that is refused',
        not refused['taken'] and refused['code'] == 'M2001' and "'nobody'" in refused['message'],
        refused,
    )
    expect('a refused unit is one row', all(u['taken'] for u in found['units'][:-1]), units)
    totals = found['totals']
    expect('totals', (totals['units'], totals['taken'], totals['launched']) == (4, 3, 4), totals)
    apart = [u for u in found['units'] if u['unit'] == 'tree/apart.cu'][0]['kernels'][0]
    expect('a changed kernel', apart['changed'] and apart['changed_launches'] == 1, apart)
    expect('how it was changed', {'mapping', 'registers'} <= set(apart['how']), apart['how'])
    expect('its predicted gain', (apart['gain'] or 0) > 2 and apart['why'] is None, apart)
    alone = kernel(found, 'alone')
    expect('a kernel without a launch', alone['class'] == 'no launch in this unit', alone)
    scaled = kernel(found, 'scaled')
    expect('instances are one kernel', scaled['launches'] == 2, scaled)
    expect('a tile by hand', scaled['class'] == 'shared memory by hand', scaled)
    check_aliased(found)


def check_aliased(found):
    """Whatever is made of it later: where it is kept, aliasing is what it is kept for."""
    row = [u for u in found['units'] if u['unit'] == 'tree/aliased.cu'][0]['kernels'][0]
    kept = row['class'] == 'aliasing' and '__restrict__' in (row['advice'] or '')
    expect('aliasing is called aliasing', row['changed'] or kept, row)


def check_shape():
    """Another mapping needs no constant block: why it was declined is the true reason."""
    sums = kernel(survey_json('-arch=sm_90', 'shape.cu'), 'sums')
    kept = sums['class'] not in (None, 'shape of the launch')
    expect('a block of any shape', sums['changed'] or kept, sums)


def check_shared():
    """Blocks that share a loop: what is predicted is against the kernel as written."""
    norm = kernel(survey_json('-arch=sm_90', '-O3', 'shared.cu'), 'norm')
    expect('a loop of several blocks', 'teams' in norm['how'], norm)
    expect('... is taken where it gains', (norm['gain'] or 0) > 1, norm)


def check_tile():
    """A tile by hand is the reason, whatever else is not understood."""
    tiled = kernel(survey_json('-arch=sm_90', 'tile.cu'), 'tiled')
    expect('a tile by hand, and a call', tiled['class'] == 'shared memory by hand', tiled)


def check_table():
    status, out, err = survey('-arch=sm_90', '-I', 'inc', '-DVALUE=0', 'tree', 'other.cu')
    expect('status of the table', status == 0, err)
    expect('no progress where no terminal is', err == '', err)
    for line in (
        r'tree/apart\.cu: taken, [0-9.]+ s',
        r'  product +1 +1 +[0-9.]+  .*mapping',
        r"tree/inner/refused\.cu: not taken, [0-9.]+ s: .*error\[M2001\].*'nobody'",
        r'other\.cu: taken',
        r'units: 5, taken 4',
    ):
        expect('line of the table: ' + line, re.search('^' + line, out, re.M), out)
    expect('nothing is written', not glob.glob('**/*mesi*', recursive=True))


def check_limit():
    found = survey_json('slow.cu', 'tree/apart.cu', MESI_TIME_LIMIT='2')
    slow, apart = found['units']
    expect('a limit is one row', slow['status'] == 3 and slow['code'][:2] == 'M3', slow)
    expect('... and those behind it are looked at', apart['taken'], apart)


def check_database():
    entries = [{'directory': os.getcwd(), 'file': 'other.cu', 'command': 'nvcc -Iinc -DVALUE=0 x'}]
    json.dump(entries, open('compile_commands.json', 'w'))
    found = survey_json('-p', '.', 'other.cu', 'tree/apart.cu')
    taken = [unit['taken'] for unit in found['units']]
    expect('options of a database, unit by unit', taken == [True, False], found['units'])


def check_suite():
    """A tree without its makefiles: parts, headers, what CUDA has no more."""
    status, out, err = survey('--json', 'suite')
    expect('status of a suite', status == 0, err)
    found = json.loads(out)
    fates = {unit['unit'][len('suite/') :]: unit['fate'] for unit in found['units']}
    wanted = {'app/alone.cu': 'taken', 'app/main.cu': 'taken', 'round/a.cu': 'taken'}
    wanted.update({'gone/members.cu': 'not for this toolkit', 'gone/refused.cu': 'refused'})
    wanted.update({'gone/wait.cu': 'not for this toolkit', 'gone/nowhere.cu': 'header not found'})
    expect('fates of units', fates == wanted, (fates, [u['message'] for u in found['units']]))
    parts = [(part['file'], part['unit']) for part in found['parts']]
    pairs = [('suite/app/kernel.cu', 'suite/app/main.cu'), ('suite/round/b.cu', 'suite/round/a.cu')]
    expect('parts of units', parts == pairs, parts)
    totals = found['totals']
    keys = ('units', 'taken', 'not_for_this_toolkit', 'headers_not_found', 'parts')
    expect('totals of fates', [totals[key] for key in keys] == [7, 3, 2, 1, 2], totals)
    main = [unit for unit in found['units'] if unit['unit'] == 'suite/app/main.cu'][0]
    headers = [(h['name'], h['folder']) for h in main['headers']]
    app = os.path.realpath('suite/app')
    nearest = [('sizes.h', app + '/inc'), ('common/near.h', app + '/lib')]
    expect('headers that are looked for', headers == nearest, headers)
    expect('the kernel of a part', [k['name'] for k in main['kernels']] == ['first'], main)
    expect('headers, said once each', err.count('M1023') == 2, err)
    status, out, err = survey('-Wno-mesi-header', 'suite')
    expect('... or not', status == 0 and err == '', err)
    for line in (
        'suite/gone/wait.cu: not for this toolkit, .*cudaThreadSynchronize',
        'units: 7, taken 3, not for this toolkit 2, header not found 1, ',
        'files that units include, counted as their parts: 2$',
    ):
        expect('line of a suite: ' + line, re.search('^' + line, out, re.M), out)


def check_built():
    """A database in the tree is read unasked; its files are units."""
    entries = [
        {'directory': os.path.abspath('built'), 'file': name, 'command': 'nvcc -DVALUE=0 ' + name}
        for name in ('one.cu', 'two.cu')
    ]
    os.mkdir('built/build')
    json.dump(entries[:1], open('built/build/compile_commands.json', 'w'))
    found = survey_json('built')
    fates = [(unit['unit'], unit['taken']) for unit in found['units']]
    expect('options of a database in the tree', fates == [('built/one.cu', True)], found)
    json.dump(entries, open('built/build/compile_commands.json', 'w'))
    found = survey_json('built')
    fates = [unit['taken'] for unit in found['units']]
    expect('what it compiles is a unit', fates == [True, True] and not found['parts'], found)


def check_progress():
    """Work over a second: so many units take longer on any machine."""
    os.mkdir('many')
    for number in range(40):
        shutil.copy(ROOT + '/samples/matmul/matmul.mcu', 'many/%d.mcu' % number)
    shown = on_terminal([MESICC, 'survey', 'many'], stdout=subprocess.DEVNULL)[1]
    expect('progress on a terminal', '/40] reading many/' in shown, shown)
    expect('it goes away', shown.endswith('\x1b[K'), shown[-200:])


def check_usage():
    for what, args, code in (
        ('no input', [], 'M1001'),
        ('a folder without units', ['empty'], 'M1002'),
    ):
        status, out, err = survey(*args)
        expect(what, status == 1 and code in err and not out, (status, err))
    found = survey_json('none.cu')
    expect('a file that is missing', found['units'][0]['code'] == 'M1002', found)


def check_reasons():
    """Each of the words by which a reason gets its class stands in the analysis."""
    sources = ''
    for path in glob.glob(ROOT + '/analysis/**/*.[ch]', recursive=True):
        sources += re.sub(r'"\s*\n\s*"', '', open(path).read())
    table = open(ROOT + '/translator/driver/survey_reasons.def').read()
    words = re.findall(r'^REASON\(\w+, "(.*)"\)$', table, re.M)
    expect('the table of reasons', len(words) > 20, words)
    for text in words:
        expect('reason in the analysis: ' + text, text in sources)


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    for name, text in UNITS.items():
        os.makedirs(os.path.dirname(name) or '.', exist_ok=True)
        open(name, 'w').write(text)
    check_tree()
    check_hidden()
    check_shape()
    check_shared()
    check_tile()
    check_table()
    check_limit()
    check_database()
    check_suite()
    check_built()
    check_progress()
    check_usage()
check_reasons()
finish()
# SPDX-License-Identifier: MIT
