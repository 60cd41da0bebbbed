/* SPDX-License-Identifier: MIT */
/* device_sim.h - a device of queues that run in random order, as late as they may: what waits for
 * what is all that keeps them apart. For tests of the runtime's order. */
#ifndef DEVICE_SIM_H
#define DEVICE_SIM_H

#include "runtime_support.h"

struct sim_queue;

/* What the program's cudaSetDevice does: streams and launches below are those of that device. */
void sim_use(int device);

/* Handles of the program's streams; 0 is the default stream. */
enum { SIM_STREAMS = 5 };
void *sim_stream(unsigned index);

/* The stream is destroyed, what it holds goes on; its handle stands for a new one. */
void sim_recreate(unsigned index);

/* While set, streams other than the default one count as being captured. */
extern bool sim_capturing;
/* While set, no host memory can be page-locked. */
extern bool sim_no_pins;

/* The time at which events are recorded, ms; the test lets it pass. */
extern double sim_clock;
/* ms of work that the first device still has; a copy takes so much longer, and a wait ends it. */
extern double sim_busy;

/* Submits a kernel; `context` is freed behind it. */
void sim_launch(unsigned index, void (*kernel)(void *context), void *context);
/* In the stream of this handle, for a part of a launch. */
void sim_launch_in(void *stream, void (*kernel)(void *context), void *context);
/* What the function of a struct mesi_kernel_launch is here; its arguments have the size of a
 * pointer. */
enum { SIM_ARGS = 4 };
typedef void sim_function(void *const args[SIM_ARGS]);
/* What the program's own cudaEventRecord and cudaStreamWaitEvent do. */
struct sim_queue *sim_queue_of(unsigned index);
void sim_order(unsigned index, struct sim_queue *after);

/* How many kernels, and how many copies of each lane, may still happen; below 0: any number. What
 * the host waits for while it cannot happen is a deadlock, which ends the program. */
extern int sim_kernels, sim_copies[MESI_LANE_COUNT];
/* No kernel of the device's default stream happens while it is held. */
void sim_hold(int device, bool held);
/* Copies that have been submitted. */
extern unsigned sim_submitted[MESI_LANE_COUNT];

/* Launches named for a profiler. */
extern unsigned sim_ranges;

/* Nothing has written memory that was freed before. */
void sim_check_freed(void);

/* Until nothing can happen any more. */
void sim_run(void);
/* Lets some work happen, so that it is not always the latest moment. */
void sim_progress(void);

#endif
