/* SPDX-License-Identifier: MIT */
/* host_bind.c - binds pointer arguments of launches to objects.
 *
 *     __global__ float a[N][M];
 *     float *row = &a[3][0];  float *p;  cudaMalloc(&p, 1024);
 *     k<<<1, 32>>>(row, p + 4);      // row: a at byte 3 * M * 4;
 *         p + 4: the allocation of p at byte 16, extent 1024
 *
 * Requires the host index. A pointer variable is an allocation if allocating calls (and null) give
 * it all its values. Then its name stands for memory that no other variable can get. Gives up where
 * a pointer has several definitions, comes from memory, or is visible to other files.
 */
#include "analysis/host/host_bind.h"

#include <string.h>

#include "analysis/host/host_calls.h"
#include "analysis/data/host_edit.h"
#include "runtime/seeded.h"

#define MAX_DEPTH 60
#define MAX_STEPS 10000

struct binder {
  struct constants *constants;
  struct host_index *index;
  struct host_point launch; /* the place of the question */
  unsigned depth, steps;
};

static bool bind(struct binder *, const struct ir_expr *, struct host_point, struct host_binding *);
static bool bind_lvalue(struct binder *, const struct ir_expr *, struct host_point,
                        struct host_binding *);

/* ---- allocations ---- */

static struct ir_expr *strip_casts(struct ir_expr *expr)
{
  while (expr->operand_count == 1 && (expr->kind == IR_EXPR_CAST || expr->kind == IR_EXPR_CONVERT ||
                                      expr->kind == IR_EXPR_PAREN))
    expr = expr->operands[0];
  return expr;
}

static bool is_null(const struct ir_expr *expr)
{
  if (expr->kind == IR_EXPR_INT) return expr->value == 0;
  return expr->kind == IR_EXPR_LITERAL && expr->text &&
         (!strcmp(expr->text, "nullptr") || !strcmp(expr->text, "0") ||
          !strcmp(expr->text, "NULL"));
}

static bool is_allocating_call(const struct ir_expr *expr)
{
  static const char *const names[] = {"malloc", "calloc", "aligned_alloc", "mesi_malloc",
                                      "mesi_calloc"};
  const struct host_call *known = host_call_of(expr);
  for (unsigned i = 0; known && i < sizeof names / sizeof *names; i++)
    if (!strcmp(known->name, names[i])) return true;
  return false;
}

struct allocations { /* the sources of a pointer variable's values */
  unsigned count;
  const struct host_node *call; /* the last one; NULL for new */
};

static bool note_write(struct binder *b, const struct host_write *write, struct allocations *ret)
{
  if (!write->is_plain) return false;
  struct ir_expr *value = strip_casts(write->value);
  if (is_null(value)) return true;
  ret->count++;
  ret->call = NULL;
  if (value->kind == IR_EXPR_OPAQUE) return host_text_starts(b->index, &value->place, "new");
  ret->call = host_node_of(b->index, value);
  return is_allocating_call(value);
}

/* Notes &p as the argument of cudaMalloc or a similar call. */
static bool note_address(const struct host_node *address, struct allocations *ret)
{
  const struct host_node *node = address;
  while (node->parent &&
         (node->parent->expr->kind == IR_EXPR_CAST || node->parent->expr->kind == IR_EXPR_CONVERT ||
          node->parent->expr->kind == IR_EXPR_PAREN))
    node = node->parent;
  const struct host_node *call = node->parent;
  const struct host_call *known = call && node->slot == 0 ? host_call_of(call->expr) : NULL;
  if (!known || host_call_letter(known, 0) != 'p' || !strcmp(known->name, "cudaGetSymbolAddress"))
    return false;
  ret->count++;
  ret->call = call;
  return true;
}

static bool note_use(struct binder *b, struct host_node *use, struct allocations *ret)
{
  struct host_node *top = host_lvalue_top(use);
  switch (host_context_of(b->index, top)) {
  case HOST_READS:
  case HOST_ASSIGNS: return true;
  case HOST_TAKES_ADDRESS: return top == use && note_address(top->parent, ret);
  case HOST_OBSCURE:
    return top->parent && host_text_starts(b->index, &top->parent->expr->place, "delete");
  default: return false;
  }
}

static bool all_uses_seen(struct binder *b, const struct ir_var *var)
{
  if (host_index_truncated(b->index)) return false;
  if (var->kind == IR_VAR_LOCAL && !var->is_static) return true;
  return var->is_static &&
         (var->kind == IR_VAR_LOCAL || var->kind == IR_VAR_HOST || var->kind == IR_VAR_VS) &&
         !host_unseen_use(b->index, var);
}

/* Do only allocating calls give the variable values, as far as lowered code shows? */
static bool only_allocated(struct binder *b, const struct ir_var *var, struct allocations *ret)
{
  struct host_var *entry = host_var_of(b->index, var);
  if (!entry || var->type->kind != IR_TYPE_POINTER) return false;
  for (unsigned i = 0; i < entry->writes.count; i++)
    if (!note_write(b, &entry->writes.items[i], ret)) return false;
  for (unsigned i = 0; i < entry->uses.count; i++)
    if (!note_use(b, entry->uses.items[i], ret)) return false;
  if (var->kind != IR_VAR_LOCAL && var->init && !is_null(strip_casts(var->init))) return false;
  return ret->count > 0;
}

static bool find_allocations(struct binder *b, const struct ir_var *var, struct allocations *ret)
{
  return only_allocated(b, var, ret) && all_uses_seen(b, var);
}

static bool in_loop(const struct host_index *index, const struct ir_stmt *stmt)
{
  for (; stmt; stmt = host_stmt_of(index, stmt)->parent)
    if (stmt->kind == IR_STMT_FOR || stmt->kind == IR_STMT_WHILE || stmt->kind == IR_STMT_DO ||
        stmt->kind == IR_STMT_OPAQUE)
      return true;
  return false;
}

/* Does the variable get memory only once? Then an earlier copy of it still equals the variable at
 * the launch. For a local variable this holds for each call of its function. */
static bool made_once(struct binder *b, const struct ir_var *var, const struct allocations *made)
{
  const struct host_var *entry = host_var_of(b->index, var);
  const struct host_node *call = made->call;
  if (made->count != 1) return false;
  struct ir_stmt *stmt = call ? call->stmt : NULL;
  for (unsigned i = 0; !call && i < entry->writes.count; i++) stmt = entry->writes.items[i].stmt;
  if (!stmt || in_loop(b->index, stmt)) return false;
  const struct ir_function *function = host_stmt_of(b->index, stmt)->function;
  if (!function || function->calls_itself || host_function_of(b->index, function)->has_jumps)
    return false;
  return (var->kind == IR_VAR_LOCAL && !var->is_static) || !strcmp(function->name, "main");
}

static int64_t extent_of(struct binder *b, const struct allocations *made)
{
  if (made->count != 1 || !made->call) return -1;
  const struct ir_expr *call = made->call->expr;
  struct host_point at = {made->call->function, made->call->stmt, NULL};
  const char *name = host_call_find(call->text)->name;
  int64_t first, second = 1;
  if (!strcmp(name, "cudaMallocPitch") || !strcmp(name, "getline")) return -1;
  bool by_address = host_call_letter(host_call_find(name), 0) == 'p',
       product = strstr(name, "calloc") != NULL;
  unsigned number = by_address || !strcmp(name, "aligned_alloc") ? 1 : 0;
  if (!strcmp(name, "posix_memalign")) number = 2;
  if (number >= call->operand_count ||
      !constants_at(b->constants, call->operands[number], at, &first))
    return -1;
  if (product &&
      (call->operand_count < 2 || !constants_at(b->constants, call->operands[1], at, &second)))
    return -1;
  return __builtin_mul_overflow(first, second, &first) ? -1 : first;
}

/* ---- pointers ---- */

static void move(struct host_binding *binding, bool known, int64_t count, int64_t size)
{
  int64_t bytes;
  binding->offset_known =
      binding->offset_known && known && size > 0 && !__builtin_mul_overflow(count, size, &bytes) &&
      !__builtin_add_overflow(binding->offset_bytes, SEEDED(BINDING_OFFSET_LOST) ? 0 : bytes,
                              &binding->offset_bytes);
}

static bool same_object(const struct host_binding *a, const struct host_binding *b)
{
  return a->vs == b->vs && a->allocation == b->allocation;
}

static void merge(struct host_binding *into, const struct host_binding *other)
{
  into->offset_known =
      into->offset_known && other->offset_known && into->offset_bytes == other->offset_bytes;
  if (into->extent_bytes != other->extent_bytes) into->extent_bytes = -1;
}

static bool bind_param(struct binder *b, const struct ir_var *param, struct host_binding *ret)
{
  const struct host_function *entry = host_function_of(b->index, param->function);
  unsigned number = 0;
  while (number < param->function->param_count && param->function->params[number] != param)
    number++;
  if (number == param->function->param_count || !entry->calls.count ||
      !host_callers_known(b->index, param->function))
    return false;
  for (unsigned i = 0; i < entry->calls.count; i++) {
    const struct host_node *call = entry->calls.items[i];
    struct host_binding passed;
    struct host_point at = {call->function, call->stmt, NULL};
    if (number >= call->expr->operand_count || !bind(b, call->expr->operands[number], at, &passed))
      return false;
    if (i && !same_object(&passed, ret)) return false;
    if (i)
      merge(ret, &passed);
    else
      *ret = passed;
  }
  return true;
}

static bool bind_pointer_var(struct binder *b, struct ir_var *var, struct host_point at,
                             struct host_binding *ret)
{
  struct allocations made = {0};
  if (var->type->kind != IR_TYPE_POINTER || var->type->is_volatile) return false;
  if (find_allocations(b, var, &made)) {
    if (at.stmt != b->launch.stmt && !made_once(b, var, &made)) return false;
    *ret = (struct host_binding){.allocation = var,
                                 .offset_known = true,
                                 .extent_bytes = extent_of(b, &made),
                                 .unique = true};
    return true;
  }
  if (var->kind == IR_VAR_HOST && var->init && constants_never_changes(b->constants, var))
    return bind(b, var->init, (struct host_point){0}, ret);
  if (!var->function || var->is_static) return false;
  const struct host_write *write;
  switch (host_reach(b->index, var, -1, at, &write)) {
  case HOST_REACH_ENTRY: return var->kind == IR_VAR_PARAM && bind_param(b, var, ret);
  case HOST_REACH_WRITE:
    return write->value && bind(b, write->value, host_point_of_write(write, at.function), ret);
  default: return false;
  }
}

static struct vs_var *definition_of(const struct host_index *index, const struct ir_var *var)
{
  struct vs_var *definition = unit_vs_definition(host_index_unit(index), var);
  return definition ? definition : var->vs;
}

static bool bind_sum(struct binder *b, const struct ir_expr *expr, struct host_point at,
                     struct host_binding *ret)
{
  const struct ir_expr *pointer = expr->operands[0], *count = expr->operands[1];
  bool swapped = count->type->kind == IR_TYPE_POINTER || count->type->kind == IR_TYPE_ARRAY;
  if (swapped && expr->op == IR_OP_SUB) return false; /* a difference */
  if (swapped) {
    pointer = expr->operands[1];
    count = expr->operands[0];
  }
  int64_t value = 0;
  if (!bind(b, pointer, at, ret)) return false;
  bool known = constants_at(b->constants, count, at, &value) && value != INT64_MIN;
  const struct ir_type *element = pointer->type->element;
  move(ret, known, expr->op == IR_OP_SUB ? -value : value, element ? element->size : -1);
  return true;
}

static bool bind_cond(struct binder *b, const struct ir_expr *expr, struct host_point at,
                      struct host_binding *ret)
{
  int64_t condition;
  if (constants_at(b->constants, expr->operands[0], at, &condition))
    return bind(b, expr->operands[condition ? 1 : 2], at, ret);
  struct host_binding no;
  if (!bind(b, expr->operands[1], at, ret) || !bind(b, expr->operands[2], at, &no) ||
      !same_object(ret, &no))
    return false;
  merge(ret, &no);
  return true;
}

/* Finds the object and the offset of an lvalue. */
static bool bind_lvalue_here(struct binder *b, const struct ir_expr *expr, struct host_point at,
                             struct host_binding *ret)
{
  int64_t index = 0;
  bool known;
  switch (expr->kind) {
  case IR_EXPR_VAR:
    if (expr->var->kind != IR_VAR_VS) return false;
    *ret = (struct host_binding){
        .vs = definition_of(b->index, expr->var), .offset_known = true, .unique = true};
    ret->extent_bytes = expr->var->type->size > 0 ? expr->var->type->size : -1;
    return ret->vs != NULL;
  case IR_EXPR_PAREN: return bind_lvalue(b, expr->operands[0], at, ret);
  case IR_EXPR_INDEX:
    if (!bind(b, expr->operands[0], at, ret)) return false;
    known = constants_at(b->constants, expr->operands[1], at, &index);
    move(ret, known, index, expr->type->size);
    return true;
  case IR_EXPR_UNARY: return expr->op == IR_OP_DEREF && bind(b, expr->operands[0], at, ret);
  case IR_EXPR_MEMBER:
    if (!expr->operand_count) return false;
    if (!(expr->is_arrow ? bind(b, expr->operands[0], at, ret)
                         : bind_lvalue(b, expr->operands[0], at, ret)))
      return false;
    move(ret, expr->field_offset >= 0, expr->field_offset, 1);
    return true;
  default: return false;
  }
}

static bool bind_lvalue(struct binder *b, const struct ir_expr *expr, struct host_point at,
                        struct host_binding *ret)
{
  if (b->depth >= MAX_DEPTH || ++b->steps > MAX_STEPS) return false;
  b->depth++;
  bool known = bind_lvalue_here(b, expr, at, ret);
  b->depth--;
  return known;
}

static bool is_record(const struct ir_type *type) { return type->kind == IR_TYPE_RECORD; }

static const char *bare_spelling(const struct ir_type *type)
{
  const char *text = type->spelling;
  return strncmp(text, "const ", 6) == 0 ? text + 6 : text;
}

static bool bind_here(struct binder *b, const struct ir_expr *expr, struct host_point at,
                      struct host_binding *ret)
{
  if (expr->type->kind == IR_TYPE_ARRAY) return bind_lvalue(b, expr, at, ret); /* decays */
  switch (expr->kind) {
  case IR_EXPR_PAREN:
  case IR_EXPR_CONVERT:
  case IR_EXPR_CAST: {
    const struct ir_type *from = expr->operands[0]->type;
    bool pointer = from && (from->kind == IR_TYPE_POINTER || from->kind == IR_TYPE_ARRAY);
    if (!pointer || expr->type->kind != IR_TYPE_POINTER) return false;
    if (!bind(b, expr->operands[0], at, ret)) return false;
    bool moves = is_record(from->element) &&
                 is_record(expr->type->element) && /* to a base class, perhaps */
                 strcmp(bare_spelling(from->element), bare_spelling(expr->type->element)) != 0;
    ret->offset_known = ret->offset_known && !moves;
    return true;
  }
  case IR_EXPR_VAR: return bind_pointer_var(b, expr->var, at, ret);
  case IR_EXPR_UNARY:
    return expr->op == IR_OP_ADDRESS && bind_lvalue(b, expr->operands[0], at, ret);
  case IR_EXPR_BINARY: {
    bool sum = expr->op == IR_OP_ADD || expr->op == IR_OP_SUB;
    return sum && bind_sum(b, expr, at, ret);
  }
  case IR_EXPR_COND: return bind_cond(b, expr, at, ret);
  default: return false;
  }
}

static bool bind(struct binder *b, const struct ir_expr *expr, struct host_point at,
                 struct host_binding *ret)
{
  if (!expr || b->depth >= MAX_DEPTH || ++b->steps > MAX_STEPS) return false;
  b->depth++;
  bool known = bind_here(b, expr, at, ret);
  b->depth--;
  return known;
}

bool host_bind_arg(struct constants *constants, const struct launch *launch, unsigned arg,
                   struct host_binding *ret)
{
  struct binder b = {.constants = constants, .index = constants_index(constants)};
  struct host_point at;
  struct host_binding found;
  if (arg >= launch->arg_count || !launch->args[arg].expr) return false;
  constants_launch_point(constants, launch, &at);
  b.launch = at;
  if (!bind(&b, launch->args[arg].expr, at, &found)) return false;
  *ret = found;
  return true;
}

bool host_allocation_of(struct constants *constants, const struct ir_var *pointer,
                        const struct host_node **ret_call, int64_t *ret_extent)
{
  struct binder b = {.constants = constants, .index = constants_index(constants)};
  struct allocations made = {0};
  if (!only_allocated(&b, pointer, &made)) return false;
  *ret_call = made.call;
  *ret_extent = extent_of(&b, &made);
  return true;
}
