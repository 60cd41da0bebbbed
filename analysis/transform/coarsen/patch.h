/* patch.h - several elements a thread, which share requests. */
#ifndef MESI_ANALYSIS_PATCH_H
#define MESI_ANALYSIS_PATCH_H

#include "analysis/mapping/mapping.h"

enum outcome plan_coarsen(struct mapping *);

#endif
