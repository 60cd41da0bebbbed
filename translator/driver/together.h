/* SPDX-License-Identifier: MIT */
/* together.h - the files of a folder that come to their places together, or not at all. */
#ifndef MESI_DRIVER_TOGETHER_H
#define MESI_DRIVER_TOGETHER_H

#include "translator/base/arena.h"
#include "translator/base/diag.h"

struct together {
  const char *folder; /* the place for the files; the arena's */
  const char *making; /* a folder in `folder` where they are made */
  bool made;          /* `folder` is new */
};

/* Makes the folder where there is none. 0, or an exit status after a diagnostic. */
int together_begin(struct arena *arena, const char *folder, struct diag *diag,
                   struct together *ret);
/* With `status` 0: moves all files to their places in `folder`, over old ones, and adds `line` to
 * the file `list` in it, where it is not empty. Otherwise, and where that fails, no file is left.
 * Returns `status`, or that of the failure. */
int together_end(struct arena *arena, const struct together *, int status, const char *list,
                 const char *line, struct diag *diag);

#endif
