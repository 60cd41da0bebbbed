/* SPDX-License-Identifier: MIT */
/* start.h - program: what a program does with the runtime besides launches and uses. Internal to
 * the runtime.
 *
 * The room takes the program's files (mesi_register) and its calls of mesi_malloc and its family
 * (memory.c); it is told of forks (forks.h) and of the end (report.h), where it writes statistics
 * and the final contents. It tells the rooms below, which call nothing of it, whom to ask about
 * faults and at the first use of a device. */
#ifndef MESI_START_H
#define MESI_START_H

/* At the first call: the runtime hears of faults, of forks, of the program's end and of the first
 * use of a device. Requires the lock. */
void mesi_start_once(void);

#endif
