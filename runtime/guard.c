/* guard.c - guarded objects: the first host touch of a stale page faults, and the handler brings it up to date.
 *
 *   a byte of the page is stale on the host                  no access
 *   otherwise, one is valid on a device                      read: the first write is seen
 *   otherwise                                                read and write
 *
 * The memory of a guarded object is a memfd mapped twice. Protection applies to the user's view only; the runtime
 * copies through its own view, which stays writable (and page-locked, so that DMA never meets a protected page).
 * No moment exists in which another thread could see half of a copy.
 *
 * After fork() both processes have the same memory: neither writes to it. The first write of either is seen, since the pages are
 * read-only, and gives the object other memory.
 *
 * Limits: system calls on a protected page fail with EFAULT instead of a fault; emitted code announces them.
 */
#include "guard.h"

#include "error.h"
#include "seeded.h"
#include "signals.h"
#include "touch.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

size_t mesi_page_size(void)
{
  static size_t size;
  if (!size)
    size = (size_t)sysconf(_SC_PAGESIZE);
  return size;
}

size_t mesi_round_to_pages(size_t bytes)
{
  size_t page = mesi_page_size();
  return (bytes + page - 1) / page * page;
}

static int open_memory(size_t bytes)
{
  mesi_no_cancel();
  int file = memfd_create("mesi", MFD_CLOEXEC);
  if (file < 0)
    return -1;
  if (ftruncate(file, (off_t)bytes) == 0)
    return file;
  close(file);
  return -1;
}

static char *map(int file, void *at, size_t bytes)
{
  void *memory = mmap(at, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | (at ? MAP_FIXED : 0), file, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

int mesi_guard_map(size_t bytes, char **ret_user, char **ret_view)
{
  int file = open_memory(bytes);
  if (file < 0)
    return -1;
  char *user = map(file, NULL, bytes);
  char *view = user ? map(file, NULL, bytes) : NULL;
  close(file);
  if (!view) {
    if (user)
      munmap(user, bytes);
    return -1;
  }
  *ret_user = user;
  *ret_view = view;
  return 0;
}

/* How the faulting instruction used the page; 0 when it was to be executed. Where that is not told (other machines,
 * sandboxes that leave the error code empty), a write is assumed, which is right for reads too. */
static unsigned fault_access(const void *context)
{
#if defined(__x86_64__)
  enum { WRITE_FAULT = 2, USER_FAULT = 4, FETCH_FAULT = 16 }; /* Intel's manual, volume 3, section 4.7 */
  const ucontext_t *machine = context;
  long long error = machine->uc_mcontext.gregs[REG_ERR];
  if (error & FETCH_FAULT)
    return 0;
  return (error & USER_FAULT) && !(error & WRITE_FAULT) ? MESI_READ : MESI_READ_WRITE;
#else
  (void)context;
  return MESI_READ_WRITE;
#endif
}

int mesi_handle_fault(const void *info, const void *context)
{
  const siginfo_t *fault = info;
  if (fault->si_code != SEGV_ACCERR)
    return 0;
  int saved = errno;
  unsigned access = fault_access(context);
  int handled = access && mesi_touch_fault(fault->si_addr, access, context);
  errno = saved;
  return handled;
}

static bool serve(siginfo_t *info, void *context)
{
  return mesi_handle_fault(info, context);
}

void mesi_guard_catch(void)
{
  if (mesi_signals_catch(serve))
    mesi_fatal("no fault handler", NULL, "%s", strerror(errno));
}

struct mesi_span mesi_guard_pages(const struct mesi_object *object, struct mesi_span span)
{
  size_t page = mesi_page_size();
  struct mesi_span extent = { 0, object->extent };
  if (mesi_span_empty(span))
    return (struct mesi_span){ 0, 0 };
  return mesi_span_clip((struct mesi_span){ span.begin / page * page, mesi_round_to_pages(span.end) }, extent);
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

static void protect(struct mesi_object *object, struct mesi_span pages, int protection)
{
  bool readable = protection & PROT_READ, writable = protection & PROT_WRITE;
  if (has_protection(&object->readable, pages, readable) && has_protection(&object->writable, pages, writable))
    return;
  if (!writable)
    mesi_guard_catch();
  else
    mesi_guard_own(object);
  if (mprotect(object->host + pages.begin, mesi_span_bytes(pages), protection))
    mesi_fatal("the object's pages cannot be protected", object, "%s", strerror(errno));
  record_protection(&object->readable, pages, readable);
  record_protection(&object->writable, pages, writable);
}

static void protect_written(struct mesi_object *object)
{
  struct mesi_span rest = { 0, object->extent };
  while (!mesi_span_empty(rest)) {
    struct mesi_span part = mesi_ranges_next(&object->writable, rest);
    if (mesi_span_empty(part))
      return;
    protect(object, part, PROT_READ);
    rest.begin = part.end;
  }
}

/* Pages with a byte that is stale on the host, pages with a byte that is valid on a device. */
static void collect_pages(const struct mesi_object *object, struct mesi_span pages, struct mesi_ranges *stale,
                          struct mesi_ranges *shared)
{
  struct mesi_span bytes = mesi_span_clip(pages, (struct mesi_span){ 0, mesi_object_capacity(object) }), rest = bytes;
  for (; !mesi_span_empty(rest); ) {
    struct mesi_span gap = mesi_ranges_next_gap(&object->host_valid, rest);
    mesi_ranges_add(stale, mesi_guard_pages(object, gap));
    rest.begin = mesi_span_empty(gap) ? rest.end : gap.end;
  }
  for (int device = 0; device < object->device_count; device++)
    for (rest = bytes; !mesi_span_empty(rest); ) {
      struct mesi_span part = mesi_ranges_next(&object->device[device].valid, rest);
      mesi_ranges_add(shared, mesi_guard_pages(object, part));
      rest.begin = mesi_span_empty(part) ? rest.end : part.end;
    }
}

void mesi_guard_update(struct mesi_object *object, struct mesi_span span)
{
  struct mesi_ranges stale = { 0 }, shared = { 0 };
  if (object->mode != MESI_GUARDED)
    return;
  struct mesi_span rest = mesi_guard_pages(object, span);
  collect_pages(object, rest, &stale, &shared);
  while (!mesi_span_empty(rest)) {
    struct mesi_span first = rest;
    int protection = PROT_READ | PROT_WRITE;
    struct mesi_span none = mesi_ranges_next(&stale, rest);
    struct mesi_span shown = mesi_ranges_next(&shared, rest);
    if (!mesi_span_empty(none) && none.begin == rest.begin) {
      first.end = none.end;
      protection = PROT_NONE;
    } else {
      bool read_only = !mesi_span_empty(shown) && shown.begin == rest.begin;
      protection = read_only && !SEEDED(READ_OPENS_WRITING) ? PROT_READ : PROT_READ | PROT_WRITE;
      first.end = read_only ? shown.end : mesi_span_empty(shown) ? rest.end : shown.begin;
      if (!mesi_span_empty(none) && none.begin < first.end)
        first.end = none.begin;
    }
    protect(object, first, protection);
    rest.begin = first.end;
  }
  mesi_ranges_finish(&stale);
  mesi_ranges_finish(&shared);
}

/* ---- two processes ---- */

void mesi_guard_share(struct mesi_object *object)
{
  if (object->mode != MESI_GUARDED || SEEDED(CHILD_SHARES))
    return;
  mesi_object_settle(object, (struct mesi_span){ 0, SIZE_MAX });
  object->shared = true;
  protect_written(object);
}

static char *copy_of_memory(struct mesi_object *object, int *ret_file)
{
  *ret_file = open_memory(object->extent);
  char *copy = *ret_file < 0 ? NULL : map(*ret_file, NULL, object->extent);
  if (!copy)
    mesi_fatal("no memory to keep the object apart from that of another process", object, "%s", strerror(errno));
  memcpy(copy, object->view, mesi_object_capacity(object));
  return copy;
}

/* The view moves before anybody may write to the user's pages, which nobody can use meanwhile. */
void mesi_guard_own(struct mesi_object *object)
{
  int file;
  if (!object->shared)
    return;
  object->shared = false;
  mesi_object_settle(object, (struct mesi_span){ 0, SIZE_MAX });
  if (object->pinned)
    mesi_device.unpin(object->view);
  object->pinned = false;
  char *copy = copy_of_memory(object, &file);
  if (!map(file, object->view, object->extent) ||
      mmap(object->host, object->extent, PROT_NONE, MAP_SHARED | MAP_FIXED, file, 0) == MAP_FAILED)
    mesi_fatal("the object's pages cannot be mapped", object, "%s", strerror(errno));
  munmap(copy, object->extent);
  close(file);
  mesi_ranges_finish(&object->readable);
  mesi_ranges_finish(&object->writable);
  mesi_guard_update(object, mesi_object_whole(object));
}

void mesi_guard_close(char *user, size_t bytes)
{
  mmap(user, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);
}

/* The variable is read-only while its contents move, so that a write by another thread waits in the handler. */
void mesi_guard_adopt(struct mesi_object *object)
{
  struct mesi_span whole = { 0, object->extent };
  object->mode = MESI_GUARDED;
  mesi_ranges_add(&object->readable, whole);
  mesi_ranges_add(&object->writable, whole);
  protect(object, whole, PROT_READ);
  int file = open_memory(object->extent);
  char *view = file < 0 ? NULL : map(file, NULL, object->extent);
  if (!view)
    mesi_fatal("no memory to guard the object", object, "%s", strerror(errno));
  memcpy(view, object->host, object->size);
  object->view = view;
  if (!map(file, object->host, object->extent))
    mesi_fatal("the object's pages cannot be mapped", object, "%s", strerror(errno));
  mesi_ranges_add(&object->writable, whole);
  close(file);
}
