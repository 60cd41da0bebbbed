/* SPDX-License-Identifier: MIT */
/* places.h - questions about the text of a unit: what stands before what, and what can be said of
 * a place without reading more than the unit's files.
 *
 * The analysis asks them before it closes a plan, codegen when it edits the text. Nothing here
 * changes the unit; texts that are made are in the arena that is given.
 */
#ifndef MESI_IR_PLACES_H
#define MESI_IR_PLACES_H

#include "translator/base/scan.h"
#include "translator/ir/unit.h"

/* Is the first position before the second in the output? Files stand where they are first included.
 */
bool position_before(const struct unit *, unsigned file, unsigned at, unsigned other_file,
                     unsigned other_at);
/* The function's body is complete before the place. */
bool function_precedes(const struct unit *, const struct ir_function *, const struct ir_place *);

/* What stands there as one line, where it can stand elsewhere: its parentheses match. NULL: they
 * do not, or it holds a preprocessor line. */
const char *place_one_line(const struct unit *, struct arena *, const struct ir_place *);

/* __global__ void ns::k(int *p) { ... }: what stands beside it is not in ns. */
bool function_is_outside(const struct unit *, const struct ir_function *);
bool function_is_overloaded(const struct unit *, const struct ir_function *);
/* Length of "ns::" in "ns::k". */
size_t function_scope_length(const struct ir_function *);
/* The text before and behind the function's name, up to the body; false when it is not the text of
 * a function head: a macro has written it, or it is an instance. */
bool function_head(const struct unit *, const struct ir_function *, struct ir_place *ret_before,
                   struct ir_place *ret_behind);

/* The same launch stands in front of it: a header with a launch is included more than once. */
bool launch_is_repeated(const struct unit *, const struct launch *);
/* The text of grid and block, between <<< and what follows them. */
struct ir_place launch_shape_place(const struct unit *, const struct launch *);
/* ... can be replaced as a whole, and said elsewhere on one line. */
bool launch_shape_is_text(const struct unit *, struct arena *, const struct launch *);
/* The text of the launch's grid or block; NULL: it cannot stand elsewhere, or a macro (of a system
 * header) writes the other one as well. */
const char *launch_dimension_text(const struct unit *, struct arena *, const struct launch *,
                                  const struct ir_expr *dimension);
/* All arguments can stand in front of the launch; grid and block, too. */
bool launch_arguments_are_text(const struct unit *, struct arena *, const struct launch *);
bool launch_dimensions_are_text(const struct unit *, struct arena *, const struct launch *);

#endif
