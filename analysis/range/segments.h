/* SPDX-License-Identifier: MIT */
/* segments.h - the state of the search for segments (private to segments*.c). */
#ifndef MESI_ANALYSIS_SEGMENTS_H
#define MESI_ANALYSIS_SEGMENTS_H

#include "analysis/range/candidate.h"

enum { MOST_LOOPS = 8 };

struct segmenting {
  struct symbols *symbols;
  struct candidate *c;
  const struct nest_level *nest[MOST_LOOPS]; /* outermost first */
  unsigned depth;
  bool meets;             /* barriers may be added in loops */
  unsigned outer;         /* loops that may change the base */
  struct symbol *segment; /* iterator of an inner loop that may change it; NULL: none */
  isl_pw_aff *base;       /* of all accesses; owned */
};

/* A property of symbols. */
typedef bool segment_test(struct segmenting *, const struct symbol *);
struct value;

/* ---- segments.c ---- */
bool segment_in_base(struct segmenting *, const struct symbol *);
/* Is it the same in all iterations of the loop that copies the segments anew? */
bool segment_stays(struct segmenting *, const struct symbol *);
bool segment_is_no_table(struct segmenting *, const struct symbol *);
/* The terms of a form whose symbols pass, or do not, without the constant. */
__isl_give isl_pw_aff *segment_part(struct segmenting *, __isl_keep isl_pw_aff *form,
                                    segment_test *test, bool passes);
/* NULL: it is no sum of symbols. */
__isl_give isl_pw_aff *segment_index(struct segmenting *, const struct access *);
/* The index without the base. */
__isl_give isl_pw_aff *segment_position(struct segmenting *, unsigned access);

/* ---- segments_bounds.c: the bounds that the launch finds ---- */
struct ir_expr *segment_sum(struct segmenting *, struct ir_expr *sum, struct ir_expr *term);
struct ir_expr *segment_times(struct segmenting *, struct ir_expr *expr,
                              struct symbol *const stride[STRIDE_FACTORS]);
struct ir_var *segment_launch_var(struct segmenting *, const char *name, int64_t value);
bool segment_bounds(struct segmenting *,
                    struct segmentation *out); /* segments, low, high, tables */
/* The part of a table that the kernel reads for one segment, without `counts`, `kept` and
 * `reads`. */
bool segment_table_part(struct segmenting *, const struct symbol *table, __isl_keep isl_set *loops,
                        unsigned number, struct table_part *ret);

/* ---- segments_even.c ---- */
/* Completes a table's part with counts or kept, and reads, if the table is read once in each
 * iteration of one loop, or at an index that only the loop over segments changes. Otherwise it sets
 * none of them. */
void segment_counts(struct segmenting *, const struct symbol *table, __isl_keep isl_set *loops,
                    struct table_part *);
/* The part for the innermost loop. NULL: none has one. */
const struct table_part *segment_even(struct segmenting *, const struct segmentation *);

/* The table whose elements, one per iteration of the loop that copies the segments anew, are all
 * that changes a segment's base. NULL: there is none. */
const struct table_part *segment_grouped(struct segmenting *);
/* Does each symbol of the form, or of the value, pass the test? */
bool segment_each(struct segmenting *, __isl_keep isl_pw_aff *form, segment_test *test);
bool segment_value_each(struct segmenting *, const struct value *, segment_test *test);

/* ---- segments_rows.c ---- */
const struct table_part *segment_rows(struct segmenting *); /* segmentation.rows */

/* ---- segments_code.c: the kernel's arithmetic ---- */
bool segment_positions(struct segmenting *); /* of the candidate; rejects */
/* Sets loop, base, changing, begin, end. */
bool segment_base(struct segmenting *, struct segmentation *out);
/* NULL: it has no form. */
struct ir_expr *segment_table_index(struct segmenting *, const struct value *index);

#endif
