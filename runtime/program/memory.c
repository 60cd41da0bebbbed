/* SPDX-License-Identifier: MIT */
/* memory.c - mesi_malloc and its family, over slabs (slab.c). */
#include "../object/slab.h"

#include "../object/guard.h"
#include "../base/size_class.h"
#include "../base/watch.h"
#include "start.h"
#include "../host/touch.h"
#include "../seeded.h"

#include <errno.h>
#include <string.h>

/* The runtime's view of a block, to read or to write its first bytes. Where another block of the
 * page is stale the page stays closed: opening it for writing would otherwise give this process
 * memory of its own. */
static char *block_view(struct mesi_slab *slab, size_t index, size_t bytes, unsigned access,
                        const char *cause)
{
  size_t begin = index * slab->cell;
  mesi_touch(&slab->object, (struct mesi_span){begin, begin + bytes}, access, cause);
  if ((access & MESI_WRITE) && !SEEDED(RESIZED_FOR_BOTH)) mesi_guard_own(&slab->object);
  return slab->object.view + begin;
}

static void *resize(void *old, size_t bytes, const struct mesi_pointer_map *pointers)
{
  size_t from, to;
  struct mesi_slab *slab = mesi_slab_find(old, &from);
  struct mesi_block *block = &slab->blocks[from];
  if (mesi_slab_stays(slab, bytes) && block->pointers == pointers) {
    block->bytes = bytes;
    if (slab->size_class == MESI_CLASS_OWN) slab->object.size = bytes;
    return old;
  }
  void *memory = mesi_slab_allocate(bytes, pointers);
  if (!memory) return NULL;
  struct mesi_slab *target = mesi_slab_find(memory, &to);
  size_t kept = bytes < block->bytes ? bytes : block->bytes;
  const char *source = block_view(slab, from, kept, MESI_READ, "realloc");
  char *view = block_view(target, to, kept, MESI_WRITE | MESI_OVERWRITE, "realloc");
  memcpy(view, source, SEEDED(REALLOC_TAIL) ? kept / 16 * 16 : kept);
  mesi_slab_release(slab, from);
  return memory;
}

void *mesi_malloc_typed(size_t bytes, const struct mesi_pointer_map *pointers)
{
  mesi_lock();
  mesi_start_once();
  void *memory = mesi_slab_allocate(bytes, pointers);
  mesi_unlock();
  return memory;
}

void *mesi_calloc_typed(size_t count, size_t bytes, const struct mesi_pointer_map *pointers)
{
  size_t whole, index;
  if (__builtin_mul_overflow(count, bytes, &whole)) {
    errno = ENOMEM;
    return NULL;
  }
  mesi_lock();
  mesi_start_once();
  void *memory = mesi_slab_allocate(whole, pointers);
  struct mesi_slab *slab = memory ? mesi_slab_find(memory, &index) : NULL;
  if (slab && slab->size_class != MESI_CLASS_OWN && !SEEDED(CALLOC_NOT_ZERO))
    memset(block_view(slab, index, whole, MESI_WRITE | MESI_OVERWRITE, "calloc"), 0, whole);
  mesi_unlock();
  return memory;
}

static void *reallocate(void *old, size_t bytes, const struct mesi_pointer_map *pointers,
                        bool keep_map)
{
  size_t index;
  mesi_lock();
  struct mesi_slab *slab = mesi_slab_find(old, &index);
  void *memory = resize(old, bytes, keep_map ? slab->blocks[index].pointers : pointers);
  mesi_unlock();
  return memory;
}

void *mesi_realloc_typed(void *old, size_t bytes, const struct mesi_pointer_map *pointers)
{
  return old ? reallocate(old, bytes, pointers, false) : mesi_malloc_typed(bytes, pointers);
}

void *mesi_malloc(size_t bytes) { return mesi_malloc_typed(bytes, NULL); }

void *mesi_calloc(size_t count, size_t bytes) { return mesi_calloc_typed(count, bytes, NULL); }

void *mesi_realloc(void *old, size_t bytes)
{
  return old ? reallocate(old, bytes, NULL, true) : mesi_malloc(bytes);
}

/* Shows a freed block to prove's watcher. Memory with pointers is shown only at the end, when all
 * objects have names. */
static void show_to_watcher(struct mesi_slab *slab, size_t index)
{
  const struct mesi_block *block = &slab->blocks[index];
  if (mesi_watch_object && !block->pointers && block->bytes)
    mesi_watch_object("mesi_malloc", 0, block_view(slab, index, block->bytes, MESI_READ, "watch"),
                      NULL, block->bytes);
}

void mesi_free(void *memory)
{
  if (!memory) return;
  mesi_lock();
  size_t index;
  struct mesi_slab *slab = mesi_slab_find(memory, &index);
  show_to_watcher(slab, index);
  mesi_slab_release(slab, index);
  mesi_unlock();
}
