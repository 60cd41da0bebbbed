/* SPDX-License-Identifier: MIT */
/* instance.c - the axes of the thread index that each value depends on.
 *
 *     row = blockIdx.y * 64 + threadIdx.y                     { y }
 *     col = blockIdx.x * 64 + threadIdx.x                     { x }
 *     sum += a[row][k] * b[k][col]                            a[row][k]: { y }, b[k][col]: { x },
 *         sum: { x, y }
 *
 * One thread may do the work of several (its instances, a grid of them along x and y). It keeps a
 * value once for all instances that differ only along other axes. A variable depends on the values
 * assigned to it and on the conditions around the assignment, up to its declaration. A load depends
 * on its address where nothing in the kernel writes the memory, otherwise on all axes. A fixpoint
 * over the assignments finds this. Requires: a scan. Gives up: never (all axes).
 */
#include "analysis/code/instance.h"
#include "runtime/seeded.h"

#include <string.h>

enum { DEPTH = 64 };

struct flow {
  struct instances *in;
  unsigned around[DEPTH]; /* axes of the conditions around this place, outermost first */
  unsigned depth;
  unsigned char *declared; /* by variable id: depth at its declaration */
  bool changed;
};

static bool is_own(const struct instances *in, const struct ir_var *var)
{
  return !var->of_thread && ir_owns(in->code->facts.kernel, var);
}

unsigned instances_of_var(const struct instances *in, const struct ir_var *var)
{
  if (!is_own(in, var) || var->id >= in->var_count) return 0;
  return in->vars[var->id];
}

static bool is_memory(const struct ir_expr *expr)
{
  switch (expr->kind) {
  case IR_EXPR_INDEX:
  case IR_EXPR_MEMBER: return expr->type->kind != IR_TYPE_ARRAY;
  case IR_EXPR_UNARY: return expr->op == IR_OP_DEREF && expr->type->kind != IR_TYPE_ARRAY;
  case IR_EXPR_CALL: return expr->effect == IR_EFFECT_LOAD;
  default: return false;
  }
}

/* The axes that a read of memory adds to those of its address. */
static unsigned axes_of_memory(const struct instances *in, const struct ir_expr *expr)
{
  const struct code_access *found = code_access_of(in->code, expr);

  if (found) return code_read_only(in->code, found->array) ? 0 : INSTANCE_ALL;
  if (expr->kind == IR_EXPR_MEMBER && expr->operand_count &&
      code_access_of(in->code, ir_strip(expr->operands[0])))
    return 0; /* the element's own */
  const struct ir_var *root = ir_holder(expr);
  bool local = root && (root->kind == IR_VAR_LOCAL || root->kind == IR_VAR_PARAM ||
                        (root->kind == IR_VAR_SHARED && !in->of_block));
  return local ? 0 : INSTANCE_ALL;
}

static unsigned axes_of_call(const struct instances *in, const struct ir_expr *expr)
{
  switch (expr->effect) {
  case IR_EFFECT_NONE:
  case IR_EFFECT_LOAD:
  case IR_EFFECT_BARRIER: return 0;
  case IR_EFFECT_CALLEE:
    return effects_none(effects_of(in->code->effects, expr->callee)) ? 0 : INSTANCE_ALL;
  default: return INSTANCE_ALL;
  }
}

static unsigned axes_of_builtin(const struct instances *in, int64_t builtin)
{
  if (in->of_block && builtin < IR_BLOCK_IDX)
    return in->code->facts.block[builtin] == 1 ? 0
           : builtin == IR_THREAD_IDX          ? INSTANCE_X
                                               : INSTANCE_Y;
  return builtin == IR_THREAD_IDX ? INSTANCE_X : builtin == IR_THREAD_IDX + 1 ? INSTANCE_Y : 0;
}

/* The element whose address the expression takes without reading it. NULL: it takes none. */
static const struct ir_expr *addressed(const struct ir_expr *expr)
{
  const struct ir_expr *of =
      expr->kind == IR_EXPR_UNARY && expr->op == IR_OP_ADDRESS ? ir_strip(expr->operands[0]) : NULL;
  return of && of->kind == IR_EXPR_INDEX ? of : NULL;
}

unsigned instances_of_expr(const struct instances *in, const struct ir_expr *expr)
{
  unsigned axes = 0;

  if (!expr) return 0;
  if (addressed(expr)) {
    expr = addressed(expr);
    return instances_of_expr(in, expr->operands[0]) | instances_of_expr(in, expr->operands[1]);
  }
  switch (expr->kind) {
  case IR_EXPR_BUILTIN: return axes_of_builtin(in, expr->value);
  case IR_EXPR_VAR:
    if (is_own(in, expr->var)) return instances_of_var(in, expr->var);
    if (expr->var->kind == IR_VAR_SHARED && in->of_block && expr->type->kind != IR_TYPE_ARRAY)
      return INSTANCE_ALL;
    if (expr->var->kind == IR_VAR_SHARED || expr->type->kind == IR_TYPE_ARRAY ||
        expr->type->kind == IR_TYPE_POINTER)
      return 0;
    return expr->var->has_value ? 0 : axes_of_memory(in, expr);
  case IR_EXPR_CALL: axes = axes_of_call(in, expr); break;
  default: break;
  }
  if (is_memory(expr)) axes |= axes_of_memory(in, expr);
  for (unsigned i = 0; i < expr->operand_count; i++)
    axes |= instances_of_expr(in, expr->operands[i]);
  return axes;
}

/* ---- the fixpoint ---- */

static void depend(struct flow *f, const struct ir_var *var, unsigned axes)
{
  if (!is_own(f->in, var)) return;
  for (unsigned i = f->declared[var->id]; i < f->depth && i < DEPTH; i++) axes |= f->around[i];
  if (axes & ~(unsigned)f->in->vars[var->id]) {
    f->in->vars[var->id] |= (unsigned char)axes;
    f->changed = true;
  }
}

/* May a callee write the argument: behind a pointer (an array of the thread's own), by reference,
 * or as its object? */
static bool may_write(const struct instances *in, const struct ir_expr *call, unsigned argument)
{
  const struct ir_function *callee = call->effect == IR_EFFECT_CALLEE ? call->callee : NULL;
  const struct function_effects *effects =
      callee ? effects_of(in->code->effects, call->callee) : NULL;
  bool known =
      effects && !effects->unknown_call && !call->is_method && argument < callee->param_count;

  return call->effect != IR_EFFECT_NONE && call->effect != IR_EFFECT_LOAD &&
         (!known || (effects->params[argument] & EFFECT_WRITE) != 0);
}

static void note_call(struct flow *f, const struct ir_expr *call)
{
  for (unsigned i = 0; i < call->operand_count; i++) {
    const struct ir_expr *argument = ir_strip(call->operands[i]);
    const struct ir_var *root = ir_holder(argument);
    bool place = root && (argument->type->kind == IR_TYPE_ARRAY || root->address_taken ||
                          (call->is_method && !i));
    if (place && may_write(f->in, call, i) && !SEEDED(CALLEE_VALUE_SHARED))
      depend(f, root, INSTANCE_ALL);
  }
}

/* Notes an array of the thread's own that is used as a pointer: code that gets the pointer may
 * write there. */
static void note_pointer(struct flow *f, struct ir_expr *expr)
{
  expr = ir_strip(expr);
  const struct ir_var *root = expr->type->kind == IR_TYPE_ARRAY ? ir_holder(expr) : NULL;

  if (root) depend(f, root, INSTANCE_ALL);
}

static void note_assignment(struct ir_expr *expr, void *context)
{
  struct flow *f = context;
  bool looks = expr->kind == IR_EXPR_MEMBER || expr->kind == IR_EXPR_CONVERT ||
               expr->kind == IR_EXPR_PAREN || expr->kind == IR_EXPR_SIZEOF;

  if (expr->kind == IR_EXPR_CALL)
    note_call(f, expr);
  else
    for (unsigned i = expr->kind == IR_EXPR_INDEX; i < expr->operand_count && !looks; i++)
      note_pointer(f, expr->operands[i]);
  if (expr->kind == IR_EXPR_ASSIGN || ir_is_step(expr)) {
    const struct ir_var *root = ir_holder(expr->operands[0]);
    const struct ir_expr *target = ir_strip(expr->operands[0]);
    if (!root && target->kind == IR_EXPR_VAR) root = target->var;
    unsigned axes = instances_of_expr(f->in, expr->operands[0]);
    if (expr->kind == IR_EXPR_ASSIGN) axes |= instances_of_expr(f->in, expr->operands[1]);
    if (root) depend(f, root, axes);
  }
  if (expr->kind == IR_EXPR_UNARY && expr->op == IR_OP_ADDRESS) {
    const struct ir_var *root = ir_holder(expr->operands[0]);
    if (root) depend(f, root, INSTANCE_ALL); /* code that gets the address may write there */
  }
}

/* Follows an expression as a whole. A condition inside && || ?: governs the parts behind it. */
static void flow_expr(struct flow *f, struct ir_expr *expr)
{
  ir_visit_expr(expr, note_assignment, f);
}

static void push(struct flow *f, unsigned axes)
{
  if (f->depth < DEPTH)
    f->around[f->depth] = axes;
  else
    f->around[DEPTH - 1] = INSTANCE_ALL;
  f->depth++;
}

struct leaving {
  const struct instances *in;
  unsigned axes, around;
  bool only_left;
};

/* Finds the axes of the conditions under which the body leaves a loop or, unless `only_left`, ends
 * an iteration early. */
static void find_leaving(struct leaving *l, struct ir_stmt *stmt, bool in_loop)
{
  unsigned around = l->around;

  if (!stmt) return;
  switch (stmt->kind) {
  case IR_STMT_BREAK:
  case IR_STMT_CONTINUE:
    if (!in_loop && !(l->only_left && stmt->kind == IR_STMT_CONTINUE)) l->axes |= around;
    break;
  case IR_STMT_RETURN: l->axes |= around; break;
  case IR_STMT_FOR:
  case IR_STMT_WHILE:
  case IR_STMT_DO: in_loop = true; /* fall through */
  case IR_STMT_IF:
  case IR_STMT_SWITCH: l->around |= instances_of_expr(l->in, stmt->expr); break;
  default: break;
  }
  find_leaving(l, stmt->body, in_loop);
  find_leaving(l, stmt->else_body, in_loop);
  for (unsigned i = 0; i < stmt->child_count; i++) find_leaving(l, stmt->children[i], in_loop);
  l->around = around;
}

/* The axes of a loop's trip count. A `continue` in a canonical loop does not touch its iterator, so
 * the threads of a block go on together. */
static unsigned axes_of_iterations(const struct instances *in, struct ir_stmt *loop)
{
  struct leaving l = {.in = in, .only_left = in->of_block && loop->loop};

  find_leaving(&l, loop->body, false);
  return l.axes | instances_of_expr(in, loop->expr);
}

static unsigned axes_of_loop(const struct instances *in, struct ir_stmt *loop)
{
  struct leaving l = {.in = in};

  find_leaving(&l, loop->body, false);
  return l.axes | instances_of_expr(in, loop->expr);
}

/* float *p = sum; float &r = sum; */
static void note_initial(struct flow *f, const struct ir_stmt *decl)
{
  const struct ir_var *root = decl->expr ? ir_holder(decl->expr) : NULL;

  if (root &&
      (decl->var->type->kind == IR_TYPE_REFERENCE || decl->var->type->kind == IR_TYPE_POINTER) &&
      (decl->var->type->kind == IR_TYPE_REFERENCE ||
       ir_strip(decl->expr)->type->kind == IR_TYPE_ARRAY))
    depend(f, root, INSTANCE_ALL);
}

static void flow_stmt(struct flow *f, struct ir_stmt *stmt)
{
  if (!stmt) return;
  if (stmt->kind == IR_STMT_DECL) {
    if (is_own(f->in, stmt->var))
      f->declared[stmt->var->id] = (unsigned char)(f->depth < DEPTH ? f->depth : DEPTH - 1);
    if (stmt->expr) depend(f, stmt->var, instances_of_expr(f->in, stmt->expr));
    note_initial(f, stmt);
  }
  flow_stmt(f, stmt->init);
  flow_expr(f, stmt->expr);
  bool loop = stmt->kind == IR_STMT_FOR || stmt->kind == IR_STMT_WHILE || stmt->kind == IR_STMT_DO;
  bool governs = loop || stmt->kind == IR_STMT_IF || stmt->kind == IR_STMT_SWITCH;
  if (governs) push(f, loop ? axes_of_loop(f->in, stmt) : instances_of_expr(f->in, stmt->expr));
  flow_stmt(f, stmt->body);
  if (loop && f->depth <= DEPTH) f->around[f->depth - 1] = axes_of_iterations(f->in, stmt);
  flow_expr(f, stmt->increment);
  flow_stmt(f, stmt->else_body);
  for (unsigned i = 0; i < stmt->child_count; i++) flow_stmt(f, stmt->children[i]);
  if (governs) f->depth--;
}

static void analyze(struct code *code, bool of_block, struct instances *ret)
{
  const struct ir_function *function = code->facts.kernel;
  struct flow flow = {.in = ret};

  code_scan(code);
  ret->code = code;
  ret->of_block = of_block;
  ret->var_count = function->var_count;
  ret->vars = arena_alloc(code->arena, function->var_count + 1);
  flow.declared = arena_alloc(code->arena, function->var_count + 1);
  if (code->lane) ret->vars[code->lane->id] = INSTANCE_X;
  for (int axis = 0; axis < 2; axis++)
    if (code->instance[axis]) ret->vars[code->instance[axis]->id] = axis ? INSTANCE_Y : INSTANCE_X;
  do {
    flow.changed = false;
    flow.depth = 0;
    flow_stmt(&flow, function->body);
  } while (flow.changed);
}

void instances_analyze(struct code *code, struct instances *ret) { analyze(code, false, ret); }

void instances_analyze_block(struct code *code, struct instances *ret) { analyze(code, true, ret); }

/* ---- statements ---- */

struct stmt_axes {
  const struct instances *in;
  unsigned axes;
};

static bool note_decl(struct ir_stmt *stmt, void *context)
{
  struct stmt_axes *s = context;

  if (stmt->kind == IR_STMT_DECL) s->axes |= instances_of_var(s->in, stmt->var);
  s->axes |= instances_of_expr(s->in, stmt->expr) | instances_of_expr(s->in, stmt->increment);
  return true;
}

unsigned instances_of_stmt(const struct instances *in, struct ir_stmt *stmt)
{
  struct stmt_axes s = {in, 0};

  ir_visit_stmts(stmt, note_decl, &s);
  return s.axes;
}

unsigned instances_of_loop(const struct instances *in, struct ir_stmt *loop)
{
  unsigned axes = axes_of_iterations(in, loop) | instances_of_expr(in, loop->increment);

  if (loop->init) axes |= instances_of_stmt(in, loop->init);
  if (loop->loop) axes |= instances_of_var(in, loop->loop->iterator);
  return axes;
}

bool instances_uniform_loop(const struct instances *in, struct ir_stmt *loop)
{
  return !instances_of_loop(in, loop);
}
