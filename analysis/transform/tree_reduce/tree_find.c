/* SPDX-License-Identifier: MIT */
/* tree_find.c - loops whose steps combine the elements of a shared array in pairs.
 *
 *     for (d = 128; d > 0; d /= 2) {
 *       if (t < d) s[t] += s[t + d];
 *       __syncthreads();
 *     }
 *
 * The loop is run for each thread of the block, with numbers. So the way in which it is written
 * does not matter: `t % (2 * d) == 0`, `2 * d * t < blockDim.x`, `while (d != 0)`. The pairs of its
 * steps must be those of a tree whose root is element 0. The sum in element 0 is then the same, bit
 * for bit, as that of any code which combines the same pairs. Nothing else of the array may be read
 * behind the loop before all threads have stored to it again. Requires: a block of constant shape.
 * Gives up: an early return, since a warp goes through the tree as a whole; other uses of the array
 * than by elements; steps that are no such tree.
 */
#include "analysis/transform/tree_reduce/tree_reduce.h"

#include <string.h>

#include "runtime/seeded.h"

enum { LEAST_STEPS = 6 /* two warps */ };

static bool give_up(struct trees *t, const char *reason, const struct ir_place *place)
{
  if (!t->reason) {
    t->reason = reason;
    t->place = *place;
  }
  return false;
}

struct numbers tree_thread(const struct trees *t, int64_t thread)
{
  return (struct numbers){
      .code = t->code, .block = {t->block[0], t->block[1], t->block[2]}, .thread = thread};
}

bool tree_is_barrier(const struct ir_stmt *stmt)
{
  const struct ir_expr *call = stmt->kind == IR_STMT_EXPR ? ir_strip(stmt->expr) : NULL;

  return call && call->kind == IR_EXPR_CALL && call->effect == IR_EFFECT_BARRIER &&
         !call->operand_count;
}

struct ir_var *tree_element(struct ir_expr *expr, struct ir_expr **ret_index)
{
  expr = ir_strip(expr);
  if (expr->kind != IR_EXPR_INDEX) return NULL;
  struct ir_expr *array = ir_strip(expr->operands[0]);
  if (array->kind != IR_EXPR_VAR || array->var->kind != IR_VAR_SHARED ||
      array->type->kind != IR_TYPE_ARRAY)
    return NULL;
  *ret_index = expr->operands[1];
  return array->var;
}

/* ---- what a step does to an element ---- */

static const char *called_operation(const struct ir_expr *call)
{
  static const struct {
    const char *name, *operation;
    enum ir_type_kind kind;
  } known[] = {{"fmaxf", "mesi_called_greatest", IR_TYPE_FLOAT},
               {"fmax", "mesi_called_greatest", IR_TYPE_FLOAT},
               {"fminf", "mesi_called_least", IR_TYPE_FLOAT},
               {"fmin", "mesi_called_least", IR_TYPE_FLOAT},
               {"max", "mesi_called_greatest", IR_TYPE_FLOAT},
               {"min", "mesi_called_least", IR_TYPE_FLOAT},
               {"max", "mesi_greatest", IR_TYPE_INT},
               {"min", "mesi_least", IR_TYPE_INT}};

  if (call->effect != IR_EFFECT_NONE || call->callee || call->operand_count != 2 || !call->text)
    return NULL;
  for (unsigned i = 0; i < sizeof known / sizeof *known; i++)
    if (!strcmp(call->text, known[i].name) && call->type->kind == known[i].kind)
      return known[i].operation;
  return NULL;
}

static const char *operation_of(enum ir_op op)
{
  switch (op) {
  case IR_OP_ADD: return "mesi_sum";
  case IR_OP_MUL: return "mesi_product";
  case IR_OP_AND: return "mesi_and";
  case IR_OP_OR: return "mesi_or";
  case IR_OP_XOR: return "mesi_xor";
  default: return NULL;
  }
}

/* Both operands are elements of the array; which is the target's is known only with numbers. */
static bool two_elements(struct tree_sum *sum, struct ir_expr *a, struct ir_expr *b)
{
  struct ir_expr *first, *second;

  if (tree_element(a, &first) != sum->var || tree_element(b, &second) != sum->var) return false;
  sum->own[1] = first;
  sum->other = second;
  return true;
}

/* s[own] = s[own] + s[other], s[own] += s[other], s[own] = fmaxf(s[own], s[other]) */
static bool is_assignment(struct ir_expr *expr, struct tree_sum *sum)
{
  if (expr->kind != IR_EXPR_ASSIGN) return false;
  sum->var = tree_element(expr->operands[0], &sum->own[0]);
  if (!sum->var) return false;
  struct ir_expr *value = ir_strip(expr->operands[1]);
  if (expr->op != IR_OP_ASSIGN) {
    sum->operation = operation_of(ir_compound_op(expr->op));
    return sum->operation && tree_element(value, &sum->other) == sum->var;
  }
  if (!ir_same_type(value->type, ir_strip(expr->operands[0])->type)) return false;
  sum->operation = value->kind == IR_EXPR_BINARY ? operation_of(value->op)
                   : value->kind == IR_EXPR_CALL ? called_operation(value)
                                                 : NULL;
  return sum->operation && two_elements(sum, value->operands[0], value->operands[1]);
}

/* The comparison of if (s[own] < s[other]) s[own] = s[other], which may stand behind a condition on
 * the thread: that condition, or NULL. */
static struct ir_expr *comparison_of(const struct ir_stmt *stmt, struct ir_expr **ret_guard)
{
  struct ir_expr *test = ir_strip(stmt->expr);

  *ret_guard = NULL;
  if (test->kind == IR_EXPR_BINARY && test->op == IR_OP_LAND) {
    *ret_guard = test->operands[0];
    test = ir_strip(test->operands[1]);
  }
  return test->kind == IR_EXPR_BINARY ? test : NULL;
}

static bool is_choice(const struct ir_stmt *stmt, struct tree_sum *sum, struct ir_expr **ret_guard)
{
  const struct ir_stmt *body = stmt->body;
  struct ir_expr *test = stmt->else_body ? NULL : comparison_of(stmt, ret_guard), *at[2];

  while (body && body->kind == IR_STMT_BLOCK && body->child_count == 1) body = body->children[0];
  struct ir_expr *assign = body && body->kind == IR_STMT_EXPR ? ir_strip(body->expr) : NULL;
  if (!test || !assign || assign->kind != IR_EXPR_ASSIGN || assign->op != IR_OP_ASSIGN)
    return false;
  sum->var = tree_element(assign->operands[0], &sum->own[0]);
  if (!sum->var || tree_element(assign->operands[1], &sum->other) != sum->var ||
      (test->op != IR_OP_LT && test->op != IR_OP_GT))
    return false;
  bool less = test->op == IR_OP_LT;
  if (tree_element(test->operands[0], &at[0]) != sum->var ||
      tree_element(test->operands[1], &at[1]) != sum->var)
    return false;
  if (ir_same_expr(at[0], sum->own[0]) && ir_same_expr(at[1], sum->other))
    sum->operation = less ? "mesi_raised" : "mesi_lowered";
  else if (ir_same_expr(at[1], sum->own[0]) && ir_same_expr(at[0], sum->other))
    sum->operation = less ? "mesi_lowered" : "mesi_raised";
  return sum->operation != NULL;
}

static bool can_combine(const struct tree_sum *sum)
{
  const struct ir_type *type = sum->var->type->element;
  bool number = type->kind == IR_TYPE_INT || type->kind == IR_TYPE_FLOAT;

  return number && (type->size == 4 || type->size == 8) && !type->is_volatile;
}

/* ---- the loop, run with numbers ---- */

struct running {
  struct trees *trees;
  struct tree tree;
  struct ir_var *iterator;
  struct numbers values;
  unsigned step;
  /* By step, sum and element: the element that it is combined with; -1: none. */
  int16_t (*pairs)[MOST_TREE_SUMS][MOST_TREE_THREADS];
};

static bool sum_at(struct running *r, const struct ir_stmt *stmt, const struct tree_sum *like,
                   unsigned *ret)
{
  struct tree *tree = &r->tree;

  for (*ret = 0; *ret < tree->sum_count; ++*ret)
    if (tree->sums[*ret].stmt == stmt) return true;
  if (tree->sum_count == MOST_TREE_SUMS || !can_combine(like)) return false;
  for (unsigned i = 0; i < tree->sum_count; i++)
    if (tree->sums[i].var == like->var) return false;
  tree->sums[tree->sum_count++] = *like;
  return true;
}

static bool combine(struct running *r, struct ir_stmt *stmt, struct tree_sum *sum)
{
  int64_t own, again, other;
  unsigned at;

  sum->stmt = stmt;
  if (!sum_at(r, stmt, sum, &at) || !number_of(&r->values, sum->own[0], &own) ||
      !number_of(&r->values, sum->other, &other))
    return false;
  if (sum->own[1]) {
    if (!number_of(&r->values, sum->own[1], &again)) return false;
    if (again != own) { /* s[own] = s[other] + s[own] */
      int64_t first = again;
      if (other != own || !strncmp(sum->operation, "mesi_called", 11)) return false;
      other = first;
    }
  }
  if (own < 0 || own >= MOST_TREE_THREADS || other < 0 || other >= MOST_TREE_THREADS ||
      r->pairs[r->step][at][own] >= 0)
    return false;
  r->pairs[r->step][at][own] = (int16_t)other;
  return true;
}

static bool run(struct running *r, struct ir_stmt *stmt);

static bool run_if(struct running *r, struct ir_stmt *stmt)
{
  struct tree_sum sum = {0};
  struct ir_expr *guard = NULL;
  int64_t holds = 1;

  if (is_choice(stmt, &sum, &guard)) {
    if (guard && !number_of(&r->values, guard, &holds)) return false;
    return !holds || combine(r, stmt, &sum);
  }
  if (!number_of(&r->values, stmt->expr, &holds)) return false;
  struct ir_stmt *taken = holds ? stmt->body : stmt->else_body;
  return !taken || run(r, taken);
}

static bool run_expr(struct running *r, struct ir_stmt *stmt)
{
  struct tree_sum sum = {0};
  struct ir_expr *expr = ir_strip(stmt->expr);

  if (ir_assigned_var(expr) == r->iterator) return true; /* behind the step */
  return is_assignment(expr, &sum) && combine(r, stmt, &sum);
}

static bool run(struct running *r, struct ir_stmt *stmt)
{
  int64_t value;

  switch (stmt->kind) {
  case IR_STMT_NULL: return true;
  case IR_STMT_DECL:
    return stmt->expr && number_of(&r->values, stmt->expr, &value) &&
           number_set(&r->values, stmt->var, value);
  case IR_STMT_DECLS:
  case IR_STMT_BLOCK:
    for (unsigned i = 0; i < stmt->child_count; i++)
      if (!run(r, stmt->children[i])) return false;
    return true;
  case IR_STMT_IF: return run_if(r, stmt);
  case IR_STMT_EXPR: return run_expr(r, stmt);
  default: return false;
  }
}

/* The iterator's value behind the step. */
static bool stepped(struct running *r, struct ir_expr *step, int64_t *ret)
{
  int64_t now, by = 1;
  struct numbers *v = &r->values;
  struct ir_expr *target = ir_strip(step->operands[0]);

  step = ir_strip(step);
  if (!number_of(v, target, &now)) return false;
  if (ir_is_step(step)) {
    bool up = step->op == IR_OP_POST_INC || step->op == IR_OP_PRE_INC;
    *ret = up ? now + 1 : now - 1;
    return true;
  }
  if (step->op == IR_OP_ASSIGN) return number_of(v, step->operands[1], ret);
  if (!number_of(v, step->operands[1], &by)) return false;
  switch (ir_compound_op(step->op)) {
  case IR_OP_MUL: *ret = now * by; return now < 1 << 20 && by < 1 << 10;
  case IR_OP_DIV: *ret = by > 0 ? now / by : now; return by > 0;
  case IR_OP_SHL: *ret = now << (by & 15); return now < 1 << 20 && by >= 0 && by < 16;
  case IR_OP_SHR: *ret = now >> (by & 15); return by >= 0 && by < 16 && now >= 0;
  case IR_OP_ADD: *ret = now + by; return true;
  case IR_OP_SUB: *ret = now - by; return true;
  default: return false;
  }
}

/* ---- the loop's head and its barriers ---- */

static unsigned list_of(struct ir_stmt *body, struct ir_stmt ***ret)
{
  if (body->kind != IR_STMT_BLOCK) return 0;
  *ret = body->children;
  return body->child_count;
}

/* Barriers stand at the beginning or at the end of the steps, and nowhere else. */
static bool meets(struct tree *tree, struct ir_stmt **children, unsigned *from, unsigned *to)
{
  bool ends = false;

  while (*from < *to && tree_is_barrier(children[*from])) ++*from;
  while (*to > *from && (tree_is_barrier(children[*to - 1]))) {
    --*to;
    ends = true;
  }
  tree->waits = *from > 0;
  return tree->waits || ends;
}

/* The statement that steps a while loop's iterator: the only assignment to a local among its
 * statements, the last one or behind the last barrier. NULL: there is none. */
static struct ir_expr *step_in(struct ir_stmt **children, unsigned *count)
{
  struct ir_expr *step = *count ? ir_strip(children[*count - 1]->expr) : NULL;

  if (!step || children[*count - 1]->kind != IR_STMT_EXPR || !ir_assigned_var(step)) return NULL;
  --*count;
  return step;
}

/* The value that a local has in front of the loop: of its declaration, or of the last assignment in
 * the list. */
static struct ir_expr *value_before(struct ir_stmt *list, const struct ir_stmt *loop,
                                    const struct ir_var *var)
{
  struct ir_expr *value = NULL;

  for (unsigned i = 0; i < list->child_count && list->children[i] != loop; i++) {
    struct ir_stmt *child = list->children[i];
    struct ir_expr *expr = child->kind == IR_STMT_EXPR ? ir_strip(child->expr) : NULL;
    if (child->kind == IR_STMT_DECL && child->var == var)
      value = child->expr;
    else if (expr && ir_assigned_var(expr) == var && expr->op == IR_OP_ASSIGN)
      value = expr->operands[1];
    else if (child->kind == IR_STMT_DECLS)
      for (unsigned d = 0; d < child->child_count; d++)
        value = child->children[d]->var == var ? child->children[d]->expr : value;
    else if (ir_stmt_has_var(child, var))
      value = NULL;
  }
  return value;
}

/* Is the iterator used in the loop only, and to set it in front of the loop? */
static bool is_own(struct trees *t, struct ir_stmt *list, struct ir_stmt *loop,
                   const struct ir_var *var)
{
  unsigned outside = ir_count_var(t->code->facts.kernel->body, var) - ir_count_var(loop, var);

  for (unsigned i = 0; i < list->child_count && list->children[i] != loop; i++) {
    struct ir_expr *expr =
        list->children[i]->kind == IR_STMT_EXPR ? ir_strip(list->children[i]->expr) : NULL;
    outside -= expr && ir_assigned_var(expr) == var;
  }
  return !outside && !var->address_taken;
}

struct head {
  struct ir_expr *begin, *test, *step;
  struct ir_stmt **children;
  unsigned from, to;
};

static bool head_of(struct running *r, struct ir_stmt *list, struct ir_stmt *loop, struct head *h)
{
  *h = (struct head){.test = loop->expr, .step = loop->increment};
  h->to = loop->body ? list_of(loop->body, &h->children) : 0;
  if (!h->to || !h->test || (loop->kind != IR_STMT_FOR && loop->kind != IR_STMT_WHILE))
    return false;
  bool met = meets(&r->tree, h->children, &h->from, &h->to);
  if (loop->kind == IR_STMT_WHILE) {
    h->step = step_in(h->children, &h->to);
    met |= meets(&r->tree, h->children, &h->from, &h->to);
  }
  r->tree.waits = h->from > 0;
  if (!met || !h->step) return false;
  h->step = ir_strip(h->step);
  r->iterator = ir_assigned_var(h->step);
  if (!r->iterator || r->iterator->kind != IR_VAR_LOCAL) return false;
  const struct ir_stmt *init = loop->kind == IR_STMT_FOR ? loop->init : NULL;
  struct ir_expr *set = init && init->kind == IR_STMT_EXPR ? ir_strip(init->expr) : NULL;
  if (init && init->kind == IR_STMT_DECL && init->var == r->iterator)
    h->begin = init->expr;
  else if (set && ir_assigned_var(set) == r->iterator && set->op == IR_OP_ASSIGN)
    h->begin = set->operands[1];
  else if (!init || init->kind == IR_STMT_NULL)
    h->begin = value_before(list, loop, r->iterator);
  return h->begin && is_own(r->trees, list, loop, r->iterator);
}

/* Runs one step for all threads. */
static bool run_step(struct running *r, const struct head *h, int64_t now)
{
  for (unsigned s = 0; s < MOST_TREE_SUMS; s++)
    for (unsigned e = 0; e < MOST_TREE_THREADS; e++) r->pairs[r->step][s][e] = -1;
  for (int64_t t = 0; t < r->trees->threads; t++) {
    r->values = tree_thread(r->trees, t);
    number_set(&r->values, r->iterator, now);
    for (unsigned i = h->from; i < h->to; i++)
      if (!run(r, h->children[i])) return false;
  }
  return true;
}

/* The same number for all threads. */
static bool of_all(const struct trees *t, const struct ir_var *iterator, int64_t now,
                   struct ir_expr *expr, int64_t *ret)
{
  int64_t value;

  for (int64_t thread = 0; thread < t->threads; thread++) {
    struct numbers v = tree_thread(t, thread);
    if (iterator) number_set(&v, iterator, now);
    if (!number_of(&v, expr, &value) || (thread && value != *ret)) return false;
    *ret = value;
  }
  return true;
}

static bool run_loop(struct running *r, const struct head *h)
{
  int64_t now, goes_on;

  if (!of_all(r->trees, NULL, 0, h->begin, &now)) return false;
  while (of_all(r->trees, r->iterator, now, h->test, &goes_on) && goes_on) {
    if (r->step == MOST_TREE_STEPS || !run_step(r, h, now)) return false;
    r->step++;
    r->values = tree_thread(r->trees, 0);
    number_set(&r->values, r->iterator, now);
    if (!stepped(r, h->step, &now)) return false;
  }
  return r->step >= LEAST_STEPS && of_all(r->trees, r->iterator, now, h->test, &goes_on);
}

/* ---- is it a tree? ---- */

static bool is_pair(const struct running *r, unsigned step, unsigned sum, int64_t own,
                    int64_t apart)
{
  return r->pairs[step][sum][own] == own + apart;
}

/* No element of a step is read by one thread and stored to by another. */
static bool is_ordered(const struct running *r, unsigned step, unsigned sum)
{
  for (unsigned e = 0; e < MOST_TREE_THREADS; e++) {
    int16_t other = r->pairs[step][sum][e];
    if (other >= 0 && r->pairs[step][sum][other] >= 0) return false;
  }
  return true;
}

static bool has_form(const struct running *r, unsigned sum, bool doubled)
{
  int64_t leaves = INT64_C(1) << r->step;

  for (unsigned step = 0; step < r->step; step++) {
    int64_t apart = doubled ? INT64_C(1) << step : leaves >> (step + 1);
    int64_t first = doubled ? 2 * apart : 1, end = doubled ? leaves : apart;
    if (!is_ordered(r, step, sum)) return false;
    for (int64_t own = 0; own < end; own += first)
      if (!is_pair(r, step, sum, own, apart) && !SEEDED(TREE_PAIRS_UNASKED)) return false;
  }
  return true;
}

static bool is_tree(struct running *r)
{
  bool halved = true, doubled = true;

  for (unsigned s = 0; s < r->tree.sum_count; s++) {
    halved &= has_form(r, s, false);
    doubled &= has_form(r, s, true);
  }
  r->tree.doubled = !halved;
  r->tree.steps = r->step;
  r->tree.leaves = INT64_C(1) << r->step;
  return r->tree.sum_count && (halved || doubled) && r->tree.leaves <= r->trees->threads;
}

static void try_loop(struct trees *t, struct ir_stmt *list, struct ir_stmt *loop)
{
  struct running r = {.trees = t, .tree = {.loop = loop, .list = list}};
  struct head head;

  if (t->count == MOST_TREES || !head_of(&r, list, loop, &head)) return;
  r.pairs = arena_alloc(t->code->arena, MOST_TREE_STEPS * sizeof *r.pairs);
  if (!run_loop(&r, &head) || !is_tree(&r)) {
    if (r.tree.sum_count && r.step >= LEAST_STEPS)
      give_up(t, "the steps of a loop are no tree over the block's threads", &loop->place);
    return;
  }
  t->items[t->count++] = r.tree;
}

static bool note_list(struct ir_stmt *stmt, void *context)
{
  for (unsigned i = 0; stmt->kind == IR_STMT_BLOCK && i < stmt->child_count; i++)
    try_loop(context, stmt, stmt->children[i]);
  return true;
}

/* ---- all of the kernel ---- */

static void check_call(struct ir_expr *expr, void *context)
{
  struct trees *t = context;

  if (expr->kind == IR_EXPR_OPAQUE) give_up(t, "an expression is not known", &expr->place);
  if (expr->kind != IR_EXPR_CALL) return;
  bool foreign = expr->effect == IR_EFFECT_UNKNOWN ||
                 (expr->effect == IR_EFFECT_CALLEE &&
                  !effects_none(effects_of(t->code->effects, expr->callee)));
  if (foreign) give_up(t, "it calls a function that uses memory", &expr->place);
}

static bool check_stmt(struct ir_stmt *stmt, void *context)
{
  switch (stmt->kind) {
  case IR_STMT_RETURN:
  case IR_STMT_GOTO:
  case IR_STMT_LABEL:
  case IR_STMT_OPAQUE:
    return give_up(context, "threads of a block may end before its tree", &stmt->place);
  default: return true;
  }
}

bool tree_find(struct trees *t)
{
  struct ir_function *kernel = t->code->facts.kernel;

  t->threads = t->block[0] * t->block[1] * t->block[2];
  ir_visit_stmts(kernel->body, note_list, t);
  if (!t->count) return false;
  t->reason = NULL;
  ir_visit_stmts(kernel->body, check_stmt, t);
  ir_visit_stmt_exprs(kernel->body, check_call, t);
  for (unsigned i = 0; i < t->count && !t->reason; i++)
    for (unsigned s = 0; s < t->items[i].sum_count; s++) tree_uses_fit(t, t->items[i].sums[s].var);
  return !t->reason;
}
