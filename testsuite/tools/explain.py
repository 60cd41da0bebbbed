#!/usr/bin/env python3
"""--explain: forms, files, well-formed HTML without anything from elsewhere, escaped names, the
same from run to run, an output that does not depend on it, and on the page the numbers of the JSON
and the lines of the source. Where chromium is installed: no page scrolls sideways at 1000, 1400 and
1920 pixels.

usage: explain.py --mesicc PATH [--every N] [PROGRAM...]
--every N: every N-th conformance program too, its page and JSON at -O1 to -O3.
Last line: N passed, N failed."""
import argparse, glob, html.parser, json, os, re, shutil, subprocess, tempfile
import xml.dom.minidom

import harness
from harness import ROOT, finish
from kept import wall

SAMPLES = [
    'samples/matmul/matmul.mcu',
    'samples/bench/gemv/gemv.mcu',
    'samples/bench/transpose/transpose.mcu',
    'samples/bench/histogram/histogram.mcu',
    'samples/bench/mm2/mm2.mcu',
    'samples/bench/kmeans/kmeans.mcu',
]
ODD = b"""// '<b>&amp;"' and bytes that are no UTF-8: \xff\xfe \x01
namespace outer { template <class T> struct pair { T a, b; }; }
__global__ outer::pair<float> v[64];
__global__ void less(outer::pair<float> *p, int n) { int i = threadIdx.x;
  if (i < n && p[i].a < 3 && "<>&'"[0] == '<') p[i].b = p[i].a; }
int main() { less<<<1, 64>>>(v, 64); return v[0].b < 1 && v[1].b > 0 ? 1 : 0; }
"""
LINKS = re.compile(
    r'<(script|link|img|iframe|object|embed)\b'
    r'|\bsrc=|href="(?!#)|url\(|@import|\bon[a-z]+=|https?://(?!www\.w3\.org/1999/xhtml")'
)

parser = argparse.ArgumentParser()
parser.add_argument('--mesicc', required=True)
parser.add_argument('--every', type=int, default=0)
parser.add_argument('programs', nargs='*', type=os.path.abspath)
options = parser.parse_args()
MESICC = os.path.abspath(options.mesicc)


def mesicc(*args):
    verb = [args[0]] if args[0] in ('run', 'compare') else []
    done = subprocess.run(
        [MESICC] + verb + ['--cuda-path='] + list(args[len(verb) :]),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        timeout=wall(60),
    )
    return done.returncode, done.stdout, done.stderr.decode(errors='replace')


def expect(what, holds, shown=''):
    harness.expect(what, holds, shown, most=300)


class Balanced(html.parser.HTMLParser):
    """Every element is closed, in order."""

    def __init__(self):
        super().__init__()
        self.open, self.wrong = [], []

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.wrong.append(tag)


def check_html(name, page):
    try:
        text = page.decode()
        document = xml.dom.minidom.parseString(page)
    except (UnicodeDecodeError, xml.parsers.expat.ExpatError) as error:
        return expect(name + ': HTML is well-formed', False, error)
    balanced = Balanced()
    balanced.feed(text)
    expect(
        name + ': HTML elements are closed',
        not balanced.wrong and not balanced.open,
        (balanced.wrong, balanced.open),
    )
    ids = [e.getAttribute('id') for e in document.getElementsByTagName('*') if e.hasAttribute('id')]
    targets = [e.getAttribute('href')[1:] for e in document.getElementsByTagName('a')]
    expect(
        name + ': links lead somewhere',
        len(ids) == len(set(ids)) and set(targets) <= set(ids),
        targets,
    )
    markup = re.sub(
        r'<code>.*?</code>|<style>.*?</style>|<script>.*?</script>', '', text, flags=re.S
    )
    expect(
        name + ': nothing from elsewhere',
        not LINKS.search(re.sub(r'>[^<]*<', '><', markup)),
        LINKS.search(markup),
    )


def words_of(node):
    """The text in an element."""
    if node.nodeType == node.TEXT_NODE:
        return node.data
    return ''.join(words_of(child) for child in node.childNodes)


def numbers_of_picture(svg):
    return {e.getAttribute('data-is'): words_of(e) for e in svg.getElementsByTagName('tspan')}


def expected_numbers(kernel, array):
    """What the picture of an array has to say, by --explain=json."""
    shown = lambda number: '?' if number is None else str(number)
    numbers = {}
    for name in ('grid', 'block'):
        sizes = kernel[name] or [None] * 3
        for axis in range(2 if sizes[2] == 1 else 3):
            numbers['%s-%d' % (name, axis)] = shown(sizes[axis])
    for d, dim in enumerate(array['dims']):
        if d < len(array['dims']) - 3:
            continue
        numbers['size-%d' % d] = shown(dim['size'])
        if dim['extent']:
            numbers['extent-%d' % d] = shown(dim['extent'])
        if dim['halo'] and any(dim['halo']):
            numbers['front-%d' % d], numbers['behind-%d' % d] = map(str, dim['halo'])
    copies = [d['copy'] for d in kernel['decisions'] if d['copy'] and d['array'] == array['name']]
    for d, size in enumerate(copies[0] if copies else []):
        numbers['copy-%d' % d] = shown(size)
    return numbers


def check_numbers(name, page, found):
    document, data = xml.dom.minidom.parseString(page), json.loads(found)
    pictures = {e.getAttribute('data-array'): e for e in document.getElementsByTagName('svg')}
    wanted, times = {}, []
    for k, kernel in enumerate(data['kernels'], 1):
        for i, array in enumerate(kernel['arrays']):
            if array['dims']:
                wanted['%d-%d' % (k, i)] = expected_numbers(kernel, array)
        times += [p['predicted_ms'] for p in kernel['plans'] if p['predicted_ms']]
        times += [m['ms'] for m in kernel['measured'] if m['ms'] > 0]
    seen = {key: numbers_of_picture(svg) for key, svg in pictures.items()}
    expect(name + ': pictures have the numbers of the JSON', seen == wanted, (seen, wanted))
    bars = [
        float(e.getAttribute('data-ms'))
        for e in document.getElementsByTagName('div')
        if e.hasAttribute('data-ms') and not e.hasAttribute('data-is')
    ]
    close = len(bars) == len(times) and all(
        abs(a - b) <= 1e-5 * b for a, b in zip(sorted(bars), sorted(times))
    )
    expect(name + ': bars have the times of the JSON', close, (bars, times))


def check_source(name, page, path):
    """The page has each line of the source, as it is."""
    lines = open(path, 'rb').read().decode(errors='replace').split('\n')
    document = xml.dom.minidom.parseString(page)
    shown = {
        e.getAttribute('id'): words_of(e.childNodes[0]) if e.childNodes else ''
        for e in document.getElementsByTagName('li')
        if e.getAttribute('id').startswith('line-')
    }
    plain = lambda text: re.sub('[^\t -~]', '', text.rstrip('\r'))
    wrong = [
        number
        for number, line in enumerate(lines, 1)
        if plain(line) != plain(shown.get('line-%d' % number, ''))
    ]
    expect(name + ': the page has the source', not wrong, wrong)


WIDTHS = (1000, 1400, 1920)
PROBE = b"""<script>document.title = 'W' + (document.documentElement.scrollWidth -
document.documentElement.clientWidth);</script></body>"""


def check_in_browser(name, page):
    browser = shutil.which('chromium')
    if not browser:
        return
    open('probe.html', 'wb').write(page.replace(b'</body>', PROBE))
    for width in WIDTHS:
        done = subprocess.run(
            [browser, '--headless=new', '--no-sandbox', '--disable-gpu', '--dump-dom']
            + ['--user-data-dir=' + os.path.abspath('browser'), '--window-size=%d,900' % width]
            + ['file://' + os.path.abspath('probe.html')],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=wall(120),
        )
        beyond = re.search(rb'<title>W(-?\d+)<', done.stdout)
        expect(
            '%s: no scrolling sideways at %d pixels' % (name, width),
            beyond and int(beyond.group(1)) <= 0,
            beyond and beyond.group(1),
        )


def check_page(path, level):
    """Page and JSON alone."""
    name = '%s -O%d' % (os.path.basename(path), level)
    given = re.search(r'args: (.*)', open(path, errors='replace').readline())
    args = given.group(1).replace('*/', '').split() if given else []
    base = [a for a in args if not a.startswith('-O')]
    base += ['-O%d' % level, '-arch=sm_90', '-I', os.path.dirname(path), '-o', os.devnull, path]
    page, data = [mesicc('--explain=' + f, '--explain-file=-', *base)[1] for f in ('html', 'json')]
    if not data:
        return
    check_html(name, page)
    check_numbers(name, page, data)


def check_program(path, level):
    name = '%s -O%d' % (os.path.basename(path), level)
    where = os.path.dirname(path)
    base = ['-O%d' % level, '-I', where, '-o', '-', path]
    plain = mesicc(*base)
    expect(name + ': translates', plain[0] == 0, plain[2])
    for form in ('text', 'json', 'html'):
        first = mesicc('--explain=' + form, '--explain-file=out', *base)
        found = open('out', 'rb').read() if first[0] == 0 else b''
        expect(
            '%s: output is the same with --explain=%s' % (name, form),
            first[0] == 0 and first[1] == plain[1],
            first[2],
        )
        mesicc('--explain=' + form, '--explain-file=out', *base)
        expect(
            '%s: --explain=%s is the same from run to run' % (name, form),
            found and open('out', 'rb').read() == found,
        )
        if form == 'json':
            check_json(name, found, level)
            data = found
        if form == 'html':
            check_html(name, found)
            check_numbers(name, found, data)
            check_source(name, found, path)
            if level == 2:
                check_in_browser(name, found)


def check_json(name, found, level):
    try:
        data = json.loads(found)
    except ValueError as error:
        return expect(name + ': JSON is valid', False, error)
    expect(
        name + ': JSON says what it is',
        data['version'] == 1 and data['level'] == level and data['kernels'],
        data.keys(),
    )
    for kernel in data['kernels']:
        what = '%s: %s' % (name, kernel['name'])
        decided = {d['array'] for d in kernel['decisions']}
        whole = None in decided or any(launch['decisions'] for launch in kernel['launches'])
        for array in kernel['arrays']:
            expect(
                '%s: %s has a range or a reason' % (what, array['name']),
                (array['range'] is None) != (array['why_no_range'] is None),
                array,
            )
            expect(
                '%s: %s has a decision' % (what, array['name']),
                level == 0 or array['name'] in decided or whole,
                decided,
            )
        expect(
            what + ': one plan is taken at most',
            sum(p['taken'] for p in kernel['plans']) <= 1,
            kernel['plans'],
        )
        expect(
            what + ': declined with a reason',
            all(d['taken'] or d['why'] for d in kernel['decisions']),
            kernel['decisions'],
        )


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    open('<odd&\'">.mcu', 'wb').write(ODD)
    for path in options.programs or [os.path.join(ROOT, s) for s in SAMPLES]:
        for level in (0, 1, 2, 3):
            check_program(os.path.abspath(path), level)
    check_program(os.path.abspath('<odd&\'">.mcu'), 2)
    open('none.mcu', 'w').write('__global__ int a[4];\nint main() { return a[0]; }\n')
    page = mesicc('--explain=html', '--explain-file=-', '-o', 'x.cu', 'none.mcu')[1]
    check_html('a unit without a kernel', page)
    expect('a unit without a kernel says so', b'No kernel is launched' in page, page[:300])
    every = os.path.join(ROOT, 'testsuite', 'conformance', '*.*cu')
    for path in sorted(glob.glob(every))[:: options.every] if options.every else []:
        for level in (1, 2, 3):
            check_page(path, level)
    page = mesicc('--explain=html', '--explain-file=-', '-o', 'x.cu', '<odd&\'">.mcu')[1].decode()
    expect(
        'names are escaped',
        '&lt;odd&amp;' in page and '<odd' not in page and 'outer::pair&lt;float&gt;' in page,
        page[:300],
    )

    open('p.mcu', 'wb').write(
        b'__global__ int a[64];\n__global__ void k() { a[threadIdx.x] = 1; }\nint main() { k<<<1,'
        b' 64>>>(); return a[3] - 1; }\n'
    )
    result = mesicc('--explain', 'p.mcu')
    expect(
        'text goes to standard error',
        result[0] == 0 and "kernel 'k'" in result[2] and os.path.exists('p.cu') and not result[1],
        result,
    )
    mesicc('--explain=json', 'p.mcu')
    mesicc('--explain=html', '-o', 'other.cu', 'p.mcu')
    expect(
        'files stand beside the output',
        os.path.exists('p.explain.json') and os.path.exists('other.explain.html'),
        os.listdir('.'),
    )
    result = mesicc('run', '--target=cpu', '--explain=html', 'p.mcu')
    expect('run --explain', result[0] == 0 and os.path.exists('p.explain.html'), result)
    result = mesicc('compare', '--target=cpu', '--levels=0,2', '--explain', 'p.mcu')
    expect(
        'compare --explain shows measured times',
        result[0] == 0
        and b'results agree' in result[1]
        and all('measured on the CPU backend: -O%d takes' % level in result[2] for level in (0, 2)),
        result,
    )
    result = mesicc('--explain=pdf', 'p.mcu')
    expect('a form that there is not', result[0] == 1 and 'M1001' in result[2], result)
    result = mesicc('--explain-file=/nowhere/x', 'p.mcu')
    expect('a file that cannot be written', result[0] == 1 and 'M1003' in result[2], result)
finish()
# SPDX-License-Identifier: MIT
