/* SPDX-License-Identifier: MIT */
/* row_load.c - a loop that loads neighbouring elements into registers loads 16 bytes at once.
 *
 *     #pragma unroll
 *     for (d = 0; d < 16; d++) _r_p[d] = p[i * 16 + d];
 *   =>
 *     #pragma unroll
 *     for (d = 0; d < 16; d += 4)
 *       if (mesi_vector_at(&p[i * 16 + d]))
 *         mesi_vector_load(&_r_p[d], &p[i * 16 + d]);
 *       else { _r_p[d] = p[i * 16 + d]; _r_p[d + 1] = p[i * 16 + (d + 1)]; ... }
 *
 * The loop loads the same elements, and stores nothing in between. Loops over a thread's elements
 * may stand around the load, inside the loop. Requires: code as it will be printed; unrolled loops
 * with constant bounds. Gives up per loop: a number of iterations that is not a multiple, an index
 * that does not go up by one, other statements in the loop.
 */
#include "analysis/code/row_load.h"

#include "analysis/code/reuse.h"
#include "runtime/seeded.h"

#include <string.h>

struct row {
  struct arena *arena;
  struct ir_var *iterator;
  struct ir_stmt *store;   /* to the register */
  struct ir_expr *element; /* in memory */
  int64_t factor;
};

/* Does the expression go up by one with the iterator? *ret_has: the iterator is in it. */
static bool counts_up(const struct row *row, struct ir_expr *expr, bool *ret_has)
{
  bool left = false, right = false;

  *ret_has = ir_expr_has_var(expr, row->iterator);
  if (!*ret_has) return true;
  if (expr->kind == IR_EXPR_PAREN || expr->kind == IR_EXPR_CONVERT)
    return counts_up(row, expr->operands[0], &left);
  if (expr->kind == IR_EXPR_VAR) return true;
  if (expr->kind != IR_EXPR_BINARY || (expr->op != IR_OP_ADD && expr->op != IR_OP_SUB) ||
      expr->type->kind != IR_TYPE_INT || !expr->type->is_signed)
    return false;
  return counts_up(row, expr->operands[0], &left) && counts_up(row, expr->operands[1], &right) &&
         left != right && (left || expr->op == IR_OP_ADD);
}

static bool goes_along(const struct row *row, struct ir_expr *expr)
{
  bool has;

  return expr->kind == IR_EXPR_INDEX && !ir_expr_has_var(expr->operands[0], row->iterator) &&
         counts_up(row, expr->operands[1], &has) && has;
}

static const struct ir_var *base_of(struct ir_expr *expr)
{
  for (expr = ir_strip(expr); expr->kind == IR_EXPR_INDEX; expr = ir_strip(expr->operands[0]))
    ;
  return expr->kind == IR_EXPR_VAR ? expr->var : NULL;
}

static bool is_register(struct ir_expr *expr)
{
  const struct ir_var *root = ir_holder(expr);
  return root && root->kind == IR_VAR_LOCAL && root->type->kind == IR_TYPE_ARRAY;
}

static bool is_memory(struct ir_expr *expr)
{
  const struct ir_var *root = base_of(expr);
  bool pointer = root && root->type->kind == IR_TYPE_POINTER,
       array = root && root->type->kind == IR_TYPE_ARRAY;

  return root && !root->is_constant_memory && !expr->type->is_volatile &&
         !root->type->is_volatile &&
         ((pointer && root->kind == IR_VAR_PARAM) ||
          (array && (root->kind == IR_VAR_VS || root->kind == IR_VAR_DEVICE)));
}

static bool same_number(const struct ir_type *a, const struct ir_type *b)
{
  bool number = (a->kind == IR_TYPE_INT || a->kind == IR_TYPE_FLOAT) && a->kind == b->kind;
  return number && a->size == b->size && a->is_signed == b->is_signed &&
         (a->size == 4 || a->size == 8);
}

/* `register = element;`, the element marked read-only or not */
static bool find_parts(struct row *row, struct ir_stmt *stmt)
{
  struct ir_expr *expr = stmt->kind == IR_STMT_EXPR ? ir_strip(stmt->expr) : NULL;

  if (!expr || expr->kind != IR_EXPR_ASSIGN || expr->op != IR_OP_ASSIGN ||
      !is_register(expr->operands[0]))
    return false;
  struct ir_expr *target = ir_strip(expr->operands[0]), *from = expr->operands[1];
  if (from->kind == IR_EXPR_CALL && from->effect == IR_EFFECT_LOAD &&
      !strcmp(from->text, "__ldg") && from->operands[0]->kind == IR_EXPR_UNARY)
    from = from->operands[0]->operands[0];
  from = from->kind == IR_EXPR_PAREN ? from->operands[0] : from;
  row->store = stmt;
  row->element = from;
  return goes_along(row, target) && goes_along(row, from) && is_memory(from) &&
         same_number(ir_plain_type(row->arena, target->type),
                     ir_plain_type(row->arena, from->type));
}

static bool is_plain_decl(const struct row *row, const struct ir_stmt *stmt)
{
  bool has =
      stmt->expr && (ir_has_effects(stmt->expr) || ir_expr_has_var(stmt->expr, row->iterator));
  return stmt->kind == IR_STMT_DECL && !has;
}

/* Finds the only statement with an effect in the loop. Declarations and loops over instances may
 * stand around it. */
static bool find_store(struct row *row, struct ir_stmt *stmt)
{
  unsigned others = 0;
  struct ir_stmt *last = NULL;

  if (stmt->kind == IR_STMT_FOR && stmt->loop && stmt->loop->iterator != row->iterator)
    return find_store(row, stmt->body);
  if (stmt->kind != IR_STMT_BLOCK) return find_parts(row, stmt);
  for (unsigned i = 0; i < stmt->child_count; i++) {
    bool decl = is_plain_decl(row, stmt->children[i]);
    others += !decl;
    last = decl ? last : stmt->children[i];
  }
  return others == 1 && find_store(row, last);
}

/* ---- the new loop ---- */

struct shifting {
  const struct row *row;
  int64_t by;
};

static struct ir_expr *shift(struct ir_rewriter *r, struct ir_expr *expr)
{
  const struct shifting *s = r->context;

  if (expr->kind != IR_EXPR_VAR || expr->var != s->row->iterator || !s->by) return NULL;
  return ir_build_binary(r->arena, IR_OP_ADD, ir_build_var(r->arena, expr->var),
                         ir_build_int(r->arena, s->by));
}

static struct ir_expr *address(struct arena *arena, struct ir_expr *expr)
{
  struct ir_expr *at = ir_build_unary(arena, IR_OP_ADDRESS, expr);

  at->type = ir_build_pointer_type(arena, expr->type);
  return at;
}

static struct ir_stmt *vector_store(const struct row *row)
{
  struct arena *arena = row->arena;
  struct ir_expr *target = ir_strip(row->store->expr)->operands[0];
  struct ir_expr *test = ir_build_call(arena, "mesi_vector_at", IR_EFFECT_NONE),
                 *load = ir_build_call(arena, "mesi_vector_load", IR_EFFECT_NONE);
  struct ir_list one_by_one = {0};

  test->type = ir_bool_type();
  ir_add_argument(arena, test, address(arena, row->element));
  ir_add_argument(arena, load, address(arena, target));
  ir_add_argument(arena, load, address(arena, row->element));
  for (int64_t e = 0; e < row->factor; e++) {
    struct shifting shifting = {row, SEEDED(ROW_NOT_SHIFTED) ? 0 : e};
    struct ir_rewriter rewriter = {arena, shift, &shifting};
    ir_list_add(arena, &one_by_one, ir_rewrite_stmt(&rewriter, row->store));
  }
  struct ir_stmt *both = ir_build_if(arena, test, ir_build_expr_stmt(arena, load));
  both->else_body = ir_build_block(arena, &one_by_one);
  return both;
}

static struct ir_stmt *with(const struct row *row, struct ir_stmt *stmt, struct ir_stmt *new)
{
  if (!stmt || stmt == row->store) return stmt ? new : NULL;
  struct ir_stmt *copy = ARENA_NEW(row->arena, struct ir_stmt);
  *copy = *stmt;
  copy->body = with(row, stmt->body, new);
  copy->children = arena_alloc(row->arena, (stmt->child_count + 1) * sizeof *copy->children);
  for (unsigned i = 0; i < stmt->child_count; i++)
    copy->children[i] = with(row, stmt->children[i], new);
  return copy;
}

static struct ir_stmt *vectorize(struct arena *arena, struct ir_stmt *stmt)
{
  int64_t first, trips;
  bool loop = stmt->kind == IR_STMT_FOR && stmt->pragma &&
              !strcmp(stmt->pragma, "#pragma unroll") && reuse_short_loop(stmt, &first, &trips) &&
              stmt->loop->step == 1 && stmt->loop->declared &&
              stmt->loop->iterator->type->is_signed && stmt->loop->iterator->type->size == 4;

  if (!loop) return NULL;
  struct row row = {.arena = arena, .iterator = stmt->loop->iterator};
  if (!find_store(&row, stmt->body)) return NULL;
  row.factor = 16 / row.element->type->size;
  if (trips % row.factor) return NULL;
  struct ir_stmt *made = ir_build_for(arena, row.iterator, ir_build_int(arena, first),
                                      ir_build_int(arena, first + trips), row.factor,
                                      with(&row, stmt->body, vector_store(&row)));
  made->pragma = stmt->pragma;
  return made;
}

static struct ir_stmt *rewrite(struct arena *arena, struct ir_stmt *stmt, unsigned *count)
{
  if (!stmt) return NULL;
  struct ir_stmt *made = vectorize(arena, stmt);
  if (made) {
    ++*count;
    return made;
  }
  struct ir_stmt *copy = ir_copy_stmt(arena, stmt), **below;
  for (unsigned i = 0; (below = ir_below(copy, i)); i++) *below = rewrite(arena, *below, count);
  return copy;
}

unsigned row_loads(struct arena *arena, struct ir_function *function)
{
  unsigned count = 0;

  function->body = rewrite(arena, function->body, &count);
  return count;
}
