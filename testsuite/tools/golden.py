#!/usr/bin/env python3
"""Golden cases: testsuite/golden/NAME.mcu with siblings NAME.ir, NAME.access, NAME.range,
NAME.plan, NAME.cu, NAME.cpu, NAME.err, NAME.explain, NAME.json choose what is compared. Options for
a case stand in its first line: `// args: -O1 -DN=4`.

usage: golden.py --mesicc PATH [--update] [--jobs N] [--every N] [NAME...]
--every N: every Nth of the cases, each day others. Last line: N passed, N failed.
"""
import argparse, concurrent.futures, difflib, os, re, subprocess, sys, time

from kept import wall

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FOLDER = os.path.join(ROOT, 'testsuite', 'golden')
MODES = {
    'ir': ['--dump-ir'],
    'access': ['--dump-access'],
    'range': ['--dump-range'],
    'plan': ['--dump-plan'],
    'cu': ['-o', '-'],
    'cpu': ['--target=cpu', '-o', '-'],
    'err': ['-o', '/dev/null', '-Rmesi'],
    'explain': ['--explain', '--explain-file=-', '-o', '/dev/null'],
    'json': ['--explain=json', '--explain-file=-', '-o', '/dev/null'],
}


def produce(mesicc, name, mode):
    with open(os.path.join(FOLDER, name + '.mcu'), errors='replace') as file:
        found = re.search(r'args: (.*)', file.readline())
    args = found.group(1).replace('*/', '').split() if found else []
    argv = [mesicc, '--cuda-path='] + args + MODES[mode] + [name + '.mcu']
    done = subprocess.run(
        argv,
        cwd=FOLDER,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        timeout=wall(60),
    )
    text = (done.stderr if mode == 'err' else done.stdout).decode(errors='replace')
    return text + ('status %d\n' % done.returncode if mode == 'err' or done.returncode else '')


def without_ranges(text):
    """Lines of carets without the ranges around them, which not all versions of clang tell."""
    return re.sub(
        r'^ +[~^ ]*\^[~^ ]*$', lambda m: m.group().replace('~', '').rstrip(), text, flags=re.M
    )


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--mesicc', required=True)
    parser.add_argument('--update', action='store_true')
    parser.add_argument('--jobs', type=int, default=os.cpu_count())
    parser.add_argument('--every', type=int, default=1)
    parser.add_argument('names', nargs='*')
    options = parser.parse_args()
    options.mesicc = os.path.abspath(options.mesicc)
    passed = failed = 0
    version = subprocess.run([options.mesicc, '--version'], stdout=subprocess.PIPE, check=True)
    recorded = b'version 22' in version.stdout
    names = options.names or sorted(n[:-4] for n in os.listdir(FOLDER) if n.endswith('.mcu'))
    cases = [
        (name, mode)
        for name in names[int(time.time() / 86400) % options.every :: options.every]
        for mode in MODES
        if os.path.exists(os.path.join(FOLDER, '%s.%s' % (name, mode)))
    ]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for (name, mode), have in zip(
            cases, pool.map(lambda case: produce(options.mesicc, *case), cases)
        ):
            path = os.path.join(FOLDER, '%s.%s' % (name, mode))
            want = open(path).read()
            if options.update:
                open(path, 'w').write(have)
            same = have == want
            if mode == 'err' and not recorded:
                same = without_ranges(have) == without_ranges(want)
            if same or options.update:
                passed += 1
                continue
            failed += 1
            print('FAILED %s.%s' % (name, mode))
            sys.stdout.writelines(
                list(
                    difflib.unified_diff(
                        want.splitlines(True), have.splitlines(True), 'expected', 'found'
                    )
                )[:40]
            )
    print('%d passed, %d failed' % (passed, failed))
    return 1 if failed else 0


sys.exit(main())
# SPDX-License-Identifier: MIT
