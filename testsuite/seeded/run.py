#!/usr/bin/env python3
"""Plants one fault of runtime/seeded.def after another into the compiler, the runtime and the CPU
backend, and shows which test catches it.

usage: run.py [--build DIR] [-j N] [--parts a,b] [--most N] [--afresh] [--table] [--as-built]
              [--list] [FAULT...]

Builds DIR (build-seeded) with -Dseeded_bugs=true. Each fault is first tried with what showed it the
last time, as first.json has it: a part of PARTS, of programs the one program at its level. For the
others (with --afresh: for all) the parts run in order until one fails: first those that run
programs, then those that compare text, then unit tests. A program runs only where the fault changes
what is emitted for it, or where it comes by the fault in the runtime, for which each is asked once;
first those that showed faults of similar names. It must pass without the fault. Programs are
compiled once for each text. The part `prove` proves at most N programs of each level (--most,
default 12), the likely ones first. Limits of time are of processor time; on the wall they are ten
times as long.
With --table each fault is tried with its hint alone: the hinted test must fail with the fault and
pass without. DIR/table.json keeps what was found for these binaries, hints and programs, so an
interrupted run goes on where it stopped; faults that were not caught are tried again.
Last line: "N of M caught (P%)".
"""
import argparse, collections, glob, hashlib, json, multiprocessing, os, subprocess, sys, time

from parts import PARTS, ROOT, Broken, Found, Task, Workplace, first_line, read_faults

HINTS = os.path.join(ROOT, 'testsuite', 'seeded', 'first.json')  # fault -> Found.where
NAMES_COMMIT = 'help.c.o'  # the object that differs from commit to commit
# Of a fault: the part and its kind, None where nothing shows it; the kind of a test that fails
# without a fault is 'broken'.
Result = collections.namedtuple('Result', 'name part kind found seconds')


def run_parts(task, parts):
    """The first of the parts that shows the fault."""
    start = time.time()
    result = lambda *found: Result(task.name, *found, time.time() - start)
    try:
        for part, kind, run, layers in parts:
            found = None if layers and task.layer not in layers else run(run_parts.work, task)
            if found:
                return result(part, kind, found)
    except Broken as broken:
        return result(None, 'broken', Found('', str(broken)))
    return result(None, None, None)


def catch_again(task):
    """With what showed the fault the last time, whatever its layer."""
    part, *where = task.where
    hinted = [(name, kind, run, None) for name, kind, run, _ in PARTS if name == part]
    return run_parts(task._replace(where=where), hinted)


def catch(given):
    task, names = given
    kinds = [kind for _, kind, _, _ in PARTS]
    # no program shows a fault of the driver
    first = lambda p: task.layer == 'driver' and p[0] == 'limits'
    parts = sorted(PARTS, key=lambda p: (kinds.index(p[1]), not first(p)))
    return run_parts(task, [p for p in parts if p[0] in names])


def start_worker(build, most):
    os.environ['MESI_CACHE'] = os.path.join(build, 'cache')
    run_parts.work = Workplace(build)
    run_parts.work.most = most


def likely_programs(name, hints):
    """Those that show faults whose names have words in common with this one, by how many."""
    words = set(name.split('_'))
    found = collections.Counter()
    for other, where in hints.items():
        common = len(words & set(other.split('_')))
        for program in where.split()[1:2] if common else []:
            found[program] = max(found[program], common)
    return [program for program, _ in found.most_common()]


def print_table(faults, results):
    print('\n%-24s %-9s %-44s %s' % ('fault', 'layer', 'caught by', 'seconds'))
    for name, (layer, what) in faults.items():
        _, part, kind, found, seconds = results[name]
        by = '%s (%s) %s' % (kind, part, found.where) if part else 'NOT CAUGHT'
        print('%-24s %-9s %-44s %7.1f   %s' % (name, layer, by, seconds, what))


def print_sums(results, seconds):
    """0 where all faults are caught."""
    broken = [result.found.text for result in results.values() if result.kind == 'broken']
    print('\n' + '\n'.join(broken) if broken else '')
    caught = [result for result in results.values() if result.part]
    by_execution = sum(result.kind == 'execution' for result in caught)
    of_all = lambda number: (number, len(results), 100 * number / len(results))
    print('%.0f s; by running programs: %d of %d (%.1f%%)' % (seconds, *of_all(by_execution)))
    print('%d of %d caught (%.1f%%)' % of_all(len(caught)))
    return 1 if broken or len(caught) < len(results) else 0


class Table:
    """Of the faults that are tried: results so far, and what showed each, kept in first.json."""

    def __init__(self, hints, number):
        self.hints, self.number, self.results = hints, number, {}

    def add(self, result):
        name, part, kind, found, seconds = self.results[result.name] = result
        if part:
            self.remember(name, ' '.join([part] + found.where.split()))
        by = ': '.join([part or kind, found.where, first_line(found.text)]) if found else None
        counted = '[%d/%d]' % (len(self.results), self.number)
        print('%s %s: %s, %.1f s' % (counted, name, by or 'NOT CAUGHT', seconds), flush=True)

    def remember(self, name, where):
        self.hints[name] = where
        with open(HINTS, 'w') as file:
            json.dump(self.hints, file, indent=0, sort_keys=True)


class Hinted(Table):
    """The table by hints alone: what was found stays in a file, each row with the stamp of what it
    depends on."""

    def __init__(self, build, hints, tasks):
        super().__init__(dict(hints), len(tasks))
        self.path = os.path.join(build, 'table.json')
        self.kept = json.load(open(self.path)) if os.path.exists(self.path) else {}
        self.binaries = digest_of(objects_of(build))
        for name, task in tasks.items():
            row = self.kept.get(name)
            if row and row['stamp'] == self.stamp(task) and row['part']:
                found = Found(row['where'], row['text'])
                self.results[name] = Result(name, row['part'], row['kind'], found, row['seconds'])

    def stamp(self, task):
        """Of the binaries, the hint and the program that it names."""
        folders = ('conformance', 'cuda')
        paths = [os.path.join(ROOT, 'testsuite', f, w) for f in folders for w in task.where[1:2]]
        return ' '.join([self.binaries] + task.where + [digest_of(filter(os.path.exists, paths))])

    def remember(self, name, where):
        pass  # the hint is as it was

    def add(self, result, task):
        super().add(result)
        name, part, kind, found, seconds = result
        where, text = (found.where, first_line(found.text)) if found else ('', '')
        self.kept[name] = dict(
            stamp=self.stamp(task), part=part, kind=kind, where=where, text=text, seconds=seconds
        )
        with open(self.path + '.new', 'w') as file:
            json.dump(self.kept, file, indent=0, sort_keys=True)
        os.replace(self.path + '.new', self.path)


def objects_of(build):
    """Of the compiler and the runtime, without the one that has the commit's name."""
    folders = ('translator', 'analysis', 'codegen', 'runtime')
    objects = [glob.glob('%s/%s/**/*.o' % (build, f), recursive=True) for f in folders]
    return sorted(o for some in objects for o in some if not o.endswith(NAMES_COMMIT))


def digest_of(paths):
    digest = hashlib.sha256()
    for path in paths:
        digest.update(open(path, 'rb').read())
    return digest.hexdigest()[:16]


def tasks_of(faults, hints):
    return {
        name: Task(name, layer, likely_programs(name, hints), hints.get(name, '').split())
        for name, (layer, _) in faults.items()
    }


def run_hinted(options, faults):
    """Name -> Result, by hints alone. Faults with one test run one behind the other."""
    hints = json.load(open(HINTS))
    tasks = tasks_of(faults, hints)
    table = Hinted(options.build, hints, tasks)
    left = [task for name, task in tasks.items() if name not in table.results]
    for task in left:
        if not task.where:
            table.add(Result(task.name, None, None, None, 0.0), task)
    order = lambda task: (len(task.where) < 2, task.where)  # single programs, then whole parts
    left = sorted((task for task in left if task.where), key=order)
    with multiprocessing.Pool(options.jobs, start_worker, (options.build, options.most)) as pool:
        for result in pool.imap_unordered(catch_again, left):
            table.add(result, tasks[result.name])
    return table.results


def print_hinted(results, hints):
    """What the hints have not shown, by the reason."""
    unhinted = [name for name in results if not hints.get(name)]
    silent = [name for name, r in results.items() if not r.kind and name not in unhinted]
    broken = [name for name, r in results.items() if r.kind == 'broken']
    for title, names in (
        ('without a hint', unhinted),
        ('the hinted test passes with the fault', silent),
        ('the hinted test fails without the fault', broken),
    ):
        print('%s: %d %s' % (title, len(names), ' '.join(names)))


def run_table(options, faults):
    """Name -> Result."""
    hints = json.load(open(HINTS)) if os.path.exists(HINTS) else {}
    table, parts = Table(hints, len(faults)), options.parts.split(',')
    tasks = tasks_of(faults, hints)
    again = [t for t in tasks.values() if not options.afresh and t.where and t.where[0] in parts]
    with multiprocessing.Pool(
        options.jobs, start_worker, (options.build, options.most), None
    ) as pool:
        for result in pool.imap_unordered(catch_again, again):
            if result.kind:
                table.add(result)
        left = [
            task._replace(where=()) for name, task in tasks.items() if name not in table.results
        ]
        for result in pool.imap_unordered(catch, [(task, parts) for task in left]):
            table.add(result)
    return table.results


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument('--build', default=os.path.join(ROOT, 'build-seeded'))
    parser.add_argument('-j', '--jobs', type=int, default=os.cpu_count())
    parser.add_argument(
        '--parts', default=','.join(part[0] for part in PARTS), help='of %(default)s'
    )
    parser.add_argument(
        '--most',
        type=int,
        default=12,
        help='programs that the part prove takes at each level (%(default)s)',
    )
    parser.add_argument(
        '--afresh', action='store_true', help='without what showed the faults the last time'
    )
    parser.add_argument(
        '--table', action='store_true', help='each fault with its hint alone, and remember'
    )
    parser.add_argument('--as-built', action='store_true', help='with DIR as it is')
    parser.add_argument('--list', action='store_true', help='the faults')
    parser.add_argument('faults', nargs='*')
    options = parser.parse_args()
    faults = read_faults()
    unknown = [name for name in options.faults if name not in faults]
    if unknown:
        parser.error('no such fault: ' + ' '.join(unknown))
    faults = {name: faults[name] for name in options.faults or faults}
    if options.list:
        for name, (layer, what) in faults.items():
            print('%-24s %-9s %s' % (name, layer, what))
        return 0
    options.build = os.path.abspath(options.build)
    script = os.path.join(ROOT, 'testsuite/build.sh')
    if not options.as_built:
        subprocess.run(['bash', script, options.build, '-Dseeded_bugs=true'], check=True)
    os.makedirs(os.path.join(options.build, 'cache'), exist_ok=True)
    begin = time.time()
    Workplace(options.build).precompile()
    results = run_hinted(options, faults) if options.table else run_table(options, faults)
    print_table(faults, results)
    if options.table:
        print_hinted(results, json.load(open(HINTS)))
    return print_sums(results, time.time() - begin)


if __name__ == '__main__':
    sys.exit(main())
# SPDX-License-Identifier: MIT
