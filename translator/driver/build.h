/* SPDX-License-Identifier: MIT */
/* build.h - from a .mcu to a program: translation and the target's compiler. */
#ifndef MESI_DRIVER_BUILD_H
#define MESI_DRIVER_BUILD_H

#include "translator/driver/paths.h"

struct build {
  const struct options *options;
  struct paths paths;
  const char *directory; /* where emitted files and programs go; removed at the end unless --keep */
  const char *types_file;     /* in the directory: the types of VS variables, after a translation */
  enum target target;         /* CUDA or CPU */
  struct string_list objects; /* of the program's C and C++ files, in the directory */
  bool told; /* a variant of the program has been translated, and its warnings printed */
};

/* Chooses the target, makes the directory. 0, or an exit status after a diagnostic. */
int build_begin(struct arena *, const struct options *, struct diag *, struct build *ret);
void build_end(struct arena *, const struct build *);
/* The environment for a checked program, which creates `mark` where it reports a problem. */
void build_check_environment(struct arena *, const char *mark, struct string_list *environment);
/* Translates with other options than the build's, to `emitted`. 0, or an exit status after a
 * diagnostic. */
int build_translate(struct arena *, const struct build *, const struct options *wanted,
                    const char *emitted, struct diag *);
/* The options for another translation of the same files, without the warnings, which are printed
 * already. */
struct options build_again(struct arena *, const struct options *);
/* build_translate, and compilation; NAME is the name of the files in the directory. */
int build_variant(struct arena *, struct build *, const struct options *wanted, const char *name,
                  struct diag *, const char **ret_program);
/* Translates at `level` and compiles. 0 with the program's path, or an exit status after a
 * diagnostic. */
int build_program(struct arena *, struct build *, enum plan_level level, struct diag *,
                  const char **ret_program);

/* The file for the types of the VS variables of the program's n-th file. */
const char *build_types_file(struct arena *, const struct build *, unsigned module);

/* Adds a header line with the effect of -DNAME=VALUE or -UNAME; false: `word` is neither. */
bool build_add_macro(struct text *header, const char *word);

#endif
