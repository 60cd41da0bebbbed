/* SPDX-License-Identifier: MIT */
/* machine.h - limits of the machine and the system for the process. Internal to the runtime. */
#ifndef MESI_MACHINE_H
#define MESI_MACHINE_H

#include <stdbool.h>
#include <stddef.h>

/* The memory and swap of the machine, or of the control group, in bytes. SIZE_MAX: not known. */
size_t mesi_machine_memory(void);
/* The part of it that can be taken now without a process being killed, in bytes. SIZE_MAX: not
 * known. */
size_t mesi_machine_available(void);

/* The number of mappings that the system allows a process. */
size_t mesi_machine_mappings(void);

/* Could an allocation of so many bytes never be used whole, by the system's rule for malloc? */
bool mesi_machine_too_large(size_t bytes);

/* Warns on stderr that mesi_malloc of so many bytes failed with the error, and names the limit.
 * Only the first few refusals are reported. */
void mesi_machine_refused(size_t bytes, int error);

#endif
