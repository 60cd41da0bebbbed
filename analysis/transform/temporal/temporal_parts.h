/* SPDX-License-Identifier: MIT */
/* temporal_parts.h - the state and functions that the builders of a kernel of several launches
 * share; private to temporal_*.c. */
#ifndef MESI_ANALYSIS_TEMPORAL_PARTS_H
#define MESI_ANALYSIS_TEMPORAL_PARTS_H

#include "analysis/transform/temporal/temporal.h"

enum role { /* the target of a point's new elements */ TO_REGISTERS, TO_TILE, TO_MEMORY };
enum corner { NO_CORNER = -1 };
enum { TEMPORAL_EARLY = 8 };

struct early_load {           /* a load from an array that no launch writes, two steps early */
  const struct ir_expr *expr; /* in the kernel's code */
  bool odd;                   /* in the second of two steps */
  struct ir_var *row;         /* the registers, by point of the thread */
};

struct building {
  const struct temporal_period *period;
  struct temporal *t; /* the kernel of the current step */
  const struct temporal_shape *shape;
  struct code *code; /* of the first kernel, with all variables */
  struct arena *arena;
  struct ir_var *run;                        /* the parameter with depth, sizes and bounds */
  struct ir_var *lists[2][TEMPORAL_BUFFERS]; /* by kernel and value: its parameter */
  /* By parameter of the second kernel: the parameter that replaces it. NULL: there is one
   * kernel. */
  struct ir_var **others;
  unsigned tile_count;
  struct ir_var *tiles[TEMPORAL_BUFFERS];   /* shared memory */
  struct ir_var *results[TEMPORAL_BUFFERS]; /* by tile: a thread's new elements */
  /* _x0, _lx, _x */
  struct ir_var *origin[TEMPORAL_AXES], *local[TEMPORAL_AXES], *point[TEMPORAL_AXES];
  /* Counts a thread's points along the axis. NULL: there is one. */
  struct ir_var *round[TEMPORAL_AXES];
  struct ir_var *live, *step;
  struct ir_var *row, *element; /* count the elements for the exchange with other threads */
  /* For the body in the making: */
  enum role role;
  bool odd;               /* it is for the second step */
  struct ir_expr *number; /* of the step */
  /* Rows of arrays that no launch writes are loaded 16 bytes at once. */
  bool vectorized;
  struct early_load early[TEMPORAL_EARLY];
  unsigned early_count;
  /* The corner of the tile that replaces the point; bit of an axis: its end; NO_CORNER: none. */
  int corner;
};

static inline struct ir_expr *number(struct building *b, int64_t value)
{
  return ir_build_int(b->arena, value);
}

static inline struct ir_expr *use(struct building *b, struct ir_var *var)
{
  return ir_build_var(b->arena, var);
}

static inline struct ir_expr *join(struct building *b, enum ir_op op, struct ir_expr *left,
                                   struct ir_expr *right)
{
  return ir_build_binary(b->arena, op, left, right);
}

static inline struct ir_expr *plus(struct building *b, struct ir_expr *left, int64_t right)
{
  return right ? join(b, right < 0 ? IR_OP_SUB : IR_OP_ADD, left,
                      number(b, right < 0 ? -right : right))
               : left;
}

static inline struct ir_expr *both(struct building *b, struct ir_expr *left, struct ir_expr *right)
{
  return !left ? right : !right ? left : join(b, IR_OP_LAND, left, right);
}

static inline struct ir_stmt *assign(struct building *b, struct ir_expr *target,
                                     struct ir_expr *value)
{
  return ir_build_expr_stmt(b->arena, ir_build_assign(b->arena, target, value));
}

static inline struct ir_stmt *barrier(struct building *b)
{
  return ir_build_expr_stmt(b->arena, ir_build_call(b->arena, "__syncthreads", IR_EFFECT_BARRIER));
}

static inline const struct ir_type *unsigned_type(struct building *b)
{
  return ir_build_builtin(b->arena, IR_THREAD_IDX)->type;
}

static inline const struct ir_type *long_type(struct building *b)
{
  return lower_int_type(b->arena, true);
}

static inline struct ir_expr *int_builtin(struct building *b, unsigned builtin)
{
  return ir_build_cast(b->arena, ir_int_type(),
                       ir_build_builtin(b->arena, (enum ir_builtin)builtin));
}

static inline struct ir_var *local(struct building *b, const char *name, const struct ir_type *type)
{
  return code_local(b->code, name, type);
}

static inline struct ir_expr *depth(struct building *b)
{
  return ir_build_member(b->arena, use(b, b->run), "depth", ir_int_type());
}

static inline struct ir_expr *margin(struct building *b)
{
  return ir_build_member(b->arena, use(b, b->run), "margin", ir_int_type());
}

static inline const struct temporal *first_kernel(const struct building *b)
{
  return b->period->kernels[0];
}

/* The array of a tile, by its name in the first kernel. */
static inline const struct temporal_buffer *buffer_of_tile(const struct building *b, unsigned tile)
{
  const struct temporal *t = first_kernel(b);
  unsigned i = 0;

  while (t->buffers[i].tile[0] != tile) i++;
  return &t->buffers[i];
}

/* _steps.total[axis] and so on. */
static inline struct ir_expr *listed(struct building *b, const char *member,
                                     const struct ir_type *type, unsigned index)
{
  const struct ir_type *array = ir_build_array_type(b->arena, type, TEMPORAL_BUFFERS);
  return ir_build_index(b->arena, ir_build_member(b->arena, use(b, b->run), member, array),
                        number(b, index));
}

/* Has each warp a tile of its own? */
static inline bool is_line(const struct building *b)
{
  return b->shape->warps && first_kernel(b)->axes == 1;
}

static inline int64_t points_along(const struct building *b, unsigned axis)
{
  return is_line(b) && axis ? 1 : b->shape->tile[axis] / b->shape->threads[axis];
}

static inline int64_t points(const struct building *b)
{
  return points_along(b, 0) * points_along(b, 1) * points_along(b, 2);
}

/* 0xffffffff, of a type that prints like that. */
static inline struct ir_expr *all_lanes(struct building *b)
{
  struct ir_expr *lanes = number(b, INT64_C(0xffffffff));

  lanes->text = "0xffffffffu";
  lanes->type = unsigned_type(b);
  return lanes;
}

/* ---- temporal_point.c ---- */

struct ir_expr *temporal_of_point(struct building *b, struct ir_var *array);
/* for each point: const int _lx = ...; const unsigned _x = _x0 + _lx; body */
struct ir_stmt *temporal_each_point(struct building *b, struct ir_stmt *body);
/* The thread's new element of a tile. */
struct ir_expr *temporal_result(struct building *b, unsigned tile);
/* The point's element of a tile. */
struct ir_expr *temporal_tile_element(struct building *b, unsigned tile);
bool temporal_is_written(const struct building *b, unsigned tile, bool odd);
struct ir_expr *temporal_memory_element(struct building *b, unsigned tile);
/* Fills the tile where `condition` holds (NULL: everywhere) and the array has an element. */
struct ir_stmt *temporal_load(struct building *b, unsigned tile, struct ir_expr *condition);
/* The code of the first or the second kernel; with `interior`, of points that pass all
 * conditions. */
struct ir_stmt *temporal_code_of(struct building *b, bool odd, bool interior, enum role role,
                                 struct ir_expr *step);
/* A condition of the plan, for the point. */
struct ir_expr *temporal_asked(struct building *b, bool odd, struct ir_expr *condition);

/* Sets the state for rewriting the code of the first or the second kernel, for a step. */
void temporal_enter(struct building *b, bool odd, enum role role, bool interior,
                    struct ir_expr *step);
/* Is it a load of 16 bytes from an array that no launch writes? */
bool temporal_loads_vectors(struct building *b, const struct ir_expr *expr);
/* The load of `expr`, with `element` in its place. */
struct ir_expr *temporal_load_lane(struct building *b, const struct ir_expr *expr,
                                   const struct ir_expr *element);

/* ---- temporal_ahead.c ---- */

void temporal_early_find(struct building *b, struct ir_list *out); /* declares the registers */
/* NULL: it is not loaded early. */
struct ir_expr *temporal_early_value(struct building *b, const struct ir_expr *expr);
/* The loads for a step, under the condition that the step exists. NULL: there are none. */
struct ir_stmt *temporal_early_load(struct building *b, bool odd, struct ir_expr *step);

/* ---- temporal_exchange.c ---- */

/* Fetches the elements of other threads that the step reads. Each array has shared memory of its
 * own, so a warp that is a step ahead shows its rows beside those that others still read. If only
 * one of the kernels shows rows, a barrier stands between. */
void temporal_exchange(struct building *b, bool odd, struct ir_list *out);

/* ---- temporal_steps.c ---- */

struct ir_stmt *temporal_all_steps(struct building *b, bool blind);

#endif
