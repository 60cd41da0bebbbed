/* SPDX-License-Identifier: MIT */
/* start.c - the registration of files, the check of the environment, and the runtime's start. */
#include "start.h"

#include "../base/error.h"
#include "../base/ranks.h"
#include "forks.h"
#include "../object/guard.h"
#include "../stream/devices.h"
#include "../stream/order.h"
#include "../transfer/register.h"
#include "report.h"
#include "../seeded.h"
#include "../settings.h"
#include "../host/touch.h"

extern char **environ;

void mesi_start_once(void)
{
  static bool started;
  if (started) return;
  started = true;
  mesi_report_at_exit();
  mesi_forks_watch();
  mesi_guard_tell(mesi_touch_fault);
  mesi_order_tell(mesi_report_before_device_exit);
}

/* Checks the environment before the program starts. */
static void check_settings(void)
{
  for (char **entry = environ; entry && *entry; entry++) {
    const char *problem = mesi_setting_problem(*entry), *near = mesi_setting_near(*entry);
    if (problem && !SEEDED(SETTING_UNCHECKED))
      mesi_fatal("environment", NULL, "%s %s%s%s%s", *entry, problem, near ? "; did you mean " : "",
                 near ? near : "", near ? "?" : "");
  }
}

void mesi_register(const struct mesi_file *file)
{
  if (!mesi_register_first()) {
    check_settings();
    mesi_devices_of_rank();
    mesi_ranks_start();
    if (mesi_ranks_several()) mesi_devices_count();
  }
  if (file->abi != MESI_ABI)
    mesi_fatal("ABI mismatch", NULL,
               "%s was translated for version %u of the runtime, this is version %u", file->name,
               file->abi, MESI_ABI);
  mesi_lock();
  mesi_start_once();
  mesi_unlock();
  mesi_register_add(file);
}
