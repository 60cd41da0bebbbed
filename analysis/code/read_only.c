/* SPDX-License-Identifier: MIT */
/* read_only.c - marks loads from memory that the kernel does not write.
 *
 *     f(const float *in, float *out)     =>     f(const float *__restrict__ in, float *out)
 *     sum += in[i - 1][j]                =>     sum += __ldg(&in[i - 1][j])
 *
 * The compiler of the emitted code cannot tell that a store to `out` leaves `in` unchanged. Where
 * the launches prove it, the mark says so: a load may then serve several elements of a thread, with
 * stores in between, and move in front of them. Parameters are marked as a whole: the compiler may
 * still put a load under a predicate or next to its neighbours, which __ldg prevents (a filter with
 * a guard took 1.9 times as long with it, bodies 1.3 times, on an H100). Other arrays, and pointers
 * that are members of a parameter, have no place for that mark, so each of their loads gets one;
 * where the kernel's own loops stay, only loads of whose innermost loop stores something: in
 * another one there is nothing for them to pass (the intersections of the rows of a graph took 1.3
 * times as long with marks, on an H200). Requires: a scan. Gives up per load: elements that are no
 * plain numbers, constant memory.
 */
#include "analysis/code/read_only.h"

#include <string.h>

#include "runtime/seeded.h"

/* Has __ldg an overload for the type? */
static bool has_mark(const struct ir_type *type)
{
  static const char *const names[] = {
      "char",         "signed char", "unsigned char", "short",     "unsigned short",     "int",
      "unsigned int", "long",        "unsigned long", "long long", "unsigned long long", "float",
      "double"};
  const char *name = type->spelling;

  if (!strncmp(name, "const ", 6)) name += 6;
  for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
    if (!strcmp(names[i], name)) return !type->is_volatile;
  return false;
}

static struct ir_expr *marked(struct arena *arena, struct ir_expr *expr)
{
  struct ir_expr *address = ir_build_unary(arena, IR_OP_ADDRESS, expr),
                 *call = ir_build_call(arena, "__ldg", IR_EFFECT_LOAD);
  address->type = ir_build_pointer_type(arena, expr->type);
  ir_add_argument(arena, call, address);
  call->type = ir_plain_type(arena, expr->type);
  call->place = expr->place;
  return call;
}

/* Marks a pointer parameter, if its declaration has a star that the mark may follow. */
static bool mark_param(struct code *code, const struct ir_var *var)
{
  struct ir_function *kernel = code->facts.kernel;

  if (var->kind != IR_VAR_PARAM || var->part_of || var->type->kind != IR_TYPE_POINTER ||
      !var->type->element)
    return false;
  if (var->type->is_restrict) return true;
  for (unsigned i = 0; i < code->kernel->param_count; i++) {
    if (kernel->params[i] != var) continue;
    bool *marks = arena_alloc(code->arena, kernel->param_count * sizeof *marks);
    for (unsigned k = 0; k < code->kernel->param_count; k++)
      marks[k] = k == i || (kernel->read_only && kernel->read_only[k]);
    kernel->read_only = marks;
    return true;
  }
  return false;
}

struct marking {
  struct code *code;
  bool beside_stores; /* only loads that have stores in their loop */
};

static bool has_level(const struct access *access, const struct ir_stmt *loop)
{
  for (const struct nest_level *level = access->nest; level; level = level->outer)
    if (level->stmt == loop) return true;
  return false;
}

/* Does the innermost loop around the access store something? Without a loop the kernel does. */
static bool is_beside_store(struct code *code, const struct access *access)
{
  const struct ir_stmt *loop = access->nest ? access->nest->stmt : NULL;

  if (!loop || code->access.unknown_write || SEEDED(LOADS_MARKED_ANYWHERE)) return true;
  for (unsigned i = 0; i < code->access.arrays.count; i++) {
    const struct array *array = code->access.arrays.items[i];
    for (unsigned k = 0; k < array->accesses.count; k++)
      if (array->accesses.items[k].write && has_level(&array->accesses.items[k], loop)) return true;
  }
  return false;
}

static struct ir_expr *mark(struct ir_rewriter *r, struct ir_expr *expr)
{
  const struct marking *m = r->context;
  struct code *code = m->code;
  const struct code_access *found = code_access_of(code, expr);

  if (expr->kind == IR_EXPR_UNARY && expr->op == IR_OP_ADDRESS) return expr;
  if (!found || expr->kind != IR_EXPR_INDEX || found->access->write || found->access->partial ||
      !has_mark(expr->type))
    return NULL;
  if (found->array->var->is_constant_memory || !code_read_only(code, found->array)) return NULL;
  if (mark_param(code, found->array->var)) return NULL;
  return m->beside_stores && !is_beside_store(code, found->access) ? NULL : marked(r->arena, expr);
}

struct ir_stmt *read_only_loads(struct code *code, struct ir_stmt *body, bool beside_stores)
{
  struct marking marking = {code, beside_stores};
  struct ir_rewriter rewriter = {code->arena, mark, &marking};

  code_scan(code);
  return ir_rewrite_stmt(&rewriter, body);
}
