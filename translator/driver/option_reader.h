/* SPDX-License-Identifier: MIT */
/* option_reader.h - declarations that the files which read the command line share. */
#ifndef MESI_DRIVER_OPTION_READER_H
#define MESI_DRIVER_OPTION_READER_H

#include "translator/driver/option_table.h"
#include "translator/driver/options.h"

struct reader {
  struct arena *arena;
  struct diag *diag;
  struct options *options;
  struct string_list words;
  unsigned at;
  unsigned files; /* option files read so far */
  bool unknown_to_host, unknown_to_linker;
  struct string_list new_archs; /* architectures that mesicc does not know */
};

/* Reports with `word` in `format`; -1. */
int option_refuse(struct reader *, const char *format, const char *word);
void option_push(struct reader *, struct string_list *, const char *word);
/* Appends to the reader's words, with option files replaced by their words. 0 or -1. */
int option_expand(struct reader *, int argc, char **argv);

/* option_values.c: 0, or -1 after a diagnostic */
/* `text` is the value of the option `name`, which the diagnostic names. */
int option_number(struct reader *, const char *name, const char *text, uint64_t largest,
                  uint64_t *ret);
int option_mapping(struct reader *, const char *);
int option_split(struct reader *, const char *);
int option_effort(struct reader *, const char *);
int option_products(struct reader *, const char *);
int option_parts(struct reader *, const char *);
int option_devices(struct reader *, const char *);
int option_temporal(struct reader *, const char *);
int option_explain(struct reader *, const char *);
int option_level(struct reader *, const char *);
int option_levels(struct reader *, const char *);
int option_target(struct reader *, const char *);
int option_standard(struct reader *, const char *);
int option_language(struct reader *, const char *);
int option_stream(struct reader *, const char *);
int option_macro(struct reader *, const char *spelling, const char *);
int option_message_form(struct reader *, const char *);
/* Do all kinds of remarks in a list exist? 0 or -1. */
int option_remark_kinds(struct reader *, const char *list);
/* A word that begins with -W. */
int option_warning(struct reader *, const char *word);
/* Is the word a kind that nvcc knows after -Werror? */
bool option_is_error_kind(const char *list);
void option_host_args(struct reader *, const char *);
/* Calls `take` for each part of a list. */
int option_list(struct reader *, const char *spelling, const char *list,
                int (*take)(struct reader *, const char *spelling, const char *));

/* architectures.c: the same */
int option_arch(struct reader *, const char *);
int option_code(struct reader *, const char *);
int option_gencode(struct reader *, const char *);
/* After all options are read: does nvcc know the architectures that mesicc does not? */
int option_settle_archs(struct reader *);

#endif
