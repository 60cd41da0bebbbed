/* SPDX-License-Identifier: MIT */
/* team_building.h - the state that team_build.c and team_share.c share while they make a team's
 * code. */
#ifndef MESI_ANALYSIS_TEAM_BUILDING_H
#define MESI_ANALYSIS_TEAM_BUILDING_H

#include "analysis/transform/team_reduce/team_reduce.h"

struct building {
  struct code *code;
  struct arena *arena;
  struct team_loop *c;
  const struct team *team;
  struct ir_var *lane;              /* the thread's number in the team */
  struct ir_var *shared[MOST_SUMS]; /* parts in the block's shared memory; NULL: a team is a warp */
  struct ir_var *first;             /* first iteration of a vector load; NULL: there is none */
  struct ir_var *element;           /* of a vector load */
  struct ir_var *workspace;         /* holds the parts of blocks; NULL: blocks share nothing */
  struct ir_var *run[2];            /* the block's iterations: the first, and the end */
};

/* team_share.c: the loop over a thread's share of the iterations. Sets the variables for it in
 * `building`. */
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
