/* SPDX-License-Identifier: MIT */
/* signal_real.c - the C library's sigaction and pthread_sigmask, which signal_calls.c replaces. */
#include "signals.h"

#include <dlfcn.h>
#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Without a dynamic linker: the C library's own name, and the system call. */
extern int __sigaction(int, const struct sigaction *, struct sigaction *) __attribute__((weak));

static int system_mask(int how, const sigset_t *set, sigset_t *ret_before)
{
  return syscall(SYS_rt_sigprocmask, how, set, ret_before, _NSIG / 8) ? errno : 0;
}

static struct mesi_signal_calls real;

/* Runs before any handler is installed. A sanitizer may call before the constructors have run. */
__attribute__((constructor(101))) static void find_real(void)
{
  if (real.sigaction) return;
  *(void **)&real.pthread_sigmask = dlsym(RTLD_NEXT, "pthread_sigmask");
  if (!real.pthread_sigmask) real.pthread_sigmask = system_mask;
  *(void **)&real.sigaction = dlsym(RTLD_NEXT, "sigaction");
  if (!real.sigaction) real.sigaction = __sigaction;
}

const struct mesi_signal_calls *mesi_signals_real(void)
{
  find_real();
  return &real;
}
