/* guard.c - guarded objects: the first host touch of a stale object faults, and the handler brings it up to date.
 *
 * The memory of a guarded object is a memfd mapped twice. Protection applies to the user's view only; the runtime
 * copies through its own view, which stays writable (and page-locked, so that DMA never meets a protected page).
 * No moment exists in which another thread could see half of a copy.
 *
 * Limits: after fork() both processes share the memory. System calls on a protected page fail with EFAULT instead of
 * a fault; emitted code announces them.
 */
#include "guard.h"

#include "error.h"
#include "touch.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

static struct sigaction previous; /* the handler that foreign faults go to */

size_t mesi_page_size(void)
{
  static size_t size;
  if (!size)
    size = (size_t)sysconf(_SC_PAGESIZE);
  return size;
}

size_t mesi_round_to_pages(size_t bytes)
{
  size_t page = mesi_page_size();
  return (bytes + page - 1) / page * page;
}

static int open_memory(size_t bytes)
{
  int file = memfd_create("mesi", MFD_CLOEXEC);
  if (file < 0)
    return -1;
  if (ftruncate(file, (off_t)bytes) == 0)
    return file;
  close(file);
  return -1;
}

static char *map(int file, void *at, size_t bytes)
{
  void *memory = mmap(at, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | (at ? MAP_FIXED : 0), file, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

int mesi_guard_map(size_t bytes, char **ret_user, char **ret_view)
{
  int file = open_memory(bytes);
  if (file < 0)
    return -1;
  char *user = map(file, NULL, bytes);
  char *view = user ? map(file, NULL, bytes) : NULL;
  close(file);
  if (!view) {
    if (user)
      munmap(user, bytes);
    return -1;
  }
  *ret_user = user;
  *ret_view = view;
  return 0;
}

void mesi_guard_unmap(char *user, char *view, size_t bytes)
{
  munmap(user, bytes);
  munmap(view, bytes);
}

/* How the faulting instruction used the page; 0 when it was to be executed. Where that is not told (other machines,
 * sandboxes that leave the error code empty), a write is assumed, which is right for reads too. */
static unsigned fault_access(const void *context)
{
#if defined(__x86_64__)
  enum { WRITE_FAULT = 2, USER_FAULT = 4, FETCH_FAULT = 16 }; /* Intel's manual, volume 3, section 4.7 */
  const ucontext_t *machine = context;
  long long error = machine->uc_mcontext.gregs[REG_ERR];
  if (error & FETCH_FAULT)
    return 0;
  return (error & USER_FAULT) && !(error & WRITE_FAULT) ? MESI_READ : MESI_READ_WRITE;
#else
  (void)context;
  return MESI_READ_WRITE;
#endif
}

/* Returning from the handler repeats the access, which then meets the default action; a signal that was sent is sent
 * again. */
static void die_by(int signal_number, const siginfo_t *info)
{
  struct sigaction standard = { .sa_handler = SIG_DFL };
  sigaction(signal_number, &standard, NULL);
  if (info->si_code <= 0)
    raise(signal_number);
}

/* The previous handler may itself chain back to this one. The context, which the system makes anew for each signal,
 * is marked while it is with the previous handler. */
static void chain(int signal_number, siginfo_t *info, void *context)
{
  ucontext_t *machine = context;
  struct ucontext_t *mark = (struct ucontext_t *)&previous;
  if (machine->uc_link == mark || previous.sa_handler == SIG_DFL || previous.sa_handler == SIG_IGN) {
    die_by(signal_number, info);
    return;
  }
  machine->uc_link = mark;
  if (previous.sa_flags & SA_SIGINFO)
    previous.sa_sigaction(signal_number, info, context);
  else
    previous.sa_handler(signal_number);
  machine->uc_link = NULL;
}

int mesi_handle_fault(const void *info, const void *context)
{
  const siginfo_t *fault = info;
  if (fault->si_code != SEGV_ACCERR)
    return 0;
  int saved = errno;
  unsigned access = fault_access(context);
  int handled = access && mesi_touch_fault(fault->si_addr, access);
  errno = saved;
  return handled;
}

static void on_fault(int signal_number, siginfo_t *info, void *context)
{
  if (!mesi_handle_fault(info, context))
    chain(signal_number, info, context);
}

static void catch_faults(void)
{
  struct sigaction now;
  if (sigaction(SIGSEGV, NULL, &now))
    mesi_fatal("no fault handler", NULL, "%s", strerror(errno));
  if ((now.sa_flags & SA_SIGINFO) && now.sa_sigaction == on_fault)
    return;
  struct sigaction ours = { .sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | (now.sa_flags & SA_ONSTACK) };
  sigemptyset(&ours.sa_mask);
  previous = now;
  if (sigaction(SIGSEGV, &ours, NULL))
    mesi_fatal("no fault handler", NULL, "%s", strerror(errno));
}

void mesi_guard_protect(struct mesi_object *object, int protection)
{
  if (object->mode != MESI_GUARDED || object->protection == protection)
    return;
  if (protection != (PROT_READ | PROT_WRITE))
    catch_faults();
  if (mprotect(object->host, object->extent, protection))
    mesi_fatal("the object's pages cannot be protected", object, "%s", strerror(errno));
  object->protection = protection;
}

/* The variable is read-only while its contents move, so that a write by another thread waits in the handler. */
void mesi_guard_adopt(struct mesi_object *object)
{
  object->mode = MESI_GUARDED;
  mesi_guard_protect(object, PROT_READ);
  int file = open_memory(object->extent);
  char *view = file < 0 ? NULL : map(file, NULL, object->extent);
  if (!view)
    mesi_fatal("no memory to guard the object", object, "%s", strerror(errno));
  memcpy(view, object->host, object->size);
  object->view = view;
  if (!map(file, object->host, object->extent))
    mesi_fatal("the object's pages cannot be mapped", object, "%s", strerror(errno));
  object->protection = PROT_READ | PROT_WRITE;
  close(file);
}
