/* cpu_isa.h - what mpf_cpu.c does in vectors, once for each instruction set: cpu_avx512.c,
 * cpu_avx2.c and cpu_sse.c compile cpu_loops.h under their own target. */
#ifndef MPF_CPU_ISA_H
#define MPF_CPU_ISA_H

#include "real.h"

#include <stdbool.h>
#include <stddef.h>

/* offsets of a vector's lanes: all one, consecutive, others */
enum mpf_lane { MPF_LANE_EQUAL, MPF_LANE_NEXT, MPF_LANE_ANY };

struct mpf_lanes { /* one page of a plan: neighbouring outputs in the lanes of vectors */
  unsigned functions;
  size_t summands;
  /* offsets of a function: the threads of the plan, rounded up to whole vectors */
  size_t width;
  const real *const *tables;  /* [function] */
  const int *bases;           /* [function] of this page */
  const int *offsets;         /* [function][width] */
  const unsigned char *kinds; /* [function][width / lanes]: enum mpf_lane */
  const int *sums;            /* [summand][function] */
};

struct mpf_cpu_isa {
  unsigned lanes;         /* numbers in a vector */
  unsigned rows, columns; /* of the tile that `multiply` computes */
  /* c[row][column] = (add ? what is there : 0) + sum over k of a[k][row] * b[k][column] */
  void (*multiply)(size_t k, const real *a, const real *b, real *const *c, bool add);
  /* up to 0; what is below the smallest normal number becomes 0 */
  void (*exp2_all)(real *values, size_t count);
  void (*log2_all)(real *values, size_t count); /* normal and 0 */
  void (*sum_lanes)(const struct mpf_lanes *, enum mpf_domain, real *output, size_t count);
};

extern const struct mpf_cpu_isa mpf_cpu_avx512, mpf_cpu_avx2, mpf_cpu_sse;

#endif
