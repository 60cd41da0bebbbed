/* SPDX-License-Identifier: MIT */
/* lock.h - the lock that protects all state of the runtime, and the protection of a thread that
 * holds it. Internal to the runtime.
 *
 * A thread with the lock is *inside*. Handlers of asynchronous signals wait until it is out and
 * makes no launch (signals.c puts them off): a handler that touches an object may wait for launches
 * of other threads. The thread is not cancelled where mesi_no_cancel has been called. A thread that
 * requests the lock while it is inside ends the program with a message: it would wait for itself.
 */
#ifndef MESI_LOCK_H
#define MESI_LOCK_H

#include "inside.h"

#include <stdbool.h>
#include <stdint.h>

void mesi_lock(void);
void mesi_unlock(void);

/* The count of changes on which launches may depend. A thread that takes the lock may change
 * anything. Launches take it by mesi_lock_to_launch, and report each change by mesi_change. */
uint64_t mesi_changes(void);
void mesi_change(void);
void mesi_lock_to_launch(void);

/* The condition that is signalled when the writers of an object fall to 0. Requires the lock, which
 * the wait releases. */
void mesi_writers_wait(void);
void mesi_writers_signal(void);

/* The thread begins a launch; mesi_launched: it has made it. */
static inline void mesi_launching(void) { mesi_inside.launching++; }

void mesi_let_in(void); /* lets in the signals and the cancellation that waited */

static inline void mesi_launched(void)
{
  mesi_inside.launching--;
  if (__builtin_expect(mesi_inside.put_off, 0)) mesi_let_in();
}

/* The calling thread, which is inside, is not cancelled until it is out. Called before a possible
 * point of cancellation. */
void mesi_no_cancel(void);

/* Around fork, in the thread that calls it: takes the lock before it; both processes release it
 * after. False: the thread was inside already, in the middle of a change; the lock is not taken. */
bool mesi_lock_to_fork(void);
void mesi_unlock_in_parent(void);
void mesi_unlock_in_child(void);

#endif
