/* SPDX-License-Identifier: MIT */
/* option_table.h - all options: options.def and nvcc.def as one table. */
#ifndef MESI_DRIVER_OPTION_TABLE_H
#define MESI_DRIVER_OPTION_TABLE_H

#include <stdbool.h>

#include "translator/base/arena.h"

enum option_id {
#define OPTION(id, spelling, form, argument, help) OPTION_##id,
#include "translator/driver/options.def"
#undef OPTION
  OPTION_OF_NVCC, /* from here on: rows of nvcc.def, several of which may have one id */
  OPTION_DEPENDENCIES,
  OPTION_DEP_MD,
  OPTION_DEP_MF,
  OPTION_DEP_MP,
  OPTION_DEP_MT,
  OPTION_DEP_MT_QUOTED,
  OPTION_LINK,
  OPTION_OUTPUT,
  OPTION_OUTPUT_DIR,
  OPTION_INCLUDE_FILE,
  OPTION_INCLUDE_DIR,
  OPTION_SYSTEM_DIR,
  OPTION_QUOTE_DIR,
  OPTION_DEFINE,
  OPTION_UNDEFINE,
  OPTION_LIBRARY,
  OPTION_LIBRARY_DIR,
  OPTION_BINDIR,
  OPTION_LEVEL,
  OPTION_LANGUAGE,
  OPTION_STANDARD,
  OPTION_MACHINE,
  OPTION_XCOMPILER,
  OPTION_UNKNOWN_TO_HOST,
  OPTION_UNKNOWN_TO_LINKER,
  OPTION_UNKNOWN_TO_BOTH,
  OPTION_VERBOSE,
  OPTION_ARCH,
  OPTION_CODE,
  OPTION_GENCODE,
  OPTION_FAST_MATH,
  OPTION_NO_WARNINGS,
  OPTION_WARNING,
  OPTION_DEFAULT_STREAM,
  OPTION_HELP,
  OPTION_VERSION,
  OPTION_OPTIONS_FILE
};

enum option_form {
  FLAG,
  JOINED,   /* the value follows at once */
  SEPARATE, /* the value is the next word, or follows '=' */
  WORD,     /* the same */
  VALUE,    /* the value also follows a name of one letter at once */
  LIST,     /* several values, with commas */
  SWITCH,   /* true or false */
  PHASE,    /* FLAG: the step of nvcc for the emitted file */
  PREFIX    /* any word with this beginning */
};

enum option_fate {
  FATE_OWN,       /* a meaning for mesicc */
  FATE_FORWARDED, /* to nvcc */
  FATE_NOTHING,
  FATE_REFUSED, /* `text` is the reason */
  FATE_HOST     /* to the host's compiler */
};

struct option_row {
  enum option_id id;
  enum option_fate fate;
  const char *spellings[2]; /* the same word twice where there is only one */
  enum option_form form;
  const char *argument, *text;
};

extern const struct option_row option_rows[];
extern const unsigned option_row_count;

/* The row whose spelling `word` is or begins with; NULL: none. *ret_value: the part of the word
 * that is the value; NULL: the next word is the value, where the form has one. */
const struct option_row *option_find(const char *word, const char **ret_value);
bool option_has_value(const struct option_row *);
/* A suggestion for a misspelt word: an option, or a verb. NULL: nothing is near. */
const char *option_near(struct arena *, const char *word);
const char *verb_near(const char *word);
/* Of all verbs, in the order of enum verb; the first has an empty name. */
extern const struct verb_row {
  const char *name, *usage, *text;
} verb_rows[];
extern const unsigned verb_row_count;

#endif
