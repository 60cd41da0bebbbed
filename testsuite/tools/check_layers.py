#!/usr/bin/env python3
"""Checks that rooms use what testsuite/rooms.txt allows: by their includes, and with --build DIR by
the calls in the object files. Also: no cycle in that table; no files that call each other in a
circle in the rooms that it names for that; nothing of libclang outside the
frontend, no variable of the environment that settings.def does not list; of what git tracks,
nothing that was built, no file over 1 MB, no path of the machine that built it. (Lengths and form:
style.py.)

usage: check_layers.py [--build DIR]
Last line: N passed, N failed."""
import argparse, collections, fnmatch, glob, os, re, subprocess, sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LARGEST = 1 << 20
BUILT = re.compile(rb'\A(?:\x7fELF|!<arch>|CPCH|gpch|BC\xc0\xde)')
PRIVATE = re.compile(rb'(?<![\w.$}])/(?:work|root|home/\w+|builds|tmp/build)/\w')


class Rooms:
    """The table: rooms by name, what each may use, files that every room may include, rooms whose
    files call each other in no circle."""

    def __init__(self, path):
        self.uses, self.everywhere, self.foreign, self.uncircled = {}, [], (), []
        for line in open(path):
            name, colon, words = line.split('#')[0].strip().partition(':')
            if name == 'everywhere':
                self.everywhere = words.split()
            elif name == 'foreign':
                self.foreign = tuple(words.split())
            elif name == 'uncircled':
                self.uncircled = words.split()
            elif colon:
                self.uses[name] = [
                    room
                    for word in words.split()
                    for room in (fnmatch.filter(self.uses, word) or [word])
                ]

    def of(self, path):
        fits = [room for room in self.uses if path == room or path.startswith(room + '/')]
        return max(fits, key=len) if fits else None

    def below(self, room):
        """All that a room may use, rooms and files."""
        found, waiting = set(), list(self.uses.get(room, []))
        while waiting:
            word = waiting.pop()
            if word not in found:
                found.add(word)
                waiting += self.uses.get(word, [])
        return found

    def allows(self, room, path):
        target = self.of(path)
        return (
            target is None
            or target == room
            or target in self.below(room)
            or path in self.below(room)
            or path in self.everywhere
        )

    def cycles(self):
        return [
            '%s may use itself by way of others' % room
            for room in self.uses
            if room in self.below(room)
        ]


def included(path, name):
    """The file that is meant: from the root, or beside the one that includes it."""
    beside = os.path.normpath(os.path.join(os.path.dirname(path), name))
    return name if os.path.exists(os.path.join(ROOT, name)) else beside


SETTINGS = set(
    re.findall(r'SETTING\((\w+)', open(os.path.join(ROOT, 'runtime', 'settings.def')).read())
)


def unlisted(path, number, line):
    """Variables of ours that a line asks for, and that mesicc and the runtime would refuse."""
    names = re.findall(r'\bgetenv\("(MESI_\w+)"\)', line)
    return [
        '%s:%d: %s is not in runtime/settings.def' % (path, number, name)
        for name in names
        if name not in SETTINGS
    ]


def faults_of_source(rooms, path):
    lines = open(os.path.join(ROOT, path), errors='replace').read().split('\n')
    bad = []
    for number, line in enumerate(lines, 1):
        bad += unlisted(path, number, line)
        found = re.match(r'\s*#\s*include\s*["<]([^">]+)[">]', line)
        if found and not rooms.allows(rooms.of(path), included(path, found.group(1))):
            bad.append(
                '%s:%d: includes %s, which rooms.txt does not allow'
                % (path, number, found.group(1))
            )
        if (
            found
            and found.group(1).startswith('clang-c/')
            and not path.startswith('translator/frontend/')
        ):
            bad.append('%s:%d: libclang stays in the frontend' % (path, number))
    return bad


def symbols_of(paths):
    """Path -> what an object file defines for others, and what it needs."""
    symbols = {path: (set(), set()) for path in paths}
    for line in subprocess.run(
        ['nm', '-A'] + paths, stdout=subprocess.PIPE, text=True
    ).stdout.splitlines():
        path, _, rest = line.rpartition(':')
        words = rest.split()
        if len(words) == 2 and words[0] == 'U':
            symbols[path][1].add(words[1])
        elif len(words) == 3 and words[1] in 'TDBRVWC':
            symbols[path][0].add(words[2])
    return symbols


def source_of(build, path):
    """The source of an object file: DIR/libNAME.a.p/FOLDER_FILE.c.o stands for some
    DIR/FOLDER/FILE.c."""
    folder, name = (
        os.path.relpath(os.path.dirname(os.path.dirname(path)), build),
        os.path.basename(path)[:-2],
    )
    fits = [
        f
        for f in SOURCES
        if f.startswith(folder + '/') and f[len(folder) + 1 :].replace('/', '_') == name
    ]
    return fits[0] if fits else None


def in_circles(calls):
    """Files of which each calls, over others perhaps, itself. calls: file -> files."""
    calls = dict(calls)
    while True:  # those that call nobody who is left are in no circle
        ends = [path for path in calls if not any(other in calls for other in calls[path])]
        if not ends:
            break
        for path in ends:
            del calls[path]
    reached = set(calls)
    while True:  # nor are those that nobody who is left calls
        called = {other for path in reached for other in calls[path]}
        if reached <= called:
            return sorted(reached)
        reached &= called


def faults_of_circles(rooms, objects, home):
    calls = {
        source: {target for name in needed for target in home.get(name, ())} - {source}
        for source, needed in objects.items()
        if rooms.of(source) in rooms.uncircled
    }
    found = in_circles(calls)
    return ['these call each other in a circle: %s' % ', '.join(found)] if found else []


def faults_of_calls(rooms, build):
    """(objects, [fault]): calls that go to rooms which the table does not allow."""
    objects, home = {}, collections.defaultdict(set)
    sources = {
        path: source_of(build, path)
        for path in glob.glob(os.path.join(build, '**', 'lib*.a.p', '*.o'), recursive=True)
    }
    for path, (defined, needed) in symbols_of(
        [path for path in sources if sources[path] and rooms.of(sources[path])]
    ).items():
        objects[sources[path]] = needed
        for name in defined:
            home[name].add(sources[path])
    bad = []
    for source, needed in sorted(objects.items()):
        for name in sorted(needed):
            targets = home.get(name, ())
            if (
                targets
                and not name.startswith(rooms.foreign)
                and not any(rooms.allows(rooms.of(source), target) for target in targets)
            ):
                bad.append(
                    '%s calls %s of %s, which rooms.txt does not allow'
                    % (source, name, ', '.join(sorted(targets)))
                )
    return len(objects), bad + faults_of_circles(rooms, objects, home)


def tracked():
    listed = subprocess.run(['git', 'ls-files', '-z'], cwd=ROOT, stdout=subprocess.PIPE)
    return [
        name
        for name in listed.stdout.decode().split('\0')
        if name and os.path.exists(os.path.join(ROOT, name))
    ]


def faults_of_file(name):
    with open(os.path.join(ROOT, name), 'rb') as file:
        data = file.read()
    if len(data) > LARGEST:
        return ['%s has %d bytes' % (name, len(data))]
    if BUILT.match(data):
        return ['%s was built, and is tracked' % name]
    found = PRIVATE.search(data)
    return ['%s has a path of one machine: %s' % (name, found.group().decode())] if found else []


FILES = tracked()
SOURCES = [
    name
    for name in FILES
    if name.endswith(('.c', '.h', '.def'))
    and name.split('/')[0] in ('translator', 'analysis', 'codegen', 'runtime', 'prove')
]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--build')
    options = parser.parse_args()
    rooms = Rooms(os.path.join(ROOT, 'testsuite', 'rooms.txt'))
    results = (
        [faults_of_source(rooms, path) for path in SOURCES]
        + [faults_of_file(name) for name in FILES]
        + [rooms.cycles()]
    )
    passed, problems = sum(not bad for bad in results), [
        problem for bad in results for problem in bad
    ]
    if options.build:
        objects, bad = faults_of_calls(rooms, os.path.abspath(options.build))
        passed += objects
        problems += bad if objects else ['there are no object files in %s' % options.build]
    for problem in problems:
        print(problem)
    print('%d passed, %d failed' % (passed, len(problems)))
    return 1 if problems else 0


sys.exit(main())
# SPDX-License-Identifier: MIT
