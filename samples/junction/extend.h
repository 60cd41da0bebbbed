/* extend.h - how factors over some of a table's variables are multiplied into it.
 *
 *     table[row * width + lane] *= product over f of factors[high[f * rows + row] + low[f * width +
 *         lane]]
 *
 * The factors follow each other in one array. */
#ifndef JUNCTION_EXTEND_H
#define JUNCTION_EXTEND_H

#include "shape.h"

struct junction_extend {
  unsigned factor_count;
  size_t rows, width;
  size_t factor_size; /* numbers of all factors */
  int *high, *low;    /* owned */
};

/* `scopes[f]`: the digits of factor f. 0, -1 when out of memory or where the factors together have
 * 2^31 numbers or more. */
int junction_extend_plan(const struct junction_shape *, unsigned factors, const uint64_t *scopes,
                         struct junction_extend *ret);
void junction_extend_free(struct junction_extend *);

#endif
