/* SPDX-License-Identifier: MIT */
/* effects.c - flow-insensitive effects of a device function.
 *
 *     __device__ void f(float *p, const float *q) { float *r = p + 1; r[0] = *q; }
 *         =>   p write, q read
 *
 * Each pointer variable gets the set of its possible targets (parameters, named variables,
 * unknown); the scan repeats until no set grows. A pointer that is stored in memory, made a number
 * or returned counts as read and written. A variable with its address taken, or with a reference to
 * it, is such memory. A parameter `const T *__restrict__` is an exception: nothing may modify the
 * memory that is read through it (C11 6.7.3.1p4; nvcc loads it as read-only data). Requires: IR, or
 * for verbatim functions the signature and the named VS variables. Never gives up: unknown is an
 * answer.
 */
#include "analysis/access/effects.h"
#include "runtime/seeded.h"

#include <string.h>

#define UNKNOWN (UINT64_C(1) << 63)
enum { MOST_TARGETS = 62, GOES_BACK = 4 /* a value that is read only goes back */ };

struct scan {
  struct effects *table;
  struct ir_function *function;
  struct function_effects *out;
  uint64_t *targets; /* by variable id: the targets of a pointer or reference */
  bool *skip;        /* by expression id: written only, or only its address is used */
  bool *dropped;     /* by expression id: a statement, whose value is unused */
  bool *in_memory;   /* by variable id: a pointer that a pointer or reference may lead to */
  bool changed;
};

static uint64_t region(struct scan *s, struct ir_expr *expr);

static uint64_t use_bit(struct scan *s, struct ir_var *var)
{
  unsigned i = 0;

  while (i < s->out->uses.count && s->out->uses.items[i].var != var) i++;
  if (i == s->out->uses.count) ARENA_PUSH(s->table->arena, &s->out->uses)->var = var;
  if (s->function->param_count + i >= MOST_TARGETS) return UNKNOWN;
  return UINT64_C(1) << (s->function->param_count + i);
}

/* ---- pointers in memory ---- */

static bool is_own(struct scan *s, const struct ir_var *var) { return ir_owns(s->function, var); }

/* Notes the pointers that an lvalue may be: p, c ? p : q, (i, p), p = q, max(p, q). */
static void note_lvalue(struct scan *s, struct ir_expr *expr)
{
  expr = ir_strip(expr);
  bool own = expr->kind == IR_EXPR_VAR && expr->var->address_taken && is_own(s, expr->var) &&
             expr->var->type->kind == IR_TYPE_POINTER && !SEEDED(POINTER_ALIAS_MISSED);
  bool parts = expr->kind == IR_EXPR_COND || expr->kind == IR_EXPR_ASSIGN ||
               expr->kind == IR_EXPR_CALL || expr->kind == IR_EXPR_CAST ||
               (expr->kind == IR_EXPR_BINARY && expr->op == IR_OP_COMMA) ||
               (expr->kind == IR_EXPR_UNARY && expr->op != IR_OP_DEREF);

  if (own) s->in_memory[expr->var->id] = true;
  for (unsigned i = 0; parts && i < expr->operand_count; i++) note_lvalue(s, expr->operands[i]);
}

static bool note_references(struct ir_stmt *stmt, void *context)
{
  if (stmt->kind == IR_STMT_DECL && stmt->expr && stmt->var->type->kind == IR_TYPE_REFERENCE)
    note_lvalue(context, stmt->expr);
  return true;
}

/* May the call bind a reference to the argument? An unknown function touches its arguments at the
 * call, whatever its parameters are. */
static bool takes_reference(const struct ir_expr *call, unsigned argument)
{
  unsigned first = call->is_method ? 1 : 0;
  return call->effect == IR_EFFECT_CALLEE && argument >= first &&
         argument - first < call->callee->param_count &&
         call->callee->params[argument - first]->type->kind == IR_TYPE_REFERENCE;
}

/* Notes pointers whose address is taken. struct ir_var also counts arguments by value, which is too
 * much here. */
static void note_addresses(struct ir_expr *expr, void *context)
{
  bool address = expr->kind == IR_EXPR_UNARY && expr->op == IR_OP_ADDRESS,
       call = expr->kind == IR_EXPR_CALL;
  for (unsigned i = 0; i < expr->operand_count; i++)
    if (address || expr->kind == IR_EXPR_OPAQUE || (call && takes_reference(expr, i)))
      note_lvalue(context, expr->operands[i]);
}

/* ---- the targets of pointers ---- */

static bool is_pointer(const struct ir_type *type)
{
  return type->kind == IR_TYPE_POINTER || type->kind == IR_TYPE_ARRAY;
}

static uint64_t target_of_var(struct scan *s, struct ir_var *var)
{
  if (!is_own(s, var)) return UNKNOWN;
  if (var->address_taken && var->type->kind == IR_TYPE_POINTER)
    return UNKNOWN | s->targets[var->id];
  return s->targets[var->id];
}

/* The target of a pointer that the variable holds, or refers to. For a parameter it is the
 * parameter. */
static uint64_t target_of_value(struct scan *s, struct ir_var *var)
{
  bool other = var->type->kind == IR_TYPE_REFERENCE && var->kind != IR_VAR_PARAM;
  return target_of_var(s, var) | (other ? UNKNOWN : 0);
}

/* The target of the pointer (or decaying array) `expr`. */
static uint64_t target(struct scan *s, struct ir_expr *expr)
{
  bool parameter = expr->kind == IR_EXPR_VAR && expr->var->type->kind == IR_TYPE_POINTER;
  if (expr->type->kind == IR_TYPE_ARRAY && expr->kind != IR_EXPR_LITERAL && !parameter)
    return region(s, expr);
  switch (expr->kind) {
  case IR_EXPR_VAR: return target_of_value(s, expr->var);
  case IR_EXPR_PAREN:
  case IR_EXPR_CONVERT:
  case IR_EXPR_CAST:
    return is_pointer(expr->operands[0]->type) || expr->operands[0]->kind == IR_EXPR_PAREN
               ? target(s, expr->operands[0])
               : UNKNOWN;
  case IR_EXPR_BINARY: {
    uint64_t mask = 0;
    for (unsigned i = expr->op == IR_OP_COMMA; i < 2; i++)
      if (is_pointer(expr->operands[i]->type)) mask |= target(s, expr->operands[i]);
    return mask;
  }
  case IR_EXPR_UNARY:
    if (expr->op == IR_OP_ADDRESS) return region(s, expr->operands[0]);
    return expr->op == IR_OP_DEREF ? UNKNOWN : target(s, expr->operands[0]);
  case IR_EXPR_ASSIGN: return target(s, expr->operands[0]);
  case IR_EXPR_COND: return target(s, expr->operands[1]) | target(s, expr->operands[2]);
  case IR_EXPR_INT:
  case IR_EXPR_LITERAL: return 0;
  default: return UNKNOWN;
  }
}

/* The memory of the lvalue `expr`; 0: local or shared. */
static uint64_t region(struct scan *s, struct ir_expr *expr)
{
  switch (expr->kind) {
  case IR_EXPR_PAREN:
  case IR_EXPR_CONVERT:
  case IR_EXPR_CAST: return region(s, expr->operands[0]);
  case IR_EXPR_VAR:
    if (expr->var->type->kind == IR_TYPE_REFERENCE) return target_of_var(s, expr->var);
    return expr->var->kind == IR_VAR_VS || expr->var->kind == IR_VAR_DEVICE ? use_bit(s, expr->var)
                                                                            : 0;
  case IR_EXPR_INDEX: return target(s, expr->operands[0]);
  case IR_EXPR_MEMBER:
    return expr->is_arrow ? target(s, expr->operands[0]) : region(s, expr->operands[0]);
  case IR_EXPR_UNARY:
    return expr->op == IR_OP_DEREF ? target(s, expr->operands[0]) : region(s, expr->operands[0]);
  case IR_EXPR_ASSIGN: return region(s, expr->operands[0]);
  case IR_EXPR_COND: return region(s, expr->operands[1]) | region(s, expr->operands[2]);
  case IR_EXPR_BINARY: return expr->op == IR_OP_COMMA ? region(s, expr->operands[1]) : 0;
  case IR_EXPR_CALL: return expr->type->kind == IR_TYPE_RECORD ? 0 : UNKNOWN;
  case IR_EXPR_OPAQUE: return UNKNOWN;
  default: return 0;
  }
}

static void touch(struct scan *s, uint64_t mask, unsigned access)
{
  if (mask & UNKNOWN) {
    s->out->unknown_read |= (access & EFFECT_READ) != 0;
    s->out->unknown_write |= (access & EFFECT_WRITE) != 0;
  }
  bool looks = (access & EFFECT_READ) && !(access & GOES_BACK);
  access &= EFFECT_READ | EFFECT_WRITE;
  for (unsigned i = 0; i < s->function->param_count && i < MOST_TARGETS; i++)
    if (mask >> i & 1) {
      s->out->params[i] |= access;
      s->out->params_looked_at[i] |= looks;
    }
  for (unsigned i = 0; i < s->out->uses.count; i++)
    if (s->function->param_count + i < MOST_TARGETS ? mask >> (s->function->param_count + i) & 1
                                                    : mask & UNKNOWN) {
      s->out->uses.items[i].access |= access;
      s->out->uses.items[i].looked_at |= looks;
    }
}

/* The effects of an update such as `a[i] += x;`. */
static unsigned update(const struct scan *s, const struct ir_expr *expr)
{
  return EFFECT_READ | EFFECT_WRITE | (s->dropped[expr->id] ? GOES_BACK : 0u);
}

/* Adds `mask` to the targets of `var`. */
static void aim(struct scan *s, struct ir_var *var, uint64_t mask)
{
  if (!is_own(s, var) || s->in_memory[var->id]) touch(s, mask, EFFECT_READ | EFFECT_WRITE);
  if (!is_own(s, var)) return;
  if ((s->targets[var->id] | mask) != s->targets[var->id]) s->changed = true;
  s->targets[var->id] |= mask;
}

static void skip_chain(struct scan *s, struct ir_expr *expr)
{
  for (;;) {
    s->skip[expr->id] = true;
    bool goes_on = expr->kind == IR_EXPR_PAREN || expr->kind == IR_EXPR_CONVERT ||
                   (expr->kind == IR_EXPR_MEMBER && !expr->is_arrow);
    if (!goes_on) return;
    expr = expr->operands[0];
  }
}

static void scan_assign(struct scan *s, struct ir_expr *expr)
{
  struct ir_expr *to = ir_strip(expr->operands[0]), *from = expr->operands[1];
  bool plain = expr->op == IR_OP_ASSIGN;

  if (plain || s->dropped[expr->id]) skip_chain(s, expr->operands[0]);
  touch(s, region(s, to), plain ? EFFECT_WRITE : update(s, expr));
  if (!plain || !is_pointer(from->type)) return;
  bool alias = to->kind == IR_EXPR_VAR && to->var->type->kind == IR_TYPE_REFERENCE;
  if (to->kind == IR_EXPR_VAR && to->type->kind == IR_TYPE_POINTER && !alias)
    aim(s, to->var, target(s, from));
  else
    touch(s, target(s, from), EFFECT_READ | EFFECT_WRITE);
}

/* ++a[i] */
static void scan_step(struct scan *s, struct ir_expr *expr)
{
  if (s->dropped[expr->id]) skip_chain(s, expr->operands[0]);
  touch(s, region(s, expr->operands[0]), update(s, expr));
}

static bool points_to_const(const struct ir_type *type)
{
  for (type = type->element; type->kind == IR_TYPE_ARRAY;) type = type->element;
  return type->is_const;
}

/* The memory that a callee can reach through an argument. */
static uint64_t reach(struct scan *s, struct ir_expr *arg, const struct ir_type *param)
{
  if (param && param->kind == IR_TYPE_REFERENCE)
    return region(s, ir_strip(arg)) |
           (is_pointer(arg->type) && arg->type->kind == IR_TYPE_POINTER ? target(s, arg) : 0);
  return is_pointer(arg->type) ? target(s, arg) : 0;
}

static void scan_known_call(struct scan *s, struct ir_expr *call)
{
  const struct function_effects *callee = effects_of(s->table, call->callee);
  unsigned first = call->is_method ? 1 : 0;

  s->out->barrier |= callee->barrier;
  s->out->warp |= callee->warp;
  s->out->fence |= callee->fence;
  s->out->unknown_call |= callee->unknown_call;
  s->out->unknown_read |= callee->unknown_read;
  s->out->unknown_write |= callee->unknown_write;
  for (unsigned i = 0; i < callee->uses.count; i++)
    touch(s, use_bit(s, callee->uses.items[i].var),
          callee->uses.items[i].access | (callee->uses.items[i].looked_at ? 0u : GOES_BACK));
  if (call->is_method && call->operand_count)
    touch(s,
          is_pointer(call->operands[0]->type) ? target(s, call->operands[0])
                                              : region(s, call->operands[0]),
          EFFECT_READ | EFFECT_WRITE);
  for (unsigned i = first; i < call->operand_count; i++) {
    bool has_param = i - first < call->callee->param_count;
    const struct ir_type *param = has_param ? call->callee->params[i - first]->type : NULL;
    unsigned access = has_param ? callee->params[i - first] : EFFECT_READ | EFFECT_WRITE;
    if (has_param && !callee->params_looked_at[i - first]) access |= GOES_BACK;
    touch(s, reach(s, call->operands[i], param),
          SEEDED(CALLEE_WRITE_MISSED) ? access & ~EFFECT_WRITE : access);
  }
}

static void scan_unknown_call(struct scan *s, struct ir_expr *call)
{
  s->out->unknown_call = true;
  for (unsigned i = 0; i < call->operand_count; i++) {
    struct ir_expr *arg = call->operands[i];
    if (is_pointer(arg->type))
      touch(s, target(s, arg),
            points_to_const(arg->type) ? EFFECT_READ : EFFECT_READ | EFFECT_WRITE);
    else /* a reference may be bound to it */
      touch(s, region(s, arg), EFFECT_READ | EFFECT_WRITE);
  }
}

static void scan_call(struct scan *s, struct ir_expr *call)
{
  s->out->fence |= effects_order(call);
  switch (call->effect) {
  case IR_EFFECT_BARRIER: s->out->barrier = true; break;
  case IR_EFFECT_WARP: s->out->warp = true; break;
  case IR_EFFECT_CALLEE: scan_known_call(s, call); return;
  case IR_EFFECT_UNKNOWN: scan_unknown_call(s, call); return;
  default: break;
  }
  for (unsigned i = 0; i < call->operand_count; i++)
    if (is_pointer(call->operands[i]->type))
      touch(s, target(s, call->operands[i]),
            call->effect != IR_EFFECT_ATOMIC ? EFFECT_READ
            : i                              ? EFFECT_READ | EFFECT_WRITE
                                             : update(s, call));
}

static void scan_parts(struct scan *s, struct ir_expr *expr)
{
  for (unsigned i = 0; i < expr->operand_count; i++)
    if (is_pointer(expr->operands[i]->type))
      touch(s, target(s, expr->operands[i]), EFFECT_READ | EFFECT_WRITE);
}

/* (uintptr_t)p: it may become a pointer again. */
static void scan_conversion(struct scan *s, struct ir_expr *expr)
{
  if (expr->type->kind == IR_TYPE_INT && is_pointer(expr->operands[0]->type) &&
      !SEEDED(POINTER_NUMBER_MISSED))
    touch(s, target(s, expr->operands[0]), EFFECT_READ | EFFECT_WRITE);
}

static void scan_expr(struct ir_expr *expr, void *context)
{
  struct scan *s = context;

  switch (expr->kind) {
  case IR_EXPR_ASSIGN: scan_assign(s, expr); break;
  case IR_EXPR_CALL: scan_call(s, expr); break;
  case IR_EXPR_OPAQUE:
    s->out->unknown_call = true;
    scan_parts(s, expr);
    break;
  case IR_EXPR_CONSTRUCT:
  case IR_EXPR_INIT_LIST: scan_parts(s, expr); break;
  case IR_EXPR_CAST:
  case IR_EXPR_CONVERT: scan_conversion(s, expr); break;
  case IR_EXPR_UNARY:
    if (expr->op == IR_OP_ADDRESS)
      skip_chain(s, expr->operands[0]);
    else if (expr->op == IR_OP_PRE_INC || expr->op == IR_OP_PRE_DEC || expr->op == IR_OP_POST_INC ||
             expr->op == IR_OP_POST_DEC)
      scan_step(s, expr);
    else if (expr->op == IR_OP_DEREF && !s->skip[expr->id] && expr->type->kind != IR_TYPE_ARRAY)
      touch(s, region(s, expr), EFFECT_READ);
    break;
  case IR_EXPR_VAR:
  case IR_EXPR_INDEX:
  case IR_EXPR_MEMBER:
    if (!s->skip[expr->id] && expr->type->kind != IR_TYPE_ARRAY)
      touch(s, region(s, expr), EFFECT_READ);
    break;
  default: break;
  }
}

static void drop(struct scan *s, struct ir_expr *expr)
{
  if (!expr) return;
  expr = ir_strip(expr);
  s->dropped[expr->id] = true;
  for (unsigned i = 0; expr->kind == IR_EXPR_BINARY && expr->op == IR_OP_COMMA && i < 2; i++)
    drop(s, expr->operands[i]);
}

static bool scan_stmt(struct ir_stmt *stmt, void *context)
{
  struct scan *s = context;

  if (stmt->kind == IR_STMT_EXPR) drop(s, stmt->expr);
  if (stmt->kind == IR_STMT_FOR) drop(s, stmt->increment);
  if (stmt->kind == IR_STMT_DECL && stmt->expr) {
    if (stmt->var->type->kind == IR_TYPE_REFERENCE)
      aim(s, stmt->var, region(s, stmt->expr));
    else if (stmt->var->type->kind == IR_TYPE_POINTER)
      aim(s, stmt->var, target(s, stmt->expr));
  }
  if (stmt->kind == IR_STMT_RETURN && stmt->expr && is_pointer(stmt->expr->type))
    touch(s, target(s, stmt->expr), EFFECT_READ | EFFECT_WRITE);
  if (stmt->kind == IR_STMT_RETURN && stmt->expr && s->function->result->kind == IR_TYPE_REFERENCE)
    touch(s, region(s, stmt->expr), EFFECT_READ | EFFECT_WRITE);
  if (stmt->kind == IR_STMT_OPAQUE) s->out->unknown_call = true;
  return true;
}

/* Gives the parameter all effects. */
static void reach_all(struct function_effects *out, unsigned param)
{
  out->params[param] = EFFECT_READ | EFFECT_WRITE;
  out->params_looked_at[param] = true;
}

static void scan_lowered(struct scan *s)
{
  struct ir_function *function = s->function;

  s->in_memory = arena_alloc(s->table->arena, function->var_count + 1);
  ir_visit_stmts(function->body, note_references, s);
  ir_visit_stmt_exprs(function->body, note_addresses, s);
  s->targets = arena_alloc(s->table->arena, (function->var_count + 1) * sizeof *s->targets);
  for (unsigned i = 0; i < function->param_count; i++) {
    s->targets[function->params[i]->id] = i < MOST_TARGETS ? UINT64_C(1) << i : UNKNOWN;
    if (s->in_memory[function->params[i]->id]) reach_all(s->out, i);
  }
  s->dropped = arena_alloc(s->table->arena, function->expr_count + 1);
  do {
    s->changed = false;
    s->skip = arena_alloc(s->table->arena, function->expr_count + 1);
    ir_visit_stmts(function->body, scan_stmt, s);
    ir_visit_stmt_exprs(function->body, scan_expr, s);
  } while (s->changed);
  for (unsigned i = MOST_TARGETS; i < function->param_count; i++) reach_all(s->out, i);
  for (unsigned i = 0; i < function->param_count; i++)
    if (is_pointer(function->params[i]->type) && function->params[i]->type->is_restrict &&
        points_to_const(function->params[i]->type))
      s->out->params[i] &= EFFECT_READ;
}

/* Guesses the effects of a function that is kept verbatim, a template, or defined elsewhere, from
 * the signature and the names in the text. */
static void guess(struct effects *table, struct ir_function *function, struct function_effects *out)
{
  out->unknown_call = out->barrier = out->warp = out->fence = true;
  out->unknown_read = out->unknown_write = true;
  for (unsigned i = 0; i < function->param_count; i++) {
    const struct ir_type *type = function->params[i]->type;
    bool reads_only =
        !function->is_template && function->is_kernel && is_pointer(type) && points_to_const(type);
    reach_all(out, i);
    if (reads_only) out->params[i] = EFFECT_READ;
  }
  for (unsigned i = 0; i < function->vs_use_count; i++) {
    struct effects_use *use = ARENA_PUSH(table->arena, &out->uses);
    use->var = function->vs_uses[i]->var;
    use->access = function->vs_uses[i]->is_const ? EFFECT_READ : EFFECT_READ | EFFECT_WRITE;
    use->looked_at = true;
  }
}

void effects_init(struct effects *effects, struct unit *unit)
{
  memset(effects, 0, sizeof *effects);
  effects->unit = unit;
  effects->arena = unit->arena;
  effects->by_function =
      arena_alloc(unit->arena, (unit->functions.count + 1) * sizeof *effects->by_function);
  effects->active = arena_alloc(unit->arena, unit->functions.count + 1);
}

const struct function_effects *effects_of(struct effects *effects, struct ir_function *function)
{
  if (effects->by_function[function->id] && !effects->active[function->id])
    return effects->by_function[function->id];

  struct function_effects *out = ARENA_NEW(effects->arena, struct function_effects);
  out->params = arena_alloc(effects->arena, (function->param_count + 1) * sizeof *out->params);
  out->params_looked_at = arena_alloc(effects->arena, function->param_count + 1);
  if (!function->body || effects->active[function->id] || function->calls_itself) {
    guess(effects, function, out);
    return out;
  }
  effects->active[function->id] = true;
  struct scan s = {.table = effects, .function = function, .out = out};
  scan_lowered(&s);
  effects->active[function->id] = false;
  effects->by_function[function->id] = out;
  return out;
}

bool effects_none(const struct function_effects *effects)
{
  return !effects->barrier && !effects->warp && !effects->fence && !effects->unknown_call &&
         !effects->unknown_read && !effects->unknown_write && !effects->uses.count;
}

bool effects_pure(struct effects *effects, const struct ir_expr *call)
{
  return call->effect == IR_EFFECT_NONE || call->effect == IR_EFFECT_LOAD ||
         (call->effect == IR_EFFECT_CALLEE && effects_none(effects_of(effects, call->callee)));
}

bool effects_join(struct effects *effects, const struct ir_expr *expr)
{
  if (expr->kind != IR_EXPR_CALL) return false;
  if (expr->effect != IR_EFFECT_CALLEE)
    return expr->effect == IR_EFFECT_BARRIER || expr->effect == IR_EFFECT_WARP ||
           expr->effect == IR_EFFECT_UNKNOWN;
  const struct function_effects *inside = effects_of(effects, expr->callee);
  return inside->barrier || inside->warp || inside->unknown_call;
}

/* __nv_atomic_fetch_add(&n, 1, __NV_ATOMIC_RELEASE, ...): any order but the first, which is none */
static bool is_ordered_atomic(const struct ir_expr *call)
{
  int64_t order;

  if (call->effect != IR_EFFECT_ATOMIC || strncmp(call->text, "__nv_atomic_", 12) != 0)
    return false;
  return call->operand_count < 3 || !ir_constant(call->operands[2], &order) || order;
}

bool effects_order(const struct ir_expr *call)
{
  return call->kind == IR_EXPR_CALL &&
         (call->effect == IR_EFFECT_FENCE || (is_ordered_atomic(call) && !SEEDED(ORDER_IGNORED)));
}

bool effects_fence(struct effects *effects, const struct ir_expr *expr)
{
  if (expr->kind != IR_EXPR_CALL || expr->effect != IR_EFFECT_CALLEE) return effects_order(expr);
  return effects_of(effects, expr->callee)->fence;
}
