/* digits.h - the outputs of a bucket as digits while they are cut into threads, pages and blocks
 * (private to plan.c and alike.c). */
#ifndef MPF_DIGITS_H
#define MPF_DIGITS_H

#include "plan.h"

/* The least significant first: one for each variable that stays, and one more for the one that is
 * cut, which has `inner` and `outer` parts. Behind those of the threads, digits of pages come
 * before those of blocks, whatever their significance. */
struct digits {
  unsigned count;
  size_t *sizes;
  /* [digit * (functions + 2)]: what one step adds to each function, the output and the place */
  size_t *units;
  unsigned threads_end; /* the first digit that is no thread's */
  unsigned inner_end;   /* the first digit of pages that counts groups' rows */
  unsigned pages_end;   /* the first digit that is a block's */
  /* pages come in groups of tile[1] values of the digits from inner_end on times tile[0] of
   * those before */
  unsigned tile[2];
  size_t places;
};

enum { MPF_OUTPUT, MPF_PLACE, MPF_EXTRA }; /* units behind the functions' */

static inline size_t *mpf_unit_of(const struct digits *digits, const struct mpf_bucket *bucket,
                                  unsigned digit)
{
  return digits->units + (size_t)digit * (bucket->function_count + MPF_EXTRA);
}

/* alike.c: pages whose groups share values, of the digits behind the threads'; at most `most`
 * pages. 1: there are such; 0: not, and nothing is changed. */
int mpf_alike_pages(struct digits *, const struct mpf_bucket *, const unsigned alike[2],
                    size_t most);

#endif
