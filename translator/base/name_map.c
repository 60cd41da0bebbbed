/* SPDX-License-Identifier: MIT */
/* name_map.c - a hash map from strings: open addressing, FNV-1a. */
#include "translator/base/name_map.h"

#include <stdint.h>
#include <string.h>

#include "translator/base/arena.h"

static struct name_entry *find(const struct name_map *map, const char *name)
{
  uint32_t hash = 2166136261u;
  for (const char *c = name; *c; c++) hash = (hash ^ (unsigned char)*c) * 16777619u;
  unsigned at = hash & (map->capacity - 1);
  while (map->entries[at].name && strcmp(map->entries[at].name, name))
    at = (at + 1) & (map->capacity - 1);
  return &map->entries[at];
}

void *name_map_get(const struct name_map *map, const char *name)
{
  return map->capacity ? find(map, name)->value : NULL;
}

bool name_map_has(const struct name_map *map, const char *name)
{
  return map->capacity && find(map, name)->name;
}

static void grow(struct arena *arena, struct name_map *map)
{
  struct name_map larger = {.count = map->count,
                            .capacity = map->capacity ? map->capacity * 2 : 64};
  larger.entries = arena_alloc(arena, larger.capacity * sizeof *larger.entries);
  for (unsigned i = 0; i < map->capacity; i++)
    if (map->entries[i].name) *find(&larger, map->entries[i].name) = map->entries[i];
  *map = larger;
}

void name_map_put(struct arena *arena, struct name_map *map, const char *name, void *value)
{
  if (map->count * 2 >= map->capacity) grow(arena, map);
  struct name_entry *entry = find(map, name);
  if (!entry->name) map->count++;
  *entry = (struct name_entry){name, value};
}
