#!/usr/bin/env python3
"""Golden cases: testsuite/golden/NAME.mcu with siblings NAME.ir, NAME.access, NAME.range,
NAME.plan, NAME.cu, NAME.cpu, NAME.err, NAME.explain, NAME.json choose what is compared. Options for
a case stand in its first line: `// args: -O1 -DN=4`. One run of mesicc gives a case's .cu, .err and
.explain (or .json).

usage: golden.py --mesicc PATH [--update] [--jobs N] [--every N] [NAME...]
--every N: every Nth of the cases, each day others. Last line: N passed, N failed.
"""
import argparse, concurrent.futures, difflib, os, re, subprocess, sys, tempfile, time

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


# What one run gives: standard output, standard error, and the file of --explain.
TOGETHER = ({'cu'}, {'err'}, {'explain', 'json'})


def groups(modes):
    """Modes that one run of mesicc gives, and each other mode alone."""
    modes = [mode for mode in MODES if mode in modes]
    together = [next((m for m in modes if m in kind), None) for kind in TOGETHER]
    together = [mode for mode in together if mode]
    return [together] * bool(together) + [[mode] for mode in modes if mode not in together]


def options_of(modes, report):
    """mesicc's options for one group of modes; `report` is the file of --explain."""
    if len(modes) == 1:
        return MODES[modes[0]]
    options = ['-o', '-' if 'cu' in modes else '/dev/null'] + ['-Rmesi'] * ('err' in modes)
    explain = [MODES[mode][0] for mode in modes if mode in TOGETHER[2]]
    return options + explain + ['--explain-file=' + report] * bool(explain)


def produce(mesicc, name, modes):
    """What each of the modes, a group, gives."""
    with open(os.path.join(FOLDER, name + '.mcu'), errors='replace') as file:
        found = re.search(r'args: (.*)', file.readline())
    args = found.group(1).replace('*/', '').split() if found else []
    with tempfile.TemporaryDirectory(prefix='mesi-golden-') as folder:
        report = folder + '/report'
        argv = [mesicc, '--cuda-path='] + args + options_of(modes, report) + [name + '.mcu']
        done = subprocess.run(
            argv,
            cwd=FOLDER,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            timeout=wall(60),
        )
        explained = open(report, 'rb').read() if os.path.exists(report) else b''
    alone = len(modes) == 1
    texts = {}
    for mode in modes:
        is_report = mode in TOGETHER[2] and not alone
        text = done.stderr if mode == 'err' else explained if is_report else done.stdout
        status = 'status %d\n' % done.returncode
        texts[mode] = text.decode(errors='replace') + (
            status if mode == 'err' or done.returncode else ''
        )
    return texts


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
    runs = [
        (name, group)
        for name in names[int(time.time() / 86400) % options.every :: options.every]
        for group in groups(
            [m for m in MODES if os.path.exists(os.path.join(FOLDER, '%s.%s' % (name, m)))]
        )
    ]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        made = pool.map(lambda run: produce(options.mesicc, *run), runs)
        for name, mode, have in (
            (name, mode, texts[mode]) for (name, group), texts in zip(runs, made) for mode in group
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
