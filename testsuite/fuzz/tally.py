# SPDX-License-Identifier: MIT
"""Counts what the translator did, from the emitted text and the remarks: kernels per
transformation, and those of which a version with it ran."""
import re
from collections import Counter

HEAD = re.compile(
    (
        r'^// (\w+): (\w+) with the following in shared memory, for blocks of ([0-9 x]+)'
        r' threads\.\n((?://   .*\n)+)'
    ),
    re.M,
)
LINE = re.compile(r'^//   (.+?)  (\d+) bytes, (copied in and out|copied in|copied out)', re.M)
RANGE = re.compile(r'\[[^\[\]]*?(?:\[[^\]]*\][^\[\]]*?)*\.\. \+(\d+)\]')
ORIGINAL = re.compile(r'^__global__ [^\n]*?void (\w+)\([^\n]*\n\{(.*?)^\}', re.M | re.S)
SKIPPED = re.compile(r"'[^']+' is not staged in '(\w+)': (.*)")
KIND = {
    'copied in': 'staged read',
    'copied out': 'staged write',
    'copied in and out': 'staged update',
}


FUNCTION = re.compile(r'^static void (?:section|run)(\d+)\w*\([^\n]*\n\{\n(.*?)^\}', re.M | re.S)
LAUNCH = re.compile(r'^[^\n]*\bmesi_launch_begin\([^\n]*?\b(k\d+_\d+)[^\n]*', re.M)
KERNEL = re.compile(r'^[^\n]*__global__[^\n]* (k\d+_\d+)\w*\([^\n]*\{?\n(.*?)^\}', re.M | re.S)
MAPPED = re.compile(
    (
        r'^// \w+: (k\d+_\d+) with blocks of (\d+)(?: x (\d+))? elements for (\d+)(?: x (\d+))?'
        r' threads(?:; tiles in (\d+) bytes)?[^\n]*\n(.*?^\})'
    ),
    re.M | re.S,
)
PLANNED = re.compile(
    (
        r'^// \w+: (k\d+_\d+) with the following in shared memory, where it fits at the'
        r' launch\.\n((?://   [^\n]*\n)+)(.*?^\})'
    ),
    re.M | re.S,
)
PRIVATE = re.compile(
    r'^// \w+: (k\d+_\d+) with what it updates of (.*?) in shared memory, [^\n]*\n(.*?^\})',
    re.M | re.S,
)
SHARED = re.compile(
    r'^// (\w+): (k\d+_\d+) with \d+ threads that share the loop for (.*?)[.;][^\n]*\n(.*?^\})',
    re.M | re.S,
)
STRIPS = re.compile(
    r'^// \w+: (k\d+_\d+) with strips of segments in shared memory: ([^\n]*)\n(.*?^\})', re.M | re.S
)
STEPS = re.compile(
    (
        r'^// \w+: up to \d+ launches of (k\d+_\d+)(?: and k\d+_\d+, which take turns,|, which'
        r' follow one another,) in one; tiles of ([0-9 x]+) elements[^\n]*\n(.*?^\})'
    ),
    re.M | re.S,
)
REMARK = re.compile(
    r"\[-Rmesi=\w+,(M40(?:0[5-9]|1[0-3]|2[1246]|35|43))\]"
    r"[^']*(?:'[^']*'[^']*)*?'(k\d+_\d+)'(.*)"
)
REMARKS = {
    'M4006': 'promoted to a register',
    'M4007': 'promotion declined',
    'M4009': 'mapping declined',
    'M4011': 'counters declined',
    'M4013': 'shared loop declined',
    'M4005': 'launch keeps the original',
    'M4021': 'stores of two arms made one',
    'M4026': 'a device function made part of its kernel',
    'M4022': 'stores of two arms kept',
    'M4024': 'loads in front of stores',
    'M4035': 'products of 24 bits as plain ones',
    'M4052': 'powers as products, roots and exponentials',
    'M4054': 'rows some bytes apart as rows of elements',
    'M4045': 'references as their elements',
    'M4047': 'rows of blocks as rows of threads',
    'M4055': 'rounded products of sums',
    'M4060': 'axes in another order',
    'M4048': 'elements for loops that share them',
}
VARIABLE = re.compile(r'^\s*\{[^\n]*?"g[a-z]+(\d+)"[^\n]*MESI_VAR_GUARDED', re.M)

# In host code behind the first launch: kernels of programs with it.
HOST = [
    (what, re.compile(pattern))
    for what, pattern in (
        ('whole object announced', r'\bmesi_use\('),
        ('range announced', r'\bmesi_use_bytes\('),
        ('overwritten range announced', r'\bmesi_use_bytes\([^;]*MESI_OVERWRITE'),
        ('computed range announced', r'\bmesi_use_bytes\(\w+, [^;]*[a-z]\w* [-+*]'),
        (
            'announcement before a loop',
            r'\bmesi_use(?:_bytes)?\([^;\n]*; (?:mesi_use[^;]*; )*(?:for|while|do)\b',
        ),
        ('pointer of a call announced', r'\bmesi_touch\('),
        ('all announced', r'\bmesi_touch_all\('),
    )
]
# In the body of any version of a kernel.
IN_KERNEL = [
    (what, re.compile(pattern))
    for what, pattern in (
        ('row kept in registers', r'\b_r_\w+\[\d'),
        ('row kept, 16 bytes at once', r'mesi_vector_load\(&_r_'),
        ('loop that counts in its window', r'\b_at_j\d+ < '),
        ('row carried to the next iteration', r'_r_(\w+)\[0\] = _r_\1\[1\]'),
        ('rows of a short loop one after the other', r'for \(int _d(?:_\d+)? = -?\d+; _d'),
        ('rows of neighbours, 16 bytes at once', r'mesi_lane_load\('),
        ('neighbours loaded 16 bytes at once', r'mesi_vector_load\(&_w_'),
        ('neighbours stored 16 bytes at once', r'mesi_vector_store\('),
    )
]
# In the text of a version that goes through layers.
IN_MARCH = [
    (what, re.compile(pattern))
    for what, pattern in (
        ('layers in registers, ends of rows', r' _in\['),
        ('layers in registers, ends of columns', r'while \(_first < _last'),
        ('layers in registers, neighbours along x', r'mesi_row_element\('),
        ('layers in registers, beside a row', r'mesi_lane_load_in\('),
        ('layers in registers, 16 bytes stored', r'mesi_lane_store'),
        ('layers in registers, 8-byte elements', r' _m_\w+\[\d+\]\[2\];'),
        ('layers in registers, several rows', r' _m_\w+\[\d+\]\[\d\];\s+\w+ _m_'),
        ('layers in registers, 8 or 16 of them', r'int _last = (?:8|16);'),
    )
]
# In the text of a kernel that does several launches.
IN_STEPS = [
    (what, re.compile(pattern))
    for what, pattern in (
        ('launches put together, rows loaded early', r' _a_\w+\['),
        ('launches put together, in registers', r'__shfl_(?:up|down)_sync'),
        ('launches put together, rows 16 bytes at once', r'mesi_lane_load\('),
        ('launches put together, scalars that differ', r'mesi_step_value<'),
        ('launches put together, tiles in shared memory', r'__shared__ \w+ _s_'),
    )
]
# In a launch: its kernel.
AT_LAUNCH = [
    (what, re.compile(pattern))
    for what, pattern in (
        ('launch in parts', r'mesi_launch_(?:in_parts|on_devices)\('),
        ('launch in parts, or mapped', r'mesi_(?:mapped_or_parts|parted_or)\('),
        ('planned, kernel for the number of segments', r'mesi_plan_kernel_number'),
        ('launch chooses among versions', r'mesi_choose\('),
        ('team, where the launch is small', r'\bmesi_below\('),
        ('argument: whole object', r'\bmesi_arg\('),
        ('argument: range', r'\bmesi_arg_range\('),
        ('argument: record', r'\bmesi_arg_record\('),
        ('variable: range', r'\bmesi_launch_range\('),
        ('overwritten by the launch', r'MESI_OVERWRITE'),
        (
            'planned, overlap is a condition',
            r'mesi_plan_of\((?:(?!mesi_plan_of).)*mesi_(?:plan_)?apart\(',
        ),
        (
            'computed range of a launch',
            r'\bmesi_(?:arg|launch)_range\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*'
            r'(?:\bmin|\?|gridDim|mesi_limit|mesi_times|n\d)',
        ),
    )
]


def part_of(kind):
    """The part of a version (execute.py) that has to run for it."""
    return (
        'early'
        if kind.endswith('rows loaded early')
        else (
            'layers'
            if kind.startswith('layers in registers')
            else (
                'inner'
                if kind.startswith('launches put together, rows')
                else 'whole'
                if kind == 'mapped, code for interior threads'
                else None
            )
        )
    )


class Tally:
    def __init__(self):
        self.kernels = Counter()  # transformation -> kernels, each kernel once
        self.ran = Counter()  # the same of kernels of which a version with it ran
        self.reasons = Counter()  # why an array was not staged -> kernels
        self.declined = Counter()  # (promotion or mapping declined, why) -> places

    def add(self, outcome):
        per_kernel, per_run, bodies = {}, {}, {}
        for level, text in outcome.texts.items():
            if level in outcome.same_as:
                continue
            bodies.update(
                (m.group(1), m.group(2))
                for m in ORIGINAL.finditer(text)
                if '_cached' not in m.group(1) and '_planned' not in m.group(1)
            )
            for kernel, match, kinds in self._versions(text, bodies, level):
                per_kernel.setdefault(kernel, set()).update(kinds)
                name, ran = match.group(0)[3:].split(':')[0], outcome.ran.get(level, ())
                if name in ran:
                    per_run.setdefault(kernel, set()).update(
                        k
                        for k in kinds
                        if part_of(k) is None or '%s:%s' % (name, part_of(k)) in ran
                    )
            self._launches(text, per_kernel)
        for remark in (m for text in outcome.remarks.values() for m in REMARK.finditer(text)):
            if remark.group(1) in REMARKS:
                per_kernel.setdefault(remark.group(2), set()).add(REMARKS[remark.group(1)])
                if remark.group(1) in ('M4007', 'M4009', 'M4011', 'M4013', 'M4022'):
                    self.declined[
                        (
                            REMARKS[remark.group(1)],
                            re.sub(
                                r"'[^']*'",
                                'X',
                                re.sub(r'\d+', 'N', remark.group(3).split(': ', 1)[-1]),
                            ),
                        )
                    ] += 1
        for kinds in per_kernel.values():
            self.kernels.update(kinds)
        for kinds in per_run.values():
            self.ran.update(kinds)
        reasons = {
            (m.group(1), re.sub(r'\d+', 'N', m.group(2)))
            for text in outcome.remarks.values()
            for m in SKIPPED.finditer(text)
        }
        self.reasons.update(reason for _, reason in reasons)

    def _versions(self, text, bodies, level):
        """(kernel, its version's match, what it is) for each version of a kernel."""
        for pattern, kernel, kinds in (
            (HEAD, 2, lambda m: self._variant(m, text, bodies, level)),
            (MAPPED, 1, self._mapping),
            (PLANNED, 1, self._plan),
            (PRIVATE, 1, lambda m: self._private(m.group(0))),
            (STRIPS, 1, self._strips),
            (SHARED, 2, self._shared),
            (STEPS, 1, self._steps),
        ):
            for match in pattern.finditer(text):
                yield match.group(kernel), match, kinds(match)

    def _steps(self, match):
        """Several launches in one."""
        tile, body = match.group(2), match.group(3)
        kinds = {
            'launches put together',
            'launches put together, %d dimensions' % (tile.count('x') + 1),
        }
        kinds |= (
            {'launches put together, two kernels'}
            if 'which take turns' in match.group(0).split('\n')[0]
            else set()
        )
        return kinds | {what for what, pattern in IN_STEPS if pattern.search(body)}

    def _strips(self, match):
        what, body = match.group(2), match.group(3)
        kinds = {
            'segments in strips',
            'strips of a nest' if 'all segments' in what else 'strips of one segment',
        }
        kinds |= {'strips, threads brought together'} if '__syncthreads_or(' in body else set()
        kinds |= (
            {'strips, values of the nest carried'}
            if re.search(r'_s_(?:c|at)\d*\[_e', body)
            else set()
        )
        return kinds

    def _variant(self, head, text, bodies, level):
        name, kernel, blocks = (
            head.group(1),
            head.group(2),
            [int(b) for b in head.group(3).split(' x ')],
        )
        start = text.index('{', head.end())
        body = text[start : text.index('\n}\n', start)]
        lines = list(LINE.finditer(head.group(4)))
        kinds = {'staged', 'staged at -O%s' % level[0]}
        if len(lines) > 1:
            kinds.add('several staged arrays')
        for line in lines:
            kinds |= self._stage(line, body, blocks)
        original = bodies.get(kernel, '')
        kinds |= {
            what
            for what, found in (
                ('staged, early return', 'return;' in original),
                ('staged, user barrier', '__syncthreads' in original),
                ('staged, user shared array', '__shared__' in original),
                (
                    'staged, device function',
                    re.search(r'\b(sum|put|wrap|bend|least)\d+\(', original),
                ),
                ('staged, block of 3 dimensions', len(blocks) == 3 and min(blocks) > 1),
                ('staged, atomics', 'atomic' in original),
                ('second variant', re.search(r'_cached_\d+$', name)),
                ('staged in dynamic shared memory', '_mesi_shared' in body),
                ('jump to the tail', 'goto _mesi_tail' in body),
            )
            if found
        }
        return kinds

    def _plan(self, planned):
        lines, body = planned.group(2), planned.group(3)
        return {'planned'} | {
            what
            for what, found in (
                ('planned, several arrays', lines.count('\n') > 1),
                ('planned, size of the launch', re.search(r'_plan\.size\[', body)),
                ('planned, table inspected', re.search(r'_plan\.value\[', lines)),
                ('planned, segments', '_segments.shift[' in body),
                ('planned, segments in a loop', re.search(r'bool _new_\w+ =', body)),
                ('planned, written back', 'copied out' in lines or 'and out' in lines),
            )
            if found
        }

    def _stage(self, line, body, blocks):
        name, sizes = re.match(r'\w+', line.group(1)).group(0), [
            int(s) for s in RANGE.findall(line.group(1))
        ]
        copy = '_s_%s' % name
        kinds = {KIND[line.group(3)], 'staged, %d dimensions' % len(sizes)}
        load = re.search(
            r'(if \([^\n]*\)\s+)?%s(?:_\d+)?\[[^\n]*?\] = ([^\n;]*)' % re.escape(copy), body
        )
        store = re.search(r'(if \([^\n]*\)\s+)?([^\n;]*) = %s(?:_\d+)?\[_' % re.escape(copy), body)
        if 'in' in line.group(3).split() and load and load.group(1):
            kinds.add('load guard')
        if 'out' in line.group(3) and store and store.group(1):
            kinds.add('store guard')
        device = (
            store.group(2) if store and 'out' in line.group(3) else load.group(2) if load else ''
        )
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

    def _mapping(self, match):
        """Another mapping to threads: its shape, and what its text does."""
        sizes, body = [int(g or 1) for g in match.groups()[1:5]] + [
            int(match.group(6) or 0)
        ], match.group(7)
        kinds = {'mapped', 'mapped, 2 dimensions' if sizes[1] > 1 else 'mapped, 1 dimension'}
        if sizes[0] * sizes[1] > sizes[2] * sizes[3]:
            kinds.add('mapped, several elements a thread')
        name = match.group(0).split(':')[0]
        for suffix, what in (
            ('_exact', 'exact version with a check'),
            ('_aligned', 'aligned version with a check'),
            ('_mapped_large', 'version for large launches'),
        ):
            kinds |= {'mapped, ' + what} if suffix in name else set()
        if '_aligned' in name and 'mesi_copy' in body:
            kinds.add('tiles, 16-byte copies up to bounds')
        if re.search(r' _m_\w+\[\d+\]\[\d+\];', body) and 'int _first = 0;' in body:
            kinds |= {'layers in registers'} | {
                what for what, pattern in IN_MARCH if pattern.search(body)
            }
        if sizes[4]:
            kinds.add('tiles')
        for what, text in (
            (
                ('mapped, transposed through shared memory', '__syncthreads();'),
                ('mapped, layers', ' _z '),
                ('mapped, code for interior threads', '_whole'),
                ('mapped, loads marked read-only', '__ldg'),
                ('mapped, kept over a loop', ' _r_'),
                ('mapped, 16 bytes at once', 'mesi_vector_'),
            )
            if not sizes[4] or 'mesi_copy' not in body and '_t ' not in body
            else ()
        ):
            if text in body:
                kinds.add(what)
        held = re.search(r' _n_\w+(\[\d+\])?;', body) if sizes[4] else None
        if held:
            kinds |= {
                'tiles through registers',
                'tiles through registers, ' + ('two copies' if ' _b = 0;' in body else 'one copy'),
            }
            kinds |= (
                {'tiles through registers, part of a round'}
                if re.search(r'if \(_q < \d+\)', body)
                else set()
            )
        for what, text in (
            ('tiles, two copies and cp.async', 'mesi_copy_async'),
            ('products on tensor cores', 'mesi_multiply('),
            ('mapped, guard as predicate', '_valid'),
            ('mapped, user loop kept', 'for ('),
        ):
            if text in body:
                kinds.add(what)
        return kinds

    def _private(self, text):
        """Counters of a block."""
        kinds = {
            'private copies by block',
            (
                'counters, blocks take turns'
                if 'take turns' in text.split('\n')[0]
                else 'counters in the launch\'s shape'
            ),
        }
        for what, pattern in (
            ('counters, several elements at a time', r'_u < '),
            ('counters, jump to the end', 'goto _mesi_end'),
            ('counters in several copies', r'__shared__ [^;]*\]\['),
            ('counter in a register', r'\b_r_'),
        ):
            if re.search(pattern, text):
                kinds.add(what)
        return kinds

    def _shared(self, match):
        """A loop that several threads share."""
        body = match.group(4)
        kinds = {
            'shared loop',
            'shared loop, rows' if 'mesi_lanes' in body else 'shared loop, columns',
        }
        for what, pattern in (
            ('shared loop, vector loads', 'mesi_vector_from|mesi_vector_read'),
            ('shared loop, floats', r'(?:float|double) _p_'),
            ('shared loop, several sums', r'_p_\w+ = \d;\n[^\n]*_p_\w+ = \d;'),
        ):
            if re.search(pattern, body):
                kinds.add(what)
        return kinds

    def _launches(self, text, per_kernel):
        for match in LAUNCH.finditer(text):
            per_kernel.setdefault(match.group(1), set()).update(
                what for what, pattern in AT_LAUNCH if pattern.search(match.group(0))
            )
        for match in KERNEL.finditer(text):
            per_kernel.setdefault(match.group(1), set()).update(
                what for what, pattern in IN_KERNEL if pattern.search(match.group(2))
            )
        self._host(text, per_kernel)

    def _host(self, text, per_kernel):
        """What host code announces counts for the kernels of its program."""
        found = {}
        for function in FUNCTION.finditer(text):
            _, launch, rest = function.group(2).partition('mesi_launch_begin')
            found.setdefault(function.group(1), set()).update(
                what for what, pattern in HOST if pattern.search(rest)
            )
        for variable in VARIABLE.finditer(text):
            found.setdefault(variable.group(1), set()).add('guarded variable')
        for kernel, kinds in per_kernel.items():
            kinds |= found.get(kernel[1:].split('_')[0], set())

    def print(self, kernels):
        print('kernels per transformation')
        for what, count in sorted(self.kernels.items(), key=lambda item: -item[1]):
            ran = '%7d ran' % self.ran[what] if what in self.ran else ''
            print('  %-48s %7d  %4.1f%%  %s' % (what, count, 100.0 * count / max(1, kernels), ran))
        print('places that are left alone by promotion and mapping')
        for (what, why), count in self.declined.most_common(20):
            print('  %-20s %-60s %7d' % (what, why[:60], count))
        print('kernels with an array left alone, by reason')
        for what, count in self.reasons.most_common(30):
            print('  %-70s %7d' % (what[:70], count))
