/* SPDX-License-Identifier: MIT */
/* together.h - the files of a folder that come to their places together, or not at all. */
#ifndef MESI_DRIVER_TOGETHER_H
#define MESI_DRIVER_TOGETHER_H

#include "translator/base/arena.h"
#include "translator/base/diag.h"

struct together {
  const char *folder; /* where they shall be; the arena's */
  const char *making; /* where they are made: a folder in `folder` */
  bool made;          /* `folder` was not there before */
};

/* Makes the folder where there is none. 0, or an exit status after a diagnostic. */
int together_begin(struct arena *arena, const char *folder, struct diag *diag,
                   struct together *ret);
/* With `status` 0: all files go to their places in `folder`, over those that are there, and `line`
 * is added to the file `list` of it, where it is not empty. Else, and where that fails, nothing is
 * left of them. `status`, or that of the failure. */
int together_end(struct arena *arena, const struct together *, int status, const char *list,
                 const char *line, struct diag *diag);

#endif
