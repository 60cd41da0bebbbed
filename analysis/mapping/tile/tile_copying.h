/* SPDX-License-Identifier: MIT */
/* tile_copying.h - the state that tile_copy.c and tile_guard.c share while they make the copy of an
 * array's box. */
#ifndef MESI_ANALYSIS_TILE_COPYING_H
#define MESI_ANALYSIS_TILE_COPYING_H

#include "analysis/mapping/tile/tile.h"

struct copying {
  struct code *code;
  struct arena *arena;
  const struct tile_array *array;
  const struct stage *stage;
  const struct tiles *tiles;
  const struct tile_copying *what;
  unsigned vector; /* elements at once */
  int64_t threads;
  struct ir_expr *local[ACCESS_DIMS], *global[ACCESS_DIMS]; /* of the element, by dimension */
  struct ir_var *round;        /* counts the rounds that every thread takes; NULL: there are none */
  struct ir_expr *next;        /* the round's part of the registers */
  struct ir_list body, before; /* of a round; in front of all rounds */
  unsigned least_count;        /* bounds in front of the rounds that are the lesser of two */
};

/* tile_guard.c: the guard of a round, NULL for none. Parts that are the same in all rounds go to
 * c->before. */
struct ir_expr *tile_guard_of_round(struct copying *, struct ir_expr *guard);
/* Would the guard need a division for each element of a copy? */
bool tile_guard_divides(const struct stage *);
/* Does the expression change from round to round? */
bool tile_of_round(const struct copying *, struct ir_expr *);

#endif
