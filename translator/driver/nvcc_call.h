/* SPDX-License-Identifier: MIT */
/* nvcc_call.h - what a command line of nvcc asks for, as far as mesicc nvcc has to know. */
#ifndef MESI_DRIVER_NVCC_CALL_H
#define MESI_DRIVER_NVCC_CALL_H

#include "translator/driver/options.h"

struct nvcc_input {
  const char *path;
  unsigned at; /* which of the words it is */
};

struct nvcc_call {
  const char *compiler;      /* as the user named it; NULL: the nvcc that is found */
  struct string_list words;  /* what nvcc gets: all but the compiler and mesicc's own options */
  struct string_list own;    /* mesicc's own options among them: -Rmesi */
  struct string_list wanted; /* what of nvcc's a translation needs: macros, folders, the standard */
  LIST_OF(struct nvcc_input) inputs; /* CUDA sources */
  const char *kept;                  /* why none of them is translated; NULL: they are */
  bool links;
  bool depfile; /* -MD and its like: a rule is written beside the object */
  const char *dep_file, *output, *output_dir; /* NULL: not given */
};

/* Strings live in the arena, in argv or in the environment. Words that nobody knows are nvcc's. */
void nvcc_call_read(struct arena *, int argc, char **argv, struct nvcc_call *ret);
/* Where nvcc writes the rule of this input; NULL: nowhere. */
const char *nvcc_call_depfile(struct arena *, const struct nvcc_call *, const char *input);

#endif
