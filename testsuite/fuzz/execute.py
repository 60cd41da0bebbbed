# SPDX-License-Identifier: MIT
"""One random program: translated in each variant, compiled, run under each schedule, compared with
-O0 and with its twin.

A variant is a level and perhaps options: '2', '2 --mapping=always'. One whose emitted text equals
that of an earlier variant is not run again and counts as that one."""
import os
import re
import shutil
import subprocess
from collections import Counter

LEVELS = ('0', '1', '2', '3')
SCHEDULES = ('forward', 'reverse', 'random:1')
FLAGS = [
    '-std=c++17',
    '-O0',
    '-fuse-ld=gold',
    '-w',
    '-ffp-contract=off',
    '-fno-strict-aliasing',
    '-pthread',
]
# Parts of a version that not all of its threads run: a line in front of the part, by name.
PARTS = (
    ('early', re.compile(r'^ +[a-z][\w ]* _a_\w+\[\d+\];', re.M)),
    ('layers', re.compile(r'^ +for \(int _z = _first; [^\n]*\{', re.M)),
    ('inner', re.compile(r'^ +if \((?:__all_sync\(0xffffffffu, _inner\)|_inner)\) \{', re.M)),
    ('whole', re.compile(r'^ +if \(_whole\w*\) \{', re.M)),
)
VERSION = re.compile(r'^([^\n/]*__global__[^\n;]*\b(k\d+_\d+_\w+)\([^\n;]*\)\s*\{)', re.M)
HEADER = (
    '#include <mesi_cpu.h>\n#include <math.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include'
    ' <string.h>\n#include <sys/uio.h>\n#include <unistd.h>\n#include <ran.h>\n'
)


class Broken(Exception):
    """What went wrong with one program: `kind` is 'translation', 'compiler', 'crash', 'mismatch',
    'twin', 'check', or 'limit': the translation ran into its limit of wall-clock time or memory,
    twice."""

    def __init__(self, kind, text):
        super().__init__(text)
        self.kind = kind


def command(argv, timeout, env=None):
    """In a session of its own: a Ctrl-C is for the run, not for what it has started."""
    try:
        done = subprocess.run(
            argv,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            timeout=timeout,
            env=env,
            start_new_session=True,
        )
        return (
            done.returncode,
            done.stdout.decode(errors='replace'),
            done.stderr.decode(errors='replace'),
        )
    except subprocess.TimeoutExpired:
        return 124, '', 'timed out after %d s' % timeout


def host_compiler():
    """clang takes two thirds of the time of g++ for these files."""
    return next(
        name for name in ('clang++-22', 'clang++', 'g++') if shutil.which(name) or name == 'g++'
    )


def schedule_name(schedule, more):
    return ' '.join([schedule] + ['%s=%s' % item for item in sorted((more or {}).items())])


def stem(variant):
    """A file name: O2, O2_mapping_always."""
    return 'O' + re.sub(r'\W+', '_', variant)


class Tools:
    def __init__(self, mesicc, build, sanitize=False):
        self.compiler = 'g++' if sanitize else host_compiler()
        here = os.path.dirname(os.path.abspath(__file__))
        runtime = os.path.join(os.path.dirname(os.path.dirname(here)), 'runtime')
        self.mesicc, self.build = os.path.abspath(mesicc), os.path.abspath(build)
        self.flags = FLAGS + (
            ['-fsanitize=address,undefined', '-fno-sanitize-recover=undefined', '-g']
            if sanitize
            else ['-Wl,--strip-debug']
        )
        for folder in (here, runtime, runtime + '/cpu', runtime + '/cpu/include'):
            self.flags += ['-isystem', folder]
        libraries = self.build + '/runtime'
        self.libraries = [
            libraries + l
            for l in ('/cpu/libmesi_cpu.a', '/libmesi_cpu_core.a', '/cpu/libmesi_cpu.a')
        ] + ['-lboost_context', '-ldl', '-lm']
        self.prefix = []

    def precompile(self, folder):
        """The surface's headers as a precompiled header."""
        header = os.path.join(folder, 'prefix.h')
        with open(header, 'w') as file:
            file.write(HEADER)
        is_clang, flags = 'clang' in self.compiler, [
            f for f in self.flags if not f.startswith(('-fuse-ld', '-Wl'))
        ]
        compiled = header + ('.pch' if is_clang else '.gch')
        status, _, text = command(
            [self.compiler]
            + flags
            + (['-Xclang', '-fno-pch-timestamp', '-fpch-instantiate-templates'] if is_clang else [])
            + ['-x', 'c++-header', header, '-o', compiled],
            120,
        )
        if status:
            raise SystemExit('the surface does not compile:\n' + text)
        self.prefix = ['-include-pch', compiled] if is_clang else ['-include', header]

    def translate(self, source, output, variant, args):
        argv = (
            [self.mesicc, '--target=cpu']
            + ('-O' + variant).split()
            + ['--hook-launches', '-Rmesi']
            + args
            + ['-o', output, source]
        )
        for _ in range(2):
            status, _, text = command(argv, 300)
            left = re.search(r'.*\[M2103\].*', text)  # it goes on without the analysis
            crashed = left and 'crashed' in left.group(0)
            limit = re.search(r'\[M300[12]\]', text) or status == 124 or (left and not crashed)
            if not limit:
                break
        if status or left:
            errors = [line for line in text.split('\n') if 'error[' in line or 'M2103' in line]
            raise Broken(
                'limit' if limit else 'translation',
                '-O%s: mesicc ends with %d:\n%s'
                % (variant, status, '\n'.join(errors or [text[-3000:]])),
            )
        return text

    def compile(self, source, program):
        status, _, text = command(
            [self.compiler]
            + self.flags
            + self.prefix
            + ['-x', 'c++', source, '-x', 'none']
            + self.libraries
            + ['-o', program],
            300,
        )
        if status:
            raise Broken(
                'compiler',
                '%s: %s ends with %d:\n%s'
                % (os.path.basename(source), self.compiler, status, text[:3000]),
            )

    def run_checked(self, source, stem, variant, args):
        """In check mode: out of bounds, races and barriers of what became of the kernels, which
        compare equal all the same."""
        self.translate(source, stem + '.check.cpp', variant + ' --check', args)
        self.compile(stem + '.check.cpp', stem + '.check')
        status, out, text = command([stem + '.check'], 240)
        if status:
            raise Broken(
                'check',
                '-O%s --check: exit status %d\n%s' % (variant, status, (out + text)[-3000:]),
            )

    def run(self, program, schedule, more=None):
        """(standard output, dump); `more`: settings of the environment."""
        dump = program + '.dump'
        if os.path.exists(dump):
            os.unlink(dump)
        env = dict(
            os.environ,
            MESI_DUMP=dump,
            MESI_SCHEDULE=schedule,
            MESI_PARTS='3',
            FUZZ_RAN=program + '.ran',
            MESI_CPU_COPIES='late' if schedule == 'reverse' else '',
            ASAN_OPTIONS='detect_leaks=0:detect_stack_use_after_return=0',
        )
        env.update(more or {})
        status, out, text = command([program], 120, env)
        if status or not os.path.exists(dump):
            raise Broken(
                'crash',
                '%s, %s: exit status %d\n%s'
                % (os.path.basename(program), schedule_name(schedule, more), status, text[-2000:]),
            )
        with open(dump, 'rb') as file:
            return out, file.read()


def objects_of(dump):
    """(name, bytes) for each object of a MESI_DUMP file."""
    at, out = 16, []
    for _ in range(int.from_bytes(dump[12:16], 'little')):
        name, size = int.from_bytes(dump[at + 8 : at + 12], 'little'), int.from_bytes(
            dump[at + 16 : at + 24], 'little'
        )
        at += 24
        out.append((dump[at : at + name].decode(), dump[at + name : at + name + size]))
        at += name + size
    return out


def difference(reference, other):
    """The first difference of two (output, dump) pairs in words; None where they agree."""
    if reference[1] != other[1]:
        a, b = objects_of(reference[1]), objects_of(other[1])
        pointers = {name for name, _ in a} ^ {
            name for name, _ in b
        }  # VS pointers, which a twin does not list
        a, b = [[(n, t) for n, t in x if n not in pointers] for x in (a, b)]
        if [n for n, _ in a] != [n for n, _ in b]:
            return 'the objects are not the same'
        for (name, x), (_, y) in zip(a, b):
            if x != y:
                at = next(
                    (i for i in range(min(len(x), len(y))) if x[i] != y[i]), min(len(x), len(y))
                )
                return '%s differs at byte %d of %d, %d bytes in all' % (
                    name,
                    at,
                    len(x),
                    sum(p != q for p, q in zip(x, y)),
                )
    if reference[0] != other[0]:
        return 'the output is %r, was %r' % (other[0][-60:], reference[0][-60:])
    return None


class Outcome:
    def __init__(self):
        self.texts = {}  # variant -> emitted text
        self.remarks = {}  # variant -> text
        self.same_as = {}  # variant -> earlier variant with the same text
        self.ran = {}  # variant -> names of versions of kernels that ran
        self.spread = Counter()  # launches over several devices, and why others were not


def read(path):
    with open(path, errors='replace') as file:
        return file.read()


def told(emitted):
    """The file with versions of kernels, and parts of them, that say that they run (ran.h): its
    path."""
    text, out, end = read(emitted), '', 0
    versions = list(VERSION.finditer(text))
    for version, behind in zip(versions, [v.start() for v in versions[1:]] + [len(text)]):
        start, end = end, version.end()
        body, name = text[end:behind], version.group(2)
        for part, line in PARTS:
            body = line.sub(
                lambda m, p=part: '%s static fuzz_ran _ran_%s("%s:%s");' % (m.group(0), p, name, p),
                body,
                1,
            )
        out += '%s static fuzz_ran _ran("%s");%s' % (text[start:end], name, body)
        end = behind
    path = emitted[: -len('.cpp')] + '.ran.cpp'
    with open(path, 'w') as file:
        file.write(out + text[end:])
    return path


def spread_of(stats):
    """Of MESI_STATS: launches over several devices, and of the others by their reason."""
    found = Counter()
    for count, why in re.findall(r'^one_device (\d+) (.*)$', stats, re.M):
        found[why] += int(count)
    spread = re.search(r'^spread (\d+)$', stats, re.M)
    found['over several devices'] += int(spread.group(1)) if spread else 0
    return found


def arguments_of(source):
    first = source.split('\n', 1)[0]
    return first[len('// args:') :].split() if first.startswith('// args:') else []


def translations(tools, folder, variants):
    """An Outcome without running anything."""
    source, outcome = folder + '/program.mcu', Outcome()
    for variant in variants:
        emitted = '%s/%s.cpp' % (folder, stem(variant))
        outcome.remarks[variant] = tools.translate(
            source, emitted, variant, arguments_of(read(source))
        )
        outcome.texts[variant] = read(emitted)
    return outcome


def prove(tools, folder, variant):
    """Of folder/program.mcu: what the variant computes in a finite field against -O0; raises
    Broken. True, or why it is not decided."""
    source = folder + '/program.mcu'
    argv = (
        [tools.mesicc, 'prove'] + ('-O' + variant).split() + arguments_of(read(source)) + [source]
    )
    status, out, text = command(argv, 900)
    if status == 5:
        return out.strip()
    if status:
        limit = '[M3001]' in text or '[M3002]' in text
        raise Broken(
            'limit' if limit else 'prove',
            '-O%s: prove ends with %d: %s' % (variant, status, (out + text)[-2000:]),
        )
    return True


def on_devices(numbers, seed):
    """How a program runs on several simulated devices, in place of the schedules: on each number of
    them with copies at once, where memory that is not valid any more is overwritten, and on one of
    the numbers with copies as late as the waits allow. One file of four has every other launch on
    one device."""
    numbers, spread = numbers.split(','), 'turns' if seed % 4 == 0 else 'always'
    common = {'MESI_PARTS': '', 'MESI_SPREAD': spread}
    late = dict(common, MESI_DEVICES=numbers[seed % len(numbers)], MESI_CPU_COPIES='late')
    at_once = [dict(common, MESI_DEVICES=n, MESI_CPU_COPIES='') for n in numbers]
    return [('forward', more) for more in at_once + [late]]


def check(tools, folder, variants=LEVELS, schedules=SCHEDULES, with_twin=True, checked=False):
    """Runs folder/program.mcu against folder/twin.cpp; raises Broken. checked: the levels from 1 on
    in check mode, too. A schedule is its name, or that and settings. Returns an Outcome."""
    source, outcome = folder + '/program.mcu', Outcome()
    args, reference = arguments_of(read(source)), None
    if with_twin:
        tools.compile(folder + '/twin.cpp', folder + '/twin')
        reference = tools.run(folder + '/twin', 'forward')
    for variant in variants:
        emitted, program = '%s/%s.cpp' % (folder, stem(variant)), '%s/%s' % (folder, stem(variant))
        outcome.remarks[variant] = tools.translate(source, emitted, variant, args)
        outcome.texts[variant] = read(emitted)
        same = next(
            (
                v
                for v, text in outcome.texts.items()
                if v != variant and text == outcome.texts[variant]
            ),
            None,
        )
        if same is not None:
            outcome.same_as[variant] = same
            continue
        tools.compile(told(emitted), program)
        for schedule in schedules:
            schedule, more = schedule if isinstance(schedule, tuple) else (schedule, None)
            stats = dict(more, MESI_STATS=program + '.stats') if more else None
            result = tools.run(program, schedule, stats)
            if more:
                outcome.spread.update(spread_of(read(program + '.stats')))
            outcome.ran.setdefault(variant, set()).update(read(program + '.ran').split())
            if reference is None:
                reference = result
            found = difference(reference, result)
            if found:
                raise Broken(
                    'twin' if with_twin and variant[0] == '0' else 'mismatch',
                    '-O%s, %s: %s' % (variant, schedule_name(schedule, more), found),
                )
        if checked and variant[0] > '0':
            tools.run_checked(source, '%s/%s' % (folder, stem(variant)), variant, args)
    return outcome
