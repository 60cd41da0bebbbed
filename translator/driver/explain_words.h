/* SPDX-License-Identifier: MIT */
/* explain_words.h - facts and decisions of an explanation in words, for all its forms. */
#ifndef MESI_DRIVER_EXPLAIN_WORDS_H
#define MESI_DRIVER_EXPLAIN_WORDS_H

#include "analysis/plan/report/explain.h"
#include "codegen/text/options.h"
#include "translator/driver/options.h"

struct explained_program { /* the data from which a form of the explanation is made */
  struct arena *arena;
  const struct plan *plan;
  const struct explanation *explanation; /* of the plan */
  const struct measured_time *measured;  /* borrowed */
  unsigned measured_count;
  const struct printed_texts *printed; /* the kernels in the output */
  const char *emitted;                 /* the output; NULL: there is none */
};

/* valid UTF-8 without control characters: others become U+FFFD */
const char *words_clean(struct arena *, const char *text);
const char *words_place(const struct explained_program *, const struct ir_place *); /* file:line */
const char *words_access(const struct explained_access *);
const char *words_use(bool read, bool written);
const char *words_milliseconds(struct arena *, double milliseconds);
/* "0.31 ms predicted (2.9 ms as written), bound by instruction issue; 80 registers, 3 blocks
 * resident" */
const char *words_prediction(struct arena *, const struct ranked_plan *);
const char *words_plan(struct arena *, const struct ranked_plan *); /* The name of a plan. */
/* The results for the kernel: a line for each version of its code. */
struct words {
  LIST_OF(const char *) lines;
};
void words_result(struct arena *, const struct kernel_variant *, struct words *ret);
/* Is the measured time one of this kernel? */
bool words_is_measured(const struct explained_program *, const struct explained_kernel *,
                       const struct measured_time *);

#endif
