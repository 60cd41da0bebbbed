/* SPDX-License-Identifier: MIT */
/* host_pointed.h - host uses of the memory that a pointer variable leads to. */
#ifndef MESI_ANALYSIS_HOST_POINTED_H
#define MESI_ANALYSIS_HOST_POINTED_H

#include "analysis/host/host_use.h"

/* Can the variable's value be read in front of a statement? It must be a VS pointer, or a private
 * one that may lead to VS memory. */
bool host_can_be_pointed(struct host_index *, struct ir_var *);

/* Finds the visible uses: elements, members, arguments of library calls. There may be others, so
 * `reason` is set. */
void host_pointed_uses(struct host_index *, const struct ir_var *, struct host_uses *ret);

#endif
