/* SPDX-License-Identifier: MIT */
/* launch.h - launch: the places where host code launches kernels.
 *
 * The room takes the plan's launches and the names of the kernels that were printed for them. It
 * gives edits: a launch announces its uses to the runtime, and goes to the planned kernel, in parts
 * or as one of several steps where the plan says so. Kernels that only launches need (parts, steps)
 * are emitted at their first launch.
 */
#ifndef MESI_CODEGEN_LAUNCH_H
#define MESI_CODEGEN_LAUNCH_H

#include "codegen/text/state.h"

/* emit_launch.c */
void emit_launches(struct codegen *);

/* emit_address.c */
void emit_launches_by_address(struct codegen *);
void emit_known_kernels(struct codegen *, struct text *out);

#endif
