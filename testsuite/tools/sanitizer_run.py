#!/usr/bin/env python3
"""run.py - builds the programs of this folder with nvcc, one call each, runs each plain and under
compute-sanitizer's tools. Needs nvcc, g++, ar, a GPU.

usage: python3 run.py [--seconds 560] [--jobs 16] [--gpu-jobs 8] [--limit 60] [--arch sm_90] [--nvcc
       PATH] [--tools memcheck,racecheck,synccheck,initcheck]
                      [--build-only] [PATTERN]
PATTERN: only programs whose name matches (glob). After `seconds` it stops; called again it goes on
with what is left (results: build/results). What runs longer than `limit` seconds is killed, with
all its processes. A program that fails plain is not run under the tools. Prints a table (a row for
a program only where something is wrong), then what each tool found in total. Ends with 0 where all
is done and nothing was found.
"""
import argparse, collections, concurrent.futures, fnmatch, glob, json
import os, re, shutil, signal, subprocess, sys, time

os.chdir(os.path.dirname(os.path.abspath(__file__)))
PLAIN, OK = 'plain', 'ok'
OPTIONS = {
    'memcheck': ['--report-api-errors', 'no'],
    'initcheck': ['--report-api-errors', 'no'],
    'racecheck': ['--racecheck-report', 'analysis'],
    'synccheck': [],
}
CLEAN = re.compile(r'ERROR SUMMARY: 0 errors|RACECHECK SUMMARY: 0 hazards')
TELLING = re.compile(
    r'=========\s+(Invalid|Misaligned|Out-of-range|Race|Error|Warning:'
    r' Race|Barrier|Divergent|Uninitialized|Unused|Potential|Program hit|Missing|.*hazard).*'
)


def run(argv, limit, env=None):
    """Status and text; 124 where it was killed."""
    process = subprocess.Popen(
        argv,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
        env=env,
    )
    try:
        text = process.communicate(timeout=limit)[0]
        status = process.returncode
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        text, status = process.communicate()[0], 124
    return status, text.decode(errors='replace')


def build_runtime(o):
    """The runtime's library; g++'s path to CUDA's headers comes from nvcc's place."""
    toolkit = os.path.dirname(os.path.dirname(os.path.realpath(o.nvcc)))
    if os.path.exists('build/libmesi.a'):
        return None
    sources = sorted(s for s in glob.glob('runtime/*/*.c') if not s.endswith('_cpu.c'))

    def one(source):
        return run(
            [
                'gcc',
                '-O2',
                '-w',
                '-D_GNU_SOURCE',
                '-std=gnu11',
                '-I',
                'runtime',
                '-isystem',
                toolkit + '/include',
                '-c',
                source,
                '-o',
                'build/' + os.path.basename(source)[:-2] + '.o',
            ],
            120,
        )

    with concurrent.futures.ThreadPoolExecutor(o.jobs) as pool:
        for status, text in pool.map(one, sources):
            if status:
                return text
    status, text = run(
        ['ar', 'rcs', 'build/libmesi.a']
        + ['build/' + os.path.basename(s)[:-2] + '.o' for s in sources],
        60,
    )
    return text if status else None


def build(o, name, options):
    """None, or what nvcc said."""
    program = 'build/' + name
    if os.path.exists(program):
        return None
    std = [] if any(a.startswith('-std=') for a in options) else ['-std=c++17']
    status, text = run(
        [o.nvcc, '-w', '-arch=' + o.arch, '-lineinfo', '-Xcompiler', '-O0']
        + std
        + options
        + [w for f in ('runtime', 'include/conformance', 'include/cuda') for w in ('-I', f)]
        + ['src/%s.cu' % name, 'build/libmesi.a', '-o', program + '.new'],
        300,
    )
    if status:
        open(program + '.log', 'w').write(text)
        return next((line for line in text.splitlines() if 'error' in line), text[-200:])
    os.replace(program + '.new', program)
    return None


def check(o, name, tool):
    """ok, or what was found."""
    command = ['build/' + name]
    if tool != PLAIN:
        command = (
            ['compute-sanitizer', '--tool', tool, '--error-exitcode', '99']
            + OPTIONS[tool]
            + command
        )
    began = time.time()
    status, text = run(command, o.limit)
    took = time.time() - began
    if status == 124:
        said = 'killed after %d s' % o.limit
    elif tool == PLAIN:
        said = (
            OK
            if status == 0
            else 'status %d: %s' % (status, text.strip()[-120:].replace('\n', ' '))
        )
    elif CLEAN.search(text) and status != 99:
        said = OK if status == 0 else 'status %d under the tool' % status
    else:
        found = TELLING.search(text)
        said = (
            found.group(0)[10:].strip()[:120]
            if found
            else 'status %d: %s' % (status, text.strip()[-120:].replace('\n', ' '))
        )
    if said != OK:
        open('build/%s.%s.log' % (name, tool), 'w').write(text[:200000])
    return said, took


class Results:
    """What is known so far, by program and tool; kept in a file of one JSON line each."""

    def __init__(self):
        self.known = {}
        if os.path.exists('build/results'):
            for line in open('build/results'):
                name, tool, said, took = json.loads(line)
                self.known[name, tool] = said
        self.file = open('build/results', 'a')

    def add(self, name, tool, said, took):
        self.known[name, tool] = said
        self.file.write(json.dumps([name, tool, said, round(took, 2)]) + '\n')
        self.file.flush()


def go(jobs, tasks, work, take, until):
    """work(task) for each, several at a time; take(task, result). No task begins after `until`."""

    def timely(task):
        return work(task) if time.time() < until else None

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for task, result in zip(tasks, pool.map(timely, tasks)):
            if result is not None:
                take(task, result)


def table(names, tools, results, left):
    counts = collections.Counter()
    print('%-40s  %s' % ('program', 'found'))
    for name in names:
        for tool in ['nvcc', PLAIN] + tools:
            said = results.known.get((name, tool))
            if said and said != OK:
                print('%-40s  %s: %s' % (name, tool, said))
            counts[tool, 'ok' if said == OK else 'found' if said else 'left'] += 1
    for tool in [PLAIN] + tools:
        print(
            '%-10s %4d clean, %3d with a report, %4d not run'
            % (tool, counts[tool, 'ok'], counts[tool, 'found'], counts[tool, 'left'])
        )
    failing = sorted(
        {name for (name, tool), said in results.known.items() if said != OK and name in names}
    )
    print('failing: %s' % (' '.join(failing) or 'none'))
    print('left: %d' % left)
    return bool(failing or left)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--seconds', type=float, default=560)
    parser.add_argument('--jobs', type=int, default=os.cpu_count())
    parser.add_argument('--gpu-jobs', type=int, default=8)
    parser.add_argument('--limit', type=float, default=60)
    parser.add_argument('--arch', default='sm_90')
    parser.add_argument('--nvcc', default=shutil.which('nvcc') or '/usr/local/cuda/bin/nvcc')
    parser.add_argument('--tools', default='memcheck,racecheck,synccheck,initcheck')
    parser.add_argument('--build-only', action='store_true')
    parser.add_argument('pattern', nargs='?', default='*')
    o = parser.parse_args()
    until, began = time.time() + o.seconds - o.limit, time.time()
    os.makedirs('build', exist_ok=True)
    problem = build_runtime(o)
    if problem:
        raise SystemExit('the runtime does not compile:\n' + problem)
    lines = [line.split() for line in open('programs')]
    options = {words[0]: words[1:] for words in lines if fnmatch.fnmatch(words[0], o.pattern)}
    names, tools, results = list(options), o.tools.split(','), Results()

    def built(name, problem):
        if problem:
            results.add(name, 'nvcc', problem, 0)

    known = lambda name: results.known.get((name, 'nvcc'))
    go(
        o.jobs,
        [n for n in names if not known(n)],
        lambda n: build(o, n, options[n]) or '',
        built,
        until,
    )
    print('building: %.0f s' % (time.time() - began), flush=True)
    here = [n for n in names if os.path.exists('build/' + n)]
    if not o.build_only:
        todo = [(n, PLAIN) for n in here if (n, PLAIN) not in results.known]
        go(o.gpu_jobs, todo, lambda t: check(o, *t), lambda t, r: results.add(*t, *r), until)
        todo = [
            (n, tool)
            for tool in tools
            for n in here
            if results.known.get((n, PLAIN)) == OK and (n, tool) not in results.known
        ]
        go(o.gpu_jobs, todo, lambda t: check(o, *t), lambda t, r: results.add(*t, *r), until)
    print('all: %.0f s' % (time.time() - began))
    ready = [n for n in here if results.known.get((n, PLAIN), OK) == OK]
    left = sum((n, tool) not in results.known for n in ready for tool in [PLAIN] + tools) + sum(
        n not in here and not known(n) for n in names
    )
    return table(names, tools, results, left)


if __name__ == '__main__':
    sys.exit(main())
# SPDX-License-Identifier: MIT
