/* SPDX-License-Identifier: MIT */
/* arena.h - memory that lives as long as its arena. Two arenas exist: the unit's and a kernel's
 * scratch. */
#ifndef MESI_BASE_ARENA_H
#define MESI_BASE_ARENA_H

#include <stdarg.h>
#include <stddef.h>

#define ARENA_EXHAUSTED 99 /* a child's exit status, which its parent reports */

struct arena;

/* Where memory is exhausted the process ends with `status`, by default 3 (a limit is reached). */
void arena_exhausted_status(int status);
void arena_exhausted(void) __attribute__((noreturn)); /* reports it and ends the process */

struct arena *arena_create(void);   /* never NULL: ends the process when memory is exhausted */
void arena_destroy(struct arena *); /* NULL is fine */

void *arena_alloc(struct arena *, size_t bytes); /* zeroed, aligned for any object */
char *arena_copy(struct arena *, const char *text, size_t length); /* zero-terminated */
char *arena_string(struct arena *, const char *text);
char *arena_format(struct arena *, const char *format, ...) __attribute__((format(printf, 2, 3)));
char *arena_vformat(struct arena *, const char *format, va_list);

#define ARENA_NEW(arena, type) ((type *)arena_alloc((arena), sizeof(type)))

/* A growing array in an arena: declare `struct { T *items; unsigned count, capacity; } list`.
 * PUSH evaluates to a pointer to the new, zeroed element. */
void *arena_grow(struct arena *, void *items, unsigned count, unsigned *capacity, size_t element);
#define ARENA_PUSH(arena, list) \
  (((list)->items = arena_grow((arena), (list)->items, (list)->count, &(list)->capacity, \
                               sizeof *(list)->items)), \
   &(list)->items[(list)->count++])
#define LIST_OF(type) \
  struct { \
    type *items; \
    unsigned count, capacity; \
  }

#endif
