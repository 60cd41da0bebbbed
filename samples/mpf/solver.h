/* solver.h - what the parts of the solver share: solve.c goes up from bucket to bucket, condition.c
 * chooses a variable to set where memory is short, marginals.c goes down again. */
#ifndef MPF_SOLVER_H
#define MPF_SOLVER_H

#include "solve.h"

struct mpf_step { /* what a bucket was made of; with marginals only */
  unsigned count;
  struct mpf_table **inputs; /* owned list of tables that the solver owns */
};

struct mpf_list { /* of tables */
  unsigned count, capacity;
  struct mpf_table **items; /* owned */
};

struct mpf_solver {
  const struct mpf_network *network;
  const struct mpf_options *options;
  struct mpf_result *result;
  struct mpf_error *error;
  struct mpf_engine engine;
  /* variables in the order; a variable's place is count - 1 - its position there */
  unsigned count;
  unsigned *domains;   /* by place; owned */
  unsigned *variables; /* of the network, by place; owned */
  int *fixed;          /* by place: value or -1; owned */
  bool *kept;          /* by place, scratch; owned */
  /* by place: 0, or 1 more than the depth where it was summed with a variable before it; owned */
  unsigned *gone;
  unsigned char *marks;     /* by place, scratch; owned */
  struct mpf_list tables;   /* all that were made and not freed */
  struct mpf_step *steps;   /* by place; owned */
  unsigned together_below;  /* buckets of places from here on were looked at for a common launch */
  double done, share;       /* of the whole work: finished conditions, and the current one's part */
  double started, reported; /* seconds */
  double rate;              /* operations a second in large buckets; 0: not measured */
};

enum { MPF_NO_ORIGIN = -1u };

int mpf_list_add(struct mpf_list *, struct mpf_table *);
double mpf_add_log2(double a, double b); /* log2(2^a + 2^b) */
void mpf_report(struct mpf_solver *, unsigned place);

int mpf_step_record(struct mpf_solver *, unsigned place, unsigned count,
                    struct mpf_table *const *inputs);
void mpf_table_forget(struct mpf_solver *, struct mpf_table *); /* frees it */

/* Eliminates the bucket of *place and those behind it in one launch where they are many small ones:
 * MPF_TOGETHER, with the last of their places. MPF_OK: nothing was done. */
enum { MPF_TOGETHER = 1 };
int mpf_eliminate_together(struct mpf_solver *, unsigned *place, unsigned depth,
                           struct mpf_list *live);

/* Whether a bucket sums several variables where that is no more work; not where posteriors go down
 * the tree of buckets again. */
bool mpf_sums_several(const struct mpf_solver *);
/* Takes out of `kept` the variables that only the inputs of a bucket have, as far as that leaves
 * enough outputs. */
void mpf_sum_several(struct mpf_solver *, const struct mpf_list *inputs,
                     const struct mpf_list *rest);

/* The variable to set so that the tables still to be made get smallest, or -1: none is left. */
int mpf_condition_choose(const struct mpf_solver *, const struct mpf_list *live,
                         unsigned first_place);

/* Adds the posteriors under the fixed variables, of weight 2^`log2_weight`. A status of the engine.
 */
int mpf_marginals_add(struct mpf_solver *, double log2_weight);
int mpf_marginals_begin(struct mpf_solver *);
void mpf_marginals_end(struct mpf_solver *); /* from logarithms of weights to probabilities */
/* variables that no function has: all values alike */
void mpf_marginals_spread(struct mpf_solver *);
void mpf_marginals_forget(struct mpf_result *);

#endif
