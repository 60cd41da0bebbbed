/* SPDX-License-Identifier: MIT */
/* inside.h - whether the calling thread has the runtime's lock, or makes a launch, and what is kept
 * from it meanwhile: lock.h says why. Internal to the runtime. */
#ifndef MESI_INSIDE_H
#define MESI_INSIDE_H

#include <signal.h>

/* A handler of a signal may look at it, in a library that was loaded late as well. */
#define MESI_TLS_OF_HANDLERS _Thread_local __attribute__((tls_model("initial-exec")))

struct mesi_inside {           /* of a thread */
  volatile sig_atomic_t depth; /* 1: it has the lock, or is about to */
  /* launches that it is making: their locks are another library's, or the CPU backend's */
  volatile sig_atomic_t launching;
  /* above 0: the CPU backend runs kernels on it; 0 again in a signal's handler */
  volatile sig_atomic_t kernels;
  volatile sig_atomic_t put_off; /* signals wait until it is out */
  volatile sig_atomic_t not_cancelled;
  int cancel;    /* not_cancelled: the state before */
  sigset_t mask; /* put_off: the mask before */
};

extern MESI_TLS_OF_HANDLERS struct mesi_inside mesi_inside;

#endif
