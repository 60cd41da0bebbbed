/* SPDX-License-Identifier: MIT */
/* emitted_meet.c - do all threads of a block reach a barrier, and all threads of a warp a warp
 * operation?
 *
 *     for (int _k = 0; _k < n; _k += 16) __syncthreads();      n is the same for all: they do
 *     if (_t < 100) __syncthreads();                           block of 128 threads: they do not
 *     if (_t / 32 < last) mesi_lanes<32>(x, ...)               the same for all of a warp: they do
 *
 * There are two steps. First a fixpoint over assignments, and the conditions around them, finds the
 * variables that differ between threads. A call is proved if no condition around it differs, and no
 * return, break or continue that only some threads take stands before it. Otherwise the walk's set
 * of threads at the place is compared with all threads of the block, or of their warps. If it
 * certainly lacks one, the call is wrong; if it certainly lacks none, it is proved. Code from a
 * transformation must be proved. A barrier from the user is only wrong where it certainly lacks a
 * thread, and where the same steps prove all barriers of the kernel as written.
 */
#include "analysis/plan/verify/emitted_parts.h"

#include <string.h>

#include <isl/map.h>

enum { IN_BLOCK = 1, IN_WARP = 2, DIFFERS = IN_BLOCK | IN_WARP, WARP = 32 };

struct meetings {
  struct look *look;
  const struct ir_function *function;
  const int64_t *block;
  unsigned char *vars;     /* by variable id: the threads among which it differs */
  unsigned char *declared; /* by variable id: depth of its declaration */
  unsigned around[64], depth;
  unsigned gone;   /* threads may have returned */
  unsigned jumped; /* ... or be on their way to a label */
  bool changed, judging;
};

/* ---- variables that differ ---- */

static unsigned of_expr(const struct meetings *m, const struct ir_expr *expr);

static bool is_own(const struct meetings *m, const struct ir_var *var)
{
  return ir_owns(m->function, var);
}

static unsigned of_builtin(const struct meetings *m, int64_t builtin)
{
  int64_t before = 1;

  if (builtin >= IR_BLOCK_IDX || m->block[builtin] == 1) return 0;
  for (int64_t axis = 0; axis < builtin; axis++)
    before = m->block[axis] > 0 && before > 0 ? before * m->block[axis] : -1;
  return before > 0 && before % WARP == 0 ? IN_BLOCK : DIFFERS;
}

static bool only_read(const struct meetings *m, const struct ir_expr *expr)
{
  const struct code_access *found = code_access_of(&m->look->code, expr);
  return found && code_read_only(&m->look->code, found->array);
}

static unsigned of_memory(const struct meetings *m, const struct ir_expr *expr)
{
  const struct ir_var *root = ir_holder(expr);

  if (root && is_own(m, root)) return m->vars[root->id];
  if (root && (root->kind == IR_VAR_SHARED || root->has_value || root->is_constant_memory))
    return 0;
  return only_read(m, expr) ? 0 : DIFFERS;
}

static unsigned of_operands(const struct meetings *m, const struct ir_expr *expr)
{
  unsigned differs = 0;

  for (unsigned i = 0; i < expr->operand_count; i++) differs |= of_expr(m, expr->operands[i]);
  return differs;
}

static unsigned of_call(const struct meetings *m, const struct ir_expr *expr)
{
  bool vote =
      strstr(expr->text, "__all") || strstr(expr->text, "__any") || strstr(expr->text, "__ballot");

  switch (expr->effect) {
  case IR_EFFECT_NONE: return of_operands(m, expr);
  case IR_EFFECT_BARRIER: return 0;
  case IR_EFFECT_LOAD: return of_operands(m, expr) | (only_read(m, expr) ? 0 : DIFFERS);
  case IR_EFFECT_WARP: return vote ? IN_BLOCK : DIFFERS;
  case IR_EFFECT_CALLEE:
    return effects_none(effects_of(m->look->code.effects, expr->callee)) ? of_operands(m, expr)
                                                                         : DIFFERS;
  default: return DIFFERS;
  }
}

/* ---- numbers of threads ---- */

static const struct ir_expr *bare(const struct ir_expr *expr)
{
  expr = ir_strip((struct ir_expr *)expr);
  while (expr->kind == IR_EXPR_CAST) expr = ir_strip(expr->operands[0]);
  return expr;
}

static const struct ir_expr *value_of(const struct meetings *m, const struct ir_expr *expr)
{
  expr = bare(expr);
  const struct ir_expr *value =
      expr->kind == IR_EXPR_VAR ? look_value_of(m->look, expr->var) : NULL;
  return value ? bare(value) : expr;
}

/* Is it threadIdx.y * blockDim.x + threadIdx.x, or threadIdx.x in a block of one row? */
static bool is_thread_number(const struct meetings *m, const struct ir_expr *expr)
{
  int64_t by;

  expr = value_of(m, expr);
  if (expr->kind == IR_EXPR_BUILTIN)
    return expr->value == IR_THREAD_IDX && m->block[1] == 1 && m->block[2] == 1;
  if (expr->kind != IR_EXPR_BINARY || expr->op != IR_OP_ADD || m->block[2] != 1) return false;
  const struct ir_expr *rows = value_of(m, expr->operands[0]),
                       *own = value_of(m, expr->operands[1]);
  bool row = rows->kind == IR_EXPR_BINARY && rows->op == IR_OP_MUL &&
             ir_constant(rows->operands[1], &by) && by == m->block[0];
  const struct ir_expr *which = row ? value_of(m, rows->operands[0]) : NULL;
  return which && which->kind == IR_EXPR_BUILTIN && which->value == IR_THREAD_IDX + 1 &&
         own->kind == IR_EXPR_BUILTIN && own->value == IR_THREAD_IDX;
}

/* Is it the same for whole warps, as number / 32 and number < 64 are? */
static bool is_of_warps(const struct meetings *m, const struct ir_expr *expr)
{
  int64_t by;
  bool divides = expr->op == IR_OP_DIV, compares = expr->op == IR_OP_LT || expr->op == IR_OP_GE,
       shifts = expr->op == IR_OP_SHR;

  if (expr->kind != IR_EXPR_BINARY || !(divides || compares || shifts) ||
      !ir_constant(expr->operands[1], &by) || !is_thread_number(m, expr->operands[0]))
    return false;
  return shifts ? by >= 5 : by > 0 && by % WARP == 0;
}

static unsigned of_expr(const struct meetings *m, const struct ir_expr *expr)
{
  if (!expr) return 0;
  switch (expr->kind) {
  case IR_EXPR_BUILTIN: return of_builtin(m, expr->value);
  case IR_EXPR_VAR:
    if (is_own(m, expr->var)) return m->vars[expr->var->id];
    return expr->type->kind == IR_TYPE_ARRAY ? 0 : of_memory(m, expr);
  case IR_EXPR_INDEX:
    return of_operands(m, expr) | (expr->type->kind == IR_TYPE_ARRAY ? 0 : of_memory(m, expr));
  case IR_EXPR_UNARY:
    return of_operands(m, expr) | (expr->op == IR_OP_DEREF ? of_memory(m, expr) : 0);
  case IR_EXPR_MEMBER: return of_operands(m, expr) | (expr->is_arrow ? of_memory(m, expr) : 0);
  case IR_EXPR_BINARY: return is_of_warps(m, expr) ? IN_BLOCK : of_operands(m, expr);
  case IR_EXPR_CALL: return of_call(m, expr);
  case IR_EXPR_OPAQUE: return DIFFERS;
  default: return of_operands(m, expr);
  }
}

/* ---- assignments ---- */

static unsigned here(const struct meetings *m, unsigned from)
{
  unsigned differs = m->gone | m->jumped;

  for (unsigned i = from; i < m->depth; i++) differs |= m->around[i];
  return differs;
}

static void depend(struct meetings *m, const struct ir_var *var, unsigned differs)
{
  if (!var || !is_own(m, var)) return;
  for (unsigned i = m->declared[var->id]; i < m->depth; i++) differs |= m->around[i];
  if (differs & ~(unsigned)m->vars[var->id]) {
    m->vars[var->id] |= (unsigned char)differs;
    m->changed = true;
  }
}

static void take_written(struct meetings *m, const struct ir_expr *call)
{
  for (unsigned i = 0; i < call->operand_count; i++) {
    const struct ir_expr *argument = ir_strip(call->operands[i]);
    bool address = argument->kind == IR_EXPR_UNARY && argument->op == IR_OP_ADDRESS;
    const struct ir_var *root = ir_holder(address ? argument->operands[0] : argument);
    bool place = address || argument->type->kind == IR_TYPE_ARRAY ||
                 (root && root->address_taken) || (call->is_method && !i);
    if (place && call->effect != IR_EFFECT_LOAD) depend(m, root, DIFFERS);
  }
}

static void take_expr(struct ir_expr *expr, void *context)
{
  struct meetings *m = context;

  if (expr->kind == IR_EXPR_CALL) {
    take_written(m, expr);
  } else if (expr->kind == IR_EXPR_ASSIGN || ir_is_step(expr)) {
    const struct ir_var *root = ir_holder(expr->operands[0]);
    depend(m, root, of_operands(m, expr));
  } else if (expr->kind == IR_EXPR_UNARY && expr->op == IR_OP_ADDRESS) {
    const struct ir_var *root = ir_holder(expr->operands[0]);
    if (root && expr->place.line) depend(m, root, DIFFERS);
  }
}

/* ---- judging ---- */

static const struct meeting_seen *seen_at(const struct look *l, const struct ir_expr *call)
{
  for (unsigned i = 0; i < l->meetings.count; i++)
    if (l->meetings.items[i].call == call) return &l->meetings.items[i];
  return NULL;
}

static bool as_written_is_proved(const struct look *l)
{
  struct emitted_report report = {0};
  struct emitted_code code = *l->emitted;

  if (code.code == code.kernel) return false;
  code.code = (struct ir_function *)code.kernel;
  code.conditions = NULL;
  code.condition_count = code.stage_count = 0;
  code.stages = NULL;
  code.staged_bytes = 0;
  code.facts.block[0] = code.facts.block[1] = code.facts.block[2] = -1;
  code.facts.grid[0] = code.facts.grid[1] = code.facts.grid[2] = -1;
  code.facts.watch = NULL;
  emitted_check_code(l->unit, l->code.effects, l->arch, &code, &report);
  return report.barriers.proved == report.barriers.all;
}

static void judge_barrier(struct meetings *m, const struct ir_expr *call)
{
  struct look *l = m->look;
  const struct meeting_seen *seen = seen_at(l, call);

  l->report->barriers.all++;
  if (!(here(m, 0) & IN_BLOCK) || (seen && seen->whole)) {
    l->report->barriers.proved++;
    return;
  }
  bool parted = seen && seen->parted;
  if (parted && (!call->place.line || as_written_is_proved(l)))
    look_find(l, call, "some threads of a block do not come to this barrier");
  else if (!call->place.line)
    look_find(l, call, "nothing says that all threads of a block come to this barrier");
  else
    look_untold(l, call, "barrier");
}

/* Judges a warp operation from a transformation, which names all lanes. */
static void judge_warp(struct meetings *m, const struct ir_expr *call)
{
  struct look *l = m->look;
  const struct meeting_seen *seen = seen_at(l, call);
  int64_t threads = m->block[0] > 0 && m->block[1] > 0 && m->block[2] > 0
                        ? m->block[0] * m->block[1] * m->block[2]
                        : -1;

  if (call->place.line) return;
  l->report->warps.all++;
  bool whole = threads > 0 && threads % WARP == 0;
  if (threads > 0 && !whole)
    look_find(l, call, "it names all lanes, but the last warp of a block has %lld",
              (long long)(threads % WARP));
  else if (whole && (!(here(m, 0) & IN_WARP) || (seen && seen->whole)))
    l->report->warps.proved++;
  else if (seen && seen->parted)
    look_find(l, call, "it names all lanes, but some of a warp do not come to it");
  else if (whole)
    look_find(l, call, "it names all lanes, but nothing says that all of a warp come to it");
  else
    look_untold(l, call, "warp operation");
}

static void judge_expr(struct ir_expr *expr, void *context)
{
  struct meetings *m = context;
  const struct function_effects *inside =
      expr->kind == IR_EXPR_CALL && expr->effect == IR_EFFECT_CALLEE
          ? effects_of(m->look->code.effects, expr->callee)
          : NULL;

  if (expr->kind == IR_EXPR_CALL &&
      (expr->effect == IR_EFFECT_BARRIER || (inside && inside->barrier)))
    judge_barrier(m, expr);
  else if (expr->kind == IR_EXPR_CALL && expr->effect == IR_EFFECT_WARP)
    judge_warp(m, expr);
}

/* ---- statements ---- */

static void go_through(struct meetings *m, struct ir_stmt *stmt);

static void go_through_expr(struct meetings *m, struct ir_expr *expr)
{
  if (expr) ir_visit_expr(expr, m->judging ? judge_expr : take_expr, m);
}

static void push(struct meetings *m, unsigned differs)
{
  if (m->depth < 64)
    m->around[m->depth++] = differs;
  else
    m->around[63] = DIFFERS;
}

/* The differences in the conditions under which the loop's body leaves the loop, or ends an
 * iteration early. */
static unsigned leaving(const struct meetings *m, const struct ir_stmt *stmt, unsigned around,
                        bool inner)
{
  unsigned differs = 0;

  if (!stmt) return 0;
  bool loop = stmt->kind == IR_STMT_FOR || stmt->kind == IR_STMT_WHILE || stmt->kind == IR_STMT_DO;
  bool leaves = stmt->kind == IR_STMT_RETURN || stmt->kind == IR_STMT_GOTO ||
                (!inner && stmt->kind == IR_STMT_BREAK) ||
                (!inner && stmt->kind == IR_STMT_CONTINUE);
  if (leaves) return around;
  if (loop || stmt->kind == IR_STMT_IF || stmt->kind == IR_STMT_SWITCH)
    around |= of_expr(m, stmt->expr);
  differs |= leaving(m, stmt->body, around, inner || loop) |
             leaving(m, stmt->else_body, around, inner || loop);
  for (unsigned i = 0; i < stmt->child_count; i++)
    differs |= leaving(m, stmt->children[i], around, inner || loop);
  return differs;
}

static void go_through_loop(struct meetings *m, struct ir_stmt *stmt)
{
  unsigned gone = m->gone, depth = m->depth;

  go_through(m, stmt->init);
  push(m, of_expr(m, stmt->expr) | leaving(m, stmt->body, 0, false));
  go_through_expr(m, stmt->expr);
  go_through(m, stmt->body);
  go_through_expr(m, stmt->increment);
  m->depth = depth;
  m->gone |= gone;
}

static void go_through(struct meetings *m, struct ir_stmt *stmt)
{
  unsigned depth = m->depth;

  if (!stmt) return;
  switch (stmt->kind) {
  case IR_STMT_FOR:
  case IR_STMT_WHILE:
  case IR_STMT_DO: go_through_loop(m, stmt); return;
  case IR_STMT_IF:
  case IR_STMT_SWITCH:
    go_through_expr(m, stmt->expr);
    push(m, of_expr(m, stmt->expr));
    break;
  case IR_STMT_RETURN: m->gone |= here(m, 0); break;
  case IR_STMT_GOTO: m->jumped |= here(m, 0); break;
  case IR_STMT_LABEL: m->jumped = 0; break;
  case IR_STMT_DECL:
    if (is_own(m, stmt->var)) m->declared[stmt->var->id] = (unsigned char)m->depth;
    if (stmt->expr && !m->judging) depend(m, stmt->var, of_expr(m, stmt->expr));
    /* fall through */
  default: go_through_expr(m, stmt->expr); break;
  }
  go_through(m, stmt->body);
  go_through(m, stmt->else_body);
  for (unsigned i = 0; i < stmt->child_count; i++) go_through(m, stmt->children[i]);
  m->depth = depth;
}

static void pass(struct meetings *m)
{
  m->depth = m->gone = m->jumped = 0;
  go_through(m, m->look->emitted->code->body);
}

void look_meetings(struct look *l)
{
  const struct ir_function *function = l->emitted->code;
  struct meetings m = {.look = l, .function = function, .block = l->emitted->facts.block};

  if (!l->meetings.count) return;
  m.vars = arena_alloc(l->arena, function->var_count + 1);
  m.declared = arena_alloc(l->arena, function->var_count + 1);
  do {
    m.changed = false;
    pass(&m);
  } while (m.changed);
  m.judging = true;
  pass(&m);
}

/* ---- the set of threads ---- */

static bool depends_on_threads(isl_set *set)
{
  isl_space *space = isl_set_get_space(set);
  bool depends = false;

  for (int i = 0; i < isl_space_dim(space, isl_dim_param); i++) {
    const struct symbol *symbol = symbol_of_param(space, (unsigned)i);
    depends |= symbol->kind == SYMBOL_BUILTIN && symbol->builtin < IR_BLOCK_IDX &&
               isl_set_involves_dims(set, isl_dim_param, (unsigned)i, 1) == isl_bool_true;
  }
  isl_space_free(space);
  return depends;
}

static bool is_plain(isl_set *set)
{
  isl_space *space = isl_set_get_space(set);
  bool plain = true;

  for (int i = 0; i < isl_space_dim(space, isl_dim_param); i++) {
    const struct symbol *symbol = symbol_of_param(space, (unsigned)i);
    plain &= symbol->kind == SYMBOL_BUILTIN || symbol->kind == SYMBOL_SCALAR ||
             symbol->kind == SYMBOL_LOOP;
  }
  isl_space_free(space);
  return plain;
}

/* The threads of the set, as a set over them: [the rest] -> { [x, y, z] }. Takes the set. */
static isl_set *threads_of(struct walk *w, isl_set *set)
{
  set = isl_set_from_params(set);
  set = isl_set_add_dims(set, isl_dim_set, 3);
  for (unsigned axis = 0; axis < 3; axis++) {
    const struct symbol *symbol = symbol_of_builtin(w->symbols, IR_THREAD_IDX + axis);
    int at = isl_set_find_dim_by_id(set, isl_dim_param, symbol->id);
    int64_t size = w->symbols->facts->block[axis];
    if (at >= 0) {
      set = isl_set_equate(set, isl_dim_param, at, isl_dim_set, (int)axis);
      set = isl_set_project_out(set, isl_dim_param, (unsigned)at, 1);
    }
    set = isl_set_lower_bound_si(set, isl_dim_set, axis, 0);
    if (size > 0) set = isl_set_upper_bound_si(set, isl_dim_set, axis, (int)size - 1);
  }
  return set;
}

/* All threads of the block, or of the warps, that have a thread in the set: { [x, y, z] }. */
static isl_set *all_beside(const int64_t block[3], isl_set *set, bool warp)
{
  isl_space *space = isl_set_get_space(set);
  isl_local_space *local = isl_local_space_from_space(isl_space_copy(space));
  isl_aff *number = isl_aff_zero_on_domain(local);
  int64_t by = 1;

  for (unsigned axis = 0; axis < 3; axis++, by *= block[axis - 1])
    number = isl_aff_set_coefficient_si(number, isl_dim_in, (int)axis, warp ? (int)by : 0);
  if (warp) number = isl_aff_floor(isl_aff_scale_down_ui(number, WARP));
  isl_map *group = isl_map_from_aff(number);
  isl_set *groups = isl_set_apply(isl_set_copy(set), isl_map_copy(group));
  isl_set *all = isl_set_apply(groups, isl_map_reverse(group));
  isl_space_free(space);
  for (unsigned axis = 0; axis < 3; axis++) {
    all = isl_set_lower_bound_si(all, isl_dim_set, axis, 0);
    all = isl_set_upper_bound_si(all, isl_dim_set, axis, (int)block[axis] - 1);
  }
  return all;
}

static struct meeting_seen come_together(struct look *l, struct walk *w, const struct ir_expr *call)
{
  const int64_t *block = l->emitted->facts.block;
  struct meeting_seen seen = {.call = call};

  if (!w->must || !w->domain || l->jumps || w->depth || block[0] < 1 || block[1] < 1 ||
      block[2] < 1 || depends_on_threads(w->loops))
    return seen;
  isl_set *set = isl_set_drop_unused_params(symbols_close(w->symbols, isl_set_copy(w->domain)));
  if (set && is_plain(set)) {
    isl_set *come = threads_of(w, isl_set_copy(set));
    isl_set *missing = isl_set_subtract(all_beside(block, come, call->effect == IR_EFFECT_WARP),
                                        isl_set_copy(come));
    isl_bool whole = isl_set_is_empty(missing);
    seen.parted = whole == isl_bool_false;
    seen.whole = whole == isl_bool_true;
    isl_set_free(missing);
    isl_set_free(come);
  }
  isl_set_free(set);
  return seen;
}

void look_meeting(struct look *l, struct walk *w, const struct ir_expr *call)
{
  struct meeting_seen seen = come_together(l, w, call);

  for (unsigned i = 0; i < l->meetings.count; i++)
    if (l->meetings.items[i].call == call) {
      l->meetings.items[i].parted |= seen.parted;
      l->meetings.items[i].whole &= seen.whole;
      return;
    }
  *ARENA_PUSH(l->arena, &l->meetings) = seen;
}
