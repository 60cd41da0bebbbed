/* SPDX-License-Identifier: MIT */
/* frontend.h - source text to unit, with libclang. */
#ifndef MESI_FRONTEND_H
#define MESI_FRONTEND_H

#include "translator/base/diag.h"
#include "translator/ir/unit.h"

struct frontend_options {
  const char *input; /* path, or "-" */
  /* -I -D -U -std -include -isystem, in order, checked by the driver */
  const char **clang_args;
  unsigned clang_arg_count;
  const char **warnings; /* -W words for clang; none: no warnings */
  unsigned warning_count;
  const char *standard; /* "c++17" */
  const char *toolkit;  /* CUDA toolkit directory; NULL: the project's own declarations */
  /* directory of the project's own CUDA headers (runtime/cpu/include) */
  const char *surface;
  const char *cccl;     /* Thrust and libcu++ for use beside these headers; NULL: none */
  const char *compiler; /* directory of the host compiler's own headers; NULL: none */
  const char *prelude;  /* directory of the frontend's prelude headers */
  const char *runtime;  /* directory of mesi.h */
  const char *cache;    /* directory for the PCH of the toolkit's headers; NULL: no cache */
  unsigned arch;        /* 70 ... 120 */
  bool device_on_host;  /* the host's compiler will compile the device code */
};

/* Parses and lowers. Errors go to `diag`; NULL after an error. The unit lives in `arena`. */
struct unit *frontend_parse(struct arena *arena, const struct frontend_options *options,
                            struct diag *diag);

/* The unit with the user's macros at the places expanded by one level. `unit` itself where no macro
 * can be expanded; NULL after an error. */
struct unit *frontend_expand(struct arena *arena, const struct frontend_options *options,
                             struct unit *unit, const struct ir_places *places, struct diag *diag);

/* The words of a clang command that parses a source as this frontend does, without the file and the
 * user's own words: for editors. Any clang from 14 on accepts them. In the arena. */
struct frontend_words {
  const char **items;
  unsigned count;
};
struct frontend_words frontend_editor_words(struct arena *, const struct frontend_options *);

/* The name and version of the parser. */
const char *frontend_parser(struct arena *);

#endif
