/* SPDX-License-Identifier: MIT */
/* code.h - the code of one kernel on its way through the transformations of -O2.
 *
 * Each transformation replaces `facts.kernel` by a changed copy. What it needs to know of memory
 * comes from a scan: the accesses of the code as it is then, keyed by expression. A scan is dropped
 * when the code changes under it.
 */
#ifndef MESI_ANALYSIS_CODE_H
#define MESI_ANALYSIS_CODE_H

#include "analysis/range/candidate.h"
#include "analysis/code/decision.h"
#include "analysis/access/effects.h"
#include "translator/base/diag.h"
#include "translator/ir/ir_rewrite.h"

struct remark {
  enum diag_id id;
  struct ir_place place;
  const char *text;
};

struct remarks { /* what is to be told about a kernel */
  LIST_OF(struct remark) items;
  LIST_OF(struct decision) decisions; /* the same, as data */
  LIST_OF(struct ranked_plan) plans;  /* that were compared */
};

struct code_access { /* one access, found by its expression */
  const struct ir_expr *expr;
  struct array *array;
  const struct access *access;
};

struct preconditions;
struct interior;

struct code {
  struct unit *unit;
  struct arena *arena; /* the unit's */
  struct effects *effects;
  struct kernel_facts facts;  /* facts.kernel: the code, a copy of the user's kernel */
  struct ir_function *kernel; /* the user's */
  struct remarks *remarks;
  /* the code has an if between it and the code as it was, which a thread decides for all its
   * instances; NULL: none */
  const struct interior *interior;
  const struct ir_stmt *choice; /* that if */
  struct ir_var *lane; /* stands for the instance's number along x; NULL: it is not needed */
  /* the code without what a loop carries from an iteration to the next (`carries`); NULL: it
   * carries nothing */
  struct ir_function *steady;
  /* stand for the instance's numbers along x and y; NULL: they are not needed */
  struct ir_var *instance[2];
  bool fast_math; /* plan_options.fast_math */
  /* registers hold what a loop has loaded for its next iteration (hoist.c) */
  bool carries;
  /* Registers hold what the compiler of the emitted code would not move out of a loop by itself:
   * elements of short loops, those of arrays that are no parameters, and those of loops that store
   * (hoist.c) */
  bool keeps_more;
  bool no_alias; /* arrays that the launch can find to be apart are taken to be */
  /* what the launch checks; NULL: the code is right for every launch */
  struct preconditions *preconditions;

  /* ---- the scan ---- */
  bool scanned;
  isl_ctx *ctx;
  struct symbols symbols;
  struct kernel_access access;
  struct code_access *accesses; /* sorted by expr */
  unsigned access_count;
};

void code_init(struct code *, struct unit *, struct effects *, const struct kernel_facts *,
               struct remarks *);
void code_finish(struct code *);
void code_scan(struct code *); /* no-op where there is one */
void code_drop_scan(struct code *);
bool code_exhausted(struct code *); /* did isl give up since the last call? */

/* NULL: none */
const struct code_access *code_access_of(const struct code *, const struct ir_expr *expr);
/* Do the names of two arrays stand for different memory? */
bool code_disjoint(const struct code *, const struct array *, const struct array *);
/* Is the array's memory the same from the begin to the end of the kernel? */
bool code_read_only(const struct code *, const struct array *);
/* NULL: it is; else who may write it, for a remark. */
const char *code_why_written(const struct code *, const struct array *);
/* May what is not followed (pointers from memory, escaped arrays) reach the array's elements?
 * Ignoring reads. */
bool code_written_elsewhere(const struct code *, const struct array *);

/* What the launch has to find out where code->no_alias: what is written is apart from what is only
 * read. */
void code_ask_no_alias(struct code *, struct no_alias_list *);
/* ... where facts.assumed: all pairs of arrays of which one is written. */
void code_ask_assumed(struct code *, struct no_alias_list *);
/* A constant, or a parameter that the kernel leaves as it is and whose value the launches share. */
bool code_constant(const struct code *, const struct ir_expr *, int64_t *ret);
/* Is the condition one that holds of the launch, since it was asked? */
bool code_granted(const struct code *, const struct ir_expr *condition);
/* Conditions on parameters under which flat arrays have rows (rows.c), at most `most`; how many. */
unsigned code_ask_rows(struct code *, struct ir_expr **ret, unsigned most);

/* A row that is at least as long as an axis of the launch has threads: what the launch is asked,
 * over its parameters and its shape as written, and what then holds for the id of every thread. */
struct row_bound {
  int axis;
  struct ir_expr *asked, *within;
};
/* Of code whose ids have no guard (rows.c): an axis each; how many. */
unsigned code_ask_grid(struct code *, struct row_bound ret[2]);

/* The code with a copy of its kernel's body, to be tried on; what is told goes to `remarks`. */
struct code code_copy(const struct code *, struct remarks *remarks);
void code_remark(struct code *, enum diag_id, const struct ir_place *, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Records a decision; the kernel's place where it has none. */
void code_decide(struct code *, struct decision);
void remarks_decide(struct arena *, struct remarks *, const struct decision *);
/* What was taken of these kinds (and all ranked plans) is not, after all. */
void remarks_supersede(struct remarks *, enum decision_kind first, enum decision_kind last,
                       const char *why);
void remarks_append(struct arena *, struct remarks *, const struct remarks *more);
/* What a local that keeps one value stands for, in the code as it is; NULL: it is none. */
struct ir_expr *code_value_of(const struct code *, const struct ir_var *var);
/* With such values in the place of locals; NULL: it grows too large. */
struct ir_expr *code_resolve(struct code *, struct ir_expr *);
/* The block without declarations, in it and in blocks in it, of locals that nothing uses. */
struct ir_stmt *code_without_unused(struct arena *, struct ir_stmt *body);
/* converted to the local's type */
struct ir_expr *code_cast_value(struct arena *, const struct ir_var *var, struct ir_expr *value);
/* a name that is free */
struct ir_var *code_local(struct code *, const char *wanted, const struct ir_type *type);

#endif
