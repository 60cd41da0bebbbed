# SPDX-License-Identifier: MIT
"""Kernels whose threads go together through ranges that tables give.

    for (int c = 0; c < 3; c++) {
      const int cell = (blockIdx.x + c) % 47, first = gbase[cell], size = gpos[cell + 1];
      for (int at = 0; at < size; at++)
        s += v[first + at];
    }

In front of it, and around it: ifs that some threads take, loops of which threads run different
numbers of iterations, continues. Elements are found by a sum, through a table, or in rows of three.
The tables are those of tables.py; bases and positions together stay inside of an array.
"""
from . import geometry, typed
from .scope import Local
from .tables import Tables
from .values import LOADED

MOST_LOADED = 20000


class Ranges(Tables):
    names_share, records_share, restrict_share = 0.25, 0.01, 0.3

    def _make_geometry(self):
        choice, section = self.choice, self.section
        self.kind = 'range'
        if choice.chance(0.3):
            return geometry.make_plane(choice, section.w, section.h, True)
        return geometry.make_line(
            choice, choice.one([64, 100, 128, 200, 256, 300]), choice.chance(0.85)
        )

    def _done(self, scope, name, real):
        scope.locals.append(
            Local(name, 'real', LOADED * MOST_LOADED) if real else Local(name, 'unsigned')
        )

    def _range(self, scope, statements, values):
        choice, base, position = self.choice, self.tables.get('gbas'), self.tables.get('gpos')
        if not base or not position:
            return self._box(scope, statements, values)
        name, real = self._total(scope, values)
        open_scopes, inner, changing = [], scope, []
        if choice.chance(0.25):
            inner = self._block(
                inner,
                open_scopes,
                'if (threadIdx.x %% %d %s %d) {'
                % (choice.number(2, 5), choice.one(['!=', '<']), choice.number(1, 2)),
            )
        if choice.chance(0.15):
            u = self.fresh('u')
            inner = self._block(
                inner,
                open_scopes,
                'for (int %s = threadIdx.x %% 4; %s < %d; %s++) {' % (u, u, choice.number(2, 4), u),
            )
        if choice.chance(0.15):
            inner = self._block(
                inner,
                open_scopes,
                'if (%s) {'
                % choice.one(['blockIdx.x % 2 == 0', 'blockIdx.x < 3', 'threadIdx.x / 32 == 0']),
            )
        parts = ['blockIdx.x']
        for depth in range(choice.weighted((25, 0), (50, 1), (25, 2))):
            c = self.fresh('c')
            text, _ = self._count(
                *choice.weighted((70, (2, 4)), (30, (6, 9)))
            )  # more than 20 ranges, or few
            inner = self._block(
                inner, open_scopes, 'for (int %s = 0; %s < %s; %s++) {' % (c, c, text, c)
            )
            parts.append(c if not depth else '%s * 3' % c)
            changing.append(c)
            if choice.chance(0.2):
                inner.line(
                    'if (%s) continue;'
                    % choice.one(
                        [
                            '%s == 1' % c,
                            '%s == 1 && threadIdx.x %% 3 == 0' % c,
                            '(blockIdx.x + %s) %% 3 == 2' % c,
                        ]
                    )
                )
        self._one_range(inner, values, name, real, ' + '.join(parts), changing)
        for opened in reversed(open_scopes):
            opened.close()
        return self._done(scope, name, real)

    def _block(self, scope, opened, text):
        scope.line(text)
        inner = type(scope)(self, scope)
        opened.append(inner)
        return inner

    def _typed_places(self, extent, text):
        """Two or three places that differ in a type, of the range's variable."""
        if not self.choice.chance(self.typed_share):
            return []
        exact = self.choice.chance(0.5)
        base = typed.Base(
            '(%s)' % text if ' ' in text else text,
            'int',
            0,
            extent - 1,
            range(extent) if exact else None,
        )
        family = typed.Family(self.choice, self.program.enumerators, base)
        return [family.place(extent).text for _ in range(self.choice.number(2, 3))]

    def _one_range(self, scope, values, name, real, cell, changing):
        choice, base, position, offset = (
            self.choice,
            self.tables.get('gbas'),
            self.tables.get('gpos'),
            self.tables.get('goff'),
        )
        cells = min(base.shape[0], position.shape[0], offset.shape[0] if offset else 1 << 20) - 2
        at, first, size, here = (
            self.fresh('at'),
            self.fresh('first'),
            self.fresh('size'),
            self.fresh('cell'),
        )
        scope.line('const int %s = (%s) %% %d;' % (here, cell, cells))
        form = choice.weighted(
            (40, 'sum'), (20, 'last'), (20 if offset else 0, 'through'), (20, 'row')
        )
        if form == 'through':
            scope.line(
                'for (int %s = %s[%s]; %s < %s[%s + 1]; %s++) {'
                % (at, offset.text, here, at, offset.text, here, at)
            )
            places = ['%s[%s]' % (position.text, at)]
        elif form == 'row':
            scope.line(
                'const int %s = %s[%s] / 3, %s = %s + %s[%s + 1] / 3;'
                % (first, base.text, here, size, first, position.text, here)
            )
            scope.line('for (int %s = %s; %s < %s; %s++) {' % (at, first, at, size, at))
            places = ['%s * 3' % at, '3 * %s + 2' % at][: choice.number(1, 2)]
        else:
            scope.line(
                'const int %s = %s[%s], %s = %s[%s + 1];'
                % (first, base.text, here, size, position.text, here)
            )
            scope.line(
                'for (int %s = 0; %s %s %s; %s++) {'
                % (at, at, '<' if form == 'sum' else '<=', size, at)
            )
            places = [choice.one(['%s + %s', '%s + (%s)', '%s + %s + 1']) % (first, at)]
        places += self._typed_places(values.shape[0], places[0] if form != 'row' else at)
        inner = type(scope)(self, scope)
        if choice.chance(0.15):
            inner.line('if (%s %% 4 == threadIdx.x %% 4) continue;' % at)
        for place in places:
            if choice.chance(0.2):
                inner.line(
                    'if (%s %% %d %s threadIdx.x %% 2)'
                    % (at, choice.number(2, 3), choice.one(['==', '!=']))
                )
            self._add_to(inner, name, real, (values.element_at([place]), values.element))
        if choice.chance(0.25):
            inner.line('if (%s %% 3 == threadIdx.x %% 3) continue;' % at)
        if not real and choice.chance(0.35):
            inner.line(
                '%s += %s;' % (name, choice.one(['(unsigned)%s' % v for v in changing + [at]]))
            )
        inner.close()
