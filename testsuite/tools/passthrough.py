#!/usr/bin/env python3
"""Plain CUDA programs come out of -O0 byte for byte, with and without a toolkit. Last line: N
passed, N failed."""
import argparse, subprocess, sys

parser = argparse.ArgumentParser()
parser.add_argument('--mesicc', required=True)
parser.add_argument('files', nargs='+')
options = parser.parse_args()
passed = failed = 0
for path in options.files:
    for toolkit in ([], ['--cuda-path=']):
        done = subprocess.run(
            [options.mesicc, '-O0'] + toolkit + ['-o', '-', path],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        if done.returncode == 0 and done.stdout == open(path, 'rb').read():
            passed += 1
        else:
            failed += 1
            print(
                'FAILED %s %s: status %d %s'
                % (path, toolkit, done.returncode, done.stderr.decode()[:400])
            )
print('%d passed, %d failed' % (passed, failed))
sys.exit(1 if failed else 0)
# SPDX-License-Identifier: MIT
