/* extend.c - index tables for products. */
#include "extend.h"

#include <limits.h>
#include <stdlib.h>

enum { MOST_LANES = 1024 };

/* The least significant digits, those of lanes. */
static uint64_t lane_digits(const struct junction_shape *shape)
{
  uint64_t lanes = 0;
  size_t width = 1;

  for (unsigned i = shape->count; i-- > 0 && (!lanes || width * shape->sizes[i] <= MOST_LANES);) {
    width *= shape->sizes[i];
    lanes |= UINT64_C(1) << i;
  }
  return lanes;
}

/* ret[i]: the place in the table over `scope` of the i-th configuration of `digits`. */
static void fill(const struct junction_shape *shape, uint64_t scope, uint64_t digits, size_t base,
                 long long *scratch, int *ret)
{
  struct junction_axis axes[JUNCTION_MOST_DIGITS];
  unsigned count = junction_shape_axes(shape, scope, digits, axes);
  size_t length = junction_enumerate(count, axes, base, scratch);

  for (size_t i = 0; i < length; i++) ret[i] = (int)scratch[i];
}

int junction_extend_plan(const struct junction_shape *shape, unsigned factors,
                         const uint64_t *scopes, struct junction_extend *ret)
{
  uint64_t lanes = lane_digits(shape), rest = junction_shape_all(shape) & ~lanes;
  size_t base = 0;

  *ret = (struct junction_extend){.factor_count = factors,
                                  .rows = junction_shape_size(shape, rest),
                                  .width = junction_shape_size(shape, lanes)};
  long long *scratch = malloc((ret->rows + ret->width) * sizeof *scratch);
  ret->high = malloc((factors * ret->rows + 1) * sizeof *ret->high);
  ret->low = malloc((factors * ret->width + 1) * sizeof *ret->low);
  int status = scratch && ret->high && ret->low ? 0 : -1;
  for (unsigned f = 0; !status && f < factors; f++) {
    size_t size = junction_shape_size(shape, scopes[f]);
    status = size > INT_MAX - base ? -1 : 0;
    if (status) break;
    fill(shape, scopes[f], rest, base, scratch, ret->high + f * ret->rows);
    fill(shape, scopes[f], lanes, 0, scratch, ret->low + f * ret->width);
    base += size;
  }
  ret->factor_size = base;
  free(scratch);
  if (status) junction_extend_free(ret);
  return status;
}

void junction_extend_free(struct junction_extend *plan)
{
  free(plan->high);
  free(plan->low);
  *plan = (struct junction_extend){0};
}
