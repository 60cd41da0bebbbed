/* SPDX-License-Identifier: MIT */
/* parts.c - members of structures that a kernel gets by value, as parameters.
 *
 *     struct matrix { float *data; int rows, cols; };
 *     __global__ void scale(matrix a, float f) { ... a.data[i * a.cols + j] *= f; ... }
 *     scale<<<grid, block>>>(m, 2);
 *   =>
 *     scale(a, f, a.data, a.cols)          scale<<<grid, block>>>(m, 2, m.data, m.cols)
 *
 * The change is in the IR alone: kernels and launches keep their text, and a part is printed as the
 * member that it is. So the analysis sees parameters. Requires a kernel that only reads the
 * structure, by name, and launches whose argument is a variable, or an element or a member of one,
 * of the same type, or makes such a structure from values without effects (temporaries.c). Gives up
 * (the structure stays as it is) where it is assigned to, its address or a reference to it is
 * taken, copies of it are more than its bytes, it has a base or is a union, or another launch
 * passes it in another way; and in a unit with VS variables, where structures are translated as a
 * whole.
 */
#include <string.h>

#include "runtime/seeded.h"
#include "translator/ir/ir_rewrite.h"
#include "translator/ir/unit.h"

enum { MOST_PARTS = 32 }; /* of a kernel */

struct parting {
  struct unit *unit;
  struct ir_function *kernel;
  bool *kept;                        /* by variable of the kernel: it is not split */
  LIST_OF(struct ir_expr *) members; /* by part: the first expression in the kernel that names it */
};

static void keep(struct parting *p, const struct ir_var *var)
{
  if (var && ir_owns(p->kernel, var)) p->kept[var->id] = true;
}

static void keep_named(struct ir_expr *expr, void *context)
{
  if (expr->kind == IR_EXPR_VAR) keep(context, expr->var);
}

/* ---- is it only read? ---- */

static bool is_written(const struct ir_expr *expr)
{
  return expr->kind == IR_EXPR_ASSIGN || ir_is_step(expr) ||
         (expr->kind == IR_EXPR_UNARY && expr->op == IR_OP_ADDRESS);
}

/* Can the callee write to this operand? */
static bool may_write(const struct ir_expr *call, unsigned operand)
{
  if (call->effect != IR_EFFECT_CALLEE || call->is_method || !call->callee)
    return call->effect == IR_EFFECT_UNKNOWN || call->effect == IR_EFFECT_CALLEE ||
           call->effect == IR_EFFECT_PRINT;
  return operand >= call->callee->param_count ||
         call->callee->params[operand]->type->kind == IR_TYPE_REFERENCE;
}

/* Is it an array in the structure whose address goes elsewhere? */
static bool is_handed_on(const struct ir_expr *expr, unsigned operand)
{
  const struct ir_expr *part = ir_strip(expr->operands[operand]);
  bool is_array = part->type && part->type->kind == IR_TYPE_ARRAY;
  bool is_looked_into = expr->kind == IR_EXPR_INDEX || expr->kind == IR_EXPR_SIZEOF ||
                        expr->kind == IR_EXPR_CONVERT || expr->kind == IR_EXPR_PAREN;
  return is_array && !is_looked_into;
}

static void note_use(struct ir_expr *expr, void *context)
{
  struct parting *p = context;
  if (is_written(expr)) keep(p, ir_holder(expr->operands[0]));
  for (unsigned i = 0; i < expr->operand_count; i++) {
    if (expr->kind == IR_EXPR_OPAQUE) ir_visit_expr(expr->operands[i], keep_named, p);
    if ((expr->kind == IR_EXPR_CALL && may_write(expr, i)) || is_handed_on(expr, i))
      keep(p, ir_holder(expr->operands[i]));
  }
}

/* const matrix &b = a; float *row = a.first_row; */
static bool note_declared(struct ir_stmt *stmt, void *context)
{
  bool refers = stmt->kind == IR_STMT_DECL && stmt->expr &&
                (stmt->var->type->kind == IR_TYPE_REFERENCE ||
                 (ir_strip(stmt->expr)->type && ir_strip(stmt->expr)->type->kind == IR_TYPE_ARRAY));
  if (refers) keep(context, ir_holder(stmt->expr));
  for (unsigned i = 0; stmt->kind == IR_STMT_OPAQUE && i < stmt->expr_count; i++)
    ir_visit_expr(stmt->exprs[i], keep_named, context);
  return true;
}

static bool is_structure(const struct ir_type *type)
{
  return type->kind == IR_TYPE_RECORD && !type->is_volatile &&
         ((type->is_trivial && type->is_public) || type->is_copied) && type->keyword &&
         strcmp(type->keyword, "union");
}

/* ---- the arguments of launches ---- */

/* Can the expression be repeated, with a member's name after it? In a method a member of the object
 * itself may stand without it: scale<<<grid, block>>>(matrix_, 2). */
static bool is_named(const struct ir_expr *expr)
{
  expr = ir_strip((struct ir_expr *)expr);
  switch (expr->kind) {
  case IR_EXPR_VAR: return true;
  case IR_EXPR_MEMBER: return !expr->operand_count || is_named(expr->operands[0]);
  case IR_EXPR_INDEX: return is_named(expr->operands[0]) && !ir_has_effects(expr->operands[1]);
  case IR_EXPR_UNARY: return expr->op == IR_OP_DEREF && is_named(expr->operands[0]);
  default: return false;
  }
}

static bool is_given(const struct launch *launch, unsigned param)
{
  const struct ir_type *wanted = launch->kernel->params[param]->type;
  if (!launch_gives_all(launch) || !launch->args[param].expr || launch->args[param].place.in_macro)
    return false;
  const struct ir_expr *given = ir_strip(launch->args[param].expr);
  const struct ir_type *type = given->type;
  if (type && type->kind == IR_TYPE_REFERENCE) type = type->element;
  return type && !type->is_volatile && ir_same_type(type, wanted) &&
         (launch->args[param].is_made || is_named(given));
}

static bool is_always_given(const struct unit *unit, const struct ir_function *kernel,
                            unsigned param)
{
  for (unsigned i = 0; i < unit->launches.count; i++)
    if (unit->launches.items[i]->kernel == kernel && !is_given(unit->launches.items[i], param))
      return false;
  return true;
}

/* ---- parts ---- */

static struct ir_var *part_named(const struct ir_function *kernel, const struct ir_var *of,
                                 const char *part)
{
  for (unsigned i = 0; i < kernel->param_count; i++)
    if (kernel->params[i]->part_of == of && !strcmp(kernel->params[i]->part, part))
      return kernel->params[i];
  return NULL;
}

/* "a_data" for a and ".data": a name for values derived from it, and for remarks. */
static const char *name_of(struct arena *arena, const struct ir_var *of, const char *part)
{
  const char *text = arena_format(arena, "%s%s", of->name, part);
  char *name = arena_copy(arena, text, strlen(text));
  for (char *c = name; *c; c++)
    if (*c == '.') *c = '_';
  return name;
}

static bool is_scalar(const struct ir_type *type)
{
  return !type->is_volatile && (type->kind == IR_TYPE_INT || type->kind == IR_TYPE_BOOL ||
                                type->kind == IR_TYPE_FLOAT || type->kind == IR_TYPE_POINTER);
}

struct path {       /* from a parameter to a member */
  const char *text; /* ".b.c" */
  int64_t offset;
  bool is_private;
};

/* The variable a of a.b.c. NULL: it is no member of a parameter. */
static struct ir_var *path_of(struct arena *arena, struct ir_expr *expr, struct path *ret)
{
  if (expr->kind == IR_EXPR_VAR && expr->var->kind == IR_VAR_PARAM) {
    *ret = (struct path){.text = ""};
    return expr->var;
  }
  if (expr->kind != IR_EXPR_MEMBER || !expr->operand_count || expr->is_arrow || expr->bit_size ||
      !expr->text || !is_structure(expr->operands[0]->type))
    return NULL;
  if (!expr->operands[0]->type->is_public && strpbrk(expr->type->spelling, "([")) return NULL;
  struct ir_var *var = path_of(arena, ir_strip(expr->operands[0]), ret);
  if (!var) return NULL;
  ret->text = arena_format(arena, "%s.%s", ret->text, expr->text);
  ret->offset += expr->field_offset;
  ret->is_private |= expr->is_private;
  return var;
}

/* float *const => float * */
static const char *without_const(struct arena *arena, const char *spelling)
{
  size_t length = strlen(spelling), word = strlen("const");
  bool ends = length > word && !strcmp(spelling + length - word, "const");
  return ends ? arena_copy(arena, spelling, length - word) : spelling;
}

static struct ir_var *add_part(struct parting *p, const struct ir_var *of, const struct path *path,
                               const struct ir_expr *member)
{
  const struct ir_type *type = member->type;
  struct arena *arena = p->unit->arena;
  struct ir_type *plain = ARENA_NEW(arena, struct ir_type);
  if (p->kernel->param_count - ir_head_params(p->kernel) >= MOST_PARTS) return NULL;
  *plain = *ir_plain_type(arena, type);
  plain->is_restrict = false; /* the head has no restrict */
  if (type->kind == IR_TYPE_POINTER) plain->spelling = without_const(arena, plain->spelling);
  struct ir_var *part = ir_add_param(arena, p->kernel, name_of(arena, of, path->text), plain);
  part->part_of = of;
  part->part = path->is_private ? ir_private_behind(arena, path->offset) : path->text;
  if (path->is_private) part->part_before = ir_private_before(arena, member);
  part->place = of->place;
  return part;
}

static struct ir_expr *replace_member(struct ir_rewriter *r, struct ir_expr *expr)
{
  struct parting *p = r->context;
  struct path path;
  if (expr->kind != IR_EXPR_MEMBER || !is_scalar(expr->type)) return NULL;
  const struct ir_var *of = path_of(r->arena, expr, &path);
  if (!of || !ir_owns(p->kernel, of) || p->kept[of->id]) return NULL;
  const char *text = path.is_private ? ir_private_behind(r->arena, path.offset) : path.text;
  struct ir_var *part = part_named(p->kernel, of, text);
  if (!part && (part = add_part(p, of, &path, expr))) *ARENA_PUSH(r->arena, &p->members) = expr;
  if (!part) return NULL;
  struct ir_expr *var = ir_build_var(r->arena, part);
  var->place = expr->place;
  return var;
}

/* a.b.c => m.b.c */
static struct ir_expr *member_of(struct arena *arena, const struct ir_expr *member,
                                 struct ir_expr *object)
{
  member = ir_strip((struct ir_expr *)member);
  if (member->kind != IR_EXPR_MEMBER) return object;
  struct ir_expr *copy = ARENA_NEW(arena, struct ir_expr);
  *copy = *member;
  copy->id = UINT32_MAX;
  copy->place = object->place;
  copy->operands = arena_alloc(arena, sizeof *copy->operands);
  copy->operands[0] = member_of(arena, member->operands[0], object);
  return copy;
}

static bool is_value_of(const struct ir_type *type, const struct ir_expr *value)
{
  const struct ir_type *given = value->type;
  return given && given->kind == type->kind && given->size == type->size &&
         given->is_signed == type->is_signed;
}

/* The value of the member in a structure that the argument makes. NULL: it is not known. */
static struct ir_expr *made_value(const struct launch_arg *arg, const struct ir_expr *member)
{
  const struct ir_expr *at = ir_strip((struct ir_expr *)member);
  int64_t offset = 0;
  for (; at->kind == IR_EXPR_MEMBER; at = ir_strip(at->operands[0])) offset += at->field_offset;
  for (unsigned i = 0; arg->is_made && i < arg->made.count; i++)
    if ((arg->made.items[i].offset == offset || SEEDED(MADE_FIRST)) &&
        is_value_of(member->type, arg->made.items[i].value))
      return arg->made.items[i].value;
  return NULL;
}

static void give_part(struct arena *arena, struct launch *launch, const struct ir_var *part,
                      const struct ir_expr *member)
{
  unsigned of = 0, count = launch->arg_count;
  struct launch_arg *args = arena_alloc(arena, (count + 2) * sizeof *args);
  while (launch->kernel->params[of] != part->part_of) of++;
  memcpy(args, launch->args, count * sizeof *args);
  struct ir_expr *value = made_value(&args[of], member);
  if (!value) value = member_of(arena, member, ir_strip(args[of].expr));
  args[count] = (struct launch_arg){
      .expr = value, .place = args[of].place, .part = part->part, .part_before = part->part_before};
  launch->args = args;
  launch->arg_count++;
}

static void part_kernel(struct unit *unit, struct ir_function *kernel)
{
  struct parting p = {.unit = unit, .kernel = kernel};
  bool any = false;
  p.kept = arena_alloc(unit->arena, kernel->var_count + 1);
  memset(p.kept, 1, kernel->var_count + 1);
  for (unsigned i = 0; i < kernel->param_count; i++) {
    const struct ir_var *param = kernel->params[i];
    bool splits = is_structure(param->type) && param->name && !param->address_taken &&
                  !param->write_count && is_always_given(unit, kernel, i);
    p.kept[param->id] = !splits;
    any |= splits;
  }
  if (!any) return;
  ir_visit_stmt_exprs(kernel->body, note_use, &p);
  ir_visit_stmts(kernel->body, note_declared, &p);
  unsigned before = kernel->param_count;
  struct ir_rewriter rewriter = {unit->arena, replace_member, &p};
  kernel->body = ir_rewrite_stmt(&rewriter, kernel->body);
  if (kernel->param_count == before) return;
  ir_own_body(unit->arena, kernel);
  for (unsigned i = before; i < kernel->param_count; i++)
    for (unsigned k = 0; k < unit->launches.count; k++)
      if (unit->launches.items[k]->kernel == kernel)
        give_part(unit->arena, unit->launches.items[k], kernel->params[i],
                  p.members.items[i - before]);
}

static bool is_launched(const struct unit *unit, const struct ir_function *kernel)
{
  for (unsigned i = 0; i < unit->launches.count; i++)
    if (unit->launches.items[i]->kernel == kernel) return true;
  return false;
}

void unit_part_parameters(struct unit *unit)
{
  if (unit->vs_vars.count || unit->uses_mesi_api) return;
  for (unsigned i = 0; i < unit->functions.count; i++) {
    struct ir_function *kernel = unit->functions.items[i];
    if (kernel->is_kernel && kernel->body && is_launched(unit, kernel)) part_kernel(unit, kernel);
  }
}
