/* posterior.h - exact inference in a junction tree: collect, distribute, and the posterior of every
 * variable. */
#ifndef JUNCTION_POSTERIOR_H
#define JUNCTION_POSTERIOR_H

#include "real.h"
#include "tree.h"

struct junction_options {
  enum mpf_domain domain;
  unsigned threads; /* of the CPU */
  /* cliques of at least so many FLOP are on the device; 0: all, infinity: none */
  double threshold;
  size_t memory; /* bytes for tables */
  /* branches of the tree at once; 1: cliques one after another; 0: as many as seem worth it */
  unsigned branches;
};

struct junction_outcome {
  double log2_z;  /* minus infinity: Z is 0, and there are no posteriors */
  double flop[2]; /* on the CPU and on the device */
  unsigned long cliques[2];
  size_t peak;       /* bytes of tables */
  unsigned branches; /* at once, at most */
  /* linear domain: values of separators that are too small to be precise */
  size_t denormal;
};

/* Bytes that the tables of a tree take. */
double junction_bytes(const struct junction_tree *);

/* posteriors[v][k]: of value k of variable v, for variables that are in a scope; others are left as
 * they are. A status of tree.h; JUNCTION_TOO_LARGE: the memory is too small, or a device has not
 * got it. */
int junction_posteriors(const struct mpf_network *, const struct junction_tree *,
                        const struct junction_options *, double **posteriors,
                        struct junction_outcome *ret);

#endif
