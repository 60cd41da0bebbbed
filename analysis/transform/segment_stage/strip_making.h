/* SPDX-License-Identifier: MIT */
/* strip_making.h - the state and functions that the builders of strips share: strip_build.c,
 * strip_nest.c, and ragged_build.c for ranges of each thread's own. */
#ifndef MESI_ANALYSIS_STRIP_MAKING_H
#define MESI_ANALYSIS_STRIP_MAKING_H

#include "analysis/transform/segment_stage/strip.h"

struct building {
  struct code *code;
  struct arena *arena;
  struct strips *strips;
  struct strip *strip;    /* the current one */
  struct ir_var *thread;  /* number of the thread in its block */
  struct ir_var *filled;  /* number of filled slots; NULL: a single segment */
  struct ir_var *element; /* the slot in use */
  struct ir_expr *active;
};

static inline struct ir_expr *number(struct building *b, int64_t value)
{
  return ir_build_int(b->arena, value);
}

static inline struct ir_expr *use(struct building *b, struct ir_var *var)
{
  return ir_build_var(b->arena, var);
}

static inline struct ir_expr *binary(struct building *b, enum ir_op op, struct ir_expr *left,
                                     struct ir_expr *right)
{
  return ir_build_binary(b->arena, op, left, right);
}

static inline struct ir_var *local(struct building *b, const char *name, const struct ir_type *type)
{
  return code_local(b->code, name, ir_plain_type(b->arena, type));
}

static inline struct ir_stmt *declare(struct building *b, struct ir_var *var, struct ir_expr *value)
{
  return ir_build_decl(b->arena, var, value);
}

static inline struct ir_stmt *assign_to(struct building *b, struct ir_expr *target,
                                        struct ir_expr *value)
{
  return ir_build_expr_stmt(b->arena, ir_build_assign(b->arena, target, value));
}

static inline struct ir_loop *loop_of(const struct building *b) { return b->strip->segment->loop; }

/* ---- strip_build.c ---- */

struct ir_stmt *making_call(struct building *, const char *name, enum ir_effect);
/* var += value */
struct ir_stmt *making_add(struct building *, struct ir_var *var, struct ir_expr *value);
struct ir_stmt *making_by_threads(struct building *, struct ir_var *var, struct ir_expr *to,
                                  struct ir_stmt *body);
struct ir_expr *making_segment_end(struct building *);
/* The lesser as an int. */
struct ir_expr *making_least(struct building *, struct ir_expr *left, struct ir_expr *room);
/* Copies the elements that an iteration loads. */
struct ir_stmt *making_copy_slot(struct building *, struct ir_var *slot, struct ir_expr *iteration);
/* Waits for the strip, and goes through its slots. */
void making_use_strip(struct building *, struct ir_expr *count, struct ir_expr *first,
                      struct ir_list *out);
struct ir_var *making_shared(struct building *, const char *name, const struct ir_type *type,
                             int64_t count, struct ir_list *out);

/* ---- strip_nest.c ---- */

/* Declares its tables of segments. */
void nest_declare(struct building *, struct strip *, struct ir_list *out);
struct ir_stmt *nest_build(struct building *);

#endif
