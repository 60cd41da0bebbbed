#!/usr/bin/env python3
"""Checks that no include goes upward (docs/architecture.md, "Layers") and that codegen includes only plan.h of analysis.
Also: nothing of libclang outside the frontend, no file of ours over 700 lines. Last line: N passed, N failed."""
import os, re, sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LAYERS = ['translator/base', 'translator/ir', 'translator/frontend', 'analysis', 'codegen', 'translator/driver']
LONGEST = 700

def layer_of(path):
    for i, layer in enumerate(LAYERS):
        if path.startswith(layer + '/'):
            return i
    return None

passed, problems = 0, []
for folder in LAYERS + ['runtime']:
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
                found = re.match(r'\s*#\s*include\s*["<]([^">]+)[">]', line)
                if not found:
                    continue
                target = layer_of(found.group(1))
                where = '%s:%d: includes %s' % (path, number, found.group(1))
                if own is None and target is not None:
                    bad.append(where + ': the runtime depends on no other layer')
                if own is not None and target is not None and target > own:
                    bad.append(where + ': upward')
                if path.startswith('codegen/') and found.group(1).startswith('analysis/') and found.group(1) != 'analysis/plan.h':
                    bad.append(where + ': only plan.h')
                if found.group(1).startswith('clang-c/') and not path.startswith('translator/frontend/'):
                    bad.append(where + ': libclang stays in the frontend')
            problems += bad
            passed += not bad
for problem in problems:
    print(problem)
print('%d passed, %d failed' % (passed, len(problems)))
sys.exit(1 if problems else 0)
