#!/usr/bin/env python3
"""Plants one fault of runtime/seeded.def after another into the compiler, the runtime and the CPU
backend, and shows which test catches it.

usage: run.py [--build DIR] [-j N] [--parts a,b] [--most N] [--list] [FAULT...]

Builds DIR (build-seeded) with -Dseeded_bugs=true. For each fault the parts of PARTS run in order
until one fails: first those that run programs, then those that compare text, then unit tests. A
program runs only where the fault changes what is emitted for it, or is in the runtime; it must pass
without the fault. Programs are compiled once for each text. The part `prove` proves at most N
programs of each level (--most, default 12), the likely ones first.
Last line: "N of M caught (P%)".
"""
import argparse, glob, hashlib, json, multiprocessing, os
import re, shutil, subprocess, sys, tempfile, time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, 'testsuite', 'tools'))
import programs

VARIABLE = 'MESI_SEEDED_BUG'
REACHED = 'MESI_SEEDED_REACHED'
os.environ.setdefault(
    'MESI_TIME_LIMIT', '300'
)  # seconds of a translation: a busy machine is no fault found
programs.RUN_SECONDS = 15  # a fault that makes a program spin is seen soon
LEVEL = 1  # stages the most
LEVELS = {'mapping': 2, 'steps': 2}  # of a layer whose code is not run at LEVEL
SECOND = {
    'frontend': 2,
    'analysis': 2,
    'codegen': 2,
    'mapping': 3,
}  # tried once the first shows nothing
EMITTED = (
    'frontend',
    'analysis',
    'mapping',
    'codegen',
)  # layers whose faults show in the emitted text
ORDER = {  # prefixes of programs that are tried first, by layer
    'frontend': ('stage_', 'cuda_'),
    'analysis': ('stage_', 'launch_', 'host_'),
    'codegen': ('stage_', 'launch_', 'dyn_'),
    'mapping': ('map_', 'opt_', 'jam_', 'chunk_', 'steps_', 'stage_'),
    'steps': ('steps_', 'launch_'),
    'runtime': ('dyn_', 'host_', 'launch_'),
    'cpu': ('stage_user', 'cuda_', 'stage_'),
    'driver': (),
}


def read_faults():
    """Name -> (layer, description), in the order of the table. A description may be several
    strings, one below the other."""
    text = open(os.path.join(ROOT, 'runtime', 'seeded.def')).read()
    text = re.sub(r'"\n +"', '', text)
    return {
        name: (layer, what)
        for name, layer, what in re.findall(r'^SEEDED_BUG\((\w+), (\w+),\s+"(.*)"\)$', text, re.M)
    }


class Broken(Exception):
    """A test that fails without a fault."""


class Fault:
    """Sets the environment variable while a fault is in force; None: no fault."""

    def __init__(self, name):
        self.name = name

    def __enter__(self):
        self.before = os.environ.pop(VARIABLE, None)
        if self.name:
            os.environ[VARIABLE] = self.name

    def __exit__(self, *_):
        os.environ.pop(VARIABLE, None)
        if self.before:
            os.environ[VARIABLE] = self.before


class Workplace:
    """The build folder, and what is remembered in it: emitted texts, programs, which programs pass
    without a fault."""

    def __init__(self, build):
        self.build = build
        self.mesicc = os.path.join(build, 'translator/driver/mesicc')
        self.cache = os.path.join(build, 'seeded')
        for folder in ('programs', 'passing', 'texts', 'reached'):
            os.makedirs(os.path.join(self.cache, folder), exist_ok=True)
        self.stamp = self.stamp_of_sources()
        self.compiler = '%d' % os.stat(self.mesicc).st_mtime_ns

    def stamp_of_sources(self):
        """Of what a program is compiled with, besides its own text."""
        files = glob.glob(self.build + '/runtime/**/*.a', recursive=True)
        for pattern in ('runtime/**/*.h', 'testsuite/conformance/**/*.h', 'testsuite/cuda/**/*.h*'):
            files += glob.glob(os.path.join(ROOT, pattern), recursive=True)
        digest = hashlib.sha256()
        for file in sorted(files):
            digest.update(('%s %d\n' % (file, os.stat(file).st_mtime_ns)).encode())
        return digest.hexdigest()

    def passes(self, what, test):
        """Remembers that a test passes without a fault; raises Broken where it does not."""
        mark = os.path.join(
            self.cache,
            'passing',
            hashlib.sha256(('%s %s %s' % (self.stamp, self.compiler, what)).encode()).hexdigest(),
        )
        if os.path.exists(mark):
            return
        with Fault(None):
            problem = test()
        if problem:
            raise Broken('%s fails without a fault: %s' % (what, problem))
        open(mark, 'w').close()


class Programs(programs.Runner):
    """testsuite/tools/programs.py with programs kept from run to run."""

    def __init__(self, work, layer):
        self.level = LEVELS.get(layer, LEVEL)
        super().__init__(programs.plain_options(work.mesicc, work.build, 'off'))
        self.work = work

    def compile_cpu(self, path, args, source, program):
        key = self.work.stamp + path + ' '.join(args) + open(source).read()
        kept = os.path.join(self.work.cache, 'programs', hashlib.sha256(key.encode()).hexdigest())
        if not os.path.exists(kept):
            status, text = super().compile_cpu(path, args, source, program)
            if status:
                return status, text
            shutil.copy(program, '%s.%d' % (kept, os.getpid()))
            os.replace('%s.%d' % (kept, os.getpid()), kept)
        os.path.exists(program) and os.unlink(program)
        os.symlink(kept, program)
        return 0, ''

    def emitted_text(self, path, fault):
        """What is emitted for the CPU, or the message and status of a failure."""
        with tempfile.NamedTemporaryFile(suffix='.cpp') as output, Fault(fault):
            status, text = self.translate(path, self.args_of(path), 'cpu', self.level, output.name)
            return text if status else open(output.name).read()

    def plain_text(self, path):
        """The same without a fault, kept, and the names of the faults whose places mesicc came
        by."""
        key = '%s %s %d %d' % (self.work.compiler, path, os.stat(path).st_mtime_ns, self.level)
        kept = os.path.join(self.work.cache, 'texts', hashlib.sha256(key.encode()).hexdigest())
        if not os.path.exists(kept):
            text, names = self.noting(lambda: self.emitted_text(path, None))
            open('%s.%d' % (kept, os.getpid()), 'w').write(names + '\n\n' + text)
            os.replace('%s.%d' % (kept, os.getpid()), kept)
        names, text = open(kept).read().split('\n\n', 1)
        return text, set(names.split())

    def noting(self, what):
        """What a function gives, and the names of the faults whose places were come by."""
        with tempfile.NamedTemporaryFile(mode='r') as names:
            os.environ[REACHED] = names.name
            try:
                given = what()
            finally:
                del os.environ[REACHED]
            return given, ' '.join(sorted(set(names.read().split())))

    def differs(self, path, fault):
        plain, reached = self.plain_text(path)
        if fault not in reached:
            return False
        code = [
            re.sub(r'(?m)^//.*\n', '', text) for text in (self.emitted_text(path, fault), plain)
        ]
        return code[0] != code[1]

    def comes_by(self, path, fault):
        """Does the program itself, or the runtime under it, come by the fault's place?"""
        key = '%s %s %d' % (self.work.stamp, path, os.stat(path).st_mtime_ns)
        kept = os.path.join(self.work.cache, 'reached', hashlib.sha256(key.encode()).hexdigest())
        if not os.path.exists(kept):
            names = self.noting(lambda: self.problem(path))[1]
            open('%s.%d' % (kept, os.getpid()), 'w').write(names)
            os.replace('%s.%d' % (kept, os.getpid()), kept)
        return fault in open(kept).read().split()

    def problem(self, path):
        work, reference = tempfile.mkdtemp(prefix='mesi-seeded-'), None
        try:
            for level in (0, self.level):
                problem, reference = self.one_level(
                    path, self.args_of(path), str(level), work, reference
                )
                if problem:
                    return problem
        finally:
            shutil.rmtree(work, ignore_errors=True)


# ---- parts: each returns how the fault shows, or None ----


def in_programs(pattern):
    def at_level(runner, work, name, layer, hint):
        prefixes = ORDER[layer]
        rank = lambda p: next(
            (i for i, prefix in enumerate(prefixes) if os.path.basename(p).startswith(prefix)),
            len(prefixes),
        )
        files = sorted(
            glob.glob(os.path.join(ROOT, pattern)),
            key=lambda p: (os.path.basename(p) != hint, rank(p), p),
        )
        for path in files:
            told = os.path.basename(path) == hint
            seen = runner.differs if layer in EMITTED else runner.comes_by
            if not (told and layer not in EMITTED) and not seen(path, name):
                continue
            with Fault(name):
                problem = runner.problem(path)
            if problem:
                work.passes('%s -O%d' % (path, runner.level), lambda: runner.problem(path))
                return '%s: %s' % (os.path.basename(path), first_line(problem))
        return None

    def part(work, name, layer, hint):
        runner = Programs(work, layer)
        found = at_level(runner, work, name, layer, hint)
        if found or layer not in SECOND:
            return found
        runner.level = SECOND[layer]
        return at_level(runner, work, name, layer, hint)

    return part


def in_emitted(*patterns):
    """What mesicc --verify-emitted finds in the code for the GPU, without running it
    (emitted.h)."""

    def finding(runner, path, level):
        with tempfile.NamedTemporaryFile(suffix='.cu') as output:
            argv = [
                runner.o.mesicc,
                '-O%d' % level,
                '-arch=sm_90',
                '-I',
                os.path.dirname(path),
            ] + runner.args_of(path)
            _, text = programs.run(
                argv + ['-o', output.name, path],
                timeout=600,
                env=dict(os.environ, MESI_VERIFY_EMITTED='1'),
            )
        return next((line for line in text.splitlines() if 'M3005' in line), None)

    def part(work, name, layer, hint):
        runner, prefixes = Programs(work, layer), ORDER[layer]
        rank = lambda p: next(
            (i for i, prefix in enumerate(prefixes) if os.path.basename(p).startswith(prefix)),
            len(prefixes),
        )
        files = sorted(
            (f for pattern in patterns for f in glob.glob(os.path.join(ROOT, pattern))),
            key=lambda p: (os.path.basename(p) != hint, rank(p), p),
        )
        for path in files:
            for level in (1, 3) if runner.level == 1 else (3,):
                with Fault(name):
                    problem = finding(runner, path, level)
                if problem:
                    work.passes(
                        '%s emitted -O%d' % (path, level), lambda: finding(runner, path, level)
                    )
                    return '%s: %s' % (
                        os.path.basename(path),
                        first_line(problem[problem.index('M3005') + 7 :]),
                    )

    return part


def first_line(problem):
    lines = [line for line in problem.splitlines() if line.strip()]
    return ' '.join(lines[:2])[:110]


def command(*words):
    """A command that ends with a status other than 0 where it finds something; {mesicc} and {build}
    are put in."""

    def part(work, name, layer, hint):
        argv = [word.format(mesicc=work.mesicc, build=work.build) for word in words]

        def run():
            done = subprocess.run(
                argv,
                cwd=ROOT,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
            )
            text = done.stdout.decode(errors='replace')
            failed = re.search(r'FAILED.*|.*\bFAIL\b.*', text)
            return (
                (failed.group(0) if failed else text[-300:] or 'failed')
                if done.returncode
                else None
            )

        work.passes(' '.join(argv), run)
        with Fault(name):
            problem = run()
        return problem and first_line(problem)

    return part


def in_prove(pattern):
    """`mesicc prove` over programs of which the fault changes what is emitted at -O3, then at the
    layer's own level."""

    def proved(work, path, level, args):
        done = subprocess.run(
            [work.mesicc, 'prove', '-O%d' % level, '-I', os.path.dirname(path)] + args + [path],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        text = done.stdout.decode(errors='replace')
        return None if done.returncode in (0, 5) and 'both end with status' not in text else text

    def part(work, name, layer, hint):
        for level in (3, LEVELS.get(layer, LEVEL)):
            runner = Programs(work, layer)
            runner.level = level
            prefixes = ORDER[layer]
            rank = lambda p: next(
                (i for i, prefix in enumerate(prefixes) if os.path.basename(p).startswith(prefix)),
                len(prefixes),
            )
            files = sorted(
                glob.glob(os.path.join(ROOT, pattern)),
                key=lambda p: (os.path.basename(p) != hint, rank(p), p),
            )
            left = work.most
            for path in files:
                if not left or (layer in EMITTED and not runner.differs(path, name)):
                    continue
                left -= 1
                args = runner.args_of(path)
                with Fault(name):
                    problem = proved(work, path, level, args)
                if problem:
                    work.passes(
                        'prove %s -O%d' % (path, level), lambda: proved(work, path, level, args)
                    )
                    return '%s: -O%d: %s' % (
                        os.path.basename(path),
                        level,
                        first_line(problem.split(': ', 1)[-1]),
                    )

    return part


PYTHON = sys.executable


def files(pattern):
    return sorted(glob.glob(os.path.join(ROOT, pattern)))


def tool(name, *options):
    script = 'testsuite/tools/%s.py' % name
    return command(PYTHON, script, '--mesicc', '{mesicc}', '--build', '{build}', *options)


PARTS = [  # name, kind, part, layers it can show; cheap and telling ones first within a kind
    ('conformance', 'execution', in_programs('testsuite/conformance/*.mcu'), None),
    ('cuda', 'execution', in_programs('testsuite/cuda/*.cu'), None),
    ('multi', 'execution', tool('multi'), None),
    (
        'devices',
        'execution',
        tool('devices', '--devices', '2,3', *files('testsuite/conformance/devices_*.mcu')),
        ('runtime',),
    ),
    (
        'ranks',
        'execution',
        tool('ranks', '--ranks', '2', *files('testsuite/conformance/devices_[cf]*.mcu')),
        ('runtime',),
    ),
    (
        'failures',
        'execution',
        tool('ranks', '--faults', *files('testsuite/ranks/*.mcu')),
        ('runtime',),
    ),
    ('prove', 'execution', in_prove('testsuite/conformance/*.mcu'), None),
    (
        'samples',
        'execution',
        command(PYTHON, 'testsuite/tools/samples.py', '--mesicc', '{mesicc}', '--only', 'compared'),
        None,
    ),
    (
        'checked',
        'execution',
        command(
            PYTHON,
            'testsuite/tools/check_mode.py',
            '--mesicc',
            '{mesicc}',
            '--levels',
            '2',
            '--schedules',
            '',
            *files('testsuite/conformance/map_held*.mcu'),
            *files('testsuite/check/passed_on*.mcu')
        ),
        ('mapping', 'cpu'),
    ),
    (
        'limits',
        'execution',
        command(PYTHON, 'testsuite/tools/limits.py', '--mesicc', '{mesicc}'),
        ('driver', 'runtime'),
    ),
    (
        'survey',
        'execution',
        command(PYTHON, 'testsuite/tools/survey.py', '--mesicc', '{mesicc}'),
        ('driver',),
    ),
    (
        'in place',
        'execution',
        command(PYTHON, 'testsuite/tools/nvcc_launcher.py', '--mesicc', '{mesicc}'),
        ('driver',),
    ),
    (
        'emitted',
        'emitted code',
        in_emitted('testsuite/conformance/*.mcu'),
        ('analysis', 'mapping', 'steps'),
    ),
    (
        'plans',
        'text',
        command(
            PYTHON, 'testsuite/tools/samples.py', '--mesicc', '{mesicc}', '--only', 'published'
        ),
        EMITTED,
    ),
    (
        'golden',
        'text',
        command(PYTHON, 'testsuite/tools/golden.py', '--mesicc', '{mesicc}'),
        EMITTED,
    ),
    ('unit', 'unit', command('meson', 'test', '--no-rebuild', '-C', '{build}'), None),
]

# ---- faults ----


def catch(task):
    build, parts, name, layer, hint, most = task
    work, start = catch.work, time.time()
    work.most = most
    try:
        kinds = [kind for _, kind, _, _ in PARTS]
        first = hint or (
            'limits' if layer == 'driver' else None
        )  # no program shows a fault of the driver
        for part, kind, run, layers in sorted(
            PARTS, key=lambda p: (kinds.index(p[1]), p[0] != first)
        ):
            if part not in parts or (layers and layer not in layers):
                continue
            how = run(work, name, layer, hint)
            if how:
                return name, part, kind, how, time.time() - start
    except Broken as broken:
        return name, None, 'broken', str(broken), time.time() - start
    return name, None, None, '', time.time() - start


def start_worker(build):
    os.environ['MESI_CACHE'] = os.path.join(build, 'cache')
    catch.work = Workplace(build)


def print_table(faults, results):
    print('\n%-24s %-9s %-44s %s' % ('fault', 'layer', 'caught by', 'seconds'))
    for name, (layer, what) in faults.items():
        _, part, kind, how, seconds = results[name]
        by = (
            '%s (%s) %s'
            % (
                kind,
                part,
                how.split(':')[0] if part in ('conformance', 'cuda', 'emitted', 'prove') else '',
            )
            if part
            else 'NOT CAUGHT'
        )
        print('%-24s %-9s %-44s %7.1f   %s' % (name, layer, by, seconds, what))


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument('--build', default=os.path.join(ROOT, 'build-seeded'))
    parser.add_argument('-j', '--jobs', type=int, default=os.cpu_count())
    parser.add_argument(
        '--parts', default=','.join(part[0] for part in PARTS), help='of %(default)s'
    )
    parser.add_argument(
        '--most',
        type=int,
        default=12,
        help='programs that the part prove takes at each level (%(default)s)',
    )
    parser.add_argument('--list', action='store_true', help='the faults')
    parser.add_argument('faults', nargs='*')
    options = parser.parse_args()
    faults = read_faults()
    unknown = [name for name in options.faults if name not in faults]
    if unknown:
        parser.error('no such fault: ' + ' '.join(unknown))
    faults = {name: faults[name] for name in options.faults or faults}
    if options.list:
        for name, (layer, what) in faults.items():
            print('%-24s %-9s %s' % (name, layer, what))
        return 0
    options.build = os.path.abspath(options.build)
    subprocess.run(
        ['bash', os.path.join(ROOT, 'testsuite/build.sh'), options.build, '-Dseeded_bugs=true'],
        check=True,
    )
    os.makedirs(os.path.join(options.build, 'cache'), exist_ok=True)
    start_worker(options.build)
    hints_file = os.path.join(
        ROOT, 'testsuite', 'seeded', 'first.json'
    )  # the program or part that showed a fault last time
    hints = json.load(open(hints_file)) if os.path.exists(hints_file) else {}
    tasks = [
        (options.build, options.parts.split(','), name, layer, hints.get(name), options.most)
        for name, (layer, _) in sorted(faults.items(), key=lambda fault: fault[0] not in hints)
    ]
    results, begin = {}, time.time()
    with multiprocessing.Pool(options.jobs, start_worker, (options.build,)) as pool:
        for result in pool.imap_unordered(catch, tasks):
            name, part, kind, how, seconds = result
            results[name] = result
            if part:
                hints[name] = (
                    how.split(':')[0]
                    if part in ('conformance', 'cuda', 'emitted', 'prove')
                    else part
                )
                json.dump(hints, open(hints_file, 'w'), indent=0, sort_keys=True)
            print(
                '[%d/%d] %s: %s, %.1f s'
                % (
                    len(results),
                    len(faults),
                    name,
                    '%s: %s' % (part or kind, how) if part or kind else 'NOT CAUGHT',
                    seconds,
                ),
                flush=True,
            )
    print_table(faults, results)
    broken = [result[3] for result in results.values() if result[2] == 'broken']
    print('\n' + '\n'.join(broken) if broken else '')
    caught = [result for result in results.values() if result[1]]
    by_execution = sum(result[2] == 'execution' for result in caught)
    print(
        '%.0f s; by running programs: %d of %d (%.1f%%)'
        % (time.time() - begin, by_execution, len(faults), 100 * by_execution / len(faults))
    )
    print('%d of %d caught (%.1f%%)' % (len(caught), len(faults), 100 * len(caught) / len(faults)))
    return 1 if broken or len(caught) < len(faults) else 0


if __name__ == '__main__':
    sys.exit(main())
# SPDX-License-Identifier: MIT
