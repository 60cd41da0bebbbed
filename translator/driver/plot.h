/* SPDX-License-Identifier: MIT */
/* plot.h - pictures of the measurements of compare, tune, survey and a bundle's run.sh. */
#ifndef MESI_DRIVER_PLOT_H
#define MESI_DRIVER_PLOT_H

#include <jansson.h>

#include "translator/driver/options.h"
#include "translator/plot/chart.h"

struct charts {
  LIST_OF(struct chart) items; /* all in the arena */
};

/* plot_read.c: adds the charts of results. False: mesicc does not know results of this form. */
bool plot_read(struct arena *, json_t *results, struct charts *ret);
/* The same for several results of compare that differ in one number: curves over that number. */
bool plot_read_sizes(struct arena *, json_t *const *results, unsigned count, struct charts *ret);

/* mesicc plot. An exit status. */
int plot_run(struct arena *, const struct options *, struct diag *);
/* --plot: draws results to `path`, by its name as SVG or as a page. An exit status. */
int plot_results(struct arena *, json_t *const *results, unsigned count, const char *path,
                 struct diag *);
/* The same for files of tuned plans. */
int plot_files(struct arena *, const struct string_list *files, const char *path, struct diag *);
/* May the picture of --plot be written? 0, or an exit status after a diagnostic. */
int plot_check(struct arena *, const struct options *, struct diag *);

#endif
