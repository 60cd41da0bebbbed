/* SPDX-License-Identifier: MIT */
/* vectorize.h - neighbouring elements of a thread are loaded and stored 16 bytes at once. */
#ifndef MESI_ANALYSIS_VECTORIZE_H
#define MESI_ANALYSIS_VECTORIZE_H

#include "analysis/mapping/mapping.h"
#include "analysis/code/tiles.h"
#include "analysis/code/interior.h"

enum { MOST_WINDOWS = 8, MOST_VECTOR_ACCESSES = 32 };

struct vector_access { /* in the order of evaluation */
  const struct code_access *found;
  bool always;    /* once in the code of interior threads, under no condition */
  int64_t offset; /* of the element, from the thread's place */
  int64_t step;   /* elements from one thread's to the next one's: 1, or 2 to 4 interleaved */
  int window;     /* -1: it stays as it is */
};

struct window { /* elements of an array around a thread's place */
  const struct array *array;
  const struct vector_access *like; /* one that has its index */
  /* offsets of the first and the last element of the thread's instances */
  int64_t low, high;
  int64_t step; /* of all accesses */
  bool load, store;
  struct ir_var *var; /* what holds them; made by vectorize_build */
};

struct vectorized {
  struct code *code; /* scanned, with interior->condition around interior->body */
  int64_t factor;    /* elements of 16 bytes of the widest array, instances of a thread along x */
  struct vector_access accesses[MOST_VECTOR_ACCESSES];
  unsigned access_count;
  struct window windows[MOST_WINDOWS];
  unsigned window_count;
  double gain;        /* requests as written over those that are left */
  const char *reason; /* why there is nothing to gain */
};

/* Numbers that are copied by their bytes, of 1 to 8: those of the toolkit with 16 bits, too, and
 * its records of two or four numbers. */
bool vectorize_number(const struct ir_type *);
/* vectorize_update.c: the code with `a[i] op= b` as `a[i] = a[i] op b`. */
struct ir_stmt *vectorize_updates(struct arena *, struct ir_stmt *);
/* False: ret->reason. */
bool vectorize_plan(struct code *, const struct interior *, int64_t factor, struct vectorized *ret);
/* Rewrites interior->body and adds what a block has to fulfil; statements of real threads go to
 * `verbatim`. */
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
