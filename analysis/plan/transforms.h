/* SPDX-License-Identifier: MIT */
/* transforms.h - a transformation as a row: what it is called, where it stands in the order, what
 * it says, how it is tried. */
#ifndef MESI_ANALYSIS_TRANSFORMS_H
#define MESI_ANALYSIS_TRANSFORMS_H

#include "analysis/code/draft.h"
#include "analysis/data/steps.h"
#include "analysis/host/constants.h"
#include "analysis/mapping/mapping.h"
#include "translator/base/diag.h"

enum slot { /* in the order of a kernel's plan */
            /* all are tried on a copy: another kernel that computes the same. Only a mapping with
             * tiles and a predicted gain of 2 may take it; else the kernel goes on as written */
            SLOT_REWRITE,
            SLOT_FORM, /* all are tried: the code in a form that the rows of other slots know. It
                        * is printed only where one of these takes the kernel */
            SLOT_REGISTERS, /* all are tried: what loops load again and again stays in registers */
            /* the first that is taken: the work of a shape-free kernel, mapped to threads anew */
            SLOT_MAPPING,
            /* all are tried: further versions of a mapping, or a mapping of versions alone */
            SLOT_VERSIONS,
            /* the first that is taken, of kernels that are as written so far: another body in the
             * launch's own shape */
            SLOT_BODY,
            SLOT_STAGES,   /* likewise: whole arrays in shared memory */
            SLOT_LAST,     /* likewise, where nothing is staged */
            SLOT_LAUNCHES, /* several launches in one, when all kernels are planned (unit.c) */
            SLOT_COUNT
};

struct transform {
  const char *name; /* of its folder in analysis/transform, too */
  enum slot slot;
  enum plan_level level;        /* from this one on */
  enum decision_kind decision;  /* of --explain */
  enum diag_id taken, declined; /* its remarks */
  /* true: it is taken, and the draft has it; NULL: a mapping, or a room of its own has it */
  bool (*plan)(struct draft *);
  enum outcome (*map)(struct mapping *); /* MAPPING */
  /* REWRITE, FORM: conditions on parameters and the grid under which it may take the kernel, for
   * the launch to find out; how many. NULL: none */
  unsigned (*ask)(struct code *, struct ir_expr **ret, unsigned most);
  /* MAPPING: adds versions behind those that are there, whoever made them; NULL */
  bool (*also)(struct mapping *);
  /* MAPPING: where it is taken, when all versions are there; NULL */
  void (*finish)(struct mapping *);
  /* LAUNCHES: which launches of loops become one */
  void (*launches)(struct unit *, struct effects *, struct constants *, const struct plan_options *,
                   struct steps_work *, struct remarks *);
  /* beside a stage by segments: another code for launches that find out that they may take it */
  const struct several *(*beside)(struct unit *, unsigned arch, struct symbols *,
                                  const struct kernel_access *, const struct candidate *,
                                  struct remarks *);
};

extern const struct transform transforms[];
extern const unsigned transform_count;

#endif
