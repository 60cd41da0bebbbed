/* SPDX-License-Identifier: MIT */
/* source.h - text: the lowest room of codegen, source text and its edits.
 *
 * The room takes the files of a unit as text. It gives tokens of ranges that the unit knows only by
 * place (scan.h), the pragmas before a statement, edits of a file, recorded in any order (edits.h),
 * and all files with their edits as one text. The state of a codegen_unit call is here too
 * (state.h), since every room above records its edits and names in it. */
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
/* Reports a body of the plan that cannot be printed: an error of ours. */
void codegen_unprintable(struct codegen *, const struct ir_function *);
const char *source_text(const struct codegen *, const struct ir_place *); /* a copy of the range */
const char *access_name(unsigned access);                                 /* MESI_READ ... */
const char *line_directive(struct codegen *, unsigned file,
                           unsigned line);            /* with \n; "" with --no-line */
const char *quoted(struct arena *, const char *text); /* a C string literal */
/* "mesi_mapped().grid" for a launch; "mesi_mapped_grid()" where the user's files have a macro with
 * the member's name. */
const char *member_text(struct codegen *, const char *object, const char *member);
/* Hides the user's macros with the name of a member around the text, which is printed with these
 * macros expanded. */
void hide_macros(struct codegen *, struct text *);
/* Is the function's body printed from the IR, with --check? Its text then needs no edits. */
bool is_check_printed(const struct codegen *, const struct ir_function *);

/* inline.c: the text of all files with the edits; -1 after an error */
int emit_files(struct codegen *, struct text *out);
bool any_edits(const struct codegen *);

/* pragmas.c */
enum pragma_kind {
  PRAGMA_NONE,
  PRAGMA_GOVERNS, /* belongs to the statement, and must stay with it */
  PRAGMA_SECTION  /* must stay with the text before it: #pragma omp section */
};
/* The kind of the pragmas before the statement at `at`; GOVERNS: ret_begin is the start of the line
 * of the first. */
enum pragma_kind pragma_before(const char *text, unsigned at, unsigned *ret_begin);

#endif
