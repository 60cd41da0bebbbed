# SPDX-License-Identifier: MIT
"""Kernels with text in macros: statements, places in arrays, parts of expressions."""
import re

from .choice import Choice

PLACE = re.compile(r'(?<!@)\b\w+(?:\[[^\[\]]*\])+')
GROUP = re.compile(r'\([^()@#]{3,}\)')
WORD = re.compile(r'(?<![\w.:])[a-z]\w*(?![\w(:])')
STATEMENT = re.compile(r'^(\s*)([^{}#@]*[-+*^|&]?=[^{}#@]*);$')
KEPT = ('for', 'if', 'while', 'return', 'continue', 'break', 'else', 'do')


class Macroed:
    """lines: #defines, and the body with what they stand for."""

    def __init__(self, seed, name, body, share):
        self._choice, self._name, self.defines = Choice(seed), name, []
        self.body = [self._line(line) if self._choice.chance(share) else line for line in body]

    def _fresh(self):
        return 'M%d_%s' % (len(self.defines), self._name)

    def _line(self, line):
        choice, statement = self._choice, STATEMENT.match(line)
        if statement and statement.group(2).split()[0] not in KEPT and choice.chance(0.3):
            name = self._fresh()
            end = choice.one([';', ''])
            self.defines.append('#define %s %s%s' % (name, statement.group(2), end))
            return statement.group(1) + name + (';' if not end else '')
        return self._part(line, choice.one([PLACE, PLACE, GROUP]))

    def _part(self, line, pattern):
        found = [
            m
            for m in pattern.finditer(line)
            if not line.lstrip().startswith(('__shared__', '#', '@'))
            and not self._declares(line, m)
        ]
        if not found:
            return line
        match = self._choice.one(found)
        text, name = match.group(0), self._fresh()
        words = [w for w in WORD.findall(text) if w not in TYPES]
        if words and self._choice.chance(0.6):
            word = self._choice.one(words)
            body = re.sub(r'(?<![\w.:])%s(?!\w)' % re.escape(word), 'A_', text)
            self.defines.append('#define %s(A_) %s' % (name, body))
            use = '%s(%s)' % (name, word)
        else:
            self.defines.append('#define %s %s' % (name, text))
            use = name
        return line[: match.start()] + use + line[match.end() :]

    @staticmethod
    def _declares(line, match):
        """An array of the thread is declared there, or the group is a cast, a head or a list."""
        before, text = line[: match.start()].rstrip(), match.group(0)
        if text.startswith('('):
            is_call = re.search(r'[\w>]$', before)
            is_list = 'long' in text or ';' in text or ',' in text
            is_cast = all(word in TYPES for word in re.findall(r'[\w.]+', text))
            return bool(is_call) or is_cast or is_list
        is_first = re.search(r'\b(?:%s)\s*\**$' % '|'.join(TYPES), before)
        return bool(is_first) or before.endswith('*') and '=' not in before


TYPES = (
    'float',
    'double',
    'int',
    'unsigned',
    'short',
    'char',
    'long',
    'bool',
    'size_t',
    'signed',
    'const',
    'point',
    'cell',
    'mixed',
    'void',
    'auto',
    'sizeof',
)
