/* SPDX-License-Identifier: MIT */
/* report.c - messages about errors inside kernels, and the signals of some of them. */
#define _GNU_SOURCE
#include "scheduler_internal.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SIGNAL_STACK = 128 << 10, LINES_MOST = 16 };

/* first error wins; never unlocked after one */
static pthread_mutex_t reporting = PTHREAD_MUTEX_INITIALIZER;

void report_in_child(void) { pthread_mutex_init(&reporting, NULL); }

const char *report_kernel_name(const struct mesi_cpu_launch *launch)
{
  if (launch->name) return launch->name;
  const char *name = launch->function ? symbol_name(launch->function) : NULL;
  return name ? name : "(unnamed)";
}

/* Written with one call, and without the library's files, whose locks other threads may hold. */
struct message {
  char text[8192];
  size_t length;
};

__attribute__((format(printf, 2, 0))) static void add_list(struct message *m, const char *format,
                                                           va_list arguments)
{
  size_t room = sizeof m->text - m->length;
  int length = vsnprintf(m->text + m->length, room, format, arguments);
  if (length > 0) m->length += (size_t)length < room ? (size_t)length : room - 1;
}

__attribute__((format(printf, 2, 3))) static void add(struct message *m, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  add_list(m, format, arguments);
  va_end(arguments);
}

static void add_place(struct message *m, const struct worker *w)
{
  add(m, "mesi: kernel '%s', block (%u,%u,%u)", report_kernel_name(w->launch), w->block.x,
      w->block.y, w->block.z);
}

static void add_thread(struct message *m, const struct worker *w, unsigned thread)
{
  struct mesi_cpu_dim i = w->index[thread];
  add(m, "(%u,%u,%u)", i.x, i.y, i.z);
}

static void say(const struct message *m)
{
  size_t done = 0;
  while (done < m->length) {
    ssize_t written = write(STDERR_FILENO, m->text + done, m->length - done);
    if (written < 0 && errno != EINTR) return;
    if (written > 0) done += (size_t)written;
  }
}

/* Flushes the program's output. Other threads may hold a stream, so do not wait for it. */
static void flush_output(void)
{
  if (ftrylockfile(stdout) != 0) return;
  fflush(stdout);
  funlockfile(stdout);
}

__attribute__((noreturn)) static void leave(void)
{
  flush_output();
  _exit(mesi_cpu_hooks && mesi_cpu_hooks->leave ? mesi_cpu_hooks->leave(MESI_CPU_EXIT)
                                                : MESI_CPU_EXIT);
}

void mesi_cpu_fail(const char *format, ...)
{
  static struct message m; /* not on the stack of a kernel's thread; used once */
  const struct worker *w = mesi_cpu_worker;
  va_list arguments;
  pthread_mutex_lock(&reporting);
  if (w && w->launch) {
    add_place(&m, w);
    add(&m, ", thread ");
    add_thread(&m, w, w->current);
    add(&m, ": ");
  } else {
    add(&m, "mesi: ");
  }
  va_start(arguments, format);
  add_list(&m, format, arguments);
  va_end(arguments);
  add(&m, "\n");
  say(&m);
  leave();
}

/* ---- deadlock ---- */

static const char *const op_names[] = {
    [OP_SYNC] = "__syncwarp",
    [OP_SHUFFLE] = "a warp shuffle",
    [OP_VOTE] = "a warp vote",
    [OP_MATCH_ANY] = "__match_any_sync",
    [OP_MATCH_ALL] = "__match_all_sync",
    [OP_REDUCE] = "a warp reduction",
    [OP_ACTIVE_MASK] = "__activemask",
};

static bool same_wait(const struct worker *w, unsigned a, unsigned b)
{
  if (w->state[a] != w->state[b]) return false;
  return w->state[a] != THREAD_WARP ||
         (w->request[a].op == w->request[b].op && w->request[a].mask == w->request[b].mask);
}

static void add_wait(struct message *m, const struct worker *w, unsigned first, unsigned last)
{
  add(m, first == last ? "  thread " : "  threads ");
  add_thread(m, w, first);
  if (first != last) {
    add(m, " to ");
    add_thread(m, w, last);
  }
  const struct request *r = &w->request[first];
  switch ((enum thread_state)w->state[first]) {
  case THREAD_BARRIER: add(m, ": at __syncthreads\n"); break;
  case THREAD_GRID: add(m, ": at a grid-wide barrier\n"); break;
  case THREAD_WARP: add(m, ": in %s with mask 0x%08x\n", op_names[r->op], r->mask); break;
  case THREAD_EXITED: add(m, ": finished\n"); break;
  default: add(m, ": running\n"); break;
  }
}

void report_deadlock(const struct worker *w)
{
  static struct message m;
  unsigned lines = 0;
  pthread_mutex_lock(&reporting);
  if (mesi_cpu_hooks && mesi_cpu_hooks->deadlock) mesi_cpu_hooks->deadlock();
  add_place(&m, w);
  add(&m, ": deadlock: %u of %u threads wait for each other or for threads that have finished\n",
      w->alive, w->count);
  for (unsigned first = 0, last; first < w->count; first = last + 1) {
    for (last = first; last + 1 < w->count && same_wait(w, first, last + 1);) last++;
    if (lines++ == LINES_MOST) {
      add(&m, "  ...\n");
      break;
    }
    add_wait(&m, w, first, last);
  }
  say(&m);
  leave();
}

/* ---- signals ---- */

static struct sigaction old_segv, old_bus, old_fpe;

static void call_old(const struct sigaction *old, int number, siginfo_t *info, void *context)
{
  if (old->sa_flags & SA_SIGINFO)
    old->sa_sigaction(number, info, context);
  else
    old->sa_handler(number);
}

static bool has_handler(const struct sigaction *old)
{
  return (old->sa_flags & SA_SIGINFO) || (old->sa_handler != SIG_DFL && old->sa_handler != SIG_IGN);
}

static const struct sigaction *old_action(int number)
{
  return number == SIGSEGV ? &old_segv : number == SIGBUS ? &old_bus : &old_fpe;
}

/* Reports a fault in a kernel that no handler of the program takes, then dies of the signal for the
 * debugger. */
static void report_fault(const struct worker *w, int number, const siginfo_t *info)
{
  struct message m = {.length = 0};
  add_place(&m, w);
  add(&m, ", thread ");
  add_thread(&m, w, w->current);
  if (number == SIGFPE)
    add(&m, ": integer division by zero\n");
  else
    add(&m, ": illegal address %p\n", info->si_addr);
  say(&m);
  flush_output();
}

/* Reports the kernel's fault; the caller decides who gets the signal. */
static void tell_fault(int number, siginfo_t *info)
{
  const struct worker *w = mesi_cpu_worker;
  if (!w || !w->launch) return;
  if (number != SIGFPE && stack_is_guard(w->running, info->si_addr)) {
    signal(number, SIG_DFL);
    mesi_cpu_fail("stack overflow (%zu bytes; MESI_STACK sets another size)", stack_size());
  }
  report_fault(w, number, info);
  if (mesi_cpu_hooks && mesi_cpu_hooks->fault) mesi_cpu_hooks->fault(info->si_addr);
}

static void on_fault(int number, siginfo_t *info, void *context)
{
  const struct sigaction *old = old_action(number);
  tell_fault(number, info);
  if (has_handler(old))
    call_old(old, number, info, context);
  else
    signal(number, SIG_DFL);
}

/* For the runtime for virtual shared data, which handles SIGSEGV: it passes on faults outside of
 * its objects. */
int mesi_cpu_fault(int number, siginfo_t *info, void *context)
{
  (void)context;
  tell_fault(number, info);
  return 0;
}

extern void mesi_guard_catch(void) __attribute__((weak));

static void install(int number, struct sigaction *ret_old)
{
  struct sigaction action = {.sa_sigaction = on_fault,
                             .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
  sigemptyset(&action.sa_mask);
  sigaction(number, &action, ret_old);
}

void report_install(void)
{
  if (mesi_guard_catch)
    mesi_guard_catch();
  else
    install(SIGSEGV, &old_segv);
  install(SIGBUS, &old_bus);
  install(SIGFPE, &old_fpe);
}

/* Sets an alternate stack, which stays as long as the OS thread; a thread that has one keeps it. */
void report_thread_setup(void)
{
  static __thread char *memory;
  stack_t now;
  if (memory || sigaltstack(NULL, &now) != 0 || !(now.ss_flags & SS_DISABLE)) return;
  memory = malloc(SIGNAL_STACK);
  if (!memory) return;
  stack_t stack = {.ss_sp = memory, .ss_size = SIGNAL_STACK};
  sigaltstack(&stack, NULL);
}
