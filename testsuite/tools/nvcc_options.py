#!/usr/bin/env python3
"""Writes docs/nvcc-options.md from translator/driver/nvcc.def; with --check says whether it is up
to date, whether the table has what the nvcc that is there lists in its help, and with --mesicc
runs mesicc with every spelling of every option: long, short, behind a space and '=', joined, in
lists. What is forwarded nvcc itself has to take. Last line: N passed, N failed."""
import argparse, os, re, shutil, subprocess, tempfile
from concurrent.futures import ThreadPoolExecutor

from harness import ROOT, expect, finish, report, run

SOURCE = os.path.join(ROOT, 'translator', 'driver', 'nvcc.def')
PAGE = os.path.join(ROOT, 'docs', 'nvcc-options.md')
FATES = {
    'TAKEN': 'taken',
    'FORWARDED': 'forwarded',
    'NOTHING': 'taken, without effect',
    'REFUSED': 'refused',
    'HOST': 'to the host compiler',
}
# A value of each kind of argument, for the runs.
VALUES = {
    '--std': 'c++17',
    '--x': 'cu',
    '--machine': '64',
    '--optimize': '2',
    '--gpu-architecture': 'sm_90',
    '--gpu-code': 'sm_90',
    '--generate-code': 'arch=compute_90,code=[sm_90,compute_90]',
    '--default-stream': 'legacy',
    '--Werror': 'reorder',
    '--output-file': 'out.cu',
    '--output-directory': '.',
    '--pre-include': 'empty.h',
    '--dependency-output': 'out.d',
    '--options-file': 'empty.h',
    '--compiler-bindir': 'g++',
    '--Ofast-compile': 'mid',
    '--dopt': 'on',
    '--optimization-info': 'inline',
    '--threads': '2',
    '--target-directory': 'x86_64-linux',
    '--libdevice-directory': '/usr/local/cuda/nvvm/libdevice',
}
LISTS = {
    '--define-macro': ('A=1,B=2', '#if A + B != 3\n#error\n#endif\n'),
    '--undefine-macro': ('A,B', '#if defined A || defined B\n#error\n#endif\n'),
    '--include-path': ('one,two', '#include "one.h"\n#include "two.h"\n'),
    '--system-include': ('one,two', '#include <one.h>\n#include <two.h>\n'),
    '--pre-include': ('one/one.h,two/two.h', '#if ONE + TWO != 2\n#error\n#endif\n'),
    '--library': ('m,dl', ''),
    '--library-path': ('one,two', ''),
}


def table():
    """(fate, id, long, short, form, argument, text) of each row."""
    words = r'"((?:[^"\\]|\\.)*)"'
    rows = []
    text = re.sub(r'(?<!\\)"\s+"', '', open(SOURCE).read())
    for line in re.sub(r',\s+', ', ', text).split('\n'):
        kind = re.match(r'(TAKEN|FORWARDED|NOTHING|REFUSED|HOST)\(', line)
        if not kind:
            continue
        quoted = [w.replace('\\"', '"') for w in re.findall(words, line)]
        form = re.search(r', (FLAG|VALUE|WORD|LIST|SWITCH|PHASE|PREFIX), ', line).group(1)
        if kind.group(1) == 'HOST':
            quoted.insert(0, quoted[0])
        name = re.match(r'TAKEN\((\w+),', line)
        rows.append(
            (kind.group(1), name.group(1) if name else None, *quoted[:2], form, *quoted[2:])
        )
    return rows


def page(rows):
    out = [
        '# Options of nvcc',
        '',
        'Made by `testsuite/tools/nvcc_options.py` from `translator/driver/nvcc.def`; do not edit.',
        'These are all options of nvcc 13.0, in the order of its help, and behind them those that',
        'nvcc takes without listing them and those that builds hand to gcc.',
        '',
        'A value stands behind a space or `=`; behind a short name of one letter (but `-o` and',
        '`-x`) also at once. Where nvcc takes a list, commas part it, and `\\,` is a comma.',
        '*Forwarded* options go to nvcc wherever mesicc calls it (`-c`, `--link`, `run`,',
        '`compare`, `tune`) and change nothing in the emitted text.',
        '',
        '| long | short | value | what happens | |',
        '|---|---|---|---|---|',
    ]
    for fate, _, longer, shorter, form, argument, text in rows:
        value = argument.replace('|', '\\|')
        out.append(
            '| `%s`%s | %s | %s | %s | %s |'
            % (
                longer,
                '...' if form == 'PREFIX' else '',
                '' if shorter == longer else '`%s`' % shorter,
                '`%s`' % value if value else '',
                FATES[fate],
                text.replace('|', '\\|'),
            )
        )
    return '\n'.join(out) + '\n'


def listed(nvcc):
    text = run([nvcc, '--help'])[1]
    return re.findall(r'^(--[\w-]+)(?: .*?)? +\(?(--?[\w-]+)\)?\s*$', text, re.M)


def value_of(row):
    fate, _, longer, shorter, form, argument, text = row
    if longer in VALUES:
        return VALUES[longer]
    if form == 'SWITCH' or '|' in argument:
        return argument.split('|')[0]
    return {'N': '3', 'NUMBER[,NUMBER]': '177', 'ARG[,ARG]': '-v', 'ARG': '-v'}.get(
        argument, 'word'
    )


def spellings(row):
    """Words for each way to write an option."""
    fate, _, longer, shorter, form, argument, text = row
    names = [longer] if longer == shorter else [longer, shorter]
    if form == 'PREFIX':
        return [[longer + {'-W': 'all', '-f': 'PIC'}.get(longer, 'native')]]
    if form in ('FLAG', 'PHASE'):
        return [[name] for name in names]
    values = [value_of(row)] + ([LISTS[longer][0]] if form == 'LIST' else [])
    made = []
    for value in values:
        for name in names:
            made += [[name, value], [name + '=' + value]]
            if len(name) == 2 and form != 'WORD':
                made.append([name + value])
    return made


def try_spelling(mesicc, nvcc, row, words):
    """None, or what is wrong."""
    fate, name, longer, shorter, form, argument, text = row
    with tempfile.TemporaryDirectory() as folder:
        source = 'int main() { return 0; }\n'
        if form == 'LIST' and LISTS[longer][0] in ' '.join(words):
            source = LISTS[longer][1] + source
        for path, content in [
            ('in.mcu', source),
            ('in.cu', 'int main() { return 0; }\n'),
            ('empty.h', ''),
            ('word', ''),
        ]:
            open(os.path.join(folder, path), 'w').write(content)
        for part in ['one', 'two']:
            os.mkdir(os.path.join(folder, part))
            open(os.path.join(folder, part, part + '.h'), 'w').write(
                '#define %s 1\n' % part.upper()
            )
        more = ['--forward-unknown-opts'] if fate == 'HOST' else []
        phase = form == 'PHASE' or name == 'LINK'
        argv = [mesicc, '--cuda-path=', '--dump-ir', '-MF', 'rule.d', *words, 'in.mcu']
        if phase or name in ('HELP', 'VERSION'):
            argv = [mesicc, *words, '--help']  # what phases make is tested by cli.py
        done = subprocess.run(argv, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        told = done.stderr.decode()
        if fate == 'REFUSED':
            return None if done.returncode == 1 and text in told else '%s: %s' % (words, told)
        if done.returncode:
            return '%s: %s' % (words, told)
        if not nvcc or fate != 'FORWARDED' or not longer.startswith('--'):
            return None
        needs = {
            '--gen-opt-lto': ['-dlto'],
            '--source-in-ptx': ['-lineinfo'],
            '--ltoir': ['-dlto', '-arch=sm_90'],
        }
        argv = [nvcc, '--dryrun', *needs.get(longer, []), *words, 'in.cu']
        done = subprocess.run(argv, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        told = done.stderr.decode()
        known = 'nvcc fatal' not in told or not re.search(
            r'Unknown option|expected|not defined', told
        )
        return None if known else 'nvcc: %s: %s' % (words, told)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--check', action='store_true')
    parser.add_argument('--mesicc')
    parser.add_argument('--jobs', type=int, default=2)
    options = parser.parse_args()
    rows = table()
    if not options.check and not options.mesicc:
        open(PAGE, 'w').write(page(rows))
    have = open(PAGE).read() if os.path.exists(PAGE) else ''
    expect(
        'docs/nvcc-options.md', have == page(rows), 'is stale: run testsuite/tools/nvcc_options.py'
    )
    nvcc = shutil.which('nvcc') or shutil.which('/usr/local/cuda/bin/nvcc')
    names = {(row[2], row[3]) for row in rows}
    missing = [pair for pair in listed(nvcc) if pair not in names] if nvcc else []
    expect("nvcc's own list", not missing, missing)
    if options.mesicc:
        mesicc = os.path.abspath(options.mesicc)
        jobs = [(row, words) for row in rows for words in spellings(row)]
        with ThreadPoolExecutor(options.jobs) as pool:
            problems = list(pool.map(lambda job: try_spelling(mesicc, nvcc, *job), jobs))
        for (row, words), problem in zip(jobs, problems):
            report(' '.join(words), problem)
    finish()


main()
# SPDX-License-Identifier: MIT
