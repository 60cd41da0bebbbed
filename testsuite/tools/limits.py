#!/usr/bin/env python3
"""What mesicc and programs do when they are interrupted, and at limits: signals, locales, names
that are not UTF-8, settings that are wrong, a cache of others, files that may not grow. usage:
limits.py --mesicc FILE. Last line: N passed, N failed."""
import argparse, json, os, resource, signal, subprocess, tempfile, time

import harness
from harness import expect, finish

parser = argparse.ArgumentParser()
parser.add_argument('--mesicc', required=True)
options = parser.parse_args()
MESICC = os.path.abspath(options.mesicc)
PATIENCE = 300  # seconds; the machine may be busy
PROGRAM = """#include <clocale>
#include <cstdio>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <unistd.h>
__global__ int a[32];
__global__ void add(int *p, int v) { p[threadIdx.x] += v; }
static volatile sig_atomic_t got;
static void note(int number) { got = number; }
int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  if (!strcmp(what, "locale") && !setlocale(LC_ALL, argv[2])) return 9;
  add<<<1, 32>>>(a, 7);
  if (a[5] != 7) return 1;
  if (!strcmp(what, "lines")) return strcmp(argv[2], "one\\ntwo") != 0;
  if (!strcmp(what, "locale")) return 0;
  if (!strcmp(what, "die")) raise(SIGTERM);
  if (strcmp(what, "wait") && strcmp(what, "catch")) return 0;
  if (!strcmp(what, "catch")) signal(SIGTERM, note), signal(SIGHUP, note);
  FILE *f = fopen(argv[2], "w");
  fprintf(f, "%ld\\n", (long)getpid());
  fclose(f);
  for (int i = 0; i < 600 && !got; i++) usleep(50000);
  return got ? 40 + got : 3;
}
"""
for ignored in (
    signal.SIGTERM,
    signal.SIGHUP,
    signal.SIGQUIT,
):  # as what nohup and a shell start in the background has them
    signal.signal(ignored, signal.SIG_DFL)
signal.signal(signal.SIGINT, signal.default_int_handler)


def environment(**more):
    return dict(
        {k: v for k, v in os.environ.items() if k not in ('MESI_TRACE', 'MESI_STATS')}, **more
    )


def run(*argv, limit=None, **more):
    return harness.run(list(argv), limit=limit, timeout=PATIENCE, base=environment(**more))


def wait_until(holds):
    end = time.time() + PATIENCE
    while time.time() < end:
        if holds():
            return True
        time.sleep(0.02)
    return False


def lives(pid):
    try:
        return open('/proc/%d/stat' % pid).read().rsplit(')', 1)[1].split()[0] not in 'ZX'
    except OSError:
        return False


def start(what, *verb):
    """mesicc run, once the program is running; its process and the program's number."""
    mark = os.path.abspath('mark')
    if os.path.exists(mark):
        os.unlink(mark)
    os.makedirs('tmp', exist_ok=True)
    process = subprocess.Popen(
        [MESICC, *verb, '--target=cpu', 'p.mcu', '--', what, mark],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(TMPDIR=os.path.abspath('tmp')),
        start_new_session=True,
    )
    wait_until(
        lambda: (os.path.exists(mark) and open(mark).read().endswith('\n'))
        or process.poll() is not None
    )
    return process, int(open(mark).read()) if os.path.exists(mark) else 0


def check_signals():
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        process, program = start('wait', 'run')
        os.kill(process.pid, number)
        status = process.wait(PATIENCE)
        expect('status after %s' % number.name, status == 128 + number, status)
        expect('the program got %s' % number.name, not lives(program))
        expect('no folder after %s' % number.name, not os.listdir('tmp'), os.listdir('tmp'))
    process, program = start('catch', 'run')
    os.kill(process.pid, signal.SIGTERM)
    status = process.wait(PATIENCE)
    expect('what the program makes of a signal', status == 40 + signal.SIGTERM, status)
    process, program = start('wait', 'compare')
    os.kill(process.pid, signal.SIGTERM)
    status = process.wait(PATIENCE)
    expect(
        'compare interrupted',
        status == 128 + signal.SIGTERM and not lives(program) and not os.listdir('tmp'),
        (status, os.listdir('tmp')),
    )
    process, program = start('wait', 'run')
    os.kill(process.pid, signal.SIGKILL)
    process.wait(PATIENCE)
    end = time.time() + 20
    while lives(program) and time.time() < end:
        time.sleep(0.05)
    expect('no orphan', not lives(program))
    if lives(program):
        os.kill(program, signal.SIGKILL)
    status, out, err = run(MESICC, 'run', '--target=cpu', 'p.mcu', '--', 'die')
    expect('a signal as status', status == 128 + signal.SIGTERM, (status, err))
    os.makedirs('building')
    process = subprocess.Popen(
        [MESICC, 'run', '--target=cpu', 'p.mcu'],
        stderr=subprocess.PIPE,
        env=environment(TMPDIR=os.path.abspath('building')),
    )
    wait_until(lambda: os.listdir('building') or process.poll() is not None)
    os.kill(process.pid, signal.SIGTERM)
    status, err = process.wait(PATIENCE), process.stderr.read().decode()
    expect(
        'interrupted while it builds',
        status == 128 + signal.SIGTERM and 'error' not in err and not os.listdir('building'),
        (status, err),
    )


def comma_locale():
    """A locale with a decimal comma, made where the system has none installed; its environment."""
    os.makedirs('locales', exist_ok=True)
    path = os.path.abspath('locales')
    made = (
        subprocess.run(
            ['localedef', '-i', 'de_DE', '-f', 'UTF-8', os.path.join(path, 'de_DE.UTF-8')],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        if os.path.exists('/usr/bin/localedef')
        else None
    )
    there = made is not None and os.path.isdir(os.path.join(path, 'de_DE.UTF-8'))
    return {'LOCPATH': path} if there else {}


def is_json(path):
    try:
        return bool(json.loads(open(path, 'rb').read().decode('utf-8')))
    except ValueError:
        return False


def check_texts(program):
    more = comma_locale()
    status, out, err = run(
        program, 'locale', 'de_DE.UTF-8', MESI_TRACE='trace.json', MESI_STATS='stats', **more
    )
    if status == 9:
        print('no locale with a decimal comma can be had here')
    else:
        expect('trace under a decimal comma', status == 0 and is_json('trace.json'), (status, err))
        expect(
            'statistics under a decimal comma',
            ',' not in open('stats').read(),
            open('stats').read(),
        )
        status, out, err = run(program, 'locale', 'de_DE.UTF-8', MESI_TRACE='1', **more)
        expect(
            'lines under a decimal comma',
            'mesi: trace: ' in err and ' ms: ' in err and ',' not in err.split(' ms: ')[0],
            err[:200],
        )
    name = b'n\xff\xe9\xc3.mcu'
    open(name, 'w').write(PROGRAM)
    status, out, err = run(
        MESICC,
        '--target=cpu',
        '-MJ',
        'fragment',
        '-MD',
        '-MF',
        'deps',
        '-o',
        'n.cpp',
        os.fsdecode(name),
    )
    expect('translation of a name that is not UTF-8', status == 0, err)
    text = open('fragment', 'rb').read() if os.path.exists('fragment') else b''
    try:
        entry = json.loads(text.decode('utf-8').rstrip().rstrip(','))
    except ValueError:
        entry = {}
    expect('fragment', 'file' in entry, text)
    expect('depfile untouched', name in open('deps', 'rb').read())
    status, out, err = run(
        MESICC,
        '--target=cpu',
        '--explain=json',
        '--explain-file=n.json',
        '-o',
        'n.cpp',
        os.fsdecode(name),
    )
    expect('--explain=json', status == 0 and is_json('n.json'), err)
    status, out, err = run(
        MESICC, 'run', '--target=cpu', os.fsdecode(name), MESI_TRACE=os.path.abspath('n_trace.json')
    )
    expect('trace of a name that is not UTF-8', status == 0 and is_json('n_trace.json'), err)


def check_settings(program):
    for name, value, word in [
        ('MESI_STEPS', 'many', 'is no number'),
        ('MESI_CPU_MEMORY', '4X', 'is no number of bytes'),
        ('MESI_TRCE', '1', 'is no setting of mesicc; did you mean MESI_TRACE?'),
        ('MESI_PARTS', '3x', 'is no number'),
    ]:
        status, out, err = run(program, **{name: value})
        expect(name, status == 70 and name in err and word in err, (status, err))
        status, out, err = run(MESICC, '--version', **{name: value})
        expect('mesicc, ' + name, status == 1 and name in err and 'M1021' in err, (status, err))
    status, out, err = run(
        program, MESI_STEPS='', MESI_PARTS='-1', MESI_CPU_MEMORY='1g', MESI_VERIFY='0'
    )
    expect('settings that are right', status == 0, (status, err))


def check_limits(program):
    def small_files():
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))

    status, out, err = run(
        program,
        limit=small_files,
        MESI_STATS='small_stats',
        MESI_DUMP='small_dump',
        MESI_TRACE='small.json',
    )
    expect(
        'a program that may not write',
        status == 0 and 'statistics cannot be written' in err and 'trace cannot be written' in err,
        (status, err),
    )
    status, out, err = run(MESICC, '--target=cpu', '-o', 'small.cpp', 'p.mcu', limit=small_files)
    expect(
        'a translation that may not write',
        status == 1 and 'small.cpp' in err and not os.path.exists('small.cpp'),
        (status, err),
    )
    os.makedirs('open_cache', exist_ok=True)
    os.chmod('open_cache', 0o777)
    status, out, err = run(MESICC, '--target=cpu', '-o', 'c.cpp', 'p.mcu', MESI_CACHE='open_cache')
    expect(
        'a cache of others',
        status == 0 and err.count('M1020') == 1 and not os.listdir('open_cache'),
        (status, err, os.listdir('open_cache')),
    )
    status, out, err = run(MESICC, 'run', '--target=cpu', 'p.mcu', '--', 'lines', 'one\ntwo')
    expect('an argument of two lines', status == 0, (status, err))


# Twelve products, each analysed for seconds.
LONG = ''.join(
    """
__global__ void k%d(float *o, const float *a, const float *b, int d, int h, int w, int m)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= d * h * w) return;
  int z = i / (w * h), r = i - z * w * h, y = r / w, x = r - y * w;
  float s = 0;
  for (int k = 0; k < m + %d; k++) s += a[(z * h + y) * m + k] * b[(z * m + k) * w + x];
  o[i] = s;
}
void run%d(float *o, const float *a, const float *b, int d, int h, int w, int m)
{
  k%d<<<(d * h * w + 127) / 128, 128>>>(o, a, b, d, h, w, m);
}
"""
    % (n, n, n, n)
    for n in range(12)
)


def check_analysis():
    """An analysis that exceeds its time leaves what -O0 makes, with a warning."""
    open('long.cu', 'w').write(LONG)
    argv = [MESICC, '-o', 'long_out.cu', 'long.cu', '--target=cpu']
    status, out, err = run(*argv, '-O0')
    wanted = open('long_out.cu').read()
    status, out, err = run(*argv, '-O2', '--mapping=always', MESI_TIME_LIMIT='1')
    expect(
        'an analysis beyond its time',
        status == 0 and err.count('warning[M2103]') == 1 and open('long_out.cu').read() == wanted,
        (status, err),
    )


def check_bundles():
    os.makedirs('other', exist_ok=True)
    open('other/p.mcu', 'w').write(PROGRAM)
    bundle = [MESICC, 'bundle', '--levels=0', '-o', 'bundle']
    status, out, err = run(*bundle, 'p.mcu')
    expect('bundle', status == 0, err)
    before = open('bundle/cases').read()
    status, out, err = run(*bundle, 'p.mcu')
    expect(
        'the same case again',
        status == 0 and open('bundle/cases').read() == before,
        (err, open('bundle/cases').read()),
    )
    status, out, err = run(*bundle, 'other/p.mcu')
    expect('another case of that name', status == 1 and 'M1022' in err, (status, err))
    status, out, err = run(*bundle, '-DX=1,2', 'p.mcu')
    status, out, err = run(*bundle, '-DX=1+2', 'p.mcu')
    expect('macros that give one name', status == 1 and 'M1022' in err, (status, err))
    status, out, err = run(MESICC, 'bundle', '--levels=0', '-o', 'lines', 'p.mcu', '--', 'one\ntwo')
    expect(
        'an argument of two lines in a bundle',
        status == 1 and 'several lines' in err,
        (status, err),
    )


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    open('p.mcu', 'w').write(PROGRAM)
    status, out, err = run(MESICC, 'run', '--target=cpu', '--keep=kept', 'p.mcu')
    expect('program', status == 0, err)
    program = os.path.abspath('kept/program_O2')
    check_texts(program)
    check_settings(program)
    check_limits(program)
    check_analysis()
    check_bundles()
    check_signals()
finish()
# SPDX-License-Identifier: MIT
