/* SPDX-License-Identifier: MIT */
/* tune_candidates.h - the plans of a program's kernels that are worth measuring, and their
 * times. */
#ifndef MESI_DRIVER_TUNE_CANDIDATES_H
#define MESI_DRIVER_TUNE_CANDIDATES_H

#include "translator/driver/build.h"
#include "translator/driver/tune_file.h"

struct tune_candidate {
  const char *key;     /* of the plan */
  const char *planned; /* a name of the code: the same for the same code */
  double predicted_ms; /* 0: the model has no prediction */
  double milliseconds; /* of all launches of the kernel, measured; 0: not yet */
  const char *problem; /* the reason why it cannot win; NULL: none */
};

struct tune_kernel {                 /* a kernel under one shape of launch */
  const char *kernel, *shape, *code; /* as in struct tuned_plan */
  LIST_OF(const char *) sites;       /* file:line of its launches */
  /* [0] is the model's choice, [1] the kernel as written where that is another */
  LIST_OF(struct tune_candidate) candidates;
  double launches; /* in the measured run */
};

struct tune_program {
  enum plan_level level;
  unsigned arch; /* 0: the CPU backend */
  LIST_OF(struct tune_kernel) kernels;
  /* programs that try all candidates: round r has candidate r of each kernel */
  unsigned rounds;
};

/* Finds the plans that the model ranks, by translations into the build's directory. 0, or an exit
 * status after a diagnostic. */
int tune_find_candidates(struct arena *, const struct build *, struct diag *,
                         struct tune_program *ret);
/* The build's options for a round. `only` < 0: all kernels take their candidate; otherwise that
 * kernel does, and the others take the model's choice. */
struct options tune_round_options(struct arena *, const struct build *, const struct tune_program *,
                                  unsigned round, int only);
/* Adds the times of one run's statistics (MESI_STATS) to the candidates of the round: the least of
 * several runs counts. */
void tune_add_times(struct tune_program *, unsigned round, int only, const char *stats);
void tune_add_problem(struct tune_program *, unsigned round, int only, const char *problem);
/* The best candidate; the model's where the best is hardly faster. NULL: none was measured. */
const struct tune_candidate *tune_winner(const struct tune_kernel *);

#endif
