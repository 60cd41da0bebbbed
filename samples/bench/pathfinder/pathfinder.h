/* pathfinder.h - sizes and check. */
#pragma once
#include "../bench.h"

#ifndef ROWS
#define ROWS 21
#endif
#ifndef COLS
#define COLS 20000
#endif

static inline void fill_wall(int *wall)
{
  for (long e = 0; e < (long)ROWS * COLS; e++) wall[e] = digit_at(e, 1) + 8;
}

static inline int least_of(int a, int b) { return a < b ? a : b; }

static inline void check(const int *wall, const int *result)
{
  int *from = new int[COLS + 2], *to = new int[COLS + 2];

  from[0] = to[0] = from[COLS + 1] = to[COLS + 1] = 1 << 30;
  for (long j = 0; j < COLS; j++) from[j + 1] = wall[j];
  for (long i = 1; i < ROWS; i++) {
    for (long j = 0; j < COLS; j++)
      to[j + 1] = wall[i * COLS + j] + least_of(least_of(from[j], from[j + 1]), from[j + 2]);
    int *swap = from;
    from = to;
    to = swap;
  }
  for (long j = 0; j < COLS; j++) expect_near(j, result[j], from[j + 1], 0);
  delete[] from;
  delete[] to;
}
