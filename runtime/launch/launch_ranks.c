/* SPDX-License-Identifier: MIT */
/* launch_ranks.c - launches where several ranks run the same host program (base/ranks.h).
 *
 * The rank that has the device makes the launch, or its part of one; the other ranks skip it. A
 * launch without virtual shared objects is the program's own business, and all ranks make it. The
 * kernel, the sizes and the uses of a launch go into the sum that ranks compare.
 */
#include "../base/error.h"
#include "../base/lock.h"
#include "../base/ranks.h"
#include "../mesi.h"
#include "../seeded.h"
#include "launch_uses.h"

#include <string.h>

void mesi_launch_for_one_rank(const struct mesi_object *object, const char *why)
{
  if (mesi_ranks_several()) mesi_fatal("several ranks", object, "%s", why);
}

static void note_text(const char *text) { mesi_ranks_note(text, strlen(text)); }

static void note_span(struct mesi_span span)
{
  mesi_ranks_note_number(span.begin);
  mesi_ranks_note_number(span.end);
}

static void note_launch(const struct launch *launch, const unsigned grid[3],
                        const unsigned block[3])
{
  note_text(launch->site->kernel);
  note_text(launch->site->place);
  for (int axis = 0; axis < 3; axis++)
    mesi_ranks_note_number((unsigned long long)grid[axis] << 32 | block[axis]);
  for (size_t i = 0; i < launch->uses.count; i++) {
    const struct mesi_use *use = &launch->uses.items[i];
    note_text(use->object->name);
    note_span(use->read);
    note_span(use->write);
  }
}

bool mesi_launch_of_other_rank(const struct launch *launch, const unsigned grid[3],
                               const unsigned block[3])
{
  if (!mesi_ranks_several() || !launch->active || !launch->uses.count) return false;
  if (launch->foreign)
    mesi_launch_for_one_rank(NULL, "an argument points to a virtual shared object, another one to "
                                   "other memory: such a launch needs a rank of its own");
  mesi_lock_to_launch();
  note_launch(launch, grid, block);
  mesi_unlock();
  return mesi_ranks_elsewhere(launch->uses.device) && !SEEDED(RANKS_ALL_LAUNCH);
}

void mesi_launch_value(const void *value, size_t bytes)
{
  if (!mesi_ranks_several()) return;
  mesi_lock_to_launch();
  mesi_ranks_note(value, bytes);
  mesi_unlock();
}
