/* SPDX-License-Identifier: MIT */
/* team_time.c - predicted cycles of a loop that sums up, as written and shared by teams.
 *
 *     time = START + max(time for the bytes, time that the loads are waited for)
 *
 * A multiprocessor reads STREAM bytes a cycle when all of them read. A thread of a team waits
 * LATENCY cycles for each batch of its loads, in as many waves of blocks as the launch takes, and
 * then COMBINE for the other parts. As written, a thread waits WAIT_ROWS or WAIT_COLUMNS cycles per
 * iteration (fitted to gemv and bicg of samples/bench on an H200, docs/inside/measurements.md). A
 * loop with an unknown trip count counts as ASSUMED_TRIPS iterations.
 *
 * Where all threads read the same elements (bodies that attract each other), the bytes come from a
 * cache, and time is that of the instructions:
 *
 *     time = START + iterations of a thread * max(WAIT_CACHED, ISSUE * warps of a scheduler)
 *
 * What teams gain are the multiprocessors without a block as written.
 */
#include "analysis/transform/team_reduce/team_reduce.h"

#include <math.h>

#define LATENCY 800.0 /* cycles of a batch of loads from device memory */
/* ... when all multiprocessors read; more blocks pay off then */
#define LATENCY_LOADED 2000.0
#define STREAM 20.0 /* bytes a cycle of a multiprocessor, when all read */
#define ALONE 1.5   /* factor for one of few */
#define WAIT_ROWS 150.0
#define WAIT_COLUMNS 107.0
#define SCATTERED 2.0 /* factor for lines of which a warp uses a part each time */
#define COMBINE 300.0 /* cycles to combine the parts of a team */
#define START 1500.0
#define WAIT_CACHED 45.0 /* cycles of an iteration that one warp makes alone */
#define ISSUE 15.0       /* ... that a scheduler is busy with one warp's iteration */
#define SCHEDULERS 4     /* of a multiprocessor */
#define WARP 32

enum { VECTOR_BATCH = 4, BATCH = 8, ASSUMED_TRIPS = 1024, USUAL_BLOCK = 256 };

static double trips_of(const struct team_loop *c)
{
  return c->trips >= 0 ? (double)c->trips : ASSUMED_TRIPS;
}

/* The number of blocks with teams that are resident at a time. */
static double slots_of(const struct target *target, const struct team *team)
{
  return target->multiprocessors *
         floor((double)target->threads_per_sm / (double)(team->elements * team->threads));
}

/* Cycles of `iterations` of each thread, in blocks of so many threads. */
static double uniform_time(const struct target *target, double blocks, double threads,
                           double iterations)
{
  double warps = ceil(blocks / target->multiprocessors) * threads / (WARP * SCHEDULERS),
         waves =
             fmax(1, blocks * threads / ((double)target->multiprocessors * target->threads_per_sm));

  return START + iterations * fmax(WAIT_CACHED * waves, ISSUE * warps);
}

int64_t team_reduce_batch(const struct team_loop *c, bool vectorized)
{
  return vectorized ? VECTOR_BATCH * c->vector : BATCH;
}

double team_reduce_stream_time(const struct team_loop *c, const struct target *target,
                               double elements)
{
  return elements * trips_of(c) * c->bytes / (STREAM * target->multiprocessors);
}

double team_reduce_written_time(const struct team_loop *c, const struct target *target,
                                double elements)
{
  double block = (double)(c->block > 0 ? c->block : USUAL_BLOCK);
  if (c->uniform)
    return uniform_time(target, ceil(elements / block), fmin(block, elements), trips_of(c));
  double waves = fmax(1, elements / ((double)target->multiprocessors * target->threads_per_sm));
  double wait = trips_of(c) * (c->rows ? WAIT_ROWS : WAIT_COLUMNS) * waves;

  return START +
         fmax(wait, team_reduce_stream_time(c, target, elements) * (c->rows ? SCATTERED : 1));
}

double team_reduce_team_time(const struct team_loop *c, const struct target *target,
                             const struct team *team, double elements)
{
  if (c->uniform)
    return uniform_time(target, ceil(elements / (double)team->elements),
                        (double)(team->elements * team->threads),
                        ceil(trips_of(c) / (double)team->threads)) +
           COMBINE + 10 * (double)team->threads;
  double sms = target->multiprocessors, blocks = ceil(elements / (double)team->elements);
  double waves = fmax(1, blocks / slots_of(target, team)),
         batch = (double)team_reduce_batch(c, c->vector);
  double rounds = ceil(trips_of(c) / ((double)team->threads * batch)),
         reading = fmin(blocks * ALONE, sms);
  double wait =
      waves * (rounds * LATENCY + COMBINE + (team->in_rows ? 0 : 10 * (double)team->threads));
  double narrow = team->in_rows || team->elements >= 32 ? 1 : team->elements >= 16 ? 1.1 : 1.3;

  return START + fmax(wait, elements * trips_of(c) * c->bytes * narrow / (STREAM * reading));
}

struct block_time team_reduce_block_time(const struct team_loop *c, const struct target *target,
                                         const struct team *team, bool vectorized, bool loaded)
{
  double batch = (double)team_reduce_batch(c, vectorized),
         bytes = (double)team->elements * c->bytes, latency = loaded ? LATENCY_LOADED : LATENCY;

  return (struct block_time){
      .block = {team->elements, 1},
      .resident = target->threads_per_sm / (unsigned)(team->elements * team->threads),
      .alone = fmax(latency / ((double)team->threads * batch), bytes / (STREAM * ALONE)),
      .busy = bytes / STREAM};
}
