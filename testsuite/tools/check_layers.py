#!/usr/bin/env python3
"""Checks that no include goes upward (docs/architecture.md, "Layers") and that codegen includes only plan.h of analysis.
Also: nothing of libclang outside the frontend, no file of ours over 700 lines, no variable of the environment that settings.def
does not list; of what git tracks, nothing that was built, no file over 1 MB, no path of the machine that built it.
Last line: N passed, N failed."""
import os, re, subprocess, sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LAYERS = ['translator/base', 'translator/ir', 'translator/frontend', 'analysis', 'codegen', 'translator/driver']
LONGEST = 700
LARGEST = 1 << 20
BUILT = re.compile(rb'\A(?:\x7fELF|!<arch>|CPCH|gpch|BC\xc0\xde)')
PRIVATE = re.compile(rb'(?<![\w.$}])/(?:work|root|home/\w+|builds|tmp/build)/\w')

def layer_of(path):
    for i, layer in enumerate(LAYERS):
        if path.startswith(layer + '/'):
            return i
    return None

SETTINGS = set(re.findall(r'SETTING\((\w+)', open(os.path.join(ROOT, 'runtime', 'settings.def')).read()))

def unlisted(path, number, line):
    """Variables of ours that a line asks for, and that mesicc and the runtime would refuse."""
    names = re.findall(r'\bgetenv\("(MESI_\w+)"\)', line)
    return ['%s:%d: %s is not in runtime/settings.def' % (path, number, name) for name in names if name not in SETTINGS]

passed, problems = 0, []
for folder in LAYERS + ['runtime', 'prove']:
    for directory, _, names in os.walk(os.path.join(ROOT, folder)):
        for name in sorted(names):
            if not name.endswith(('.c', '.h', '.def')):
                continue
            path = os.path.relpath(os.path.join(directory, name), ROOT)
            lines = open(os.path.join(ROOT, path), errors='replace').read().split('\n')
            bad = []
            if len(lines) > LONGEST:
                bad.append('%s has %d lines' % (path, len(lines)))
            own = layer_of(path)
            for number, line in enumerate(lines, 1):
                bad += unlisted(path, number, line)
                found = re.match(r'\s*#\s*include\s*["<]([^">]+)[">]', line)
                if not found:
                    continue
                target = layer_of(found.group(1))
                where = '%s:%d: includes %s' % (path, number, found.group(1))
                if own is None and target is not None:
                    bad.append(where + ': the runtime depends on no other layer')
                if own is not None and target is not None and target > own:
                    bad.append(where + ': upward')
                if path.startswith('codegen/') and found.group(1).startswith('analysis/') and found.group(1) != 'analysis/plan/plan.h':
                    bad.append(where + ': only plan.h')
                if found.group(1).startswith('clang-c/') and not path.startswith('translator/frontend/'):
                    bad.append(where + ': libclang stays in the frontend')
            problems += bad
            passed += not bad
def tracked():
    listed = subprocess.run(['git', 'ls-files', '-z'], cwd=ROOT, stdout=subprocess.PIPE)
    return [name for name in listed.stdout.decode().split('\0') if name]

def faults_of(name):
    with open(os.path.join(ROOT, name), 'rb') as file:
        data = file.read()
    if len(data) > LARGEST:
        return ['%s has %d bytes' % (name, len(data))]
    if BUILT.match(data):
        return ['%s was built, and is tracked' % name]
    found = PRIVATE.search(data)
    return ['%s has a path of one machine: %s' % (name, found.group().decode())] if found else []

for name in tracked():
    if os.path.exists(os.path.join(ROOT, name)):
        bad = faults_of(name)
        problems += bad
        passed += not bad
for problem in problems:
    print(problem)
print('%d passed, %d failed' % (passed, len(problems)))
sys.exit(1 if problems else 0)
