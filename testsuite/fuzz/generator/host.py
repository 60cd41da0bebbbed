# SPDX-License-Identifier: MIT
"""Host code of a section: initial values, launches in several forms, uses of the arrays between
them."""
from . import host_conditions, wrapping
from .launches import LaunchWriter, bind
from .objects import DYNAMIC, RAW, VS
from .slots import MIRROR, OWN, PARAM, READ
from .types import Scalar


def _value(choice, scalar, index):
    """An initial value that depends on an index."""
    if scalar.kind == 'real':
        suffix = 'f' if scalar.name == 'float' else ''
        return '(%s %% %d) * 0.125%s - %d' % (
            index,
            choice.number(5, 90),
            suffix,
            choice.number(0, 4),
        )
    if scalar.kind == 'unsigned':
        return '%s * 2654435761u + %du' % (index, choice.number(0, 999))
    if scalar.kind == 'int':
        return '(%s * %d + %d) %% %d - %d' % (
            index,
            choice.number(3, 99),
            choice.number(0, 9),
            choice.number(50, 9999),
            choice.number(0, 40),
        )
    return '(%s)(%s * %d)' % (scalar.name, index, choice.number(3, 99))


class Host:
    def __init__(self, section):
        self.section, self.choice, self.macros = section, section.program.choice, section.macros
        self.lines, self.counter = [], 0
        self.functions = []

    def _fresh(self, stem):
        self.counter += 1
        return '%s_%d' % (stem, self.counter)

    def _usable(self):
        return [a for a in self.section.arrays if a.storage != RAW and not a.is_table]

    def _element(self, array, index):
        """The element with this number, counted along the rows; index: an int or the name of a loop
        variable."""
        if isinstance(index, int):
            parts = []
            for extent in reversed(array.dims):
                parts.insert(0, '[%d]' % (index % extent))
                index //= extent
            return array.name + ''.join(parts)
        if len(array.dims) == 1:
            return '%s[%s]' % (array.name, index)
        inner = array.dims[-1]
        if len(array.dims) == 2:
            return '%s[%s / %d][%s %% %d]' % (array.name, index, inner, index, inner)
        return '%s[%s / %d][%s / %d %% %d][%s %% %d]' % (
            array.name,
            index,
            inner * array.dims[1],
            index,
            inner,
            array.dims[1],
            index,
            inner,
        )

    # ---- start and end ----

    def start(self):
        for array in self.section.arrays + self.section.counters:
            if array.storage == DYNAMIC:
                self._allocate(array)
            if array.storage == RAW:
                self._start_raw(array)
            elif array.is_permutation:
                self.lines.append(
                    'for (int i = 0; i < %d; i++) %s[i] = (i * %d + %d) %% %d;'
                    % (
                        array.limit,
                        array.name,
                        self._coprime(array.limit),
                        self.choice.number(0, array.limit - 1),
                        array.limit,
                    )
                )
            elif array.is_table:
                self.lines.append(
                    'for (int i = 0; i < %d; i++) %s[i] = (i * %d + %d) %% %d;'
                    % (
                        array.count,
                        array.name,
                        self.choice.number(1, 50),
                        self.choice.number(0, 50),
                        array.limit,
                    )
                )
            else:
                self.fill(array)

    def _allocate(self, array):
        name, element, count = array.name, array.element.name, array.count
        how = self.choice.weighted((65, 'malloc'), (20, 'calloc'), (15, 'realloc'))
        if how == 'calloc':
            return self.lines.append(
                '%s = (%s *)@CALLOC(%d, sizeof *%s);' % (name, element, count, name)
            )
        first = self.choice.number(1, count) if how == 'realloc' else count
        self.lines.append('%s = (%s *)@MALLOC(%d * sizeof *%s);' % (name, element, first, name))
        if how == 'realloc':
            self.lines.append(
                '%s = (%s *)@REALLOC(%s, %d * sizeof *%s);' % (name, element, name, count, name)
            )
        return None

    def _coprime(self, n):
        def gcd(a, b):
            return a if not b else gcd(b, a % b)

        return self.choice.one([k for k in range(1, 40) if gcd(k, n) == 1])

    def fill(self, array):
        if array.is_counter:
            return self.lines.append(
                'for (int i = 0; i < %d; i++) %s = i %% 7;'
                % (array.count, self._element(array, 'i'))
            )
        stores = ' '.join(
            '%s%s = %s;' % (self._element(array, 'i'), suffix, _value(self.choice, scalar, 'i'))
            for suffix, scalar in array.element.members()
        )
        return self.lines.append('for (int i = 0; i < %d; i++) { %s }' % (array.count, stores))

    def _start_raw(self, array):
        name = self._fresh('from')
        self.lines.append(
            '%s *%s = (%s *)malloc(%d * sizeof(%s));'
            % (array.element.name, name, array.element.name, array.count, array.element.name)
        )
        stores = ' '.join(
            '%s[i]%s = %s;' % (name, suffix, _value(self.choice, scalar, 'i'))
            for suffix, scalar in array.element.members()
        )
        self.lines.append('for (int i = 0; i < %d; i++) { %s }' % (array.count, stores))
        size = '%d * sizeof(%s)' % (array.count, array.element.name)
        self.lines.append('cudaMalloc(&%s, %s);' % (array.name, size))
        self.lines.append(
            'cudaMemcpy(%s, %s, %s, cudaMemcpyHostToDevice);' % (array.name, name, size)
        )
        self.lines.append('free(%s);' % name)

    def _note_raw(self, array):
        size = '%d * sizeof(%s)' % (array.count, array.element.name)
        name = self._fresh('back')
        self.lines.append(
            '%s *%s = (%s *)malloc(%s);' % (array.element.name, name, array.element.name, size)
        )
        self.lines.append(
            'cudaMemcpy(%s, %s, %s, cudaMemcpyDeviceToHost);' % (name, array.name, size)
        )
        self.lines.append('note_bytes(%s, %s);' % (name, size))
        self.lines.append('free(%s);' % name)

    def end(self):
        for array in self.section.arrays:
            if array.storage == RAW:
                self._note_raw(array)
                self.lines.append('cudaFree(%s);' % array.name)

    # ---- uses between launches ----

    def use(self):
        arrays = self._usable()
        raws = [a for a in self.section.arrays if a.storage == RAW]
        if raws and self.choice.chance(0.1):
            return self._raw_use(self.choice.one(raws))
        if not arrays:
            return None
        array = self.choice.one(arrays)
        if self.choice.chance(0.08):
            return self._in_callee(array)
        return self._plain_use(array)

    def _in_callee(self, array):
        """A use in a function without parameters, called once or twice."""
        name, at = self._fresh('use%s' % self.section.suffix), len(self.lines)
        self._plain_use(array)
        body, self.lines = self.lines[at:], self.lines[:at]
        self.functions.append(
            ['static void %s(void)' % name, '{'] + ['  ' + line for line in body] + ['}']
        )
        self.lines += ['%s();' % name] * self.choice.number(1, 2)

    def _plain_use(self, array):
        return self.choice.weighted(
            (16, self._read),
            (12, self._read_loop),
            (12, self._write),
            (8, self._write_loop),
            (9, self._update),
            (12, self._alias),
            (8, self._call),
            (7, self._copy),
            (5, self._clear),
            (6, self._branch),
            (24, lambda a: host_conditions.use(self, a)),
            (5, self._view),
            (11, self._file),
            (5, self._compare),
            (5, self._working),
        )(array)

    def _member(self, array):
        return self.choice.one(array.element.members())

    def _read(self, array):
        suffix, _ = self._member(array)
        self.lines.append(
            'note(%s%s);' % (self._element(array, self.choice.number(0, array.count - 1)), suffix)
        )

    def _read_loop(self, array):
        suffix, _ = self._member(array)
        step = self.choice.one([1, 1, 3, 7])
        self.lines.append(
            'for (int i = %d; i < %d; i += %d) note(%s%s);'
            % (self.choice.number(0, 3), array.count, step, self._element(array, 'i'), suffix)
        )

    def _write(self, array):
        suffix, scalar = self._member(array)
        at = self.choice.number(0, array.count - 1)
        self.lines.append(
            '%s%s = %s;' % (self._element(array, at), suffix, _value(self.choice, scalar, str(at)))
        )

    def _write_loop(self, array):
        suffix, scalar = self._member(array)
        first = self.choice.number(0, array.count - 1)
        last = self.choice.number(first, array.count)
        self.lines.append(
            'for (int i = %d; i < %d; i++) %s%s = %s;'
            % (first, last, self._element(array, 'i'), suffix, _value(self.choice, scalar, 'i'))
        )

    def _halved(self, target, scalar):
        if scalar.kind == 'real':
            return '%s = %s * %s + 1;' % (
                target,
                target,
                '0.5f' if scalar.name == 'float' else '0.5',
            )
        if scalar.kind == 'unsigned':
            return '%s += 12345u;' % target
        return '%s ^= %d;' % (target, self.choice.number(1, 100))

    def _update(self, array):
        suffix, scalar = self._member(array)
        self.lines.append(
            self._halved(
                self._element(array, self.choice.number(0, array.count - 1)) + suffix, scalar
            )
        )

    def _alias(self, array):
        """A local pointer into the array."""
        suffix, scalar = self._member(array)
        at, name = self.choice.number(0, array.count - 1), self._fresh('q')
        length = min(self.choice.number(1, 9), array.dims[-1] - at % array.dims[-1])
        start = self.choice.one(
            ['&' + self._element(array, at)]
            + (['%s + %d' % (array.name, at)] if len(array.dims) == 1 else [])
        )
        what = self.choice.weighted(
            (4, 'note(%s[i]%s);' % (name, suffix)),
            (4, self._halved('%s[i]%s' % (name, suffix), scalar)),
        )
        self.lines.append(
            '{ %s *%s = %s; for (int i = 0; i < %d; i++) %s }'
            % (array.element.name, name, start, length, what)
        )

    def _flat(self, array):
        return (
            array.name if len(array.dims) == 1 else '&%s%s' % (array.name, '[0]' * len(array.dims))
        )

    def _call(self, array):
        if isinstance(array.element, Scalar):
            if self.choice.chance(0.6):
                return self.lines.append(
                    'note(host_sum(%s, %d));'
                    % (self._flat(array), self.choice.number(1, array.count))
                )
            return self.lines.append(
                'host_fill(%s, %d, %d);'
                % (self._flat(array), self.choice.number(1, array.count), self.choice.number(1, 99))
            )
        return self._read(array)

    def _copy(self, array):
        others = [a for a in self._usable() if a.element is array.element and a is not array]
        if others and self.choice.chance(0.6):
            other = self.choice.one(others)
            count = self.choice.number(1, min(array.count, other.count))
            return self.lines.append(
                'memcpy(%s, %s, %d * sizeof(%s));'
                % (self._flat(array), self._flat(other), count, array.element.name)
            )
        name, count = self._fresh('copy'), self.choice.number(1, min(16, array.count))
        return self.lines.append(
            '{ %s %s[%d]; memcpy(%s, %s, sizeof %s); note_bytes(%s, sizeof %s); }'
            % (array.element.name, name, count, name, self._flat(array), name, name, name)
        )

    def _clear(self, array):
        self.lines.append(
            'memset(%s, 0, %d * sizeof(%s));'
            % (self._flat(array), self.choice.number(1, array.count), array.element.name)
        )

    def _branch(self, array):
        suffix, _ = self._member(array)
        other = self.choice.one(self._usable())
        other_suffix, scalar = self._member(other)
        self.lines.append(
            'if (%s%s > 0)' % (self._element(array, self.choice.number(0, array.count - 1)), suffix)
        )
        self.lines.append(
            '  '
            + self._halved(
                self._element(other, self.choice.number(0, other.count - 1)) + other_suffix, scalar
            )
        )
        if self.choice.chance(0.4):
            self.lines.append('else note(1);')

    def _view(self, array):
        """A pointer in a structure, chosen at run time."""
        others = [a for a in self._usable() if a.element is array.element]
        a, b = self._flat(array), self._flat(self.choice.one(others))
        suffix, scalar = self._member(array)
        name = self._fresh('box')
        at = self.choice.number(0, min(x.count for x in others) - 1)
        self.lines.append(
            '{ struct { %s *p; int n; } %s = {opaque(%d) ? %s : %s, 1};'
            % (array.element.name, name, self.choice.number(0, 1), a, b)
        )
        self.lines.append(
            '  note(%s.p[%d]%s); %s }'
            % (
                name,
                at,
                suffix,
                self._halved('%s.p[%d]%s' % (name, at, suffix), scalar)
                if self.choice.chance(0.5)
                else '',
            )
        )

    def _compare(self, array):
        """Library functions that read or move the array's memory."""
        others = [a for a in self._usable() if a.element is array.element]
        other = self.choice.one(others)
        size = '%d * sizeof(%s)' % (
            self.choice.number(1, min(array.count, other.count)),
            array.element.name,
        )
        self.lines.append(
            self.choice.one(
                [
                    'note(memcmp(%s, %s, %s) > 0);' % (self._flat(array), self._flat(other), size),
                    'memmove(%s, %s, %s);' % (self._flat(array), self._flat(other), size),
                    'note((const char *)memchr(%s, %d, %s) != NULL);'
                    % (self._flat(array), self.choice.number(0, 60), size),
                ]
            )
        )

    def _working(self, array):
        """A system call that writes a text which the program then writes over."""
        size = array.count * self._bytes(array)
        if size < 2000:
            return self._compare(array)
        self.lines.append('note(getcwd((char *)%s, %d) != NULL);' % (self._flat(array), size))
        return self.lines.append(
            'memset(%s, %d, %d);' % (self._flat(array), self.choice.number(0, 1), size)
        )

    @staticmethod
    def _bytes(array):
        """Of an element, or fewer."""
        return array.element.size if isinstance(array.element, Scalar) else min(
            8, array.element.size
        )

    def _file(self, array):
        """Through a file: system calls that read and write the array's memory."""
        file, count = self._fresh('file'), self.choice.number(1, array.count)
        size = '%d * sizeof(%s)' % (count, array.element.name)
        flat = self._flat(array)
        self.lines.append('FILE *%s = tmpfile();' % file)
        how = self.choice.weighted((30, 'stdio'), (25, 'calls'), (45, 'vectors'))
        others = [a for a in self._usable() if a.element is array.element and a.count >= count]
        other = self._flat(self.choice.one(others))
        if how == 'stdio':
            self.lines.append(
                'note((int)fwrite(%s, sizeof(%s), %d, %s)); rewind(%s);'
                % (flat, array.element.name, count, file, file)
            )
            self.lines.append(
                'note((int)fread(%s, sizeof(%s), %d, %s));'
                % (other, array.element.name, count, file)
            )
        elif how == 'calls':
            self.lines.append('note((long)pwrite(fileno(%s), %s, %s, 0));' % (file, flat, size))
            self.lines.append('note((long)pread(fileno(%s), %s, %s, 0));' % (file, other, size))
        else:
            vector = self._fresh('vector')
            self.lines.append('struct iovec %s = {(void *)(%s), %s};' % (vector, flat, size))
            self.lines.append('note((long)writev(fileno(%s), &%s, 1));' % (file, vector))
        self.lines.append('fclose(%s);' % file)

    def _raw_use(self, array):
        others = [a for a in self._usable() if a.element is array.element]
        if not others or self.choice.chance(0.4):
            return self._note_raw(array)
        other = self.choice.one(others)
        count = self.choice.number(1, min(array.count, other.count))
        size = '%d * sizeof(%s)' % (count, array.element.name)
        if self.choice.chance(0.5):
            return self.lines.append(
                'cudaMemcpy(%s, %s, %s, cudaMemcpyHostToDevice);'
                % (array.name, self._flat(other), size)
            )
        return self.lines.append(
            'cudaMemcpy(%s, %s, %s, cudaMemcpyDeviceToHost);'
            % (self._flat(other), array.name, size)
        )

    # ---- launches ----

    def launch(self, kernel):
        before = []
        writer = LaunchWriter(self.choice, self.section, before)
        writer.count = self.counter * 10
        self.counter += 1
        how = self.choice.weighted(
            (48, 'plain'),
            (24, 'loop'),
            (10, 'function'),
            (6, 'condition'),
            (4, 'declared'),
            (12, 'pingpong'),
            (100 * self.section.program.wrapped, 'wrapped'),
        )
        bounds = bind(self.choice, kernel, self.section.arrays)
        pair = self._swappable(kernel, bounds) if how == 'pingpong' else None
        if pair:
            return self._pingpong(writer, kernel, bounds, pair)
        if how == 'function':
            return self._in_function(kernel, bounds)
        text = writer.launch(kernel, bounds)
        self.lines += before
        if how == 'loop':
            self._open_loop(kernel)
            self.lines.append('  ' + text)
            if self.choice.chance(0.25):
                at = len(self.lines)
                self.use()
                self.lines[at:] = ['  ' + line for line in self.lines[at:]]
            self.lines.append('}')
        elif how == 'wrapped':
            name = self._fresh('run%s' % self.section.suffix)
            functions, lines = wrapping.launch(self.choice, name, text)
            self.functions += functions
            self.lines += lines
        elif how == 'declared':
            self.lines += host_conditions.launched(self, text)
        elif how == 'condition':
            self.lines.append('if (opaque(%d))' % self.choice.number(0, 1))
            self.lines.append('  ' + text)
        else:
            self.lines.append(text)
        return None

    def _open_loop(self, kernel):
        """A loop of launches: few, a number that is not known, or enough for a graph."""
        how = self.choice.weighted(
            (40, 'few'), (40, 'unknown'), (20 if kernel.section.n <= 1000 else 0, 'many')
        )
        steps = str(self.choice.number(33, 48) if how == 'many' else self.choice.number(2, 5))
        if how == 'unknown':
            name = self._fresh('steps')
            self.lines.append('const int %s = opaque(%s);' % (name, steps))
            steps = name
        arrays = self._usable()
        if arrays and self.choice.chance(0.1):
            array = self.choice.one(arrays)
            suffix, _ = self._member(array)
            steps += ' && !(%s%s > %d)' % (
                self._element(array, self.choice.number(0, array.count - 1)),
                suffix,
                self.choice.number(0, 90),
            )
        self.lines.append('for (int step = 0; step < %s; step++) {' % steps)

    def _swappable(self, kernel, bounds):
        """An owned and a read slot whose objects may change places."""
        taken = [b.array for b in bounds]
        for out in bounds:
            for into in bounds:
                fine = (
                    out.slot.use == OWN
                    and into.slot.use in (READ, MIRROR)
                    and out.slot.by == into.slot.by == PARAM
                    and out.slot.element is into.slot.element
                    and out.array is not into.array
                    and not out.slot.is_flat
                    and not into.slot.is_flat
                    and len(out.slot.shape) == len(into.slot.shape) == 1
                    and out.slot.accepts(into.array)
                    and into.slot.accepts(out.array)
                    and not out.offset
                    and not into.offset
                )
                if fine and taken.count(out.array) == 1 and taken.count(into.array) == 1:
                    return out, into
        return None

    def _pingpong(self, writer, kernel, bounds, pair):
        p, q, t = self._fresh('p'), self._fresh('q'), self._fresh('t')
        element = pair[0].slot.element.name
        text = writer.launch(kernel, bounds, {pair[0].slot: p, pair[1].slot: q})
        self.lines += writer.out
        self.lines.append(
            '%s *%s = %s, *%s = %s;' % (element, p, pair[0].array.name, q, pair[1].array.name)
        )
        self._open_loop(kernel)
        self.lines.append('  ' + text)
        self.lines.append('  %s *%s = %s; %s = %s; %s = %s;' % (element, t, p, p, q, q, t))
        self.lines.append('}')

    def _in_function(self, kernel, bounds):
        """A host function of the pointers, called once or twice with other objects."""
        name, body = self._fresh('run%s' % self.section.suffix), []
        writer = LaunchWriter(self.choice, self.section, body)
        slots = [b.slot for b in bounds if b.slot.by == PARAM]
        names = {slot: 'x%d' % i for i, slot in enumerate(slots)}
        numbers = [s for s in kernel.scalars if not s.real and self.choice.chance(0.4)]
        names.update((s, 'a%d' % i) for i, s in enumerate(numbers))
        text = writer.launch(kernel, bounds, names)
        params = ', '.join(
            slot.parameter().replace(' __restrict__ ', '').replace(slot.text, names[slot], 1)
            if slot.text not in slot.element.name
            else slot.parameter()
            for slot in slots
        )
        params = ', '.join(([params] if params else []) + ['int ' + names[s] for s in numbers])
        self.functions.append(
            ['static void %s(%s)' % (name, params or 'void'), '{']
            + ['  ' + line for line in body + [text]]
            + ['}']
        )
        for again in range(self.choice.number(1, 2)):
            called = bounds if not again else bind(self.choice, kernel, self.section.arrays)
            if again and any(
                b.slot.by not in (PARAM,) and b.array is not c.array for b, c in zip(called, bounds)
            ):
                called = bounds
            if again and any(
                b.slot.by != PARAM and (b.offset != c.offset) for b, c in zip(called, bounds)
            ):
                called = bounds
            given = [b.argument(self.choice) for b in called if b.slot.by == PARAM]
            given += [str(self.choice.number(s.low, s.high)) for s in numbers]
            self.lines.append('%s(%s);' % (name, ', '.join(given)))
            if self.choice.chance(0.3):
                self.use()
