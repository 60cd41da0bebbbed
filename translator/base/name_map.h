/* SPDX-License-Identifier: MIT */
/* name_map.h - a hash map from strings to pointers, in an arena. */
#ifndef MESI_BASE_NAME_MAP_H
#define MESI_BASE_NAME_MAP_H

#include <stdbool.h>

struct arena;

struct name_entry {
  const char *name; /* NULL: free */
  void *value;
};

struct name_map { /* all zero is an empty map */
  struct name_entry *entries;
  unsigned count, capacity; /* capacity: a power of two */
};

void *name_map_get(const struct name_map *, const char *name); /* NULL: not there */
bool name_map_has(const struct name_map *, const char *name);
/* keeps `name` itself */
void name_map_put(struct arena *, struct name_map *, const char *name, void *value);

#endif
