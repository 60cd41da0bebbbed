/* solve.h - the partition function and the posteriors of a network, by bucket elimination. */
#ifndef MPF_SOLVE_H
#define MPF_SOLVE_H

#include "ahead.h"
#include "network.h"
#include "order.h"

struct mpf_options {
  enum mpf_domain domain;
  enum mpf_order_rule rule; /* MPF_ORDER_RULE_COUNT: all of them */
  unsigned tries;           /* elimination orders */
  bool more_tries;          /* where the work is large */
  uint64_t seed;
  size_t memory;    /* bytes for tables, 0: what the machine has */
  double threshold; /* FLOP from which on a bucket runs on the device; below 0: measured */
  bool marginals;
  /* marginals in a junction tree where it fits into the memory, else from buckets */
  bool tree;
  unsigned branches;       /* of the tree at once; 1: none, 0: as many as seem worth it */
  bool several;            /* buckets of several summed variables */
  unsigned ahead;          /* sums that may be begun and not be there; 0: one after another */
  bool quiet;              /* no progress */
  struct mpf_watch *watch; /* of buckets, with the engine's sums only; NULL: none */
};

struct mpf_result {
  double log10_z; /* minus infinity: Z is 0 */
  /* [variable][value], NULL for variables of one value; owned; NULL without --marginals */
  double **marginals;
  unsigned variable_count;
  bool tree;              /* flop and buckets are of a junction tree's cliques */
  unsigned branches;      /* of it at once */
  struct mpf_order order; /* the one that was taken */
  double threshold;
  /* on the CPU and on the device; runs that the memory limit made necessary */
  double flop[2], conditions;
  unsigned long buckets[2], batches; /* and launches of several buckets */
  unsigned long several;             /* variables that were summed with another one */
  struct mpf_ahead_times times;
  size_t peak; /* bytes of tables */
  /* linear domain: results below the normal range; tables that are all 0 */
  size_t denormal, vanished;
};

/* The network without variables of one value. 0, or -1 with the error. */
int mpf_solve(const struct mpf_network *, const struct mpf_options *, struct mpf_result *ret,
              struct mpf_error *error);
void mpf_result_free(struct mpf_result *);

#endif
