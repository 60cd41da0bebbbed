/* SPDX-License-Identifier: MIT */
/* coarsen_product.c - a tile's loop of products: tensor cores run four of its iterations at a time.
 *
 *     for (int k = _k; k < _k + 16; k++) s += _s_a[row - ..][k - _k] * _s_b[k - _k][col - ..];
 *   =>
 *     for (int k = _k; k < _k + 16; k += 4) {
 *       int _own = k + _t % 4;
 *       double _r_a[4];
 *       for _y: _r_a[_y] = _s_a[row(_y) - ..][_own - _k];
 *       double _r_b[4];
 *       for _x: _r_b[_x] = _s_b[_own - _k][col(_x) - ..];
 *       mesi_multiply(s, _r_a, _r_b);
 *     }
 *
 * PTX ISA, "matrix fragments for mma.m8n8k4 with .f64": in an 8 x 8 part of the elements, lane l of
 * a warp has the sums of row l / 4 and the columns l % 4 * 2 and the next one. It has the factor of
 * row l / 4 at iteration l % 4, and that of column l / 4 at iteration l % 4. So all threads of a
 * block are arranged in register tiles of 4 x 8, a warp each (geometry.fragments). Their elements
 * are (_tx + _x / 2 * stride + _x % 2, _ty + _y * stride). Rows are a thread's own; only the
 * factors of columns belong to another thread's elements, _fx + _x * stride. The rest of the kernel
 * does not notice that.
 *
 * Behind the end of the loop, factors are 0 and -0, whose product changes no sum. All lanes reach
 * the instruction: the block goes through the loop together, and nothing in it branches. Requires:
 * a tile whose body consists of products, before and after its accesses were replaced. Gives up:
 * factors that read more than copies and values of the thread's rows, sums that only some of a
 * thread's elements may change. The loop is then coarsened like any other.
 */
#include "analysis/mapping/tile/product.h"

#include "analysis/mapping/coarsen/coarsen.h"
#include "runtime/seeded.h"

enum { MOST_FRAGMENTS = 2 * MOST_PRODUCTS };

struct fragment {
  struct ir_expr *factor;
  struct ir_var *var;
};

struct multiplying {
  struct coarsening *e;
  const struct ir_stmt *loop;
  bool cut;           /* the last four iterations may be fewer */
  struct ir_var *own; /* the lane's iteration */
  struct fragment fragments[MOST_FRAGMENTS];
  unsigned fragment_count;
  struct ir_list out;
};

static struct ir_expr *number(const struct coarsening *e, int64_t value)
{
  return ir_build_int(e->arena, value);
}

static struct ir_expr *binary(const struct coarsening *e, enum ir_op op, struct ir_expr *left,
                              int64_t right)
{
  bool neutral = op == IR_OP_ADD ? right == 0 : right == 1;
  return neutral && op != IR_OP_REM ? left : ir_build_binary(e->arena, op, left, number(e, right));
}

/* ---- is it legal? ---- */

static struct tile *tile_of(const struct coarsening *e, const struct ir_stmt *loop)
{
  for (unsigned i = 0; i < e->tiles->count; i++)
    if (e->tiles->items[i].whole == loop || e->tiles->items[i].rest == loop)
      return &e->tiles->items[i];
  return NULL;
}

struct column_search {
  const struct coarsening *e;
  bool failed;
};

/* Values that depend on x are known for another thread's columns only if they are computed from the
 * columns' index. */
static void note_column(struct ir_expr *expr, void *context)
{
  struct column_search *s = context;

  if (expr->kind == IR_EXPR_VAR && (coarsen_axes(s->e, expr) & INSTANCE_X))
    s->failed |= !coarsen_owns(s->e, expr->var) || !s->e->remade[expr->var->id];
}

static bool is_column(const struct coarsening *e, struct ir_expr *factor)
{
  struct column_search s = {e, false};
  ir_visit_expr(factor, note_column, &s);
  return !s.failed;
}

static bool all_safe(const struct coarsening *e, struct ir_stmt *stmt)
{
  if (stmt->kind != IR_STMT_BLOCK && stmt->kind != IR_STMT_DECLS) return coarsen_safe_stmt(e, stmt);
  for (unsigned i = 0; i < stmt->child_count; i++)
    if (!all_safe(e, stmt->children[i])) return false;
  return true;
}

bool coarsen_can_multiply(struct coarsening *e, struct ir_stmt *stmt, struct products *ret)
{
  const struct tile *tile = e->geometry->fragments ? tile_of(e, stmt) : NULL;

  if (!tile || !tile->products || e->active != INSTANCE_ALL || e->around ||
      !products_of(&e->in, stmt->body, ret) || !all_safe(e, stmt->body))
    return false;
  for (unsigned i = 0; i < ret->count; i++) {
    const struct product *product = &ret->items[i];
    if (!coarsen_safe_expr(e, product->row) || !coarsen_safe_expr(e, product->column) ||
        !is_column(e, product->column) || !coarsen_owns(e, product->sum) ||
        !e->array[product->sum->id])
      return false;
  }
  return true;
}

/* ---- fragments ---- */

static void note_name(struct ir_expr *expr, void *context)
{
  const char **name = context;

  if (expr->kind == IR_EXPR_VAR && expr->var->kind == IR_VAR_SHARED && !*name)
    *name = expr->var->name + 3; /* _s_ */
}

static struct ir_expr *literal(struct coarsening *e, const struct ir_type *type, const char *text)
{
  struct ir_expr *expr = ARENA_NEW(e->arena, struct ir_expr);

  *expr = (struct ir_expr){.kind = IR_EXPR_LITERAL, .id = UINT32_MAX, .type = type, .text = text};
  return expr;
}

static struct ir_expr *replace_iterator(struct ir_rewriter *r, struct ir_expr *expr)
{
  const struct multiplying *m = r->context;
  return expr->kind == IR_EXPR_VAR && expr->var == m->loop->loop->iterator
             ? ir_build_var(r->arena, m->own)
             : NULL;
}

/* The factor for the lane's iteration. */
static struct ir_expr *own_factor(struct multiplying *m, struct ir_expr *factor,
                                  const char *neutral)
{
  struct coarsening *e = m->e;
  struct ir_rewriter rewriter = {e->arena, replace_iterator, m};
  struct ir_expr *value = ir_rewrite_expr(&rewriter, factor);

  if (!m->cut || SEEDED(PRODUCT_BEHIND_END)) return value;
  struct ir_expr *within =
      ir_build_binary(e->arena, IR_OP_LT, ir_build_var(e->arena, m->own), m->loop->loop->bound);
  value = ir_build_cond(e->arena, within, value, literal(e, factor->type, neutral));
  value->type = factor->type;
  return value;
}

/* double _r_a[4]; for _y: _r_a[_y] = factor */
static struct ir_var *fragment(struct multiplying *m, struct ir_expr *factor, unsigned axis)
{
  struct coarsening *e = m->e;
  const char *name = NULL;
  struct ir_list body = {0}, uses = {0};

  for (unsigned i = 0; i < m->fragment_count; i++)
    if (ir_same_expr(m->fragments[i].factor, factor)) return m->fragments[i].var;
  ir_visit_expr(factor, note_name, &name);
  struct ir_var *named =
      code_local(e->code, arena_format(e->arena, "_r_%s", name ? name : "f"), factor->type);
  struct ir_var *var = coarsen_array(e, named->name, factor->type, axis);
  struct ir_expr *value =
      coarsen_expr(e, own_factor(m, factor, axis == INSTANCE_Y ? "0.0" : "-0.0"));
  struct ir_stmt use = {.kind = IR_STMT_EXPR, .expr = factor};
  ir_list_add(e->arena, &m->out, ir_build_decl(e->arena, var, NULL));
  ir_list_add(e->arena, &body,
              ir_build_expr_stmt(e->arena,
                                 ir_build_assign(e->arena, coarsen_element(e, var, axis), value)));
  ir_list_add(e->arena, &uses, &use);
  coarsen_loops(e, axis, &body, &uses, &m->out);
  m->fragments[m->fragment_count++] = (struct fragment){factor, var};
  return var;
}

/* The same for columns: two columns of a thread are one of a fragment. */
static struct ir_var *column_fragment(struct multiplying *m, struct ir_expr *factor)
{
  struct coarsening *e = m->e;
  const struct geometry *own = e->geometry;
  struct ir_var *origin = e->origin[0];
  int64_t columns = e->factor[0];
  struct geometry geometry = *own;

  geometry.threads[0] = own->threads[0] * own->vector[0];
  geometry.vector[0] = 1;
  e->geometry = &geometry;
  e->origin[0] = SEEDED(PRODUCT_COLUMN) ? origin : e->column;
  e->factor[0] = columns / own->vector[0];
  struct ir_var *var = fragment(m, factor, INSTANCE_X);
  e->geometry = own;
  e->origin[0] = origin;
  e->factor[0] = columns;
  return var;
}

/* ---- the loop ---- */

/* May the last four iterations be fewer? */
static bool is_cut(const struct tile *tile, const struct ir_stmt *stmt)
{
  const struct ir_loop *loop = tile->loop->loop;
  int64_t lower, bound;

  if (stmt == tile->whole) return tile->size % PRODUCT_DEPTH;
  bool known = ir_constant(loop->lower, &lower) && ir_constant(stmt->loop->bound, &bound);
  return !known || tile->size % PRODUCT_DEPTH || (bound - lower) % (PRODUCT_DEPTH * loop->step);
}

static void multiply(struct multiplying *m, const struct product *product)
{
  struct coarsening *e = m->e;
  struct ir_var *row = fragment(m, product->row, INSTANCE_Y),
                *column = column_fragment(m, product->column);
  struct ir_expr *call = ir_build_call(e->arena, "mesi_multiply", IR_EFFECT_WARP);

  ir_add_argument(e->arena, call, ir_build_var(e->arena, e->array[product->sum->id]));
  ir_add_argument(e->arena, call, ir_build_var(e->arena, row));
  ir_add_argument(e->arena, call, ir_build_var(e->arena, column));
  ir_list_add(e->arena, &m->out, ir_build_expr_stmt(e->arena, call));
}

struct ir_stmt *coarsen_multiplied(struct coarsening *e, struct ir_stmt *stmt,
                                   const struct products *products)
{
  struct tile *tile = tile_of(e, stmt);
  struct arena *arena = e->arena;
  struct ir_var *iterator = stmt->loop->iterator;
  struct multiplying m = {.e = e, .loop = stmt, .cut = is_cut(tile, stmt)};

  tile->multiplied = true;
  m.own = code_local(e->code, "_own", iterator->type);
  struct ir_expr *lane = binary(
      e, IR_OP_MUL, binary(e, IR_OP_REM, ir_build_var(arena, e->tiles->thread), PRODUCT_DEPTH),
      stmt->loop->step);
  ir_list_add(
      arena, &m.out,
      ir_build_decl(arena, m.own,
                    ir_build_binary(arena, IR_OP_ADD, ir_build_var(arena, iterator), lane)));
  e->loops++;
  for (unsigned i = 0; i < products->count; i++) multiply(&m, &products->items[i]);
  e->loops--;
  struct ir_stmt *loop = ARENA_NEW(arena, struct ir_stmt);
  struct ir_loop *form = ARENA_NEW(arena, struct ir_loop);
  *loop = *stmt;
  *form = *stmt->loop;
  form->step *= PRODUCT_DEPTH;
  loop->loop = form;
  loop->init = coarsen_stmt(e, stmt->init);
  loop->expr = coarsen_expr(e, stmt->expr);
  loop->increment = ir_build_assign(arena, ir_build_var(arena, iterator),
                                    number(e, PRODUCT_DEPTH * stmt->loop->step));
  loop->increment->op = IR_OP_ADD_ASSIGN;
  loop->body = ir_build_block(arena, &m.out);
  return loop;
}

/* ---- the threads ---- */

/* Lane l of a warp is thread (l % 4, l / 4) of its tile. Tiles lie in rows of threads[0] / 4. */
void coarsen_fragments(struct coarsening *e, struct ir_list *out)
{
  struct ir_expr *thread = ir_build_var(e->arena, e->tiles->thread),
                 *warp = binary(e, IR_OP_DIV, thread, 32);
  int64_t across = e->geometry->threads[0] / 4;
  struct ir_expr *lane_x = binary(e, IR_OP_REM, thread, 4),
                 *lane_y = binary(e, IR_OP_DIV, binary(e, IR_OP_REM, thread, 32), 4);
  struct ir_expr *warp_x = across > 1 ? binary(e, IR_OP_REM, warp, across) : NULL,
                 *warp_y = binary(e, IR_OP_DIV, warp, across);
  struct ir_expr *x = binary(e, IR_OP_MUL, lane_x, 2),
                 *column = SEEDED(PRODUCT_LANES) ? lane_x : lane_y;

  e->column = code_local(e->code, "_fx", ir_int_type());
  if (warp_x) {
    x = ir_build_binary(e->arena, IR_OP_ADD, binary(e, IR_OP_MUL, warp_x, 8), x);
    column = ir_build_binary(e->arena, IR_OP_ADD, binary(e, IR_OP_MUL, warp_x, 8), column);
  }
  ir_list_add(e->arena, out, ir_build_decl(e->arena, e->origin[0], x));
  ir_list_add(e->arena, out, ir_build_decl(e->arena, e->column, column));
  struct ir_expr *y = ir_build_binary(e->arena, IR_OP_ADD, binary(e, IR_OP_MUL, warp_y, 8), lane_y);
  ir_list_add(e->arena, out, ir_build_decl(e->arena, e->origin[1], y));
}
