/* SPDX-License-Identifier: MIT */
/* host_use.h - every host use of one virtual shared variable, or of the memory of one pointer,
 * where all of them can be seen. */
#ifndef MESI_ANALYSIS_HOST_USE_H
#define MESI_ANALYSIS_HOST_USE_H

#include "analysis/host/host_index.h"

struct host_use {
  const struct host_node *node; /* the expression at which the variable is read or written */
  unsigned access;              /* MESI_READ, MESI_WRITE bits; 0: only its address is used */
  bool reads;                   /* something becomes of its value */
};

struct host_uses {
  LIST_OF(struct host_use) list;
  /* arguments of launches: pointers into the object, and structures that may hold one */
  LIST_OF(const struct host_node *) launched;
  const char *reason;    /* why not all uses are seen; NULL: `list` is complete */
  struct ir_place place; /* of what the reason names */
  bool pointed;          /* of what a pointer leads to, not of the pointer */
};

/* Uses of a VS variable in host functions; kernels and launch arguments are no host uses. Memory:
 * the index's. */
void host_uses_of(struct host_index *, const struct vs_var *, struct host_uses *ret);
/* The same for the memory that a pointer holds, of which host_allocation_of is true. */
void host_memory_uses_of(struct host_index *, const struct ir_var *pointer, struct host_uses *ret);

#endif
