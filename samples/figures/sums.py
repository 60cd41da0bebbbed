# SPDX-License-Identifier: MIT
"""sums.py - recipes of figures.py for sum-products (000): the random buckets of section 7.2.2 in
both domains at each level beside the cache by hand (the table of 7.2.1, figures 5 and 6), and
texture and read-only loads (figure 9)."""
import math, re

from pages import geometric, number, published

LEVELS = (0, 1, 2)
DOMAINS = {'linear': ('', 5), 'log': ('_log', 6)}  # what file names end with, the figure
BUCKET = re.compile(r'^ *\d+ +\d+ +\d+ +\d+ +[\d.e+]+ .*$', re.M)
NUMBER, FLOP, CORE_MS, KERNEL_MS = 0, 4, 5, 7  # columns of mpf bench


def buckets(text):
    """The rows of mpf bench by the bucket's number, in the order of these; the printed speed of a
    small bucket may be 0.00."""
    rows = [list(map(number, line.split())) for line in BUCKET.findall(text or '')]
    return {row[NUMBER]: row for row in sorted(rows) if row[KERNEL_MS] > 0}


def speed(row):
    return row[FLOP] / row[KERNEL_MS] / 1e6


def by_decades(rows, common):
    """decade -> name -> speeds"""
    decades = {}
    for name, found in rows.items():
        for at in common:
            decade = decades.setdefault(int(math.log10(found[at][FLOP])), {})
            decade.setdefault(name, []).append(speed(found[at]))
    return decades


def in_all(rows):
    return sorted(set.intersection(*map(set, rows.values()))) if rows else []


def means(decades, names):
    return {n: [geometric(decades[d].get(n)) for d in sorted(decades)] for n in names}


def ratios(page, rows, common):
    """Times by hand over those of each level, where the cache by hand was run."""
    hand = rows.get('by hand')
    if not hand:
        return
    head = ['by hand over', 'geometric mean', 'least', 'most', 'below 0.9, of %d' % len(common)]
    head += ['%d functions' % count for count in (2, 3, 4)]
    lines = []
    for name, found in rows.items():
        if name == 'by hand':
            continue
        over = [(hand[at][KERNEL_MS] / found[at][KERNEL_MS], hand[at][1]) for at in common]
        all_of = [value for value, _ in over]
        line = [name, geometric(all_of), min(all_of), max(all_of), sum(v < 0.9 for v in all_of)]
        lines.append(line + [geometric([v for v, f in over if f == n]) for n in (2, 3, 4)])
    page.table(head, lines)


def products_of(machine, page, domain):
    ending, figure = DOMAINS[domain]
    words = ['bench', '--seed', '1', '--' + domain]
    words += (
        ['--random', '700']
        if machine.gpu
        else ['--random', '16', '--max-flop', '300K', '--repeats', '3']
    )
    texts = {
        '-O%d' % level: machine.output('mpf', level, *words, kept='mpf' + ending)
        for level in LEVELS
    }
    if machine.bundle:
        texts['by hand'] = machine.output('mpf_hand', 0, kept='mpf_hand' + ending)
    rows = {name: buckets(text) for name, text in texts.items() if text}
    common = in_all(rows)  # programs end by time
    if not common:
        return
    paper = {(r['set'], r['domain']): r for r in published('sum_products')['table of 7.2.1']}
    # the least of what the programs have measured, several of which may have run at once
    core = {at: min(found[at][CORE_MS] for found in rows.values()) for at in common}
    summary = {}
    for name, found in rows.items():
        over = [core[at] / found[at][KERNEL_MS] for at in common]
        summary[name] = [max(over), sum(over) / len(over)]
    summary['the paper, one core'] = [paper['random', domain][k] for k in ('peak', 'average')]
    page.say(
        '%s, %d buckets; over one core of plain C, where the paper has an optimised core.'
        % (domain.capitalize(), len(common))
    )
    title = 'Table of 7.2.1: random buckets, %s, over one core' % domain
    page.figure('products' + ending, title, 'times as fast', ['peak', 'average'], summary)
    decades = by_decades(rows, common)
    page.figure(
        'products_speed' + ending,
        'Figure %d: speed by FLOP of a bucket, geometric means, %s' % (figure, domain),
        'GFLOP/s',
        ['1e%d' % decade for decade in sorted(decades)],
        means(decades, rows),
    )
    points = {
        name: [(found[at][FLOP], speed(found[at])) for at in common] for name, found in rows.items()
    }
    title = 'Figure %d: all buckets, %s' % (figure, domain)
    page.points('products_all' + ending, title, 'GFLOP/s', 'FLOP of a bucket', points)
    ratios(page, rows, common)


def products(machine, page):
    for domain in DOMAINS:
        products_of(machine, page, domain)


def loads(machine, page):
    """Figure 9: the cache by hand beside the hardware's, behind texture and read-only loads; of a
    bundle, where the peers are."""
    if not machine.bundle:
        return
    texts = {
        '-O2': machine.output('mpf', 2, kept='mpf_loads') or machine.output('mpf', 2),
        'cache by hand': machine.output('mpf_hand', 0),
        'texture loads': machine.output('mpf_texture', 0),
        'read-only loads': machine.output('mpf_read_only', 0),
    }
    rows = {name: buckets(text) for name, text in texts.items() if text}
    common = in_all(rows)
    if common:
        decades = by_decades(rows, common)
        page.say('%d buckets, linear.' % len(common))
        page.figure(
            'loads',
            'Figure 9: a cache by hand and the hardware\'s, geometric means',
            'GFLOP/s',
            ['1e%d' % decade for decade in sorted(decades)],
            means(decades, rows),
        )
