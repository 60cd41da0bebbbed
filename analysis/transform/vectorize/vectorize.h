/* SPDX-License-Identifier: MIT */
/* vectorize.h - loads and stores of 16 bytes for neighbouring elements of a thread. */
#ifndef MESI_ANALYSIS_VECTORIZE_H
#define MESI_ANALYSIS_VECTORIZE_H

#include "analysis/mapping/mapping.h"
#include "analysis/code/tiles.h"
#include "analysis/code/interior.h"

enum { MOST_WINDOWS = 8, MOST_VECTOR_ACCESSES = 32 };

struct vector_access { /* in the order of evaluation */
  const struct code_access *found;
  bool always;    /* once, and under no condition, in the code of interior threads */
  int64_t offset; /* of the element, from the thread's place */
  int64_t step;   /* elements from thread to thread: 1, or 2 to 4 where they are interleaved */
  int window;     /* -1: the access stays as it is */
};

struct window { /* elements of an array around a thread's place */
  const struct array *array;
  const struct vector_access *like; /* an access with its index */
  /* Offsets of the first and the last element for the thread's instances. */
  int64_t low, high;
  int64_t step; /* of all accesses */
  bool load, store;
  struct ir_var *var; /* holds the elements; made by vectorize_build */
};

struct vectorized {
  struct code *code; /* scanned, with interior->condition around interior->body */
  int64_t factor;    /* elements in 16 bytes of the widest array; a thread's instances along x */
  struct vector_access accesses[MOST_VECTOR_ACCESSES];
  unsigned access_count;
  struct window windows[MOST_WINDOWS];
  unsigned window_count;
  double gain;        /* requests as written over the requests that are left */
  const char *reason; /* why there is no gain */
};

/* Is it a number of 1 to 8 bytes that can be copied by its bytes? The toolkit's types of 16 bits
 * count, too, and its records of two or four numbers. */
bool vectorize_number(const struct ir_type *);
/* Is it a record of three numbers of one or two bytes, such as a pixel, that is copied by its
 * bytes? As many as a thread has take three accesses. */
bool vectorize_triple(const struct ir_type *);
/* The bytes of the number, or of each of the three. */
int64_t vectorize_part(const struct ir_type *);
/* False: see ret->reason. */
bool vectorize_plan(struct code *, const struct interior *, int64_t factor, struct vectorized *ret);
/* Rewrites interior->body, and adds the condition that a block must satisfy. Adds statements of
 * real threads to `verbatim`. */
void vectorize_build(struct vectorized *, struct interior *, struct ir_list *verbatim);

/* ---- for vectorize*.c: elements by their offsets in a window ---- */

bool vectorize_uses(const struct vectorized *, int window); /* does an access stand in it? */
int64_t vectorize_end(const struct vectorized *, const struct window *);
int64_t vectorize_begin(const struct vectorized *, int64_t e); /* of the 16 bytes it is in */
bool vectorize_needs(const struct vectorized *, int window, int64_t e);
/* Is every element of the 16 bytes accessed? */
bool vectorize_is_whole(const struct vectorized *, int window, int64_t first);

enum outcome plan_vectorize(struct mapping *);

#endif
