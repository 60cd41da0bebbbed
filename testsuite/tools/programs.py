#!/usr/bin/env python3
"""Runs whole programs: each at -O0 and -O1 (and -O2) on the CPU backend under several schedules,
results compared bit for bit with -O0; with late copies and under MESI_VERIFY. What is emitted for
CUDA at -O3 for sm_90 is checked by mesicc itself (--verify-emitted), and --explain has to say of
each launch how it is emitted (reported.py). Where there is nvcc, it compiles these texts without
optimising and without the host's compiler, since nothing of them is run: every sixteenth, each day
others, and so many more that each name of the runtime's headers or of CUDA that any text uses is in
one of them; with --nvcc-all every text. Of every 32nd program, each day others (with --nvcc-all: of
each), it makes an object of the last level's text, too, for sm_75. clang without optimising makes
the programs; g++ those that clang does not take and, where levels are compared, an eighth, each
day another.

usage: programs.py --mesicc PATH --build DIR [--jobs N] [--levels 0,1] [--schedules a,b]
                   [--nvcc auto|off|PATH] [--nvcc-all] [--every N] [--share N]
                   [--whole-program] [--parts N] [-v] FILE...
--every N: every Nth of the files, each day others. --share N: every Nth at all levels, each time
others; the rest at the first and the last, without the text for CUDA. A level that emits the text
of an earlier one is not run again. With --whole-program no variable is guarded because other files
may see it, so that MESI_VERIFY sees every announcement: each program runs in the runtime's modes
only, and once more without its first announcement that matters, which has to be reported unless
nothing of what it announces is used. With --parts every launch that can go out in parts does so, in
N of them.
Last line: "N passed, N failed". A program's first lines may hold `// args: ...` (options for
mesicc), `// drops: N` (without any of its first N announcements that matter, MESI_VERIFY must
report a host access), and `// stats: KEY <= N` (or >=, ==; what MESI_STATS says of a run with late
copies; `// stats -O02:` at these levels only).
"""
import argparse, concurrent.futures, filecmp, glob, os, re, shutil, subprocess, sys, tempfile
import time, zlib

from heads import args_of
from host_compiler import HostCompiler, fast_compiler, link
from kept import Kept, wall
from reported import wrong_launches

EMITTED = re.compile(
    r'(\d+) codes, (\d+) not read to the end; proved: indices (\d+) of (\d+), vector accesses (\d+)'
    r' of (\d+), '
    r'barriers (\d+) of (\d+), warp operations (\d+) of (\d+); (\d+) found wrong'
)
STEPS_END = 'takes too many steps'  # budget.c
NAME = re.compile(r'\b(?:mesi_|MESI_|__|cuda)\w+')
COMMENT = re.compile(r'//[^\n]*|/\*.*?\*/', re.S)
CHECKED = ('indices', 'vector accesses', 'barriers', 'warp operations')


def emitted_line(sums):
    """What mesicc --verify-emitted found, over several programs."""
    shares = [
        '%s %d of %d (%.1f%%)'
        % (
            what,
            sums[2 + 2 * i],
            sums[3 + 2 * i],
            100.0 * sums[2 + 2 * i] / max(1, sums[3 + 2 * i]),
        )
        for i, what in enumerate(CHECKED)
    ]
    return '%d codes, %d not read to the end; proved: %s; %d found wrong' % (
        sums[0],
        sums[1],
        ', '.join(shares),
        sums[10],
    )


RUN_SECONDS = 60  # a program's run, at most, on an idle machine


def run(argv, env=None, timeout=120, out=None):
    # what spins on two cores need not wait for the wall's limit
    argv = ['prlimit', '--cpu=%d:' % (2 * timeout)] + argv
    try:
        done = subprocess.run(
            argv,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=wall(timeout),
        )
        return done.returncode, done.stdout.decode(errors='replace')
    except subprocess.TimeoutExpired:
        return 124, 'timed out after %d s' % wall(timeout)


def of_today(files, every):
    """Every so many of the files; each day others."""
    return files[int(time.time() / 86400) % every :: every]


def names_used(source):
    """The names of the runtime and of CUDA that a text uses."""
    with open(source, errors='replace') as file:
        return set(NAME.findall(COMMENT.sub(' ', file.read())))


# What a statistic is and should not be; None: all are as wanted.
def differing(stats, wanted):
    for key, relation, value in wanted:
        found = re.search(r'^%s (\d+)$' % key, stats, re.M)
        have = int(found.group(1)) if found else -1
        if (
            not found
            or not {'<=': have <= int(value), '>=': have >= int(value), '==': have == int(value)}[
                relation
            ]
        ):
            return '%s is %d, not %s %s' % (key, have, relation, value)
    return None


class Runner:
    def __init__(self, options):
        self.o = options
        self.parted = 0  # programs with launches in parts
        self.emitted = [0] * 11  # as EMITTED has them
        # how often its turn has come for each file: by the day itself some would never be chosen
        self.turn = int(time.time() / 86400) // options.every
        self.refused = set()  # programs that the fast compiler does not take, or no compiler
        self.lost = []  # programs with kernels that are kept as the steps of the analysis end
        self.told = 0  # launches of which --explain says what is emitted
        self.to_compile = {}  # number: path, args, the text for sm_90, the names it uses
        self.reported = 0  # programs of which the dropped announcement was missed
        root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
        self.runtime = os.path.join(root, 'runtime')
        self.folder = None  # of what outlives a program's own folder
        self.kept = Kept(root, options.build)
        self.cpu = os.path.join(self.runtime, 'cpu')
        self.libraries = os.path.join(options.build, 'runtime')
        self.system = [
            text
            for folder in (self.runtime, self.cpu, self.cpu + '/include')
            for text in ('-isystem', folder)
        ]
        self.optimising = HostCompiler('g++', '-O1', self.system, run)
        self.fast = (
            HostCompiler(fast_compiler(), '-O0', self.system, run)
            if fast_compiler()
            else self.optimising
        )

    def args_of(self, path):
        return args_of(path)

    def translate(self, path, args, target, level, output, env=None, report=None):
        argv = [
            self.o.mesicc,
            '--target=' + target,
            '-O%s' % level,
            '-I',
            os.path.dirname(path),
        ] + args
        with open(path, errors='replace') as file:
            head = [file.readline() for _ in range(4)]
        if not any(line.startswith('// launches: plain') for line in head):
            argv.append('--hook-launches')
        if self.o.whole_program:
            argv.append('--whole-program')
        if self.o.parts:
            argv.append('--parts=always')
        return self.kept.translate(
            argv,
            path,
            [self.runtime, os.path.dirname(path)],
            output,
            run,
            dict(os.environ) if env is None else env,
            report,
        )

    def precompile(self, folder):
        """In this folder each compiler precompiles the header that each emitted file includes
        first, for programs without options of their own."""
        self.optimising.folder = self.fast.folder = self.folder = folder

    def compilers(self, path, options):
        """The fast one makes what it takes, and g++ the rest: what uses OpenMP, whose library is
        its own, and where several levels are compared an eighth of the programs, each day
        others."""
        name = os.path.basename(path)
        today = ',' in self.o.levels and self.is_whole(name, 8)
        only = today or '-fopenmp' in options or path in self.refused
        return [self.optimising] if only else [self.fast, self.optimising]

    def is_whole(self, name, share):
        """Is it one of the programs of which each turn others are run in full?"""
        return (self.turn + zlib.crc32(name.encode())) % share == 0

    def compile_cpu(self, path, args, source, program):
        defines = [a for a in args if a.startswith(('-D', '-U', '-std=', '-fopenmp'))]
        for compiler in self.compilers(path, defines):
            status, text = compiler.compile(
                self.kept, defines, source, [self.runtime, os.path.dirname(path)], program + '.o'
            )
            if not status:
                break
            self.refused.add(path)
        libraries = [
            self.libraries + l
            for l in ('/cpu/libmesi_cpu.a', '/libmesi_cpu_core.a', '/cpu/libmesi_cpu.a')
        ]
        openmp = [d for d in defines if d == '-fopenmp']
        return (
            (status, text) if status else link(run, openmp, [program + '.o'] + libraries, program)
        )

    # Copies done as late as the waits allow, and no byte moved that was valid; every host access
    # announced, and reported where one of the first `drops` announcements is ignored.
    def runtime_modes(self, program, level, drops, wanted):
        stats = program + '.stats'
        for mode, settings in (
            ('late copies', {'MESI_CPU_COPIES': 'late', 'MESI_STATS': stats}),
            ('MESI_VERIFY', {'MESI_VERIFY': '1'}),
        ):
            status, text = run([program], env=dict(os.environ, **settings), timeout=RUN_SECONDS)
            if status:
                return '-O%s, %s: exit status %d:\n%s' % (level, mode, status, text[-2000:])
        if os.path.exists(stats):
            redundant = re.search(r'^redundant_bytes (\d+)$', open(stats).read(), re.M)
            if redundant and redundant.group(1) != '0':
                return '-O%s: %s bytes were transferred that were valid' % (
                    level,
                    redundant.group(1),
                )
            problem = differing(open(stats).read(), wanted)
            if problem:
                return '-O%s: %s' % (level, problem)
            parted = re.search(r'^parts (\d+)$', open(stats).read(), re.M)
            self.parted += bool(parted and int(parted.group(1)))
        for drop in range(1, drops + 1):
            status, text = run(
                [program],
                env=dict(os.environ, MESI_VERIFY='1', MESI_VERIFY_DROP=str(drop)),
                timeout=RUN_SECONDS,
            )
            if status != 70 or 'is missing before' not in text:
                return '-O%s: announcement %d was dropped and nothing was reported: %s' % (
                    level,
                    drop,
                    text[-500:],
                )
        return None

    # Without its first announcement that matters a program is reported, or does not use what that
    # announced.
    def drop_first(self, program):
        status, text = run(
            [program],
            env=dict(os.environ, MESI_VERIFY='1', MESI_VERIFY_DROP='1'),
            timeout=RUN_SECONDS,
        )
        missing = status == 70 and 'is missing before' in text
        self.reported += missing
        return (
            None
            if missing or status == 0
            else 'without its first announcement: exit status %d:\n%s' % (status, text[-2000:])
        )

    def one_level(self, path, args, level, work, reference):
        source, program = '%s/O%s.cpp' % (work, level), '%s/O%s' % (work, level)
        status, text = self.translate(path, args, 'cpu', level, source)
        if status:
            return 'translation for the CPU at -O%s ends with %d:\n%s' % (level, status, text), None
        if any(
            filecmp.cmp(source, earlier, shallow=False)
            for earlier in glob.glob(work + '/O*.cpp')
            if earlier != source
        ):
            return None, reference
        status, text = self.compile_cpu(path, args, source, program)
        if status:
            return 'compiled at -O%s:\n%s' % (level, text[:3000]), None
        found = re.search(r'^// drops: (\d+)$', open(path, errors='replace').read(), re.M)
        lines = re.findall(
            r'^// stats(?: -O(\d+))?: (\w+) (<=|>=|==) (\d+)$',
            open(path, errors='replace').read(),
            re.M,
        )
        wanted = [rest for levels, *rest in lines if not levels or level in levels]
        problem = self.runtime_modes(program, level, int(found.group(1)) if found else 0, wanted)
        if self.o.whole_program:
            problem = problem or self.drop_first(program)
        if problem or self.o.whole_program:
            return problem, None
        dump = None
        for schedule in self.o.schedules.split(','):
            dump_file = '%s.%s.dump' % (program, schedule.replace(':', '_'))
            env = dict(os.environ, MESI_DUMP=dump_file)
            if schedule != 'default':
                env['MESI_SCHEDULE'] = schedule
            status, text = run([program], env=env, timeout=RUN_SECONDS)
            if status:
                return (
                    '-O%s, schedule %s: exit status %d:\n%s'
                    % (level, schedule, status, text[-2000:]),
                    None,
                )
            dump = open(dump_file, 'rb').read() if os.path.exists(dump_file) else b''
            if reference is None:
                reference = (dump, text)
            elif dump != reference[0]:
                return (
                    '-O%s, schedule %s: results differ from the first run' % (level, schedule),
                    None,
                )
        return None, reference

    def as_written(self, path, args, work):
        """The text with each kernel as it is written, which the program's folder may have."""
        plain = [a for a in args if not re.match('-O[0-3]$', a)]
        output = work + '/O0.cpp'
        if plain != args or not os.path.exists(output):
            output = work + '/written.cpp'
            self.translate(path, plain, 'cpu', '0', output)
        return open(output, errors='replace').read()

    def emitted_code(self, path, args, source, work):
        """At -O3 for sm_90, checked by mesicc; --explain says what is emitted."""
        log, report = source + '.emitted', source + '.json'
        status, text = self.translate(
            path,
            args + ['-arch=sm_90'],
            'cuda',
            '3',
            source,
            env=dict(os.environ, MESI_VERIFY_EMITTED=log, MESI_TIME_LIMIT='300'),
            report=report,
        )
        found = EMITTED.search(open(log).read()) if os.path.exists(log) else None
        if status or not found:
            return 'translation for CUDA at -O3, its code checked, ends with %d:\n%s' % (
                status,
                text,
            )
        self.emitted = [a + int(b) for a, b in zip(self.emitted, found.groups())]
        texts = [open(file, errors='replace').read() for file in (source, report)]
        if STEPS_END in texts[1]:
            self.lost.append(os.path.basename(path))
        launches, wrong = wrong_launches(path, self.as_written(path, args, work), *texts)
        self.told += launches
        return '\n'.join(wrong) or None

    def is_of_today(self, number, every):
        return self.o.nvcc_all or (number + self.turn) % every == 0

    def chosen(self):
        """Numbers of texts: with --nvcc-all every one; else today's of every sixteen, and of the
        others few that have each name which these lack: first those with the most of them."""
        chosen = [n for n in sorted(self.to_compile) if self.is_of_today(n, 16)]
        names = {n: text[3] for n, text in sorted(self.to_compile.items())}
        lacking = set().union(*names.values()).difference(*(names[n] for n in chosen))
        while lacking:
            best = max(names, key=lambda n: len(names[n] & lacking))
            chosen.append(best)
            lacking -= names[best]
        return chosen

    def compile_chosen(self, pool):
        """nvcc's complaints about the texts for sm_90 that it compiles, by number."""
        chosen = self.chosen()
        problems = pool.map(lambda n: self.nvcc_compile(*self.to_compile[n][:3], 'sm_90'), chosen)
        return dict(zip(chosen, problems))

    def lower_code(self, path, args, work):
        source = work + '/device.cu'
        status, text = self.translate(path, args, 'cuda', self.o.levels.split(',')[-1], source)
        return (
            'translation for CUDA ends with %d:\n%s' % (status, text)
            if status
            else self.nvcc_compile(path, args, source, self.o.arch, to_object=True)
        )

    def nvcc_compile(self, path, args, source, arch, to_object=False):
        """Both front ends of nvcc and the code generator of the device take the text; with
        `to_object` the host's compiler takes what they make of it, too."""
        if not self.o.nvcc:
            return None
        defines = [a for a in args if a.startswith(('-D', '-U', '-std='))] + [
            '-Xcompiler=' + a for a in args if a == '-fopenmp'
        ]
        std = [] if any(a.startswith('-std=') for a in defines) else ['-std=c++17']
        extra = (
            ['--extended-lambda']
            if 'nvcc: --extended-lambda' in open(path, errors='replace').readline()
            else []
        )
        folder = os.path.dirname(path)
        command = (
            [self.o.nvcc]
            + std
            + defines
            + extra
            + ['-c' if to_object else '-cuda', '-w', '-arch=' + arch, '-rdc=true']
            + ['-Xcicc', '-O0', '-Xptxas', '-O0']
        )

        def is_taken(argv):
            outcome = run(argv)
            open(argv[-1], 'w').close()  # that it compiles is all that is kept
            return outcome

        status, text = self.kept.make(
            command + ['-I', folder, '-I', self.runtime],
            source,
            [self.runtime, folder],
            source + '.out',
            is_taken,
        )
        return 'nvcc, %s:\n%s' % (arch, text[:3000]) if status else None

    def all_levels(self, path, args, work):
        """What is wrong at one of them, or None."""
        reference = None
        levels = self.o.levels.split(',')
        # with a level of its own a program has the same text at each of them
        own = any(re.match('-O[0-3]$', a) for a in args)
        if not self.is_whole(os.path.basename(path), self.o.share):
            levels = [levels[0], levels[-1]]
        for level in levels[:1] if own else levels:
            problem, reference = self.one_level(path, args, level, work, reference)
            if problem:
                return problem
        return None

    def one(self, numbered):
        number, path = numbered[0], os.path.abspath(numbered[1])
        args = self.args_of(path)
        work = tempfile.mkdtemp(prefix='mesi-program-')
        try:
            problem = self.all_levels(path, args, work)
            if problem and path in self.refused:  # perhaps of one level only
                for file in glob.glob(work + '/O*'):
                    os.remove(file)
                problem = self.all_levels(path, args, work)
            if problem or self.o.whole_program or self.o.parts:
                return problem
            if not self.is_whole(os.path.basename(path), self.o.share):
                return None
            source = '%s/%d.cu' % (self.folder, number)
            problem = self.emitted_code(path, args, source, work)
            if not problem and self.o.nvcc:
                self.to_compile[number] = path, args, source, names_used(source)
            if problem or not self.is_of_today(number, 32):
                return problem
            return self.lower_code(path, args, work)
        finally:
            if self.o.keep:
                shutil.copytree(
                    work, os.path.join(self.o.keep, os.path.basename(path)), dirs_exist_ok=True
                )
            shutil.rmtree(work, ignore_errors=True)


def nvcc_of(word):
    """What --nvcc says: a path, or None."""
    installed = shutil.which('nvcc') or (
        '/usr/local/cuda/bin/nvcc' if os.path.exists('/usr/local/cuda/bin/nvcc') else None
    )
    return {'auto': installed, 'off': None}.get(word, word)


def plain_options(mesicc, build, nvcc):
    """For a Runner of another tool."""
    return argparse.Namespace(
        mesicc=mesicc,
        build=build,
        nvcc=nvcc_of(nvcc),
        nvcc_all=False,
        levels='0,1,2',
        schedules='default,reverse,random:7',
        arch='sm_75',
        keep=None,
        whole_program=False,
        parts=None,
        every=1,
        share=1,
    )


def print_failing(one, options):
    """Runs `one`, which gives what is wrong or None, for each of the files; how many fail."""
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for path, problem in zip(options.files, pool.map(one, options.files)):
            name = os.path.basename(path)
            failed += problem is not None
            if problem is not None:
                print('FAILED %s: %s' % (name, problem), flush=True)
            elif options.v:
                print('ok %s' % name, flush=True)
    return failed


def run_on_several(kind, parser, jobs):
    """The whole of a tool that runs programs on several devices or ranks: `kind` is a Runner with
    program(path), which gives what is wrong or None, and summary(), lines for the end."""
    parser.add_argument('--mesicc', required=True)
    parser.add_argument('--build', required=True)
    parser.add_argument('--jobs', type=int, default=jobs)
    parser.add_argument('--levels', default='0,2')
    parser.add_argument('--faults', action='store_true')
    parser.add_argument('--every', type=int, default=1)
    parser.add_argument('-v', action='store_true')
    parser.add_argument('files', nargs='+')
    options = parser.parse_args()
    options.files = of_today(options.files, options.every)
    options.parts, options.whole_program, options.share = 'always', False, 1
    runner = kind(options)
    with tempfile.TemporaryDirectory(prefix='mesi-surface-') as folder:
        runner.precompile(folder)
        failed = print_failing(runner.program, options)
    for line in runner.summary():
        print(line)
    print('%d passed, %d failed' % (len(options.files) - failed, failed))
    return 1 if failed else 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--mesicc', required=True)
    parser.add_argument('--build', required=True)
    parser.add_argument('--jobs', type=int, default=os.cpu_count())
    parser.add_argument('--levels', default='0,1,2')
    parser.add_argument('--schedules', default='default,reverse,random:7')
    parser.add_argument('--nvcc', default='auto')
    parser.add_argument('--nvcc-all', action='store_true')
    parser.add_argument('--arch', default='sm_75')
    parser.add_argument('--keep')
    parser.add_argument('--whole-program', action='store_true')
    parser.add_argument('--parts')
    parser.add_argument('--every', type=int, default=1)
    parser.add_argument('--share', type=int, default=1)
    parser.add_argument('-v', action='store_true')
    parser.add_argument('files', nargs='+')
    options = parser.parse_args()
    options.files = of_today(options.files, options.every)
    options.nvcc = nvcc_of(options.nvcc)
    if options.parts:
        os.environ['MESI_PARTS'] = options.parts
    runner = Runner(options)
    folder = tempfile.mkdtemp(prefix='mesi-surface-')
    runner.precompile(folder)
    passed = failed = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for path, problem in zip(options.files, pool.map(runner.one, enumerate(options.files))):
            name = os.path.basename(path)
            if problem:
                failed += 1
                print('FAILED %s: %s' % (name, problem), flush=True)
            else:
                passed += 1
                if options.v:
                    print('ok %s' % name, flush=True)
        compiled = runner.compile_chosen(pool)
    for number, problem in compiled.items():
        if problem:
            passed, failed = passed - 1, failed + 1
            print('FAILED %s: %s' % (os.path.basename(options.files[number]), problem))
    shutil.rmtree(folder, ignore_errors=True)
    if compiled:
        print('nvcc compiled %d of %d texts for sm_90' % (len(compiled), len(runner.to_compile)))
    if options.whole_program:
        print(
            'without its first announcement a host access was reported in %d programs'
            % runner.reported
        )
    if runner.emitted[0]:
        print('emitted at -O3 for sm_90: ' + emitted_line(runner.emitted))
        print('--explain has told of %d launches what is emitted' % runner.told)
    for name in sorted(runner.lost):
        print('the steps of the analysis end in %s at -O3, which hides what its plans show' % name)
    if options.parts:
        print('%d programs made launches in parts' % runner.parted)
    print('%d passed, %d failed' % (passed, failed))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
# SPDX-License-Identifier: MIT
