/* SPDX-License-Identifier: MIT */
/* nvcc_call.h - the meaning of an nvcc command line, as far as mesicc nvcc needs it. */
#ifndef MESI_DRIVER_NVCC_CALL_H
#define MESI_DRIVER_NVCC_CALL_H

#include "translator/driver/options.h"

struct nvcc_input {
  const char *path;
  unsigned at; /* index of the word */
};

struct nvcc_call {
  const char *compiler;      /* as the user named it; NULL: the nvcc that is found */
  struct string_list words;  /* the words for nvcc: all but the compiler and mesicc's own options */
  struct string_list own;    /* mesicc's own options among them: -Rmesi */
  struct string_list wanted; /* nvcc's words for a translation: macros, folders, the standard */
  LIST_OF(struct nvcc_input) inputs; /* CUDA sources */
  const char *kept;                  /* the reason why none of them is translated; NULL: they are */
  bool links;
  bool depfile; /* -MD and its like: nvcc writes a rule beside the object */
  const char *dep_file, *output, *output_dir; /* NULL: not given */
};

/* Strings live in the arena, in argv or in the environment. Unknown words are nvcc's. */
void nvcc_call_read(struct arena *, int argc, char **argv, struct nvcc_call *ret);
/* The file to which nvcc writes the rule of this input; NULL: none. */
const char *nvcc_call_depfile(struct arena *, const struct nvcc_call *, const char *input);

#endif
