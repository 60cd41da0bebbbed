/* SPDX-License-Identifier: MIT */
/* survey_rows.h - the rows of a survey: units and their kernels. */
#ifndef MESI_DRIVER_SURVEY_ROWS_H
#define MESI_DRIVER_SURVEY_ROWS_H

#include <jansson.h>

#include "translator/driver/options.h"

enum survey_class { /* the class of the first reason for which a kernel is kept */
#define CLASS(id, name, advice) SURVEY_##id,
#include "translator/driver/survey_reasons.def"
                    SURVEY_CLASS_COUNT
};

enum survey_fate { /* the fate of a unit */
                   FATE_TAKEN,
                   FATE_REFUSED,
                   FATE_TOOLKIT, /* it names something that the toolkit has no more: nvcc refuses
                                    it, too */
                   FATE_HEADER,  /* it includes a header that is nowhere to be found */
                   FATE_COUNT
};

struct survey_kernel { /* a kernel of the source: all its instances and facts of launches */
  const char *name;    /* qualified */
  const char *file;    /* of its definition; NULL: not known */
  unsigned line;
  unsigned launches;      /* of this unit */
  unsigned changed;       /* of these, launches that get another kernel or become one with others */
  struct string_list how; /* kinds of the decisions that were taken, each once */
  const char *why;        /* CHANGED 0: the first reason */
  enum survey_class why_class; /* of that reason */
  double gain;                 /* predicted, geometric mean over shapes; 0: no prediction */
  double gain_log;             /* sum of logarithms behind it */
  unsigned gain_count;
};

struct survey_header { /* a header that was not on the include path */
  const char *name, *folder;
};

struct survey_part { /* a file that a unit includes */
  const char *path, *unit;
};

struct survey_unit {
  const char *path;
  const char *database; /* folder of the compile_commands.json with its options; NULL: none */
  int status;           /* of its translation */
  const char *code;     /* of the first error: "M2001"; NULL: taken */
  const char *message;  /* of the first error, with its place; NULL: taken */
  enum survey_fate fate;
  LIST_OF(struct survey_header) headers; /* searched for, in the order in which they were missing */
  double seconds;                        /* of processor time */
  LIST_OF(struct survey_kernel) kernels;
};

struct survey {
  LIST_OF(struct survey_unit) units;
  LIST_OF(struct survey_part) parts; /* files that are no units of their own */
};

/* Adds the kernels of an explanation as JSON (explain_json.c). Strings are copied to the arena. */
void survey_add_kernels(struct arena *, json_t *explanation, struct survey_unit *unit);
const char *survey_class_name(enum survey_class);
const char *survey_class_advice(enum survey_class); /* "": none */
/* The reason without quoted names, so that equal ones can be counted. */
const char *survey_reason_form(struct arena *, const char *reason);

#endif
