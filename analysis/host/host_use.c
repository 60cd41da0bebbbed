/* SPDX-License-Identifier: MIT */
/* host_use.c - follows a VS variable, and the pointers made from it, through host code.
 *
 *     static __global__ float a[N][M];
 *     a[i][j] = 0;                  write of a
 *     float *row = a[i]; row++;     row is followed,
 *         whatever else it may be given: a local or a static that does not escape
 *     float &x = a[1][2];           x is a
 *     fill(row, M);                 write of a,
 *         when fill launches nothing: by its effects on the parameter
 *     step(row);                    launches: the uses in it count by themselves
 *     std::sort(row, row + M);      write of a
 *     memcpy(b, a, sizeof b);       read of a
 *     node->data = a;               gives up: "its address is stored"
 *
 * Requires the host index and may_launch. Produces the uses with their access. Gives up, with
 * reason and place, as soon as the object might be reached in a way that is not in the list. Writes
 * count as read and write, since a part of the object may keep its value. Flow-insensitive: a
 * pointer that leads to the variable somewhere does so everywhere.
 */
#include "analysis/host/host_use.h"

#include <assert.h>
#include <string.h>

#include "analysis/host/host_around.h"
#include "analysis/host/host_calls.h"
#include "analysis/host/host_launches.h"
#include "analysis/host/host_map.h"
#include "runtime/seeded.h"

#define MAX_DEPTH 12

enum { READ = 1, WRITE = 2 }; /* as mesi.h */

struct summary { /* the effects on a parameter of a function that launches nothing */
  unsigned access;
  bool reads, returned;
};

struct follow {
  struct host_index *index;
  struct host_uses *uses;
  struct host_map *visited; /* variables and functions whose uses are in the list already */
  struct summary *summary;  /* of the visited callee; NULL: uses go into the list */
  unsigned depth;           /* nested aliases and callees */
};

static void follow_pointer(struct follow *, const struct host_node *);
static void follow_root(struct follow *, const struct ir_var *, bool is_pointer);

static void give_up(struct follow *f, const struct host_node *node, const char *reason)
{
  if (f->uses->reason) return;
  f->uses->reason = reason;
  f->uses->place = node->expr->place;
}

/* Adds a use. A mere write counts as a read too, since a part may keep its value; `reads` tells
 * them apart. */
static void add(struct follow *f, const struct host_node *node, unsigned access, bool reads)
{
  if (f->summary) {
    f->summary->access |= access;
    f->summary->reads |= reads;
    return;
  }
  *ARENA_PUSH(host_index_arena(f->index), &f->uses->list) = (struct host_use){node, access, reads};
}

static void add_launched(struct follow *f, const struct host_node *argument)
{
  *ARENA_PUSH(host_index_arena(f->index), &f->uses->launched) = argument;
}

/* Is it in a lambda, which runs at another time, or in an opaque statement that may launch? */
static bool in_opaque(const struct follow *f, const struct host_node *node)
{
  for (const struct host_node *at = node; at; at = at->parent)
    if (at->expr->kind == IR_EXPR_OPAQUE) return true;
  for (const struct ir_stmt *stmt = node->stmt; stmt; stmt = host_stmt_of(f->index, stmt)->parent)
    if (stmt->kind == IR_STMT_OPAQUE && host_stmt_may_launch(f->index, stmt, node->function))
      return true;
  return false;
}

static bool has_kind(const struct ir_type *type, enum ir_type_kind kind)
{
  return type->kind == kind;
}

/* ---- lvalues ---- */

/* Is it a[i] = x, whose value is not used further? */
static bool is_stored_only(const struct follow *f, const struct host_node *top)
{
  const struct host_node *value = top->parent;
  if (host_context_of(f->index, top) != HOST_ASSIGNS) return false;
  for (; value->parent; value = value->parent) {
    const struct ir_expr *parent = value->parent->expr;
    bool comma = parent->kind == IR_EXPR_BINARY && parent->op == IR_OP_COMMA;
    if (comma && value->slot == 0) return true;
    if (!comma && parent->kind != IR_EXPR_PAREN && parent->kind != IR_EXPR_CONVERT) return false;
  }
  const struct ir_stmt *stmt = value->stmt;
  return stmt && (stmt->kind == IR_STMT_EXPR ||
                  (stmt->kind == IR_STMT_FOR && stmt->increment == value->expr));
}

static void use_lvalue(struct follow *f, const struct host_node *top)
{
  if (host_is_plain_copy(top)) {
    bool written = top->parent && top->slot == 0;
    add(f, top, written ? READ | WRITE : READ, !written);
    return;
  }
  if (host_is_value_of_opaque(top)) {
    add(f, top, READ | WRITE, true);
    return;
  }
  switch (host_context_of(f->index, top)) {
  case HOST_READS:
    if (!host_is_scalar(top->expr->type))
      give_up(f, top, "an object in it is copied or bound as a whole");
    if (host_outlives_call(top)) give_up(f, top, "a reference may be bound to it");
    add(f, top, READ, true);
    return;
  case HOST_ASSIGNS:
  case HOST_MODIFIES:
    add(f, top, SEEDED(HOST_WRITE_AS_READ) ? READ : READ | WRITE, !is_stored_only(f, top));
    return;
  case HOST_TAKES_ADDRESS: follow_pointer(f, top->parent); return;
  case HOST_BINDS: give_up(f, top, "a reference may be bound to it"); return;
  default: give_up(f, top, "it is used in a construct that is not analysed"); return;
  }
}

static const struct ir_var *reference_parameter(const struct host_node *top)
{
  const struct ir_expr *call = top->parent ? top->parent->expr : NULL;
  if (!call || call->kind != IR_EXPR_CALL || !call->callee || call->is_method ||
      top->slot >= call->callee->param_count)
    return NULL;
  const struct ir_var *param = call->callee->params[top->slot];
  return has_kind(param->type, IR_TYPE_REFERENCE) ? param : NULL;
}

static void pass_on(struct follow *, const struct host_node *argument, bool is_pointer);

static void follow_lvalue(struct follow *f, const struct host_node *node)
{
  struct host_node *top = host_lvalue_top((struct host_node *)node);
  const struct ir_stmt *stmt = top->stmt;
  bool array = has_kind(top->expr->type, IR_TYPE_ARRAY);
  bool bound = !top->parent && stmt && stmt->kind == IR_STMT_DECL &&
               has_kind(stmt->var->type, IR_TYPE_REFERENCE);
  bool is_result = bound && stmt->expr != top->expr && ir_strip(stmt->expr) != ir_strip(top->expr);
  if (bound && !is_result && stmt->var->kind == IR_VAR_LOCAL && !stmt->var->is_static && !array) {
    follow_root(f, stmt->var, false);
  } else if (bound) {
    give_up(f, top, "a reference is bound to it");
  } else if (reference_parameter(top)) {
    pass_on(f, top, false);
  } else if (array && top->parent && top->parent->expr->kind == IR_EXPR_UNARY &&
             top->parent->expr->op == IR_OP_ADDRESS) {
    follow_pointer(f, top->parent);
  } else if (array) {
    follow_pointer(f, top); /* decays */
  } else {
    use_lvalue(f, top);
  }
}

/* ---- pointers ---- */

static void follow_library_call(struct follow *f, const struct host_node *pointer,
                                const struct host_call *known)
{
  const struct host_node *call = pointer->parent;
  char letter = host_call_letter(known, pointer->slot);
  if (letter == 'p' || letter == 'f' || letter == 'K' || known->result == HOST_RESULT_VS ||
      known->name[0] == '_') {
    give_up(f, pointer, "its address is passed to a function that may keep it");
    return;
  }
  if (letter == 'd' && f->uses->pointed) return;
  if (letter == '-' || letter == 'd') {
    give_up(f, pointer, "its address is passed to a library function that is not analysed");
    return;
  }
  if (host_expr_may_launch(f->index, call)) { /* a callback does */
    give_up(f, pointer, "its address is passed to a function that may launch kernels");
    return;
  }
  unsigned access = host_letter_access(letter);
  add(f, pointer, access, access && letter != 'w' && letter != 'W');
  if (host_call_returns(known) == (int)pointer->slot && has_kind(call->expr->type, IR_TYPE_POINTER))
    follow_pointer(f, call);
}

/* Handles an argument. If the callee launches nothing, its effects on the parameter count at the
 * call; otherwise they count where they happen. */
static void pass_on(struct follow *f, const struct host_node *argument, bool is_pointer)
{
  const struct host_node *call = argument->parent;
  const struct ir_function *callee = call->expr->callee;
  if (!callee->body || call->expr->is_method || argument->slot >= callee->param_count) {
    give_up(f, argument,
            is_pointer ? "its address is passed to a function that is not analysed"
                       : "a reference is bound to it");
    return;
  }
  const struct ir_var *param = callee->params[argument->slot];
  if (callee->may_launch) {
    assert(!f->summary); /* its function would launch too */
    follow_root(f, param, is_pointer);
    return;
  }
  struct summary summary = {0};
  struct host_map visited = {.arena = host_index_arena(f->index)};
  struct follow callee_walk = {.index = f->index,
                               .uses = f->uses,
                               .visited = &visited,
                               .summary = &summary,
                               .depth = f->depth + 1};
  follow_root(&callee_walk, param, is_pointer);
  add(f, argument, SEEDED(HOST_CALLEE_MISSED) ? 0 : summary.access, summary.reads);
  if (summary.returned) follow_pointer(f, call);
}

/* Is it a call like std::sort(p, p + n) or std::vector<int> v(p, p + n)? It makes loads and stores
 * between the pointers, and keeps none of them. */
static bool is_standard_range(const struct follow *f, const struct host_node *call)
{
  const struct ir_expr *expr = call->expr;
  const struct ir_type *type = expr->type;
  if (expr->kind == IR_EXPR_CONSTRUCT) return host_is_container(type);
  bool value = type->kind == IR_TYPE_VOID || host_is_scalar(type);
  return value && !expr->is_method && host_call_is_standard(expr->text) &&
         !host_expr_may_launch(f->index, call);
}

static void follow_standard(struct follow *f, const struct host_node *pointer)
{
  const struct ir_type *element = pointer->expr->type->element;
  while (has_kind(element, IR_TYPE_ARRAY)) element = element->element;
  bool reads = element->is_const || pointer->parent->expr->kind == IR_EXPR_CONSTRUCT;
  add(f, pointer, reads ? READ : READ | WRITE, true);
  if (has_kind(pointer->parent->expr->type, IR_TYPE_POINTER)) follow_pointer(f, pointer->parent);
}

static void follow_argument(struct follow *f, const struct host_node *pointer)
{
  const struct ir_expr *call = pointer->parent->expr;
  const struct ir_function *callee = call->callee;
  const struct host_call *known = host_call_of(call);
  bool pointers = !callee || !callee->body || call->is_method ||
                  pointer->slot >= callee->param_count ||
                  has_kind(callee->params[pointer->slot]->type, IR_TYPE_POINTER);
  if (known)
    follow_library_call(f, pointer, known);
  else if (callee && pointers)
    pass_on(f, pointer, true);
  else if (!callee && is_standard_range(f, pointer->parent))
    follow_standard(f, pointer);
  else
    give_up(f, pointer, "its address is passed to a function that is not analysed");
}

/* Follows a variable that gets the pointer as a value. */
static void follow_copy(struct follow *f, const struct host_node *pointer, const struct ir_var *var)
{
  bool local = (var->kind == IR_VAR_LOCAL || var->kind == IR_VAR_PARAM) && !var->is_static;
  bool file_static = !local && var->is_static &&
                     (var->kind == IR_VAR_LOCAL || var->kind == IR_VAR_HOST) &&
                     !host_unseen_use(f->index, var);
  struct follow everywhere = *f;
  everywhere.summary = NULL;
  if (!has_kind(var->type, IR_TYPE_POINTER) || !(local || file_static))
    give_up(f, pointer, "its address is stored");
  else
    follow_root(local ? f : &everywhere, var, true);
}

/* Follows one use of a local array or structure that holds pointers to the variable. */
static void follow_container_use(struct follow *f, const struct host_node *use)
{
  const struct host_node *at = use;
  while (!host_is_stored_pointer(at) &&
         (host_is_reached_lvalue(at) || at->expr->kind == IR_EXPR_CONVERT) && at->parent)
    at = at->parent;
  if (at->parent && at->parent->expr->kind == IR_EXPR_CONVERT &&
      has_kind(at->expr->type, IR_TYPE_ARRAY)) {
    give_up(f, use, "a pointer to it is stored in an array that is passed on");
    return;
  }
  enum host_context context = host_context_of(f->index, at);
  bool launched = at->parent && at->parent->expr->kind == IR_EXPR_LAUNCH;
  if (in_opaque(f, use))
    give_up(f, use, "it is used in a construct that is not analysed");
  else if (host_is_stored_pointer(at) && (context == HOST_READS || context == HOST_MODIFIES))
    follow_pointer(f, at);
  else if (launched)
    add_launched(f, at);
  else if (context != HOST_ASSIGNS && !(context == HOST_READS && host_is_scalar(at->expr->type)))
    give_up(f, use, "its address is stored in a structure that is passed on");
}

/* float *p[2] = {a, b}; struct view v; v.data = a; Every pointer that is read from such a container
 * may lead to the variable. */
static void follow_container(struct follow *f, const struct host_node *pointer,
                             const struct ir_var *var)
{
  const struct host_var *entry = host_var_of(f->index, var);
  if (var->kind != IR_VAR_LOCAL || var->is_static || !entry || var->address_taken ||
      f->depth >= MAX_DEPTH) {
    give_up(f, pointer, "its address is stored");
    return;
  }
  if (host_map_get(f->visited, var)) return;
  host_map_put(f->visited, var, f);
  f->depth++;
  for (unsigned i = 0; i < entry->uses.count && !f->uses->reason; i++)
    follow_container_use(f, entry->uses.items[i]);
  f->depth--;
}

/* Handles { a, 3 } as the initialiser of a local variable. */
static void follow_initialiser(struct follow *f, const struct host_node *pointer)
{
  const struct host_node *list = pointer->parent;
  while (list->parent && (list->parent->expr->kind == IR_EXPR_INIT_LIST ||
                          list->parent->expr->kind == IR_EXPR_CONVERT))
    list = list->parent;
  const struct ir_stmt *stmt = list->stmt;
  bool declares = !list->parent && stmt && stmt->kind == IR_STMT_DECL &&
                  host_type_has_pointers(stmt->var->type) &&
                  !has_kind(stmt->var->type, IR_TYPE_POINTER) &&
                  list->expr->kind == IR_EXPR_INIT_LIST;
  if (declares)
    follow_container(f, pointer, stmt->var);
  else
    give_up(f, pointer, "its address is stored");
}

static void follow_returned(struct follow *f, const struct host_node *pointer)
{
  const struct host_function *entry = host_function_of(f->index, pointer->function);
  if (f->summary) {
    f->summary->returned = true;
  } else if (!entry || !host_callers_known(f->index, pointer->function) || f->depth >= MAX_DEPTH) {
    give_up(f, pointer, "its address is returned");
  } else if (!host_map_get(f->visited, pointer->function)) {
    host_map_put(f->visited, pointer->function, f);
    f->depth++;
    for (unsigned i = 0; i < entry->calls.count; i++) follow_pointer(f, entry->calls.items[i]);
    f->depth--;
  }
}

/* Follows a pointer that is the whole value of a statement's expression. */
static void follow_statement(struct follow *f, const struct host_node *pointer)
{
  const struct ir_stmt *stmt = pointer->stmt;
  if (!stmt) {
    give_up(f, pointer, "it is used in the initialiser of a global");
  } else if (stmt->kind == IR_STMT_DECL) {
    if (!SEEDED(HOST_ALIAS_MISSED)) follow_copy(f, pointer, stmt->var);
  } else if (stmt->kind == IR_STMT_RETURN) {
    follow_returned(f, pointer);
  } else if (stmt->kind == IR_STMT_EXPR || stmt->kind == IR_STMT_FOR) {
    return; /* a value that is dropped; as a condition it is converted to bool */
  } else {
    give_up(f, pointer, "its address is stored");
  }
}

static void follow_assignment(struct follow *f, const struct host_node *pointer)
{
  const struct host_node *assignment = pointer->parent;
  const struct ir_expr *target = ir_strip(assignment->expr->operands[0]);
  const struct ir_expr *base = target;
  while (
      (base->kind == IR_EXPR_MEMBER && !base->is_arrow && base->operand_count) ||
      (base->kind == IR_EXPR_INDEX && has_kind(ir_strip(base->operands[0])->type, IR_TYPE_ARRAY)))
    base = ir_strip(base->operands[0]);
  if (pointer->slot == 1 && base->kind == IR_EXPR_VAR && base != target) {
    follow_container(f, pointer, base->var);
  } else if (pointer->slot == 1 && target->kind == IR_EXPR_VAR) {
    follow_copy(f, pointer, target->var);
  } else if (pointer->slot == 1) {
    give_up(f, pointer, "its address is stored");
    return;
  }
  if (assignment->parent) follow_pointer(f, assignment); /* q = p = a; *(p += 2) */
}

static void follow_pointer_binary(struct follow *f, const struct host_node *pointer)
{
  const struct host_node *parent = pointer->parent;
  switch (parent->expr->op) {
  case IR_OP_ADD: follow_pointer(f, parent); return;
  case IR_OP_SUB:
    if (has_kind(parent->expr->type, IR_TYPE_POINTER)) follow_pointer(f, parent);
    return;
  case IR_OP_COMMA:
    if (pointer->slot == 1) follow_pointer(f, parent);
    return;
  default: return; /* comparisons */
  }
}

static void follow_conversion(struct follow *f, const struct host_node *pointer)
{
  const struct ir_type *type = pointer->parent->expr->type;
  if (has_kind(type, IR_TYPE_POINTER))
    follow_pointer(f, pointer->parent);
  else if (!has_kind(type, IR_TYPE_BOOL) && !has_kind(type, IR_TYPE_VOID))
    give_up(f, pointer, "its address is converted to a number");
}

static void follow_pointer_unary(struct follow *f, const struct host_node *pointer)
{
  switch (pointer->parent->expr->op) {
  case IR_OP_DEREF: follow_lvalue(f, pointer->parent); return;
  case IR_OP_PLUS:
  case IR_OP_PRE_INC:
  case IR_OP_PRE_DEC:
  case IR_OP_POST_INC:
  case IR_OP_POST_DEC:
    if (pointer->parent->parent) follow_pointer(f, pointer->parent);
    return;
  default: give_up(f, pointer, "the address of a pointer to it is taken"); return;
  }
}

static void follow_pointer(struct follow *f, const struct host_node *pointer)
{
  const struct host_node *parent = pointer->parent;
  if (!parent) {
    follow_statement(f, pointer);
    return;
  }
  switch (parent->expr->kind) {
  case IR_EXPR_PAREN: follow_pointer(f, parent); return;
  case IR_EXPR_CAST:
  case IR_EXPR_CONVERT: follow_conversion(f, pointer); return;
  case IR_EXPR_UNARY: follow_pointer_unary(f, pointer); return;
  case IR_EXPR_BINARY: follow_pointer_binary(f, pointer); return;
  case IR_EXPR_CALL: follow_argument(f, pointer); return;
  case IR_EXPR_LAUNCH: add_launched(f, pointer); return;
  case IR_EXPR_INDEX:
    if (pointer->slot == 0)
      follow_lvalue(f, parent);
    else
      give_up(f, pointer, "it is indexed in an unusual way");
    return;
  case IR_EXPR_MEMBER: follow_lvalue(f, parent); return;
  case IR_EXPR_COND:
    if (pointer->slot > 0) follow_pointer(f, parent);
    return;
  case IR_EXPR_ASSIGN:
    if (!SEEDED(HOST_ESCAPE_MISSED)) follow_assignment(f, pointer);
    return;
  case IR_EXPR_CONSTRUCT: follow_argument(f, pointer); return;
  case IR_EXPR_INIT_LIST: follow_initialiser(f, pointer); return;
  default: give_up(f, pointer, "its address goes where it cannot be followed"); return;
  }
}

/* ---- roots ---- */

static bool is_device_only(const struct ir_function *function)
{
  return function && (function->is_kernel || function->is_device) && !function->is_host;
}

static void follow_use(struct follow *f, const struct host_node *use, bool is_pointer)
{
  if (is_device_only(use->function)) return;
  if (!use->function) {
    give_up(f, use, "it is used in the initialiser of a global");
  } else if (use->function->is_device) {
    give_up(f, use, "it is used in a function for host and device");
  } else if (in_opaque(f, use)) {
    give_up(f, use, "it is used in a construct that is not analysed");
  } else if (!is_pointer) {
    follow_lvalue(f, use);
  } else {
    follow_pointer(f, use);
  }
}

static bool escapes(const struct follow *f, const struct host_var *entry)
{
  for (unsigned i = 0; i < entry->uses.count; i++) {
    struct host_node *top = host_lvalue_top(entry->uses.items[i]);
    enum host_context context = host_context_of(f->index, top);
    if (context == HOST_TAKES_ADDRESS || context == HOST_OBSCURE || in_opaque(f, top)) return true;
    if (context == HOST_BINDS && !host_swapped_with(top)) return true;
  }
  return false;
}

static void follow_pointer_use(struct follow *f, const struct host_node *use)
{
  const struct ir_var *other = host_swapped_with(use);
  bool assigned = use->parent && use->parent->expr->kind == IR_EXPR_ASSIGN && use->slot == 0 &&
                  use->parent->expr->op == IR_OP_ASSIGN;
  if (other)
    follow_copy(f, use, other);
  else if (!assigned)
    follow_use(f, use, true);
}

static void follow_root(struct follow *f, const struct ir_var *var, bool is_pointer)
{
  const struct host_var *entry = host_var_of(f->index, var);
  if (!entry || host_map_get(f->visited, var)) return;
  host_map_put(f->visited, var, f);
  if (f->depth >= MAX_DEPTH || (is_pointer && escapes(f, entry))) {
    f->uses->reason = "its address is stored in a variable that escapes";
    f->uses->place = var->place;
    return;
  }
  f->depth++;
  for (unsigned i = 0; i < entry->uses.count && !f->uses->reason; i++)
    if (is_pointer)
      follow_pointer_use(f, entry->uses.items[i]);
    else
      follow_use(f, entry->uses.items[i], false);
  f->depth--;
}

void host_uses_of(struct host_index *index, const struct vs_var *vs, struct host_uses *ret)
{
  *ret = (struct host_uses){0};
  const struct ir_place *unseen = host_unseen_use(index, vs->var);
  if (unseen) {
    ret->reason =
        unseen->in_macro ? "a macro names it" : "its name stands in code that is not analysed";
    ret->place = *unseen;
    return;
  }
  struct host_map visited = {.arena = host_index_arena(index)};
  struct follow f = {.index = index, .uses = ret, .visited = &visited};
  follow_root(&f, vs->var, false);
}

/* The allocating calls are no uses. */
void host_memory_uses_of(struct host_index *index, const struct ir_var *pointer,
                         struct host_uses *ret)
{
  const struct host_var *entry = host_var_of(index, pointer);
  struct host_map visited = {.arena = host_index_arena(index)};
  struct follow f = {.index = index, .uses = ret, .visited = &visited};
  *ret = (struct host_uses){.pointed = true};
  host_map_put(&visited, pointer, &f);
  for (unsigned i = 0; i < entry->uses.count && !ret->reason; i++) {
    struct host_node *use = entry->uses.items[i];
    if (host_context_of(index, host_lvalue_top(use)) != HOST_TAKES_ADDRESS)
      follow_pointer_use(&f, use);
  }
}
