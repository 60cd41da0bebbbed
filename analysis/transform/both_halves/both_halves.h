/* SPDX-License-Identifier: MIT */
/* both_halves.h - a sum over a row and over a column of one triangle, as one pass over its
 * elements. */
#ifndef MESI_ANALYSIS_BOTH_HALVES_H
#define MESI_ANALYSIS_BOTH_HALVES_H

#include "analysis/code/draft.h"
#include "analysis/data/version.h"

enum { HALVES_FACTORS = 4 };

struct halves_term {      /* what an element adds to a thread's sum, in one of the two halves */
  struct ir_stmt *loop;   /* over the other index */
  struct ir_expr *update; /* s += a[i * n + j] * x[j] */
  struct ir_var *sum;
  struct ir_var *iterator;
  struct ir_expr *element;                 /* of the triangle: a[i * n + j] */
  struct ir_expr *factors[HALVES_FACTORS]; /* elements at the iterator alone: x[j] */
  unsigned factor_count;
  bool diagonal; /* it has the element at i == j */
};

/* A thread's sum over both halves. Neighbours of an element lie along its *slow* index i of
 * terms[0], whose iterator is the *fast* index; in terms[1] the thread is the fast index. */
struct halves {
  struct halves_term terms[2];
  struct ir_stmt *loops[2]; /* in the order of the source; [1] NULL: one loop has both terms */
  bool joined;              /* they add to one sum, which nothing uses between the loops */
  bool floats;              /* they are added in another order */
  bool low;                 /* the triangle is fast <= slow; else fast >= slow */
  struct ir_expr *rows;     /* of the triangle, of the kernel's parameters */
  bool alike;               /* its two elements are each other's transposes */
};

/* halves_spread.c: writes values in the place of locals of loops, and an `if` for each choice
 * between elements. Requires: code as it is scanned next. */
void halves_spread(struct code *);
/* halves_find.c. False: see *ret_reason and *ret_place; `ret->loops[0]` is NULL where the kernel is
 * not of this kind at all. Requires: code in blocks of HALVES_LOOKED elements and threads, after
 * halves_spread, scanned. */
enum { HALVES_LOOKED = 32 };
bool halves_find(struct code *, bool floats, struct halves *ret, const char **ret_reason,
                 struct ir_place *ret_place);
/* halves_legal.c: are the elements of the two terms those of one triangle, each of which has both?
 * Fills alike, low, rows and diagonal, and puts the terms in order. *ret_reason stays if there is
 * one. */
bool halves_are_transposed(struct code *, struct halves *, const char **ret_reason,
                           struct ir_place *ret_place);

struct halves_shape {
  int64_t strip;   /* rows, and columns, of a tile */
  int64_t threads; /* of a block */
  int64_t rows;    /* of a warp: strip / (threads / 32) */
  int64_t lane;    /* elements of a row for a lane: strip / 32 */
};
struct halves_shape halves_shape_of(const struct halves *);
/* Shared memory of a block, and its slots in device memory: bytes. */
uint64_t halves_shared(const struct halves *);
uint64_t halves_slots(const struct halves *);
/* halves_build.c: replaces the body. `totals[0]` becomes a parameter where it is not constant. */
void halves_build(struct code *, struct halves *, struct ir_var *workspace,
                  struct ir_expr *elements);

/* The row of transforms.c. */
bool plan_both_halves(struct draft *);

#endif
