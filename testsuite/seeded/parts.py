# SPDX-License-Identifier: MIT
"""The tests that may show a planted fault (run.py), and what they remember in the build folder."""
import collections, glob, hashlib, os, re, shutil, subprocess, sys, tempfile

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
programs.RUN_SECONDS = 8
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
    files = ('seeded.def', 'seeded_mapping.def')
    text = ''.join(open(os.path.join(ROOT, 'runtime', name)).read() for name in files)
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
        runner.precompile(self.surface())
        for compiler in (runner.optimising, runner.fast):
            compiler.surface()

    def surface(self):
        return os.path.join(self.cache, 'surface')


class Programs(programs.Runner):
    """testsuite/tools/programs.py with programs kept from run to run."""

    def __init__(self, work, layer, level=None):
        self.level = level or levels_of(layer)[0]
        self.layer = layer
        super().__init__(programs.plain_options(work.mesicc, work.build, 'off'))
        self.work = work
        self.precompile(work.surface())
        self.quick = True  # compiled without optimising
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

    def compilers(self, path, options):
        fast = self.quick and '-fopenmp' not in options and path not in self.refused
        return [self.fast] if fast else [self.optimising]

    def compile_cpu(self, path, args, source, program):
        by = self.compilers(path, args)[0].name
        key = self.work.stamp + path + ' '.join(args) + by + open(source).read()
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
                open(self.work.mark_of('%s, levels 2' % self.title(path)), 'w').close()
            open('%s.%d' % (kept, os.getpid()), 'w').write(names)
            os.replace('%s.%d' % (kept, os.getpid()), kept)
        return fault in open(kept).read().split()

    def title(self, path):
        by = self.compilers(path, self.args_of(path))[0].name
        return '%s -O%d by %s' % (path, self.level, by)

    def problem(self, path, levels=None):
        """With the levels that are given, the last to come by is `self.seen`."""
        work, reference = tempfile.mkdtemp(prefix='mesi-seeded-'), None
        both = (self.level, 0) if self.layer in EMITTED else (0, self.level)
        try:
            for self.seen, level in enumerate(both[:levels], 1):
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
            runner.quick = True
            if not task.where and not runner.shows(path, task.name):
                continue
            problem = shown_by(work, runner, path, task.name)
            if problem:
                return Found('%s -O%d' % (os.path.basename(path), runner.level), problem)

    return part


def shown_by(work, runner, path, fault):
    """A program without optimising, then, where that shows nothing, with it. Without the fault it
    runs at the levels that were needed."""
    for runner.quick in (True, False):
        with Fault(fault):
            problem = runner.problem(path)
        if not problem:
            continue
        title = '%s, levels %d' % (runner.title(path), runner.seen)
        try:
            work.passes(title, lambda: runner.problem(path, runner.seen))
        except Broken:
            if runner.quick:
                continue  # the quick compiler does not take it
            raise
        return problem
    return None


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


def in_units(work, task):
    """The unit tests; of those that failed the last time only these."""
    argv = ['meson', 'test', '--no-rebuild', '--timeout-multiplier', '10', '-C', work.build]
    argv += task.where
    failing = re.compile(r'^ *\d+/\d+ .*?(\w+) +(?:FAIL|TIMEOUT|ERROR)\b.*', re.M)

    def run():
        done = subprocess.run(argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
        text = done.stdout.decode(errors='replace')
        failed = list(failing.finditer(text))
        if not failed and done.returncode:
            return '', text[-300:]
        return (failed[0].group(1), failed[0].group(0)) if failed else None

    with Fault(task.name):
        problem = run()
    if problem:
        work.passes(' '.join(argv), lambda: (run() or ('', None))[1])
    return problem and Found(*problem)


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


def tool_over(name, options, pattern):
    """A tool over one program after another."""

    def part(work, task):
        for path in files(pattern):
            if task.where[:1] in ((), [], [os.path.basename(path)]):
                found = tool(name, *options, path)(work, task)
                if found:
                    return Found(os.path.basename(path), found.text)

    return part


PARTS = [  # name, kind, part, layers it can show; cheap and telling ones first within a kind
    ('conformance', 'execution', in_programs('testsuite/conformance/*.mcu'), None),
    ('cuda', 'execution', in_programs('testsuite/cuda/*.cu'), None),
    ('multi', 'execution', tool('multi'), None),
    (
        'devices',
        'execution',
        tool_over('devices', ['--devices', '2,3'], 'testsuite/conformance/devices_*.mcu'),
        ('runtime', 'mapping', 'codegen', 'analysis'),
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
    (
        'lost',
        'execution',
        tool('devices', '--faults', *files('testsuite/conformance/devices_chain.mcu')),
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
            *files('testsuite/check/passed_on*.mcu'),
            *files('testsuite/check/*_shared*.mcu'),
            *files('testsuite/check/bounds_wide*.mcu')
        ),
        ('mapping', 'cpu', 'codegen'),
    ),
    (
        'limits',
        'execution',
        command(PYTHON, 'testsuite/tools/limits.py', '--mesicc', '{mesicc}'),
        ('driver', 'runtime'),
    ),
    (
        'cli',
        'execution',
        command(PYTHON, 'testsuite/tools/cli.py', '--mesicc', '{mesicc}'),
        ('driver',),
    ),
    (
        'survey',
        'execution',
        command(PYTHON, 'testsuite/tools/survey.py', '--mesicc', '{mesicc}'),
        ('driver',),
    ),
    (
        'launcher',
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
    ('unit', 'unit', in_units, None),
]
