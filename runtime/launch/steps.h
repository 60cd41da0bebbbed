/* SPDX-License-Identifier: MIT */
/* steps.h - launches of a batch that are put together. Internal to the runtime. Requires the lock.
 */
#ifndef MESI_STEPS_H
#define MESI_STEPS_H

/* Makes the launches that threads hold back. */
void mesi_steps_flush(void);

#endif
