/* SPDX-License-Identifier: MIT */
/* devices.c - the devices of MESI_DEVICES: all, a number of devices from 0 on, or indices.
 *
 *     all      every device of the machine, at most MESI_DEVICE_MAX
 *     4        0, 1, 2, 3
 *     0,2      these two
 *
 * Of several ranks (base/ranks.h) each has so many, and those of one host are numbered through the
 * ranks of the host. `all` are shared, indices are the same on all ranks.
 */
#include "devices.h"

#include "../base/error.h"
#include "../base/ranks.h"
#include "../device/device.h"

#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static int devices[MESI_DEVICE_MAX];
static int count; /* of `devices`; valid once `find` has run */

static _Noreturn void refuse(const char *text, const char *why, int present)
{
  mesi_fatal("MESI_DEVICES", NULL,
             "\"%s\": %s; it is \"all\", a number of devices or their indices (0,2), and there are "
             "%d",
             text, why, present);
}

static _Noreturn void refuse_ranks(const char *why)
{
  mesi_fatal("MESI_RANKS", NULL, "%s; %d ranks, at most %d devices of all", why, mesi_ranks_count(),
             MESI_DEVICE_MAX);
}

static int present(void)
{
  int number = 1;
  if (mesi_device.count) mesi_check(mesi_device.count(&number), NULL, "counting the devices");
  return number < MESI_DEVICE_MAX ? number : MESI_DEVICE_MAX;
}

static void take(const char *text, long device, int number)
{
  if (device < 0 || device >= number) refuse(text, "there is no such device", number);
  for (int i = 0; i < count; i++)
    if (devices[i] == device) refuse(text, "a device is named twice", number);
  devices[count++] = (int)device;
}

/* Reads one number between commas; *at moves behind it. */
static long read_number(const char *text, const char **at, int number)
{
  char *end;
  if (**at < '0' || **at > '9') refuse(text, "this cannot be read", number);
  long value = strtol(*at, &end, 10);
  if (*end && *end != ',') refuse(text, "this cannot be read", number);
  *at = *end ? end + 1 : end;
  return value;
}

static void take_number(const char *text, long wanted, int number)
{
  if (wanted < 1 || wanted > number) refuse(text, "there are not as many devices", number);
  for (int i = 0; i < wanted; i++) take(text, i, number);
}

static void read_setting(const char *text)
{
  int number = present();
  const char *at = text;
  if (strcmp(text, "all") == 0) {
    take_number(text, number, number);
  } else if (!strchr(text, ',')) {
    take_number(text, read_number(text, &at, number), number);
  } else {
    while (*at) take(text, read_number(text, &at, number), number);
  }
}

static _Thread_local bool finding; /* a refusal prints reports, which ask for the devices again */

/* ---- several ranks ---- */

static int shown; /* devices that mesi_devices_of_rank has chosen; 0: it has not been called */

/* The first `each` devices of the host are those of its rank 0, and so on. */
static void take_of_host(int each, int number)
{
  const struct mesi_ranks_place place = mesi_ranks_place();
  int first = place.local * each;
  if (number >= 0 && first + each > number)
    mesi_fatal("MESI_RANKS", NULL,
               "this is rank %d of %d on its host, each with %d GPUs (MESI_DEVICES), and the host "
               "has %d; MESI_DEVICES=0, gives each rank the GPU 0 that it sees",
               place.local, place.local_count, each, number);
  for (int i = 0; i < each; i++) devices[count++] = first + i;
}

void mesi_devices_of_rank(void)
{
  const struct mesi_ranks_place place = mesi_ranks_place();
  const char *text = getenv("MESI_DEVICES"), *at = text;
  if (!mesi_device.only || mesi_ranks_way() == MESI_RANKS_NONE || place.count < 2) return;
  mesi_error_of_rank(place.rank);
  int number = mesi_device.on_host();
  if (!text || !*text) {
    take_of_host(1, number);
  } else if (strcmp(text, "all") == 0) {
    if (number < 0) refuse_ranks("MESI_DEVICES=all: the number of GPUs is not known");
    take_of_host(number < place.local_count ? 1 : number / place.local_count, number);
  } else if (!strchr(text, ',')) {
    long each = read_number(text, &at, number);
    if (each < 1 || each > MESI_DEVICE_MAX) refuse(text, "there are not as many devices", number);
    take_of_host((int)each, number);
  } else {
    while (*at) take(text, read_number(text, &at, number), number < 0 ? INT_MAX : number);
  }
  mesi_device.only(devices, count);
  shown = count;
}

static bool same_on_all(int each)
{
  int of_first = each;
  mesi_ranks_spread(0, &of_first, sizeof of_first);
  return mesi_ranks_all(of_first == each);
}

/* Gives every rank as many devices as this one has: those of rank 1 come after those of rank 0. */
static void of_all_ranks(void)
{
  int each = count;
  if (!mesi_device.only && mesi_ranks_way() != MESI_RANKS_MPI)
    refuse_ranks("nccl and host are about GPUs");
  if (each * mesi_ranks_count() > MESI_DEVICE_MAX) refuse_ranks("there are too many devices");
  if (!same_on_all(each)) refuse_ranks("MESI_DEVICES gives them different numbers of devices");
  mesi_ranks_share(each);
  count = each * mesi_ranks_count();
  for (int i = 0; i < count; i++) devices[i] = i;
}

static void find(void)
{
  const char *text = getenv("MESI_DEVICES");
  finding = true;
  if (shown)
    count = shown;
  else if (text && *text)
    read_setting(text);
  else
    count = 1;
  if (mesi_ranks_several()) of_all_ranks();
  finding = false;
}

/* The number of devices. Launches ask for it before they have the lock. */
int mesi_devices_count(void)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  if (finding) return 1;
  pthread_once(&once, find);
  return count;
}

int mesi_devices_at(int index) { return devices[index]; }

bool mesi_devices_have(int device)
{
  for (int i = 0; i < mesi_devices_count(); i++)
    if (devices[i] == device) return true;
  return false;
}
