/* SPDX-License-Identifier: MIT */
/* asking.h - what a launch can be asked before it takes a changed kernel. */
#ifndef MESI_ANALYSIS_ASKING_H
#define MESI_ANALYSIS_ASKING_H

#include "analysis/access/effects.h"
#include "analysis/data/facts.h"

/* Are there parameters that may lead to the same memory, one of which is written? */
bool asking_overlap(struct effects *, const struct kernel_facts *);
/* The conditions under which the launch has the shape that the kernel's indices are made for, where
 * it is not known; the facts become those of such launches. NULL: there are none. */
struct ir_expr *asking_shape(struct unit *, struct kernel_facts *);
/* The conditions under which flat arrays have rows, put together: those on parameters go into
 * facts->context, and what follows for ids from those on the grid into facts->within. NULL: there
 * are none. */
struct ir_expr *asking_rows(struct unit *, struct effects *, struct kernel_facts *);

#endif
