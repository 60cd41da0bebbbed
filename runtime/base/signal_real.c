/* SPDX-License-Identifier: MIT */
/* signal_real.c - the C library's sigaction and pthread_sigmask, which signal_calls.c stands in
 * front of. */
#include "signals.h"

#include <dlfcn.h>
#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Without a dynamic linker: its own name for it, and the system's. */
extern int __sigaction(int, const struct sigaction *, struct sigaction *) __attribute__((weak));

static int system_mask(int how, const sigset_t *set, sigset_t *ret_before)
{
  return syscall(SYS_rt_sigprocmask, how, set, ret_before, _NSIG / 8) ? errno : 0;
}

static struct mesi_signal_calls real;

/* Before anything is installed. A sanitizer may ask before the constructors have run. */
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
