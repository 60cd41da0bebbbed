/* SPDX-License-Identifier: MIT */
/* verify.h - MESI_VERIFY=1: reports of host accesses that nobody announced. Internal to the
 * runtime. */
#ifndef MESI_VERIFY_H
#define MESI_VERIFY_H

#include "../object/object.h"

bool mesi_verify_on(void);

/* A guarded object has faulted at the byte. Ends the program where the object is guarded for
 * verification and the state of the byte forbids the access; otherwise other bytes of the page
 * caused the fault. `context` is the signal's. Requires the lock. */
void mesi_verify_fault(const struct mesi_object *object, size_t byte, unsigned access,
                       const void *context);

/* MESI_VERIFY_DROP=n, for tests: is this announcement the n-th of the run that would change the
 * state of its object? The caller then ignores it. Requires the lock. */
bool mesi_verify_drops(const struct mesi_object *object, struct mesi_span span, unsigned access);

#endif
