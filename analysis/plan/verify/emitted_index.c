/* SPDX-License-Identifier: MIT */
/* emitted_index.c - is an index inside an array that a transformation declared?
 *
 *     __shared__ float _s_a[2][16][36];  _s_a[1 - _b][k - _k][_ty + _y]     each below its extent
 *
 * A local may only take constants and forms of itself (_b = 0; ... _b = 1 - _b). Then it has one of
 * those values wherever the walk does not know which.
 */
#include "analysis/plan/verify/emitted_parts.h"

/* ---- locals that take turns ---- */

struct turning {
  struct look *look;
  const struct ir_var *var;
  struct value_set set;
  int64_t now;       /* the variable's value in `value_at` */
  bool other, grown; /* another value is assigned; the set became larger */
};

static bool value_at(const struct turning *t, const struct ir_expr *expr, int64_t *ret)
{
  const struct ir_expr *bare = ir_strip((struct ir_expr *)expr);
  int64_t a, b;

  if (ir_constant(bare, ret)) return true;
  if (bare->kind == IR_EXPR_VAR && bare->var == t->var) return *ret = t->now, true;
  if (bare->kind != IR_EXPR_BINARY || !value_at(t, bare->operands[0], &a) ||
      !value_at(t, bare->operands[1], &b))
    return false;
  switch (bare->op) {
  case IR_OP_ADD: *ret = a + b; return true;
  case IR_OP_SUB: *ret = a - b; return true;
  case IR_OP_XOR: *ret = a ^ b; return true;
  case IR_OP_REM: *ret = b ? a % b : 0; return b != 0;
  default: return false;
  }
}

static void add_value(struct turning *t, int64_t value)
{
  for (unsigned i = 0; i < t->set.count; i++)
    if (t->set.items[i] == value) return;
  t->grown = true;
  if (t->set.count == MOST_VALUES)
    t->other = true;
  else
    t->set.items[t->set.count++] = value;
}

static void take_value(struct turning *t, const struct ir_expr *from)
{
  int64_t value;
  unsigned count = t->set.count;

  if (value_at(t, from, &value) && !ir_expr_has_var((struct ir_expr *)from, t->var)) {
    add_value(t, value);
    return;
  }
  for (unsigned i = 0; i < count; i++) {
    t->now = t->set.items[i];
    if (value_at(t, from, &value))
      add_value(t, value);
    else
      t->other = true;
  }
  t->other |= !count && !ir_expr_has_var((struct ir_expr *)from, t->var);
}

static void take_assignment(struct ir_expr *expr, void *context)
{
  struct turning *t = context;

  if (ir_assigned_var(expr) != t->var) return;
  if (expr->kind == IR_EXPR_ASSIGN && expr->op == IR_OP_ASSIGN)
    take_value(t, expr->operands[1]);
  else
    t->other = true;
}

static bool take_initial(struct ir_stmt *stmt, void *context)
{
  struct turning *t = context;

  if (stmt->kind == IR_STMT_DECL && stmt->var == t->var && stmt->expr) take_value(t, stmt->expr);
  t->other |= stmt->loop && stmt->loop->iterator == t->var;
  return true;
}

static void look_value(struct look *l, struct ir_var *var)
{
  struct turning t = {.look = l, .var = var};

  if (var->kind != IR_VAR_LOCAL || var->type->kind != IR_TYPE_INT || !look_is_made(l, var) ||
      var->address_taken)
    return;
  do {
    t.grown = false;
    ir_visit_stmts(l->emitted->code->body, take_initial, &t);
    ir_visit_stmt_exprs(l->emitted->code->body, take_assignment, &t);
  } while (t.grown && !t.other);
  if (!t.other) l->values[var->id] = t.set;
}

void look_values(struct look *l)
{
  const struct ir_function *function = l->emitted->code;

  l->values = arena_alloc(l->arena, (function->var_count + 1) * sizeof *l->values);
  for (unsigned i = 0; i < function->var_count; i++) look_value(l, function->vars[i]);
}

/* ---- indices ---- */

/* 0 <= value <= last is proved, or certainly false, or neither. */
enum verdict { PROVED, WRONG, UNTOLD };

static enum verdict judge(struct look *l, struct walk *w, const struct value *value, int64_t last)
{
  isl_ctx *ctx = w->symbols->ctx;

  if (!value->aff || !w->domain) return UNTOLD;
  if (value_within(w->symbols, value, w->domain, isl_val_zero(ctx), isl_val_int_from_si(ctx, last)))
    return PROVED;
  if (value->term_count) return UNTOLD;
  isl_pw_aff *end = symbols_constant(w->symbols, last), *begin = symbols_constant(w->symbols, 0);
  isl_set *bad = isl_set_union(isl_pw_aff_gt_set(isl_pw_aff_copy(value->aff), end),
                               isl_pw_aff_lt_set(isl_pw_aff_copy(value->aff), begin));
  return look_happens(l, w, bad) ? WRONG : UNTOLD;
}

void look_index(struct look *l, struct walk *w, const struct address *address, int64_t elements,
                const struct ir_expr *expr)
{
  const struct ir_type *type = address->base->type;
  enum verdict all = PROVED;

  l->report->indices.all++;
  for (unsigned d = 0; d < address->count && address->shaped && all == PROVED;
       d++, type = type->element) {
    bool innermost = type->kind == IR_TYPE_ARRAY && type->element->kind != IR_TYPE_ARRAY;
    if (type->kind != IR_TYPE_ARRAY || type->extent < 0) {
      all = UNTOLD;
      break;
    }
    all = judge(l, w, &address->index[d], type->extent - (innermost ? elements : 1));
  }
  if (!address->shaped || type->kind == IR_TYPE_ARRAY) all = all == WRONG ? WRONG : UNTOLD;
  l->report->indices.proved += all == PROVED;
  if (all == WRONG)
    look_find(l, expr, "the index leaves '%s'", address->base->name);
  else if (all == UNTOLD)
    look_untold(l, expr, "index");
}

/* ---- stages of whole kernels ---- */

static const struct stage_access *stage_of(const struct look *l, const struct ir_expr *expr,
                                           const struct stage **ret)
{
  for (unsigned i = 0; i < l->emitted->stage_count; i++)
    for (unsigned k = 0; k < l->emitted->stages[i].access_count; k++)
      if (l->emitted->stages[i].accesses[k].expr == expr) {
        *ret = &l->emitted->stages[i];
        return &l->emitted->stages[i].accesses[k];
      }
  return NULL;
}

void look_stage(struct look *l, struct walk *w, const struct ir_expr *expr)
{
  const struct stage *stage = NULL;
  const struct stage_access *access = stage_of(l, expr, &stage);
  enum verdict all = PROVED;

  if (!access) return;
  l->report->indices.all++;
  for (unsigned d = 0; d < stage->dim_count && all == PROVED; d++) {
    bool plain =
        stage->dims[d].size > 0 && !stage->segmentation && !ir_has_effects(access->index[d]);
    struct value value = plain ? walk_value(w, access->index[d]) : (struct value){0};
    all = judge(l, w, &value, stage->dims[d].size - 1);
    value_free(&value);
  }
  l->report->indices.proved += all == PROVED;
  if (all == WRONG)
    look_find(l, expr, "its place in the copy of '%s' leaves the copy", stage->array->name);
  else if (all == UNTOLD)
    look_untold(l, expr, "index of a stage");
}
