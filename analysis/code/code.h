/* SPDX-License-Identifier: MIT */
/* code.h - the code of one kernel on its way through the transformations of -O2.
 *
 * Each transformation replaces `facts.kernel` by a changed copy. Its knowledge of memory comes from
 * a scan: the accesses of the code at that time, keyed by expression. A scan is dropped when the
 * code changes.
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
  bool late; /* made when the steps were used up: a refusal may have no other reason */
};

struct remarks { /* the messages about a kernel */
  LIST_OF(struct remark) items;
  LIST_OF(struct decision) decisions; /* the same, as data */
  LIST_OF(struct ranked_plan) plans;  /* the plans that were compared */
};

struct code_access { /* one access, found by its expression */
  const struct ir_expr *expr;
  struct array *array;
  const struct access *access;
};

struct preconditions;
struct interior;

/* How does nvcc load a local copy of a vector (float2, float4)? Before sm_100 at once. */
enum vector_loads { VECTORS_EITHER, VECTORS_WHOLE, VECTORS_APART };

struct unsized { /* a list */
  const struct unsized *next;
  const struct ir_var *array;
  struct ir_place first; /* of the accesses */
  unsigned count;
  struct ir_place loop;
  const char *reason;
};

struct code {
  struct unit *unit;
  struct arena *arena; /* the unit's */
  struct effects *effects;
  struct kernel_facts facts;  /* facts.kernel: the code, a copy of the user's kernel */
  struct ir_function *kernel; /* the user's */
  struct remarks *remarks;
  /* The code has an `if` between itself and the original code, which a thread decides for all its
   * instances. NULL: none. */
  const struct interior *interior;
  const struct ir_stmt *choice; /* that if */
  struct ir_var *lane;          /* the instance's number along x; NULL: not needed */
  /* The code without registers that carry values from one iteration to the next (`carries`). NULL:
   * there are none. */
  struct ir_function *steady;
  /* The instance's numbers along x and y. NULL: not needed. */
  struct ir_var *instance[2];
  bool fast_math; /* plan_options.fast_math */
  enum vector_loads vectors;
  bool reorders; /* plan_options.associative: floats may be rounded in another way */
  /* Registers hold values that a loop has loaded for its next iteration (hoist.c). */
  bool carries;
  /* Registers hold elements that the compiler of the emitted code would not move out of a loop:
   * elements in short loops, elements of arrays that are no parameters, and elements in loops that
   * store (hoist.c). */
  bool keeps_more;
  bool methods_only; /* bodies of member functions take the places of their calls: methods.c */
  bool no_alias;     /* assumes that arrays are disjoint where the launch can check it */
  /* The conditions that the launch checks. NULL: the code is valid for every launch. */
  struct preconditions *preconditions;
  /* Accesses whose box in a tile has no constant size in one shape, and so in none. NULL: they are
   * not kept. */
  struct unsized *unsized;

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
bool code_exhausted(struct code *); /* has isl given up since the last call? */

/* NULL: none */
const struct code_access *code_access_of(const struct code *, const struct ir_expr *expr);
/* Do the two arrays refer to different memory? */
bool code_disjoint(const struct code *, const struct array *, const struct array *);
/* Does the array's memory stay the same while the kernel runs? */
bool code_read_only(const struct code *, const struct array *);
/* Who may write the array, for a remark. NULL: nothing does. */
const char *code_why_written(const struct code *, const struct array *);
/* May accesses that are not followed (pointers from memory, escaped arrays) write the array's
 * elements? Reads are ignored. */
bool code_written_elsewhere(const struct code *, const struct array *);

/* Adds the conditions of code->no_alias for the launch to check: written arrays are disjoint from
 * those that are only read. */
void code_ask_no_alias(struct code *, struct no_alias_list *);
/* ... those of facts.assumed: all pairs of arrays of which one is written */
void code_ask_assumed(struct code *, struct no_alias_list *);
/* Is it a constant, or a parameter that the kernel does not change and that has one value in all
 * launches? */
bool code_constant(const struct code *, const struct ir_expr *, int64_t *ret);
/* Does the condition hold for the launch, because it was checked? */
bool code_granted(const struct code *, const struct ir_expr *condition);
/* Adds those conditions to `ret` that are not there yet: all of them, or none where there is no
 * room for more than `most`. Returns the new count. */
unsigned code_add_asked(struct ir_expr **ret, unsigned count, unsigned most,
                        struct ir_expr *const *asked, unsigned asked_count);
/* Writes to `ret` at most `most` conditions on parameters under which flat arrays have rows
 * (rows.c). Returns their number. */
unsigned code_ask_rows(struct code *, struct ir_expr **ret, unsigned most);

/* A row that is at least as long as the launch has threads along an axis. `asked`: the condition
 * that the launch checks, on its parameters and its shape as written. `within`: its consequence for
 * the id of every thread. */
struct row_bound {
  int axis;
  struct ir_expr *asked, *within;
};
/* Finds such rows in code whose ids have no guard (rows.c), one per axis. Returns their number. */
unsigned code_ask_grid(struct code *, struct row_bound ret[2]);
/* The number of flat arrays that lack rows in some launch. UINT_MAX: that is not known. */
unsigned code_missing_rows(struct code *);

/* A copy of the code and its kernel's body, for a trial. Remarks go to `remarks`. */
struct code code_copy(const struct code *, struct remarks *remarks);
void code_remark(struct code *, enum diag_id, const struct ir_place *, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Records a decision, at the kernel's place if it has none. */
void code_decide(struct code *, struct decision);
void remarks_decide(struct arena *, struct remarks *, const struct decision *);
/* Turns the decisions of these kinds that were taken, and all ranked plans, into declined ones. */
void remarks_supersede(struct remarks *, enum decision_kind first, enum decision_kind last,
                       const char *why);
void remarks_append(struct arena *, struct remarks *, const struct remarks *more);
/* Do they begin at one place of a file? */
bool code_same_place(const struct ir_place *, const struct ir_place *);
/* The value of a local that keeps one value, in the code as it is. NULL: it is no such local. */
struct ir_expr *code_value_of(const struct code *, const struct ir_var *var);
/* The expression with such values in the place of locals. NULL: it grows too large. */
struct ir_expr *code_resolve(struct code *, struct ir_expr *);
/* A quotient or a remainder of numbers that all threads of the block have: arguments, constants and
 * the block's own indices. Threads that the kernel lets rest may compute its safe form. */
bool code_is_block_quotient(const struct ir_expr *);
/* ... which does not trap, nor do quotients in it */
struct ir_expr *code_safe_quotient(struct arena *, const struct ir_expr *quotient);
/* A number that a launch knows: arguments and constants, and their sums and products. */
bool code_is_launch_number(const struct ir_expr *);
/* converge.c: may threads compute the expression that did not compute it before? `quotients`: block
 * quotients have their safe form. */
bool code_is_harmless(struct ir_expr *, bool quotients);
/* ... so, and each value of the locals in it */
bool code_is_for_all(const struct code *, struct ir_expr *);
/* The block without declarations of unused locals, in it and in nested blocks. */
struct ir_stmt *code_without_unused(struct arena *, struct ir_stmt *body);
/* converted to the local's type */
struct ir_expr *code_cast_value(struct arena *, const struct ir_var *var, struct ir_expr *value);
/* a name that is free */
struct ir_var *code_local(struct code *, const char *wanted, const struct ir_type *type);
/* a local of a few statements, whose name others like it have, too: free but for these */
struct ir_var *code_scratch(struct code *, const char *wanted, const struct ir_type *type);

#endif
