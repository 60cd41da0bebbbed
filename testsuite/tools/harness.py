# SPDX-License-Identifier: MIT
"""What the scripts that test samples and the command line share: commands, and the counts of what
holds.

Each script calls report or expect for what it tests, and finish at its end, which prints "N passed,
N failed" and ends it."""
import atexit, os, pty, shutil, subprocess, sys, tempfile

from kept import wall

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# For programs that are built several times: the compiler's own time is most of such a test.
FLAGS = ['-Xcompiler=-O1,-g0,-fuse-ld=gold,-fno-use-linker-plugin']
counts = {'passed': 0, 'failed': 0}


def report(what, problem):
    """A test of which `problem` tells what is wrong; None: nothing."""
    counts['passed' if problem is None else 'failed'] += 1
    if problem is not None:
        print('FAILED %s: %s' % (what, problem), flush=True)


def expect(what, holds, shown='', most=None):
    """A test that holds or not; then `shown` is printed, `most` characters of it."""
    report(what, None if holds else str(shown)[:most])


def run(argv, stdin=b'', limit=None, timeout=wall(300), base=None, **environment):
    """Runs a command: (status, standard output, standard error). `base` stands in place of this
    process's environment."""
    done = subprocess.run(
        argv,
        input=stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=limit,
        timeout=timeout,
        env=dict(os.environ if base is None else base, **environment),
    )
    return (
        done.returncode,
        done.stdout.decode(errors='replace'),
        done.stderr.decode(errors='replace'),
    )


def on_terminal(argv, **options):
    """Runs a command whose standard error is a terminal: (status, what it shows there).
    `options` are Popen's."""
    main, terminal = pty.openpty()
    process = subprocess.Popen(argv, stderr=terminal, stdin=subprocess.DEVNULL, **options)
    os.close(terminal)
    shown = b''
    try:
        while part := os.read(main, 65536):
            shown += part
    except OSError:  # the other end is closed
        pass
    os.close(main)
    return process.wait(), shown.decode(errors='replace')


def precompiled(flags=FLAGS, more=()):
    """Options for mesicc, `flags` among them, that have g++ find the header that each emitted text
    includes first in a folder of this test, where it is precompiled for the flags that mesicc gives
    (translator/driver/compile.c) and `more`; with others g++ passes it over."""
    folder = tempfile.mkdtemp(prefix='mesi-surface-')
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    words = '-std=gnu++17 -O2 -g -w -ffp-contract=off -fno-strict-aliasing -pthread'.split()
    for flag in flags:
        words += flag[len('-Xcompiler=') :].split(',')
    words += more
    for below in ('', 'cpu', 'cpu/include'):
        words += ['-isystem', os.path.join(ROOT, 'runtime', below)]
    header = os.path.join(ROOT, 'runtime/cpu/mesi_cpu.h')
    run(['g++'] + words + ['-x', 'c++-header', header, '-o', folder + '/mesi_cpu.h.gch'])
    return flags + ['-Xcompiler=-I,' + folder]


def finish():
    print('%d passed, %d failed' % (counts['passed'], counts['failed']))
    sys.exit(1 if counts['failed'] else 0)
