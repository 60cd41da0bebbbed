/* SPDX-License-Identifier: MIT */
/* batch.h - launches of a host loop, collected and submitted as CUDA graphs. Internal to the
 * runtime.
 *
 *     for (step ...) { k(a, b); k(b, a); }
 *         =>  16 launches as they come, then graphs of 64, the rest one by one
 *
 * A batch holds back launches that the program has made already. That is only right while nothing
 * can tell the difference: the compiler puts mesi_batch around loops that make no CUDA call of
 * their own, and the runtime flushes before it copies, waits or frees. All functions require the
 * lock.
 */
#ifndef MESI_BATCH_H
#define MESI_BATCH_H

#include "../mesi.h"

#include <stdbool.h>

/* Submits the launches that the batches of all threads hold back. */
void mesi_batch_flush(void);

/* The same except for launches that wait to become one (steps.h): work that enters the stream now
 * comes before them. */
void mesi_batch_submit(void);

/* Sets the function that makes launches that wait to become one; it is called before a batch goes
 * out. */
void mesi_batch_after(void (*make)(void));

/* Takes the launch into the calling thread's batch, which is open. false: it is not held back, and
 * goes out now. */
bool mesi_batch_wanted(void); /* is asked first */
bool mesi_batch_take(const struct mesi_kernel_launch *launch, int device);

/* Is the calling thread in a batch? Without the lock. */
bool mesi_batch_open(void);

#endif
