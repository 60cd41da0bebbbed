/* SPDX-License-Identifier: MIT */
/* start.h - program: the start, the memory, forks and the end of a program. Internal to the
 * runtime.
 *
 * The room takes the program's files (mesi_register) and its calls of mesi_malloc and its family
 * (memory.c). It handles forks (forks.h) and the end (report.h), where it writes statistics and the
 * final contents. It gives the rooms below, which call nothing of it, the functions for faults and
 * for the first use of a device. */
#ifndef MESI_START_H
#define MESI_START_H

/* The first call arranges for faults, forks, the program's end and the first use of a device.
 * Requires the lock. */
void mesi_start_once(void);

#endif
