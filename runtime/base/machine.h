/* SPDX-License-Identifier: MIT */
/* machine.h - what the machine and the system's limits allow the process. Internal to the runtime.
 */
#ifndef MESI_MACHINE_H
#define MESI_MACHINE_H

#include <stdbool.h>
#include <stddef.h>

/* Memory and swap that the machine, or the control group, has at all, in bytes. SIZE_MAX: not
 * known. */
size_t mesi_machine_memory(void);
/* Of it what could be taken now without anything being ended for it, in bytes. SIZE_MAX: not known.
 */
size_t mesi_machine_available(void);

/* Mappings that the system lets a process have. */
size_t mesi_machine_mappings(void);

/* An allocation of so many bytes could never be used whole, by the rule that the system has for
 * malloc. */
bool mesi_machine_too_large(size_t bytes);

/* Tells on stderr that mesi_malloc of so many bytes failed with the error, and which limit refuses
 * it. The first few refusals are told. */
void mesi_machine_refused(size_t bytes, int error);

#endif
