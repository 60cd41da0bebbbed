/* SPDX-License-Identifier: MIT */
/* signals.h - handlers of signals: the program's, its libraries', and the runtime's own for
 * SIGSEGV. Internal to the runtime.
 *
 *     sigaction(SIGSEGV, &theirs)   is kept; the system's handler stays the runtime's, which
 *                                   passes on faults outside of guarded objects
 *     sigaction(SIGALRM, &theirs)   the system's handler puts the signal off while the thread is
 *                                   inside the runtime (lock.h)
 *     sigprocmask(SIG_BLOCK, all)   blocks all but SIGSEGV
 *
 * signal_calls.c replaces the C library's functions for these calls (the originals: signal_real.c),
 * for every library of the process as well. A handler that reaches the system in another way (a
 * system call by number) is found when the next page is protected.
 */
#ifndef MESI_SIGNALS_H
#define MESI_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

/* Is given a fault and the signal's context. False: the fault is not the callee's. */
typedef bool mesi_serve_fn(siginfo_t *info, void *context);

/* From now on faults go to `serve` first. Called again whenever a page has been protected: another
 * handler may have taken the place. Below 0: there is no handler, and errno has the reason. */
int mesi_signals_catch(mesi_serve_fn *serve);

/* Restores the mask from before signals were put off: the signals come now. Keeps errno. */
void mesi_signals_let_in(const sigset_t *mask);

/* In a forked process, before its thread is out of the runtime. */
void mesi_signals_in_child(void);

/* ---- for signal_calls.c, with the meaning of the C library's functions ---- */

int mesi_signals_action(int number, const struct sigaction *action, struct sigaction *ret_before);
/* returns the error's number */
int mesi_signals_mask(int how, const sigset_t *set, sigset_t *ret_before);
/* The set without the signals that are never blocked. NULL: NULL. */
const sigset_t *mesi_signals_open(const sigset_t *set, sigset_t *room);

/* ---- signal_real.c: the C library's functions, or a sanitizer's in front of them ---- */

struct mesi_signal_calls {
  int (*sigaction)(int, const struct sigaction *, struct sigaction *);
  int (*pthread_sigmask)(int, const sigset_t *, sigset_t *);
};
const struct mesi_signal_calls *mesi_signals_real(void);

/* ---- signal_calls.c ---- */

/* From now on `handler` gets SIGALRM in place of the program's own action, for the end of the
 * program. The calling thread does not block it, and no other signal interrupts it. A caller of
 * this function links the library's functions into the program. */
void mesi_signals_take_alarm(void (*handler)(int));

#endif
