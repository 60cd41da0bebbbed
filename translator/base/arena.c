/* SPDX-License-Identifier: MIT */
/* arena.c - chunks of zeroed memory, freed together. */
#include "translator/base/arena.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CHUNK_BYTES (256u * 1024u)
#define ALIGNMENT 16u
#define LARGE 512u /* bytes of an element: most lists of such elements have one or two */

struct chunk {
  struct chunk *next;
  size_t used, size; /* bytes of data */
  _Alignas(ALIGNMENT) unsigned char data[];
};

struct arena {
  struct chunk *first;
};

static int exhausted_status = 3;

void arena_exhausted_status(int status) { exhausted_status = status; }

void arena_exhausted(void)
{
  /* not by way of a FILE, which allocates */
  static const char message[] = "mesicc: error[M3002]: out of memory\n";
  ssize_t unused = write(2, message, sizeof message - 1);
  (void)unused;
  _exit(exhausted_status);
}

static void *allocate_or_exit(size_t bytes)
{
  void *memory = calloc(1, bytes);
  if (!memory) arena_exhausted();
  return memory;
}

struct arena *arena_create(void) { return allocate_or_exit(sizeof(struct arena)); }

void arena_destroy(struct arena *arena)
{
  if (!arena) return;
  for (struct chunk *chunk = arena->first, *next; chunk; chunk = next) {
    next = chunk->next;
    free(chunk);
  }
  free(arena);
}

void *arena_alloc(struct arena *arena, size_t bytes)
{
  size_t wanted = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  struct chunk *chunk = arena->first;
  if (!chunk || chunk->size - chunk->used < wanted) {
    size_t size = wanted > CHUNK_BYTES ? wanted : CHUNK_BYTES;
    chunk = allocate_or_exit(sizeof *chunk + size);
    chunk->size = size;
    /* a big one goes behind, the open chunk stays first */
    if (size > CHUNK_BYTES && arena->first) {
      chunk->next = arena->first->next;
      arena->first->next = chunk;
    } else {
      chunk->next = arena->first;
      arena->first = chunk;
    }
  }
  void *memory = chunk->data + chunk->used;
  chunk->used += wanted;
  return memory;
}

char *arena_copy(struct arena *arena, const char *text, size_t length)
{
  char *copy = arena_alloc(arena, length + 1);
  memcpy(copy, text, length);
  return copy;
}

char *arena_string(struct arena *arena, const char *text)
{
  return arena_copy(arena, text, strlen(text));
}

char *arena_vformat(struct arena *arena, const char *format, va_list arguments)
{
  va_list again;
  va_copy(again, arguments);
  int length = vsnprintf(NULL, 0, format, again);
  va_end(again);
  char *text = arena_alloc(arena, (size_t)length + 1);
  vsnprintf(text, (size_t)length + 1, format, arguments);
  return text;
}

char *arena_format(struct arena *arena, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  char *text = arena_vformat(arena, format, arguments);
  va_end(arguments);
  return text;
}

void *arena_grow(struct arena *arena, void *items, unsigned count, unsigned *capacity,
                 size_t element)
{
  if (count < *capacity) return items;
  unsigned larger = *capacity ? *capacity * 2 : element < LARGE ? 8 : 1;
  void *grown = arena_alloc(arena, larger * element);
  if (count) memcpy(grown, items, count * element);
  *capacity = larger;
  return grown;
}
