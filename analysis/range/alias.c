/* SPDX-License-Identifier: MIT */
/* alias.c - may another name in the kernel reach the elements of an array?
 *
 *     f<<<...>>>(ga, gb) with __global__ ga, gb:      the two parameters are different objects
 *     __global__ void f(float *__restrict__ a, ...):  a's elements, if written,
 *         are used through a only
 *     f<<<...>>>(p, q) with any p and q:              the launch checks whether the bytes in use
 *         overlap
 *
 * Requires: struct kernel_access, facts. Gives up (rejects) when one of two names that may overlap
 * is written.
 */
#include "analysis/range/candidate.h"
#include "analysis/data/use_range.h"
#include "runtime/seeded.h"

/* Larger distances in bytes from a pointer count as unknown, and those of the lowest index of an
 * array of bytes. */
#define LARGEST (INT64_C(1) << 32)
#define LOWEST (-(INT64_C(1) << 31))

static int param_index(const struct symbols *symbols, const struct ir_var *var)
{
  const struct ir_function *kernel = symbols->facts->kernel;

  for (unsigned i = 0; i < kernel->param_count; i++)
    if (kernel->params[i] == var) return (int)i;
  return -1;
}

static bool is_restrict(const struct ir_var *var)
{
  return var->kind == IR_VAR_PARAM && var->type->is_restrict;
}

/* Is the variable its own object: a VS or device variable that is no pointer? */
static bool is_object(const struct ir_var *var)
{
  return var->kind != IR_VAR_PARAM && var->type->kind != IR_TYPE_POINTER;
}

/* Can the launch compare the two parameters? They must keep the values that the launch gives
 * them. */
static bool assumed_no_alias(const struct symbols *symbols, const struct ir_var *a,
                             const struct ir_var *b)
{
  if (!symbols->facts->assumed || a == b || a->write_count || b->write_count) return false;
  return *symbols->facts->assumed = true;
}

bool arrays_disjoint(const struct symbols *symbols, const struct ir_var *a, const struct ir_var *b)
{
  const struct kernel_facts *facts = symbols->facts;
  int i = param_index(symbols, a), j = param_index(symbols, b);

  if (a->is_constant_memory || b->is_constant_memory || is_restrict(a) || is_restrict(b))
    return true;
  if (is_object(a) && is_object(b)) return a != b;
  if (i >= 0 && j >= 0)
    return facts_disjoint(facts, (unsigned)i, (unsigned)j) || assumed_no_alias(symbols, a, b);
  if (i >= 0) return facts->pointers[i].bound && facts->pointers[i].object != b;
  if (j >= 0) return facts->pointers[j].bound && facts->pointers[j].object != a;
  return false;
}

static void add_no_alias(struct no_alias_list *list, const unsigned params[2],
                         const struct byte_range *bytes, const struct byte_range *other)
{
  if (bytes->begin && other->begin)
    list->items[list->count++] = (struct no_alias){params[0], params[1], false, *bytes, *other};
}

/* Has the range an end that no allocation reaches? Then its index is not known. */
static bool is_loose(const struct byte_range *bytes)
{
  int64_t begin, end;
  bool low = bytes->begin && ir_constant(bytes->begin, &begin) &&
             (SEEDED(LOWEST_IS_DISTANCE) ? begin < LOWEST : begin <= LOWEST),
       high = bytes->begin && ir_constant(bytes->end, &end) && end > LARGEST;
  return low || high;
}

bool alias_may_ask(const struct symbols *symbols, const struct array *array,
                   const struct array *other)
{
  return param_index(symbols, array->var) >= 0 && param_index(symbols, other->var) >= 0 &&
         !array->var->write_count && !other->var->write_count;
}

static bool is_asked(const struct no_alias_list *list, unsigned param, unsigned other)
{
  for (unsigned i = 0; i < list->count; i++)
    if (list->items[i].param == param && list->items[i].other == other) return true;
  return false;
}

bool alias_ask(struct symbols *symbols, const struct array *array, const struct array *other,
               struct no_alias_list *list)
{
  const struct kernel_facts *facts = symbols->facts;
  int own = param_index(symbols, array->var), that = param_index(symbols, other->var);
  const struct use_range *mine = own >= 0 && facts->footprints ? facts->footprints[own] : NULL;
  const struct use_range *theirs = that >= 0 && facts->footprints ? facts->footprints[that] : NULL;

  if (!alias_may_ask(symbols, array, other)) return false;
  if (is_asked(list, (unsigned)own, (unsigned)that)) return true;
  struct no_alias *grown = arena_alloc(symbols->arena, (list->count + 3) * sizeof *grown);
  for (unsigned i = 0; i < list->count; i++) grown[i] = list->items[i];
  list->items = grown;
  const unsigned params[2] = {(unsigned)own, (unsigned)that};
  bool loose = mine && theirs &&
               (is_loose(&mine->read) || is_loose(&mine->write) || is_loose(&theirs->read) ||
                is_loose(&theirs->write));
  if (!mine || !theirs || loose) {
    list->items[list->count++] =
        (struct no_alias){.param = params[0], .other = params[1], .objects = true};
    return true;
  }
  add_no_alias(list, params, &mine->read, &theirs->write);
  add_no_alias(list, params, &mine->write, &theirs->read);
  add_no_alias(list, params, &mine->write, &theirs->write);
  return true;
}

static bool keep_no_alias(struct symbols *symbols, struct candidate *c, const struct array *array,
                          const struct array *other)
{
  struct no_alias_list list = {c->no_alias, c->no_alias_count};
  bool can = alias_ask(symbols, array, other, &list);

  c->no_alias = list.items;
  c->no_alias_count = list.count;
  return can;
}

void candidate_alias(struct symbols *symbols, const struct kernel_access *access,
                     struct candidate *c, bool at_launch)
{
  const struct array *array = c->array;

  for (unsigned i = 0; i < access->arrays.count; i++) {
    const struct array *other = access->arrays.items[i];
    bool matters =
        other != array && ((array->written && (other->read || other->written)) || other->written);
    if (matters && !SEEDED(ALIAS_SKIPPED) && !arrays_disjoint(symbols, array->var, other->var) &&
        !(at_launch && keep_no_alias(symbols, c, array, other)))
      candidate_reject(c, &c->place,
                       arena_format(symbols->arena,
                                    "'%s' may overlap it, and one of them is written",
                                    other->var->name));
  }
  if (is_restrict(array->var)) return;
  if (access->unknown_write && !SEEDED(UNKNOWN_WRITE_IGNORED))
    candidate_reject(c, &access->unknown_place,
                     "the kernel writes through a pointer that may point into it");
  if (array->written && access->unknown_read)
    candidate_reject(
        c, &access->unknown_place,
        "it is written, and the kernel reads through a pointer that may point into it");
}

/* ---- tables ---- */

static unsigned values_of(const struct candidate *c)
{
  isl_set *sets[] = {c->may, c->loose, c->valid, c->box};
  unsigned bits = 0;

  for (unsigned i = 0; i < sizeof sets / sizeof *sets; i++) {
    isl_space *space = sets[i] ? isl_set_get_space(sets[i]) : NULL;
    bits |= space ? symbols_values_of(space) : 0;
    isl_space_free(space);
  }
  return bits;
}

/* A table that the launch has inspected must keep its values until the kernel ends. */
static void keep_table(struct symbols *symbols, const struct kernel_access *access,
                       struct candidate *c, const struct array *table)
{
  if (table->written || (access->unknown_write && !is_restrict(table->var)))
    candidate_reject(c, &c->place,
                     arena_format(symbols->arena,
                                  "the kernel may write '%s', which its index comes from",
                                  table->var->name));
  for (unsigned i = 0; i < access->arrays.count; i++) {
    const struct array *other = access->arrays.items[i];
    if (other == table || !other->written || arrays_disjoint(symbols, table->var, other->var) ||
        keep_no_alias(symbols, c, table, other))
      continue;
    candidate_reject(c, &c->place,
                     arena_format(symbols->arena,
                                  "'%s' may overlap '%s', which its index comes from",
                                  other->var->name, table->var->name));
  }
}

void candidate_inspected(struct symbols *symbols, const struct kernel_access *access,
                         struct candidate *c)
{
  for (unsigned t = 0; t < c->table_count; t++)
    for (unsigned i = 0; i < access->arrays.count; i++)
      if (access->arrays.items[i]->var == c->tables[t].table)
        keep_table(symbols, access, c, access->arrays.items[i]);
  c->values |= values_of(c);
  for (unsigned v = 0; v < symbols->values.count; v++)
    for (unsigned i = 0; i < access->arrays.count; i++)
      if (c->values >> v & 1 && !symbols->values.items[v].is_extent &&
          access->arrays.items[i]->var == symbols->values.items[v].array)
        keep_table(symbols, access, c, access->arrays.items[i]);
}
