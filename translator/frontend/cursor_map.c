/* SPDX-License-Identifier: MIT */
/* cursor_map.c - a hash map from canonical cursors to pointers. */
#include "translator/frontend/internal.h"

static struct cursor_entry *find(const struct cursor_map *map, CXCursor cursor)
{
  unsigned at = clang_hashCursor(cursor) & (map->capacity - 1);
  while (map->entries[at].used && !clang_equalCursors(map->entries[at].cursor, cursor))
    at = (at + 1) & (map->capacity - 1);
  return &map->entries[at];
}

void *cursor_map_get(const struct cursor_map *map, CXCursor cursor)
{
  return map->capacity ? find(map, cursor)->value : NULL;
}

static void grow(struct arena *arena, struct cursor_map *map)
{
  struct cursor_map larger = {.capacity = map->capacity ? map->capacity * 2 : 256,
                              .count = map->count};
  larger.entries = arena_alloc(arena, larger.capacity * sizeof *larger.entries);
  for (unsigned i = 0; i < map->capacity; i++)
    if (map->entries[i].used) *find(&larger, map->entries[i].cursor) = map->entries[i];
  *map = larger;
}

void cursor_map_put(struct arena *arena, struct cursor_map *map, CXCursor cursor, void *value)
{
  if (map->count * 2 >= map->capacity) grow(arena, map);
  struct cursor_entry *entry = find(map, cursor);
  if (!entry->used) map->count++;
  *entry = (struct cursor_entry){cursor, value, true};
}
