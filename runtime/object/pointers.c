/* SPDX-License-Identifier: MIT */
/* pointers.c - pointer words inside objects, translated between host and device.
 *
 * Example: struct node { float value; struct node *next; } in mesi_malloc_typed memory with the map
 * { stride 16, count 1, offsets { 8 } }. On the way to the device the word at 8 becomes the device
 * address of the node that it points to; on the way back each device address becomes the host
 * address again.
 */
#include "pointers.h"

#include "../base/error.h"
#include "../base/pointer_map.h"
#include "slab.h"
#include "../seeded.h"

#include <stdlib.h>
#include <string.h>

struct translation {
  struct mesi_object *object;
  int device;
  struct mesi_span span; /* the bytes of the object at `copy` */
  char *copy;
};

struct reach {
  struct mesi_object *object; /* the object whose list is built */
  size_t capacity;
  uint64_t scan; /* number of this scan */
};

static void visit_words(struct mesi_object *object, char *base, mesi_word_fn *visit, void *context)
{
  if (object->slab)
    mesi_slab_visit_words(object->slab, base, visit, context);
  else
    mesi_pointer_map_visit(object->pointers, base, object->size, visit, context);
}

bool mesi_pointers_any(const struct mesi_object *object)
{
  return object->slab ? mesi_slab_typed(object->slab) : object->pointers != NULL;
}

static char *load(const char *word)
{
  char *value;
  memcpy(&value, word, sizeof value);
  return value;
}

/* The word's place in the copy; NULL: it is not in the copy. Words are visited by their place in
 * the view. */
static char *word_in_copy(const struct translation *translation, const char *word)
{
  size_t offset = (size_t)(word - translation->object->view);
  bool inside =
      offset >= translation->span.begin && offset + sizeof(void *) <= translation->span.end;
  return inside ? translation->copy + (offset - translation->span.begin) : NULL;
}

static void word_to_device(void *context, char *at)
{
  const struct translation *translation = context;
  char *word = word_in_copy(translation, at);
  char *value = word ? load(word) : NULL;
  struct mesi_object *target = value ? mesi_object_of_pointer(value) : NULL;
  if (!target) return;
  ptrdiff_t offset = SEEDED(INTERIOR_OFFSET_LOST) ? 0 : value - target->host;
  value = (char *)mesi_object_device_memory(target, translation->device) + offset;
  memcpy(word, &value, sizeof value);
}

static void word_to_host(void *context, char *at)
{
  const struct translation *translation = context;
  char *word = word_in_copy(translation, at);
  char *value = word ? load(word) : NULL;
  struct mesi_object *target = value ? mesi_object_on_device(translation->device, value) : NULL;
  if (!target) return;
  value = target->host + (value - (char *)target->device[translation->device].address);
  memcpy(word, &value, sizeof value);
}

void mesi_pointers_to_device(struct mesi_object *object, int device, struct mesi_span span,
                             char *copy)
{
  struct translation translation = {object, device, span, copy};
  visit_words(object, object->view, word_to_device, &translation);
}

void mesi_pointers_to_host(struct mesi_object *object, int device, struct mesi_span span,
                           char *copy)
{
  struct translation translation = {object, device, span, copy};
  visit_words(object, object->view, word_to_host, &translation);
}

static void word_reached(void *context, char *word)
{
  struct reach *reach = context;
  struct mesi_object *object = reach->object;
  char *value = load(word);
  struct mesi_object *target = value ? mesi_object_of_pointer(value) : NULL;
  if (!target || target->scan == reach->scan) return;
  target->scan = reach->scan;
  if (object->reach_count == reach->capacity) {
    reach->capacity = reach->capacity ? reach->capacity * 2 : 8;
    object->reach = mesi_need(realloc(object->reach, reach->capacity * sizeof *object->reach));
  }
  object->reach[object->reach_count++] = target;
}

bool mesi_pointers_reach_known(const struct mesi_object *object)
{
  return object->reach_epoch == mesi_objects_epoch();
}

void mesi_pointers_reach(struct mesi_object *object)
{
  static uint64_t scans;
  if (mesi_pointers_reach_known(object)) return;
  free(object->reach);
  object->reach = NULL;
  object->reach_count = 0;
  struct reach reach = {object, 0, ++scans};
  visit_words(object, object->view, word_reached, &reach);
  object->reach_epoch = mesi_objects_epoch();
}
