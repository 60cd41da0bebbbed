#!/usr/bin/env python3
"""Whose fault is it?   usage: triage.py --build DIR FOLDER|FILE...

Each input that ended the fuzzer's process is given to mesicc as a user
would give it, sandbox and all, and then to the target again for its report. Prints a line an input:
what mesicc said, and the first frame of this project. Ends with "N inputs: N ours, N contained, N
gone"; the exit status is 1 where one is ours.

ours: the report has a frame of this project before any of libclang, or mesicc ends badly.
contained: a fault inside libclang or a limit, which mesicc reports with status 3. gone: the target
no longer fails."""
import argparse, os, re, subprocess, sys, tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def as_user(mesicc, data, work):
    options, _, source = data.partition(b'\n')
    words = [
        w
        for w in options[:511].split(b'\0')[0].split()
        if w.startswith(b'-') and not w.startswith((b'-p', b'-o', b'-M', b'--keep'))
    ]
    path, output = os.path.join(work, 'input.mcu'), os.path.join(work, 'output.cu')
    open(path, 'wb').write(source)
    for name in (output,):
        if os.path.exists(name):
            os.unlink(name)
    done = subprocess.run(
        [mesicc]
        + [w for w in words if w not in (b'-optf', b'--options-file')]
        + ['-o', output, path],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=60,
    )
    text = done.stdout.decode(errors='replace')
    code = re.search(r'error\[(M[0-9]+)\]', text)
    good = done.returncode == 0 or (
        done.returncode in (1, 2, 3) and code and not os.path.exists(output)
    )
    return good, done.returncode, code.group(1) if code else '-'


def report(target, path):
    try:
        done = subprocess.run(
            [target, '-timeout=20', '-rss_limit_mb=3000', path],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=90,
        )
    except subprocess.TimeoutExpired:
        return 'hangs', None
    text = done.stdout.decode(errors='replace')
    if done.returncode == 0:
        return None, None
    what = re.search(r'(runtime error: .*|ERROR: .*)', text)
    frame = None
    for line in text.split('\n'):
        found = re.match(r'\s+#\d+ 0x\w+ (?:in (\S+) )?\(?(\S+)', line)
        if not found:
            continue
        if 'libclang' in found.group(2) or 'libLLVM' in found.group(2):
            break
        if re.search(r'/(analysis|translator|codegen)/.*\.[ch]:\d', line):
            frame = '%s %s' % (found.group(1), os.path.basename(found.group(2).split('../')[-1]))
            break
    return what.group(1)[:110] if what else 'status %d' % done.returncode, frame


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--build', required=True)
    parser.add_argument('inputs', nargs='+')
    options = parser.parse_args()
    mesicc = os.path.join(ROOT, options.build, 'translator/driver/mesicc')
    target = os.path.join(ROOT, options.build, 'testsuite/fuzz_input/fuzz_input')
    paths = []
    for name in options.inputs:
        paths += (
            sorted(os.path.join(name, n) for n in os.listdir(name))
            if os.path.isdir(name)
            else [name]
        )
    ours = contained = gone = 0
    with tempfile.TemporaryDirectory() as work:
        for path in paths:
            good, status, code = as_user(mesicc, open(path, 'rb').read(), work)
            what, frame = report(target, path)
            if what is None and good:
                gone += 1
                continue
            mine = frame is not None or not good
            ours, contained = ours + mine, contained + (not mine)
            print(
                '%s %s: mesicc ends with %d %s; target: %s; %s'
                % ('OURS' if mine else 'contained', path, status, code, what, frame)
            )
    print('%d inputs: %d ours, %d contained, %d gone' % (len(paths), ours, contained, gone))
    return 1 if ours else 0


sys.exit(main())
# SPDX-License-Identifier: MIT
