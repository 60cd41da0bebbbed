#!/usr/bin/env python3
"""Checks runtime/seeded*.def: each fault is used at exactly one place, each use is in the table,
each layer is one that parts.py knows, and an ordinary build has no fault in it. Last line: N
passed, N failed.

usage: table.py --build DIR"""
import argparse, collections, glob, os, re, sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import parts

parser = argparse.ArgumentParser()
parser.add_argument('--build', required=True)
options = parser.parse_args()
faults, uses = parts.read_faults(), collections.Counter()
for folder in ('translator', 'analysis', 'codegen', 'runtime'):
    for path in glob.glob(os.path.join(parts.ROOT, folder, '**', '*.[ch]'), recursive=True):
        if not path.endswith('seeded.h'):
            uses.update(re.findall(r'\bSEEDED\((\w+)\)', open(path, errors='replace').read()))

problems = ['%s is used %d times' % (name, uses[name]) for name in faults if uses[name] != 1]
problems += ['%s is in no table' % name for name in uses if name not in faults]
problems += [
    '%s has the unknown layer %s' % (name, layer)
    for name, (layer, _) in faults.items()
    if layer not in parts.ORDER
]
binaries = [options.build + '/translator/driver/mesicc'] + glob.glob(
    options.build + '/runtime/**/*.a', recursive=True
)
for path in binaries:
    if parts.VARIABLE.encode() in open(path, 'rb').read():
        problems.append('%s has seeded bugs in it' % path)
for problem in problems:
    print('FAILED ' + problem)
print('%d passed, %d failed' % (len(faults) + len(binaries) - len(problems), len(problems)))
sys.exit(1 if problems else 0)
# SPDX-License-Identifier: MIT
