/* SPDX-License-Identifier: MIT */
/* check_mark.c - the accesses among a function's expressions, and their kinds.
 *
 *     s[t] += a[i].x;     s[t]: UPDATE    a[i].x: READ    a[i]: nothing, it is part of a[i].x
 *     p = &s[n];          s[n]: ADDRESS, its index may be the extent
 *
 * Requires the IR of a function. Produces a mark for each expression. An lvalue is checked as
 * memory where it goes through a pointer or a reference, or begins with a shared, virtual shared or
 * device variable. Of a thread's own arrays only the indices are checked. For a member to which no
 * reference can be bound (a bit-field, or one of a packed struct) the mark is at the object around
 * it.
 */
#include <string.h>

#include "codegen/check/check.h"
#include "runtime/seeded.h"

struct marker {
  struct arena *arena;
  struct check_marks *marks;
};

static void mark(struct marker *m, struct ir_expr *expr, enum check_use use);

static struct check_mark *mark_of(struct marker *m, const struct ir_expr *expr)
{
  return &m->marks->items[expr->id];
}

/* ---- memory ---- */

static bool is_array(const struct ir_expr *expr)
{
  return ir_strip((struct ir_expr *)expr)->type->kind == IR_TYPE_ARRAY;
}

static bool is_reference(const struct ir_type *type)
{
  return type->kind == IR_TYPE_REFERENCE && !strstr(type->spelling, "&&");
}

static bool var_is_memory(const struct ir_var *var)
{
  if (var->type->kind == IR_TYPE_REFERENCE) return true;
  return var->kind == IR_VAR_SHARED || var->kind == IR_VAR_VS ||
         (var->kind == IR_VAR_DEVICE && !var->is_constant_memory);
}

/* Is the lvalue in memory that threads may share? */
static bool is_memory(const struct ir_expr *expr)
{
  switch (expr->kind) {
  case IR_EXPR_PAREN: return is_memory(expr->operands[0]);
  case IR_EXPR_VAR: return var_is_memory(expr->var);
  case IR_EXPR_INDEX: {
    const struct ir_expr *base = ir_strip(expr->operands[0]);
    return base->type->kind != IR_TYPE_ARRAY || is_memory(base);
  }
  case IR_EXPR_MEMBER: return expr->is_arrow || is_memory(ir_strip(expr->operands[0]));
  case IR_EXPR_UNARY:
    if (expr->op != IR_OP_DEREF) return false;
    return !is_array(expr->operands[0]) || is_memory(ir_strip(expr->operands[0]));
  case IR_EXPR_CALL: return expr->callee && is_reference(expr->callee->result);
  default: return false;
  }
}

const struct ir_var *check_root(const struct ir_expr *expr)
{
  for (;;) {
    if (expr->kind == IR_EXPR_VAR) return expr->var;
    bool descends =
        expr->operand_count && expr->kind != IR_EXPR_CALL && expr->kind != IR_EXPR_CONSTRUCT;
    if (!descends) return NULL;
    expr = expr->operands[0];
  }
}

/* ---- lvalues ---- */

static bool is_part(const struct ir_expr *member)
{
  const struct ir_type *object = member->operands[0]->type;
  if (member->is_arrow && object) object = object->element;
  if (member->bit_size) return true;
  return object && object->kind == IR_TYPE_RECORD && member->type->align > object->align &&
         object->align > 0;
}

static void mark_index(struct marker *m, struct ir_expr *expr, bool relaxed)
{
  struct ir_expr *base = ir_strip(expr->operands[0]), *index = expr->operands[1];
  const struct ir_type *type = base->type;
  bool counted = type->kind == IR_TYPE_ARRAY && type->extent > 0 && index->type &&
                 index->type->kind == IR_TYPE_INT;
  bool trailing = base->kind == IR_EXPR_MEMBER && type->extent == 1; /* means any number */
  mark(m, index, CHECK_READ);
  if (!counted || trailing) return;
  struct check_mark *at = mark_of(m, index);
  at->indexed = expr;
  at->relaxed = relaxed;
  at->local = !is_memory(base);
  m->marks->any = true;
}

static void mark_below(struct marker *m, struct ir_expr *expr, bool relaxed)
{
  switch (expr->kind) {
  case IR_EXPR_INDEX:
    mark_index(m, expr, relaxed);
    mark(m, expr->operands[0], is_array(expr->operands[0]) ? CHECK_NOTHING : CHECK_READ);
    break;
  case IR_EXPR_MEMBER:
    mark(m, expr->operands[0], expr->is_arrow ? CHECK_READ : CHECK_NOTHING);
    break;
  case IR_EXPR_UNARY:
    mark(m, expr->operands[0], is_array(expr->operands[0]) ? CHECK_NOTHING : CHECK_READ);
    break;
  default: break;
  }
}

static void mark_lvalue(struct marker *m, struct ir_expr *expr, enum check_use use)
{
  bool access = use == CHECK_READ || use == CHECK_WRITE || use == CHECK_UPDATE;
  bool array = expr->type->kind == IR_TYPE_ARRAY || expr->type->kind == IR_TYPE_VOID;
  if (access && !array && is_memory(expr)) {
    m->marks->any = true;
    if (expr->kind == IR_EXPR_MEMBER && is_part(expr)) {
      mark_of(m, expr->operands[0])->part = (unsigned char)use;
      mark_of(m, expr->operands[0])->member = expr;
    } else {
      mark_of(m, expr)->use = (unsigned char)use;
    }
  }
  mark_below(m, expr, use == CHECK_ADDRESS);
}

/* ---- calls ---- */

static void mark_call_as(struct marker *m, const struct ir_expr *expr, enum check_call call)
{
  mark_of(m, expr)->call = (unsigned char)call;
  m->marks->any = true;
}

static bool begins(const char *text, const char *prefix)
{
  return !strncmp(text, prefix, strlen(prefix));
}

static enum check_call pointer_call(const struct ir_expr *call)
{
  bool exchanges = begins(call->text, "atomicExch") || begins(call->text, "__nv_atomic_exchange");
  if (call->effect == IR_EFFECT_ATOMIC) return exchanges ? CHECK_CALL_EXCHANGE : CHECK_CALL_ATOMIC;
  if (call->effect == IR_EFFECT_LOAD || begins(call->text, "__ldcv")) return CHECK_CALL_LOAD;
  if (begins(call->text, "__stwb") || begins(call->text, "__stcg") ||
      begins(call->text, "__stcs") || begins(call->text, "__stwt"))
    return CHECK_CALL_STORE;
  return CHECK_CALL_NONE;
}

/* Can the callee reach memory through the argument? */
static bool reaches_memory(const struct ir_expr *argument)
{
  const struct ir_expr *bare = ir_strip((struct ir_expr *)argument);
  if (bare->kind == IR_EXPR_LITERAL || !bare->type) return false;
  return bare->type->kind == IR_TYPE_POINTER || bare->type->kind == IR_TYPE_ARRAY ||
         is_memory(bare) || ir_type_holds_pointers(bare->type);
}

static void mark_unknown(struct marker *m, const struct ir_expr *call)
{
  bool reaches = false;
  for (unsigned i = 0; i < call->operand_count; i++) reaches |= reaches_memory(call->operands[i]);
  if (!reaches || (call->callee && call->callee->body && !call->callee->instance_of)) return;
  mark_call_as(m, call, CHECK_CALL_UNKNOWN);
  if (call->callee) *ARENA_PUSH(m->arena, &m->marks->unknown) = call->callee;
}

static enum check_use argument_use(const struct ir_expr *call, unsigned index)
{
  const struct ir_function *callee = call->callee;
  if (callee && !call->is_method)
    return index < callee->param_count && callee->params[index]->type->kind == IR_TYPE_REFERENCE
               ? CHECK_ADDRESS
               : CHECK_READ;
  return call->effect == IR_EFFECT_UNKNOWN ? CHECK_ADDRESS : CHECK_READ;
}

/* mesi_copy_async<bytes>(&copy, &device, condition): where the condition is false the indices have
 * no meaning. */
static bool mark_copy(struct marker *m, struct ir_expr *call)
{
  if (!begins(call->text, "mesi_copy_async<")) return false;
  mark_call_as(m, call->operands[0], CHECK_CALL_COPY_TO);
  mark_call_as(m, call->operands[1], CHECK_CALL_COPY_FROM);
  if (call->operand_count > 2) mark(m, call->operands[2], CHECK_READ);
  return true;
}

/* The operand with the place, for plans' helpers that load or store several elements, or some of
 * them. Below 0: the call is none. */
static int memory_operand(const struct ir_expr *call)
{
  static const struct {
    const char *prefix;
    int operand;
  } helpers[] = {{"mesi_lane_store", 0},   {"mesi_vector_store", 0},  {"mesi_vector_from<", 0},
                 {"mesi_vector_load", 1},  {"mesi_row_load", 1},      {"mesi_row_element", 3},
                 {"mesi_vector_read<", 0}, {"mesi_some_load", 1},     {"mesi_some_store", 0},
                 {"mesi_triples_load", 1}, {"mesi_triples_store", 0}, {"mesi_some_lane_store", 0}};
  for (unsigned i = 0; i < sizeof helpers / sizeof *helpers; i++)
    if (call->operand_count > (unsigned)helpers[i].operand && !call->callee &&
        begins(call->text, helpers[i].prefix))
      return helpers[i].operand;
  return -1;
}

static bool mark_helper(struct marker *m, struct ir_expr *call)
{
  int memory = memory_operand(call);
  if (memory < 0 || SEEDED(WIDE_UNCHECKED)) return false;
  for (unsigned i = 0; i < call->operand_count; i++) mark(m, call->operands[i], CHECK_READ);
  mark_call_as(m, call->operands[memory], CHECK_CALL_PLACE);
  return true;
}

static void mark_call(struct marker *m, struct ir_expr *call)
{
  if (mark_copy(m, call) || mark_helper(m, call)) return;
  enum check_call pointer = pointer_call(call);
  for (unsigned i = 0; i < call->operand_count; i++) {
    bool is_pointer = pointer && i == 0;
    struct ir_expr *bare = ir_strip(call->operands[i]);
    bool address = is_pointer && bare->kind == IR_EXPR_UNARY && bare->op == IR_OP_ADDRESS;
    /* an access: its index is below the extent */
    if (address)
      mark(m, bare->operands[0], CHECK_NOTHING);
    else
      mark(m, call->operands[i], is_pointer ? CHECK_READ : argument_use(call, i));
    if (is_pointer) mark_call_as(m, call->operands[i], pointer);
  }
  if (pointer) return;
  if (call->effect == IR_EFFECT_FENCE)
    mark_call_as(m, call, CHECK_CALL_FENCE);
  else if (call->effect == IR_EFFECT_BARRIER || call->effect == IR_EFFECT_WARP)
    mark_call_as(m, call, CHECK_CALL_WAIT);
  else if (call->effect == IR_EFFECT_UNKNOWN || call->effect == IR_EFFECT_CALLEE)
    mark_unknown(m, call);
}

/* ---- expressions ---- */

static bool is_scalar(const struct ir_type *type)
{
  return type->kind == IR_TYPE_INT || type->kind == IR_TYPE_FLOAT || type->kind == IR_TYPE_BOOL ||
         type->kind == IR_TYPE_POINTER;
}

static void mark_operands(struct marker *m, struct ir_expr *expr, enum check_use use)
{
  for (unsigned i = 0; i < expr->operand_count; i++) mark(m, expr->operands[i], use);
}

static void mark_unary(struct marker *m, struct ir_expr *expr, enum check_use use)
{
  switch (expr->op) {
  case IR_OP_DEREF: mark_lvalue(m, expr, use); break;
  case IR_OP_ADDRESS: mark(m, expr->operands[0], CHECK_ADDRESS); break;
  case IR_OP_PRE_INC:
  case IR_OP_PRE_DEC:
  case IR_OP_POST_INC:
  case IR_OP_POST_DEC: mark(m, expr->operands[0], CHECK_UPDATE); break;
  default: mark(m, expr->operands[0], CHECK_READ); break;
  }
}

static void mark(struct marker *m, struct ir_expr *expr, enum check_use use)
{
  if (!expr) return;
  switch (expr->kind) {
  case IR_EXPR_PAREN: mark(m, expr->operands[0], use); break;
  case IR_EXPR_CONVERT:
    if (is_array(expr->operands[0]))
      mark(m, expr->operands[0], CHECK_ADDRESS);
    else
      mark(m, expr->operands[0], use == CHECK_ADDRESS && is_scalar(expr->type) ? CHECK_READ : use);
    break;
  case IR_EXPR_VAR:
  case IR_EXPR_INDEX:
  case IR_EXPR_MEMBER: mark_lvalue(m, expr, use); break;
  case IR_EXPR_UNARY: mark_unary(m, expr, use); break;
  case IR_EXPR_BINARY:
    mark(m, expr->operands[0], expr->op == IR_OP_COMMA ? CHECK_NOTHING : CHECK_READ);
    mark(m, expr->operands[1], expr->op == IR_OP_COMMA ? use : CHECK_READ);
    break;
  case IR_EXPR_ASSIGN:
    mark(m, expr->operands[0], expr->op == IR_OP_ASSIGN ? CHECK_WRITE : CHECK_UPDATE);
    mark(m, expr->operands[1], CHECK_READ);
    break;
  case IR_EXPR_COND:
    mark(m, expr->operands[0], CHECK_READ);
    mark(m, expr->operands[1], use);
    mark(m, expr->operands[2], use);
    break;
  case IR_EXPR_CAST:
    if (expr->type->kind == IR_TYPE_VOID)
      mark(m, expr->operands[0], CHECK_NOTHING);
    else
      mark(m, expr->operands[0], is_array(expr->operands[0]) ? CHECK_ADDRESS : CHECK_READ);
    break;
  case IR_EXPR_CALL:
    mark_call(m, expr);
    mark_lvalue(m, expr, use);
    break;
  case IR_EXPR_CONSTRUCT:
  case IR_EXPR_INIT_LIST: mark_operands(m, expr, CHECK_READ); break;
  default: break;
  }
}

/* ---- statements ---- */

static bool mark_stmt(struct ir_stmt *stmt, void *context)
{
  struct marker *m = context;
  const struct ir_type *result = m->marks->function->result;
  enum check_use use = CHECK_READ;
  if (stmt->kind == IR_STMT_EXPR) use = CHECK_NOTHING;
  if (stmt->kind == IR_STMT_CASE) return true;
  if (stmt->kind == IR_STMT_DECL && stmt->var->type->kind == IR_TYPE_REFERENCE) use = CHECK_ADDRESS;
  if (stmt->kind == IR_STMT_DECL && stmt->var->kind == IR_VAR_SHARED) m->marks->any = true;
  if (stmt->kind == IR_STMT_RETURN && result->kind == IR_TYPE_REFERENCE) use = CHECK_ADDRESS;
  mark(m, stmt->expr, use);
  mark(m, stmt->increment, CHECK_NOTHING);
  return true;
}

const struct check_marks *mark_accesses(struct arena *arena, struct ir_function *function)
{
  struct check_marks *marks = ARENA_NEW(arena, struct check_marks);
  *marks = (struct check_marks){.function = function};
  marks->items = arena_alloc(arena, (function->expr_count + 1) * sizeof *marks->items);
  struct marker m = {arena, marks};
  ir_visit_stmts(function->body, mark_stmt, &m);
  return marks;
}
