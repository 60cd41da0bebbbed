#!/usr/bin/env python3
"""Programs under `mesicc run --check`: what is reported must be what is expected, at each level and
under each schedule.

usage: check_mode.py --mesicc PATH [--levels 0,1] [--schedules forward,reverse,random:7] [--jobs N]
       [-v] FILE.mcu...

NAME.expect beside NAME.mcu has a line for each problem, in any order, or `none`:
    12: out of bounds                      the place's line, and a part of the report's first line
                                           behind "check: "
    7+9: data race between blocks          two places, in either order
    kept k                                 kernel or function k is kept as written
    asan 12: heap-use-after-free           AddressSanitizer says so, with that line in the first
                                           trace
A line may begin with levels, "O1 7: ...": it holds at these alone. A program without .expect must
be clean. `// args: ...` in the comment at its head has options for mesicc. Last line: "N passed, N
failed".
"""
import argparse, concurrent.futures, os, re, shutil, subprocess, sys, tempfile

from harness import precompiled
from heads import args_of
from kept import wall


def run(argv, env=None, timeout=180):
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


def expected(path, level):
    name = os.path.splitext(path)[0] + '.expect'
    lines = open(name).read().splitlines() if os.path.exists(name) else ['none']
    result = []
    for line in lines:
        line = line.strip()
        only = re.match(r'O([0-3]+) (.*)', line)
        if only and str(level) not in only.group(1):
            continue
        line = only.group(2) if only else line
        if line and line != 'none' and not line.startswith('#'):
            result.append(line)
    return result


def reports(text, name):
    """Each problem as (lines, message)."""
    found, lines = [], text.splitlines()
    for i, line in enumerate(lines):
        at = re.match(r'(?:.*/)?([^/:]+):(\d+):\d+: check: (.*)', line)
        if not at or re.search(r': \d+ times$', line):
            continue
        places = {int(at.group(2))}
        other = (
            re.search(r'; the other: .* at \S*?:(\d+):\d+, ', lines[i + 1])
            if i + 1 < len(lines)
            else None
        )
        if other:
            places.add(int(other.group(1)))
        found.append((places, at.group(3)))
    for line in lines:
        kept = re.match(r"mesi check: (?:kernel|function) '(.*)' is kept as written", line)
        if kept:
            found.append(('kept', kept.group(1)))
    asan = re.search(r'ERROR: AddressSanitizer: (\S+)', text)
    if asan:
        found.append(
            (
                'asan',
                asan.group(1),
                set(int(n) for n in re.findall(re.escape(name) + r':(\d+)', text)),
            )
        )
    return found


def matches(line, report):
    if line.startswith('kept '):
        return report[0] == 'kept' and report[1] == line[5:]
    if line.startswith('asan '):
        at, message = re.match(r'asan (\d+): (.*)', line).groups()
        return report[0] == 'asan' and message in report[1] and int(at) in report[2]
    places, message = re.match(r'([\d+]+): (.*)', line).groups()
    return report[0] == set(int(p) for p in places.split('+')) and message in report[1]


def judge(text, status, wanted, name, kept_matters):
    rest, problem = reports(text, name), []
    for line in wanted:
        hit = next((r for r in rest if matches(line, r)), None)
        if hit:
            rest.remove(hit)
        else:
            problem.append('not reported: ' + line)
    problem += ['unexpected: %s' % (r,) for r in rest if kept_matters or r[0] != 'kept']
    errors = [line for line in wanted if not line.startswith('kept ')]
    if not problem and status != (4 if errors else 0):
        problem.append('the exit status is %d' % status)
    return '; '.join(problem)


def program_in(work, level):
    """The program that was kept; its level is the file's own where that has one."""
    wanted = '%s/program_O%s' % (work, level)
    kept = sorted(name for name in os.listdir(work) if re.fullmatch(r'program_O\d', name))
    return wanted if os.path.exists(wanted) or not kept else os.path.join(work, kept[-1])


def one(options, path):
    name, work = os.path.basename(path), tempfile.mkdtemp(prefix='mesi-check-')
    matters = os.path.exists(os.path.splitext(path)[0] + '.expect')
    try:
        for level in options.levels.split(','):
            wanted = expected(path, level)
            status, text = run(
                [options.mesicc, 'run', '--check', '-O' + level, '--keep=' + work]
                + options.fast
                + args_of(path)
                + [path]
            )
            problem = judge(text, status, wanted, name, matters)
            for schedule in (
                options.schedules.split(',') if not problem and options.schedules else []
            ):
                env = dict(
                    os.environ, MESI_SCHEDULE=schedule, ASAN_OPTIONS='exitcode=4:detect_leaks=0'
                )
                status, text = run([program_in(work, level)], env)
                problem = judge(text, status, wanted, name, matters)
                problem = problem and 'schedule %s: %s' % (schedule, problem)
            if problem:
                return '-O%s: %s\n%s' % (level, problem, text[:2500])
        return None
    finally:
        shutil.rmtree(work, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--mesicc', required=True)
    parser.add_argument('--levels', default='0,1')
    parser.add_argument('--schedules', default='reverse,random:7')
    parser.add_argument('--jobs', type=int, default=os.cpu_count())
    parser.add_argument('-v', action='store_true')
    parser.add_argument('files', nargs='+')
    options = parser.parse_args()
    options.mesicc = os.path.abspath(options.mesicc)
    options.fast = precompiled(
        ['-Xcompiler=-O1,-fuse-ld=gold,-fno-use-linker-plugin'],
        ['-fno-aggressive-loop-optimizations'],
    )
    passed = failed = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for path, problem in zip(
            options.files, pool.map(lambda p: one(options, os.path.abspath(p)), options.files)
        ):
            failed += problem is not None
            passed += problem is None
            if problem or options.v:
                print(
                    'FAILED %s: %s' % (os.path.basename(path), problem)
                    if problem
                    else 'ok ' + os.path.basename(path),
                    flush=True,
                )
    print('%d passed, %d failed' % (passed, failed))
    return 1 if failed else 0


sys.exit(main())
# SPDX-License-Identifier: MIT
