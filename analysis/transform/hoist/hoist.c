/* SPDX-License-Identifier: MIT */
/* hoist.c - loads that every iteration of a loop repeats are made once, in front of the loop.
 *
 *     for (c = 0; c < k; c++)
 *       for (d = 0; d < 16; d++) sum += p[i * 16 + d] * q[c];
 *       =>
 *     float _r_p[16];
 *     if (0 < k)
 *       for (d = 0; d < 16; d++) _r_p[d] = p[i * 16 + d];
 *     for (c = 0; c < k; c++)
 *       for (d = 0; d < 16; d++) sum += _r_p[d] * q[c];
 *
 * If the loop's iterator and that of a short loop shift the address alike, an iteration only loads
 * the elements that the previous one did not:
 *
 *     for (i = 1; i < n; i++)
 *       for (x = 0; x < 3; x++) sum += p[i + x - 1] * w[x];
 *       =>
 *     if (1 < n) { _r_p[1] = p[0]; _r_p[2] = p[1]; }
 *     for (i = 1; i < n; i++) {
 *       _r_p[0] = _r_p[1]; _r_p[1] = _r_p[2]; _r_p[2] = p[i + 1];
 *       for (x = 0; x < 3; x++) sum += _r_p[x] * _r_w[x];
 *     }
 *
 * The compiler of the emitted code does this only if it can tell that no store and no barrier in
 * the loop changes the loaded memory. Where the launches prove that the kernel does not write the
 * array, nothing changes it. An element's address may consist of values that the loop does not
 * change and of iterators of short inner loops; those are unrolled, so that the elements are in
 * registers. The loop's first iteration must make the load in any case: no condition and no jump is
 * in front of it. A loop that may run zero times is tested first. Requires: a scan. Gives up per
 * load, without a remark: it stays where it is.
 */
#include "analysis/transform/hoist/hoisting.h"

#include "analysis/code/reuse.h"
#include "runtime/seeded.h"

enum { WORDS = 32 /* of a load */, ALL_WORDS = 64, MOST_ACCESSES = 400 };

/* ---- the address ---- */

struct address_search {
  const struct hoisting *h;
  bool fails, iterates, used[MOST_DIMS + 1];
  const struct ir_expr *element;
};

struct change_search {
  const struct ir_var *var;
  bool found;
};

static void note_change(struct ir_expr *expr, void *context)
{
  struct change_search *s = context;
  s->found |= ir_assigned_var(expr) == s->var;
}

static bool note_decl(struct ir_stmt *stmt, void *context)
{
  struct change_search *s = context;
  s->found |= stmt->kind == IR_STMT_DECL && stmt->var == s->var;
  return true;
}

static bool changes(struct ir_stmt *loop, const struct ir_var *var)
{
  struct change_search s = {var, loop->loop->iterator == var};

  ir_visit_stmt_exprs(loop, note_change, &s);
  ir_visit_stmts(loop, note_decl, &s);
  return s.found;
}

static void note_variable(struct address_search *s, const struct ir_var *var)
{
  bool local = var->kind == IR_VAR_LOCAL || var->kind == IR_VAR_PARAM;

  for (unsigned i = 0; i < s->h->depth; i++)
    if (s->h->inside[i]->loop->iterator == var) {
      s->used[i] = true;
      return;
    }
  if (var == s->h->loop->loop->iterator && s->h->loop->loop->declared)
    s->iterates = true;
  else if (local)
    s->fails |=
        var->address_taken || var->type->kind == IR_TYPE_REFERENCE || changes(s->h->loop, var);
  else
    s->fails |= !(var->type->kind == IR_TYPE_ARRAY || var->has_value);
}

static void note_part(struct ir_expr *expr, void *context)
{
  struct address_search *s = context;

  switch (expr->kind) {
  case IR_EXPR_VAR: note_variable(s, expr->var); break;
  case IR_EXPR_INDEX: s->fails |= expr != s->element && expr->type->kind != IR_TYPE_ARRAY; break;
  case IR_EXPR_UNARY:
    s->fails |= ir_is_step(expr) || expr->op == IR_OP_DEREF || expr->op == IR_OP_ADDRESS;
    break;
  case IR_EXPR_INT:
  case IR_EXPR_BUILTIN:
  case IR_EXPR_PAREN:
  case IR_EXPR_CONVERT:
  case IR_EXPR_CAST:
  case IR_EXPR_BINARY: break;
  default: s->fails = true; break;
  }
}

/* ---- loads ---- */

static bool is_number(const struct ir_type *type)
{
  return (type->kind == IR_TYPE_INT || type->kind == IR_TYPE_FLOAT) && type->size >= 4 &&
         type->size <= 8 && !type->is_volatile;
}

static struct load *known_load(struct hoisting *h, const struct ir_expr *expr,
                               const struct load *like)
{
  for (unsigned i = 0; i < h->count; i++) {
    bool same =
        ir_same_expr(h->loads[i].found->expr, expr) && h->loads[i].loop_count == like->loop_count;
    for (unsigned k = 0; same && k < like->loop_count; k++)
      same = h->loads[i].loops[k] == like->loops[k];
    if (same) return &h->loads[i];
  }
  return NULL;
}

/* The step of the form with the iterator. False: it is not known. */
static bool step_with(isl_pw_aff *form, const struct ir_var *iterator, int64_t *ret)
{
  *ret = 0;
  isl_aff *aff = value_plain(form);
  if (!aff) return false;
  isl_space *space = isl_aff_get_domain_space(aff);
  bool known = true;
  for (int i = 0; known && i < isl_aff_dim(aff, isl_dim_param); i++) {
    const struct symbol *symbol = symbol_of_param(space, (unsigned)i);
    isl_val *by = isl_aff_get_coefficient_val(aff, isl_dim_param, i);
    bool counts = isl_val_is_zero(by) == isl_bool_false;
    known = !counts || (symbol->kind != SYMBOL_UNKNOWN && isl_val_is_int(by) == isl_bool_true);
    if (known && counts && symbol->kind == SYMBOL_LOOP && symbol->var == iterator)
      *ret += isl_val_get_num_si(by);
    isl_val_free(by);
  }
  isl_space_free(space);
  isl_aff_free(aff);
  return known;
}

/* Does the next iteration access the element of the short loop's next iteration? */
static bool shifts_alike(const struct access *access, const struct ir_var *iterator,
                         const struct ir_var *inner)
{
  bool moves = false;

  for (unsigned d = 0; d < access->dim_count; d++)
    for (unsigned t = 0; t <= access->index[d].term_count; t++) {
      isl_pw_aff *form = t ? access->index[d].terms[t - 1].coefficient : access->index[d].aff;
      int64_t by, with;
      if (!step_with(form, iterator, &by) || !step_with(form, inner, &with) || by != with)
        return false;
      moves |= by != 0;
    }
  return moves;
}

static bool goes_by_one(const struct ir_loop *loop)
{
  return loop->step == 1 && !loop->step_expr &&
         (loop->relation == IR_OP_LT || loop->relation == IR_OP_LE);
}

static int carried_by(const struct hoisting *h, const struct load *load)
{
  int64_t first, trips;

  for (unsigned i = 0; i < load->loop_count && goes_by_one(h->loop->loop); i++)
    if (reuse_short_loop(load->loops[i], &first, &trips) && trips > 1 &&
        shifts_alike(load->found->access, h->loop->loop->iterator, load->loops[i]->loop->iterator))
      return (int)i;
  return -1;
}

static bool describe_load(const struct hoisting *h, const struct code_access *found,
                          struct load *ret)
{
  struct address_search s = {.h = h, .element = found->expr};
  int64_t first, trips;

  *ret =
      (struct load){.found = found, .carried = -1, .words = (found->array->element->size + 3) / 4};
  if (found->expr->kind != IR_EXPR_INDEX || found->access->write || found->access->partial ||
      found->access->has_effects || !is_number(found->array->element) || found->array->reject ||
      found->array->var->is_constant_memory || !code_read_only(h->code, found->array))
    return false;
  ir_visit_expr((struct ir_expr *)found->expr, note_part, &s);
  for (unsigned i = 0; i < h->depth && !s.fails; i++) {
    if (!s.used[i]) continue;
    if (ret->loop_count == MOST_DIMS || !reuse_short_loop(h->inside[i], &first, &trips))
      return false;
    ret->loops[ret->loop_count++] = h->inside[i];
    ret->words *= trips;
  }
  if (s.iterates && h->carries) ret->carried = carried_by(h, ret);
  return !s.fails && (!s.iterates || ret->carried >= 0);
}

static void note_load(struct hoisting *h, const struct ir_expr *expr)
{
  const struct code_access *found = code_access_of(h->code, expr);
  struct load load;

  if (!found || !describe_load(h, found, &load) || known_load(h, expr, &load) ||
      h->count == MOST_LOADS || load.words > WORDS || h->words + load.words > ALL_WORDS)
    return;
  h->words += load.words;
  h->loads[h->count++] = load;
}

/* Notes the loads that happen whenever the expression is evaluated. */
static void note_loads(struct hoisting *h, const struct ir_expr *expr)
{
  unsigned count = expr ? expr->operand_count : 0;

  if (!expr) return;
  note_load(h, expr);
  if (expr->kind == IR_EXPR_COND ||
      (expr->kind == IR_EXPR_BINARY && (expr->op == IR_OP_LAND || expr->op == IR_OP_LOR)))
    count = 1;
  for (unsigned i = 0; i < count; i++) note_loads(h, expr->operands[i]);
}

static bool is_short(const struct ir_stmt *stmt)
{
  int64_t first, trips;
  return reuse_short_loop(stmt, &first, &trips) && stmt->loop->declared && stmt->loop->step == 1;
}

static void note_stmt(struct hoisting *h, struct ir_stmt *stmt)
{
  if (!stmt) return;
  switch (stmt->kind) {
  case IR_STMT_EXPR:
  case IR_STMT_DECL: note_loads(h, stmt->expr); break;
  case IR_STMT_IF: note_loads(h, stmt->expr); break;
  case IR_STMT_FOR:
    if (h->depth > MOST_DIMS || !is_short(stmt)) break;
    h->inside[h->depth++] = stmt;
    note_stmt(h, stmt->body);
    h->depth--;
    break;
  case IR_STMT_BLOCK:
  case IR_STMT_DECLS:
    for (unsigned i = 0; i < stmt->child_count; i++) note_stmt(h, stmt->children[i]);
    break;
  default: break;
  }
}

/* ---- the loop ---- */

static bool note_jump(struct ir_stmt *stmt, void *context)
{
  *(bool *)context |= stmt->kind == IR_STMT_BREAK || stmt->kind == IR_STMT_CONTINUE ||
                      stmt->kind == IR_STMT_RETURN || stmt->kind == IR_STMT_SWITCH;
  return true;
}

/* Has the loop more than one iteration at some time? *ret_asks: it may have none. */
static bool repeats(struct ir_stmt *stmt, bool *ret_asks)
{
  const struct ir_loop *loop = stmt->loop;
  int64_t first, trips;
  bool jumps = false;

  if (stmt->kind != IR_STMT_FOR || !loop || !loop->lower || !stmt->expr ||
      ir_strip(stmt->expr)->kind != IR_EXPR_BINARY || ir_has_effects(loop->bound) ||
      ir_has_effects(loop->lower))
    return false;
  ir_visit_stmts(stmt->body, note_jump, &jumps);
  if (jumps) return false;
  if (reuse_short_loop(stmt, &first, &trips)) {
    *ret_asks = false;
    return trips > 1;
  }
  *ret_asks = true;
  return true;
}

/* The loop's condition for its first value. NULL: it cannot be given. */
static struct ir_expr *first_condition(struct arena *arena, const struct ir_stmt *stmt)
{
  const struct ir_loop *loop = stmt->loop;
  struct ir_expr *written = ir_strip(stmt->expr);
  unsigned at = ir_expr_has_var(written->operands[0], loop->iterator) ? 0 : 1;

  if (ir_strip(written->operands[at])->kind != IR_EXPR_VAR ||
      ir_expr_has_var(written->operands[1 - at], loop->iterator))
    return NULL;
  struct ir_expr *condition = ARENA_NEW(arena, struct ir_expr);
  *condition = *written;
  condition->operands = arena_alloc(arena, 2 * sizeof *condition->operands);
  condition->operands[at] = code_cast_value(arena, loop->iterator, loop->lower);
  condition->operands[1 - at] = written->operands[1 - at];
  return condition;
}

/* Is each load at only one place? The same load under another short loop has other values; then
 * none of them is kept. */
static bool one_place_each(struct hoisting *h)
{
  for (unsigned i = 0; i < h->count; i++)
    for (unsigned k = 0; k < i; k++)
      if (ir_same_expr(h->loads[i].found->expr, h->loads[k].found->expr)) return false;
  return true;
}

struct store_search {
  struct code *code;
  bool found;
};

/* Does the function write through one of its parameters? */
static bool writes_arguments(struct effects *effects, struct ir_function *function)
{
  const struct function_effects *known = effects_of(effects, function);

  for (unsigned i = 0; i < function->param_count; i++)
    if (known->params[i] & EFFECT_WRITE) return true;
  return false;
}

static void note_store(struct ir_expr *expr, void *context)
{
  struct store_search *s = context;

  if (expr->kind == IR_EXPR_ASSIGN || ir_is_step(expr))
    s->found |= ir_strip(expr->operands[0])->kind != IR_EXPR_VAR;
  if (expr->kind != IR_EXPR_CALL) return;
  s->found |=
      !effects_pure(s->code->effects, expr) ||
      (expr->effect == IR_EFFECT_CALLEE && writes_arguments(s->code->effects, expr->callee));
}

/* May code in the loop write memory? Otherwise nvcc hoists the loads, too. */
static bool stores(struct code *code, struct ir_stmt *loop)
{
  struct store_search s = {code, false};

  ir_visit_stmt_exprs(loop, note_store, &s);
  return s.found;
}

static bool hoist_from(struct hoisting *h, struct ir_list *out)
{
  struct arena *arena = h->code->arena;
  struct ir_list fetches = {0};
  bool asks = true;

  if (!repeats(h->loop, &asks)) return false;
  note_stmt(h, h->loop->body);
  struct ir_expr *condition = asks ? first_condition(arena, h->loop) : NULL;
  if (!h->count || !one_place_each(h) || (asks && !condition)) return false;
  h->code->keeps_more |= stores(h->code, h->loop);
  for (unsigned i = 0; i < h->count; i++) {
    hoist_declare(h, &h->loads[i], out);
    h->code->keeps_more |=
        h->loads[i].loop_count > 0 || h->loads[i].found->array->var->kind != IR_VAR_PARAM;
    ir_list_add(arena, &fetches, hoist_fetch(h, &h->loads[i]));
    code_decide(h->code,
                (struct decision){.kind = DECISION_REGISTERS,
                                  .taken = true,
                                  .place = h->loop->place,
                                  .array = h->loads[i].found->array->var->name,
                                  .what = h->loads[i].loop_count
                                              ? "elements that every iteration loads again are "
                                                "kept in registers over the loop"
                                              : "an element that every iteration loads again is "
                                                "kept in a register over the loop"});
    code_remark(h->code, DIAG_PROMOTED, &h->loop->place,
                "%s of '%s' %s kept in %s over this loop of '%s'",
                h->loads[i].loop_count ? "elements" : "an element",
                h->loads[i].found->array->var->name, h->loads[i].loop_count ? "are" : "is",
                h->loads[i].loop_count ? "registers" : "a register", h->code->kernel->name);
  }
  bool asked = condition && !SEEDED(HOISTED_UNASKED);
  if (asked)
    ir_list_add(arena, out, ir_build_if(arena, condition, ir_build_block(arena, &fetches)));
  for (unsigned i = 0; i < fetches.items.count && !asked; i++)
    ir_list_add(arena, out, fetches.items.items[i]);
  ir_list_add(arena, out, hoist_rebuilt_loop(h));
  return true;
}

/* ---- all loops, the outer ones first ---- */

static struct ir_stmt *hoist_stmt(struct code *code, bool carries, struct ir_stmt *stmt,
                                  unsigned *count)
{
  struct ir_list out = {0};

  if (!stmt || stmt->kind == IR_STMT_SWITCH) return stmt;
  struct hoisting h = {.code = code, .loop = stmt, .carries = carries};
  if (stmt->kind == IR_STMT_FOR && hoist_from(&h, &out)) {
    *count += h.count;
    return ir_build_block(code->arena, &out);
  }
  struct ir_stmt *copy = ir_copy_stmt(code->arena, stmt), **below;
  for (unsigned i = 0; (below = ir_below(copy, i)); i++)
    *below = hoist_stmt(code, carries, *below, count);
  return copy;
}

unsigned hoist_loads(struct code *code, bool carries)
{
  unsigned count = 0;

  code_scan(code);
  if (code->access.reject || code->access.has_fence || code->access_count > MOST_ACCESSES) return 0;
  struct ir_stmt *body = hoist_stmt(code, carries, code->facts.kernel->body, &count);
  if (!count) return 0;
  code->facts.kernel->body = body;
  code_drop_scan(code);
  return count;
}

static void own_body(struct code *code)
{
  code_drop_scan(code);
  ir_own_body(code->arena, code->facts.kernel);
}

/* The code with the loads that all iterations share in front of its loops, but without values that
 * an iteration carries to the next one. */
static struct ir_function *steady_code(const struct code *code, struct ir_function *before)
{
  struct remarks unused = {0};
  struct code steady = *code;

  steady.scanned = false;
  steady.remarks = &unused;
  steady.facts.kernel = before;
  if (hoist_loads(&steady, false)) own_body(&steady);
  code_drop_scan(&steady);
  return steady.facts.kernel;
}

bool plan_hoist(struct draft *draft)
{
  struct code *code = &draft->code;
  struct ir_function *before = ir_copy_function(code->arena, code->facts.kernel);
  struct remarks *remarks = code->remarks;
  unsigned said[2] = {remarks->items.count, remarks->decisions.count};
  unsigned hoisted = hoist_loads(code, true);

  if (hoisted && !draft->promoted && !code->carries && !code->keeps_more) {
    draft->bare = before;
    draft->hoists_said[0] = (struct said){said[0], remarks->items.count};
    draft->hoists_said[1] = (struct said){said[1], remarks->decisions.count};
  }
  if (hoisted) own_body(code);
  if (code->carries) code->steady = steady_code(code, before);
  draft->promoted += hoisted;
  draft->hoisted = hoisted > 0;
  return hoisted > 0;
}
