/* SPDX-License-Identifier: MIT */
/* tree_uses.c - may a tree leave all elements of its array but the first as they were?
 *
 *     s[t] = x;  ...tree...  m = s[0];  __syncthreads();
 *     s[t] = y;  ...tree...  if (t == 0) out[b] = s[t];
 *
 * Behind a tree only element 0 may be read. A further tree over the array, or one in a loop, needs
 * a statement in front of it with which each thread stores to its own element. In front of the only
 * tree of a kernel all elements may be read.
 */
#include "analysis/transform/tree_reduce/tree_reduce.h"
#include "runtime/seeded.h"

struct use_walk {
  struct trees *t;
  const struct ir_var *var;
  bool seen;      /* a tree over the array stands in front */
  bool apart;     /* all its trees are statements of the kernel's own list */
  bool root;      /* only thread 0 is here */
  unsigned found; /* uses */
  const struct ir_expr *wrong;
};

static void walk(struct use_walk *w, struct ir_stmt *stmt);

bool tree_only_root(const struct trees *t, struct ir_expr *condition)
{
  struct ir_expr *test = ir_strip(condition);
  int64_t holds;

  if (test->kind == IR_EXPR_BINARY && test->op == IR_OP_LAND)
    return tree_only_root(t, test->operands[0]) || tree_only_root(t, test->operands[1]);
  for (int64_t thread = 0; thread < t->threads; thread++) {
    struct numbers v = tree_thread(t, thread);
    if (!number_of(&v, condition, &holds) || (holds != 0) != (thread == 0)) return false;
  }
  return true;
}

/* Is it element 0, for all threads that are here? */
static bool is_root(const struct use_walk *w, struct ir_expr *index)
{
  int64_t value;

  for (int64_t thread = 0; thread < (w->root ? 1 : w->t->threads); thread++) {
    struct numbers v = tree_thread(w->t, thread);
    if (!number_of(&v, index, &value) || value) return false;
  }
  return true;
}

static void walk_expr(struct use_walk *w, struct ir_expr *expr)
{
  struct ir_expr *index;

  if (!expr) return;
  expr = ir_strip(expr);
  bool stores = expr->kind == IR_EXPR_ASSIGN && expr->op == IR_OP_ASSIGN &&
                tree_element(expr->operands[0], &index) == w->var;
  if (stores) {
    w->found++;
    walk_expr(w, index);
    walk_expr(w, expr->operands[1]);
    return;
  }
  if (tree_element(expr, &index) == w->var) {
    w->found++;
    bool early = !w->seen && w->apart;
    if (!early && !is_root(w, index) && !SEEDED(TREE_LEAVES_READ)) w->wrong = expr;
    walk_expr(w, index);
    return;
  }
  for (unsigned i = 0; i < expr->operand_count; i++) walk_expr(w, expr->operands[i]);
}

static bool is_tree_of(const struct use_walk *w, const struct ir_stmt *stmt)
{
  for (unsigned i = 0; i < w->t->count; i++)
    for (unsigned s = 0; s < w->t->items[i].sum_count; s++)
      if (w->t->items[i].loop == stmt && w->t->items[i].sums[s].var == w->var) return true;
  return false;
}

static void walk_if(struct use_walk *w, struct ir_stmt *stmt)
{
  bool root = w->root;

  walk_expr(w, stmt->expr);
  w->root |= tree_only_root(w->t, stmt->expr);
  walk(w, stmt->body);
  w->root = root;
  walk(w, stmt->else_body);
}

static void walk(struct use_walk *w, struct ir_stmt *stmt)
{
  if (!stmt) return;
  if (is_tree_of(w, stmt)) {
    w->found += ir_count_var(stmt, w->var);
    w->seen = true;
    return;
  }
  if (stmt->kind == IR_STMT_IF) {
    walk_if(w, stmt);
    return;
  }
  walk(w, stmt->init);
  walk_expr(w, stmt->expr);
  walk_expr(w, stmt->increment);
  walk(w, stmt->body);
  for (unsigned i = 0; i < stmt->child_count; i++) walk(w, stmt->children[i]);
}

/* s[t] = x, by each thread with a leaf. */
static bool fills(const struct trees *t, const struct tree *tree, const struct ir_var *var,
                  const struct ir_stmt *stmt)
{
  struct ir_expr *store = stmt->kind == IR_STMT_EXPR ? ir_strip(stmt->expr) : NULL, *index;
  int64_t at;

  if (!store || store->kind != IR_EXPR_ASSIGN || store->op != IR_OP_ASSIGN ||
      tree_element(store->operands[0], &index) != var)
    return false;
  for (int64_t thread = 0; thread < tree->leaves; thread++) {
    struct numbers v = tree_thread(t, thread);
    if (!number_of(&v, index, &at) || at != thread) return false;
  }
  return true;
}

static bool is_filled(const struct use_walk *w, const struct tree *tree)
{
  bool filled = false;

  for (unsigned i = 0; tree->list->children[i] != tree->loop; i++) {
    const struct ir_stmt *child = tree->list->children[i];
    filled = !is_tree_of(w, child) && (filled || fills(w->t, tree, w->var, child));
  }
  return filled;
}

static bool fail(struct trees *t, const char *reason, const struct ir_place *place)
{
  if (!t->reason) {
    t->reason = reason;
    t->place = *place;
  }
  return false;
}

bool tree_uses_fit(struct trees *t, const struct ir_var *var)
{
  struct ir_function *kernel = t->code->facts.kernel;
  struct use_walk w = {.t = t, .var = var, .apart = true};
  bool first = true;

  for (unsigned i = 0; i < t->count; i++)
    if (is_tree_of(&w, t->items[i].loop)) w.apart &= t->items[i].list == kernel->body;
  for (unsigned i = 0; i < t->count; i++) {
    const struct tree *tree = &t->items[i];
    if (!is_tree_of(&w, tree->loop)) continue;
    if (!(first && tree->list == kernel->body) && !is_filled(&w, tree) &&
        !SEEDED(TREE_LEAVES_STALE))
      return fail(t, "not all threads store to its array in front of a tree", &tree->loop->place);
    first = false;
  }
  walk(&w, kernel->body);
  if (w.wrong)
    return fail(t, "other elements than the sum are read behind a tree", &w.wrong->place);
  if (w.found != ir_count_var(kernel->body, var) ||
      (var->is_dynamic_shared && kernel->dynamic_shared_count > 1))
    return fail(t, "its array is used otherwise than by elements", &var->place);
  return true;
}
