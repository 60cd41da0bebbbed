/* SPDX-License-Identifier: MIT */
/* slab.c - dynamic VS memory: blocks in slabs.
 *
 * A block of up to 4096 bytes lives in a slab with others of its size class. A larger block has a
 * slab of its own; once thousands of these exist it shares a slab too (size_class.h). A slab is one
 * object: a list of thousands of nodes moves in a few copies, and takes a few mappings. Each slab
 * is memory with two mappings, always guarded. The records of blocks are elsewhere, so that
 * allocation and freeing do not touch memory that may be stale.
 *
 * The slabs of a class grow with their number, so that a million blocks of any size take some
 * thousand slabs: the system limits a process to 65,530 mappings. A launch or an announcement that
 * names a block of more than 4096 bytes uses only the bytes of the block. A launch that reaches the
 * block through pointers moves the slab, in one copy.
 */
#include "slab.h"

#include "../base/error.h"
#include "guard.h"
#include "../base/machine.h"
#include "../base/mapping.h"
#include "../base/size_class.h"
#include "../seeded.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
  FIRST_SLAB = 1 << 16,
  DOUBLINGS = 4,
  USUAL_SLAB = FIRST_SLAB << DOUBLINGS,
  USUAL_SLABS = 64, /* of a class, before they grow with their number */
  OWN_MOST = 4096,  /* blocks with a slab of their own, before further ones share */
  /* from so many bytes on, the memory of a freed cell goes back to the system */
  RETURNED = 1 << 16,
  REMEMBERED = 64 /* freed large blocks, to tell a double free from a foreign pointer */
};

struct freed {  /* a large block; its addresses stay taken and fault while it is remembered */
  char *memory; /* NULL: none */
  size_t extent, bytes;
  uint64_t serial;
};

static struct mesi_slab *room[MESI_CLASS_OWN]; /* slabs with a free block */
static size_t slab_count[MESI_CLASS_OWN + 1];
static uint64_t serials;
static struct freed forgotten[REMEMBERED]; /* freed with their slab, as a ring */
static size_t forgotten_at;

bool mesi_slab_typed(const struct mesi_slab *slab) { return slab->typed > 0; }

void mesi_slab_visit_words(struct mesi_slab *slab, char *base, mesi_word_fn *visit, void *context)
{
  for (size_t i = 0; i < slab->used; i++)
    if (slab->blocks[i].serial)
      mesi_pointer_map_visit(slab->blocks[i].pointers, base + i * slab->cell, slab->blocks[i].bytes,
                             visit, context);
}

static int class_of(size_t bytes, const struct mesi_pointer_map *pointers)
{
  int size_class = mesi_size_class(bytes, pointers != NULL);
  bool few = slab_count[MESI_CLASS_OWN] < OWN_MOST || SEEDED(ALWAYS_OWN_SLAB);
  return few && !mesi_size_class_is_small(size_class) ? MESI_CLASS_OWN : size_class;
}

static void slab_free_parts(struct mesi_slab *slab)
{
  free(slab->free_cells);
  free(slab->blocks);
  free(slab);
}

static size_t largest(size_t a, size_t b) { return a > b ? a : b; }

/* Leaves at least a byte behind a large block, so that no other block starts at its end. */
static size_t slab_bytes(int size_class, size_t bytes)
{
  if (size_class == MESI_CLASS_OWN)
    return bytes > SIZE_MAX / 2 ? 0 : mesi_round_to_pages(bytes + 1);
  size_t count = slab_count[size_class], whole = USUAL_SLAB;
  if (mesi_size_class_is_small(size_class) && count < DOUBLINGS)
    whole = (size_t)FIRST_SLAB << count;
  return mesi_round_to_pages(largest(whole, mesi_size_class_cell(size_class)) *
                             (1 + count / USUAL_SLABS));
}

static void link_room(struct mesi_slab *slab)
{
  struct mesi_slab **head = &room[slab->size_class];
  slab->before = NULL;
  slab->next = *head;
  if (*head) (*head)->before = slab;
  *head = slab;
}

static void unlink_room(struct mesi_slab *slab)
{
  if (slab->before)
    slab->before->next = slab->next;
  else if (room[slab->size_class] == slab)
    room[slab->size_class] = slab->next;
  if (slab->next) slab->next->before = slab->before;
  slab->next = slab->before = NULL;
}

static void describe(struct mesi_slab *slab, size_t extent)
{
  struct mesi_object *object = &slab->object;
  size_t most = slab->cell - (mesi_size_class_is_middle(slab->size_class) ? MESI_CELL_SPACE : 0);
  snprintf(slab->name, sizeof slab->name, "mesi_malloc blocks of %zu bytes", most);
  object->name = slab->name;
  object->extent = extent;
  object->slab = slab;
  object->defined = true;
  mesi_ranges_add(&object->readable, (struct mesi_span){0, extent});
  mesi_ranges_add(&object->writable, (struct mesi_span){0, extent});
}

/* NULL with errno when host memory is exhausted. */
static struct mesi_slab *slab_create(int size_class, size_t bytes)
{
  size_t extent = slab_bytes(size_class, bytes);
  errno = ENOMEM;
  struct mesi_slab *slab =
      extent && !mesi_machine_too_large(extent) ? calloc(1, sizeof *slab) : NULL;
  if (!slab) return NULL;
  slab->size_class = size_class;
  slab->cell = size_class == MESI_CLASS_OWN ? extent : mesi_size_class_cell(size_class);
  slab->count = extent / slab->cell;
  slab->free_cells = calloc(slab->count, sizeof *slab->free_cells);
  slab->blocks = calloc(slab->count, sizeof *slab->blocks);
  if (!slab->free_cells || !slab->blocks || mesi_guard_map(&slab->object, extent)) {
    slab_free_parts(slab);
    return NULL;
  }
  describe(slab, extent);
  mesi_object_enter(&slab->object);
  slab_count[size_class]++;
  if (size_class != MESI_CLASS_OWN) link_room(slab);
  return slab;
}

static void forget(const struct mesi_slab *slab)
{
  struct freed *freed = &forgotten[forgotten_at++ % REMEMBERED];
  if (freed->memory) munmap(freed->memory, freed->extent);
  mesi_guard_close(&slab->object);
  *freed = (struct freed){slab->object.host, slab->object.extent, slab->object.size,
                          slab->blocks[0].serial};
}

static void slab_destroy(struct mesi_slab *slab)
{
  bool own = slab->size_class == MESI_CLASS_OWN;
  slab_count[slab->size_class]--;
  if (!own) unlink_room(slab);
  mesi_object_leave(&slab->object);
  if (own)
    forget(slab);
  else
    munmap(slab->object.host, slab->object.extent);
  munmap(slab->object.view, slab->object.extent);
  mesi_mappings_count(-(ptrdiff_t)slab->object.mappings);
  slab_free_parts(slab);
}

static char *cell_address(const struct mesi_slab *slab, size_t index)
{
  return slab->object.host + index * slab->cell;
}

/* Requires: the slab has room. */
static size_t take_cell(struct mesi_slab *slab)
{
  size_t index = slab->free_count ? slab->free_cells[--slab->free_count] : slab->used++;
  if (slab->size_class != MESI_CLASS_OWN && slab->live + 1 == slab->count) unlink_room(slab);
  slab->live++;
  return index;
}

void *mesi_slab_allocate(size_t bytes, const struct mesi_pointer_map *pointers)
{
  int size_class = class_of(bytes, pointers);
  struct mesi_slab *slab = size_class != MESI_CLASS_OWN ? room[size_class] : NULL;
  if (!slab) slab = slab_create(size_class, bytes);
  if (!slab) {
    mesi_machine_refused(bytes, errno);
    errno = ENOMEM;
    return NULL;
  }
  size_t index = take_cell(slab);
  slab->blocks[index] =
      (struct mesi_block){.serial = ++serials, .bytes = bytes, .pointers = pointers};
  slab->typed += pointers != NULL;
  slab->object.reach_epoch = 0;
  if (size_class == MESI_CLASS_OWN) {
    slab->object.size = bytes;
    snprintf(slab->name, sizeof slab->name, "mesi_malloc %llu (%zu bytes)",
             (unsigned long long)serials, bytes);
  } else {
    slab->object.size = (slab->used - SEEDED(SLAB_SHORT)) * slab->cell;
  }
  return cell_address(slab, index);
}

/* The remembered block at the address; NULL: none. */
static const struct freed *freed_at(const void *address)
{
  for (size_t i = 0; i < REMEMBERED; i++)
    if ((uintptr_t)address - (uintptr_t)forgotten[i].memory < forgotten[i].extent)
      return &forgotten[i];
  return NULL;
}

void mesi_slab_check_freed(const void *address, const char *user)
{
  const struct freed *freed = freed_at(address);
  struct mesi_object *object = mesi_object_containing(address);
  const struct mesi_slab *slab = object ? object->slab : NULL;
  if (freed)
    mesi_fatal("use after free", NULL, "%s uses byte %zu of mesi_malloc %llu (%zu bytes)", user,
               (size_t)((const char *)address - freed->memory), (unsigned long long)freed->serial,
               freed->bytes);
  size_t offset = slab ? (size_t)((const char *)address - object->host) : 0,
         index = slab ? offset / slab->cell : 0;
  bool end_of_live =
      slab && index > 0 && offset % slab->cell == 0 && slab->blocks[index - 1].serial;
  if (slab && index < slab->used && !slab->blocks[index].serial && !end_of_live)
    mesi_fatal("use after free", object, "%s uses %p, which lies in a freed block", user, address);
}

void mesi_slab_note_type(struct mesi_object *object, const void *address, unsigned type)
{
  struct mesi_slab *slab = object->slab;
  size_t index = (size_t)((const char *)address - object->host) / slab->cell;
  if (index < slab->used) slab->blocks[index].types |= type;
}

static _Noreturn void fail_free(const void *memory, const struct mesi_object *object)
{
  const struct freed *freed = freed_at(memory);
  if (freed && freed->memory == memory) mesi_fatal("double free", NULL, "%p", memory);
  if (object && !object->slab)
    mesi_fatal("free of a pointer that mesi_malloc did not return", object, "%p", memory);
  if (object)
    mesi_fatal("free of a pointer that mesi_malloc did not return", object,
               "%p is not the start of a block", memory);
  mesi_fatal("free of a pointer that mesi_malloc did not return", NULL, "%p is in no VS memory",
             memory);
}

struct mesi_slab *mesi_slab_find(const void *memory, size_t *ret_index)
{
  struct mesi_object *object = mesi_object_containing(memory);
  struct mesi_slab *slab = object ? object->slab : NULL;
  if (!slab) fail_free(memory, object);
  size_t offset = (size_t)((const char *)memory - object->host);
  size_t index = offset / slab->cell;
  if (offset % slab->cell || index >= slab->used) fail_free(memory, object);
  if (!slab->blocks[index].serial) mesi_fatal("double free", object, "%p", memory);
  *ret_index = index;
  return slab;
}

/* Gives back the memory of a large freed block, whose contents nobody needs. A process that shares
 * the memory since a fork may still need them. */
static void give_back(struct mesi_slab *slab, size_t index)
{
  struct mesi_object *object = &slab->object;
  size_t page = mesi_page_size(), end = (index + 1) * slab->cell;
  struct mesi_span cell = {mesi_round_to_pages(index * slab->cell), end / page * page};
  bool asked = object->shared && !SEEDED(FREED_OF_BOTH);
  if (slab->cell < RETURNED || object->pinned || asked || mesi_span_empty(cell)) return;
  mesi_object_settle(object, cell);
  madvise(object->view + cell.begin, mesi_span_bytes(cell), MADV_REMOVE);
}

void mesi_slab_release(struct mesi_slab *slab, size_t index)
{
  struct mesi_block *block = &slab->blocks[index];
  slab->typed -= block->pointers != NULL;
  slab->object.reach_epoch = 0;
  if (slab->size_class == MESI_CLASS_OWN) {
    slab_destroy(slab);
    return;
  }
  give_back(slab, index);
  *block = (struct mesi_block){0};
  slab->free_cells[slab->free_count++] = index;
  if (slab->live == slab->count) link_room(slab);
  slab->live--;
  bool another = room[slab->size_class] != slab || slab->next;
  if (slab->live == 0 && another && slab->object.writers == 0) slab_destroy(slab);
}

bool mesi_slab_stays(const struct mesi_slab *slab, size_t bytes)
{
  int best = mesi_size_class(bytes, false), own = slab->size_class == MESI_CLASS_OWN;
  if (mesi_size_class_is_small(best) || mesi_size_class_is_small(slab->size_class))
    return best == slab->size_class;
  size_t most = slab->cell - (own ? 1 : MESI_CELL_SPACE);
  return bytes <= most && bytes >= slab->cell / 2;
}

bool mesi_slab_block_on_device(const void *address, const void **ret_start, size_t *ret_bytes)
{
  mesi_lock();
  struct mesi_object *object = mesi_object_on_device(0, address);
  struct mesi_slab *slab = object ? object->slab : NULL;
  if (slab) {
    const char *memory = object->device[0].address;
    size_t index = (size_t)((const char *)address - memory) / slab->cell;
    bool live = index < slab->used && slab->blocks[index].serial;
    *ret_start = memory + index * slab->cell;
    *ret_bytes = live ? slab->blocks[index].bytes : 0;
  }
  mesi_unlock();
  return slab != NULL;
}

struct mesi_span mesi_slab_span(const struct mesi_object *object, const void *address)
{
  const struct mesi_slab *slab = object->slab;
  size_t at = (size_t)((const char *)address - object->host);

  if (!slab) return mesi_object_whole(object);
  size_t index = at / slab->cell, begin = index * slab->cell;
  if (index >= slab->used || !slab->blocks[index].serial || at > begin + slab->blocks[index].bytes)
    return (struct mesi_span){0, 0};
  return (struct mesi_span){begin, begin + slab->blocks[index].bytes};
}

struct mesi_span mesi_slab_led_to(const struct mesi_object *object, const void *pointer)
{
  const struct mesi_slab *slab = object->slab;
  struct mesi_span block = {0, 0};
  if (slab && mesi_size_class_is_middle(slab->size_class)) block = mesi_slab_span(object, pointer);
  return mesi_span_empty(block) ? mesi_object_whole(object) : block;
}

static int by_serial(const void *left, const void *right)
{
  uint64_t a = ((const struct mesi_block *)left)->serial,
           b = ((const struct mesi_block *)right)->serial;
  return (a > b) - (a < b);
}

struct mesi_block *mesi_slab_live(size_t *ret_count)
{
  size_t count = 0, at = 0;
  for (size_t i = 0; i < mesi_object_count(); i++)
    count += mesi_object_at(i)->slab ? mesi_object_at(i)->slab->live : 0;
  struct mesi_block *live = mesi_need(malloc((count + 1) * sizeof *live));
  for (size_t i = 0; i < mesi_object_count(); i++) {
    const struct mesi_slab *slab = mesi_object_at(i)->slab;
    for (size_t k = 0; slab && k < slab->used; k++)
      if (slab->blocks[k].serial) {
        live[at] = slab->blocks[k];
        live[at++].memory = cell_address(slab, k);
      }
  }
  qsort(live, count, sizeof *live, by_serial);
  *ret_count = count;
  return live;
}
