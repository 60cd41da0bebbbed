/* SPDX-License-Identifier: MIT */
/* uses.c - the state of the objects that a launch uses, before and after it.
 *
 * An object is made valid on the device where the kernel may read it, or may write only some of the
 * bytes that count as written. Bytes that it writes are stale elsewhere, before the launch and
 * again after it, since its arguments may have touched them in between. Bytes that are overwritten
 * as a whole become valid on the device only after the launch: another use in the same launch may
 * still have to bring them.
 *
 * Two threads may make launches at once. Where one of them is about to overwrite bytes as a whole,
 * the other brings none of them, since that copy would replace the results. It also counts none of
 * them as written, since it would then need them. The two launches have no order, so that the other
 * one can want none of these bytes.
 *
 * After the launch, the written bytes that the host is expected to read start their way to it
 * (habit.c).
 */
#include "uses.h"

#include "../base/error.h"
#include "../stream/devices.h"
#include "../object/habit.h"
#include "../stream/order.h"
#include "../object/pointers.h"
#include "../object/poison.h"
#include "../seeded.h"
#include "../transfer/state.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_INTERVALS = 64 }; /* in the record of bytes that launches use of an object */

static struct mesi_uses *overwriting; /* the uses of launches that are being made, of all threads */
static _Thread_local char thread;     /* its address differs in each thread */

/* ---- bytes that other threads overwrite ---- */

static bool is_plain_write(unsigned access)
{
  return (access & MESI_WRITE) && !(access & MESI_OVERWRITE);
}

static void now_overwriting(struct mesi_uses *uses)
{
  if (uses->overwrites) return;
  uses->overwrites = true;
  uses->next = overwriting;
  overwriting = uses;
}

static void not_overwriting(struct mesi_uses *uses)
{
  struct mesi_uses **place = &overwriting;
  if (!uses->overwrites) return;
  while (*place != uses) place = &(*place)->next;
  *place = uses->next;
  uses->overwrites = false;
}

void mesi_uses_in_child(struct mesi_uses *uses)
{
  overwriting = uses->overwrites ? uses : NULL;
  uses->next = NULL;
}

/* One piece of the span that the other launch overwrites; empty: there is none. */
static struct mesi_span overwritten(const struct mesi_uses *other, const struct mesi_object *object,
                                    struct mesi_span span)
{
  for (size_t i = 0; i < other->count; i++) {
    const struct mesi_use *use = &other->items[i];
    struct mesi_span both = mesi_span_clip(use->write, span);
    bool whole = (use->done & MESI_WRITE) && !is_plain_write(use->done);
    if (use->object == object && whole && !mesi_span_empty(both)) return both;
  }
  return (struct mesi_span){0, 0};
}

static struct mesi_span overwritten_elsewhere(const struct mesi_uses *uses,
                                              const struct mesi_object *object,
                                              struct mesi_span span)
{
  for (const struct mesi_uses *other = overwriting; other; other = other->next) {
    if (other->thread == uses->thread || SEEDED(OVERWRITTEN_BROUGHT)) continue;
    struct mesi_span both = overwritten(other, object, span);
    if (!mesi_span_empty(both)) return both;
  }
  return (struct mesi_span){0, 0};
}

/* ---- the list ---- */

void mesi_uses_init(struct mesi_uses *uses, int device, const char *cause)
{
  not_overwriting(uses);
  uses->thread = &thread;
  uses->device = device;
  uses->cause = cause;
  uses->items = uses->first;
  uses->count = 0;
  uses->capacity = MESI_USES_INLINE;
  uses->arrived = uses->left = 0;
  for (int other = 0; mesi_devices_several() && other < MESI_DEVICE_MAX; other++)
    uses->taken[other] = 0;
  uses->part = false;
}

static bool same_span(struct mesi_span a, struct mesi_span b)
{
  return a.begin == b.begin && a.end == b.end;
}

/* Another thread's launch may take over the mark; the object is then listed twice, which does no
 * harm. */
static struct mesi_use *find_use(const struct mesi_uses *uses, const struct mesi_use *wanted)
{
  struct mesi_use *use = &uses->items[wanted->object->mark];
  bool found = wanted->object->mark < uses->count && use->object == wanted->object &&
               same_span(use->read, wanted->read) && same_span(use->write, wanted->write);
  return found ? use : NULL;
}

static void grow(struct mesi_uses *uses)
{
  struct mesi_use *larger = mesi_need(malloc(uses->capacity * 2 * sizeof *larger));
  memcpy(larger, uses->items, uses->count * sizeof *larger);
  if (uses->items != uses->first) free(uses->items);
  uses->items = larger;
  uses->capacity *= 2;
}

/* The joined use overwrites where no write in it is a plain one. */
static unsigned join(unsigned before, unsigned access)
{
  unsigned both = before | access;
  bool plain = ((before & MESI_WRITE) && !(before & MESI_OVERWRITE)) ||
               ((access & MESI_WRITE) && !(access & MESI_OVERWRITE));
  return plain ? both & ~(unsigned)MESI_OVERWRITE : both;
}

static void list_one(struct mesi_uses *uses, struct mesi_use wanted)
{
  struct mesi_use *use = find_use(uses, &wanted);
  if (use) {
    use->access = SEEDED(SECOND_USE_LOST) ? use->access : join(use->access, wanted.access);
    return;
  }
  if (uses->count == uses->capacity) grow(uses);
  wanted.object->mark = uses->count;
  uses->items[uses->count++] = wanted;
}

/* Lists the use without the bytes that other threads overwrite. Where no byte is left, the object
 * still gets memory on the device. */
static void list(struct mesi_uses *uses, struct mesi_use wanted)
{
  struct mesi_span all = mesi_span_empty(wanted.read) ? wanted.write : wanted.read;
  if (!mesi_span_empty(wanted.write)) {
    if (wanted.write.begin < all.begin) all.begin = wanted.write.begin;
    if (wanted.write.end > all.end) all.end = wanted.write.end;
  }
  struct mesi_span apart = overwritten_elsewhere(uses, wanted.object, all);
  bool brings = !mesi_span_empty(wanted.read) || is_plain_write(wanted.access);
  if (mesi_span_empty(apart) || !brings) {
    list_one(uses, wanted);
    return;
  }
  struct mesi_use before = wanted, behind = wanted;
  struct mesi_span left = {0, apart.begin}, right = {apart.end, SIZE_MAX};
  before.read = mesi_span_clip(wanted.read, left);
  before.write = mesi_span_clip(wanted.write, left);
  behind.read = mesi_span_clip(wanted.read, right);
  behind.write = mesi_span_clip(wanted.write, right);
  list_one(uses, before);
  if (!mesi_span_empty(behind.read) || !mesi_span_empty(behind.write)) list(uses, behind);
}

/* The use with ranges of the object: empty where not accessed, whole where the object holds
 * pointers. */
static struct mesi_use normal(struct mesi_object *object, struct mesi_span read,
                              struct mesi_span write, unsigned access)
{
  struct mesi_span whole = mesi_object_whole(object), none = {0, 0};
  if (object->constant) access &= ~(unsigned)(MESI_WRITE | MESI_OVERWRITE);
  if (!(access & (MESI_READ | MESI_WRITE))) access |= MESI_READ;
  struct mesi_use use = {object, none, none, access, 0};
  read = mesi_span_clip(read, whole);
  write = mesi_span_clip(write, whole);
  if (access & MESI_READ) use.read = mesi_state_span(object, read);
  if (access & MESI_WRITE) use.write = mesi_state_span(object, write);
  if (!same_span(use.write, write)) use.access &= ~(unsigned)MESI_OVERWRITE;
  return use;
}

static void add_reached(struct mesi_uses *uses, struct mesi_object *object, unsigned access)
{
  mesi_launch_for_one_rank(object, "it holds pointers, which are good for one rank alone");
  unsigned reached = access & (MESI_WRITE | MESI_REACH_WRITE) ? MESI_READ_WRITE : MESI_READ;
  mesi_change(); /* its pointers may lead to other objects the next time */
  if (!mesi_pointers_reach_known(object)) {
    mesi_state_to_host(object, mesi_object_whole(object), uses->cause);
    mesi_pointers_reach(object);
  }
  for (size_t i = 0; i < object->reach_count; i++) {
    struct mesi_span whole = mesi_object_whole(object->reach[i]);
    list(uses, normal(object->reach[i], whole, whole, reached));
  }
}

static uint64_t later(uint64_t ticket, uint64_t other) { return ticket > other ? ticket : other; }

/* Copies to other devices of bytes that the launch writes come first. A copy to the host of such
 * bytes was started for a host use that has not come. A write beside it would do no harm, since its
 * bytes are dropped, but the launch comes behind it all the same. */
static void come_behind(struct mesi_uses *uses, const struct mesi_object *object,
                        const struct mesi_use *use)
{
  const struct mesi_copy *copy = &object->device[uses->device];
  uses->arrived = later(uses->arrived, mesi_flights_ticket(&copy->arriving, use->read));
  uses->arrived = later(uses->arrived, mesi_flights_ticket(&copy->arriving, use->write));
  uses->left = later(uses->left, mesi_flights_ticket(&copy->leaving, use->write));
  for (int other = 0; mesi_devices_several() && other < object->device_count; other++)
    if (other != uses->device && !SEEDED(TAKEN_OVERWRITTEN))
      uses->taken[other] = later(uses->taken[other],
                                 mesi_flights_ticket(&object->device[other].arriving, use->write));
}

static void make_ready(struct mesi_uses *uses, size_t index)
{
  struct mesi_use use = uses->items[index];
  struct mesi_object *object = use.object;
  uses->items[index].done = use.access;
  mesi_state_to_device(object, uses->device, use.read, uses->cause);
  if (is_plain_write(use.access))
    mesi_state_to_device(object, uses->device,
                         SEEDED(PARTIAL_WRITE_NOT_SENT) ? use.read : use.write, uses->cause);
  mesi_object_back(object, uses->device, use.write);
  if (mesi_pointers_any(object)) add_reached(uses, object, use.access);
  if ((use.access & MESI_WRITE) && !(use.done & MESI_WRITE)) object->writers++;
  if (is_plain_write(use.access)) mesi_state_device_writes(object, uses->device, use.write);
  if ((use.access & MESI_WRITE) && !is_plain_write(use.access)) now_overwriting(uses);
  if ((use.access & MESI_WRITE) && !is_plain_write(use.access) && mesi_span_empty(use.read) &&
      !uses->part)
    mesi_poison_device(object, uses->device, use.write);
  come_behind(uses, object, &use);
}

/* A sum that grows with each of the tickets. */
static uint64_t all_behind(const struct mesi_uses *uses)
{
  uint64_t sum = uses->arrived + uses->left;
  for (int other = 0; mesi_devices_several() && other < MESI_DEVICE_MAX; other++)
    sum += uses->taken[other];
  return sum;
}

bool mesi_uses_add(struct mesi_uses *uses, struct mesi_object *object, struct mesi_span read,
                   struct mesi_span write, unsigned access)
{
  uint64_t before = all_behind(uses);
  list(uses, normal(object, read, write, access));
  bool changed;
  do {
    changed = false;
    for (size_t i = 0; i < uses->count; i++)
      if (uses->items[i].done != uses->items[i].access) {
        make_ready(uses, i);
        changed = true;
      }
  } while (changed);
  return before != all_behind(uses);
}

unsigned mesi_uses_writes(const struct mesi_uses *uses, const struct mesi_object *object)
{
  unsigned writers = 0;
  for (size_t i = 0; i < uses->count; i++)
    writers += uses->items[i].object == object && (uses->items[i].done & MESI_WRITE);
  return writers;
}

/* ---- after the launch ---- */

/* The host uses the object without notice from now on. */
static void hand_back(struct mesi_object *object, const char *cause)
{
  struct mesi_span whole = mesi_object_whole(object);
  mesi_change();
  mesi_state_to_host(object, whole, cause);
  mesi_state_host_writes(object, whole);
}

/* A scattered use counts as the whole object: a transfer may then wait for longer than it has
 * to. */
static void note_used(struct mesi_object *object, struct mesi_copy *copy, struct mesi_span span)
{
  if (mesi_span_empty(span) || mesi_ranges_contain(&copy->used, span)) return;
  mesi_change();
  mesi_ranges_add(&copy->used, span);
  if (copy->used.count > MOST_INTERVALS)
    mesi_ranges_add(&copy->used, (struct mesi_span){0, mesi_object_capacity(object)});
}

static void note_stream(uint64_t *streams, unsigned stream)
{
  uint64_t bit = (uint64_t)1 << stream;

  if (!(*streams & bit)) mesi_change();
  *streams |= bit;
}

static void finish_use(struct mesi_uses *uses, struct mesi_use *use, unsigned stream)
{
  struct mesi_object *object = use->object;
  struct mesi_copy *copy = &object->device[uses->device];
  note_stream(&copy->readers, stream);
  note_used(object, copy, use->read);
  note_used(object, copy, use->write);
  if (use->done & MESI_WRITE) {
    note_stream(&copy->writers, stream);
    mesi_state_device_writes(object, uses->device, use->write);
    object->writers--;
  }
  if (object->mode == MESI_EAGER && !SEEDED(EAGER_NOT_COPIED)) hand_back(object, uses->cause);
}

/* Does nothing while another launch that writes the object is being made. */
void mesi_uses_foresee(struct mesi_object *object, int device, const struct mesi_site *site,
                       struct mesi_span written)
{
  if (object->mode != MESI_EAGER && !object->writers)
    mesi_habit_launched(object, device, site, written, mesi_state_prefetch);
}

static void clear(struct mesi_uses *uses)
{
  not_overwriting(uses);
  if (uses->items != uses->first) free(uses->items);
  uses->items = uses->first;
  uses->count = 0;
}

void mesi_uses_finish(struct mesi_uses *uses, const struct mesi_site *site, unsigned stream)
{
  for (size_t i = 0; i < uses->count; i++) finish_use(uses, &uses->items[i], stream);
  for (size_t i = 0; site && i < uses->count; i++)
    if (uses->items[i].done & MESI_WRITE)
      mesi_uses_foresee(uses->items[i].object, uses->device, site, uses->items[i].write);
  clear(uses);
}

/* Bytes that are overwritten as a whole have not become valid on the device yet. Other bytes that a
 * launch may write are valid there. */
void mesi_uses_abandon(struct mesi_uses *uses)
{
  for (size_t i = 0; i < uses->count; i++) {
    struct mesi_use *use = &uses->items[i];
    if ((use->done & MESI_WRITE) && SEEDED(LEFT_COUNTS_AS_MADE))
      mesi_state_device_writes(use->object, uses->device, use->write);
    if (use->done & MESI_WRITE) use->object->writers--;
    if (use->object->mode == MESI_EAGER) hand_back(use->object, uses->cause);
  }
  clear(uses);
}
