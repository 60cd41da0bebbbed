# SPDX-License-Identifier: MIT
"""Kernels that reach their arrays through methods, and find their place through functions: elements
of an array become calls of a method of an object that the kernel declares.

    p0[i] = p1[i + 1];      =>      line<float> a0 = {p0};  span<const float> a1(p1, 64);
                                    a0(i) = a1[i + 1];
    int i = blockIdx.x * blockDim.x + threadIdx.x;      =>      int i = place0::x();
"""
import re

from .choice import Choice
from .slots import RECORD

# Sizes are numbers, constants and blockDim: a function knows no parameters of the kernel.
SIZE = r'(?:blockDim\.\w|[A-Z0-9]\w*)'
PRODUCT = (
    r'(?:__mul24\(SIZE, blockIdx\.\w\)|SIZE \* blockIdx\.\w|blockIdx\.\w \* SIZE\b)'
).replace('SIZE', SIZE)
ID = re.compile(r'%s \+ threadIdx\.\w|threadIdx\.\w \+ %s' % (PRODUCT, PRODUCT))

# The text of each class, what it is derived from.
CLASSES = {
    'line': (
        'template <class T> struct line {\n  T *p;\n'
        '  __device__ T &operator()(int i) const { return p[i]; }\n};',
        (),
    ),
    'span': (
        'template <class T> class span {\n  T *first;\n  int count;\n\npublic:\n'
        '  __device__ span(T *p, int n) : first(p), count(n) {}\n'
        '  __device__ int size() const { return count; }\n'
        '  __device__ T *begin() const { return first; }\n'
        '  __device__ T &operator[](size_t i) const { return begin()[i]; }\n'
        '  __device__ T &near(int i) const {\n    if (i < 0) return first[0];\n'
        '    return first[i < size() ? i : size() - 1];\n  }\n};',
        (),
    ),
    'value': (
        'template <class T> struct value {\n  T *p;\n'
        '  __device__ T operator[](int i) const {\n    T loaded = *(p + i);\n    return loaded;\n'
        '  }\n};',
        (),
    ),
    'element': (
        'template <class T> struct element {\n  static const int first = 0;\n'
        '  static __device__ T &of(T *p, int i) { return p[i + first]; }\n};',
        (),
    ),
    'reached': (
        'template <class D, class T> struct reached {\n'
        '  __device__ T &at(int i) const { return static_cast<const D *>(this)->data()[i]; }\n};',
        (),
    ),
    'held': (
        'template <class T> struct held : reached<held<T>, T> {\n  T *p;\n'
        '  __device__ explicit held(T *q) : p(q) {}\n'
        '  __device__ T *data() const { return p; }\n};',
        ('reached',),
    ),
    'behind': (
        'template <class T> struct behind : line<T> {\n  int by;\n'
        '  __device__ behind(T *q, int n) : line<T>{q}, by(n) {}\n'
        '  __device__ T &operator[](int i) const { return line<T>::operator()(i + by - 2); }\n};',
        ('line',),
    ),
    'moved': (
        'template <class T> struct moved {\n  T *p;\n  int by = 0;\n'
        '  __device__ moved(T *q) : p(q) {}\n'
        '  __device__ void turn() {\n    by = 1 - by;\n    if (by) p++; else --p;\n  }\n'
        '  __device__ T &operator[](int i) { return p[i - by]; }\n};',
        (),
    ),
    'counted': (
        'template <class T> struct counted {\n  T *p;\n  unsigned uses = 0;\n'
        '  __device__ counted(T *q) : p(q) {}\n'
        '  __device__ T &operator()(int i) { uses++; return p[i + (uses > 99999999u)]; }\n};',
        (),
    ),
    'total': (
        'template <class T> struct total {\n  T value;\n'
        '  __device__ explicit total(T first) : value(first) {}\n'
        '  __device__ total &operator+=(T more) { value += more; return *this; }\n};',
        (),
    ),
    'plane': (
        'template <class T, int W> struct plane {\n  T (*p)[W];\n'
        '  __device__ T *row(int y) const { return p[y]; }\n'
        '  __device__ T &operator()(int y, int x) const { return row(y)[x]; }\n};',
        (),
    ),
    'grid': (
        'template <class T> struct grid {\n  T *p;\n  int pitch;\n'
        '  __device__ int at(int y, int x) const { return y * pitch + x; }\n'
        '  __device__ T &operator()(int y, int x) const { return p[at(y, x)]; }\n};',
        (),
    ),
}


class Classes:
    """What the kernels of a program have asked for."""

    def __init__(self, choice):
        self._choice, self._names, self._places = choice, [], {}

    def need(self, name):
        for base in CLASSES[name][1]:
            self.need(base)
        if name not in self._names:
            self._names.append(name)

    def place(self, text, choice):
        """A call that gives the id."""
        how = choice.one(['function', 'static', 'object', 'base'])
        if (text, how) not in self._places:
            self._places[text, how] = 'place%d' % len(self._places)
        name = self._places[text, how]
        return {'function': '%s()', 'static': '%s::x()', 'object': '%s().x', 'base': '%s().x()'}[
            how
        ] % name

    def lines(self):
        out = [line for name in self._names for line in CLASSES[name][0].split('\n')]
        for (text, how), name in self._places.items():
            out.append(
                {
                    'function': '__device__ __forceinline__ int NAME() { return TEXT; }',
                    'static': 'struct NAME { static __device__ int x() { return TEXT; } };',
                    'object': (
                        'struct NAME { int x; __device__ NAME() { x = TEXT; } };'
                        if '__mul24' in text  # nvcc gives initialisers to the host's compiler
                        else 'struct NAME { int x; __device__ NAME() : x(TEXT) {} };'
                    ),
                    'base': (
                        'struct NAME_base { __device__ int x() const { return TEXT; } };'
                        ' struct NAME : NAME_base {};'
                    ),
                }[how]
                .replace('NAME', name)
                .replace('TEXT', text)
            )
        return out


def closed(text, at):
    """Behind the bracket that closes the one at `at`."""
    depth = 0
    for i in range(at, len(text)):
        depth += (text[i] in '([') - (text[i] in ')]')
        if not depth:
            return i + 1
    return None


def _split(text, separator):
    """Where `separator` is outside of brackets: the last place; None where it is nowhere."""
    depth, found = 0, None
    for i, c in enumerate(text):
        depth += (c in '([') - (c in ')]')
        if not depth and text.startswith(separator, i):
            found = i
    return found


class Viewed:
    """The body of a kernel; `body` and how many of its elements are reached through methods."""

    def __init__(self, seed, kernel, body, share):
        self.choice, self.kernel, self.body = Choice(seed), kernel, list(body)
        self.classes = kernel.program.classes
        if self.choice.chance(share):
            self._places()
        viewed = self.choice.chance(share)
        for slot in kernel.slots:
            if self.choice.chance(0.6) if slot.by == RECORD else (
                    viewed and self.choice.chance(0.6)):
                self._view(slot)

    def _places(self):
        for at, line in enumerate(self.body):
            if ID.search(line) and '#' not in line and self.choice.chance(0.7):
                self.body[at] = ID.sub(lambda m: self.classes.place(m.group(0), self.choice), line)

    def _view(self, slot):
        choice, flat = self.choice, slot.is_flat
        if slot.by == RECORD and choice.chance(0.8):
            record = slot.text[:-2]
            return self._put(slot, None, None, (), lambda i: '%s.at(%s)' % (record, i[0]), 1)
        const = 'const ' if slot.is_const or slot.use == 'read' and choice.chance(0.4) else ''
        kind, name = const + slot.element.name, 'w%d_' % self.kernel.slots.index(slot)
        if len(slot.shape) == 2 and not flat:
            self._put(slot, 'plane', 'plane<%s, %d> %s = {%s};', (kind, slot.shape[1], name),
                      lambda i: '%s(%s, %s)' % (name, *i) if choice.chance(0.7)
                      else '%s.row(%s)[%s]' % (name, *i), 2)
        elif flat and choice.chance(0.6):
            self._put(slot, 'grid', 'grid<%s> %s = {%s, (int)%s};', (kind, name),
                      lambda i: self._of_grid(slot, name, i[0]), 1, (str(slot.pitch),))
        elif len(slot.shape) == 1 or flat:
            self._line(slot, kind, name)
        return None

    @staticmethod
    def _of_grid(slot, name, index):
        between = ' * %s + ' % slot.pitch
        at = _split(index, between)
        if at is None or _split(index[:at], ' + ') is not None:
            return None
        return '%s(%s, %s)' % (name, index[:at], index[at + len(between):])

    def _line(self, slot, kind, name):
        choice, count = self.choice, str(slot.needed)
        which = choice.weighted(
            (20, 'line'), (20, 'span'), (12 if slot.is_const else 0, 'value'), (10, 'element'),
            (12, 'held'), (10, 'behind'), (18, 'moved'), (8, 'counted'),
        )
        declared = {
            'line': 'line<%s> %s = {%s};', 'span': 'span<%s> %s(%s, %s);',
            'value': 'const value<%s> %s = {%s};', 'element': None, 'held': 'held<%s> %s(%s);',
            'behind': 'behind<%s> %s(%s, 2);', 'moved': 'moved<%s> %s(%s);',
            'counted': 'counted<%s> %s(%s);',
        }[which]
        call = {
            'line': '%s(%s)', 'span': '%s[%s]', 'value': '%s[%s]', 'held': '%s.at(%s)',
            'behind': '%s[%s]', 'moved': '%s[%s]', 'counted': '%s(%s)',
        }.get(which)
        near = which == 'span' and choice.chance(0.3)

        def reached(index):
            if which == 'element':
                return 'element<%s>::of(%s, %s)' % (kind, slot.text, index[0])
            return ('%s.near(%s)' if near else call) % (name, index[0])

        more = (count,) if which == 'span' else ()
        found = self._put(slot, which, declared, (kind, name), reached, 1, more)
        if found and which == 'moved':
            self._turns(name)

    def _put(self, slot, which, declared, first, reached, dimensions, more=()):
        """The elements of `dimensions` indices, and the declaration where there are any."""
        before = list(self.body)
        pattern = re.compile(r'(?<![\w:.&>])%s(?=\[)' % re.escape(slot.text))
        for at, line in enumerate(self.body):
            if not line.lstrip().startswith(('#', '@', '__shared__')):
                self.body[at] = self._line_of(line, pattern, reached, dimensions)
        if self.body == before:
            return False
        if which:
            self.classes.need(which)
        if declared:
            self.body.insert(1, '  ' + declared % (first + (slot.text,) + more))
        return True

    def _line_of(self, line, pattern, reached, dimensions):
        at, out = 0, ''
        while True:
            match = pattern.search(line, at)
            if not match:
                return out + line[at:]
            indices, end = [], match.end()
            while end < len(line) and line[end] == '[' and len(indices) < dimensions:
                behind = closed(line, end)
                if behind is None:
                    return out + line[at:]
                indices.append(self._line_of(line[end + 1: behind - 1], pattern, reached,
                                             dimensions))
                end = behind
            whole = len(indices) == dimensions and (end >= len(line) or line[end] != '[')
            text = reached(indices) if whole else None
            out += line[at: match.start()] + (text or match.group(0))
            at = end if text else match.end()

    def _turns(self, name):
        """The object changes between statements."""
        places = [
            at
            for at in range(2, len(self.body))
            if self.body[at - 1].rstrip().endswith((';', '{', '}'))
            and not self.body[at].lstrip().startswith(('else', '}', '#', 'case', 'default', '@'))
            and not self.body[at - 1].lstrip().startswith(('#', 'else', 'switch', 'if', 'for'))
        ]
        inner = [at for at in places if self.body[at].startswith('    ')]
        if inner and self.choice.chance(0.5):  # in a loop, or under a condition
            places = inner
        for at in sorted(set(self.choice.one(places) for _ in range(2)) if places else (),
                         reverse=True):
            indent = re.match(r' *', self.body[at]).group(0)
            counter = re.search(r'for \(int (k\d*) = ', self.body[at - 1])
            test = 'if (%s == %d) ' % (counter.group(1), self.choice.number(0, 4)) if (
                counter and self.choice.chance(0.6)) else ''
            self.body.insert(at, '%s%s%s.turn();' % (indent, test, name))
