/* network.h - a graphical model: variables over finite domains, functions (tables) over some of
 * them.
 *
 * The sum over all variables of the product of all functions is Z, the partition function; of a
 * Bayesian network without evidence it is 1.
 */
#ifndef MPF_NETWORK_H
#define MPF_NETWORK_H

#include <stddef.h>

struct mpf_function {
  unsigned count; /* variables in the scope; 0: a constant */
  /* variables, each once; the last one is the least significant in the table */
  unsigned *scope;
  size_t size;    /* product of the domains of the scope */
  double *values; /* finite, not negative; owned */
};

struct mpf_network {
  unsigned variable_count;
  unsigned *domains; /* values of each variable, at least 1 */
  char **names;      /* of the variables; NULL in UAI files, which have none */
  unsigned function_count;
  struct mpf_function *functions;
};

struct mpf_error {
  char text[256];
}; /* "file:line: what is wrong" */

/* Reads a network in UAI format (MARKOV or BAYES) or BIF, gzipped or not, as its text says. 0, or
 * -1 with the error; `ret` is then empty. */
int mpf_network_read(const char *path, struct mpf_network *ret, struct mpf_error *error);
void mpf_network_free(struct mpf_network *); /* an empty one is fine */

/* Evidence in UAI format: the number of variables, then pairs of variable and value. The functions
 * are restricted to it and the variables leave their scopes: Z becomes that of network and
 * evidence. */
int mpf_network_observe(struct mpf_network *, const char *path, struct mpf_error *error);
/* The same for one variable. */
void mpf_network_set(struct mpf_network *, unsigned variable, unsigned value);

/* Takes variables of one value out of all scopes. */
void mpf_network_simplify(struct mpf_network *);

#endif
