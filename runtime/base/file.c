/* SPDX-License-Identifier: MIT */
/* file.c - a stream whose writes never raise SIGXFSZ in the program. */
#include "file.h"

#include "../seeded.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

static int descriptor_of(void *cookie) { return (int)(intptr_t)cookie; }

/* The signal is directed to the thread: it is taken before it can be delivered, unless one was
 * pending before. */
static ssize_t write_bytes(void *cookie, const char *bytes, size_t count)
{
  const struct timespec at_once = {0, 0};
  sigset_t growth, before, pending;
  size_t done = 0;
  sigemptyset(&growth);
  sigaddset(&growth, SIGXFSZ);
  sigpending(&pending);
  if (SEEDED(GROWTH_SIGNAL)) sigemptyset(&growth);
  pthread_sigmask(SIG_BLOCK, &growth, &before);
  while (done < count) {
    ssize_t written = write(descriptor_of(cookie), bytes + done, count - done);
    if (written < 0 && errno != EINTR) break;
    done += written > 0 ? (size_t)written : 0;
  }
  int error = errno;
  if (done < count && !sigismember(&pending, SIGXFSZ)) sigtimedwait(&growth, NULL, &at_once);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  errno = error;
  return (ssize_t)done;
}

static int close_file(void *cookie) { return close(descriptor_of(cookie)); }

FILE *mesi_file_create(const char *path)
{
  int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) return NULL;
  FILE *stream = fopencookie((void *)(intptr_t)file, "w",
                             (cookie_io_functions_t){.write = write_bytes, .close = close_file});
  if (!stream) close(file);
  return stream;
}
