/* SPDX-License-Identifier: MIT */
/* host.h - host: the text of host code and of the runtime's tables, apart from launches.
 *
 * The room takes the plan's edits of host code and the names of VS variables. It gives edits
 * (declarations of VS variables, announcements of host uses, types of allocations), and the
 * output's first lines and its epilogue: storage of VS variables and the runtime's tables.
 */
#ifndef MESI_CODEGEN_HOST_H
#define MESI_CODEGEN_HOST_H

#include "codegen/text/state.h"

/* emit_vs.c */
void emit_vs_declarations(struct codegen *);

/* emit_host.c */
void emit_host_edits(struct codegen *);

/* emit_malloc.c */
void emit_typed_allocations(struct codegen *);
void emit_allocation_maps(struct codegen *, struct text *out);

/* emit_tables.c */
/* the places of pointers in objects of the type */
void emit_pointer_map(struct text *out, const struct ir_type *, const char *name);
void plan_tables(struct codegen *);
void emit_head(struct codegen *, struct text *out);
void emit_epilogue(struct codegen *, struct text *out);

#endif
