/* turns.c - the lock of a file around each time. Without the file there is no lock. */
#include "turns.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

#include "words.h"

static int open_lock(void)
{
  const char *path = mpf_option("--turns");
  int lock = path ? open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0666) : -1;

  if (path && lock < 0) {
    fprintf(stderr, "mpf: %s cannot be opened\n", path);
    exit(1);
  }
  return lock;
}

double mpf_turns_time(const struct mpf_device_plan *plan, enum mpf_domain domain,
                      const real *values, real *output, int repeats)
{
  int lock = open_lock();

  if (lock >= 0) flock(lock, LOCK_EX);
  double ms = mpf_device_time(plan, domain, values, output, repeats);
  if (lock >= 0) close(lock); /* with the lock */
  return ms;
}
