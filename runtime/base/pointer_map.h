/* SPDX-License-Identifier: MIT */
/* pointer_map.h - the places of pointers in memory of a type. Internal to the runtime. */
#ifndef MESI_POINTER_MAP_H
#define MESI_POINTER_MAP_H

#include "../mesi.h"

typedef void mesi_word_fn(void *context, char *word);

/* Calls `visit` for each pointer word, by the map (NULL: none), of the `size` bytes at `base`. */
void mesi_pointer_map_visit(const struct mesi_pointer_map *map, char *base, size_t size,
                            mesi_word_fn *visit, void *context);

#endif
