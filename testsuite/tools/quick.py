#!/usr/bin/env python3
"""Runs those programs whose emitted text has changed since they last passed: the short test after a
small change.

usage: quick.py --mesicc PATH --build DIR [--until SECONDS] [--jobs N] [--nvcc auto|off|PATH] [-v]
       [FILE...]
FILE: conformance programs, plain CUDA programs and benchmarks where none is given. BUILD/quick.json
has for each program and way (-O3 for a GPU, -O2, -O1 and -O0 for the CPU) a hash of the text that
passed last, and hashes of the runtime's headers and libraries. Each program is translated at -O3
for a GPU, which most changes show in, and in its other ways where that text has changed; then the
others are translated at their lower levels, beginning with those that earlier runs left out. A
program with a changed text is run as programs.py runs it: at these levels and at -O0, against which
its results are compared. A changed runtime changes all programs at -O1. --until is a point of time
(seconds since 1970) after which nothing begins: what is left out for it is said, and keeps its old
hash. A first run has no record, makes one from translations alone, says so, and takes as long as
they take.
Last line: "N passed, N failed".
"""
import argparse, concurrent.futures, glob, hashlib, json, os, shutil, sys, tempfile, time

import programs

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PATTERNS = ('testsuite/conformance/*.mcu', 'testsuite/cuda/*.cu', 'testsuite/bench/*/*.mcu')
FIRST, REST = '3', ('2', '1', '0')  # -O3 is for a GPU, as programs.py has it
FORMAT = 1


def hash_of_files(folder, endings):
    digest = hashlib.sha256()
    for path in sorted(glob.glob(os.path.join(folder, '**', '*'), recursive=True)):
        if path.endswith(endings) and os.path.isfile(path):
            digest.update(os.path.relpath(path, folder).encode() + b'\0')
            with open(path, 'rb') as file:
                digest.update(file.read())
    return digest.hexdigest()


class Record:
    """Which texts have passed; in the build folder."""

    def __init__(self, path):
        self.path, self.is_new = path, True
        self.texts, self.looked_at, self.runtimes = {}, {}, {}
        if os.path.exists(path):
            data = json.load(open(path))
            if data.get('format') == FORMAT:
                self.texts, self.looked_at, self.runtimes, self.is_new = (
                    data['texts'],
                    data['looked_at'],
                    data['runtimes'],
                    False,
                )

    def write(self):
        with open(self.path + '.new', 'w') as file:
            json.dump(
                {
                    'format': FORMAT,
                    'texts': self.texts,
                    'looked_at': self.looked_at,
                    'runtimes': self.runtimes,
                },
                file,
                indent=0,
            )
        os.replace(self.path + '.new', self.path)


class Quick:
    def __init__(self, options, runner):
        self.o, self.runner = options, runner
        self.record = Record(os.path.join(options.build, 'quick.json'))
        self.runtime = hash_of_files(runner.runtime, ('.h', '.def')) + hash_of_files(
            runner.libraries, ('.o',)
        )
        self.found = {}  # (path, level) -> hash of what is emitted now
        self.forced = set()  # (path, level) that count as changed

    def in_time(self):
        return self.record.is_new or time.time() < self.o.until

    def key(self, path, level):
        return '%s -O%s' % (os.path.relpath(path, ROOT), level)

    def text(self, path, level):
        """A hash of what is emitted, or of how the translation fails; None: there was no time."""
        if not self.in_time():
            return None
        args = self.runner.args_of(path) + (['-arch=sm_90'] if level == FIRST else [])
        with tempfile.TemporaryDirectory(prefix='mesi-quick-') as folder:
            status, _ = self.runner.translate(
                path, args, 'cuda' if level == FIRST else 'cpu', level, folder + '/text'
            )
            emitted = b'' if status else open(folder + '/text', 'rb').read()
        self.found[path, level] = hashlib.sha256(b'%d\0' % status + emitted).hexdigest()
        return self.found[path, level]

    def is_changed(self, path, level):
        text = self.found.get((path, level))
        return text is not None and (
            text != self.record.texts.get(self.key(path, level)) or (path, level) in self.forced
        )

    def translate(self, pool, tasks):
        list(pool.map(lambda task: self.text(*task), tasks))

    def run(self, path):
        """What is wrong with the program at the levels where its text has changed; None: nothing.
        False: there was no time."""
        if not self.in_time():
            return False
        levels = [level for level in REST[::-1] if self.is_changed(path, level)]
        levels = ['0'] + [level for level in levels if level != '0'] if levels else []
        args, work, reference = (
            self.runner.args_of(path),
            tempfile.mkdtemp(prefix='mesi-quick-'),
            None,
        )
        try:
            for level in levels:
                problem, reference = self.runner.one_level(path, args, level, work, reference)
                if problem:
                    return problem
            if not self.is_changed(path, FIRST):
                return None
            source = work + '/device3.cu'
            return self.runner.emitted_code(path, args, source) or self.runner.nvcc_compile(
                path, args, source, 'sm_90'
            )
        finally:
            shutil.rmtree(work, ignore_errors=True)

    def keep(self, path):
        """The texts found of a program are those that passed."""
        for level in (FIRST,) + REST:
            if (path, level) in self.found:
                self.record.texts[self.key(path, level)] = self.found[path, level]
        if self.record.is_new or (path, '1') in self.forced:
            self.record.runtimes[self.key(path, '1')] = self.runtime

    def look(self, pool, files):
        """Translates what there is time for; (programs to run, programs not looked at
        everywhere)."""
        self.translate(pool, [(path, FIRST) for path in files])
        changed = [path for path in files if self.is_changed(path, FIRST)]
        self.translate(pool, [(path, level) for path in changed for level in REST])
        return changed

    def look_further(self, pool, files):
        """The lower levels of other programs, those first that were looked at the longest time
        ago."""
        waiting = sorted(files, key=lambda path: self.record.looked_at.get(self.key(path, ''), 0))
        self.translate(pool, [(path, level) for path in waiting for level in REST])
        return [path for path in waiting if any(self.is_changed(path, level) for level in REST)]

    def run_all(self, pool, files):
        """(passed, failed, left out); what passes is recorded."""
        counts = [0, 0, 0]
        for path, problem in zip(files, pool.map(self.run, files)):
            counts[2 if problem is False else 1 if problem else 0] += 1
            if problem is None:
                self.keep(path)
            elif problem:
                print('FAILED %s: %s' % (os.path.basename(path), problem), flush=True)
            if self.o.v:
                print(
                    '%s %s'
                    % (
                        {None: 'ok', False: 'left out'}.get(problem, 'FAILED'),
                        os.path.basename(path),
                    ),
                    flush=True,
                )
        return counts

    def note_unchanged(self, files):
        complete = [
            path for path in files if all((path, level) in self.found for level in (FIRST,) + REST)
        ]
        now = time.time()
        for path in complete:
            self.record.looked_at[self.key(path, '')] = now
        return complete

    def make_record(self, pool, files):
        self.translate(pool, [(path, level) for path in files for level in (FIRST,) + REST])
        for path in files:
            self.keep(path)
        self.note_unchanged(files)
        print(
            'there was no record: it was made from %d texts of %d programs, and nothing was run'
            % (len(self.found), len(files))
        )
        return [len(files), 0, 0]

    def changed_runtime(self, pool, files):
        """All programs at -O1 that have not passed with this runtime."""
        waiting = [
            path for path in files if self.record.runtimes.get(self.key(path, '1')) != self.runtime
        ]
        if not waiting:
            return [0, 0, 0]
        self.translate(pool, [(path, '1') for path in waiting if (path, '1') not in self.found])
        self.forced = {(path, '1') for path in waiting if (path, '1') in self.found}
        counts = self.run_all(pool, waiting)
        print(
            'the runtime has changed: of %d programs at -O1, %d were left out for time'
            % (len(waiting), counts[2])
        )
        return counts

    def compare(self, pool, files):
        changed = self.look(pool, files)
        counts = self.run_all(pool, changed)
        further = self.look_further(pool, [path for path in files if path not in changed])
        complete = self.note_unchanged(files)
        counts = [a + b for a, b in zip(counts, self.run_all(pool, further))]
        first = sum((path, FIRST) in self.found for path in files)
        print(
            '%d of %d programs translated at -O3 for a GPU, %d at every level; %d with a changed'
            ' text, of which %d were left out for time'
            % (first, len(files), len(complete), len(changed) + len(further), counts[2])
        )
        counts[0] += sum(
            (path, FIRST) in self.found for path in files if path not in changed + further
        )
        return [a + b for a, b in zip(counts, self.changed_runtime(pool, files))]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--mesicc', required=True)
    parser.add_argument('--build', required=True)
    parser.add_argument('--until', type=float, default=float('inf'))
    parser.add_argument('--jobs', type=int, default=os.cpu_count())
    parser.add_argument('--nvcc', default='auto')
    parser.add_argument('-v', action='store_true')
    parser.add_argument('files', nargs='*')
    options = parser.parse_args()
    files = [os.path.abspath(f) for f in options.files] or sorted(
        f for p in PATTERNS for f in glob.glob(os.path.join(ROOT, p))
    )
    runner = programs.Runner(programs.plain_options(options.mesicc, options.build, options.nvcc))
    folder = tempfile.mkdtemp(prefix='mesi-surface-')
    runner.precompile(folder)
    quick = Quick(options, runner)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        passed, failed, _ = (quick.make_record if quick.record.is_new else quick.compare)(
            pool, files
        )
    quick.record.write()
    shutil.rmtree(folder, ignore_errors=True)
    print('%d passed, %d failed' % (passed, failed))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
# SPDX-License-Identifier: MIT
