/* SPDX-License-Identifier: MIT */
/* nvcc_depfile.h - rewrites nvcc's rule for an emitted file as a rule for the user's file. */
#ifndef MESI_DRIVER_NVCC_DEPFILE_H
#define MESI_DRIVER_NVCC_DEPFILE_H

#include "translator/base/arena.h"

struct nvcc_depfile {
  const char *path;            /* of the rule that nvcc wrote */
  const char *emitted, *input; /* the rule names the first file, and shall name the second */
  const char *runtime;         /* a folder whose files are left out */
  const char *dependencies;    /* the translation's own rule: headers within the emitted file */
};

/* Rewrites the rule. 0, or -1 with errno set. */
int nvcc_depfile_rename(struct arena *, const struct nvcc_depfile *);

#endif
