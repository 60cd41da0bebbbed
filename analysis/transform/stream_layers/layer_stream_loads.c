/* SPDX-License-Identifier: MIT */
/* layer_stream_loads.c - the loads and stores in the layers that a thread goes through
 * (layer_stream.c), and the loads of the same rows.
 *
 *     in[((i + x - 1) * n + j + y - 1) * n + k + z - 1]     layer x - 1, row y - 1,
 *         place z - 1 of the group in[(i * n + j) * n + k]
 *
 * An index is an affine form with symbolic strides; a *part* of it is one of its dimensions, or of
 * the strides in it. The difference of two loads is counted exactly in layers, rows (the step to
 * the next element along y) and places; in a dimension with constant strides, the nearest multiples
 * count.
 *
 * Gives up: see layer_stream.c. Stores must go to other elements in each layer, since blocks along
 * z share the layers.
 */
#include "analysis/transform/stream_layers/layer_stream.h"

#include <stdlib.h>

#include "analysis/code/precondition.h"
#include "analysis/code/vector_access.h"
#include "analysis/sets/stride.h"
#include "runtime/seeded.h"

/* ---- forms of indices ---- */

struct form { /* the form of an access's index, by parts: dimensions and their terms */
  unsigned count;
  unsigned dim[LAYER_STREAM_PARTS];
  struct symbol *stride[LAYER_STREAM_PARTS][STRIDE_FACTORS];
  /* constants; the steps of a layer and of an element along y */
  int64_t at[LAYER_STREAM_PARTS], layer[LAYER_STREAM_PARTS], row[LAYER_STREAM_PARTS];
  int64_t by[LAYER_STREAM_LOOPS]
            [LAYER_STREAM_PARTS];    /* the steps of the iterators of short loops around it */
  isl_aff *rest[LAYER_STREAM_PARTS]; /* owned */
};

struct finding {
  struct layer_stream *s;
  struct layer_stream_around around[LAYER_STREAM_LOOPS];
  unsigned depth;
  struct form groups[LAYER_STREAM_GROUPS];
};

/* The place for the coefficient of the symbol in that part. NULL: it stays in the rest. */
static int64_t *place_of(const struct finding *f, const struct symbol *symbol, struct form *form,
                         unsigned part)
{
  if (symbol->kind == SYMBOL_BUILTIN && symbol->builtin == IR_THREAD_IDX + 1)
    return &form->row[part];
  if (symbol->kind != SYMBOL_LOOP) return NULL;
  if (symbol->var == f->s->loop->loop->iterator) return &form->layer[part];
  for (unsigned i = 0; i < f->depth; i++)
    if (f->around[i].iterator == symbol->var) return &form->by[i][part];
  return NULL;
}

static bool add_part(const struct finding *f, isl_pw_aff *from, unsigned dim,
                     const struct value_term *term, struct form *form)
{
  unsigned part = form->count;

  isl_aff *aff = part < LAYER_STREAM_PARTS ? value_plain(from) : NULL;
  if (!aff) return false;
  isl_space *space = isl_aff_get_domain_space(aff);
  bool is = value_number(isl_aff_get_constant_val(aff), INT32_MAX, &form->at[part]);
  for (int i = 0; is && i < isl_aff_dim(aff, isl_dim_param); i++) {
    const struct symbol *symbol = symbol_of_param(space, (unsigned)i);
    if (isl_aff_involves_dims(aff, isl_dim_param, (unsigned)i, 1) != isl_bool_true) continue;
    int64_t *place = place_of(f, symbol, form, part);
    is = symbol->kind != SYMBOL_UNKNOWN &&
         (!place ||
          value_number(isl_aff_get_coefficient_val(aff, isl_dim_param, i), INT32_MAX, place));
    if (place) aff = isl_aff_set_coefficient_si(aff, isl_dim_param, i, 0);
  }
  isl_space_free(space);
  form->rest[part] = isl_aff_set_constant_si(aff, 0);
  form->dim[part] = dim;
  if (term) stride_copy(form->stride[part], term->stride);
  form->count++;
  return is;
}

static bool form_of(const struct finding *f, const struct access *a, struct form *form)
{
  *form = (struct form){0};
  for (unsigned d = 0; d < a->dim_count; d++) {
    if (!add_part(f, a->index[d].aff, d, NULL, form)) return false;
    for (unsigned t = 0; t < a->index[d].term_count; t++)
      if (!add_part(f, a->index[d].terms[t].coefficient, d, &a->index[d].terms[t], form))
        return false;
  }
  return form->count > 0;
}

static void free_form(struct form *form)
{
  for (unsigned i = 0; i < LAYER_STREAM_PARTS; i++) isl_aff_free(form->rest[i]);
}

/* The part of `b` that corresponds to a part of `a`; -1: there is none. */
static int same_part(const struct form *a, unsigned part, const struct form *b)
{
  for (unsigned i = 0; i < b->count; i++)
    if (a->dim[part] == b->dim[i] && stride_same(a->stride[part], b->stride[i])) return (int)i;
  return -1;
}

/* Are the rests equal? Forms in different loops have different spaces. */
static bool same_rest(isl_aff *a, isl_aff *b)
{
  isl_pw_aff *x = isl_pw_aff_from_aff(isl_aff_copy(a)), *y = isl_pw_aff_from_aff(isl_aff_copy(b));
  bool same = isl_pw_aff_is_equal(x, y) == isl_bool_true;

  isl_pw_aff_free(x);
  isl_pw_aff_free(y);
  return same;
}

/* Do they differ only by constants and iterators of short loops? *ret_order: the parts of b in the
 * order of a's. */
static bool alike(const struct form *a, const struct form *b, int ret_order[LAYER_STREAM_PARTS])
{
  if (a->count != b->count) return false;
  for (unsigned i = 0; i < a->count; i++) {
    int k = ret_order[i] = same_part(a, i, b);
    if (k < 0 || a->layer[i] != b->layer[k] || a->row[i] != b->row[k] ||
        !same_rest(a->rest[i], b->rest[k]))
      return false;
  }
  return true;
}

/* ---- layers, rows, places ---- */

static unsigned largest(const int64_t *by, unsigned count)
{
  unsigned found = 0;

  for (unsigned i = 1; i < count; i++)
    if (llabs(by[i]) > llabs(by[found])) found = i;
  return found;
}

static int64_t nearest(int64_t number, int64_t by)
{
  int64_t half = llabs(by) / 2, up = number + (number < 0 ? -half : half);
  return up / by;
}

/* `by`, in the form's order of parts, as layers, rows and places. False: it is something else. */
static bool as_step(const struct form *form, const int64_t by[LAYER_STREAM_PARTS],
                    struct layer_stream_step *ret)
{
  unsigned layer = largest(form->layer, form->count), row = largest(form->row, form->count);
  int64_t left[LAYER_STREAM_PARTS] = {0};
  bool is = true;

  *ret = (struct layer_stream_step){0};
  ret->layer = nearest(by[layer], form->layer[layer]);
  for (unsigned i = 0; i < form->count; i++) left[i] = by[i] - ret->layer * form->layer[i];
  if (form->row[row]) ret->row = nearest(left[row], form->row[row]);
  for (unsigned i = 0; i < form->count; i++) {
    left[i] -= ret->row * form->row[i];
    if (!form->stride[i][0] && form->dim[i] == form->dim[form->count - 1])
      ret->place = left[i];
    else
      is &= left[i] == 0;
  }
  return is;
}

/* ---- loads ---- */

static int group_of(struct finding *f, const struct code_access *found, struct form *form,
                    int order[LAYER_STREAM_PARTS])
{
  struct layer_stream *s = f->s;

  for (unsigned g = 0; g < s->group_count; g++)
    if (s->groups[g].array == found->array && alike(&f->groups[g], form, order)) return (int)g;
  if (s->group_count == LAYER_STREAM_GROUPS) return -1;
  struct layer_stream_group *group = &s->groups[s->group_count];
  *group = (struct layer_stream_group){
      .array = found->array, .element = found->expr, .iterator_count = f->depth};
  for (unsigned i = 0; i < f->depth; i++) group->iterators[i] = f->around[i].iterator;
  for (unsigned i = 0; i < form->count; i++) order[i] = (int)i;
  group->by_row = form->row[largest(form->row, form->count)] != 0;
  f->groups[s->group_count] = *form;
  *form = (struct form){0}; /* the group owns it */
  return (int)s->group_count++;
}

/* The distance from the lane of an element whose iterators are 0. */
static int64_t place_in_vector(int64_t constant, int64_t factor)
{
  int64_t place = (constant % factor + factor) % factor;
  return place > factor / 2 ? place - factor : place;
}

static bool place_load(struct finding *f, struct form *form, const struct code_access *found,
                       int64_t constant)
{
  struct layer_stream *s = f->s;
  struct layer_stream_load *load = &s->loads[s->load_count];
  struct form own = *form; /* a shallow copy: it owns nothing */
  int order[LAYER_STREAM_PARTS];
  int64_t by[LAYER_STREAM_PARTS];
  int number = group_of(f, found, form, order);

  if (number < 0) return layer_stream_give_up(s, "it loads too many arrays");
  struct layer_stream_group *group = &s->groups[number];
  const struct form *first = &f->groups[number];
  if (group->element == found->expr) group->place = place_in_vector(constant, s->factor);
  *load = (struct layer_stream_load){
      .expr = found->expr, .group = (unsigned)number, .loop_count = f->depth};
  for (unsigned i = 0; i < first->count; i++) by[i] = own.at[order[i]] - first->at[i];
  bool is = as_step(first, by, &load->at);
  load->at.place += group->place + SEEDED(LAYER_STREAM_PLACE);
  for (unsigned k = 0; k < f->depth; k++) {
    for (unsigned i = 0; i < first->count; i++) by[i] = own.by[k][order[i]];
    load->loops[k] = f->around[k];
    is &= as_step(first, by, &load->loops[k].step);
  }
  s->load_count++;
  return is || layer_stream_give_up(s, "its rows, layers and neighbours are not told apart");
}

/* Notes variables other than indices, parameters, the layer and short iterators, after locals were
 * replaced by their values. */
static void note_placed(struct ir_expr *expr, void *context)
{
  struct finding *f = context;
  const struct ir_var *var = expr->kind == IR_EXPR_VAR ? expr->var : NULL;

  if (!var || var->kind != IR_VAR_LOCAL || var->has_value || var == f->s->loop->loop->iterator)
    return;
  for (unsigned i = 0; i < f->depth; i++)
    if (f->around[i].iterator == var) return;
  struct ir_expr *value = code_value_of(f->s->code, var);
  if (value && !ir_has_effects(value))
    ir_visit_expr(value, note_placed, f);
  else
    layer_stream_give_up(f->s, "a place that it loads is told by a local that changes");
}

static void note_load(struct finding *f, struct ir_expr *expr, const struct code_access *found)
{
  struct layer_stream *s = f->s;
  struct ir_var *iterators[LAYER_STREAM_LOOPS];
  struct form form;
  int64_t constant = 0;

  if (!code_read_only(s->code, found->array) || !found->access->must ||
      found->access->has_effects || found->access->partial) {
    layer_stream_give_up(s, "it loads what it writes, or not always");
    return;
  }
  if (found->access->chosen && !SEEDED(LAYER_STREAM_UNDER_CONDITION)) {
    layer_stream_give_up(s, "it loads under a condition in an expression");
    return;
  }
  for (unsigned i = 0; i < f->depth; i++) iterators[i] = f->around[i].iterator;
  if (!vector_apart(s->code, found, IR_THREAD_IDX)) {
    double count = 1;
    if (s->rows > 1 && vector_apart(s->code, found, IR_THREAD_IDX + 1))
      layer_stream_give_up(s, "its rows load elements of their own");
    ir_visit_expr(expr, note_placed, f);
    if (vector_told_by_loads(s->code, expr) && !SEEDED(LAYER_STREAM_TOLD_BY_VALUES))
      layer_stream_give_up(s, "a place that it loads is told by what it loads");
    for (unsigned i = 0; i < f->depth; i++) count *= (double)f->around[i].trips;
    s->others += count;
    return;
  }
  if (s->load_count == LAYER_STREAM_LOADS ||
      !vector_row(s->code, found, s->factor, iterators, f->depth, &constant)) {
    layer_stream_give_up(s, s->load_count == LAYER_STREAM_LOADS
                                ? "it has too many loads"
                                : "its rows do not begin at multiples of 16 bytes");
    return;
  }
  ir_visit_expr(expr, note_placed, f);
  if (!vector_movable(s->code, expr))
    layer_stream_give_up(
        s, "a place that it loads is converted from a type that does not hold those before it");
  if (!form_of(f, found->access, &form) || !form.layer[largest(form.layer, form.count)])
    layer_stream_give_up(s, "neighbours load what is not of the layers that its loop goes through");
  if (!s->reason) place_load(f, &form, found, constant);
  free_form(&form);
}

static void note_access(struct ir_expr *expr, void *context)
{
  struct finding *f = context;
  struct layer_stream *s = f->s;
  const struct code_access *found = code_access_of(s->code, expr);

  if (expr->kind == IR_EXPR_UNARY && expr->op == IR_OP_ADDRESS)
    layer_stream_give_up(s, "it takes an address");
  if (s->reason || !found) return;
  if (!found->access->write) {
    note_load(f, expr, found);
    return;
  }
  s->store_count++;
  if (found->access->read || f->depth || !vector_alone(s->code, found))
    layer_stream_give_up(s, "what it stores may be stored or loaded in another place");
}

static void note_loads(struct finding *f, struct ir_stmt *stmt)
{
  struct layer_stream_around loop;
  bool is_short = stmt && stmt->kind == IR_STMT_FOR && layer_stream_short(stmt, &loop);

  if (!stmt || f->s->reason) return;
  if (is_short && f->depth == LAYER_STREAM_LOOPS) {
    layer_stream_give_up(f->s, "its loops are nested too deeply");
    return;
  }
  if (is_short)
    f->around[f->depth++] = loop;
  else
    ir_visit_expr(stmt->expr, note_access, f);
  note_loads(f, stmt->body);
  f->depth -= is_short;
  for (unsigned i = 0; i < stmt->child_count; i++) note_loads(f, stmt->children[i]);
}

/* ---- stores ---- */

static bool is_positive(struct layer_stream *s, const struct symbol *stride)
{
  struct ir_expr *value = stride->kind == SYMBOL_SCALAR ? ir_build_var(s->code->arena, stride->var)
                          : stride->kind == SYMBOL_UNIFORM ? stride->expr
                                                           : NULL;
  return value && precondition_at_least(s->code, value, 1);
}

/* Does each layer store its own elements? Blocks along z may store in any order. */
static bool stores_apart(struct finding *f)
{
  struct layer_stream *s = f->s;
  bool apart = s->store_count > 0;

  f->depth = 0;
  for (unsigned i = 0; i < s->code->access_count; i++) {
    const struct code_access *found = &s->code->accesses[i];
    struct form form;
    if (!found->access->write) continue;
    apart &= form_of(f, found->access, &form);
    unsigned part = largest(form.layer, form.count ? form.count : 1);
    apart &= form.layer[part] != 0;
    for (unsigned k = 0; apart && k < STRIDE_FACTORS; k++)
      apart = !form.stride[part][k] || is_positive(s, form.stride[part][k]);
    free_form(&form);
  }
  return apart || SEEDED(LAYER_STREAM_STORES_SHARED) ||
         layer_stream_give_up(s, "its layers may store to the same elements");
}

/* ---- the whole ---- */

bool layer_stream_find_loads(struct layer_stream *s)
{
  struct finding f = {.s = s};

  note_loads(&f, s->work.items.items[0]);
  if (!s->reason && !s->load_count) layer_stream_give_up(s, "its layers load nothing of rows");
  if (!s->reason) stores_apart(&f);
  for (unsigned g = 0; g < s->group_count; g++) free_form(&f.groups[g]);
  return !s->reason;
}
