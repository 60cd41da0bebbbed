/* SPDX-License-Identifier: MIT */
/* untile_forward.c - puts the values that fill a tile in the place of its reads.
 *
 *     element (threadIdx.y, threadIdx.x) of a: A[row * m + t * 16 + threadIdx.x]
 *     s += a[ty][k]     =>     s += A[row * m + t * 16 + k]
 *
 * The reader takes the place of the thread that fills the element. Its indices are solved for that
 * thread's indices, which are replaced by the solutions. For every reader the solutions must be
 * indices of threads of the block; intervals of iterators with constant bounds prove it.
 */
#include "analysis/code/rounding_pin.h"
#include "analysis/transform/untile/untile_parts.h"
#include "runtime/seeded.h"

struct interval {
  bool known;
  int64_t low, high;
};

static struct interval interval_of(struct code *, const struct polynomial *);

static struct interval of_iterator(struct code *code, const struct ir_var *var)
{
  const struct ir_loop *loop = untile_loop_of(code, var);
  struct interval ret = {.known = true};

  if (!loop || !loop->lower || loop->step_expr || loop->step <= 0 ||
      !code_constant(code, loop->lower, &ret.low) || !code_constant(code, loop->bound, &ret.high) ||
      (loop->relation != IR_OP_LT && loop->relation != IR_OP_LE))
    return (struct interval){0};
  ret.high -= loop->relation == IR_OP_LT;
  return ret;
}

static struct interval of_factor(struct code *code, const struct ir_expr *expr)
{
  int64_t block = expr->kind == IR_EXPR_BUILTIN && expr->value < IR_BLOCK_IDX
                      ? code->facts.block[expr->value]
                      : -1;

  if (block > 0) return (struct interval){true, 0, block - 1};
  return expr->kind == IR_EXPR_VAR && expr->var->kind == IR_VAR_LOCAL ? of_iterator(code, expr->var)
                                                                      : (struct interval){0};
}

static struct interval interval_of(struct code *code, const struct polynomial *p)
{
  struct interval sum = {.known = p->known};

  for (unsigned i = 0; i < p->count && sum.known; i++) {
    const struct polynomial_term *term = &p->terms[i];
    int64_t c = term->coefficient;
    struct interval one = {true, 1, 1};
    if (term->factor_count == 1) one = of_factor(code, term->factors[0]);
    sum.known = one.known && term->factor_count <= 1 && c > -65536 && c < 65536 &&
                one.low > -65536 && one.high < 65536;
    if (!sum.known) break;
    sum.low += c > 0 ? c * one.low : c * one.high;
    sum.high += c > 0 ? c * one.high : c * one.low;
  }
  return sum;
}

/* ---- the reader in the place of the filling thread ---- */

struct reading {
  struct untiling *u;
  struct ir_expr *thread[3]; /* replaces threadIdx; NULL: the reader's own */
};

/* The axis of an expression that is threadIdx.axis, converted between integers. -1: it is none. */
static int thread_axis(const struct ir_expr *expr)
{
  while ((expr->kind == IR_EXPR_CONVERT || expr->kind == IR_EXPR_CAST ||
          expr->kind == IR_EXPR_PAREN) &&
         expr->operand_count == 1 && expr->type->kind == IR_TYPE_INT && expr->type->size >= 4)
    expr = expr->operands[0];
  return expr->kind == IR_EXPR_BUILTIN && expr->value < IR_BLOCK_IDX ? (int)expr->value : -1;
}

static struct ir_expr *replace_thread(struct ir_rewriter *r, struct ir_expr *expr)
{
  const struct reading *reading = r->context;
  int axis = thread_axis(expr);
  struct ir_expr *by = axis >= 0 ? reading->thread[axis] : NULL;

  if (!by) return NULL;
  const struct ir_type *type = ir_plain_type(r->arena, expr->type);
  return ir_same_type(ir_plain_type(r->arena, by->type), type) ? by
                                                               : ir_build_cast(r->arena, type, by);
}

/* Is it threadIdx.axis, and nothing else? */
static bool is_own(const struct polynomial *p, int axis)
{
  return p->known && p->count == 1 && p->terms[0].coefficient == 1 &&
         p->terms[0].factor_count == 1 && p->terms[0].factors[0]->kind == IR_EXPR_BUILTIN &&
         p->terms[0].factors[0]->value == axis;
}

/* Moves the terms with coefficients that are multiples of the stride out of `p`, and returns them
 * divided by it. */
static struct polynomial take_multiples(struct polynomial *p, int64_t stride)
{
  struct polynomial taken = {.known = p->known}, rest = {.known = p->known};

  for (unsigned i = 0; i < p->count; i++) {
    struct polynomial one = {.known = true, .count = 1, .terms = {p->terms[i]}};
    bool is = polynomial_divide(&one, stride);
    taken = is ? polynomial_sum(&taken, &one, 1) : taken;
    rest = is ? rest : polynomial_sum(&rest, &one, 1);
  }
  *p = rest;
  return taken;
}

static bool set_thread(struct reading *reading, int axis, const struct polynomial *p,
                       const struct ir_place *place)
{
  struct code *code = reading->u->code;
  struct interval interval = interval_of(code, p);

  if (is_own(p, axis)) return true;
  if (!interval.known || interval.low < 0 || interval.high >= code->facts.block[axis])
    return untile_fail(reading->u, "an element of a tile is read that may not be filled", place);
  reading->thread[axis] = polynomial_expr(code->arena, p);
  return true;
}

/* Solves one dimension: which thread fills the element with this index? */
static bool solve(struct reading *reading, const struct fill_index *fill, struct ir_expr *index)
{
  struct ir_expr *resolved = code_resolve(reading->u->code, index);
  struct polynomial p = resolved ? polynomial_of(resolved) : (struct polynomial){0},
                    offset = polynomial_constant(fill->offset);

  p = polynomial_sum(&p, &offset, -1);
  for (unsigned i = 0; i < fill->count; i++) {
    struct polynomial part = take_multiples(&p, fill->stride[i]);
    if (!set_thread(reading, fill->axis[i], &part, &index->place)) return false;
    if (SEEDED(UNTILE_OFFSET_LOST) && fill->offset && fill->count == 1)
      reading->thread[fill->axis[i]] = index;
  }
  return true;
}

static struct ir_expr *replace_read(struct ir_rewriter *r, struct ir_expr *expr)
{
  struct untiling *u = r->context;
  struct ir_expr *indices[TILE_DIMS];
  const struct hand_tile *tile = untile_element(u, expr, indices);
  struct reading reading = {.u = u};

  if (!tile) return NULL;
  for (unsigned i = 0; i < tile->dim_count; i++) {
    if (ir_has_effects(indices[i])) {
      untile_fail(u, "an index has an effect of its own", &indices[i]->place);
      return expr;
    }
    if (!solve(&reading, &tile->index[i], indices[i])) return expr;
  }
  struct ir_rewriter rewriter = {r->arena, replace_thread, &reading};
  return ir_build_cast(r->arena, ir_plain_type(r->arena, tile->element),
                       ir_rewrite_expr(&rewriter, rounding_pin_value(u->code, tile->value)));
}

/* ---- statements ---- */

static bool is_fill(struct untiling *u, const struct ir_stmt *stmt)
{
  struct ir_expr *store = stmt->kind == IR_STMT_EXPR ? ir_strip(stmt->expr) : NULL,
                 *indices[TILE_DIMS];

  return store && store->kind == IR_EXPR_ASSIGN &&
         untile_element(u, ir_strip(store->operands[0]), indices);
}

/* All shared variables in use are tiles. */
static bool is_tile_decl(const struct ir_stmt *stmt)
{
  return stmt->kind == IR_STMT_DECL && stmt->var->kind == IR_VAR_SHARED;
}

/* A copy without tiles, the statements that fill them, and barriers. NULL: nothing is left. */
static struct ir_stmt *without_tiles(struct untiling *u, struct ir_stmt *stmt)
{
  struct arena *arena = u->code->arena;

  if (!stmt || stmt->kind == IR_STMT_NULL || untile_is_barrier(stmt) || is_fill(u, stmt) ||
      is_tile_decl(stmt))
    return NULL;
  struct ir_stmt *copy = ARENA_NEW(arena, struct ir_stmt);
  *copy = *stmt;
  copy->body = without_tiles(u, stmt->body);
  copy->else_body = without_tiles(u, stmt->else_body);
  copy->children = arena_alloc(arena, (stmt->child_count + 1) * sizeof *copy->children);
  copy->child_count = 0;
  for (unsigned i = 0; i < stmt->child_count; i++) {
    struct ir_stmt *child = without_tiles(u, stmt->children[i]);
    if (child) copy->children[copy->child_count++] = child;
  }
  if (stmt->kind == IR_STMT_IF && !copy->body && !copy->else_body) return NULL;
  bool listed = stmt->kind == IR_STMT_BLOCK || stmt->kind == IR_STMT_DECLS;
  if (listed && stmt->child_count && !copy->child_count) return NULL;
  struct ir_list none = {0};
  if (!copy->body && stmt->body) copy->body = ir_build_block(arena, &none);
  return copy;
}

static void note_left(struct ir_expr *expr, void *context)
{
  *(bool *)context |= expr->kind == IR_EXPR_VAR && expr->var->kind == IR_VAR_SHARED;
}

struct ir_stmt *untile_forward(struct untiling *u)
{
  struct ir_rewriter rewriter = {u->code->arena, replace_read, u};
  bool left = false;
  struct ir_stmt *body = ir_rewrite_stmt(&rewriter, without_tiles(u, u->body));

  if (u->reason) return NULL;
  ir_visit_stmt_exprs(body, note_left, &left);
  if (left)
    untile_fail(u, "a tile is used otherwise than by its elements", &u->tiles[0].var->place);
  return left ? NULL : body;
}
