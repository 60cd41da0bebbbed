/* SPDX-License-Identifier: MIT */
/* own_params.c - parameters that a kernel changes become locals.
 *
 *     __global__ void scale(float *out, const float *in, int n)
 *     in += blockIdx.x * n;          const float *_in = in + blockIdx.x * n;
 *     for (...) {                    float *_out = out;    (in front of all)
 *       *out = in[i] * 2;       =>   for (...) {
 *       out += n;                      *_out = _in[i] * 2; _out += n;
 *     }                              }
 *
 * The change is in the IR alone: kernels keep their text. So the analysis sees parameters that keep
 * one value, and locals that are declared where they get theirs. A statement of the kernel's body
 * that assigns a whole parameter begins a local; a parameter that is assigned elsewhere has one
 * from the start. Gives up: parameters whose address is taken, that count a loop, or whose type is
 * no number and no pointer to objects.
 */
#include <string.h>

#include "translator/ir/ir_rewrite.h"
#include "translator/ir/unit.h"

struct owning {
  struct unit *unit;
  struct ir_function *kernel;
  struct ir_var **now; /* by parameter: the local in its place; NULL: none so far */
  bool *owned;         /* by parameter */
  unsigned number;     /* of locals so far */
};

/* ---- which parameters? ---- */

static bool is_kept_type(const struct ir_type *type)
{
  if (type->is_volatile || type->is_unnamed) return true;
  if (type->kind == IR_TYPE_INT || type->kind == IR_TYPE_FLOAT) return false;
  return type->kind != IR_TYPE_POINTER || !type->element || type->element->size <= 0 ||
         type->element->kind == IR_TYPE_ARRAY || type->element->is_unnamed;
}

static int param_number(const struct owning *o, const struct ir_var *var)
{
  for (unsigned i = 0; i < o->kernel->param_count; i++)
    if (o->kernel->params[i] == var) return (int)i;
  return -1;
}

static bool note_stmt(struct ir_stmt *stmt, void *context)
{
  struct owning *o = context;
  int number = stmt->loop ? param_number(o, stmt->loop->iterator) : -1;

  if (number >= 0) o->owned[number] = false;
  if (stmt->kind == IR_STMT_GOTO || stmt->kind == IR_STMT_LABEL || stmt->kind == IR_STMT_OPAQUE)
    memset(o->owned, 0, o->kernel->param_count);
  return true;
}

static bool find_owned(struct owning *o)
{
  bool any = false;

  for (unsigned i = 0; i < o->kernel->param_count; i++) {
    const struct ir_var *param = o->kernel->params[i];
    o->owned[i] = param->write_count && !param->address_taken && param->name &&
                  !param->type->is_const && !is_kept_type(param->type);
  }
  ir_visit_stmts(o->kernel->body, note_stmt, o);
  for (unsigned i = 0; i < o->kernel->param_count; i++) any |= o->owned[i];
  return any;
}

/* ---- locals ---- */

static struct ir_stmt *declare(struct owning *o, unsigned param, struct ir_expr *value)
{
  struct arena *arena = o->unit->arena;
  const struct ir_var *from = o->kernel->params[param];
  const struct ir_type *type = from->type->kind == IR_TYPE_POINTER
                                   ? ir_build_pointer_type(arena, from->type->element)
                                   : ir_plain_type(arena, from->type);
  const char *wanted =
      arena_format(arena, o->now[param] ? "_%s_%u" : "_%s", from->name, o->number + 1);
  struct ir_var *var = ir_add_local(arena, o->kernel, unit_local_name(o->unit, wanted), type);

  var->init = value;
  var->write_count = 1;
  var->place = from->place;
  o->now[param] = var;
  o->number++;
  return ir_build_decl(arena, var, value);
}

static struct ir_expr *replace_param(struct ir_rewriter *r, struct ir_expr *expr)
{
  struct owning *o = r->context;
  int number = expr->kind == IR_EXPR_VAR ? param_number(o, expr->var) : -1;

  if (number < 0 || !o->now[number]) return NULL;
  struct ir_expr *var = ir_build_var(r->arena, o->now[number]);
  var->place = expr->place;
  return var;
}

static void count_writes(struct ir_expr *expr, void *context)
{
  struct owning *o = context;
  struct ir_var *var = ir_assigned_var(expr);
  int number = var ? param_number(o, var) : -1;

  if (number >= 0 && o->now[number]) o->now[number]->write_count++;
}

static struct ir_expr *current(struct owning *o, struct ir_expr *expr)
{
  struct ir_rewriter rewriter = {o->unit->arena, replace_param, o};
  return ir_rewrite_expr(&rewriter, expr);
}

/* ---- statements ---- */

/* The value that the assignment gives its parameter. NULL: it is not told as a sum or the like. */
static struct ir_expr *given(struct owning *o, struct ir_expr *expr, const struct ir_var *param)
{
  struct arena *arena = o->unit->arena;
  enum ir_op op = ir_compound_op(expr->op);
  bool pointer = param->type->kind == IR_TYPE_POINTER;

  if (expr->kind != IR_EXPR_ASSIGN) return NULL;
  if (expr->op == IR_OP_ASSIGN) return current(o, expr->operands[1]);
  bool sums = op == IR_OP_ADD || op == IR_OP_SUB;
  if (op == IR_OP_COUNT ||
      (pointer ? !sums
               : param->type->size < 4 || !ir_same_type(expr->operands[1]->type, param->type)))
    return NULL;
  struct ir_expr *value =
      ir_build_binary(arena, op, current(o, expr->operands[0]), current(o, expr->operands[1]));
  value->type = ir_plain_type(arena, param->type);
  value->place = expr->place;
  return value;
}

/* The statement as it is; a declaration for one that assigns a whole parameter. */
static struct ir_stmt *owned_stmt(struct owning *o, struct ir_stmt *stmt)
{
  struct ir_rewriter rewriter = {o->unit->arena, replace_param, o};
  struct ir_expr *expr = stmt->kind == IR_STMT_EXPR ? ir_strip(stmt->expr) : NULL;
  const struct ir_var *var = expr ? ir_assigned_var(expr) : NULL;
  int number = var ? param_number(o, var) : -1;
  struct ir_expr *value =
      number >= 0 && o->owned[number] ? given(o, expr, o->kernel->params[number]) : NULL;

  if (value) {
    struct ir_stmt *decl = declare(o, (unsigned)number, value);
    decl->place = stmt->place;
    return decl;
  }
  ir_visit_stmt_exprs(stmt, count_writes, o);
  return ir_rewrite_stmt(&rewriter, stmt);
}

/* Is the parameter only assigned by statements of the body itself? */
static bool is_set_above(struct owning *o, unsigned param)
{
  const struct ir_stmt *body = o->kernel->body;
  const struct ir_var *var = o->kernel->params[param];
  unsigned found = 0;

  for (unsigned i = 0; i < body->child_count; i++) {
    struct ir_stmt *stmt = body->children[i];
    struct ir_expr *expr = stmt->kind == IR_STMT_EXPR ? ir_strip(stmt->expr) : NULL;
    found += expr && ir_assigned_var(expr) == var && given(o, expr, var);
  }
  return found == var->write_count;
}

static void own_params(struct owning *o)
{
  struct arena *arena = o->unit->arena;
  struct ir_stmt *body = o->kernel->body;
  struct ir_list out = {0};

  for (unsigned i = 0; i < o->kernel->param_count; i++)
    if (o->owned[i] && !is_set_above(o, i))
      ir_list_add(arena, &out, declare(o, i, ir_build_var(arena, o->kernel->params[i])));
  for (unsigned i = 0; i < body->child_count; i++)
    ir_list_add(arena, &out, owned_stmt(o, body->children[i]));
  struct ir_stmt *block = ir_build_block(arena, &out);
  block->place = body->place;
  o->kernel->body = block;
  for (unsigned i = 0; i < o->kernel->param_count; i++)
    if (o->owned[i]) o->kernel->params[i]->write_count = 0;
  ir_own_body(arena, o->kernel);
}

void unit_own_parameters(struct unit *unit)
{
  for (unsigned i = 0; i < unit->functions.count; i++) {
    struct ir_function *kernel = unit->functions.items[i];
    if (!kernel->is_kernel || !kernel->body || kernel->body->kind != IR_STMT_BLOCK) continue;
    struct owning o = {.unit = unit, .kernel = kernel};
    o.now = arena_alloc(unit->arena, (kernel->param_count + 1) * sizeof *o.now);
    o.owned = arena_alloc(unit->arena, kernel->param_count + 1);
    memset(o.now, 0, (kernel->param_count + 1) * sizeof *o.now);
    if (find_owned(&o)) own_params(&o);
  }
}
