#!/usr/bin/env python3
"""Every sample at small sizes through `mesicc compare` on the CPU backend, and the published outcomes of the plan.
Last line: N passed, N failed."""
import argparse, os, re, subprocess, sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
COMPARED = [
    ('matmul', ['-DN=128', '-DBX=32']), ('matmul', ['-DN=256', '-DBX=128']), ('matmul', ['-DN=128', '-DBX=64', '-DELEM=float']),
    ('dif', ['-DN=4096', '-DSTEPS=20', '-DBX=32']), ('dif', ['-DN=8192', '-DSTEPS=20', '-DBX=256']), ('ep', ['-DCLASS=S']),
]
PUBLISHED = [ # sample, options, lines that the plan must hold, lines that it must not
    ('matmul', ['-DN=1024', '-DBX=128'], [r'stage a .*\[1\]\[1024\]', r'stage c .*\[1?\]?\[?128\]'], [r'stage b ']),
    ('dif', ['-DBX=128'], [r'stage u .*\[130\]'], []),
    ('ep', ['-DBX=128'], [r'stage q .*\[128\]\[10\]'], []),
]

parser = argparse.ArgumentParser()
parser.add_argument('--mesicc', required=True)
options = parser.parse_args()
passed = failed = 0

def report(what, problem):
    global passed, failed
    if problem:
        failed += 1
        print('FAILED %s: %s' % (what, problem))
    else:
        passed += 1

def path_of(sample):
    return os.path.join(ROOT, 'samples', sample, sample + '.mcu')

for sample, args in COMPARED:
    done = subprocess.run([options.mesicc, 'compare', '--target=cpu', '--levels=0,1,2'] + args + [path_of(sample)],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    text = done.stdout.decode()
    report('%s %s' % (sample, ' '.join(args)), None if done.returncode == 0 and 'results agree' in text and 'check: ok' in text else text)
for sample, args, wanted, unwanted in PUBLISHED:
    done = subprocess.run([options.mesicc, '-O1', '--dump-plan'] + args + [path_of(sample)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    text = done.stdout.decode()
    wrong = [p for p in wanted if not re.search(p, text)] + ['not ' + p for p in unwanted if re.search(p, text)]
    report('published plan of %s' % sample, 'wanted %s in:\n%s' % (wrong, text) if wrong else None)
print('%d passed, %d failed' % (passed, failed))
sys.exit(1 if failed else 0)
