/* SPDX-License-Identifier: MIT */
/* source.h - text: the lowest room of codegen, source text and its edits.
 *
 * It takes the files of a unit as text. It gives tokens of ranges that the unit knows by place only
 * (scan.h), the pragmas in front of a statement, edits of a file, recorded in any order (edits.h),
 * and all files with their edits as one text. The state of a codegen_unit call stands here too
 * (state.h), as every room above records its edits and names in it.
 */
#ifndef MESI_CODEGEN_SOURCE_H
#define MESI_CODEGEN_SOURCE_H

#include "codegen/text/edits.h"
#include "translator/base/scan.h"
#include "codegen/text/state.h"
#include "translator/base/text.h"
#include "translator/ir/places.h"

/* source.c */
void codegen_error(struct codegen *, enum diag_id, const struct ir_place *, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* A body of the plan that cannot be printed is an error of ours. */
void codegen_unprintable(struct codegen *, const struct ir_function *);
const char *source_text(const struct codegen *, const struct ir_place *); /* a copy of the range */
const char *access_name(unsigned access);                                 /* MESI_READ ... */
const char *line_directive(struct codegen *, unsigned file,
                           unsigned line);            /* with \n; "" with --no-line */
const char *quoted(struct arena *, const char *text); /* a C string literal */
/* "mesi_mapped().grid" for a launch; "mesi_mapped_grid()" where the user's files have a macro of
 * the member's name. */
const char *member_text(struct codegen *, const char *object, const char *member);
/* Around the text, which is printed with the user's macros expanded, those that have the name of a
 * member there are put away. */
void hide_macros(struct codegen *, struct text *);
/* With --check: the function's body is printed from the IR, so that its text needs no edits. */
bool is_check_printed(const struct codegen *, const struct ir_function *);

/* inline.c: the text of all files with the edits; -1 after an error */
int emit_files(struct codegen *, struct text *out);
bool any_edits(const struct codegen *);

/* pragmas.c */
enum pragma_kind {
  PRAGMA_NONE,
  PRAGMA_GOVERNS, /* it belongs to the statement, which cannot be parted from it */
  PRAGMA_SECTION  /* nothing may come between it and what is in front of it: #pragma omp section */
};
/* Of the pragmas in front of the statement at `at`; GOVERNS: ret_begin is where the line of the
 * first begins. */
enum pragma_kind pragma_before(const char *text, unsigned at, unsigned *ret_begin);

#endif
