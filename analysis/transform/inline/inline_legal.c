/* SPDX-License-Identifier: MIT */
/* inline_legal.c - may a function's body stand in a kernel, and in front of the statement that has
 * its call?
 *
 *     c[i] = f(a, i) + b[i];     in front: b[i] is loaded behind it now, which changes nothing,
 *                                where f only reads
 *     if (i < n && f(a, i))      not in front: not all threads call f
 *
 * The names in the printed body must mean the same in the kernel. Its locals get names of their
 * own, and no local of the kernel hides another name in it.
 */
#include <string.h>

#include "analysis/transform/inline/inline.h"
#include "runtime/seeded.h"

enum { MOST_STATEMENTS = 200, MOST_DEPTH = 8 };

/* ---- names ---- */

/* Is a name in the text, outside quotes, one of the kernel's own variables? */
static bool names_local(const struct ir_function *kernel, const char *text)
{
  for (unsigned i = 0; i < kernel->var_count; i++)
    if (kernel->vars[i]->name && ir_text_has_name(text, kernel->vars[i]->name)) return true;
  return false;
}

struct body_search {
  const struct ir_function *kernel;
  const struct ir_function *callee;
  bool hidden; /* a name means something else in the kernel */
  bool shared; /* shared memory or a static variable is used */
  bool loud;   /* the body prints */
  bool opaque;
};

static bool is_own(const struct ir_function *function, const struct ir_var *var)
{
  return var->id < function->var_count && function->vars[var->id] == var;
}

static void look_at_expr(struct ir_expr *expr, void *context)
{
  struct body_search *s = context;

  s->opaque |= expr->kind == IR_EXPR_OPAQUE;
  s->loud |= expr->kind == IR_EXPR_CALL && expr->effect == IR_EFFECT_PRINT;
  if (expr->kind == IR_EXPR_VAR) {
    s->shared |= expr->var->kind == IR_VAR_SHARED;
    if (!is_own(s->callee, expr->var))
      s->hidden |= names_local(s->kernel, expr->text) || names_local(s->kernel, expr->var->name);
  }
  if (ir_has_text(expr) && !expr->is_method) s->hidden |= names_local(s->kernel, expr->text);
}

static bool look_at_stmt(struct ir_stmt *stmt, void *context)
{
  struct body_search *s = context;

  if (stmt->kind != IR_STMT_DECL) return true;
  const struct ir_type *type = stmt->var->type;
  s->shared |= stmt->var->kind == IR_VAR_SHARED || stmt->var->is_static;
  s->opaque |= !stmt->var->name || type->is_unnamed || type->kind == IR_TYPE_REFERENCE;
  s->hidden |= names_local(s->kernel, ir_named_type(type));
  return true;
}

/* Does a name that the callee's namespace finds mean the same at the kernel? */
static bool is_in_reach(const struct ir_function *kernel, const struct ir_function *callee)
{
  size_t length = strlen(callee->qualified) - strlen(callee->name);

  return strlen(callee->qualified) >= strlen(callee->name) &&
         !strncmp(kernel->qualified, callee->qualified, length);
}

/* ---- names that mean the same everywhere ---- */

struct scope_search {
  const struct unit *unit;
  const struct ir_function *callee;
  bool found; /* a name that depends on its place */
};

/* Has the unit a declaration of the name in a namespace, or a using? */
static bool is_declared(const struct unit *unit, const char *name)
{
  for (unsigned i = 0; i < unit->declared.count; i++)
    if (!*unit->declared.items[i].name || !strcmp(unit->declared.items[i].name, name)) return true;
  return false;
}

static void note_scope(struct ir_expr *expr, void *context)
{
  struct scope_search *s = context;
  bool global = expr->kind == IR_EXPR_VAR && !is_own(s->callee, expr->var);
  bool typed = expr->kind == IR_EXPR_CAST || expr->kind == IR_EXPR_CONSTRUCT;
  bool call = expr->kind == IR_EXPR_CALL && !expr->is_method;

  if (expr->kind == IR_EXPR_INT || expr->kind == IR_EXPR_SIZEOF)
    s->found |= expr->text && !strchr("0123456789(", *expr->text);
  else if (typed) /* spelled in full */
    s->found |= expr->text && expr->text != expr->type->spelling;
  else if (call)
    s->found |= expr->callee && expr->callee->method_of ? false
                : expr->callee ? strcmp(expr->text, expr->callee->qualified)
                               : is_declared(s->unit, expr->text);
  else
    s->found |= global;
}

/* Do all names in the body mean the same anywhere in the unit? */
static bool is_free_of_scopes(const struct unit *unit, const struct ir_function *callee)
{
  struct scope_search s = {unit, callee, false};

  ir_visit_stmt_exprs(callee->body, note_scope, &s);
  return !s.found;
}

static bool is_marked(const struct unit *unit, const struct ir_function *callee)
{
  const struct unit_file *file = &unit->files.items[callee->place.file];
  const char *word = strstr(file->text + callee->place.begin, "noinline");

  return word && word < file->text + callee->body_place.begin;
}

const char *inline_obstacle(struct code *code, const struct ir_expr *call)
{
  const struct ir_function *callee = call->callee, *kernel = code->facts.kernel;
  struct body_search s = {.kernel = kernel, .callee = callee};

  if (callee->calls_itself) return "it calls itself";
  if (effects_of(code->effects, call->callee)->unknown_call)
    return "it calls a function whose effects are not known";
  if (is_marked(code->unit, callee)) return "it is marked as noinline";
  if (callee->stmt_count > MOST_STATEMENTS) return "it is too long";
  if (!is_in_reach(kernel, callee) && !is_free_of_scopes(code->unit, callee))
    return "it belongs to another namespace";
  if (unit_renames(code->unit, callee, kernel))
    return "a name in it is declared again between it and the kernel";
  ir_visit_stmts(callee->body, look_at_stmt, &s);
  ir_visit_stmt_exprs(callee->body, look_at_expr, &s);
  if (s.opaque) return "it has a part that is not understood";
  if (s.shared) return "it has shared or static variables of its own";
  if (s.hidden && !SEEDED(INLINE_NAME_HIDDEN))
    return "a name in it means something else in the kernel";
  for (unsigned i = 0; i < callee->param_count; i++)
    if (!callee->params[i]->name || callee->params[i]->type->is_volatile ||
        names_local(kernel, callee->params[i]->type->spelling))
      return "a parameter of it has no name, or a type that the kernel cannot name";
  return NULL;
}

/* ---- order ---- */

struct loud_search {
  unsigned depth;
  bool found;
};

static void note_loud(struct ir_expr *expr, void *context)
{
  struct loud_search *s = context;
  struct loud_search inside = {s->depth + 1, false};

  if (expr->kind != IR_EXPR_CALL) return;
  s->found |= expr->effect == IR_EFFECT_PRINT || inside.depth > MOST_DEPTH;
  if (!s->found && expr->effect == IR_EFFECT_CALLEE && expr->callee && expr->callee->body)
    ir_visit_stmt_exprs(expr->callee->body, note_loud, &inside);
  s->found |= inside.found;
}

/* Does the function only read and compute? */
static bool only_reads(struct code *code, const struct ir_expr *call)
{
  const struct function_effects *effects = effects_of(code->effects, call->callee);
  struct loud_search loud = {0};
  bool writes = effects->barrier || effects->warp || effects->fence || effects->unknown_call ||
                effects->unknown_write;

  for (unsigned i = 0; i < call->callee->param_count; i++)
    writes |= (effects->params[i] & EFFECT_WRITE) != 0;
  for (unsigned i = 0; i < effects->uses.count; i++)
    writes |= (effects->uses.items[i].access & EFFECT_WRITE) != 0;
  ir_visit_stmt_exprs(call->callee->body, note_loud, &loud);
  return !writes && !loud.found;
}

struct var_count {
  const struct ir_var *var;
  unsigned count;
};

static void count_var(struct ir_expr *expr, void *context)
{
  struct var_count *c = context;
  c->count += expr->kind == IR_EXPR_VAR && expr->var == c->var;
}

static unsigned uses_of(struct ir_expr *expr, const struct ir_var *var)
{
  struct var_count c = {var, 0};
  ir_visit_expr(expr, count_var, &c);
  return c.count;
}

/* Does the function write nothing but locals of the kernel that it gets by reference, and that no
 * other part of the expression names? The random numbers of an object are made so. */
static bool writes_apart(struct code *code, struct ir_expr *expr, const struct ir_expr *call)
{
  const struct function_effects *effects = effects_of(code->effects, call->callee);
  struct loud_search loud = {0};
  bool apart = !effects->barrier && !effects->warp && !effects->fence && !effects->unknown_call &&
               !effects->unknown_write;

  for (unsigned i = 0; i < effects->uses.count; i++)
    apart &= !(effects->uses.items[i].access & EFFECT_WRITE);
  for (unsigned i = 0; i < call->callee->param_count && apart; i++) {
    struct ir_expr *at = ir_strip(call->operands[i]);
    if (!(effects->params[i] & EFFECT_WRITE)) continue;
    while (at->kind == IR_EXPR_MEMBER && !at->is_arrow && at->operand_count)
      at = ir_strip(at->operands[0]);
    apart = call->callee->params[i]->type->kind == IR_TYPE_REFERENCE && at->kind == IR_EXPR_VAR &&
            at->var->kind == IR_VAR_LOCAL && is_own(code->facts.kernel, at->var) &&
            at->var->type->kind != IR_TYPE_REFERENCE && !at->var->address_taken &&
            (uses_of(expr, at->var) == 1 || SEEDED(INLINE_WRITES_SHARED));
  }
  ir_visit_stmt_exprs(call->callee->body, note_loud, &loud);
  return apart && !loud.found;
}

struct disturbance {
  struct code *code;
  bool found;
};

static void note_disturbance(struct ir_expr *expr, void *context)
{
  struct disturbance *d = context;
  bool call = expr->kind == IR_EXPR_CALL && expr->effect != IR_EFFECT_NONE &&
              expr->effect != IR_EFFECT_LOAD;
  bool known = call && expr->effect == IR_EFFECT_CALLEE && expr->callee && expr->callee->body &&
               !expr->is_method;
  bool reader = known && only_reads(d->code, expr);

  d->found |= expr->kind == IR_EXPR_ASSIGN || expr->kind == IR_EXPR_OPAQUE || (call && !reader) ||
              ir_is_step(expr);
}

static bool disturbs(struct code *code, struct ir_expr *expr)
{
  struct disturbance d = {code, false};

  ir_visit_expr(expr, note_disturbance, &d);
  return d.found;
}

/* Has another part of `expr`, or an argument of the call, an effect of its own? The operators on
 * the path to the call run after it. */
static bool is_disturbed(struct code *code, struct ir_expr *expr, const struct ir_expr *call,
                         bool *ret_has)
{
  bool disturbed = false, has = expr == call;

  for (unsigned i = 0; i < expr->operand_count; i++) {
    bool inside = false;
    if (expr == call) {
      disturbed |= disturbs(code, expr->operands[i]);
      continue;
    }
    disturbed |= is_disturbed(code, expr->operands[i], call, &inside);
    disturbed |= !inside && disturbs(code, expr->operands[i]);
    has |= inside;
  }
  *ret_has = has;
  return has && disturbed;
}

/* Is the call all of the expression, or the whole value of an assignment whose place has no
 * effect? */
static bool is_whole(struct ir_expr *expr, const struct ir_expr *call)
{
  struct ir_expr *bare = ir_strip(expr);

  return bare == call || (bare->kind == IR_EXPR_ASSIGN && ir_strip(bare->operands[1]) == call &&
                          !ir_has_effects(bare->operands[0]));
}

/* The variable of a place that is it, or a member of it. NULL: another place. */
static const struct ir_var *own_root(struct ir_expr *place)
{
  struct ir_expr *at = ir_strip(place);

  while (at->kind == IR_EXPR_MEMBER && !at->is_arrow && at->operand_count)
    at = ir_strip(at->operands[0]);
  return at->kind == IR_EXPR_VAR ? at->var : NULL;
}

/* Is the object of a method a place or a value that an argument may change, or is it made with an
 * effect? C++ evaluates it in front of the arguments: `a[i].add(i++)`, `make(i).add(i++)`. */
static bool is_chosen_first(struct code *code, const struct ir_expr *call)
{
  unsigned last = call->operand_count - 1;
  bool moves = false;

  if (!call->callee->method_of || own_root(call->operands[last]) || SEEDED(METHOD_OBJECT_LATE))
    return false;
  for (unsigned i = 0; i < last; i++) moves |= disturbs(code, call->operands[i]);
  return moves || (last > 0 && disturbs(code, call->operands[last]));
}

const char *inline_order_obstacle(struct code *code, struct ir_expr *expr,
                                  const struct ir_expr *call)
{
  bool has;

  if (is_chosen_first(code, call))
    return "an argument or the object has an effect, and the object comes first";
  if (is_whole(expr, call) || SEEDED(INLINE_ORDER_LOST)) return NULL;
  if (!only_reads(code, call) && !writes_apart(code, expr, call))
    return "it has an effect, and its statement does more than to take its value";
  if (is_disturbed(code, expr, call, &has))
    return "another part of the statement that calls has an effect of its own";
  return NULL;
}

/* ---- parameters ---- */

bool inline_is_stable(const struct ir_function *kernel, const struct ir_var *param,
                      struct ir_expr *argument)
{
  struct ir_expr *bare = ir_strip(argument);

  if (bare->kind == IR_EXPR_INT || bare->kind == IR_EXPR_LITERAL)
    return param->type->kind != IR_TYPE_REFERENCE && ir_same_type(bare->type, param->type) &&
           !param->write_count && !param->address_taken;
  if (bare->kind != IR_EXPR_VAR) return false;
  const struct ir_var *var = bare->var;
  bool constant = var->has_value && var->type->is_const;
  if (param->type->kind == IR_TYPE_REFERENCE)
    return is_own(kernel, var) && var->type->kind != IR_TYPE_REFERENCE &&
           ir_same_type(var->type, param->type->element);
  if (param->write_count || param->address_taken) return SEEDED(INLINE_PARAMETER_SHARED);
  if (var->type->kind == IR_TYPE_ARRAY) return param->type->kind == IR_TYPE_POINTER;
  bool pointers = var->type->kind == IR_TYPE_POINTER && param->type->kind == IR_TYPE_POINTER &&
                  ir_same_type(var->type->element, param->type->element);
  return (constant || is_own(kernel, var)) && !var->address_taken && !var->type->is_volatile &&
         (pointers || ir_same_type(var->type, param->type));
}

/* ---- references to members and elements ---- */

struct place_search {
  struct code *code;
  const struct ir_expr *call;
  bool moves; /* the place may be another one inside the body */
};

/* May the callee write the variable through one of its references? */
static bool is_written(struct place_search *s, const struct ir_var *var)
{
  const struct ir_expr *call = s->call;
  const struct function_effects *effects = effects_of(s->code->effects, call->callee);

  for (unsigned i = 0; i < call->callee->param_count; i++)
    if (call->callee->params[i]->type->kind == IR_TYPE_REFERENCE &&
        (effects->params[i] & EFFECT_WRITE) && own_root(call->operands[i]) == var)
      return true;
  return false;
}

/* An index or a pointer on the way to the place. */
static void note_moving(struct ir_expr *expr, void *context)
{
  struct place_search *s = context;

  switch (expr->kind) {
  case IR_EXPR_INT:
  case IR_EXPR_LITERAL:
  case IR_EXPR_BUILTIN:
  case IR_EXPR_CONVERT:
  case IR_EXPR_CAST:
  case IR_EXPR_PAREN:
  case IR_EXPR_BINARY: return;
  case IR_EXPR_UNARY:
    s->moves |= ir_is_step(expr) || expr->op == IR_OP_DEREF || expr->op == IR_OP_ADDRESS;
    return;
  case IR_EXPR_MEMBER: /* of a structure of the kernel's own */
    s->moves |= expr->is_arrow || !ir_holder(expr);
    return;
  case IR_EXPR_VAR:
    s->moves |= !is_own(s->code->facts.kernel, expr->var) || expr->var->address_taken ||
                expr->var->type->kind == IR_TYPE_REFERENCE || expr->var->type->is_volatile ||
                is_written(s, expr->var);
    return;
  default: s->moves = true;
  }
}

bool inline_is_place(struct code *code, const struct ir_expr *call, unsigned argument)
{
  struct place_search s = {code, call, false};
  struct ir_expr *at = ir_strip(call->operands[argument]);
  const struct ir_type *type = call->callee->params[argument]->type->element;
  bool object = call->callee->method_of && argument + 1 == call->callee->param_count;

  if (at->type->is_volatile || !(object || ir_same_type(at->type, type))) return false;
  while (at->kind == IR_EXPR_MEMBER && !at->is_arrow && !at->bit_size && at->operand_count)
    at = ir_strip(at->operands[0]);
  if (at->kind == IR_EXPR_VAR)
    return is_own(code->facts.kernel, at->var) && at->var->type->kind != IR_TYPE_REFERENCE;
  if (at->kind == IR_EXPR_MEMBER && at->is_arrow && at->operand_count)
    ir_visit_expr(at->operands[0], note_moving, &s);
  else if (at->kind == IR_EXPR_UNARY && at->op == IR_OP_DEREF)
    ir_visit_expr(at->operands[0], note_moving, &s);
  else if (at->kind == IR_EXPR_INDEX)
    for (unsigned i = 0; i < 2; i++) ir_visit_expr(at->operands[i], note_moving, &s);
  else
    return false;
  return !s.moves;
}

void inline_take_names(struct code *code, const struct ir_function *callee)
{
  struct ir_function *kernel = code->facts.kernel;
  unsigned count = kernel->vs_use_count + callee->vs_use_count;
  struct vs_var **uses = arena_alloc(code->arena, (count + 1) * sizeof *uses);

  if (kernel->vs_use_count) memcpy(uses, kernel->vs_uses, kernel->vs_use_count * sizeof *uses);
  count = kernel->vs_use_count;
  for (unsigned i = 0; i < callee->vs_use_count; i++) {
    unsigned at = 0;
    while (at < count && uses[at] != callee->vs_uses[i]) at++;
    if (at == count) uses[count++] = callee->vs_uses[i];
  }
  kernel->vs_uses = uses;
  kernel->vs_use_count = count;
}
