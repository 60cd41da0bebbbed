#!/usr/bin/env python3
"""Writes docs/diagnostics.md from translator/base/diag.def; with --check only says whether it is up
to date. Also checks the registry: codes are unique, and each code is in the group of its severity.
Last line: N passed, N failed."""
import argparse, os, re, sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SOURCE = os.path.join(ROOT, 'translator', 'base', 'diag.def')
PAGE = os.path.join(ROOT, 'docs', 'diagnostics.md')
GROUPS = [
    (1000, 'M1xxx: usage, files and tools', 'Exit status 1 for errors.', {'ERROR', 'WARNING'}),
    (2000, 'M2xxx: the source', 'Exit status 2 for errors.', {'ERROR', 'WARNING'}),
    (3000, 'M3xxx: limits and internal errors', 'Exit status 3.', {'ERROR'}),
    (
        4000,
        'M4xxx: remarks',
        'Shown with `-Rmesi`, or with `-Rmesi=KIND` for one kind.',
        {'REMARK', 'NOTE'},
    ),
]

STATUS = """
## Exit status

| status | meaning |
|---|---|
| 0 | fine |
| 1 | wrong use, a file, or a tool |
| 2 | errors in the source |
| 3 | internal error, or a limit was reached (time, memory, size) |
| 4 | `run --check`: something was reported; `compare`, `prove`: results differ; `tune`: those of \
the model's own plans do |
| 5 | `prove`: not decided |

`run` ends with the program's own status; 128 + the signal where a signal ended it. On an error no
output file is written. A program that runs into an error of the runtime ends with a message and
status 70. [prove](prove.md) says more of its verdicts."""


def registry():
    """(name, code, severity, kind of a remark, title) of each line."""
    text = re.sub(r'"\n +"', '', open(SOURCE).read())
    plain = re.findall(r'^DIAG\((\w+), (\d+), (\w+),\s+"([^"]*)"\)$', text, re.M)
    remarks = re.findall(r'^REMARK\((\w+), (\d+), "(\w+)",\s+"([^"]*)"\)$', text, re.M)
    own = re.findall(r'^WARNING\((\w+), (\d+), "(\w+)",\s+"([^"]*)"\)$', text, re.M)
    return (
        [(i, int(code), severity, None, title) for i, code, severity, title in plain]
        + [(i, int(code), 'REMARK', kind, title) for i, code, kind, title in remarks]
        + [(i, int(code), 'WARNING', '`-Wmesi-%s`' % k, title) for i, code, k, title in own]
    )


def page(entries):
    out = [
        '# Diagnostics',
        '',
        'Made by `testsuite/tools/diagnostics.py` from `translator/base/diag.def`; do not edit.',
        'A code has one meaning forever.',
        '',
        '    file:line:column: error[M2004]: message',
        '        the source line',
        '        ^',
    ]
    for first, title, note, _ in GROUPS:
        out += ['', '## ' + title, '', note, '', '| code | severity | meaning |', '|---|---|---|']
        for _, code, severity, kind, text in sorted(entries, key=lambda e: e[1]):
            if first <= code < first + 1000:
                of = ' (%s)' % kind if kind else ''
                out.append('| M%d | %s%s | %s |' % (code, severity.lower(), of, text))
    return '\n'.join(out + STATUS.split('\n')) + '\n'


def problems_of(entries):
    lines = len(re.findall(r'^(?:DIAG|REMARK|WARNING)\(\w+, \d', open(SOURCE).read(), re.M))
    codes = [code for _, code, _, _, _ in entries]
    yield (
        None
        if lines == len(entries)
        else '%d of %d lines of diag.def are not understood' % (lines - len(entries), lines)
    )
    twice = sorted({c for c in codes if codes.count(c) > 1})
    yield 'codes used twice: %s' % twice if twice else None
    astray = [
        code
        for _, code, severity, _, _ in entries
        if not any(g[0] <= code < g[0] + 1000 and severity in g[3] for g in GROUPS)
    ]
    yield 'codes in the wrong group: %s' % astray if astray else None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--check', action='store_true')
    options = parser.parse_args()
    entries = registry()
    problems = list(problems_of(entries))
    text = page(entries)
    if options.check:
        have = open(PAGE).read() if os.path.exists(PAGE) else ''
        problems.append(
            None
            if have == text
            else 'docs/diagnostics.md is stale: run testsuite/tools/diagnostics.py'
        )
    else:
        open(PAGE, 'w').write(text)
    for problem in problems:
        if problem:
            print('FAILED %s' % problem)
    failed = sum(p is not None for p in problems)
    print('%d passed, %d failed' % (len(problems) - failed, failed))
    return 1 if failed else 0


sys.exit(main())
# SPDX-License-Identifier: MIT
