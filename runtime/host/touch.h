/* SPDX-License-Identifier: MIT */
/* touch.h - host: what host code uses of objects. Internal to the runtime.
 *
 * The room takes announcements that the compiler has put in front of uses (mesi_touch..., also of
 * what system calls are led to, touch_led.c), and faults in guarded pages. It gives the host valid
 * bytes; where another thread is making a launch that writes the object, it waits for that. */
#ifndef MESI_TOUCH_H
#define MESI_TOUCH_H

#include "../object/object.h"

/* A fault at the address, with the signal's context. True when it lay in a guarded object, which
 * now allows the access. */
bool mesi_touch_fault(const void *address, unsigned access, const void *context);

/* Host code is about to use the span of the object. Requires the lock; gives it up while a launch
 * that writes the object is being made by another thread. */
void mesi_touch(struct mesi_object *object, struct mesi_span span, unsigned access,
                const char *cause);

#endif
