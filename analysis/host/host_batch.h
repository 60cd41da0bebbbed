/* SPDX-License-Identifier: MIT */
/* host_batch.h - loops of launches that may go out as graphs. */
#ifndef MESI_ANALYSIS_HOST_BATCH_H
#define MESI_ANALYSIS_HOST_BATCH_H

#include "analysis/data/host_edit.h"

/* Adds HOST_BATCH edits and sets `batched` of launches. Requires work->launches. */
void host_batch_loops(struct unit *, struct host_work *);

#endif
