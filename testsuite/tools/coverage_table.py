#!/usr/bin/env python3
"""The table of testsuite/coverage.sh, from what `llvm-cov export -summary-only` prints on standard
input.

usage: coverage_table.py ROOT PERCENT FOLDER...      Exit status 1 where a folder has less than
       PERCENT of its branches.
"""
import json, os, sys

root, least, folders = os.path.abspath(sys.argv[1]), float(sys.argv[2]), sys.argv[3:]
KINDS = ('lines', 'branches')


def percent(covered, count):
    return 100.0 * covered / count if count else 100.0


def row(name, sums):
    cells = ['%6d of %6d  %5.1f%%' % (sums[k][0], sums[k][1], percent(*sums[k])) for k in KINDS]
    print('%-28s %s  %s' % (name, *cells))


def add(sums, other):
    return {k: [sums[k][0] + other[k][0], sums[k][1] + other[k][1]] for k in KINDS}


nothing = {k: [0, 0] for k in KINDS}
files = {}
for entry in json.load(sys.stdin)['data'][0]['files']:
    name = os.path.relpath(os.path.realpath(entry['filename']), root)
    files[name] = {k: [entry['summary'][k]['covered'], entry['summary'][k]['count']] for k in KINDS}

print('%-28s %-24s  %s' % ('', 'lines', 'branches'))
totals, together = {}, nothing
for folder in folders:
    totals[folder] = nothing
    for name in sorted(n for n in files if n.startswith(folder + '/')):
        row(name, files[name])
        totals[folder] = add(totals[folder], files[name])
    row(folder, totals[folder])
    together = add(together, totals[folder])
shares = {f: percent(*totals[f]['branches']) for f in folders}
print(
    'branch coverage: %s, together %.1f%%'
    % (', '.join('%s %.1f%%' % (f, shares[f]) for f in folders), percent(*together['branches']))
)
sys.exit(1 if min(shares.values()) < least else 0)
# SPDX-License-Identifier: MIT
