# SPDX-License-Identifier: MIT
"""Kernels with locals that hide others: a statement in a block of its own, which declares a name
that the statement does not have.

    for (int k = 0; k < 8; k++) {          for (int k = 0; k < 8; k++) {
      s += p[0];                     =>      { int k = 5; s += p[0]; }
      p++;                                   p++;
"""
import re

from .choice import Choice
from .texts import KEPT, STATEMENT, TYPES

DECLARED = re.compile(r'\b(?:int|unsigned|size_t|short|long)\s+(\w+)(?= = |, |\))')


def hidden(seed, head, body, share):
    """The body; each such statement so by `share`."""
    choice, names, out = Choice(seed), DECLARED.findall(head), []
    for line in body:
        statement = STATEMENT.match(line)
        names += [name for name in DECLARED.findall(line) if name not in names]
        if statement and _can_move(statement.group(2)) and choice.chance(share):
            free = [n for n in names if n not in TYPES and not re.search(r'\b%s\b' % n, line)]
            if free:
                line = '%s{ %s %s = %d; %s; }' % (
                    statement.group(1),
                    choice.one(['int', 'int', 'float', 'unsigned']),
                    choice.one(free),
                    choice.number(0, 9),
                    statement.group(2),
                )
        out.append(line)
    return out


def _can_move(statement):
    first = re.match(r'\w+', statement)
    return bool(first) and first.group(0) not in KEPT + TYPES and not _declares(statement)


def _declares(statement):
    return bool(re.match(r'[\w:<>]+\s*[*&]*\s*\b\w+\s*(?:\[|=(?!=))', statement)) and bool(
        re.match(r'[\w:<>]+[\s*&]+\w', statement)
    )
