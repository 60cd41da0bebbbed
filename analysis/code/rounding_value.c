/* SPDX-License-Identifier: MIT */
/* rounding_value.c - expressions of the walk of rounding.c.
 *
 * A product meets a sum in another way than as written if a boundary between them is gone, if the
 * loop is gone out of which it would move, or if a constant 1 has made it the sum's own operand:
 *
 *     s += x * y * k;          with k = 1 nvcc fuses x * y with the sum
 *     s += x / k;              with k = 4 it multiplies, and fuses
 *     a * b - c * k            with k = -2 it adds, and fuses a * b
 *     (x + k) * y              with k = 1 that is x * y + y
 *
 * A function gets another argument than as written if the argument is a constant now. Functions
 * whose results have only one rounding are left out.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/code/number.h"
#include "analysis/code/rounding.h"
#include "runtime/seeded.h"
#include "translator/ir/ir_rewrite.h"

enum {
  MOST_STEPS = 20000,
  INVARIANT_STEPS = 16 /* it visits the loop for each variable */
};

static const char fuses[] = "nvcc would fuse other products and sums",
                  away_from[] = "nvcc may fuse products with sums of other basic blocks",
                  splits[] = "nvcc may round products where the ways to a factor part",
                  computes[] = "nvcc would compute a function of constants by itself";

static struct traced constant(enum constness constness, double number)
{
  return (struct traced){.constness = constness, .exact = true, .number = number};
}

static bool is_float(const struct ir_type *type) { return type && type->kind == IR_TYPE_FLOAT; }

/* A constant that `number` may be, and as written may not. */
static bool may_be_made(struct traced v, double number)
{
  return v.constness == MADE && (!v.exact || v.number == number);
}

static struct traced both(const struct traced *a, const struct traced *b)
{
  bool constants = a->constness && b->constness;

  return (struct traced){.constness = !constants                    ? VARIES
                                      : a->constness > b->constness ? a->constness
                                                                    : b->constness,
                         .mixed = constants && (a->mixed || b->mixed),
                         .one_way = (a->one_way && (b->constness || b->one_way)) ||
                                    (b->one_way && a->constness),
                         .exact = constants && a->exact && b->exact,
                         .axes = a->axes | b->axes,
                         .data = a->data || b->data};
}

/* ---- variables ---- */

bool rounding_argument(const struct code *code, const struct ir_expr *read, int64_t *ret)
{
  return read->kind == IR_EXPR_VAR && read->var->kind == IR_VAR_PARAM &&
         read->type->kind == IR_TYPE_INT && code_constant(code, read, ret) && *ret >= -INT32_MAX &&
         *ret <= INT32_MAX;
}

/* The variable whose memory an element, a member or a pointee is in, as far as names tell. */
static const struct ir_var *memory_of(const struct ir_expr *expr)
{
  for (unsigned depth = 0; depth < 16; depth++) {
    expr = ir_strip((struct ir_expr *)expr);
    if (expr->kind == IR_EXPR_VAR) {
      const struct ir_var *var = expr->var;
      bool pointer = var->kind == IR_VAR_LOCAL && var->type->kind == IR_TYPE_POINTER;
      if (!pointer) return var;
      if (!var->init) return NULL;
      expr = var->init;
    } else if (expr->operand_count && expr->kind != IR_EXPR_CALL && expr->kind != IR_EXPR_COND) {
      expr = expr->operands[0];
    } else {
      return NULL;
    }
  }
  return NULL;
}

static struct traced of_held(struct rounding *r, const struct ir_var *var, bool set_once)
{
  struct traced v = rounding_held(r, var)->value;

  if (v.constness == AS_WRITTEN && v.set != r->vanished && !set_once) v.constness = MADE;
  return v;
}

static struct traced of_var(struct rounding *r, struct ir_expr *expr)
{
  const struct ir_var *var = expr->var;
  int64_t number;

  if (!r->remapped && rounding_argument(r->code, expr, &number))
    return constant(MADE, (double)number);
  if (var->has_value) return constant(AS_WRITTEN, (double)var->value);
  if (var->kind == IR_VAR_PARAM && !var->write_count) return (struct traced){.constness = VARIES};
  return of_held(r, var, var->write_count <= 1 && !var->address_taken);
}

static struct traced of_memory(struct rounding *r, struct ir_expr *expr)
{
  struct traced index = constant(AS_WRITTEN, 0);
  unsigned axes = 0;

  for (unsigned i = 0; i < expr->operand_count; i++) {
    bool named = !i && ir_strip(expr->operands[0])->kind == IR_EXPR_VAR;
    struct traced v = named ? index : rounding_value(r, expr->operands[i]);
    if (i == 1) index = v;
    axes |= v.axes;
  }
  const struct ir_var *memory = memory_of(expr);
  struct traced v = of_held(r, memory, false);
  /* a product that is stored is rounded, whatever uses it besides (rounding_pin.h) */
  if (r->remapped && !(memory && memory->kind == IR_VAR_LOCAL)) v.product = false;
  struct traced joined = both(&v, &index);
  v.exact = false;
  v.constness = joined.constness;
  v.axes = joined.axes | axes;
  v.data = true;
  return v;
}

/* ---- sums and products ---- */

struct visit {
  struct ir_stmt *loop;
  bool varies;
};

static void note_write(struct ir_expr *expr, void *context)
{
  const struct ir_var **var = context;

  if (*var && ir_assigned_var(expr) == *var) *var = NULL;
}

bool rounding_written_in(struct ir_stmt *loop, const struct ir_var *var)
{
  ir_visit_stmt_exprs(loop, note_write, &var);
  return !var;
}

static bool note_declaration(struct ir_stmt *stmt, void *context)
{
  const struct ir_var **var = context;

  if (stmt->kind == IR_STMT_DECL && stmt->var == *var) *var = NULL;
  return true;
}

static bool is_declared_in(struct ir_stmt *loop, const struct ir_var *var)
{
  ir_visit_stmts(loop, note_declaration, &var);
  return !var;
}

static void note_varying(struct ir_expr *expr, void *context)
{
  struct visit *v = context;

  if (expr->kind == IR_EXPR_CALL && expr->effect != IR_EFFECT_NONE) v->varies = true;
  if (expr->kind != IR_EXPR_VAR || v->varies) return;
  v->varies = (v->loop->loop && v->loop->loop->iterator == expr->var) ||
              rounding_written_in(v->loop, expr->var) ||
              (is_declared_in(v->loop, expr->var) && !expr->var->init);
  if (!v->varies && expr->var->init && is_declared_in(v->loop, expr->var))
    ir_visit_expr(expr->var->init, note_varying, v);
}

bool rounding_varies(struct rounding *r, struct ir_stmt *loop, struct ir_expr *expr)
{
  struct visit visit = {.loop = loop};

  r->steps += INVARIANT_STEPS;
  ir_visit_expr(expr, note_varying, &visit);
  return visit.varies;
}

/* Would the product move out of the loop as written? */
static bool is_invariant(struct rounding *r, struct ir_expr *expr)
{
  return r->loop && !rounding_varies(r, r->loop, expr);
}

/* Would nvcc compute the product in front of the loop? */
static bool is_hoisted(struct rounding *r, const struct traced *v)
{
  return r->inner && v->from && v->from->kind != IR_EXPR_CALL &&
         !rounding_varies(r, r->inner, (struct ir_expr *)v->from);
}

/* A sum uses `v` beside `other`. */
static void meets(struct rounding *r, struct ir_expr *expr, const struct traced *v,
                  const struct traced *other)
{
  if (r->remapped && !r->remapped->unlooped && v->product) rounding_added(r, expr, v);
  bool splits_now = r->remapped ? v->split : v->split_made;
  if (v->product && splits_now && !SEEDED(SPLIT_PRODUCT_UNASKED)) rounding_found(r, expr, splits);
  if (r->remapped && r->remapped->unlooped) {
    if (v->product && is_hoisted(r, v)) rounding_found(r, expr, away_from);
    return;
  }
  bool large = other->exact && other->constness && fabs(other->number) > 0x1p-100;

  if (!v->product || (v->divided && v->made == ANOTHER && large)) return;
  if ((v->made != r->vanished && !SEEDED(SPECIALIZED_FUSED)) || is_invariant(r, expr))
    rounding_found(r, expr, fuses);
  bool away = r->remapped && (v->block != r->block || is_hoisted(r, v));
  if (away && !SEEDED(PRODUCT_OF_ANOTHER_BLOCK)) rounding_found(r, expr, away_from);
}

static bool is_one_made(const struct traced *v)
{
  return may_be_made(*v, 1) || may_be_made(*v, -1);
}

/* A constant leaves nothing of the operation but a product in the other operand. */
static bool leaves_product(const struct traced *v, struct traced other)
{
  return v->product && is_one_made(&other);
}

static struct traced rounded(const struct ir_type *type, struct traced v)
{
  if (v.exact && is_float(type) && type->size == 4) v.number = (float)v.number;
  return v;
}

static struct traced product(struct rounding *r, struct ir_expr *expr, const struct traced *a,
                             const struct traced *b)
{
  struct traced v = both(a, b);

  v.number = a->number * b->number;
  if (v.constness && !v.mixed) return rounded(expr->type, v);
  bool one = (a->constness && a->exact && fabs(a->number) == 1) ||
             (b->constness && b->exact && fabs(b->number) == 1);
  bool left = leaves_product(a, *b) || leaves_product(b, *a);
  if (a->one_more || b->one_more) rounding_found(r, expr, fuses);
  v.product = left || !one;
  v.split = rounding_is_split(a, b, false);
  v.split_made = rounding_is_split(a, b, true);
  v.from = expr;
  v.scaled = a->constness == MADE || b->constness == MADE || (a->product && a->scaled) ||
             (b->product && b->scaled);
  v.made = left ? ANOTHER : r->vanished;
  v.block = r->block;
  return v;
}

static struct traced quotient(struct rounding *r, struct ir_expr *expr, const struct traced *a,
                              const struct traced *b)
{
  struct traced v = both(a, b);
  int exponent;

  if (r->code->fast_math && expr->type->size <= 4 && b->constness == MADE)
    rounding_found(r, expr, "nvcc would divide by a constant in another way");
  v.number = b->number ? a->number / b->number : 0;
  v.exact &= b->number != 0;
  if (v.constness && !v.mixed) return rounded(expr->type, v);
  bool power = b->exact && frexp(fabs(b->number), &exponent) == 0.5,
       is_one = b->exact && fabs(b->number) == 1;
  if (b->constness == AS_WRITTEN && power && !is_one) { /* the product with the inverse */
    v.product = true;
    v.split = rounding_is_split(a, b, false);
    v.split_made = rounding_is_split(a, b, true);
    v.made = r->vanished;
    v.block = r->block;
    v.from = expr;
    return v;
  }
  v.divided = b->constness == MADE && (!b->exact || power) && !is_one;
  v.product = v.divided || leaves_product(a, *b);
  if (leaves_product(a, *b)) v.divided = false;
  v.made = ANOTHER;
  v.block = r->block;
  return v;
}

static struct traced sum(struct rounding *r, struct ir_expr *expr, struct ir_expr *operands[2],
                         const struct traced *a, const struct traced *b, bool minus)
{
  struct traced v = both(a, b);

  v.number = minus ? a->number - b->number : a->number + b->number;
  if (v.constness && !v.mixed) return rounded(expr->type, v);
  r->alone = !minus && !(a->product && b->product);
  r->beside = operands[1];
  meets(r, operands[0], a, b);
  r->beside = operands[0];
  meets(r, operands[1], b, a);
  bool one_of_two = a->scaled || b->scaled || (r->remapped && r->remapped->pinned);
  if (a->product && b->product && one_of_two) rounding_found(r, expr, fuses);
  v.product = minus && a->product && may_be_made(*b, 0); /* x + 0 is -0 for no x, and stays */
  v.made = ANOTHER;
  v.block = r->block;
  v.one_more = is_one_made(a) || is_one_made(b);
  return v;
}

static bool fits(const struct ir_type *type, double number)
{
  if (type->kind == IR_TYPE_BOOL) return number == 0 || number == 1;
  if (type->kind != IR_TYPE_INT) return fabs(number) < 0x1p52;
  double limit = ldexp(1, (int)(8 * type->size) - type->is_signed);
  return fabs(number) < 0x1p52 && number < limit && number >= (type->is_signed ? -limit : 0);
}

static bool is_integral(struct traced v)
{
  return v.exact && fabs(v.number) < 0x1p52 && v.number == trunc(v.number);
}

static bool is_zero(struct traced v) { return v.constness && v.exact && !v.number; }

static bool fold(enum ir_op op, int64_t a, int64_t b, int64_t *ret)
{
  if (op != IR_OP_LAND && op != IR_OP_LOR) return number_apply(op, a, b, ret);
  *ret = op == IR_OP_LAND ? a && b : a || b;
  return true;
}

static struct traced of_integers(struct ir_expr *expr, enum ir_op op, struct traced a,
                                 struct traced b)
{
  struct traced v = both(&a, &b);
  bool ands = op == IR_OP_MUL || op == IR_OP_AND;
  int64_t number = 0;

  if (!v.constness && ands && (is_zero(a) || is_zero(b)))
    return constant(is_zero(a) ? a.constness : b.constness, 0);
  if (!v.constness && op == IR_OP_REM && may_be_made(b, 1)) return constant(MADE, 0);
  if (!v.constness && (op == IR_OP_LAND || op == IR_OP_LOR))
    v.constness = a.constness == MADE || b.constness == MADE ? MADE : VARIES;
  v.exact &= is_integral(a) && is_integral(b) &&
             fold(op, (int64_t)a.number, (int64_t)b.number, &number) &&
             fits(expr->type, (double)number);
  v.number = (double)number;
  return v;
}

static struct traced operation(struct rounding *r, struct ir_expr *expr, enum ir_op op,
                               struct ir_expr *operands[2], struct traced a, struct traced b)
{
  if (!is_float(expr->type)) {
    struct traced v = of_integers(expr, op, a, b);
    v.data |= is_float(operands[0]->type); /* a comparison */
    return v;
  }
  switch (op) {
  case IR_OP_ADD: return sum(r, expr, operands, &a, &b, false);
  case IR_OP_SUB: return sum(r, expr, operands, &a, &b, true);
  case IR_OP_MUL: return product(r, expr, &a, &b);
  case IR_OP_DIV: return quotient(r, expr, &a, &b);
  default: return (struct traced){.constness = VARIES, .axes = a.axes | b.axes, .data = true};
  }
}

/* a && b, a || b */
static struct traced of_logical(struct rounding *r, struct ir_expr *expr)
{
  struct traced a = rounding_value(r, expr->operands[0]);
  bool decided = rounding_decided(r, &a);

  r->vanished += decided;
  if (a.constness == MADE && a.exact && (a.number != 0) == (expr->op == IR_OP_LOR)) return a;
  struct held_all *before = rounding_save(r);
  struct traced b = rounding_value(r, expr->operands[1]);
  rounding_meet(r, before);
  return of_integers(expr, expr->op, a, b);
}

static struct traced of_binary(struct rounding *r, struct ir_expr *expr)
{
  if (expr->op == IR_OP_LAND || expr->op == IR_OP_LOR) return of_logical(r, expr);
  struct traced a = rounding_value(r, expr->operands[0]), b = rounding_value(r, expr->operands[1]);
  return expr->op == IR_OP_COMMA ? b : operation(r, expr, expr->op, expr->operands, a, b);
}

/* ---- assignments ---- */

static void store(struct rounding *r, struct ir_expr *target, struct traced value)
{
  const struct ir_expr *bare = ir_strip(target);

  if (bare->kind == IR_EXPR_VAR && bare->var->type->kind != IR_TYPE_REFERENCE) {
    rounding_set(r, bare->var, value);
    return;
  }
  const struct ir_var *memory = memory_of(bare);
  value.exact = false;
  value.set = r->vanished;
  rounding_held(r, memory)->value = rounding_join(rounding_held(r, memory)->value, value);
}

static struct traced of_assign(struct rounding *r, struct ir_expr *expr)
{
  struct traced value = rounding_value(r, expr->operands[1]), old = {.constness = VARIES};

  if (expr->op != IR_OP_ASSIGN || ir_strip(expr->operands[0])->kind != IR_EXPR_VAR)
    old = rounding_value(r, expr->operands[0]);
  if (expr->op != IR_OP_ASSIGN)
    value = operation(r, expr, ir_compound_op(expr->op), expr->operands, old, value);
  store(r, expr->operands[0], value);
  return value;
}

static struct traced of_unary(struct rounding *r, struct ir_expr *expr)
{
  struct traced v = rounding_value(r, expr->operands[0]);

  if (ir_is_step(expr)) {
    struct traced one = constant(AS_WRITTEN, 1), old = v;
    bool down = expr->op == IR_OP_POST_DEC || expr->op == IR_OP_PRE_DEC;
    struct ir_expr *operands[2] = {expr->operands[0], expr->operands[0]};
    v = operation(r, expr, down ? IR_OP_SUB : IR_OP_ADD, operands, old, one);
    store(r, expr->operands[0], v);
    return expr->op == IR_OP_POST_INC || expr->op == IR_OP_POST_DEC ? old : v;
  }
  switch (expr->op) {
  case IR_OP_DEREF: return of_memory(r, expr);
  case IR_OP_PLUS: return v;
  case IR_OP_NEG: v.number = -v.number; break;
  case IR_OP_NOT: v.number = !v.number; break;
  case IR_OP_ADDRESS: return (struct traced){.constness = VARIES};
  default: v.exact = false; break;
  }
  v.exact &= is_float(expr->type) || fits(expr->type, v.number);
  return v;
}

static struct traced of_conversion(struct rounding *r, struct ir_expr *expr)
{
  struct traced v = rounding_value(r, expr->operands[0]);
  const struct ir_type *from = expr->operands[0]->type, *to = expr->type;

  if (!from || !to || from->kind != to->kind || from->size != to->size) v.product = false;
  if (!v.exact || !to) return v;
  if (to->kind == IR_TYPE_BOOL) v.number = v.number != 0;
  if (to->kind == IR_TYPE_INT) v.number = trunc(v.number);
  v.exact = is_float(to) || fits(to, v.number);
  return rounded(to, v);
}

/* ---- calls ---- */

bool rounding_is_exact(const struct code *code, const struct ir_expr *call)
{
  static const char *const names[] = {"fabs",     "abs",       "min",      "max",     "fmin",
                                      "fmax",     "floor",     "ceil",     "trunc",   "rint",
                                      "round",    "nearbyint", "fma",      "sqrt",    "fmod",
                                      "copysign", "mesi_min",  "mesi_max", "mesi_own"};
  const char *name = !strncmp(call->text, "std::", 5) ? call->text + 5 : call->text;
  const char *mode = strrchr(name, '_');

  if (!strncmp(name, "__builtin_", 10) && !call->operand_count) return true; /* INFINITY, NAN */
  if (!strncmp(name, "__", 2) && mode && !strncmp(mode, "_r", 2) && strlen(mode) == 3) return true;
  for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
    size_t length = strlen(names[i]);
    if (!strncmp(name, names[i], length) && (!name[length] || !strcmp(name + length, "f")))
      return !code->fast_math || strcmp(names[i], "sqrt") != 0;
  }
  return false;
}

static void note_float(struct ir_expr *expr, void *context)
{
  *(bool *)context |= is_float(expr->type);
}

/* Is anything of a real number computed? */
static bool computes_reals(const struct ir_expr *call)
{
  bool found = call->type && call->type->kind != IR_TYPE_INT && call->type->kind != IR_TYPE_BOOL &&
               call->type->kind != IR_TYPE_VOID;

  if (call->effect == IR_EFFECT_CALLEE && call->callee && call->callee->body)
    ir_visit_stmt_exprs(call->callee->body, note_float, &found);
  return found;
}

static struct traced of_call(struct rounding *r, struct ir_expr *expr)
{
  bool followed = expr->effect == IR_EFFECT_NONE || expr->effect == IR_EFFECT_CALLEE,
       reals = followed && computes_reals(expr);
  struct traced all = constant(AS_WRITTEN, 0);

  if (expr->effect == IR_EFFECT_NONE &&
      (!reals || (expr->text && rounding_is_exact(r->code, expr)))) {
    for (unsigned i = 0; i < expr->operand_count; i++) {
      struct traced v = rounding_value(r, expr->operands[i]);
      all = both(&all, &v);
    }
    all.exact = false;
    return all;
  }
  unsigned axes = 0;
  for (unsigned i = 0; i < expr->operand_count; i++) {
    struct traced v = rounding_value(r, expr->operands[i]);
    if (reals && v.constness == MADE && !SEEDED(SPECIALIZED_COMPUTED))
      rounding_found(r, expr, computes);
    bool unlooped = r->remapped && r->remapped->unlooped;
    if (reals && v.product && v.made != r->vanished && !unlooped) rounding_found(r, expr, fuses);
    axes |= v.axes;
  }
  return (struct traced){.product = reals,
                         .made = r->vanished,
                         .axes = axes,
                         .data = true,
                         .from = expr,
                         .block = r->block};
}

/* ---- all expressions ---- */

static bool is_number(struct ir_expr *expr)
{
  const struct ir_expr *bare = ir_strip(expr);
  int64_t whole;

  return bare->kind == IR_EXPR_LITERAL || ir_constant(bare, &whole);
}

static struct traced of_cond(struct rounding *r, struct ir_expr *expr)
{
  struct traced condition = rounding_value(r, expr->operands[0]);
  bool decided = rounding_decided(r, &condition);

  r->vanished += decided;
  if (condition.constness == MADE && condition.exact) {
    struct traced v = rounding_value(r, expr->operands[condition.number ? 1 : 2]);
    v.one_way |= !v.constness && is_number(expr->operands[condition.number ? 2 : 1]);
    r->vanished++;
    return v;
  }
  struct traced yes = rounding_value(r, expr->operands[1]),
                v = rounding_select(r, decided, yes, rounding_value(r, expr->operands[2]));
  r->vanished += decided;
  return v;
}

/* What its operands may be, and what nobody knows. */
static struct traced of_operands(struct rounding *r, struct ir_expr *expr)
{
  struct traced all = {.constness = VARIES};

  for (unsigned i = 0; i < expr->operand_count; i++)
    all = rounding_join(all, rounding_value(r, expr->operands[i]));
  all.exact = false;
  return all;
}

struct traced rounding_value(struct rounding *r, struct ir_expr *expr)
{
  if (!expr || r->reason) return (struct traced){.constness = VARIES};
  if (++r->steps > MOST_STEPS)
    rounding_found(r, expr, "it is too long to tell whether its results stay the same");
  switch (expr->kind) {
  case IR_EXPR_INT: return constant(AS_WRITTEN, (double)expr->value);
  case IR_EXPR_SIZEOF: return constant(AS_WRITTEN, (double)expr->value);
  case IR_EXPR_LITERAL:
    if (expr->type && expr->type->kind == IR_TYPE_BOOL)
      return constant(AS_WRITTEN, expr->text && !strcmp(expr->text, "true"));
    if (is_float(expr->type) && expr->text) return constant(AS_WRITTEN, strtod(expr->text, NULL));
    return (struct traced){.constness = VARIES};
  case IR_EXPR_VAR: return of_var(r, expr);
  case IR_EXPR_UNARY: return of_unary(r, expr);
  case IR_EXPR_BINARY: return of_binary(r, expr);
  case IR_EXPR_ASSIGN: return of_assign(r, expr);
  case IR_EXPR_COND: return of_cond(r, expr);
  case IR_EXPR_INDEX:
  case IR_EXPR_MEMBER: return of_memory(r, expr);
  case IR_EXPR_CAST:
  case IR_EXPR_CONVERT: return of_conversion(r, expr);
  case IR_EXPR_PAREN: return rounding_value(r, expr->operands[0]);
  case IR_EXPR_CALL: return of_call(r, expr);
  case IR_EXPR_BUILTIN:
    return (struct traced){.axes = expr->value < IR_BLOCK_DIM ? 1u << expr->value % 3 : 0};
  default: return of_operands(r, expr);
  }
}
