/* SPDX-License-Identifier: MIT */
/* untile_parts.h - private to the folder. */
#ifndef MESI_ANALYSIS_UNTILE_PARTS_H
#define MESI_ANALYSIS_UNTILE_PARTS_H

#include "analysis/code/polynomial.h"
#include "analysis/transform/untile/untile.h"

enum { MOST_TILES = 4, TILE_DIMS = 3 };

/* An index of the fill in one dimension: the sum of stride * threadIdx.axis, and offset. Each
 * stride is at least the range of the terms behind it; the last one is 1. */
struct fill_index {
  unsigned count;
  int axis[3];
  int64_t stride[3];
  int64_t offset;
};

struct hand_tile {
  struct ir_var *var;
  const struct ir_type *element;
  unsigned dim_count;
  struct ir_stmt *list;  /* the list of statements that fills it */
  unsigned segment;      /* the filling part of the list, counted by barriers */
  struct ir_expr *store; /* one of its stores */
  struct fill_index index[TILE_DIMS];
  /* The value that the filling thread stores in an element. It is made of constants, parameters,
   * builtins, iterators of loops around `list`, and elements of arrays that are only read. */
  struct ir_expr *value;
};

struct untiling {
  struct code *code;
  struct ir_stmt *body; /* of the kernel, without the checks of the launch in front of it
                         * (code_init) */
  struct hand_tile tiles[MOST_TILES];
  unsigned count;
  const char *reason; /* why the tiles stay; NULL: no reason so far */
  struct ir_place place;
};

bool untile_fail(struct untiling *, const char *reason, const struct ir_place *); /* false */
bool untile_has_tiles(const struct ir_function *);
bool untile_is_barrier(const struct ir_stmt *);
bool untile_meets(struct ir_stmt *); /* is there a barrier in it? */
/* The tile that the expression is an element of, and the indices, outermost first. NULL: none. */
struct hand_tile *untile_element(struct untiling *, struct ir_expr *, struct ir_expr **indices);
/* The loop in the code that counts the variable; NULL: none. */
const struct ir_loop *untile_loop_of(const struct code *, const struct ir_var *);

/* untile_walk.c: indices of parameters in the place of pointers that walk, two axes in the place of
 * a block in a row */
void untile_walk(struct draft *);
/* Writes at most `most` conditions on the grid to `ret`, and returns their number. */
unsigned untile_ask_small(struct code *, struct ir_expr **ret, unsigned most);
bool untile_find(struct untiling *); /* untile_find.c: the tiles, and their fills and reads */
bool untile_value(struct untiling *, struct hand_tile *); /* untile_value.c: the value that fills
                                                           * it */
/* untile_forward.c: the body without tiles and barriers, with the tiles' values in the place of
 * their reads. NULL: see untiling.reason. */
struct ir_stmt *untile_forward(struct untiling *);
/* untile_count.c: puts constants in the place of blockDim */
struct ir_stmt *untile_known_block(struct code *, struct ir_stmt *body);
/* untile_count.c: gives loops with several counters a single one */
struct ir_stmt *untile_count(struct code *, struct ir_stmt *body);
/* untile_loops.c: joins loops over tiles and loops over their elements */
struct ir_stmt *untile_fuse(struct code *, struct ir_stmt *body);
/* `condition` without `part`, one of the operands of its &&. NULL: nothing is left. */
struct ir_expr *untile_without(struct arena *, struct ir_expr *condition,
                               const struct ir_expr *part);
/* Drops conditions on multiples, which are no longer needed; sets are simpler without them. */
void untile_forget_multiples(struct code *);
/* untile_guard.c: lets threads that store nothing compute nothing */
struct ir_stmt *untile_guard(struct code *, struct ir_stmt *body);

#endif
