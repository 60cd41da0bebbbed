/* SPDX-License-Identifier: MIT */
/* waits.c - the time for which loads wait behind stores that may go to the same memory.
 *
 *     out[i] = in[i];                 load, wait for it, store;
 *     out[i + n] = in[i + n];         load, wait for it, store
 *
 * A store needs its value, and the code behind it comes later in time. The compiler of the emitted
 * code moves a load in front of a store where it knows that they go to different memory; the names
 * of parameters do not tell it. The tracing visits the body in the order of evaluation, loops
 * twice. A load that meets a store through another parameter, behind loads in flight, begins a
 * *phase*. A thread waits for each phase once, and the bytes of all threads of a multiprocessor are
 * in flight in it. Without the stores in the way, a level (a loop's body, an arm of an `if`, the
 * code around them) has one phase, and several iterations of a loop share one. Requires: IR, the
 * launch's facts. Never gives up: an unknown load counts as no wait.
 */
#include "analysis/transform/restrict/waits.h"

#include "analysis/access/effects.h"
#include "analysis/model/model.h"
#include "analysis/model/work.h"

#include <math.h>

#define LATENCY 800.0        /* cycles, of device memory */
#define BYTES_PER_CYCLE 14.5 /* of device memory for a multiprocessor */
#define LANES 128.0          /* operations by thread that a multiprocessor issues in a cycle */
#define DIVISION 10.0        /* operations of a division: of floats, or by an unknown integer */
#define UNKNOWN_TRIPS 16.0
#define REPEATED 0.01 /* bytes counted for an element that is in the cache */
#define SECTOR 32.0   /* bytes that move for an element whose neighbours other threads do not use */

enum {
  USUAL_THREADS = 1024, /* of a multiprocessor, where the launch is not known */
  MOST_THREADS = 1536,
  MOST_BYTES = 256, /* of one thread in flight at once */
  WALKED = 4,       /* elements from one iteration to the next */
  TOGETHER = 4      /* iterations whose loads may be in flight together */
};

struct level {
  uint64_t stored; /* parameters that were stored through since the last wait */
  uint64_t stores; /* ... since the level began */
  double loaded;   /* bytes loaded since the last wait */
  double bytes;    /* bytes since the last inner level */
  double phases;   /* cycles of the phases since then */
  bool waits;      /* a phase ended only because names may alias */
  /* The level's own loads, without inner levels: their bytes, their cycles where no load waits for
   * names, and whether any load does. */
  double own_bytes, own_ahead;
  bool own_waits;
  double written, ahead, operations; /* with inner levels */
  bool inner;                        /* it has a loop inside */
  bool joins;                        /* threads meet in it */
};

struct tracing {
  struct code *code;
  struct waits *out;
  double threads; /* of a multiprocessor */
  struct level *level;
  bool dry;                   /* counts nothing */
  const struct ir_stmt *loop; /* the innermost one around the place; NULL: none */
};

static double wait_for(const struct tracing *t, double bytes)
{
  return bytes > 0 ? fmax(LATENCY, t->threads * bytes / BYTES_PER_CYCLE) : 0;
}

/* ---- the memory that an expression leads to ---- */

static int param_number(const struct tracing *t, const struct ir_var *var)
{
  const struct ir_function *kernel = t->code->facts.kernel;

  for (unsigned i = 0; i < kernel->param_count && i < MOST_ROOTS; i++)
    if (kernel->params[i] == var) return (int)i;
  return -1;
}

static bool is_pointer(const struct ir_expr *expr)
{
  return expr->type->kind == IR_TYPE_POINTER || expr->type->kind == IR_TYPE_ARRAY;
}

static int root_of(const struct tracing *t, const struct ir_expr *expr, unsigned depth);

static int root_of_var(const struct tracing *t, const struct ir_var *var, unsigned depth)
{
  if (var->kind == IR_VAR_PARAM) return param_number(t, var);
  bool leads = var->type->kind == IR_TYPE_POINTER || var->type->kind == IR_TYPE_REFERENCE;
  return var->kind == IR_VAR_LOCAL && leads && var->init ? root_of(t, var->init, depth + 1) : -1;
}

/* The parameter through which the pointer or lvalue leads to device memory; -1: none that is known.
 */
static int root_of(const struct tracing *t, const struct ir_expr *expr, unsigned depth)
{
  if (depth > 32) return -1;
  switch (expr->kind) {
  case IR_EXPR_VAR: return root_of_var(t, expr->var, depth);
  case IR_EXPR_PAREN:
  case IR_EXPR_CONVERT:
  case IR_EXPR_CAST:
  case IR_EXPR_INDEX:
  case IR_EXPR_MEMBER:
  case IR_EXPR_UNARY:
  case IR_EXPR_ASSIGN: return root_of(t, expr->operands[0], depth + 1);
  case IR_EXPR_COND: return root_of(t, expr->operands[1], depth + 1);
  case IR_EXPR_BINARY: {
    unsigned at = is_pointer(expr->operands[0]) ? 0 : 1;
    return is_pointer(expr->operands[at]) ? root_of(t, expr->operands[at], depth + 1) : -1;
  }
  default: return -1;
  }
}

/* Is the lvalue in memory, and not a parameter or a local itself? */
static bool is_memory(const struct ir_expr *expr)
{
  for (;;) switch (expr->kind) {
    case IR_EXPR_INDEX: return true;
    case IR_EXPR_MEMBER:
      if (expr->is_arrow) return true;
      expr = expr->operands[0];
      break;
    case IR_EXPR_UNARY: return expr->op == IR_OP_DEREF;
    case IR_EXPR_PAREN: expr = expr->operands[0]; break;
    case IR_EXPR_VAR: return expr->var->type->kind == IR_TYPE_REFERENCE;
    default: return false;
    }
}

/* ---- phases ---- */

static bool is_told_apart(const struct tracing *t, int root)
{
  return t->code->facts.kernel->params[root]->type->is_restrict;
}

static void end_phase(struct tracing *t, const struct ir_expr *load, int root)
{
  struct level *l = t->level;

  if (!t->dry) {
    if (!t->out->count++) t->out->place = load->place;
    t->out->roots |= l->stored | UINT64_C(1) << root;
    l->waits = true;
    l->phases += wait_for(t, l->loaded);
  }
  l->loaded = 0;
  l->stored = 0;
}

struct change_search {
  const struct ir_stmt *loop;
  const struct ir_expr *address;
  bool changes;
};

static void note_assigned(struct ir_expr *expr, void *context)
{
  struct change_search *s = context;
  const struct ir_var *var = ir_assigned_var(expr);

  s->changes |= var && ir_expr_has_var((struct ir_expr *)s->address, var);
}

static bool note_declared(struct ir_stmt *stmt, void *context)
{
  struct change_search *s = context;

  s->changes |= stmt->kind == IR_STMT_DECL && stmt != s->loop->init &&
                ir_expr_has_var((struct ir_expr *)s->address, stmt->var);
  return true;
}

/* Is it the same element in every iteration? Its bytes are in the cache then, but its wait
 * remains. */
static bool is_repeated(const struct tracing *t, const struct ir_expr *expr)
{
  struct change_search s = {.loop = t->loop, .address = expr};

  if (!t->loop || expr->kind == IR_EXPR_CALL) return false;
  ir_visit_stmt_exprs((struct ir_stmt *)t->loop, note_assigned, &s);
  ir_visit_stmts((struct ir_stmt *)t->loop, note_declared, &s);
  return !s.changes;
}

/* The bytes that move for an element of `size` bytes if the threads of a warp access elements apart
 * from one another, for all that is known: their lines leave the first cache before the thread
 * comes to its next element (soft-max, a row a thread, on an H200: 1.03 of the time as written,
 * predicted 0.84 with the elements' own bytes). 0: they do not. */
static double bytes_apart(const struct tracing *t, const struct ir_expr *expr, double size)
{
  const struct code_access *found = t->code->scanned ? code_access_of(t->code, expr) : NULL;
  bool apart = false;

  if (!found) return 0;
  for (unsigned d = 0; d < found->access->dim_count; d++) {
    const struct value *value = &found->access->index[d];
    for (unsigned k = 0; k < value->term_count; k++) {
      isl_space *space = isl_pw_aff_get_domain_space(value->terms[k].coefficient);
      apart |= !space || symbols_differ(space);
      isl_space_free(space);
    }
  }
  if (apart) return SECTOR;
  if (model_request(&t->code->symbols, found->access) <= MODEL_NEIGHBOURS) return 0;
  double step = model_step(&t->code->symbols, found->access);
  return step > 0 ? fmin(SECTOR, step * size) : SECTOR;
}

/* Is its begin a number of which nothing is known? */
static bool is_unknown(isl_aff *form)
{
  isl_space *space = isl_aff_get_domain_space(form);
  bool unknown = false;

  for (int i = 0; i < isl_aff_dim(form, isl_dim_param); i++)
    unknown |= symbol_of_param(space, (unsigned)i)->kind == SYMBOL_UNKNOWN &&
               isl_aff_involves_dims(form, isl_dim_param, (unsigned)i, 1) != isl_bool_false;
  isl_space_free(space);
  return unknown;
}

/* Does the thread go through elements of its own, from one to its neighbours? Most of these loads
 * find their line in the first cache, and do not wait for device memory. (Group norm, a thread a
 * row, 1024 rows, on an H200: 1652 us for 1523 as written, predicted 0.75 of that.) */
static bool walks_row(const struct tracing *t, const struct ir_expr *expr)
{
  const struct code_access *found = t->code->scanned ? code_access_of(t->code, expr) : NULL;
  const struct nest_level *level = found ? found->access->nest : NULL;

  if (!level || !level->symbol || !found->access->dim_count) return false;
  const struct value *last = &found->access->index[found->access->dim_count - 1];
  isl_aff *form = last->aff ? value_plain(last->aff) : NULL;
  if (!form) return false;
  isl_space *space = isl_aff_get_domain_space(form);
  int at = isl_space_find_dim_by_id(space, isl_dim_param, level->symbol->id);
  int64_t step = 0;
  bool near =
      at >= 0 && value_number(isl_aff_get_coefficient_val(form, isl_dim_param, at), WALKED, &step);
  near = near && step && (is_unknown(form) || bytes_apart(t, expr, 1) > 0);
  isl_space_free(space);
  isl_aff_free(form);
  return near;
}

static void note_load(struct tracing *t, const struct ir_expr *expr, int root, double bytes)
{
  struct level *l = t->level;
  uint64_t own = UINT64_C(1) << root;

  if (!is_told_apart(t, root) && l->stored & ~own && !walks_row(t, expr)) end_phase(t, expr, root);
  bytes = is_repeated(t, expr) ? REPEATED : fmax(bytes, bytes_apart(t, expr, bytes));
  l->loaded += bytes;
  l->bytes += bytes;
}

static void note_store(struct tracing *t, const struct ir_expr *expr, int root, double size)
{
  struct level *l = t->level;
  uint64_t own = UINT64_C(1) << root;
  double bytes = l->loaded > 0 ? bytes_apart(t, expr, size) : 0;

  l->loaded += bytes; /* they move beside those of loads */
  l->bytes += bytes;
  if (is_told_apart(t, root)) return;
  l->stores |= own;
  if (l->loaded > 0) l->stored |= own;
}

/* Ends the phases of this level's loads so far, because another level begins. */
static void close_phases(struct tracing *t)
{
  struct level *l = t->level;
  double written = l->phases + wait_for(t, l->loaded);
  bool merges = l->waits && l->bytes <= MOST_BYTES;
  double ahead = merges ? fmin(written, wait_for(t, l->bytes)) : written;

  l->written += written;
  l->ahead += ahead;
  l->own_ahead += ahead;
  l->own_bytes += l->bytes;
  l->own_waits |= l->waits;
  l->phases = l->loaded = l->bytes = 0;
  l->waits = false;
}

/* ---- expressions, in the order of evaluation ---- */

static void trace_expr(struct tracing *t, const struct ir_expr *expr);

static double size_of(const struct ir_type *type)
{
  return type->size > 0 ? (double)type->size : 4;
}

/* Traces the parts of an lvalue whose values give its place. */
static void trace_place(struct tracing *t, const struct ir_expr *expr)
{
  if (expr->kind == IR_EXPR_MEMBER || expr->kind == IR_EXPR_PAREN) {
    bool arrow = expr->kind == IR_EXPR_MEMBER && expr->is_arrow;
    if (arrow)
      trace_expr(t, expr->operands[0]);
    else
      trace_place(t, expr->operands[0]);
    return;
  }
  for (unsigned i = 0; i < expr->operand_count; i++) trace_expr(t, expr->operands[i]);
}

static void trace_access(struct tracing *t, const struct ir_expr *expr, bool read, bool write)
{
  int root = is_memory(expr) ? root_of(t, expr, 0) : -1;

  if (root < 0) return;
  if (read) note_load(t, expr, root, size_of(expr->type));
  if (write) note_store(t, expr, root, size_of(expr->type));
}

static bool joins(const struct ir_expr *call, const struct function_effects *callee)
{
  bool other = callee && (callee->barrier || callee->warp || callee->fence);
  return call->effect == IR_EFFECT_BARRIER || call->effect == IR_EFFECT_WARP || other;
}

static double operations_of_binary(const struct ir_expr *expr)
{
  int64_t by;
  bool divides = expr->op == IR_OP_DIV || expr->op == IR_OP_REM;

  return divides && !ir_constant(expr->operands[1], &by) ? DIVISION : 1;
}

static void trace_call(struct tracing *t, const struct ir_expr *call)
{
  const struct function_effects *effects =
      call->effect == IR_EFFECT_CALLEE ? effects_of(t->code->effects, call->callee) : NULL;

  t->level->operations += model_call_operations(t->code, call);
  for (unsigned i = 0; i < call->operand_count; i++) {
    const struct ir_expr *argument = call->operands[i];
    int root = is_pointer(argument) ? root_of(t, argument, 0) : -1;
    trace_expr(t, argument);
    if (root < 0) continue;
    bool known = effects && !call->is_method && i < call->callee->param_count;
    unsigned access = call->effect == IR_EFFECT_LOAD     ? EFFECT_READ
                      : call->effect == IR_EFFECT_ATOMIC ? EFFECT_WRITE
                      : known                            ? effects->params[i]
                                                         : 0;
    if (access & EFFECT_READ) note_load(t, call, root, size_of(argument->type->element));
    if (access & EFFECT_WRITE) note_store(t, call, root, size_of(argument->type->element));
  }
  if (!joins(call, effects)) return;
  close_phases(t); /* no load or store moves past it */
  t->level->joins = true;
  t->level->stored = 0;
}

static void trace_expr(struct tracing *t, const struct ir_expr *expr)
{
  if (!expr) return;
  switch (expr->kind) {
  case IR_EXPR_ASSIGN:
    trace_expr(t, expr->operands[1]);
    trace_place(t, expr->operands[0]);
    trace_access(t, expr->operands[0], expr->op != IR_OP_ASSIGN, true);
    t->level->operations += expr->op != IR_OP_ASSIGN;
    break;
  case IR_EXPR_CALL: trace_call(t, expr); break;
  case IR_EXPR_INDEX:
  case IR_EXPR_MEMBER:
    trace_place(t, expr);
    if (expr->type->kind != IR_TYPE_ARRAY) trace_access(t, expr, true, false);
    break;
  case IR_EXPR_UNARY:
    if (expr->op == IR_OP_ADDRESS) {
      trace_place(t, expr->operands[0]);
      break;
    }
    trace_expr(t, expr->operands[0]);
    if (ir_is_step(expr)) trace_access(t, expr->operands[0], false, true);
    if (expr->op == IR_OP_DEREF) trace_access(t, expr, true, false);
    break;
  default:
    t->level->operations += expr->kind == IR_EXPR_BINARY ? operations_of_binary(expr) : 0;
    for (unsigned i = 0; i < expr->operand_count; i++) trace_expr(t, expr->operands[i]);
  }
}

/* ---- statements ---- */

static void trace_stmt(struct tracing *t, const struct ir_stmt *stmt);

/* Ends a level: its time becomes part of the level around it. */
static void add_level(struct tracing *t, struct level *outer, double trips)
{
  struct level *inner = t->level;
  bool any = inner->written > 0;

  t->level = outer;
  outer->operations += trips * inner->operations;
  outer->stores |= inner->stores;
  if (outer->loaded > 0 || any) outer->stored |= inner->stores;
  if (!any) return;
  uint64_t stored = outer->stored;
  close_phases(t);
  outer->stored = stored;
  outer->written += trips * inner->written;
  outer->ahead += trips * inner->ahead;
}

static void trace_arm(struct tracing *t, const struct ir_stmt *body)
{
  struct level own = {0}, *outer = t->level;

  if (!body) return;
  t->level = &own;
  trace_stmt(t, body);
  close_phases(t);
  outer->inner |= own.inner;
  outer->joins |= own.joins;
  add_level(t, outer, 1);
}

static bool note_leaving(struct ir_stmt *stmt, void *context)
{
  *(bool *)context |= stmt->kind == IR_STMT_BREAK || stmt->kind == IR_STMT_CONTINUE ||
                      stmt->kind == IR_STMT_RETURN || stmt->kind == IR_STMT_FOR ||
                      stmt->kind == IR_STMT_WHILE || stmt->kind == IR_STMT_DO ||
                      stmt->kind == IR_STMT_SWITCH;
  return true;
}

unsigned waits_at_once(const struct ir_stmt *loop, double bytes)
{
  bool leaves = false;

  if (loop->kind != IR_STMT_FOR || !loop->loop || loop->pragma || !loop->body) return 1;
  ir_visit_stmts(loop->body, note_leaving, &leaves);
  double most = bytes > 0 ? MOST_BYTES / bytes / 4 : 1;
  return leaves || most < 1 ? 1 : most < 2 ? 2 : TOGETHER;
}

static void trace_iteration(struct tracing *t, const struct ir_stmt *stmt)
{
  if (stmt->kind != IR_STMT_DO) trace_expr(t, stmt->expr);
  trace_stmt(t, stmt->body);
  if (stmt->kind == IR_STMT_DO) trace_expr(t, stmt->expr);
  trace_expr(t, stmt->increment);
}

/* Traces an iteration behind another one; the first is not counted. */
static void trace_loop_level(struct tracing *t, const struct ir_stmt *stmt, struct level *own)
{
  bool dry = t->dry;

  const struct ir_stmt *around = t->loop;

  t->level = own;
  t->loop = stmt;
  t->dry = true;
  trace_iteration(t, stmt);
  t->dry = dry;
  *own = (struct level){.stored = own->stored, .inner = own->inner, .joins = own->joins};
  trace_iteration(t, stmt);
  close_phases(t);
  t->loop = around;
}

static void trace_loop(struct tracing *t, const struct ir_stmt *stmt)
{
  struct level own = {0}, *outer = t->level;

  trace_stmt(t, stmt->init);
  outer->inner = true;
  trace_loop_level(t, stmt, &own);
  double trips = model_trips(t->code, stmt, UNKNOWN_TRIPS);
  unsigned together =
      own.own_waits && !own.inner && !own.joins ? waits_at_once(stmt, own.own_bytes) : 1;
  if (together > 1)
    own.ahead -=
        own.own_ahead - fmin(own.own_ahead, wait_for(t, together * own.own_bytes) / together);
  outer->joins |= own.joins;
  add_level(t, outer, trips > 1 ? trips : 1);
}

static void trace_stmt(struct tracing *t, const struct ir_stmt *stmt)
{
  if (!stmt) return;
  switch (stmt->kind) {
  case IR_STMT_FOR:
  case IR_STMT_WHILE:
  case IR_STMT_DO: trace_loop(t, stmt); break;
  case IR_STMT_IF:
  case IR_STMT_SWITCH:
    trace_expr(t, stmt->expr);
    trace_arm(t, stmt->body);
    trace_arm(t, stmt->else_body);
    break;
  default:
    trace_expr(t, stmt->expr);
    for (unsigned i = 0; i < stmt->child_count; i++) trace_stmt(t, stmt->children[i]);
  }
}

/* The resident threads of a multiprocessor for the launch in the facts. */
static double threads_of(const struct code *code, const struct target *target)
{
  const struct kernel_facts *facts = &code->facts;
  double all = 1;

  for (int axis = 0; axis < 3; axis++) {
    if (facts->block[axis] <= 0 || facts->grid[axis] <= 0) return USUAL_THREADS;
    all *= (double)facts->block[axis] * (double)facts->grid[axis];
  }
  double each = all / target->multiprocessors;
  return each > MOST_THREADS ? MOST_THREADS : each < 32 ? 32 : each;
}

void waits_of(struct code *code, const struct target *target, struct waits *ret)
{
  struct level all = {0};
  struct tracing t = {.code = code, .out = ret, .threads = threads_of(code, target), .level = &all};

  *ret = (struct waits){0};
  trace_stmt(&t, code->facts.kernel->body);
  close_phases(&t);
  double issue = all.operations * t.threads / LANES;
  ret->written = fmax(all.written, issue);
  ret->ahead = fmax(all.ahead, issue);
}

/* ---- the code ---- */

/* The bytes of an iteration whose loads wait for names. 0: none does, or there is a loop inside. */
static double bytes_of_loop(struct code *code, const struct ir_stmt *stmt)
{
  struct waits waits = {0};
  struct level own = {0};
  struct tracing t = {.code = code, .out = &waits, .threads = USUAL_THREADS};

  trace_loop_level(&t, stmt, &own);
  return own.own_waits && !own.inner && !own.joins ? own.own_bytes : 0;
}

struct ir_stmt *waits_unrolled(struct code *code, struct ir_stmt *stmt)
{
  if (!stmt || stmt->kind == IR_STMT_SWITCH) return stmt;
  struct ir_stmt *copy = ir_copy_stmt(code->arena, stmt), **below;
  double bytes = stmt->kind == IR_STMT_FOR ? bytes_of_loop(code, stmt) : 0;
  unsigned together = bytes > 0 ? waits_at_once(stmt, bytes) : 1;
  if (together > 1) copy->pragma = arena_format(code->arena, "#pragma unroll %u", together);
  for (unsigned i = 0; (below = ir_below(copy, i)); i++) *below = waits_unrolled(code, *below);
  return copy;
}
