/* SPDX-License-Identifier: MIT */
/* occupancy.c - leaves out copies that cost more in resident blocks than they gain.
 *
 *     for (k = 0; k < 8; k++)            blocks of 32 threads, -arch=sm_86
 *       for (i = 0; i < 187; i++) sum += tile[2 * (32 * i + t)] + tile[2 * (32 * i + t) + 1];
 *         =>  48000 bytes a block: 2 blocks on a multiprocessor, where the launch has 4
 *
 * In the order of the greedy choice, an array is taken where the predicted time with its copy
 * (analysis/model/occupancy.c) is no longer than without it, beside those that are taken already.
 * Requires candidates in order. Produces rejected candidates with the blocks and the factor as
 * their reason. Gives up, so that the choice is the paper's with the threshold of reuse: below -O2;
 * where threads or blocks of the launch, the number of a loop's iterations, or the accesses to some
 * array are not known. */
#include <math.h>

#include "analysis/model/model.h"
#include "analysis/plan/staging/planning.h"
#include "runtime/seeded.h"

/* Predictions are off by some 15%: a loss has to be more. */
#define LOSS 1.15

static double product_of(const int64_t numbers[3])
{
  double product = 1;

  for (int axis = 0; axis < 3; axis++) product *= numbers[axis] > 0 ? (double)numbers[axis] : 0;
  return product;
}

static bool is_counted(const struct array *array)
{
  if (array->reject) return false;
  for (unsigned i = 0; i < array->accesses.count; i++)
    if (array->accesses.items[i].guessed || array->accesses.items[i].trips) return false;
  return true;
}

/* Cycles of the load/store unit: one for two sectors, whose number follows from the distance of
 * neighbours' elements where that is known. */
static double request_cycles(struct planning *p, const struct array *array,
                             const struct access *access)
{
  double cycles = model_request(&p->symbols, access), step = fabs(model_step(&p->symbols, access));

  if (cycles <= MODEL_NEIGHBOURS || step == 0) return cycles;
  return fmin(cycles, fmax(MODEL_NEIGHBOURS, step * (double)array->element->size / 2));
}

static struct copied measured(struct planning *p, const struct array *array,
                              const struct candidate *c, double threads)
{
  struct copied ret = {0};

  for (unsigned i = 0; i < array->accesses.count; i++) {
    const struct access *access = &array->accesses.items[i];
    ret.reads += access->read ? access->count : 0;
    ret.writes += access->write ? access->count : 0;
    ret.requests += access->count * request_cycles(p, array, access);
  }
  if (!c || !c->bytes) return ret;
  ret.elements = (double)c->bytes / (double)array->element->size / threads;
  ret.bytes = c->bytes;
  ret.load = c->load;
  ret.store = c->store;
  return ret;
}

static const struct candidate *candidate_of(const struct planning *p, const struct array *array)
{
  for (unsigned i = 0; i < p->count; i++)
    if (p->candidates[i]->array == array) return p->candidates[i];
  return NULL;
}

/* The kernel without copies. False: something is not known. */
static bool measure_kernel(struct planning *p, uint64_t own_shared, struct copying *ret)
{
  const struct kernel_facts *facts = p->facts;

  *ret = (struct copying){.threads = (int64_t)product_of(facts->block),
                          .blocks = product_of(facts->grid),
                          .shared = own_shared};
  if (!ret->threads || ret->blocks == 0 || facts->dynamic_shared < 0) return false;
  for (unsigned i = 0; i < p->access.arrays.count; i++) {
    const struct array *array = p->access.arrays.items[i];
    if (!is_counted(array)) return false;
    struct copied copied = measured(p, array, candidate_of(p, array), (double)ret->threads);
    model_array_written(ret, &copied);
  }
  return true;
}

void weigh_occupancy(struct planning *p, uint64_t own_shared)
{
  const struct target *target = target_of(p->options->arch);
  struct copying now;
  uint64_t left = p->left;

  if (p->options->level < PLAN_O2 || SEEDED(OCCUPANCY_UNWEIGHED) ||
      !measure_kernel(p, own_shared, &now) || exhausted(p))
    return;
  for (unsigned i = 0; i < p->count; i++) {
    struct candidate *c = p->candidates[i];
    if (c->reject || c->bytes > left || !candidate_is_reused(p, c)) continue;
    struct copied copied = measured(p, c->array, c, (double)now.threads);
    struct copying with = now;
    model_array_copied(&with, &copied);
    double factor = model_copying(target, &with) / model_copying(target, &now);
    if (factor <= LOSS) {
      now = with;
      left -= c->bytes;
      continue;
    }
    candidate_reject(c, &c->place,
                     arena_format(arena_of(p),
                                  "with its copy of %llu bytes a multiprocessor holds %u blocks of "
                                  "the launch, else %u: predicted to take %.2f times as long",
                                  (unsigned long long)c->bytes, model_blocks_held(target, &with),
                                  model_blocks_held(target, &now), factor));
  }
}
