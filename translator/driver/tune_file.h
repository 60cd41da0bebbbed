/* SPDX-License-Identifier: MIT */
/* tune_file.h - the file of the winners of `mesicc tune`: by kernel, shape of launch, and GPU.
 *
 *     { "mesi_tune": 1, "plans": [ {
 *         "kernel": "matmul", "shape": "block 128x1x1 grid 8x1024x1", "code": "0f3a...",
 *         "gpu": "NVIDIA H200", "arch": 90, "level": 2, "plan": "128x64/16x8/16",
 *         "times": { "model": 0.0692, "128x64/16x8/16": 0.0655, "original": 1.22 } } ] }
 *
 * Times are milliseconds of a launch, medians. A translation reads the file where --tuned asks for
 * it, on any machine.
 */
#ifndef MESI_DRIVER_TUNE_FILE_H
#define MESI_DRIVER_TUNE_FILE_H

#include "translator/driver/options.h"

struct tune_time {
  const char *key; /* of a plan */
  double milliseconds;
};

struct tune_entry {
  struct tuned_plan plan;
  const char *gpu; /* its name; "cpu": the CPU backend */
  LIST_OF(struct tune_time) times;
};

struct tune_file {
  LIST_OF(struct tune_entry) entries;
};

const char *tune_file_name(struct arena *, const char *input); /* prog.tune, beside the input */
/* 0, or -1 after a diagnostic. A missing file is an error where `must`, otherwise it is empty. */
int tune_file_read(struct arena *, const char *path, bool must, struct diag *,
                   struct tune_file *ret);
int tune_file_write(struct arena *, const char *path, const struct tune_file *, struct diag *);
/* Puts the entry first, and removes one for the same kernel, shape, code, GPU and level. */
void tune_file_add(struct arena *, struct tune_file *, const struct tune_entry *);
/* Gives the options the plans and times of the file options->tuned_file. 0, or -1 after a
 * diagnostic. */
int tune_file_apply(struct arena *, struct options *, struct diag *);

#endif
