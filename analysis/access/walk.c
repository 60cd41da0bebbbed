/* SPDX-License-Identifier: MIT */
/* walk.c - walks a kernel and collects its accesses with their domains.
 *
 *     int i = blockDim.x * blockIdx.x + threadIdx.x;
 *     if (i >= n) return;
 *     for (int k = 0; k < 8; k++) s += a[i * 8 + k];
 *   =>
 *     a read [1024 blockIdx.x + 8 threadIdx.x + k]  domain { 0 <= k < 8 and 128 blockIdx.x +
 *         threadIdx.x < n }  count 8 * 1/2
 *
 * Local integers and pointers hold their symbolic values along the way. A variable that a loop or
 * an undecided branch assigns becomes unknown. Requires: IR of a kernel with a body. Produces:
 * struct kernel_access. Gives up per array or kernel with a reason.
 */
#include "analysis/access/meeting.h"
#include "analysis/access/walk.h"
#include "runtime/seeded.h"

#include <string.h>

/* ---- frames ---- */

struct frame walk_frame_create(struct walk *w, const struct ir_function *function)
{
  struct frame frame = {function, NULL, NULL};

  frame.values = arena_alloc(w->symbols->arena, (function->var_count + 1) * sizeof *frame.values);
  frame.pointers =
      arena_alloc(w->symbols->arena, (function->var_count + 1) * sizeof *frame.pointers);
  return frame;
}

static void drop_pointer(struct address **pointer)
{
  if (*pointer && (*pointer)->shared)
    (*pointer)->shared--;
  else if (*pointer)
    address_free(*pointer);
  *pointer = NULL;
}

void walk_frame_finish(struct frame *frame)
{
  for (unsigned i = 0; i < frame->function->var_count; i++) {
    value_free(&frame->values[i]);
    drop_pointer(&frame->pointers[i]);
  }
}

const struct address *walk_pointer(const struct walk *w, const struct ir_var *var)
{
  static const struct address unknown;
  const struct address *pointer = w->frame->pointers[var->id];

  return pointer ? pointer : &unknown;
}

void walk_set_pointer(struct walk *w, const struct ir_var *var, struct address address)
{
  struct address **pointer = &w->frame->pointers[var->id];

  drop_pointer(pointer);
  *pointer = ARENA_NEW(w->symbols->arena, struct address);
  **pointer = address;
  (*pointer)->shared = 0;
}

static struct frame copy_frame(struct walk *w)
{
  struct frame copy = walk_frame_create(w, w->frame->function);

  for (unsigned i = 0; i < copy.function->var_count; i++) {
    copy.values[i] = value_copy(&w->frame->values[i]);
    copy.pointers[i] = w->frame->pointers[i];
    if (copy.pointers[i]) copy.pointers[i]->shared++;
  }
  return copy;
}

static void swap_frame(struct walk *w, struct frame *other)
{
  struct frame held = *w->frame;
  *w->frame = *other;
  *other = held;
}

/* Notes the target of a pointer that is no longer followed: it may still lead there. */
static void lose_pointer(struct walk *w, const struct address *address)
{
  struct kernel_access *out = w->out;

  if (!address || !address->base || address->local || SEEDED(LOST_POINTER_IGNORED)) return;
  for (unsigned i = 0; i < out->lost.count; i++)
    if (out->lost.items[i] == address->base) return;
  *ARENA_PUSH(w->symbols->arena, &out->lost) = address->base;
}

static void forget_var(struct walk *w, struct ir_var *var)
{
  if (!var || !walk_owns(w, var)) return;
  if (walk_tracked(var))
    walk_assign_var(w, var, NULL, (struct value){0});
  else if (walk_tracked_pointer(var)) {
    lose_pointer(w, w->frame->pointers[var->id]);
    drop_pointer(&w->frame->pointers[var->id]);
  }
}

/* State of forgetting: each variable is forgotten once, however often a loop or a branch assigns
 * it. */
struct forgetting {
  struct walk *walk;
  bool *done; /* by variable id */
};

static void forget_assigned(struct ir_expr *expr, void *context)
{
  struct forgetting *at = context;
  bool steps =
      expr->kind == IR_EXPR_UNARY && (expr->op == IR_OP_PRE_INC || expr->op == IR_OP_PRE_DEC ||
                                      expr->op == IR_OP_POST_INC || expr->op == IR_OP_POST_DEC);
  if (!steps && expr->kind != IR_EXPR_ASSIGN) return;
  struct ir_expr *target = ir_strip(expr->operands[0]);
  if (target->kind != IR_EXPR_VAR || !walk_owns(at->walk, target->var) || at->done[target->var->id])
    return;
  at->done[target->var->id] = true;
  forget_var(at->walk, target->var);
}

static struct forgetting forgetting_of(struct walk *w)
{
  return (struct forgetting){w, arena_alloc(w->symbols->arena, w->frame->function->var_count + 1)};
}

void walk_forget_expr(struct walk *w, struct ir_expr *expr)
{
  struct forgetting at = forgetting_of(w);
  if (expr) ir_visit_expr(expr, forget_assigned, &at);
}

void walk_forget_stmt(struct walk *w, struct ir_stmt *stmt)
{
  struct forgetting at = forgetting_of(w);
  if (stmt) ir_visit_stmt_exprs(stmt, forget_assigned, &at);
}

static bool same_address(const struct address *a, const struct address *b)
{
  if (a == b) return true;
  if (!a || !b || a->base != b->base || a->local != b->local || a->shaped != b->shaped ||
      a->inside != b->inside || a->count != b->count)
    return false;
  for (unsigned i = 0; i < a->count; i++)
    if (!value_same(&a->index[i], &b->index[i])) return false;
  return true;
}

static void join_pointers(struct walk *w, const struct frame *other, const struct ir_var *var)
{
  const struct address *p = w->frame->pointers[var->id], *q = other->pointers[var->id];
  struct address merged = {0};

  if (same_address(p, q)) return;
  if (p && q && p->base == q->base && p->local == q->local) {
    merged.base = p->base;
    merged.local = p->local;
  } else {
    lose_pointer(w, p);
    lose_pointer(w, q);
  }
  walk_set_pointer(w, var, merged);
}

/* The frame after a branch: w's where `yes` holds, `other` where `no` does. */
static void join_frames(struct walk *w, struct frame *other, isl_set *yes, isl_set *no, bool exact)
{
  for (unsigned i = 0; i < other->function->var_count; i++) {
    struct value *a = &w->frame->values[i], *b = &other->values[i];
    join_pointers(w, other, w->frame->function->vars[i]);
    if (value_same(a, b) || (!a->aff && !b->aff)) continue;
    struct value merged = {0};
    if (exact && a->aff && b->aff && !a->term_count && !b->term_count) {
      isl_pw_aff *first = isl_pw_aff_intersect_params(isl_pw_aff_copy(a->aff), isl_set_copy(yes));
      isl_pw_aff *second = isl_pw_aff_intersect_params(isl_pw_aff_copy(b->aff), isl_set_copy(no));
      merged = value_take(isl_pw_aff_coalesce(isl_pw_aff_union_add(first, second)));
      merged.modulo = merged.aff && (a->modulo || b->modulo);
    }
    walk_assign_var(w, w->frame->function->vars[i], NULL, merged);
  }
}

/* ---- conditions ---- */

static bool decided_by_block(isl_set *yes, bool exact)
{
  if (!exact) return false;
  isl_space *space = isl_set_get_space(yes);
  bool uniform = symbols_all_uniform(space);
  isl_space_free(space);
  return uniform;
}

struct branch {
  isl_set *domain; /* where control leaves */
  bool dead, must;
};

/* Walks one branch. w's domain, must and dead stay as they were. */
static struct branch walk_branch(struct walk *w, struct ir_stmt *stmt, isl_set *where, bool exact)
{
  struct branch out;
  isl_set *domain = w->domain;
  bool must = w->must;
  double share = share_of_threads(w->symbols, where, exact), count = w->count, scale = w->scale;

  w->domain = isl_set_coalesce(isl_set_intersect(
      isl_set_copy(domain), isl_set_copy(SEEDED(GUARD_IGNORED) ? domain : where)));
  w->must = must && (exact || SEEDED(UNKNOWN_GUARD_CERTAIN));
  w->count *= share;
  w->scale *= share;
  if (stmt) walk_stmt(w, stmt);
  w->count = count;
  w->scale = scale;
  /* `must` stays false if a statement inside cleared it; the branch's own condition is undone */
  out = (struct branch){w->domain, w->dead, exact ? w->must : must};
  w->domain = domain;
  w->must = must;
  w->dead = false;
  return out;
}

static bool changes_flow(struct ir_stmt *stmt, void *context)
{
  bool *found = context;
  *found |=
      stmt->kind == IR_STMT_RETURN || stmt->kind == IR_STMT_BREAK || stmt->kind == IR_STMT_CONTINUE;
  return true;
}

static bool may_leave(struct ir_stmt *stmt)
{
  bool found = false;
  if (stmt) ir_visit_stmts(stmt, changes_flow, &found);
  return found;
}

static void walk_if(struct walk *w, struct ir_stmt *stmt)
{
  isl_set *yes, *no;
  bool exact;

  walk_condition(w, stmt->expr, &yes, &no, &exact);
  bool divergent = !decided_by_block(yes, exact),
       leaves = may_leave(stmt->body) || may_leave(stmt->else_body);
  struct frame before = copy_frame(w);
  w->divergent += divergent;
  struct branch then = walk_branch(w, stmt->body, yes, exact);
  swap_frame(w, &before); /* `before` now holds the frame after `then` */
  struct branch otherwise = walk_branch(w, stmt->else_body, no, exact);
  w->divergent -= divergent;

  if (then.dead && otherwise.dead) {
    w->dead = true;
  } else if (otherwise.dead) {
    swap_frame(w, &before);
  } else if (!then.dead) {
    swap_frame(w, &before);
    if (!SEEDED(BRANCH_VALUES_KEPT)) join_frames(w, &before, yes, no, exact);
  }
  if (leaves && !SEEDED(EARLY_RETURN_IGNORED)) {
    if (exact) {
      isl_set *left =
          then.dead ? isl_set_empty(isl_set_get_space(w->domain)) : isl_set_copy(then.domain);
      if (!otherwise.dead) left = isl_set_union(left, isl_set_copy(otherwise.domain));
      isl_set_free(w->domain);
      w->domain = isl_set_coalesce(left);
    }
    w->must = w->must && exact && (then.dead || then.must) && (otherwise.dead || otherwise.must);
  }
  walk_frame_finish(&before);
  isl_set_free(then.domain);
  isl_set_free(otherwise.domain);
  isl_set_free(yes);
  isl_set_free(no);
}

static bool is_return(struct ir_stmt *stmt, void *context)
{
  bool *found = context;
  *found |= stmt->kind == IR_STMT_RETURN;
  return true;
}

static bool count_labels(struct ir_stmt *stmt, void *context)
{
  unsigned *count = context;
  *count += stmt->kind == IR_STMT_CASE;
  return stmt->kind != IR_STMT_SWITCH;
}

/* Does control enter a nested statement in its middle? */
static bool has_nested_labels(struct ir_stmt *body)
{
  unsigned all = 0, top = 0;

  ir_visit_stmts(body, count_labels, &all);
  for (unsigned i = 0; i < body->child_count; i++) top += body->children[i]->kind == IR_STMT_CASE;
  return all != top;
}

static void restore_domain(struct walk *w, isl_set *domain)
{
  isl_set_free(w->domain);
  w->domain = isl_set_copy(domain);
  w->dead = false;
}

/* Walks a switch. Every case may be entered or fallen into: its statements have the weight 1/2, and
 * none is certain. */
static void walk_switch(struct walk *w, struct ir_stmt *stmt)
{
  struct ir_stmt *body = stmt->body;
  bool must = w->must, alone = body->kind != IR_STMT_BLOCK, returns = false;
  isl_set *domain = isl_set_copy(w->domain);

  walk_effects(w, stmt->expr);
  if (alone || has_nested_labels(body))
    walk_reject(w, "it has case labels inside nested statements", &stmt->place);
  walk_forget_stmt(w, body);
  w->must = false;
  w->count /= 2;
  w->scale /= 2;
  w->divergent++;
  for (unsigned i = 0; i < (alone ? 1 : body->child_count); i++) {
    struct ir_stmt *child = alone ? body : body->children[i];
    if (child->kind == IR_STMT_CASE) {
      restore_domain(w, domain);
      walk_forget_stmt(w, body);
    }
    walk_stmt(w, child);
  }
  w->divergent--;
  w->count *= 2;
  w->scale *= 2;
  restore_domain(w, domain);
  isl_set_free(domain);
  ir_visit_stmts(body, is_return, &returns);
  w->must = must && !returns;
  walk_forget_stmt(w, body);
}

/* ---- statements ---- */

static void walk_decl(struct walk *w, struct ir_stmt *stmt)
{
  struct ir_var *var = stmt->var;

  if (!stmt->expr) {
    forget_var(w, var);
    return;
  }
  if (var->type->kind == IR_TYPE_REFERENCE) {
    struct address address = address_of_lvalue(w, ir_strip(stmt->expr));
    address_escape(w, &address, stmt->expr, "a reference is bound to it", true, true);
    address_free(&address);
    return;
  }
  if (address_is_pointer_type(stmt->expr->type) && var->type->kind == IR_TYPE_POINTER) {
    walk_assign_var(w, var, stmt->expr, (struct value){0});
    return;
  }
  struct value value = {0};
  if (address_is_pointer_type(stmt->expr->type)) {
    struct address address = address_of_pointer(w, stmt->expr);
    address_escape(w, &address, stmt->expr, "its address is stored", true, true);
    address_free(&address);
  } else {
    value = walk_offset(w, stmt->expr);
  }
  walk_assign_var(w, var, NULL, walk_converted(w, value, stmt->expr->type, var->type));
}

static void walk_return(struct walk *w, struct ir_stmt *stmt)
{
  if (stmt->expr) walk_effects(w, stmt->expr);
  w->dead = true;
  if (w->divergent || w->loop_depth) w->divergent_return = true;
  if (w->loop_depth && w->any_barrier && !w->out->tail_reject) {
    w->out->tail_reject =
        "threads return early from a loop in a kernel with barriers or warp operations";
    w->out->tail_place = stmt->place;
  }
}

void walk_stmt(struct walk *w, struct ir_stmt *stmt)
{
  if (w->dead) return;
  switch (stmt->kind) {
  case IR_STMT_DECL: walk_decl(w, stmt); break;
  case IR_STMT_BLOCK:
  case IR_STMT_DECLS:
    for (unsigned i = 0; i < stmt->child_count; i++) walk_stmt(w, stmt->children[i]);
    break;
  case IR_STMT_EXPR: walk_effects(w, stmt->expr); break;
  case IR_STMT_IF: walk_if(w, stmt); break;
  case IR_STMT_FOR: walk_for(w, stmt); break;
  case IR_STMT_WHILE:
  case IR_STMT_DO: walk_while(w, stmt); break;
  case IR_STMT_SWITCH: walk_switch(w, stmt); break;
  case IR_STMT_BREAK:
  case IR_STMT_CONTINUE: w->dead = true; break;
  case IR_STMT_RETURN: walk_return(w, stmt); break;
  case IR_STMT_OPAQUE:
    walk_reject(w, "it holds a statement that is not understood", &stmt->place);
    break;
  default: break;
  }
}

/* ---- kernels ---- */

static void find_barrier(struct ir_expr *expr, void *context)
{
  struct walk *w = context;

  if (expr->kind != IR_EXPR_CALL) return;
  if (expr->effect == IR_EFFECT_BARRIER || expr->effect == IR_EFFECT_WARP) w->any_barrier = true;
  if (expr->effect == IR_EFFECT_CALLEE) {
    const struct function_effects *effects = effects_of(w->effects, expr->callee);
    w->any_barrier |= effects->barrier || effects->warp;
  }
}

static void init_params(struct walk *w, const struct ir_function *kernel)
{
  for (unsigned i = 0; i < kernel->param_count; i++) {
    struct ir_var *param = kernel->params[i];
    const struct scalar_fact *fact = &w->symbols->facts->scalars[i];
    if (walk_tracked(param)) {
      isl_pw_aff *aff = fact->known ? symbols_constant(w->symbols, fact->value)
                        : param->write_count
                            ? NULL
                            : symbol_aff(w->symbols, symbol_of_scalar(w->symbols, param));
      w->frame->values[param->id] = walk_known(w, value_take(aff), param->type);
    } else if (walk_tracked_pointer(param)) {
      struct address address = {.base = param, .shaped = true, .has_source = true, .count = 1};
      address.index[0] = value_take(symbols_constant(w->symbols, 0));
      walk_set_pointer(w, param, address);
    }
  }
}

/* Adds the conditions on parameters to every domain. */
static void init_context(struct walk *w)
{
  const struct kernel_facts *facts = w->symbols->facts;

  for (unsigned i = 0; i < facts->context_count; i++) {
    isl_set *yes, *no;
    bool exact;
    walk_condition(w, facts->context[i], &yes, &no, &exact);
    w->domain = isl_set_intersect(w->domain, yes);
    isl_set_free(no);
  }
  isl_set_free(w->symbols->context);
  w->symbols->context = isl_set_copy(w->domain);
}

static bool keeps_values(void *context, const struct ir_var *var)
{
  const struct kernel_access *access = context;

  for (unsigned i = 0; i < access->arrays.count; i++)
    if (access->arrays.items[i]->var == var)
      return !access->arrays.items[i]->written && !access->unknown_write &&
             !access->arrays.items[i]->element->is_volatile;
  return false;
}

/* Finds places that only some threads reach: an added barrier, or code that keeps threads alive,
 * would break them. */
static void find_meetings(struct walk *w)
{
  struct kernel_access *out = w->out;
  struct meeting_query query = {w->effects, w->symbols->facts, keeps_values, out};
  struct meeting meeting;

  if (!w->any_barrier) return;
  meeting_analyze(&query, &meeting);
  if (!meeting.partial) return;
  out->meet_reject =
      "threads that do not come to a barrier or warp operation may have ended when it goes on";
  out->meet_place = meeting.place;
  if (out->tail_reject) return;
  out->tail_reject = out->meet_reject;
  out->tail_place = out->meet_place;
}

void access_collect(struct effects *effects, struct symbols *symbols, struct kernel_access *ret)
{
  struct ir_function *kernel = symbols->facts->kernel;
  struct walk w;

  memset(ret, 0, sizeof *ret);
  memset(&w, 0, sizeof w);
  w.symbols = symbols;
  w.effects = effects;
  w.out = ret;
  w.domain = symbols_universe(symbols);
  w.loops = symbols_universe(symbols);
  w.must = true;
  w.count = w.scale = 1;
  struct frame frame = walk_frame_create(&w, kernel);
  w.frame = &frame;
  init_params(&w, kernel);
  init_context(&w);
  ir_visit_stmt_exprs(kernel->body, find_barrier, &w);
  walk_stmt(&w, kernel->body);
  find_meetings(&w);
  walk_frame_finish(&frame);
  isl_set_free(w.domain);
  isl_set_free(w.loops);
}

static void access_finish(struct access *access)
{
  isl_set_free(access->domain);
  isl_set_free(access->loops);
  for (unsigned d = 0; d < access->dim_count; d++) value_free(&access->index[d]);
}

const struct ir_place *array_place(const struct array *array)
{
  bool accessed = array->accesses.count || SEEDED(HANDED_ON_ACCESSED);
  return accessed ? &array->accesses.items[0].place : &array->reject_place;
}

void kernel_access_finish(struct kernel_access *access)
{
  for (unsigned i = 0; i < access->arrays.count; i++) {
    struct array *array = access->arrays.items[i];
    for (unsigned j = 0; j < array->accesses.count; j++) access_finish(&array->accesses.items[j]);
    array->accesses.count = 0;
  }
  for (unsigned i = 0; i < access->atomics.count; i++)
    access_finish(&access->atomics.items[i].where);
  access->atomics.count = 0;
  for (unsigned i = 0; i < access->conditions.count; i++) {
    isl_set_free(access->conditions.items[i].domain);
    isl_set_free(access->conditions.items[i].no);
  }
  access->conditions.count = 0;
}
