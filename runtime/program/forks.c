/* SPDX-License-Identifier: MIT */
/* forks.c - virtual shared data in a fork.
 *
 *     before      the lock is taken, held launches are made, guarded memory becomes read-only
 *     parent      goes on; the first write to an object gives it memory of its own (guard.c)
 *     child       the same; launches of threads that it does not have are over. Without devices,
 *                 bytes that were valid only there are lost
 *
 * The parent writes statistics, traces and the final contents.
 */
#include "forks.h"

#include "../base/error.h"
#include "../stream/batch.h"
#include "../object/guard.h"
#include "../base/jobs.h"
#include "../base/limit.h"
#include "../launch/launch.h"
#include "../launch/launch_spread.h"
#include "../launch/uses.h"
#include "../stream/order.h"
#include "report.h"
#include "../seeded.h"
#include "../base/signals.h"
#include "../transfer/state.h"
#include "../trace/trace.h"

#include <pthread.h>

enum when { BEFORE, IN_PARENT, IN_CHILD };

/* Of the CPU backend: handles its own locks. */
extern void mesi_cpu_forks(int when) __attribute__((weak));

static bool taken; /* under the lock */

static void tell_backend(enum when when)
{
  if (mesi_cpu_forks) mesi_cpu_forks(when);
}

/* Blocks of memory have two mappings from the start, and are guarded from the first launch on. */
static void share(struct mesi_object *object)
{
  if (object->slab) mesi_state_prepare(object);
  mesi_guard_share(object);
}

static void before(void)
{
  if (!mesi_lock_to_fork()) return;
  mesi_no_cancel();
  taken = true;
  mesi_batch_flush();
  for (size_t i = 0; i < mesi_object_count(); i++) share(mesi_object_at(i));
  mesi_trace_before_fork();
  mesi_jobs_fork(BEFORE);
  tell_backend(BEFORE);
}

static void in_parent(void)
{
  if (!taken) return;
  taken = false;
  tell_backend(IN_PARENT);
  mesi_jobs_fork(IN_PARENT);
  mesi_unlock_in_parent();
}

static void renew(struct mesi_object *object)
{
  mesi_object_in_child(object, mesi_launch_writes(object), !mesi_device.forks);
  if (!mesi_device.forks) mesi_guard_update(object, mesi_object_whole(object));
}

static void in_child(void)
{
  mesi_signals_in_child();
  mesi_error_in_child();
  if (!SEEDED(CHILD_REPORTS)) mesi_report_in_child();
  if (!taken) return;
  taken = false;
  tell_backend(IN_CHILD);
  mesi_jobs_fork(IN_CHILD);
  mesi_limit_in_child();
  if (!mesi_device.forks) mesi_order_lost();
  mesi_spread_in_child();
  mesi_uses_in_child(&mesi_launch_current()->uses);
  for (size_t i = 0; i < mesi_object_count(); i++) renew(mesi_object_at(i));
  mesi_unlock_in_child();
}

void mesi_forks_watch(void)
{
  static bool watched;
  if (!watched) pthread_atfork(before, in_parent, in_child);
  watched = true;
}
