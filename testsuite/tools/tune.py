#!/usr/bin/env python3
"""mesicc tune on the CPU backend: what it measures and writes, what --tuned takes of it, bad and
old files, folders for another machine.
usage: tune.py --mesicc PATH      Last line: N passed, N failed."""
import argparse, json, os, shutil, tempfile

import harness
from harness import finish, run

parser = argparse.ArgumentParser()
parser.add_argument('--mesicc', required=True)
MESICC = os.path.abspath(parser.parse_args().mesicc)
PROGRAM = """#include <stdio.h>
#define N 64
static __global__ float a[N][N], b[N][N], c[N][N], d[N], e[N];
__global__ void product(const float x[][N], const float y[][N], float z[][N]) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  z[row][col] = 0;
  for (int k = 0; k < N; k++) z[row][col] += x[row][k] * y[k][col];
}
namespace inner {
__global__ void sums(const float x[][N], float *out, int rows) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows) return;
  float sum = 0;
  for (int j = 0; j < N; j++) sum += x[i][j];
  out[i] = sum;
}
}
int main(int argc, char **argv) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) { a[i][j] = (i * 7 + j) % 5; b[i][j] = (i + j * 3) % 4; }
  for (int i = 0; i < 2; i++) product<<<dim3(N / 32, N), 32>>>(a, b, c);
  product<<<dim3(N / 16, N / 4), dim3(16, 4)>>>(a, b, c);
  inner::sums<<<(N + 15) / 16, 16>>>(c, d, N);
  inner::sums<<<(argc + 15) / 16, 16>>>(a, e, argc);
  float all = 0, right = 0, row = 0;
  for (int i = 0; i < N; i++) all += d[i];
  for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) for (int k = 0; k < N; k++)
    right += a[i][k] * b[k][j];
  for (int k = 0; k < N; k++) row += a[0][k];
  LAST
  return all == right && e[0] == row ? 0 : 1;
}
"""


def mesicc(*args):
    return run([MESICC] + list(args))


def expect(what, holds, shown=''):
    harness.expect(what, holds, shown, most=600)


def write(path, text):
    with open(path, 'w') as file:
        file.write(text if isinstance(text, str) else json.dumps(text))


def read(path):
    with open(path) as file:
        return json.load(file)


CPU = ['--target=cpu', '-DLAST=']


def check_file(data):
    plans = {(p['kernel'], p['shape']): p for p in data['plans']}
    expect(
        'an entry for each kernel and shape',
        set(plans)
        == {
            ('product', 'block 32x1x1 grid 2x64x1'),
            ('product', 'block 16x4x1 grid 4x16x1'),
            ('inner::sums', 'block 16x1x1 grid 4x1x1'),
            ('inner::sums', 'block 16x1x1 grid ?x1x1'),
        },
        list(plans),
    )
    for plan in data['plans']:
        name = '%s, %s' % (plan['kernel'], plan['shape'])
        times = plan['times']
        expect(
            name + ': fields',
            plan['gpu'] == 'cpu'
            and plan['arch'] == 0
            and plan['level'] == 2
            and len(plan['code']) == 16,
            plan,
        )
        expect(
            name + ': several plans were measured',
            len(times) >= 3 and {'model', 'original'} & set(times),
            times,
        )
        best = min(times.values())
        expect(
            name + ': the winner is the fastest, or the model\'s choice',
            times[plan['plan']] == best
            or (plan['plan'] == 'model' and best > 0.979 * times['model']),
            plan,
        )


# Each plan that was measured, asked for: it comes out, and the program is right.
def check_plans(data):
    plain, changed = mesicc(*CPU, '--whole-program', '-o', '-', 'p.mcu')[1], 0
    for plan in data['plans']:
        for key in plan['times']:
            name = '%s, %s, %s' % (plan['kernel'], plan['shape'], key)
            write('one.tune', {'mesi_tune': 1, 'plans': [dict(plan, plan=key)]})
            result = mesicc(
                *CPU,
                '--whole-program',
                '--tuned=one.tune',
                '--explain=json',
                '--explain-file=x.json',
                '-o',
                '-',
                'p.mcu'
            )
            taken = [
                k['tuned']
                for k in read('x.json')['kernels']
                if k['qualified'] == plan['kernel'] and k['shape'] == plan['shape']
            ]
            expect(
                name + ' comes out',
                result[0] == 0 and set(taken) == {key} and 'M2101' not in result[2],
                (taken, result[2]),
            )
            expect(name + ' changes nothing', key != 'model' or result[1] == plain)
            changed += result[1] != plain
    expect('plans change the output', changed > 10, changed)
    measured = read('x.json')['kernels']
    expect('--explain shows measured times', any(k['measured'] for k in measured), measured)
    for key in sorted({k for p in data['plans'] for k in p['times']}):
        write(
            'all.tune',
            {
                'mesi_tune': 1,
                'plans': [dict(p, plan=key) for p in data['plans'] if key in p['times']],
            },
        )
        result = mesicc('run', '--tuned=all.tune', *CPU, 'p.mcu')
        expect(
            'the program is right where all kernels that can are %s' % key, result[0] == 0, result
        )
    result = mesicc('compare', '--levels=0,2', '--tuned=p.tune', *CPU, 'p.mcu')
    expect(
        'results agree with the winners', result[0] == 0 and 'results agree' in result[1], result
    )


# Teams come out at -O3, where sums may be taken in another order, and not below.
def check_teams(data):
    sums = [p for p in data['plans'] if p['kernel'] == 'inner::sums']
    for team in ('1x128', '4x32'):
        write('team.tune', {'mesi_tune': 1, 'plans': [dict(p, plan='team:' + team) for p in sums]})
        explain = ['--tuned=team.tune', '--explain=json', '--explain-file=x.json', *CPU]
        result = mesicc('run', '-O3', *explain, 'p.mcu')
        kernels = [k for k in read('x.json')['kernels'] if k['qualified'] == 'inner::sums']
        expect(
            'team ' + team,
            result[0] == 0
            and len(kernels) == 2
            and all(
                k['tuned'] == 'team:' + team and 'share the loop' in ' '.join(k['result'])
                for k in kernels
            ),
            result,
        )
        result = mesicc('-O2', *explain, '-o', '-', 'p.mcu')
        expect('no team at -O2', result[0] == 0 and 'M2101' in result[2], result[2])


def check_bad(data):
    plain = mesicc(*CPU, '-o', '-', 'p.mcu')[1]
    entry = data['plans'][0]
    for what, text, word in [
        ('no JSON', '{"mesi_tune": 1, ', 'bad.tune:1:17: '),
        ('no object', '[]', 'no file of tuned plans'),
        ('another form', {'mesi_tune': 2, 'plans': []}, 'tune again'),
        ('no list', {'mesi_tune': 1}, 'no list'),
        (
            'an entry without a shape',
            {'mesi_tune': 1, 'plans': [{k: entry[k] for k in entry if k != 'shape'}]},
            'plan 1',
        ),
        ('a level that there is not', {'mesi_tune': 1, 'plans': [dict(entry, level=9)]}, 'plan 1'),
        ('a key that is no text', {'mesi_tune': 1, 'plans': [dict(entry, plan=3)]}, 'plan 1'),
        ('nothing', '', 'this is no JSON'),
    ]:
        write('bad.tune', text)
        result = mesicc(*CPU, '--tuned=bad.tune', '-o', 'bad.out', 'p.mcu')
        expect(
            'a bad file: ' + what,
            result[0] == 1
            and 'M1006' in result[2]
            and word in result[2]
            and not os.path.exists('bad.out'),
            result,
        )
    expect('a missing file', 'M1006' in mesicc(*CPU, '--tuned=none.tune', '-o', '-', 'p.mcu')[2])
    for what, change, warns in [
        ('an unknown plan', {'plan': 'fastest'}, True),
        ('a shape that is none', {'plan': '0x0/1x1/4'}, True),
        ('a shape that nothing fits', {'plan': '4096x4096/32x32/16'}, True),
        ('a kernel that has changed', {'code': '0' * 16}, True),
        ('another kernel', {'kernel': 'other'}, False),
        ('another shape of launch', {'shape': 'block 1x1x1 grid 1x1x1'}, False),
        ('a higher level', {'level': 3}, False),
        ('a GPU', {'arch': 90, 'gpu': 'NVIDIA H200'}, False),
    ]:
        write('odd.tune', {'mesi_tune': 1, 'plans': [dict(entry, plan='original', **{}) | change]})
        result = mesicc(*CPU, '--tuned=odd.tune', '-o', '-', 'p.mcu')
        expect(
            'not taken: ' + what,
            result[0] == 0 and result[1] == plain and ('M2101' in result[2]) == warns,
            result[2],
        )
    write('q.mcu', PROGRAM.replace('z[row][col] += x', 'z[row][col] -= x'))
    result = mesicc(*CPU, '--tuned=p.tune', '-o', '-', 'q.mcu')
    expect(
        'a kernel that was changed is planned anew',
        result[0] == 0
        and "'product'" in result[2]
        and 'has changed' in result[2]
        and "'sums'" not in result[2]
        and result[1] != '',
        result[2],
    )


def check_runs(data):
    result = mesicc(
        'tune',
        '--candidates=2',
        '--repeats=1',
        '--target=cpu',
        '-DLAST=fprintf(stdout, "%p", malloc(1)); a[0][0] = getpid();',
        '-include',
        'unistd.h',
        '-include',
        'stdlib.h',
        '-o',
        'unstable.tune',
        'p.mcu',
    )
    expect(
        'results that differ from run to run',
        result[0] == 4 and 'cannot win' in result[1] and not os.path.exists('unstable.tune'),
        result,
    )
    result = mesicc('tune', '--target=cpu', '-DLAST=return 3;', 'p.mcu')
    expect('a program that fails', result[0] == 1 and 'status 3' in result[2], result)
    result = mesicc(
        'tune',
        '--repeats=1',
        '--candidates=2',
        '--target=cpu',
        '-O3',
        '-DLAST=',
        '-o',
        'p.tune',
        'p.mcu',
        '--',
        'x',
    )
    merged = read('p.tune')['plans']
    expect(
        'what another level was tuned for stays',
        result[0] == 0 and len(merged) == 8 and {p['level'] for p in merged} == {2, 3},
        (result, len(merged)),
    )
    for args in (
        ['-O0', 'p.mcu'],
        ['--check', 'p.mcu'],
        ['--read', 'x', 'p.mcu'],
        ['--read', 'x', '--emit', 'y'],
        [],
    ):
        expect('wrong use: tune ' + ' '.join(args), mesicc('tune', '--target=cpu', *args)[0] == 1)
    expect('--emit without tune', mesicc('--emit', 'x', 'p.mcu')[0] == 1)
    expect('--emit for the CPU', mesicc('tune', '--target=cpu', '--emit', 'x', 'p.mcu')[0] == 1)


def results_of(manifest, slow, wrong):
    """What run.sh writes: every round takes a millisecond more; round `slow` is the fastest,
    `wrong` does not agree."""
    text = 'gpu NVIDIA H200\n'
    for number in range(manifest['rounds']):
        text += 'round %d\n' % number
        if number == wrong:
            text += 'differs: c: element 3 is 4, was 5\n'
            continue
        text += 'ok\n'
        for run in range(2):
            for kernel in manifest['kernels']:
                for site in kernel['sites']:
                    ms = 0.5 if number == slow else 0.25 if number == wrong else 2 + number + run
                    text += 'site %s 2 %f %f %s\n' % (kernel['kernel'], 2 * ms, ms, site)
            text += 'run\n'
    return text


def check_folder():
    result = mesicc('tune', '--emit', 'folder', '-arch=sm_90', '-DLAST=', 'p.mcu', '--', 'a', 'b c')
    manifest = read('folder/src/p-LAST=.tune.json')
    texts = {
        name: open('folder/src/' + name).read()
        for name in os.listdir('folder/src')
        if name.endswith('.cu')
    }
    expect(
        '--emit',
        result[0] == 0
        and manifest['rounds'] >= 3
        and manifest['arch'] == 90
        and os.path.exists('folder/run.sh'),
        result,
    )
    expect(
        '--emit: a text for each round',
        len(texts) == manifest['rounds'] + 1
        and len({texts[n] for n in texts if '_r' in n and '_ref' not in n}) == manifest['rounds'],
        sorted(texts),
    )
    expect('--emit: arguments', open('folder/src/p-LAST=.run').read() == 'a\nb c\n')
    expect(
        '--emit: nothing else is left',
        not [n for n in os.listdir('folder') if n.startswith('look')],
        os.listdir('folder'),
    )
    result = mesicc('tune', '--read', 'folder', '-o', 'gpu.tune')
    expect('--read without results', result[0] == 1 and 'has run.sh run' in result[2], result)
    os.mkdir('folder/results')
    write('folder/results/p-LAST=.txt', results_of(manifest, 2, 1))
    result = mesicc('tune', '--read', 'folder', '-o', 'gpu.tune')
    data = read('gpu.tune')['plans']
    expect(
        '--read',
        result[0] == 0
        and len(data) == 4
        and {p['gpu'] for p in data} == {'NVIDIA H200'}
        and {p['arch'] for p in data} == {90},
        result,
    )
    for plan in data:
        keys = [
            c['plan']
            for k in manifest['kernels']
            if (k['kernel'], k['shape']) == (plan['kernel'], plan['shape'])
            for c in k['candidates']
        ]
        expect(
            '--read: %s: the fastest that agrees' % plan['shape'],
            plan['plan'] == keys[2]
            and keys[1] not in plan['times']
            and abs(plan['times'][keys[0]] - 2) < 1e-6,
            (plan, keys),
        )
    tuned = mesicc('--tuned=gpu.tune', '-arch=sm_90', '-DLAST=', '-o', '-', 'p.mcu')
    plain = mesicc('-arch=sm_90', '-DLAST=', '-o', '-', 'p.mcu')
    expect(
        'a translation for the GPU takes it',
        tuned[0] == 0 and tuned[1] != plain[1] and 'M2101' not in tuned[2],
        tuned[2],
    )
    expect(
        'one for another GPU does not',
        mesicc('--tuned=gpu.tune', '-arch=sm_80', '-DLAST=', '-o', '-', 'p.mcu')[1]
        == mesicc('-arch=sm_80', '-DLAST=', '-o', '-', 'p.mcu')[1],
    )
    result = mesicc(
        'bundle',
        '-o',
        'bundled',
        '--tuned=gpu.tune',
        '-arch=sm_90',
        '--levels=0,2',
        '--whole-program',
        '-DLAST=',
        'p.mcu',
    )
    expect(
        'a bundle has the tuned program beside the others',
        result[0] == 0
        and open('bundled/cases').read() == 'p-LAST= 0 2 T\n'
        and len({open('bundled/src/p-LAST=_O%s.cu' % level).read() for level in '02T'}) == 3,
        result,
    )
    write('folder/results/p-LAST=.txt', 'round 0\nok\n')
    expect(
        '--read: no GPU', 'on which GPU' in mesicc('tune', '--read', 'folder', '-o', 'x.tune')[2]
    )
    write(
        'folder/results/p-LAST=.txt',
        'gpu X\nround 99\nok\nround x\nround 0\nok\nsite\nsite product one\nrun\n\x7f',
    )
    result = mesicc('tune', '--read', 'folder', '-o', 'x.tune')
    expect('--read: odd results', result[0] == 0 and not os.path.exists('x.tune'), result)
    write('folder/src/p-LAST=.tune.json', {'mesi_candidates': 7})
    expect('--read: another form', 'M1006' in mesicc('tune', '--read', 'folder', '-o', 'x.tune')[2])
    expect('--read: no folder', 'M1006' in mesicc('tune', '--read', 'nowhere')[2])


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    write('p.mcu', PROGRAM)
    before = mesicc(*CPU, '-o', '-', 'p.mcu')[1]
    result = mesicc('tune', '--repeats=1', '--candidates=6', *CPU, 'p.mcu', '--', 'x')
    expect(
        'tune',
        result[0] == 0 and 'tuned plans are in p.tune' in result[1] and os.path.exists('p.tune'),
        result,
    )
    expect(
        'the file is read where it is asked for only', mesicc(*CPU, '-o', '-', 'p.mcu')[1] == before
    )
    data = read('p.tune')
    mesicc(*CPU, '--tuned', '-MD', '-MP', '-o', 'p.cpp', 'p.mcu')
    expect(
        'the depfile names it',
        open('p.d').read() == 'p.cpp: p.mcu \\\n  p.tune\np.tune:\n',
        open('p.d').read(),
    )
    check_file(data)
    check_plans(data)
    check_teams(data)
    check_bad(data)
    check_runs(data)
    check_folder()
    os.chdir('/')
finish()
# SPDX-License-Identifier: MIT
