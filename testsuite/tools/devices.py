#!/usr/bin/env python3
"""Runs whole programs on several simulated devices: each is translated for the CPU backend with
--parts=always and has to give on 2, 3 and 5 devices, bit for bit, what it gives on one; copies are
done at once (memory that is not valid any more is overwritten then) and as late as waits allow.

usage: devices.py --mesicc PATH --build DIR [--jobs N] [--levels 0,2] [--devices 2,3,5]
                  [--spread always|turns|auto] [-v] FILE...
--every N: every Nth of the files, each day others.
--faults: on devices that fail the programs have to end with an error that says so.
--spread: MESI_SPREAD; `turns` makes every other launch on one device.
A level that emits the text of an earlier one is not run again. A program's first lines may hold `//
args: ...` (options for mesicc) and `// devices: KEY <= N` (or >=, ==; what MESI_STATS says of a run
on the first number of devices; `// devices -O02:` at these levels only), and `// devices env:
NAME=VALUE` (where there are several).
Last line: "N passed, N failed".
"""
import argparse, filecmp, glob, os, re, shutil, sys, tempfile

from programs import Runner, differing, run, run_on_several

SPREAD = re.compile(r'^spread (\d+)$', re.M)


FAULTS = [  # MESI_DEVICES, MESI_CPU_FAILS, what is said
    ('2', 'memory:1', 'device 1: '),
    ('3', 'link', 'the link is lost'),
    ('2', 'hang:1', 'device 1 has not answered for 2 s'),
    ('2', 'hang:0', 'device 0 has not answered for 2 s'),
    ('9', '', 'there are not as many devices'),
    ('0,8', '', 'there is no such device'),
    ('0,0', '', 'a device is named twice'),
    ('two', '', 'this cannot be read'),
]


class Devices(Runner):
    def __init__(self, options):
        super().__init__(options)
        self.spread = [0, 0]  # programs with launches over several devices, such launches

    def run_with(self, program, devices, copies, settings=()):
        """Exit status, output, dump and statistics of one run."""
        base = '%s.%s.%s' % (program, devices, copies)
        env = dict(os.environ, MESI_DUMP=base + '.dump', MESI_STATS=base + '.stats')
        env.update(MESI_DEVICES=devices if devices != '1' else '', MESI_CPU_COPIES=copies)
        env.update(MESI_SPREAD=self.o.spread)
        if devices != '1':
            env.update(settings)
        status, text = run([program], env=env, timeout=120)
        contents = [b'', b'']
        for i, name in enumerate((base + '.dump', base + '.stats')):
            if os.path.exists(name):
                contents[i] = open(name, 'rb').read()
        return status, text, contents[0], contents[1].decode()

    def compare(self, program, level, wanted, settings):
        reference = self.run_with(program, '1', '')
        if reference[0]:
            return '-O%s on one device: exit status %d:\n%s' % (level, reference[0], reference[1])
        numbers = self.o.devices.split(',')
        counted = self.o.spread == 'always'
        for devices in numbers:
            for copies in ('', 'late'):
                status, text, dump, stats = self.run_with(program, devices, copies, settings)
                what = '-O%s, %s devices%s' % (level, devices, ', late copies' if copies else '')
                if status:
                    return '%s: exit status %d:\n%s' % (what, status, text[-2000:])
                if (text, dump) != reference[1:3]:
                    return '%s: results differ from one device' % what
                problem = differing(stats, wanted) if counted and devices == numbers[0] else None
                if problem:
                    return '%s: %s' % (what, problem)
                if devices == numbers[0] and not copies:
                    spread = int(SPREAD.search(stats).group(1)) if SPREAD.search(stats) else 0
                    self.spread[0] += spread > 0
                    self.spread[1] += spread
        return None

    def level_of(self, path, args, level, work):
        source, program = '%s/O%s.cpp' % (work, level), '%s/O%s' % (work, level)
        status, text = self.translate(path, args, 'cpu', level, source)
        if status:
            return 'translation at -O%s ends with %d:\n%s' % (level, status, text)
        others = [other for other in glob.glob(work + '/O*.cpp') if other != source]
        if any(filecmp.cmp(source, other, shallow=False) for other in others):
            return None
        status, text = self.compile_cpu(path, args, source, program)
        if status:
            return 'compiled at -O%s:\n%s' % (level, text[:3000])
        lines = re.findall(
            r'^// devices(?: -O(\d+))?: (\w+) (<=|>=|==) (\d+)$',
            open(path, errors='replace').read(),
            re.M,
        )
        wanted = [rest for levels, *rest in lines if not levels or level in levels]
        settings = re.findall(r'^// devices env: (\w+)=(.*)$', open(path).read(), re.M)
        return self.compare(program, level, wanted, settings)

    def faults(self, path):
        """A device without memory or one that hangs, a lost link, a device that is not there: an
        error that says so, soon, and no results of a part of the run. NULL, or what is wrong."""
        work = tempfile.mkdtemp(prefix='devices.')
        source, program, dump = work + '/p.cpp', work + '/p', work + '/dump'
        try:
            status, text = self.translate(path, self.args_of(path), 'cpu', '2', source)
            if not status:
                status, text = self.compile_cpu(path, self.args_of(path), source, program)
            if status:
                return text[-2000:]
            for devices, fails, wanted in FAULTS:
                env = dict(os.environ, MESI_DEVICES=devices, MESI_CPU_FAILS=fails)
                env.update(MESI_SPREAD='always', MESI_DUMP=dump, MESI_WAIT_LIMIT='2')
                status, text = run([program], env=env, timeout=20)
                what = '%s devices, %s' % (devices, fails or 'no fault')
                if not status or wanted not in text:
                    return '%s: status %s, no "%s" in\n%s' % (what, status, wanted, text[-2000:])
                if os.path.exists(dump):
                    return '%s: results were written' % what
            return None
        finally:
            shutil.rmtree(work)

    def program(self, path):
        if self.o.faults:
            return self.faults(path)
        work = tempfile.mkdtemp(prefix='devices.')
        try:
            for level in self.o.levels.split(','):
                problem = self.level_of(path, self.args_of(path), level, work)
                if problem:
                    return problem
            return None
        finally:
            shutil.rmtree(work)

    def summary(self):
        programs, launches = self.spread
        return ['%d launches of %d programs over several devices' % (launches, programs)]


if __name__ == '__main__':
    parser = argparse.ArgumentParser()
    parser.add_argument('--devices', default='2,3,5')
    parser.add_argument('--spread', default='always')
    sys.exit(run_on_several(Devices, parser, os.cpu_count()))
# SPDX-License-Identifier: MIT
