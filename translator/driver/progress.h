/* SPDX-License-Identifier: MIT */
/* progress.h - a line on the terminal that says what is being done, where that takes over a second.
 *
 * The line stands on standard error and is taken away by what comes next: another one, a message,
 * progress_clear(). Where standard error is no terminal nothing of this happens. */
#ifndef MESI_DRIVER_PROGRESS_H
#define MESI_DRIVER_PROGRESS_H

#include <stdbool.h>

struct diag;

/* From now on, where there is a terminal. Messages of the diag take the line away. */
void progress_begin(struct diag *);
/* "[2/5] doing what", a second after the first call at the earliest; count 0: not known. */
void progress_show(const char *doing, const char *what, unsigned done, unsigned count);
/* While something is waited for, every few milliseconds: whether a line is still to come. */
bool progress_tick(void);
/* Before anything is written to the terminal, and at the end. */
void progress_clear(void);

#endif
