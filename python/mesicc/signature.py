# SPDX-License-Identifier: MIT
"""The parameters of the kernels of a source, as mesicc reads them (--dump-ir), and how a value of
Python becomes one of them."""
import ctypes

INTEGERS = {
    'bool': ctypes.c_bool,
    'char': ctypes.c_char,
    'signed char': ctypes.c_int8,
    'unsigned char': ctypes.c_uint8,
    'short': ctypes.c_int16,
    'unsigned short': ctypes.c_uint16,
    'int': ctypes.c_int,
    'unsigned int': ctypes.c_uint,
    'long': ctypes.c_long,
    'unsigned long': ctypes.c_ulong,
    'long long': ctypes.c_longlong,
    'unsigned long long': ctypes.c_ulonglong,
}
REALS = {'float': ctypes.c_float, 'double': ctypes.c_double}
ELEMENTS = {  # kind and bits of the elements that a pointer to the type may have
    'bool': ('?', 8),
    'char': ('i', 8),
    'signed char': ('i', 8),
    'unsigned char': ('u', 8),
    'short': ('i', 16),
    'unsigned short': ('u', 16),
    'int': ('i', 32),
    'unsigned int': ('u', 32),
    'long': ('i', 64),
    'unsigned long': ('u', 64),
    'long long': ('i', 64),
    'unsigned long long': ('u', 64),
    'float': ('f', 32),
    'double': ('f', 64),
    '__half': ('f', 16),
    '__nv_bfloat16': ('b', 16),
}


QUALIFIERS = {'const', 'volatile', '__restrict__', 'restrict'}


def words_of(spelling):
    return spelling.replace('*', ' * ').replace('&', ' & ').split()


def plain(spelling):
    return ' '.join(word for word in words_of(spelling) if word not in QUALIFIERS)


def split_parameters(text):
    """'n: int, x: const float *' in pieces: commas within brackets do not count."""
    parts, depth, piece = [], 0, ''
    for letter in text:
        depth += (letter in '(<[{') - (letter in ')>]}')
        if letter == ',' and not depth:
            parts.append(piece)
            piece = ''
        else:
            piece += letter
    return [part.strip() for part in parts + [piece] if part.strip()]


class Parameter:
    def __init__(self, text):
        self.name, self.spelling = (part.strip() for part in text.split(':', 1))
        self.is_pointer = plain(self.spelling).endswith('*')
        self.element = plain(self.spelling.rpartition('*')[0]) if self.is_pointer else None
        self.scalar = INTEGERS.get(plain(self.spelling)) or REALS.get(plain(self.spelling))

    @property
    def c_type(self):
        return ctypes.c_void_p if self.is_pointer else self.scalar

    def problem_of(self, view):
        """Why an array may not be passed; None where it may."""
        wanted = ELEMENTS.get(self.element)
        if not view.contiguous:
            return 'it is not contiguous'
        if view.read_only and 'const' not in words_of(self.spelling.rpartition('*')[0]):
            return 'it is read-only'
        if (
            wanted
            and wanted != (view.kind, view.bits)
            and not (wanted[1] == view.bits == 8 and view.kind in 'iu?')
        ):
            return "its elements are %s%d, the kernel's '%s'" % (view.kind, view.bits, self.element)
        return None


def parameters_of(dump):
    """Kernel -> its Parameters, from what --dump-ir prints."""
    heads = [line for line in dump.split('\n') if line.startswith('kernel ') and line[-1] == ')']
    return {
        name: [Parameter(text) for text in split_parameters(parameters)]
        for name, _, parameters in (head[7:-1].partition('(') for head in heads)
    }
