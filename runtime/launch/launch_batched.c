/* SPDX-License-Identifier: MIT */
/* launch_batched.c - the choice whether a launch in a batch is held back. */
#include "../stream/batch.h"
#include "launch.h"
#include "steps.h"

#include "../base/lock.h"

int mesi_batch_add(const struct mesi_kernel_launch *launch)
{
  if (!mesi_batch_open()) return 0;
  mesi_lock_to_launch();
  mesi_steps_flush();
  bool taken = mesi_batch_wanted() && mesi_batch_take(launch, mesi_launch_device());
  if (taken) mesi_launch_counted();
  mesi_unlock();
  return taken;
}
