/* SPDX-License-Identifier: MIT */
/* rounding_rank.c - which of two products nvcc takes as the first operand of their sum.
 *
 *     float q = b[k], p = a[k];
 *     s += p * u + q * v;                 nvcc computes q * v + p * u, and fuses q * v
 *
 * nvcc fuses the first operand of a sum of two products, and rounds the other. Its reassociation
 * sorts the operands by their ranks before that, and moves no operands of the same rank. A constant
 * has rank 0, a parameter its number, and what cannot be moved its place in the order of
 * evaluation: a load, a variable that a loop carries, the conversion of a real number to an
 * integer, a division of integers by what is no constant. Any other value has the highest rank of
 * its operands and one more; a negation has its operand's.
 * (llvm/lib/Transforms/Scalar/Reassociate.cpp; the unit test of round_pairs has what nvcc 13.0
 * does, in PTX.)
 *
 * The walk goes through the body as it runs, once, and knows the rank of each local by its last
 * assignment. A loop carries the locals that are written in it, in the order of their declarations;
 * behind it they have the values that it carries, if no break leaves it. Behind a branch the locals
 * written there have no known rank. A structure is loaded member by member, a vector at once before
 * sm_100. A load of an element that was loaded before may be that load, or not, and a function may
 * have places: ranks are counted in all ways, and have to agree. A function such as logf may have
 * branches: its value then is the first of a block that begins behind it, and what is computed
 * behind it has a rank in that block. Gives up, with sums that are not known: labels, differences,
 * negated products, products in front of such a function.
 */
#include "analysis/code/rounding_rank.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "analysis/code/rounding.h"
#include "runtime/seeded.h"
#include "translator/ir/ir_rewrite.h"

enum {
  /* Each load is one of its own, or loads of the same element are one; vectors are loaded at once,
   * or member by member; functions without effects have no places, or as many as operations. */
  WAYS = 8,
  SAME_ARE_ONE = 1,
  VECTORS_IN_PARTS = 2,
  CALLS_HAVE_PLACES = 4,
  BLOCK = 1 << 16,
  FIRST_PARAM = 2,
  LONGEST_CALL = 64, /* operations of a function of numbers */
  MOST_LOADS = 256,
  MOST_LOCALS = 256,
  MOST_CARRIED = 64
};

struct rank {
  double low[WAYS], high[WAYS];
};

struct local_rank {
  const struct ir_var *var;
  struct rank rank;
  const struct ir_expr *product; /* its value; NULL: it is no product */
  unsigned block;                /* where it got it */
  unsigned reads;                /* since then */
  unsigned calls;                /* that may branch, before it */
};

struct loaded {
  const struct ir_expr *load;
  double at[WAYS];
  unsigned changes; /* of memory, before it; UINT_MAX: another element has its name now */
};

struct ranker {
  const struct code *code;
  struct ranked_sums *sums;
  double at[WAYS]; /* places so far */
  unsigned block;  /* the basic block at this place */
  struct local_rank locals[MOST_LOCALS];
  unsigned local_count;
  struct loaded loads[MOST_LOADS];
  unsigned load_count;
  unsigned changes; /* of memory so far */
  unsigned calls;   /* that may branch so far */
  struct ir_stmt *body;
  bool labels;
};

struct carrying {  /* by a loop */
  double at[WAYS]; /* the places before it */
  const struct ir_var *vars[MOST_CARRIED];
  unsigned count;
};

static struct rank value_of(struct ranker *r, struct ir_expr *expr);
static void walk(struct ranker *r, struct ir_stmt *stmt);

static struct rank between(double low, double high)
{
  struct rank rank;

  for (unsigned w = 0; w < WAYS; w++) rank.low[w] = low, rank.high[w] = high;
  return rank;
}

static struct rank unknown(void) { return between(0, INFINITY); }

/* The highest of both, and up to so many more. */
static struct rank above(struct rank a, struct rank b, double least, double most)
{
  struct rank rank;

  for (unsigned w = 0; w < WAYS; w++) {
    rank.low[w] = fmax(a.low[w], b.low[w]) + least;
    rank.high[w] = fmax(a.high[w], b.high[w]) + most;
  }
  return rank;
}

/* ---- locals ---- */

static struct local_rank *local_of(struct ranker *r, const struct ir_var *var)
{
  for (unsigned i = 0; i < r->local_count; i++)
    if (r->locals[i].var == var) return &r->locals[i];
  if (r->local_count == MOST_LOCALS) return NULL;
  r->locals[r->local_count] = (struct local_rank){.var = var, .rank = unknown()};
  return &r->locals[r->local_count++];
}

static void set_local(struct ranker *r, const struct ir_var *var, struct rank rank,
                      const struct ir_expr *product)
{
  struct local_rank *local =
      var->kind == IR_VAR_LOCAL || var->kind == IR_VAR_PARAM ? local_of(r, var) : NULL;

  if (!local) return;
  local->rank = var->address_taken ? unknown() : rank;
  local->product = var->address_taken ? NULL : product;
  local->block = r->block;
  local->calls = r->calls;
  local->reads = 0;
  for (unsigned i = 0; i < r->load_count; i++)
    if (ir_expr_has_var((struct ir_expr *)r->loads[i].load, var)) r->loads[i].changes = UINT_MAX;
}

struct setting {
  struct ranker *ranker;
  struct rank rank;
};

/* The variable that the expression writes, or a part of it. NULL: it writes none. */
static const struct ir_var *written_by(const struct ir_expr *expr)
{
  bool writes = expr->kind == IR_EXPR_ASSIGN || ir_is_step(expr);

  return writes ? ir_holder(expr->operands[0]) : NULL;
}

static void set_target(struct ir_expr *expr, void *context)
{
  struct setting *s = context;
  const struct ir_var *var = written_by(expr);

  if (var) set_local(s->ranker, var, s->rank, NULL);
}

/* The locals that are written in the statement have that rank. */
static void set_written(struct ranker *r, struct ir_stmt *stmt, struct rank rank)
{
  struct setting setting = {r, rank};

  ir_visit_stmt_exprs(stmt, set_target, &setting);
}

/* Have other values than loads and what loops carry places? */
static bool counts_places(void) { return !SEEDED(PLACES_MISSED); }

/* So many places, at which memory may change. */
static void pass(struct ranker *r, double places)
{
  for (unsigned w = 0; w < WAYS; w++) r->at[w] += places;
  r->changes++;
}

/* ---- expressions ---- */

/* Is it a number or a vector that is loaded at once, no structure with a load for each word? */
static bool is_whole(const struct ir_type *type, unsigned way)
{
  if (!type || type->kind != IR_TYPE_RECORD) return true;
  return type->align == type->size && !(way & VECTORS_IN_PARTS);
}

static struct rank load_of(struct ranker *r, const struct ir_expr *expr)
{
  const struct loaded *before = NULL;
  struct loaded now = {.load = expr, .changes = r->changes};
  struct rank rank;

  for (unsigned i = 0; i < r->load_count; i++)
    if (ir_same_expr(r->loads[i].load, expr)) before = &r->loads[i];
  bool again = before && before->changes == r->changes;
  for (unsigned w = 0; w < WAYS; w++) {
    bool same = again || (before && w & SAME_ARE_ONE);
    now.at[w] = same ? before->at[w] : r->at[w] + 1;
    if (!same) r->at[w] += is_whole(expr->type, w) ? 1 : (double)(expr->type->size / 4);
    rank.low[w] = rank.high[w] = now.at[w];
  }
  if (r->load_count < MOST_LOADS) r->loads[r->load_count++] = now;
  return rank;
}

/* Evaluates what the address of the element, member or pointee is computed from. */
static void address_of(struct ranker *r, struct ir_expr *expr)
{
  for (unsigned i = 1; i < expr->operand_count; i++) value_of(r, expr->operands[i]);
  if (!expr->operand_count) return;
  struct ir_expr *base = ir_strip(expr->operands[0]);
  bool part = base->kind == IR_EXPR_INDEX || base->kind == IR_EXPR_MEMBER;
  if (part && base->type->kind != IR_TYPE_POINTER)
    address_of(r, base);
  else if (base->kind != IR_EXPR_VAR)
    value_of(r, base);
}

/* A member of a local that was loaded as a whole. */
static struct rank member_of(const struct local_rank *local, struct ir_expr *expr)
{
  struct rank rank = local->rank;
  int64_t offset = 0;

  for (; expr->kind == IR_EXPR_MEMBER; expr = ir_strip(expr->operands[0])) {
    if (expr->field_offset < 0) return unknown();
    offset += expr->field_offset;
  }
  if (expr->kind != IR_EXPR_VAR) return unknown();
  for (unsigned w = 0; w < WAYS; w++) {
    double place = is_whole(local->var->type, w) ? 0 : (double)(offset / 4);
    if (w & SAME_ARE_ONE) place = fmin(place, 1); /* members between them may not be loaded */
    rank.low[w] += place;
    rank.high[w] += place;
  }
  return rank;
}

/* An element, a member or what a pointer leads to. */
static struct rank memory_of(struct ranker *r, struct ir_expr *expr)
{
  const struct ir_var *holder = ir_holder(expr);
  struct local_rank *local = NULL;

  address_of(r, expr);
  if (!holder || holder->kind != IR_VAR_LOCAL) return load_of(r, expr);
  if (holder->type->kind == IR_TYPE_RECORD) local = local_of(r, holder);
  return local ? member_of(local, expr) : unknown();
}

static unsigned position_of(const struct code *code, const struct ir_var *var)
{
  const struct ir_function *kernel = code->facts.kernel;
  unsigned position = 0;

  while (position < kernel->param_count && kernel->params[position] != var) position++;
  return position;
}

static struct rank variable(struct ranker *r, struct ir_expr *expr)
{
  const struct ir_var *var = expr->var;

  if (var->has_value) return between(0, 0);
  if (var->kind == IR_VAR_PARAM && !var->write_count && var->type->kind != IR_TYPE_RECORD) {
    double position = FIRST_PARAM + position_of(r->code, var);
    return between(position, position);
  }
  if (var->kind != IR_VAR_LOCAL && var->kind != IR_VAR_PARAM) return load_of(r, expr);
  struct local_rank *local = local_of(r, var);
  if (local) local->reads++;
  return local ? local->rank : unknown();
}

/* The product that the operand is, without a negation. NULL: it is none. */
static const struct ir_expr *product_of(struct ranker *r, struct ir_expr *operand)
{
  struct ir_expr *bare = ir_strip(operand);

  if (!rounding_is_real(operand->type) || !rounding_is_real(bare->type) ||
      bare->type->size != operand->type->size)
    return NULL;
  if (bare->kind == IR_EXPR_BINARY && bare->op == IR_OP_MUL) return bare;
  struct local_rank *local =
      bare->kind == IR_EXPR_VAR && bare->var->kind == IR_VAR_LOCAL ? local_of(r, bare->var) : NULL;
  return local && local->block == r->block ? local->product : NULL;
}

static void note_negation(struct ir_expr *expr, void *context)
{
  bool negative = (expr->kind == IR_EXPR_UNARY && expr->op == IR_OP_NEG) ||
                  (expr->kind == IR_EXPR_INT && expr->value < 0);

  *(bool *)context |=
      negative && !(expr->kind == IR_EXPR_UNARY && expr->type && expr->type->kind == IR_TYPE_INT);
}

/* Factors may be negative: nvcc makes a difference of the sum. */
static bool is_negative(const struct ir_expr *product)
{
  bool negative = false;

  for (unsigned i = 0; i < 2; i++) {
    struct ir_expr *factor = ir_strip(product->operands[i]);
    if (factor->kind == IR_EXPR_UNARY || factor->kind == IR_EXPR_BINARY)
      ir_visit_expr(factor, note_negation, &negative);
  }
  return negative;
}

static enum rank_order order_of(const struct code *code, const struct rank *a, const struct rank *b)
{
  bool left = true, right = true;

  for (unsigned w = 0; w < WAYS; w++) {
    if (code->vectors == (w & VECTORS_IN_PARTS ? VECTORS_WHOLE : VECTORS_APART)) continue;
    left &= a->high[w] <= b->low[w];
    right &= a->low[w] > b->high[w];
  }
  return left || SEEDED(PAIR_NOT_RANKED) ? RANK_LEFT : right ? RANK_RIGHT : RANK_UNKNOWN;
}

/* Is nothing but the sum a use of the local that holds a product? */
static bool is_alone(struct ranker *r, const struct ir_expr *sum, unsigned side)
{
  const struct ir_expr *operand = ir_strip(sum->operands[side]);

  if (operand->kind != IR_EXPR_VAR) return true;
  if (sum->kind == IR_EXPR_ASSIGN && !side) return local_of(r, operand->var)->reads == 1;
  return operand->var->write_count <= 1 && ir_count_var(r->body, operand->var) == 1;
}

/* Does a call lie between the product and the sum that may have branches? */
static bool is_before_call(struct ranker *r, struct ir_expr *operand)
{
  const struct ir_expr *bare = ir_strip(operand);

  return bare->kind == IR_EXPR_VAR && local_of(r, bare->var)->calls != r->calls;
}

static void note_sum(struct ranker *r, struct ir_expr *expr, struct rank left, struct rank right)
{
  struct ranked_sum sum = {.sum = expr};

  if (!rounding_is_real(expr->type)) return;
  for (unsigned i = 0; i < 2; i++) sum.products[i] = product_of(r, expr->operands[i]);
  if (!sum.products[0] || !sum.products[1]) return;
  for (unsigned i = 0; i < 2; i++) sum.alone[i] = is_alone(r, expr, i);
  bool negative = is_negative(sum.products[0]) || is_negative(sum.products[1]);
  for (unsigned i = 0; i < 2; i++) negative |= is_before_call(r, expr->operands[i]);
  sum.first = negative ? RANK_UNKNOWN : order_of(r->code, &left, &right);
  *ARENA_PUSH(r->code->arena, &r->sums->list) = sum;
}

/* A division of integers that nvcc does not move, since it does not know that the divisor is not
 * 0. */
static bool is_fixed_division(const struct ir_expr *expr)
{
  bool divides = expr->op == IR_OP_DIV || expr->op == IR_OP_REM || expr->op == IR_OP_DIV_ASSIGN ||
                 expr->op == IR_OP_REM_ASSIGN;
  int64_t divisor;

  return divides && expr->type && expr->type->kind == IR_TYPE_INT && counts_places() &&
         !ir_constant(expr->operands[1], &divisor);
}

static struct rank binary(struct ranker *r, struct ir_expr *expr)
{
  struct rank left = value_of(r, expr->operands[0]), right = value_of(r, expr->operands[1]);

  if (expr->op == IR_OP_ADD) note_sum(r, expr, left, right);
  if (expr->op == IR_OP_LAND || expr->op == IR_OP_LOR) return unknown();
  return is_fixed_division(expr) ? load_of(r, expr) : above(left, right, 1, 1);
}

/* May the function of numbers be more than one basic block? Division and square root are none, nor
 * is expf. */
static bool may_branch(const struct ranker *r, const struct ir_expr *call)
{
  const char *name = !strncmp(call->text, "std::", 5) ? call->text + 5 : call->text;
  bool exp = !strncmp(name, "exp", 3) && call->type->size == 4;
  bool plain = rounding_is_exact(r->code, call) && strncmp(name, "fmod", 4) != 0;

  return !r->code->fast_math && !plain && !exp && strncmp(name, "__", 2) != 0 &&
         strncmp(name, "rsqrt", 5) != 0 && !SEEDED(PAIR_BEHIND_LOG);
}

/* The value of a function of numbers, which may have places or be the first of a block. */
static struct rank number_of_call(struct ranker *r, const struct ir_expr *expr, struct rank rank)
{
  rank = above(rank, rank, 1, LONGEST_CALL);
  for (unsigned w = 0; w < WAYS && counts_places(); w++)
    if (w & CALLS_HAVE_PLACES) {
      r->at[w] += LONGEST_CALL;
      rank.high[w] = fmax(rank.high[w], r->at[w]);
    }
  if (!expr->type || !rounding_is_real(expr->type) || !may_branch(r, expr)) return rank;
  pass(r, BLOCK);
  r->calls++;
  for (unsigned w = 0; w < WAYS; w++) rank.high[w] = fmax(rank.high[w], r->at[w] + LONGEST_CALL);
  return rank;
}

static struct rank call(struct ranker *r, struct ir_expr *expr)
{
  struct rank rank = between(0, 0);

  for (unsigned i = 0; i < expr->operand_count; i++)
    rank = above(rank, value_of(r, expr->operands[i]), 0, 0);
  if (expr->effect == IR_EFFECT_LOAD) return load_of(r, expr);
  if (expr->effect == IR_EFFECT_NONE) return number_of_call(r, expr, rank);
  pass(r, 1);
  return unknown();
}

static struct rank assign(struct ranker *r, struct ir_expr *expr)
{
  const struct ir_var *var = ir_assigned_var(expr), *holder = ir_holder(expr->operands[0]);
  bool compound = expr->op != IR_OP_ASSIGN;
  struct rank value = value_of(r, expr->operands[1]),
              target = var && !compound ? value : value_of(r, expr->operands[0]);
  const struct ir_expr *product = compound ? NULL : product_of(r, expr->operands[1]);

  if (expr->op == IR_OP_ADD_ASSIGN) note_sum(r, expr, target, value);
  if (compound) value = is_fixed_division(expr) ? load_of(r, expr) : above(target, value, 1, 1);
  if (var)
    set_local(r, var, value, product);
  else if (holder && holder->kind == IR_VAR_LOCAL)
    set_local(r, holder, unknown(), NULL);
  if (!var) pass(r, 1);
  return value;
}

static struct rank unary(struct ranker *r, struct ir_expr *expr)
{
  if (expr->op == IR_OP_DEREF) return memory_of(r, expr);
  struct rank rank = value_of(r, expr->operands[0]);
  if (ir_is_step(expr)) {
    rank = above(rank, rank, 0, 1);
    if (ir_assigned_var(expr)) set_local(r, ir_assigned_var(expr), above(rank, rank, 1, 1), NULL);
  }
  return expr->op == IR_OP_NEG ? rank : above(rank, rank, 0, 1);
}

static struct rank conversion(struct ranker *r, struct ir_expr *expr)
{
  struct rank rank = value_of(r, expr->operands[0]);
  const struct ir_type *from = expr->operands[0]->type, *to = expr->type;
  bool same = from && to && from->kind == to->kind && from->size == to->size,
       real = from && to && (rounding_is_real(from) || rounding_is_real(to));

  if (from && to && rounding_is_real(from) && to->kind == IR_TYPE_INT && counts_places()) {
    rank = load_of(r, expr);
    return above(rank, rank, 0, to->size < 4 ? 2 : 0);
  }
  return above(rank, rank, !same && real, !same);
}

static struct rank value_of(struct ranker *r, struct ir_expr *expr)
{
  struct rank last = unknown();

  switch (expr->kind) {
  case IR_EXPR_INT:
  case IR_EXPR_LITERAL:
  case IR_EXPR_SIZEOF: return between(0, 0);
  case IR_EXPR_BUILTIN: return between(0, FIRST_PARAM);
  case IR_EXPR_VAR: return variable(r, expr);
  case IR_EXPR_UNARY: return unary(r, expr);
  case IR_EXPR_BINARY: return binary(r, expr);
  case IR_EXPR_ASSIGN: return assign(r, expr);
  case IR_EXPR_INDEX:
  case IR_EXPR_MEMBER: return memory_of(r, expr);
  case IR_EXPR_CAST:
  case IR_EXPR_CONVERT: return conversion(r, expr);
  case IR_EXPR_PAREN: return value_of(r, expr->operands[0]);
  case IR_EXPR_CALL: return call(r, expr);
  default:
    for (unsigned i = 0; i < expr->operand_count; i++) value_of(r, expr->operands[i]);
    return last;
  }
}

/* ---- statements ---- */

static void note_earlier(struct ir_expr *expr, void *context)
{
  struct carrying *c = context;
  const struct ir_var *var = written_by(expr);

  if (!var || var->kind != IR_VAR_LOCAL) return;
  for (unsigned i = 0; i < c->count; i++)
    if (c->vars[i] == var) return;
  if (c->count < MOST_CARRIED) c->vars[c->count++] = var;
}

/* What the loop carries has the places at its begin. */
static void carry(struct ranker *r, const struct carrying *c)
{
  for (unsigned i = 0; i < c->count; i++) {
    struct rank rank;
    double earlier = 0;
    for (unsigned k = 0; k < c->count; k++) earlier += c->vars[k]->id < c->vars[i]->id;
    for (unsigned w = 0; w < WAYS; w++) rank.low[w] = rank.high[w] = c->at[w] + 1 + earlier;
    set_local(r, c->vars[i], c->count < MOST_CARRIED ? rank : unknown(), NULL);
  }
}

static bool note_leaving(struct ir_stmt *stmt, void *context)
{
  *(bool *)context |= stmt->kind == IR_STMT_BREAK || stmt->kind == IR_STMT_CONTINUE;
  return true;
}

static void walk_loop(struct ranker *r, struct ir_stmt *stmt)
{
  bool leaves = false;

  walk(r, stmt->init);
  struct carrying carrying = {.count = 0};
  memcpy(carrying.at, r->at, sizeof carrying.at);
  ir_visit_stmt_exprs(stmt, note_earlier, &carrying);
  ir_visit_stmts(stmt->body, note_leaving, &leaves);
  if (carrying.count == MOST_CARRIED) set_written(r, stmt, unknown()); /* there may be more */
  carry(r, &carrying);
  pass(r, carrying.count);
  r->block++;
  if (stmt->kind != IR_STMT_DO) {
    if (stmt->expr) value_of(r, stmt->expr);
    pass(r, BLOCK);
  }
  walk(r, stmt->body);
  if (stmt->increment) value_of(r, stmt->increment);
  if (stmt->kind == IR_STMT_DO && stmt->expr) value_of(r, stmt->expr);
  r->block++;
  pass(r, BLOCK);
  if (leaves)
    set_written(r, stmt, unknown());
  else if (stmt->kind != IR_STMT_DO)
    carry(r, &carrying);
}

static void walk_declaration(struct ranker *r, struct ir_stmt *stmt)
{
  struct rank rank = stmt->expr ? value_of(r, stmt->expr) : unknown();

  set_local(r, stmt->var, rank, stmt->expr ? product_of(r, stmt->expr) : NULL);
}

static void walk(struct ranker *r, struct ir_stmt *stmt)
{
  struct ir_stmt **below;

  if (!stmt) return;
  switch (stmt->kind) {
  case IR_STMT_DECL: walk_declaration(r, stmt); return;
  case IR_STMT_FOR:
  case IR_STMT_WHILE:
  case IR_STMT_DO: walk_loop(r, stmt); return;
  case IR_STMT_CASE: return;
  case IR_STMT_GOTO:
  case IR_STMT_LABEL:
  case IR_STMT_OPAQUE: r->labels = true; return;
  default: break;
  }
  bool branch = stmt->kind == IR_STMT_IF || stmt->kind == IR_STMT_SWITCH;
  if (stmt->expr) value_of(r, stmt->expr);
  for (unsigned i = 0; i < stmt->expr_count; i++) value_of(r, stmt->exprs[i]);
  if (stmt->kind == IR_STMT_SWITCH) set_written(r, stmt, unknown());
  for (unsigned i = 0; (below = ir_below(stmt, i)); i++) {
    r->block += branch;
    walk(r, *below);
    r->block += branch;
    if (branch) set_written(r, stmt, unknown());
  }
}

void rounding_rank(const struct code *code, struct ir_stmt *body, struct ranked_sums *ret)
{
  struct ranker r = {.code = code, .sums = ret, .body = body};
  double first = FIRST_PARAM + code->facts.kernel->param_count + LONGEST_CALL;

  pass(&r, first * first);
  walk(&r, body);
  for (unsigned i = 0; i < ret->list.count && r.labels; i++)
    ret->list.items[i].first = RANK_UNKNOWN;
}
