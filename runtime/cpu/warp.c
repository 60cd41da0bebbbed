/* SPDX-License-Identifier: MIT */
/* warp.c - operations over the lanes of a warp.
 *
 * A lane posts a request and waits. Requests complete together when every lane of the mask that has
 * not exited has posted the same operation with the same mask. Lanes of one warp in different
 * branches use disjoint masks and so complete separately. The block finds requests that can never
 * complete: no thread can run.
 */
#include "scheduler_internal.h"

#include <stdio.h>
#include <stdlib.h>

static struct request *request_of(struct worker *w, unsigned warp, unsigned lane)
{
  return &w->request[warp * MESI_CPU_WARP + lane];
}

/* ---- results ---- */

#define EACH_LANE(lane, lanes) \
  for (uint32_t rest_ = (lanes), lane; rest_ && ((lane = (uint32_t)__builtin_ctz(rest_)), 1); \
       rest_ &= rest_ - 1)

/* The lane that `lane` reads from, PTX ISA "shfl.sync": stays in its own part of `width` lanes. */
static unsigned shuffle_source(const struct request *r, unsigned lane)
{
  unsigned width = (unsigned)r->width, part = lane & ~(width - 1), in_part = lane & (width - 1);
  unsigned delta = (unsigned)r->lane;
  switch ((enum mesi_cpu_shuffle)r->how) {
  case MESI_CPU_SHFL: return part + (delta & (width - 1));
  case MESI_CPU_SHFL_UP: return in_part >= (delta & 31) ? lane - (delta & 31) : lane;
  case MESI_CPU_SHFL_DOWN: return in_part + (delta & 31) < width ? lane + (delta & 31) : lane;
  case MESI_CPU_SHFL_XOR: return (lane ^ (delta & 31)) < part + width ? lane ^ (delta & 31) : lane;
  }
  return lane;
}

static void finish_shuffle(struct worker *w, unsigned warp, unsigned lanes)
{
  EACH_LANE(lane, lanes)
  {
    struct request *r = request_of(w, warp, lane);
    unsigned source = shuffle_source(r, lane);
    r->result = request_of(w, warp, lanes >> source & 1 ? source : lane)->value;
  }
}

static void finish_vote(struct worker *w, unsigned warp, unsigned lanes)
{
  unsigned ballot = 0;
  EACH_LANE(lane, lanes) ballot |= (request_of(w, warp, lane)->value != 0) * (1u << lane);
  EACH_LANE(lane, lanes)
  {
    struct request *r = request_of(w, warp, lane);
    r->result = r->how == MESI_CPU_BALLOT ? ballot
                : r->how == MESI_CPU_ANY  ? ballot != 0
                                          : ballot == lanes;
  }
}

static void finish_match(struct worker *w, unsigned warp, unsigned lanes)
{
  EACH_LANE(lane, lanes)
  {
    struct request *r = request_of(w, warp, lane);
    unsigned equal = 0;
    EACH_LANE(other, lanes)
    equal |= (request_of(w, warp, other)->value == r->value) * (1u << other);
    r->all = equal == lanes;
    r->result = r->op == OP_MATCH_ANY ? equal : r->all ? lanes : 0;
  }
}

static unsigned combine(enum mesi_cpu_reduce how, unsigned a, unsigned b)
{
  switch (how) {
  case MESI_CPU_ADD: return a + b;
  case MESI_CPU_MIN_U: return a < b ? a : b;
  case MESI_CPU_MAX_U: return a > b ? a : b;
  case MESI_CPU_MIN_S: return (int)a < (int)b ? a : b;
  case MESI_CPU_MAX_S: return (int)a > (int)b ? a : b;
  case MESI_CPU_AND: return a & b;
  case MESI_CPU_OR: return a | b;
  case MESI_CPU_XOR: return a ^ b;
  }
  return a;
}

static void finish_reduce(struct worker *w, unsigned warp, unsigned lanes)
{
  unsigned first = (unsigned)__builtin_ctz(lanes);
  const struct request *leader = request_of(w, warp, first);
  unsigned sum = (unsigned)leader->value;
  EACH_LANE(lane, lanes & (lanes - 1))
  sum = combine((enum mesi_cpu_reduce)leader->how, sum, (unsigned)request_of(w, warp, lane)->value);
  EACH_LANE(lane, lanes) request_of(w, warp, lane)->result = sum;
}

static void finish(struct worker *w, unsigned warp, unsigned lanes)
{
  switch (request_of(w, warp, (unsigned)__builtin_ctz(lanes))->op) {
  case OP_SHUFFLE: finish_shuffle(w, warp, lanes); break;
  case OP_VOTE: finish_vote(w, warp, lanes); break;
  case OP_MATCH_ANY:
  case OP_MATCH_ALL: finish_match(w, warp, lanes); break;
  case OP_REDUCE: finish_reduce(w, warp, lanes); break;
  case OP_ACTIVE_MASK: EACH_LANE(lane, lanes) request_of(w, warp, lane)->result = lanes; break;
  case OP_SYNC: break;
  }
}

/* ---- rendezvous ---- */

static void release(struct worker *w, unsigned warp, unsigned lanes)
{
  uint16_t threads[MESI_CPU_WARP];
  unsigned count = 0;
  int is_barrier = request_of(w, warp, (unsigned)__builtin_ctz(lanes))->op == OP_SYNC;
  finish(w, warp, lanes);
  EACH_LANE(lane, lanes) threads[count++] = (uint16_t)(warp * MESI_CPU_WARP + lane);
  w->warp_waiting[warp] &= ~lanes;
  block_make_ready(w, threads, count);
  if (mesi_cpu_hooks && mesi_cpu_hooks->warp_complete)
    mesi_cpu_hooks->warp_complete(warp, lanes, is_barrier);
}

/* Completes the operation in which `lane` waits where all of its lanes have arrived. */
static void try_complete(struct worker *w, unsigned warp, unsigned lane)
{
  const struct request *mine = request_of(w, warp, lane);
  unsigned lanes = mine->mask & w->warp_alive[warp];
  if ((w->warp_waiting[warp] & lanes) != lanes) return;
  EACH_LANE(other, lanes)
  {
    const struct request *r = request_of(w, warp, other);
    if (r->mask != mine->mask || r->op != mine->op || r->how != mine->how) return;
  }
  release(w, warp, lanes);
}

void warp_thread_exited(struct worker *w, unsigned thread)
{
  unsigned warp = thread / MESI_CPU_WARP, lane = thread % MESI_CPU_WARP;
  EACH_LANE(other, w->warp_waiting[warp])
  if (w->warp_waiting[warp] >> other & 1 && request_of(w, warp, other)->mask >> lane & 1)
    try_complete(w, warp, other);
}

static struct worker *calling_worker(void)
{
  struct worker *w = mesi_cpu_worker;
  if (w && w->launch) return w;
  fprintf(stderr, "mesi: a warp operation was called outside a kernel\n");
  exit(MESI_CPU_EXIT);
}

static struct request *perform(struct request request)
{
  struct worker *w = calling_worker();
  unsigned thread = w->current, warp = thread / MESI_CPU_WARP, lane = thread % MESI_CPU_WARP;
  if (!(request.mask >> lane & 1))
    mesi_cpu_fail("warp operation with mask 0x%08x that does not name the calling lane %u",
                  request.mask, lane);
  struct request *r = &w->request[thread];
  *r = request;
  w->warp_waiting[warp] |= 1u << lane;
  w->state[thread] = THREAD_WARP;
  try_complete(w, warp, lane);
  block_suspend(w);
  return r;
}

/* ---- the operations ---- */

void mesi_cpu_warp_barrier(unsigned mask)
{
  perform((struct request){.op = OP_SYNC, .mask = mask});
}

uint64_t mesi_cpu_shuffle(unsigned mask, enum mesi_cpu_shuffle how, uint64_t value, int lane,
                          int width)
{
  if (width < 1 || width > MESI_CPU_WARP || (width & (width - 1)))
    mesi_cpu_fail("warp shuffle with width %d, not a power of two up to 32", width);
  return perform((struct request){.op = OP_SHUFFLE,
                                  .how = how,
                                  .mask = mask,
                                  .value = value,
                                  .lane = lane,
                                  .width = width})
      ->result;
}

unsigned mesi_cpu_vote(unsigned mask, enum mesi_cpu_vote how, int predicate)
{
  return (unsigned)perform(
             (struct request){.op = OP_VOTE, .how = how, .mask = mask, .value = predicate != 0})
      ->result;
}

unsigned mesi_cpu_match_any(unsigned mask, uint64_t value)
{
  return (unsigned)perform((struct request){.op = OP_MATCH_ANY, .mask = mask, .value = value})
      ->result;
}

unsigned mesi_cpu_match_all(unsigned mask, uint64_t value, int *ret_all)
{
  struct request *r = perform((struct request){.op = OP_MATCH_ALL, .mask = mask, .value = value});
  *ret_all = (int)r->all;
  return (unsigned)r->result;
}

unsigned mesi_cpu_reduce(unsigned mask, enum mesi_cpu_reduce how, unsigned value)
{
  return (unsigned)perform(
             (struct request){.op = OP_REDUCE, .how = how, .mask = mask, .value = value})
      ->result;
}

/* No rendezvous: completes when no other thread of the block can run, for the lanes that wait at
 * the same call. */
__attribute__((noinline)) unsigned mesi_cpu_active_mask(void)
{
  struct worker *w = calling_worker();
  struct request *r = &w->request[w->current];
  *r = (struct request){.op = OP_ACTIVE_MASK, .site = __builtin_return_address(0)};
  w->state[w->current] = THREAD_ACTIVE_MASK;
  w->asking_active++;
  block_suspend(w);
  return (unsigned)r->result;
}

static unsigned lanes_at_site(struct worker *w, unsigned warp, const void *site)
{
  unsigned lanes = 0;
  for (unsigned lane = 0; lane < MESI_CPU_WARP && warp * MESI_CPU_WARP + lane < w->count; lane++)
    if (w->state[warp * MESI_CPU_WARP + lane] == THREAD_ACTIVE_MASK &&
        request_of(w, warp, lane)->site == site)
      lanes |= 1u << lane;
  return lanes;
}

/* Requires a thread in THREAD_ACTIVE_MASK; makes all such threads runnable. */
void warp_complete_active(struct worker *w)
{
  for (unsigned t = 0; t < w->count; t++)
    if (w->state[t] == THREAD_ACTIVE_MASK)
      release(w, t / MESI_CPU_WARP, lanes_at_site(w, t / MESI_CPU_WARP, w->request[t].site));
  w->asking_active = 0;
}
