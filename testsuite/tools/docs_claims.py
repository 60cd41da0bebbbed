# SPDX-License-Identifier: MIT
"""What documents say of tables: numbers in prose are those of the table that they name, figures
have the numbers of the section that they are from, and docs/papers.md agrees with the tree.

A claim is a sentence with {} for its numbers, the section with the table (page#anchor), and what of
the table they are. On another page the claim's paragraph has a link to the section, or the claim's
row a place that is the page. usage: docs_claims.py      Last line: N passed, N failed."""
import collections, glob, json, math, os, re

from harness import ROOT, finish, report

CACHE = 'docs/performance.md#the-explicit-cache-of-the-paper'
BENCH = 'docs/performance.md#samplesbench'
MPF = 'docs/performance-samples.md#mpf'
BINS = 'docs/performance-samples.md#samples-over-bins'
TRANSFERS = 'docs/performance.md#transfers'
BLAS2 = 'samples/blas2/README.md#measured'
NUMBER = r'(-?\d+(?:\.\d+)?)'
PAPERS = 'docs/papers.md'
STATES = ('done', 'partial', 'missing')

# What says how fast something is; in READMEs each such sentence is a claim.
SPEED = re.compile(r'\d times as (?:fast|long)|times as fast as -O|mean gain|\d TB/s')

Claim = collections.namedtuple('Claim', 'page text table values')


def read(path):
    with open(os.path.join(ROOT, path), encoding='utf-8') as file:
        return file.read()


class Table:
    """A table of a page: its headers, and its rows as lists of text."""

    def __init__(self, lines):
        rows = [[cell.strip() for cell in line.strip('|').split('|')] for line in lines]
        self.headers, self.rows = rows[0], rows[2:]

    def column(self, name, keep=lambda row: True):
        """The first number of each cell of a column, where there is one."""
        at = name if isinstance(name, int) else self.headers.index(name)
        found = [re.search(NUMBER, row[at]) for row in self.rows if len(row) > at and keep(row)]
        return [float(f.group(1)) for f in found if f]

    def cells(self, first):
        """All numbers of the row that begins so."""
        row = next(row for row in self.rows if row[0].startswith(first))
        return [float(n) for n in re.findall(NUMBER, ' '.join(row[1:]))]


def anchor_of(title):
    title = re.sub(r'\[([^\]]*)\]\([^)]*\)', r'\1', title).strip().lower()
    return re.sub(r'[^\w\- ]', '', title).replace(' ', '-')


def section(place):
    """The text of a section up to the next heading of its level or above."""
    page, _, anchor = place.partition('#')
    text, found, level = [], False, 0
    for line in read(page).split('\n'):
        heading = re.match(r'(#+) (.+)', line)
        if heading and found and len(heading.group(1)) <= level:
            break
        if heading and anchor_of(heading.group(2)) == anchor:
            found, level = True, len(heading.group(1))
        if found or not anchor:
            text.append(line)
    return '\n'.join(text)


def tables_of(place):
    runs = re.findall(r'(?:^\|.*\n)+', section(place) + '\n', re.M)
    return [Table(run.strip().split('\n')) for run in runs]


def mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def ratio(at):
    return lambda t: [min(t[at].column('ratio')), max(t[at].column('ratio'))]


def rows_of(at, name, *words):
    """A column of the rows whose first cell has one of the words."""
    return lambda t: t[at].column(name, lambda row: any(w in row[0] for w in words))


def short(row):
    return not (row[0].startswith('gemm') or 'M=1 ' in row[0] or 'M=16 ' in row[0])


def gains(t):
    return mean(t[0].column('gain', short))


CLAIMS = [
    Claim(
        'README.md',
        'The mean gain over {} benchmarks is {}.',
        BENCH,
        lambda t: [len(t[0].column('gain', short)), gains(t)],
    ),
    Claim(
        'docs/performance.md',
        'Geometric means over -O0: {}, and {} without the six benchmarks',
        BENCH,
        lambda t: [mean(t[0].column('gain')), gains(t)],
    ),
    Claim(
        'docs/performance.md',
        'Of the fastest peers: {}, and',
        BENCH,
        lambda t: [mean(t[0].column('of peer'))],
    ),
    Claim(
        'docs/performance.md',
        'The ratio at S_b = 128 is {};',
        CACHE,
        lambda t: t[0].column('ratio', lambda row: row[0] == '128'),
    ),
    Claim('samples/matmul/README.md', 'this is {} to {} times as fast as -O0', CACHE, ratio(0)),
    Claim('samples/dif/README.md', '-O1 is {} to {} times as fast as -O0', CACHE, ratio(1)),
    Claim(
        'samples/ep/README.md',
        '-O1 is {} to {} times as fast as -O0 there, and {} to {} times ' 'from {} threads on',
        CACHE,
        lambda t: sorted(t[2].column('ratio')[:2]) + sorted(t[2].column('ratio')[2:])[::2] + [128],
    ),
    Claim(
        'docs/inside/measurements.md',
        'is slower staged in eight of ten cells ({} to {},',
        CACHE,
        ratio(1),
    ),
    Claim(
        'samples/blas2/README.md',
        "At n = {} the triangle's half of the matrix is read with {} " 'TB/s',
        BLAS2,
        lambda t: [t[0].column('n')[-1], 16384**2 * 2 / t[0].column('symv U, float')[-1] * 1e-6],
    ),
    Claim(
        'docs/performance-samples.md',
        'Over one core of plain C, -O2 reaches {} at its peak ' '(linear) and {} (log)',
        MPF,
        lambda t: [t[1].cells('one core')[i] for i in (0, 4)],
    ),
    Claim(PAPERS, 'H200: {} to {}; four GPUs', CACHE, ratio(0)),
    Claim(PAPERS, 'H200: {} to {}; published 1.44', CACHE, ratio(1)),
    Claim(PAPERS, 'H200: {} to {}; published 0.82', CACHE, ratio(2)),
    Claim(
        PAPERS,
        'linear {} and {}, log {} and {} (52',
        MPF,
        lambda t: [t[1].cells('one core')[i] for i in (0, 1, 4, 5)],
    ),
    Claim(
        PAPERS,
        'by hand {} and without {} of -O2',
        MPF,
        lambda t: [t[0].cells(row)[at] for row, at in (('by hand (', 0), ('by hand, w', 0))],
    ),
    Claim(PAPERS, '{} of three streams by hand', TRANSFERS, lambda t: t[0].cells('by hand')[1:2]),
    Claim(
        PAPERS,
        'gridding {}, blob {}, nbody {}',
        BINS,
        rows_of(1, 'ratio', 'gridding', 'blob random', 'nbody'),
    ),
    Claim(
        PAPERS,
        '{} and {} up to 4500, {} and {} above ([blas2]',
        BLAS2,
        lambda t: [
            t[1].cells(row)[at]
            for row, at in (('n up', 0), ('n up', 2), ('above', 0), ('above', 2))
        ],
    ),
]


def plain(text):
    return re.sub(r'\s+', ' ', text)


def paragraph_of(page, words):
    """The paragraph, or row of a table, with the words; None: there is none."""
    for part in re.split(r'\n\s*\n|\n(?=\|)', read(page)):
        found = words.search(plain(part))
        if found:
            return plain(part), found
    return None, None


def fault_of(claim):
    pattern = re.compile(NUMBER.join(re.escape(part) for part in claim.text.split('{}')))
    paragraph, found = paragraph_of(claim.page, pattern)
    if not found:
        return 'is not there any more'
    values = claim.values(tables_of(claim.table))
    said = found.groups()
    if len(values) != len(said):
        return 'has %d numbers, its table gives %s' % (len(said), values)
    for text, value in zip(said, values):
        digits = len(text.partition('.')[2])
        if abs(float(text) - value) > 0.5001 * 10**-digits:
            return 'says %s, the table %s' % (text, value)
    page, _, anchor = claim.table.partition('#')
    linked = os.path.basename(page) + '#' + anchor
    if claim.page not in (page, PAPERS) and linked not in paragraph:
        return 'names no table: no link to ' + claim.table
    return None


def test_claims():
    for claim in CLAIMS:
        report('%s: "%s"' % (claim.page, claim.text), fault_of(claim))
    for page in ['README.md'] + sorted(glob.glob('samples/*/README.md', root_dir=ROOT)):
        known = [
            re.compile(NUMBER.join(map(re.escape, c.text.split('{}'))))
            for c in CLAIMS
            if c.page == page
        ]
        text = plain(re.sub(r'^```.*?^```$|^\|.*$', '', read(page), flags=re.M | re.S))
        for sentence in re.split(r'(?<=[.:;]) ', text):
            if SPEED.search(sentence) and not any(
                k.search(text)
                and k.search(text[max(0, text.find(sentence) - 200) : text.find(sentence) + 400])
                for k in known
            ):
                report('%s: "%s"' % (page, sentence), 'is a claim without a table')


def numbers_in(text):
    return {float(n) for n in re.findall(NUMBER, text)}


def values_of(place):
    """Published values: of the JSON files of samples/figures."""
    found = set()
    for path in glob.glob(os.path.join(ROOT, place, '*.json')):
        found |= numbers_in(open(path).read())
    return found


def test_figures():
    published = values_of('samples/figures/published')
    for path in sorted(glob.glob(os.path.join(ROOT, 'docs', 'figures', '*.json'))):
        figure, name = json.load(open(path)), os.path.relpath(path, ROOT)
        if figure.get('measured_by'):  # written by samples/figures, not taken from a page
            continue
        text = section(figure['from'])
        report(name, None if text else 'is from %s, which is not there' % figure['from'])
        known = numbers_in(text)
        for series in figure['series'] if figure['kind'] != 'roofline' else []:
            of = published if 'the paper' in series['name'] else known
            strange = [y for y in series['y'] if y not in of]
            report(
                '%s: %s' % (name, series['name']),
                '%s stand not in %s' % (strange, figure['from']) if strange else None,
            )


def test_papers():
    text, total = read(PAPERS), [0, 0, 0]
    counts = {row[0]: row[1:] for row in tables_of(PAPERS + '#the-papers-item-by-item')[0].rows}
    for title in re.findall(r'^## (.+)$', text, re.M):
        rows = tables_of(PAPERS + '#' + anchor_of(title))[0].rows
        for row in rows:
            what = '%s: %s' % (PAPERS, row[0])
            places = re.findall(r'`([^`]+)`', row[1]) if len(row) == 4 else []
            gone = [place for place in places if not os.path.exists(os.path.join(ROOT, place))]
            report(what, None if places and not gone else 'places %s are not there' % gone)
            report(what, None if len(row) == 4 and row[2] in STATES and row[3] else 'no state')
        found = [sum(row[2] == state for row in rows) for state in STATES]
        total = [a + b for a, b in zip(total, found)]
        said = next(value for key, value in counts.items() if '#' + anchor_of(title) in key)
        report(title, None if said == list(map(str, found)) else 'there are %s rows' % found)
    report('all', None if counts['all'] == list(map(str, total)) else 'there are %s' % total)


def test():
    test_claims()
    test_figures()
    test_papers()


if __name__ == '__main__':
    test()
    finish()
