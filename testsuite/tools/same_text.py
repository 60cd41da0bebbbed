#!/usr/bin/env python3
"""Compares what two builds of mesicc emit and say, over conformance programs, plain CUDA programs,
samples and benchmarks at each level and for each target: for changes of the compiler's inside,
which change none of it.

usage: same_text.py --mesicc PATH --record FILE       writes a hash of each text that it emits
       same_text.py --mesicc PATH --against FILE      compares with such a record
options: --levels 0,1,2,3, --targets cpu,cuda, --every N (every Nth program, others each time:
         --first K), --jobs N, --seconds (prints the processor time of both, too), FILE... (these
         programs)
A text counts with its remarks (-Rmesi) and its exit status. Last line: "N passed, N failed".
"""
import argparse, concurrent.futures, glob, hashlib, json, os, resource, subprocess, sys, tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, 'testsuite', 'tools'))
import programs

PATTERNS = (
    'testsuite/conformance/*.mcu',
    'testsuite/cuda/*.cu',
    'testsuite/check/*.mcu',
    'testsuite/bench/*/*.mcu',
    'samples/*/*.mcu',
    'samples/bench/*/*.mcu',
)
FOLDERS = ('samples/mpf', 'samples/junction', 'samples/binning')  # of headers that samples share


def translate(mesicc, path, level, target):
    """A hash of the text, the remarks and the status."""
    with tempfile.TemporaryDirectory(prefix='mesi-same-') as folder:
        output = folder + '/output'
        argv = [mesicc, '--target=' + target, '-O' + level, '-Rmesi', '-I', os.path.dirname(path)]
        argv += [
            word for f in FOLDERS for word in ('-I', os.path.join(ROOT, f))
        ] + programs.Runner.args_of(None, path)
        done = subprocess.run(
            argv + ['-o', output, path],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        text = open(output, 'rb').read() if os.path.exists(output) else b''
    said = done.stdout.replace(folder.encode(), b'@')
    return hashlib.sha256(b'%d\0%s\0%s' % (done.returncode, said, text)).hexdigest()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--mesicc', required=True)
    parser.add_argument('--record')
    parser.add_argument('--against')
    parser.add_argument('--levels', default='0,1,2,3')
    parser.add_argument('--targets', default='cpu,cuda')
    parser.add_argument('--every', type=int, default=1)
    parser.add_argument('--first', type=int, default=0)
    parser.add_argument('--jobs', type=int, default=os.cpu_count())
    parser.add_argument('--seconds', action='store_true')
    parser.add_argument('files', nargs='*')
    options = parser.parse_args()
    os.environ.setdefault('MESI_TIME_LIMIT', '300')
    files = options.files or sorted(
        f for pattern in PATTERNS for f in glob.glob(os.path.join(ROOT, pattern))
    )
    files = files[options.first :: options.every]
    tasks = [
        (path, level, target)
        for path in files
        for level in options.levels.split(',')
        for target in options.targets.split(',')
    ]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        hashes = pool.map(
            lambda task: translate(options.mesicc, os.path.abspath(task[0]), task[1], task[2]),
            tasks,
        )
        found = {
            '%s -O%s %s' % (os.path.relpath(path, ROOT), level, target): value
            for (path, level, target), value in zip(tasks, hashes)
        }
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = usage.ru_utime + usage.ru_stime
    if options.record:
        with open(options.record, 'w') as file:
            json.dump({'texts': found, 'seconds': seconds}, file, indent=0)
        print('%d passed, 0 failed' % len(found))
        return 0
    before = json.load(open(options.against))
    different = [name for name in found if before['texts'].get(name) != found[name]]
    for name in different:
        print(
            'FAILED %s: %s'
            % (
                name,
                'the text or its remarks differ'
                if name in before['texts']
                else 'it is not in the record',
            )
        )
    if options.seconds:
        print('processor time: %.1f s, in the record %.1f s' % (seconds, before['seconds']))
    print('%d passed, %d failed' % (len(found) - len(different), len(different)))
    return 1 if different else 0


if __name__ == '__main__':
    sys.exit(main())
# SPDX-License-Identifier: MIT
