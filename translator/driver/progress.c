/* SPDX-License-Identifier: MIT */
/* progress.c - a line on the terminal about the work in progress. */
#define _GNU_SOURCE
#include "translator/driver/progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "translator/base/diag.h"

enum { COLUMNS = 79 };

static struct {
  bool on, begun, pending;
  struct timespec begin;
  char text[COLUMNS + 1];
  bool *shown; /* shared with the processes that translate, which write messages */
} line;

void progress_begin(struct diag *diag)
{
  const char *terminal = getenv("TERM");
  if (diag->records || !isatty(STDERR_FILENO) || (terminal && !strcmp(terminal, "dumb"))) return;
  void *page =
      mmap(NULL, sizeof *line.shown, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) return;
  line.shown = page;
  line.on = true;
  diag->line = line.shown;
}

static bool is_due(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  long long nanoseconds =
      (now.tv_sec - line.begin.tv_sec) * 1000000000ll + now.tv_nsec - line.begin.tv_nsec;
  return nanoseconds >= 1000000000ll;
}

/* Prints the line and moves the cursor to its start: the next output begins there. */
static void print(void)
{
  fprintf(stderr, "\r\33[K%s\r", line.text);
  fflush(stderr);
  *line.shown = true;
  line.pending = false;
}

bool progress_tick(void)
{
  if (line.pending && is_due()) print();
  return line.pending;
}

void progress_show(const char *doing, const char *what, unsigned done, unsigned count)
{
  if (!line.on) return;
  if (!line.begun) clock_gettime(CLOCK_MONOTONIC, &line.begin);
  line.begun = line.pending = true;
  if (count)
    snprintf(line.text, sizeof line.text, "[%u/%u] %s %s", done, count, doing, what);
  else
    snprintf(line.text, sizeof line.text, "%s %s", doing, what);
  progress_tick();
}

void progress_clear(void)
{
  if (!line.on) return;
  if (*line.shown) fputs("\r\33[K", stderr);
  fflush(stderr);
  *line.shown = line.pending = false;
}
