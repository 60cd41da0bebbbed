/* conv2d.h - sizes and check. */
#pragma once
#include "../bench.h"

#ifndef H
#define H 250
#endif
#ifndef W
#define W 264
#endif
#define RADIUS 3 /* the filter has (2 RADIUS + 1)^2 elements */
#define SIDE (2 * RADIUS + 1)

static inline void check(const float *image, const float *filter, const float *out)
{
  long stride = check_stride((long)H * W) | 1;

  for (long e = 0; e < (long)H * W; e += stride) {
    double sum = 0;
    for (long v = -RADIUS; v <= RADIUS; v++)
      for (long u = -RADIUS; u <= RADIUS; u++) {
        long y = e / W + v, x = e % W + u;
        if (y >= 0 && y < H && x >= 0 && x < W)
          sum += (double)image[y * W + x] * filter[(v + RADIUS) * SIDE + u + RADIUS];
      }
    expect_near(e, out[e], sum, 0);
  }
}
