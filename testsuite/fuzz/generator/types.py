# SPDX-License-Identifier: MIT
"""Element types. Structures have no padding: dumps are compared byte by byte."""


class Scalar:
    """kind: 'real' (float, double), 'unsigned', 'int', 'small' (promoted to int in arithmetic),
    'wide' (64 bits; low tells whether signed). What is stored in a wide one fits an unsigned or an
    int, so that a little may be added.
    """

    def __init__(self, name, kind, size, low=0, high=0):
        self.name, self.kind, self.size, self.low, self.high = name, kind, size, low, high

    def members(self):
        return [('', self)]


class Struct:
    def __init__(self, name, members, builtin=False):
        self.name, self._members, self.builtin = name, members, builtin
        self.size = sum(scalar.size * max(1, count) for _, scalar, count in members)

    def members(self):
        """(suffix of an lvalue, scalar) for each member that may be read or written."""
        out = []
        for name, scalar, count in self._members:
            out += (
                [('.%s[%d]' % (name, i), scalar) for i in range(count)]
                if count
                else [('.' + name, scalar)]
            )
        return out

    def declaration(self):
        fields = ' '.join(
            '%s %s%s;' % (s.name, n, '[%d]' % c if c else '') for n, s, c in self._members
        )
        return 'struct %s { %s };' % (self.name, fields)


FLOAT = Scalar('float', 'real', 4)
DOUBLE = Scalar('double', 'real', 8)
UNSIGNED = Scalar('unsigned', 'unsigned', 4)
INT = Scalar('int', 'int', 4)
SHORT = Scalar('short', 'small', 2, -32768, 32767)
UCHAR = Scalar('unsigned char', 'small', 1, 0, 255)
SCHAR = Scalar('signed char', 'small', 1, -128, 127)
USHORT = Scalar('unsigned short', 'small', 2, 0, 65535)
BOOL = Scalar('bool', 'small', 1, 0, 1)
LLONG = Scalar('long long', 'wide', 8, -1, 1)
ULLONG = Scalar('unsigned long long', 'wide', 8, 0, 1)
SIZE = Scalar('size_t', 'wide', 8, 0, 1)
RARE = [SCHAR, USHORT, BOOL, LLONG, LLONG, ULLONG, SIZE]

STRUCTS = [
    Struct('point', [('x', FLOAT, 0), ('y', FLOAT, 0)]),
    Struct('cell', [('w', FLOAT, 0), ('n', INT, 0), ('f', UNSIGNED, 3)]),
    Struct('mixed', [('d', DOUBLE, 0), ('v', FLOAT, 0), ('s', SHORT, 0), ('c', UCHAR, 2)]),
]

# Three numbers, and two that are a complex number; some are CUDA's own.
TRIPLES = [
    Struct('pixel', [('r', UCHAR, 0), ('g', UCHAR, 0), ('b', UCHAR, 0)]),
    Struct('uchar3', [('x', UCHAR, 0), ('y', UCHAR, 0), ('z', UCHAR, 0)], True),
    Struct('short3', [('x', SHORT, 0), ('y', SHORT, 0), ('z', SHORT, 0)], True),
    Struct('float3', [('x', FLOAT, 0), ('y', FLOAT, 0), ('z', FLOAT, 0)], True),
    Struct('spot', [('x', FLOAT, 0), ('y', FLOAT, 0), ('z', FLOAT, 0)]),
]
PAIRS = [
    Struct('float2', [('x', FLOAT, 0), ('y', FLOAT, 0)], True),
    Struct('double2', [('x', DOUBLE, 0), ('y', DOUBLE, 0)], True),
]
DECLARED = STRUCTS + [struct for struct in TRIPLES if not struct.builtin]


def pick_element(choice):
    return choice.weighted(
        (34, FLOAT),
        (14, DOUBLE),
        (12, UNSIGNED),
        (18, INT),
        (6, SHORT),
        (6, UCHAR),
        (12, choice.one(RARE)),
        (10, choice.one(STRUCTS)),
        (10, choice.one(TRIPLES)),
        (8, choice.one(PAIRS)),
    )
