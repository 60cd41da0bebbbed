# SPDX-License-Identifier: MIT
"""An index expression with its range."""


class Form:
    """A C expression of type int (of another integer type, where `raw`), its range. atom: needs no
    parentheses in a product."""

    def __init__(self, text, low, high, raw=False, atom=False):
        self.text, self.low, self.high, self.raw, self.atom = text, low, high, raw, atom

    def inner(self):
        return self.text if self.atom else '(%s)' % self.text

    def signed(self):
        return (
            Form('(int)%s' % self.inner(), self.low, self.high, False, True) if self.raw else self
        )
