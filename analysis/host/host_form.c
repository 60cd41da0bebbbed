/* SPDX-License-Identifier: MIT */
/* host_form.c - integer expressions of host code as sums that hold at the place of an announcement.
 *
 *     for (int i = 1; i < n; i++) { int k = 2 * i; s += a[k - 1]; }     in front of the for:
 *     k - 1  =>  2 i - 1, i an iterator  =>  least 1, greatest 2 n - 3
 *
 * Requires the host index. A leaf is a variable that nothing in the statement changes and whose
 * address is not taken. A variable declared inside is replaced by its initialiser. Arithmetic is
 * left out if it could trap, overflow or wrap where the program's does not. The sums are in long
 * long. Unsigned arithmetic without iterators is a leaf as a whole; with iterators it may only add
 * small constants. Gives up on memory, calls, divisions, products of variables, and loops whose
 * iterator may wrap or go the other way.
 */
#include "analysis/host/host_form.h"

#include <string.h>

#include "analysis/host/host_calls.h"

#define LIMIT (INT64_C(1) << 40) /* for constants and coefficients */
#define SMALL (INT64_C(1) << 20) /* for a constant added to an unsigned iterator */

static bool has_kind(const struct ir_type *type, enum ir_type_kind kind)
{
  return type->kind == kind;
}
static bool is_int(const struct ir_type *type)
{
  return has_kind(type, IR_TYPE_INT) || has_kind(type, IR_TYPE_BOOL);
}
static bool is_narrow_unsigned(const struct ir_type *type)
{
  return has_kind(type, IR_TYPE_INT) && !type->is_signed && type->size < 8;
}

/* ---- sums ---- */

static bool same_term(const struct form_term *a, const struct form_term *b)
{
  if (a->loop != b->loop || a->pointer != b->pointer) return false;
  if (a->pointer) return true;
  const struct ir_expr *x = a->leaf, *y = b->leaf;
  return x == y || (x->kind == IR_EXPR_VAR && y->kind == IR_EXPR_VAR && x->var == y->var);
}

static bool add_term(struct form *into, const struct form_term *term, int64_t times)
{
  int64_t coefficient;
  if (__builtin_mul_overflow(term->coefficient, times, &coefficient)) return false;
  unsigned i = 0;
  while (i < into->count && !same_term(&into->terms[i], term)) i++;
  if (i == FORM_TERMS) return false;
  if (i == into->count) {
    into->terms[into->count++] = *term;
    into->terms[i].coefficient = 0;
  }
  into->terms[i].coefficient += coefficient;
  if (into->terms[i].coefficient > LIMIT || into->terms[i].coefficient < -LIMIT) return false;
  if (!into->terms[i].coefficient) into->terms[i] = into->terms[--into->count];
  return true;
}

bool form_add(struct form *into, const struct form *other, int64_t times)
{
  int64_t constant;
  if (__builtin_mul_overflow(other->constant, times, &constant)) return false;
  into->constant += constant;
  for (unsigned i = 0; i < other->count; i++)
    if (!add_term(into, &other->terms[i], times)) return false;
  return into->constant <= LIMIT && into->constant >= -LIMIT;
}

bool form_same_terms(const struct form *a, const struct form *b)
{
  struct form difference = *a;
  return form_add(&difference, b, -1) && !difference.count;
}

static bool has_iterator(const struct form *form)
{
  for (unsigned i = 0; i < form->count; i++)
    if (form->terms[i].loop) return true;
  return false;
}

/* ---- variables ---- */

static struct form_place place_of_declaration(const struct form_place *at,
                                              const struct ir_stmt *declaration)
{
  return (struct form_place){at->index, at->front, host_node_of(at->index, declaration->expr)};
}

static bool changed_inside(const struct form_place *at, const struct host_var *entry)
{
  for (unsigned i = 0; i < entry->writes.count; i++) {
    const struct ir_stmt *stmt = entry->writes.items[i].stmt;
    if (host_stmt_inside(at->index, stmt, at->front)) return true;
  }
  return false;
}

static const struct ir_stmt *declaration_inside(const struct form_place *at,
                                                const struct host_var *entry)
{
  for (unsigned i = 0; i < entry->writes.count; i++)
    if (!entry->writes.items[i].node &&
        host_stmt_inside(at->index, entry->writes.items[i].stmt, at->front))
      return entry->writes.items[i].stmt;
  return NULL;
}

static bool is_private(const struct host_var *entry, const struct ir_var *var)
{
  bool local = var->kind == IR_VAR_LOCAL || var->kind == IR_VAR_PARAM;
  return local && !var->is_static && !var->address_taken && !entry->escapes &&
         !var->type->is_volatile;
}

static bool declared_inside(const struct form_place *at, const struct ir_var *var)
{
  return var->kind == IR_VAR_LOCAL && var->place.file == at->front->place.file &&
         var->place.begin >= at->front->place.begin && var->place.begin < at->front->place.end;
}

static bool comes_before(const struct form_place *at, const struct ir_stmt *stmt)
{
  const struct host_stmt *write = host_stmt_of(at->index, stmt);
  if (write->role != HOST_ROLE_CHILD || stmt->kind != IR_STMT_EXPR) return false;
  for (const struct host_stmt *s = host_stmt_of(at->index, at->front); s->parent;
       s = host_stmt_of(at->index, s->parent))
    if (s->parent == write->parent)
      return s->role == HOST_ROLE_CHILD && s->parent->kind == IR_STMT_BLOCK &&
             write->slot < s->slot;
  return false;
}

/* Has the variable a value in front of the statement? Reading it there must not use an
 * uninitialised variable. */
static bool has_value_there(const struct form_place *at, const struct host_var *entry)
{
  if (entry->var->kind == IR_VAR_PARAM) return true;
  for (unsigned i = 0; i < entry->writes.count; i++) {
    const struct host_write *write = &entry->writes.items[i];
    if (!write->node ? write->value != NULL : !write->node->parent && comes_before(at, write->stmt))
      return true;
  }
  return false;
}

/* The canonical loop around the use, in its body, whose iterator is the variable. */
static const struct ir_stmt *loop_of(const struct form_place *at, const struct ir_var *var)
{
  const struct host_stmt *inner = host_stmt_of(at->index, at->use->stmt);
  for (; inner->stmt != at->front; inner = host_stmt_of(at->index, inner->parent))
    if (inner->parent->loop && inner->parent->loop->iterator == var)
      return inner->role == HOST_ROLE_BODY ? inner->parent : NULL;
  return NULL;
}

static void take_leaf(const struct ir_expr *leaf, struct form *ret)
{
  *ret = (struct form){.terms = {{.coefficient = 1, .leaf = leaf}}, .count = 1};
}

static bool form_of_var(const struct form_place *at, const struct ir_expr *expr, struct form *ret)
{
  const struct ir_var *var = expr->var;
  const struct host_var *entry = host_var_of(at->index, var);
  if (var->has_value && var->value <= LIMIT && var->value >= -LIMIT)
    return *ret = (struct form){.constant = var->value}, true;
  if (!is_int(var->type) || !is_private(entry, var)) return false;
  const struct ir_stmt *loop = loop_of(at, var);
  if (loop) {
    take_leaf(expr, ret);
    ret->terms[0].loop = loop;
    return true;
  }
  const struct ir_stmt *declaration = declaration_inside(at, entry);
  if (declaration) {
    if (entry->writes.count != 1 || !declaration->expr || !is_int(declaration->expr->type))
      return false;
    struct form_place there = place_of_declaration(at, declaration);
    return declaration->expr->type->size <= var->type->size &&
           declaration->expr->type->is_signed == var->type->is_signed &&
           form_of(&there, declaration->expr, ret);
  }
  if (changed_inside(at, entry) || declared_inside(at, var) || !has_value_there(at, entry))
    return false;
  take_leaf(expr, ret);
  return true;
}

/* ---- expressions ---- */

/* Has it the same value in front of the statement, without a trap or overflow? Such are variables,
 * constants and unsigned arithmetic. */
static bool is_steady(const struct form_place *at, const struct ir_expr *expr)
{
  struct form form;
  if (!is_int(expr->type)) return false;
  switch (expr->kind) {
  case IR_EXPR_INT: return true;
  case IR_EXPR_SIZEOF: return expr->has_value;
  case IR_EXPR_VAR:
    return form_of_var(at, expr, &form) && (!form.count || form.terms[0].leaf == expr) &&
           !has_iterator(&form);
  case IR_EXPR_PAREN:
  case IR_EXPR_CONVERT:
  case IR_EXPR_CAST: return is_steady(at, expr->operands[0]);
  case IR_EXPR_BINARY:
    return (expr->op == IR_OP_ADD || expr->op == IR_OP_SUB || expr->op == IR_OP_MUL) &&
           !expr->type->is_signed && is_steady(at, expr->operands[0]) &&
           is_steady(at, expr->operands[1]);
  default: return false;
  }
}

/* Has the form an unsigned long? In a sum it may stand for a negative number; limiting its value
 * would change that number. */
static bool is_wide_leaf(const struct form *form)
{
  for (unsigned i = 0; i < form->count; i++)
    if (form->terms[i].leaf && !form->terms[i].loop && form->terms[i].leaf->type->size == 8 &&
        !form->terms[i].leaf->type->is_signed)
      return true;
  return false;
}

static bool scale(struct form *form, int64_t by)
{
  struct form scaled = {0};
  if (!form_add(&scaled, form, by)) return false;
  *form = scaled;
  return true;
}

static bool form_of_binary(const struct form_place *at, const struct ir_expr *expr,
                           struct form *ret)
{
  struct form right;
  if (!form_of(at, expr->operands[0], ret) || !form_of(at, expr->operands[1], &right)) return false;
  if (is_wide_leaf(ret) || is_wide_leaf(&right)) return false;
  if (expr->op == IR_OP_ADD || expr->op == IR_OP_SUB) {
    if (is_narrow_unsigned(expr->type) && (right.count || right.constant > SMALL)) return false;
    return form_add(ret, &right, expr->op == IR_OP_ADD ? 1 : -1);
  }
  if (expr->op != IR_OP_MUL || is_narrow_unsigned(expr->type)) return false;
  if (!right.count) return scale(ret, right.constant);
  if (ret->count) return false;
  int64_t by = ret->constant;
  *ret = right;
  return scale(ret, by);
}

/* Does the conversion keep the value modulo 2^64? Where it does not, an index must be out of
 * bounds. */
static bool keeps_value(const struct ir_type *to, const struct ir_type *from)
{
  return is_int(from) && to->kind == IR_TYPE_INT && to->size >= from->size && to->size >= 4;
}

bool form_of(const struct form_place *at, const struct ir_expr *expr, struct form *ret)
{
  int64_t value;
  if (!is_int(expr->type)) return false;
  if (ir_constant(expr, &value))
    return *ret = (struct form){.constant = value}, value <= LIMIT && value >= -LIMIT;
  bool narrow = is_narrow_unsigned(expr->type) && expr->kind != IR_EXPR_VAR;
  bool wraps =
      has_kind(expr->type, IR_TYPE_INT) && !expr->type->is_signed && expr->kind == IR_EXPR_BINARY;
  if ((narrow || wraps) && is_steady(at, expr)) return take_leaf(expr, ret), true;
  switch (expr->kind) {
  case IR_EXPR_VAR: return form_of_var(at, expr, ret);
  case IR_EXPR_PAREN: return form_of(at, expr->operands[0], ret);
  case IR_EXPR_CONVERT:
  case IR_EXPR_CAST:
    return keeps_value(expr->type, expr->operands[0]->type) &&
           form_of(at, expr->operands[0], ret) && !(narrow && ret->count > 1);
  case IR_EXPR_BINARY: return form_of_binary(at, expr, ret);
  case IR_EXPR_UNARY:
    return expr->op == IR_OP_NEG && !narrow && form_of(at, expr->operands[0], ret) &&
           scale(ret, -1);
  default: return false;
  }
}

/* ---- addresses ---- */

static bool advance(const struct form_place *at, const struct ir_expr *count, int64_t size,
                    int sign, struct form *ret)
{
  struct form by;
  return size > 0 && size <= SMALL * SMALL / 2 && form_of(at, count, &by) &&
         form_add(ret, &by, sign * size);
}

bool form_of_lvalue(const struct form_place *at, const struct ir_expr *expr, struct form *ret)
{
  switch (expr->kind) {
  case IR_EXPR_VAR: *ret = (struct form){0}; return expr->var->kind == IR_VAR_VS;
  case IR_EXPR_PAREN:
  case IR_EXPR_CONVERT: return form_of_lvalue(at, expr->operands[0], ret);
  case IR_EXPR_INDEX:
    return form_of_pointer(at, expr->operands[0], ret) &&
           advance(at, expr->operands[1], expr->type->size, 1, ret);
  case IR_EXPR_MEMBER:
    if (!expr->operand_count || expr->field_offset < 0) return false;
    if (!(expr->is_arrow ? form_of_pointer : form_of_lvalue)(at, expr->operands[0], ret))
      return false;
    ret->constant += expr->field_offset;
    return true;
  case IR_EXPR_UNARY: return expr->op == IR_OP_DEREF && form_of_pointer(at, expr->operands[0], ret);
  default: return false;
  }
}

/* A pointer into the object, with its value in front of the statement or from its declaration
 * inside. */
static bool form_of_alias(const struct form_place *at, const struct ir_expr *expr, struct form *ret)
{
  const struct host_var *entry = host_var_of(at->index, expr->var);
  if (expr->var->kind == IR_VAR_VS && !expr->var->type->is_volatile && !changed_inside(at, entry)) {
    *ret = (struct form){.terms = {{.coefficient = 1, .pointer = expr->var}}, .count = 1};
    return true;
  }
  if (!is_private(entry, expr->var)) return false;
  const struct ir_stmt *declaration = declaration_inside(at, entry);
  if (declaration) {
    struct form_place there = place_of_declaration(at, declaration);
    return entry->writes.count == 1 && declaration->expr &&
           form_of_pointer(&there, declaration->expr, ret);
  }
  if (changed_inside(at, entry) || declared_inside(at, expr->var) || !has_value_there(at, entry))
    return false;
  *ret = (struct form){.terms = {{.coefficient = 1, .pointer = expr->var}}, .count = 1};
  return true;
}

static bool form_of_sum(const struct form_place *at, const struct ir_expr *expr, struct form *ret)
{
  const struct ir_expr *left = expr->operands[0], *right = expr->operands[1];
  bool swapped = has_kind(right->type, IR_TYPE_POINTER) || has_kind(right->type, IR_TYPE_ARRAY);
  const struct ir_expr *pointer = swapped ? right : left, *count = swapped ? left : right;
  if (expr->op != IR_OP_ADD && expr->op != IR_OP_SUB) return false;
  return form_of_pointer(at, pointer, ret) &&
         advance(at, count, pointer->type->element->size, expr->op == IR_OP_ADD ? 1 : -1, ret);
}

/* The form of std::begin(a) or std::end(a) for an array. */
static bool form_of_call(const struct form_place *at, const struct ir_expr *call, struct form *ret)
{
  const struct host_call *known = host_call_of(call);
  const struct ir_expr *array = known && call->operand_count == 1 ? call->operands[0] : NULL;
  if (!array || !has_kind(array->type, IR_TYPE_ARRAY) || host_call_letter(known, 0) != 'e')
    return false;
  bool is_end = !strcmp(known->name, "end") || !strcmp(known->name, "cend");
  struct form size = {.constant = is_end ? array->type->size : 0};
  return array->type->size > 0 && form_of_lvalue(at, array, ret) && form_add(ret, &size, 1);
}

static bool is_record(const struct ir_type *type)
{
  return type->element && has_kind(type->element, IR_TYPE_RECORD);
}

bool form_of_pointer(const struct form_place *at, const struct ir_expr *expr, struct form *ret)
{
  if (has_kind(expr->type, IR_TYPE_ARRAY)) return form_of_lvalue(at, expr, ret);
  switch (expr->kind) {
  case IR_EXPR_PAREN: return form_of_pointer(at, expr->operands[0], ret);
  case IR_EXPR_CONVERT:
  case IR_EXPR_CAST: /* not to a base class */
    return !(is_record(expr->type) && is_record(expr->operands[0]->type) &&
             expr->type->element->size != expr->operands[0]->type->element->size) &&
           (has_kind(expr->operands[0]->type, IR_TYPE_POINTER) ||
            has_kind(expr->operands[0]->type, IR_TYPE_ARRAY)) &&
           form_of_pointer(at, expr->operands[0], ret);
  case IR_EXPR_VAR:
    return has_kind(expr->var->type, IR_TYPE_POINTER) && form_of_alias(at, expr, ret);
  case IR_EXPR_UNARY:
    return expr->op == IR_OP_ADDRESS && form_of_lvalue(at, expr->operands[0], ret);
  case IR_EXPR_BINARY: return form_of_sum(at, expr, ret);
  case IR_EXPR_CALL: return form_of_call(at, expr, ret);
  default: return false;
  }
}

const struct ir_var *form_take_pointer(struct form *form)
{
  unsigned found = FORM_TERMS;
  for (unsigned i = 0; i < form->count; i++) {
    if (!form->terms[i].pointer) continue;
    if (found < FORM_TERMS || form->terms[i].coefficient != 1) return NULL;
    found = i;
  }
  if (found == FORM_TERMS) return NULL;
  const struct ir_var *pointer = form->terms[found].pointer;
  form->terms[found] = form->terms[--form->count];
  return pointer;
}

/* ---- distances ---- */

/* The array or pointer that does not change in the statement. */
static const struct ir_var *steady_root(const struct form_place *at, const struct ir_expr *expr)
{
  const struct ir_var *var = expr->kind == IR_EXPR_VAR ? expr->var : NULL;
  const struct host_var *entry = var ? host_var_of(at->index, var) : NULL;
  if (var && has_kind(var->type, IR_TYPE_ARRAY)) return var;
  bool pointer = entry && has_kind(var->type, IR_TYPE_POINTER) && is_private(entry, var);
  return pointer && !changed_inside(at, entry) && !declared_inside(at, var) ? var : NULL;
}

/* Splits a pointer into root + offset bytes. NULL: it has another form. */
static const struct ir_var *take_root(const struct form_place *at, const struct ir_expr *expr,
                                      struct form *ret_offset)
{
  while (expr->kind == IR_EXPR_CONVERT || expr->kind == IR_EXPR_PAREN) expr = expr->operands[0];
  if (expr->kind != IR_EXPR_BINARY) return *ret_offset = (struct form){0}, steady_root(at, expr);
  const struct ir_expr *left = expr->operands[0];
  if ((expr->op != IR_OP_ADD && expr->op != IR_OP_SUB) || !has_kind(left->type, IR_TYPE_POINTER))
    return NULL;
  const struct ir_var *root = take_root(at, left, ret_offset);
  bool advances = root && advance(at, expr->operands[1], left->type->element->size,
                                  expr->op == IR_OP_ADD ? 1 : -1, ret_offset);
  return advances ? root : NULL;
}

bool form_of_distance(const struct form_place *at, const struct ir_expr *first,
                      const struct ir_expr *last, struct form *ret)
{
  struct form begin;
  if (!form_of_pointer(at, first, &begin) || !form_of_pointer(at, last, ret)) {
    const struct ir_var *root = take_root(at, first, &begin);
    if (!root || take_root(at, last, ret) != root) return false;
  }
  return form_add(ret, &begin, -1);
}

/* ---- loops ---- */

/* Does the iterator only take values from the lower bound towards the other one? */
static bool goes_one_way(const struct ir_loop *loop)
{
  const struct ir_type *type = loop->iterator->type;
  bool up = loop->step > 0, less = loop->relation == IR_OP_LT || loop->relation == IR_OP_LE;
  bool greater = loop->relation == IR_OP_GT || loop->relation == IR_OP_GE;
  int64_t value;
  if (loop->step_expr || type->size < 4 || !(up ? less : greater)) return false;
  if (type->is_signed)
    return loop->bound->type->is_signed || loop->bound->type->size < type->size || up;
  if (up) return loop->step == 1 && loop->relation == IR_OP_LT;
  return loop->step == -1 &&
         (loop->relation == IR_OP_GT || (ir_constant(loop->bound, &value) && value > 0));
}

/* The value of a bound as the comparison sees it: an unsigned one as it is, not modulo 2^64. */
static bool form_of_bound(const struct form_place *at, const struct ir_expr *bound,
                          struct form *ret)
{
  int64_t value;
  bool wide =
      has_kind(bound->type, IR_TYPE_INT) && !bound->type->is_signed && bound->type->size == 8;
  if (ir_constant(bound, &value) && wide && value < 0) return false;
  if (!ir_constant(bound, &value) && has_kind(bound->type, IR_TYPE_INT) &&
      !bound->type->is_signed && is_steady(at, bound))
    return take_leaf(bound, ret), true;
  if (!form_of(at, bound, ret)) return false;
  return !wide || !ret->count ||
         (ret->count == 1 && ret->terms[0].loop && ret->terms[0].coefficient == 1 &&
          !ret->constant);
}

static bool loop_extreme(const struct form_place *at, const struct ir_stmt *stmt, bool greatest,
                         struct form *ret)
{
  const struct ir_loop *loop = stmt->loop;
  if (!goes_one_way(loop)) return false;
  if ((loop->step > 0) == greatest) {
    struct form_place inside = *at;
    if (!form_of_bound(&inside, loop->bound, ret)) return false;
    ret->constant += loop->relation == IR_OP_LT ? -1 : loop->relation == IR_OP_GT ? 1 : 0;
    return true;
  }
  if (loop->lower)
    return is_int(loop->lower->type) && loop->lower->type->size <= 8 &&
           form_of_bound(at, loop->lower, ret);
  return false;
}

/* The extreme over all iterations, each of which is within the bounds of the loops of the terms.
 * Inner loops come first, since their bounds may name outer ones. */
bool form_extreme(const struct form_place *at, const struct form *form, bool greatest,
                  struct form *ret)
{
  *ret = *form;
  for (unsigned rounds = 0; has_iterator(ret); rounds++) {
    unsigned inner = FORM_TERMS;
    for (unsigned i = 0; i < ret->count; i++)
      if (ret->terms[i].loop &&
          (inner == FORM_TERMS ||
           host_stmt_inside(at->index, ret->terms[i].loop, ret->terms[inner].loop)))
        inner = i;
    struct form_term term = ret->terms[inner];
    struct form bound;
    if (rounds > 16 || !loop_extreme(at, term.loop, (term.coefficient > 0) == greatest, &bound))
      return false;
    ret->terms[inner] = ret->terms[--ret->count];
    if (!form_add(ret, &bound, term.coefficient)) return false;
  }
  return true;
}

bool form_trips(const struct ir_stmt *stmt, int64_t *ret)
{
  const struct ir_loop *loop = stmt->loop;
  int64_t lower, bound;
  if (!ir_constant(loop->lower, &lower) || !ir_constant(loop->bound, &bound)) return false;
  int64_t span = loop->step > 0 ? bound - lower : lower - bound;
  *ret = span + (loop->relation == IR_OP_LE || loop->relation == IR_OP_GE ? 1 : 0);
  return *ret > 0 && *ret <= LIMIT;
}

/* ---- to IR ---- */

static struct ir_expr *one_operand(struct arena *arena, enum ir_expr_kind kind, const char *text,
                                   struct ir_expr *operand)
{
  struct ir_expr *expr = ARENA_NEW(arena, struct ir_expr);
  expr->kind = kind;
  expr->id = UINT32_MAX;
  expr->text = text;
  expr->operands = arena_alloc(arena, 2 * sizeof *expr->operands);
  expr->operands[0] = operand;
  expr->operand_count = 1;
  return expr;
}

static struct ir_expr *lower_leaf(struct arena *arena, const struct form_term *term,
                                  const struct ir_var *object)
{
  if (term->pointer) {
    struct ir_expr *call = one_operand(arena, IR_EXPR_CALL, "mesi_offset",
                                       ir_build_var(arena, (struct ir_var *)object));
    call->operands[call->operand_count++] = ir_build_var(arena, (struct ir_var *)term->pointer);
    return call;
  }
  struct ir_expr *value = (struct ir_expr *)term->leaf;
  if (value->kind != IR_EXPR_VAR)
    value = one_operand(arena, IR_EXPR_CAST, value->type->spelling, value);
  return term->leaf->type->size < 8 ? one_operand(arena, IR_EXPR_CAST, "long long", value)
                                    : one_operand(arena, IR_EXPR_CALL, "mesi_limit", value);
}

struct ir_expr *form_lower(struct arena *arena, const struct form *form,
                           const struct ir_var *object)
{
  struct ir_expr *sum = NULL;
  for (unsigned i = 0; i < form->count; i++) {
    struct ir_expr *part = lower_leaf(arena, &form->terms[i], object);
    int64_t coefficient = form->terms[i].coefficient;
    bool minus = sum && coefficient < 0;
    if (minus) coefficient = -coefficient;
    if (coefficient != 1)
      part = ir_build_binary(arena, IR_OP_MUL, part, ir_build_int(arena, coefficient));
    sum = sum ? ir_build_binary(arena, minus ? IR_OP_SUB : IR_OP_ADD, sum, part) : part;
  }
  if (!sum) return ir_build_int(arena, form->constant);
  if (!form->constant) return sum;
  bool minus = form->constant < 0;
  return ir_build_binary(arena, minus ? IR_OP_SUB : IR_OP_ADD, sum,
                         ir_build_int(arena, minus ? -form->constant : form->constant));
}
