/* SPDX-License-Identifier: MIT */
/* emitted_vector.c - is a vector access of emitted code aligned, and inside the array if a
 * transformation made that array?
 *
 *     mesi_copy_async<16>(&_s_b[_i0][_i1], &b[_j0][_j1])     _j1 = 128 * blockIdx.x + 4 * (_t % 32)
 *     if (mesi_vector_at(&a[n * i])) mesi_vector_load(&_r[0], &a[n * i]);
 *
 * The array's first element is at a multiple by its declaration, by the launch's facts or by the
 * launch's check (mesi_aligned). Or the code has tested an element (mesi_vector_at), and the
 * distance from it is a multiple. Gives up (counts it): distances that are not affine.
 */
#include "analysis/plan/verify/emitted_parts.h"

#include <stdlib.h>
#include <string.h>

enum { VECTOR = 16 };

/* ---- multiples ---- */

/* Is the form a multiple of `of` in all of the domain? Takes it. */
static bool is_multiple(struct walk *w, isl_pw_aff *aff, int64_t of)
{
  isl_pw_aff *rest = isl_pw_aff_mod_val(aff, isl_val_int_from_si(w->symbols->ctx, of));
  isl_set *bad = symbols_close(
      w->symbols, isl_set_intersect(isl_pw_aff_non_zero_set(rest), isl_set_copy(w->domain)));
  bool multiple = isl_set_is_empty(bad) == isl_bool_true;

  isl_set_free(bad);
  return multiple;
}

/* `of` without the factors that it shares with the symbol. */
static int64_t without(struct walk *w, const struct symbol *symbol, int64_t of)
{
  for (int64_t factor = of; factor > 1; factor /= 2)
    if (is_multiple(w, symbol_aff(w->symbols, symbol), factor)) return of / factor;
  return of;
}

static bool terms_are_multiples(struct walk *w, const struct value *value, int64_t of)
{
  for (unsigned i = 0; i < value->term_count; i++) {
    int64_t left = of;
    for (unsigned s = 0; s < STRIDE_FACTORS && value->terms[i].stride[s]; s++)
      left = without(w, value->terms[i].stride[s], left);
    if (left > 1 && !is_multiple(w, isl_pw_aff_copy(value->terms[i].coefficient), left))
      return false;
  }
  return true;
}

/* ---- addresses ---- */

/* Bytes between the array's first element and the address; unknown where it has no form. */
static struct value bytes_of(struct walk *w, const struct address *address)
{
  const struct ir_type *type = address->base ? address->base->type : NULL;
  struct value sum = value_take(symbols_constant(w->symbols, 0));

  for (unsigned d = 0; d < address->count && type; d++) {
    type = type->element;
    struct value part = value_copy(&address->index[d]);
    sum = value_add(sum, type && type->size > 0 ? value_scale(part, type->size)
                                                : (value_free(&part), part));
  }
  if (!address->base || !address->shaped || address->inside) value_free(&sum);
  return sum;
}

static bool asked_for(struct ir_expr *condition, const struct ir_var *pointer)
{
  condition = ir_strip(condition);
  if (condition->kind == IR_EXPR_BINARY && condition->op == IR_OP_LAND)
    return asked_for(condition->operands[0], pointer) || asked_for(condition->operands[1], pointer);
  if (condition->kind != IR_EXPR_CALL || !condition->text ||
      strcmp(condition->text, "mesi_aligned") || condition->operand_count != 1)
    return false;
  const struct ir_expr *asked = ir_strip(condition->operands[0]);
  return asked->kind == IR_EXPR_VAR && asked->var == pointer;
}

static bool param_aligned(const struct look *l, const struct ir_var *var, int64_t bytes)
{
  const struct emitted_code *e = l->emitted;

  for (unsigned i = 0; i < e->code->param_count; i++) {
    const struct pointer_fact *fact = &e->facts.pointers[i];
    if (e->code->params[i] == var && fact->bound && fact->range_known && fact->low % bytes == 0)
      return true;
  }
  for (unsigned i = 0; i < e->condition_count; i++)
    if (asked_for(e->conditions[i], var)) return true;
  return false;
}

static bool base_aligned(const struct look *l, const struct ir_var *var, int64_t bytes)
{
  const struct ir_type *type = var->type;

  if (var->kind == IR_VAR_VS) return type->kind != IR_TYPE_POINTER;
  if (var->kind == IR_VAR_PARAM)
    return (type->element && type->element->align >= bytes) || param_aligned(l, var, bytes);
  if (var->kind == IR_VAR_SHARED || var->kind == IR_VAR_LOCAL)
    return var->alignment >= bytes || type->align >= bytes;
  return type->align >= bytes;
}

/* ---- distances of addresses: arithmetic that wraps around does so by 2^32 ---- */

enum { MOST_ATOMS = 16 };

struct residue { /* constant + the sum of factor * atom, modulo 2^64 */
  const struct ir_expr *atoms[MOST_ATOMS];
  uint64_t factors[MOST_ATOMS], constant;
  unsigned count;
  bool failed;
};

static void add_atom(struct residue *r, const struct ir_expr *atom, uint64_t factor)
{
  for (unsigned i = 0; i < r->count; i++)
    if (ir_same_expr(r->atoms[i], atom)) {
      r->factors[i] += factor;
      return;
    }
  if (r->count == MOST_ATOMS || ir_has_effects((struct ir_expr *)atom)) {
    r->failed = true;
    return;
  }
  r->atoms[r->count] = atom;
  r->factors[r->count++] = factor;
}

static const struct ir_expr *uncast(const struct ir_expr *expr)
{
  expr = ir_strip((struct ir_expr *)expr);
  while (expr->kind == IR_EXPR_CAST && expr->type->kind == IR_TYPE_INT && expr->type->size >= 4 &&
         expr->operands[0]->type->kind == IR_TYPE_INT)
    expr = ir_strip(expr->operands[0]);
  return expr;
}

static void add_number(struct residue *r, const struct ir_expr *expr, uint64_t factor)
{
  int64_t by;

  expr = uncast(expr);
  bool binary = expr->kind == IR_EXPR_BINARY;
  if (expr->kind == IR_EXPR_INT) {
    r->constant += factor * (uint64_t)expr->value;
  } else if (binary && (expr->op == IR_OP_ADD || expr->op == IR_OP_SUB)) {
    add_number(r, expr->operands[0], factor);
    add_number(r, expr->operands[1], expr->op == IR_OP_SUB ? -factor : factor);
  } else if (binary && expr->op == IR_OP_MUL && ir_constant(expr->operands[1], &by)) {
    add_number(r, expr->operands[0], factor * (uint64_t)by);
  } else if (binary && expr->op == IR_OP_MUL && ir_constant(expr->operands[0], &by)) {
    add_number(r, expr->operands[1], factor * (uint64_t)by);
  } else if (expr->kind == IR_EXPR_UNARY && expr->op == IR_OP_NEG) {
    add_number(r, expr->operands[0], -factor);
  } else {
    add_atom(r, expr, factor);
  }
}

/* &pointer[i][j], &array[i], pointer, pointer + i */
static void add_address(struct residue *r, const struct ir_expr *pointer, int64_t factor)
{
  pointer = ir_strip((struct ir_expr *)pointer);
  bool of = pointer->kind == IR_EXPR_UNARY && pointer->op == IR_OP_ADDRESS;
  if (of) pointer = ir_strip(pointer->operands[0]);
  while (of && pointer->kind == IR_EXPR_INDEX) {
    if (pointer->type->size <= 0) r->failed = true;
    add_number(r, pointer->operands[1], (uint64_t)(factor * pointer->type->size));
    pointer = ir_strip(pointer->operands[0]);
  }
  add_atom(r, pointer, (uint64_t)factor);
}

static bool is_whole(const struct residue *r, int64_t bytes)
{
  bool whole = !r->failed && r->constant % (uint64_t)bytes == 0;

  for (unsigned i = 0; i < r->count; i++)
    whole &= r->factors[i] % (uint64_t)bytes == 0 &&
             (r->atoms[i]->type->kind == IR_TYPE_INT || !r->factors[i]);
  return whole;
}

/* ---- tests in the code ---- */

/* The operand `condition` of var = var && condition. NULL: it is no such assignment. */
static struct ir_expr *narrowing(const struct ir_expr *assignment)
{
  const struct ir_expr *value =
      assignment->operand_count == 2 ? ir_strip(assignment->operands[1]) : NULL;
  const struct ir_var *var = ir_assigned_var(assignment);

  if (!var || !value || assignment->op != IR_OP_ASSIGN || value->kind != IR_EXPR_BINARY ||
      value->op != IR_OP_LAND)
    return NULL;
  const struct ir_expr *first = ir_strip(value->operands[0]);
  return first->kind == IR_EXPR_VAR && first->var == var ? value->operands[1] : NULL;
}

struct narrow_search {
  const struct ir_var *var;
  bool other;
};

static void find_other(struct ir_expr *expr, void *context)
{
  struct narrow_search *s = context;
  s->other |= ir_assigned_var(expr) == s->var && !narrowing(expr);
}

static bool only_narrowed(const struct look *l, const struct ir_var *var)
{
  struct narrow_search s = {var, var->address_taken || var->kind != IR_VAR_LOCAL};

  ir_visit_stmt_exprs(l->emitted->code->body, find_other, &s);
  return !s.other;
}

static void note_narrowed(struct look *l, const struct ir_stmt *stmt)
{
  struct ir_expr *by = stmt->kind == IR_STMT_EXPR && stmt->expr->kind == IR_EXPR_ASSIGN
                           ? narrowing(stmt->expr)
                           : NULL;

  if (by) *ARENA_PUSH(l->arena, &l->narrowed) = (struct narrowed){ir_assigned_var(stmt->expr), by};
}

static void take_tests(struct look *l, struct ir_expr *condition);

/* Takes the tests that the statements so far have added to a local: _whole = _whole && test. */
static void take_narrowed(struct look *l, const struct ir_var *var)
{
  for (unsigned i = 0; i < l->narrowed.count; i++)
    if (l->narrowed.items[i].var == var) take_tests(l, l->narrowed.items[i].by);
}

static void take_tests(struct look *l, struct ir_expr *condition)
{
  condition = ir_strip(condition);
  if (condition->kind == IR_EXPR_BINARY && condition->op == IR_OP_LAND) {
    take_tests(l, condition->operands[0]);
    take_tests(l, condition->operands[1]);
  } else if (condition->kind == IR_EXPR_VAR && look_value_of(l, condition->var)) {
    take_tests(l, look_value_of(l, condition->var));
  } else if (condition->kind == IR_EXPR_VAR && only_narrowed(l, condition->var)) {
    take_narrowed(l, condition->var);
  } else if (condition->kind == IR_EXPR_CALL && condition->text &&
             !strcmp(condition->text, "mesi_vector_at") && condition->operand_count == 1) {
    *ARENA_PUSH(l->arena, &l->tests) = condition->operands[0];
  }
}

struct call_search {
  const struct ir_expr *call;
  bool found;
};

static void find_call(struct ir_expr *expr, void *context)
{
  struct call_search *s = context;
  s->found |= expr == s->call;
}

static bool holds_call(struct ir_stmt *stmt, const struct ir_expr *call)
{
  struct call_search s = {call, false};

  if (stmt) ir_visit_stmt_exprs(stmt, find_call, &s);
  return s.found;
}

/* Takes the tests of the ifs around the call. */
static void tests_around(struct look *l, struct ir_stmt *stmt, const struct ir_expr *call)
{
  if (!stmt || !holds_call(stmt, call)) return;
  if (stmt->kind == IR_STMT_IF && holds_call(stmt->body, call)) take_tests(l, stmt->expr);
  tests_around(l, stmt->body, call);
  tests_around(l, stmt->else_body, call);
  for (unsigned i = 0; i < stmt->child_count; i++) {
    tests_around(l, stmt->children[i], call);
    if (holds_call(stmt->children[i], call)) break;
    note_narrowed(l, stmt->children[i]);
  }
}

/* Is the address a multiple of `bytes` away from a tested one? */
static bool is_tested(struct look *l, struct ir_expr *pointer, int64_t bytes,
                      const struct ir_expr *call)
{
  bool aligned = false;

  l->tests.count = l->narrowed.count = 0;
  tests_around(l, l->emitted->code->body, call);
  for (unsigned i = 0; i < l->tests.count && !aligned; i++) {
    struct residue apart = {0};
    add_address(&apart, pointer, 1);
    add_address(&apart, l->tests.items[i], -1);
    aligned = is_whole(&apart, bytes);
  }
  return aligned;
}

/* ---- one access ---- */

static void look_aligned(struct look *l, struct walk *w, const struct address *address,
                         struct ir_expr *pointer, struct value offset, int64_t bytes,
                         const struct ir_expr *expr)
{
  bool base = address->base && base_aligned(l, address->base, bytes);

  l->report->vectors.all++;
  bool proved = base && offset.aff && w->domain &&
                is_multiple(w, isl_pw_aff_copy(offset.aff), bytes) &&
                terms_are_multiples(w, &offset, bytes);
  proved = proved || is_tested(l, pointer, bytes, expr);
  l->report->vectors.proved += proved;
  if (!proved && base && offset.aff && !offset.term_count) {
    isl_pw_aff *rest = isl_pw_aff_mod_val(isl_pw_aff_copy(offset.aff),
                                          isl_val_int_from_si(w->symbols->ctx, bytes));
    if (look_happens(l, w, isl_pw_aff_non_zero_set(rest)))
      look_find(l, expr, "'%s' is accessed by %lld bytes where it is not aligned to them",
                address->base->name, (long long)bytes);
    else
      look_untold(l, expr, "alignment");
  } else if (!proved && !base && address->base) {
    look_find(l, expr,
              "'%s' is accessed by %lld bytes, but nothing says that it is aligned to them",
              address->base->name, (long long)bytes);
  } else if (!proved) {
    look_untold(l, expr, "alignment");
  }
  value_free(&offset);
}

/* Checks memory of `bytes` behind a pointer: aligned to `unit` if that is above 4, and inside an
 * array that a transformation declared. */
static void look_memory(struct look *l, struct walk *w, struct ir_expr *pointer, int64_t bytes,
                        int64_t unit, const struct ir_expr *expr)
{
  if (ir_has_effects(pointer)) return;
  struct address address = address_of_pointer(w, pointer);
  const struct ir_type *type = address.base ? address.base->type : NULL;
  while (type && address_is_pointer_type(type)) type = type->element;
  if (address.base && look_is_made(l, address.base) && address.base->type->kind == IR_TYPE_ARRAY &&
      type->size > 0)
    look_index(l, w, &address, bytes > type->size ? bytes / type->size : 1, expr);
  if (unit > 4) look_aligned(l, w, &address, pointer, bytes_of(w, &address), unit, expr);
  address_free(&address);
}

/* ---- calls ---- */

static int64_t size_behind(const struct ir_expr *pointer)
{
  const struct ir_expr *bare = ir_strip((struct ir_expr *)pointer);

  if (bare->kind == IR_EXPR_UNARY && bare->op == IR_OP_ADDRESS)
    return bare->operands[0]->type->size;
  const struct ir_type *type = bare->type;
  while (type && address_is_pointer_type(type)) type = type->element;
  return type ? type->size : -1;
}

/* mesi_copy_async<bytes, unit>(to, from, inside) */
static void look_copy(struct look *l, struct walk *w, const struct ir_expr *call,
                      const char *numbers)
{
  char *end = NULL;
  int64_t bytes = strtoll(numbers, &end, 10),
          unit = *end == ',' ? strtoll(end + 1, NULL, 10) : bytes;

  look_memory(l, w, call->operands[0], bytes, unit, call);
  isl_set *domain = w->domain;
  bool must = w->must, exact = true;
  if (call->operand_count > 2 && !ir_has_effects(call->operands[2])) {
    isl_set *yes, *no;
    walk_condition(w, call->operands[2], &yes, &no, &exact);
    isl_set_free(no);
    w->domain = isl_set_intersect(isl_set_copy(domain), yes);
    w->must = must && exact;
  }
  look_memory(l, w, call->operands[1], bytes, unit, call);
  if (w->domain != domain) {
    isl_set_free(w->domain);
    w->domain = domain;
  }
  w->must = must;
}

/* mesi_lane_store(&a[i], row, lane, value): 16 bytes begin at a[i - lane], or `bytes` of them. */
static void look_lane_store(struct look *l, struct walk *w, const struct ir_expr *call,
                            unsigned lane, int64_t bytes)
{
  int64_t size = size_behind(call->operands[0]);

  if (ir_has_effects(call->operands[0]) || ir_has_effects(call->operands[lane]) || size <= 0)
    return;
  struct address address = address_of_pointer(w, call->operands[0]);
  struct value back = value_scale(walk_value(w, call->operands[lane]), size);
  look_aligned(l, w, &address, call->operands[0], value_sub(bytes_of(w, &address), back), bytes,
               call);
  address_free(&address);
  look_memory(l, w, call->operands[1], bytes, 1, call);
}

/* May 16 bytes around an element of the array reach beyond its end? */
static bool ends_within(const struct look *l, const struct ir_var *var)
{
  const struct emitted_code *e = l->emitted;

  for (unsigned i = 0; i < e->code->param_count; i++)
    if (e->code->params[i] == var)
      return e->facts.pointers[i].bound && e->facts.pointers[i].range_known &&
             e->facts.pointers[i].high % VECTOR;
  return var->kind == IR_VAR_VS && var->type->kind == IR_TYPE_ARRAY && var->type->size % VECTOR;
}

/* mesi_lane_load(&a[i], place): loads the 16 bytes around a[i + place], or `bytes` of them,
 * whichever are used. */
static void look_lane_load(struct look *l, struct walk *w, const struct ir_expr *call,
                           int64_t bytes)
{
  struct address address = address_of_pointer(w, call->operands[0]);

  if (address.base && ends_within(l, address.base))
    look_find(l, call, "16 bytes of '%s' are loaded, which ends within 16 bytes",
              address.base->name);
  address_free(&address);
  look_memory(l, w, call->operands[0], bytes, bytes, call);
}

/* mesi_row_load<left, right>(row, own, in) */
static void look_row_load(struct look *l, struct walk *w, const struct ir_expr *call,
                          const char *numbers)
{
  char *end = NULL;
  int64_t left = strtoll(numbers, &end, 10), right = *end == ',' ? strtoll(end + 1, NULL, 10) : 0;

  look_memory(l, w, call->operands[0], VECTOR + (left + right) * size_behind(call->operands[1]), 1,
              call);
  look_memory(l, w, call->operands[1], VECTOR, VECTOR, call);
}

static const char *behind(const char *text, const char *name)
{
  size_t length = strlen(name);
  return strncmp(text, name, length) ? NULL : text + length;
}

/* Is it a load or a store of a lane? */
static bool look_lane(struct look *l, struct walk *w, const struct ir_expr *call)
{
  const char *numbers = behind(call->text, "mesi_some_lane_load<");

  if (!numbers) numbers = behind(call->text, "mesi_some_lane_own<");
  if (numbers)
    look_lane_load(l, w, call, strtoll(numbers, NULL, 10) * size_behind(call->operands[0]));
  else if (!strcmp(call->text, "mesi_lane_load") || !strcmp(call->text, "mesi_lane_own") ||
           !strcmp(call->text, "mesi_lane_load_in"))
    look_lane_load(l, w, call, VECTOR);
  else if (!strcmp(call->text, "mesi_lane_store") && call->operand_count == 4)
    look_lane_store(l, w, call, 2, VECTOR);
  else if (!strcmp(call->text, "mesi_lane_store_in") && call->operand_count == 5)
    look_lane_store(l, w, call, 3, VECTOR);
  else if ((numbers = behind(call->text, "mesi_some_lane_store<")) && call->operand_count == 4)
    look_lane_store(l, w, call, 2, strtoll(numbers, NULL, 10) * size_behind(call->operands[0]));
  else
    return false;
  return true;
}

void look_vector_call(struct look *l, struct walk *w, struct ir_expr *call)
{
  const char *numbers;

  if ((numbers = behind(call->text, "mesi_copy_async<")) != NULL && call->operand_count >= 2)
    look_copy(l, w, call, numbers);
  else if ((numbers = behind(call->text, "mesi_row_load<")) != NULL && call->operand_count == 3)
    look_row_load(l, w, call, numbers);
  else if (((numbers = behind(call->text, "mesi_vector_from<")) != NULL ||
            (numbers = behind(call->text, "mesi_vector_read<")) != NULL) &&
           call->operand_count == 1)
    look_memory(l, w, call->operands[0],
                strtoll(numbers, NULL, 10) * size_behind(call->operands[0]),
                strtoll(numbers, NULL, 10) * size_behind(call->operands[0]), call);
  else if (!strcmp(call->text, "mesi_vector_load") || !strcmp(call->text, "mesi_vector_store")) {
    bool store = !strcmp(call->text, "mesi_vector_store");
    look_memory(l, w, call->operands[store], VECTOR, 1, call);
    look_memory(l, w, call->operands[!store], VECTOR, VECTOR, call);
  } else if ((numbers = behind(call->text, "mesi_some_load<")) != NULL ||
             (numbers = behind(call->text, "mesi_some_store<")) != NULL) {
    bool store = behind(call->text, "mesi_some_store<") != NULL;
    int64_t bytes = strtoll(numbers, NULL, 10) * size_behind(call->operands[store]);
    look_memory(l, w, call->operands[store], bytes, 1, call);
    look_memory(l, w, call->operands[!store], bytes, bytes, call);
  } else if ((numbers = behind(call->text, "mesi_triples_load<")) != NULL ||
             (numbers = behind(call->text, "mesi_triples_store<")) != NULL) {
    bool store = behind(call->text, "mesi_triples_store<") != NULL;
    int64_t bytes = strtoll(numbers, NULL, 10) * size_behind(call->operands[store]);
    look_memory(l, w, call->operands[store], bytes, 1, call);
    look_memory(l, w, call->operands[!store], bytes, bytes / 3, call);
  } else if (look_lane(l, w, call)) {
    return;
  } else if (!strcmp(call->text, "mesi_row_element"))
    look_memory(l, w, call->operands[0], VECTOR, 1, call);
}

/* ---- casts ---- */

void look_vector_cast(struct look *l, struct walk *w, const struct ir_expr *access)
{
  const struct ir_expr *deref = ir_strip((struct ir_expr *)access);

  if (deref->kind != IR_EXPR_UNARY || deref->op != IR_OP_DEREF || deref->place.line) return;
  const struct ir_expr *cast = ir_strip(deref->operands[0]);
  if (cast->kind == IR_EXPR_CAST && deref->type->size > 4 &&
      deref->type->size != size_behind(cast->operands[0]))
    look_memory(l, w, cast->operands[0], deref->type->size, deref->type->size, access);
}
