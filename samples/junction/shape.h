/* shape.h - what a potential table is over: variables as digits of an entry's place, the most
 * significant first. Sets of digits are bit sets: bit i is digit i. */
#ifndef JUNCTION_SHAPE_H
#define JUNCTION_SHAPE_H

#include <stddef.h>
#include <stdint.h>

enum { JUNCTION_MOST_DIGITS = 62 };

struct junction_shape {
  unsigned count;
  size_t sizes[JUNCTION_MOST_DIGITS]; /* values of each variable */
};

struct junction_axis { /* one digit of several that are counted through */
  size_t size;
  size_t stride; /* what one step adds */
};

uint64_t junction_shape_all(const struct junction_shape *);
/* Entries of the table over these digits. */
size_t junction_shape_size(const struct junction_shape *, uint64_t digits);
/* The digits of `digits` as axes of the table over `table`, in which missing ones have stride 0.
 * Their number. */
unsigned junction_shape_axes(const struct junction_shape *, uint64_t table, uint64_t digits,
                             struct junction_axis *ret);
/* ret[i] is the place of the i-th configuration. Their number. */
size_t junction_enumerate(unsigned count, const struct junction_axis *, size_t base,
                          long long *ret);

#endif
