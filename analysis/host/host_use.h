/* SPDX-License-Identifier: MIT */
/* host_use.h - every host use of one virtual shared variable, or of the memory of one pointer, if
 * all of them are visible. */
#ifndef MESI_ANALYSIS_HOST_USE_H
#define MESI_ANALYSIS_HOST_USE_H

#include "analysis/host/host_index.h"

struct host_use {
  const struct host_node *node; /* the expression at which the variable is read or written */
  unsigned access;              /* MESI_READ, MESI_WRITE bits; 0: only its address is used */
  bool reads;                   /* its value is used */
};

struct host_uses {
  LIST_OF(struct host_use) list;
  /* Arguments of launches: pointers into the object, and structures that may hold one. */
  LIST_OF(const struct host_node *) launched;
  const char *reason;    /* why some uses are not visible; NULL: `list` is complete */
  struct ir_place place; /* of the reason */
  bool pointed;          /* uses of a pointer's target, not of the pointer */
};

/* The uses of a VS variable in host functions. Kernels and launch arguments are no host uses. The
 * index owns the memory. */
void host_uses_of(struct host_index *, const struct vs_var *, struct host_uses *ret);
/* The same for the memory of a pointer for which host_allocation_of is true. */
void host_memory_uses_of(struct host_index *, const struct ir_var *pointer, struct host_uses *ret);

#endif
