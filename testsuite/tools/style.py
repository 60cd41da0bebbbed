#!/usr/bin/env python3
"""Checks the form of what people read here: lines of at most 100 columns, files of at most 600
lines, functions of at most 60, no tab, no blank at the end of a line; and where a clang-format of
version 14 is installed, that the C is as .clang-format has it.

Of C a function is what stands between a { and a } in column 0. Inputs of tests are left alone.

usage: style.py [FILE...]
Last line: N passed, N failed."""
import argparse, os, re, shutil, subprocess, sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
COLUMNS = 100
LONGEST = 600
FUNCTION = 60

CODE = ('.c', '.h', '.cpp', '.cuh', '.def', '.py')
OTHER = ('.md', 'meson.build')
INPUTS = tuple(
    'testsuite/%s/' % name
    for name in (
        'golden',
        'conformance',
        'check',
        'cuda',
        'prove/pairs',
        'mpf',
        'hostile/inputs',
        'messages',
    )
)
FORMATTED = 14  # versions of clang-format differ in what they make of the same file

# Flat switches: a line or two for each case, and nothing around them.
FLAT = {
    ('translator/driver/options.c', 'apply'): 'a case for each option of options.def',
    ('translator/ir/ir_print.c', 'print_stmt'): 'a case for each kind of statement',
    ('runtime/cpu/api_device.c', 'attribute_value'): 'a case for each attribute of a device',
}


def ours():
    listed = subprocess.run(['git', 'ls-files', '-z'], cwd=ROOT, stdout=subprocess.PIPE)
    return [
        name
        for name in listed.stdout.decode().split('\0')
        if name.endswith(CODE + OTHER)
        and not name.startswith(INPUTS)
        and os.path.exists(os.path.join(ROOT, name))
    ]


def read(path):
    with open(os.path.join(ROOT, path), encoding='utf-8', errors='replace') as file:
        return file.read().splitlines()


def wide_in_document(lines):
    """Numbers of the lines that have no place for a line's end: a table's row, an example."""
    fenced, found = False, set()
    for number, line in enumerate(lines, 1):
        fence = line.lstrip().startswith('```')
        fenced ^= fence
        if fence or fenced or line.startswith(('    ', '|')) or 'https://' in line:
            found.add(number)
    return found


def faults_of_lines(path, lines):
    bad = []
    wide = wide_in_document(lines) if path.endswith('.md') else ()
    for number, line in enumerate(lines, 1):
        if len(line) > COLUMNS and number not in wide:
            bad.append('%s:%d: %d columns' % (path, number, len(line)))
        if '\t' in line and not path.endswith('.md'):
            bad.append('%s:%d: a tab' % (path, number))
        if line != line.rstrip():
            bad.append('%s:%d: blanks at the end' % (path, number))
    return bad


def functions_of_c(lines):
    """(name, first line, number of lines) of each function; its head is above the {."""
    opened = None
    for number, line in enumerate(lines):
        if line == '{':
            opened = number
        elif line.startswith('}') and opened is not None:
            head, at = '', opened - 1
            while at >= 0 and lines[at] and not lines[at].startswith(('}', '#', ' *')):
                head, at = lines[at] + ' ' + head, at - 1
            name = re.search(r'(\w+)\s*\(', head)
            yield (name.group(1) if name else '?'), opened + 1, number - opened + 1
            opened = None


def faults_of_length(path, lines):
    bad = ['%s has %d lines' % (path, len(lines))] if len(lines) > LONGEST else []
    for name, number, count in functions_of_c(lines):
        if count > FUNCTION and (path, name) not in FLAT:
            bad.append('%s:%d: %s has %d lines' % (path, number, name, count))
    return bad


def faults_of_file(path):
    lines = read(path)
    return faults_of_lines(path, lines) + (
        faults_of_length(path, lines) if path.endswith(CODE) else []
    )


def formatter():
    """The clang-format that is to be asked; None: there is none of that version."""
    for name in ('clang-format-%d' % FORMATTED, 'clang-format'):
        if shutil.which(name):
            said = subprocess.run([name, '--version'], stdout=subprocess.PIPE, text=True).stdout
            if re.search(r'\bversion %d\.' % FORMATTED, said):
                return name
    return None


def is_c(path):
    """C, and not a header of C++ or of CUDA, which clang-format was never run on."""
    if path.startswith('runtime/cpu/include/'):
        return False
    text = open(os.path.join(ROOT, path), errors='replace').read()
    return path.endswith('.c') or (
        path.endswith('.h')
        and not re.search(r'^(template|namespace|using)\b|\b__device__\b|__global__', text, re.M)
    )


def faults_of_format(paths):
    command = formatter()
    if not command:
        print('no clang-format of version %d: the format is not checked' % FORMATTED)
        return []
    done = subprocess.run(
        [command, '--dry-run', '-Werror'] + paths, cwd=ROOT, stderr=subprocess.PIPE, text=True
    )
    places = re.findall(r'^(\S+):(\d+):\d+: error', done.stderr, re.M)
    return ['%s:%s: not as clang-format has it' % place for place in places]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('files', nargs='*')
    paths = parser.parse_args().files or ours()
    results = [faults_of_file(path) for path in paths]
    formatted = [path for path in paths if path.endswith(('.c', '.h')) and is_c(path)]
    problems = [fault for bad in results for fault in bad] + faults_of_format(formatted)
    for problem in problems:
        print(problem)
    print('%d passed, %d failed' % (sum(not bad for bad in results), len(problems)))
    return 1 if problems else 0


if __name__ == '__main__':
    sys.exit(main())
# SPDX-License-Identifier: MIT
