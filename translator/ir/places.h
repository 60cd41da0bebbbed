/* SPDX-License-Identifier: MIT */
/* places.h - queries about the text of a unit: the order of places, and facts about a place from
 * the text of the unit's files.
 *
 * The analysis asks them before it closes a plan, codegen when it edits the text. No function here
 * changes the unit; new texts are in the given arena.
 */
#ifndef MESI_IR_PLACES_H
#define MESI_IR_PLACES_H

#include "translator/base/scan.h"
#include "translator/ir/unit.h"

/* Is the first position before the second in the output? A file's position is that of its first
 * include. */
bool position_before(const struct unit *, unsigned file, unsigned at, unsigned other_file,
                     unsigned other_at);
/* Is the function's body complete before the place? */
bool function_precedes(const struct unit *, const struct ir_function *, const struct ir_place *);

/* The text at the place as one line, where it can be moved: its parentheses match. NULL: they do
 * not, or it has a preprocessor line. */
const char *place_one_line(const struct unit *, struct arena *, const struct ir_place *);

/* Is it defined as __global__ void ns::k(int *p) { ... }? Text beside it is then not in ns. */
bool function_is_outside(const struct unit *, const struct ir_function *);
bool function_is_overloaded(const struct unit *, const struct ir_function *);
/* Length of "ns::" in "ns::k". */
size_t function_scope_length(const struct ir_function *);
/* The text before and after the function's name, up to the body. false: it is no text of a function
 * head: a macro has written it, or it is an instance. */
bool function_head(const struct unit *, const struct ir_function *, struct ir_place *ret_before,
                   struct ir_place *ret_behind);

/* Does the same launch occur before it, since a header with a launch is included more than once? */
bool launch_is_repeated(const struct unit *, const struct launch *);
/* The text of grid and block, from <<< to the text after them. */
struct ir_place launch_shape_place(const struct unit *, const struct launch *);
/* Can that text be replaced as a whole, and be repeated elsewhere on one line? */
bool launch_shape_is_text(const struct unit *, struct arena *, const struct launch *);
/* The text of the launch's grid or block. NULL: it cannot be moved, or a macro (of a system header)
 * writes the other one as well. */
const char *launch_dimension_text(const struct unit *, struct arena *, const struct launch *,
                                  const struct ir_expr *dimension);
/* Can all arguments be moved before the launch; can grid and block? */
bool launch_arguments_are_text(const struct unit *, struct arena *, const struct launch *);
bool launch_dimensions_are_text(const struct unit *, struct arena *, const struct launch *);

#endif
