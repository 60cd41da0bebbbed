/* SPDX-License-Identifier: MIT */
/* host_place.h - the places where an announcement can stand in front of a use. */
#ifndef MESI_ANALYSIS_HOST_PLACE_H
#define MESI_ANALYSIS_HOST_PLACE_H

#include "analysis/host/host_index.h"

struct host_spot {
  struct ir_stmt *stmt; /* the announcement goes in front of it */
  bool needs_braces;    /* it is the whole body of an if, else or loop */
};

/* The outermost statement around `node` in front of which an announcement holds every time that the
 * node is evaluated: no code in between may launch. False: there is none. */
bool host_spot_outermost(const struct host_index *, const struct host_node *node,
                         struct host_spot *ret);
/* The innermost statement around `node` in front of which code can stand. *ret_again: the node may
 * be evaluated several times after one pass of the spot, with a launch in between. False: there is
 * none. */
bool host_spot_innermost(const struct host_index *, const struct host_node *node,
                         struct host_spot *ret, bool *ret_again);

/* Is `inner` evaluated at most once each time control reaches `outer`, a statement around it or the
 * same one? */
bool host_stmt_once(const struct host_index *, const struct ir_stmt *inner,
                    const struct ir_stmt *outer);

#endif
