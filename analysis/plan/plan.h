/* SPDX-License-Identifier: MIT */
/* plan.h - the decisions of the analysis, which codegen carries out. The only header of analysis
 * that codegen includes. */
#ifndef MESI_ANALYSIS_PLAN_H
#define MESI_ANALYSIS_PLAN_H

#include "analysis/data/host_edit.h"
#include "analysis/data/options.h"
#include "analysis/data/staged.h"
#include "analysis/data/steps.h"
#include "analysis/data/text_change.h"
#include "analysis/data/use_range.h"
#include "analysis/data/version.h"
#include "translator/base/diag.h"
#include "translator/ir/unit.h"

struct kernel_variant { /* a kernel with staged arrays, promoted elements, or both */
  struct ir_function *kernel;
  /* The function whose body is printed: the kernel, or a changed copy with the same parameters. */
  struct ir_function *code;
  unsigned number;                /* from 1, within its kernel */
  struct kernel_mapping *mapping; /* NULL: as the launch says */
  struct kernel_choice *choice;   /* NULL: every launch stages all of `stages` */
  unsigned promoted;              /* array elements that `code` keeps in registers */
  /* Conditions of a launch; if one fails, the kernel as written goes out. */
  struct no_alias *no_alias;
  unsigned no_alias_count;
  struct ir_expr *asks; /* a further condition, on the kernel's parameters; NULL: none */
  /* For another body in the launch's own shape: the end of its name, and its note. NULL: the kernel
   * has no such body, or a mapping has it. */
  const char *suffix, *note;
  struct added_params added; /* parameters of all its kernels, behind those of mappings */
  const bool *restricted;    /* by parameter: printed as __restrict__; NULL: as written */
  /* threads: constant at every launch that uses this variant; -1 where nothing is staged */
  int64_t block[3];
  struct stage *stages;
  unsigned stage_count;
  /* The variant's kernels are printed once more, for a run of the launch's blocks along this axis.
   * Below 0: they are not. */
  int runs_axis;
  uint64_t bytes; /* shared memory added by the stages, each at a multiple of 16 bytes */
  /* More than 48 KB with the user's own: the stages use dynamic shared memory, opted into. */
  bool dynamic;
};

enum { /* beside reads and writes, as mesi.h: the kernel only adds to it, numbers of this type */
       SUM_INT = 16,
       SUM_LONG = 32,
       SUM_FLOAT = 64,
       SUM_DOUBLE = 128,
       SUM_ANY = 240
};

struct arg_plan {
  bool is_pointer;               /* mesi_arg */
  const struct use_range *range; /* is_pointer; NULL: the whole object */
  bool is_record;                /* a struct by value with pointers in it: mesi_arg_record */
  bool is_unknown; /* of a type that is not known here (in a template): mesi_arg_any */
  unsigned access; /* 1 read, 2 write, as mesi.h, and SUM_INT or its like */
};

struct kernel_parts { /* a kernel that is launched for runs of its blocks */
  struct ir_function *kernel;
  struct ir_function *code; /* whose body is printed */
  unsigned axis;            /* of blockIdx: 0 x */
  unsigned number;          /* from 1, within its kernel */
};

struct launch_plan {              /* by launch id */
  bool hooked;                    /* mesi_launch_begin and _end around it */
  bool batched;                   /* a batch of the host may hold it back */
  struct kernel_variant *variant; /* NULL: the original kernel */
  bool declared; /* needs the variant's declaration in front of the host function */
  /* The launch may go out in parts. NULL: it may not, and part ranges have no meaning. */
  const struct kernel_parts *parts;
  bool on_devices;    /* parts: each may be on another device */
  bool only_devices;  /* on_devices: on one device it goes out as a whole */
  bool variant_parts; /* parts: the variant's kernels for runs, if any of them is taken */
  /* A batch may put it together with the launches around it. NULL: it may not. */
  const struct kernel_steps *steps;
  struct arg_plan *args; /* by argument */
  struct vs_var **uses;  /* VS variables that the kernel, or a function it calls, names itself */
  unsigned *use_access;
  const struct use_range **use_ranges; /* NULL: the whole variable */
  unsigned use_count;
  bool repeatable; /* its arguments may be evaluated twice */
  /* The kernel is defined elsewhere, so it may use any VS variable of the program. */
  bool uses_all;
};

struct plan {
  struct arena *arena; /* the unit's */
  LIST_OF(struct kernel_variant *) variants;
  LIST_OF(struct kernel_parts *) parts;
  struct steps_work steps;
  struct launch_plan *launches; /* by launch id */
  struct text_changes texts;    /* of device code as written */
  struct host_work host;
  bool hooked;                     /* the runtime is told about launches */
  struct explanation *explanation; /* explain.h; NULL: not wanted */
  struct emitted_report *emitted;  /* emitted.h; NULL: not wanted */
};

/* Decides everything for `unit`. Remarks go to `diag`. Returns NULL after reporting an error. */
struct plan *plan_unit(struct unit *unit, const struct plan_options *options, struct diag *diag);

#endif
