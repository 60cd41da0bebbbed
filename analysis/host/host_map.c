/* SPDX-License-Identifier: MIT */
/* host_map.c - open addressing, at most half full. */
#include "analysis/host/host_map.h"

#include <stdint.h>

static size_t find_slot(const struct host_map *map, const void *key)
{
  size_t at =
      (size_t)(((uintptr_t)key >> 4) * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (map->capacity - 1);
  while (map->slots[at].key && map->slots[at].key != key) at = (at + 1) & (map->capacity - 1);
  return at;
}

void *host_map_get(const struct host_map *map, const void *key)
{
  return map->capacity && key ? map->slots[find_slot(map, key)].value : NULL;
}

static void enlarge(struct host_map *map)
{
  struct host_map old = *map;
  map->capacity = old.capacity ? old.capacity * 2 : 64;
  map->slots = arena_alloc(map->arena, map->capacity * sizeof *map->slots);
  for (size_t i = 0; i < old.capacity; i++)
    if (old.slots[i].key) {
      size_t at = find_slot(map, old.slots[i].key);
      map->slots[at].key = old.slots[i].key;
      map->slots[at].value = old.slots[i].value;
    }
}

void host_map_put(struct host_map *map, const void *key, void *value)
{
  if (2 * (map->count + 1) > map->capacity) enlarge(map);
  size_t at = find_slot(map, key);
  if (!map->slots[at].key) map->count++;
  map->slots[at].key = key;
  map->slots[at].value = value;
}
