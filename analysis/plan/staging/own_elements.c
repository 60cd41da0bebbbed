/* SPDX-License-Identifier: MIT */
/* own_elements.c - elements that a thread keeps in its registers as well as a copy would.
 *
 *     for (use = 0; use < 8; use++)
 *       for (k = 0; k < 47; k++) sum += in[blockIdx.x * 6016 + k * 128 + threadIdx.x] * (use + 1);
 *   =>  { thread -> element } is injective, 47 elements of 4 bytes a thread
 *
 * No other thread of the block uses the element, and a thread uses few, by loops with constant
 * bounds: nvcc unrolls these and reads each element once, in front of the other loops. A copy adds
 * two barriers, and its bytes let fewer blocks be resident. On an H200 a block's tile of 47 KB,
 * read 8 times, took 2.2 times as long with a copy where 128 threads read 94 words each, and 1.7
 * times with 46 words each. With 188 words each it took 0.62 to 1.0 times as long, and so it did
 * with more. Attention, a thread a row of 32 bfloat16 over 512 others, took 1.14 times as long with
 * copies of its rows and of the others.
 *
 * Requires: a candidate with a constant range. Gives up: an array that is written, stores in a loop
 * whose count is not constant, behind which nvcc reads anew.
 */
#include "analysis/plan/staging/planning.h"

#include <isl/map.h>

#include "runtime/seeded.h"

enum { KEPT_BYTES = 128 * 4 }; /* of a thread's 255 registers */

/* { [thread] -> [element] } of one access: loops and what else differs between a thread's uses are
 * projected out. */
static isl_map *by_thread(struct symbols *symbols, const struct candidate *c, unsigned access)
{
  isl_set *domain = c->array->accesses.items[access].domain;
  isl_map *map = isl_map_from_range(candidate_elements(symbols, c, access, domain));

  for (int axis = 2; axis >= 0; axis--) {
    struct symbol *symbol = symbol_of_builtin(symbols, (enum ir_builtin)(IR_THREAD_IDX + axis));
    map = isl_map_intersect_params(map, symbols_close(symbols, isl_set_copy(symbol->bounds)));
    int at = isl_map_find_dim_by_id(map, isl_dim_param, symbol->id);
    map = at < 0 ? isl_map_insert_dims(map, isl_dim_in, 0, 1)
                 : isl_map_move_dims(map, isl_dim_in, 0, isl_dim_param, (unsigned)at, 1);
  }
  isl_space *space = isl_map_get_space(map);
  for (int i = isl_space_dim(space, isl_dim_param) - 1; i >= 0; i--)
    if (!symbol_is_uniform(symbol_of_param(space, (unsigned)i)))
      map = isl_map_project_out(map, isl_dim_param, (unsigned)i, 1);
  isl_space_free(space);
  return map;
}

/* Is there a store in a loop whose count is not constant? */
static bool stores_again(const struct kernel_access *access)
{
  for (unsigned i = 0; i < access->arrays.count; i++)
    for (unsigned k = 0; k < access->arrays.items[i]->accesses.count; k++) {
      const struct access *one = &access->arrays.items[i]->accesses.items[k];
      if (one->write && one->trips) return true;
    }
  return false;
}

bool keeps_in_registers(struct planning *p, const struct candidate *c)
{
  const struct kernel_facts *facts = p->facts;
  uint64_t threads =
      (uint64_t)facts->block[0] * (uint64_t)facts->block[1] * (uint64_t)facts->block[2];
  isl_map *all = NULL;

  if (p->options->level < PLAN_O2 || !has_constant_block(p) || !c->bytes ||
      c->bytes > threads * KEPT_BYTES || c->segmentation || c->array->written || SEEDED(OWN_STAGED))
    return false;
  if (stores_again(&p->access)) return false;
  for (unsigned i = 0; i < c->array->accesses.count; i++) {
    isl_map *one = by_thread(&p->symbols, c, i);
    all = all ? isl_map_union(all, one) : one;
  }
  bool own = all && isl_map_is_injective(all) == isl_bool_true;
  isl_map_free(all);
  return own && !exhausted(p);
}
