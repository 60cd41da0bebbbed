# SPDX-License-Identifier: MIT
"""more.py - recipes of figures.py beside versions by hand: node-level primitives (002, figures 3 to
5), reductions with gemv of others (004, figures 6 and 7), bins by depth and misaligned (003,
figures 13, 14, 30 to 34), and the image of a scan (003, figure 18). They have a page of their
own."""
import os, re, struct, tempfile, textwrap, zlib

from pages import OUT, number, published

HEADS = {
    True: """# The papers' figures by hand and by depth

More of what [figures](figures.md) has: the papers' own versions, other caches, reductions, depths
of bins.
""",
    False: """# The papers' figures by hand and by depth, on the CPU backend

More of what [figures on the CPU](figures-cpu.md) has, from small sizes, which say nothing of a GPU:
the papers' own versions, reductions, depths of bins.
""",
}


def rows_of(text, figure, *words):
    """The cells behind `figure N | WORDS`, of lines with numbers."""
    head = ' | '.join(('figure %d' % figure,) + words) + ' |'
    lines = [line[len(head) :] for line in (text or '').split('\n') if line.startswith(head)]
    return [[cell.strip() for cell in line.split('|')] for line in lines]


def has_numbers(cells, first=1):
    return all(number(cell) is not None for cell in cells[first:] if cell)


# ---- node-level primitives by hand ----


def figure_3(page, text):
    rows = [row for row in rows_of(text, 3) if has_numbers(row)]
    if not rows:
        return
    told = published('node_level')['figure 3']
    head = ['primitive', 'entries', 'naive us', 'unrolled', 'columns', 'plain kernels']
    head += ['% by unrolling', '% more by columns']
    last = ['the paper, division', '', '', '', '', '']
    last += ['up to %g' % told['unrolling_percent'], '%g' % told['layout_percent']]
    names = ['naive', 'unrolled', 'unrolled, columns', 'plain kernels']
    page.figure(
        'nodes_forms',
        'Figure 3: unrolling and the column-major layout, by hand',
        'microseconds',
        [row[0] for row in rows],
        {name: [number(row[2 + at]) for row in rows] for at, name in enumerate(names)},
        table=False,
    )
    page.table(head, rows + [last])


PANELS = {
    'width': ('(a) clique width', 0),
    'states': ('(b) states', 1),
    'separator': ('(c) separator width', 2),
    'degree': ('(d) clique degree', 3),
}


def figure_4(page, text):
    cases = {}
    for row in rows_of(text, 4):
        if has_numbers(row):
            cases.setdefault(row[0], []).append([float(cell) for cell in row[1:]])
    if not cases:
        return
    first = list(map(int, next(iter(cases)).split('/')))
    for name, (title, at) in PANELS.items():
        series = {}
        for case, rows in cases.items():
            values = list(map(int, case.split('/')))
            others = [i for i in range(4) if i != at]
            if case == '/'.join(map(str, first)) or all(values[i] == first[i] for i in others):
                series['%s, marg.' % values[at]] = [row[1] for row in rows]
                series['%s, mult.' % values[at]] = [row[3] for row in rows]
        blocks = [row[0] for row in next(iter(cases.values()))]
        page.curve(
            'nodes_blocks_' + name,
            'Figure 4%s: over blocks of 96 threads' % title,
            'microseconds',
            'blocks',
            blocks,
            dict(list(series.items())[:8]),
        )
    rows = []
    for case, found in cases.items():
        row = [case]
        for primitive in (1, 2, 3):
            row += [of[primitive] for of in found if of[0] in (1, 16, 128)]
        rows.append(row)
    head = ['width/states/separator/children; us with 1, 16, 128 blocks']
    for what in ('marginalise', 'divide', 'multiply'):
        head += ['%s, %d' % (what, blocks) for blocks in (1, 16, 128)]
    page.table(head, rows)


def figure_5(page, text):
    units = [row for row in rows_of(text, 5, 'units') if has_numbers(row, 0)]
    widths = [row for row in rows_of(text, 5, 'width') if has_numbers(row, 0)]
    kinds = 'CPU, as in the paper', 'CPU, best', 'by hand'
    if units:
        series = {n: [number(row[at + 1]) for row in units] for at, n in enumerate(kinds)}
        title = 'Figure 5: a computation kernel over cores, or blocks of 96 threads'
        places = [float(row[0]) for row in units]
        page.curve('nodes_units', title, 'microseconds', 'cores or blocks', places, series)
        page.table(
            ['us'] + [row[0] for row in units], [[n] + values for n, values in series.items()]
        )
    if widths:
        kinds += ('plain kernels',)
        series = {n: [number(row[at + 1]) for row in widths] for at, n in enumerate(kinds)}
        title = 'Figure 5 over the width of the clique: 4 cores, 128 blocks'
        places = [float(row[0]) for row in widths]
        page.curve('nodes_widths', title, 'microseconds', 'variables', places, series)
        page.table(
            ['us'] + [row[0] for row in widths], [[n] + values for n, values in series.items()]
        )


def nodes_by_hand(machine, page):
    words = ['figures'] if machine.gpu else ['figures', '--width', '12', '--entries', '14']
    words += [] if machine.gpu else ['--repeats', '3']
    text = machine.output('junction', 2, *words, kept='junction_figures')
    for figure in (figure_3, figure_4, figure_5):
        figure(page, text)


# ---- products ----

PRODUCT = re.compile(r'^ *(\d+) (gemv N|gemv T|symv U|symv L) +(.*)$', re.M)


def products_of(text):
    """n and kind -> microseconds here, and by hand."""
    found = [(int(n), kind, row.split()) for n, kind, row in PRODUCT.findall(text or '')]
    return {(n, kind): (number(row[0]), number(row[4])) for n, kind, row in found if len(row) > 8}


def by_hand(page, text, real):
    """The paper's gemv, and symv by atomic additions."""
    cells = products_of(text)
    sizes = sorted({n for n, _ in cells})
    kinds = list(dict.fromkeys(kind for _, kind in cells))
    over = lambda n, kind: cells[n, kind][1] / cells[n, kind][0] if cells[n, kind][1] else None
    names = {'g': '%s, the paper\'s', 's': '%s, by atomics'}
    if sizes:
        rows = [[names[kind[0]] % kind] + [over(n, kind) for n in sizes] for kind in kinds]
        page.table(['by hand over ours, ' + real] + sizes, rows)


def doubles(machine, page):
    """Figure 5: the same in double precision; of a bundle."""
    text = machine.output('blas2_double', 3, kept='blas2_double') if machine.bundle else ''
    cells = products_of(text)
    sizes = sorted({n for n, _ in cells})
    kinds = list(dict.fromkeys(kind for _, kind in cells))
    if not sizes:
        return
    speed = lambda n, us: 2e-3 * n * n / us if us else 0
    series = {kind: [speed(n, cells[n, kind][0]) for n in sizes] for kind in kinds}
    for kind in kinds[:2]:
        series[kind + ', the paper\'s'] = [speed(n, cells[n, kind][1]) for n in sizes]
    title = 'Figure 5: products in double precision'
    page.curve('blas2_double', title, 'GFLOP/s', 'n', sizes, series)
    page.table(['GFLOP/s, double'] + sizes, [[n] + values for n, values in series.items()])
    by_hand(page, text, 'double')


# ---- reductions ----

REDUCTIONS = {'bidiagonal': 6, 'hessenberg': 7, 'tridiagonal': None}
PEERS = ['plain kernels', 'by launches', 'the paper\'s gemv', 'gemv of cuBLAS', 'cuSOLVER']


def reductions(machine, page):
    for real in ('float', 'double'):
        for name, figure in REDUCTIONS.items():
            kept = 'blas2_' + ('double_' if real == 'double' else '') + name
            if machine.bundle:
                text = machine.output('blas2', 3, kept=kept)
            elif real == 'float':
                words = [] if machine.gpu else ['--largest', '128', '--repeats', '1']
                text = machine.output('blas2', 3, name, 'bench', *words)
            else:
                continue
            line = r'^ *(\d+) +(\S+) +\S+ +\S+' + r' +(\S+)' * 4 + '$'
            rows = re.findall(line, text or '', re.M)
            if not rows:
                continue
            places = [float(row[0]) for row in rows]
            series = {n: [number(row[at + 1]) for row in rows] for at, n in enumerate(PEERS)}
            series = {n: v for n, v in series.items() if any(v)}
            of = 'Figure %d' % figure if figure else 'Reference 7'
            title = '%s: %s reduction, %s' % (of, name, real)
            if len(places) > 1:
                page.curve('blas2_%s_%s' % (name, real), title, 'ms', 'n', places, series)
            head = ['%s, %s, ms' % (name, real)] + [row[0] for row in rows]
            page.table(head, [[n] + values for n, values in series.items()])


# ---- bins ----

SETS = [('gridding', 'small'), ('cutcp', 'small'), ('blob', 'random'), ('nbody', 'random')]
FIGURES = {'gridding': 31, 'cutcp': 32, 'blob': 33, 'nbody': 34}
DEPTH = re.compile(r'^ +(\d+) +(\S+) +(\S+) +(\S+)$', re.M)
RUN = re.compile(r'^ +(\d+) +\d+ +\S+ +\S+ +\S+ +\S+ +(\S+)$', re.M)


def depths_of(machine, app, kind):
    words = ['figures', '--set', kind if machine.gpu else 'tiny', '--repeats', '3']
    words += ['--planes', '64'] if machine.gpu else []
    return machine.output(app, 2, *words, kept='%s_depths_%s' % (app, kind)) or ''


def by_depth(page, app, kind, text):
    kernels, _, runs = text.partition('figures 31 to 34')
    kernels = DEPTH.findall(kernels.partition('figures 23 and 30')[2])
    forms = runs.partition('compact, ranges')
    whole = {
        'regular': {float(d): number(ms) for d, ms in RUN.findall(forms[0])},
        'compact': {float(d): number(ms) for d, ms in RUN.findall(forms[2])},
    }
    if not kernels:
        return
    places = [float(row[0]) for row in kernels]
    names = 'regular, counts', 'regular, sentinels', 'compact'
    series = {n: [number(row[at + 1]) for row in kernels] for at, n in enumerate(names)}
    series = {n: v for n, v in series.items() if any(v)}
    title = 'Figure 30: %s, kernel by depth' % app
    page.curve('depth_' + app, title, 'ms', 'depth of bins', places, series)
    series = {n: [of.get(place) for place in places] for n, of in whole.items()}
    series = {n: v for n, v in series.items() if any(v)}
    if series:
        title = 'Figure %d: %s, device and host at once by depth' % (FIGURES[app], app)
        page.curve('runs_' + app, title, 'ms', 'depth of bins', places, series)
    page.table(
        ['%s, ms by depth' % app] + [row[0] for row in kernels],
        [[n] + [number(row[at + 1]) for row in kernels] for at, n in enumerate(names)]
        + [['whole runs, ' + n] + values for n, values in series.items()],
    )


def misaligned(machine, page):
    words = [] if machine.gpu else ['300', '3']
    text = machine.output('binning/misaligned.mcu', 0, *words, kept='misaligned')
    times = [row for row in rows_of(text, 13) if has_numbers(row)]
    taken = [row for row in rows_of(text, 14) if has_numbers(row)]
    if not times:
        return
    shifts = sorted({int(row[1]) for row in times})
    cells = {(row[0], int(row[1])): float(row[3]) for row in times}
    types = list(dict.fromkeys(row[0] for row in times))
    page.figure(
        'misaligned',
        'Figure 13: time over that of aligned bins, by bytes of the shift',
        'times as long',
        ['%d' % shift for shift in shifts],
        {kind: [cells.get((kind, shift)) for shift in shifts] for kind in types},
    )
    head = ['figure 14, a bin of 512 bytes', 'shift', 'loads', 'lines of 128', 'sectors of 32']
    page.table(head + ['% of the sectors'], taken)


def png(path, to):
    """A grey .pgm as .png, each pixel four times as wide and high where it is small."""
    data = open(path, 'rb').read()
    _, size, _, pixels = data.split(b'\n', 3)
    wide, high = map(int, size.split())
    times = max(1, 256 // wide)
    lines = [pixels[y * wide : (y + 1) * wide] for y in range(high)]
    rows = [bytes(p for p in line for _ in range(times)) for line in lines for _ in range(times)]
    chunk = lambda kind, body: (
        struct.pack('>I', len(body)) + kind + body + struct.pack('>I', zlib.crc32(kind + body))
    )
    head = struct.pack('>IIBBBBB', wide * times, high * times, 8, 0, 0, 0, 0)
    body = zlib.compress(b''.join(b'\0' + row for row in rows), 9)
    with open(to, 'wb') as file:
        file.write(b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', head) + chunk(b'IDAT', body))
        file.write(chunk(b'IEND', b''))


def scan(machine, page):
    """Figure 18: the image of a scan."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'scan.pgm')
        if machine.bundle:
            path = os.path.join(machine.bundle, 'build', 'figures', 'scan.pgm')
        kind = 'small' if machine.gpu else 'phantom'
        words = ['run', '--set', kind, '--depth', '400000', '--image', path]
        text = machine.output('gridding', 2, *words, kept='gridding_image') or ''
        found = re.search(r"(image of .* x .*: correlation .*) of it", text)
        if not found or not os.path.exists(path):
            return
        name = machine.prefix + 'scan.png'
        png(path, os.path.join(OUT, name))
    page.say('![Figure 18: the image of a scan](figures/%s)' % name)
    about = 'The set `%s`, %s of that without samples between the points.' % (kind, found[1])
    page.say(textwrap.fill(about, 100))


def depths(machine, page):
    misaligned(machine, page)
    for app, kind in SETS if machine.gpu else [('blob', 'tiny')]:
        by_depth(page, app, kind, depths_of(machine, app, kind))
    scan(machine, page)
