#!/usr/bin/env python3
"""Prints the bytes, flops and repeats of a benchmark: the two expressions behind `roofline:` in its
header comment, and REPEAT; then the word approximate where the comment says `peers: approximate
arithmetic`.
usage: roofline.py samples/bench/NAME/NAME.mcu MACRO=VALUE..."""
import os, re, subprocess, sys, tempfile

HEADERS = os.path.join(os.path.dirname(os.path.abspath(__file__)), '../../runtime/cpu/include')
source, macros = sys.argv[1], ['-D' + macro for macro in sys.argv[2:]]
header = open(source).read()
stated = re.search(r'^ \* roofline: (\S+) (\S+)$', header, re.M)
if not stated:
    sys.exit('%s: no line " * roofline: BYTES FLOPS"' % source)
expand = '#include "%s"\nroofline (%s), (%s), (REPEAT)\n' % (
    os.path.abspath(source),
    stated.group(1),
    stated.group(2),
)
text = subprocess.run(
    ['g++', '-E', '-P', '-x', 'c++', '-I', HEADERS, '-'] + macros,
    input=expand.encode(),
    stdout=subprocess.PIPE,
    check=True,
).stdout.decode()
values = text.strip().rsplit('roofline', 1)[1]
with tempfile.TemporaryDirectory() as folder:
    program = os.path.join(folder, 'roofline')
    code = (
        '#include <cstdio>\nstatic void show(double bytes, double flops, int repeats) {'
        ' printf("%.0f %.0f %d\\n", bytes, flops, repeats); }\nint main() { show('
        + values
        + '); }\n'
    )
    subprocess.run(['g++', '-x', 'c++', '-', '-o', program], input=code.encode(), check=True)
    numbers = subprocess.run([program], stdout=subprocess.PIPE, check=True).stdout.decode().strip()
print(
    numbers, 'approximate' if re.search(r'^ \* peers: approximate arithmetic', header, re.M) else ''
)
# SPDX-License-Identifier: MIT
