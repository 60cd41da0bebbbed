/* SPDX-License-Identifier: MIT */
/* guard.c - guarded objects: the first host touch of a stale page faults, and the handler brings it
 * up to date.
 *
 *   a byte of the page is stale on the host                  no access
 *   otherwise, one is valid on a device                      read: the first write is seen
 *   otherwise                                                read and write
 *
 * The memory of a guarded object is a memfd that is mapped twice. Protection applies to the user's
 * view only. The runtime copies through its own view, which stays writable (and page-locked, so
 * that DMA never meets a protected page). So no other thread can ever see half of a copy.
 *
 * After fork() both processes have the same memory, and neither writes to it. The first write of
 * either is seen, since the pages are read-only, and gives the object new memory.
 *
 * Each part of an object with a different protection is a mapping of its own, and a process can
 * have few (mapping.h). When they run short an object becomes coarse: all its pages get the
 * strictest protection that one of them needs, and a touch makes all of it valid. It becomes fine
 * again when there is room.
 *
 * Limits: system calls on a protected page fail with EFAULT instead of a fault; emitted code
 * announces them.
 */
#include "guard.h"

#include "../base/error.h"
#include "../base/mapping.h"
#include "../seeded.h"
#include "../base/signals.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

enum { SIMPLE_PARTS = 64 }; /* of a coarse object that may become fine again */

static mesi_fault_fn *asked; /* the function that is asked about a fault; NULL: none yet */

size_t mesi_page_size(void)
{
  static size_t size;
  if (!size) size = (size_t)sysconf(_SC_PAGESIZE);
  return size;
}

size_t mesi_round_to_pages(size_t bytes)
{
  size_t page = mesi_page_size();
  return (bytes + page - 1) / page * page;
}

int mesi_guard_map(struct mesi_object *object, size_t bytes)
{
  struct mesi_backing backing;
  mesi_no_cancel();
  if (mesi_backing_open(bytes, &backing)) return -1;
  object->view = backing.view;
  object->host = mesi_backing_map(&backing, NULL);
  int error = errno;
  mesi_backing_close(&backing);
  if (!object->host) {
    munmap(backing.view, bytes);
    errno = error;
    return -1;
  }
  object->mappings = 2;
  mesi_mappings_count(2);
  return 0;
}

/* The access of the faulting instruction; 0: it was to be executed. Where the machine does not say
 * (other machines, sandboxes that leave the error code empty), a write is assumed, which is right
 * for reads too. */
static unsigned fault_access(const void *context)
{
#if defined(__x86_64__)
  /* Intel's manual, volume 3, section 4.7 */
  enum { WRITE_FAULT = 2, USER_FAULT = 4, FETCH_FAULT = 16 };
  const ucontext_t *machine = context;
  long long error = machine->uc_mcontext.gregs[REG_ERR];
  if (error & FETCH_FAULT) return 0;
  return (error & USER_FAULT) && !(error & WRITE_FAULT) ? MESI_READ : MESI_READ_WRITE;
#else
  (void)context;
  return MESI_READ_WRITE;
#endif
}

void mesi_guard_tell(mesi_fault_fn *function) { asked = function; }

int mesi_handle_fault(const void *info, const void *context)
{
  const siginfo_t *fault = info;
  if (fault->si_code != SEGV_ACCERR) return 0;
  int saved = errno;
  unsigned access = fault_access(context);
  int handled = access && asked && asked(fault->si_addr, access, context);
  errno = saved;
  return handled;
}

static bool serve(siginfo_t *info, void *context) { return mesi_handle_fault(info, context); }

void mesi_guard_catch(void)
{
  if (mesi_signals_catch(serve)) mesi_fatal("no fault handler", NULL, "%s", strerror(errno));
}

struct mesi_span mesi_guard_pages(const struct mesi_object *object, struct mesi_span span)
{
  size_t page = mesi_page_size();
  struct mesi_span extent = {0, object->extent};
  if (mesi_span_empty(span)) return (struct mesi_span){0, 0};
  if (object->coarse) return extent;
  return mesi_span_clip((struct mesi_span){span.begin / page * page, mesi_round_to_pages(span.end)},
                        extent);
}

static void record_protection(struct mesi_ranges *set, struct mesi_span pages, bool allowed)
{
  if (allowed)
    mesi_ranges_add(set, pages);
  else
    mesi_ranges_remove(set, pages);
}

static bool has_protection(const struct mesi_ranges *set, struct mesi_span pages, bool allowed)
{
  return allowed ? mesi_ranges_contain(set, pages) : !mesi_ranges_meet(set, pages);
}

/* The number of places inside the object where pages in the set meet others. */
static size_t edges(const struct mesi_ranges *set, size_t extent)
{
  const struct mesi_span *items = mesi_ranges_items(set);
  if (!set->count) return 0;
  return 2 * set->count - (items[0].begin == 0) - (items[set->count - 1].end == extent);
}

static void count_parts(struct mesi_object *object)
{
  size_t mappings =
      2 + edges(&object->readable, object->extent) + edges(&object->writable, object->extent);
  mesi_mappings_count((ptrdiff_t)(mappings - object->mappings));
  object->mappings = mappings;
}

static int set_protection(struct mesi_object *object, struct mesi_span pages, int protection)
{
  bool readable = protection & PROT_READ, writable = protection & PROT_WRITE;
  if (!writable)
    mesi_guard_catch();
  else
    mesi_guard_own(object);
  if (mprotect(object->host + pages.begin, mesi_span_bytes(pages), protection)) return -1;
  record_protection(&object->readable, pages, readable);
  record_protection(&object->writable, pages, writable);
  count_parts(object);
  return 0;
}

/* -1: mappings are too short to protect these pages alone. */
static int protect(struct mesi_object *object, struct mesi_span pages, int protection)
{
  bool readable = protection & PROT_READ, writable = protection & PROT_WRITE;
  if (has_protection(&object->readable, pages, readable) &&
      has_protection(&object->writable, pages, writable))
    return 0;
  if (mesi_span_bytes(pages) < object->extent && mesi_mappings_short()) return -1;
  if (set_protection(object, pages, protection) == 0) return 0;
  if (errno != ENOMEM)
    mesi_fatal("the object's pages cannot be protected", object, "%s", strerror(errno));
  return -1;
}

/* Gives the object one mapping with one protection; this needs no further mappings. */
static void protect_whole(struct mesi_object *object)
{
  struct mesi_span all = {0, mesi_object_capacity(object)}, pages = {0, object->extent};
  int protection = PROT_READ | PROT_WRITE;
  for (int device = 0; device < object->device_count; device++)
    if (mesi_ranges_meet(&object->device[device].valid, all)) protection = PROT_READ;
  if (!mesi_ranges_contain(&object->host_valid, all) && !SEEDED(COARSE_STALE_OPEN))
    protection = PROT_NONE;
  if (object->coarse && has_protection(&object->readable, pages, protection & PROT_READ) &&
      has_protection(&object->writable, pages, protection & PROT_WRITE))
    return;
  object->coarse = true;
  if (set_protection(object, pages, protection))
    mesi_fatal("the object's pages cannot be protected", object, "%s", strerror(errno));
}

/* Would a fine protection need few mappings? */
static bool is_simple(const struct mesi_object *object)
{
  size_t parts = object->host_valid.count;
  for (int device = 0; device < object->device_count; device++)
    parts += object->device[device].valid.count;
  return parts <= SIMPLE_PARTS;
}

/* Closes the object as one mapping, which the next touch opens again. */
static void protect_closed(struct mesi_object *object)
{
  object->coarse = true;
  if (set_protection(object, (struct mesi_span){0, object->extent}, PROT_NONE))
    mesi_fatal("the object's pages cannot be protected", object, "%s", strerror(errno));
}

static void protect_written(struct mesi_object *object)
{
  struct mesi_span rest = {0, object->extent};
  while (!mesi_span_empty(rest)) {
    struct mesi_span part = mesi_ranges_next(&object->writable, rest);
    if (mesi_span_empty(part)) return;
    if (protect(object, part, PROT_READ)) {
      protect_closed(object);
      return;
    }
    rest.begin = part.end;
  }
}

/* Collects the pages with a byte that is stale on the host, and those with a byte that is valid on
 * a device. */
static void collect_pages(const struct mesi_object *object, struct mesi_span pages,
                          struct mesi_ranges *stale, struct mesi_ranges *shared)
{
  struct mesi_span bytes =
                       mesi_span_clip(pages, (struct mesi_span){0, mesi_object_capacity(object)}),
                   rest = bytes;
  for (; !mesi_span_empty(rest);) {
    struct mesi_span gap = mesi_ranges_next_gap(&object->host_valid, rest);
    mesi_ranges_add(stale, mesi_guard_pages(object, gap));
    rest.begin = mesi_span_empty(gap) ? rest.end : gap.end;
  }
  for (int device = 0; device < object->device_count; device++)
    for (rest = bytes; !mesi_span_empty(rest);) {
      struct mesi_span part = mesi_ranges_next(&object->device[device].valid, rest);
      mesi_ranges_add(shared, mesi_guard_pages(object, part));
      rest.begin = mesi_span_empty(part) ? rest.end : part.end;
    }
}

/* The protection that the first page of the span needs. *ret_end: the end of the pages with the
 * same need. */
static int wanted(const struct mesi_ranges *stale, const struct mesi_ranges *shared,
                  struct mesi_span rest, size_t *ret_end)
{
  struct mesi_span none = mesi_ranges_next(stale, rest), shown = mesi_ranges_next(shared, rest);
  if (!mesi_span_empty(none) && none.begin == rest.begin) {
    *ret_end = none.end;
    return PROT_NONE;
  }
  bool read_only = !mesi_span_empty(shown) && shown.begin == rest.begin;
  *ret_end = read_only ? shown.end : mesi_span_empty(shown) ? rest.end : shown.begin;
  if (!mesi_span_empty(none) && none.begin < *ret_end) *ret_end = none.begin;
  return read_only && !SEEDED(READ_OPENS_WRITING) ? PROT_READ : PROT_READ | PROT_WRITE;
}

static int protect_pages(struct mesi_object *object, struct mesi_span rest)
{
  struct mesi_ranges stale = {0}, shared = {0};
  int status = 0;
  collect_pages(object, rest, &stale, &shared);
  while (!mesi_span_empty(rest) && !status) {
    struct mesi_span first = rest;
    int protection = wanted(&stale, &shared, rest, &first.end);
    status = protect(object, first, protection);
    rest.begin = first.end;
  }
  mesi_ranges_finish(&stale);
  mesi_ranges_finish(&shared);
  return status;
}

/* ---- two processes ---- */

void mesi_guard_share(struct mesi_object *object)
{
  if (object->mode != MESI_GUARDED || SEEDED(CHILD_SHARES)) return;
  mesi_object_settle(object, (struct mesi_span){0, SIZE_MAX});
  object->shared = true;
  protect_written(object);
}

/* Moves the view before anybody may write to the user's pages, which nobody can use meanwhile. */
static int move_memory(struct mesi_object *object)
{
  struct mesi_backing own;
  mesi_no_cancel();
  if (mesi_backing_open(object->extent, &own)) return -1;
  memcpy(own.view, object->view, mesi_object_capacity(object));
  bool moved = mesi_backing_map(&own, object->view) && mesi_backing_map_closed(&own, object->host);
  munmap(own.view, own.bytes);
  mesi_backing_close(&own);
  return moved ? 0 : -1;
}

void mesi_guard_own(struct mesi_object *object)
{
  if (!object->shared) return;
  /* the lock is released meanwhile: another thread may do the same, and finish before this one */
  mesi_object_settle(object, (struct mesi_span){0, SIZE_MAX});
  if (!object->shared) return;
  object->shared = false;
  if (object->pinned) mesi_device.unpin(object->view);
  object->pinned = false;
  if (move_memory(object))
    mesi_fatal("no memory to keep the object apart from that of another process", object, "%s",
               strerror(errno));
  mesi_ranges_finish(&object->readable);
  mesi_ranges_finish(&object->writable);
  count_parts(object);
  mesi_guard_update(object, mesi_object_whole(object));
}

void mesi_guard_update(struct mesi_object *object, struct mesi_span span)
{
  if (object->mode != MESI_GUARDED) return;
  if (object->coarse && is_simple(object) && mesi_mappings_plenty()) {
    object->coarse = false;
    span = (struct mesi_span){0, object->extent};
  }
  if (!object->coarse && protect_pages(object, mesi_guard_pages(object, span)) == 0) return;
  protect_whole(object);
}

/* The object may be freed before any object was protected. */
void mesi_guard_close(const struct mesi_object *object)
{
  if (!SEEDED(FREED_UNWATCHED)) mesi_guard_catch();
  mmap(object->host, object->extent, PROT_NONE,
       MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);
}

/* Copies pages that are closed for writing. The closing orders the writes of other threads before
 * this copy. ThreadSanitizer does not know that, and would report a memcpy. */
__attribute__((no_sanitize("thread"))) static void copy_closed(char *to, const char *from,
                                                               size_t bytes)
{
  size_t words = bytes / sizeof(uint64_t);
  for (size_t i = 0; i < words; i++)
    ((uint64_t *)(void *)to)[i] = ((const volatile uint64_t *)(const void *)from)[i];
  for (size_t i = words * sizeof(uint64_t); i < bytes; i++)
    to[i] = ((const volatile char *)from)[i];
}

/* The variable is read-only while its contents move, so that a write by another thread waits in the
 * handler. */
void mesi_guard_adopt(struct mesi_object *object)
{
  struct mesi_span whole = {0, object->extent};
  object->mode = MESI_GUARDED;
  mesi_ranges_add(&object->readable, whole);
  mesi_ranges_add(&object->writable, whole);
  object->mappings = 2;
  mesi_mappings_count(2);
  struct mesi_backing backing;
  if (protect(object, whole, PROT_READ) || mesi_backing_open(object->extent, &backing))
    mesi_fatal("no memory to guard the object", object, "%s", strerror(errno));
  copy_closed(backing.view, object->host, object->size);
  object->view = backing.view;
  if (!mesi_backing_map(&backing, object->host))
    mesi_fatal("the object's pages cannot be mapped", object, "%s", strerror(errno));
  mesi_ranges_add(&object->writable, whole);
  mesi_backing_close(&backing);
}
