/* SPDX-License-Identifier: MIT */
/* trial.h - one run of a built program: its results and times. */
#ifndef MESI_DRIVER_TRIAL_H
#define MESI_DRIVER_TRIAL_H

#include "translator/driver/build.h"
#include "translator/driver/dumps.h"

struct trial {
  int status; /* of the program */
  double kernel_ms, transfer_ms, total_ms;
  const char *stats; /* the text of MESI_STATS; NULL: none */
  struct dump_file dump;
  bool has_dump;
  const char *out; /* standard output */
  size_t out_length;
};

struct trial_site {              /* the launches of one place, in the statistics */
  char kernel[512];              /* qualified name */
  double launches, milliseconds; /* median of a launch */
  const char *place;             /* file:line; not terminated */
  size_t place_length;
};

/* The next launch site; *stats moves on. False: there is none. */
bool trial_next_site(const char **stats, struct trial_site *ret);
/* Files of the run are build->directory/NAME.*. `schedule` NULL: the default. 0, or an exit status
 * after a diagnostic. */
int trial_run(struct arena *, const struct build *, const char *program, const char *name,
              const char *schedule, struct diag *, struct trial *ret);
/* The same on so many devices; 0: as in the environment. */
int trial_run_on(struct arena *, const struct build *, const char *program, const char *name,
                 unsigned devices, struct diag *, struct trial *ret);
/* The difference from the first run, in words; NULL: none. `exact`: floats bit for bit. */
const char *trial_difference(struct arena *, const struct trial *first, const struct trial *run,
                             bool exact);

#endif
