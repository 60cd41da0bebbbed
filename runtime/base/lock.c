/* SPDX-License-Identifier: MIT */
/* lock.c - the runtime's lock. */
#include "lock.h"

#include "error.h"
#include "../seeded.h"
#include "signals.h"

#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t written = PTHREAD_COND_INITIALIZER;
static _Atomic uint64_t changes = 1;

static _Noreturn void fail_entered(void)
{
  mesi_inside.depth = 0;
  mesi_fatal("the runtime was entered twice by one thread", NULL,
             "a signal's handler uses virtual shared data that has to be brought up to date, and "
             "has interrupted that");
}

/* A handler that interrupts after the first line waits until the thread is out. */
static void enter(void)
{
  if (mesi_inside.depth) fail_entered();
  mesi_inside.depth = !SEEDED(SIGNALS_NOT_PUT_OFF);
  atomic_signal_fence(memory_order_seq_cst);
  pthread_mutex_lock(&lock);
}

void mesi_let_in(void)
{
  if (mesi_inside.depth) return;
  if (mesi_inside.not_cancelled) pthread_setcancelstate(mesi_inside.cancel, NULL);
  mesi_inside.not_cancelled = 0;
  if (!mesi_inside.put_off || mesi_inside.launching) return;
  mesi_inside.put_off = 0;
  mesi_signals_let_in(&mesi_inside.mask);
}

void mesi_unlock(void)
{
  pthread_mutex_unlock(&lock);
  atomic_signal_fence(memory_order_seq_cst);
  mesi_inside.depth = 0;
  atomic_signal_fence(memory_order_seq_cst);
  if (__builtin_expect(mesi_inside.put_off | mesi_inside.not_cancelled, 0)) mesi_let_in();
}

void mesi_lock(void)
{
  enter();
  mesi_change();
}

void mesi_lock_to_launch(void) { enter(); }

uint64_t mesi_changes(void) { return atomic_load_explicit(&changes, memory_order_acquire); }

void mesi_change(void) { atomic_fetch_add_explicit(&changes, 1, memory_order_release); }

void mesi_writers_wait(void)
{
  mesi_no_cancel();
  pthread_cond_wait(&written, &lock);
  mesi_change();
}

void mesi_writers_signal(void) { pthread_cond_broadcast(&written); }

void mesi_no_cancel(void)
{
  if (mesi_inside.not_cancelled || !mesi_inside.depth) return;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &mesi_inside.cancel);
  mesi_inside.not_cancelled = 1;
}

bool mesi_lock_to_fork(void)
{
  if (mesi_inside.depth || SEEDED(FORK_WITHOUT_LOCK)) return false;
  mesi_lock();
  return true;
}

void mesi_unlock_in_parent(void) { mesi_unlock(); }

/* The child does not have the threads that waited for the condition. */
void mesi_unlock_in_child(void)
{
  pthread_cond_init(&written, NULL);
  mesi_unlock();
}
