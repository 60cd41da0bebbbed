/* SPDX-License-Identifier: MIT */
/* mapping.c - memory that is mapped twice: a memfd, or, where there is none, anonymous shared
 * memory with a second mapping by mremap. The memfd is the usual way, since tools like valgrind
 * know it. */
#include "mapping.h"

#include "machine.h"
#include "../seeded.h"

#include <stdint.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

static size_t mappings; /* of all objects */

/* Does the limit allow a file of this size? Growth beyond the limit would send SIGXFSZ. */
static bool file_may_have(size_t bytes)
{
  struct rlimit limit;
  bool known = getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
  return !known || bytes <= limit.rlim_cur || SEEDED(FILE_SIZE_UNASKED);
}

static int open_file(size_t bytes)
{
  int file = file_may_have(bytes) ? memfd_create("mesi", MFD_CLOEXEC) : -1;
  if (file < 0 || ftruncate(file, (off_t)bytes) == 0) return file;
  close(file);
  return -1;
}

int mesi_backing_open(size_t bytes, struct mesi_backing *ret)
{
  int file = open_file(bytes), flags = MAP_SHARED | (file < 0 ? MAP_ANONYMOUS | MAP_NORESERVE : 0);
  void *view = mmap(NULL, bytes, PROT_READ | PROT_WRITE, flags, file, 0);
  if (view == MAP_FAILED) {
    if (file >= 0) close(file);
    return -1;
  }
  *ret = (struct mesi_backing){file, view, bytes};
  return 0;
}

/* ThreadSanitizer's, where it is linked: it takes a new mapping for a write by this thread. The
 * runtime's mapping has the contents of the old one, so that a read of another thread meanwhile
 * gives the same bytes. */
extern void AnnotateIgnoreWritesBegin(const char *, int) __attribute__((weak));
extern void AnnotateIgnoreWritesEnd(const char *, int) __attribute__((weak));

static void no_write(bool begins)
{
  if (begins && AnnotateIgnoreWritesBegin) AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
  if (!begins && AnnotateIgnoreWritesEnd) AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
}

static char *map(const struct mesi_backing *backing, void *at, int protection)
{
  void *memory;
  no_write(true);
  if (backing->file >= 0)
    memory =
        mmap(at, backing->bytes, protection, MAP_SHARED | (at ? MAP_FIXED : 0), backing->file, 0);
  else
    memory = mremap(backing->view, 0, backing->bytes, MREMAP_MAYMOVE | (at ? MREMAP_FIXED : 0), at);
  no_write(false);
  return memory == MAP_FAILED ? NULL : memory;
}

char *mesi_backing_map(const struct mesi_backing *backing, void *at)
{
  return map(backing, at, PROT_READ | PROT_WRITE);
}

/* mremap gives the new mapping the protection of the old one. */
char *mesi_backing_map_closed(const struct mesi_backing *backing, void *at)
{
  return mprotect(backing->view, backing->bytes, PROT_NONE) ? NULL : map(backing, at, PROT_NONE);
}

void mesi_backing_close(const struct mesi_backing *backing)
{
  if (backing->file >= 0) close(backing->file);
}

void mesi_mappings_count(ptrdiff_t more) { mappings += (size_t)more; }

bool mesi_mappings_short(void) { return mappings + 2 > mesi_machine_mappings() / 4 * 3; }

bool mesi_mappings_plenty(void) { return mappings < mesi_machine_mappings() / 2; }
