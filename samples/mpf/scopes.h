/* scopes.h - an elimination gone through with scopes only: which variables each table has. */
#ifndef MPF_SCOPES_H
#define MPF_SCOPES_H

#include <stdint.h>

#include "solver.h"

struct mpf_scopes { /* bit sets over places */
  unsigned count, words;
  bool several;   /* variables that only one bucket has left go with it */
  uint64_t *rows; /* [scope * words]; owned */
  bool *left;     /* by scope: it is still there; owned */
};

/* As many as `live` has, not filled. 0, or -1 when out of memory; to be ended in any case. */
int mpf_scopes_begin(const struct mpf_solver *, const struct mpf_list *live,
                     struct mpf_scopes *ret);
void mpf_scopes_end(struct mpf_scopes *);
/* The scopes of `live`, without the variables that are set. */
void mpf_scopes_fill(const struct mpf_solver *, const struct mpf_list *live, struct mpf_scopes *);
/* Joins the scopes that have `place` into the first of them, without it and, of `several`, without
 * what no other scope has. That scope, or NULL. `ret_summed`, NULL or as many words: what is gone.
 */
uint64_t *mpf_scopes_join(struct mpf_scopes *, unsigned place, uint64_t *ret_summed);

uint64_t *mpf_scope_row(const struct mpf_scopes *, unsigned i);
bool mpf_scope_has(const uint64_t *row, unsigned place);
void mpf_scope_clear(uint64_t *row, unsigned place);
/* of its table */
double mpf_scope_log2_size(const struct mpf_solver *, const uint64_t *row, unsigned words);

#endif
