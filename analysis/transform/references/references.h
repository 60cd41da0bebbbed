/* SPDX-License-Identifier: MIT */
/* references.h - local references give way to the elements that they refer to. */
#ifndef MESI_ANALYSIS_REFERENCES_H
#define MESI_ANALYSIS_REFERENCES_H

#include "analysis/code/draft.h"

/* The row of transforms.c. */
bool plan_references(struct draft *);

#endif
