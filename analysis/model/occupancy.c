/* SPDX-License-Identifier: MIT */
/* occupancy.c - what copies of whole arrays save in requests, and cost in blocks that a
 * multiprocessor holds.
 *
 *     copies of 24 KB a block, 64 threads     =>  9 blocks of 2 warps, where 32 fit without copies
 *
 * A warp's accesses take cycles of the load/store unit, which the warps of a multiprocessor share,
 * and cycles of waiting, which others hide if there are enough:
 *
 *     cycles of a warp = max(requests, waits / warps that a multiprocessor holds)
 *
 * A copy turns scattered requests into ones to shared memory. The loads that fill it wait for
 * device memory, as the first access of an element does without it. So a copy is a loss where few
 * accesses share it and few warps are left to wait. The cycles of waiting are those of
 * micro-benchmarks of Hopper; nvcc has UNDER_WAY loads of a loop under way. */
#include "analysis/model/model.h"

#include <math.h>

#define WAIT_CACHE 38.0 /* cycles from a load to its result */
#define WAIT_SHARED 29.0
#define WAIT_DEVICE 800.0 /* as LATENCY of work.c */
#define UNDER_WAY 4.0

enum { BLOCK_SHARED = 1024 /* bytes of each block that the device takes itself */ };

static double first_touches(const struct copied *array)
{
  return fmin(array->elements, array->reads);
}

static double waits_written(const struct copied *array)
{
  double first = first_touches(array);

  return (first * WAIT_DEVICE + (array->reads - first) * WAIT_CACHE) / UNDER_WAY;
}

void model_array_written(struct copying *c, const struct copied *array)
{
  c->requests += array->requests;
  c->waits += waits_written(array);
}

void model_array_copied(struct copying *c, const struct copied *array)
{
  double moved = array->elements * (double)(array->load + array->store);

  c->shared += array->bytes;
  c->requests += (array->reads + array->writes) * MODEL_BROADCAST - array->requests +
                 moved * (MODEL_NEIGHBOURS + MODEL_BROADCAST);
  c->waits +=
      (array->reads * WAIT_SHARED + (array->load ? array->elements * WAIT_DEVICE : 0)) / UNDER_WAY -
      waits_written(array);
}

unsigned model_blocks_held(const struct target *target, const struct copying *c)
{
  double fit = fmin((double)target->threads_per_sm / (double)c->threads, target->blocks_per_sm);

  if (c->shared)
    fit = fmin(fit, (double)target->shared_per_sm / (double)(c->shared + BLOCK_SHARED));
  return (unsigned)fmin(floor(fit), ceil(c->blocks / target->multiprocessors));
}

double model_copying(const struct target *target, const struct copying *c)
{
  double warps = model_blocks_held(target, c) * ceil((double)c->threads / 32);

  return warps > 0 ? fmax(c->requests, c->waits / warps) : INFINITY;
}
