/* SPDX-License-Identifier: MIT */
/* limit.h - a limit on waits: a device, a driver or another host that hangs ends the program with a
 * message. Internal to the runtime. */
#ifndef MESI_LIMIT_H
#define MESI_LIMIT_H

/* Between these, with the runtime's lock held, the thread waits for `whom` ("device") with this
 * number. Where MESI_WAIT_LIMIT is set (seconds; 0 and not set: no limit), a longer wait ends the
 * program. A wait inside another one has a limit of its own. */
void mesi_limit_begin(const char *whom, int number);
void mesi_limit_end(void);

/* Sets the limit, in seconds, for where MESI_WAIT_LIMIT is not set. Called before the first
 * wait. */
void mesi_limit_default(unsigned seconds);

/* In a forked process: the thread of limit.c exists in the parent only. */
void mesi_limit_in_child(void);

#endif
