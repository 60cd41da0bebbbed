/* SPDX-License-Identifier: MIT */
/* rows.h - rows of a copy in shared memory by which lanes of a warp are apart. */
#ifndef MESI_ROWS_H
#define MESI_ROWS_H

#include <stdbool.h>
#include <stddef.h>

#include "../mesi.h"

struct mesi_places {  /* integers, one for each thread of a block, in order */
  const char *data;   /* the first */
  size_t count, step; /* step: bytes from one to the next */
  unsigned element;   /* bytes of one: 1, 2, 4 or 8 */
  bool is_signed;
};

/* false: there are no rows. `size`: of an element of the copy, bytes. */
bool mesi_rows_find(const struct mesi_places *, unsigned size, struct mesi_plan_row *ret);

#endif
