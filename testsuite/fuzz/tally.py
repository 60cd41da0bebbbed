"""Counts what the translator did, from the emitted text and the remarks: kernels per transformation."""
import re
from collections import Counter

HEAD = re.compile(r'^// (\w+): (\w+) with the following in shared memory, for blocks of ([0-9 x]+) threads\.\n((?://   .*\n)+)', re.M)
LINE = re.compile(r'^//   (.+?)  (\d+) bytes, (copied in and out|copied in|copied out)', re.M)
RANGE = re.compile(r'\[[^\[\]]*?(?:\[[^\]]*\][^\[\]]*?)*\.\. \+(\d+)\]')
ORIGINAL = re.compile(r'^__global__ [^\n]*?void (\w+)\([^\n]*\n\{(.*?)^\}', re.M | re.S)
SKIPPED = re.compile(r"'[^']+' is not staged in '(\w+)': (.*)")
KIND = {'copied in': 'staged read', 'copied out': 'staged write', 'copied in and out': 'staged update'}


class Tally:
    def __init__(self):
        self.kernels = Counter()   # transformation -> kernels, each kernel once
        self.host = Counter()      # kind of announcement -> places
        self.reasons = Counter()   # why an array was not staged -> kernels

    def add(self, outcome):
        per_kernel = {}
        bodies = {}
        for level, text in outcome.levels.items():
            if level in outcome.same_as:
                continue
            bodies.update((m.group(1), m.group(2)) for m in ORIGINAL.finditer(text) if '_cached' not in m.group(1))
            for head in HEAD.finditer(text):
                per_kernel.setdefault(head.group(2), set()).update(self._variant(head, text, bodies, level))
            self._launches(text, per_kernel)
        for kinds in per_kernel.values():
            self.kernels.update(kinds)
        last = outcome.levels[max(outcome.levels)]
        for kind, pattern in (('use before', r'\bmesi_use\('), ('touch argument', r'\bmesi_touch\('), ('touch all', r'\bmesi_touch_all\('),
                              ('guarded variable', r'MESI_VAR_GUARDED'), ('record argument', r'\bmesi_arg_record\('),
                              ('pointer argument', r'\bmesi_arg\(')):
            self.host[kind] += len(re.findall(pattern, last))
        reasons = {(m.group(1), re.sub(r'\d+', 'N', m.group(2))) for text in outcome.remarks.values() for m in SKIPPED.finditer(text)}
        self.reasons.update(reason for _, reason in reasons)

    def _variant(self, head, text, bodies, level):
        name, kernel, blocks = head.group(1), head.group(2), [int(b) for b in head.group(3).split(' x ')]
        start = text.index('{', head.end())
        body = text[start:text.index('\n}\n', start)]
        lines = list(LINE.finditer(head.group(4)))
        kinds = {'staged', 'staged at -O%d' % level}
        if len(lines) > 1:
            kinds.add('several staged arrays')
        for line in lines:
            kinds |= self._stage(line, body, blocks)
        original = bodies.get(kernel, '')
        kinds |= {what for what, found in (
            ('staged, early return', 'return;' in original), ('staged, user barrier', '__syncthreads' in original),
            ('staged, user shared array', '__shared__' in original), ('staged, device function', re.search(r'\b(sum|put|wrap|bend|least)\d+\(', original)),
            ('staged, atomics', 'atomic' in original), ('second variant', re.search(r'_cached_\d+$', name)),
            ('staged in dynamic shared memory', '_mesi_shared' in body), ('jump to the tail', 'goto _mesi_tail' in body)) if found}
        return kinds

    def _stage(self, line, body, blocks):
        name, sizes = re.match(r'\w+', line.group(1)).group(0), [int(s) for s in RANGE.findall(line.group(1))]
        copy = '_s_%s' % name
        kinds = {KIND[line.group(3)], 'staged, %d dimensions' % len(sizes)}
        load = re.search(r'(if \([^\n]*\)\s+)?%s(?:_\d+)?\[[^\n]*?\] = ([^\n;]*)' % re.escape(copy), body)
        store = re.search(r'(if \([^\n]*\)\s+)?([^\n;]*) = %s(?:_\d+)?\[_' % re.escape(copy), body)
        if 'in' in line.group(3).split() and load and load.group(1):
            kinds.add('load guard')
        if 'out' in line.group(3) and store and store.group(1):
            kinds.add('store guard')
        device = store.group(2) if store and 'out' in line.group(3) else load.group(2) if load else ''
        if len(sizes) > 1 and ' * ' in device and device.count('][') == 0:
            kinds.add('flat index in rows')
        if set(sizes) == {1}:
            kinds.add('single element')
        if any(b < s <= b + 8 for s in sizes for b in blocks if b > 1):
            kinds.add('halo')
        element = re.search(r'(\w+) (?:\(&)?%s(?:_\d+)?\)?\[' % re.escape(copy), body)
        if element and element.group(1) in ('point', 'cell', 'mixed'):
            kinds.add('structure elements')
        return kinds

    def _launches(self, text, per_kernel):
        for match in re.finditer(r'mesi_cpu::launch\((k\w+?)(_cached\w*)?, (.*)', text):
            kinds = per_kernel.setdefault(match.group(1), set())
            if 'mesi_arg(' in match.group(3):
                kinds.add('pointer argument')
            if 'mesi_arg_record(' in match.group(3):
                kinds.add('record argument')

    def print(self, kernels):
        print('kernels per transformation')
        for what, count in sorted(self.kernels.items(), key=lambda item: -item[1]):
            print('  %-34s %7d  %4.1f%%' % (what, count, 100.0 * count / max(1, kernels)))
        print('places in host code and tables')
        for what, count in self.host.most_common():
            print('  %-34s %7d' % (what, count))
        print('kernels with an array left alone, by reason')
        for what, count in self.reasons.most_common(30):
            print('  %-70s %7d' % (what[:70], count))
