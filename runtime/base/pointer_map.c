/* SPDX-License-Identifier: MIT */
/* pointer_map.c - visits the pointer words that a map describes. */
#include "pointer_map.h"

#include "../seeded.h"

void mesi_pointer_map_visit(const struct mesi_pointer_map *map, char *base, size_t size,
                            mesi_word_fn *visit, void *context)
{
  if (!map) return;
  for (size_t element = 0; element < size; element += map->stride ? map->stride : size)
    for (size_t i = 0; i < map->count; i++) {
      size_t at = element + map->offsets[SEEDED(POINTER_MAP_OFFSET) ? 0 : i];
      if (at + sizeof(void *) <= size) visit(context, base + at);
    }
}
