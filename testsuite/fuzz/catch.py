#!/usr/bin/env python3
"""After how many kernels random programs find each of some planted faults of the translator.

usage: catch.py --build BUILD-SEEDED [--first SEED] [--kernels N] [--profile NAME] [--levels 0123]
                [--sections N] [--keep DIR] FAULT...

BUILD-SEEDED has planted faults (-Dseeded_bugs=true). A program is translated without a fault, which
notes the places that the translator comes by (runtime/seeded.h); with each fault whose place it
came by; and where the text differs it is compiled, run and compared with the twin. A fault of the
CPU backend or the runtime changes no text: the program runs with it. Prints for each fault the
kernels and the seed that it took, or that N kernels did not find it. FAULT may be several names
with commas between them: a mend of which each part alone keeps most of the fault away.
"""
import argparse
import os
import shutil
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from execute import Broken, Tools, arguments_of, difference, read  # noqa: E402
from generator.profiles import PROFILES  # noqa: E402
from generator.program import generate  # noqa: E402
from reach import layers, names_in  # noqa: E402
from run import PROGRAMS_A_FILE, variants_of, write  # noqa: E402

SCHEDULES = ('forward', 'reverse')


def is_of_run(fault):
    """Is it, or are several together, in the runtime or the CPU backend?"""
    return all(layers().get(name) in ('cpu', 'runtime') for name in fault.split(','))


class Hunt:
    def __init__(self, options):
        self.options, self.rest, self.kernels = options, list(options.faults), 0
        self.work = tempfile.mkdtemp(prefix='mesi-catch-')
        self.tools = Tools(os.path.join(options.build, 'translator/driver/mesicc'), options.build)
        self.tools.precompile(self.work)
        self.differed = dict.fromkeys(self.rest, 0)

    def one(self, seed):
        program = generate(seed, self.options.sections, profile=self.options.profile)
        self.kernels += program.kernel_count
        folder = os.path.join(self.work, str(seed))
        os.mkdir(folder)
        write(folder + '/program.mcu', program.mcu)
        write(folder + '/twin.cpp', program.twin)
        try:
            twin = Twin(self.tools, folder)
            for variant in variants_of(program, self.options.levels):
                self._variant(seed, folder, variant, arguments_of(program.mcu), twin)
        except Broken as broken:
            print('seed %s fails without a fault: %s' % (seed, str(broken)[:300]), flush=True)
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def _variant(self, seed, folder, variant, args, twin):
        noted, plain = folder + '/reached', folder + '/plain.cpp'
        if os.path.exists(noted):
            os.unlink(noted)
        os.environ['MESI_SEEDED_REACHED'] = noted
        try:
            self.tools.translate(folder + '/program.mcu', plain, variant, args)
        finally:
            del os.environ['MESI_SEEDED_REACHED']
        reached = names_in(noted)
        for fault in [f for f in self.rest if is_of_run(f) or reached.intersection(f.split(','))]:
            found = (
                self._running(fault, folder, twin)
                if is_of_run(fault)
                else self._with(fault, folder, variant, args, twin)
            )
            if found:
                self.rest.remove(fault)
                where = 'seed %d -O%s (%d texts differed)' % (seed, variant, self.differed[fault])
                print(
                    '%-30s found in %5d kernels, %s: %s'
                    % (fault, self.kernels, where, found.replace('\n', ' ')[:160]),
                    flush=True,
                )
                self._keep(folder, fault)

    def _with(self, fault, folder, variant, args, twin):
        """What is wrong with the fault, in words; None where nothing is."""
        source, text = folder + '/program.mcu', folder + '/fault.cpp'
        os.environ['MESI_SEEDED_BUG'] = fault
        try:
            self.tools.translate(source, text, variant, args)
        except Broken as broken:
            return str(broken) if broken.kind != 'limit' else None
        finally:
            del os.environ['MESI_SEEDED_BUG']
        if read(text) == read(folder + '/plain.cpp'):
            return None
        self.differed[fault] += 1
        reference = twin.result()
        try:
            self.tools.compile(text, folder + '/fault')
            for schedule in SCHEDULES:
                found = difference(reference, self.tools.run(folder + '/fault', schedule))
                if found:
                    return '%s: %s' % (schedule, found)
        except Broken as broken:
            return str(broken)
        return None

    def _running(self, fault, folder, twin):
        """The same for a fault of what the program runs with."""
        reference = twin.result()
        try:
            self.tools.compile(folder + '/plain.cpp', folder + '/plain')
            os.environ['MESI_SEEDED_BUG'] = fault
            for schedule in SCHEDULES:
                found = difference(reference, self.tools.run(folder + '/plain', schedule))
                if found:
                    return '%s: %s' % (schedule, found)
        except Broken as broken:
            return str(broken)
        finally:
            os.environ.pop('MESI_SEEDED_BUG', None)
        return None

    def _keep(self, folder, fault):
        if self.options.keep:
            kept = os.path.join(self.options.keep, fault)
            shutil.rmtree(kept, ignore_errors=True)
            shutil.copytree(
                folder,
                kept,
                ignore=lambda d, names: [n for n in names if n.endswith('.dump') or '.' not in n],
            )


class Twin:
    """What the twin gives; compiled and run when it is first asked for."""

    def __init__(self, tools, folder):
        self._tools, self._folder, self._result = tools, folder, None

    def result(self):
        if not self._result:
            self._tools.compile(self._folder + '/twin.cpp', self._folder + '/twin')
            self._result = self._tools.run(self._folder + '/twin', 'forward')
        return self._result


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--build', required=True)
    parser.add_argument('--first', type=int, default=1000000)
    parser.add_argument('--kernels', type=int, default=2000)
    parser.add_argument('--profile', choices=[profile.name for profile in PROFILES])
    parser.add_argument('--levels', default='0123')
    parser.add_argument('--sections', type=int, default=PROGRAMS_A_FILE)
    parser.add_argument('--keep')
    parser.add_argument('faults', nargs='+')
    options = parser.parse_args()
    hunt, seed = Hunt(options), options.first
    while hunt.rest and hunt.kernels < options.kernels:
        hunt.one(seed)
        seed += 1
    shutil.rmtree(hunt.work, ignore_errors=True)
    for fault in hunt.rest:
        print(
            '%-30s not found in %5d kernels (%d texts differed)'
            % (fault, hunt.kernels, hunt.differed[fault])
        )
    return 1 if hunt.rest else 0


if __name__ == '__main__':
    sys.exit(main())
# SPDX-License-Identifier: MIT
