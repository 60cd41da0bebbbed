/* SPDX-License-Identifier: MIT */
/* reuse.c - the memory requests that the instances of a thread share, and the iterations of its
 * short loops.
 *
 *     out[i][j] = in[i - 1][j] + in[i + 1][j]     four instances along y read in[4t - 1] ...
 *                                                 in[4t + 4]: six requests, not eight
 *     for (v = -3; v <= 3; v++)
 *       sum += in[i + v][j] * w[v]                four instances: ten rows and seven weights,
 *                                                 not 56 requests
 *
 * An index is an affine form with symbolic strides. The parts for the instance and for iterators of
 * loops with few, constant iterations are enumerated. Two accesses with the same rest make one
 * request where these parts are equal. Loops with other bounds have the weight OFTEN, and their
 * iterations share nothing. A number in constant memory that all threads of a warp load is an
 * operand of the instruction that uses it, and no request. Memory that the kernel writes, and
 * accesses under a condition, are requested each time. Of neighbours along x that are accessed 16
 * bytes at once, elements in the same 16 bytes are one request. Requires: scanned code in its
 * virtual shape. Gives up (1: nothing is shared): more requests than MOST.
 */
#include "analysis/code/reuse.h"

#include <string.h>

enum { MOST = 4096, PARTS = 2 * ACCESS_DIMS, MOST_LOOPS = 6, OFTEN = 16 };

struct short_loop {
  const struct ir_var *iterator;
  int64_t first, step, trips;
};

struct part { /* a part of an index: the constants of the enumerated terms, and the rest */
  int64_t constant, by_instance, by_lane, by_loop[MOST_LOOPS];
  isl_aff *rest; /* owned */
};

struct form {
  const struct access *access;
  struct part parts[PARTS];
  unsigned count;
};

struct request {
  const struct array *array;
  const struct form *form; /* its rest */
  int64_t at[PARTS];
  double weight;
};

struct sharing {
  struct code *code;
  const struct symbol *thread;         /* the index along the axis */
  const struct symbol *lane;           /* the index along x */
  int64_t factor, apart;               /* instances, and the threads between two of them */
  int64_t lanes;                       /* neighbours along x with common requests; 1: none */
  struct short_loop loops[MOST_LOOPS]; /* around this place, outermost first */
  unsigned loop_count;
  double weight; /* executions of this place, apart from those loops */
  bool failed;
  double written, mapped;
  LIST_OF(struct request) requests;
  LIST_OF(struct form *) forms;
  LIST_OF(const struct ir_expr *) records; /* elements that have been loaded */
  unsigned statement;                      /* of these: from here on by this statement */
};

/* ---- forms ---- */

static int loop_of(const struct sharing *s, const struct symbol *symbol)
{
  for (unsigned i = 0; symbol->kind == SYMBOL_LOOP && i < s->loop_count; i++)
    if (s->loops[i].iterator == symbol->var) return (int)i;
  return -1;
}

/* Splits the enumerated terms off the form. False: there is no such form. */
static bool split(const struct sharing *s, isl_pw_aff *form, struct part *ret)
{
  *ret = (struct part){0};
  isl_aff *aff = value_plain(form);
  if (!aff) return false;
  isl_space *space = isl_aff_get_domain_space(aff);
  bool fits = value_number(isl_aff_get_constant_val(aff), INT32_MAX, &ret->constant);

  for (int i = 0; fits && i < isl_aff_dim(aff, isl_dim_param); i++) {
    const struct symbol *symbol = symbol_of_param(space, (unsigned)i);
    int loop = loop_of(s, symbol);
    bool involved = isl_aff_involves_dims(aff, isl_dim_param, (unsigned)i, 1) == isl_bool_true;
    if (involved && symbol->kind == SYMBOL_UNKNOWN) /* a different value each time */
      fits = false;
    bool lane = s->lanes > 1 && symbol == s->lane;
    if (!fits || (symbol != s->thread && !lane && loop < 0)) continue;
    fits = value_number(isl_aff_get_coefficient_val(aff, isl_dim_param, i), INT32_MAX,
                        loop >= 0 ? &ret->by_loop[loop]
                        : lane    ? &ret->by_lane
                                  : &ret->by_instance);
    aff = isl_aff_set_coefficient_si(aff, isl_dim_param, i, 0);
  }
  isl_space_free(space);
  ret->rest = isl_aff_set_constant_si(aff, 0);
  return fits;
}

static void free_form(struct form *form)
{
  for (unsigned i = 0; i < form->count; i++) isl_aff_free(form->parts[i].rest);
}

/* Splits all parts of the access's index. False: one has no such form. */
static bool form_of(const struct sharing *s, const struct access *access, struct form *ret)
{
  ret->access = access;
  ret->count = 0;
  for (unsigned d = 0; d < access->dim_count; d++) {
    const struct value *value = &access->index[d];
    if (!value->aff || ret->count + 1 + value->term_count > PARTS) return false;
    for (unsigned t = 0; t <= value->term_count; t++)
      if (!split(s, t ? value->terms[t - 1].coefficient : value->aff, &ret->parts[ret->count++]))
        return false;
  }
  return true;
}

static bool same_strides(const struct access *a, const struct access *b)
{
  if (a->dim_count != b->dim_count) return false;
  for (unsigned d = 0; d < a->dim_count; d++) {
    if (a->index[d].term_count != b->index[d].term_count) return false;
    for (unsigned t = 0; t < a->index[d].term_count; t++)
      if (memcmp(a->index[d].terms[t].stride, b->index[d].terms[t].stride,
                 sizeof a->index[d].terms[t].stride))
        return false;
  }
  return true;
}

/* Are the forms equal? They may name symbols that they do not use. */
static bool same_aff(isl_aff *a, isl_aff *b)
{
  isl_aff *left = isl_aff_align_params(isl_aff_copy(a), isl_aff_get_domain_space(b));
  isl_aff *right = isl_aff_align_params(isl_aff_copy(b), isl_aff_get_domain_space(left));
  bool same = isl_aff_plain_is_equal(left, right) == isl_bool_true;
  isl_aff_free(left);
  isl_aff_free(right);
  return same;
}

static bool same_rest(const struct form *a, const struct form *b)
{
  for (unsigned i = 0; i < a->count; i++)
    if (!same_aff(a->parts[i].rest, b->parts[i].rest)) return false;
  return a->count == b->count;
}

/* The first form with the same rest. If there is none: `form` itself, which is kept. */
static const struct form *known_form(struct sharing *s, const struct array *array,
                                     const struct form *form)
{
  for (unsigned i = 0; i < s->requests.count; i++) {
    const struct request *other = &s->requests.items[i];
    if (other->array == array && same_strides(form->access, other->form->access) &&
        same_rest(other->form, form))
      return other->form;
  }
  return form;
}

/* ---- requests ---- */

static void note_request(struct sharing *s, const struct request *request, unsigned parts)
{
  for (unsigned i = 0; i < s->requests.count; i++) {
    const struct request *other = &s->requests.items[i];
    if (other->form == request->form && !(other->weight < request->weight) &&
        !memcmp(other->at, request->at, parts * sizeof *request->at))
      return;
  }
  s->mapped += request->weight;
  s->failed |= s->requests.count >= MOST;
  if (!s->failed) *ARENA_PUSH(s->code->arena, &s->requests) = *request;
}

/* The number of the 16 bytes with the element, where neighbours share requests. */
static int64_t vector_of(const struct sharing *s, const struct part *part, int64_t at)
{
  int64_t rest = at % s->lanes;

  return part->by_lane == 1 && s->lanes > 1 ? at - rest - (rest < 0 ? s->lanes : 0) : at;
}

/* Notes the requests of every instance in every iteration of the short loops. */
static void note_requests(struct sharing *s, const struct array *array, const struct form *form,
                          const struct form *known, double each)
{
  struct request request = {.array = array, .form = known, .weight = s->weight * each};
  int64_t iterations = 1, instances = s->factor * s->lanes;

  for (unsigned k = 0; k < s->loop_count; k++) iterations *= s->loops[k].trips;
  for (int64_t n = 0; n < iterations * instances && !s->failed; n++) {
    int64_t instance = n % s->factor, lane = n / s->factor % s->lanes, left = n / instances;
    for (unsigned p = 0; p < form->count; p++)
      request.at[p] = form->parts[p].constant + form->parts[p].by_lane * lane +
                      form->parts[p].by_instance * instance * s->apart;
    for (unsigned k = s->loop_count; k-- > 0; left /= s->loops[k].trips)
      for (unsigned p = 0; p < form->count; p++)
        request.at[p] += form->parts[p].by_loop[k] *
                         (s->loops[k].first + left % s->loops[k].trips * s->loops[k].step);
    for (unsigned p = 0; p < form->count; p++)
      request.at[p] = vector_of(s, &form->parts[p], request.at[p]);
    note_request(s, &request, form->count);
  }
}

/* The members of a record that nobody writes come with one request, and so does an element that a
 * statement names several times, x[i] * x[i]: nvcc loads it once, as written, too. */
static bool is_loaded(struct sharing *s, const struct code_access *found)
{
  if (!code_read_only(s->code, found->array)) return false;
  for (unsigned i = found->access->partial ? 0 : s->statement; i < s->records.count; i++)
    if (ir_same_expr((struct ir_expr *)s->records.items[i], (struct ir_expr *)found->expr))
      return true;
  *ARENA_PUSH(s->code->arena, &s->records) = found->expr;
  return false;
}

/* Cycles of a request whose threads load elements through a table, and not side by side in a row of
 * it: they may be anywhere, from one to 32. With one, the rounds of a cipher (a table of 256 bytes,
 * a key that all threads share) had a predicted gain of 1.55 and a measured one of 0.70. */
#define THROUGH_TABLE 8.0

static bool moves_with_lane(const struct sharing *s, const struct code_access *found)
{
  bool moves = false;

  for (unsigned d = 0; d < found->access->dim_count; d++)
    moves |=
        found->access->index[d].aff &&
        isl_pw_aff_involves_param_id(found->access->index[d].aff, s->lane->id) == isl_bool_true;
  return moves;
}

/* A number in constant memory that all threads of a warp load. */
static bool is_operand(const struct sharing *s, const struct code_access *found)
{
  bool known = found->access->dim_count > 0;

  for (unsigned d = 0; d < found->access->dim_count; d++)
    known &= found->access->index[d].aff != NULL;
  return known && found->array->var->is_constant_memory && !moves_with_lane(s, found);
}

/* The requests of a warp for one access: neighbouring elements of 16 bytes take four times as many
 * as those of 4 bytes; an element that all threads load takes one. */
static double requests_of(const struct sharing *s, const struct code_access *found)
{
  double words = (double)found->array->element->size / 4;
  bool moves = moves_with_lane(s, found);

  return moves && !found->access->partial && words > 1 ? words : 1;
}

static void note_load(struct ir_expr *expr, void *context)
{
  *(bool *)context |= expr->kind == IR_EXPR_INDEX;
}

/* Does the index name an element of another array? (x + k) % n lies side by side all the same. */
static bool names_element(struct ir_expr *element)
{
  bool found = false;

  for (struct ir_expr *at = ir_strip(element); at->kind == IR_EXPR_INDEX;
       at = ir_strip(at->operands[0]))
    ir_visit_expr(at->operands[1], note_load, &found);
  return found;
}

/* The neighbours that share a request to memory that the kernel writes, each to its own element. */
static int64_t own_lanes(const struct sharing *s, const struct code_access *found)
{
  return moves_with_lane(s, found) && found->access->must ? s->lanes : 1;
}

static void note_access(struct ir_expr *expr, void *context)
{
  struct sharing *s = context;
  const struct code_access *found = code_access_of(s->code, expr);
  double count = s->weight * (double)(s->factor * s->lanes);

  if (!found || is_operand(s, found) || is_loaded(s, found)) return;
  double each = s->lanes > 1 ? 1 : requests_of(s, found);
  struct form *form = ARENA_NEW(s->code->arena, struct form);
  for (unsigned k = 0; k < s->loop_count; k++) count *= (double)s->loops[k].trips;
  bool shares =
      code_read_only(s->code, found->array) && found->access->must && count <= MOST * s->weight;
  bool has_form = shares && form_of(s, found->access, form);
  if (!has_form && names_element(expr) && access_through_table(found->access) &&
      !moves_with_lane(s, found))
    each = THROUGH_TABLE;
  s->written += count * each;
  if (!has_form) {
    s->mapped += count * each / (shares ? 1 : (double)own_lanes(s, found));
    free_form(form);
    return;
  }
  const struct form *known = known_form(s, found->array, form);
  note_requests(s, found->array, form, known, each);
  if (known == form)
    *ARENA_PUSH(s->code->arena, &s->forms) = form;
  else
    free_form(form);
}

/* ---- statements ---- */

bool reuse_short_loop(const struct ir_stmt *stmt, int64_t *ret_first, int64_t *ret_trips)
{
  const struct ir_loop *loop = stmt->loop;
  int64_t bound;

  if (stmt->kind != IR_STMT_FOR || !loop || !loop->lower || loop->step_expr ||
      !ir_constant(loop->lower, ret_first) || !ir_constant(loop->bound, &bound))
    return false;
  bool up = loop->step > 0 && (loop->relation == IR_OP_LT || loop->relation == IR_OP_LE);
  int64_t span = bound - *ret_first + (loop->relation == IR_OP_LE);
  if (!up || bound > INT32_MAX || bound < INT32_MIN || *ret_first < INT32_MIN ||
      *ret_first > INT32_MAX || span <= 0)
    return false;
  *ret_trips = (span + loop->step - 1) / loop->step;
  return *ret_trips <= REUSE_SHORT;
}

static void note_stmt(struct sharing *s, struct ir_stmt *stmt)
{
  struct short_loop loop = {0};
  double weight = s->weight;
  unsigned loops = s->loop_count;

  if (!stmt) return;
  note_stmt(s, stmt->init);
  bool repeats =
      stmt->kind == IR_STMT_FOR || stmt->kind == IR_STMT_WHILE || stmt->kind == IR_STMT_DO;
  if (repeats && s->loop_count < MOST_LOOPS && reuse_short_loop(stmt, &loop.first, &loop.trips)) {
    loop.iterator = stmt->loop->iterator;
    loop.step = stmt->loop->step;
    s->loops[s->loop_count++] = loop;
  } else if (repeats) {
    s->weight *= OFTEN;
  }
  s->statement = s->records.count;
  ir_visit_expr(stmt->expr, note_access, s);
  ir_visit_expr(stmt->increment, note_access, s);
  note_stmt(s, stmt->body);
  note_stmt(s, stmt->else_body);
  for (unsigned i = 0; i < stmt->child_count; i++) note_stmt(s, stmt->children[i]);
  s->weight = weight;
  s->loop_count = loops;
}

static double shared_by(struct sharing *s, int axis, struct ir_stmt *body)
{
  s->thread = symbol_of_builtin(&s->code->symbols, (enum ir_builtin)(IR_THREAD_IDX + axis));
  s->lane = symbol_of_builtin(&s->code->symbols, IR_THREAD_IDX);
  note_stmt(s, body);
  for (unsigned i = 0; i < s->forms.count; i++) free_form(s->forms.items[i]);
  return !s->failed && s->mapped > 0 ? s->written / s->mapped : 0;
}

double reuse_of_instances(struct code *code, struct ir_stmt *body, int axis,
                          const struct geometry *geometry)
{
  int64_t factor = geometry->block[axis] / geometry->threads[axis];
  int64_t apart = geometry->vector[axis] == factor ? 1 : geometry->threads[axis];
  struct sharing s = {.code = code, .factor = factor, .apart = apart, .lanes = 1, .weight = 1};

  return shared_by(&s, axis, body);
}

double reuse_of_vectors(struct code *code, struct ir_stmt *body, const struct geometry *geometry,
                        double *ret_requests)
{
  int64_t factor = geometry->block[1] / geometry->threads[1];
  int64_t apart = geometry->vector[1] == factor ? 1 : geometry->threads[1];
  struct sharing s = {
      .code = code, .factor = factor, .apart = apart, .lanes = geometry->vector[0], .weight = 1};
  double fewer = shared_by(&s, 1, body);

  *ret_requests = s.written / (double)(factor * s.lanes);
  return fewer;
}
