/* SPDX-License-Identifier: MIT */
/* machine.c - limits of the machine and of the system, from /proc, sysinfo and getrlimit.
 *
 *     mesi: warning: mesi_malloc of 8192 bytes is refused: the process has all 65530 mappings
 *         that the system allows (vm.max_map_count)
 *
 * Files are read without stdio: it would allocate where memory is short.
 */
#include "machine.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>
#include <unistd.h>

enum {
  USUAL_MAPPINGS = 65530,
  SPARE_MAPPINGS = 2,
  TOLD_MOST = 8,
  HEAD = 256, /* of a short file; the fault handler, with its small stack, may read one */
  TEXT = 4096,
  SMALL = 64 << 20 /* bytes that every machine has */
};

/* The first bytes of a file; an empty text where it cannot be read. */
static void read_text(const char *path, char *text, size_t size)
{
  int file = open(path, O_RDONLY | O_CLOEXEC);
  ssize_t got = file < 0 ? 0 : read(file, text, size - 1);
  text[got < 0 ? 0 : got] = '\0';
  if (file >= 0) close(file);
}

/* The number after the key in the file; `fallback` where there is none. */
static size_t number_in(const char *path, const char *key, size_t fallback)
{
  char text[HEAD];
  read_text(path, text, sizeof text);
  const char *at = strstr(text, key);
  char *end;
  unsigned long long value = at ? strtoull(at + strlen(key), &end, 10) : 0;
  return at && end != at + strlen(key) ? (size_t)value : fallback;
}

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

static size_t group_limit(void) { return number_in("/sys/fs/cgroup/memory.max", "", SIZE_MAX); }

size_t mesi_machine_memory(void)
{
  struct sysinfo info;
  if (sysinfo(&info)) return SIZE_MAX;
  return least(((size_t)info.totalram + info.totalswap) * info.mem_unit, group_limit());
}

size_t mesi_machine_available(void)
{
  size_t kilobytes = number_in("/proc/meminfo", "MemAvailable:", SIZE_MAX >> 10);
  size_t limit = group_limit(),
         used = limit == SIZE_MAX ? 0 : number_in("/sys/fs/cgroup/memory.current", "", 0);
  return least(kilobytes << 10, limit > used ? limit - used : 0);
}

size_t mesi_machine_mappings(void)
{
  static size_t most;
  if (!most) most = number_in("/proc/sys/vm/max_map_count", "", USUAL_MAPPINGS);
  return most;
}

bool mesi_machine_too_large(size_t bytes)
{
  enum { ALWAYS = 1 }; /* Documentation/mm/overcommit-accounting.rst */
  return bytes > SMALL && bytes > mesi_machine_memory() &&
         number_in("/proc/sys/vm/overcommit_memory", "", 0) != ALWAYS;
}

static size_t count_mappings(void)
{
  char text[TEXT];
  size_t count = 0;
  int file = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  for (ssize_t got; file >= 0 && (got = read(file, text, sizeof text)) > 0;)
    for (ssize_t i = 0; i < got; i++) count += text[i] == '\n';
  if (file >= 0) close(file);
  return count;
}

static bool exceeds_address_space(size_t bytes, size_t *ret_limit)
{
  struct rlimit limit;
  if (getrlimit(RLIMIT_AS, &limit) || limit.rlim_cur == RLIM_INFINITY) return false;
  *ret_limit = (size_t)limit.rlim_cur;
  size_t taken = number_in("/proc/self/statm", "", 0) * (size_t)sysconf(_SC_PAGESIZE);
  return bytes > *ret_limit / 2 || taken > *ret_limit || 2 * bytes > *ret_limit - taken;
}

static void name_limit(size_t bytes, int error, char *text, size_t size)
{
  size_t limit;
  if (mesi_machine_too_large(bytes))
    snprintf(text, size, "the machine has %zu bytes of memory and swap", mesi_machine_memory());
  else if (exceeds_address_space(bytes, &limit))
    snprintf(text, size,
             "the process may have %zu bytes of address space (ulimit -v), a block takes it twice",
             limit);
  else if (count_mappings() + SPARE_MAPPINGS >= mesi_machine_mappings())
    snprintf(text, size,
             "the process has all %zu mappings that the system allows (vm.max_map_count)",
             mesi_machine_mappings());
  else
    snprintf(text, size, "%s", strerror(error));
}

void mesi_machine_refused(size_t bytes, int error)
{
  static unsigned told;
  char text[256];
  if (told++ >= TOLD_MOST) return;
  name_limit(bytes, error, text, sizeof text);
  dprintf(2, "mesi: warning: mesi_malloc of %zu bytes is refused: %s\n", bytes, text);
}
