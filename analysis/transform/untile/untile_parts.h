/* SPDX-License-Identifier: MIT */
/* untile_parts.h - private to the folder. */
#ifndef MESI_ANALYSIS_UNTILE_PARTS_H
#define MESI_ANALYSIS_UNTILE_PARTS_H

#include "analysis/code/polynomial.h"
#include "analysis/transform/untile/untile.h"

enum { MOST_TILES = 4, TILE_DIMS = 3 };

/* Of one dimension: the sum of stride * threadIdx.axis, and offset. Each stride is at least as
 * large as what stands behind it grows; the last one is 1. */
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
  struct ir_stmt *list;  /* the statements among which it is filled */
  unsigned segment;      /* of them, counted by barriers */
  struct ir_expr *store; /* one of its stores */
  struct fill_index index[TILE_DIMS];
  /* what the thread that fills an element puts there: of constants, parameters, builtins,
   * iterators of loops around `list`, elements of arrays that are only read */
  struct ir_expr *value;
};

struct untiling {
  struct code *code;
  struct ir_stmt *body; /* of the kernel, behind what the launch was asked for it (code_init) */
  struct hand_tile tiles[MOST_TILES];
  unsigned count;
  const char *reason; /* why not; NULL */
  struct ir_place place;
};

bool untile_fail(struct untiling *, const char *reason, const struct ir_place *); /* false */
bool untile_has_tiles(const struct ir_function *);
bool untile_is_barrier(const struct ir_stmt *);
bool untile_meets(struct ir_stmt *); /* is there a barrier in it? */
/* Element of one of the tiles: which, and its indices, outermost first; NULL: it is none. */
struct hand_tile *untile_element(struct untiling *, struct ir_expr *, struct ir_expr **indices);
/* The loop in the code that counts the variable; NULL: none. */
const struct ir_loop *untile_loop_of(const struct code *, const struct ir_var *);

bool untile_find(struct untiling *); /* untile_find.c: tiles, where they are filled and read */
bool untile_value(struct untiling *, struct hand_tile *); /* untile_value.c: what fills them */
/* untile_forward.c: the body with what fills a tile in the place of what reads it, without tiles
 * and barriers; NULL: untiling.reason. */
struct ir_stmt *untile_forward(struct untiling *);
/* untile_count.c: constants in the place of blockDim */
struct ir_stmt *untile_known_block(struct code *, struct ir_stmt *body);
/* untile_count.c: loops with several counters get one. */
struct ir_stmt *untile_count(struct code *, struct ir_stmt *body);
/* untile_loops.c: loops over tiles and over their elements become one. */
struct ir_stmt *untile_fuse(struct code *, struct ir_stmt *body);
/* `condition` without one of the parts that && joins; NULL: nothing is left of it. */
struct ir_expr *untile_without(struct arena *, struct ir_expr *condition,
                               const struct ir_expr *part);
/* Conditions on multiples have done their work: sets are simpler without them. */
void untile_forget_multiples(struct code *);
/* untile_guard.c: threads that store nothing compute nothing. */
struct ir_stmt *untile_guard(struct code *, struct ir_stmt *body);

#endif
