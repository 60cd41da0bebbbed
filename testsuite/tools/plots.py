# SPDX-License-Identifier: MIT
#!/usr/bin/env python3
"""mesicc plot, --plot and compare --json: known results give the SVG that is kept beside them; it
is well-formed, small, self-contained and the same in another locale; no label lies over another.
docs/figures is drawn again and compared, and each sample shows its figure and names the command,
or samples/figures draws it itself.

usage: plots.py --mesicc PATH [--update]      --update: writes the kept SVG.
Last line: N passed, N failed."""
import argparse, glob, html.parser, json, os, re, shutil, stat, subprocess, tempfile
import xml.dom.minidom

import harness
from harness import ROOT, expect, finish, run

MOST_BYTES = 40 << 10
FIGURES = os.path.join(ROOT, 'docs', 'figures')
KNOWN = os.path.join(ROOT, 'testsuite', 'plots')
PICTURES = os.path.join(ROOT, 'docs', 'pictures')
PROGRAM = """__global__ float a[N];
__global__ void k() { a[threadIdx.x] = 1; }
int main() { k<<<1, N>>>(); return a[3] != 1; }
"""

parser = argparse.ArgumentParser()
parser.add_argument('--mesicc', required=True)
parser.add_argument('--update', action='store_true')
options = parser.parse_args()
MESICC = os.path.abspath(options.mesicc)


def width_of(text, size):
    """Less than the least that a usual font takes: what overlaps by this, overlaps."""
    return 0.45 * size * len(text)


def labels_of(document):
    """(x, y, width, height, text) of the labels, each in its own chart."""
    boxes = []
    for element in document.getElementsByTagName('text'):
        text = ''.join(n.data for n in element.childNodes)
        size = 15 if element.getAttribute('class') == 't' else 12
        wide, x = width_of(text, size), float(element.getAttribute('x'))
        x -= {'middle': wide / 2, 'end': wide}.get(element.getAttribute('text-anchor'), 0)
        y, node = float(element.getAttribute('y')), element.parentNode
        while node.nodeType == node.ELEMENT_NODE:
            moved = re.match(r'translate\(0 ([\d.]+)\)', node.getAttribute('transform'))
            y += float(moved.group(1)) if moved else 0
            node = node.parentNode
        boxes.append((x, y - 0.7 * size, wide, 0.7 * size, text))
    return boxes


def overlapping(boxes):
    found = []
    for i, (x, y, wide, high, text) in enumerate(boxes):
        for x2, y2, wide2, high2, text2 in boxes[:i]:
            if x < x2 + wide2 and x2 < x + wide and y < y2 + high2 and y2 < y + high:
                found.append((text, text2))
    return found


def check_svg(name, svg):
    try:
        document = xml.dom.minidom.parseString(svg)
    except xml.parsers.expat.ExpatError as error:
        return expect(name + ': well-formed', False, error)
    root = document.documentElement
    wide, high = map(float, root.getAttribute('viewBox').split()[2:])
    boxes = labels_of(document)
    expect(name + ': labels lie apart', not overlapping(boxes), overlapping(boxes))
    beyond = [b for b in boxes if b[0] < 0 or b[0] + b[2] > wide or b[1] + b[3] > high]
    expect(name + ': labels lie within', not beyond, beyond)
    expect(name + ': small', len(svg) <= MOST_BYTES, len(svg))
    outside = re.sub(r'xmlns="http://www.w3.org/2000/svg"', '', svg)
    expect(name + ': nothing from elsewhere', not re.search('https?:|url\\(|href|<script', outside))


def plot(output, *inputs, **environment):
    status, out, err = run([MESICC, 'plot', '-o', output] + list(inputs), **environment)
    return open(output).read() if status == 0 else (expect('plot', False, err) or '')


def check_kept(kept, *inputs):
    """Draws the results and compares with the kept SVG."""
    name = os.path.relpath(kept, ROOT)
    svg = plot('drawn.svg', *inputs)
    if options.update:
        open(kept, 'w').write(svg)
    expect(name + ': as kept', os.path.exists(kept) and open(kept).read() == svg)
    expect(
        name + ': the same in another locale',
        plot('locale.svg', *inputs, LC_ALL='de_DE.UTF-8') == svg,
    )
    check_svg(name, svg)


class Rows(html.parser.HTMLParser):
    """The numbers of a page's tables."""

    def __init__(self):
        super().__init__()
        self.numbers, self.inside = [], False

    def handle_starttag(self, tag, attrs):
        self.inside = tag == 'td' and ('class', 'number') in attrs

    def handle_data(self, data):
        if self.inside and data.strip():
            self.numbers.append(float(data))
        self.inside = False


def check_pages():
    page = plot('page.html', os.path.join(KNOWN, 'tune.json'), os.path.join(FIGURES, 'blas2.json'))
    xml.dom.minidom.parseString(page)
    rows = Rows()
    rows.feed(page)
    figure = json.load(open(os.path.join(FIGURES, 'blas2.json')))
    wanted = [0.0692, 0.0655, 1.22, 0.01]
    wanted += figure['series'][0]['x'] + [y for series in figure['series'] for y in series['y']]
    expect('a page has the numbers', sorted(rows.numbers) == sorted(wanted), rows.numbers)
    expect('names are escaped', 'less&lt;a &amp; b&gt;' in page and 'less<' not in page)


def check_compare():
    open('p.mcu', 'w').write(PROGRAM)
    for size in (64, 128):
        status, out, err = run(
            [MESICC, 'compare', '--target=cpu', '--levels=0,2', '--json', '--plot=p%d.svg' % size]
            + ['-DN=%d' % size, 'p.mcu']
        )
        data = json.loads(out) if status == 0 else {}
        expect(
            'compare --json',
            data.get('mesi_compare') == 1
            and data['macros'] == ['N=%d' % size]
            and [level['level'] for level in data['levels']] == [0, 2]
            and data['levels'][1]['result'] == 'same',
            (out, err),
        )
        open('p%d.json' % size, 'w').write(out)
        check_svg('compare --plot', open('p%d.svg' % size).read())
    check_svg('sizes', plot('sizes.svg', 'p64.json', 'p128.json'))
    expect('sizes are curves', 'polyline' in open('sizes.svg').read())


def check_refused():
    open('bad.json', 'w').write('{ "a": ')
    open('other.json', 'w').write('{ "a": 1 }')
    open('empty.json', 'w').write('{ "mesi_tune": 1, "plans": [] }')
    for argv in (
        ['plot', 'bad.json'],
        ['plot', 'other.json'],
        ['plot', 'empty.json'],
        ['plot', 'missing.json'],
        ['plot', '-o', 'other.json', 'other.json'],
        ['plot', '-o', '/nowhere/x.svg', os.path.join(KNOWN, 'tune.json')],
        ['compare', '--plot=p.mcu', 'p.mcu'],
        ['run', '--plot=x.svg', 'p.mcu'],
        ['compare', '--check', '--json', 'p.mcu'],
    ):
        status, out, err = run([MESICC] + argv)
        expect('refused: %s' % ' '.join(argv), status == 1 and 'error[M1' in err, (status, err))
    expect('what is refused stays', open('other.json').read() == '{ "a": 1 }')


def script(path, text):
    open(path, 'w').write('#!/bin/sh\n' + text)
    os.chmod(path, os.stat(path).st_mode | stat.S_IXUSR)


def check_bundle():
    """run.sh with programs that write what a run writes: its results.json can be drawn."""
    tools = os.path.join(ROOT, 'testsuite', 'tools')
    os.makedirs('bundle/tool/testsuite/tools')
    os.makedirs('bundle/build')
    os.makedirs('bundle/src')
    shutil.copy(os.path.join(tools, 'bundle_run.sh'), 'bundle/run.sh')
    shutil.copy(os.path.join(tools, 'bundle_build.sh'), 'bundle/tool/testsuite/tools')
    open('bundle/cases', 'w').write('one-N=64 0 2\nbench-N=64 0 2\n')
    open('bundle/bench.list', 'w').write('bench-N=64 4096 8192 1\n')
    open('bundle/peers.list', 'w').close()
    script('bundle/build/compare_dumps', 'exit 0\n')
    for name in ('one-N=64', 'bench-N=64'):
        for level, ms in ((0, 4.5), (2, 1.25)):
            stats = 'kernel_ms %g\ntransfer_ms 0.5\nkernel k 1 %g %g\n' % (ms, ms, ms)
            script(
                'bundle/build/%s_O%d' % (name, level),
                'printf "%s" >"$MESI_STATS"\n' % stats.replace('\n', '\\n'),
            )
    done = subprocess.run(
        ['bash', 'bundle/run.sh', '-r'], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    try:
        data = json.load(open('bundle/results.json'))
    except (OSError, ValueError) as error:
        return expect('results.json of a bundle', False, (error, done.stdout))
    times = [(c['case'], c['level'], c['kernels_ms']) for c in data['cases']]
    expect(
        'results.json has the cases',
        times == [('one-N=64', '-O0', 4.5), ('one-N=64', '-O2', 1.25)],
        (times, done.stdout),
    )
    expect('results.json has the benchmarks', len(data['benchmarks']) == 1, data)
    check_svg('results.json', plot('bundle.svg', 'bundle/results.json'))


def check_documents():
    drawing = open(os.path.join(ROOT, 'samples', 'figures', 'figures.py')).read()
    for folder in sorted(glob.glob(os.path.join(ROOT, 'samples', '*', ''))):
        readme = open(os.path.join(folder, 'README.md')).read()
        shown = re.findall(r'\]\(\.\./\.\./docs/figures/(\w+)\.svg\)', readme)
        name = os.path.relpath(folder, ROOT)
        expect(name + ': its README shows a figure', shown)
        for figure in shown:
            expect(
                '%s: %s by a command that is named' % (name, figure),
                'mesicc plot docs/figures/%s.json' % figure in readme
                and os.path.exists(os.path.join(FIGURES, figure + '.json'))
                or "'%s.svg'" % figure in drawing,
            )
    pictures = glob.glob(os.path.join(PICTURES, '*'))
    sizes = [os.path.getsize(path) for path in pictures]
    expect('pictures in docs are small', sum(sizes) <= 700 << 10 and max(sizes) <= 120 << 10, sizes)


with tempfile.TemporaryDirectory() as scratch:
    os.chdir(scratch)
    for path in sorted(glob.glob(os.path.join(FIGURES, '*.json'))):
        check_kept(path[:-5] + '.svg', path)
    for name in ('tune', 'survey', 'bundle'):
        check_kept(os.path.join(KNOWN, name + '.svg'), os.path.join(KNOWN, name + '.json'))
    sizes = [os.path.join(KNOWN, 'size_%d.json' % n) for n in (512, 1024, 2048)]
    check_kept(os.path.join(KNOWN, 'sizes.svg'), *sizes)
    check_pages()
    check_compare()
    check_refused()
    check_bundle()
    check_documents()
    os.chdir(ROOT)
finish()
