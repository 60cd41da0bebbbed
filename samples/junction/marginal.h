/* marginal.h - how a table is summed onto several separators: in rounds of stages.
 *
 * A stage sums out some digits of one table. The digits that stay are split: the least significant
 * ones are counted through by neighbouring threads, the others tell rows apart.
 *
 *     out[row * width + lane] = sum over k < count of in[row_table[row] + lane_table[lane] +
 *         sum_table[k]]
 *
 * Stages of a round need nothing of each other. No stage sums more than about `fan_in` values,
 * which leaves enough threads; the most significant digits go first, so that neighbouring threads
 * read neighbouring values of the large tables. Digits that no separator has are summed out once
 * for all of them. */
#ifndef JUNCTION_MARGINAL_H
#define JUNCTION_MARGINAL_H

#include "shape.h"

struct junction_stage {
  unsigned round;
  int from_clique; /* 0: the input is in the scratch memory */
  size_t in, out;  /* where the tables start */
  size_t rows, width, count;
  size_t row_table, lane_table, sum_table; /* parts of `tables` */
};

struct junction_marginal {
  unsigned rounds, stage_count, target_count;
  struct junction_stage *stages; /* by round; owned */
  /* by target: where its table is in the scratch memory; they follow each other; owned */
  size_t *results;
  /* numbers of all results, which begin the scratch memory */
  size_t result_size;
  size_t scratch;    /* numbers */
  long long *tables; /* owned */
  size_t table_size;
};

/* `kept[i]`: the digits of separator i. 0, or -1 when out of memory. */
int junction_marginal_plan(const struct junction_shape *, unsigned targets, const uint64_t *kept,
                           size_t fan_in, struct junction_marginal *ret);
void junction_marginal_free(struct junction_marginal *);

#endif
