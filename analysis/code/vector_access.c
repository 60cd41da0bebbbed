/* SPDX-License-Identifier: MIT */
/* vector_access.c - a thread that computes neighbouring elements reads its rows 16 bytes at a time,
 * with or without loops.
 *
 *     for (v = -1; v <= 1; v++)                      for (v = -1; v <= 1; v++)
 *       for (u = -1; u <= 1; u++)                      for (u = -1; u <= 1; u++)
 *         sum += a[y + v][x + u] * w[v][u];
 *             =>        sum += mesi_lane_load(&a[y + v][x - _x], _x + u) * w[v][u];
 *     out[y][x] = sum;                               mesi_lane_store(&out[y][x], _w_out, _x, sum);
 *
 * The place of an element in its 16 bytes is the sum of its lane, of terms from iterators of short
 * loops, and of a constant. It is a number once the loops are unrolled, if all other terms of the
 * index are multiples of 16 bytes. mesi_lane_load loads these 16 bytes and takes the element (x -
 * _x is x + u less its place). The compiler merges equal loads, so a row of a 7 x 7 filter for four
 * neighbours takes three loads, not 28. The 16 bytes are aligned, so none of them is out of reach
 * if one is inside. But an object with a known end whose last 16 bytes are not all its own is not
 * loaded this way. Memory from cudaMalloc ends at multiples of 256 bytes. mesi_lane_store keeps the
 * values of the first neighbours, and stores with the last one. An element that a thread only loads
 * in front of its own store, c[y][x] = c[y][x] + ..., is loaded as mesi_lane_own: no neighbour has
 * stored yet. Smaller numbers than the widest ones take 4 or 8 bytes at once.
 *
 * Requires: the code of interior threads (interior.c), scanned, in its virtual shape. Gives up per
 * access, which stays as it is: other than numbers; indices that are not one further for the next
 * thread; rows that are not known or assumed (precondition.c) to begin at multiples of 16 bytes;
 * other loads from memory that the kernel writes; stores that may meet another access, or that
 * stand under a condition.
 */
#include "analysis/code/vector_access.h"

#include "analysis/code/precondition.h"
#include "analysis/code/reuse.h"
#include "analysis/code/alignment.h"
#include "runtime/seeded.h"

enum { MOST_DEPTH = 12, MOST_STORES = 4, FARTHEST = (1 << 24) - 1 };

struct around {
  struct ir_var *iterator;
  bool is_short;
};

struct row_places {
  struct code *code;
  enum ir_builtin along; /* the index whose next value is the neighbour */
  int64_t count;
  bool narrow;                              /* numbers of which `count` are 4 or 8 bytes fit, too */
  struct around loops[MOST_DEPTH];          /* around this place, outermost first */
  unsigned loop_count, conditions;          /* ifs around it */
  const struct array *updated[MOST_STORES]; /* see find_updates */
  unsigned updated_count;
  struct ir_list *verbatim;
  struct ir_list declarations;
  struct vector_accesses used;
};

struct in_row {                          /* the place of an access's element in its 16 bytes */
  int64_t constant, by_loop[MOST_DEPTH]; /* in addition to the lane */
};

/* ---- places ---- */

static int loop_of(const struct row_places *p, const struct symbol *symbol)
{
  for (unsigned i = 0; symbol->kind == SYMBOL_LOOP && i < p->loop_count; i++)
    if (p->loops[i].iterator == symbol->var) return (int)i;
  return -1;
}

/* Adds the term of one symbol to the place in the row. */
static bool note_symbol(const struct row_places *p, const struct symbol *symbol, int64_t by,
                        struct in_row *ret)
{
  int loop = loop_of(p, symbol);

  if (symbol->kind == SYMBOL_BUILTIN && symbol->builtin == p->along) return by == 1;
  if (symbol->kind == SYMBOL_UNKNOWN) return false;
  if (by % p->count == 0) return true;
  if (loop < 0 || !p->loops[loop].is_short) return false;
  ret->by_loop[loop] = by;
  return true;
}

static bool place_in_row(const struct row_places *p, isl_pw_aff *form, struct in_row *ret)
{
  struct symbol *thread = symbol_of_builtin(&p->code->symbols, p->along);
  isl_aff *aff = value_plain(form);

  if (!aff) return false;
  isl_space *space = isl_aff_get_domain_space(aff);
  bool fits = isl_pw_aff_involves_param_id(form, thread->id) == isl_bool_true &&
              value_number(isl_aff_get_constant_val(aff), FARTHEST, &ret->constant);
  for (int i = 0; fits && i < isl_aff_dim(aff, isl_dim_param); i++) {
    int64_t by = 0;
    if (isl_aff_involves_dims(aff, isl_dim_param, (unsigned)i, 1) == isl_bool_true)
      fits = value_number(isl_aff_get_coefficient_val(aff, isl_dim_param, i), FARTHEST, &by) &&
             note_symbol(p, symbol_of_param(space, (unsigned)i), by, ret);
  }
  isl_space_free(space);
  isl_aff_free(aff);
  return fits;
}

static bool differs_along(const struct row_places *p, isl_pw_aff *form)
{
  return !form || isl_pw_aff_involves_param_id(
                      form, symbol_of_builtin(&p->code->symbols, p->along)->id) != isl_bool_false;
}

/* Do neighbours along x share rows of the array that begin at multiples of 16 bytes? */
static bool fits_rows(const struct row_places *p, const struct code_access *found)
{
  const struct access *a = found->access;
  unsigned last = a->dim_count - 1;
  bool fits = !last || found->array->extents[last] % p->count == 0;

  for (unsigned d = 0; fits && d <= last; d++) {
    fits = d == last || !differs_along(p, a->index[d].aff);
    for (unsigned t = 0; fits && t < a->index[d].term_count; t++) {
      const struct value_term *term = &a->index[d].terms[t];
      bool multiple = stride_is_multiple(p->code, term->stride, p->count);
      fits = !differs_along(p, term->coefficient) && (d < last || multiple);
    }
  }
  return fits && array_ends_aligned(p->code, found->array) &&
         array_is_aligned(p->code, found->array);
}

static bool fits_bytes(const struct row_places *p, const struct ir_type *element)
{
  int64_t bytes = element->size * p->count;

  return (bytes == 16 || (p->narrow && (bytes == 4 || bytes == 8))) &&
         (element->kind == IR_TYPE_INT || element->kind == IR_TYPE_FLOAT);
}

static bool fits_row(const struct row_places *p, const struct code_access *found,
                     struct in_row *ret)
{
  const struct access *a = found->access;
  const struct ir_type *element = found->array->element;

  *ret = (struct in_row){0};
  if (found->expr->kind != IR_EXPR_INDEX || !a->dim_count ||
      a->dim_count != found->array->dim_count || a->partial || a->has_effects ||
      found->array->reject || found->array->var->is_constant_memory || element->is_volatile ||
      !fits_bytes(p, element))
    return false;
  return place_in_row(p, a->index[a->dim_count - 1].aff, ret) && fits_rows(p, found);
}

/* Drops the assumptions that no access made use of. */
static bool fits_row_or_needs_no_precondition(const struct row_places *p,
                                              const struct code_access *found, struct in_row *ret)
{
  struct preconditions *preconditions = p->code->preconditions, saved;

  if (preconditions) saved = *preconditions;
  bool fits = fits_row(p, found, ret);
  if (preconditions && !fits) *preconditions = saved;
  return fits;
}

/* ---- accesses ---- */

static struct ir_expr *binary(struct arena *arena, enum ir_op op, struct ir_expr *left,
                              struct ir_expr *right)
{
  return ir_build_binary(arena, op, left, right);
}

/* The element's place in its 16 bytes: the lane plus the other terms. */
static struct ir_expr *place_expr(const struct row_places *p, const struct in_row *at)
{
  struct arena *arena = p->code->arena;
  struct ir_expr *place = ir_build_var(arena, p->code->lane);

  for (unsigned i = 0; i < p->loop_count; i++)
    if (at->by_loop[i]) {
      struct ir_expr *iterator =
          ir_build_cast(arena, ir_int_type(), ir_build_var(arena, p->loops[i].iterator));
      if (at->by_loop[i] != 1)
        iterator = binary(arena, IR_OP_MUL, iterator, ir_build_int(arena, at->by_loop[i]));
      place = binary(arena, IR_OP_ADD, place, iterator);
    }
  return at->constant ? binary(arena, at->constant < 0 ? IR_OP_SUB : IR_OP_ADD, place,
                               ir_build_int(arena, at->constant < 0 ? -at->constant : at->constant))
                      : place;
}

static struct ir_expr *address_of(struct arena *arena, struct ir_expr *expr)
{
  struct ir_expr *address = ir_build_unary(arena, IR_OP_ADDRESS, expr);

  address->type = ir_build_pointer_type(arena, expr->type);
  return address;
}

static struct ir_expr *load_by(struct arena *arena, const char *name, struct ir_expr *element,
                               struct ir_expr *place)
{
  struct ir_expr *call = ir_build_call(arena, name, IR_EFFECT_LOAD);
  struct ir_expr *first = ir_build_index(arena, element->operands[0],
                                         binary(arena, IR_OP_SUB, element->operands[1], place));

  first->type = element->type;
  first->place = element->place;
  ir_add_argument(arena, call, address_of(arena, first));
  ir_add_argument(arena, call, place);
  call->type = ir_plain_type(arena, element->type);
  call->place = element->place;
  return call;
}

struct ir_expr *vector_load(struct arena *arena, struct ir_expr *element, struct ir_expr *place)
{
  return load_by(arena, "mesi_lane_load", element, place);
}

/* mesi_lane_load of 16 bytes, mesi_some_lane_load<4> of fewer */
static const char *helper(const struct row_places *p, const char *name, const struct ir_type *type)
{
  return type->size * p->count == 16
             ? arena_format(p->code->arena, "mesi_lane_%s", name)
             : arena_format(p->code->arena, "mesi_some_lane_%s<%lld>", name, (long long)p->count);
}

static bool moves_along(const struct row_places *p, const struct access *a)
{
  bool moves = false;

  for (unsigned d = 0; d < a->dim_count; d++) {
    moves |= differs_along(p, a->index[d].aff);
    for (unsigned t = 0; t < a->index[d].term_count; t++)
      moves |= differs_along(p, a->index[d].terms[t].coefficient);
  }
  return moves;
}

struct conversion_search {
  struct code *code;
  bool found;
};

static void note_conversion(struct ir_expr *expr, void *context)
{
  struct conversion_search *s = context;
  struct ir_expr *value = expr->kind == IR_EXPR_VAR ? code_value_of(s->code, expr->var) : NULL;
  bool converts =
      (expr->kind == IR_EXPR_CAST || expr->kind == IR_EXPR_CONVERT) && expr->operand_count == 1;
  const struct ir_expr *from = value ? value : converts ? expr->operands[0] : NULL;
  const struct ir_type *to = value ? expr->var->type : expr->type;
  int64_t constant;

  if (from && to->kind == IR_TYPE_INT && from->type->kind == IR_TYPE_INT &&
      !ir_constant(from, &constant))
    s->found |= (to->size < 4 && to->size < from->type->size) ||
                (to->size > from->type->size && !from->type->is_signed);
  if (value) ir_visit_expr(value, note_conversion, s);
}

bool vector_movable(struct code *code, struct ir_expr *expr)
{
  struct conversion_search s = {code, false};

  ir_visit_expr(expr, note_conversion, &s);
  return !s.found;
}

struct load_search {
  const struct code *code;
  const struct ir_expr *element;
  bool found;
};

static void note_load_inside(struct ir_expr *expr, void *context)
{
  struct load_search *s = context;
  struct ir_expr *value = expr->kind == IR_EXPR_VAR ? code_value_of(s->code, expr->var) : NULL;

  s->found |= expr != s->element && code_access_of(s->code, expr);
  if (value && !SEEDED(PLACE_IN_LOCAL_TRUSTED)) ir_visit_expr(value, note_load_inside, s);
}

bool vector_told_by_loads(const struct code *code, struct ir_expr *element)
{
  struct load_search s = {code, element, false};

  ir_visit_expr(element, note_load_inside, &s);
  return s.found;
}

bool vector_apart(struct code *code, const struct code_access *found, enum ir_builtin along)
{
  struct row_places p = {.code = code, .along = along};
  return moves_along(&p, found->access);
}

/* Is it an array of which a thread only loads the elements that it stores to later on? */
static bool is_updated(const struct row_places *p, const struct array *array)
{
  bool found = false;

  for (unsigned i = 0; i < p->updated_count; i++) found |= p->updated[i] == array;
  return found;
}

static struct ir_expr *replace_load(struct ir_rewriter *r, struct ir_expr *expr)
{
  struct row_places *p = r->context;
  const struct code_access *found = code_access_of(p->code, expr);
  bool own = found && is_updated(p, found->array);
  struct in_row at;

  if (expr->kind == IR_EXPR_UNARY && expr->op == IR_OP_ADDRESS) return expr;
  if (!found || found->access->write || (!own && !code_read_only(p->code, found->array)) ||
      !fits_row_or_needs_no_precondition(p, found, &at)) {
    p->used.left += found && moves_along(p, found->access);
    return NULL;
  }
  p->used.loads++;
  const char *name = helper(p, own ? "own" : "load", found->array->element);
  return load_by(r->arena, name, expr, place_expr(p, &at));
}

bool vector_alone(const struct code *code, const struct code_access *store)
{
  for (unsigned i = 0; i < code->access_count; i++) {
    const struct code_access *other = &code->accesses[i];
    if (other->expr != store->expr &&
        (other->array == store->array || !code_disjoint(code, store->array, other->array)))
      return false;
  }
  return !code->access.unknown_read && !code->access.unknown_write;
}

/* `a[y][x] = value;` */
static const struct code_access *store_of(const struct row_places *p, const struct ir_stmt *stmt)
{
  struct ir_expr *expr = stmt->kind == IR_STMT_EXPR ? ir_strip(stmt->expr) : NULL;

  return expr && expr->kind == IR_EXPR_ASSIGN && expr->op == IR_OP_ASSIGN
             ? code_access_of(p->code, ir_strip(expr->operands[0]))
             : NULL;
}

static struct ir_stmt *replace_store(struct row_places *p, struct ir_stmt *stmt)
{
  struct arena *arena = p->code->arena;
  struct ir_expr *expr = stmt->kind == IR_STMT_EXPR ? ir_strip(stmt->expr) : NULL;
  const struct code_access *found = store_of(p, stmt);
  struct in_row at;

  if (!found || p->conditions || p->used.stores == MOST_STORES || found->access->read ||
      !(is_updated(p, found->array) || vector_alone(p->code, found)) ||
      !fits_row_or_needs_no_precondition(p, found, &at) || at.constant % p->count)
    return stmt;
  for (unsigned i = 0; i < p->loop_count; i++)
    if (at.by_loop[i]) return stmt;
  struct ir_expr *element = ir_strip(expr->operands[0]),
                 *call = ir_build_call(arena, helper(p, "store", found->array->element),
                                       IR_EFFECT_NONE);
  const struct ir_type *type =
      ir_build_array_type(arena, ir_plain_type(arena, element->type), p->count);
  struct ir_var *row =
      code_local(p->code, arena_format(arena, "_w_%s", found->array->var->name), type);
  row->of_thread = true;
  struct ir_stmt *declaration = ir_build_decl(arena, row, NULL);
  ir_list_add(arena, &p->declarations, declaration);
  ir_list_add(arena, p->verbatim, declaration);
  ir_add_argument(arena, call, address_of(arena, element));
  ir_add_argument(arena, call, ir_build_var(arena, row));
  ir_add_argument(arena, call, ir_build_var(arena, p->code->lane));
  ir_add_argument(arena, call, expr->operands[1]);
  struct ir_stmt *store = ir_build_expr_stmt(arena, call);
  store->place = stmt->place;
  p->used.stores++;
  return store;
}

/* ---- elements that a thread updates ---- */

struct update_search {
  struct row_places *p;
  const struct code_access *store;
  const struct ir_stmt *last; /* the statement that stores */
  unsigned before;            /* loads of the stored element up to there */
  bool behind;
};

static bool same_element(const struct access *a, const struct access *b)
{
  if (a->dim_count != b->dim_count || a->partial || b->partial) return false;
  for (unsigned d = 0; d < a->dim_count; d++)
    if (!a->index[d].aff || !b->index[d].aff || !value_same(&a->index[d], &b->index[d]))
      return false;
  return true;
}

static void note_own_load(struct ir_expr *expr, void *context)
{
  struct update_search *s = context;
  const struct code_access *found = code_access_of(s->p->code, expr);

  s->before += found && found != s->store && found->array == s->store->array &&
               !found->access->write && same_element(found->access, s->store->access);
}

static bool note_before(struct ir_stmt *stmt, void *context)
{
  struct update_search *s = context;

  if (!s->behind || SEEDED(ROW_UPDATE_BEHIND)) {
    ir_visit_expr(stmt->expr, note_own_load, s);
    ir_visit_expr(stmt->increment, note_own_load, s);
  }
  s->behind |= stmt == s->last;
  return true;
}

/* Are all other accesses to memory that may be the array's loads of the stored element, in front of
 * the store? */
static bool is_update(struct row_places *p, struct ir_stmt *body, const struct ir_stmt *stmt,
                      const struct code_access *store)
{
  struct update_search s = {p, store, stmt, 0, false};
  unsigned others = 0;

  for (unsigned i = 0; i < p->code->access_count; i++) {
    const struct code_access *other = &p->code->accesses[i];
    if (other->expr == store->expr) continue;
    others += other->array == store->array;
    if (other->array != store->array && !code_disjoint(p->code, store->array, other->array) &&
        !SEEDED(ROW_UPDATE_MEETS))
      return false;
  }
  if (!others || p->code->access.unknown_read || p->code->access.unknown_write) return false;
  ir_visit_stmts(body, note_before, &s);
  return s.before == others;
}

/* Notes the arrays with such stores, which stand in no loop and under no condition. */
static void find_updates(struct row_places *p, struct ir_stmt *body, struct ir_stmt *stmt)
{
  const struct code_access *store = stmt ? store_of(p, stmt) : NULL;

  if (store && p->updated_count < MOST_STORES && is_update(p, body, stmt, store))
    p->updated[p->updated_count++] = store->array;
  if (stmt && stmt->kind == IR_STMT_BLOCK)
    for (unsigned i = 0; i < stmt->child_count; i++) find_updates(p, body, stmt->children[i]);
}

/* ---- statements ---- */

static void enter(struct row_places *p, const struct ir_stmt *stmt)
{
  struct around loop = {0};
  int64_t first, trips;

  if (reuse_short_loop(stmt, &first, &trips)) loop = (struct around){stmt->loop->iterator, true};
  p->loops[p->loop_count++] = loop;
}

static struct ir_stmt *rewrite(struct row_places *p, struct ir_stmt *stmt)
{
  struct ir_rewriter loads = {p->code->arena, replace_load, p};

  if (!stmt || stmt->kind == IR_STMT_SWITCH || p->loop_count == MOST_DEPTH) return stmt;
  bool loop = stmt->kind == IR_STMT_FOR || stmt->kind == IR_STMT_WHILE || stmt->kind == IR_STMT_DO,
       branch = stmt->kind == IR_STMT_IF;
  if (!loop) stmt = replace_store(p, stmt);
  struct ir_stmt *copy = ir_copy_stmt(p->code->arena, stmt), **below;
  if (loop)
    enter(p, stmt);
  else
    copy->expr = ir_rewrite_expr(&loads, stmt->expr);
  p->conditions += branch;
  for (unsigned i = 0; (below = ir_below(copy, i)); i++) *below = rewrite(p, *below);
  p->conditions -= branch;
  p->loop_count -= loop;
  return copy;
}

struct vector_accesses vector_rewrite(struct code *code, struct interior *interior, int64_t count,
                                      struct ir_list *verbatim)
{
  struct row_places p = {
      .code = code, .along = IR_THREAD_IDX, .count = count, .narrow = true, .verbatim = verbatim};
  struct ir_list all = {0};

  code_scan(code);
  if (code->access.reject) return p.used;
  code->lane = code_local(code, "_lane", ir_int_type());
  find_updates(&p, interior->body, interior->body);
  struct ir_stmt *body = rewrite(&p, interior->body);
  for (unsigned i = 0; i < p.declarations.items.count; i++)
    ir_list_add(code->arena, &all, p.declarations.items.items[i]);
  ir_list_add(code->arena, &all, body);
  interior->body = ir_build_block(code->arena, &all);
  return p.used;
}

bool vector_row(struct code *code, const struct code_access *found, int64_t count,
                struct ir_var *const *iterators, unsigned iterator_count, int64_t *ret_constant)
{
  struct row_places p = {
      .code = code, .along = IR_THREAD_IDX, .count = count, .loop_count = iterator_count};
  struct in_row at;

  for (unsigned i = 0; i < iterator_count && i < MOST_DEPTH; i++)
    p.loops[i] = (struct around){iterators[i], true};
  bool fits = fits_row_or_needs_no_precondition(&p, found, &at);
  *ret_constant = at.constant;
  return fits;
}

bool vector_place(struct code *code, const struct code_access *found, enum ir_builtin along,
                  int64_t count, int64_t *ret_constant)
{
  struct row_places p = {.code = code, .along = along, .count = count};
  struct in_row at;
  bool fits = fits_row_or_needs_no_precondition(&p, found, &at);

  *ret_constant = at.constant;
  return fits;
}
