/* SPDX-License-Identifier: MIT */
/* forks.h - the CPU backend's locks around fork. `when`: 0 before it, 1 in the parent, 2 in the
 * child. */
#ifndef MESI_CPU_FORKS_H
#define MESI_CPU_FORKS_H

void mesi_cpu_forks(int when); /* all of them */

/* One lock each. */
void api_memory_fork(int when);
void api_kernel_fork(int when);
void check_memory_fork(int when) __attribute__((weak)); /* NULL without the checker */

#endif
