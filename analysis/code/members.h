/* SPDX-License-Identifier: MIT */
/* members.h - members of records that a kernel leaves unchanged. */
#ifndef MESI_ANALYSIS_MEMBERS_H
#define MESI_ANALYSIS_MEMBERS_H

#include "analysis/code/code.h"

/* Does the memory of this load, an access of the code's scan, stay the same while the kernel runs?
 * True also for a member of an element whose other members the kernel writes. */
bool members_load_kept(const struct code *, const struct code_access *load);

#endif
