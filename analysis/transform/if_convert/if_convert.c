/* SPDX-License-Identifier: MIT */
/* if_convert.c - an `if` on data with a store to the same element in both arms becomes one store of
 * a selected value.
 *
 *     if (x[i] > 0)                                float _v = x[i];
 *       y[i] = x[i];                       =>      y[i] = _v > 0 ? _v : 0;
 *     else
 *       y[i] = 0;
 *
 *     if (x[i] < y[i]) { y[i] = 0; m[i] = 1; }     float _v = x[i];
 *     else { y[i] = x[i]; m[i] = 2; }      =>      bool _c = _v < y[i];
 *                                                  y[i] = _c ? 0 : _v;
 *                                                  m[i] = _c ? 1 : 2;
 *
 * Requests of 16 bytes need an element with a single, unconditional store. And for ranges, a store
 * that happens in either case is a certain one. A chain of else-ifs is converted from its last `if`
 * outwards. Elements that both the condition and the arms' first stores load are loaded once.
 *
 * The thread stores the same values to the same elements in the same order as before. ?: evaluates
 * only the arm that the `if` would have run, so loads and divisions of an arm stay guarded. Each
 * value is converted to the element's type in its own arm, as before.
 * Requires: a condition on data, at least in part. A condition on indices alone stays: whole
 * threads (interior.c) run one of its arms without a test, and share loads that a selection would
 * guard (four rows of a stencil over three: 6 loads, selected 12).
 * Produces: the places in draft->formed. Costs: nothing, since nvcc makes one store of two. So the
 * form gains nothing by itself either, and the code is printed only where the model of another row
 * sees a gain in it.
 * Gives up with a remark: a condition, an index or a value has an effect of its own (it would be
 * evaluated in another order); the arms store to different elements, update them, or store to more
 * than four; the element is volatile; or no other row takes the kernel (kernel.c).
 */
#include "analysis/transform/if_convert/if_convert.h"

#include "analysis/code/loop.h"
#include "runtime/seeded.h"

enum { MOST_STORES = 4, MOST_SHARED = 4, MOST_DEPTH = 8 /* of locals that depend on locals */ };

struct arm {
  struct ir_expr *stores[MOST_STORES]; /* assignments to elements, in their order */
  unsigned count;                      /* number of all stores, also beyond MOST_STORES */
};

struct diamond {
  struct ir_stmt *stmt; /* the if */
  struct arm yes, no;
};

/* ---- find ---- */

static bool is_element(const struct ir_expr *target)
{
  const struct ir_var *holder = ir_holder(target);

  return target->kind == IR_EXPR_INDEX && target->type &&
         (target->type->kind == IR_TYPE_INT || target->type->kind == IR_TYPE_FLOAT ||
          target->type->kind == IR_TYPE_BOOL) &&
         (!holder || holder->kind == IR_VAR_VS || holder->kind == IR_VAR_DEVICE);
}

/* Does the statement only assign to elements of memory that other threads see? */
static bool find_stores(struct ir_stmt *stmt, struct arm *ret)
{
  if (stmt->kind == IR_STMT_NULL) return true;
  if (stmt->kind == IR_STMT_BLOCK) {
    for (unsigned i = 0; i < stmt->child_count; i++)
      if (!find_stores(stmt->children[i], ret)) return false;
    return true;
  }
  struct ir_expr *store = stmt->kind == IR_STMT_EXPR ? ir_strip(stmt->expr) : NULL;
  if (!store || store->kind != IR_EXPR_ASSIGN || !is_element(ir_strip(store->operands[0])))
    return false;
  if (ret->count < MOST_STORES) ret->stores[ret->count] = store;
  ret->count++;
  return true;
}

static struct ir_expr *target_of_store(const struct ir_expr *store)
{
  return ir_strip(store->operands[0]);
}

static const struct ir_var *array_of(const struct ir_expr *store)
{
  const struct ir_expr *array = target_of_store(store);

  while (array->kind == IR_EXPR_INDEX) array = ir_strip(array->operands[0]);
  return array->kind == IR_EXPR_VAR ? array->var : NULL;
}

/* Is it an `if` with stores to elements in both arms, the first ones to the same array? */
static bool find_diamond(struct ir_stmt *stmt, struct diamond *ret)
{
  *ret = (struct diamond){.stmt = stmt};
  return stmt->kind == IR_STMT_IF && stmt->body && stmt->else_body &&
         find_stores(stmt->body, &ret->yes) && find_stores(stmt->else_body, &ret->no) &&
         ret->yes.count && ret->no.count && array_of(ret->yes.stores[0]) &&
         array_of(ret->yes.stores[0]) == array_of(ret->no.stores[0]);
}

/* ---- conditions on data ---- */

struct data_search {
  struct code *code;
  unsigned depth;
  bool found;
};

static void note_data(struct ir_expr *expr, void *context);

static bool local_has_data(struct data_search *s, const struct ir_var *var)
{
  struct ir_expr *value = code_value_of(s->code, var);
  struct data_search inside = {s->code, s->depth + 1, false};

  if (!value || inside.depth > MOST_DEPTH) return !loop_counts(s->code->facts.kernel->body, var);
  ir_visit_expr(value, note_data, &inside);
  return inside.found;
}

static void note_data(struct ir_expr *expr, void *context)
{
  struct data_search *s = context;

  if (expr->kind == IR_EXPR_VAR)
    s->found |= expr->var->kind == IR_VAR_LOCAL
                    ? local_has_data(s, expr->var)
                    : expr->var->kind != IR_VAR_PARAM || expr->var->write_count > 0;
  else
    s->found |= expr->kind == IR_EXPR_INDEX || (expr->kind == IR_EXPR_MEMBER && expr->is_arrow) ||
                (expr->kind == IR_EXPR_UNARY && expr->op == IR_OP_DEREF) ||
                (expr->kind == IR_EXPR_CALL && expr->effect != IR_EFFECT_NONE);
}

/* Does the condition depend on more than indices, iterators and scalars of the launch? */
static bool asks_data(struct code *code, struct ir_expr *condition)
{
  struct data_search s = {code, 0, false};

  ir_visit_expr(condition, note_data, &s);
  return s.found;
}

/* ---- legal ---- */

/* Why the two stores cannot be one. NULL: they can. */
static const char *pair_reason(const struct ir_expr *yes, const struct ir_expr *no)
{
  struct ir_expr *target = target_of_store(yes);

  if (yes->op != IR_OP_ASSIGN || no->op != IR_OP_ASSIGN) return "an arm updates its element";
  if (!ir_same_expr(target, target_of_store(no)) && !SEEDED(ARMS_APART))
    return "the arms of its condition store to different elements";
  if (target->type->is_volatile) return "the element is volatile";
  if (ir_has_effects(target)) return "an index has an effect of its own";
  if (ir_has_effects(yes->operands[1]) || ir_has_effects(no->operands[1]))
    return "a value has an effect of its own";
  return NULL;
}

/* Why it cannot be converted. NULL: it can. */
static const char *reason_of(const struct diamond *d)
{
  if (ir_has_effects(d->stmt->expr)) return "its condition has an effect of its own";
  if (d->yes.count != d->no.count) return "the arms of its condition store to different elements";
  if (d->yes.count > MOST_STORES) return "its arms store to more than four elements";
  for (unsigned k = 0; k < d->yes.count; k++) {
    const char *reason = pair_reason(d->yes.stores[k], d->no.stores[k]);
    if (reason) return reason;
  }
  return NULL;
}

/* ---- build ---- */

static void note_memory(struct ir_expr *expr, void *context)
{
  bool *reads = context;

  switch (expr->kind) {
  case IR_EXPR_VAR:
    *reads |= (expr->var->kind != IR_VAR_LOCAL && expr->var->kind != IR_VAR_PARAM) ||
              expr->var->address_taken || expr->var->type->kind == IR_TYPE_REFERENCE;
    break;
  case IR_EXPR_UNARY: *reads |= expr->op == IR_OP_DEREF; break;
  case IR_EXPR_INT:
  case IR_EXPR_LITERAL:
  case IR_EXPR_BUILTIN:
  case IR_EXPR_PAREN:
  case IR_EXPR_CONVERT:
  case IR_EXPR_CAST:
  case IR_EXPR_BINARY: break;
  default: *reads = true; break;
  }
}

/* Keeps a condition that the first of several stores may change in a local. Other conditions are
 * evaluated for each store, because analyses know their facts about thread indices. */
static struct ir_expr *kept_condition(struct code *code, struct ir_expr *condition,
                                      struct ir_list *out)
{
  bool reads = false;

  ir_visit_expr(condition, note_memory, &reads);
  if (!reads || SEEDED(ARMS_CONDITION_AGAIN)) return condition;
  struct ir_var *kept = code_local(code, "_c", ir_bool_type());
  ir_list_add(code->arena, out, ir_build_decl(code->arena, kept, condition));
  return ir_build_var(code->arena, kept);
}

struct sharing { /* the loads that a condition and the values behind it share */
  struct code *code;
  struct ir_expr *values[2]; /* the values that it selects */
  struct ir_list *out;       /* declarations of locals for the loads */
  struct ir_expr *loads[MOST_SHARED];
  struct ir_var *vars[MOST_SHARED];
  unsigned count;
};

struct use_search {
  const struct ir_expr *load;
  bool found;
};

static void note_use(struct ir_expr *expr, void *context)
{
  struct use_search *s = context;
  s->found |= expr->kind == IR_EXPR_INDEX && ir_same_expr(expr, s->load);
}

static bool is_loaded_again(const struct sharing *s, const struct ir_expr *load)
{
  struct use_search search = {load, false};

  for (unsigned i = 0; i < 2; i++) ir_visit_expr(s->values[i], note_use, &search);
  return search.found;
}

static struct ir_var *shared_load(const struct sharing *s, const struct ir_expr *load)
{
  for (unsigned i = 0; i < s->count; i++)
    if (ir_same_expr(s->loads[i], load)) return s->vars[i];
  return NULL;
}

/* Shares loads that happen whenever the condition is evaluated. */
static void share_loads(struct sharing *s, struct ir_expr *expr)
{
  struct arena *arena = s->code->arena;
  bool chooses = expr->kind == IR_EXPR_COND ||
                 (expr->kind == IR_EXPR_BINARY &&
                  (expr->op == IR_OP_LAND || expr->op == IR_OP_LOR) && !SEEDED(ARMS_LOAD_EARLY));

  if (is_element(expr) && !expr->type->is_volatile && s->count < MOST_SHARED &&
      !shared_load(s, expr) && is_loaded_again(s, expr)) {
    struct ir_var *var = code_local(s->code, "_v", ir_plain_type(arena, expr->type));
    ir_list_add(arena, s->out, ir_build_decl(arena, var, expr));
    s->loads[s->count] = expr;
    s->vars[s->count++] = var;
    return;
  }
  for (unsigned i = 0; i < (chooses ? 1 : expr->operand_count); i++)
    share_loads(s, expr->operands[i]);
}

static struct ir_expr *replace_load(struct ir_rewriter *r, struct ir_expr *expr)
{
  struct ir_var *var = expr->kind == IR_EXPR_INDEX ? shared_load(r->context, expr) : NULL;
  return var ? ir_build_var(r->arena, var) : NULL;
}

/* The joined store; each value is converted in its own arm. */
static struct ir_stmt *joined(struct arena *arena, struct ir_expr *target,
                              struct ir_expr *condition, struct ir_expr *yes, struct ir_expr *no)
{
  struct ir_expr *value = ir_build_cond(arena, condition, yes, no);

  value->type = ir_plain_type(arena, ir_strip(target)->type);
  return ir_build_expr_stmt(arena, ir_build_assign(arena, target, value));
}

/* Handles one store, in the place of an `if` that is no arm of another converted one: elements that
 * its condition and its values load are loaded once. */
static void share_in_store(struct code *code, struct ir_stmt *stmt)
{
  struct arena *arena = code->arena;
  struct ir_expr *store = stmt->expr, *value = store->operands[1];
  struct ir_list out = {0};
  struct sharing sharing = {
      .code = code, .values = {value->operands[1], value->operands[2]}, .out = &out};
  struct ir_rewriter rewriter = {arena, replace_load, &sharing};

  share_loads(&sharing, value->operands[0]);
  if (!sharing.count) return;
  value = ir_rewrite_expr(&rewriter, value);
  ir_list_add(arena, &out,
              ir_build_expr_stmt(arena, ir_build_assign(arena, store->operands[0], value)));
  *stmt = *ir_build_block(arena, &out);
}

/* Joins several stores. The first one may share loads with the condition; the others stand behind
 * it. */
static struct ir_stmt *join_several(struct code *code, const struct diamond *d)
{
  struct arena *arena = code->arena;
  struct ir_list out = {0};
  struct sharing sharing = {.code = code,
                            .values = {d->yes.stores[0]->operands[1], d->no.stores[0]->operands[1]},
                            .out = &out};
  struct ir_rewriter rewriter = {arena, replace_load, &sharing};

  share_loads(&sharing, d->stmt->expr);
  struct ir_expr *condition = kept_condition(code, ir_rewrite_expr(&rewriter, d->stmt->expr), &out);
  for (unsigned k = 0; k < d->yes.count; k++) {
    struct ir_expr *yes = d->yes.stores[k]->operands[1], *no = d->no.stores[k]->operands[1];
    bool shares = k == 0 || SEEDED(ARMS_LOAD_STALE);
    ir_list_add(arena, &out,
                joined(arena, d->yes.stores[k]->operands[0], condition,
                       shares ? ir_rewrite_expr(&rewriter, yes) : yes,
                       shares ? ir_rewrite_expr(&rewriter, no) : no));
  }
  return ir_build_body(arena, &out);
}

/* ---- all ifs, the inner ones first ---- */

static void decline(struct code *code, const struct diamond *d, const char *reason)
{
  const char *array = array_of(d->yes.stores[0])->name;

  code_decide(code,
              (struct decision){
                  .kind = DECISION_FORM, .place = d->stmt->place, .array = array, .why = reason});
  code_remark(code, DIAG_IF_KEPT, &d->stmt->place,
              "'%s' does not get one store to '%s' for those in both arms of an if: %s",
              code->kernel->name, array, reason);
}

static void note_form(struct draft *draft, const struct diamond *d)
{
  const char *array = array_of(d->yes.stores[0])->name;

  *ARENA_PUSH(draft->code.arena, &draft->formed) = (struct formed){
      d->stmt->place, DIAG_IF_CONVERTED, DIAG_IF_KEPT, array,
      arena_format(draft->code.arena, "one store to '%s' for those in both arms of an if", array)};
}

struct converting {
  struct draft *draft;
  LIST_OF(struct ir_stmt *) made; /* stores in the places of ifs that are no arms of others */
};

static struct ir_stmt *convert_if(struct converting *c, const struct diamond *d, unsigned before)
{
  struct code *code = &c->draft->code;

  note_form(c->draft, d);
  c->made.count = before;
  if (d->yes.count > 1) return join_several(code, d);
  const struct ir_expr *yes = d->yes.stores[0], *no = d->no.stores[0];
  return *ARENA_PUSH(code->arena, &c->made) = joined(code->arena, yes->operands[0], d->stmt->expr,
                                                     yes->operands[1], no->operands[1]);
}

static struct ir_stmt *convert_stmt(struct converting *c, struct ir_stmt *stmt)
{
  unsigned before = c->made.count;
  struct diamond found;

  if (!stmt) return NULL;
  struct ir_stmt *copy = ir_copy_stmt(c->draft->code.arena, stmt), **below;
  for (unsigned i = 0; (below = ir_below(copy, i)); i++) *below = convert_stmt(c, *below);
  if (!find_diamond(copy, &found) || !asks_data(&c->draft->code, stmt->expr)) return copy;
  const char *reason = reason_of(&found);
  if (!reason) return convert_if(c, &found, before);
  decline(&c->draft->code, &found, reason);
  return copy;
}

unsigned if_convert(struct draft *draft)
{
  struct code *code = &draft->code;
  struct converting c = {.draft = draft};
  struct ir_stmt *body = convert_stmt(&c, code->facts.kernel->body);

  for (unsigned i = 0; i < c.made.count; i++) share_in_store(code, c.made.items[i]);
  if (draft->formed.count) code->facts.kernel->body = body;
  return draft->formed.count;
}

bool plan_if_convert(struct draft *draft)
{
  if (!if_convert(draft)) return false;
  draft_own_body(draft);
  return true;
}
