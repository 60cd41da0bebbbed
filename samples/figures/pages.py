# SPDX-License-Identifier: MIT
"""pages.py - where results come from, and a page as it grows: tables, and pictures that mesicc plot
draws."""
import json, math, os, subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
OUT = os.path.join(ROOT, 'docs', 'figures')


def published(name):
    return json.load(open(os.path.join(HERE, 'published', name + '.json')))


class Machine:
    """Where results come from: mesicc on this machine, or a bundle that has run."""

    def __init__(self, options):
        self.mesicc, self.bundle = os.path.abspath(options.mesicc), options.bundle
        self.cases = {}
        if self.bundle:
            results = json.load(open(os.path.join(self.bundle, 'results.json')))
            self.name, self.gpu = results['gpu'], True
            for case in results['cases']:
                self.cases.setdefault(case['case'], {})[int(case['level'][2:])] = case['kernels_ms']
        else:
            self.gpu = os.path.exists('/dev/nvidiactl') and not options.cpu
            self.name = gpu_name() if self.gpu else 'CPU backend'
        self.date = options.date
        self.prefix = 'gpu_' if self.gpu else 'cpu_'
        self.note = '%s, %s' % (self.name, self.date)
        if not self.gpu:
            self.note += '; small sizes: says nothing of a GPU'

    def command(self, verb, *words):
        target = [] if self.gpu else ['--target=cpu', '-Xcompiler=-O1,-g0']
        done = subprocess.run(
            [self.mesicc, verb] + target + list(words), stdout=-1, stderr=-1, text=True, cwd=ROOT
        )
        if done.returncode:
            print('%s %s: %s' % (verb, ' '.join(words), done.stderr.strip()[-300:]), flush=True)
        return done.stdout if done.returncode == 0 else None

    def levels(self, sample, macros):
        """Kernel time in ms by level, of a program that compare runs; {}: there is none."""
        if self.bundle:
            return self.cases.get('-'.join([sample] + macros), {})
        words = ['-D' + macro for macro in macros] + ['samples/' + sample]
        text = self.command('compare', '--json', *words)
        found = json.loads(text)['levels'] if text else []
        return {row['level']: row['kernels_ms'] for row in found if row['result'] != 'differ'}

    def output(self, sample, level, *arguments, kept=None):
        """What a sample prints; of a bundle: build/figures/KEPT_OLEVEL.txt, where KEPT is the
        sample's name if it is not given. None: nothing."""
        if self.bundle:
            name = '%s_O%d.txt' % (kept or sample, level)
            path = os.path.join(self.bundle, 'build', 'figures', name)
            return open(path).read() if os.path.exists(path) else None
        return self.command('run', '-O%d' % level, 'samples/' + sample, '--', *arguments)


def gpu_name():
    query = ['nvidia-smi', '--query-gpu=name', '--format=csv,noheader']
    return subprocess.run(query, stdout=-1, text=True).stdout.split('\n')[0]


class Page:
    """Figures and tables as they come."""

    def __init__(self, machine):
        self.machine, self.parts = machine, []

    def figure(self, name, title, y, groups, series, kind='bars', x=None, table=True):
        """series: name -> values, with None where there is none; curves have x."""
        kept = {n: v for n, v in series.items() if any(value is not None for value in v)}
        if not kept:
            return
        rows = [{'name': n, 'y': [v or 0 for v in values]} for n, values in kept.items()]
        data = {'mesi_figure': 1, 'kind': kind, 'title': title, 'note': self.machine.note, 'y': y}
        if kind == 'bars':
            data['groups'] = groups
        else:
            for row in rows:
                row['x'] = groups
            data['x'] = x
        data['series'] = rows
        data['measured_by'] = 'samples/figures'
        data['command'] = 'ninja -C build figures'
        data['date'] = self.machine.date
        self.draw(name, title, data)
        if table:
            self.table([y] + groups, [[n] + values for n, values in kept.items()])

    def curve(self, name, title, y, x, places, series):
        """A picture of curves; the numbers are in its data."""
        rows = [
            {'name': n, 'x': places, 'y': [value or 0 for value in values]}
            for n, values in series.items()
        ]
        data = {'mesi_figure': 1, 'kind': 'curves', 'title': title, 'note': self.machine.note}
        data.update(y=y, x=x, series=rows, measured_by='samples/figures')
        data.update(command='ninja -C build figures', date=self.machine.date)
        self.draw(name, title, data)

    def points(self, name, title, y, x, series):
        """A picture of many points; series: name -> (x, y) in any order."""
        rounded = lambda value: float('%.4g' % value)
        rows = [
            {'name': n, 'x': [rounded(at) for at, _ in pairs], 'y': [rounded(v) for _, v in pairs]}
            for n, pairs in ((n, sorted(values)) for n, values in series.items())
        ]
        data = {'mesi_figure': 1, 'kind': 'points', 'title': title, 'note': self.machine.note}
        data.update(y=y, x=x, series=rows, measured_by='samples/figures')
        data.update(command='ninja -C build figures', date=self.machine.date)
        self.draw(name, title, data)

    def draw(self, name, title, data):
        path = os.path.join(OUT, self.machine.prefix + name)
        open(path + '.json', 'w').write(json.dumps(data, indent=1) + '\n')
        drawn = [self.machine.mesicc, 'plot', '-o', path + '.svg', path + '.json']
        subprocess.run(drawn, check=True)
        self.parts.append('![%s](figures/%s.svg)' % (title, os.path.basename(path)))

    def table(self, head, rows):
        text = lambda v: '' if v is None else '%.4g' % v if isinstance(v, float) else str(v)
        lines = ['| ' + ' | '.join(map(text, row)) + ' |' for row in [head] + rows]
        lines.insert(1, '|' + '---|' * len(head))
        self.parts.append('\n'.join(lines))

    def say(self, text):
        self.parts.append(text)


def geometric(values):
    return math.exp(sum(map(math.log, values)) / len(values)) if values else None


def number(text):
    try:
        return float(text)
    except ValueError:
        return None
