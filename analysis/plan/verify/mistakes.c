/* SPDX-License-Identifier: MIT */
/* mistakes.c - certain errors in kernels as they are written.
 *
 *     __global__ float a[1000];
 *     k<<<8, 128>>>();  with  a[blockIdx.x * 128 + threadIdx.x] = 0;
 *     =>  the index of 'a' goes from 0 to 1023; its dimension ends at 999
 *
 * Requires: facts of launches with a constant block. It only tells errors that occur in every
 * launch that reaches the place (surely.h). A pointer's object must be known, and the access must
 * leave the whole object: a[0][20] of a[4][10] is within it. Where the walk is not sure it says
 * nothing.
 */
#include "analysis/plan/verify/mistakes.h"

#include <string.h>

#include "analysis/code/code.h"
#include "analysis/data/facts.h"
#include "analysis/host/launch_facts.h"
#include "analysis/plan/verify/surely.h"
#include "analysis/plan/verify/unread.h"
#include "analysis/sets/budget.h"
#include "runtime/seeded.h"

struct mistakes { /* in the unit's arena; zeroed except for the first three members, it has none */
  struct unit *unit;
  struct effects *effects;
  struct diag *diag;
  LIST_OF(struct ir_place) told;
};

enum { MOST_THREADS = 1024, MOST_DEEP = 64 };

struct looking { /* the check of a kernel */
  struct mistakes *mistakes;
  const struct kernel_facts *facts;
};

static bool is_told(struct mistakes *m, const struct ir_place *place)
{
  for (unsigned i = 0; i < m->told.count; i++)
    if (m->told.items[i].file == place->file && m->told.items[i].begin == place->begin) return true;
  *ARENA_PUSH(m->unit->arena, &m->told) = *place;
  return false;
}

static void tell(struct mistakes *m, enum diag_id id, const struct ir_place *place,
                 const char *text)
{
  if (place->file >= m->unit->files.count || is_told(m, place)) return;
  const struct unit_file *file = &m->unit->files.items[place->file];
  struct diag_range range = {place->line, place->column, place->line,
                             place->column + (place->end - place->begin)};
  bool in_line = place->end <= file->length &&
                 !memchr(file->text + place->begin, '\n', place->end - place->begin);
  diag_tell(m->diag,
            &(struct diag_message){.id = id,
                                   .place = {file->path, place->line, place->column, file->text},
                                   .text = text,
                                   .ranges = &range,
                                   .range_count = in_line});
}

/* ---- indices ---- */

struct object {                /* the object of an address, in elements */
  int64_t low, high;           /* its first element, and the one behind its last */
  int64_t stride[ACCESS_DIMS]; /* of each index */
  int64_t extent[ACCESS_DIMS]; /* -1: not known */
};

static bool param_range(const struct kernel_facts *facts, const struct ir_var *var, int64_t *low,
                        int64_t *high)
{
  for (unsigned i = 0; i < facts->kernel->param_count; i++)
    if (facts->kernel->params[i] == var && facts->pointers[i].range_known) {
      *low = facts->pointers[i].low;
      *high = facts->pointers[i].high;
      return true;
    }
  return false;
}

/* False: its size is not known. */
static bool object_of(const struct kernel_facts *facts, const struct address *address,
                      struct object *ret)
{
  const struct ir_type *type = address->base->type;
  int64_t low = 0, high = type->size, size;

  if (type->kind == IR_TYPE_POINTER && !param_range(facts, address->base, &low, &high))
    return false;
  for (unsigned d = 0; d < address->count; d++, type = type->element) {
    if (type->kind != IR_TYPE_ARRAY && (d || type->kind != IR_TYPE_POINTER)) return false;
    ret->extent[d] = type->kind == IR_TYPE_ARRAY ? type->extent : -1;
    ret->stride[d] = type->element->size;
  }
  size = type->size;
  if (!address->count || type->kind == IR_TYPE_ARRAY || size <= 0 || high <= low) return false;
  for (unsigned d = 0; d < address->count; d++) {
    if (ret->stride[d] <= 0 || ret->stride[d] % size) return false;
    ret->stride[d] /= size;
  }
  if (low % size || high % size) return false;
  ret->low = low / size;
  ret->high = high / size;
  return true;
}

/* The position of the element in its object; NULL: not known. */
static isl_pw_aff *position_of(struct walk *w, const struct address *address,
                               const struct object *object)
{
  isl_pw_aff *sum = symbols_constant(w->symbols, 0);

  for (unsigned d = 0; d < address->count; d++) {
    const struct value *index = &address->index[d];
    if (!index->aff || index->term_count) {
      isl_pw_aff_free(sum);
      return NULL;
    }
    isl_val *stride = isl_val_int_from_si(w->symbols->ctx, object->stride[d]);
    sum = isl_pw_aff_add(sum, isl_pw_aff_scale_val(isl_pw_aff_copy(index->aff), stride));
  }
  return sum;
}

/* The least and the greatest index. False: they are not constant. */
static bool index_interval(struct walk *w, const struct value *index, int64_t *low, int64_t *high)
{
  isl_val *least, *most;
  value_interval(w->symbols, index, w->domain, &least, &most);
  bool known = isl_val_is_int(least) == isl_bool_true && isl_val_is_int(most) == isl_bool_true;
  if (known) *low = isl_val_get_num_si(least), *high = isl_val_get_num_si(most);
  isl_val_free(least);
  isl_val_free(most);
  return known;
}

static void tell_index(struct looking *l, struct walk *w, const struct address *address,
                       const struct object *object, const struct ir_expr *expr)
{
  struct arena *arena = l->mistakes->unit->arena;
  const char *name = address->base->name;
  int64_t low, high;

  for (unsigned d = 0; d < address->count; d++) {
    int64_t first = object->extent[d] < 0 ? object->low / object->stride[d] : 0,
            last = object->extent[d] < 0 ? (object->high - 1) / object->stride[d]
                                         : object->extent[d] - 1;
    if (!index_interval(w, &address->index[d], &low, &high) || (low >= first && high <= last))
      continue;
    const char *which = address->count > 1 ? arena_format(arena, "index %u", d + 1) : "the index";
    tell(l->mistakes, DIAG_BOUNDS, &expr->place,
         low == high ? arena_format(arena,
                                    "%s of '%s' is %lld; its elements there go from %lld to "
                                    "%lld",
                                    which, name, (long long)low, (long long)first, (long long)last)
                     : arena_format(arena,
                                    "%s of '%s' goes from %lld to %lld; its elements there go "
                                    "from %lld to %lld",
                                    which, name, (long long)low, (long long)high, (long long)first,
                                    (long long)last));
    return;
  }
}

static void see_access(void *context, struct walk *w, const struct address *address,
                       const struct ir_expr *expr)
{
  struct looking *l = context;
  struct object object;

  if (!address->base || !address->shaped || w->chosen || w->dead || !w->domain ||
      address->count > ACCESS_DIMS || !object_of(l->facts, address, &object))
    return;
  isl_pw_aff *at = position_of(w, address, &object);
  if (!at) return;
  isl_set *above =
      isl_pw_aff_ge_set(isl_pw_aff_copy(at), symbols_constant(w->symbols, object.high));
  isl_set *bad =
      isl_set_union(above, isl_pw_aff_lt_set(at, symbols_constant(w->symbols, object.low)));
  if (SEEDED(BOUNDS_UNSURE)) {
    bool may = isl_set_is_empty(bad) == isl_bool_false;
    isl_set_free(bad);
    if (may) tell_index(l, w, address, &object, expr);
    return;
  }
  if (surely_happens(w, l->facts->grid, bad)) tell_index(l, w, address, &object, expr);
}

/* ---- divisions ---- */

static void see_division(void *context, struct walk *w, const struct value *by,
                         const struct ir_expr *expr)
{
  struct looking *l = context;

  if (!by->aff || by->term_count || w->chosen || w->dead || !w->domain) return;
  isl_set *zero = isl_pw_aff_eq_set(isl_pw_aff_copy(by->aff), symbols_constant(w->symbols, 0)),
          *domain = symbols_close(w->symbols, isl_set_copy(w->domain));
  bool always = isl_set_is_subset(domain, zero) == isl_bool_true;
  isl_set_free(domain);
  if (!always) {
    isl_set_free(zero);
    return;
  }
  if (surely_happens(w, l->facts->grid, zero))
    tell(l->mistakes, DIAG_ZERO, &expr->place,
         arena_format(l->mistakes->unit->arena,
                      "all threads that come here divide by 0%s in this launch's '%s'",
                      expr->op == IR_OP_REM ? " (%)" : "", l->facts->kernel->name));
}

/* ---- kernels and launches ---- */

static bool find_jump(struct ir_stmt *stmt, void *context)
{
  bool *found = context;
  *found |= stmt->kind == IR_STMT_GOTO;
  return true;
}

static void mistakes_of_kernel(struct mistakes *m, const struct kernel_facts *facts)
{
  struct looking looking = {.mistakes = m, .facts = facts};
  struct walk_watch watch = {.context = &looking, .access = see_access, .division = see_division};
  struct kernel_facts watched = *facts;
  struct remarks unused = {0};
  struct code code;
  bool jumps = false;

  ir_visit_stmts(facts->kernel->body, find_jump, &jumps);
  if (jumps || !facts_block_is_constant(facts)) return;
  watched.watch = &watch;
  code_init(&code, m->unit, m->effects, &watched, &unused);
  code_scan(&code);
  code_finish(&code);
}

static void mistakes_of_launch(struct mistakes *m, const struct launch *launch,
                               const struct kernel_facts *facts)
{
  struct arena *arena = m->unit->arena;
  int64_t threads = 1;

  for (unsigned i = 0; i < 3; i++) {
    if (facts->block[i] < 1 || facts->block[i] > INT32_MAX) return;
    threads = threads > INT32_MAX ? threads : threads * facts->block[i];
  }
  const struct ir_place *place = launch->block ? &launch->block->place : &launch->place;
  if (threads > MOST_THREADS)
    tell(m, DIAG_BLOCK, place,
         arena_format(arena,
                      "a block of %lld x %lld x %lld has %lld threads; the most that a GPU takes "
                      "is %d",
                      (long long)facts->block[0], (long long)facts->block[1],
                      (long long)facts->block[2], (long long)threads, MOST_THREADS));
  else if (facts->block[2] > MOST_DEEP)
    tell(m, DIAG_BLOCK, place,
         arena_format(arena,
                      "a block is %lld threads deep along z; the most that a GPU takes is %d",
                      (long long)facts->block[2], MOST_DEEP));
}

static void tell_unread(struct mistakes *m, struct constants *constants, bool whole_program)
{
  struct unread_results unread = {0};

  unread_results(m->unit, m->effects, constants, whole_program, &unread);
  for (unsigned i = 0; i < unread.list.count; i++)
    tell(m, DIAG_UNREAD, &unread.list.items[i].place, unread.list.items[i].text);
}

void mistakes_of_unit(struct unit *unit, struct effects *effects, struct constants *constants,
                      const struct plan_options *options, struct diag *diag)
{
  struct mistakes mistakes = {.unit = unit, .effects = effects, .diag = diag};
  struct kernel_facts *all = arena_alloc(unit->arena, (unit->launches.count + 1) * sizeof *all);
  unsigned count = 0;

  budget_begin(BUDGET_KERNEL / 4, BUDGET_UNIT / 4, unit->launches.count);
  for (unsigned i = 0; i < unit->launches.count; i++) {
    const struct launch *launch = unit->launches.items[i];
    struct kernel_facts *facts = &all[count];
    bool seen = false;
    if (!launch->kernel || !launch->kernel->body || launch_has_pack(launch)) continue;
    facts_of_launch(unit->arena, constants, effects_of(effects, launch->kernel), launch, facts);
    mistakes_of_launch(&mistakes, launch, facts);
    for (unsigned k = 0; k < count && !seen; k++) seen = facts_equal(&all[k], facts);
    if (seen) continue;
    count++;
    budget_begin_kernel();
    mistakes_of_kernel(&mistakes, facts);
    budget_end_kernel();
  }
  budget_end();
  tell_unread(&mistakes, constants, options->whole_program);
}
