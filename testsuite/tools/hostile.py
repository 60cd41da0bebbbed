#!/usr/bin/env python3
"""Bad input: stored cases (testsuite/hostile/NAME.mcu with NAME.expect) and generated ones (make_hostile.py). Each ends within
10 s and 2 GB with the expected status and word, a diagnostic with code and place, and no output file.
usage: hostile.py --mesicc PATH [--full] [NAME...]      Last line: N passed, N failed."""
import argparse, json, os, re, resource, shutil, stat, subprocess, sys, tempfile, time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FOLDER = os.path.join(ROOT, 'testsuite', 'hostile')
SECONDS, BYTES = 10, 2 << 30

def run(mesicc, args, path, folder, output):
    start = time.time()
    argv = [os.fsencode(mesicc)] + [os.fsencode(a) for a in args] + [b'-o', os.fsencode(output)] + ([os.fsencode(path)] if path else [])
    child = subprocess.Popen(argv, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    try:
        text, _ = child.communicate(timeout=SECONDS * 3)
    except subprocess.TimeoutExpired:
        child.kill()
        text, _ = child.communicate()
    return child.returncode, text.decode(errors='replace'), time.time() - start

def judge(status, text, seconds, output, expected, word):
    if status < 0 or status not in (0, 1, 2, 3):
        return 'ends with %d' % status
    if seconds > SECONDS:
        return 'takes %.1f s' % seconds
    if expected is not None and status != expected:
        return 'ends with status %d, expected %d' % (status, expected)
    if status and os.path.exists(output):
        return 'leaves an output file'
    if status and not re.search(r'error\[M[0-9]+\]', text):
        return 'gives no diagnostic with a code'
    if word not in (None, '*') and word.lower() not in text.lower():
        return 'does not say "%s"' % word
    return None

def stored():
    for name in sorted(os.listdir(FOLDER)):
        if name.endswith('.expect'):
            status, word = open(os.path.join(FOLDER, name)).read().strip().split(' ', 1)
            yield name[:-7], [], os.path.join(FOLDER, name[:-7] + '.mcu'), FOLDER, int(status), word.strip(), []

def generated(folder, full):
    subprocess.run([sys.executable, os.path.join(FOLDER, 'make_hostile.py'), folder] + ([] if full else ['--small']), check=True,
                   stdout=subprocess.DEVNULL)
    for line in open(os.path.join(folder, 'manifest.jsonl')):
        case = json.loads(line)
        yield case['file'], case['args'], case['file'], folder, case['status'], case['word'], case['absent']

def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--mesicc', required=True)
    parser.add_argument('--full', action='store_true', help='also the inputs above 20 MB')
    parser.add_argument('names', nargs='*')
    options = parser.parse_args()
    mesicc = os.path.abspath(options.mesicc)
    work = tempfile.mkdtemp(prefix='mesi-hostile-')
    passed = failed = 0
    try:
        for name, args, path, folder, status, word, absent in list(stored()) + list(generated(work, options.full)):
            if options.names and not any(n in str(name) for n in options.names):
                continue
            output = os.path.join(work, 'output.cu')
            if os.path.exists(output):
                os.unlink(output)
            result, text, seconds = run(mesicc, args, path, folder, output)
            problem = judge(result, text, seconds, output, status, word)
            left = [a for a in absent if os.path.exists(os.path.join(folder, a))]
            if left:
                problem = 'a shell has run: %s exists' % left
            if problem:
                failed += 1
                print('FAILED %r %s: %s\n%s' % (name, args, problem, text[:600]))
            else:
                passed += 1
    finally:
        shutil.rmtree(work, ignore_errors=True)
    print('%d passed, %d failed' % (passed, failed))
    return 1 if failed else 0

sys.exit(main())
