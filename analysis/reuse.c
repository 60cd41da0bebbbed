/* reuse.c - the requests to memory that the instances of a thread share.
 *
 *     out[i][j] = in[i - 1][j] + in[i + 1][j]     four instances along y read in[4t - 1] ... in[4t + 4]: six requests, not eight
 *
 * Two accesses are one request when the index of the one for instance a is that of the other for instance b, obviously so: as affine
 * forms with symbolic strides. What is written is requested by every instance. Requires: scanned code in its virtual shape. Gives up (1: nothing is shared):
 * loops, and more accesses than MOST.
 */
#include "analysis/reuse.h"

enum { MOST = 24 };

struct sharing {
  struct code *code;
  const struct symbol *thread; /* the index along the axis */
  int64_t factor;
};

static bool note_loop(struct ir_stmt *stmt, void *context)
{
  *(bool *)context |= stmt->kind == IR_STMT_FOR || stmt->kind == IR_STMT_WHILE || stmt->kind == IR_STMT_DO;
  return true;
}

/* `form` for the thread `by` further along the axis; NULL: it is none to tell. */
static isl_pw_aff *moved(const struct sharing *s, isl_pw_aff *form, int64_t by)
{
  if (isl_pw_aff_involves_param_id(form, s->thread->id) == isl_bool_false)
    return isl_pw_aff_copy(form);
  if (isl_pw_aff_isa_aff(form) != isl_bool_true)
    return NULL;
  isl_aff *aff = isl_pw_aff_as_aff(isl_pw_aff_copy(form));
  isl_space *space = isl_aff_get_domain_space(aff);
  int at = isl_space_find_dim_by_id(space, isl_dim_param, s->thread->id);
  isl_space_free(space);
  if (isl_aff_dim(aff, isl_dim_div) > 0)
    return isl_aff_free(aff), NULL;
  isl_val *step = isl_val_mul(isl_aff_get_coefficient_val(aff, isl_dim_param, at), isl_val_int_from_si(isl_aff_get_ctx(aff), by));
  return isl_pw_aff_from_aff(isl_aff_add_constant_val(aff, step));
}

static bool same_form(const struct sharing *s, isl_pw_aff *a, int64_t by, isl_pw_aff *b)
{
  isl_pw_aff *further = moved(s, a, by);
  bool same = further && isl_pw_aff_plain_is_equal(further, b) == isl_bool_true;

  isl_pw_aff_free(further);
  return same;
}

static bool same_value(const struct sharing *s, const struct value *a, int64_t by, const struct value *b)
{
  if (!a->aff || !b->aff || a->term_count != b->term_count || !same_form(s, a->aff, by, b->aff))
    return false;
  for (unsigned i = 0; i < a->term_count; i++) {
    const struct value_term *x = &a->terms[i], *y = &b->terms[i];
    if (x->stride[0] != y->stride[0] || x->stride[1] != y->stride[1] || !same_form(s, x->coefficient, by, y->coefficient))
      return false;
  }
  return true;
}

static bool same_element(const struct sharing *s, const struct access *a, int64_t by, const struct access *b)
{
  if (a->dim_count != b->dim_count)
    return false;
  for (unsigned d = 0; d < a->dim_count; d++)
    if (!same_value(s, &a->index[d], by, &b->index[d]))
      return false;
  return true;
}

/* Has an access in front of `i`, or an instance in front of `instance`, requested it? */
static bool is_requested(const struct sharing *s, const struct array *array, unsigned i, int64_t instance)
{
  const struct access *access = &array->accesses.items[i];

  for (unsigned k = 0; k <= i; k++)
    for (int64_t other = 0; other < (k < i ? s->factor : instance); other++)
      if (same_element(s, access, instance - other, &array->accesses.items[k]))
        return true;
  return false;
}

static double requests(const struct sharing *s, const struct array *array)
{
  double count = 0;

  if (!code_read_only(s->code, array))
    return (double)array->accesses.count * (double)s->factor;
  for (unsigned i = 0; i < array->accesses.count; i++)
    for (int64_t instance = 0; instance < s->factor; instance++)
      count += !is_requested(s, array, i, instance);
  return count;
}

double reuse_of_instances(struct code *code, int axis, int64_t factor)
{
  struct sharing s = { code, symbol_of_builtin(&code->symbols, (enum ir_builtin)(IR_THREAD_IDX + axis)), factor };
  double written = 0, mapped = 0;
  bool loops = false;

  ir_visit_stmts(code->facts.kernel->body, note_loop, &loops);
  if (loops || code->access_count > MOST)
    return 1;
  for (unsigned i = 0; i < code->access.arrays.count; i++) {
    const struct array *array = code->access.arrays.items[i];
    written += (double)array->accesses.count * (double)factor;
    mapped += requests(&s, array);
  }
  return mapped > 0 ? written / mapped : 1;
}
