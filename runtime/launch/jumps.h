/* SPDX-License-Identifier: MIT */
/* jumps.h - notice of a thread's longjmp. Internal to the runtime. */
#ifndef MESI_JUMPS_H
#define MESI_JUMPS_H

/* Gets the stack pointer that the calling thread will have. */
typedef void mesi_jump_fn(const char *stack);

/* From now on every jump calls `seen` first. */
void mesi_jumps_watch(mesi_jump_fn *seen);

#endif
