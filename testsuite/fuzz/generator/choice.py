# SPDX-License-Identifier: MIT
"""The random source: one seed, one program. Only random.random() is used, which Python keeps stable
between versions."""
import random


class Choice:
    def __init__(self, seed):
        self._random = random.Random(seed)

    def chance(self, probability):
        return self._random.random() < probability

    def number(self, low, high):
        """An integer, both ends included."""
        return low + int(self._random.random() * (high - low + 1))

    def one(self, items):
        return items[self.number(0, len(items) - 1)]

    def weighted(self, *pairs):
        """One of (weight, item); weights below or at 0 never."""
        total = sum(max(0, weight) for weight, _ in pairs)
        at = self._random.random() * total
        for weight, item in pairs:
            at -= max(0, weight)
            if weight > 0 and at < 0:
                return item
        return [item for weight, item in pairs if weight > 0][-1]

    def shuffled(self, items):
        rest, out = list(items), []
        while rest:
            out.append(rest.pop(self.number(0, len(rest) - 1)))
        return out
