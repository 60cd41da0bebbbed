/* SPDX-License-Identifier: MIT */
/* plan.c - the arrays that a launch stages in shared memory, chosen by its arguments.
 *
 *     a: 16 x n floats, n accesses a thread; b: n x 16 floats, n accesses; capacity 48 KB
 *   => n = 300: both; n = 500: the first; n = 1000: none
 *
 * The choice is the compiler's where sizes are constants: arrays by accesses per byte, descending,
 * each one that fits in the room that is left. Nothing is staged where no array alone is worth a
 * copy. Requires: sizes and counts evaluated from the launch's arguments; they may be anything.
 * Gives up: never; an array whose condition fails, that is empty or that does not fit is not
 * staged.
 */
#include <stdbool.h>
#include <string.h>

#include "../mesi.h"

enum { ALIGNMENT = 16 };

/* Bytes of the copy, with what its rows end with; 0: it cannot be staged within `capacity`. */
static unsigned long long bytes_of(const struct mesi_plan_array *array, unsigned long long capacity)
{
  unsigned long long bytes = array->element;

  if (!array->condition || array->dims > MESI_PLAN_DIMS) return 0;
  for (unsigned d = 0; d < array->dims; d++) {
    if (array->size[d] < 1 || (unsigned long long)array->size[d] > capacity / bytes) return 0;
    bool odd = array->odd_rows && d + 1 == array->dims;
    bytes *= (unsigned long long)array->size[d] | odd;
  }
  return bytes;
}

static bool is_reused(const struct mesi_plan_array *array, unsigned long long bytes,
                      unsigned long long threads, double reuse)
{
  reuse = array->reuse > reuse ? array->reuse : reuse;
  return array->accesses > 0 &&
         array->accesses * (double)threads * array->element >= reuse * (double)bytes;
}

static void take(struct mesi_plan *plan, const struct mesi_plan_array *array, unsigned i,
                 unsigned long long bytes)
{
  plan->staged |= 1u << i;
  plan->offset[i] = (plan->bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  plan->bytes = plan->offset[i] + (unsigned)bytes;
  for (unsigned d = 0; d < array->dims; d++) plan->size[i][d] = (int)array->size[d];
}

/* The array not considered yet that alone is worth a copy and has most accesses per byte; `count`:
 * none is left. */
static unsigned best_of(const struct mesi_plan_array *arrays, unsigned count,
                        const unsigned long long *bytes, unsigned done)
{
  unsigned best = count;

  for (unsigned i = 0; i < count; i++) {
    if (done & 1u << i || !bytes[i]) continue;
    if (best < count && arrays[i].only_beside != arrays[best].only_beside) {
      best = arrays[i].only_beside ? best : i;
      continue;
    }
    if (best == count ||
        arrays[i].accesses / (double)bytes[i] > arrays[best].accesses / (double)bytes[best])
      best = i;
  }
  return best;
}

static bool any_for_itself(const struct mesi_plan_array *arrays, unsigned count,
                           const unsigned long long *bytes, unsigned long long threads,
                           double reuse)
{
  for (unsigned i = 0; i < count; i++)
    if (bytes[i] && !arrays[i].only_beside && is_reused(&arrays[i], bytes[i], threads, reuse))
      return true;
  return false;
}

void mesi_plan_choose(const struct mesi_plan_array *arrays, unsigned count,
                      unsigned long long capacity, unsigned long long threads, double reuse,
                      struct mesi_plan *ret)
{
  unsigned long long bytes[MESI_PLAN_ARRAYS];

  ret->staged = ret->bytes = 0;
  memset(ret->offset, 0, sizeof ret->offset);
  memset(ret->size, 0, sizeof ret->size);
  count = count < MESI_PLAN_ARRAYS ? count : MESI_PLAN_ARRAYS;
  for (unsigned i = 0; i < count; i++) bytes[i] = bytes_of(&arrays[i], capacity);
  unsigned done = any_for_itself(arrays, count, bytes, threads, reuse) ? 0 : ~0u;
  for (unsigned i = best_of(arrays, count, bytes, done); i < count;
       i = best_of(arrays, count, bytes, done)) {
    unsigned long long begin = (ret->bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    done |= 1u << i;
    if (begin + bytes[i] <= capacity && is_reused(&arrays[i], bytes[i], threads, reuse))
      take(ret, &arrays[i], i, bytes[i]);
  }
}
