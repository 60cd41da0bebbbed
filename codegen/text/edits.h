/* SPDX-License-Identifier: MIT */
/* edits.h - changes to the text of one file, collected in any order and applied at once. */
#ifndef MESI_CODEGEN_EDITS_H
#define MESI_CODEGEN_EDITS_H

#include <stdbool.h>

#include "translator/base/arena.h"
#include "translator/base/text.h"

/* In the order of edits at one offset. */
enum edit_kind { EDIT_CLOSE, EDIT_INSERT, EDIT_OPEN, EDIT_REPLACE, EDIT_KIND_COUNT };

struct edit {
  enum edit_kind kind;
  unsigned begin, end; /* REPLACE: the range; others: begin == end, the offset */
  unsigned other;      /* OPEN, CLOSE: the offset of the wrap's other end */
  unsigned sequence;   /* order of recording */
  const char *text;    /* not owned; lives as long as the arena */
};

struct edits { /* of one file; a zeroed one with `arena` set is empty */
  struct arena *arena;
  LIST_OF(struct edit) list;
};

/* Texts are copied into the arena. */
void edit_replace(struct edits *, unsigned begin, unsigned end, const char *text);
void edit_delete(struct edits *, unsigned begin, unsigned end);
void edit_insert(struct edits *, unsigned at, const char *text);
/* Puts `open` before and `close` after the range. Wraps of nested ranges nest; of equal ranges the
 * first is outermost. */
void edit_wrap(struct edits *, unsigned begin, unsigned end, const char *open, const char *close);

/* Appends `text` with the edits to `out`. Returns 0, or -1 where edits overlap; `out` is then
 * unchanged. */
int edits_apply(struct edits *, const char *text, size_t length, struct text *out);

#endif
