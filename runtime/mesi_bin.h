/* SPDX-License-Identifier: MIT */
/* mesi_bin.h - bins of points in space: the elements of equal boxes side by side in memory, for
 * functions of limited range.
 *
 * A kernel that gathers, for each of its outputs, the elements within a cutoff only looks into the
 * bins around the output. Three forms (N. Obeid, "Compact binning for parallel processing of
 * limited-range functions", 2010, chapters 1 and 4):
 *
 *     compact     bins of any depth one behind the other; bin b has the elements offsets[b] ..
 *                 offsets[b + 1], so a run of bins along x is one range of elements
 *     counted     each bin has room for `depth` elements, of which sizes[b] are taken
 *     sentinel    the same; elements that are not taken have the coordinate x MESI_BIN_NOTHING
 *
 * Elements beyond a depth that the caller sets (section 5.1) go to `overflow`, in the order of the
 * bins.
 *
 *     struct mesi_bin_grid grid;
 *     struct mesi_bins bins;
 *     mesi_bin_cover(&grid, low, high, edge, cutoff);     box and bins, with a margin of the cutoff
 *     struct mesi_bin_options options = { .form = MESI_BIN_COMPACT, .words = 4 };
 *     if (mesi_bin_init(&bins, &grid, &options) || mesi_bin_fill(&bins, atoms, count, 0))
 *       fprintf(stderr, "%s\n", bins.message);
 *     potential<<<blocks, threads>>>(bins.elements, bins.offsets, ...);
 *     mesi_bin_finish(&bins);
 *
 * Memory: elements are given as VS memory (a __global__ array, mesi_malloc) or device memory. The
 * bins own all arrays of struct mesi_bins, which are VS memory and valid until mesi_bin_finish or
 * the next mesi_bin_count, mesi_bin_place or mesi_bin_fill. Only the device works on them, and they
 * come to the host only where the program reads them there. A call waits for the device to learn
 * sizes and errors. Units: coordinates, box and edges in one unit of the caller's; `words` are 4
 * bytes. Errors: 0 or a negative enum mesi_bin_status, with a sentence in `message`; the bins are
 * then empty, but may be filled again. A device that fails ends the program, as everywhere in the
 * runtime (mesi.h). Threads: any number, each with bins of its own. Work goes to the legacy default
 * stream.
 *
 * With CUDA the kernels are in this header: a file of the program that nvcc compiles has to include
 * it.
 */
#ifndef MESI_BIN_H
#define MESI_BIN_H

#include "mesi.h"

#ifdef __cplusplus
extern "C" {
#endif

#define MESI_BIN_NOTHING 3.0e38f /* the coordinate x behind the last element of a sentinel bin */

enum {
  MESI_BIN_MOST_WORDS = 64, /* of an element */
  MESI_BIN_MOST_BINS = 0x7ffffffe,
  MESI_BIN_MESSAGE = 200
};

enum mesi_bin_status {
  MESI_BIN_OK = 0,
  MESI_BIN_NO_MEMORY = -1,  /* of the device, or in the host's address space */
  MESI_BIN_BAD_GRID = -2,   /* no box, edge or cutoff, or too many bins */
  MESI_BIN_BAD_OPTION = -3, /* form, words, pitch, vector, align, depth, or the order of calls */
  MESI_BIN_EMPTY = -4,      /* no elements */
  MESI_BIN_NOT_FINITE = -5, /* a coordinate is infinite or not a number */
  MESI_BIN_OUTSIDE = -6     /* an element lies outside of the box */
};

/* bins of one size over a box; bin (i, j, k) is number (k * bins[1] + j) * bins[0] + i */
struct mesi_bin_grid {
  float low[3];     /* the box's lower corner */
  float edge[3];    /* of a bin, > 0 */
  float inverse[3]; /* 1 / edge */
  int bins[3];      /* along x, y, z; at least 1 */
  /* of these, bins on each side that a cutoff needs around the requested box */
  int margin[3];
};

enum mesi_bin_form { MESI_BIN_COMPACT, MESI_BIN_COUNTED, MESI_BIN_SENTINEL, MESI_BIN_FORM_COUNT };

struct mesi_bin_options {
  enum mesi_bin_form form;
  /* 1: elements of a bin in the order in which they are given; 0: any order */
  int stable;
  /* of a given element, MESI_BIN_MOST_WORDS at most; the first three are x, y, z as float */
  unsigned words;
  unsigned pitch; /* words of an element in the bins, the added ones hold 0; 0: `words` */
  /* 0, 1: an element's words side by side; V: word w of V elements side by side, then word w + 1 */
  unsigned vector;
  /* compact: bins begin at multiples of this many elements; 0, 1: at any */
  unsigned align;
};

struct mesi_bin_depths { /* statistics of the elements per bin, before a limit */
  long long least, most;
  double mean, deviation; /* the standard deviation of the population */
  long long empty;        /* bins without elements */
};

struct mesi_bin_piece { /* a part of a bin */
  int bin;
  int begin, end; /* in its overflow elements */
};

struct mesi_bin_store;

struct mesi_bins {
  struct mesi_bin_grid grid;
  struct mesi_bin_options options;
  long long bin_count;
  char message[MESI_BIN_MESSAGE]; /* the error; "": none */

  /* since mesi_bin_count */
  long long count; /* elements */
  struct mesi_bin_depths depths;
  const int *counts; /* of bin_count: elements, before a limit */

  /* since mesi_bin_place */
  int depth;          /* the limit, or the greatest number of elements */
  const int *offsets; /* compact: bin_count + 1, elements; else NULL */
  const int *sizes;   /* of bin_count: elements that are kept */
  const float *elements;
  long long capacity; /* of `elements`, padding included */
  long long overflow_count;
  /* `words` of each, in the order of the bins; NULL where there are none */
  const float *overflow;
  const int *overflow_offsets; /* bin_count + 1; NULL where there are none */
  size_t bytes;                /* of the arrays that kernels read: elements, and offsets or sizes */
  size_t scratch_bytes;        /* further device memory that the bins hold */

  struct mesi_bin_store *store; /* the arrays; internal */
};

/* Sets the bins over [low, high], with a margin in which every point within the cutoff lies in a
 * bin: kernels need not clamp bins. `message` (MESI_BIN_MESSAGE bytes, or NULL) gets the error.
 * MESI_BIN_BAD_GRID. */
int mesi_bin_cover(struct mesi_bin_grid *ret, const float low[3], const float high[3],
                   const float edge[3], float cutoff, char *message);

/* Errors: MESI_BIN_BAD_GRID (inverse is set here), MESI_BIN_BAD_OPTION, MESI_BIN_NO_MEMORY. After
 * an error only `message` is valid. */
int mesi_bin_init(struct mesi_bins *bins, const struct mesi_bin_grid *grid,
                  const struct mesi_bin_options *options);
/* May be called after a failed mesi_bin_init, and twice. */
void mesi_bin_finish(struct mesi_bins *bins);

/* Finds each element's bin. MESI_BIN_EMPTY, _NOT_FINITE, _OUTSIDE (the message names the first such
 * element), _NO_MEMORY. The elements stay the caller's; mesi_bin_place reads them again. */
int mesi_bin_count(struct mesi_bins *bins, const void *elements, long long count);
/* The number of elements that do not fit at this depth; -1 before mesi_bin_count. */
long long mesi_bin_beyond(struct mesi_bins *bins, int depth);
/* Puts the elements into the bins, at most `depth` into each; 0: all of them. May be called again
 * with another depth. MESI_BIN_NO_MEMORY, MESI_BIN_BAD_OPTION. */
int mesi_bin_place(struct mesi_bins *bins, const void *elements, int depth);
/* mesi_bin_count and mesi_bin_place. */
int mesi_bin_fill(struct mesi_bins *bins, const void *elements, long long count, int depth);

/* The numbers of all elements in the order of their bins, whatever the depth. *ret_order has
 * `count` of them in VS memory of the bins, until the next mesi_bin_count. For outputs at the
 * elements: neighbours in this order look into the same bins. Requires: mesi_bin_count. */
int mesi_bin_order(struct mesi_bins *bins, const int **ret_order);

/* The overflow, bin by bin, in pieces of at most `most` elements, so that a deep bin keeps several
 * blocks busy. *ret_pieces is VS memory of the bins, in no order. */
int mesi_bin_split(struct mesi_bins *bins, int most, const struct mesi_bin_piece **ret_pieces,
                   int *ret_count);

#ifdef __cplusplus
}
#endif

#ifdef __CUDACC__
#define MESI_BIN_BOTH __host__ __device__
#else
#define MESI_BIN_BOTH
#endif

/* The bin of a coordinate along one axis; -1: outside, or not a number. A point on the upper face
 * belongs to the last bin. */
MESI_BIN_BOTH static inline int mesi_bin_at(float at, float low, float inverse, int bins)
{
  float place = (at - low) * inverse;
  if (!(place >= 0 && place <= (float)bins)) return -1;
  int bin = (int)place;
  return bin < bins ? bin : bins - 1;
}

#if defined(__NVCC__) || (defined(__CUDACC__) && defined(MESI_CUDA_H))
#include "mesi_bin_cuda.h"
#endif

#endif
