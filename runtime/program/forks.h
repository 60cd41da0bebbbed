/* SPDX-License-Identifier: MIT */
/* forks.h - fork while the runtime works. Internal to the runtime. */
#ifndef MESI_FORKS_H
#define MESI_FORKS_H

/* From now on a process that is forked finds the runtime in order, whatever other threads did. */
void mesi_forks_watch(void);

#endif
