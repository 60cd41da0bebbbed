#!/usr/bin/env python3
"""What `meson install` gives: every verb is run from the installed prefix in another folder while
the source tree and the build folder are hidden (a mount namespace with an empty folder over
each); CMake, pkg-config and Meson build programs with it; man pages and completions are there
and can be read. Last line: N passed, N failed."""
import argparse, glob, os, re, shutil, subprocess, tempfile

from harness import ROOT, expect, finish, run

parser = argparse.ArgumentParser()
parser.add_argument('--build', default='build')
options = parser.parse_args()
build = os.path.abspath(options.build)
NVCC = shutil.which('nvcc', path=os.environ['PATH'] + ':/usr/local/cuda/bin')
EXAMPLES = os.path.join('share', 'doc', 'mesicc', 'example')
SUM = """#include <stdio.h>
__global__ int a[64];
int last();
__global__ void k(int v) { a[threadIdx.x] += v * threadIdx.x; }
int main() { k<<<1, 64>>>(2); printf("%d\\n", last()); return last() != 126; }
"""
LAST = 'extern __global__ int a[64];\nint last() { return a[63]; }\n'


def hidden(folder, *words, more=ROOT, **environment):
    """Runs a command where neither the sources nor the build folder can be seen, nor `more`."""
    script = (
        'for d in "$1" "$2" "$3"; do [ -d "$d" ] && mount -t tmpfs none "$d"; done; '
        'cd "$4" && shift 4 && exec "$@"'
    )
    command = ['unshare', '-rm', 'sh', '-c', script, 'sh', build, ROOT, more, folder, *words]
    return run(command, **environment)


def names(pattern):
    return sorted(os.path.basename(path) for path in glob.glob(pattern))


with tempfile.TemporaryDirectory() as top:
    done = run(['meson', 'install', '-C', build, '--no-rebuild', '--destdir', top + '/staged'])
    expect('meson install', done[0] == 0, done, 600)
    prefix = run(['meson', 'introspect', build, '--buildoptions'])[1]
    prefix = [o['value'] for o in __import__('json').loads(prefix) if o['name'] == 'prefix'][0]
    moved = os.path.join(top, 'somewhere else')
    shutil.move(top + '/staged' + prefix, moved)
    plain = os.path.join(top, 'prefix')
    os.symlink(moved, plain)
    # CMake and nvcc do not like blanks; the verbs get the folder with one
    mesicc, work = moved + '/bin/mesicc', os.path.join(top, 'work')
    os.mkdir(work)
    for name, text in [('sum.mcu', SUM), ('last.mcu', LAST)]:
        open(os.path.join(work, name), 'w').write(text)
    shutil.copy(moved + '/' + EXAMPLES + '/cmake/squares.mcu', work)
    cache = {'MESI_CACHE': os.path.join(top, 'cache')}

    seen = hidden('/', 'ls', ROOT)
    expect('the sources are hidden', seen[0] == 0 and not seen[1], seen)
    cpu, squares = '--target=cpu', 'squares.mcu'
    for what, words, status, shown in [
        ('--version', ['--version'], 0, 'libclang'),
        ('translate', [squares], 0, ''),
        ('translate without a toolkit', ['--cuda-path=', '-o', 'b.cu', squares], 0, ''),
        ('-c', [cpu, '-c', squares], 0, ''),
        ('--link', [cpu, '--link', '-o', 'two', 'sum.mcu', 'last.mcu'], 0, ''),
        ('run', ['run', cpu, squares], 0, '144'),
        ('run of two files', ['run', cpu, 'sum.mcu', 'last.mcu'], 0, '126'),
        ('run --check', ['run', '--check', squares], 0, '144'),
        ('compare', ['compare', cpu, squares], 0, 'results agree'),
        ('tune', ['tune', cpu, '--repeats=1', '--candidates=1', squares], 0, ''),
        ('bundle', ['bundle', '-o', 'bundle', squares], 0, ''),
        ('prove', ['prove', squares], 0, ''),
        ('setup', ['setup', 'clangd'], 0, 'wrote'),
        ('survey', ['survey', squares], 0, 'squares'),
        ('compare --plot', ['compare', cpu, '--levels=0,2', '--plot=c.svg', squares], 0, 'agree'),
        ('tune --plot', ['tune', cpu, '--repeats=1', '--plot=t.html', squares], 0, ''),
        ('plot', ['plot', '-o', 'p.svg', 'squares.tune'], 0, ''),
        ('nvcc', ['nvcc', '-x', 'cu', '-c', '-o', 'n.o', squares], 0 if NVCC else 1, ''),
        ('help', ['help', 'plot'], 0, 'RESULTS'),
        ('explain', ['--explain=html', '-o', 'e.cu', squares], 0, ''),
    ]:
        done = hidden(work, mesicc, *words, **cache)
        if what == 'prove' and not os.path.exists(moved + '/libexec/mesicc/mesi-instrument'):
            status = 5  # built without LLVM's headers: it decides nothing
        expect(what, done[0] == status and shown in done[1], done, 900)
    sample = moved + '/share/mesicc/samples/matmul/matmul.mcu'
    emit = ['tune', '--emit', 'emitted', '-DN=64', '-DBX=32', sample]
    done = hidden(work, mesicc, *emit, **cache)
    expect('tune --emit', done[0] == 0 and os.path.exists(work + '/emitted/run.sh'), done, 900)
    expect('a bundle has its runtime', os.path.exists(work + '/bundle/runtime/object/object.c'))
    for name in ['p.svg', 'c.svg', 't.html', '.clangd', 'e.explain.html']:
        path = os.path.join(work, name)
        expect(name + ' is there', os.path.exists(path) and os.path.getsize(path) > 50)
    table = open(os.path.join(ROOT, 'translator', 'driver', 'verbs.def')).read()
    verbs = [verb for verb in re.findall(r'^VERB\(\w+, "(\w*)"', table, re.M) if verb]
    expect('all verbs are known', len(verbs) > 8, verbs)

    library = glob.glob(moved + '/lib*/**/libmesi.a', recursive=True)
    if library and NVCC:
        os.rename(library[0], library[0] + '.away')
        done = hidden(work, mesicc, '--link', '-arch=sm_90', '-o', 'no', squares, **cache)
        expect('no libmesi.a', done[0] == 1 and 'without a CUDA toolkit' in done[2], done, 900)
        os.rename(library[0] + '.away', library[0])

    for part in ('vim/vimfiles/syntax/mcu.vim', 'mesicc/vscode/package.json'):
        expect(part, os.path.exists(os.path.join(moved, 'share', part)))
    pages = names(moved + '/share/man/man*/*')
    wanted = {'mesicc.1', 'mesi.3', 'mesicc-environment.7'} | {'mesicc-%s.1' % v for v in verbs}
    expect('man pages', wanted <= set(pages), pages)
    for path in glob.glob(moved + '/share/man/man*/*') if shutil.which('man') else []:
        done = run(['man', '--warnings', '-l', path], MANWIDTH='100', LC_ALL='C.UTF-8')
        expect('man ' + os.path.basename(path), done[0] == 0 and not done[2], done[2], 300)
    completion = moved + '/share/bash-completion/completions/mesicc'
    script = (
        '. "%s"; COMP_WORDS=(mesicc --exp); COMP_CWORD=1; _mesicc; echo "${COMPREPLY[@]}"'
        % completion
    )
    done = run(['bash', '-c', script])
    expect('bash completion', '--explain=' in done[1], done)
    for shell, path in [
        ('zsh', 'zsh/site-functions/_mesicc'),
        ('fish', 'fish/vendor_completions.d/mesicc.fish'),
    ]:
        path = os.path.join(moved, 'share', path)
        expect(shell + ' completion', os.path.getsize(path) > 1000)
        if shutil.which(shell):
            expect(shell + ' reads it', run([shell, '-n', path])[0] == 0)

    libraries = [p for p in glob.glob(plain + '/lib*/**/pkgconfig', recursive=True)]
    environment = {'PKG_CONFIG_PATH': libraries[0] if libraries else '', **cache}
    if shutil.which('pkg-config'):
        script = (
            '"%s/bin/mesicc" --target=cpu -o p.cpp squares.mcu && g++ -std=c++17 -o p p.cpp '
            '$(pkg-config --cflags --libs mesi-cpu) && ./p' % plain
        )
        done = hidden(work, 'sh', '-c', script, **environment)
        expect('pkg-config mesi-cpu', done[0] == 0 and done[1] == '144\n', done, 900)
        if os.path.exists(libraries[0] + '/mesi.pc'):
            done = run(['pkg-config', '--libs', 'mesi'], **environment)
            expect(
                'pkg-config mesi', all(w in done[1] for w in ('-lmesi', '-lcudart', plain)), done
            )
    if shutil.which('cmake'):
        shutil.copytree(plain + '/' + EXAMPLES + '/cmake', work + '/cmake')
        script = 'cmake -DCMAKE_PREFIX_PATH="%s" -B b . && cmake --build b && b/squares' % plain
        done = hidden(work + '/cmake', 'sh', '-c', script, **environment)
        expect('CMake', done[0] == 0 and done[1].endswith('144\n'), done, 1500)
        open(work + '/cmake/squares.mcu', 'a').write('#error changed\n')
        done = hidden(work + '/cmake', 'cmake', '--build', 'b', **environment)
        expect('CMake sees a change', done[0] != 0 and 'changed' in done[1] + done[2], done, 900)
    shutil.copytree(plain + '/' + EXAMPLES + '/meson', work + '/meson')
    # a toolkit would make it a program for the GPU
    script = 'export PATH="%s/bin:/usr/bin:/bin" CUDA_PATH=; ' % plain
    script += 'meson setup b && ninja -C b && b/squares'
    if shutil.which('meson'):
        toolkit = os.path.dirname(os.path.dirname(os.path.realpath(NVCC))) if NVCC else ROOT
        done = hidden(work + '/meson', 'sh', '-c', script, more=toolkit, **environment)
        expect('Meson', done[0] == 0 and done[1].endswith('144\n'), done, 1500)

finish()
# SPDX-License-Identifier: MIT
