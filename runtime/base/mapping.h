/* SPDX-License-Identifier: MIT */
/* mapping.h - memory that is mapped twice, and the number of the runtime's mappings. Internal to
 * the runtime.
 *
 * The system gives a process 65,530 mappings (vm.max_map_count), which it shares with threads'
 * stacks, libraries and malloc. Each part of a mapping that has a protection of its own counts. The
 * runtime takes three quarters of them at most. */
#ifndef MESI_MAPPING_H
#define MESI_MAPPING_H

#include <stdbool.h>
#include <stddef.h>

struct mesi_backing { /* fresh zeroed memory of whole pages */
  int file;           /* below 0: no file, by a limit on descriptors or on the size of files */
  char *view;         /* the first mapping; the caller's to unmap */
  size_t bytes;
};

/* -1 with errno where there is no memory. */
int mesi_backing_open(size_t bytes, struct mesi_backing *ret);
/* Another mapping of the memory, in place of the pages at `at` (NULL: anywhere). NULL with errno:
 * it is impossible. */
char *mesi_backing_map(const struct mesi_backing *, void *at);
/* The last mapping of the memory, without access until a protection is set. From then on the view
 * has no access either: the caller can only unmap it. */
char *mesi_backing_map_closed(const struct mesi_backing *, void *at);
/* Closes the file; the mappings stay. */
void mesi_backing_close(const struct mesi_backing *);

/* Adds to the number of mappings. Requires the lock. */
void mesi_mappings_count(ptrdiff_t more);
/* would another part with a protection of its own exceed the limit? */
bool mesi_mappings_short(void);
bool mesi_mappings_plenty(void); /* there is room for many */

#endif
