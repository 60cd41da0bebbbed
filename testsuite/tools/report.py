#!/usr/bin/env python3
"""What --explain says of a launch is what is emitted: each launch of a program, at several levels,
as the report has it (its kernel as written or another, in parts, put together with others) and as
the emitted text has it.

usage: report.py --mesicc PATH [--every N] [--level O2]... [--arch sm_90] [FILE...]      Last line:
       N passed, N failed."""
import argparse, collections, concurrent.futures, glob, json, os, re, subprocess, tempfile

from harness import ROOT
from kept import wall
from programs import of_today

LINE = re.compile(r'^\s*#\s*line (\d+)(?: "((?:[^"\\]|\\.)*)")?')


def translate(options, path, level, *more):
    argv = [options.mesicc, '--cuda-path=', '-' + level, '-arch=' + options.arch, '-o', '-']
    with open(path, errors='replace') as file:
        found = re.search(r'args: (.*)', file.readline())
    given = (
        [a for a in found.group(1).replace('*/', '').split() if not a.startswith('-O')]
        if found
        else []
    )
    done = subprocess.run(
        argv + list(more) + given + ['-I' + os.path.dirname(path), path],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        timeout=wall(120),
    )
    return done.stdout.decode(errors='replace') if not done.returncode else None


def lines_of_source(text, path):
    """(file, line) of the source -> what is emitted there."""
    found, file, number = collections.defaultdict(str), path, 1
    for line in text.split('\n'):
        directive = LINE.match(line)
        if directive:
            number, file = int(directive.group(1)), directive.group(2) or file
            continue
        found[os.path.realpath(file), number] += line
        number += 1
    return found


def new_kernels(text, written):
    """Names that are called or launched in one text and are not in the other: those of kernels that
    were made."""
    words = set(re.findall(r'\b(\w+)\s*(?:<[^<>;(){}]*>\s*)?\(', text))
    return {w for w in words - set(re.findall(r'\w+', written)) if not re.match(r'_|mesi_', w)}


def statement_before(text, at):
    """Where the statement begins that reaches up to a place; what stands in braces within it, as a
    list of versions does, belongs to it."""
    depth = 0
    while at:
        letter = text[at - 1]
        if not depth and letter in ';{}':
            return at
        depth += (letter in ')]}') - (depth > 0 and letter in '([{')
        at -= 1
    return 0


def launched_names(line):
    """Words of the launches in what is emitted at a line of the source, where text of a kernel that
    was made can stand too."""
    plain = re.sub(r'"(?:[^"\\]|\\.)*"', '', line)
    begun = [launch.start() for launch in re.finditer('<<<', plain)]
    parts = [plain[statement_before(plain, at) : at] for at in begun]
    parts += re.findall(
        r'(?:mesi_cpu::launch|mesi_stepped|mesi_parted|mesi_batched)\w*\([^;]*', plain
    )
    return set(re.findall(r'\w+', ' '.join(parts)))


def wrong_launches(options, path, level, written):
    """How many launches there are, and what is wrong. `written` is what is emitted of the program
    as it is written."""
    with tempfile.NamedTemporaryFile() as file:
        text = translate(options, path, level, '--explain=json', '--explain-file=' + file.name)
        report = open(file.name, errors='replace').read()
    if text is None or written is None:
        return 0, []
    added = new_kernels(text, written)
    emitted, launches = lines_of_source(text, path), {}
    for kernel in json.loads(report)['kernels']:
        for launch in kernel['launches']:
            place = os.path.realpath(launch['place']['file']), launch['place']['line']
            launches.setdefault(place, []).append(launch)
        if kernel['changed'] != any(launch['changed'] for launch in kernel['launches']):
            return 1, ['%s -%s: kernel %s' % (path, level, kernel['name'])]
    wrong = []
    for place, found in launches.items():
        line = emitted.get(place, '')
        names = launched_names(line)
        aside = {name for name in names if re.search(r'_(part|steps|in_steps)(_\d+)?$', name)}
        seen = {
            'changed': bool(names & added - aside),
            'parted': bool(re.search(r'mesi_launch_(in_parts|on_devices)\(', line)),
            'spread': bool(re.search(r'mesi_launch_on_(devices|several)\(', line)),
            'stepped': 'mesi_stepped(' in line,
        }
        for key, holds in seen.items():
            if holds != any(launch[key] for launch in found):
                wrong.append(
                    '%s:%d -%s: the report says %s%s, the text %s'
                    % (
                        os.path.relpath(place[0], ROOT),
                        place[1],
                        level,
                        '' if not holds else 'not ',
                        key,
                        line.strip()[:200],
                    )
                )
    return len(launches), wrong


def wrong_in_program(options, path):
    """(launches, what is wrong) at each level."""
    written = translate(options, path, 'O0')
    return [wrong_launches(options, path, level, written) for level in options.level]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--mesicc', required=True)
    parser.add_argument('--every', type=int, default=1, help='one file of so many, each day others')
    parser.add_argument('--level', action='append')
    parser.add_argument('--arch', default='sm_90')
    parser.add_argument('--jobs', type=int, default=os.cpu_count())
    parser.add_argument('files', nargs='*')
    options = parser.parse_args()
    options.mesicc = os.path.abspath(options.mesicc)
    files = options.files or sorted(
        glob.glob(os.path.join(ROOT, 'testsuite', 'conformance', '*.*cu'))
    )
    options.level = options.level or ['O1', 'O2', 'O3']
    results = []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for found in pool.map(
            lambda f: wrong_in_program(options, f), of_today(files, options.every)
        ):
            results += found
            for text in [text for _, wrong in found for text in wrong]:
                print(text, flush=True)
    failed = sum(bool(wrong) for _, wrong in results)
    print('%d launches in %d translations' % (sum(n for n, _ in results), len(results)))
    print('%d passed, %d failed' % (len(results) - failed, failed))
    return failed > 0


if __name__ == '__main__':
    raise SystemExit(main())
# SPDX-License-Identifier: MIT
