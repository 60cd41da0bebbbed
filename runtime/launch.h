/* launch.h - the launch that the calling thread is making. Internal to the runtime. */
#ifndef MESI_LAUNCH_H
#define MESI_LAUNCH_H

#include "object.h"

/* How many of the object's writers are this thread's: 0 where it makes no launch that writes it. */
unsigned mesi_launch_writes(const struct mesi_object *object);

#endif
