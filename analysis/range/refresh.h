/* SPDX-License-Identifier: MIT */
/* refresh.h - segments of a copy while they are found (private to refresh*.c). */
#ifndef MESI_ANALYSIS_REFRESH_H
#define MESI_ANALYSIS_REFRESH_H

#include "analysis/range/candidate.h"

enum { MOST_LOOPS = 8 };

struct refreshing {
  struct symbols *symbols;
  struct candidate *c;
  const struct nest_level *nest[MOST_LOOPS]; /* outermost first */
  unsigned depth;
  bool meets;             /* barriers may be added in loops */
  unsigned outer;         /* loops that may change the base */
  struct symbol *segment; /* iterator of an inner loop that may; NULL: none */
  isl_pw_aff *base;       /* of all accesses; owned */
};

/* A property of symbols. */
typedef bool refresh_test(struct refreshing *, const struct symbol *);

/* ---- refresh.c ---- */
bool refresh_in_base(struct refreshing *, const struct symbol *);
/* the same in all iterations of the refreshing loop */
bool refresh_stays(struct refreshing *, const struct symbol *);
bool refresh_is_no_table(struct refreshing *, const struct symbol *);
/* The terms of a form whose symbols pass, or do not, without the constant. */
__isl_give isl_pw_aff *refresh_part(struct refreshing *, __isl_keep isl_pw_aff *form,
                                    refresh_test *test, bool passes);
/* NULL: not a sum of symbols */
__isl_give isl_pw_aff *refresh_index(struct refreshing *, const struct access *);
/* the index without the base */
__isl_give isl_pw_aff *refresh_position(struct refreshing *, unsigned access);

/* ---- refresh_bounds.c: what the launch finds out ---- */
struct ir_expr *refresh_sum(struct refreshing *, struct ir_expr *sum, struct ir_expr *term);
struct ir_expr *refresh_times(struct refreshing *, struct ir_expr *expr,
                              struct symbol *const stride[2]);
struct ir_var *refresh_launch_var(struct refreshing *, const char *name, int64_t value);
bool refresh_bounds(struct refreshing *, struct refresh *out); /* segments, low, high, tables */
/* Where the kernel reads a table for one segment, but for `counts`, `kept` and `reads`. */
bool refresh_table_part(struct refreshing *, const struct symbol *table, __isl_keep isl_set *loops,
                        unsigned number, struct table_part *ret);

/* ---- refresh_even.c ---- */
/* Sets counts or kept, and reads, of a table's part, the rest of which is known: it is read once in
 * each iteration of one loop, or at an index that no loop but that over segments changes; else none
 * of them. */
void refresh_counts(struct refreshing *, const struct symbol *table, __isl_keep isl_set *loops,
                    struct table_part *);
/* The part of the innermost loop; NULL: none has one. */
const struct table_part *refresh_even(struct refreshing *, const struct refresh *);

/* The table whose elements, one for each iteration of the refreshing loop, are all that changes a
 * segment's base; NULL: there is none. */
const struct table_part *refresh_grouped(struct refreshing *);
/* of its symbols passes */
bool refresh_each(struct refreshing *, __isl_keep isl_pw_aff *form, refresh_test *test);

/* ---- refresh_code.c: what the kernel computes ---- */
bool refresh_positions(struct refreshing *); /* of the candidate; rejects */
/* loop, base, changing, begin, end */
bool refresh_base(struct refreshing *, struct refresh *out);
/* NULL: has no form */
struct ir_expr *refresh_table_index(struct refreshing *, const struct value *index);

#endif
