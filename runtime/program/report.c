/* SPDX-License-Identifier: MIT */
/* report.c - the end of the program: statistics, then the final contents. */
#include "report.h"

#include "../dump.h"
#include "../base/error.h"
#include "../base/file.h"
#include "../base/pointer_map.h"
#include "../base/ranks.h"
#include "../object/slab.h"
#include "../transfer/register.h"
#include "../transfer/state.h"
#include "../trace/trace.h"
#include "../base/watch.h"
#include "../stream/devices.h"
#include "../stream/order.h"
#include "../stream/wait.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry { /* one object of the file */
  const char *name;
  uint32_t kind, element;
  char *host;
  size_t size;
  const struct mesi_pointer_map *pointers;
};

struct dump {
  struct entry *entries; /* in the order of the file */
  size_t count;
  struct entry **sorted; /* by host address */
};

static bool reported;

/* Before the devices are closed: what is sent from here may still be on its way. */
static void settle_ranks(void)
{
  if (!mesi_ranks_several() || !mesi_order_used()) return;
  for (int i = 0; i < mesi_devices_count(); i++)
    if (!mesi_ranks_elsewhere(mesi_devices_at(i))) mesi_wait(mesi_devices_at(i));
}

static void report(void)
{
  const char *path = getenv("MESI_DUMP");
  int device;
  if (reported) return;
  reported = true;
  mesi_register_bind();
  mesi_lock();
  if (mesi_trace_launches() && mesi_trace_on() && !mesi_device.current(&device)) mesi_wait(device);
  mesi_trace_write();
  if (path && *path) mesi_report_dump(path);
  settle_ranks();
  mesi_unlock();
}

/* Registered first, so that it runs after everything else at the program's end. */
static void end_ranks(void)
{
  mesi_lock();
  mesi_ranks_end();
  mesi_unlock();
}

void mesi_report_in_child(void)
{
  reported = true;
  mesi_trace_in_child();
}

void mesi_report_at_exit(void)
{
  mesi_trace_open();
  if (mesi_ranks_several()) {
    atexit(end_ranks);
    at_quick_exit(end_ranks);
  }
  atexit(report);
}

void mesi_report_before_device_exit(void)
{
  atexit(report);
  at_quick_exit(report);
}

static size_t count_variables(void)
{
  size_t count = 0;
  for (const struct mesi_unit *unit = mesi_register_first(); unit; unit = unit->next)
    count += unit->file->var_count;
  return count;
}

static uint32_t element_of(unsigned flags)
{
  return flags & MESI_VAR_FLOAT    ? MESI_DUMP_FLOAT
         : flags & MESI_VAR_DOUBLE ? MESI_DUMP_DOUBLE
                                   : MESI_DUMP_BYTES;
}

static uint32_t element_of_block(unsigned types)
{
  return types == MESI_OF_FLOAT    ? MESI_DUMP_FLOAT
         : types == MESI_OF_DOUBLE ? MESI_DUMP_DOUBLE
                                   : MESI_DUMP_BYTES;
}

static void collect_variables(struct dump *dump)
{
  for (const struct mesi_unit *unit = mesi_register_first(); unit; unit = unit->next)
    for (unsigned i = 0; i < unit->file->var_count; i++) {
      const struct mesi_var *var = &unit->file->vars[i];
      struct mesi_object *object = unit->objects[i];
      if ((var->flags & MESI_VAR_EXTERN) || !object) continue;
      dump->entries[dump->count++] =
          (struct entry){var->name,    MESI_DUMP_VARIABLE, element_of(var->flags),
                         object->host, object->size,       object->pointers};
    }
}

static int by_address(const void *left, const void *right)
{
  const struct entry *a = *(struct entry *const *)left, *b = *(struct entry *const *)right;
  return (a->host > b->host) - (a->host < b->host);
}

static void collect(struct dump *dump)
{
  size_t live;
  struct mesi_block *blocks = mesi_slab_live(&live);
  size_t most = count_variables() + live + 1;
  dump->entries = mesi_need(calloc(most, sizeof *dump->entries));
  dump->sorted = mesi_need(calloc(most, sizeof(struct entry *)));
  collect_variables(dump);
  for (size_t i = 0; i < live; i++)
    dump->entries[dump->count++] =
        (struct entry){"mesi_malloc",    MESI_DUMP_DYNAMIC, element_of_block(blocks[i].types),
                       blocks[i].memory, blocks[i].bytes,   blocks[i].pointers};
  free(blocks);
  for (size_t i = 0; i < dump->count; i++) dump->sorted[i] = &dump->entries[i];
  qsort(dump->sorted, dump->count, sizeof(struct entry *), by_address);
}

static uint64_t pointer_value(const struct dump *dump, const char *pointer)
{
  size_t low = 0, high = dump->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (dump->sorted[middle]->host <= pointer)
      low = middle + 1;
    else
      high = middle;
  }
  const struct entry *entry = low ? dump->sorted[low - 1] : NULL;
  if (!entry || (size_t)(pointer - entry->host) > entry->size) return MESI_DUMP_FOREIGN;
  return MESI_DUMP_POINTER(entry - dump->entries, pointer - entry->host);
}

static void word_to_value(void *context, char *word)
{
  char *pointer;
  memcpy(&pointer, word, sizeof pointer);
  uint64_t value = pointer ? pointer_value(context, pointer) : 0;
  memcpy(word, &value, sizeof value);
}

/* Makes an object valid on the host before the file exists: a device that fails leaves no
 * half-written file. Does not wait for launches that other threads are about to make: they may
 * themselves wait for ever. */
static void bring(const struct entry *entry)
{
  struct mesi_object *object = mesi_object_containing(entry->host);
  size_t begin = (size_t)(entry->host - object->host);
  mesi_state_to_host(
      object, mesi_state_span(object, (struct mesi_span){begin, begin + entry->size}), "dump");
}

static void write_entry(FILE *file, struct dump *dump, const struct entry *entry)
{
  const struct mesi_object *object = mesi_object_containing(entry->host);
  struct mesi_dump_entry head = {entry->kind, entry->element, (uint32_t)strlen(entry->name), 0,
                                 entry->size};
  fwrite(&head, sizeof head, 1, file);
  fwrite(entry->name, 1, head.name_bytes, file);
  const char *contents = object->view + (entry->host - object->host);
  if (!entry->pointers) {
    fwrite(contents, 1, entry->size, file);
    if (mesi_watch_object)
      mesi_watch_object(entry->name, entry->element, contents, NULL, entry->size);
    return;
  }
  char *copy = mesi_need(malloc(entry->size + 1));
  memcpy(copy, contents, entry->size);
  mesi_pointer_map_visit(entry->pointers, copy, entry->size, word_to_value, dump);
  fwrite(copy, 1, entry->size, file);
  if (mesi_watch_object)
    mesi_watch_object(entry->name, entry->element, contents, copy, entry->size);
  free(copy);
}

static int write_dump(FILE *file, struct dump *dump)
{
  struct mesi_dump_header header = {.version = MESI_DUMP_VERSION, .count = (uint32_t)dump->count};
  memcpy(header.magic, MESI_DUMP_MAGIC, sizeof header.magic);
  fwrite(&header, sizeof header, 1, file);
  for (size_t i = 0; i < dump->count; i++) write_entry(file, dump, &dump->entries[i]);
  return ferror(file) ? -1 : 0;
}

void mesi_report_dump(const char *path)
{
  struct dump dump = {0};
  int status = -1;
  collect(&dump);
  for (size_t i = 0; i < dump.count; i++) bring(&dump.entries[i]);
  FILE *file = mesi_rank() ? NULL : mesi_file_create(path);
  if (mesi_rank()) status = 0;
  if (file) {
    status = write_dump(file, &dump);
    if (fclose(file)) status = -1;
  }
  if (status) mesi_warn("mesi: warning: the dump cannot be written to %s\n", path);
  free(dump.entries);
  free(dump.sorted);
}
