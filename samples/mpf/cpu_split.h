/* cpu_split.h - a bucket as matrix products.
 *
 * Where the functions fall into two groups, a variable of the output that only functions of the
 * first group have is a row variable, one of the second group alone a column variable, and the
 * others tell apart independent products:
 *
 *     out[batch, row, column] = sum over k of A[batch, row, k] * B[batch, column, k]
 *
 * with A the product of the functions of the first group, B that of the second. For two functions
 * this is always so.
 */
#ifndef MPF_CPU_SPLIT_H
#define MPF_CPU_SPLIT_H

#include "bucket.h"
#include "cpu_isa.h"

enum { MPF_BATCH, MPF_ROW, MPF_COLUMN, MPF_KIND_COUNT };

struct mpf_split {
  unsigned long long columns; /* bit per function: the second group */
  unsigned char *kinds;       /* [output variable]: MPF_BATCH, MPF_ROW or MPF_COLUMN; owned */
  size_t sizes[MPF_KIND_COUNT];
  double cost; /* nanoseconds of one core, estimated */
};

/* The cheapest split; cost is infinite where there is none. 0, or -1 when out of memory. */
int mpf_split_find(const struct mpf_bucket *, const struct mpf_cpu_isa *, enum mpf_domain,
                   struct mpf_split *ret);

#endif
