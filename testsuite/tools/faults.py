#!/usr/bin/env python3
"""Every allocation and every call of the system may fail: a sweep over the calls that a translation
and a run make, one failing at a time.

usage: faults.py --build DIR [--samples N] [--jobs N] [--kinds KIND,KIND] [-v] [FILE...]      Last
       line: N passed, N failed.

The translator (build/testsuite/faults/mesicc_faults) must end with status 0 and what it writes
without the fault (a smaller plan where isl gave up), or with status 1 or 3, a diagnostic with a
code, no output file and nothing left beside it. Programs with the runtime, linked with the same
wrappers and with a device of which each operation may fail, must end with status 0 and their usual
output or say what failed: status 70 of the runtime or 1 of their own checks. In `threads` two
threads launch, touch, allocate and free all the time. --samples: the most numbers per kind and
program; 0: all. --kinds: memory, file, process, device, isl, question (one question to isl is cut
short). Files: translated in place of the usual ones, with the options of their first line, and no
program is run."""
import argparse, concurrent.futures, os, re, shutil, subprocess, sys, tempfile

from kept import wall

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAMS = ['testsuite/golden/vs_pointer.mcu', 'testsuite/golden/stage_matmul.mcu']
RUN = """#include <cstdio>
#include <cstdlib>
#include <pthread.h>
__global__ int a[2048];
__global__ void k(int *p, int n) { __shared__ int s[64]; s[threadIdx.x] = p[threadIdx.x];
  __syncthreads(); p[threadIdx.x] = s[63 - threadIdx.x] + n; }
#define MUST(x) do { cudaError_t e = (x); \\
  if (e != cudaSuccess) { printf("failed: %s\\n", cudaGetErrorString(e)); exit(1); } } while (0)
void *other(void *own) {
  int *p = (int *)own;
  for (int i = 0; i < 3; i++) { k<<<1, 64>>>(p, 1); MUST(cudaGetLastError()); p[i]++; }
  return own;
}
int main() {
  pthread_t thread;
  int *m = (int *)mesi_malloc(64 * sizeof(int));
  if (!m) { printf("failed: no memory\\n"); return 1; }
  for (int i = 0; i < 64; i++) m[i] = i;
  if (pthread_create(&thread, 0, other, m)) { printf("failed: no thread\\n"); return 1; }
  int *d, *h = (int *)mesi_malloc(64 * sizeof(int)), sum = 0;
  cudaStream_t stream; cudaEvent_t event;
  if (!h) { printf("failed: no memory\\n"); return 1; }
  for (int i = 0; i < 64; i++) a[i] = h[i] = i;
  MUST(cudaMalloc(&d, 64 * sizeof(int)));
  MUST(cudaMemcpy(d, h, 64 * sizeof(int), cudaMemcpyHostToDevice));
  MUST(cudaStreamCreate(&stream)); MUST(cudaEventCreate(&event));
  k<<<1, 64>>>(a, 1); MUST(cudaGetLastError());
  k<<<1, 64, 0, stream>>>(d, 2); MUST(cudaGetLastError());
  k<<<1, 64>>>(h, 3);
  MUST(cudaEventRecord(event, stream)); MUST(cudaDeviceSynchronize());
  MUST(cudaMemcpy(&h[1], d, 4 * sizeof(int), cudaMemcpyDeviceToHost));
  pthread_join(thread, 0);
  for (int i = 0; i < 64; i++) sum += a[i] * h[i] + m[i];
  mesi_free(h); MUST(cudaFree(d)); MUST(cudaEventDestroy(event)); MUST(cudaStreamDestroy(stream));
  printf("ok %d\\n", sum);
  return 0;
}
"""
THREADS = """#include <cstdio>
#include <cstdlib>
#include <pthread.h>
__global__ int a[2][2048];
static int sums[2];
__global__ void add(int *p, int n) { p[threadIdx.x] += n; }
#define MUST(x) do { cudaError_t e = (x); \\
  if (e != cudaSuccess) { printf("failed: %s\\n", cudaGetErrorString(e)); exit(1); } } while (0)
static int *take(size_t bytes) {
  int *memory = (int *)mesi_malloc(bytes);
  if (!memory) { printf("failed: no memory\\n"); exit(1); }
  return memory;
}
static void *work(void *number) {
  int me = *(int *)number, *kept = take(300 * sizeof(int));
  cudaStream_t stream;
  MUST(cudaStreamCreate(&stream));
  for (int i = 0; i < 64; i++) kept[i] = i;
  for (int round = 0; round < 6; round++) {
    int *m = take(round % 2 ? 9000 : 256);
    for (int i = 0; i < 64; i++) m[i] = a[me][i] + i;
    add<<<1, 64, 0, stream>>>(m, me + 1); MUST(cudaGetLastError());
    add<<<1, 64>>>(a[me], 1); MUST(cudaGetLastError());
    add<<<1, 64, 0, stream>>>(kept, round); MUST(cudaGetLastError());
    MUST(cudaStreamSynchronize(stream));
    for (int i = 0; i < 64; i++) a[me][i] += m[i] % 7 + kept[i] % 3;
    mesi_free(m);
  }
  for (int i = 0; i < 64; i++) sums[me] += a[me][i] * (i + 1) + kept[i];
  mesi_free(kept);
  MUST(cudaStreamDestroy(stream));
  return number;
}
int main() {
  pthread_t threads[2];
  int numbers[2] = { 0, 1 };
  for (int i = 0; i < 2; i++)
    if (pthread_create(&threads[i], 0, work, &numbers[i])) {
      printf("failed: no thread\\n"); exit(1); }
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  printf("ok %d %d\\n", sums[0], sums[1]);
  return 0;
}
"""
WRAPPED = [
    'malloc',
    'calloc',
    'realloc',
    'posix_memalign',
    'aligned_alloc',
    'mmap',
    'mmap64',
    'memfd_create',
    'mremap',
    'mprotect',
    'madvise',
    'newlocale',
    'fopencookie',
    'sysinfo',
    'ftruncate',
    'ftruncate64',
    'write',
    'read',
    'rename',
    'fopen',
    'fopen64',
    'open',
    'open64',
    'close',
    'pthread_create',
    '_exit',
]


def execute(argv, folder, fault=None, counts=None, **environment):
    env = dict(os.environ, **environment)
    if fault:
        env['MESI_FAULT'] = fault
    if counts:
        env['MESI_FAULT_COUNTS'] = counts
    try:
        done = subprocess.run(
            argv,
            cwd=folder,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=wall(60),
        )
        return done.returncode, done.stdout.decode(errors='replace')
    except subprocess.TimeoutExpired:
        return -99, 'hangs'


def largest_counts(path):
    counts = {}
    for line in open(path):
        words = line.split()
        for kind, number in zip(words[::2], words[1::2]):
            counts[kind] = max(counts.get(kind, 0), int(number))
    return counts


def sampled(count, most):
    if not most or count <= most:
        return list(range(1, count + 1))
    return sorted({1 + i * (count - 1) // (most - 1) for i in range(most)})


def options_of(source):
    found = re.match(r'// args: (.*)', open(source, errors='replace').readline())
    return found.group(1).split() if found else []


class Translation:
    """One source through the translator, with and without a precompiled prelude."""

    def __init__(self, mesicc, source, work, cached):
        self.mesicc, self.work, self.cached = mesicc, work, cached
        self.source = os.path.join(ROOT, source)
        self.name = os.path.basename(source) + (' with a precompiled prelude' if cached else '')
        self.cache = os.path.join(work, 'cache')
        self.argv = (
            [mesicc, '-O1', '--cuda-path=', '-MD']
            + options_of(self.source)
            + ([] if cached else ['--no-pch'])
        )
        counts = tempfile.mktemp(dir=work)
        execute(
            self.argv + ['-o', '/dev/null', '-MF', '/dev/null', self.source],
            work,
            MESI_CACHE=self.cache,
        )
        folder = tempfile.mkdtemp(dir=work)
        self.status, self.text = execute(
            self.argv + ['-o', 'o.cu', self.source], folder, counts=counts, MESI_CACHE=self.cache
        )
        self.expected = open(folder + '/o.cu').read() if self.status == 0 else ''
        self.counts = dict(largest_counts(counts), isl=3000)

    def judge(self, fault):
        folder = tempfile.mkdtemp(dir=self.work)
        status, text = execute(
            self.argv + ['-o', 'o.cu', self.source], folder, fault=fault, MESI_CACHE=self.cache
        )
        left = sorted(os.listdir(folder))
        output = open(folder + '/o.cu').read() if 'o.cu' in left else None
        shutil.rmtree(folder)
        if status == 0:
            if output is None or (
                output != self.expected
                and not fault.startswith(('isl', 'question'))
                and 'warning[M2103]' not in text  # as at -O0, which it says
            ):
                return 'ends with 0, and the output differs'
            return None if not set(left) - {'o.cu', 'o.d'} else 'leaves %s' % left
        if status not in (1, 3):
            return 'ends with %d:\n%s' % (status, text[:500])
        if set(left) - {'o.d'}:
            return 'ends with %d and leaves %s' % (status, left)
        return (
            None if re.search(r'error\[M[13]\d+\]', text) else 'gives no diagnostic:\n' + text[:500]
        )


class Run:
    """One program with the runtime over the CPU backend."""

    def __init__(self, build, mesicc, work, name, text):
        self.work, self.name = work, name
        source, emitted, self.program = [
            '%s/%s%s' % (work, name, end) for end in ('.mcu', '.cpp', '')
        ]
        open(source, 'w').write('#include <mesi.h>\n' + text)
        status, text = execute(
            [mesicc, '--target=cpu', '-O1', '-o', emitted, source], work, MESI_CACHE=work + '/cache'
        )
        runtime, libraries = ROOT + '/runtime', os.path.abspath(build) + '/runtime'
        if not status:
            for part in ('faults', 'device_faults'):
                subprocess.run(
                    [
                        'gcc',
                        '-O1',
                        '-w',
                        '-D_GNU_SOURCE',
                        '-I',
                        runtime,
                        '-c',
                        '%s/testsuite/faults/%s.c' % (ROOT, part),
                        '-o',
                        '%s/%s.o' % (work, part),
                    ],
                    check=True,
                )
            status, text = execute(
                [
                    'g++',
                    '-std=c++17',
                    '-O1',
                    '-w',
                    '-pthread',
                    '-isystem',
                    runtime,
                    '-isystem',
                    runtime + '/cpu',
                    '-isystem',
                    runtime + '/cpu/include',
                    emitted,
                    work + '/faults.o',
                    work + '/device_faults.o',
                ]
                + [
                    libraries + l
                    for l in ('/cpu/libmesi_cpu.a', '/libmesi_cpu_core.a', '/cpu/libmesi_cpu.a')
                ]
                + ['-lboost_context', '-ldl', '-lm', '-o', self.program]
                + ['-Wl,--wrap=' + w for w in WRAPPED],
                work,
            )
        self.status, self.text = status, text
        if not status:
            counts = tempfile.mktemp(dir=work)
            self.status, self.text = execute(
                [self.program], work, counts=counts, MESI_STATS=work + '/stats', MESI_THREADS='2'
            )
            self.counts = {
                k: v
                for k, v in largest_counts(counts).items()
                if k in ('memory', 'file', 'process', 'device')
            }

    def judge(self, fault):
        status, text = execute(
            [self.program],
            self.work,
            fault=fault,
            MESI_STATS=self.work + '/stats',
            MESI_THREADS='2',
        )
        if status == 0:
            return None if self.text.strip() in text else 'ends with 0 and prints\n' + text[:500]
        if status not in (1, 70):
            return 'ends with %d:\n%s' % (status, text[:500])
        return None if 'mesi' in text or 'failed: ' in text else 'says nothing:\n' + text[:500]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--build', required=True)
    parser.add_argument('--samples', type=int, default=0)
    parser.add_argument('--jobs', type=int, default=os.cpu_count())
    parser.add_argument('--kinds', default='memory,file,process,device,isl,question')
    parser.add_argument('-v', action='store_true')
    parser.add_argument('files', nargs='*')
    options = parser.parse_args()
    kinds = options.kinds.split(',')
    mesicc = os.path.abspath(os.path.join(options.build, 'testsuite/faults/mesicc_faults'))
    passed = failed = 0
    with tempfile.TemporaryDirectory(
        prefix='mesi-faults-'
    ) as work, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        if options.files:
            subjects = [
                Translation(mesicc, os.path.abspath(source), work, True) for source in options.files
            ]
        else:
            subjects = [
                Translation(mesicc, source, work, cached)
                for source in PROGRAMS
                for cached in (True, False)
            ][:3] + [
                Run(
                    options.build,
                    os.path.abspath(options.build) + '/translator/driver/mesicc',
                    work,
                    name,
                    text,
                )
                for name, text in (('run', RUN), ('threads', THREADS))
            ]
        for subject in subjects:
            if subject.status:
                print('FAILED %s without a fault: %s' % (subject.name, subject.text[:2000]))
                failed += 1
                continue
            faults = [
                '%s:%d' % (kind, n)
                for kind, count in subject.counts.items()
                if kind in kinds
                for n in sampled(count, options.samples)
            ]
            if options.v:
                print('%s: %s, %d faults' % (subject.name, subject.counts, len(faults)), flush=True)
            for fault, problem in zip(faults, pool.map(subject.judge, faults)):
                passed, failed = passed + (problem is None), failed + (problem is not None)
                if problem:
                    print('FAILED %s, %s: %s' % (subject.name, fault, problem), flush=True)
    print('%d passed, %d failed' % (passed, failed))
    return 1 if failed else 0


sys.exit(main())
# SPDX-License-Identifier: MIT
