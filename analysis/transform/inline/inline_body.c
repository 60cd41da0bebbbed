/* SPDX-License-Identifier: MIT */
/* inline_body.c - a function's body as statements of the kernel.
 *
 *     __device__ float dot(const float *r, const float *x, int n)
 *     {
 *       float s = 0;
 *       for (int k = 0; k < n; k++) s += r[k] * x[k];
 *       return s;
 *     }
 *     y[i] = dot(a + i * n, b, n);
 *   =>
 *     const float *r = a + i * n;
 *     float s = 0;
 *     for (int k = 0; k < n; k++) s += r[k] * b[k];
 *     y[i] = s;
 *
 * A parameter that keeps the value of a variable is that variable; any other becomes a local.
 * Locals get free names. A reference to a const becomes a local, too, where the function changes
 * nothing that the argument names. `return a;` of a reference parameter stands for the argument.
 * Where there are several returns, each assigns to one local, and the statements behind an `if`
 * that returns move into its else. Gives up: a return inside a loop or a switch, two ways past an
 * `if` that may return, another parameter that is a reference to an element.
 */
#include <string.h>

#include "analysis/transform/inline/inline.h"
#include "runtime/seeded.h"

struct body {
  struct code *code;
  struct arena *arena;
  const struct ir_function *callee;
  struct ir_expr **exprs; /* by the callee's variable id: its replacement; NULL: its copy */
  struct ir_var **vars;   /* by the same id: the copy in the kernel */
  struct ir_var *result;  /* each return assigns it; NULL: one return, at the end, or no value */
  struct ir_expr *value;  /* of the only return */
  bool same_file;         /* as the kernel: the lines can be named */
};

/* ---- copies ---- */

static bool has_name(const struct ir_function *function, const char *name)
{
  for (unsigned i = 0; i < function->var_count; i++)
    if (function->vars[i]->name && !strcmp(function->vars[i]->name, name)) return true;
  return false;
}

/* Does the kernel, or another body that is printed beside the local, use the name for something
 * else? */
static bool is_taken(struct body *b, const char *name)
{
  const struct unit *unit = b->code->unit;

  if (has_name(b->code->facts.kernel, name)) return true;
  if (SEEDED(INLINE_LOCAL_HIDES)) return false;
  if (ir_names_other(b->code->facts.kernel, name, NULL)) return true;
  for (unsigned i = 0; i < unit->functions.count; i++) {
    const struct ir_function *function = unit->functions.items[i];
    if (function->is_device && function->body && ir_names_other(function, name, NULL)) return true;
  }
  return false;
}

static struct ir_var *local_like(struct body *b, const struct ir_var *var)
{
  struct ir_function *kernel = b->code->facts.kernel;
  struct ir_var *copy = is_taken(b, var->name)
                            ? code_local(b->code, var->name, var->type)
                            : ir_add_local(b->arena, kernel, var->name, var->type);

  copy->address_taken = var->address_taken;
  copy->write_count = var->write_count + (var->kind == IR_VAR_PARAM);
  copy->has_value = var->has_value;
  copy->value = var->value;
  copy->place = var->place;
  return copy;
}

static bool is_own(const struct body *b, const struct ir_var *var)
{
  return var->id < b->callee->var_count && b->callee->vars[var->id] == var;
}

static struct ir_var *copy_of(struct body *b, struct ir_var *var)
{
  if (!is_own(b, var)) return var;
  if (!b->vars[var->id]) b->vars[var->id] = local_like(b, var);
  return b->vars[var->id];
}

static struct ir_expr *replace(struct ir_rewriter *r, struct ir_expr *expr)
{
  struct body *b = r->context;

  if (expr->kind != IR_EXPR_VAR || !is_own(b, expr->var)) return NULL;
  if (b->exprs[expr->var->id]) return b->exprs[expr->var->id];
  struct ir_var *var = copy_of(b, expr->var);
  struct ir_expr *copy = ARENA_NEW(b->arena, struct ir_expr);
  *copy = *expr;
  copy->var = var;
  copy->text = NULL;
  return copy;
}

static struct ir_expr *copy_expr(struct body *b, struct ir_expr *expr)
{
  struct ir_rewriter rewriter = {b->arena, replace, b};
  return ir_rewrite_expr(&rewriter, expr);
}

static struct ir_loop *copy_loop(struct body *b, const struct ir_loop *loop)
{
  if (!loop) return NULL;
  struct ir_loop *copy = ARENA_NEW(b->arena, struct ir_loop);
  *copy = *loop;
  copy->iterator = copy_of(b, loop->iterator);
  copy->lower = copy_expr(b, loop->lower);
  copy->bound = copy_expr(b, loop->bound);
  copy->step_expr = copy_expr(b, loop->step_expr);
  return copy;
}

/* Copies a statement without returns, or a return; then only its value counts. */
static struct ir_stmt *copy_stmt(struct body *b, const struct ir_stmt *stmt)
{
  if (!stmt) return NULL;
  struct ir_stmt *copy = ARENA_NEW(b->arena, struct ir_stmt);
  *copy = *stmt;
  if (!b->same_file) copy->place.line = 0;
  if (stmt->var) copy->var = copy_of(b, stmt->var);
  copy->expr = copy_expr(b, stmt->expr);
  if (stmt->kind == IR_STMT_DECL) copy->var->init = copy->expr;
  copy->increment = copy_expr(b, stmt->increment);
  copy->loop = copy_loop(b, stmt->loop);
  copy->init = copy_stmt(b, stmt->init);
  copy->body = copy_stmt(b, stmt->body);
  copy->else_body = copy_stmt(b, stmt->else_body);
  copy->children = arena_alloc(b->arena, (stmt->child_count + 1) * sizeof *copy->children);
  for (unsigned i = 0; i < stmt->child_count; i++)
    copy->children[i] = copy_stmt(b, stmt->children[i]);
  return copy;
}

/* ---- returns ---- */

static bool note_return(struct ir_stmt *stmt, void *context)
{
  *(unsigned *)context += stmt->kind == IR_STMT_RETURN;
  return true;
}

static unsigned returns_in(const struct ir_stmt *stmt)
{
  unsigned count = 0;

  if (stmt) ir_visit_stmts((struct ir_stmt *)stmt, note_return, &count);
  return count;
}

static bool always_returns(const struct ir_stmt *stmt)
{
  if (!stmt) return false;
  if (stmt->kind == IR_STMT_RETURN) return true;
  if (stmt->kind == IR_STMT_IF)
    return always_returns(stmt->body) && always_returns(stmt->else_body);
  for (unsigned i = 0; stmt->kind == IR_STMT_BLOCK && i < stmt->child_count; i++)
    if (always_returns(stmt->children[i])) return true;
  return false;
}

static bool return_ends(void) { return !SEEDED(INLINE_RETURN_FALLS); }

struct rest { /* the statements behind a place, of its block and of those around it */
  struct ir_stmt **stmts;
  unsigned count;
  const struct rest *outer; /* NULL: the function ends there */
};

static const char *build_rest(struct body *b, struct rest rest, struct ir_list *out);

static const char *build_return(struct body *b, const struct ir_stmt *stmt, struct ir_list *out)
{
  if (!stmt->expr) return NULL;
  if (b->callee->result->kind == IR_TYPE_VOID) {
    ir_list_add(b->arena, out, ir_build_expr_stmt(b->arena, copy_expr(b, stmt->expr)));
    return NULL;
  }
  struct ir_expr *value =
      b->callee->result->kind == IR_TYPE_REFERENCE
          ? ir_strip(copy_expr(b, stmt->expr))
          : inline_converted(b->arena, copy_expr(b, stmt->expr), b->callee->result);
  if (!b->result) {
    b->value = value;
    return NULL;
  }
  struct ir_stmt *assign = ir_build_expr_stmt(
      b->arena, ir_build_assign(b->arena, ir_build_var(b->arena, b->result), value));
  if (b->same_file) assign->place = stmt->place;
  ir_list_add(b->arena, out, assign);
  b->result->write_count++;
  return NULL;
}

static const char *build_arm(struct body *b, struct ir_stmt *arm, const struct rest *behind,
                             struct ir_stmt **ret)
{
  struct ir_list list = {0};
  struct rest rest = {&arm, arm != NULL, behind};
  const char *obstacle = build_rest(b, rest, &list);

  *ret = list.items.count ? ir_build_block(b->arena, &list) : NULL;
  return obstacle;
}

/* An `if` that may return: the statements behind it go into the arm that does not return. */
static const char *build_if(struct body *b, struct ir_stmt *stmt, const struct rest *behind,
                            struct ir_list *out)
{
  bool yes = always_returns(stmt->body), no = always_returns(stmt->else_body);
  bool ends = true;

  for (const struct rest *rest = behind; rest; rest = rest->outer) ends &= !rest->count;
  if (!yes && !no && !ends) return "there are two ways past an if that may return";
  struct ir_stmt *copy = ARENA_NEW(b->arena, struct ir_stmt);
  *copy = *stmt;
  if (!b->same_file) copy->place.line = 0;
  copy->expr = copy_expr(b, stmt->expr);
  const char *obstacle =
      build_arm(b, stmt->body, yes && return_ends() ? NULL : behind, &copy->body);
  if (!obstacle) obstacle = build_arm(b, stmt->else_body, no ? NULL : behind, &copy->else_body);
  if (!copy->body && copy->else_body) {
    copy->expr = ir_build_not(b->arena, copy->expr);
    copy->body = copy->else_body;
    copy->else_body = NULL;
  }
  if (!copy->body) copy->body = ir_build_block(b->arena, &(struct ir_list){0});
  ir_list_add(b->arena, out, copy);
  return obstacle;
}

static const char *build_rest(struct body *b, struct rest rest, struct ir_list *out)
{
  while (!rest.count) {
    if (!rest.outer) return NULL;
    rest = *rest.outer;
  }
  struct ir_stmt *stmt = *rest.stmts;
  rest.stmts++;
  rest.count--;
  if (stmt->kind == IR_STMT_RETURN) {
    const char *obstacle = build_return(b, stmt, out);
    if (obstacle || return_ends()) return obstacle;
    return build_rest(b, rest, out);
  }
  if (!returns_in(stmt)) {
    ir_list_add(b->arena, out, copy_stmt(b, stmt));
    return build_rest(b, rest, out);
  }
  if (stmt->kind == IR_STMT_IF) return build_if(b, stmt, &rest, out);
  if (stmt->kind != IR_STMT_BLOCK) return "it returns from inside a loop or a switch";
  return build_rest(b, (struct rest){stmt->children, stmt->child_count, &rest}, out);
}

/* ---- the whole ---- */

/* Does the function write nothing but its own locals, and locals of the kernel that it gets by
 * reference and that the argument does not name? */
static bool leaves(struct body *b, const struct ir_expr *call, struct ir_expr *argument)
{
  const struct function_effects *effects = effects_of(b->code->effects, call->callee);

  if (effects->barrier || effects->warp || effects->fence || effects->unknown_call ||
      effects->unknown_write)
    return false;
  for (unsigned i = 0; i < effects->uses.count; i++)
    if (effects->uses.items[i].access & EFFECT_WRITE) return false;
  for (unsigned i = 0; i < call->callee->param_count; i++) {
    const struct ir_var *param = call->callee->params[i];
    if (!(effects->params[i] & EFFECT_WRITE)) continue;
    if (param->type->kind != IR_TYPE_REFERENCE ||
        !inline_is_stable(b->code->facts.kernel, param, call->operands[i]) ||
        ir_expr_has_var(argument, ir_strip(call->operands[i])->var))
      return false;
  }
  return true;
}

/* Can a reference to a const become a local that starts with its value? */
static bool copies_const(struct body *b, const struct ir_var *param, const struct ir_expr *call,
                         unsigned i)
{
  const struct ir_type *type = param->type->element;
  bool plain = type->kind == IR_TYPE_INT || type->kind == IR_TYPE_FLOAT ||
               (type->kind == IR_TYPE_RECORD && type->is_trivial);

  return plain && type->is_const && !type->is_volatile && !param->address_taken &&
         !param->write_count &&
         (leaves(b, call, call->operands[i]) || SEEDED(INLINE_CONST_CHANGED));
}

/* Is it a value that nothing else refers to? */
static bool is_new(struct ir_expr *argument)
{
  const struct ir_expr *bare = ir_strip(argument);
  bool result =
      bare->kind == IR_EXPR_CALL && bare->callee && bare->callee->result->kind != IR_TYPE_REFERENCE;

  return bare->type->kind == IR_TYPE_RECORD && bare->type->is_trivial &&
         (result || bare->kind == IR_EXPR_CONSTRUCT);
}

/* Does a parameter get the value of the object, which the method may change? */
static bool is_object_too(const struct ir_expr *call, unsigned i)
{
  unsigned last = call->callee->param_count - 1;
  const struct ir_expr *bare = ir_strip(call->operands[i]);

  return call->callee->method_of && i < last && bare->kind == IR_EXPR_VAR &&
         call->callee->params[i]->type->kind != IR_TYPE_REFERENCE &&
         !SEEDED(METHOD_VALUE_CHANGES) && ir_expr_has_var(call->operands[last], bare->var);
}

struct change_search {
  struct code *code;
  const struct ir_var *param;
  bool found;
};

static void note_change(struct ir_expr *expr, void *context)
{
  struct change_search *s = context;
  bool method = expr->kind == IR_EXPR_CALL && expr->callee && expr->callee->method_of;
  if (!method || !expr->operand_count) return;
  unsigned last = expr->operand_count - 1;
  const struct function_effects *effects = effects_of(s->code->effects, expr->callee);
  s->found |= (effects->params[last] & EFFECT_WRITE) &&
              ir_expr_has_var(expr->operands[last], s->param) && !SEEDED(METHOD_COPY_CHANGES);
}

/* Does the function change its own copy of a structure by a method? Such a call counts as no write
 * of the variable (ir_usage.c). */
static bool changes_copy(struct body *b, const struct ir_var *param)
{
  struct change_search s = {b->code, param, false};

  if (param->type->kind == IR_TYPE_RECORD) ir_visit_stmt_exprs(b->callee->body, note_change, &s);
  return s.found;
}

/* Finds an expression that takes the parameter's place, or adds a declaration for it to `out`. */
static const char *bind(struct body *b, struct ir_var *param, const struct ir_expr *call,
                        unsigned i, struct ir_list *out)
{
  struct ir_expr *argument = call->operands[i];

  if (inline_is_stable(b->code->facts.kernel, param, argument) && !is_object_too(call, i) &&
      !changes_copy(b, param)) {
    b->exprs[param->id] = ir_strip(argument);
    return NULL;
  }
  if (param->type->kind == IR_TYPE_REFERENCE && inline_is_place(b->code, call, i)) {
    b->exprs[param->id] = ir_strip(argument);
    return NULL;
  }
  if (param->type->kind == IR_TYPE_REFERENCE) {
    if (!is_new(argument) && !copies_const(b, param, call, i))
      return "a parameter refers to more than a local";
    struct ir_var like = *param;
    like.type = ir_plain_type(b->arena, param->type->element);
    b->vars[param->id] = local_like(b, &like);
  }
  struct ir_stmt *decl = ir_build_decl(b->arena, copy_of(b, param), argument);
  decl->var->init = decl->expr;
  decl->place = call->place;
  ir_list_add(b->arena, out, decl);
  return NULL;
}

static bool returns_once(const struct ir_function *callee)
{
  const struct ir_stmt *body = callee->body;

  return returns_in(body) == 1 && body->child_count &&
         body->children[body->child_count - 1]->kind == IR_STMT_RETURN;
}

/* Is the reference that it returns one that it has got, and that something stands for? */
static bool returns_own(struct body *b)
{
  const struct ir_stmt *body = b->callee->body;

  if (b->callee->result->kind != IR_TYPE_REFERENCE) return true;
  const struct ir_expr *value =
      returns_once(b->callee) ? ir_strip(body->children[body->child_count - 1]->expr) : NULL;
  return value && value->kind == IR_EXPR_VAR && is_own(b, value->var) &&
         value->var->kind == IR_VAR_PARAM && value->var->type->kind == IR_TYPE_REFERENCE &&
         b->exprs[value->var->id];
}

static void declare_result(struct body *b, const struct ir_expr *call, struct ir_list *out)
{
  struct ir_type *type = ARENA_NEW(b->arena, struct ir_type);

  *type = *ir_plain_type(b->arena, b->callee->result);
  b->result = code_local(b->code, arena_format(b->arena, "_%s", b->callee->name), type);
  struct ir_stmt *decl = ir_build_decl(b->arena, b->result, NULL);
  decl->place = call->place;
  ir_list_add(b->arena, out, decl);
}

const char *inline_body(struct code *code, const struct ir_expr *call, struct ir_list *out,
                        struct ir_expr **ret_value)
{
  const struct ir_function *callee = call->callee;
  struct body b = {.code = code, .arena = code->arena, .callee = callee};
  struct ir_list list = {0};
  const char *obstacle = NULL;
  bool value = callee->result->kind != IR_TYPE_VOID;

  if (callee->result->kind == IR_TYPE_RECORD && !callee->result->is_trivial)
    return "its result has a constructor";
  b.exprs = arena_alloc(code->arena, (callee->var_count + 1) * sizeof *b.exprs);
  b.vars = arena_alloc(code->arena, (callee->var_count + 1) * sizeof *b.vars);
  b.same_file = callee->place.file == code->kernel->place.file;
  for (unsigned i = 0; i < callee->param_count && !obstacle; i++)
    obstacle = bind(&b, callee->params[i], call, i, &list);
  if (!obstacle && !returns_own(&b)) obstacle = "its result is a reference to more than a local";
  if (value && !obstacle && !returns_once(callee)) declare_result(&b, call, &list);
  if (!obstacle)
    obstacle = build_rest(
        &b, (struct rest){callee->body->children, callee->body->child_count, NULL}, &list);
  if (obstacle) return obstacle;
  inline_take_names(code, callee);
  for (unsigned i = 0; i < list.items.count; i++)
    ir_list_add(code->arena, out, list.items.items[i]);
  *ret_value = !value ? NULL : b.result ? ir_build_var(code->arena, b.result) : b.value;
  return NULL;
}
