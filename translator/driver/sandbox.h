/* SPDX-License-Identifier: MIT */
/* sandbox.h - a translation in a child process with limits. */
#ifndef MESI_DRIVER_SANDBOX_H
#define MESI_DRIVER_SANDBOX_H

#include "translator/driver/options.h"

/* Runs pipeline_run in a child with limits on memory, time and the files that it may open. Returns
 * an exit status; a crash or an exceeded limit is one diagnostic and STATUS_LIMIT. One of the
 * analysis above -O0 is a warning: a second child translates at -O0. */
int sandbox_translate(const struct options *options, struct diag *diag);
/* In the child: the analysis of kernels begins, or has ended. */
void sandbox_analyses(bool);

#endif
