/* SPDX-License-Identifier: MIT */
/* clamps.c - ifs that keep a local within limits become one value of a second local.
 *
 *     int x = i + u;                             int x = i + u;
 *     if (x < 0) x = 0;                  =>      int _x = mesi_min(mesi_max(x, 0), w - 1);
 *     if (x >= w) x = w - 1;                     sum += a[_x];
 *     sum += a[x];
 *
 *     if (x < 0) x = 0;                          int _x = x < 0 ? 0 : x >= w ? w - 1 : x;
 *     else if (x >= w) x = w - 1;        =>
 *
 * `x = x < 0 ? 0 : x` and `x = max(x, 0)` count as such ifs. A local with one value is followed by
 * the other rows, and most threads of a filter are within the limits (likely.c, interior.c).
 *
 * The value is the same for every thread, and nothing else is evaluated. Requires: a local of type
 * int that is declared in the same block, of which only its initialiser and these ifs change
 * anything; limits that the kernel does not change. No statement between the ifs names it.
 * Produces: a body that is printed only where another row gains by it. Costs: nothing. Gives up
 * (without a remark, since the ifs are no obstacle for other rows): another assignment, a limit
 * that changes, other types.
 */
#include "analysis/transform/clamps/clamps.h"

#include "analysis/code/likely.h"
#include "analysis/code/renew.h"
#include "runtime/seeded.h"

enum { MOST_CLAMPS = 4 };

struct clamp {            /* of a local */
  const char *function;   /* mesi_min or mesi_max with `limit`; NULL: `chosen` */
  struct ir_expr *limit;  /* of type int */
  struct ir_expr *chosen; /* a ?: over the local as it was */
};

struct joining {
  struct code *code;
  LIST_OF(struct ir_var *) joined;
};

static bool is_int(const struct ir_type *type)
{
  return type && type->kind == IR_TYPE_INT && type->size == 4 && type->is_signed &&
         !type->is_volatile;
}

static bool is_var(const struct ir_expr *expr, const struct ir_var *var)
{
  const struct ir_expr *bare = ir_strip((struct ir_expr *)expr);

  return is_int(expr->type) && bare->kind == IR_EXPR_VAR && bare->var == var;
}

/* A limit, converted to int, that no statement of the kernel changes. */
static bool is_limit(struct joining *j, struct ir_expr *expr, const struct ir_var *var)
{
  return is_int(expr->type) && !ir_has_effects(expr) && !ir_expr_has_var(expr, var) &&
         likely_is_fixed(j->code, expr);
}

/* ---- find ---- */

struct test { /* the local is below the limit, or above it */
  bool below, equal;
  struct ir_expr *limit;
};

static bool find_test(struct joining *j, struct ir_expr *expr, const struct ir_var *var,
                      struct test *ret)
{
  struct ir_expr *test = ir_strip(expr);
  enum ir_op op = test->op;
  bool less = op == IR_OP_LT || op == IR_OP_LE, greater = op == IR_OP_GT || op == IR_OP_GE;

  if (test->kind != IR_EXPR_BINARY || (!less && !greater)) return false;
  bool left = is_var(test->operands[0], var), right = is_var(test->operands[1], var);
  if (left == right) return false;
  ret->below = less == left;
  ret->equal = op == IR_OP_LE || op == IR_OP_GE;
  ret->limit = test->operands[left ? 1 : 0];
  return is_limit(j, ret->limit, var);
}

/* Is the value the limit's neighbour, `limit - 1` for `step` -1? */
static bool is_next(struct ir_expr *limit, struct ir_expr *value, int step)
{
  struct ir_expr *bare = ir_strip(value);
  int64_t a, b;

  if (ir_constant(limit, &a) && ir_constant(value, &b)) return b == a + step;
  return is_int(bare->type) && bare->kind == IR_EXPR_BINARY &&
         bare->op == (step < 0 ? IR_OP_SUB : IR_OP_ADD) && ir_constant(bare->operands[1], &b) &&
         b == 1 && ir_same_expr(ir_strip(bare->operands[0]), ir_strip(limit));
}

/* Is it the value of a local that fails the test: the nearest number that passes it? */
static bool is_nearest(const struct test *test, struct ir_expr *value)
{
  int64_t a, b;
  bool same = (ir_constant(test->limit, &a) && ir_constant(value, &b))
                  ? a == b
                  : ir_same_expr(ir_strip(test->limit), ir_strip(value));

  return same || (test->equal && is_next(test->limit, value, test->below ? 1 : -1));
}

/* The value that a statement gives the local, and no other effect. NULL: it does not. */
static struct ir_expr *value_given(struct joining *j, struct ir_stmt *stmt, struct ir_var *var)
{
  while (stmt && stmt->kind == IR_STMT_BLOCK && stmt->child_count == 1) stmt = stmt->children[0];
  struct ir_expr *set = stmt && stmt->kind == IR_STMT_EXPR ? ir_strip(stmt->expr) : NULL;

  if (!set || set->kind != IR_EXPR_ASSIGN || ir_assigned_var(set) != var ||
      !is_int(set->operands[1]->type))
    return NULL;
  if (set->op == IR_OP_ASSIGN) return set->operands[1];
  enum ir_op op = ir_compound_op(set->op);
  bool steps = op == IR_OP_ADD || op == IR_OP_SUB;
  struct ir_expr *sum = steps ? ir_build_binary(j->code->arena, op,
                                                ir_build_var(j->code->arena, var), set->operands[1])
                              : NULL;
  if (sum) sum->type = ir_plain_type(j->code->arena, var->type);
  return sum;
}

/* Is it a number made of limits and the local? */
static bool is_given(struct joining *j, struct ir_expr *value, const struct ir_var *var)
{
  struct arena *arena = j->code->arena;

  return value && is_int(value->type) && !ir_has_effects(value) &&
         likely_is_fixed(j->code, ir_replace_var(arena, value, var, ir_build_int(arena, 0)));
}

static void set_limit(const struct test *test, struct ir_expr *value, struct clamp *ret)
{
  *ret = (struct clamp){test->below ? "mesi_max" : "mesi_min",
                        SEEDED(CLAMP_LIMIT) ? test->limit : value, NULL};
}

/* if (x < a) x = a;  else if (x > b) x = b; */
static bool find_if(struct joining *j, struct ir_stmt *stmt, struct ir_var *var, struct clamp *ret)
{
  struct arena *arena = j->code->arena;
  struct ir_stmt *second = stmt->else_body;
  struct test test, other;

  while (second && second->kind == IR_STMT_BLOCK && second->child_count == 1)
    second = second->children[0];
  struct ir_expr *value = value_given(j, stmt->body, var),
                 *behind = second ? value_given(j, second->body, var) : NULL;
  if (!is_given(j, value, var) || !find_test(j, stmt->expr, var, &test)) return false;
  if (!second && is_nearest(&test, value)) {
    set_limit(&test, value, ret);
    return true;
  }
  if (!second) {
    *ret =
        (struct clamp){.chosen = ir_build_cond(arena, stmt->expr, value, ir_build_var(arena, var))};
    return true;
  }
  if (second->kind != IR_STMT_IF || second->else_body || !is_given(j, behind, var) ||
      !find_test(j, second->expr, var, &other))
    return false;
  struct ir_expr *rest = ir_build_cond(arena, second->expr, behind, ir_build_var(arena, var));
  *ret = (struct clamp){.chosen = ir_build_cond(arena, stmt->expr, value, rest)};
  return true;
}

/* x = x < a ? a : x; */
static bool find_selection(struct joining *j, struct ir_expr *value, const struct ir_var *var,
                           struct clamp *ret)
{
  struct ir_expr *yes = value->operands[1], *no = value->operands[2];
  bool kept = is_var(yes, var); /* where the test is passed */
  struct test test;

  if (!is_var(kept ? yes : no, var) || !is_limit(j, kept ? no : yes, var) ||
      !find_test(j, value->operands[0], var, &test))
    return false;
  if (kept) test = (struct test){!test.below, !test.equal, test.limit};
  set_limit(&test, kept ? no : yes, ret);
  return is_nearest(&test, ret->limit);
}

/* x = max(x, a); */
static bool find_call(struct joining *j, struct ir_expr *value, const struct ir_var *var,
                      struct clamp *ret)
{
  bool least = ir_is_extreme(value, true), greatest = ir_is_extreme(value, false);

  if ((!least && !greatest) || !is_int(value->type)) return false;
  bool first = is_var(value->operands[0], var);
  *ret = (struct clamp){greatest ? "mesi_max" : "mesi_min", value->operands[first ? 1 : 0], NULL};
  return is_var(value->operands[first ? 0 : 1], var) && is_limit(j, ret->limit, var);
}

static bool find_clamp(struct joining *j, struct ir_stmt *stmt, struct ir_var *var,
                       struct clamp *ret)
{
  if (stmt->kind == IR_STMT_IF) return find_if(j, stmt, var, ret);
  struct ir_expr *value = stmt->kind == IR_STMT_EXPR ? value_given(j, stmt, var) : NULL;
  if (!value) return false;
  value = ir_strip(value);
  if (value->kind == IR_EXPR_COND) return find_selection(j, value, var, ret);
  return find_call(j, value, var, ret);
}

/* ---- legal ---- */

struct writes {
  const struct ir_var *var;
  unsigned count;
};

static void note_write(struct ir_expr *expr, void *context)
{
  struct writes *w = context;
  w->count += ir_writes_var(expr, w->var);
}

static unsigned writes_of(struct ir_stmt *stmt, const struct ir_var *var)
{
  struct writes writes = {var, 0};

  ir_visit_stmt_exprs(stmt, note_write, &writes);
  return writes.count;
}

struct clamped { /* a local in a block */
  struct ir_var *var;
  struct ir_expr *initial; /* may stand in the place of the local's name; NULL: it may not */
  struct clamp clamps[MOST_CLAMPS];
  unsigned at[MOST_CLAMPS]; /* their statements */
  unsigned count;
};

/* Finds the clamps of a local that the statement `first - 1` of the block declares. */
static bool find_clamped(struct joining *j, const struct ir_stmt *block, unsigned first,
                         struct ir_var *var, struct clamped *ret)
{
  unsigned writes = 0;

  *ret = (struct clamped){.var = var};
  for (unsigned i = first; i < block->child_count && ret->count < MOST_CLAMPS; i++) {
    struct ir_stmt *stmt = block->children[i];
    if (find_clamp(j, stmt, var, &ret->clamps[ret->count])) {
      writes += writes_of(stmt, var);
      ret->at[ret->count++] = i;
    } else if (writes_of(stmt, var) ||
               (ret->count && ir_stmt_has_var(stmt, var) && !SEEDED(CLAMP_READ_BETWEEN))) {
      break;
    }
  }
  return ret->count && writes == writes_of(j->code->facts.kernel->body, var);
}

struct moving {
  const struct ir_stmt *block;
  unsigned first, last; /* between these statements */
  bool may;
};

static void note_moved(struct ir_expr *expr, void *context)
{
  struct moving *m = context;

  switch (expr->kind) {
  case IR_EXPR_VAR:
    m->may &= expr->var->kind == IR_VAR_LOCAL || expr->var->kind == IR_VAR_PARAM;
    m->may &= !expr->var->address_taken;
    for (unsigned i = m->first; i <= m->last; i++)
      m->may &= !writes_of(m->block->children[i], expr->var);
    break;
  case IR_EXPR_INT:
  case IR_EXPR_BUILTIN:
  case IR_EXPR_PAREN:
  case IR_EXPR_CONVERT:
  case IR_EXPR_CAST:
  case IR_EXPR_UNARY: m->may &= expr->kind != IR_EXPR_UNARY || expr->op == IR_OP_NEG; break;
  case IR_EXPR_BINARY:
    m->may &= expr->op == IR_OP_ADD || expr->op == IR_OP_SUB || expr->op == IR_OP_MUL;
    break;
  default: m->may = false;
  }
}

/* May the initialiser be evaluated at the last clamp? */
static void note_initial(struct clamped *c, const struct ir_stmt *block, unsigned first,
                         struct ir_expr *initial)
{
  struct moving moving = {block, first, c->at[c->count - 1], is_int(initial->type)};

  for (unsigned i = 0; i < c->count; i++) moving.may &= c->clamps[i].function != NULL;
  ir_visit_expr(initial, note_moved, &moving);
  c->initial = moving.may ? initial : NULL;
}

static bool may_be_clamped(const struct ir_var *var)
{
  return var && var->kind == IR_VAR_LOCAL && is_int(var->type) && !var->address_taken &&
         !var->is_static && !var->of_thread;
}

/* ---- build ---- */

/* The clamp's choice over each value that `value` selects. */
static struct ir_expr *chosen_over(struct arena *arena, struct ir_expr *value,
                                   const struct clamped *c, const struct clamp *clamp)
{
  struct ir_expr *ret = value->kind != IR_EXPR_COND
                            ? ir_replace_var(arena, clamp->chosen, c->var, value)
                            : ir_build_cond(arena, value->operands[0],
                                            chosen_over(arena, value->operands[1], c, clamp),
                                            chosen_over(arena, value->operands[2], c, clamp));

  ret->type = ir_plain_type(arena, c->var->type);
  return ret;
}

static struct ir_expr *value_of(struct arena *arena, const struct clamped *c)
{
  struct ir_expr *value = c->initial ? c->initial : ir_build_var(arena, c->var);

  for (unsigned i = 0; i < c->count; i++) {
    const struct clamp *clamp = &c->clamps[i];
    if (clamp->function) {
      struct ir_expr *call = ir_build_call(arena, clamp->function, IR_EFFECT_NONE);
      call->type = ir_plain_type(arena, c->var->type);
      ir_add_argument(arena, call, value);
      ir_add_argument(arena, call, clamp->limit);
      value = call;
    } else {
      value = chosen_over(arena, value, c, clamp);
    }
  }
  return value;
}

/* Changes the block in place: it is a copy. */
static void join(struct joining *j, struct ir_stmt *block, const struct clamped *c)
{
  struct arena *arena = j->code->arena;
  unsigned last = c->at[c->count - 1];
  const char *wanted = arena_format(arena, "_%s", c->var->name);
  struct ir_var *to = code_local(j->code, wanted, ir_plain_type(arena, c->var->type));
  struct ir_list nothing = {0};

  for (unsigned i = 0; i + 1 < c->count; i++)
    block->children[c->at[i]] = ir_build_block(arena, &nothing);
  to->init = value_of(arena, c);
  to->write_count = 1;
  struct ir_stmt *declared = ir_build_decl(arena, to, to->init);
  declared->place = block->children[last]->place;
  block->children[last] = declared;
  for (unsigned i = last + 1; i < block->child_count; i++)
    block->children[i] = ir_rename_var(arena, block->children[i], c->var, to);
  *ARENA_PUSH(arena, &j->joined) = c->var;
}

static void join_declared(struct joining *j, struct ir_stmt *block, unsigned at,
                          const struct ir_stmt *declaration)
{
  struct clamped clamped;
  bool has_number = declaration->kind == IR_STMT_DECL && declaration->expr;

  if (has_number && may_be_clamped(declaration->var) &&
      find_clamped(j, block, at + 1, declaration->var, &clamped)) {
    note_initial(&clamped, block, at + 1, declaration->expr);
    join(j, block, &clamped);
  }
}

/* A jump to a label of the block may pass a declaration. */
static bool has_labels(const struct ir_stmt *block)
{
  bool found = false;

  for (unsigned i = 0; i < block->child_count; i++)
    found |= block->children[i]->kind == IR_STMT_CASE || block->children[i]->kind == IR_STMT_LABEL;
  return found;
}

static struct ir_stmt *join_below(struct joining *j, struct ir_stmt *stmt)
{
  if (!stmt) return NULL;
  struct ir_stmt *copy = ir_copy_stmt(j->code->arena, stmt), **below;
  bool block = copy->kind == IR_STMT_BLOCK && !has_labels(copy);
  for (unsigned i = 0; block && i < copy->child_count; i++) {
    const struct ir_stmt *child = copy->children[i];
    join_declared(j, copy, i, child);
    for (unsigned k = 0; child->kind == IR_STMT_DECLS && k < child->child_count; k++)
      join_declared(j, copy, i, child->children[k]);
  }
  for (unsigned i = 0; (below = ir_below(copy, i)); i++) *below = join_below(j, *below);
  return copy;
}

struct ir_stmt *clamps_joined(struct code *code, struct ir_stmt *body, unsigned *ret_count)
{
  struct joining joining = {.code = code};
  struct ir_stmt *joined = join_below(&joining, body);

  *ret_count = joining.joined.count;
  for (unsigned i = 0; i < *ret_count; i++)
    joined = code_renew_once(code, joined, joining.joined.items[i]);
  return *ret_count ? code_without_unused(code->arena, joined) : body;
}

bool plan_clamps(struct draft *draft)
{
  struct code *code = &draft->code;
  unsigned count;
  struct ir_stmt *body = clamps_joined(code, code->facts.kernel->body, &count);

  if (!count) return false;
  code_drop_scan(code);
  code->facts.kernel->body = code_renew_locals(code, body);
  *ARENA_PUSH(code->arena, &draft->formed) =
      (struct formed){code->kernel->name_place, DIAG_CLAMPS_JOINED, DIAG_CLAMPS_JOINED, NULL,
                      "one value in the place of ifs that keep a number within limits"};
  draft_own_body(draft);
  return true;
}
