#!/usr/bin/env python3
"""The branches that no test took, with their place and text, from what `llvm-cov export` prints on
standard input.

usage: coverage_gaps.py ROOT [NAME...]      NAME: parts of file names; default: all
"""
import json, os, sys

root, names = os.path.abspath(sys.argv[1]), sys.argv[2:]
export = json.load(sys.stdin)['data'][0]
for entry in export['files']:
    path = os.path.relpath(os.path.realpath(entry['filename']), root)
    if path.startswith('..') or not (not names or any(n in path for n in names)):
        continue
    lines = open(os.path.join(root, path)).read().split('\n')
    for line, column, last_line, last_column, taken, not_taken in sorted(
        b[:6] for b in entry['branches']
    ):
        if taken and not_taken:
            continue
        end = last_column - 1 if last_line == line else None
        text = lines[line - 1][column - 1 : end]
        missing = (
            'never evaluated'
            if not taken and not not_taken
            else 'never %s' % ('false' if taken else 'true')
        )
        print('%s:%d: %-15s  %s' % (path, line, missing, text))
# SPDX-License-Identifier: MIT
