/* SPDX-License-Identifier: MIT */
/* trace.h - trace: MESI_TRACE and MESI_STATS, the record of transfers and launches. Internal to the
 * runtime.
 *
 * The room takes each transfer, fault and launch as it happens. It gives lines while the program
 * runs, a trace file and statistics at its end, and ranges to a profiler; times come from events
 * around the work (timeline.h). It changes nothing. */
#ifndef MESI_TRACE_H
#define MESI_TRACE_H

#include "../base/object_data.h"

#include <stdio.h>

/* Reads the environment; the wall clock of the statistics starts. The second call does nothing. */
void mesi_trace_open(void);

bool mesi_trace_on(void); /* will anything be written at exit? */

/* Called before and after the submission of a transfer. */
void mesi_trace_transfer_starts(int device, enum mesi_lane lane);
void mesi_trace_transfer(const struct mesi_object *object, int device, enum mesi_lane lane,
                         struct mesi_span span, const char *cause);

/* The same for a copy from another device, in the lane MESI_TO_DEVICE. */
void mesi_trace_between(const struct mesi_object *object, int device, int other,
                        struct mesi_span span, const char *cause);

/* A launch has gone out over several devices, or has not, with the reason: a text that stays
 * valid. */
void mesi_trace_spread(void);
void mesi_trace_not_spread(const char *why);

/* Bytes that were transferred although the target had them: mesi_trace_joined to join pieces,
 * mesi_trace_redundant without a reason (a defect). */
void mesi_trace_joined(size_t bytes);
void mesi_trace_plan(unsigned arrays, unsigned bytes); /* a launch stages these by its plan */
void mesi_trace_redundant(size_t bytes);
void mesi_trace_fault(const struct mesi_object *object, struct mesi_span span, unsigned access);

/* The work in the stream from now on belongs to the kernel of the site. May be called again before
 * the launch. `stream` is a handle. */
void mesi_trace_launch_starts(const struct mesi_site *site, int device, void *stream);
void mesi_trace_launch_ends(const struct mesi_site *site, int device, void *stream);
/* mesi_trace_launch_held: the launch will be made later, perhaps with others. Later
 * mesi_trace_held_ends, after mesi_trace_launch_starts: a held one has been made; mesi_trace_steps:
 * so many as one. */
void mesi_trace_launch_held(const struct mesi_site *site, int device, void *stream);
void mesi_trace_held_ends(const struct mesi_site *site, int device);
void mesi_trace_steps(unsigned count);
/* As mesi_trace_launch_ends, for a part of a launch: blocks first ... first + blocks of `all`. */
void mesi_trace_part_ends(const struct mesi_site *site, int device, void *stream, unsigned first,
                          unsigned blocks, unsigned all);

unsigned long long mesi_trace_launches(void);
/* `print` adds lines to the statistics, after the others about several devices. */
void mesi_trace_add_stats(void (*print)(FILE *file));
/* Writes the summary of MESI_TRACE, the trace file and the file of MESI_STATS, each where
 * requested. */
void mesi_trace_write(void);

/* Flushes all output before a fork, so that the child does not write it again; the child writes to
 * no file. */
void mesi_trace_before_fork(void);
void mesi_trace_in_child(void);

#endif
