/* SPDX-License-Identifier: MIT */
/* range.h - the values of a launch as host expressions. */
#ifndef MESI_CODEGEN_RANGE_H
#define MESI_CODEGEN_RANGE_H

#include "codegen/text/state.h"

/* const box * => const struct box *: a variable may have the name of its type. */
const char *elaborated_type(struct arena *, const struct ir_type *);
/* k<<<1, 1>>>({p, n}): braces have no type of their own. NULL: no braces. */
const char *braced_type(struct codegen *, const struct launch *, unsigned number);
/* As written, with the type of braces; NULL: it cannot be moved. */
const char *argument_text(struct codegen *, const struct launch *, unsigned number);
/* "read begin, read end, write begin, write end, access" for argument `number` of a launch, or for
 * a VS variable that its kernel names. NULL: there is no text. */
const char *range_arguments(struct codegen *, const struct launch *, const struct use_range *,
                            unsigned number);
/* The same, followed by the ranges of the launch's parts. */
const char *part_arguments(struct codegen *, const struct launch *, const struct use_range *,
                           unsigned number);

/* The same for use `number` of the launch's plan; NULL: the whole variable. `parted`: the launch
 * may go out in parts. */
const char *use_range_text(struct codegen *, const struct launch *, unsigned number, bool parted);

/* An expression of the plan over the values of a launch, as text; NULL: there is none. */
const char *launch_value(struct codegen *, const struct launch *, const struct ir_expr *);
/* The same, with numbers of 64 bits as they are. */
const char *exact_value(struct codegen *, const struct launch *, const struct ir_expr *);
/* The same behind mesi_map: the launch's grid and block need no text. */
const char *mapped_value(struct codegen *, const struct launch *, const struct ir_expr *);
/* The same where `segment` stands for the number of a copy's segment; names of that number and of
 * table i's bounds in it. */
const char *segment_value(struct codegen *, const struct launch *, const struct ir_expr *,
                          const struct ir_var *segment);
const char *segment_name(struct codegen *);
const char *bounds_name(struct codegen *, unsigned table);
/* grid or block; NULL: has no text that can be moved */
const char *launch_shape_text(struct codegen *, const struct launch *launch,
                              const struct ir_expr *shape);

#endif
