/* plan.h - how a bucket runs on a device: the preparation that the MPF paper does on the CPU
 * (sections 5 and 6).
 *
 * Outputs are split by significance: the least significant ones are those of a thread block's
 * threads, at most `thread_limit`; a thread computes one of them for each cache page, a page being
 * one value of the variables above; the most significant ones tell blocks apart. A variable whose
 * values do not all fit on one side is cut in two. So the place of a function's value is a sum of
 * four tables:
 *
 *     values[block_offsets[block][f] + page_offsets[page][f] + thread_offsets[f][thread] +
 *         sum_offsets[summand][f]]
 *
 * and what a block reads of a function during one page is one piece of the table: `segments[f]`
 * values from the place that block and page give, the segment of f in the cache.
 */
#ifndef MPF_PLAN_H
#define MPF_PLAN_H

#include "bucket.h"

#ifdef __cplusplus
extern "C" {
#endif

struct mpf_plan {
  int functions, blocks, pages, threads, summands;
  /* An output exists where block_places[block] + page_places[page] + thread is below `places`: the
   * last values of a variable that was cut need not fill a page. */
  int places;
  /* Parts of `tables`, as numbers of ints from its start. */
  size_t block_offsets;  /* [block][function]; includes where the function's table starts */
  size_t page_offsets;   /* [page][function] */
  size_t thread_offsets; /* [function][thread] */
  size_t sum_offsets;    /* [summand][function] */
  size_t block_outputs, block_places; /* [block] */
  size_t page_outputs, page_places;   /* [page] */
  /* [page][function]: 1 where the segment differs from the page before, in the same block */
  size_t refresh;
  size_t segments;   /* [function] */
  size_t lifetimes;  /* [function]: pages / refreshed pages, rounded */
  int *tables;       /* owned */
  size_t table_size; /* ints */
};

struct mpf_shape {
  unsigned thread_limit;
  /* threads that the device runs at once; blocks get more pages as long as that many are left
   * (0: one page) */
  size_t parallelism;
  size_t page_limit; /* at most so many pages; 0: no limit */
  /* Pages in groups of alike[1] times alike[0] neighbours, which a thread computes at once and
   * reads in common what they share: where that pays, neighbours are values of variables of one
   * function only, and so are the places of a group that lie alike[0] apart, for another function.
   * The last pages are repeated to fill a group. 1 (or 0), 1: pages in the order of significance.
   */
  unsigned alike[2];
};

/* `bases`: where the functions' tables start in the values. 0, or -1: out of memory or beyond the
 * range of int. */
int mpf_plan_build(const struct mpf_bucket *, const size_t *bases, const struct mpf_shape *,
                   struct mpf_plan *ret);
void mpf_plan_free(struct mpf_plan *);

#ifdef __cplusplus
}
#endif
#endif
