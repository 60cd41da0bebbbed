/* SPDX-License-Identifier: MIT */
/* wait.h - waits for the device. Internal to the runtime. */
#ifndef MESI_WAIT_H
#define MESI_WAIT_H

struct mesi_site;

/* Waits for the device. A failure belongs to one of the launches since the last wait, which the
 * message names. */
void mesi_wait(int device);
_Noreturn void mesi_wait_failed(const char *cause);
void mesi_waiting_launch(const struct mesi_site *site); /* a launch was made */

#endif
