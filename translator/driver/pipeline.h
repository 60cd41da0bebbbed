/* SPDX-License-Identifier: MIT */
/* pipeline.h - one translation, from options to files. */
#ifndef MESI_DRIVER_PIPELINE_H
#define MESI_DRIVER_PIPELINE_H

#include "translator/driver/options.h"
#include "translator/driver/paths.h"
#include "translator/frontend/frontend.h"

enum {
  STATUS_FINE = 0,
  STATUS_USAGE = 1,
  STATUS_SOURCE = 2,
  STATUS_LIMIT = 3,
  STATUS_DIFFERENT = 4,
  STATUS_UNDECIDED = 5
};

/* Translates options->input. Writes the output, or nothing where there was an error. Returns an
 * exit status. */
int pipeline_run(struct arena *arena, const struct options *options, struct diag *diag);

/* The parser's options for the options' input. */
struct frontend_options pipeline_frontend_options(struct arena *, const struct options *,
                                                  const struct paths *);

/* The file for the emitted text: -o, or from the input's name, below -odir. */
const char *pipeline_output(struct arena *, const struct options *);

#endif
