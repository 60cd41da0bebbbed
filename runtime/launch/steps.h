/* SPDX-License-Identifier: MIT */
/* steps.h - launches of a batch that are made as one. Internal to the runtime. Requires the
 * lock. */
#ifndef MESI_STEPS_H
#define MESI_STEPS_H

/* Makes the launches that threads hold back. */
void mesi_steps_flush(void);

#endif
