/* SPDX-License-Identifier: MIT */
/* signal_calls.c - the runtime's versions of the C library's functions that install handlers and
 * block signals (signals.h).
 *
 * They replace the library's for the whole process, also for libraries that it loads later. A
 * program that has such a function of its own keeps it. Where the runtime is in a library that is
 * loaded late, the process keeps the C library's.
 */
#include "signals.h"

#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/select.h>

#define IN_FRONT __attribute__((weak, visibility("default")))

typedef void handler_fn(int);

/* ---- the C library's functions ---- */

static void *next(const char *name) { return dlsym(RTLD_NEXT, name); }

static handler_fn *(*real_signal)(int, handler_fn *);
static handler_fn *(*real_sysv_signal)(int, handler_fn *);
static int (*real_sigsuspend)(const sigset_t *);
static int (*real_pselect)(int, fd_set *, fd_set *, fd_set *, const struct timespec *,
                           const sigset_t *);
static int (*real_ppoll)(struct pollfd *, nfds_t, const struct timespec *, const sigset_t *);
static int (*real_epoll_pwait)(int, struct epoll_event *, int, int, const sigset_t *);
static int (*real_attr_setsigmask)(pthread_attr_t *, const sigset_t *);

/* Runs before any handler is installed. A sanitizer may call before the constructors have run. */
__attribute__((constructor(101))) static void find_real(void)
{
  static bool found;
  if (found) return;
  *(void **)&real_signal = next("signal");
  *(void **)&real_sysv_signal = next("__sysv_signal");
  *(void **)&real_sigsuspend = next("sigsuspend");
  *(void **)&real_pselect = next("pselect");
  *(void **)&real_ppoll = next("ppoll");
  *(void **)&real_epoll_pwait = next("epoll_pwait");
  *(void **)&real_attr_setsigmask = next("pthread_attr_setsigmask_np");
  found = true;
}

void mesi_signals_take_alarm(void (*handler)(int))
{
  const struct mesi_signal_calls *real = mesi_signals_real();
  struct sigaction action = {.sa_handler = handler};
  sigset_t alarm;
  sigemptyset(&alarm);
  sigaddset(&alarm, SIGALRM);
  sigfillset(&action.sa_mask);
  real->sigaction(SIGALRM, &action, NULL);
  real->pthread_sigmask(SIG_UNBLOCK, &alarm, NULL);
}

/* ---- handlers ---- */

IN_FRONT int sigaction(int number, const struct sigaction *action, struct sigaction *ret_before)
{
  return mesi_signals_action(number, action, ret_before);
}

static handler_fn *install(int number, handler_fn *handler, int flags)
{
  struct sigaction action = {.sa_handler = handler, .sa_flags = flags}, old;
  sigemptyset(&action.sa_mask);
  if (!(flags & SA_NODEFER)) sigaddset(&action.sa_mask, number);
  return mesi_signals_action(number, &action, &old) ? SIG_ERR : old.sa_handler;
}

IN_FRONT handler_fn *signal(int number, handler_fn *handler)
{
  return install(number, handler, SA_RESTART);
}

IN_FRONT handler_fn *bsd_signal(int number, handler_fn *handler)
{
  return install(number, handler, SA_RESTART);
}

IN_FRONT handler_fn *ssignal(int number, handler_fn *handler)
{
  return install(number, handler, SA_RESTART);
}

/* The meaning of `signal` in a program that asks for System V's. */
IN_FRONT handler_fn *__sysv_signal(int number, handler_fn *handler)
{
  return install(number, handler, SA_RESETHAND | SA_NODEFER);
}

IN_FRONT handler_fn *sysv_signal(int number, handler_fn *handler)
{
  return install(number, handler, SA_RESETHAND | SA_NODEFER);
}

IN_FRONT int sigignore(int number) { return install(number, SIG_IGN, 0) == SIG_ERR ? -1 : 0; }

/* ---- masks ---- */

IN_FRONT int pthread_sigmask(int how, const sigset_t *set, sigset_t *ret_before)
{
  return mesi_signals_mask(how, set, ret_before);
}

IN_FRONT int sigprocmask(int how, const sigset_t *set, sigset_t *ret_before)
{
  int error = mesi_signals_mask(how, set, ret_before);
  if (!error) return 0;
  errno = error;
  return -1;
}

static int change_one(int how, int number)
{
  sigset_t set;
  sigemptyset(&set);
  return sigaddset(&set, number) ? -1 : sigprocmask(how, &set, NULL);
}

IN_FRONT int sighold(int number) { return change_one(SIG_BLOCK, number); }

IN_FRONT handler_fn *sigset(int number, handler_fn *handler)
{
  static handler_fn *const hold = (handler_fn *)2; /* SIG_HOLD */
  sigset_t before;
  struct sigaction old;
  if (mesi_signals_action(number, NULL, &old) || sigprocmask(SIG_BLOCK, NULL, &before))
    return SIG_ERR;
  if (handler == hold ? change_one(SIG_BLOCK, number)
                      : (install(number, handler, 0) == SIG_ERR || change_one(SIG_UNBLOCK, number)))
    return SIG_ERR;
  return sigismember(&before, number) ? hold : old.sa_handler;
}

IN_FRONT int pthread_attr_setsigmask_np(pthread_attr_t *attributes, const sigset_t *set)
{
  sigset_t room;
  find_real();
  return real_attr_setsigmask ? real_attr_setsigmask(attributes, mesi_signals_open(set, &room))
                              : ENOSYS;
}

/* ---- masks during a call that waits: the handlers that it lets in have them ---- */

static int missing(void)
{
  errno = ENOSYS;
  return -1;
}

IN_FRONT int sigsuspend(const sigset_t *set)
{
  sigset_t room;
  find_real();
  return real_sigsuspend ? real_sigsuspend(mesi_signals_open(set, &room)) : missing();
}

IN_FRONT int pselect(int count, fd_set *reads, fd_set *writes, fd_set *others,
                     const struct timespec *most, const sigset_t *set)
{
  sigset_t room;
  find_real();
  return real_pselect
             ? real_pselect(count, reads, writes, others, most, mesi_signals_open(set, &room))
             : missing();
}

IN_FRONT int ppoll(struct pollfd *files, nfds_t count, const struct timespec *most,
                   const sigset_t *set)
{
  sigset_t room;
  find_real();
  return real_ppoll ? real_ppoll(files, count, most, mesi_signals_open(set, &room)) : missing();
}

IN_FRONT int epoll_pwait(int file, struct epoll_event *events, int count, int most,
                         const sigset_t *set)
{
  sigset_t room;
  find_real();
  return real_epoll_pwait
             ? real_epoll_pwait(file, events, count, most, mesi_signals_open(set, &room))
             : missing();
}
