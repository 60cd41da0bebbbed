# SPDX-License-Identifier: MIT
#!/usr/bin/env python3
"""Tests what editors get: mesicc setup clangd, -MJ, the syntax files.

clangd (14 or newer), where there is one, has to find no error in any sample; else clang
-fsyntax-only with the same arguments. Last line: N passed, N failed.

usage: editors.py --mesicc PATH [--jobs N] [--samples N]"""
import argparse, concurrent.futures, glob, json, os, re, shutil, subprocess, sys, tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, 'packaging'))
import syntax

passed = failed = 0


def expect(name, fine, found=''):
    global passed, failed
    passed += bool(fine)
    failed += not fine
    if not fine:
        print('FAILED %s\n%s' % (name, str(found)[-1500:]))


def run(argv, **more):
    done = subprocess.run(
        argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more
    )
    return (
        done.returncode,
        done.stdout.decode(errors='replace'),
        done.stderr.decode(errors='replace'),
    )


def newest(name):
    """The newest program of that name, with or without a version behind it."""
    found = [p for n in range(30, 13, -1) for p in [shutil.which('%s-%d' % (name, n))] if p]
    return found[0] if found else shutil.which(name)


def oldest(name):
    found = [p for n in range(14, 30) for p in [shutil.which('%s-%d' % (name, n))] if p]
    return found[0] if found else shutil.which(name)


def samples():
    return sorted(glob.glob(ROOT + '/samples/*/*.mcu') + glob.glob(ROOT + '/samples/bench/*/*.mcu'))


def check_setup(mesicc, folder):
    os.chdir(folder)
    done = run([mesicc, 'setup', 'clangd', '-DN=3', '-I', 'own'])
    text = open('.clangd').read()
    expect('setup clangd', done[0] == 0 and 'wrote .clangd' in done[1], done)
    words = json.loads(text[text.index('[') :])
    expect('the user\'s words', words[-3:] == ['-DN=3', '-I', os.path.join(folder, 'own')], words)
    expect('the prelude', os.path.exists(words[words.index('-include') + 1]), words)
    expect('again', 'wrote again' in run([mesicc, 'setup', 'clangd'])[1])
    open('.clangd', 'w').write('CompileFlags:\n  Add: [-Wall]\n')
    done = run([mesicc, 'setup', 'clangd'])
    kept = open('.clangd').read() == 'CompileFlags:\n  Add: [-Wall]\n'
    expect('a file of the user\'s stays', done[0] == 1 and kept and 'M1003' in done[2], done)
    expect('-o -', run([mesicc, 'setup', 'clangd', '-o', '-'])[1].startswith('# Written by'))
    expect('another editor', run([mesicc, 'setup', 'emacs'])[0] == 1)
    os.remove('.clangd')


def check_fragment(mesicc, folder):
    os.chdir(folder)
    open('p.mcu', 'w').write('#include <cstdio>\n__global__ int a[64];\nint main() { return N; }\n')
    run([mesicc, '-DN=3', '-MJ', 'fragment', '-o', 'p.cu', 'p.mcu'])
    entry = json.loads(open('fragment').read().rstrip().rstrip(','))
    words = entry['arguments']
    expect('-MJ: absolute', entry['file'] == os.path.join(folder, 'p.mcu') == words[-1], entry)
    expect('-MJ: clang', words[0] == 'clang++' and words[1:3] == ['-x', 'cuda'], words)
    clang = newest('clang++')
    if clang:
        done = run([clang, '-fsyntax-only'] + words[1:], cwd=entry['directory'])
        expect('-MJ: clang takes it', done[0] == 0, done[2])
    os.mkdir('db')
    open('db/compile_commands.json', 'w').write('[' + json.dumps(entry) + ']')
    done = run([mesicc, '-v', '--target=cpu', '-c', '-p', 'db', '-o', 'p.o', 'p.mcu'])
    expect('-p takes the user\'s words alone', done[0] == 0 and 'mesi_prelude' not in done[2], done)


def check_sample(tool, words, path):
    """What is wrong; ''."""
    if 'clangd' in os.path.basename(tool):
        status, out, err = run([tool, '--check=' + path, '--log=error'])
        # a tweak that clangd 14 fails to make of correct code is no error of the code
        said = [l for l in err.split('\n') if l.startswith('E[') and ' tweak: ' not in l]
        wrong = said or ([] if ' tweak: ' in err else [err[-600:]])
        return path + '\n' + '\n'.join(wrong[:10]) if status and wrong else ''
    status, out, err = run([tool, '-fsyntax-only', '-w', *words, path])
    return '' if not status else path + '\n' + err[-800:]


def check_samples(mesicc, folder, jobs, most):
    clangd, clang = oldest('clangd'), newest('clang++')
    for toolkit in [[]] if not os.path.exists('/usr/local/cuda') else [[], ['--cuda-path=']]:
        place = os.path.join(folder, 'samples%d' % len(toolkit))
        shutil.copytree(ROOT + '/samples', place)
        shared = [word for name in ('binning', 'junction', 'mpf') for word in ('-I', name)]
        done = run([mesicc, 'setup', 'clangd', *shared, *toolkit], cwd=place)
        expect('setup for the samples', done[0] == 0, done)
        text = open(place + '/.clangd').read()
        words = json.loads(text[text.index('[') :])
        # clangd with what is found here, and clang with our own declarations of CUDA
        tool = clangd if clangd and not toolkit else clang or clangd
        if not tool:
            continue
        paths = [os.path.join(place, os.path.relpath(p, ROOT + '/samples')) for p in samples()]
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            said = pool.map(lambda p: check_sample(tool, words, p), paths[:most])
            for wrong in said:
                expect('no error in a sample: %s %s' % (tool, toolkit), not wrong, wrong)


def check_words(folder):
    """The list has the words of the language that our headers define."""
    text = open(ROOT + '/runtime/cpu/include/cuda_runtime.h').read()
    for root, _, names in os.walk(ROOT + '/runtime/cpu/include/mesi'):
        text += ''.join(open(os.path.join(root, n)).read() for n in names)
    known = syntax.SPECIFIERS + syntax.BUILTINS + syntax.TYPES + syntax.FUNCTIONS
    defined = set(re.findall(r'# *define +(__[a-z_]+__)\b', text))
    words = {w for w in defined if re.search('(global|device|host|shared|constant|managed)__$', w)}
    expect('specifiers', words <= set(known), words - set(known))
    missing = [w for w in known if not re.search(r'\b%s\b' % w, text)]
    odd = {'__cluster_dims__', '__grid_constant__', '__managed__', '__restrict__'}
    expect(
        'words that there are',
        not [w for w in missing if w not in odd and w not in syntax.TYPES],
        missing,
    )
    for what in syntax.MAKERS:
        lines = syntax.MAKERS[what]('1.0')
        if what.startswith('code'):
            json.loads('\n'.join(lines))
    grammar = '\n'.join(syntax.code_grammar('1.0')) + '\n'.join(syntax.vim('1.0'))
    functions, constants = syntax.mesi_words()
    expect('the runtime\'s functions', len(functions) > 5 and 'mesi_malloc' in functions, functions)
    expect('its constants', 'MESI_READ' in constants, constants)
    lost = [w for w in known + functions + constants if len(re.findall(r'\b%s\b' % w, grammar)) < 2]
    expect('both files have all words', not lost, lost)


def check_vim(folder):
    vim = shutil.which('vim')
    if not vim:
        return
    home = os.path.join(folder, 'vim')
    os.makedirs(home + '/syntax')
    os.makedirs(home + '/ftdetect')
    open(home + '/syntax/mcu.vim', 'w').write('\n'.join(syntax.vim('1.0')) + '\n')
    open(home + '/ftdetect/mcu-detect.vim', 'w').write('\n'.join(syntax.vim_detect('1.0')) + '\n')
    path = os.path.join(folder, 'v.mcu')
    open(path, 'w').write('__global__ int a[4];\nint main() { return mesi_free; }\n')
    script = os.path.join(folder, 'script.vim')
    open(script, 'w').write(
        'filetype on\nsyntax on\nedit %s\n'
        'let said = [&filetype]\n'
        'call add(said, synIDattr(synID(1, 1, 1), "name"))\n'
        'call add(said, synIDattr(synID(2, 24, 1), "name"))\n'
        'call writefile(said, "%s")\nqall!\n' % (path, folder + '/said')
    )
    run([vim, '-N', '-u', 'NONE', '-es', '--cmd', 'set rtp^=' + home, '-S', script], timeout=60)
    said = open(folder + '/said').read().split() if os.path.exists(folder + '/said') else []
    expect('vim knows .mcu', said == ['mcu', 'mcuStorage', 'mcuFunction'], said)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--mesicc', required=True)
    parser.add_argument('--jobs', type=int, default=os.cpu_count())
    parser.add_argument('--samples', type=int, default=1000, help='look at so many only')
    options = parser.parse_args()
    mesicc = os.path.abspath(options.mesicc)
    with tempfile.TemporaryDirectory() as folder:
        for number, check in enumerate((check_setup, check_fragment)):
            own = os.path.join(os.path.realpath(folder), str(number))
            os.mkdir(own)
            check(mesicc, own)
        os.chdir(ROOT)
        check_words(folder)
        check_vim(folder)
        check_samples(mesicc, folder, options.jobs, options.samples)
    print('%d passed, %d failed' % (passed, failed))
    return 1 if failed else 0


sys.exit(main())
