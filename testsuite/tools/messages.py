# SPDX-License-Identifier: MIT
#!/usr/bin/env python3
"""Compares what mesicc says of typical mistakes (testsuite/messages/NAME.mcu) with what clang says
of the same file with the same arguments: each message, note, range and fix-it of clang's must be
there, at its place. That needs the clang of libclang's version. With libclang 22 the whole text is
compared with NAME.expect, too. Also: colours, JSON, SARIF, -ferror-limit, -W.

usage: messages.py --mesicc PATH [--update] [NAME...]          Last line: N passed, N failed."""
import argparse, json, os, re, shutil, subprocess, sys, tempfile

from harness import on_terminal

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FOLDER = os.path.join(ROOT, 'testsuite', 'messages')
PLACE = r'(?P<file>[^:\n]+):(?P<line>\d+):(?P<column>\d+):(?P<ranges>(?:\{[\d:-]+\})*)'
MESSAGE = re.compile('^' + PLACE + r':? (?P<kind>error|fatal error|warning|note): (?P<text>.*)$')
FIX = re.compile(r'^fix-it:"(?P<file>.*)":\{(?P<range>[\d:-]+)\}:"(?P<text>.*)"$')
INCLUDED = re.compile(r'^(?:In file included| +) ?from (?P<file>[^:\n]+):(?P<line>\d+)[:,]$')


def run(argv, **more):
    return subprocess.run(
        argv,
        cwd=FOLDER,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        **more,
    )


def options_of(name):
    with open(os.path.join(FOLDER, name + '.mcu')) as file:
        found = re.search(r'args: (.*)', file.readline())
    return found.group(1).split() if found else []


def numbers(text):
    return tuple(int(n) for n in re.findall(r'\d+', text))


def shown(path):
    """A path without what differs from machine to machine."""
    path = os.path.normpath(path)
    return os.path.relpath(path, FOLDER) if path.startswith(FOLDER) else os.path.basename(path)


def said_by_clang(text):
    """[kind, file, line, column, text, ranges, fixes] of each message of clang's."""
    out = []
    for line in text.split('\n'):
        message, fix, included = MESSAGE.match(line), FIX.match(line), INCLUDED.match(line)
        if message:
            kind = message['kind'].replace('fatal ', '')
            words = re.sub(r' \[-W[^\]]*\]$', '', message['text'])
            ranges = [numbers(r) for r in re.findall(r'\{([\d:-]+)\}', message['ranges'])]
            place = [shown(message['file']), int(message['line']), int(message['column'])]
            out.append([kind] + place + [words, ranges, []])
        elif fix:
            words = re.sub(r'\\(.)', r'\1', fix['text'])
            out[-1][6].append([list(numbers(fix['range'])), words])
        elif included and not re.match('[/<]', included['file']):
            place = [shown(included['file']), int(included['line']), 0]
            out.append(['included'] + place + ['', [], []])
    return out


def said_by_mesicc(messages):
    """The same of mesicc's JSON, notes behind their message."""
    out = []
    for m in messages:
        points = [p['caret'] for p in m['locations']]
        words = re.sub(r'^found in this header: ', '', m['message'])
        kind = m['kind']
        ranges = [
            (p['start']['line'], p['start']['column'], p['finish']['line'], p['finish']['column'])
            for p in m['locations']
            if 'start' in p
        ]
        fixes = [
            [[f['start']['line'], f['start']['column'], f['next']['line'], f['next']['column']]]
            + [f['string']]
            for f in m['fixits']
        ]
        if points:
            place = [shown(points[0]['file']), points[0]['line'], points[0]['column']]
            out.append([kind] + place + [words, [r[:3] + (r[3] + 1,) for r in ranges], fixes])
        out += said_by_mesicc(m['children'])
    return out


def is_told(wanted, ranges):
    """clang takes a range in a macro's argument for the whole use, and one in a string for a
    character more: less of it is as good."""
    return any(wanted[:2] <= r[:2] and r[2:] <= wanted[2:] for r in map(tuple, ranges))


def is_in(wanted, said):
    kind, file, line, column, text, ranges, fixes = wanted
    for k, f, l, c, t, r, x in said:
        if kind == 'included':
            if f == file and l == line and t.startswith('in file included from'):
                return True
            continue
        # in a header the user's line has the kind
        same = k == kind or (k == 'note' and kind != 'note')
        if not same or (f, l, c, t) != (file, line, column, text):
            continue
        if all(is_told(a, r) for a in ranges) and all(a in x for a in fixes):
            return True
    return False


class Suite:
    def __init__(self, options):
        self.mesicc = os.path.abspath(options.mesicc)
        self.passed = self.failed = 0
        self.recorded = 'version 22' in run([self.mesicc, '--version']).stdout.decode()

    def expect(self, name, fine, found=''):
        self.passed += bool(fine)
        self.failed += not fine
        if not fine:
            print('FAILED %s\n%s' % (name, found))

    def say(self, *words):
        return run([self.mesicc, '--cuda-path=', '-o', '/dev/null', *words])


def clang_command(suite):
    """clang of libclang's version, with mesicc's arguments, or None."""
    version = run([suite.mesicc, '--version']).stdout.decode()
    found = re.search(r'version (\d+)', version)
    clang = shutil.which('clang++-' + found.group(1)) if found else None
    with tempfile.TemporaryDirectory() as folder:
        good = os.path.join(folder, 'good.mcu')
        open(good, 'w').write('int f();\n')
        fragment = os.path.join(folder, 'fragment')
        suite.say('-MJ', fragment, good)
        entry = json.loads(open(fragment).read().rstrip().rstrip(','))
    plain = [
        '-fno-color-diagnostics',
        '-fno-caret-diagnostics',
        '-fdiagnostics-print-source-range-info',
        '-fdiagnostics-parseable-fixits',
        '-fsyntax-only',
    ]
    return clang and [clang] + entry['arguments'][1:-1] + plain


def check_case(suite, command, name, update):
    path = os.path.join(FOLDER, name + '.expect')
    words = options_of(name)
    done = suite.say('-fdiagnostics-format=json', *words, name + '.mcu')
    try:
        said = said_by_mesicc(json.loads(done.stderr.decode()))
    except ValueError:
        suite.expect(name, False, done.stderr.decode())
        return
    if command:
        quiet = [] if any(not w.startswith('-Werror') for w in words) else ['-w']
        text = run(command + quiet + words + [name + '.mcu']).stderr.decode()
        wanted = said_by_clang(text)
        suite.expect(name + ': clang says something', wanted, text)
        lost = [w for w in wanted if not is_in(w, said)]
        suite.expect(
            name + ': nothing is lost', not lost, '\n'.join(map(str, lost + ['--'] + said))
        )
    first = suite.say(*words, name + '.mcu').stderr.decode()
    user = re.match(r'%s\.mcu:|\./parts/|parts/' % re.escape(name), first)
    suite.expect(name + ': a line of the user\'s comes first', user, first)
    if update:
        open(path, 'w').write(first)
    have = open(path).read() if os.path.exists(path) else ''
    # what a header of the library is told with depends on its version
    if suite.recorded and name != 'in_system_header':
        suite.expect(name + ': as expected', have == first, first)


def check_forms(suite):
    plain = suite.say('candidates.mcu').stderr
    colored = suite.say('-fcolor-diagnostics', 'candidates.mcu').stderr
    suite.expect('no colour without a terminal', b'\33' not in plain)
    suite.expect('colour', b'\33[1;31merror' in colored, colored)
    suite.expect('the same words', re.sub(rb'\x1b\[[0-9;]*m', b'', colored) == plain, colored)

    def coloured(*words, **environment):
        argv = [suite.mesicc, '--cuda-path=', '-o', '/dev/null', *words, 'undeclared.mcu']
        env = dict({k: v for k, v in os.environ.items() if k != 'NO_COLOR'}, TERM='xterm')
        return '\33' in on_terminal(argv, cwd=FOLDER, env=dict(env, **environment))[1]

    suite.expect('colour on a terminal', coloured())
    check_progress(suite)
    suite.expect('NO_COLOR', not coloured(NO_COLOR='1'))
    suite.expect('NO_COLOR, empty', coloured(NO_COLOR=''))
    suite.expect('-fno-color-diagnostics', not coloured('-fno-color-diagnostics'))
    suite.expect('a terminal that has none', not coloured(TERM='dumb'))
    check_documents(suite)


def check_progress(suite):
    """A line on a terminal for work of over a second, a third of what these files take; nothing
    else."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [os.path.join(folder, 'p%d.mcu' % i) for i in range(10)]
        for path in paths:
            open(path, 'w').write('#include <algorithm>\n#include <map>\nint f();\n')
        argv = [suite.mesicc, '--cuda-path=', '--no-pch', '-odir', folder]

        def told(words, count):
            environment = dict(os.environ, TERM='xterm')
            status, text = on_terminal(argv + words + paths[:count], env=environment)
            return 'failed' if status else text

        text = told([], 10)
        suite.expect('progress', '/10] translating ' in text and text.endswith('\x1b[K'), text)
        suite.expect('none with -v', told(['-v'], 10) == '')
        suite.expect('none of one file', told([], 1) == '')
        suite.expect('none without a terminal', run(argv + paths).stderr == b'')


def check_documents(suite):
    done = suite.say('-fdiagnostics-format=sarif', 'undeclared_far.mcu')
    sarif = json.loads(done.stderr.decode())
    result = sarif['runs'][0]['results'][0]
    region = result['locations'][0]['physicalLocation']['region']
    suite.expect('SARIF', sarif['version'] == '2.1.0' and result['ruleId'] == 'M2001', sarif)
    suite.expect('SARIF: place', (region['startLine'], region['startColumn']) == (1, 21), region)
    result = json.loads(suite.say('-fdiagnostics-format=sarif', 'umlauts.mcu').stderr.decode())
    region = result['runs'][0]['results'][0]['locations'][0]['physicalLocation']['region']
    suite.expect('SARIF: columns are characters', region['startColumn'] == 34, region)
    fixed = suite.say('-fdiagnostics-format=sarif', 'missing_semicolon.mcu').stderr.decode()
    change = json.loads(fixed)['runs'][0]['results'][0]['fixes'][0]['artifactChanges'][0]
    text = change['replacements'][0]['insertedContent']['text']
    suite.expect('SARIF: fix', text == ';', change)
    for form in 'json', 'sarif':
        done = suite.say('-fdiagnostics-format=' + form, 'good.mcu')
        suite.expect(
            form + ' of nothing', not done.returncode and json.loads(done.stderr) is not None, done
        )
    done = suite.say('-fdiagnostics-format=xml', 'good.mcu')
    suite.expect('a form that there is not', done.returncode == 1 and b'sarif' in done.stderr, done)
    missing = json.loads(suite.say('-fdiagnostics-format=json', 'none.mcu').stderr.decode())
    suite.expect('no file', missing[0]['code'] == 'M1002', missing)


def check_limits(suite):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'many.mcu')
        open(path, 'w').write(''.join('int a%d = b%d;\n' % (i, i) for i in range(30)))
        for words, count in ((), 20), (['-ferror-limit=3'], 3), (['-ferror-limit=0'], 30):
            text = suite.say(*words, path).stderr.decode()
            suite.expect('errors %s' % list(words), text.count('error[M2001]') == count, text)
            told = 'errors more' in text
            suite.expect('says that there are more %s' % list(words), told == (count < 30), text)


def check_warnings(suite):
    def say(*words):
        done = suite.say(*words, 'unused.mcu')
        return done.returncode, done.stderr.decode()

    suite.expect('no warnings unless asked for', say() == (0, ''), say())
    suite.expect('-Wno-... alone asks for none', say('-Wno-format') == (0, ''))
    suite.expect('-Werror alone asks for none', say('-Werror') == (0, ''), say('-Werror'))
    status, text = say('-Wall')
    suite.expect('-Wall', status == 0 and text.count('warning[M2102,-Wunused-') == 2, text)
    status, text = say('-Wall', '-Wno-unused-variable')
    suite.expect('-Wno-', status == 0 and text.count('warning[') == 1, text)
    status, text = say('-Wall', '-Werror=unused-variable')
    suite.expect('-Werror=', status == 2 and text.count('error[M2001,-Wunused-variable') == 1, text)
    status, text = say('-Wall', '-Werror')
    suite.expect('-Wall -Werror', status == 2 and 'error[M2001,-Wunused-' in text, text)
    suite.expect('-w', say('-Wall', '-w') == (0, ''), say('-Wall', '-w'))
    status, text = say('-Wno-mesi-bond')
    suite.expect('a warning that there is not', status == 1 and '-Wmesi-bounds' in text, text)
    own = '../golden/warn_unread.mcu'
    told = suite.say(own).stderr.decode()
    suite.expect('warnings of our own', told.count('warning[M2113,-Wmesi-unread]') == 6, told)
    for words in ['-w'], ['-Wno-mesi'], ['-Wno-mesi-unread'], ['-w', '-Wmesi-unread']:
        told = suite.say(*words, own).stderr.decode()
        suite.expect('%s takes it away' % words, told == '', told)
    status, text = say('-Wmesi-unread')
    suite.expect('asked for, and not there', (status, text) == (0, ''), text)
    done = suite.say('-Werror=mesi-unread', own)
    suite.expect('as an error', done.returncode == 2 and b'error[M2113' in done.stderr, done)
    suite.expect('nvcc\'s kinds', say('-Werror=reorder') == (0, ''), say('-Werror=reorder'))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--mesicc', required=True)
    parser.add_argument('--update', action='store_true')
    parser.add_argument('names', nargs='*')
    options = parser.parse_args()
    suite = Suite(options)
    command = clang_command(suite)
    names = options.names or sorted(
        n[:-4] for n in os.listdir(FOLDER) if n.endswith('.mcu') and n != 'good.mcu'
    )
    for name in names:
        check_case(suite, command, name, options.update)
    if not options.names:
        check_forms(suite)
        check_limits(suite)
        check_warnings(suite)
        suite.expect('at least 40 mistakes', len(names) >= 40)
    print('%d passed, %d failed' % (suite.passed, suite.failed))
    return 1 if suite.failed else 0


if __name__ == '__main__':
    sys.exit(main())
