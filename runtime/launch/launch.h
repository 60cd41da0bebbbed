/* SPDX-License-Identifier: MIT */
/* launch.h - launch: kernels and what they use. Internal to the runtime.
 *
 * The room takes the calls that the compiler has put around a launch (launch.c has their order):
 * the site, ranges of variables, the stream, arguments. It gives the launch valid bytes on its
 * device (uses.h), makes it in parts or over several devices where that pays (launch_parts.h,
 * launch_spread.h, gate.h), several of a loop as one (steps.h), and lets one that is as another
 * before it pass without a look (again.h). It answers what a launch asks before it chooses its code
 * (inspect.c, plan.c).
 *
 * This header has the launch that the calling thread is making. */
#ifndef MESI_LAUNCH_H
#define MESI_LAUNCH_H

#include "../object/object.h"

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
