/* SPDX-License-Identifier: MIT */
/* text_change.h - changes of the text of device code that is not printed anew. */
#ifndef MESI_ANALYSIS_TEXT_CHANGE_H
#define MESI_ANALYSIS_TEXT_CHANGE_H

#include "translator/base/arena.h"
#include "translator/ir/ir.h"

struct text_change {
  const struct ir_function *function; /* whose body has the text */
  unsigned file, begin, end;          /* the range that goes, without line ends */
  const char *text;                   /* in its place */
};

struct text_changes { /* none overlaps another one */
  LIST_OF(struct text_change) list;
};

#endif
