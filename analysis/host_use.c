/* host_use.c - follows a VS variable, and the pointers made from it, through host code.
 *
 *     static __global__ float a[N][M];
 *     a[i][j] = 0;                  write of a
 *     float *row = a[i];            row is followed: it is given a value once
 *     fill(row, M);                 write of a, when fill only stores through its parameter and launches nothing
 *     memcpy(b, a, sizeof b);       read of a
 *     saved = a;                    gives up: "its address is stored"
 *
 * Requires the host index and may_launch. Produces the uses with their access; gives up, with reason and place, as soon
 * as the object might be reached in a way that is not in the list. Writes count as read and write, since a part of
 * the object may keep its value.
 */
#include "analysis/host_use.h"

#include <string.h>

#include "analysis/host_calls.h"
#include "analysis/host_launches.h"
#include "runtime/seeded.h"

#define MAX_DEPTH 12

enum { READ = 1, WRITE = 2 }; /* as mesi.h */

struct follow {
  struct host_index *index;
  struct host_uses *uses;
  unsigned depth; /* nested aliases and callees */
};

static void follow_pointer(struct follow *, const struct host_node *);
static void follow_root(struct follow *, const struct ir_var *, bool is_pointer);

static void give_up(struct follow *f, const struct host_node *node, const char *reason) {
  if (f->uses->reason) return;
  f->uses->reason = reason;
  f->uses->place = node->expr->place;
}

static void add(struct follow *f, const struct host_node *node, unsigned access) {
  *ARENA_PUSH(host_index_arena(f->index), &f->uses->list) = (struct host_use){node, access};
}

static bool in_opaque(const struct follow *f, const struct host_node *node) {
  for (const struct host_node *at = node; at; at = at->parent)
    if (at->expr->kind == IR_EXPR_OPAQUE) return true;
  for (const struct ir_stmt *stmt = node->stmt; stmt; stmt = host_stmt_of(f->index, stmt)->parent)
    if (stmt->kind == IR_STMT_OPAQUE) return true;
  return false;
}

static bool has_kind(const struct ir_type *type, enum ir_type_kind kind) { return type->kind == kind; }

static bool is_scalar(const struct ir_type *type) {
  return has_kind(type, IR_TYPE_BOOL) || has_kind(type, IR_TYPE_INT) || has_kind(type, IR_TYPE_FLOAT) ||
         has_kind(type, IR_TYPE_POINTER);
}

/* ---- lvalues ---- */

/* s = a[i]; and a[i] = s; of structures: VS data can be copied byte by byte, so nothing is hidden in the operator. */
static bool is_plain_copy(const struct host_node *top) {
  if (!has_kind(top->expr->type, IR_TYPE_RECORD)) return false;
  if (!top->parent) return top->stmt && top->stmt->kind == IR_STMT_DECL;
  const struct ir_expr *parent = top->parent->expr;
  return parent->kind == IR_EXPR_CALL && parent->is_method && parent->text && !strcmp(parent->text, "operator=") &&
         parent->operand_count == 2 && (!parent->callee || !parent->callee->has_definition);
}

/* const int &m = std::max(n, 3); the result may be the argument. */
static bool outlives_call(const struct host_node *top) {
  const struct host_node *node = top;
  if (!node->parent || node->parent->expr->kind != IR_EXPR_CALL) return false;
  while (node->parent) node = node->parent;
  const struct ir_stmt *stmt = node->stmt;
  return stmt && ((stmt->kind == IR_STMT_DECL && stmt->var && has_kind(stmt->var->type, IR_TYPE_REFERENCE)) ||
                  (stmt->kind == IR_STMT_RETURN && has_kind(node->function->result, IR_TYPE_REFERENCE)));
}

static void use_lvalue(struct follow *f, const struct host_node *top) {
  if (is_plain_copy(top)) {
    add(f, top, top->parent && top->slot == 0 ? READ | WRITE : READ);
    return;
  }
  switch (host_context_of(f->index, top)) {
  case HOST_READS:
    if (!is_scalar(top->expr->type)) give_up(f, top, "an object in it is copied or bound as a whole");
    if (outlives_call(top)) give_up(f, top, "a reference may be bound to it");
    add(f, top, READ);
    return;
  case HOST_ASSIGNS: case HOST_MODIFIES: add(f, top, SEEDED(HOST_WRITE_AS_READ) ? READ : READ | WRITE); return;
  case HOST_TAKES_ADDRESS: follow_pointer(f, top->parent); return;
  case HOST_BINDS: give_up(f, top, "a reference may be bound to it"); return;
  default: give_up(f, top, "it is used in a construct that is not analysed"); return;
  }
}

static bool is_const_reference_argument(const struct host_node *top) {
  return top->parent && top->parent->expr->kind == IR_EXPR_CALL && top->parent->expr->callee &&
         top->slot < top->parent->expr->callee->param_count &&
         has_kind(top->parent->expr->callee->params[top->slot]->type, IR_TYPE_REFERENCE);
}

static void follow_lvalue(struct follow *f, const struct host_node *node) {
  struct host_node *top = host_lvalue_top((struct host_node *)node);
  const struct ir_stmt *stmt = top->stmt;
  bool array = has_kind(top->expr->type, IR_TYPE_ARRAY);
  bool bound = !top->parent && stmt && stmt->kind == IR_STMT_DECL && stmt->var && has_kind(stmt->var->type, IR_TYPE_REFERENCE);
  if (bound || is_const_reference_argument(top)) {
    give_up(f, top, "a reference is bound to it");
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

static void follow_library_call(struct follow *f, const struct host_node *pointer, const struct host_call *known) {
  const struct host_node *call = pointer->parent;
  char letter = host_call_letter(known, pointer->slot);
  if (letter == 'p' || letter == 'f' || known->result == HOST_RESULT_VS || known->name[0] == '_') {
    give_up(f, pointer, "its address is passed to a function that may keep it");
    return;
  }
  if (letter == '-') {
    give_up(f, pointer, "its address is passed to a library function that is not analysed");
    return;
  }
  if (host_expr_may_launch(f->index, call)) { /* a callback does */
    give_up(f, pointer, "its address is passed to a function that may launch kernels");
    return;
  }
  add(f, pointer, host_letter_access(letter));
  if (known->result == HOST_RESULT_ARG0 && pointer->slot == 0) follow_pointer(f, call);
}

static void follow_argument(struct follow *f, const struct host_node *pointer) {
  const struct ir_expr *call = pointer->parent->expr;
  const struct ir_function *callee = call->callee;
  const struct host_call *known = host_call_of(call);
  if (known) {
    follow_library_call(f, pointer, known);
  } else if (!callee || !callee->body || callee->is_method || pointer->slot >= callee->param_count) {
    give_up(f, pointer, "its address is passed to a function that is not analysed");
  } else if (callee->may_launch || !has_kind(callee->params[pointer->slot]->type, IR_TYPE_POINTER)) {
    give_up(f, pointer, "its address is passed to a function that may launch kernels");
  } else {
    struct host_uses inner = {0};
    struct follow callee_walk = {.index = f->index, .uses = &inner, .depth = f->depth + 1};
    follow_root(&callee_walk, callee->params[pointer->slot], true);
    unsigned access = 0;
    for (unsigned i = 0; i < inner.list.count; i++) access |= inner.list.items[i].access;
    add(f, pointer, SEEDED(HOST_CALLEE_MISSED) ? 0 : access);
    if (inner.reason && !f->uses->reason) {
      f->uses->reason = inner.reason;
      f->uses->place = inner.place;
    }
  }
}

/* A pointer that is the whole value of a statement's expression. */
static void follow_statement(struct follow *f, const struct host_node *pointer) {
  const struct ir_stmt *stmt = pointer->stmt;
  if (!stmt) {
    give_up(f, pointer, "it is used in the initialiser of a global");
  } else if (stmt->kind == IR_STMT_DECL && stmt->var && has_kind(stmt->var->type, IR_TYPE_POINTER) &&
             stmt->var->kind == IR_VAR_LOCAL && !stmt->var->is_static) {
    const struct host_var *alias = host_var_of(f->index, stmt->var);
    if (alias->writes.count != 1) give_up(f, pointer, "its address is stored in a variable that changes");
    else if (!SEEDED(HOST_ALIAS_MISSED)) follow_root(f, stmt->var, true);
  } else if (stmt->kind == IR_STMT_EXPR || stmt->kind == IR_STMT_IF || stmt->kind == IR_STMT_FOR ||
             stmt->kind == IR_STMT_WHILE || stmt->kind == IR_STMT_DO) {
    return; /* a condition, or a value that is dropped */
  } else {
    give_up(f, pointer, stmt->kind == IR_STMT_RETURN ? "its address is returned" : "its address is stored");
  }
}

static void follow_pointer_binary(struct follow *f, const struct host_node *pointer) {
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

static void follow_conversion(struct follow *f, const struct host_node *pointer) {
  const struct ir_type *type = pointer->parent->expr->type;
  if (has_kind(type, IR_TYPE_POINTER) || has_kind(type, IR_TYPE_ARRAY)) follow_pointer(f, pointer->parent);
  else if (!has_kind(type, IR_TYPE_BOOL) && !has_kind(type, IR_TYPE_VOID))
    give_up(f, pointer, "its address is converted to a number");
}

static void follow_pointer_unary(struct follow *f, const struct host_node *pointer) {
  switch (pointer->parent->expr->op) {
  case IR_OP_DEREF: follow_lvalue(f, pointer->parent); return;
  case IR_OP_NOT: return;
  case IR_OP_PLUS: follow_pointer(f, pointer->parent); return;
  default: give_up(f, pointer, "its address is changed in place"); return;
  }
}

static void follow_pointer(struct follow *f, const struct host_node *pointer) {
  const struct host_node *parent = pointer->parent;
  if (!parent) {
    follow_statement(f, pointer);
    return;
  }
  switch (parent->expr->kind) {
  case IR_EXPR_PAREN: follow_pointer(f, parent); return;
  case IR_EXPR_CAST: case IR_EXPR_CONVERT: follow_conversion(f, pointer); return;
  case IR_EXPR_UNARY: follow_pointer_unary(f, pointer); return;
  case IR_EXPR_BINARY: follow_pointer_binary(f, pointer); return;
  case IR_EXPR_CALL: follow_argument(f, pointer); return;
  case IR_EXPR_LAUNCH: return;
  case IR_EXPR_INDEX:
    if (pointer->slot == 0) follow_lvalue(f, parent);
    else give_up(f, pointer, "it is indexed in an unusual way");
    return;
  case IR_EXPR_MEMBER: follow_lvalue(f, parent); return;
  case IR_EXPR_COND:
    if (pointer->slot > 0) follow_pointer(f, parent);
    return;
  case IR_EXPR_ASSIGN:
    if (SEEDED(HOST_ESCAPE_MISSED)) return;
    give_up(f, pointer, pointer->slot ? "its address is stored" : "its address is changed in place");
    return;
  default: give_up(f, pointer, "its address goes where it cannot be followed"); return;
  }
}

/* ---- roots ---- */

static bool is_device_only(const struct ir_function *function) {
  return function && (function->is_kernel || function->is_device) && !function->is_host;
}

static void follow_use(struct follow *f, const struct host_node *use, bool is_pointer) {
  if (is_device_only(use->function)) return;
  if (!use->function) {
    give_up(f, use, "it is used in the initialiser of a global");
  } else if (use->function->is_device) {
    give_up(f, use, "it is used in a function for host and device");
  } else if (in_opaque(f, use)) {
    give_up(f, use, "it is used in a construct that is not analysed");
  } else if (!is_pointer) {
    follow_lvalue(f, use);
  } else if (use->parent && use->parent->expr->kind == IR_EXPR_ASSIGN && use->slot == 0) {
    give_up(f, use, "its address is stored in a variable that changes");
  } else {
    follow_pointer(f, use);
  }
}

static void follow_root(struct follow *f, const struct ir_var *var, bool is_pointer) {
  const struct host_var *entry = host_var_of(f->index, var);
  if (!entry) return;
  if (f->depth >= MAX_DEPTH || (is_pointer && entry->escapes)) {
    f->uses->reason = "its address is stored in a variable that escapes";
    f->uses->place = var->place;
    return;
  }
  f->depth++;
  for (unsigned i = 0; i < entry->uses.count && !f->uses->reason; i++) follow_use(f, entry->uses.items[i], is_pointer);
  f->depth--;
}

void host_uses_of(struct host_index *index, const struct vs_var *vs, struct host_uses *ret) {
  *ret = (struct host_uses){0};
  const struct ir_place *unseen = host_unseen_use(index, vs->var);
  if (unseen) {
    ret->reason = unseen->in_macro ? "a macro names it" : "its name stands in code that is not analysed";
    ret->place = *unseen;
    return;
  }
  struct follow f = {.index = index, .uses = ret};
  follow_root(&f, vs->var, false);
}
