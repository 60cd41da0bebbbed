/* order.h - elimination orders: in which order the variables are summed out. */
#ifndef MPF_ORDER_H
#define MPF_ORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "network.h"

enum mpf_order_rule {
  MPF_ORDER_FILL,   /* fewest new edges first */
  MPF_ORDER_WEIGHT, /* smallest cluster first */
  MPF_ORDER_EDGES,  /* as the first, an edge counted as the product of its variables' domains */
  MPF_ORDER_RULE_COUNT
};

struct mpf_order {
  unsigned count;      /* variables in some scope, of more than one value */
  unsigned *variables; /* in the order of elimination; owned */
  /* log2 of the values of the largest cluster: a variable and its neighbours when it goes */
  double width;
  double work; /* log2 of the sum over all clusters */
};

/* The best of `tries` orders by work, with MPF_ORDER_RULE_COUNT by all rules in turn; ties are
 * broken, and after the first try of a rule near-ties, at random from the seed. `more`: where even
 * the best order is much work, up to fifty times as many tries. 0, or -1 when out of memory. */
int mpf_order_find(const struct mpf_network *, enum mpf_order_rule, unsigned tries, bool more,
                   uint64_t seed, struct mpf_order *ret);
void mpf_order_free(struct mpf_order *);

#endif
