#!/usr/bin/env python3
"""The MPF sample: its checks at all levels and schedules of the CPU backend and with double, small
networks with known answers and bad ones (testsuite/mpf), random networks against brute force, and
the networks of ../shared/data where that folder is.
Last line: N passed, N failed."""
import argparse, concurrent.futures, glob, gzip, itertools, math, os, random, re, tempfile

from harness import ROOT, finish, precompiled, report, run

SAMPLE = os.path.join(ROOT, 'samples/mpf')
JUNCTION = os.path.join(ROOT, 'samples/junction')
FILES = (
    [os.path.join(SAMPLE, 'mpf.mcu')]
    + sorted(glob.glob(SAMPLE + '/*.c'))
    + sorted(glob.glob(JUNCTION + '/*.c'))
)
FOLDERS = ['-lz', '-I', SAMPLE, '-I', JUNCTION]
KNOWN = {  # of ../shared/data: log10 of the partition function
    'uai/Pedigree_11.uai': -17.2155,
    'uai/Pedigree_12.uai': -11.4554,
    'uai/Grids_11.uai': 169.408,
    'uai/Promedus_11.uai': -8.39145,
    'uai/DBN_11.uai': 58.5307,
    'uai/CSP_11.uai': 13.563,
    'bif/alarm.bif.gz': 0,
    'bif/link.bif.gz': 0,
    'bif/munin.bif.gz': 0,
    'bif/pigs.bif.gz': 0,
    'uai/linkage_24.uai': -83.7331,
    'uai/linkage_21.uai': -29.6304,
    'uai/linkage_16.uai': -38.5556,
    'uai/linkage_14.uai': -30.7614,
    'uai/linkage_22.uai': -54.2777,
    'uai/linkage_18.uai': -78.5222,
    'uai/linkage_11.uai': -31.1776,
}
LARGE = ['uai/CSP_11.uai'] + [
    'uai/linkage_%d.uai' % n for n in (24, 21, 16, 14, 22, 18, 11)
]  # seconds to minutes each: with --all
BOTH_WAYS = [
    'bif/alarm.bif.gz',
    'bif/link.bif.gz',
    'bif/pigs.bif.gz',
    'uai/Pedigree_11.uai',
    'uai/DBN_11.uai',
    'uai/Promedus_11.uai',
]
UNDERFLOWS = ['uai/DBN_11.uai']  # in the linear domain with float

parser = argparse.ArgumentParser()
parser.add_argument('--mesicc', required=True)
parser.add_argument('--random', type=int, default=12, help='random networks')
parser.add_argument('--seed', type=int, default=1)
parser.add_argument('--all', action='store_true', help='the large networks too')
parser.add_argument('--data', default=os.path.join(ROOT, '../shared/data'))
options = parser.parse_args()
FAST = precompiled()


def build(work):
    """Programs of all levels, which compare leaves in its folder; with double; with the cache by
    hand."""
    commands = {
        'compare': ['compare', '--target=cpu', '--levels=0,1,2', '--keep=' + work]
        + FAST
        + FOLDERS
        + FILES
        + ['--', 'check', '--keep', '--random', '20'],
        'double': ['run', '--target=cpu', '-DREAL=double', '--keep=' + work + '/double']
        + FAST
        + FOLDERS
        + FILES
        + ['--', 'check', '--random', '20'],
        'the cache by hand': ['run', '--target=cpu', '--keep=' + work + '/hand']
        + FAST
        + FOLDERS
        + [SAMPLE + '/peers/mpf_hand.cu']
        + FILES[1:]
        + ['--', 'check', '--random', '20'],
    }
    for words in ([], ['-DREAD_ONLY'], ['-DREAL=double']):
        commands['peers/mpf_texture.cu ' + ' '.join(words)] = (
            ['run', '--target=cpu']
            + words
            + FAST
            + FOLDERS
            + [SAMPLE + '/peers/mpf_texture.cu']
            + FILES[1:]
            + ['--', 'check', '--random', '20']
        )
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        results = pool.map(lambda words: run([options.mesicc] + words), commands.values())
    for what, (status, out, err) in zip(commands, results):
        agree = what != 'compare' or 'results agree' in out
        report(what, None if status == 0 and agree and 'check: ok' in out else out + err)


def plans(work):
    """Both kernels of buckets stage their segments, and at -O2 8 pages are computed at once: no
    plan of the last kernel of a unit is cut short by the ones before."""
    for level in (1, 2):
        words = ['-O%d' % level, '-arch=sm_90', '-Rmesi', '-o', work + '/plan.cu']
        _, _, err = run([options.mesicc] + words + FOLDERS[1:] + [SAMPLE + '/mpf.mcu'])
        for name in ('mpf_linear', 'mpf_log'):
            wanted = ["'values' is staged in '%s' where it fits" % name]
            if level == 2:
                wanted.append("8 iterations of the loop over 'page' in '%s' run at once" % name)
            lost = [text for text in wanted if text not in err]
            report('plan of %s at -O%d' % (name, level), '\n'.join(lost) or None)


def levels_and_schedules(work):
    for level in (0, 1, 2):
        for schedule in ('forward', 'reverse', 'random:1'):
            status, out, err = run(
                [
                    '%s/program_O%d' % (work, level),
                    'check',
                    '--random',
                    '5',
                    '--max-flop',
                    '5K',
                    '--seed',
                    '2',
                ],
                MESI_SCHEDULE=schedule,
            )
            report(
                '-O%d, %s' % (level, schedule),
                None if status == 0 and 'check: ok' in out else out + err,
            )
    status, out, err = run(
        [
            work + '/program_O2',
            'bench',
            '--random',
            '6',
            '--max-flop',
            '100K',
            '--repeats',
            '1',
            '--list',
            work + '/list',
        ]
    )
    report(
        'bench',
        None
        if status == 0
        and out.count('check: ok') == 2
        and len(open(work + '/list').readlines()) == 12
        else out + err,
    )


def grid_network(side, domain, rng):
    """Pairs of neighbours on a square."""
    at = lambda x, y: y * side + x
    scopes = [[at(x, y), at(x + 1, y)] for y in range(side) for x in range(side - 1)]
    scopes += [[at(x, y), at(x, y + 1)] for y in range(side - 1) for x in range(side)]
    values = lambda: [rng.uniform(0.1, 1) for _ in range(domain**2)]
    return [domain] * side**2, [(scope, values()) for scope in scopes], {0: 1}


def networks_as_benchmarks(program, work):
    """bench FILE...: the histogram has all buckets, and the sum is that of solve."""
    write_network(*grid_network(8, 3, random.Random(1)), work + '/grid')
    files = [work + '/grid.uai', SAMPLE + '/networks/chest.bif']
    words = ['--repeats', '1', '--tries', '5', '--threshold', '300K']
    status, out, err = run([program, 'bench'] + files + words)
    parts = re.split(r'^network (\S+) (\S+) (.*)\n', out, flags=re.M)
    seen = []
    for text, name, domain, numbers in zip(*(parts[at::4] for at in range(4))):
        path = dict(zip(('grid', 'chest'), files))[name]
        decades = [row.split() for row in re.findall(r'^ +1e\d.*', text, re.M)]
        buckets, shapes, flop, kernels, core, cores, small, above, _, _ = map(
            float, numbers.split()
        )
        solved = re.search(r'log10 Z (\S+)', solve(program, path, '--log')[1]).group(1)
        good = (
            buckets == sum(int(row[1]) for row in decades)
            and shapes == sum(int(row[2]) for row in decades)
            and math.isclose(flop, sum(float(row[3]) for row in decades), rel_tol=1e-3)
            and min(kernels, core, cores) > 0
            and (small < 100 and above > 0 if name == 'grid' else small == 100 and above == 0)
            and same(re.search(r'log10 Z (\S+),', text).group(1), solved)
        )
        report('bench %s, %s' % (name, domain), None if good else out + err)
        seen.append((name, domain))
    wanted = [(name, domain) for name in ('grid', 'chest') for domain in ('linear', 'log')]
    report('bench of networks', None if status == 0 and seen == wanted else out + err)
    status, out, err = run([program, 'bench', '--log', '/nowhere/net.uai'])
    report('bench of no file', None if status == 1 and 'No such file' in err else out + err)


def sweeps(work):
    """Sizes of the cache, pages, unrolling and overheads: with the cache by hand, which all can be
    chosen of, and by the translator."""
    for program, rows in (('hand/program_O2', 11 + 11 + 6 + 4), ('program_O2', 1 + 11 + 1 + 4)):
        status, out, err = run(
            [work + '/' + program, 'sweep', '--max-flop', '1M', '--copy', '2M', '--repeats', '1']
        )
        lines = [line for line in out.splitlines() if re.match(r' *([0-9.e+]+|compiler) ', line)]
        good = (
            status == 0 and len(lines) == 2 * rows and out.count('figure') == 8 and 'nan' not in out
        )
        report('sweep of %s' % program, None if good else '%d lines\n%s%s' % (len(lines), out, err))


def solve(program, path, *words):
    evidence = [p for p in (path + '.evid', path.rsplit('.', 1)[0] + '.evid') if os.path.exists(p)]
    return run(
        [program, 'solve', path, '--quiet']
        + list(words)
        + ['--order', 'random:20']
        + (['--evidence', evidence[0]] if evidence else [])
    )


def same(have, wanted):
    """Words equal, numbers up to rounding."""
    have, wanted = have.split(), wanted.split()
    for a, b in zip(have, wanted):
        try:
            if abs(float(a) - float(b)) > 2e-6 * max(1, abs(float(b))):
                return False
        except ValueError:
            if a != b:
                return False
    return len(have) == len(wanted)


def small_networks(program):
    for expect in sorted(glob.glob(ROOT + '/testsuite/mpf/*.expect')):
        path = [p for p in (expect[:-7] + '.uai', expect[:-7] + '.bif') if os.path.exists(p)][0]
        wanted = open(expect).read()
        for domain, way in itertools.product(('--log', '--linear'), ('tree', 'buckets')):
            status, out, err = solve(program, path, domain, '--marginals', '--by', way)
            if wanted.startswith('error: '):
                good = status == 1 and wanted[7:].strip() in err and not out
            else:
                good = status == 0 and same(out, wanted)
            report(
                '%s %s %s' % (os.path.basename(path), domain, way),
                None if good else 'status %d\n%s%s' % (status, out, err),
            )


def zipped_networks(program):
    """A network that is gzipped, in two members too; one that is cut, one that is damaged."""
    text = open(ROOT + '/testsuite/mpf/chain.uai', 'rb').read()
    wanted = open(ROOT + '/testsuite/mpf/chain.expect').read()
    whole = gzip.compress(text)
    damaged = whole[:-6] + bytes(6)
    with tempfile.TemporaryDirectory() as work:
        path = os.path.join(work, 'chain.uai.gz')
        for what, data, good in [
            ('whole', whole, True),
            ('in two members', gzip.compress(text[:40]) + gzip.compress(text[40:]), True),
            ('cut', whole[: len(whole) // 2], False),
            ('damaged', damaged, False),
        ]:
            with open(path, 'wb') as out:
                out.write(data)
            status, out, err = solve(program, path, '--log', '--marginals', '--by', 'tree')
            fine = same(out, wanted) if good else status == 1 and 'is damaged' in err
            report('gzip, ' + what, None if fine else 'status %d\n%s%s' % (status, out, err))


def bad_words(program):
    network = ROOT + '/testsuite/mpf/chain.uai'
    for words, text in [
        (['solve'], 'needs a network'),
        (['solve', '/nowhere/net.uai'], 'No such file'),
        (['solve', network, network], 'unknown word'),
        (['solve', network, '--frobnicate'], '--frobnicate'),
        (['solve', network, '--log', '--linear'], 'exclude each other'),
        (['solve', network, '--order', 'best'], '--order is'),
        (['solve', network, '--order', 'random:0'], 'number of tries'),
        (['solve', network, '--order', 'random:x'], 'number of tries'),
        (['solve', network, '--memory', '3X'], 'no number'),
        (['solve', network, '--memory'], 'requires an argument'),
        (['solve', network, '--evidence', '/nowhere/e'], 'No such file'),
        (['solve', network, '--by', 'hand'], '--by is'),
        (['solve', network, '--memory', '8'], 'does not fit'),
        (['frobnicate'], 'mpf solve'),
        (['bench', '--random', '1', '--list', '/nowhere/list'], 'cannot be written'),
        (['check', 'now'], "unknown word 'now'"),
        (['core', '--sizes', '64,x'], "bad word '64,x'"),
        (['core', '--repeats', '0'], 'bad word'),
        (['sweep', '--max-flop', '10'], 'bad option'),
    ]:
        status, out, err = run([program] + words)
        report(
            ' '.join(words),
            None
            if status == 1 and text in err and not out
            else 'status %d\n%s%s' % (status, out, err),
        )


def random_network(rng):
    count = rng.randint(1, 7)
    domains = [rng.choice([1, 2, 2, 3, 4]) for _ in range(count)]
    functions = []
    for _ in range(rng.randint(1, 9)):
        scope = rng.sample(range(count), rng.randint(0, min(4, count)))
        size = math.prod(domains[v] for v in scope)
        functions.append(
            (
                scope,
                [
                    rng.choice([0, 1, 1, 1]) * rng.random() * 10 ** rng.uniform(-3, 2)
                    for _ in range(size)
                ],
            )
        )
    evidence = {v: rng.randrange(domains[v]) for v in range(count) if rng.random() < 0.2}
    return domains, functions, evidence


def write_network(domains, functions, evidence, stem):
    with open(stem + '.uai', 'w') as file:
        print(
            'MARKOV\n%d\n%s\n%d' % (len(domains), ' '.join(map(str, domains)), len(functions)),
            file=file,
        )
        for scope, _ in functions:
            print(len(scope), *scope, file=file)
        for _, values in functions:
            print('%d\n%s' % (len(values), ' '.join('%.17g' % x for x in values)), file=file)
    with open(stem + '.evid', 'w') as file:
        print(len(evidence), *['%d %d' % item for item in evidence.items()], file=file)


def brute_force(domains, functions, evidence):
    total, marginals = 0, [[0] * d for d in domains]
    for values in itertools.product(*map(range, domains)):
        if any(values[v] != x for v, x in evidence.items()):
            continue
        product = 1
        for scope, table in functions:
            at = 0
            for v in scope:
                at = at * domains[v] + values[v]
            product *= table[at]
        total += product
        for v, x in enumerate(values):
            marginals[v][x] += product
    return total, marginals


def expected(domains, evidence, total, marginals):
    lines = [
        '%d %s'
        % (
            v,
            ' '.join('%.9g' % (x / total) for x in marginals[v])
            if domains[v] > 1 and v not in evidence
            else '1',
        )
        for v in range(len(domains))
    ]
    return '\n'.join(lines + ['log10 Z %.9g' % math.log10(total)])


def random_networks(program, work):
    """Each on the CPU, all on the device, and with a memory limit that makes conditions
    necessary."""
    rng = random.Random(options.seed)
    for number in range(options.random):
        network = random_network(rng)
        total, marginals = brute_force(*network)
        write_network(*network, work + '/random')
        for words in itertools.product(
            ('--log', '--linear'),
            (
                [],
                ['--threshold', '0'],
                ['--threshold', '60'],
                ['--by', 'buckets'],
                ['--threshold', '0', '--by', 'buckets'],
                ['--memory', str(rng.choice([200, 400, 800]))],
            ),
        ):
            status, out, err = solve(
                program, work + '/random.uai', '--marginals', words[0], *words[1]
            )
            small = 'does not fit' in err and '--memory' in words[1]
            good = small or (
                'is 0' in err and status == 1
                if total == 0
                else status == 0 and same(out, expected(network[0], network[2], total, marginals))
            )
            report(
                'random network %d %s' % (number, words),
                None if good else '%s%s\n%s' % (out, err, open(work + '/random.uai').read()),
            )


def domains_of(name):
    if name in LARGE and not options.all:
        return ()
    return ('--log',) if name == 'uai/linkage_11.uai' else ('--log', '--linear')


def known_networks(program):
    if not os.path.isdir(options.data):
        print('skipped: the networks of %s, which is not there' % options.data)
        return
    for name, wanted in KNOWN.items():
        for domain in domains_of(name):
            status, out, err = solve(
                program,
                os.path.join(options.data, name),
                domain,
                *(['--order', 'random:300'] if name in LARGE else [])
            )
            if name in UNDERFLOWS and domain == '--linear':
                good = 'underflowed' in err
            else:
                good = status == 0 and abs(float(out.split()[2]) - wanted) <= 1e-4 * max(
                    1, abs(wanted)
                )
            report('%s %s' % (name, domain), None if good else out + err)


def short_of_memory(program):
    """Limits a little and much below what a network takes (2.1 MB, or 0.6 where buckets sum several
    variables): some table, or the one behind it, fills what there is."""
    path = os.path.join(options.data, 'uai/Pedigree_11.uai')
    limits = [(limit, ['--single']) for limit in ('2M', '1.5M', '1M', '600K', '500K', '300K')]
    limits += [(limit, []) for limit in ('500K', '300K', '200K', '150K', '100K')]
    for limit, words in limits if os.path.isdir(options.data) else ():
        status, out, err = run(
            [
                program,
                'solve',
                path,
                '--order',
                'random:50',
                '--evidence',
                path + '.evid',
                '--memory',
                limit,
            ]
            + words
        )
        good = (
            status == 0
            and abs(float(out.split()[2]) + 17.2155) <= 1e-4 * 17
            and ' conditions' in err
        )
        report('Pedigree_11 in %s %s' % (limit, words), None if good else out + err)


def ahead_of_the_device(program, work):
    """Sums that are begun ahead have the bits of sums one after another, with all buckets on the
    device, with some, and where memory is short; and they are begun."""
    rng = random.Random(options.seed + 1)
    begun = 0
    for number in range(4):
        write_network(*grid_network(6, 4, rng), work + '/ahead')
        for words in itertools.product(
            ('--log', '--linear'),
            (['--threshold', '0'], ['--threshold', '3K'], ['--threshold', '3K', '--memory', '60K']),
            ([], ['--single'], ['--marginals', '--by', 'buckets']),
        ):
            line = [program, 'solve', work + '/ahead.uai', '--order', 'random:5', words[0]]
            line += words[1] + words[2]
            results = [run(line + ['--ahead', n]) for n in ('0', '1', '2', '16')]
            good = all(r[0] == 0 and r[1] == results[0][1] for r in results)
            good = good and 'the device worked' not in results[0][2]
            begun += 'the device worked' in results[3][2]
            report('ahead, grid %d %s' % (number, words), None if good else str(results))
    report('ahead: there are such sums', None if begun >= 36 else str(begun))


def several_variables(program, work):
    """Buckets that sum several variables give what buckets of one give, in less memory; whole
    networks against brute force are among the random ones."""
    rng = random.Random(options.seed + 2)
    for number in range(4):
        write_network(*grid_network(7, rng.choice([2, 3]), rng), work + '/several')
        for words in itertools.product(('--log', '--linear'), ([], ['--memory', '20K'])):
            line = [program, 'solve', work + '/several.uai', '--order', 'random:5']
            runs = [run(line + [words[0]] + words[1] + w) for w in ([], ['--single'])]
            took = [re.search(r'took up to ([0-9.]+) MB', r[2]) for r in runs]
            good = all(r[0] == 0 for r in runs) and same(runs[0][1], runs[1][1])
            good = good and re.search(r'[1-9]\d* variables were summed together', runs[0][2])
            good = good and 'summed together' not in runs[1][2]
            good = good and float(took[0].group(1)) <= float(took[1].group(1))
            report('several, grid %d %s' % (number, words), None if good else str(runs))


def core_beside_a_blas(program):
    """A plain product has the values of the machine's BLAS, where there is one."""
    line = [program, 'core', '--sizes', '1,7,64,129', '--repeats', '1']
    for words in ([], ['--library', '/nowhere/libblas.so']):
        status, out, err = run(line + words)
        lines = [row.split() for row in out.splitlines()[2:]]
        none = 'none found' in out
        good = status == 0 and len(lines) == 4 and (none or not words)
        good = good and all(len(row) == (2 if none else 5) and float(row[1]) > 0 for row in lines)
        report('core %s' % words, None if good else out + err)


def branches_at_once(program, work):
    """Posteriors and Z have the same bits whether branches of a tree are visited at once or not, on
    the CPU, on the device and on both, and such trees have several branches."""
    rng = random.Random(options.seed + 3)
    for number in range(3):
        domains, functions, evidence = grid_network(5, 3, rng)
        for arm in range(20):  # grids on a star: each hangs on one of the first's variables
            more = grid_network(3, 3, rng)
            base = len(domains)
            domains += more[0]
            functions += [([base + v for v in scope], values) for scope, values in more[1]]
            functions.append(([arm, base], more[1][0][1]))
        write_network(domains, functions, evidence, work + '/branches')
        for words in itertools.product(
            ('--log', '--linear'), ([], ['--threshold', '0'], ['--threshold', '2K'])
        ):
            line = [program, 'solve', work + '/branches.uai', '--order', 'random:3', '--marginals']
            line += ['--evidence', work + '/branches.evid', words[0]] + words[1]
            results = [run(line + ['--branches', n]) for n in ('1', '2', '7')]
            good = all(r[0] == 0 and r[1] == results[0][1] for r in results)
            good = good and 'branches of the tree' not in results[0][2]
            good = good and 'up to 7 branches of the tree' in results[2][2]
            report('branches, star %d %s' % (number, words), None if good else str(results))


def known_posteriors(program):
    """The junction tree and the buckets, which have only reading in common, agree."""
    for name in BOTH_WAYS if os.path.isdir(options.data) else ():
        path = os.path.join(options.data, name)
        ways = [solve(program, path, '--marginals', '--by', way) for way in ('tree', 'buckets')]
        pairs = list(zip(ways[0][1].split(), ways[1][1].split()))
        numbers = len(ways[0][1].split()) == len(ways[1][1].split()) and len(pairs) > 50
        good = numbers and all(a == b or abs(float(a) - float(b)) <= 1e-4 for a, b in pairs)
        report('posteriors of %s' % name, None if good else [way[2] for way in ways])


with tempfile.TemporaryDirectory() as work:
    build(work)
    plans(work)
    if os.path.exists(work + '/program_O2'):
        levels_and_schedules(work)
        networks_as_benchmarks(work + '/program_O2', work)
        sweeps(work)
        bad_words(work + '/program_O2')
        small_networks(work + '/program_O2')
        zipped_networks(work + '/program_O2')
        random_networks(work + '/program_O2', work)
        ahead_of_the_device(work + '/program_O2', work)
        several_variables(work + '/program_O2', work)
        branches_at_once(work + '/program_O2', work)
        core_beside_a_blas(work + '/program_O2')
        known_networks(work + '/program_O2')
        short_of_memory(work + '/program_O2')
        known_posteriors(work + '/program_O2')
finish()
# SPDX-License-Identifier: MIT
