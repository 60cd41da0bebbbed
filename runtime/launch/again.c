/* SPDX-License-Identifier: MIT */
/* again.c - launches of a batch that repeat an earlier launch.
 *
 * The record of a launch holds the calls around it, their results, and the count of changes
 * (mesi_changes, object.h) at its end. A launch is recorded where it has changed nothing itself:
 * its arrays were valid on the device, the host's copies of the arrays that it writes were stale,
 * and no host read was expected. While the count stays the same, a launch of the same site with the
 * same calls has the same results and needs no work, so that each call is only compared. The work
 * that remains is the new version of each object that it writes (inspect.c), the count of the
 * stream's launches (order.h), and the launch.
 *
 * Such a launch must be one that is held back (batch.c, steps.c): launches that the runtime makes
 * later it also watches later. Where a call or the end shows that a launch differs from its record,
 * the calls that have passed are made at that point.
 */
#include "again.h"

#include "../stream/batch.h"
#include "../base/error.h"
#include "../mesi.h"
#include "../stream/order.h"
#include "../seeded.h"
#include "../trace/trace.h"
#include "../stream/wait.h"

/* CALLS, WRITTEN: of a launch. KEPT: launches of a thread; a loop of more of them repeats none. */
enum { CALLS = 16, WRITTEN = 8, KEPT = 8 };

struct kept {
  const struct mesi_site *site; /* NULL: the record is unused */
  uint64_t changes;             /* the count at the launch's end */
  int device;
  unsigned stream; /* index, see order.h */
  unsigned count, written_count;
  struct mesi_call calls[CALLS];
  void *results[CALLS];
  struct mesi_object *written[WRITTEN];
};

enum mode { NEW, NOTED, REPEATED };

struct launch { /* the launch that the thread is making */
  enum mode mode;
  const struct mesi_site *site;
  mesi_make_fn *make;
  struct kept *kept; /* the record that it repeats, or into which it is noted */
  unsigned count;    /* calls so far */
  uint64_t changes;  /* the count at the first of them */
};

static _Thread_local struct kept all[KEPT];
static _Thread_local unsigned turn;
static _Thread_local struct launch current;

/* ---- the records ---- */

static bool stands(const struct kept *kept)
{
  return kept->site && (kept->changes == mesi_changes() || SEEDED(REPEATED_AFTER_CHANGE));
}

static struct kept *find(const struct mesi_site *site)
{
  for (unsigned i = 0; i < KEPT; i++)
    if (all[i].site == site && stands(&all[i])) return &all[i];
  return NULL;
}

static struct kept *room(void)
{
  struct kept *kept = NULL;

  for (unsigned i = 0; i < KEPT && !kept; i++) kept = stands(&all[i]) ? NULL : &all[i];
  if (!kept) kept = &all[turn++ % KEPT];
  kept->site = NULL;
  kept->count = kept->written_count = 0;
  return kept;
}

static bool same_call(const struct mesi_call *a, const struct mesi_call *b)
{
  return a->kind == b->kind && a->pointer == b->pointer && a->access == b->access &&
         a->use == b->use && a->read_begin == b->read_begin && a->read_end == b->read_end &&
         a->write_begin == b->write_begin && a->write_end == b->write_end;
}

static bool has(const struct kept *kept, unsigned at, const struct mesi_call *call)
{
  return at < kept->count && same_call(&kept->calls[at], call);
}

static bool same_start(const struct kept *kept, const struct kept *other, unsigned count)
{
  bool same = kept->device == other->device && count <= other->count;

  for (unsigned i = 0; i < count && same; i++) same = same_call(&kept->calls[i], &other->calls[i]);
  return same;
}

/* The record of a launch of the same site with the same calls so far and this one next. NULL: there
 * is none. */
static struct kept *go_on(const struct launch *launch, const struct mesi_call *call)
{
  if (has(launch->kept, launch->count, call)) return launch->kept;
  for (unsigned i = 0; i < KEPT; i++)
    if (all[i].site == launch->site && stands(&all[i]) && has(&all[i], launch->count, call) &&
        same_start(launch->kept, &all[i], launch->count))
      return &all[i];
  return NULL;
}

/* ---- the launch ---- */

static void begin_noting(void)
{
  current.mode = NOTED;
  current.kept = room();
  current.count = 0;
  current.changes = mesi_changes();
}

void mesi_again_begin(const struct mesi_site *site, mesi_make_fn *make)
{
  current.mode = NEW;
  current.make = make;
  if (!mesi_batch_open() || mesi_trace_on()) return;
  current.site = site;
  current.kept = find(site);
  current.count = 0;
  if (current.kept && current.kept->device == mesi_order_device())
    current.mode = REPEATED;
  else
    begin_noting();
}

/* The launch is no repetition: makes the calls that have passed. */
static void make_passed(void)
{
  struct kept before = *current.kept;
  unsigned count = current.count;

  begin_noting();
  for (unsigned i = 0; i < count; i++) current.make(&before.calls[i]);
}

bool mesi_again_passes(const struct mesi_call *call, void **ret_result)
{
  if (current.mode != REPEATED) return false;
  struct kept *kept = go_on(&current, call);
  if (!kept) {
    make_passed();
    return false;
  }
  current.kept = kept;
  *ret_result = kept->results[current.count++];
  return true;
}

void mesi_again_note(const struct mesi_call *call, void *result)
{
  if (current.mode != NOTED) return;
  if (current.count == CALLS) {
    current.mode = NEW;
    return;
  }
  current.kept->calls[current.count] = *call;
  current.kept->results[current.count++] = result;
}

void mesi_again_never(void)
{
  if (current.mode == REPEATED) make_passed();
  current.mode = NEW;
}

void mesi_again_left(void) { current.mode = NEW; }

int mesi_again_device(void) { return current.mode == REPEATED ? current.kept->device : -1; }

/* ---- the end of the launch ---- */

bool mesi_again_ends(bool held)
{
  struct kept *kept = current.kept;

  if (current.mode != REPEATED) return false;
  if (!held || current.count != kept->count || !stands(kept)) {
    make_passed();
    return false;
  }
  mesi_lock_to_launch();
  for (unsigned i = 0; i < kept->written_count; i++) mesi_object_changed(kept->written[i]);
  mesi_waiting_launch(current.site);
  mesi_order_launched(kept->device, kept->stream);
  mesi_unlock();
  current.mode = NEW;
  return true;
}

void mesi_again_writes(struct mesi_object *object)
{
  if (current.mode != NOTED) return;
  if (current.kept->written_count == WRITTEN)
    current.mode = NEW;
  else
    current.kept->written[current.kept->written_count++] = object;
}

void mesi_again_keep(int device, unsigned stream)
{
  struct kept *kept = current.kept;

  if (current.mode != NOTED || stream == MESI_STREAM_UNKNOWN || current.changes != mesi_changes())
    return;
  kept->changes = current.changes;
  kept->device = device;
  kept->stream = stream;
  kept->count = current.count;
  kept->site = current.site;
}
