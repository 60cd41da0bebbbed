/* SPDX-License-Identifier: MIT */
/* limit.h - a limit on waits: a device, a driver or another host that hangs ends the program with a
 * message. Internal to the runtime. */
#ifndef MESI_LIMIT_H
#define MESI_LIMIT_H

/* Between these, with the runtime's lock held, the thread waits for `whom` ("device"), of this
 * number. Where MESI_WAIT_LIMIT is set (seconds; 0 and not set: no limit), a wait that takes longer
 * ends the program. A wait in another one has a limit of its own. */
void mesi_limit_begin(const char *whom, int number);
void mesi_limit_end(void);

/* The limit where MESI_WAIT_LIMIT is not set, in seconds. Before the first wait. */
void mesi_limit_default(unsigned seconds);

/* In a process that was forked: the thread that watches is the parent's. */
void mesi_limit_in_child(void);

#endif
