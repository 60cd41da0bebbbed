/* plot.h - the figures 5 and 6 of the MPF paper: speed of each bucket, and speed-up, against
 * complexity. */
#ifndef MPF_PLOT_H
#define MPF_PLOT_H

#include <stdio.h>

#include "real.h"

struct mpf_plot {
  FILE *data[MPF_DOMAIN_COUNT];
  const char *prefix;
};

/* Files PREFIX_linear.dat, PREFIX_log.dat and PREFIX.gp; gnuplot draws PREFIX.svg. 0, or -1 where
 * they cannot be written. */
int mpf_plot_begin(struct mpf_plot *, const char *prefix);
void mpf_plot_add(struct mpf_plot *, enum mpf_domain, double flop, double scalar_ms, double cpu_ms,
                  double kernel_ms);
int mpf_plot_end(struct mpf_plot *);

#endif
