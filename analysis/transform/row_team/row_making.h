/* SPDX-License-Identifier: MIT */
/* row_making.h - the state that row_build.c and row_sums.c share while they make a body. */
#ifndef MESI_ANALYSIS_ROW_MAKING_H
#define MESI_ANALYSIS_ROW_MAKING_H

#include "analysis/transform/row_team/row_team.h"

enum { ROW_WARP = 32 };

struct making {
  struct code *code;
  struct arena *arena;
  struct row_passes *p;
  const struct row_shape *shape;
  struct ir_var *lane;               /* the thread's number in the team */
  struct ir_var *kept[MOST_GROUPS];  /* registers of a row; NULL: there are none */
  struct ir_var *has[MOST_GROUPS];   /* are the registers loaded? NULL: always */
  struct ir_var *place[MOST_GROUPS]; /* the elements of a place in this pass; NULL: they are in
                                      * memory */
  struct ir_list shared;             /* declarations */
  /* For the pass in the making: */
  unsigned pass;
  struct ir_var *iterator; /* replaces the pass's iterator */
  struct ir_var *first;    /* first iteration of a place */
  struct ir_var *number;   /* of a place in registers; NULL: rows of any length */
  struct ir_var *element;  /* of a place; NULL: a place has one element */
};

static inline struct ir_expr *row_use(struct making *m, struct ir_var *var)
{
  return ir_build_var(m->arena, var);
}

static inline struct ir_expr *row_number(struct making *m, int64_t value)
{
  return ir_build_int(m->arena, value);
}

static inline struct ir_expr *row_binary(struct making *m, enum ir_op op, struct ir_expr *left,
                                         struct ir_expr *right)
{
  return ir_build_binary(m->arena, op, left, right);
}

static inline struct ir_stmt *row_assign(struct making *m, struct ir_expr *target,
                                         struct ir_expr *value)
{
  return ir_build_expr_stmt(m->arena, ir_build_assign(m->arena, target, value));
}

static inline void row_add(struct making *m, struct ir_list *out, struct ir_stmt *stmt)
{
  ir_list_add(m->arena, out, stmt);
}

static inline struct ir_stmt *row_barrier(struct making *m, bool warp)
{
  return ir_build_expr_stmt(m->arena, ir_build_call(m->arena, warp ? "__syncwarp" : "__syncthreads",
                                                    warp ? IR_EFFECT_WARP : IR_EFFECT_BARRIER));
}

/* row_sums.c: declares a thread's parts of the pass's sums */
void row_declare_parts(struct making *, struct ir_list *out);
/* ... and combines the parts of a team, for all its threads */
void row_put_together(struct making *, struct ir_list *out);

#endif
