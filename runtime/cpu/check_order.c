/* SPDX-License-Identifier: MIT */
/* check_order.c - the order of accesses without a barrier of the block between them.
 *
 * Lanes of a warp: each lane has a vector of clocks over the warp. __syncwarp advances the clock of
 * each lane that takes part and then gives all of them the maxima. An access at clock c of lane l
 * comes before the present access of lane m where m's entry for l is above c. All clocks are 0 at
 * the beginning of an epoch.
 *
 * Atomic accesses: after a fence, an atomic or volatile write of an address releases the thread's
 * earlier accesses, and those of its block before the last barrier; it is an entry in the address's
 * log. A later atomic or volatile access of the address acquires all entries so far, for the thread
 * from then on and for its block from the next barrier on. A release also passes on the entries
 * that the thread has acquired from other blocks: a barrier of all blocks that one of them leads
 * orders the others among each other.
 */
#include "check_internal.h"
#include "../seeded.h"

#include <stdlib.h>
#include <string.h>

struct release {
  uint32_t block, epoch, thread;
};

struct release_log {
  const char *address;
  struct release *entries;
  unsigned count, room;
  struct release *passed; /* entries of others, which the threads of `entries` had acquired */
  unsigned passed_count, passed_room;
  struct release_log *next; /* in its bucket */
};

enum { BUCKETS = 1024, LANES = MESI_CPU_WARP, MOST_PASSED = 8192 };

static struct release_log *buckets[BUCKETS];

/* ---- lanes of a warp ---- */

void check_warp_synced(struct check_block *block, unsigned warp, unsigned lanes)
{
  if (!block->clocks[warp]) block->clocks[warp] = malloc(LANES * sizeof *block->clocks[warp]);
  if (!block->clocks[warp]) mesi_cpu_fail("no memory for the checker");
  if (block->clocks_epoch[warp] != block->epoch)
    memset(block->clocks[warp], 0, LANES * sizeof *block->clocks[warp]);
  block->clocks_epoch[warp] = block->epoch;
  uint16_t most[LANES] = {0};
  for (unsigned l = 0; l < LANES; l++) {
    if (!(lanes >> l & 1)) continue;
    uint16_t *row = block->clocks[warp][l];
    if (row[l] < CLOCK_MOST) row[l]++;
    for (unsigned m = 0; m < LANES; m++)
      if (row[m] > most[m]) most[m] = row[m];
  }
  for (unsigned l = 0; l < LANES; l++)
    if (lanes >> l & 1) memcpy(block->clocks[warp][l], most, sizeof most);
}

static bool warp_ordered(const struct check_block *block, struct record earlier, unsigned thread)
{
  unsigned them = earlier.who >> 22, warp = thread / LANES, clock = earlier.who >> 6 & CLOCK_MOST;
  if (them / LANES != warp || !check_clocks_hold(block, warp)) return false;
  return clock == CLOCK_MOST || block->clocks[warp][thread % LANES][them % LANES] > clock;
}

/* ---- atomic accesses ---- */

static struct release_log **bucket_of(const char *address)
{
  return &buckets[((uintptr_t)address >> 2) * 2654435761u >> 8 & (BUCKETS - 1)];
}

static struct release_log *log_of(const char *address, bool create)
{
  struct release_log **bucket = bucket_of(address);
  for (struct release_log *log = *bucket; log; log = log->next)
    if (log->address == address) return log;
  struct release_log *log = create ? calloc(1, sizeof *log) : NULL;
  if (!log) return NULL;
  log->address = address;
  log->next = *bucket;
  return *bucket = log;
}

static bool add_release(struct release **entries, unsigned *count, unsigned *room,
                        struct release entry)
{
  if (*count == *room) {
    unsigned more = *room ? 2 * *room : 8;
    struct release *grown = realloc(*entries, more * sizeof *grown);
    if (!grown) return false;
    *entries = grown;
    *room = more;
  }
  (*entries)[(*count)++] = entry;
  return true;
}

/* Is there an entry that orders at least as much of the entry's block? */
static bool is_passed(const struct release_log *log, const struct release *entry)
{
  for (unsigned i = log->passed_count; i-- > 0;) {
    const struct release *r = &log->passed[i];
    bool same = r->epoch == entry->epoch && r->thread == entry->thread;
    if (r->block == entry->block && (r->epoch > entry->epoch || same)) return true;
  }
  return false;
}

static void pass(struct release_log *log, const struct release *entries, unsigned count,
                 uint32_t own)
{
  for (unsigned i = 0; i < count; i++)
    if (entries[i].block != own && log->passed_count < MOST_PASSED && !is_passed(log, &entries[i]))
      add_release(&log->passed, &log->passed_count, &log->passed_room, entries[i]);
}

static bool holds_for(const struct check_block *block, const struct acquired *a, unsigned thread)
{
  return a->epoch < block->epoch || a->thread == thread;
}

static void pass_acquired(struct check_block *block, struct release_log *log, unsigned thread)
{
  for (unsigned i = 0; i < block->acquired_count; i++) {
    const struct acquired *a = &block->acquired[i];
    if (a->log == log || !holds_for(block, a, thread)) continue;
    pass(log, a->log->entries, a->count, block->block);
    pass(log, a->log->passed, a->passed, block->block);
  }
}

static void release_at(struct check_block *block, struct release_log *log, unsigned thread)
{
  struct release entry = {block->block, block->epoch, thread};
  if (!SEEDED(RELEASE_NOT_PASSED)) pass_acquired(block, log, thread);
  if (log->count && !memcmp(&log->entries[log->count - 1], &entry, sizeof entry)) return;
  add_release(&log->entries, &log->count, &log->room, entry);
}

static void acquire_at(struct check_block *block, const struct release_log *log, unsigned thread)
{
  for (unsigned i = 0; i < block->acquired_count; i++) {
    struct acquired *a = &block->acquired[i];
    if (a->log != log || a->thread != thread || a->epoch != block->epoch) continue;
    a->count = log->count;
    a->passed = log->passed_count;
    return;
  }
  if (block->acquired_count == block->acquired_room) {
    unsigned room = block->acquired_room ? 2 * block->acquired_room : 16;
    struct acquired *items = realloc(block->acquired, room * sizeof *items);
    if (!items) return;
    block->acquired = items;
    block->acquired_room = room;
  }
  block->acquired[block->acquired_count++] =
      (struct acquired){log, log->count, log->passed_count, thread, block->epoch};
}

void check_atomic(struct check_block *block, const char *address, unsigned thread, unsigned mode)
{
  if (!check.volatile_orders) return;
  bool releases = block->fenced && (mode & MESI_CHECK_WRITE);
  struct release_log *log = log_of(address, releases);
  if (!log) return;
  if (log->count) acquire_at(block, log, thread);
  if (releases) release_at(block, log, thread);
}

static bool one_orders(const struct release *entries, unsigned count, uint32_t block,
                       struct record earlier)
{
  for (unsigned i = 0; i < count; i++) {
    const struct release *r = &entries[i];
    if (r->block != block) continue;
    if (r->epoch > earlier.epoch || (r->epoch == earlier.epoch && r->thread == earlier.who >> 22))
      return true;
  }
  return false;
}

static bool released(const struct acquired *a, uint32_t block, struct record earlier)
{
  return one_orders(a->log->entries, a->count, block, earlier) ||
         one_orders(a->log->passed, a->passed, block, earlier);
}

static bool sync_ordered(const struct check_block *block, struct record earlier, unsigned thread)
{
  if (!block->acquired_count) return false;
  uint32_t them = check_block_of(earlier.epoch);
  for (unsigned i = 0; i < block->acquired_count; i++)
    if (holds_for(block, &block->acquired[i], thread) &&
        released(&block->acquired[i], them, earlier))
      return true;
  return false;
}

/* Has the thread seen every atomic access of the address so far? */
static bool all_acquired(const struct check_block *block, const char *address, unsigned thread)
{
  const struct release_log *log = block->acquired_count ? log_of(address, false) : NULL;
  for (unsigned i = 0; log && i < block->acquired_count; i++) {
    const struct acquired *a = &block->acquired[i];
    if (a->log == log && a->count + 1 >= log->count && holds_for(block, a, thread)) return true;
  }
  return false;
}

/* ---- the interface ---- */

bool check_ordered(const struct check_block *block, struct record earlier, unsigned thread,
                   const char *address)
{
  if (earlier.epoch < check.floor) return true;
  bool several = earlier.who & RECORD_SEVERAL, blocks = earlier.who & RECORD_BLOCKS;
  if (earlier.epoch == block->epoch) {
    if (earlier.who >> 22 == thread && !several) return true;
    if (!(earlier.who & (RECORD_WARPS | RECORD_BLOCKS)) && warp_ordered(block, earlier, thread))
      return true;
  } else if (earlier.epoch >= block->first && check_block_of(earlier.epoch) == block->block &&
             !blocks) {
    return true;
  }
  return several ? all_acquired(block, address, thread) : sync_ordered(block, earlier, thread);
}

void check_begin_order(struct check_block *block)
{
  block->fenced = false;
  block->acquired_count = 0;
}

void check_launch_order(void)
{
  check.volatile_orders = false;
  for (unsigned i = 0; i < BUCKETS; i++) {
    for (struct release_log *log = buckets[i], *next; log; log = next) {
      next = log->next;
      free(log->entries);
      free(log->passed);
      free(log);
    }
    buckets[i] = NULL;
  }
}
