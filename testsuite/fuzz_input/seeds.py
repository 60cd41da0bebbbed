#!/usr/bin/env python3
"""Write the seeds of the fuzzer: seeds.py DIR. Each golden case, stored hostile case and
conformance program under 6 KB, with its options in the first line and, round robin, a level, target
or dump to begin with."""
import glob, os, re, sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
VARIANTS = [
    '-O1',
    '-O2',
    '-O1 --target=cpu',
    '-O3',
    '-O0',
    '--dump-ir',
    '-O1 --dump-access',
    '-O1 --dump-range',
    '-O1 --dump-plan',
]


def main():
    os.makedirs(sys.argv[1], exist_ok=True)
    number = 0
    for folder in ('golden', 'hostile', 'conformance'):
        for path in sorted(glob.glob(os.path.join(ROOT, 'testsuite', folder, '*.mcu'))):
            text = open(path, 'rb').read()
            if len(text) > 6000:
                continue
            found = re.search(rb'args: (.*)', text.split(b'\n', 1)[0])
            args = found.group(1).replace(b'*/', b'').strip() if found else b''
            name = '%s-%s' % (folder, os.path.basename(path)[:-4])
            include = b' -I' + os.path.dirname(path).encode() if folder == 'conformance' else b''
            with open(os.path.join(sys.argv[1], name), 'wb') as out:
                out.write(
                    args + b' ' + VARIANTS[number % len(VARIANTS)].encode() + include + b'\n' + text
                )
            number += 1


main()
# SPDX-License-Identifier: MIT
