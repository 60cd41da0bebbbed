# SPDX-License-Identifier: MIT
"""An array as a kernel sees it: by name, through a pointer parameter, through a structure passed by
value."""
from .objects import RAW, VS

READ, OWN, ATOMIC, MIRROR = 'read', 'own', 'atomic', 'mirror'
NAME, PARAM, RECORD = 'name', 'param', 'record'


class Slot:
    """shape: extents that the kernel may use from where the pointer points; is_flat: rows of a
    line, `p[i * pitch + j]`. use: READ anywhere, OWN by the ownership, ATOMIC by atomic functions
    only, MIRROR read by the ownership of another slot, to which it may be equal."""

    def __init__(self, array, text, use, by):
        self.array, self.element, self.text, self.use, self.by = array, array.element, text, use, by
        self.shape = tuple(array.dims)
        self.is_flat, self.pitch = False, None
        self.own = None
        self.record = None  # nested.Nested, where it is in a structure
        self.is_const, self.is_restrict = False, False

    def element_at(self, indices):
        if not self.is_flat:
            return self.text + ''.join('[%s]' % i for i in indices)
        row = indices[0] if indices[0].replace('.', '').isalnum() else '(%s)' % indices[0]
        return '%s[%s * %s + %s]' % (self.text, row, self.pitch, indices[1])

    def own_element(self, choice, scope):
        return self.element_at(self.own.indices(choice, scope))

    @property
    def needed(self):
        """Elements of the first dimension that a bound object must have; elements at all when
        flat."""
        return self.shape[0] * self.shape[1] if self.is_flat else self.shape[0]

    def parameter(self):
        const = 'const ' if self.is_const else ''
        restrict = ' __restrict__ ' if self.is_restrict else ''
        if self.is_flat or len(self.shape) == 1:
            return '%s%s *%s%s' % (const, self.element.name, restrict, self.text)
        return '%s%s (*%s%s)%s' % (
            const,
            self.element.name,
            restrict,
            self.text,
            ''.join('[%d]' % e for e in self.shape[1:]),
        )

    def accepts(self, array):
        if (
            array.element is not self.element
            or array.is_table != self.array.is_table
            or array.is_counter != self.array.is_counter
        ):
            return False
        if array.is_table:
            return (
                array.is_permutation >= self.array.is_permutation
                and array.limit <= self.array.limit
                and array.dims[0] >= self.needed
            )
        if self.is_flat or len(self.shape) == 1:
            return array.count >= self.needed and (len(array.dims) == 1 or self.is_flat)
        return (
            len(array.dims) == len(self.shape)
            and tuple(array.dims[1:]) == self.shape[1:]
            and array.dims[0] >= self.needed
        )

    def units(self, array):
        """How many elements (rows) of the object there are in the unit of offsets."""
        return array.count if self.is_flat else array.dims[0]


def make_slot(choice, kernel, array, use, number, whole=False):
    """whole: all of the array, in its dimensions."""
    by = (
        NAME
        if array.storage != RAW and choice.chance(kernel.names_share)
        else RECORD
        if choice.chance(kernel.records_share)
        else PARAM
    )
    if array.is_table and by == RECORD:
        by = PARAM
    if by == RECORD and (len(array.dims) > 1 or array.storage not in (VS, RAW)):
        by = PARAM
    text = array.name if by == NAME else 'r%d.p' % number if by == RECORD else 'p%d' % number
    slot = Slot(array, text, use, by)
    if by == NAME or array.is_table:
        slot.is_const = array.is_table and by == PARAM
        return slot
    slot.is_const = use in (READ, MIRROR) and choice.chance(0.6)
    slot.is_restrict = by == PARAM and choice.chance(
        kernel.restrict_share
    )  # launches bind nothing twice that is written
    if whole:
        return slot
    if choice.chance(0.3) and not (by == RECORD):
        _flatten(choice, kernel, slot)
    if len(slot.shape) == 1 and not slot.is_flat and choice.chance(0.2):
        slot.shape = (max(1, slot.shape[0] // choice.number(2, 3)),)
    return slot


def _flatten(choice, kernel, slot):
    """Rows of a line: the pitch as a constant or as a parameter."""
    array = slot.array
    width = kernel.section.w if array.count >= 2 * kernel.section.w else 0
    if len(array.dims) == 2:
        width = array.dims[1]
    if len(array.dims) > 2 or not width or array.count // width < 2:
        return
    slot.shape = (array.count // width, width)
    slot.is_flat = True
    slot.pitch = (
        kernel.fixed_scalar(width) if choice.chance(0.5) else kernel.section.macros.text(width)
    )
