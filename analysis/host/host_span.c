/* SPDX-License-Identifier: MIT */
/* host_span.c - the bytes of a VS variable that a host use touches, as known in front of a
 * statement.
 *
 *     x = a[i][j];                                               reads 4096 i + 4 j ... 4096 i + 4
 *         j + 4
 *     for (int i = 0; i < n; i++) s += a[i] + a[i + 1];          reads 0 ... 4 n + 4
 *     for (int i = 0; i < n; i++) a[i] = i;                      writes 0 ... 4 n, all of it
 *     memcpy(b, a, m);                                           reads 0 ... m;
 *         writes 0 ... m, all of it
 *     std::fill(a, a + n, 1);                                    writes 0 ... 4 n, all of it
 *
 * Requires the host index and the uses of the variable. A write overwrites under four conditions:
 * its range has no gaps (iterators nest like digits: 1, trips, trips * trips ...); each iteration
 * makes it unconditionally; no code in the statement can leave it early or reads the variable; and
 * no pointer that is read there could lead to it.
 */
#include "analysis/host/host_span.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/host/host_calls.h"
#include "analysis/data/use_range.h"
#include "runtime/seeded.h"

enum { READ = 1, WRITE = 2, OVERWRITE = 8 }; /* as mesi.h */

/* ---- library calls ---- */

enum { ONES = -1, ELEMENTS = -2, UP_TO = -3 }; /* of sized_call.size */

static const struct sized_call {
  const char *name;
  int pointer, count; /* arguments */
  /* The bytes are count * the argument `size`; count * 1; count * an element of `pointer`; or those
   * from the pointer in argument `count` to that in the next argument. */
  int size;
  bool overwrites; /* every byte, in any case */
} sized_calls[] = {
    {"memset", 0, 2, ONES, true},     {"memcpy", 0, 2, ONES, true},
    {"memcpy", 1, 2, ONES, false},    {"memmove", 0, 2, ONES, true},
    {"memmove", 1, 2, ONES, false},   {"memcmp", 0, 2, ONES, false},
    {"memcmp", 1, 2, ONES, false},    {"fwrite", 0, 1, 2, false},
    {"fread", 0, 1, 2, false},        {"write", 1, 2, ONES, false},
    {"read", 1, 2, ONES, false},      {"pwrite", 1, 2, ONES, false},
    {"pread", 1, 2, ONES, false},     {"send", 1, 2, ONES, false},
    {"recv", 1, 2, ONES, false},      {"bzero", 0, 1, ONES, true},
    {"qsort", 0, 1, 2, false},        {"fill", 0, 0, UP_TO, true},
    {"fill_n", 0, 1, ELEMENTS, true}, {"copy", 0, 0, UP_TO, false},
    {"copy", 2, 0, UP_TO, true},      {"copy_n", 0, 1, ELEMENTS, false},
    {"copy_n", 2, 1, ELEMENTS, true},
};

static const struct sized_call *sized_call_of(const struct host_node *pointer)
{
  const struct host_call *known = pointer->parent ? host_call_of(pointer->parent->expr) : NULL;
  for (unsigned i = 0; known && i < sizeof sized_calls / sizeof *sized_calls; i++)
    if (!strcmp(known->name, sized_calls[i].name) &&
        pointer->slot == (unsigned)sized_calls[i].pointer)
      return &sized_calls[i];
  return NULL;
}

/* The distance in bytes, if both pointers have elements of this size. The call would convert
 * elements of another size. */
static bool distance(const struct form_place *at, const struct ir_expr *first,
                     const struct ir_expr *last, int64_t element, struct form *ret)
{
  bool pointers = first->type->kind == IR_TYPE_POINTER && last->type->kind == IR_TYPE_POINTER;
  return pointers && first->type->element->size == element &&
         form_of_distance(at, first, last, ret);
}

static bool bytes_of_call(const struct form_place *at, const struct sized_call *call,
                          const struct ir_expr *expr, struct form *ret)
{
  int64_t element = expr->operands[call->pointer]->type->element->size;
  struct form size = {.constant = call->size == ELEMENTS ? element : 1};
  unsigned needed = (unsigned)call->count + (call->size == UP_TO ? 1 : 0);
  if (needed >= expr->operand_count || (call->size < ONES && element <= 0)) return false;
  if (call->size == UP_TO)
    return distance(at, expr->operands[call->count], expr->operands[call->count + 1], element, ret);
  if (!form_of(at, expr->operands[call->count], ret)) return false;
  if (call->size >= 0 && !form_of(at, expr->operands[call->size], &size)) return false;
  struct form product = {0};
  if (size.count && !ret->count) { /* the constant one times the other */
    struct form held = size;
    size = *ret;
    *ret = held;
  }
  if (size.count || !form_add(&product, ret, size.constant)) return false;
  product.constant += SEEDED(FILLED_TOO_FAR) && call->size == ELEMENTS ? element : 0;
  *ret = product;
  return true;
}

/* ---- the range ---- */

static const struct ir_type *pointee(const struct ir_expr *expr) { return expr->type->element; }

/* The bytes of one execution, in terms of iterators. */
static bool take_bytes(const struct form_place *at, const struct host_uses *uses,
                       const struct host_node *node, struct form *ret_begin, struct form *ret_size)
{
  const struct sized_call *call = sized_call_of(node);
  const struct ir_expr *expr = node->expr;
  bool variable = expr->kind == IR_EXPR_VAR && expr->var->kind == IR_VAR_VS &&
                  expr->type->kind == IR_TYPE_POINTER && !uses->pointed;
  bool pointer =
      (expr->type->kind == IR_TYPE_POINTER && !variable) || expr->type->kind == IR_TYPE_ARRAY;
  if (call && pointer && pointee(expr))
    return form_of_pointer(at, expr, ret_begin) &&
           bytes_of_call(at, call, node->parent->expr, ret_size);
  if (expr->type->size <= 0 || expr->type->kind == IR_TYPE_ARRAY) return false;
  if (node->parent && node->parent->expr->kind == IR_EXPR_CALL &&
      expr->type->kind == IR_TYPE_POINTER && !variable)
    return false;
  *ret_size = (struct form){.constant = expr->type->size};
  return form_of_lvalue(at, expr, ret_begin);
}

/* ---- does it overwrite? ---- */

struct stretch { /* a statement that runs from its begin to its end */
  const struct host_index *index;
  const struct host_uses *uses;
  const struct ir_expr *written; /* the lvalue in question */
  bool fails;
};

/* Does it read memory that does not belong to a named object? */
static bool is_pointer_read(const struct ir_expr *expr)
{
  if (expr->kind == IR_EXPR_UNARY && expr->op == IR_OP_DEREF) return true;
  if (expr->kind == IR_EXPR_VAR) return expr->var->type->kind == IR_TYPE_REFERENCE;
  if (expr->kind == IR_EXPR_MEMBER) return expr->is_arrow;
  const struct ir_type *type =
      expr->kind == IR_EXPR_INDEX ? ir_strip(expr->operands[0])->type : NULL;
  return type && type->kind != IR_TYPE_ARRAY;
}

static bool returns_here(const struct ir_expr *call)
{
  static const char *const leaves[] = {"exit",    "abort",      "__assert_fail", "assert",
                                       "longjmp", "quick_exit", "_exit"};
  const struct host_call *known = host_call_of(call);
  for (unsigned i = 0; known && i < sizeof leaves / sizeof *leaves; i++)
    if (!strcmp(known->name, leaves[i])) return false;
  return call->effect == IR_EFFECT_NONE ||
         (known && strspn(known->arguments, "-") == strlen(known->arguments));
}

/* Is `expr` an array that `lvalue` is a part of? p[i][j] = 1 does not read such a p[i]. */
static bool stands_in(const struct ir_expr *lvalue, const struct ir_expr *expr)
{
  while (lvalue != expr && lvalue->operand_count &&
         (lvalue->kind == IR_EXPR_INDEX || lvalue->kind == IR_EXPR_CONVERT ||
          lvalue->kind == IR_EXPR_PAREN || (lvalue->kind == IR_EXPR_MEMBER && !lvalue->is_arrow)))
    lvalue = lvalue->operands[0];
  return lvalue == expr && expr->type->kind == IR_TYPE_ARRAY;
}

static void check_expr(struct ir_expr *expr, void *context)
{
  struct stretch *s = context;
  if (expr->kind == IR_EXPR_CALL) s->fails |= !returns_here(expr);
  s->fails |= expr->kind == IR_EXPR_OPAQUE || expr->kind == IR_EXPR_CONSTRUCT ||
              expr->kind == IR_EXPR_LAUNCH;
  /* it might lead there */
  if (expr != s->written && !stands_in(s->written, expr))
    s->fails |= s->uses->reason && is_pointer_read(expr);
}

static bool check_stmt(struct ir_stmt *stmt, void *context)
{
  struct stretch *s = context;
  switch (stmt->kind) {
  case IR_STMT_NULL:
  case IR_STMT_DECLS:
  case IR_STMT_EXPR:
  case IR_STMT_BLOCK:
  case IR_STMT_IF: break;
  case IR_STMT_DECL: s->fails |= stmt->var->type->kind == IR_TYPE_RECORD; break;
  case IR_STMT_FOR: s->fails |= !stmt->loop; break;
  default: s->fails = true;
  }
  return !s->fails;
}

static bool runs_through(struct stretch *s, const struct ir_stmt *front)
{
  ir_visit_stmts((struct ir_stmt *)front, check_stmt, s);
  if (!s->fails) ir_visit_stmt_exprs((struct ir_stmt *)front, check_expr, s);
  return !s->fails;
}

static bool is_plain_assignment(const struct host_node *node)
{
  const struct host_node *parent = node->parent;
  return parent && parent->expr->kind == IR_EXPR_ASSIGN && parent->expr->op == IR_OP_ASSIGN &&
         node->slot == 0 && !parent->parent && parent->stmt->kind == IR_STMT_EXPR &&
         node->expr->type->kind != IR_TYPE_RECORD;
}

static bool is_plain_call(const struct host_node *node)
{
  const struct sized_call *call = sized_call_of(node);
  const struct host_node *parent = node->parent;
  return call && call->overwrites && parent->stmt && parent->stmt->kind == IR_STMT_EXPR &&
         !parent->parent;
}

/* Does the statement run whenever `front` does? Loops in between only decide how often. */
static bool is_unconditional(const struct host_index *index, const struct ir_stmt *stmt,
                             const struct ir_stmt *front)
{
  for (const struct host_stmt *at = host_stmt_of(index, stmt); at->stmt != front;
       at = host_stmt_of(index, at->parent)) {
    if (!at->parent) return false;
    bool loop = at->parent->kind == IR_STMT_FOR && at->parent->loop && at->role == HOST_ROLE_BODY;
    if (!loop && at->parent->kind != IR_STMT_BLOCK) return false;
  }
  return true;
}

static bool read_inside(const struct host_index *index, const struct host_uses *uses,
                        const struct host_node *write, const struct ir_stmt *front)
{
  for (unsigned i = 0; i < uses->list.count; i++) {
    const struct host_use *other = &uses->list.items[i];
    if (other->node == write || !other->node->stmt ||
        !host_stmt_inside(index, other->node->stmt, front))
      continue;
    if (other->access && !is_plain_assignment(other->node)) return true;
  }
  return false;
}

static int by_coefficient(const void *a, const void *b)
{
  int64_t x = llabs(((const struct form_term *)a)->coefficient),
          y = llabs(((const struct form_term *)b)->coefficient);
  return (x > y) - (x < y);
}

/* Does the loop start within its bounds? for (int i = n; i < 100u; i++) does not run for a negative
 * n, since the comparison is unsigned. */
static bool starts_in_bounds(const struct ir_loop *loop)
{
  const struct ir_type *type = loop->iterator->type, *bound = loop->bound->type;
  int64_t lower;
  if (!type->is_signed || bound->is_signed || bound->size < type->size) return true;
  return ir_constant(loop->lower, &lower) && lower >= 0;
}

static void note_pointer_read(struct ir_expr *expr, void *context)
{
  *(bool *)context |= is_pointer_read(expr);
}

/* Does the call, or one of its arguments, read memory through another pointer? */
static bool reads_elsewhere(const struct host_node *node)
{
  const struct ir_expr *call = node->parent->expr;
  const struct host_call *known = host_call_of(call);
  bool reads = false;
  for (unsigned i = 0; i < call->operand_count; i++) {
    reads |= i != node->slot && (host_letter_access(host_call_letter(known, i)) & READ);
    ir_visit_expr(call->operands[i], note_pointer_read, &reads);
  }
  return reads;
}

/* Is it memcpy, which reads none of the bytes that it writes? */
static bool is_memcpy(const struct ir_expr *call)
{
  const struct host_call *known = host_call_of(call);
  return known && (!strcmp(known->name, "memcpy") || !strcmp(known->name, "__builtin_memcpy"));
}

/* Does each loop around the write count in its address, by as much as the inner loops fill? */
static bool is_dense(const struct form_place *at, const struct form *begin, int64_t size)
{
  struct form_term terms[FORM_TERMS];
  unsigned count = 0, loops = 0;
  for (unsigned i = 0; i < begin->count; i++)
    if (begin->terms[i].loop) terms[count++] = begin->terms[i];
  for (const struct host_stmt *s = host_stmt_of(at->index, at->use->stmt); s;
       s = host_stmt_of(at->index, s->parent)) {
    loops += s->stmt->kind == IR_STMT_FOR;
    if (s->stmt == at->front) break;
  }
  qsort(terms, count, sizeof *terms, by_coefficient);
  for (unsigned i = 0; i < count; i++) {
    int64_t trips = 0, step = terms[i].loop->loop->step;
    if (llabs(terms[i].coefficient) != size || (step != 1 && step != -1) ||
        !starts_in_bounds(terms[i].loop->loop))
      return false;
    if (i + 1 < count &&
        (!form_trips(terms[i].loop, &trips) || __builtin_mul_overflow(size, trips, &size)))
      return false;
  }
  return loops == count;
}

/* Does the use overwrite its range? The bounds of inner loops may depend on the outermost one; then
 * their trip counts are not constant, and is_dense returns false. */
static bool overwrites(const struct form_place *at, const struct host_uses *uses,
                       const struct form *begin, const struct form *size)
{
  const struct host_node *node = at->use;
  struct stretch stretch = {.index = at->index, .uses = uses, .written = node->expr};
  bool assigns = is_plain_assignment(node), calls = is_plain_call(node);
  if (!assigns && !calls) return false;
  if (!is_unconditional(at->index, node->stmt, at->front) ||
      read_inside(at->index, uses, node, at->front))
    return false;
  if (calls)
    return at->front == node->stmt &&
           (!uses->reason || is_memcpy(node->parent->expr) || !reads_elsewhere(node));
  return !size->count && runs_through(&stretch, at->front) && is_dense(at, begin, size->constant);
}

/* ---- */

bool host_span_of(struct host_index *index, const struct host_uses *uses,
                  const struct host_use *use, const struct ir_stmt *front, struct host_span *ret)
{
  struct form_place at = {index, front, use->node};
  struct form begin, size, end;
  if (!front || !take_bytes(&at, uses, use->node, &begin, &size)) return false;
  end = begin;
  if (!form_add(&end, &size, 1)) return false;
  *ret = (struct host_span){.access = use->access};
  for (unsigned i = 0; i < begin.count; i++) ret->in_loop |= begin.terms[i].loop != NULL;
  if (!form_extreme(&at, &begin, false, &ret->begin) || !form_extreme(&at, &end, true, &ret->end))
    return false;
  if ((use->access & WRITE) && overwrites(&at, uses, &begin, &size))
    ret->access = WRITE | OVERWRITE;
  return true;
}

bool host_span_merge(struct host_span *into, const struct host_span *other)
{
  if (!form_same_terms(&into->begin, &other->begin) || !form_same_terms(&into->end, &other->end))
    return false;
  bool same =
      into->begin.constant == other->begin.constant && into->end.constant == other->end.constant;
  if (!same && ((into->access | other->access) & OVERWRITE)) return false;
  if ((into->access ^ other->access) & OVERWRITE)
    into->access = READ | WRITE;
  else
    into->access |= other->access;
  if (other->begin.constant < into->begin.constant) into->begin = other->begin;
  if (other->end.constant > into->end.constant) into->end = other->end;
  into->in_loop |= other->in_loop;
  return true;
}
