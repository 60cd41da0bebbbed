/* SPDX-License-Identifier: MIT */
/* inside.h - the state of a thread inside the runtime: it has the lock, or makes a launch; and the
 * signals and cancellation that wait meanwhile (lock.h). Internal to the runtime. */
#ifndef MESI_INSIDE_H
#define MESI_INSIDE_H

#include <signal.h>

/* For variables that signal handlers read, even in a library that is loaded late. */
#define MESI_TLS_OF_HANDLERS _Thread_local __attribute__((tls_model("initial-exec")))

struct mesi_inside {           /* of a thread */
  volatile sig_atomic_t depth; /* 1: it has the lock, or is about to */
  /* launches that it is making, with locks of another library or of the CPU backend */
  volatile sig_atomic_t launching;
  /* above 0: the CPU backend runs kernels on it; 0 again in a signal's handler */
  volatile sig_atomic_t kernels;
  volatile sig_atomic_t put_off; /* signals wait until the thread is out */
  volatile sig_atomic_t not_cancelled;
  int cancel;    /* not_cancelled: the earlier state */
  sigset_t mask; /* put_off: the earlier mask */
};

extern MESI_TLS_OF_HANDLERS struct mesi_inside mesi_inside;

#endif
