/* touch.h - host use of objects. Internal to the runtime. */
#ifndef MESI_TOUCH_H
#define MESI_TOUCH_H

#include "object.h"

/* A fault at the address. True when it lay in a guarded object, which now allows the access. */
bool mesi_touch_fault(const void *address, unsigned access);

/* Host code is about to use the object. Requires the lock; gives it up while a launch that writes the object is being
 * made by another thread. */
void mesi_touch(struct mesi_object *object, unsigned access, const char *cause);

#endif
