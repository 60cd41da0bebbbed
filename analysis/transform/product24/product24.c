/* SPDX-License-Identifier: MIT */
/* product24.c - products of 24 bits become plain ones.
 *
 *     int x = __mul24(blockIdx.x, blockDim.x) + threadIdx.x;
 *     int y = __mul24(blockIdx.y, blockDim.y) + threadIdx.y;
 *     o[__umul24(y, w) + x]
 *   =>
 *     int x = (int)blockIdx.x * (int)blockDim.x + threadIdx.x;       gridDim.x <= 2097151,
 *     int y = (int)blockIdx.y * (int)blockDim.y + threadIdx.y;       gridDim.y <= 2048,
 *     o[(unsigned)y * w + x]                                         w <= 32767
 *
 * The functions multiply the lower 24 bits of their operands, and are no faster than `*` since
 * 2010. They are the same as `*` where the operands have no more bits, and where an `int` does not
 * overflow, which `*` may not do. Intervals of operands follow from the shape of the launch; what
 * they lack of it and of parameters the launch is asked.
 * Produces: the places in draft->formed. Gives up: an operand that is loaded, or a local that is
 * set twice and counts no loop; unsigned differences that may wrap around.
 */
#include <string.h>

#include "analysis/transform/product24/product24.h"

#include "analysis/code/renew.h"
#include "runtime/seeded.h"

enum {
  MOST_ASKED = 4,  /* of one product */
  MOST_DEPTH = 16, /* of operands */
  SMALL = 32767,   /* what is asked of numbers that are multiplied by each other */
  MOST_THREADS = 1024,
  MOST_BLOCKS_Y = 65535,
};
/* with any block, an int */
#define MOST_BLOCKS ((INT64_C(1) << 21) - 1)

struct range {
  int64_t low, high;
};

struct product { /* while its operands are looked at */
  struct code *code;
  struct ir_expr *asked[MOST_ASKED];
  unsigned count, depth;
  bool few; /* of a grid as few blocks are asked for as of threads, not MOST_BLOCKS */
};

static bool range_of(struct product *p, struct ir_expr *expr, struct range *ret);

/* ---- what the launch is asked ---- */

static bool ask(struct product *p, struct ir_expr *condition)
{
  for (unsigned i = 0; i < p->count; i++)
    if (ir_same_expr(p->asked[i], condition)) return true;
  if (p->count == MOST_ASKED) return false;
  p->asked[p->count++] = condition;
  return true;
}

static struct ir_expr *at_most(struct arena *arena, struct ir_expr *value, int64_t most)
{
  return ir_build_binary(arena, IR_OP_LE, value, ir_build_int(arena, most));
}

/* The blocks along an axis; as few as are asked for where the launch does not say it. */
static bool blocks_of(struct product *p, int axis, int64_t *ret)
{
  const struct kernel_facts *facts = &p->code->facts;
  struct arena *arena = p->code->arena;

  *ret = facts->grid[axis];
  if (*ret > 0) return true;
  if (!p->few) {
    *ret = axis ? MOST_BLOCKS_Y : MOST_BLOCKS;
    if (axis) return true;
  } else if (facts->block[axis] > 0) {
    *ret = (SMALL + 1) / facts->block[axis];
  } else {
    return false;
  }
  struct ir_expr *grid =
      ir_build_cast(arena, ir_int_type(), ir_build_builtin(arena, IR_GRID_DIM + axis));
  return ask(p, at_most(arena, grid, *ret));
}

static bool param_range(struct product *p, struct ir_var *var, struct range *ret)
{
  struct arena *arena = p->code->arena;
  const struct ir_function *kernel = p->code->facts.kernel;
  struct ir_expr *self = ir_build_var(arena, var), *least = NULL;
  int64_t value;

  if (code_constant(p->code, self, &value)) {
    *ret = (struct range){value, value};
    return true;
  }
  if (var->write_count || var->type->kind != IR_TYPE_INT || var->type->size < 4 ||
      var->id >= kernel->param_count || kernel->params[var->id] != var)
    return false;
  *ret = (struct range){0, SMALL};
  if (var->type->is_signed) least = ir_build_binary(arena, IR_OP_GE, self, ir_build_int(arena, 0));
  return ask(p, ir_build_both(arena, least, at_most(arena, ir_build_var(arena, var), SMALL)));
}

/* ---- intervals ---- */

static bool builtin_range(struct product *p, const struct ir_expr *expr, struct range *ret)
{
  const struct kernel_facts *facts = &p->code->facts;
  int axis = (int)expr->value % 3;
  int64_t threads = facts->block[axis] > 0 ? facts->block[axis] : MOST_THREADS, blocks;

  if (expr->value == IR_WARP_SIZE) return false;
  if (expr->value < IR_BLOCK_IDX) *ret = (struct range){0, threads - 1};
  if (expr->value >= IR_BLOCK_DIM && expr->value < IR_GRID_DIM)
    *ret = (struct range){facts->block[axis] > 0 ? threads : 1, threads};
  if (expr->value < IR_BLOCK_IDX || (expr->value >= IR_BLOCK_DIM && expr->value < IR_GRID_DIM))
    return true;
  if (!blocks_of(p, axis, &blocks)) return false;
  *ret = expr->value < IR_BLOCK_DIM ? (struct range){0, blocks - 1} : (struct range){1, blocks};
  return true;
}

struct loop_search {
  const struct ir_var *var;
  const struct ir_loop *loop; /* the only one that counts with it; NULL: none */
  unsigned count;
};

static bool note_loop(struct ir_stmt *stmt, void *context)
{
  struct loop_search *s = context;

  if (stmt->loop && stmt->loop->iterator == s->var) {
    s->loop = stmt->loop;
    s->count++;
  }
  return true;
}

/* Of an iterator that is declared in the head of its loop: all its uses are inside. */
static bool iterator_range(struct product *p, const struct ir_var *var, struct range *ret)
{
  struct loop_search s = {.var = var};
  struct range first, end;

  ir_visit_stmts(p->code->facts.kernel->body, note_loop, &s);
  if (s.count != 1 || !s.loop->declared || !s.loop->lower || s.loop->step_expr ||
      s.loop->step <= 0 || var->address_taken ||
      (s.loop->relation != IR_OP_LT && s.loop->relation != IR_OP_LE))
    return false;
  if (!range_of(p, s.loop->lower, &first) || !range_of(p, s.loop->bound, &end)) return false;
  *ret = (struct range){first.low, end.high > first.high ? end.high : first.high};
  return true;
}

static struct range product_of(struct range a, struct range b)
{
  int64_t corners[] = {a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high};
  struct range all = {corners[0], corners[0]};

  for (unsigned i = 1; i < 4; i++) {
    if (corners[i] < all.low) all.low = corners[i];
    if (corners[i] > all.high) all.high = corners[i];
  }
  return all;
}

/* Has every number of the range the type's own value? */
static bool fits(const struct range *range, const struct ir_type *type)
{
  if (type->kind != IR_TYPE_INT || type->size < 4 || range->high > INT32_MAX) return false;
  return range->low >= (type->is_signed ? INT32_MIN : 0) || SEEDED(PRODUCT24_WRAPS);
}

static bool sum_range(struct product *p, struct ir_expr *expr, struct range *ret)
{
  struct range a, b;

  if (!range_of(p, expr->operands[0], &a) || !range_of(p, expr->operands[1], &b)) return false;
  switch (expr->op) {
  case IR_OP_ADD: *ret = (struct range){a.low + b.low, a.high + b.high}; break;
  case IR_OP_SUB: *ret = (struct range){a.low - b.high, a.high - b.low}; break;
  case IR_OP_MUL: *ret = product_of(a, b); break;
  case IR_OP_SHL:
    if (b.low != b.high || b.low < 0 || b.low > 16 || a.low < 0) return false;
    *ret = (struct range){a.low << b.low, a.high << b.low};
    break;
  case IR_OP_SHR:
    if (b.low != b.high || b.low < 0 || b.low > 16 || a.low < 0) return false;
    *ret = (struct range){a.low >> b.low, a.high >> b.low};
    break;
  default: return false;
  }
  return true;
}

/* ---- products ---- */

bool product24_is(const struct ir_expr *expr)
{
  return expr->kind == IR_EXPR_CALL && expr->operand_count == 2 && expr->text &&
         expr->effect == IR_EFFECT_NONE && expr->type->kind == IR_TYPE_INT &&
         (!strcmp(expr->text, "__mul24") || !strcmp(expr->text, "__umul24"));
}

/* Both operands have at most 24 bits, and an int does not overflow. */
static bool is_plain(struct product *p, const struct ir_expr *call, struct range *ret)
{
  bool sign = call->type->is_signed;
  int64_t most = (1 << (sign ? 23 : 24)) - 1;
  struct range operands[2];

  for (unsigned i = 0; i < 2; i++)
    if (!range_of(p, call->operands[i], &operands[i]) || (sign && operands[i].low < -most - 1) ||
        operands[i].high > most)
      return false;
  *ret = product_of(operands[0], operands[1]);
  return !sign || (ret->low >= INT32_MIN && ret->high <= INT32_MAX);
}

static bool find_range(struct product *p, struct ir_expr *expr, struct range *ret)
{
  int64_t value;

  if (ir_constant(expr, &value)) {
    *ret = (struct range){value, value};
    return true;
  }
  switch (expr->kind) {
  case IR_EXPR_CAST:
  case IR_EXPR_CONVERT:
  case IR_EXPR_PAREN: return range_of(p, expr->operands[0], ret);
  case IR_EXPR_BUILTIN: return builtin_range(p, expr, ret);
  case IR_EXPR_BINARY: return sum_range(p, expr, ret);
  case IR_EXPR_CALL: return product24_is(expr) && is_plain(p, expr, ret);
  case IR_EXPR_VAR:
    if (expr->var->kind == IR_VAR_PARAM) return param_range(p, expr->var, ret);
    return iterator_range(p, expr->var, ret);
  default: return false;
  }
}

static bool range_of(struct product *p, struct ir_expr *expr, struct range *ret)
{
  if (++p->depth > MOST_DEPTH || !expr->type || expr->type->kind != IR_TYPE_INT) {
    p->depth--;
    return false;
  }
  bool found = find_range(p, expr, ret) && fits(ret, expr->type);
  p->depth--;
  return found;
}

/* With locals that are set once as what they stand for. */
static bool find_product(struct code *code, struct ir_expr *call, struct product *ret)
{
  struct ir_expr *resolved = code_resolve(code, call);
  struct range range;

  for (unsigned few = 0; resolved && product24_is(resolved) && few < 2; few++) {
    *ret = (struct product){.code = code, .few = few};
    if (is_plain(ret, resolved, &range)) return true;
  }
  return false;
}

/* ---- the row ---- */

struct rewriting {
  struct draft *draft;
  unsigned count;
};

static bool is_granted(const struct product *p)
{
  for (unsigned i = 0; i < p->count; i++)
    if (!code_granted(p->code, p->asked[i])) return false;
  return true;
}

static struct ir_expr *plain_product(struct ir_rewriter *r, struct ir_expr *expr)
{
  struct rewriting *w = r->context;
  struct product p;

  if (!product24_is(expr) || !find_product(&w->draft->code, expr, &p) ||
      (!is_granted(&p) && !SEEDED(PRODUCT24_UNASKED)))
    return NULL;
  struct ir_expr *plain =
      ir_build_binary(r->arena, IR_OP_MUL, ir_rewrite_expr(r, expr->operands[0]),
                      ir_rewrite_expr(r, expr->operands[1]));
  plain->type = expr->type;
  plain->place = expr->place;
  w->count++;
  return plain;
}

bool plan_product24(struct draft *draft)
{
  struct code *code = &draft->code;
  struct rewriting w = {.draft = draft};
  struct ir_rewriter rewriter = {code->arena, plain_product, &w};
  struct ir_stmt *body = ir_rewrite_stmt(&rewriter, code->facts.kernel->body);

  if (!w.count) return false;
  code_drop_scan(code);
  code->facts.kernel->body = code_renew_locals(code, body);
  *ARENA_PUSH(code->arena, &draft->formed) =
      (struct formed){code->kernel->name_place, DIAG_PRODUCT_FORMED, DIAG_PRODUCT_FORMED, NULL,
                      "products of 24 bits as plain ones"};
  draft_own_body(draft);
  return true;
}

struct asking {
  struct code *code;
  struct ir_expr **ret;
  unsigned count, most;
};

static void ask_of(struct ir_expr *expr, void *context)
{
  struct asking *a = context;
  struct product p;

  if (!product24_is(expr) || !find_product(a->code, expr, &p)) return;
  a->count = code_add_asked(a->ret, a->count, a->most, p.asked, p.count);
}

unsigned product24_ask(struct code *code, struct ir_expr **ret, unsigned most)
{
  struct asking a = {.code = code, .ret = ret, .most = most};

  ir_visit_stmt_exprs(code->facts.kernel->body, ask_of, &a);
  return a.count;
}
