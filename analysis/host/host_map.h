/* SPDX-License-Identifier: MIT */
/* host_map.h - a hash table from addresses to addresses, in an arena. */
#ifndef MESI_ANALYSIS_HOST_MAP_H
#define MESI_ANALYSIS_HOST_MAP_H

#include <stddef.h>

#include "translator/base/arena.h"

struct host_map {
  struct arena *arena;
  struct {
    const void *key;
    void *value;
  } * slots; /* capacity is a power of two */
  size_t count, capacity;
};

void *host_map_get(const struct host_map *, const void *key); /* NULL: absent */
void host_map_put(struct host_map *, const void *key, void *value);

#endif
