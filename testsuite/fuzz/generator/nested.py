# SPDX-License-Identifier: MIT
"""Structures by value that hold pointers, alone or in other structures, and how a launch makes
them: a variable, or a temporary in its arguments.

    view_float view1 = {ga, 64};  k<<<...>>>(view1)         k<<<...>>>(view_float{ga, 64})
    k<<<...>>>(both_of<view_float, view_int>{view_float{ga, 64}, {gb, 64}})
    k<<<...>>>(behind_of<view_float>(view_float{ga, 64}, 3))
"""
from .scope import Var
from .slots import RECORD

CLASSES = """template <class A, class B> struct both_of { A a; B b; };
template <class T> struct after_of { int before; T view; };
template <class T> struct behind_of {
  T view;
  int by;
  behind_of(T v, int n) : view(v), by(n) {}
};
template <class T> struct kept_of {
  int by;
  T view;
  explicit kept_of(const T &v) : by(1), view(v) {}
};"""
OF_ONE = ('after_of', 'behind_of', 'kept_of')


def record_name(element_name):
    return 'view_' + element_name.replace(' ', '_')


class Nested:
    """One parameter: its slots, one or two, and the structure around them, None where there is
    none."""

    def __init__(self, name, slots, around):
        self.name, self.slots, self.around = name, slots, around
        if around == 'both_of':
            slots[0].text, slots[1].text = name + '.a.p', name + '.b.p'
        elif around:
            slots[0].text = name + '.view.p'
        for slot in slots:
            slot.record = self

    def type(self):
        inner = ', '.join(record_name(slot.element.name) for slot in self.slots)
        return '%s<%s>' % (self.around, inner) if self.around else inner

    def numbers(self):
        """What the structures hold beside pointers."""
        value = {'behind_of': ('by', 3), 'kept_of': ('by', 1), 'after_of': ('before', 7)}.get(
            self.around)
        return [Var('%s.%s' % (self.name, value[0]), value[1], value[1], True)] if value else []

    def _in(self, parts):
        """How the structure around is made of the structures in it."""
        name, inner = self.type(), ', '.join(parts)
        if self.around == 'behind_of':
            return '%s(%s, 3)' % (name, inner)
        if self.around == 'kept_of':
            return '%s(%s)' % (name, inner)
        return '%s{%s%s}' % (name, '7, ' if self.around == 'after_of' else '', inner)

    def argument(self, choice, texts, writer):
        """The argument where the pointers are these; variables go to the writer."""
        parts = []
        for slot, text in zip(self.slots, texts):
            name = record_name(slot.element.name)
            if choice.chance(0.45):
                parts.append('%s{%s, %d}' % (name, text, slot.needed))
            else:
                parts.append(writer.fresh('view'))
                writer.out.append('%s %s = {%s, %d};' % (name, parts[-1], text, slot.needed))
        if not self.around:
            return parts[0]
        if choice.chance(0.65):
            return self._in(parts)
        whole = writer.fresh('whole')
        writer.out.append('%s %s = %s;' % (self.type(), whole, self._in(parts)))
        return whole


def nest(kernel):
    """Gives each structure of a kernel its parameter, some of them in others."""
    choice, rest = kernel.choice, [slot for slot in kernel.slots if slot.by == RECORD]
    while rest:
        slot, around = rest.pop(0), None
        slots, name = [slot], slot.text.split('.')[0]
        if rest and choice.chance(0.5):
            slots.append(rest.pop(0))
            around = 'both_of'
        elif choice.chance(0.35):
            around = choice.one(OF_ONE)
        Nested(name, slots, around)
