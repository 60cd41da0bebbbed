#!/usr/bin/env python3
"""Plants one fault of runtime/seeded.def after another into the compiler, the runtime and the CPU
backend, and shows which test catches it.

usage: run.py [--build DIR] [-j N] [--parts a,b] [--most N] [--afresh] [--list] [FAULT...]

Builds DIR (build-seeded) with -Dseeded_bugs=true. Each fault is first tried with what showed it the
last time, as first.json has it: a part of PARTS, of programs the one program at its level. For the
others (with --afresh: for all) the parts run in order until one fails: first those that run
programs, then those that compare text, then unit tests. A program runs only where the fault changes
what is emitted for it, or where it comes by the fault in the runtime; all programs are asked for
that once, before the search. It must pass without the fault. Programs are compiled once for each
text. The part `prove` proves at most N programs of each level (--most, default 12), the likely ones
first. Limits of time are of processor time; on the wall they are ten times as long.
Last line: "N of M caught (P%)".
"""
import argparse, collections, glob, hashlib, json, multiprocessing, os
import re, shutil, subprocess, sys, tempfile, time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, 'testsuite', 'tools'))
import programs

VARIABLE = 'MESI_SEEDED_BUG'
REACHED = 'MESI_SEEDED_REACHED'
os.environ.setdefault(
    'MESI_TIME_LIMIT', '300'
)  # seconds of a translation: a busy machine is no fault found
# A fault that makes a program spin is seen soon: programs.run gives it twice as many seconds of
# processor time, and ten times as many on the wall.
programs.RUN_SECONDS = 15
HINTS = os.path.join(ROOT, 'testsuite', 'seeded', 'first.json')  # fault -> Found.where
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


def levels_of(layer):
    """At which programs are tried, the likely one first."""
    return [LEVELS.get(layer, LEVEL)] + ([SECOND[layer]] if layer in SECOND else [])


# Where a test shows a fault, as first.json has it: a part, of programs the program and its level,
# too. And how.
Found = collections.namedtuple('Found', 'where text')
# `likely` are programs that show faults of similar names, the likeliest first; `where` is the
# program and level that a part tries, or empty for all of them.
Task = collections.namedtuple('Task', 'name layer likely where')


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
        if os.path.exists(self.mark_of(what)):
            return
        with Fault(None):
            problem = test()
        if problem:
            raise Broken('%s fails without a fault: %s' % (what, problem))
        open(self.mark_of(what), 'w').close()

    def mark_of(self, what):
        key = '%s %s %s' % (self.stamp, self.compiler, what)
        return os.path.join(self.cache, 'passing', hashlib.sha256(key.encode()).hexdigest())

    def precompile(self):
        """The header that each emitted text includes first; once for all workers."""
        shutil.rmtree(self.surface(), ignore_errors=True)
        os.makedirs(self.surface())
        runner = programs.Runner(programs.plain_options(self.mesicc, self.build, 'off'))
        problem = runner.optimising.precompile(self.surface())
        if problem:
            raise SystemExit('the surface does not compile:\n' + problem)

    def surface(self):
        return os.path.join(self.cache, 'surface')


class Programs(programs.Runner):
    """testsuite/tools/programs.py with programs kept from run to run."""

    def __init__(self, work, layer, level=None):
        self.level = level or levels_of(layer)[0]
        self.layer = layer
        super().__init__(programs.plain_options(work.mesicc, work.build, 'off'))
        self.work = work
        self.optimising.precompiled = ['-include', os.path.join(work.surface(), 'g++.h')]
        self.last = None  # of what is emitted with a fault: the key, status and text

    def translate(self, path, args, target, level, output, env=None):
        """What is emitted with a fault, and differs, is what runs next."""
        key = (path, target, str(level), os.environ.get(VARIABLE))
        if not self.last or self.last[0] != key:
            status, text = super().translate(path, args, target, level, output, env)
            self.last = (key, status, text if status else open(output).read()) if key[3] else None
            return status, text
        _, status, text = self.last
        if not status:
            open(output, 'w').write(text)
        return status, text if status else ''

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

    def shows(self, path, fault):
        """May the program show the fault?"""
        seen = self.differs if self.layer in EMITTED else self.comes_by
        return seen(path, fault)

    def comes_by(self, path, fault):
        """Does the program itself, or the runtime under it, come by the fault's place?"""
        key = '%s %s %d' % (self.work.stamp, self.title(path), os.stat(path).st_mtime_ns)
        kept = os.path.join(self.work.cache, 'reached', hashlib.sha256(key.encode()).hexdigest())
        if not os.path.exists(kept):
            problem, names = self.noting(lambda: self.problem(path))
            if not problem:
                open(self.work.mark_of(self.title(path)), 'w').close()
            open('%s.%d' % (kept, os.getpid()), 'w').write(names)
            os.replace('%s.%d' % (kept, os.getpid()), kept)
        return fault in open(kept).read().split()

    def title(self, path):
        return '%s -O%d' % (path, self.level)

    def problem(self, path):
        work, reference = tempfile.mkdtemp(prefix='mesi-seeded-'), None
        levels = (self.level, 0) if self.layer in EMITTED else (0, self.level)
        try:
            for level in levels:
                problem, reference = self.one_level(
                    path, self.args_of(path), str(level), work, reference
                )
                if problem:
                    return problem
        finally:
            shutil.rmtree(work, ignore_errors=True)


# ---- parts: each returns where and how the fault shows, or None ----


def files(*patterns):
    return sorted(f for pattern in patterns for f in glob.glob(os.path.join(ROOT, pattern)))


def tries(task, levels, *patterns):
    """Programs and levels: those that showed the fault the last time, or all, likely ones
    first."""
    where = dict(zip(('program', 'level'), task.where))
    levels = [int(where['level'][2:])] if 'level' in where else levels
    rank = lambda name: next(
        (i for i, prefix in enumerate(ORDER[task.layer]) if name.startswith(prefix)), 99
    )
    liking = lambda name: task.likely.index(name) if name in task.likely else 999
    order = lambda path: (liking(os.path.basename(path)), rank(os.path.basename(path)), path)
    paths = [f for f in files(*patterns) if where.get('program', '') in ('', os.path.basename(f))]
    return [(path, level) for level in levels for path in sorted(paths, key=order)]


def in_programs(pattern):
    def part(work, task):
        runner = Programs(work, task.layer)
        for path, runner.level in tries(task, levels_of(task.layer), pattern):
            if not task.where and not runner.shows(path, task.name):
                continue
            with Fault(task.name):
                problem = runner.problem(path)
            if problem:
                work.passes(runner.title(path), lambda: runner.problem(path))
                return Found('%s -O%d' % (os.path.basename(path), runner.level), problem)

    return part


def in_emitted(pattern):
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

    def part(work, task):
        runner = Programs(work, task.layer)
        levels = [1, 3] if runner.level == 1 else [3]
        for path, level in tries(task, levels, pattern):
            with Fault(task.name):
                problem = finding(runner, path, level)
            if problem:
                title = '%s emitted -O%d' % (path, level)
                work.passes(title, lambda: finding(runner, path, level))
                shown = problem[problem.index('M3005') + 7 :]
                return Found('%s -O%d' % (os.path.basename(path), level), shown)

    return part


def first_line(problem):
    lines = [line for line in problem.splitlines() if line.strip()]
    return ' '.join(lines[:2])[:110]


def command(*words):
    """A command that ends with a status other than 0 where it finds something; {mesicc} and {build}
    are put in."""

    def part(work, task):
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
        with Fault(task.name):
            problem = run()
        return problem and Found('', problem)

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

    def part(work, task):
        runner, left = Programs(work, task.layer), collections.defaultdict(lambda: work.most)
        for path, level in tries(task, [3, levels_of(task.layer)[0]], pattern):
            runner.level = level
            wanted = task.where or task.layer not in EMITTED or runner.differs(path, task.name)
            if not left[level] or not wanted:
                continue
            left[level] -= 1
            args = runner.args_of(path)
            with Fault(task.name):
                problem = proved(work, path, level, args)
            if problem:
                title = 'prove %s -O%d' % (path, level)
                work.passes(title, lambda: proved(work, path, level, args))
                where = '%s -O%d' % (os.path.basename(path), level)
                return Found(where, problem.split(': ', 1)[-1])

    return part


PYTHON = sys.executable


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
    (
        'unit',
        'unit',
        command('meson', 'test', '--no-rebuild', '--timeout-multiplier', '10', '-C', '{build}'),
        None,
    ),
]

# ---- faults: name -> part, kind, Found, seconds ----
Result = collections.namedtuple('Result', 'name part kind found seconds')


def run_parts(task, parts):
    """The first of the parts that shows the fault."""
    start = time.time()
    result = lambda *found: Result(task.name, *found, time.time() - start)
    try:
        for part, kind, run, layers in parts:
            found = None if layers and task.layer not in layers else run(run_parts.work, task)
            if found:
                return result(part, kind, found)
    except Broken as broken:
        return result(None, 'broken', Found('', str(broken)))
    return result(None, None, None)


def catch_again(task):
    """With what showed the fault the last time."""
    part, *where = task.where
    return run_parts(task._replace(where=where), [p for p in PARTS if p[0] == part])


def catch(given):
    task, names = given
    kinds = [kind for _, kind, _, _ in PARTS]
    # no program shows a fault of the driver
    first = lambda p: task.layer == 'driver' and p[0] == 'limits'
    parts = sorted(PARTS, key=lambda p: (kinds.index(p[1]), not first(p)))
    return run_parts(task, [p for p in parts if p[0] in names])


def learn(given):
    """What a program emits without a fault, and which faults it comes by."""
    path, layer, level = given
    runner = Programs(run_parts.work, layer, level)
    runner.plain_text(path) if layer in EMITTED else runner.comes_by(path, None)


def start_worker(build, most):
    os.environ['MESI_CACHE'] = os.path.join(build, 'cache')
    run_parts.work = Workplace(build)
    run_parts.work.most = most


def likely_programs(name, hints):
    """Those that show faults whose names have words in common with this one, by how many."""
    words = set(name.split('_'))
    found = collections.Counter()
    for other, where in hints.items():
        common = len(words & set(other.split('_')))
        for program in where.split()[1:2] if common else []:
            found[program] = max(found[program], common)
    return [program for program, _ in found.most_common()]


def what_to_learn(tasks, parts):
    """All programs, for the layers and levels of these faults; faults of a few are searched for
    without that."""
    patterns = ['testsuite/conformance/*.mcu'] * ('conformance' in parts)
    patterns += ['testsuite/cuda/*.cu'] * ('cuda' in parts)
    ways = {
        ('frontend' if task.layer in EMITTED else 'runtime', level)
        for task in tasks
        for level in levels_of(task.layer)
    }
    return [(path, *way) for way in sorted(ways) for path in files(*patterns)]


def print_table(faults, results):
    print('\n%-24s %-9s %-44s %s' % ('fault', 'layer', 'caught by', 'seconds'))
    for name, (layer, what) in faults.items():
        _, part, kind, found, seconds = results[name]
        by = '%s (%s) %s' % (kind, part, found.where) if part else 'NOT CAUGHT'
        print('%-24s %-9s %-44s %7.1f   %s' % (name, layer, by, seconds, what))


def print_sums(results, seconds):
    """0 where all faults are caught."""
    broken = [result.found.text for result in results.values() if result.kind == 'broken']
    print('\n' + '\n'.join(broken) if broken else '')
    caught = [result for result in results.values() if result.part]
    by_execution = sum(result.kind == 'execution' for result in caught)
    of_all = lambda number: (number, len(results), 100 * number / len(results))
    print('%.0f s; by running programs: %d of %d (%.1f%%)' % (seconds, *of_all(by_execution)))
    print('%d of %d caught (%.1f%%)' % of_all(len(caught)))
    return 1 if broken or len(caught) < len(results) else 0


class Table:
    """Of the faults that are tried: results so far, and what showed each, kept in first.json."""

    def __init__(self, hints, number):
        self.hints, self.number, self.results = hints, number, {}

    def add(self, result):
        name, part, kind, found, seconds = self.results[result.name] = result
        if part:
            self.hints[name] = ' '.join([part] + found.where.split())
            with open(HINTS, 'w') as file:
                json.dump(self.hints, file, indent=0, sort_keys=True)
        by = ': '.join([part or kind, found.where, first_line(found.text)]) if found else None
        counted = '[%d/%d]' % (len(self.results), self.number)
        print('%s %s: %s, %.1f s' % (counted, name, by or 'NOT CAUGHT', seconds), flush=True)


def run_table(options, faults):
    """Name -> Result."""
    hints = json.load(open(HINTS)) if os.path.exists(HINTS) else {}
    table, parts = Table(hints, len(faults)), options.parts.split(',')
    tasks = {
        name: Task(name, layer, likely_programs(name, hints), hints.get(name, '').split())
        for name, (layer, _) in faults.items()
    }
    again = [t for t in tasks.values() if not options.afresh and t.where and t.where[0] in parts]
    with multiprocessing.Pool(
        options.jobs, start_worker, (options.build, options.most), None
    ) as pool:
        for result in pool.imap_unordered(catch_again, again):
            if result.kind:
                table.add(result)
        left = [
            task._replace(where=()) for name, task in tasks.items() if name not in table.results
        ]
        programs_of = what_to_learn(left, parts) if len(left) > options.jobs else []
        for count, _ in enumerate(pool.imap_unordered(learn, programs_of), 1):
            if count % 100 == 0:
                print('asked %d of %d programs' % (count, len(programs_of)), flush=True)
        for result in pool.imap_unordered(catch, [(task, parts) for task in left]):
            table.add(result)
    return table.results


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
    parser.add_argument(
        '--afresh', action='store_true', help='without what showed the faults the last time'
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
    begin = time.time()
    Workplace(options.build).precompile()
    results = run_table(options, faults)
    print_table(faults, results)
    return print_sums(results, time.time() - begin)


if __name__ == '__main__':
    sys.exit(main())
# SPDX-License-Identifier: MIT
