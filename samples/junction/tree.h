/* tree.h - junction trees: the maximal cliques of a triangulated network, joined so that each
 * variable's cliques are connected. */
#ifndef JUNCTION_TREE_H
#define JUNCTION_TREE_H

#include "network.h"
#include "order.h"
#include "shape.h"

enum { JUNCTION_NO_PARENT = -1u };

struct junction_clique {
  /* of the network, in the order of elimination; the first is the most significant; owned */
  unsigned *variables;
  struct junction_shape shape;
  unsigned parent;    /* comes earlier in the tree; JUNCTION_NO_PARENT: the root */
  uint64_t separator; /* the digits that the parent has too */
  uint64_t above;     /* the same variables as digits of the parent */
  unsigned child_count, function_count;
  unsigned *children; /* owned */
  /* of the network, whose scopes are in this clique and which no other clique has; owned */
  unsigned *functions;
};

struct junction_tree {
  unsigned clique_count;
  struct junction_clique *cliques; /* parents before children; owned */
  unsigned variable_count;
  /* by variable: the smallest clique that has it; clique_count: no scope has it; owned */
  unsigned *home;
  double size;       /* numbers of all cliques' tables */
  double separators; /* and of all separators' */
};

enum { JUNCTION_OK, JUNCTION_NO_MEMORY = -1, JUNCTION_TOO_LARGE = -2 };

/* From an elimination order: the clusters of the order are the cliques of a triangulation; those
 * that are part of another one go, and a spanning tree with as many variables in the separators as
 * possible joins the others. Variables of one value have to be out of all scopes. */
int junction_tree_build(const struct mpf_network *, const struct mpf_order *,
                        struct junction_tree *ret);
void junction_tree_free(struct junction_tree *);

/* Whether each function is in its clique and each variable's cliques are connected. */
int junction_tree_valid(const struct junction_tree *, const struct mpf_network *);

#endif
