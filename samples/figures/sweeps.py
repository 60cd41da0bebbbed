# SPDX-License-Identifier: MIT
"""sweeps.py - recipes of figures.py: the MPF kernel with its cache by hand as its loops are
unrolled (000, figure 8), and the picture of a table that stands in a document (004, figure 5)."""
import json, os, re, subprocess, textwrap

from pages import OUT, ROOT, number, published

MPF, JUNCTION = 'samples/mpf', 'samples/junction'
POINT = r'[\d.]+(?:e[+-]?\d+)?'


def sweep_by_hand(machine):
    """What mpf sweep prints of the cache by hand."""
    if machine.bundle:
        return machine.output('mpf_hand', 0, kept='mpf_sweep_hand') or ''
    parts = [folder + '/' + name for folder in (MPF, JUNCTION) for name in c_files(folder)]
    words = ['-O0', '-lz', '-I', MPF, '-I', JUNCTION, MPF + '/peers/mpf_hand.cu'] + parts
    words += ['--', 'sweep', '--linear']
    small = ['--max-flop', '1M', '--copy', '2M', '--repeats', '3']
    return machine.command('run', *words, *([] if machine.gpu else small)) or ''


def c_files(folder):
    return sorted(name for name in os.listdir(os.path.join(ROOT, folder)) if name.endswith('.c'))


def unrolling(machine, page):
    """Figure 8: rows of summands at once, and of kernels for any or for three functions."""
    part = sweep_by_hand(machine).partition('figure 8:')[2].partition('figure 10:')[0]
    head = re.search(r'^summands +functions +(.*)$', part, re.M)
    rows = re.findall(r'^ *(\d+) +(any|three) +(.*)$', part, re.M)
    if not head or not rows:
        return
    flops = head.group(1).split()
    series = {
        '%s, %s functions' % (at_once, functions): list(map(float, speeds.split()))
        for at_once, functions, speeds in rows
    }
    told = published('sum_products')['figure 8']
    title = 'Figure 8: summands at once, any or three functions'
    page.curve(
        'unrolling', title, 'GFLOP/s', 'FLOP of the bucket', list(map(float, flops)), series
    )
    page.table(['GFLOP/s by FLOP'] + flops, [[n] + values for n, values in series.items()])
    about = (
        'Linear, the cache by hand. The paper: up to %g times as fast by 2 and 4 summands at once, '
        '%g more by kernels for a number of functions.'
    )
    page.say(textwrap.fill(about % (told['dynamic_unrolling'], told['static_unrolling']), 100))


# ---- of a document ----

BLAS2 = 'samples/blas2/README.md'


def dgemv(machine, page):
    """Figure 5 as it was measured on an H200, for the README of blas2 with its table: the same
    picture on every machine, and no part of the page."""
    lines = open(os.path.join(ROOT, BLAS2)).read().split('\n')
    at = next(i for i, line in enumerate(lines) if line.startswith('| n | gemv N, float'))
    head = [cell.strip() for cell in lines[at].strip('|').split('|')]
    rows = []
    for line in lines[at + 2 :]:
        if not line.startswith('|'):
            break
        rows.append([cell.strip() for cell in line.strip('|').split('|')])
    series = []
    for kind in ('gemv N', 'gemv T'):
        cells = [row[head.index(kind + ', double')].split(' / ') for row in rows]
        for name, which in ((kind, 0), (kind + ', cuBLAS', 1)):
            y = [number(cell[which]) for cell in cells]
            series.append({'name': name, 'x': [float(row[0]) for row in rows], 'y': y})
    date = re.search(r'(\d{4}-\d\d-\d\d), one run', '\n'.join(lines), re.M).group(1)
    data = {'mesi_figure': 1, 'kind': 'curves', 'title': 'Figure 5: DGEMV, N and T'}
    data.update(note='NVIDIA H200, %s; -O3, cuBLAS 13.1' % date, x='n', y='microseconds')
    data.update(series=series, command='blas2 bench', date=date)
    data['from'] = BLAS2 + '#measured'
    path = os.path.join(OUT, 'dgemv')
    open(path + '.json', 'w').write(json.dumps(data, indent=1) + '\n')
    subprocess.run([machine.mesicc, 'plot', '-o', path + '.svg', path + '.json'], check=True)
