/* SPDX-License-Identifier: MIT */
/* lock.h - the lock that protects everything in the runtime, and what must not happen to a thread
 * that holds it. Internal to the runtime.
 *
 * A thread with the lock is *inside*. Handlers of asynchronous signals wait until it is out, and
 * makes no launch either (signals.c puts them off): one that touches an object may wait for
 * launches of other threads. It is not cancelled where mesi_no_cancel has been called. A thread
 * that asks for the lock while it is inside ends the program with a message: it would wait for
 * itself.
 */
#ifndef MESI_LOCK_H
#define MESI_LOCK_H

#include "inside.h"

#include <stdbool.h>
#include <stdint.h>

void mesi_lock(void);
void mesi_unlock(void);

/* How often anything has changed that a launch may depend on: who takes the lock may change
 * anything, but for launches, which take it by mesi_lock_to_launch and tell of each change by
 * mesi_change. */
uint64_t mesi_changes(void);
void mesi_change(void);
void mesi_lock_to_launch(void);

/* The condition that is signalled when the writers of an object fall to 0. Requires the lock, which
 * the wait gives up. */
void mesi_writers_wait(void);
void mesi_writers_signal(void);

/* The thread makes a launch, or has made it. */
static inline void mesi_launching(void) { mesi_inside.launching++; }

void mesi_let_in(void); /* what was kept from the thread while it was inside */

static inline void mesi_launched(void)
{
  mesi_inside.launching--;
  if (__builtin_expect(mesi_inside.put_off, 0)) mesi_let_in();
}

/* The calling thread, which is inside, is not cancelled until it is out: in front of whatever may
 * be a point of cancellation. */
void mesi_no_cancel(void);

/* Around fork, in the thread that calls it: the lock is taken before, and left in both processes
 * after. False: it was inside already, in the middle of something; nothing has been taken. */
bool mesi_lock_to_fork(void);
void mesi_unlock_in_parent(void);
void mesi_unlock_in_child(void);

#endif
