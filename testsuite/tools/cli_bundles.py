# SPDX-License-Identifier: MIT
"""The folders that mesicc bundle writes, for cli.py."""
import os

from harness import expect


def read(path):
    return open(path).read()


def check_failures(mesicc, base):
    """A bundle that fails leaves nothing, and stands in nobody's way."""
    open('bad.mcu', 'w').write('#include "size.h"\nint main() { return nothing; }\n')
    for what, words in [('bundle', ['bundle', '-o']), ('tune --emit', ['tune', '--emit'])]:
        result = mesicc(*words, 'half', *base, 'ok.mcu', 'bad.mcu')
        left = os.path.exists('half') and os.listdir('half')
        expect(what + ' that fails: no folder', result[0] == 2 and left is False, (result, left))
    os.mkdir('half')
    open('half/mine', 'w').close()
    result = mesicc('bundle', '-o', 'half', *base, 'ok.mcu', 'bad.mcu')
    left = os.listdir('half')
    expect('bundle that fails: what was there stays', result[0] == 2 and left == ['mine'], left)
    open('good.mcu', 'w').write(open('ok.mcu').read())
    os.rename('good.mcu', 'bad.mcu')
    result = mesicc('bundle', '-o', 'half', '--levels=0,2', *base, 'ok.mcu', 'bad.mcu')
    said = read('half/cases') if os.path.exists('half/cases') else ''
    expect('the next bundle', said == 'ok-VALUE=7 0 2\nbad-VALUE=7 0 2\n', (result, said))
    result = mesicc('bundle', '-o', 'half', '--levels=0,2', *base, 'ok.mcu')
    expect('the same once more', not result[0] and read('half/cases') == said, result)
    open('bad.mcu', 'w').write('int main() { return nothing; }\n')
    before = read('half/src/ok-VALUE=7_O2.cu')
    result = mesicc('bundle', '-o', 'half', '-O2', '--levels=2', *base, 'ok.mcu', 'bad.mcu')
    same = before == read('half/src/ok-VALUE=7_O2.cu') and read('half/cases') == said
    expect('a bundle that fails changes no case', result[0] == 2 and same, result)
    made = [name for name in os.listdir('half') if name.startswith('.')]
    expect('no folder in between stays', not made, made)


def check_headers(mesicc):
    """A bundle has every file that a translation has read, whatever its ending."""
    os.makedirs('far/deep', exist_ok=True)
    os.makedirs('near', exist_ok=True)
    open('far/deep/sizes.inc', 'w').write('#include "more.c"\n')
    open('far/deep/more.c', 'w').write('#define N 64\n')
    open('near/steps of it.c', 'w').write('__global__ int a[N];\n')
    text = '#include <deep/sizes.inc>\n#include "near/steps of it.c"\nint main() { return a[0]; }\n'
    open('reads.mcu', 'w').write(text)
    result = mesicc('bundle', '-o', 'reading', '--levels=2', '-I', 'far', 'reads.mcu')
    names = ['include/deep/sizes.inc', 'include/deep/more.c', 'src/reads.parts/near/steps of it.c']
    there = [os.path.exists('reading/' + name) for name in names]
    expect('a bundle: files of any ending', result[0] == 0 and all(there), (result, there))
    left = [name for name in os.listdir('reading/src') if name.endswith('.d')]
    expect('a bundle: no rule stays', not left, left)


def check(mesicc, base):
    check_failures(mesicc, base)
    check_headers(mesicc)
