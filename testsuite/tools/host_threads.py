#!/usr/bin/env python3
"""Programs with host threads, signals and forks, with the runtime and the CPU backend built for
ThreadSanitizer, for AddressSanitizer and UndefinedBehaviorSanitizer, and under valgrind's helgrind
and drd.

usage: host_threads.py --mesicc PATH --build DIR [--work DIR]
       [--tools thread,address,forks,helgrind,drd]
       [--seconds N] [PROGRAM...]
Last line: "N passed, N failed". DIR of --work keeps the libraries.

What is not asked of the tools, and why:
  report_signal_unsafe=0   the runtime's handler of faults runs where the program touches memory, as
                           a call there would
  host_forks, host_signals and the forks of soak  not under ThreadSanitizer: in the child of a
                                                  program with threads it takes no notice of
                           what orders the forking thread, but does of all others
  host_forks, forks of soak  under clang's AddressSanitizer ("forks"), not GCC 12's, which does
                           not hold its allocator's locks over a fork, so that a child waits for
                           ever where another thread was allocating
  host_reads_during_launch not under it either: a kernel and the host use one word on purpose
  detect_leaks=0           the pages that LeakSanitizer would read are protected
  soak                     compares values only: the tools' own memory grows
  pending (valgrind)       the flag of mesi_register_bind is atomic, which valgrind cannot see"""
import argparse, glob, os, shutil, signal, subprocess, sys, tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAMS = [
    'host_threads',
    'host_threads_rows',
    'host_reads_during_launch',
    'launch_left',
    'host_forks',
    'host_signals',
    'host_signals_async',
    'soak',
]
FLAGS = {
    'thread': ['-fsanitize=thread'],
    'address': [
        '-fsanitize=address,undefined',
        '-fno-sanitize=vptr',
        '-fno-sanitize-recover=undefined',
    ],
}
GCC, CLANG = ('gcc', 'g++'), ('clang-22', 'clang++-22')
COMPILERS = {'thread': GCC, 'address': GCC, 'forks': CLANG}
SETTINGS = {
    'thread': {'TSAN_OPTIONS': 'report_signal_unsafe=0:exitcode=66', 'MESI_THREADS': '2'},
    'address': {
        'ASAN_OPTIONS': 'detect_leaks=0:detect_stack_use_after_return=0',
        'MESI_THREADS': '2',
    },
}
LEFT_OUT = {
    'thread': ['host_signals', 'host_forks', 'host_reads_during_launch'],
    'address': ['host_forks'],
}
FLAGS['forks'], SETTINGS['forks'] = FLAGS['address'], SETTINGS['address']
# clang's own longjmp, which a static library of it has, would hide the runtime's
LINKED = {'forks': ['-shared-libasan']}
ONLY = {'forks': ['launch_left', 'host_forks', 'soak']}

SUPPRESSED = '{\n  atomic\n  %s\n  fun:mesi_register_bind\n}\n'


def run(argv, **settings):
    """Status and text. What hangs is killed with its children, which have the text's end open."""
    process = subprocess.Popen(
        argv,
        env=dict(os.environ, **settings),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    try:
        text = process.communicate(timeout=300)[0]
        return process.returncode, text.decode(errors='replace')
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        return 124, 'hangs\n' + process.communicate()[0].decode(errors='replace')


def must(argv, **settings):
    status, text = run(argv, **settings)
    if status:
        raise SystemExit(' '.join(argv) + '\n' + text)


def library(compiler, work, name, sources, flags):
    objects = []
    for source in sources:
        objects.append('%s/%s_%s.o' % (work, name, os.path.basename(source)))
        must(
            [
                compiler,
                '-O1',
                '-g',
                '-fPIC',
                '-w',
                '-c',
                '-I',
                os.path.dirname(source),
                '-I',
                ROOT + '/runtime/cpu/include',
                '-o',
                objects[-1],
                source,
            ]
            + flags
        )
    path = '%s/lib%s.a' % (work, name)
    if os.path.exists(path):
        os.remove(path)
    must(['ar', 'rcs', path] + objects)
    return path


class Tool:
    """The libraries, built for one sanitizer."""

    def __init__(self, options, name, work):
        self.options, self.name, self.work = options, name, work
        c, self.compiler = COMPILERS[name]
        core = sorted(
            s
            for s in glob.glob(ROOT + '/runtime/*/*.c')
            if '/runtime/cpu/' not in s and not s.endswith('_cuda.c')
        )
        self.core = library(c, work, 'core', core, FLAGS[name] + ['-std=c11', '-D_GNU_SOURCE'])
        self.cpu = library(
            c,
            work,
            'cpu',
            sorted(glob.glob(ROOT + '/runtime/cpu/*.c')),
            FLAGS[name] + ['-frounding-math', '-ffp-contract=off'],
        )

    def linked(self):
        if self.name not in LINKED:
            return []
        name = '-print-file-name=libclang_rt.asan-x86_64.so'
        place = os.path.dirname(run([self.compiler, name])[1])
        return LINKED[self.name] + ['-Wl,-rpath,' + place]

    def check(self, program):
        folder = ROOT + ('/testsuite/soak' if program == 'soak' else '/testsuite/conformance')
        emitted, binary = '%s/%s.cpp' % (self.work, program), '%s/%s' % (self.work, program)
        must(
            [
                self.options.mesicc,
                '--target=cpu',
                '-O0',
                '--hook-launches',
                '-I',
                folder,
                '-o',
                emitted,
                '%s/%s.mcu' % (folder, program),
            ]
        )
        runtime = ROOT + '/runtime'
        must(
            [
                self.compiler,
                '-std=c++17',
                '-O1',
                '-g',
                '-w',
                '-pthread',
                '-I',
                folder,
                '-isystem',
                runtime,
                '-isystem',
                runtime + '/cpu',
                '-isystem',
                runtime + '/cpu/include',
                emitted,
                self.cpu,
                self.core,
                self.cpu,
                '-lboost_context',
                '-ldl',
                '-lm',
                '-o',
                binary,
            ]
            + FLAGS[self.name]
            + self.linked()
        )
        arguments = [str(self.options.seconds), '1'] if program == 'soak' else []
        if program == 'soak' and self.name not in ONLY:
            arguments.append('without forks')
        status, text = run(['setarch', '-R', binary] + arguments, **SETTINGS[self.name])
        if (
            program == 'soak'
            and 'differ' not in text
            and 'grows: ' in text
            and 'WARNING' not in text
            and 'ERROR' not in text
        ):
            return None
        return None if status == 0 else 'status %d:\n%s' % (status, text[:3000])


def check_valgrind(options, tool, work):
    program, suppressions = work + '/threads', work + '/' + tool
    must(
        [
            'gcc',
            '-D_GNU_SOURCE',
            '-std=c11',
            '-O1',
            '-g',
            '-w',
            '-I',
            ROOT + '/runtime',
            ROOT + '/testsuite/unit/runtime_threads.c',
            os.path.abspath(options.build) + '/runtime/libmesi_cpu_core.a',
            '-pthread',
            '-o',
            program,
        ]
    )
    with open(suppressions, 'w') as file:
        file.write(SUPPRESSED % {'helgrind': 'Helgrind:Race', 'drd': 'drd:ConflictingAccess'}[tool])
    status, text = run(
        [
            'valgrind',
            '-q',
            '--tool=' + tool,
            '--suppressions=' + suppressions,
            '--error-exitcode=9',
            program,
        ]
    )
    return None if status == 0 else 'status %d:\n%s' % (status, text[:3000])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--mesicc', required=True)
    parser.add_argument('--build', required=True)
    parser.add_argument('--work')
    parser.add_argument('--tools', default='thread,address,forks,helgrind,drd')
    parser.add_argument('--seconds', type=float, default=4)
    parser.add_argument('programs', nargs='*')
    options = parser.parse_args()
    passed = failed = 0
    with tempfile.TemporaryDirectory() as own:
        for name in options.tools.split(','):
            work = os.path.join(options.work or own, name)
            os.makedirs(work, exist_ok=True)
            if name in FLAGS:
                tool = Tool(options, name, work)
                cases = [
                    (p, tool.check)
                    for p in options.programs or ONLY.get(name, PROGRAMS)
                    if p not in LEFT_OUT.get(name, [])
                ]
            elif not shutil.which('valgrind'):
                print('%s: there is no valgrind' % name)
                continue
            else:
                cases = [(name, lambda tool_name: check_valgrind(options, tool_name, work))]
            for case, check in cases:
                problem = check(case)
                passed, failed = passed + (problem is None), failed + (problem is not None)
                print(
                    '%s %s %s' % ('FAILED' if problem else 'ok', name, case)
                    + (': ' + problem if problem else ''),
                    flush=True,
                )
    print('%d passed, %d failed' % (passed, failed))
    return 1 if failed else 0


sys.exit(main())
# SPDX-License-Identifier: MIT
