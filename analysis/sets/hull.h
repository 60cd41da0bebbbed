/* SPDX-License-Identifier: MIT */
/* hull.h - the hull of a set of coordinates, as forms of quantities that the host knows. */
#ifndef MESI_ANALYSIS_HULL_H
#define MESI_ANALYSIS_HULL_H

#include "analysis/sets/symbol.h"

struct hull { /* per dimension; owned */
  /* [host's quantities] -> { [first] }, { [last] } */
  isl_pw_aff *low[ACCESS_DIMS], *high[ACCESS_DIMS];
  isl_set *where; /* where they are defined; NULL: everywhere */
  bool empty;
};

/* False: the set is not bounded. `loose`: slightly more than the set is acceptable, for shorter
 * arithmetic. */
bool hull_of(struct hull *ret, __isl_keep isl_set *set, unsigned dims, bool loose);
void hull_finish(struct hull *);

#endif
