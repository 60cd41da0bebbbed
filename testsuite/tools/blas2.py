#!/usr/bin/env python3
"""The blas2 sample: random products at all levels and with double against Debian's reference BLAS,
edges in one kernel and apart; the reductions, with Debian's LAPACK; small benchmarks, wrong words.
Last line: N passed, N failed."""
import argparse, glob, os, subprocess, tempfile

from harness import ROOT, finish, precompiled, report, run

SAMPLE = os.path.join(ROOT, 'samples/blas2')
FILES = [SAMPLE + '/blas2.mcu'] + sorted(glob.glob(SAMPLE + '/*.c'))

parser = argparse.ArgumentParser()
parser.add_argument('--mesicc', required=True)
options = parser.parse_args()
FAST = precompiled()


def good(status, out):
    return status == 0 and 'check: ok' in out and 'not installed' not in out


def build(work, real):
    """Programs of -O0 to -O2, whose results must agree, and of -O3, where sums are rounded in
    another order."""
    status, out, err = run(
        [
            options.mesicc,
            'compare',
            '--target=cpu',
            '--levels=0,1,2',
            '-DREAL=' + real,
            '--keep=' + work,
        ]
        + FAST
        + FILES
        + ['--', 'check', '--random', '100', '--largest', '150']
    )
    report(
        'compare with %s' % real,
        None if good(status, out) and 'results agree' in out else out + err,
    )
    status, out, err = run(
        [options.mesicc, 'run', '--target=cpu', '-O3', '-DREAL=' + real, '--keep=' + work + '/O3']
        + FAST
        + FILES
        + ['--', 'check', '--random', '60', '--largest', '500']
    )
    report('%s at -O3' % real, None if good(status, out) else out + err)


def check_products(work, real):
    for level in (0, 1, 2):
        status, out, err = run(
            [
                '%s/program_O%d' % (work, level),
                'check',
                '--random',
                '250',
                '--largest',
                '90',
                '--seed',
                str(level + 2),
            ]
        )
        report('%s at -O%d' % (real, level), None if good(status, out) else out + err)
    for edges in ('apart', 'whole'):
        for schedule in ('forward', 'random:1'):
            status, out, err = run(
                [
                    work + '/program_O2',
                    'check',
                    '--random',
                    '50',
                    '--largest',
                    '500',
                    '--edges',
                    edges,
                ],
                MESI_SCHEDULE=schedule,
            )
            report(
                '%s, edges %s, %s' % (real, edges, schedule),
                None if good(status, out) else out + err,
            )


REDUCTIONS = ('hessenberg', 'bidiagonal', 'tridiagonal')


def check_reductions(work, real):
    for program in (
        ('program_O0', 'program_O2', 'O3/program_O3') if real == 'float' else ('program_O2',)
    ):
        for reduction in REDUCTIONS:
            status, out, err = run(
                [
                    '%s/%s' % (work, program),
                    reduction,
                    'check',
                    '--random',
                    '42',
                    '--largest',
                    '110',
                ]
            )
            report(
                '%s, %s of %s' % (reduction, real, program),
                None if good(status, out) else out + err,
            )
    status, out, err = run(
        [work + '/program_O2', 'hessenberg', 'check', '--random', '9', '--largest', '70'],
        MESI_SCHEDULE='random:1',
    )
    report('hessenberg of %s, random:1' % real, None if good(status, out) else out + err)
    for reduction in REDUCTIONS:
        status, out, err = run(
            [work + '/program_O2', reduction, 'check', '--random', '12', '--largest', '110']
            + ['--panels', 'one'],
            MESI_THREADS='5',
        )
        report(
            '%s of %s, blocks that wait' % (reduction, real),
            None if good(status, out) else out + err,
        )
    status, out, err = run([work + '/program_O1', 'all', '--random', '30', '--largest', '70'])
    report(
        'all of %s' % real, None if good(status, out) and out.count('check: ok') == 4 else out + err
    )


# A library with cuBLAS's interface that works on the CPU backend's memory.
LIBRARY = r"""
#include <stdlib.h>
typedef REAL real;
int cublasCreate_v2(void **handle) { *handle = handle; return getenv("NO_DEVICE") != NULL; }
int cublasDestroy_v2(void *handle) { return !handle; }
int cublasGetVersion_v2(void *handle, int *ret) { *ret = 130000; return !handle; }
int cublasSetAtomicsMode(void *handle, int allowed) { return !handle || (allowed & ~1); }
int PREFIX(gemv)(void *handle, int turned, int m, int n, const real *alpha,
                 const real *a, int lda, const real *x, int incx, const real *beta, real *y,
                 int incy) {
  for (int i = 0; i < (turned ? n : m); i++) {
    real sum = 0;
    for (int j = 0; j < (turned ? m : n); j++)
      sum += (turned ? a[j + (long)i * lda] : a[i + (long)j * lda]) * x[j * incx];
    y[i * incy] = *alpha * sum + (*beta == 0 ? 0 : *beta * y[i * incy]);
  }
  return !handle;
}
int PREFIX(symv)(void *handle, int upper, int n, const real *alpha, const real *a, int lda,
                 const real *x, int incx, const real *beta, real *y, int incy) {
  for (int i = 0; i < n; i++) {
    real sum = getenv("WRONG") ? 1 : 0;
    for (int j = 0; j < n; j++)
      sum += ((upper ? i <= j : i >= j) ? a[i + (long)j * lda] : a[j + (long)i * lda])
             * x[j * incx];
    y[i * incy] = *alpha * sum + (*beta == 0 ? 0 : *beta * y[i * incy]);
  }
  return !handle;
}
"""


def check_peer(work):
    """The benchmark beside a library that is found at run time."""
    library, words = work + '/libpeer.so', [
        'bench',
        '--largest',
        '192',
        '--repeats',
        '1',
        '--cublas',
    ]
    with open(work + '/peer.c', 'w') as file:
        file.write(LIBRARY)
    subprocess.run(
        [
            'gcc',
            '-shared',
            '-fPIC',
            '-O1',
            '-DREAL=float',
            '-DPREFIX(name)=cublasS##name##_v2',
            work + '/peer.c',
            '-o',
            library,
        ],
        check=True,
    )
    program = work + '/float/program_O2'
    status, out, err = run([program] + words + [library])
    lines = [line.split() for line in out.splitlines()]
    complete = (
        len(lines) == 11
        and all('-' not in line[7:] for line in lines if line[2:3] in (['U'], ['L']))
        and 'cuBLAS 130000' in out
    )
    report('beside a library', None if status == 0 and complete else out + err)
    status, out, err = run([program] + words + [library], WRONG='1')
    report(
        'a library that is wrong',
        None if status == 2 and '8 products have other results' in out else out + err,
    )
    for name, environment in ((work + '/no.so', {}), (library, {'NO_DEVICE': '1'})):
        status, out, err = run([program] + words + [name], **environment)
        report(
            '%s is no cuBLAS' % name,
            None if status == 1 and 'is no cuBLAS' in err and not out else out + err,
        )


# A library with MAGMA's interface that checks what it is called with.
MAGMA = r"""
#include <stdlib.h>
typedef REAL real;
static int started, queue;
int magma_init(void) { return getenv("NO_DEVICE") ? -1 : (started++, 0); }
int magma_finalize(void) { started--; return 0; }
void magma_queue_create_from_cuda_internal(int device, void *stream, void *cublas, void *cusparse,
                                           void **ret, const char *function, const char *file,
                                           int line) {
  *ret = started == 1 && !device && !stream && !cublas && !cusparse && *function && *file && line
             ? &queue : NULL;
}
void magma_queue_destroy_internal(void *of, const char *function, const char *file, int line) {
  if (of != &queue || started != 1) exit(77);
}
static int product(int uplo, int n, real alpha, const real *a, int lda, const real *x, int incx,
                   real beta, real *y, int incy, void *of) {
  if (of != &queue || started != 1 || (uplo != 121 && uplo != 122) || alpha != 1 || beta != 0)
    return -1;
  for (int i = 0; i < n; i++) {
    real sum = getenv("WRONG") ? 1 : 0;
    for (int j = 0; j < n; j++)
      sum += ((uplo == 121) == (i <= j) || i == j ? a[i + (long)j * lda] : a[j + (long)i * lda])
             * x[j * incx];
    y[i * incy] = beta * y[i * incy] + sum; /* whatever beta is, as MAGMA */
  }
  return 0;
}
int PREFIX(symv)(int uplo, int n, real alpha, const real *a, int lda, const real *x, int incx,
                 real beta, real *y, int incy, void *of) {
  return product(uplo, n, alpha, a, lda, x, incx, beta, y, incy, of);
}
#ifdef WORK
int PREFIX(symv_work)(int uplo, int n, real alpha, const real *a, int lda, const real *x, int incx,
                      real beta, real *y, int incy, real *work, int count, void *of) {
  if (count < lda * ((n + 63) / 64)) return -12;
  for (int i = 0; i < count; i++) work[i] = i;
  return product(uplo, n, alpha, a, lda, x, incx, beta, y, incy, of);
}
#endif
"""


def check_magma(work, real):
    """A column beside symv where there is a MAGMA, with room from the program or without."""
    program, prefix = '%s/%s/program_O2' % (work, real), 's' if real == 'float' else 'd'
    words = [program, 'bench', '--largest', '192', '--repeats', '1', '--magma']
    with open(work + '/magma.c', 'w') as file:
        file.write(MAGMA)
    for more in ([], ['-DWORK']):
        library = work + '/libmagma.so'
        subprocess.run(
            ['gcc', '-shared', '-fPIC', '-O1', '-DREAL=' + real]
            + ['-DPREFIX(name)=magmablas_%s##name' % prefix]
            + more
            + [work + '/magma.c', '-o', library],
            check=True,
        )
        status, out, err = run(words + [library])
        lines = [line.split() for line in out.splitlines()[1:]]
        complete = (
            status == 0
            and lines[0][-1] == 'magma'
            and all((line[-1] != '-') == (line[1] == 'symv') for line in lines[1:])
            and len(lines) == 9
        )
        report('%s beside MAGMA %s' % (real, more), None if complete else out + err)
        status, out, err = run(words + [library], WRONG='1')
        report(
            'a MAGMA that is wrong, %s %s' % (real, more),
            None if status == 2 and '4 products have other results' in out else out + err,
        )
    for name, environment in ((work + '/no.so', {}), (library, {'NO_DEVICE': '1'})):
        status, out, err = run(words + [name], **environment)
        report(
            '%s is no MAGMA' % name,
            None if status == 1 and 'is no MAGMA' in err and not out else out + err,
        )
    status, out, err = run(words[:-1])
    report('without MAGMA', None if status == 0 and 'magma' not in out else out + err)


def check_words(program):
    for verb, lines in (
        (['bench'], 14),
        (['bench', '--products', 'U'], 5),
        (['bench', '--step', '77'], 14),
        (['bench', '--shape', 'tall', '--step', '85'], 8),
        (['bench', '--shape', 'wide', '--products', 'T'], 5),
        (['edges'], 4),
        (['hessenberg', 'bench'], 4),
        (['bidiagonal', 'bench'], 4),
        (['tridiagonal', 'bench'], 4),
    ):
        status, out, err = run([program] + verb + ['--largest', '256', '--repeats', '1'])
        report(
            ' '.join(verb), None if status == 0 and len(out.splitlines()) == lines else out + err
        )
    for words in (
        ['bench', '--largest', 'x'],
        ['hessenberg'],
        ['hessenberg', 'solve'],
        ['bidiagonal', 'check', '--largest', '0'],
        ['all', '--what', '1'],
        ['check', '--random'],
        ['check', '--what', '3'],
        ['check', '--edges', 'art'],
        ['bench', '--products', 'NX'],
        ['bench', '--shape', 'round'],
        ['bench', '--step', '0'],
        ['frobnicate'],
    ):
        status, out, err = run([program] + words)
        report(
            ' '.join(words),
            (
                None
                if status == 1 and 'blas2 check' in err and not out
                else 'status %d\n%s%s' % (status, out, err)
            ),
        )


with tempfile.TemporaryDirectory() as work:
    for real in ('float', 'double'):
        build(os.path.join(work, real), real)
        check_products(os.path.join(work, real), real)
        check_reductions(os.path.join(work, real), real)
    check_peer(work)
    for real in ('float', 'double'):
        check_magma(work, real)
    check_words(work + '/float/program_O2')
finish()
# SPDX-License-Identifier: MIT
