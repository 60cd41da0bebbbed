/* SPDX-License-Identifier: MIT */
/* error.c - messages, and the end of the program with one. */
#include "error.h"

#include "../seeded.h"
#include "object_data.h"
#include "signals.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

enum { FLUSH_MS = 500 }; /* ms that a failing program waits for its own output */

static _Thread_local const struct mesi_site *current_site;
static int messages = STDERR_FILENO; /* the file of messages */
static int of_rank = -1; /* the rank that messages name; below 0: there is one process */

void mesi_error_to(int file) { messages = file; }

void mesi_error_in_child(void) { messages = STDERR_FILENO; }

void mesi_error_of_rank(int rank) { of_rank = rank; }

void mesi_append(char *text, size_t size, const char *format, ...)
{
  size_t length = strlen(text);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text + length, size - length, format, arguments);
  va_end(arguments);
}

static void append_object(char *text, size_t size, const struct mesi_object *object)
{
  mesi_append(text, size, "%s '%s'", object->slab ? "memory" : "variable", object->name);
  if (object->place) mesi_append(text, size, " (%s)", object->place);
}

static void end_now(int number)
{
  (void)number;
  _exit(MESI_EXIT_STATUS);
}

/* Flushes output of the program that the library still holds. Another thread may be inside one of
 * its files, waiting to read: then the program ends without the output that comes after that
 * file. */
static void flush_for(unsigned milliseconds)
{
  struct itimerval most = {.it_value = {0, (suseconds_t)milliseconds * 1000}};
  mesi_signals_take_alarm(end_now);
  setitimer(ITIMER_REAL, &most, NULL);
  if (ftrylockfile(stdout) == 0) {
    fflush(stdout);
    funlockfile(stdout);
  }
  fflush(NULL);
}

void mesi_say(const char *text, size_t length)
{
  while (length) {
    ssize_t written = write(messages, text, length);
    if (written < 0 && errno != EINTR) return;
    text += written > 0 ? written : 0;
    length -= written > 0 ? (size_t)written : 0;
  }
}

void mesi_warn(const char *format, ...)
{
  char text[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  mesi_say(text, strlen(text));
}

/* Prints the message before anything else, and ends the program. */
static _Noreturn void die(char *text, size_t size)
{
  size_t length = strlen(text);
  text[length < size - 1 ? length++ : length - 1] = '\n';
  if (SEEDED(FLUSHED_FIRST)) fflush(NULL);
  mesi_say(text, length);
  flush_for(FLUSH_MS);
  _exit(MESI_EXIT_STATUS);
}

void mesi_fatal(const char *what, const struct mesi_object *object, const char *cause, ...)
{
  char text[2048] = "mesi: error: ";
  if (of_rank >= 0) mesi_append(text, sizeof text, "rank %d: ", of_rank);
  mesi_append(text, sizeof text, "%s: ", what);
  if (object) append_object(text, sizeof text, object);
  if (current_site)
    mesi_append(text, sizeof text, "%slaunch of %s (%s)", object ? ", " : "", current_site->kernel,
                current_site->place);
  if (object || current_site) mesi_append(text, sizeof text, ": ");
  size_t length = strlen(text);
  va_list arguments;
  va_start(arguments, cause);
  vsnprintf(text + length, sizeof text - length, cause, arguments);
  va_end(arguments);
  die(text, sizeof text);
}

void mesi_check(const char *cause, const struct mesi_object *object, const char *what)
{
  if (cause) mesi_fatal(what, object, "%s", cause);
}

void *mesi_need(void *memory)
{
  if (!memory) mesi_fatal("out of host memory", NULL, "the runtime's own tables");
  return memory;
}

void mesi_error_set_site(const struct mesi_site *site) { current_site = site; }

const struct mesi_site *mesi_error_site(void) { return current_site; }
