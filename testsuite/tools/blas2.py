#!/usr/bin/env python3
"""The blas2 sample: random products at all levels and with double against Debian's reference BLAS, a small bench, wrong words.
Last line: N passed, N failed."""
import argparse, os, subprocess, sys, tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FILES = [os.path.join(ROOT, 'samples/blas2', name) for name in ('blas2.mcu', 'verbs.c')]

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

def run(argv):
    done = subprocess.run(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return done.returncode, done.stdout.decode(errors='replace'), done.stderr.decode(errors='replace')

def good(status, out):
    return status == 0 and 'check: ok' in out and 'not installed' not in out

with tempfile.TemporaryDirectory() as work:
    for real in ('float', 'double'):
        folder = os.path.join(work, real)
        status, out, err = run([options.mesicc, 'compare', '--target=cpu', '--levels=0,1,2', '-DREAL=' + real, '--keep=' + folder] + FILES +
                               ['--', 'check', '--random', '100', '--largest', '150'])
        report('compare with %s' % real, None if good(status, out) and 'results agree' in out else out + err)
        for level in (0, 1, 2):
            status, out, err = run(['%s/program_O%d' % (folder, level), 'check', '--random', '350', '--largest', '90', '--seed', str(level + 2)])
            report('%s at -O%d' % (real, level), None if good(status, out) else out + err)
    program = work + '/float/program_O2'
    status, out, err = run([program, 'bench', '--largest', '256', '--repeats', '1'])
    report('bench', None if status == 0 and len(out.splitlines()) == 4 else out + err)
    for words in (['bench', '--largest', 'x'], ['check', '--random'], ['check', '--what', '3'], ['frobnicate']):
        status, out, err = run([program] + words)
        report(' '.join(words), None if status == 1 and 'blas2 check' in err and not out else 'status %d\n%s%s' % (status, out, err))
print('%d passed, %d failed' % (passed, failed))
sys.exit(1 if failed else 0)
