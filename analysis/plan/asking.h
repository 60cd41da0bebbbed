/* SPDX-License-Identifier: MIT */
/* asking.h - the conditions that a launch can check before it takes a changed kernel. */
#ifndef MESI_ANALYSIS_ASKING_H
#define MESI_ANALYSIS_ASKING_H

#include "analysis/access/effects.h"
#include "analysis/data/facts.h"

/* Are there parameters that may lead to the same memory, one of which is written? */
bool asking_overlap(struct effects *, const struct kernel_facts *);
/* Where the launch's shape is unknown: the conditions for the shape that the kernel's indices are
 * made for. The facts become those of such launches. NULL: there are none. */
struct ir_expr *asking_shape(struct unit *, struct kernel_facts *);
/* The conditions that a grid of unknown size has one layer along y and z where the kernel names
 * none. The facts become those of such launches. NULL: there are none. */
struct ir_expr *asking_layers(struct unit *, struct kernel_facts *);
/* The conditions under which flat arrays have rows, joined. Those on parameters go into
 * facts->context; the consequences for ids of those on the grid go into facts->within. NULL: there
 * are none. */
struct ir_expr *asking_rows(struct unit *, struct effects *, struct kernel_facts *);

#endif
