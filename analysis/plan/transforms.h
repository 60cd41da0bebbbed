/* SPDX-License-Identifier: MIT */
/* transforms.h - a transformation as a row: its name, its place in the order, its remarks, its
 * functions. */
#ifndef MESI_ANALYSIS_TRANSFORMS_H
#define MESI_ANALYSIS_TRANSFORMS_H

#include "analysis/code/draft.h"
#include "analysis/data/steps.h"
#include "analysis/host/constants.h"
#include "analysis/mapping/mapping.h"
#include "translator/base/diag.h"

enum slot { /* in the order of a kernel's plan */
            /* All rows are tried on a copy, another kernel that computes the same. Only a mapping
             * with tiles and a predicted gain of 2 may take it; else the kernel goes on as
             * written. */
            SLOT_REWRITE,
            SLOT_FORM,      /* All rows are tried: the code gets a form that the rows of other slots
                             * know. It is printed only where one of these takes the kernel. */
            SLOT_REGISTERS, /* all rows are tried: values that loops load again and again stay in
                             * registers */
            /* The first row that is taken: the work of a shape-free kernel, mapped to threads
             * anew. */
            SLOT_MAPPING,
            /* All rows are tried on a copy with the forms, where a mapping gains little: elements
             * with other axes than the launch's. A mapping may take it that gains more. */
            SLOT_EXTENTS,
            /* All rows are tried on such a copy, also where no row of the slot in front takes it:
             * the axes in another order. */
            SLOT_ORDER,
            /* All rows are tried: further versions of a mapping, or a mapping of versions alone. */
            SLOT_VERSIONS,
            /* The first row that is taken, for kernels that are as written so far: another body in
             * the launch's own shape. */
            SLOT_BODY,
            SLOT_STAGES,   /* likewise: whole arrays in shared memory */
            SLOT_LAST,     /* likewise, where nothing is staged */
            SLOT_FINISH,   /* All rows are tried: changes of all codes that there are, which no
                            * other row needs to know. */
            SLOT_LAUNCHES, /* several launches in one, after all kernels are planned (unit.c) */
            SLOT_COUNT
};

struct transform {
  const char *name; /* the name of its folder in analysis/transform, too */
  enum slot slot;
  enum plan_level level;        /* the lowest level that tries it */
  enum decision_kind decision;  /* of --explain */
  enum diag_id taken, declined; /* its remarks */
  /* True: it is taken, and the draft has the result. NULL: a mapping, or a slot of its own, has
   * it. */
  bool (*plan)(struct draft *);
  enum outcome (*map)(struct mapping *); /* MAPPING */
  /* REWRITE, FORM: writes conditions on parameters and the grid under which it may take the kernel,
   * for the launch to check, and returns their number. NULL: it has none. */
  unsigned (*ask)(struct code *, struct ir_expr **ret, unsigned most);
  bool asks_formed; /* FORM: ... about the code as the rows of forms in front of it leave it */
  /* MAPPING: adds versions behind the existing ones, whichever row made them. NULL: none. */
  bool (*also)(struct mapping *);
  /* MAPPING: runs after all versions exist, if the row was taken. NULL: nothing to do. */
  void (*finish)(struct mapping *);
  /* LAUNCHES: finds launches of loops that become one. */
  void (*launches)(struct unit *, struct effects *, struct constants *, const struct plan_options *,
                   struct steps_work *, struct remarks *);
  /* Beside a stage by segments: further code for launches that find that they may take it. */
  const struct several *(*beside)(struct unit *, unsigned arch, struct symbols *,
                                  const struct kernel_access *, const struct candidate *,
                                  struct remarks *);
};

extern const struct transform transforms[];
extern const unsigned transform_count;

#endif
