/* shape.c - digits of places. */
#include "shape.h"

uint64_t junction_shape_all(const struct junction_shape *shape)
{
  return (UINT64_C(1) << shape->count) - 1;
}

size_t junction_shape_size(const struct junction_shape *shape, uint64_t digits)
{
  size_t size = 1;

  for (unsigned i = 0; i < shape->count; i++) size *= digits >> i & 1 ? shape->sizes[i] : 1;
  return size;
}

unsigned junction_shape_axes(const struct junction_shape *shape, uint64_t table, uint64_t digits,
                             struct junction_axis *ret)
{
  size_t stride = junction_shape_size(shape, table);
  unsigned count = 0;

  for (unsigned i = 0; i < shape->count; i++) {
    if (table >> i & 1) stride /= shape->sizes[i];
    if (digits >> i & 1)
      ret[count++] = (struct junction_axis){shape->sizes[i], table >> i & 1 ? stride : 0};
  }
  return count;
}

size_t junction_enumerate(unsigned count, const struct junction_axis *axes, size_t base,
                          long long *ret)
{
  size_t length = 1;

  ret[0] = (long long)base;
  for (unsigned d = count; d-- > 0;) {
    for (size_t k = 1; k < axes[d].size; k++)
      for (size_t i = 0; i < length; i++)
        ret[k * length + i] = ret[i] + (long long)(k * axes[d].stride);
    length *= axes[d].size;
  }
  return length;
}
