/* SPDX-License-Identifier: MIT */
/* wait.c - waits for the device, and the launches that may have caused a late failure. */
#include "wait.h"

#include "../base/error.h"
#include "../base/limit.h"
#include "../base/lock.h"
#include "../device/device.h"
#include "../mesi.h"
#include "batch.h"

enum { NAMED_LAUNCHES = 4 };

/* since the last wait, the newest at (made - 1) % 4 */
static const struct mesi_site *recent[NAMED_LAUNCHES];
static size_t made; /* launches since the last wait */

void mesi_waiting_launch(const struct mesi_site *site) { recent[made++ % NAMED_LAUNCHES] = site; }

void mesi_wait_failed(const char *cause)
{
  char text[1024] = "";
  size_t named = made < NAMED_LAUNCHES ? made : NAMED_LAUNCHES;
  for (size_t i = 0; i < named; i++) {
    const struct mesi_site *site = recent[(made - 1 - i) % NAMED_LAUNCHES];
    mesi_append(text, sizeof text, "%s%s (%s)", i ? ", " : "", site->kernel, site->place);
  }
  if (made > named) mesi_append(text, sizeof text, ", %zu before", made - named);
  mesi_error_set_site(NULL);
  mesi_fatal("kernel failed", NULL, "last launches: %s: %s", named ? text : "none with VS objects",
             cause);
}

void mesi_wait(int device)
{
  mesi_no_cancel();
  mesi_batch_flush();
  mesi_limit_begin("device", device);
  const char *cause = mesi_device.wait(device);
  mesi_limit_end();
  if (cause) mesi_wait_failed(cause);
  made = 0;
}
