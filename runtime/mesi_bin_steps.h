/* SPDX-License-Identifier: MIT */
/* mesi_bin_steps.h - the steps of binning on a device, as a table: bin_cpu.c, mesi_bin_cuda.h.
 * Internal to the runtime.
 *
 * All pointers are device memory. A step submits its work to the legacy default stream and returns
 * NULL or the cause of a failure.
 */
#ifndef MESI_BIN_STEPS_H
#define MESI_BIN_STEPS_H

#include "mesi_bin.h"

#ifdef __cplusplus
extern "C" {
#endif

struct mesi_bin_found { /* results of the steps for the host */
  /* number of the first element with such a coordinate; MESI_BIN_NONE: none */
  long long not_finite;
  long long outside;               /* number of the first element outside of the box */
  long long least, most;           /* elements of a bin */
  long long empty;                 /* bins */
  unsigned long long sum, squares; /* of the elements of the bins */
  unsigned long long beyond;       /* elements beyond a depth */
  unsigned long long slots;        /* elements and the padding of bins */
  int pieces;
};

#define MESI_BIN_NONE 0x7fffffffffffffffll

struct mesi_bin_placing { /* one element after the other */
  const unsigned *from;   /* words each */
  const int *bin, *rank;  /* of each element */
  long long count;
  unsigned words, pitch, vector;
  int depth;
  const int *offsets; /* of the bins in `to`; NULL: bin * depth */
  unsigned *to;
  const int *overflow_offsets; /* NULL: nothing is beyond the depth */
  unsigned *overflow;
};

struct mesi_bin_steps {
  /* Bytes of working memory for `rank` and `scan`. */
  size_t (*temporary)(long long count, long long bins, int stable);
  const char *(*clear)(void *memory, int byte, size_t bytes);
  /* Sets bin[i], counts[bin]++, and rank[i]: the number of elements of its bin that came first, in
   * any order. Elements without a bin go to bin 0. */
  const char *(*locate)(const struct mesi_bin_grid *grid, const unsigned *elements, unsigned words,
                        long long count, int *bin, int *rank, int *counts,
                        struct mesi_bin_found *found);
  /* Sets rank[i] by the order of the elements. `starts`: the exclusive sums of the counts. */
  const char *(*rank)(const int *bin, long long count, long long bins, const int *starts, int *rank,
                      void *temporary, size_t bytes);
  /* order[starts[bin[i]] + rank[i]] = i */
  const char *(*order)(const int *bin, const int *rank, const int *starts, long long count,
                       int *order);
  /* Finds, of the counts: least, most, empty, sum, squares; beyond the depth; slots for `align`. */
  const char *(*measure)(const int *counts, long long bins, int depth, unsigned align,
                         struct mesi_bin_found *found);
  /* to[b]: the elements that a bin keeps at the depth, rounded up to `align`; with `beyond` those
   * that it does not keep. */
  const char *(*limit)(const int *counts, long long bins, int depth, unsigned align, int beyond,
                       int *to);
  /* exclusive sums; `to` may be `values` */
  const char *(*scan)(const int *values, int *to, long long count, void *temporary, size_t bytes);
  /* Sets the x of all free slots. */
  const char *(*sentinels)(const int *sizes, long long bins, int depth, unsigned pitch,
                           unsigned vector, unsigned *to);
  const char *(*place)(const struct mesi_bin_placing *placing);
  /* Sets the pieces of the overflow, and their number in found->pieces. */
  const char *(*split)(const int *overflow_offsets, long long bins, int most,
                       struct mesi_bin_piece *pieces, struct mesi_bin_found *found);
};

/* Sets the steps of the device; the CPU backend's are there from the start. */
void mesi_bin_use(const struct mesi_bin_steps *steps);
extern const struct mesi_bin_steps mesi_bin_steps_cpu; /* CPU backend only */

#ifdef __cplusplus
}
#endif

/* The index of word w of slot s. */
MESI_BIN_BOTH static inline unsigned long long mesi_bin_word(unsigned long long slot, unsigned word,
                                                             unsigned pitch, unsigned vector)
{
  if (vector <= 1) return slot * pitch + word;
  return slot / vector * vector * pitch + (unsigned long long)word * vector + slot % vector;
}

/* The slots that a bin takes at the depth, rounded up. */
MESI_BIN_BOTH static inline unsigned long long mesi_bin_kept(int count, int depth, unsigned align)
{
  unsigned long long kept = (unsigned long long)(count < depth ? count : depth);
  return align > 1 ? (kept + align - 1) / align * align : kept;
}

#endif
