/* touch.c - host use of objects: announced by emitted code, or caught by page protection. */
#include "touch.h"

#include "error.h"
#include "launch.h"
#include "register.h"
#include "state.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static _Thread_local int kernel_depth; /* above 0: this thread runs kernel code */

void mesi_kernel_thread(int running)
{
  kernel_depth += running ? 1 : -1;
}

void mesi_touch(struct mesi_object *object, unsigned access, const char *cause)
{
  while (object->writers && object->writers > mesi_launch_writes(object))
    mesi_writers_wait();
  if (access & MESI_WRITE)
    mesi_state_host_writes(object, cause);
  else
    mesi_state_to_host(object, cause);
}

void *mesi_touch_object(const void *pointer, unsigned access)
{
  mesi_register_bind();
  if (mesi_object_reject(pointer))
    return (void *)(uintptr_t)pointer;
  mesi_lock();
  struct mesi_object *object = mesi_object_of_pointer(pointer);
  if (object)
    mesi_touch(object, access, access & MESI_WRITE ? "announced host write" : "announced host read");
  mesi_unlock();
  return (void *)(uintptr_t)pointer;
}

/* By index: the table may change while the lock is given up. */
void mesi_touch_all(unsigned access)
{
  const char *cause = access & MESI_WRITE ? "announced host write of all" : "announced host read of all";
  mesi_register_bind();
  mesi_lock();
  for (size_t i = 0; i < mesi_object_count(); i++)
    mesi_touch(mesi_object_at(i), access, cause);
  mesi_unlock();
}

static bool allowed(const struct mesi_object *object, unsigned access)
{
  int wanted = access & MESI_WRITE ? PROT_WRITE : PROT_READ;
  return object->protection & wanted;
}

bool mesi_touch_fault(const void *address, unsigned access)
{
  if (mesi_object_reject(address))
    return false;
  mesi_lock();
  struct mesi_object *object = mesi_object_containing(address);
  bool ours = object && object->mode == MESI_GUARDED;
  if (ours && kernel_depth > 0)
    mesi_fatal("a kernel used the host copy", object, "at byte %zu", (size_t)((const char *)address - object->host));
  if (ours && !allowed(object, access))
    mesi_touch(object, access, access & MESI_WRITE ? "host write" : "host read");
  mesi_unlock();
  return ours;
}

void *mesi_touch_range(const void *pointer, size_t bytes, unsigned access)
{
  if (!bytes)
    return (void *)(uintptr_t)pointer;
  mesi_touch_object(pointer, access & MESI_READ_WRITE);
  if ((access & MESI_OVERWRITE) && getenv("MESI_POISON")) /* so that a broken promise shows */
    memset((void *)(uintptr_t)pointer, 0xa5, bytes);
  return (void *)(uintptr_t)pointer;
}
