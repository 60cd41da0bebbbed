/* SPDX-License-Identifier: MIT */
/* touch.c - host use of objects: announced by emitted code, or caught by page protection. */
#include "touch.h"

#include "../base/error.h"
#include "../object/guard.h"
#include "../object/habit.h"
#include "../launch/launch.h"
#include "../object/slab.h"
#include "../object/poison.h"
#include "../transfer/register.h"
#include "../transfer/state.h"
#include "../seeded.h"
#include "../trace/trace.h"
#include "../transfer/verify.h"

enum {
  /* the least bytes that a fault brings: their copy takes as long as its start */
  READ_WINDOW = 128 << 10,
  /* bytes: a larger announced read is a part of the data, perhaps all that is ready */
  ELEMENT = 256,
  /* announced reads of elements in sequence, after which more bytes come than were announced */
  SEQUENCE = 4,
  AHEAD_FIRST = 2 << 10,
  AHEAD_MOST = 1 << 20, /* bytes */
  /* after so many scattered reads the window grows as if they were in sequence */
  MANY_FAULTS = 16
};

void mesi_kernel_thread(int running) { mesi_inside.kernels += running ? 1 : -1; }

void mesi_launching_thread(int running)
{
  if (running)
    mesi_launching();
  else
    mesi_launched();
}

/* Is another thread making a launch that writes the object? */
static bool is_written(const struct mesi_object *object)
{
  return !SEEDED(WRITERS_NOT_AWAITED) && object->writers &&
         object->writers > mesi_launch_writes(object);
}

void mesi_touch(struct mesi_object *object, struct mesi_span span, unsigned access,
                const char *cause)
{
  while (is_written(object)) mesi_writers_wait();
  struct mesi_span used = mesi_state_span(object, span);
  bool overwritten = (access & MESI_OVERWRITE) && mesi_span_bytes(used) == mesi_span_bytes(span);
  if ((access & MESI_READ) || !overwritten) {
    mesi_habit_host_reads(object, used);
    mesi_state_to_host(object, used, cause);
  }
  if (access & MESI_WRITE) mesi_state_host_writes(object, used);
  if (overwritten && !(access & MESI_READ)) mesi_poison_host(object, used);
}

/* ---- announced ---- */

static const char *cause_of(unsigned access)
{
  return access & MESI_WRITE ? "announced host write" : "announced host read";
}

/* The bytes around an element: a multiple of the window's size, which grows. */
static struct mesi_span around(struct mesi_window *window, struct mesi_span span)
{
  if (window->scattered == MANY_FAULTS || window->bytes < READ_WINDOW)
    window->bytes = READ_WINDOW;
  else if (window->scattered % MANY_FAULTS == 0)
    window->bytes *= 2;
  span.begin -= span.begin % window->bytes;
  span.end = span.begin + window->bytes;
  return span;
}

/* The bytes after an element, more each time. */
static struct mesi_span behind(struct mesi_window *window, struct mesi_span span)
{
  if (window->bytes < AHEAD_MOST) window->bytes *= 2;
  span.end += window->bytes;
  return span;
}

/* Reads ahead in a loop whose announcement could not be hoisted: for (i ...) look(a[i]); or for (i
 * ...) look(a[i][j]); */
static void read_ahead(struct mesi_object *object, struct mesi_span span)
{
  struct mesi_window *window = &object->ahead;
  struct mesi_span whole = mesi_object_whole(object);
  if (mesi_span_bytes(span) > ELEMENT || object->verified ||
      mesi_ranges_contain(&object->host_valid, span))
    return;
  window->faults = span.begin == window->next ? window->faults + 1 : 0;
  window->scattered++;
  window->next = span.end;
  if (window->faults >= SEQUENCE)
    span = mesi_span_clip(behind(window, span), whole);
  else if (window->scattered >= MANY_FAULTS)
    span = mesi_span_clip(around(window, span), whole);
  else {
    window->bytes = AHEAD_FIRST;
    return;
  }
  window->next = span.end;
  mesi_touch(object, span, MESI_READ, "announced host reads, one by one");
}

/* Makes the rest of partly used pages valid and opens them: their first touch would fault. */
static void open_pages(struct mesi_object *object, struct mesi_span span, unsigned access,
                       const char *cause)
{
  struct mesi_span all = {0, mesi_object_capacity(object)};
  if (object->mode != MESI_GUARDED || object->verified || mesi_span_empty(span)) return;
  struct mesi_span pages = mesi_span_clip(mesi_guard_pages(object, span), all);
  struct mesi_span head = {pages.begin, span.begin}, tail = {span.end, pages.end};
  if ((access & MESI_READ) || !(access & MESI_OVERWRITE))
    mesi_touch(object, pages, MESI_READ, cause);
  if ((access & MESI_WRITE) && !mesi_span_empty(head))
    mesi_touch(object, head, MESI_READ_WRITE, cause);
  if ((access & MESI_WRITE) && !mesi_span_empty(tail))
    mesi_touch(object, tail, MESI_READ_WRITE, cause);
}

static void announce(struct mesi_object *object, struct mesi_span span, unsigned access,
                     const char *cause)
{
  if (mesi_verify_drops(object, mesi_state_span(object, span), access)) return;
  if (access & MESI_READ) read_ahead(object, span);
  open_pages(object, span, access, cause);
  mesi_touch(object, span, access, cause);
}

void *mesi_touch_object(const void *pointer, unsigned access)
{
  mesi_register_bind();
  if (mesi_object_reject(pointer)) return (void *)(uintptr_t)pointer;
  mesi_lock();
  struct mesi_object *object = mesi_object_of_pointer(pointer);
  if (object)
    announce(object, object->slab ? mesi_slab_led_to(object, pointer) : mesi_object_whole(object),
             access, cause_of(access));
  mesi_unlock();
  return (void *)(uintptr_t)pointer;
}

void *mesi_touch_range(const void *pointer, size_t bytes, unsigned access)
{
  mesi_register_bind();
  if (bytes == 0 || mesi_object_reject(pointer)) return (void *)(uintptr_t)pointer;
  mesi_lock();
  struct mesi_object *object = mesi_object_containing(pointer);
  if (object) {
    size_t begin = (size_t)((const char *)pointer - object->host);
    struct mesi_span span = {begin, bytes < object->size ? begin + bytes : object->size};
    announce(object, mesi_span_clip(span, mesi_object_whole(object)), access, cause_of(access));
  }
  mesi_unlock();
  return (void *)(uintptr_t)pointer;
}

void mesi_touch_pointed(const void *pointer, ptrdiff_t begin, ptrdiff_t end, unsigned access)
{
  mesi_register_bind();
  if (begin >= end || mesi_object_reject(pointer)) return;
  mesi_lock();
  struct mesi_object *object = mesi_object_containing(pointer);
  ptrdiff_t at = object ? (const char *)pointer - object->host : 0;
  if (object && at + end > 0) {
    struct mesi_span span = {at + begin < 0 ? 0 : (size_t)(at + begin), (size_t)(at + end)};
    span = mesi_span_clip(span, mesi_object_whole(object));
    if (!mesi_span_empty(span)) announce(object, span, access, cause_of(access));
  }
  mesi_unlock();
}

void *mesi_touch_opened(const void *pointer, unsigned access)
{
  return mesi_verify_on() ? mesi_touch_object(pointer, access) : (void *)(uintptr_t)pointer;
}

/* The first object after the address that no launch is writing; NULL: there is none. While the
 * thread waits for a launch the lock is released, and any object may go: this thread does not use
 * an object that another one frees. */
static struct mesi_object *next_at_rest(const void *address)
{
  struct mesi_object *object = mesi_object_behind(address);
  while (object && is_written(object) && !SEEDED(FREED_WHILE_AWAITED)) {
    mesi_writers_wait();
    object = mesi_object_behind(address);
  }
  return object;
}

void mesi_touch_all(unsigned access)
{
  const char *cause =
      access & MESI_WRITE ? "announced host write of all" : "announced host read of all";
  mesi_register_bind();
  mesi_lock();
  const char *last = NULL;
  for (struct mesi_object *object; (object = next_at_rest(last)); last = object->host)
    announce(object, mesi_object_whole(object), access, cause);
  mesi_unlock();
}

/* ---- caught ---- */

static bool allowed(const struct mesi_object *object, size_t byte, unsigned access)
{
  const struct mesi_ranges *set = access & MESI_WRITE ? &object->writable : &object->readable;
  return mesi_ranges_contain(set, (struct mesi_span){byte, byte + 1});
}

/* The pages that a fault brings: more each time while faults follow one another. */
static struct mesi_span fault_span(struct mesi_window *window, struct mesi_span page, size_t least,
                                   size_t most)
{
  bool in_sequence = page.begin == window->next && window->bytes;
  if (!in_sequence && window->faults < MANY_FAULTS)
    window->bytes = least;
  else if (window->bytes < most)
    window->bytes *= 2;
  window->faults++;
  page.end = page.begin + window->bytes;
  window->next = page.end;
  return page;
}

static void bring(struct mesi_object *object, size_t byte, unsigned access)
{
  struct mesi_span page = mesi_guard_pages(object, (struct mesi_span){byte, byte + 1});
  struct mesi_span all = {0, mesi_object_capacity(object)}, span = page;
  if (!object->verified && !object->coarse &&
      !mesi_ranges_contain(&object->host_valid, mesi_span_clip(page, all)))
    span = fault_span(&object->reading, page, READ_WINDOW, object->extent);
  mesi_trace_fault(object, mesi_span_clip(span, all), access);
  mesi_touch(object, mesi_span_clip(span, all), MESI_READ, "host read");
  if (!(access & MESI_WRITE)) return;
  if (!object->verified && !object->coarse)
    page = fault_span(&object->writing, page, mesi_page_size(), object->extent);
  mesi_touch(object, mesi_span_clip(page, all), MESI_READ_WRITE, "host write");
}

static void check_kernel(const struct mesi_object *object, const void *address)
{
  if (object && object->mode == MESI_GUARDED && mesi_inside.kernels > 0)
    mesi_fatal("a kernel used the host copy", object, "at byte %zu",
               (size_t)((const char *)address - object->host));
}

/* A fault of a thread that has the lock: a kernel that it runs, a handler that could not be put
 * off, or a crash of another kind. */
static bool fault_inside(const void *address)
{
  const struct mesi_object *object = mesi_object_containing(address);
  check_kernel(object, address);
  if (object && object->mode == MESI_GUARDED) mesi_lock(); /* reports the second entry */
  return false;
}

bool mesi_touch_fault(const void *address, unsigned access, const void *context)
{
  if (mesi_object_reject(address)) return false;
  if (mesi_inside.depth) return fault_inside(address);
  mesi_lock();
  mesi_no_cancel();
  struct mesi_object *object = mesi_object_containing(address);
  size_t byte = object ? (size_t)((const char *)address - object->host) : 0;
  bool ours = object && object->mode == MESI_GUARDED;
  if (!object) mesi_slab_check_freed(address, "host");
  check_kernel(object, address);
  if (ours && !allowed(object, byte, access)) {
    mesi_verify_fault(object, byte, access, context);
    bring(object, byte, access);
  }
  mesi_unlock();
  return ours;
}
