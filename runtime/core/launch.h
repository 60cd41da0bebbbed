/* SPDX-License-Identifier: MIT */
/* launch.h - the launch that the calling thread is making. Internal to the runtime. */
#ifndef MESI_LAUNCH_H
#define MESI_LAUNCH_H

#include "object.h"

/* How many of the object's writers are this thread's: 0 where it makes no launch that writes it. */
unsigned mesi_launch_writes(const struct mesi_object *object);

/* The site of the thread's launch; NULL: it makes none. */
const struct mesi_site *mesi_launch_site(void);
/* The thread's launch is held back: it has not been made when it ends. */
void mesi_launch_held(void);
/* It is one of a graph: it has been counted, perhaps made. */
void mesi_launch_counted(void);
/* The device of the thread's launch. */
int mesi_launch_device(void);
/* Does the kernel of the thread's launch name the object itself, or may it name any? */
bool mesi_launch_names(const struct mesi_object *object);

#endif
