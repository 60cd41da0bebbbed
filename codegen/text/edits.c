/* SPDX-License-Identifier: MIT */
/* edits.c - an edit list and its application to a text.
 *
 *     f(a, g(b));     wrap [2,3) "<" ">"; wrap [5,9) "<" ">"; wrap [7,8) "(" ")"; replace [0,1) "h"
 *  => h(<a>, <g((b))>);
 *
 * Edits are sorted by offset. At one offset ends of wraps come first (innermost first), then
 * insertions, beginnings of wraps (outermost first), and replacements. The caller must not insert
 * strictly inside a replaced range, nor replace two ranges that share a byte.
 */
#include "codegen/text/edits.h"

#include <stdlib.h>
#include <string.h>

static struct edit *add(struct edits *edits, enum edit_kind kind, unsigned begin, unsigned end,
                        const char *text)
{
  unsigned sequence = edits->list.count;
  struct edit *edit = ARENA_PUSH(edits->arena, &edits->list);
  *edit = (struct edit){.kind = kind, .begin = begin, .end = end, .sequence = sequence};
  edit->text = arena_string(edits->arena, text);
  return edit;
}

void edit_replace(struct edits *edits, unsigned begin, unsigned end, const char *text)
{
  add(edits, EDIT_REPLACE, begin, end, text);
}

void edit_delete(struct edits *edits, unsigned begin, unsigned end)
{
  add(edits, EDIT_REPLACE, begin, end, "");
}

void edit_insert(struct edits *edits, unsigned at, const char *text)
{
  add(edits, EDIT_INSERT, at, at, text);
}

void edit_wrap(struct edits *edits, unsigned begin, unsigned end, const char *open,
               const char *close)
{
  add(edits, EDIT_OPEN, begin, begin, open)->other = end;
  add(edits, EDIT_CLOSE, end, end, close)->other = begin;
}

static int by_unsigned(unsigned a, unsigned b) { return (a > b) - (a < b); }

static int compare(const void *left, const void *right)
{
  const struct edit *a = left, *b = right;
  if (a->begin != b->begin) return by_unsigned(a->begin, b->begin);
  if (a->kind != b->kind) return by_unsigned(a->kind, b->kind);
  if ((a->kind == EDIT_OPEN || a->kind == EDIT_CLOSE) && a->other != b->other)
    return by_unsigned(b->other, a->other);
  if (a->kind == EDIT_CLOSE) return by_unsigned(b->sequence, a->sequence);
  return by_unsigned(a->sequence, b->sequence);
}

static bool overlap(const struct edits *edits, size_t length)
{
  unsigned covered = 0;
  for (unsigned i = 0; i < edits->list.count; i++) {
    const struct edit *edit = &edits->list.items[i];
    if (edit->begin < covered || edit->end < edit->begin || edit->end > length) return true;
    covered = edit->end;
  }
  return false;
}

int edits_apply(struct edits *edits, const char *text, size_t length, struct text *out)
{
  if (edits->list.count) qsort(edits->list.items, edits->list.count, sizeof(struct edit), compare);
  if (overlap(edits, length)) return -1;
  unsigned at = 0;
  for (unsigned i = 0; i < edits->list.count; i++) {
    const struct edit *edit = &edits->list.items[i];
    text_add_bytes(out, text + at, edit->begin - at);
    text_add(out, edit->text);
    at = edit->end;
  }
  text_add_bytes(out, text + at, length - at);
  return 0;
}
