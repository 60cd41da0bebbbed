/* SPDX-License-Identifier: MIT */
/* touch.h - host: host code's uses of objects. Internal to the runtime.
 *
 * The room takes the announcements that the compiler has put before uses (mesi_touch..., also of
 * memory that system calls reach through vectors, touch_led.c), and faults in guarded pages. It
 * gives the host valid bytes. Where another thread is making a launch that writes the object, it
 * waits for that launch. */
#ifndef MESI_TOUCH_H
#define MESI_TOUCH_H

#include "../object/object.h"

/* A fault at the address, with the signal's context. True: the address is in a guarded object,
 * which now allows the access. */
bool mesi_touch_fault(const void *address, unsigned access, const void *context);

/* Host code is about to use the span of the object. Requires the lock; releases it while another
 * thread is making a launch that writes the object. */
void mesi_touch(struct mesi_object *object, struct mesi_span span, unsigned access,
                const char *cause);

#endif
