/* SPDX-License-Identifier: MIT */
/* jumps.h - longjmp out of what a thread is doing. Internal to the runtime. */
#ifndef MESI_JUMPS_H
#define MESI_JUMPS_H

/* Is told where the stack of the calling thread will be. */
typedef void mesi_jump_fn(const char *stack);

/* From now on `seen` is called in front of each jump. */
void mesi_jumps_watch(mesi_jump_fn *seen);

#endif
