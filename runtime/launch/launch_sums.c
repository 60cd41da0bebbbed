/* SPDX-License-Identifier: MIT */
/* launch_sums.c - objects that a launch over several devices only adds to.
 *
 *     histogram<<<4096, 256>>>(bins, values)      on 2 devices: the part on the program's device
 *         adds to bins itself, the other one to an object of zeros; bins += that object
 *
 * That object is the runtime's own, with memory of the host and of one device. So it is valid
 * somewhere, and goes from place to place, like any other. It is kept for further launches. The
 * host adds up, since sums are small and mostly wanted there: a launch with sums waits for its
 * parts.
 */
#include "launch_sums.h"

#include "../base/error.h"
#include "../base/ranks.h"
#include "../seeded.h"
#include "../stream/devices.h"
#include "../transfer/state.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 1 << 20, LEAST_ROOM = 4096 };

struct own { /* an object of the runtime's own */
  struct own *next;
  bool taken;
  struct mesi_object object;
};

static struct own *all;

/* ---- which ---- */

static bool is_sum(const struct mesi_pending *pending) { return pending->access & MESI_SUM_ANY; }

static size_t number_bytes(unsigned access)
{
  return access & (MESI_SUM_INT | MESI_SUM_FLOAT) ? 4 : 8;
}

/* The bytes that the launch may change. */
static struct mesi_span span_of(const struct mesi_pending *pending)
{
  return mesi_span_clip(pending->write, mesi_object_whole(pending->object));
}

static bool has_other_use(const struct mesi_parts *parts, unsigned index)
{
  for (unsigned i = 0; i < parts->count; i++)
    if (i != index && parts->items[i].object == parts->items[index].object) return true;
  return false;
}

const char *mesi_sums_obstacle(const struct mesi_parts *parts)
{
  unsigned count = 0;
  for (unsigned i = 0; i < parts->count; i++) {
    const struct mesi_pending *pending = &parts->items[i];
    if (!is_sum(pending)) continue;
    struct mesi_span span = span_of(pending);
    size_t each = number_bytes(pending->access);
    if (mesi_ranks_several()) return "it adds to memory of several ranks";
    if (has_other_use(parts, i) && !SEEDED(SUM_USED_OTHERWISE))
      return "two of its arguments lead to an object that it adds to";
    if (++count > MESI_SUMS || mesi_span_bytes(span) > MOST_BYTES)
      return "it adds to too much memory";
    if (span.begin % each || span.end % each) return "it adds to parts of numbers";
  }
  return NULL;
}

/* ---- objects of the runtime's own ---- */

static struct own *new_own(size_t bytes)
{
  struct own *own = mesi_need(calloc(1, sizeof *own));
  size_t room = LEAST_ROOM;
  while (room < bytes) room *= 2;
  own->object.name = "a sum of the runtime's own";
  own->object.host = mesi_need(calloc(1, room));
  own->object.size = own->object.extent = room;
  own->object.defined = own->object.prepared = true;
  own->object.mode = MESI_ANNOUNCED;
  mesi_object_enter(&own->object);
  own->next = all;
  return all = own;
}

static struct mesi_object *take(size_t bytes)
{
  struct own *own = all;
  while (own && (own->taken || own->object.size < bytes)) own = own->next;
  if (!own) own = new_own(bytes);
  own->taken = true;
  mesi_state_host_writes(&own->object, (struct mesi_span){0, bytes});
  if (!SEEDED(SUM_KEEPS_LAST)) memset(own->object.view, 0, bytes);
  return &own->object;
}

static void give_back(const struct mesi_object *object)
{
  for (struct own *own = all; own; own = own->next)
    if (&own->object == object) own->taken = false;
}

/* ---- the launch ---- */

static const struct mesi_sum *find(const struct launch *launch, const struct mesi_object *object)
{
  for (unsigned i = 0; i < launch->sum_count; i++)
    if (launch->sums[i].object == object) return &launch->sums[i];
  return NULL;
}

struct mesi_object *mesi_sums_own(const struct launch *launch, const struct mesi_object *object,
                                  int device)
{
  const struct mesi_sum *sum = launch->sum_count ? find(launch, object) : NULL;
  return sum ? sum->own[device] : NULL;
}

char *mesi_sums_address(const struct launch *launch, const struct mesi_object *object, int device)
{
  const struct mesi_object *own = mesi_sums_own(launch, object, device);
  if (!own) return object->device[device].address;
  return (char *)own->device[device].address - find(launch, object)->span.begin;
}

bool mesi_sums_use(struct launch *launch, const struct mesi_pending *pending)
{
  struct mesi_object *own = mesi_sums_own(launch, pending->object, launch->uses.device);
  if (!own) return false;
  struct mesi_span used = {0, mesi_span_bytes(span_of(pending))};
  mesi_uses_add(&launch->uses, own, used, used, MESI_READ_WRITE);
  return true;
}

void mesi_sums_begin(struct launch *launch)
{
  launch->sum_count = 0;
  for (unsigned i = 0; i < launch->parts.count; i++) {
    const struct mesi_pending *pending = &launch->parts.items[i];
    if (!is_sum(pending)) continue;
    struct mesi_sum *sum = &launch->sums[launch->sum_count++];
    *sum = (struct mesi_sum){pending->object, span_of(pending), pending->access, {NULL}};
    for (unsigned part = 0; part < launch->parts.number; part++) {
      int device = mesi_devices_at((int)part);
      if (device != launch->first.device) sum->own[device] = take(mesi_span_bytes(sum->span));
    }
  }
}

#define ADD(TYPE) \
  for (size_t i = 0; i < bytes / sizeof(TYPE); i++) ((TYPE *)to)[i] += ((const TYPE *)from)[i]

static void add(char *to, const char *from, size_t bytes, unsigned kind)
{
  if (kind & MESI_SUM_INT)
    ADD(uint32_t);
  else if (kind & MESI_SUM_LONG)
    ADD(uint64_t);
  else if (kind & MESI_SUM_FLOAT)
    ADD(float);
  else
    ADD(double);
}

void mesi_sums_end(struct launch *launch)
{
  for (unsigned i = 0; i < launch->sum_count; i++) {
    struct mesi_sum *sum = &launch->sums[i];
    struct mesi_span all_of_it = {0, mesi_span_bytes(sum->span)};
    mesi_state_to_host(sum->object, sum->span, "sum");
    mesi_state_host_writes(sum->object, sum->span);
    for (int device = 0; device < MESI_DEVICE_MAX; device++) {
      if (!sum->own[device]) continue;
      mesi_state_to_host(sum->own[device], all_of_it, "sum");
      if (!SEEDED(SUM_OF_DEVICE_LOST))
        add(sum->object->view + sum->span.begin, sum->own[device]->view, all_of_it.end, sum->kind);
      give_back(sum->own[device]);
    }
  }
  launch->sum_count = 0;
}
