/* SPDX-License-Identifier: MIT */
/* signals.c - the receiver of each signal.
 *
 * A fault goes to the runtime. A fault outside of guarded objects goes to the action that the
 * program has installed last, with its flags and its mask, as the system would do it. A library may
 * have installed its handler by a call that the runtime does not see, and may call the runtime's
 * handler as the one before: then the fault gets the action from before the library's. The system
 * makes a new context for each signal; it shows how often a fault has come back.
 *
 * on_signal calls every other handler. Where the thread is inside the runtime or makes a launch,
 * on_signal keeps the signal, and blocks the signals with handlers in the context that it returns
 * to. mesi_unlock sends the signal to the thread again and restores the mask. A real-time signal
 * waits in the system's queue, which keeps its order. ThreadSanitizer calls handlers itself, before
 * a call that may block, until no signal is left. There the mask does not hold, and a signal that
 * was sent again at once would come again for ever.
 */
#include "signals.h"

#include "inside.h"
#include "../seeded.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

enum {
  SIGNALS = 65,
  ACTIONS = 4,
  WAITING = 64,
  CANCELS = 32 /* the signal by which the C library cancels a thread asynchronously */
};

struct kept {                  /* the action of a signal that the program has installed */
  struct sigaction actions[2]; /* the valid one, and one for the next change */
  _Atomic unsigned now;
  bool masks_faults; /* its sa_mask had SIGSEGV */
};

struct handling {         /* the foreign fault whose handler a thread runs */
  const char *frame;      /* an address on the handler's stack; NULL: none */
  const char *low, *high; /* that stack, where it is an alternate one; NULL otherwise */
};

struct waiting {                     /* a signal that was put off */
  struct mesi_inside *_Atomic owner; /* of the thread for which it waits; NULL: unused */
  int number;
  siginfo_t info;
};

static struct kept kept[SIGNALS];
static struct waiting waiting[WAITING];
static mesi_serve_fn *_Atomic serve;
static struct sigaction before[ACTIONS]; /* earlier actions in SIGSEGV's place, the latest first */
static _Atomic unsigned before_count;
static MESI_TLS_OF_HANDLERS struct handling handling;
static MESI_TLS_OF_HANDLERS volatile sig_atomic_t faults_blocked; /* in the thread's own view */

extern int mesi_cpu_fault(int number, siginfo_t *info, void *context) __attribute__((weak));

static void on_fault(int number, siginfo_t *info, void *context);
static void on_signal(int number, siginfo_t *info, void *context);

static int real_action(int number, const struct sigaction *action, struct sigaction *ret_before)
{
  return mesi_signals_real()->sigaction(number, action, ret_before);
}

static int real_mask(int how, const sigset_t *set, sigset_t *ret_before)
{
  return mesi_signals_real()->pthread_sigmask(how, set, ret_before);
}

/* ---- the program's actions ---- */

static struct sigaction action_of(int number)
{
  return kept[number].actions[atomic_load(&kept[number].now)];
}

static void keep(int number, const struct sigaction *action)
{
  unsigned next = !atomic_load(&kept[number].now);
  kept[number].actions[next] = *action;
  atomic_store(&kept[number].now, next);
}

static bool has_handler(const struct sigaction *action)
{
  return (action->sa_flags & SA_SIGINFO) ||
         (action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN);
}

static bool is_ours(const struct sigaction *action)
{
  return (action->sa_flags & SA_SIGINFO) &&
         (action->sa_sigaction == on_fault || action->sa_sigaction == on_signal);
}

/* Runs the handler as host code, whatever it interrupts. */
static void call(const struct sigaction *action, int number, siginfo_t *info, void *context)
{
  sig_atomic_t kernels = mesi_inside.kernels;
  mesi_inside.kernels = 0;
  if (action->sa_flags & SA_SIGINFO)
    action->sa_sigaction(number, info, context);
  else
    action->sa_handler(number);
  mesi_inside.kernels = kernels;
}

static const struct sigaction standard = {.sa_handler = SIG_DFL};

/* ---- masks ---- */

/* Removes the signals that report what the thread itself has just done. */
static void remove_own(sigset_t *set)
{
  static const int own[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS};
  for (unsigned i = 0; i < sizeof own / sizeof *own; i++) sigdelset(set, own[i]);
}

static bool is_own(int number, const siginfo_t *info)
{
  sigset_t set;
  sigfillset(&set);
  remove_own(&set);
  return !sigismember(&set, number) && (number == SIGABRT || info->si_code > 0);
}

/* Signals with a handler, which is put off. A signal that ends or stops the process does so at
 * once. */
static void fill_handled(sigset_t *set)
{
  sigemptyset(set);
  for (int number = 1; number < SIGNALS; number++) {
    struct sigaction action = action_of(number);
    if (has_handler(&action)) sigaddset(set, number);
  }
  remove_own(set);
}

const sigset_t *mesi_signals_open(const sigset_t *set, sigset_t *room)
{
  if (!set) return NULL;
  *room = *set;
  if (!SEEDED(FAULTS_BLOCKED)) sigdelset(room, SIGSEGV);
  return room;
}

int mesi_signals_mask(int how, const sigset_t *set, sigset_t *ret_before)
{
  sigset_t room;
  bool blocked = faults_blocked, named = set && sigismember(set, SIGSEGV) == 1;
  int error = real_mask(how, how == SIG_UNBLOCK ? set : mesi_signals_open(set, &room), ret_before);
  if (error) return error;
  if (ret_before && blocked) sigaddset(ret_before, SIGSEGV);
  if (set)
    faults_blocked = how == SIG_SETMASK ? named
                     : how == SIG_BLOCK ? blocked || named
                                        : blocked && !named;
  return 0;
}

/* ---- foreign faults ---- */

static const char *interrupted_stack(const void *context)
{
  const ucontext_t *machine = context;
#if defined(__x86_64__)
  return (const char *)machine->uc_mcontext.gregs[REG_RSP];
#elif defined(__aarch64__)
  return (const char *)machine->uc_mcontext.sp;
#else
  (void)machine;
  return NULL;
#endif
}

/* A signal that nobody sends. It is blocked while a handler runs: a handler that jumps away
 * restores the mask, as siglongjmp does. */
#ifdef SIGSTKFLT
enum { MARK = SIGSTKFLT };
#else
enum { MARK = SIGSYS };
#endif

/* Has the fault interrupted the handler of an earlier one? Where that handler has jumped away
 * without the mask, the stack pointer is above its frame, or on another stack. */
static bool in_handler(const void *context)
{
  const ucontext_t *machine = context;
  const char *at = interrupted_stack(context);
  if (!handling.frame || !at || sigismember(&machine->uc_sigmask, MARK) != 1) return false;
  return at < handling.frame && (!handling.low || (at >= handling.low && at < handling.high));
}

/* The record of the handler that runs: its frame is below this one. */
static struct handling handling_here(const void *context)
{
  const ucontext_t *machine = context;
  const char *frame = __builtin_frame_address(0), *low = machine->uc_stack.ss_sp;
  bool alternate = !(machine->uc_stack.ss_flags & SS_DISABLE) && frame >= low &&
                   frame < low + machine->uc_stack.ss_size;
  return (struct handling){frame, alternate ? low : NULL,
                           alternate ? low + machine->uc_stack.ss_size : NULL};
}

/* Sets the default action. The return from the handler repeats the access, which then meets it; a
 * signal that was sent is sent again. */
static void die_by(int number, const siginfo_t *info)
{
  real_action(number, &standard, NULL);
  if (info->si_code <= 0) raise(number);
}

/* Calls the handler as the system would. */
static void call_handler(const struct sigaction *action, int number, siginfo_t *info, void *context)
{
  ucontext_t *machine = context;
  struct handling outer = handling;
  sigset_t mask, kept_mask;
  bool again = action->sa_flags & SA_NODEFER;
  sigorset(&mask, &machine->uc_sigmask, &action->sa_mask);
  sigdelset(&mask, SIGSEGV);
  if (!again) {
    handling = handling_here(context);
    sigaddset(&mask, MARK);
  }
  real_mask(SIG_SETMASK, &mask, &kept_mask);
  call(action, number, info, context);
  real_mask(SIG_SETMASK, &kept_mask, NULL);
  handling = outer;
}

/* The action for a fault that has come back `level` times. */
static struct sigaction action_at(unsigned level)
{
  struct sigaction action = level ? before[level - 1] : action_of(SIGSEGV);
  if (!level && (action.sa_flags & SA_RESETHAND) && !SEEDED(HANDLER_NOT_RESET))
    keep(SIGSEGV, &standard);
  return action;
}

/* Passes a fault on. Its level is not given: the context's mark points to it. */
static void pass_on(int number, siginfo_t *info, void *context)
{
  static struct ucontext_t *const marks = (struct ucontext_t *)kept;
  ucontext_t *machine = context;
  char *mark = (char *)machine->uc_link;
  bool back = mark > (char *)marks && mark <= (char *)marks + ACTIONS;
  unsigned level = back ? (unsigned)(mark - (char *)marks) : 0;
  if (level > atomic_load(&before_count)) {
    die_by(number, info);
    return;
  }
  bool blocked = faults_blocked || (!back && in_handler(context));
  struct sigaction action = action_at(level);
  if (action.sa_handler == SIG_IGN && info->si_code <= 0) return;
  if (!has_handler(&action) || (blocked && info->si_code > 0)) {
    die_by(number, info);
    return;
  }
  struct ucontext_t *link = machine->uc_link;
  machine->uc_link = (struct ucontext_t *)((char *)marks + level + 1);
  call_handler(&action, number, info, context);
  machine->uc_link = link;
}

static void on_fault(int number, siginfo_t *info, void *context)
{
  mesi_serve_fn *first = atomic_load(&serve);
  int saved = errno;
  bool served = first && first(info, context);
  errno = saved;
  if (served || (mesi_cpu_fault && mesi_cpu_fault(number, info, context))) return;
  pass_on(number, info, context);
}

/* ---- other signals ---- */

/* Keeps a signal for later; of a standard signal one for a thread, as the system does. False: there
 * is no room, or the signal has a queue. */
static bool keep_waiting(int number, const siginfo_t *info)
{
  if (number >= SIGRTMIN) return false;
  for (unsigned i = 0; i < WAITING; i++)
    if (atomic_load(&waiting[i].owner) == &mesi_inside && waiting[i].number == number) return true;
  for (unsigned i = 0; i < WAITING; i++) {
    struct mesi_inside *none = NULL;
    if (!atomic_compare_exchange_strong(&waiting[i].owner, &none, &mesi_inside)) continue;
    waiting[i].number = number;
    waiting[i].info = *info;
    return true;
  }
  return false;
}

static void send_to_self(int number, siginfo_t *info)
{
  pid_t process = getpid(), thread = (pid_t)syscall(SYS_gettid);
  if (syscall(SYS_rt_tgsigqueueinfo, process, thread, number, info))
    syscall(SYS_tgkill, process, thread, number);
}

static void send_waiting(void)
{
  for (unsigned i = 0; i < WAITING; i++) {
    if (atomic_load(&waiting[i].owner) != &mesi_inside) continue;
    struct waiting *one = &waiting[i];
    int number = one->number;
    siginfo_t info = one->info;
    atomic_store(&one->owner, NULL);
    send_to_self(number, &info);
  }
}

/* As in the system, signals that wait for the parent's threads do not reach the child. */
void mesi_signals_in_child(void)
{
  for (unsigned i = 0; i < WAITING && !SEEDED(SIGNAL_TO_CHILD); i++)
    atomic_store(&waiting[i].owner, NULL);
}

/* Puts a signal off until the thread is out: signals with handlers are blocked until then. */
static void put_off(int number, siginfo_t *info, ucontext_t *machine)
{
  sigset_t handled;
  fill_handled(&handled);
  real_mask(SIG_BLOCK, &handled, NULL);
  if (!mesi_inside.put_off) mesi_inside.mask = machine->uc_sigmask;
  mesi_inside.put_off = 1;
  sigorset(&machine->uc_sigmask, &machine->uc_sigmask, &handled);
  if (!keep_waiting(number, info)) send_to_self(number, info);
}

/* Unblocks SIGSEGV: ThreadSanitizer blocks every signal around the handlers that it calls. */
static void open_faults(void)
{
  sigset_t faults;
  sigemptyset(&faults);
  sigaddset(&faults, SIGSEGV);
  real_mask(SIG_UNBLOCK, &faults, NULL);
}

static void on_signal(int number, siginfo_t *info, void *context)
{
  int saved = errno;
  if ((mesi_inside.depth || mesi_inside.launching) && !is_own(number, info)) {
    put_off(number, info, context);
    errno = saved;
    return;
  }
  struct sigaction action = action_of(number);
  if (action.sa_flags & SA_RESETHAND) {
    real_action(number, &standard, NULL);
    keep(number, &standard);
  }
  if (!has_handler(&action)) return;
  open_faults();
  errno = saved;
  call(&action, number, info, context);
}

void mesi_signals_let_in(const sigset_t *mask)
{
  int saved = errno;
  send_waiting();
  real_mask(SIG_SETMASK, mask, NULL);
  errno = saved;
}

/* ---- actions ---- */

/* The action that the system gets in place of the program's. */
static struct sigaction wrapped(const struct sigaction *action)
{
  struct sigaction ours = *action;
  sigdelset(&ours.sa_mask, SIGSEGV);
  if (!has_handler(action)) return ours;
  ours.sa_sigaction = on_signal;
  ours.sa_flags = (action->sa_flags & ~SA_RESETHAND) | SA_SIGINFO;
  return ours;
}

/* A fault while the runtime's handler works is a fault as well. With the CPU backend the stack of a
 * kernel may have overflowed. */
static struct sigaction for_faults(const struct sigaction *action)
{
  struct sigaction ours = {.sa_sigaction = on_fault,
                           .sa_flags = SA_SIGINFO | SA_NODEFER |
                                       (action->sa_flags & (SA_ONSTACK | SA_RESTART))};
  if (mesi_cpu_fault) ours.sa_flags |= SA_ONSTACK;
  sigemptyset(&ours.sa_mask);
  ((unsigned char *)&ours.sa_mask)[(CANCELS - 1) / 8] |= 1u << (CANCELS - 1) % 8;
  return ours;
}

static int fault_action(const struct sigaction *action, struct sigaction *ret_before)
{
  struct sigaction system;
  if (real_action(SIGSEGV, NULL, &system)) return -1;
  struct sigaction old = is_ours(&system) ? action_of(SIGSEGV) : system;
  if (action && !SEEDED(HANDLER_LOST) && (has_handler(action) || atomic_load(&serve))) {
    struct sigaction ours = for_faults(action);
    keep(SIGSEGV, action);
    if (real_action(SIGSEGV, &ours, NULL)) return -1;
  } else if (action && real_action(SIGSEGV, action, NULL)) {
    return -1;
  }
  if (ret_before) *ret_before = old;
  return 0;
}

static int other_action(int number, const struct sigaction *action, struct sigaction *ret_before)
{
  struct sigaction ours, system, old = action_of(number), asked;
  bool masked = kept[number].masks_faults;
  if (action) {
    asked = *action;
    ours = wrapped(&asked);
    keep(number, &asked);
    kept[number].masks_faults = sigismember(&asked.sa_mask, SIGSEGV) == 1;
  }
  if (real_action(number, action ? &ours : NULL, &system)) {
    if (action) keep(number, &old);
    return -1;
  }
  if (!ret_before) return 0;
  *ret_before = is_ours(&system) ? old : system;
  if (masked) sigaddset(&ret_before->sa_mask, SIGSEGV);
  return 0;
}

int mesi_signals_action(int number, const struct sigaction *action, struct sigaction *ret_before)
{
  if (number <= 0 || number >= SIGNALS) return real_action(number, action, ret_before);
  return number == SIGSEGV ? fault_action(action, ret_before)
                           : other_action(number, action, ret_before);
}

static void remember(const struct sigaction *action)
{
  unsigned count = atomic_load(&before_count);
  memmove(before + 1, before, (ACTIONS - 1) * sizeof *before);
  before[0] = *action;
  if (count < ACTIONS) atomic_store(&before_count, count + 1);
}

int mesi_signals_catch(mesi_serve_fn *function)
{
  struct sigaction now, last;
  if (real_action(SIGSEGV, NULL, &now)) return -1;
  if (is_ours(&now) && atomic_load(&serve) == function) return 0;
  atomic_store(&serve, function);
  if (!is_ours(&now)) {
    last = action_of(SIGSEGV);
    if (has_handler(&last)) remember(&last);
    keep(SIGSEGV, &now);
  }
  struct sigaction ours = for_faults(&now);
  return real_action(SIGSEGV, &ours, NULL);
}
