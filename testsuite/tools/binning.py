#!/usr/bin/env python3
"""The samples over bins (cutcp, gridding, blob, nbody): every form of bins against the reference at
all levels, figures at a small size, files, wrong words. --all: also the paper's smaller data sets.
Last line: N passed, N failed."""
import argparse, concurrent.futures, glob, os, re, sys, tempfile

from harness import ROOT, finish, precompiled, report, run

SAMPLES = os.path.join(ROOT, 'samples')
LEVELS = {'cutcp': '0,1,2,3', 'gridding': '0,1,2', 'blob': '0,1,2', 'nbody': '0,1,2'}
SMALL = {'cutcp': 'small', 'gridding': 'small', 'blob': 'large', 'nbody': 'random'}
PQR = '''REMARK two waters
ATOM      1  O   HOH     1      -1.000   2.000   3.000 -0.8340 1.6612
ATOM      2  H1  HOH     1      -0.240   2.590   3.000  0.4170 0.0000
HETATM    3  H2  HOH  A  1      -1.760   2.590   3.000  0.4170 0.0000
ATOM      4  O   HOH     2       6.500   7.250   1.125 -0.8340 1.6612
END
'''

parser = argparse.ArgumentParser()
parser.add_argument('--mesicc', required=True)
parser.add_argument('--all', action='store_true')
options = parser.parse_args()
FAST = precompiled()


def parts(name):
    folder = os.path.join(SAMPLES, name)
    files = [os.path.join(folder, name + '.mcu'), os.path.join(folder, name + '.c')] + sorted(
        glob.glob(SAMPLES + '/binning/*.c')
    )
    return (
        ['-I', folder, '-I', SAMPLES + '/binning', '-I', SAMPLES + '/mpf']
        + files
        + [SAMPLES + '/mpf/words.c', SAMPLES + '/mpf/crew.c']
    )


def compare(name, folder):
    status, out, err = run(
        [options.mesicc, 'compare', '--target=cpu', '--levels=' + LEVELS[name], '--keep=' + folder]
        + FAST
        + parts(name)
        + ['--', 'check', '--set', 'tiny']
    )
    return None if status == 0 and 'check: ok' in out and 'results agree' in out else out + err


def statistics(program):
    """Generated sets have the numbers of the paper's tables: the deviation is the nearest one that
    whole elements have, whose sums of squares are 2 apart; the large scan is left out."""
    status, out, err = run([program, 'sets', '--most', '3000000'])
    rows = re.findall(r'^(generated|paper) (.*)', out, re.M)
    pairs = [
        ([float(n) for n in have[1].split()], [float(n) for n in told[1].split()])
        for have, told in zip(rows, rows[1:])
        if told[0] == 'paper'
    ]
    for have, told in pairs:
        step = 1 / (2 * told[5] * told[1])
        digits = 0.005 if told[5] == 6.52 else 0.00001
        if have[:5] != told[:5] or abs(have[5] - told[5]) > step + digits:
            return '%s, the paper has %s' % (have, told)
    return None if status == 0 and pairs else out + err


LATTICE = {
    'gather_ranges': 'strips of segments in shared memory: elements',
    'gather_single': 'strips of segments in shared memory: elements',
    'gather_counted': 'strips of segments in shared memory: elements',
    'gather_padded': 'strips of segments in shared memory: elements',
    'gather_aligned': 'strips of segments in shared memory: elements',
    'gather_vectors': 'strips of segments in shared memory: words',
    'gather_float2': 'strips of segments in shared memory: words',
    'gather_float4': 'strips of segments in shared memory: words',
    'gather_sentinel': 'the range of its dimension 1 in a block has no constant size',
    'gather_pieces': 'strips of segments in shared memory: overflow',
    'add_share': 'now: ',
}
OWN = {
    kernel: 'the threads of a block go through different segments'
    for kernel in LATTICE
    if kernel.startswith('gather')
}
OWN.update(
    {
        'gather_sentinel': 'the range of its dimension 1 in a block has no constant size',
        'gather_float2': 'the index expressions are too complex',
        'gather_float4': 'the index expressions are too complex',
        'gather_pieces': 'tiles: ',
        'add_share': 'now: ',
    }
)


def explained(name):
    """The kernels over bins that all threads of a block go through are staged; those of a thread's
    own bins say why not."""
    status, out, err = run(
        [options.mesicc, '-O2', '--explain', '-o', '/dev/null']
        + parts(name)[:6]
        + [os.path.join(SAMPLES, name, name + '.mcu')]
    )
    kernels = {
        text.split("'")[1]: text
        for text in re.split(r"\n\S+: kernel |^\S+: kernel ", err)
        if text.startswith("'")
    }
    for kernel, wanted in (OWN if name == 'nbody' else LATTICE).items():
        if status or wanted not in kernels.get(kernel, ''):
            return 'status %d, %s not explained: %s\n%s' % (
                status,
                kernel,
                wanted,
                kernels.get(kernel, err)[:1500],
            )
    return None


def surface_problem(path):
    """A surface of triangles, each edge of two of them and in both directions, but for those on the
    border of the lattice."""
    points, edges, last = [], set(), (18, 15, 11)
    for line in open(path):
        words = line.split()
        if words[0] == 'v':
            points.append(tuple(float(word) for word in words[1:]))
            continue
        corners = [int(word) - 1 for word in words[1:]]
        for i in range(3):
            edge = corners[i], corners[(i + 1) % 3]
            if edge in edges:
                return 'edge %d %d twice' % edge
            edges.add(edge)
    border = lambda one, other: any(
        points[one][a] == points[other][a] and points[one][a] in (0, last[a]) for a in range(3)
    )
    open_edges = [edge for edge in edges if edge[::-1] not in edges and not border(*edge)]
    return (
        'no surface'
        if len(edges) < 1000
        else '%d open edges' % len(open_edges)
        if open_edges
        else None
    )


def surfaces(blob, work):
    for ending in ('obj', 'ply'):
        status, out, err = run(
            [
                blob,
                'run',
                '--set',
                'tiny',
                '--depth',
                '2',
                '--write',
                '%s/surface.%s' % (work, ending),
            ]
        )
        report(
            'a surface, ' + ending, None if status == 0 and 'a surface of ' in out else out + err
        )
    report('the surface is closed', surface_problem(work + '/surface.obj'))
    faces = sum(line.startswith('f ') for line in open(work + '/surface.obj'))
    report(
        'both files have it',
        None
        if 'element face %d\n' % faces in open(work + '/surface.ply').read()
        else '%d faces' % faces,
    )


def no_room(blob):
    """More bins than the device has memory for, and no room for outputs."""
    for room, message, wanted in (
        (3000000, 'not enough memory: 4718596 bytes for the counts of 1179648 bins', 2),
        (12000000, 'out of device memory', 70),
    ):
        status, out, err = run([blob, 'run', '--set', 'large'], MESI_CPU_MEMORY=str(room))
        report(
            'memory of %d bytes' % room,
            None if status == wanted and message in err else 'status %d\n%s' % (status, err),
        )


def small_figures(name, program):
    status, out, err = run([program, 'figures', '--set', 'tiny', '--repeats', '1', '--planes', '3'])
    wanted = [
        'figures 2, 4, 25 and 27',
        'figures 23 and 30',
        'figures 31 to 34',
        'the host alone: ',
        'without the host: ',
        'automatic depth ',
        'table 5: regular ',
    ]
    missing = [text for text in wanted if text not in out]
    return (
        None
        if status == 0 and not missing
        else 'status %d, without %s\n%s' % (status, missing, out + err)
    )


def small_steps(program, work):
    """The times of the reduction and of the scan, of a trace."""
    status, out, err = run([program, 'run', '--set', 'tiny'], MESI_TRACE=work + '/trace.json')
    if status:
        return out + err
    status, out, err = run([sys.executable, SAMPLES + '/binning/steps.py', work + '/trace.json'])
    found = re.search(r'^reduction (\S+) ms, scan (\S+) ms$', out, re.M)
    good = found and all(float(time) > 0 for time in found.groups())
    return None if status == 0 and good else out + err


def small_depths(name, program):
    status, out, err = run([program, 'depths', '--set', 'tiny'])
    missing = [
        text
        for text in ('set made', 'compact, ranges', 'automatic depth ', 'all after')
        if text not in out
    ]
    return (
        None
        if status == 0 and not missing
        else 'status %d, without %s\n%s' % (status, missing, out + err)
    )


def moved(nbody):
    """Steps in time keep the energy, and lead back with all velocities reversed."""
    for words, status in (
        (['--set', 'tiny'], 0),
        (['--set', 'tiny', '--steps', '100', '--step', '2e-3'], 0),
        (['--set', 'tiny', '--step', '0.5'], 2),  # too long to keep anything
        (['--set', 'none'], 1),
        (['--set', 'tiny', '--steps', '0'], 1),
    ):
        got, out, err = run([nbody, 'steps'] + words)
        good = got == status and ('check: ok' in out) == (status == 0)
        report('nbody steps ' + ' '.join(words), None if good else out + err)


def files(cutcp, blob, work):
    """A .pqr file is read, and a potential written; wrong ones are told."""
    with open(work + '/waters.pqr', 'w') as file:
        file.write(PQR)
    status, out, err = run([cutcp, 'run', work + '/waters.pqr', '--write', work + '/waters.dx'])
    text = open(work + '/waters.dx').read() if status == 0 else ''
    good = (
        '4 atoms' in out and 'origin -1.76 2 1.125' in text and re.search(r'counts 24 16 8\n', text)
    )
    report('a .pqr file', None if good else out + err + text[:200])
    for what, line, message in (
        ('short', 'ATOM 1 O HOH\n', ':6: an atom without'),
        ('words', 'ATOM 1 O HOH 1 a b c d e\n', ':6: an atom without'),
        ('nan', 'ATOM 1 O HOH 1 nan 0 0 1 1\n', 'not a number'),
        ('far', 'ATOM 1 O HOH 1 9e9 0 0 1 1\n', 'lies outside'),
        ('spread', 'ATOM 1 O HOH 1 90000 90000 90000 1 1\n', 'edges of 4, 4 and 4 are too short'),
        ('wide', 'ATOM 1 O HOH 1 4000 4000 4000 1 1\n', 'outputs are more than kernels can number'),
    ):
        with open(work + '/wrong.pqr', 'w') as file:
            file.write(PQR.replace('END', line + 'END'))
        status, out, err = run([cutcp, 'run', work + '/wrong.pqr'])
        report(
            'a .pqr file, ' + what,
            None if status == 2 and message in err else 'status %d\n%s' % (status, out + err),
        )
    for what, text in (('no atoms', 'REMARK\n'), ('no file', None)):
        if text:
            open(work + '/empty.pqr', 'w').write(text)
        status, out, err = run([cutcp, 'run', work + ('/empty.pqr' if text else '/none.pqr')])
        report(
            'a .pqr file, ' + what,
            None if status == 2 and err else 'status %d\n%s' % (status, out + err),
        )
    status, out, err = run(
        [blob, 'run', '--set', 'tiny', '--depth', '2', '--write', work + '/slice.pgm']
    )
    image = open(work + '/slice.pgm', 'rb').read() if status == 0 else b''
    report(
        'a slice',
        None
        if image[:13] == b'P5\n19 16\n255\n'
        and len(image) == 13 + 19 * 16
        and max(image[13:]) == 255
        else out + err,
    )


def misaligned():
    """Figures 13 and 14: every element of the bins is read once, whatever their shift."""
    path = SAMPLES + '/binning/misaligned.mcu'
    for level in (0, 2):
        words = [options.mesicc, 'run', '--target=cpu', '-O%d' % level] + FAST + [path]
        status, out, err = run(words + ['--', '100', '1'])
        lines = out.count('\nfigure 13 | float'), out.count('\nfigure 14 | float')
        good = status == 0 and 'check: ok' in out and lines == (15, 15)
        report('misaligned at -O%d' % level, None if good else out + err)


def scanned(program, work):
    """The image of the phantom that a scan is of."""
    status, out, err = run(
        [program, 'run', '--set', 'phantom', '--depth', '1000', '--image', work + '/scan.pgm']
    )
    found = re.search(r"correlation with the phantom's (\S+), brightness (\S+) of it", out)
    alike, bright = map(float, found.groups()) if found else (0, 0)
    size = os.path.getsize(work + '/scan.pgm') if found else 0
    good = status == 0 and alike > 0.99 and 0.97 < bright < 1.03 and size == 13 + 24 * 24
    report('the image of a scan', None if good else out + err)


def wrong_words(program, name):
    for words in (
        ['frobnicate'],
        ['check', '--set', 'none'],
        ['figures', '--repeats', 'x'],
        ['check', '--what', '3'],
        ['run', 'a', 'b'],
        ['run', 'file'],
    ):
        status, out, err = run([program] + words)
        report(
            '%s %s' % (name, ' '.join(words)),
            None if status == 1 and err and not out else 'status %d\n%s%s' % (status, out, err),
        )


with tempfile.TemporaryDirectory() as work, concurrent.futures.ThreadPoolExecutor(2) as pool:
    names = sorted(LEVELS)
    for name, problem in zip(
        names, pool.map(lambda name: compare(name, os.path.join(work, name)), names)
    ):
        report(name, problem)
    programs = {name: '%s/%s/program_O2' % (work, name) for name in names}
    for name in names:
        report('--explain of ' + name, explained(name))
        report('sets of ' + name, statistics(programs[name]))
        report('figures of ' + name, small_figures(name, programs[name]))
        report('depths of ' + name, small_depths(name, programs[name]))
        if options.all:
            status, out, err = run([programs[name], 'check', '--set', SMALL[name]])
            report(
                '%s, %s' % (name, SMALL[name]),
                None if status == 0 and 'check: ok' in out else out + err,
            )
    report('steps of making bins', small_steps(programs['cutcp'], work))
    files(programs['cutcp'], programs['blob'], work)
    surfaces(programs['blob'], work)
    scanned(programs['gridding'], work)
    misaligned()
    no_room(programs['blob'])
    status, out, err = run([programs['nbody'], 'run', '--set', 'tiny', '--depth', '9', '--alone'])
    report(
        'pieces of bins at elements',
        None if status == 0 and 'bodies in pieces' in out else out + err,
    )
    wrong_words(programs['nbody'], 'nbody')
    moved(programs['nbody'])
    status, out, err = run(
        [options.mesicc, 'run', '--target=cpu', '-O0', '-DCUTOFF=0.0f']
        + parts('cutcp')
        + ['--', 'run', '--set', 'tiny']
    )
    report('no cutoff', None if status == 2 and 'the cutoff is 0' in err else out + err)
finish()
# SPDX-License-Identifier: MIT
