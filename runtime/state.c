/* state.c - the states of an object and its transfers.
 *
 *   host    device   user's view of a guarded object
 *   valid   no       read and write: the host may write unseen, no copy depends on it
 *   valid   valid    read: the first write is seen, and makes the device copy invalid
 *   stale   valid    none: the first touch is seen, and copies back
 *
 * An object goes to a device whole. A kernel that writes it may write a part only, so the device copy is made valid
 * before it is written.
 */
#include "state.h"

#include "batch.h"
#include "error.h"
#include "guard.h"
#include "pointers.h"
#include "trace.h"
#include "seeded.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static bool has_own_pages(const struct mesi_object *object)
{
  return object->defined && (uintptr_t)object->host % mesi_page_size() == 0;
}

static void choose_mode(struct mesi_object *object)
{
  if (object->slab) {
    object->mode = MESI_GUARDED;
  } else if (object->constant) {
    object->mode = MESI_ANNOUNCED;
  } else if (object->wants_guard && has_own_pages(object)) {
    mesi_guard_adopt(object);
  } else {
    object->mode = object->wants_guard || !object->defined ? MESI_EAGER : MESI_ANNOUNCED;
  }
}

void mesi_state_prepare(struct mesi_object *object)
{
  if (object->prepared)
    return;
  object->prepared = true;
  choose_mode(object);
  object->pinned = !object->constant && /* copied once, and perhaps in read-only pages */
    mesi_device.pin(object->view, object->mode == MESI_GUARDED ? object->extent : object->size) == 0;
}

void mesi_state_want_guard(struct mesi_object *object)
{
  if (object->wants_guard)
    return;
  object->wants_guard = true;
  if (has_own_pages(object))
    object->extent = mesi_round_to_pages(object->size);
  if (!object->prepared)
    return;
  mesi_state_host_writes(object, "guard");
  if (object->pinned)
    mesi_device.unpin(object->view);
  object->pinned = object->prepared = false;
}

static void send(struct mesi_object *object, int device, const char *cause)
{
  char *to = object->device[device].address;
  char *staging = NULL;
  if (mesi_pointers_any(object)) {
    staging = mesi_need(malloc(object->size));
    memcpy(staging, object->view, object->size);
    mesi_pointers_to_device(object, device, staging);
  }
  mesi_batch_flush();
  double start = mesi_trace_now();
  mesi_check(mesi_device.copy_to_device(device, to, staging ? staging : object->view, object->size), object,
             "copy to the device");
  mesi_trace_transfer(object, MESI_TO_DEVICE, cause, mesi_trace_now() - start);
  free(staging);
}

static void fetch(struct mesi_object *object, int device, const char *cause)
{
  const char *from = object->device[device].address;
  bool translate = mesi_pointers_any(object);
  char *to = translate ? mesi_need(malloc(object->size)) : object->view;
  mesi_batch_flush();
  double start = mesi_trace_now();
  mesi_check(mesi_device.copy_to_host(device, to, from, object->size), object, "copy to the host");
  mesi_trace_transfer(object, MESI_TO_HOST, cause, mesi_trace_now() - start);
  if (!translate)
    return;
  if (!SEEDED(FETCHED_UNTRANSLATED))
    mesi_pointers_to_host(object, device, to);
  memcpy(object->view, to, object->size);
  free(to);
}

static int valid_device(const struct mesi_object *object)
{
  int device = 0;
  while (!object->device[device].valid)
    device++;
  return device;
}

void mesi_state_to_host(struct mesi_object *object, const char *cause)
{
  if (object->host_valid)
    return;
  int device = valid_device(object);
  mesi_wait(device);
  fetch(object, device, cause);
  object->host_valid = true;
  mesi_guard_protect(object, PROT_READ | (SEEDED(READ_OPENS_WRITING) ? PROT_WRITE : 0));
}

void mesi_state_forget_device(struct mesi_object *object)
{
  for (int device = 0; device < MESI_DEVICE_MAX; device++)
    object->device[device].valid &= SEEDED(HOST_WRITE_UNSEEN);
  object->reach_epoch *= SEEDED(REACH_NOT_RENEWED);
  mesi_guard_protect(object, PROT_READ | PROT_WRITE);
}

void mesi_state_host_writes(struct mesi_object *object, const char *cause)
{
  mesi_state_to_host(object, cause);
  mesi_state_forget_device(object);
}

void mesi_state_device_writes(struct mesi_object *object, int device)
{
  for (int other = 0; other < MESI_DEVICE_MAX; other++)
    object->device[other].valid = other == device;
  object->host_valid = SEEDED(KERNEL_WRITE_UNSEEN);
  object->reach_epoch = 0;
  mesi_guard_protect(object, PROT_NONE);
}

/* The view is read-only before the copy starts: a write by another thread during it makes the copy invalid. */
char *mesi_state_to_device(struct mesi_object *object, int device, const char *cause)
{
  mesi_state_prepare(object);
  char *memory = mesi_object_device_memory(object, device);
  if (object->device[device].valid)
    return memory;
  mesi_state_to_host(object, cause);
  if (!SEEDED(SENT_NOT_PROTECTED))
    mesi_guard_protect(object, PROT_READ);
  mesi_wait(device);
  send(object, device, cause);
  object->device[device].valid = true;
  return memory;
}
