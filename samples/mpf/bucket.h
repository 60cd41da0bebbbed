/* bucket.h - a bucket: the sum over some variables of a product of functions.
 *
 *     out[o] = sum over m of f0[at(0, o, m)] * f1[at(1, o, m)] * ...
 *
 * Variables stand in the global order of the MPF paper (section 3), the most significant first: those that are summed out
 * last, the ones that stay even before them. All tables follow that order, so that the output has the layout that the next
 * bucket needs, and at(f, o, m) is the sum of what each variable contributes: its value times a stride.
 *
 * Variables next to each other that the same functions have are one variable here, and variables of one value are none.
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
};

struct mpf_bucket {
  unsigned function_count;
  unsigned variable_count; /* of all functions together, after merging */
  unsigned output_count;   /* the first ones stay, the others are summed out */
  size_t *domains;         /* values of each variable, at least 2; owned */
  size_t *strides;         /* [function * variable_count + variable], 0 where the function lacks it; owned */
  size_t *sizes;           /* entries of each function's table; owned */
  size_t outputs, summands; /* configurations of the variables that stay, and of the others */
};

/* `domains` by place in the global order; variables from the place `first_summed` on are summed out. 0, or -1 when out of
 * memory or beyond SIZE_MAX. */
int mpf_bucket_build(unsigned function_count, const struct mpf_scope *scopes, const unsigned *domains, unsigned first_summed,
                     struct mpf_bucket *ret);
void mpf_bucket_free(struct mpf_bucket *);

/* Multiplications and additions of the definition: those of a 2x2 by 2x2 matrix product are 12. */
double mpf_bucket_flop(const struct mpf_bucket *);

#ifdef __cplusplus
}
#endif
#endif
