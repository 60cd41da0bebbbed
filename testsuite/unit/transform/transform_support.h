/* SPDX-License-Identifier: MIT */
/* transform_support.h - a transformation on kernels written as source text: what it finds, as text.
 *
 * A case's source has one or more kernels and a function that launches the first of interest: the
 * first launch of the source is looked at. All cases of a table are parsed as one unit, each in a
 * namespace of its own.
 */
#ifndef MESI_TEST_TRANSFORM_SUPPORT_H
#define MESI_TEST_TRANSFORM_SUPPORT_H

#include "analysis/code/draft.h"
#include "analysis/code/shape_free.h"
#include "analysis/data/options.h"
#include "analysis/host/constants.h"

#define COUNT(cases) (sizeof(cases) / sizeof *(cases))

/* the code of one case, up to the point where a transformation looks at it */
struct subject {
  struct unit *unit;
  struct effects *effects;
  struct constants *constants;
  const struct launch *launch;
  struct remarks remarks;
  struct code code; /* not scanned */
  const char *name; /* of the case */
};

struct transform_case {
  const char *name;
  const char *source;   /* may use what stands in front of all */
  const char *expected; /* what the transformation's own look at the case writes */
};

/* What the transformation finds, as one line without its end. */
typedef void transform_look(struct subject *, struct text *shown);

struct transform_table {
  const char *name;
  const struct transform_case *cases;
  unsigned count;
  transform_look *look;
};

#define TABLE(cases, look) \
  { \
#cases, cases, COUNT(cases), look \
  }

/* A test for each table: looks at each case and compares; what cases give that differ is printed
 * with their names. `front` stands in front of the cases of a table. Returns the number of tables
 * that fail. */
int transform_run(const char *front, const struct transform_table *tables, unsigned count);

/* ---- for looks ---- */

/* Elements of the virtual block, and threads. The code is shape-free, in the shape, scanned; false:
 * `shown` says why not. */
bool transform_shape(struct subject *, struct geometry *, struct ir_var *ret_totals[2],
                     struct text *shown);
/* "; array: what" or "; array: why not" of each decision of the kind, without the first "; ". */
void transform_show_decisions(const struct subject *, enum decision_kind, struct text *shown);
/* The remarks with that number, likewise. */
void transform_show_remarks(const struct subject *, enum diag_id, struct text *shown);
/* Lines of the code as it prints that are wanted, "; " between them, without indentation and
 * without the types of what is `dropped` ("convert<", "cast<"; NULL ends them). */
void transform_show_code(const struct subject *, bool (*wanted)(const char *line, size_t length),
                         const char *const *dropped, struct text *shown);
/* The code in the form that a row of SLOT_FORM gives it: lines with one of the words (NULL ends
 * them), as transform_show_code has them without "convert<"; "stays". */
void transform_show_form(struct subject *, bool (*plan)(struct draft *), const char *const *words,
                         struct text *shown);
/* How often the text stands in the code as it prints. */
unsigned transform_printed(const struct subject *, const char *wanted);

#endif
