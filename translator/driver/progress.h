/* SPDX-License-Identifier: MIT */
/* progress.h - a line on the terminal about the work in progress, where that takes over a second.
 *
 * The line is on standard error. The next output removes it: another line, a message,
 * progress_clear(). Where standard error is no terminal there is no line. */
#ifndef MESI_DRIVER_PROGRESS_H
#define MESI_DRIVER_PROGRESS_H

#include <stdbool.h>

struct diag;

/* From now on there are lines, where there is a terminal. Messages of the diag remove the line. */
void progress_begin(struct diag *);
/* "[2/5] doing what", a second after the first call at the earliest; count 0: unknown. */
void progress_show(const char *doing, const char *what, unsigned done, unsigned count);
/* Called every few milliseconds during a wait. Returns whether a line is still to come. */
bool progress_tick(void);
/* Called before other output to the terminal, and at the end. */
void progress_clear(void);

#endif
