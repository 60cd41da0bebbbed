#!/usr/bin/env python3
"""Writes a folder that runs conformance programs under compute-sanitizer on a machine with nvcc and
a GPU.

usage: sanitizer_bundle.py [--mesicc PATH] [--jobs N] [--levels 2,3] [--arch sm_90] DIR [FILE...]
FILE: all of testsuite/conformance and testsuite/cuda where none is given; `// args:` of a program
count. A level whose text is that of an earlier one (but for comments) is not there again. Then, on
the other machine, in DIR: python3 run.py (see there), again until it says that nothing is left.
"""
import argparse, concurrent.futures, glob, os, re, shutil, sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, 'testsuite', 'tools'))
import programs


def code_of(text):
    return re.sub(r'(?m)^\s*//.*\n', '', text)


def write(task):
    """Lines for the folder's list: name, options for nvcc; or what went wrong."""
    o, path = task
    args, name, lines, seen, problems = (
        programs.Runner.args_of(None, path),
        os.path.splitext(os.path.basename(path))[0],
        [],
        [],
        [],
    )
    args = [a for a in args if not re.match(r'-O\d|-arch', a)]  # the bundle's own
    nvcc = [a for a in args if a.startswith(('-D', '-U', '-std='))] + [
        '-Xcompiler=' + a for a in args if a == '-fopenmp'
    ]
    with open(path, errors='replace') as file:
        nvcc += ['--extended-lambda'] if 'nvcc: --extended-lambda' in file.readline() else []
    for level in o.levels.split(','):
        output = '%s/src/%s_O%s.cu' % (o.directory, name, level)
        argv = (
            [o.mesicc, '-O' + level, '-arch=' + o.arch, '-I', os.path.dirname(path)]
            + args
            + ['-o', output, path]
        )
        status, text = programs.run(argv, timeout=600, env=dict(os.environ, MESI_TIME_LIMIT='300'))
        if status:
            problems.append(
                '%s -O%s: translation ends with %d: %s' % (name, level, status, text[:200])
            )
            continue
        code = code_of(open(output, errors='replace').read())
        if code in seen:
            os.unlink(output)
        else:
            lines.append(' '.join(['%s_O%s' % (name, level)] + nvcc))
        seen.append(code)
    return lines, problems


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--mesicc', default=os.path.join(ROOT, 'build/translator/driver/mesicc'))
    parser.add_argument('--jobs', type=int, default=os.cpu_count())
    parser.add_argument('--levels', default='2,3')
    parser.add_argument('--arch', default='sm_90')
    parser.add_argument('directory')
    parser.add_argument('files', nargs='*')
    o = parser.parse_args()
    files = o.files or sorted(
        glob.glob(ROOT + '/testsuite/conformance/*.mcu') + glob.glob(ROOT + '/testsuite/cuda/*.cu')
    )
    shutil.rmtree(o.directory, ignore_errors=True)
    os.makedirs(o.directory + '/src')
    shutil.copytree(
        ROOT + '/runtime',
        o.directory + '/runtime',
        ignore=lambda at, names: [n for n in names if n == 'cpu' or n.endswith('_cpu.c')],
    )
    for folder in (
        'conformance',
        'cuda',
    ):  # headers beside the programs, as their emitted text names them
        for header in glob.glob('%s/testsuite/%s/**/*.*h*' % (ROOT, folder), recursive=True):
            to = os.path.join(
                o.directory,
                'include',
                folder,
                os.path.relpath(header, '%s/testsuite/%s' % (ROOT, folder)),
            )
            os.makedirs(os.path.dirname(to), exist_ok=True)
            shutil.copy(header, to)
    with concurrent.futures.ThreadPoolExecutor(o.jobs) as pool:
        results = list(pool.map(write, [(o, os.path.abspath(path)) for path in files]))
    with open(o.directory + '/programs', 'w') as out:
        out.write(''.join(line + '\n' for lines, _ in results for line in lines))
    shutil.copy(ROOT + '/testsuite/tools/sanitizer_run.py', o.directory + '/run.py')
    for problem in [p for _, problems in results for p in problems]:
        print(problem)
    size = sum(
        os.path.getsize(os.path.join(at, n)) for at, _, names in os.walk(o.directory) for n in names
    )
    print(
        '%d texts of %d programs, %.1f MiB in %s'
        % (sum(len(lines) for lines, _ in results), len(files), size / 2**20, o.directory)
    )


if __name__ == '__main__':
    main()
# SPDX-License-Identifier: MIT
