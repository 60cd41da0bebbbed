/* SPDX-License-Identifier: MIT */
/* options.c - the scheduler's environment variables, read once. */
#define _GNU_SOURCE
#include "scheduler_internal.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STACK_DEFAULT = 256 << 10, STACK_LEAST = 32 << 10, WORKERS_MOST = 1024 };

static struct options options;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void reject(const char *name, const char *value, const char *expected)
{
  fprintf(stderr, "mesi: %s=%s: expected %s\n", name, value, expected);
  exit(MESI_CPU_EXIT);
}

static unsigned cores(void)
{
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  int n = CPU_COUNT(&set);
  return n < 1 ? 1 : (unsigned)n;
}

static unsigned parse_workers(const char *text)
{
  char *end;
  unsigned long n = strtoul(text, &end, 10);
  if (*end || end == text || n < 1 || n > WORKERS_MOST)
    reject("MESI_THREADS", text, "a number from 1 to 1024");
  return (unsigned)n;
}

static size_t parse_stack(const char *text)
{
  char *end;
  unsigned long long n = strtoull(text, &end, 10);
  if (end != text && (*end == 'K' || *end == 'k'))
    n <<= 10, end++;
  else if (end != text && (*end == 'M' || *end == 'm'))
    n <<= 20, end++;
  if (*end || end == text || n < STACK_LEAST || n > 1ull << 30)
    reject("MESI_STACK", text, "bytes from 32K to 1024M");
  return (n + 4095) & ~(size_t)4095;
}

static void parse_schedule(const char *text)
{
  char *end;
  if (strcmp(text, "forward") == 0)
    options.schedule = SCHEDULE_FORWARD;
  else if (strcmp(text, "reverse") == 0)
    options.schedule = SCHEDULE_REVERSE;
  else if (strncmp(text, "random:", 7) == 0) {
    options.schedule = SCHEDULE_RANDOM;
    options.seed = strtoull(text + 7, &end, 0);
    if (*end || end == text + 7) reject("MESI_SCHEDULE", text, "random:SEED with a number");
  } else
    reject("MESI_SCHEDULE", text, "forward, reverse or random:SEED");
  options.serial = true;
}

static void read_environment(void)
{
  const char *text;
  options.workers = (text = getenv("MESI_THREADS")) && *text ? parse_workers(text) : cores();
  options.stack = (text = getenv("MESI_STACK")) && *text ? parse_stack(text) : STACK_DEFAULT;
  if ((text = getenv("MESI_SCHEDULE")) && *text) parse_schedule(text);
  if (options.serial) options.workers = 1;
}

const struct options *mesi_cpu_options(void)
{
  pthread_once(&once, read_environment);
  if (mesi_cpu_hooks) {
    options.serial = true;
    options.workers = 1;
  }
  return &options;
}

unsigned mesi_cpu_workers(void) { return mesi_cpu_options()->workers; }
