/* SPDX-License-Identifier: MIT */
/* cpu.h - cpu: additions to device code for the host's compiler.
 *
 * The room takes the bodies that stay as text. It gives edits of them: dynamic shared arrays become
 * references to the block's memory, and loops that may wait for another thread give up their turn.
 * Rooms that print a body from the IR ask here for the loops that wait and for the form of such a
 * reference.
 */
#ifndef MESI_CODEGEN_CPU_H
#define MESI_CODEGEN_CPU_H

#include "codegen/text/source.h"

/* emit_cpu.c */
void emit_dynamic_shared(struct codegen *);
/* The declaration of a dynamic shared array at namespace scope as a reference for a function's
 * body; NULL: it is not understood. */
const char *dynamic_shared_reference(struct codegen *, const struct ir_var *);

/* emit_waits.c */
void find_waits(struct codegen *); /* called before anything is printed */
void emit_waits(struct codegen *);
/* Has the function loops that may wait? For the CPU. */
bool waits_for_others(const struct codegen *, const struct ir_function *);

#endif
