/* trace.h - MESI_TRACE and MESI_STATS: what was transferred and launched. Internal to the runtime. */
#ifndef MESI_TRACE_H
#define MESI_TRACE_H

#include "object.h"

enum mesi_direction { MESI_TO_DEVICE, MESI_TO_HOST, MESI_DIRECTION_COUNT };

double mesi_trace_now(void); /* ms, monotonic */

/* Reads the environment; the wall clock of the statistics starts. The second call does nothing. */
void mesi_trace_open(void);

void mesi_trace_transfer(const struct mesi_object *object, enum mesi_direction direction, const char *cause, double ms);

/* The work after this belongs to the kernel; may be called again before the launch. */
void mesi_trace_launch_starts(int device);
void mesi_trace_launch_ends(const struct mesi_site *site, int device);

unsigned long long mesi_trace_launches(void);
/* Writes the statistics to the file that MESI_STATS names, if it does. */
void mesi_trace_write_stats(void);

#endif
