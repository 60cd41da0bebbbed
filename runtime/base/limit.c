/* SPDX-License-Identifier: MIT */
/* limit.c - a thread that measures waits, a few times in each limit.
 *
 * A wait inside a driver cannot be ended from outside, so the thread ends the program. It is
 * created at the first wait with a limit, blocks all signals and takes no lock: the waiting thread
 * has the runtime's.
 */
#include "limit.h"

#include "../seeded.h"
#include "error.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

enum { LOOKS = 8, MOST_TICK_MS = 500, MOST_DEPTH = 4 };

static unsigned limit; /* seconds; 0: none */
static bool known;     /* `limit` is set */
static bool watched;   /* the thread exists */
static unsigned depth; /* waits in waits; the innermost one is measured */

static struct wait {
  const char *_Atomic whom;
  _Atomic int number;
} waits[MOST_DEPTH];

static struct wait *_Atomic present = waits;
static _Atomic int64_t since; /* ms at which the present wait began; 0: there is none */
static const struct mesi_site *_Atomic site;

static int64_t now_ms(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000 + 1;
}

static _Noreturn void end(void)
{
  const struct wait *wait = present;
  mesi_error_set_site(site);
  mesi_fatal("time limit", NULL, "%s %d has not answered for %u s (MESI_WAIT_LIMIT)", wait->whom,
             wait->number, limit);
}

static void *watch(void *unused)
{
  int64_t most = (int64_t)limit * 1000, tick = most / LOOKS;
  if (tick > MOST_TICK_MS) tick = MOST_TICK_MS;
  const struct timespec pause = {.tv_nsec = (long)(tick * 1000000)};
  (void)unused;
  for (;;) {
    nanosleep(&pause, NULL);
    int64_t began = since;
    if (began && now_ms() - began > most && !SEEDED(WAIT_UNLIMITED)) end();
  }
  return NULL;
}

static void start(void)
{
  sigset_t all, before;
  pthread_t thread;
  watched = true;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  if (pthread_create(&thread, NULL, watch, NULL) == 0) pthread_detach(thread);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void read_setting(void)
{
  const char *text = getenv("MESI_WAIT_LIMIT");
  if (text && *text) limit = (unsigned)strtoul(text, NULL, 10);
  known = true;
}

void mesi_limit_default(unsigned seconds) { limit = seconds; }

void mesi_limit_begin(const char *whom, int number)
{
  if (!known) read_setting();
  if (!limit || depth++ >= MOST_DEPTH) return;
  if (!watched) start();
  struct wait *wait = &waits[depth - 1];
  wait->whom = whom;
  wait->number = number;
  present = wait;
  site = mesi_error_site();
  since = now_ms();
}

void mesi_limit_end(void)
{
  if (!limit || --depth >= MOST_DEPTH) return;
  if (depth) present = &waits[depth - 1];
  since = depth ? now_ms() : 0;
}

void mesi_limit_in_child(void)
{
  watched = false;
  depth = 0;
  since = 0;
}
