/* SPDX-License-Identifier: MIT */
/* touch.h - host use of objects. Internal to the runtime. */
#ifndef MESI_TOUCH_H
#define MESI_TOUCH_H

#include "object.h"

/* A fault at the address, with the signal's context. True when it lay in a guarded object, which
 * now allows the access. */
bool mesi_touch_fault(const void *address, unsigned access, const void *context);

/* Host code is about to use the span of the object. Requires the lock; gives it up while a launch
 * that writes the object is being made by another thread. */
void mesi_touch(struct mesi_object *object, struct mesi_span span, unsigned access,
                const char *cause);

#endif
