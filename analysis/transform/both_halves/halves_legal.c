/* SPDX-License-Identifier: MIT */
/* halves_legal.c - are two elements of a kernel a[i][j] and a[j][i], in the halves of one triangle?
 *
 *     a[i * n + j] for 0 <= j <= i < n, a[j * n + i] for i < j < n
 *         =>   fast index j of the first, low: fast <= slow; the first has the diagonal; n rows
 *
 * Both indices are taken as sets over a thread's number i and an iterator j, in the place of block,
 * thread and the loops' own symbols. The index of the second term with i and j exchanged must be
 * that of the first. The pairs (i, j) of a term must be all with 0 <= i, j < n on one side of the
 * diagonal, with it or without it, and the other term has the other side. So each element of the
 * triangle has the first term for its slow index and the second for its fast one, and no index is
 * evaluated that was not before. Gives up: conditions that are not understood, other sets, rows
 * whose number the launch does not know.
 */
#include "analysis/transform/both_halves/both_halves.h"

#include <string.h>

#include "analysis/code/precondition.h"
#include "analysis/sets/lower.h"
#include "analysis/sets/stride.h"
#include "analysis/transform/team_reduce/team_reduce.h"
#include "runtime/seeded.h"

enum side { SIDE_BELOW, SIDE_ABOVE, SIDE_NONE }; /* of the diagonal: j <= i, j >= i */

struct comparing {
  struct code *code;
  isl_ctx *ctx;
  isl_id *i, *j; /* owned */
};

/* ---- sets over i and j ---- */

static isl_pw_aff *aff_of(struct comparing *c, isl_id *id)
{
  isl_space *space = isl_space_add_param_id(isl_space_params_alloc(c->ctx, 0), isl_id_copy(id));
  return isl_pw_aff_from_aff(isl_aff_param_on_domain_space_id(space, isl_id_copy(id)));
}

static isl_pw_aff *number(struct comparing *c, int64_t value)
{
  isl_local_space *space = isl_local_space_from_space(isl_space_params_alloc(c->ctx, 0));
  return isl_pw_aff_from_aff(
      isl_aff_add_constant_val(isl_aff_zero_on_domain(space), isl_val_int_from_si(c->ctx, value)));
}

static isl_set *rename_param(isl_set *set, isl_id *from, isl_id *to)
{
  int at = isl_set_find_dim_by_id(set, isl_dim_param, from);
  return at < 0 ? set : isl_set_set_dim_id(set, isl_dim_param, (unsigned)at, isl_id_copy(to));
}

static isl_set *without(isl_set *set, isl_id *id)
{
  int at = isl_set_find_dim_by_id(set, isl_dim_param, id);
  return at < 0 ? set : isl_set_project_out(set, isl_dim_param, (unsigned)at, 1);
}

/* The set with i = block * threads + thread, and the iterator as j. The launch makes sure that it
 * has a thread for each row, so i < total says nothing. Takes the set. */
static isl_set *over_pairs(struct comparing *c, isl_set *set, const struct symbol *iterator)
{
  const struct symbol *block = symbol_of_builtin(&c->code->symbols, IR_BLOCK_IDX),
                      *thread = symbol_of_builtin(&c->code->symbols, IR_THREAD_IDX);
  struct ir_var *total = c->code->facts.totals[0];
  int64_t threads = c->code->facts.block[0];
  isl_pw_aff *id = isl_pw_aff_add(
      isl_pw_aff_scale_val(aff_of(c, block->id), isl_val_int_from_si(c->ctx, threads)),
      aff_of(c, thread->id));
  isl_set *pairs = isl_pw_aff_eq_set(aff_of(c, c->i), id);

  pairs = isl_set_intersect(pairs, isl_pw_aff_ge_set(aff_of(c, thread->id), number(c, 0)));
  pairs = isl_set_intersect(pairs, isl_pw_aff_lt_set(aff_of(c, thread->id), number(c, threads)));
  set = isl_set_intersect_params(set, pairs);
  set = without(without(set, block->id), thread->id);
  if (total) set = without(set, symbol_of_scalar(&c->code->symbols, total)->id);
  return rename_param(set, iterator->id, c->j);
}

static isl_set *exchanged(struct comparing *c, isl_set *set)
{
  isl_id *other = isl_id_alloc(c->ctx, "other", NULL);

  set = rename_param(set, c->i, other);
  set = rename_param(set, c->j, c->i);
  set = rename_param(set, other, c->j);
  isl_id_free(other);
  return set;
}

static bool same(isl_set *a, isl_set *b)
{
  bool equal = isl_set_is_equal(a, b) == isl_bool_true;

  isl_set_free(a);
  isl_set_free(b);
  return equal;
}

/* ---- indices ---- */

/* { [v] : v is the form's value } */
static isl_set *graph_of(struct comparing *c, isl_pw_aff *form, const struct symbol *iterator)
{
  isl_set *graph = isl_set_from_pw_aff(isl_pw_aff_copy(form));
  return over_pairs(c, graph, iterator);
}

static bool same_form(struct comparing *c, isl_pw_aff *first, const struct symbol *of_first,
                      isl_pw_aff *second, const struct symbol *of_second)
{
  return same(graph_of(c, first, of_first), exchanged(c, graph_of(c, second, of_second)));
}

static const struct value_term *like(const struct value *value, const struct value_term *term)
{
  for (unsigned i = 0; i < value->term_count; i++)
    if (stride_same(value->terms[i].stride, term->stride)) return &value->terms[i];
  return NULL;
}

static bool is_transposed(struct comparing *c, const struct access *a, const struct access *b)
{
  const struct symbol *of_a = a->nest->symbol, *of_b = b->nest->symbol;
  bool equal = a->dim_count == b->dim_count;

  for (unsigned d = 0; d < a->dim_count && equal; d++) {
    const struct value *first = &a->index[d], *second = &b->index[d];
    equal = first->aff && second->aff && !first->modulo && !second->modulo &&
            first->term_count == second->term_count &&
            same_form(c, first->aff, of_a, second->aff, of_b);
    for (unsigned t = 0; t < first->term_count && equal; t++) {
      const struct value_term *other = like(second, &first->terms[t]);
      equal = other && same_form(c, first->terms[t].coefficient, of_a, other->coefficient, of_b);
    }
  }
  return equal;
}

/* Does an index involve a value that is not known? */
static bool has_unknown(const struct access *access)
{
  bool unknown = false;

  for (unsigned d = 0; d < access->dim_count; d++)
    for (unsigned t = 0; t <= access->index[d].term_count; t++) {
      isl_pw_aff *form = t ? access->index[d].terms[t - 1].coefficient : access->index[d].aff;
      isl_space *space = isl_pw_aff_get_domain_space(form);
      unknown |= symbols_any_unknown(space);
      isl_space_free(space);
    }
  return unknown;
}

/* ---- pairs ---- */

static isl_stat take_last(isl_set *domain, isl_aff *aff, void *user)
{
  isl_pw_aff **last = user;

  isl_set_free(domain);
  isl_pw_aff_free(*last);
  *last = isl_pw_aff_from_aff(aff);
  return isl_stat_ok;
}

/* The greatest i of the pairs, as one form. NULL: there is none. Takes them. */
static isl_pw_aff *last_of(struct comparing *c, isl_set *rows)
{
  isl_pw_aff *last = NULL;

  rows = isl_set_intersect(rows, isl_pw_aff_ge_set(aff_of(c, c->i), number(c, 0)));
  rows = isl_set_intersect(rows, isl_pw_aff_ge_set(aff_of(c, c->j), number(c, 0)));
  rows = without(rows, c->j);
  int at = isl_set_find_dim_by_id(rows, isl_dim_param, c->i);
  rows = isl_set_from_params(rows);
  rows = isl_set_move_dims(rows, isl_dim_set, 0, isl_dim_param, (unsigned)at, 1);
  if (isl_set_dim_has_upper_bound(rows, isl_dim_set, 0) != isl_bool_true) {
    isl_set_free(rows);
    return NULL;
  }
  isl_pw_aff *most = isl_pw_aff_coalesce(isl_set_dim_max(rows, 0));
  if (most && isl_pw_aff_n_piece(most) == 1) isl_pw_aff_foreach_piece(most, take_last, &last);
  isl_pw_aff_free(most);
  return last ? isl_pw_aff_drop_unused_params(last) : NULL;
}

/* The pairs of an access; `bounded`: within the bounds of all symbols. */
static isl_set *pairs_of(struct comparing *c, const struct access *access, bool bounded)
{
  isl_set *domain = isl_set_copy(access->domain);

  if (bounded) domain = symbols_close(&c->code->symbols, domain);
  return over_pairs(c, domain, access->nest->symbol);
}

/* All pairs with 0 <= i, j <= last on a side of the diagonal. */
static isl_set *triangle(struct comparing *c, isl_pw_aff *last, enum side side, bool diagonal)
{
  isl_id *low = side == SIDE_BELOW ? c->j : c->i, *high = side == SIDE_BELOW ? c->i : c->j;
  isl_set *set = isl_pw_aff_ge_set(aff_of(c, low), number(c, 0));
  isl_pw_aff *least = isl_pw_aff_add(aff_of(c, low), number(c, !diagonal));

  set = isl_set_intersect(set, isl_pw_aff_le_set(least, aff_of(c, high)));
  return isl_set_intersect(set, isl_pw_aff_le_set(aff_of(c, high), isl_pw_aff_copy(last)));
}

/* Are the term's pairs those of this triangle? Bounds of symbols may exclude further pairs, such as
 * those of threads beyond a constant grid: nobody has these. */
static bool is_triangle(struct comparing *c, const struct access *access, isl_set *wanted)
{
  isl_set *pairs = pairs_of(c, access, false), *possible = pairs_of(c, access, true),
          *context = c->code->symbols.context;
  bool all = isl_set_is_subset(possible, wanted) == isl_bool_true;

  if (context)
    wanted = isl_set_intersect_params(wanted,
                                      over_pairs(c, isl_set_copy(context), access->nest->symbol));
  all = all && isl_set_is_subset(wanted, pairs) == isl_bool_true;
  isl_set_free(pairs);
  isl_set_free(possible);
  isl_set_free(wanted);
  return all;
}

/* The side on which the term's pairs are. SIDE_NONE: they are other pairs. */
static enum side side_of(struct comparing *c, const struct access *access, isl_pw_aff *last,
                         bool *ret_diagonal)
{
  for (int side = SIDE_BELOW; side < SIDE_NONE; side++)
    for (int diagonal = 0; diagonal < 2; diagonal++) {
      *ret_diagonal = diagonal;
      if (is_triangle(c, access, triangle(c, last, (enum side)side, diagonal)))
        return (enum side)side;
    }
  return SIDE_NONE;
}

/* ---- both terms ---- */

/* Are the terms' pairs the two sides of a triangle, the rows of which are those of this term? */
static bool are_sides(struct comparing *c, struct halves *h, const struct code_access *found[2],
                      int of_rows)
{
  const struct access *access = found[of_rows]->access;
  isl_pw_aff *last = last_of(c, pairs_of(c, access, false));
  enum side sides[2] = {SIDE_NONE, SIDE_NONE};

  /* the launch's own threads may be as many as rows */
  if (!last) last = last_of(c, pairs_of(c, access, true));
  if (!last) return false;
  for (int t = 0; t < 2; t++) sides[t] = side_of(c, found[t]->access, last, &h->terms[t].diagonal);
  h->rows =
      lower_aff(&c->code->symbols, last = isl_pw_aff_add_constant_val(last, isl_val_one(c->ctx)));
  isl_pw_aff_free(last);
  h->low = sides[0] == SIDE_BELOW;
  return sides[0] != SIDE_NONE && sides[1] != SIDE_NONE && sides[0] != sides[1];
}

static const char *compare(struct comparing *c, struct halves *h,
                           const struct code_access *found[2])
{
  const struct access *a = found[0]->access, *b = found[1]->access;

  if (found[0]->array != found[1]->array) return "its halves are of different arrays";
  if (!a->nest || !b->nest || !a->nest->symbol || !b->nest->symbol || has_unknown(a) ||
      has_unknown(b))
    return "an index of its elements is not understood";
  h->alike = is_transposed(c, a, b) || SEEDED(HALVES_ANY_INDEX);
  if (!h->alike) return "the elements of one half are not those of the other half's transpose";
  if (!a->must || !b->must) return "a condition around its sums is not understood";
  /* only those of the term below the diagonal reach the last row */
  if (!are_sides(c, h, found, 0) && !are_sides(c, h, found, 1))
    return "its sums are not over the two sides of the diagonal of as many rows as threads";
  return h->rows && precondition_host_form(c->code, h->rows)
             ? NULL
             : "the launch cannot tell how many rows there are";
}

/* Puts the term in front whose neighbouring iterations read neighbouring elements. */
static bool in_order(struct code *code, struct halves *h)
{
  bool follows[2];

  for (int t = 0; t < 2; t++)
    follows[t] = team_reduce_follows(code, code_access_of(code, h->terms[t].element),
                                     h->terms[t].iterator) == 1;
  if (follows[1] && !follows[0]) {
    struct halves_term first = h->terms[0];
    h->terms[0] = h->terms[1];
    h->terms[1] = first;
  }
  return follows[0] || follows[1];
}

bool halves_are_transposed(struct code *code, struct halves *h, const char **ret_reason,
                           struct ir_place *ret_place)
{
  struct comparing c = {code, code->ctx, isl_id_alloc(code->ctx, "i", NULL),
                        isl_id_alloc(code->ctx, "j", NULL)};
  const char *reason = "neighbouring iterations read no neighbouring elements";
  struct ir_var *total = code->facts.totals[0];

  if (in_order(code, h)) {
    const struct code_access *found[2] = {code_access_of(code, h->terms[0].element),
                                          code_access_of(code, h->terms[1].element)};
    reason = compare(&c, h, found);
  }
  /* once: the guard of threads beyond the launch's own */
  if (total && ir_count_var(code->facts.kernel->body, total) > 1)
    reason = "it uses the number of threads";
  isl_id_free(c.i);
  isl_id_free(c.j);
  if (reason && !*ret_reason) {
    *ret_reason = reason;
    *ret_place = h->terms[0].loop->place;
  }
  return !reason;
}
