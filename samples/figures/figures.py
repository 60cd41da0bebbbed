#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""figures.py - the published values of the papers beside ours: runs the samples, writes a figure
(JSON, drawn by mesicc plot) and a table for each, and the page docs/figures.md, or
docs/figures-cpu.md.

On a GPU at the published sizes; else at small sizes on the CPU backend, where times say nothing of
a GPU: such figures are named cpu_..., and their notes say so. --from takes the results of a bundle
that ran elsewhere (testsuite/bundle.sh DIR figures) in place of running anything.

usage: figures.py --mesicc PATH [--from BUNDLE] [--cpu] [--date DATE] [NAME...]
NAMEs: cache products loads networks nodes hand unrolling bins forms depths blas2 reductions dgemv
network (default: all)."""
import argparse, datetime, glob, os, re, sys, tempfile, textwrap, time

import chest, more, sums, sweeps
from pages import OUT, ROOT, Machine, Page, geometric, number, published

sys.path.insert(0, os.path.join(ROOT, 'samples', 'binning'))
import steps

# on a GPU, or not; and of the recipes of more.py
PAGES = {True: ('figures.md', 'figures-more.md'), False: ('figures-cpu.md', 'figures-more-cpu.md')}
MORE = ('loads', 'hand', 'unrolling', 'depths', 'reductions')
LEVELS = (0, 1, 2)
HEADS = {
    True: """# The papers' figures, made again

`ninja -C build figures` writes this page, its tables and pictures, from the machine's GPU. Where it
has none, it writes [the same of small sizes on the CPU backend](figures-cpu.md). Made by
`samples/figures`, whose [README](../samples/figures/README.md) says how to take a bundle's results.
[Papers](papers.md) says what is here of each.
""",
    False: """# The papers' figures on the CPU backend

`ninja -C build figures` writes this page on a machine without a GPU, from small sizes on the CPU
backend: such times say nothing of a GPU, whose figures are [on their own page](figures.md).
""",
}


def ratio(times, level):
    return times[0] / times[level] if times.get(0) and times.get(level) else None


# ---- compiler-level explicit cache ----


def cells(machine):
    """(program, data as published, S_b, macros) of table 3, or small cells for the CPU backend."""
    if not machine.gpu:
        small = [('matmul', b, ['N=128', 'BX=%d' % b]) for b in (32, 64, 128)]
        small += [('dif', b, ['N=8192', 'STEPS=20', 'BX=%d' % b]) for b in (32, 256)]
        small += [('ep', b, ['CLASS=S', 'BX=%d' % b]) for b in (64, 128)]
        return [(name, None, b, macros) for name, b, macros in small]
    macros = {
        ('matmul', '1024'): ['N=1024', 'BX=%d', 'REPEAT=15'],
        ('dif', '256K'): ['N=262144', 'BX=%d', 'STEPS=1000'],
        ('dif', '512K'): ['N=524288', 'BX=%d', 'STEPS=1000'],
        ('ep', 'class B'): ['CLASS=B', 'BX=%d'],
    }
    found = []
    for row in published('explicit_cache')['table 3']:
        data = '1024' if row['program'] == 'matmul' else row['data']
        words = [m % row['s_b'] if '%' in m else m for m in macros[row['program'], data]]
        found.append((row['program'], data, row['s_b'], words))
    return found


def cache(machine, page):
    paper = published('explicit_cache')
    rows = {(r['program'], r['data'], r['s_b']): r['speedup'] for r in paper['table 3']}
    by_program = {}
    for program, data, block, macros in cells(machine):
        by_program.setdefault(program, []).append((data, block, machine.levels(program, macros)))
    for program, found in by_program.items():
        groups = [
            '%s%d' % (data + ', ' if program == 'dif' and data else '', b) for data, b, _ in found
        ]
        series = {'-O%d here' % at: [ratio(t, at) for _, _, t in found] for at in LEVELS[1:]}
        for at, gpu in enumerate(paper['gpus']):
            data = lambda d, b: d or {'matmul': '1024', 'dif': '256K', 'ep': 'class B'}[program]
            cell = [
                rows.get((program, data(d, b), b)) or rows.get((program, '1024', b))
                for d, b, _ in found
            ]
            series['paper, ' + gpu] = [values[at] if values else None for values in cell]
        page.figure(
            program,
            'Table 3: %s, over threads of a block' % program,
            'speed-up over -O0',
            groups,
            series,
        )
        page.table(
            ['ms of kernels'] + groups,
            [['-O%d' % level] + [t.get(level) for _, _, t in found] for level in LEVELS],
        )


# ---- networks ----

NETWORK = re.compile(r'^network (\S+) (\S+) (.*)$', re.M)
DATA = os.path.join(ROOT, '..', 'shared', 'data')


def network_files(machine):
    """Those of ../shared/data on a GPU, where that folder is; on the CPU the one in the tree."""
    found = sorted(glob.glob(DATA + '/uai/*.uai') + glob.glob(DATA + '/bif/*.bif*'))
    return found if machine.gpu and found else ['samples/mpf/networks/chest.bif']


def networks(machine, page):
    """mpf bench FILE...: kernels of a network summed, over one core and all cores."""
    text = ''
    for path in [None] if machine.bundle else network_files(machine):
        words = ['bench', path, '--tries', '300']
        text += machine.output('mpf', 2, *words, kept='mpf_networks') or ''
    rows, over = [], {'linear': [], 'log': []}
    for name, domain, numbers in NETWORK.findall(text):
        buckets, _, flop, kernels, core, cores, small, above, _, mixed = map(float, numbers.split())
        over[domain].append((name, core / kernels, core / mixed))
        shown = [name, domain, int(buckets), flop, '%.1f' % small, '%.1f' % above]
        rows.append(shown + [kernels, core, cores, core / kernels, core / mixed, cores / mixed])
    if not rows:
        return
    data = published('sum_products')
    told = data['section 7.2.3']
    table = {row['domain']: row for row in data['table of 7.2.1'] if row['set'] != 'random'}
    share = [100 * told[key] for key in ('buckets_below_100_kflop', 'time_above')]
    for domain, row in table.items():
        ends = '%g to %g, average %g' % (row['least'], row['peak'], row['average'])
        name = 'the paper, %d networks' % told['networks']
        shown = [name, domain, '', '', 'over %g' % share[0], 'over %g' % share[1]]
        rows.append(shown + ['', '', '', ends, '', ''])
    about = (
        'One core and all cores: the best CPU version; the time of a large bucket is scaled up '
        'from a slice of it. Small buckets are those below 100 KFLOP; '
        'time above: the share of one core\'s time that the other buckets have.'
    )
    page.say(textwrap.fill(about, 100))
    head = ['network', 'domain', 'buckets', 'FLOP', '% small', '% time above']
    head += ['kernels ms', 'core ms', 'cores ms', 'over a core']
    page.table(head + ['small on the CPU, over a core', 'over all cores'], rows)
    for domain, found in over.items():
        if found:
            page.figure(
                'networks_' + domain,
                'Section 7.2.3: networks, %s, over one core' % domain,
                'times as fast',
                [name for name, _, _ in found],
                {
                    'kernels': [kernels for _, kernels, _ in found],
                    'small buckets on the CPU': [mixed for _, _, mixed in found],
                    'the paper, average': [table[domain]['average']] * len(found),
                },
            )


# ---- node-level primitives ----


def nodes(machine, page):
    words = ['bench'] if machine.gpu else ['bench', '--widths', '10,12', '--repeats', '3']
    text = machine.output('junction', 2, *words) or ''
    rows = [
        [float(n) for n in re.findall(r'\d[\d.e+-]*', line)]
        for line in text.split('\n')
        if re.match(r' *\d+ +\d+ +\d+ +\d+ +\d+ \|', line)
    ]
    groups = ['%d/%d/%d/%d' % tuple(row[:4]) for row in rows]
    series = {
        what: [row[at] for row in rows]
        for at, what in ((5, 'marginalise'), (6, 'divide'), (7, 'multiply'))
    }
    page.figure(
        'nodes',
        'Figure 4: width / states / separator / children',
        'microseconds',
        groups[:14],
        {name: values[:14] for name, values in series.items()},
    )
    if rows:
        last = rows[-1]
        name = 'over the best on 4 cores', 'over the paper\'s kind on 4 cores', 'the paper'
        quick = published('node_level')['figure 5']['speedup']
        page.figure(
            'nodes_cores',
            'Figure 5: a computation kernel, %s' % groups[-1],
            'times as fast',
            ['speed-up'],
            {name[0]: [last[15]], name[1]: [last[17]], name[2]: [quick]},
        )


# ---- compact binning ----


def bins(machine, page):
    paper = published('compact_binning')
    groups, here, theirs, forms = [], [], [], {}
    for row in paper['table 5']:
        used = row['set'] if machine.gpu else 'tiny'
        text = machine.output(row['app'], 2, 'table', '--set', used, '--repeats', '3') or ''
        found = re.search(r'table 5: regular (\S+) ms, compact (\S+) ms, (\S+) times', text)
        groups.append('%s %s' % (row['app'], used))
        values = list(map(float, found.groups())) if found else [None] * 3
        here.append(values[2])
        theirs.append(row['speedup'])
        forms[groups[-1]] = values[:2]
    page.figure(
        'bins',
        'Table 5: whole runs, compact bins',
        'regular over compact',
        groups,
        {'here': here, 'the paper': theirs},
    )
    page.table(
        ['ms'] + groups,
        [[name] + [forms[g][at] for g in groups] for at, name in enumerate(('regular', 'compact'))],
    )


SETS = [
    ('gridding', 'small'),
    ('blob', 'random'),
    ('blob', 'large'),
    ('blob', 'small'),
    ('cutcp', 'large'),
    ('cutcp', 'small'),
    ('nbody', 'random'),
]
FORM = re.compile(r'^((?:regular|compact|scatter|gather), .{8,17}?) +([\d.]+|does not fit)', re.M)


def forms(machine, page):
    """Figures 25 and 27: each form of bins at -O0 and -O2, kernels with all elements in bins."""
    head, columns, names = ['kernel ms'], [], []
    for app, kind in SETS if machine.gpu else [(app, 'tiny') for app in ('blob', 'cutcp')]:
        for level in (0, 2):
            words = ['forms', '--set', kind, '--repeats', '3' if machine.gpu else '1']
            text = machine.output(app, level, *words, kept='%s_forms_%s' % (app, kind)) or ''
            found = {name.strip(): number(ms) for name, ms in FORM.findall(text)}
            names += [name for name in found if name not in names]
            if found:
                head.append('%s %s -O%d' % (app, kind, level))
                columns.append(found)
    if columns:
        page.table(head, [[name] + [of.get(name) for of in columns] for name in names])
    binning_steps(machine, page)


def binning_steps(machine, page):
    """Section 4.3.1: the steps of making bins, of a trace."""
    told = published('compact_binning')['section 4.3.1']
    app, kind = (told['app'], told['set']) if machine.gpu else ('cutcp', 'tiny')
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(machine.bundle or folder, 'build', 'figures', 'trace_%s.json' % app)
        if not machine.bundle:
            path = os.path.join(folder, 'trace.json')
            os.environ['MESI_TRACE'] = path
            machine.output(app, 2, 'run', '--set', kind, '--depth', '400000')
            del os.environ['MESI_TRACE']
        found = steps.steps(path) if os.path.exists(path) else {}
    if found:
        rows = [[name, steps.TOLD.get(name, ''), steps.typical(found[name])] for name in found]
        for row in rows:
            row.append({'measure': told['reduction_ms'], 'scan': told['scan_ms']}.get(row[0], ''))
        page.table(['step, %s %s' % (app, kind), 'what', 'ms', 'the paper'], rows)


# ---- memory-bound kernels ----


def blas2(machine, page):
    words = ['bench'] if machine.gpu else ['bench', '--largest', '384', '--repeats', '3']
    text = machine.output('blas2', 3 if machine.gpu else 2, *words) or ''
    found = re.findall(
        r'^ *(\d+) (gemv N|gemv T|symv U|symv L) +(\S+) +(\S+) .*?(\S+)$', text, re.M
    )
    sizes = sorted({int(row[0]) for row in found})
    values = {(row[1], int(row[0])): row for row in found}
    kinds = ['gemv N', 'gemv T', 'symv U', 'symv L']
    cell = lambda kind, n, at: number(values[kind, n][at]) if (kind, n) in values else None
    series = {kind: [cell(kind, n, 2) for n in sizes] for kind in kinds}
    page.figure('blas2', 'Figures 1 and 4: a product', 'microseconds', sizes, series, 'curves', 'n')
    over = {kind: [cell(kind, n, 4) for n in sizes] for kind in kinds}
    if any(value for row in over.values() for value in row):
        page.table(['cuBLAS over ours'] + sizes, [[kind] + over[kind] for kind in kinds])
    more.by_hand(page, text, 'float')
    more.doubles(machine, page)
    for kind in ('step', 'tall', 'wide'):
        other_sizes(machine, page, kind)
    ranges = published('memory_bound')['figure 4'] + published('memory_bound')['figure 5']
    page.table(
        ['published, gemv over CUBLAS 5', 'n from', 'to', 'times'],
        [[row['type'], row['n'][0], row['n'][1], row['over_cublas_5']] for row in ranges],
    )


LINE = re.compile(r'^ *([\dx]+) (gemv N|gemv T|symv U|symv L) +(.*)$', re.M)


def other_sizes(machine, page, kind):
    """Sizes that are no multiples of 64, with the dips between, and rectangles."""
    words = ['bench', '--step', '333' if machine.gpu else '77']
    words += ['--shape', kind] if kind != 'step' else []
    words += ['--largest', '12000'] if machine.gpu else ['--largest', '308', '--repeats', '1']
    text = machine.output('blas2', 3 if machine.gpu else 2, *words, kept='blas2_' + kind)
    found = [(size, what, numbers.split()) for size, what, numbers in LINE.findall(text or '')]
    groups = list(dict.fromkeys(size for size, _, _ in found))
    places = [float(size.split('x')[0]) for size in groups]
    cell = {(what, size): numbers for size, what, numbers in found}
    kinds = list(dict.fromkeys(what for _, what, _ in found))
    take = lambda what, at: [number(cell[what, size][at]) for size in groups]
    speeds = {what: take(what, 2) for what in kinds}
    title = (
        'Figures 4 and 5: '
        + {
            'step': 'sizes that are no multiples of 64',
            'tall': 'four times as many rows as columns',
            'wide': 'four times as many columns as rows',
        }[kind]
    )
    if not groups:
        return
    page.curve('blas2_' + kind, title, 'GFLOP/s', 'rows', places, speeds)
    rows = []
    for what in kinds:
        ratios = [value for value in take(what, -1) if value]
        percents = [value for value in take(what, 3) if value]
        ends = lambda values: [geometric(values), min(values, default=None)]
        rows.append([what, len(groups), max(percents, default=None)] + ends(ratios))
    page.table(['product', 'sizes', '% of the peak', 'cuBLAS over ours', 'least'], rows)


# ---- a network, solved ----


def network(machine, page):
    """The chest clinic: a network in, probabilities out."""
    words = [
        'solve',
        chest.FOLDER + '.bif',
        '--evidence',
        chest.FOLDER + '.evid',
        '--marginals',
        '--threshold',
        '0',
    ]
    text = None if machine.bundle else machine.output('mpf', 2, *words)
    chances = {m[0]: float(m[1]) for m in re.findall(r'^(\w+) ([\d.]+)(?: |$)', text or '', re.M)}
    if not set(chest.NODES) <= set(chances):
        return
    open(os.path.join(OUT, 'network.svg'), 'w').write(chest.picture(chances))
    page.say('![A network in, probabilities out](figures/network.svg)')


RECIPES = {
    'cache': ('Explicit cache', cache),
    'products': ('Sum-products', sums.products),
    'loads': ('Texture and read-only loads', sums.loads),
    'networks': ('Networks', networks),
    'nodes': ('Node-level primitives', nodes),
    'hand': ('Node-level primitives by hand', more.nodes_by_hand),
    'unrolling': ('Loops unrolled', sweeps.unrolling),
    'bins': ('Compact binning', bins),
    'forms': ('Forms of bins', forms),
    'depths': ('Depths of bins, misaligned bins, an image', more.depths),
    'blas2': ('Memory-bound kernels', blas2),
    'reductions': ('Reductions', more.reductions),
    'dgemv': ('Figure 5 of a table', sweeps.dgemv),
    'network': ('A network, solved', network),
}


def section(text, title):
    """What the page has below a title; empty: nothing."""
    found = re.search(r'^## %s\n(.*?)(?=^## |\Z)' % re.escape(title), text, re.M | re.S)
    return found.group(1) if found else ''


def write_page(machine, made, more_of):
    """Sections of recipes that did not run stay as they are."""
    path = os.path.join(ROOT, 'docs', PAGES[machine.gpu][more_of])
    old = open(path).read() if os.path.exists(path) else ''
    parts = [more.HEADS[machine.gpu] if more_of else HEADS[machine.gpu]]
    for name, (title, _) in RECIPES.items():
        if (name in MORE) != more_of:
            continue
        body = section(old, title)
        if made.get(title):
            body = '\n' + '\n\n'.join([machine.note + '.'] + made[title]) + '\n\n'
        if body:
            parts.append('## %s\n%s' % (title, body.rstrip('\n') + '\n'))
    if len(parts) > 1:
        open(path, 'w').write('\n'.join(parts))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--mesicc', required=True)
    parser.add_argument('--from', dest='bundle')
    parser.add_argument('--cpu', action='store_true')
    parser.add_argument('--date', default=datetime.date.today().isoformat())
    parser.add_argument('names', nargs='*', default=list(RECIPES))
    options = parser.parse_args()
    machine, made, began = Machine(options), {}, time.time()
    for name in options.names or RECIPES:
        title, recipe = RECIPES[name]
        page = Page(machine)
        recipe(machine, page)
        made[title] = page.parts
        print(
            '%s: %d pictures and tables, %.0f s' % (name, len(page.parts), time.time() - began),
            flush=True,
        )
        for more_of in (False, True):
            write_page(machine, made, more_of)


if __name__ == '__main__':
    main()
