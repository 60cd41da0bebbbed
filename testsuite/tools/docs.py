#!/usr/bin/env python3
"""Runs what the documents show: the commands of README.md and docs, from a copy of the text, with
mesicc installed in a folder of its own; then docs_form.py tests links, lengths and names, and
docs_claims.py numbers.

The convention, which readers see too:

    ```cuda blur.mcu          the block is the file blur.mcu for the commands of the page
    ```sh                     lines that begin with `$ ` are commands; what they print follows
    $ mesicc run blur.mcu     # status 4        (0 where nothing is said)
    ...                       a line: any number of lines; within a line: any text
    ```sh gpu                 gpu, nvcc, install, slow: not run here; their options and files are
                              tested

A page begins with the files of README.md and a link `samples`; a command without output may print
what it likes.

usage: docs.py --mesicc FILE [--build DIR] [--slow] [--update] [PAGE...]
--slow runs blocks that say so; --update writes what commands print now where it differs.
Last line: N passed, N failed."""
import argparse, concurrent.futures, difflib, os, re, shutil, subprocess, sys, tempfile, time

import docs_claims, docs_commands, docs_form
from harness import ROOT, finish, report, run

FENCE = re.compile(r'^```(\S*) ?(.*)$')
STATUS = re.compile(r'\s+#(?: status (\d+))?.*$')
NOT_RUN = {'gpu', 'nvcc', 'install', 'slow'}


class Block:
    """What stands between two fences: its language and words, and the number of its first line."""

    def __init__(self, language, words, first):
        self.language, self.words, self.first = language, words.split(), first
        self.lines = []


class Command:
    """A command, the status it ends with, and the lines [begin, end) of the page that it prints."""

    def __init__(self, text, first):
        found = STATUS.search(text)
        self.status = int(found.group(1) or 0) if found else 0
        self.text = text[: found.start()] if found else text
        self.begin = self.end = first


def blocks_of(text):
    block, found = None, []
    for number, line in enumerate(text.split('\n')):
        fence = FENCE.match(line)
        if fence and block is None:
            block = Block(fence.group(1), fence.group(2), number + 1)
        elif fence:
            found.append(block)
            block = None
        elif block is not None:
            block.lines.append(line)
    return found


def commands_of(block):
    found = []
    for number, line in enumerate(block.lines, block.first):
        if line.startswith('$ '):
            found.append(Command(line[2:], number + 1))
        elif found:
            found[-1].end = number + 1
    return found


def pattern_of(lines):
    """The expression that an output has to match as a whole."""
    out = ''
    for line in lines:
        if line == '...':
            out += r'(?:.*\n)*?'
        else:
            out += '.*'.join(re.escape(part) for part in line.split('...')) + '\n'
    return re.compile(out)


def install(build, folder):
    """Installs the build there; where pkg-config and CMake look, as environment variables."""
    done = run(['meson', 'install', '-C', build, '--no-rebuild', '--destdir', folder])
    report('meson install', None if done[0] == 0 else done[1] + done[2])
    for top, _, names in os.walk(folder):
        for name in names:
            if name.endswith('.pc'):
                prefix = top[: top.index('/lib', len(folder))]
                path = os.path.join(top, name)
                text = re.sub(r'^prefix=.*', 'prefix=' + prefix, open(path).read(), flags=re.M)
                open(path, 'w').write(text)
                libraries = top
    return {
        'PATH': prefix + '/bin:' + os.environ['PATH'],
        'PKG_CONFIG_PATH': libraries,
        'CMAKE_PREFIX_PATH': prefix,
        'LC_ALL': 'C.UTF-8',
    }


def shown(expected, output):
    return '\n'.join(difflib.unified_diff(expected, output.split('\n'), 'page', 'now', lineterm=''))


def problem_of(command, lines, folder, environment):
    """What is wrong with a command, and what it prints now; (None, ...): nothing."""
    expected = lines[command.begin : command.end]
    done = subprocess.run(
        ['bash', '-c', command.text],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=300,
        env=dict(os.environ, **environment),
    )
    output = done.stdout.decode(errors='replace')
    if done.returncode != command.status:
        told = 'ends with %d instead of %d:\n%s' % (done.returncode, command.status, output[-1500:])
        return told, output
    if expected and not pattern_of(expected).fullmatch(output):
        return 'prints something else:\n' + shown(expected, output)[:3000], output
    return None, output


def write_files(blocks, folder):
    for block in blocks:
        if block.language != 'sh' and block.words:
            text = '\n'.join(block.lines) + '\n'
            open(os.path.join(folder, block.words[0]), 'w').write(text)


def test_page(page, options, environment, readme):
    """Runs the commands of a page: a line of text for each problem, None for each that is right."""
    text = open(os.path.join(ROOT, page)).read()
    lines, changes, told = text.split('\n'), [], []
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(os.path.join(ROOT, 'samples'), os.path.join(folder, 'samples'))
        write_files(readme, folder)
        for block in blocks_of(text):
            write_files([block], folder)
            for command in commands_of(block) if block.language == 'sh' else []:
                place = '%s:%d: %s' % (page, command.begin, command.text)
                if NOT_RUN & set(block.words) and not (options.slow and 'slow' in block.words):
                    told.append((place, docs_commands.fault(command.text, environment)))
                    continue
                problem, output = problem_of(command, lines, folder, environment)
                told.append((place, problem))
                if problem and command.end > command.begin:
                    changes.append((command, output.rstrip('\n').split('\n')))
    for command, output in reversed(changes if options.update else []):
        lines[command.begin : command.end] = output
        open(os.path.join(ROOT, page), 'w').write('\n'.join(lines))
    return told


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--mesicc', help='for ./check: the build is what counts')
    parser.add_argument('--build', default='build')
    parser.add_argument('--jobs', type=int, default=2)
    parser.add_argument('--slow', action='store_true')
    parser.add_argument('--update', action='store_true')
    parser.add_argument('pages', nargs='*')
    options = parser.parse_args()
    pages = options.pages or docs_form.pages_with_commands()
    readme = blocks_of(open(os.path.join(ROOT, 'README.md')).read())
    began = time.time()
    with tempfile.TemporaryDirectory() as top:
        environment = install(os.path.abspath(options.build), top)
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for told in pool.map(lambda p: test_page(p, options, environment, readme), pages):
                for place, problem in told:
                    report(place, problem)
        if not options.pages:
            docs_form.test(environment)
            docs_claims.test()
    print('commands of %d pages: %.0f s' % (len(pages), time.time() - began))
    finish()


main()
# SPDX-License-Identifier: MIT
