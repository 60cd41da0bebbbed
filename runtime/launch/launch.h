/* SPDX-License-Identifier: MIT */
/* launch.h - launch: the calls around kernel launches. Internal to the runtime.
 *
 * The room takes the calls that the compiler has put around a launch (launch.c has their order):
 * the site, ranges of variables, the stream, arguments. It gives the launch valid bytes on its
 * device (uses.h). It makes a launch in parts or over several devices where that pays
 * (launch_parts.h, launch_spread.h, gate.h), and several launches of a loop as one (steps.h). A
 * launch that repeats an earlier one passes without a look-up (again.h). The room also answers the
 * questions by which a launch chooses its code (inspect.c, plan.c).
 *
 * This header has the queries about the calling thread's launch. */
#ifndef MESI_LAUNCH_H
#define MESI_LAUNCH_H

#include "../object/object.h"

/* The number of the object's writers that are this thread's; 0: it makes no launch that writes
 * it. */
unsigned mesi_launch_writes(const struct mesi_object *object);

/* The site of the thread's launch; NULL: it makes none. */
const struct mesi_site *mesi_launch_site(void);
/* The thread's launch is held back: it is not made yet when it ends. */
void mesi_launch_held(void);
/* The thread's launch belongs to a graph: it has been counted, perhaps made. */
void mesi_launch_counted(void);
/* The device of the thread's launch. */
int mesi_launch_device(void);
/* Does the kernel of the thread's launch name the object itself, or may it name any? */
bool mesi_launch_names(const struct mesi_object *object);

#endif
