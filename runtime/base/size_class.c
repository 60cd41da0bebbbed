/* SPDX-License-Identifier: MIT */
/* size_class.c - the size classes of blocks. */
#include "size_class.h"

/* The largest block of the middle class with this number. */
static size_t middle_bytes(int number)
{
  size_t doubling = (size_t)1 << (MESI_SMALL_SHIFT + MESI_SMALL_CLASSES - 1 + number / 8);
  return doubling + doubling / 8 * (size_t)(number % 8 + 1);
}

static int middle_number(size_t bytes)
{
  int number = 0;
  while (number < MESI_MIDDLE_CLASSES && middle_bytes(number + 7) < bytes) number += 8;
  while (number < MESI_MIDDLE_CLASSES && middle_bytes(number) < bytes) number++;
  return number;
}

int mesi_size_class(size_t bytes, bool has_pointers)
{
  int size_class = 0;
  while (size_class < MESI_SMALL_CLASSES && bytes > (size_t)1 << (MESI_SMALL_SHIFT + size_class))
    size_class++;
  if (size_class < MESI_SMALL_CLASSES) return size_class;
  int number = middle_number(bytes);
  if (number == MESI_MIDDLE_CLASSES) return MESI_CLASS_OWN;
  return MESI_SMALL_CLASSES + (has_pointers ? MESI_MIDDLE_CLASSES : 0) + number;
}

bool mesi_size_class_is_small(int size_class) { return size_class < MESI_SMALL_CLASSES; }

bool mesi_size_class_is_middle(int size_class)
{
  return size_class >= MESI_SMALL_CLASSES && size_class < MESI_CLASS_OWN;
}

size_t mesi_size_class_cell(int size_class)
{
  if (mesi_size_class_is_small(size_class)) return (size_t)1 << (MESI_SMALL_SHIFT + size_class);
  return middle_bytes((size_class - MESI_SMALL_CLASSES) % MESI_MIDDLE_CLASSES) + MESI_CELL_SPACE;
}
