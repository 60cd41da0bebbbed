/* SPDX-License-Identifier: MIT */
/* start.h - the beginning of the runtime's work in a process. Internal to the runtime. */
#ifndef MESI_START_H
#define MESI_START_H

/* At the first call: the runtime hears of faults, of forks, of the program's end and of the first
 * use of a device. Requires the lock. */
void mesi_start_once(void);

#endif
