/* SPDX-License-Identifier: MIT */
/* option_table.h - the options that there are: options.def and nvcc.def as one table. */
#ifndef MESI_DRIVER_OPTION_TABLE_H
#define MESI_DRIVER_OPTION_TABLE_H

#include <stdbool.h>

#include "translator/base/arena.h"

enum option_id {
#define OPTION(id, spelling, form, argument, help) OPTION_##id,
#include "translator/driver/options.def"
#undef OPTION
  OPTION_OF_NVCC, /* from here on: of nvcc.def, several rows may have one id */
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
  JOINED,   /* the value at once */
  SEPARATE, /* the next word, or behind '=' */
  WORD,     /* the same */
  VALUE,    /* also at once behind a name of one letter */
  LIST,     /* several, with commas */
  SWITCH,   /* true or false */
  PHASE,    /* FLAG: what nvcc makes of the emitted file */
  PREFIX    /* whatever begins so */
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
  const char *spellings[2]; /* the same word twice where there is one only */
  enum option_form form;
  const char *argument, *text;
};

extern const struct option_row option_rows[];
extern const unsigned option_row_count;

/* The row that `word` begins or is; NULL: none. *ret_value: what of the word is its value; NULL:
 * the next word is, where the form has one. */
const struct option_row *option_find(const char *word, const char **ret_value);
bool option_has_value(const struct option_row *);
/* What a misspelt word may have meant: of the options, or of the verbs. NULL: nothing near. */
const char *option_near(struct arena *, const char *word);
const char *verb_near(const char *word);
/* Of all verbs, in the order of enum verb; the first has an empty name. */
extern const struct verb_row {
  const char *name, *usage, *text;
} verb_rows[];
extern const unsigned verb_row_count;

#endif
