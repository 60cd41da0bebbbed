#!/usr/bin/env python3
"""Puts an SPDX line at the head of every source file that has none there or at its end; with
--check says which lack it. Samples, test programs and generated pages are left as they are: their
line numbers are part of tests.
Last line: N passed, N failed."""
import argparse, os, re, subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LINE = 'SPDX-License-Identifier: MIT'
STYLES = {
    **dict.fromkeys(['.c', '.h', '.def'], '/* %s */'),
    **dict.fromkeys(['.py', '.sh', '.cmake', 'meson.build', 'meson_options.txt'], '# %s'),
}
ROOMS = (
    *('translator/', 'analysis/', 'codegen/', 'runtime/', 'prove/'),
    *('packaging/', 'python/', 'testsuite/'),
)
NOT = re.compile(r'testsuite/(conformance|golden|check|cuda|prove|bench|hostile|messages)/')


def style_of(path):
    if NOT.match(path) or not (path.startswith(ROOMS) or '/' not in path):
        return None
    return STYLES.get(os.path.basename(path)) or STYLES.get(os.path.splitext(path)[1])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--check', action='store_true')
    options = parser.parse_args()
    listed = subprocess.run(['git', '-C', ROOT, 'ls-files'], stdout=subprocess.PIPE, check=True)
    passed = failed = 0
    for path in listed.stdout.decode().split('\n'):
        style = style_of(path)
        full = os.path.join(ROOT, path)
        if not style or os.path.islink(full) or not os.path.isfile(full):
            continue
        text = open(full).read()
        if LINE in '\n'.join(text.split('\n')[:3] + text.split('\n')[-2:]):
            passed += 1
        elif options.check:
            print('FAILED %s has no line "%s"' % (path, LINE))
            failed += 1
        else:
            first, rest = re.match(r'(#!.*\n)?(.*)', text, re.S).groups()
            open(full, 'w').write((first or '') + style % LINE + '\n' + rest)
            passed += 1
    print('%d passed, %d failed' % (passed, failed))
    return 1 if failed else 0


raise SystemExit(main())
# SPDX-License-Identifier: MIT
