/* SPDX-License-Identifier: MIT */
/* verify.h - MESI_VERIFY=1: host accesses that nobody announced. Internal to the runtime. */
#ifndef MESI_VERIFY_H
#define MESI_VERIFY_H

#include "../object/object.h"

bool mesi_verify_on(void);

/* A guarded object faulted at the byte. Ends the program where the object is guarded for
 * verification and the access is to a byte of which the state forbids it; otherwise the fault is
 * only that of a page with other bytes. `context` is the signal's. Requires the lock. */
void mesi_verify_fault(const struct mesi_object *object, size_t byte, unsigned access,
                       const void *context);

/* MESI_VERIFY_DROP=n, for tests: the announcement that would change the object's state is the n-th
 * such one of the run, and to be ignored. Requires the lock. */
bool mesi_verify_drops(const struct mesi_object *object, struct mesi_span span, unsigned access);

#endif
