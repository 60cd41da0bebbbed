/* branches.h - the cliques of a tree, several branches at once. */
#ifndef JUNCTION_BRANCHES_H
#define JUNCTION_BRANCHES_H

#include <stdbool.h>

#include "tree.h"

struct junction_walk {
  const struct junction_tree *tree;
  bool down;          /* parents before their children; else children first */
  const double *cost; /* by clique: of its visit, in any unit */
  /* By any thread; what a visit writes, visits of other branches leave alone. Not 0: give up. */
  int (*visit)(void *context, unsigned clique);
  void *context;
};

/* Visits all cliques, on up to `threads` threads, the caller's included: of those whose turn may
 * come the one that most of the walk waits for. 1: one after another, in a fixed order. The first
 * status that is not 0. */
int junction_walk(const struct junction_walk *, unsigned threads);

/* The part of the walk's cost that waits for nothing else at the same time, as a share of all: the
 * cost of the most expensive way through the tree over the sum; 1 where there is one way only. */
double junction_walk_critical(const struct junction_tree *, const double *cost);

#endif
