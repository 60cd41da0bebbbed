# SPDX-License-Identifier: MIT
"""What a place in a kernel may name, with ranges; and the text that grows there."""


class Var:
    """An int quantity with its range. uniform: the same for all threads of a block. raw: of another
    type in C (ctype, that of typed.py; unsigned where none is given), so that nothing may be
    subtracted before a cast."""

    def __init__(self, text, low, high, uniform=False, loop=False, raw=False, ctype=None):
        self.text, self.low, self.high, self.uniform, self.loop, self.raw = (
            text,
            low,
            high,
            uniform,
            loop,
            raw,
        )
        self.ctype = ctype or ('unsigned' if raw else 'int')


class Local:
    """A local scalar: type name, kind as Scalar, bound on its magnitude (real) or range (int)."""

    def __init__(self, text, kind, bound=0, low=0, high=0):
        self.text, self.kind, self.bound, self.low, self.high = text, kind, bound, low, high


class Scope:
    def __init__(self, kernel, parent=None):
        self.kernel = kernel
        self.lines = parent.lines if parent else []
        self.indent = parent.indent + 1 if parent else 1
        self.vars = list(parent.vars) if parent else []
        self.locals = list(parent.locals) if parent else []
        self.reads = list(parent.reads) if parent else []  # slots that may be read at any index
        self.owned = (
            list(parent.owned) if parent else []
        )  # slots that may be used at the thread's own elements
        self.shared = (
            list(parent.shared) if parent else []
        )  # SharedArray: readable at any index now
        self.bases = (
            parent.bases if parent else []
        )  # typed.Base: what typed expressions may be over, besides vars
        self.adjust = (
            parent.adjust if parent else None
        )  # an unsigned local that results should depend on
        self.trips = parent.trips if parent else 1  # iterations of the loops around
        self.in_loop = parent.in_loop if parent else False
        self.end = '}'  # what closes it

    def line(self, text):
        self.lines.append('  ' * self.indent + text)

    def close(self, text=None):
        self.lines.append('  ' * (self.indent - 1) + (text or self.end))

    def narrowed(self, name, low, high):
        """This scope, within a condition low <= name <= high."""
        self.vars = [
            Var(v.text, max(v.low, low), min(v.high, high), v.uniform, v.loop, v.raw, v.ctype)
            if v.text == name
            else v
            for v in self.vars
        ]
        return self
