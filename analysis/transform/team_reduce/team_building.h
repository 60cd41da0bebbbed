/* SPDX-License-Identifier: MIT */
/* team_building.h - the code of a team while it is made. Shared by team_build.c and
 * team_share.c. */
#ifndef MESI_ANALYSIS_TEAM_BUILDING_H
#define MESI_ANALYSIS_TEAM_BUILDING_H

#include "analysis/transform/team_reduce/team_reduce.h"

struct building {
  struct code *code;
  struct arena *arena;
  struct team_loop *c;
  const struct team *team;
  struct ir_var *lane;              /* number in the team */
  struct ir_var *shared[MOST_SUMS]; /* parts of a block; NULL: a team is a warp */
  struct ir_var *first;             /* iteration of a vector load; NULL: there are none */
  struct ir_var *element;           /* of a vector load */
  struct ir_var *workspace;         /* where the parts of blocks are; NULL: blocks share nothing */
  struct ir_var *run[2];            /* of the block's iterations: the first, and the end */
};

/* team_share.c: the loop, for a thread's part of its iterations. Sets the variables that
 * `building` has for it. */
struct ir_stmt *team_reduce_share(struct building *);

static inline struct ir_expr *number(struct building *b, int64_t value)
{
  return ir_build_int(b->arena, value);
}

static inline struct ir_expr *use(struct building *b, struct ir_var *var)
{
  return ir_build_var(b->arena, var);
}

static inline struct ir_expr *times(struct building *b, struct ir_expr *expr, int64_t by)
{
  return by == 1 ? expr : ir_build_binary(b->arena, IR_OP_MUL, expr, number(b, by));
}

static inline struct ir_expr *plus(struct building *b, struct ir_expr *left, struct ir_expr *right)
{
  int64_t zero;
  return ir_constant(left, &zero) && zero == 0 ? right
                                               : ir_build_binary(b->arena, IR_OP_ADD, left, right);
}

static inline struct ir_stmt *assign(struct building *b, struct ir_expr *target,
                                     struct ir_expr *value)
{
  return ir_build_expr_stmt(b->arena, ir_build_assign(b->arena, target, value));
}

#endif
