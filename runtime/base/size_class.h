/* SPDX-License-Identifier: MIT */
/* size_class.h - the sizes of the cells in which mesi_malloc puts blocks. Internal to the runtime.
 *
 *     up to 4096 bytes      16, 32, 64, ... 4096
 *     up to 16 MB           4608, 5120, ... 8192, 9216, ... : eight to a doubling, each with
 *                           MESI_CELL_SPACE behind it, so that a block's end is its own and blocks
 *                           do not begin on the same cache set
 *
 * The middle classes exist twice: for blocks with pointers, which move as a whole with all others
 * in their slab, and for the rest. Classes are numbers from 0; MESI_CLASS_OWN is that of blocks
 * with a slab of their own. */
#ifndef MESI_SIZE_CLASS_H
#define MESI_SIZE_CLASS_H

#include <stdbool.h>
#include <stddef.h>

enum {
  MESI_SMALL_SHIFT = 4,       /* 16 bytes */
  MESI_SMALL_CLASSES = 9,     /* up to 4096 bytes */
  MESI_MIDDLE_DOUBLINGS = 12, /* up to 16 MB */
  MESI_MIDDLE_CLASSES = 8 * MESI_MIDDLE_DOUBLINGS,
  MESI_CLASS_OWN = MESI_SMALL_CLASSES + 2 * MESI_MIDDLE_CLASSES,
  MESI_CELL_SPACE = 256
};

/* The class whose cells fit such blocks best; MESI_CLASS_OWN: none does. */
int mesi_size_class(size_t bytes, bool has_pointers);
bool mesi_size_class_is_small(int size_class);
bool mesi_size_class_is_middle(int size_class);
/* The distance of cells in bytes. Requires: not MESI_CLASS_OWN. */
size_t mesi_size_class_cell(int size_class);

#endif
