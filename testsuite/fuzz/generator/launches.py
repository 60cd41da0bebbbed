# SPDX-License-Identifier: MIT
"""Launches: which objects the pointer arguments get, scalars, grid and block, and the text
around."""
from .objects import RAW
from .slots import ATOMIC, MIRROR, NAME, OWN, PARAM, READ, RECORD


class Bound:
    def __init__(self, slot, array, offset):
        self.slot, self.array, self.offset = slot, array, offset
        row = array.count // slot.units(array)
        self.low, self.high = offset * row, (offset + slot.needed) * row

    def argument(self, choice, name=None):
        name = name or self.array.name
        slot, array, offset = self.slot, self.array, self.offset
        if not slot.is_flat or len(array.dims) == 1:
            if not offset:
                return name if choice.chance(0.8) else '&%s[0]' % name
            return '%s + %d' % (name, offset) if choice.chance(0.5) else '&%s[%d]' % (name, offset)
        indices = []
        for extent in reversed(array.dims):
            indices.insert(0, offset % extent)
            offset //= extent
        if not any(indices) and choice.chance(0.3):
            return name + '[0]' * (len(indices) - 1)
        return '&' + name + ''.join('[%d]' % i for i in indices)


def _conflict(bound, others):
    for other in others:
        written = bound.slot.use in (OWN, ATOMIC) or other.slot.use in (OWN, ATOMIC)
        if (
            other.array is not bound.array
            or not written
            or bound.high <= other.low
            or other.high <= bound.low
        ):
            continue
        pair = (
            getattr(bound.slot, 'mirrored', None) is other.slot
            or getattr(other.slot, 'mirrored', None) is bound.slot
        )
        if not (pair and (bound.low, bound.high) == (other.low, other.high)):
            return True
    return False


def bind(choice, kernel, arrays):
    """A Bound for each slot; the arrays that the kernel was made with where nothing else fits."""
    for _ in range(6):
        out = _try_bind(choice, kernel, arrays)
        if out:
            return out
    return [Bound(slot, slot.array, 0) for slot in kernel.slots]


def _try_bind(choice, kernel, arrays):
    out = [Bound(s, s.array, 0) for s in kernel.slots if s.by == NAME]
    for slot in sorted((s for s in kernel.slots if s.by != NAME), key=lambda s: s.use == READ):
        fitting = [slot.array] + [
            a
            for a in arrays
            if slot.accepts(a) and a is not slot.array and a not in kernel.reserved
        ]
        array = slot.array if choice.chance(0.6) else choice.one(fitting)
        mirrored = getattr(slot, 'mirrored', None)
        offset = 0
        room = slot.units(array) - slot.needed
        if room > 0 and not array.is_table and choice.chance(kernel.offset_share):
            offset = choice.number(1, room)
        if mirrored and choice.chance(0.4):
            other = [b for b in out if b.slot is mirrored]
            if other:
                array, offset = other[0].array, other[0].offset
        bound = Bound(slot, array, offset)
        if slot.by == RECORD and len(array.dims) > 1 or _conflict(bound, out):
            return None
        out.append(bound)
    return [next(b for b in out if b.slot is slot) for slot in kernel.slots]


def _dim_text(choice, extents, section, counted, unknown=False):
    """A grid or block as the configuration has it; counted: text for the x extent, or None.
    unknown: the translator knows no number of layers."""
    x = counted or section.macros.text(extents[0])
    if extents[1:] == (1, 1):
        return x if choice.chance(0.85) else 'dim3(%s)' % x
    if extents[2] == 1:
        return 'dim3(%s, %d)' % (x, extents[1])
    return 'dim3(%s, %d, %s)' % (x, extents[1], ('opaque(%d)' if unknown else '%d') % extents[2])


class LaunchWriter:
    """Writes one launch into a list of host lines. `opaque` values are not constants for the
    analysis."""

    def __init__(self, choice, section, out):
        self.choice, self.section, self.out, self.count = choice, section, out, 0

    def fresh(self, stem):
        self.count += 1
        return '%s%d' % (stem, self.count)

    def scalar(self, scalar, kernel):
        choice = self.choice
        if scalar.real:
            return scalar.real
        value = scalar.high if choice.chance(0.7) else choice.number(scalar.low, scalar.high)
        how = choice.weighted(
            (0.4, 'literal'),
            (kernel.opaque_share, 'opaque'),
            (kernel.hidden_share, 'hidden'),
            (0.25, 'variable'),
        )
        if how == 'opaque':
            return 'opaque(%d)' % value
        if how == 'variable' and choice.chance(0.4):
            return self._changed(scalar, value)
        if how in ('variable', 'hidden'):
            name = self.fresh('n')
            self.out.append(
                'int %s = %s;'
                % (
                    name,
                    'opaque(%d)' % value if how == 'hidden' else self.section.macros.text(value),
                )
            )
            return name
        return self.section.macros.text(value)

    def _changed(self, scalar, value):
        """A variable that an if, or a statement in front of the launch, may have changed."""
        choice, name = self.choice, self.fresh('n')
        other = choice.number(scalar.low, scalar.high)
        if choice.chance(0.4):
            name += '_%d' % self.section.number
            while any(' %s = ' % name in line for line in self.section.statics):
                name += '_'  # another function of the section counts from 1, too
            self.section.statics.append('static int %s = %d;' % (name, other))
            if choice.chance(0.7):
                self.out.append('%s = %d;' % (name, value))
            return name
        self.out.append('int %s = %d;' % (name, value))
        if choice.chance(0.5):
            self.out.append(
                'for (int i = 0; i < opaque(%d); i++) %s = %d;' % (choice.number(0, 2), name, other)
            )
        else:
            self.out.append('if (opaque(%d)) %s = %d;' % (choice.number(0, 1), name, other))
        return name

    def configuration(self, kernel):
        choice = self.choice
        grid, block = choice.one(kernel.geometry.shapes)
        constant = choice.chance(kernel.constant_share)
        unknown = not constant and not kernel.geometry.fixed and choice.chance(0.3)
        if not constant and choice.chance(0.15) and not kernel.geometry.fixed:
            block_text = _dim_text(choice, block, self.section, 'opaque(%d)' % block[0], unknown)
        else:
            block_text = _dim_text(choice, block, self.section, None, unknown)
        counted = None
        if not constant and choice.chance(kernel.unknown_share):
            counted = 'opaque(%d)' % grid[0]
        elif choice.chance(0.3) and block[0] > 1 and block_text.isalnum():
            counted = '(%d + %s - 1) / %s' % (grid[0] * block[0], block_text, block_text)
        grid_text = _dim_text(choice, grid, self.section, counted, unknown)
        if choice.chance(0.2):
            name = self.fresh('grid')
            self.out.append(
                'dim3 %s = %s;' % (name, grid_text)
                if grid_text.startswith('dim3')
                else 'dim3 %s(%s);' % (name, grid_text)
            )
            grid_text = name
        if choice.chance(0.2):
            name = self.fresh('block')
            if block_text.startswith('dim3') or block[1] > 1:
                self.out.append('dim3 %s = %s;' % (name, block_text))
            else:
                self.out.append('dim3 %s(%s);' % (name, block_text))
            block_text = name
        shared = ', %d' % kernel.dynamic_bytes if kernel.dynamic_bytes else ''
        return '%s, %s%s' % (grid_text, block_text, shared)

    def arguments(self, kernel, bounds, names=None):
        choice, args, held = self.choice, [], {}
        for bound in bounds:
            slot = bound.slot
            if slot.by == NAME:
                continue
            text = names[slot] if names and slot in names else bound.argument(choice)
            if slot.by == RECORD:
                held[slot] = text
                args.append(slot.record if slot is slot.record.slots[0] else None)
                continue
            if not names and slot.by == PARAM and len(slot.shape) == 1 and choice.chance(0.06):
                name = self.fresh('at')
                self.out.append(
                    '%s%s *%s = %s;'
                    % ('const ' if slot.is_const else '', slot.element.name, name, text)
                )
                text = name
            args.append(text)
        args = [
            a if isinstance(a, str) else a.argument(choice, [held[s] for s in a.slots], self)
            for a in args
            if a
        ]
        return args + [
            names[s] if names and s in names else self.scalar(s, kernel) for s in kernel.scalars
        ]

    def launch(self, kernel, bounds, names=None):
        configuration = self.configuration(kernel)
        return '@LAUNCH %s @CONFIG %s @ARGS %s @END;' % (
            kernel.template.callee,
            configuration,
            ', '.join(self.arguments(kernel, bounds, names)),
        )
