/* bucket.h - a bucket: the sum over some variables of a product of functions.
 *
 *     out[o] = sum over m of f0[at(0, o, m)] * f1[at(1, o, m)] * ...
 *
 * Variables have places in the global order of the MPF paper (section 3), the most significant one
 * first; all tables follow it, so that the output has the layout that the next bucket needs, and
 * at(f, o, m) is the sum of what each variable contributes: its value times a stride. Here the
 * variables that stay come first, then those that are summed out, each of both in the global order;
 * where buckets are made by elimination, that is the global order as a whole.
 *
 * Neighbours that lie together in all functions are one variable here, and variables of one value
 * are none.
 */
#ifndef MPF_BUCKET_H
#define MPF_BUCKET_H

#include <stdbool.h>
#include <stddef.h>

#include "real.h"

#ifdef __cplusplus
extern "C" {
#endif

struct mpf_scope {
  unsigned count;
  const unsigned *places; /* of the variables in the global order, ascending */
  const size_t *strides;  /* of each in the table; NULL: the table has these variables only */
};

struct mpf_bucket {
  unsigned function_count;
  unsigned variable_count; /* of all functions together, after merging */
  unsigned output_count;   /* the first ones stay, the others are summed out */
  size_t *domains;         /* values of each variable, at least 2; owned */
  /* [function * variable_count + variable], 0 where the function lacks it; owned */
  size_t *strides;
  size_t *sizes;            /* from a function's first entry to behind its last one; owned */
  size_t outputs, summands; /* configurations of the variables that stay, and of the others */
};

/* `domains` and whether a variable is summed out, by place in the global order. 0, or -1 when out
 * of memory or beyond SIZE_MAX. */
int mpf_bucket_build(unsigned function_count, const struct mpf_scope *scopes,
                     const unsigned *domains, const bool *summed, struct mpf_bucket *ret);
void mpf_bucket_free(struct mpf_bucket *);

/* Multiplications and additions of the definition: those of a 2x2 by 2x2 matrix product are 12. */
double mpf_bucket_flop(const struct mpf_bucket *);

#ifdef __cplusplus
}
#endif
#endif
