#!/usr/bin/env python3
"""Which planted faults random programs come by.

usage: reach.py --build BUILD-SEEDED [--known FILE] [options of run.py: --kernels 500, --rates]

Runs the long run of run.py with a build that has planted faults (-Dseeded_bugs=true), none of
which is selected: translator and runtime note each place SEEDED(NAME) that they evaluate
(runtime/seeded.h). Prints, by layer, the faults of runtime/seeded.def whose place was never
reached. --known FILE holds the names reached by earlier runs; those of this run are added to it.
"""
import argparse
import functools
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
DEFINED = re.compile(r'^SEEDED_BUG\((\w+), (\w+),\s+"(.*)"\)', re.M)


def names_in(path):
    if not os.path.exists(path):
        return set()
    with open(path) as file:
        return set(file.read().split())


@functools.lru_cache(None)
def defined():
    """(name, layer, description) of each fault, in the order of the table."""
    runtime, text = os.path.join(os.path.dirname(os.path.dirname(HERE)), 'runtime'), ''
    for name in ('seeded.def', 'seeded_mapping.def'):
        with open(os.path.join(runtime, name)) as file:
            text += file.read()
    return DEFINED.findall(re.sub(r'"\n +"', '', text))


def layers():
    return {name: layer for name, layer, _ in defined()}


def report(reached):
    faults = defined()
    missing = [fault for fault in faults if fault[0] not in reached]
    for layer in sorted({layer for _, layer, _ in faults}):
        of_layer = [fault for fault in faults if fault[1] == layer]
        rest = [fault for fault in missing if fault[1] == layer]
        print('%s: %d of %d reached' % (layer, len(of_layer) - len(rest), len(of_layer)))
        for name, _, text in rest:
            print('  %-34s %s' % (name, text))
    print('%d of %d faults reached' % (len(faults) - len(missing), len(faults)))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--build', required=True)
    parser.add_argument('--known')
    options, rest = parser.parse_known_args()
    with tempfile.TemporaryDirectory(prefix='mesi-reach-') as folder:
        path = options.known or os.path.join(folder, 'reached')
        mesicc = os.path.join(options.build, 'translator/driver/mesicc')
        run = [sys.executable, os.path.join(HERE, 'run.py'), '--mesicc', mesicc]
        env = dict(os.environ, MESI_SEEDED_REACHED=os.path.abspath(path))
        status = subprocess.run(
            run + ['--build', options.build, '--long'] + rest, env=env, stdout=subprocess.DEVNULL
        ).returncode
        reached = names_in(path)
        if options.known:
            with open(path, 'w') as file:
                file.write('\n'.join(sorted(reached)) + '\n')
    report(reached)
    return status


if __name__ == '__main__':
    sys.exit(main())
# SPDX-License-Identifier: MIT
