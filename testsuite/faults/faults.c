/* SPDX-License-Identifier: MIT */
/* faults.c - makes the n-th call of a kind fail, as the kernel or the C library could.
 *
 *     MESI_FAULT=memory:17        the 17th allocation returns NULL
 *     MESI_FAULT=file:3           the third call on a file fails (ENOSPC)
 *     MESI_FAULT=process:1        the first fork, dup, thread or exec fails (EAGAIN)
 *     MESI_FAULT=device:40        the 40th call that the runtime makes of the device fails
 *                                 (device_faults.c)
 *     MESI_FAULT=isl:500          isl's limit is 500 operations
 *     MESI_FAULT=question:18      the 4th question to isl (18 / 4) may take 8^(1 + 18 % 4)
 *                                 operations, all others the usual number
 *     MESI_FAULT_COUNTS=FILE      appends how many calls of each kind a process made
 *
 * Linked with --wrap: only this project's own calls are counted, not those inside libraries. A
 * forked child goes on counting where its parent was, so that a number names one call. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/types.h>
#include <unistd.h>

enum kind { MEMORY, FILES, PROCESS, DEVICE, ISL, QUESTION, KIND_COUNT };
static const char *const names[KIND_COUNT] = {"memory", "file", "process",
                                              "device", "isl",  "question"};
static unsigned long made[KIND_COUNT], wanted[KIND_COUNT];
static int counts_fd = -1;

__attribute__((constructor)) static void read_wish(void)
{
  const char *wish = getenv("MESI_FAULT"), *counts = getenv("MESI_FAULT_COUNTS");
  for (int kind = 0; wish && kind < KIND_COUNT; kind++) {
    size_t length = strlen(names[kind]);
    if (!strncmp(wish, names[kind], length) && wish[length] == ':')
      wanted[kind] = strtoul(wish + length + 1, NULL, 10);
  }
  if (counts) counts_fd = open(counts, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

static int fails(enum kind kind, int error)
{
  unsigned long number = __atomic_add_fetch(&made[kind], 1, __ATOMIC_RELAXED);
  if (number != wanted[kind]) return 0;
  errno = error;
  return 1;
}

/* Of device_faults.c. */
int faults_device(void);
int faults_device(void) { return fails(DEVICE, EIO); }

/* Also a child that ends by _exit says what it counted. */
void __real__exit(int) __attribute__((noreturn));
static void put_counts(void)
{
  char line[200];
  int length = 0;
  for (int kind = 0; kind < KIND_COUNT; kind++)
    length +=
        snprintf(line + length, sizeof line - (size_t)length, "%s %lu ", names[kind], made[kind]);
  line[length - 1] = '\n';
  if (counts_fd >= 0 && syscall(SYS_write, counts_fd, line, (size_t)length) < 0) return;
}
void __wrap__exit(int status) __attribute__((noreturn));
void __wrap__exit(int status)
{
  put_counts();
  __real__exit(status);
}
__attribute__((destructor)) static void at_end(void) { put_counts(); }

#define WRAP(kind, error, failed, result, name, parameters, arguments) \
  result __real_##name parameters __attribute__((weak)); \
  result __wrap_##name parameters; \
  result __wrap_##name parameters { return fails(kind, error) ? failed : __real_##name arguments; }

WRAP(MEMORY, ENOMEM, NULL, void *, malloc, (size_t size), (size))
WRAP(MEMORY, ENOMEM, NULL, void *, calloc, (size_t count, size_t size), (count, size))
WRAP(MEMORY, ENOMEM, NULL, void *, realloc, (void *old, size_t size), (old, size))
WRAP(MEMORY, ENOMEM, ENOMEM, int, posix_memalign, (void **ret, size_t align, size_t size),
     (ret, align, size))
WRAP(MEMORY, ENOMEM, NULL, void *, aligned_alloc, (size_t align, size_t size), (align, size))
WRAP(MEMORY, ENOMEM, MAP_FAILED, void *, mmap,
     (void *at, size_t size, int protection, int flags, int fd, off_t offset),
     (at, size, protection, flags, fd, offset))
WRAP(MEMORY, ENFILE, -1, int, memfd_create, (const char *name, unsigned flags), (name, flags))
WRAP(MEMORY, ENOMEM, -1, int, mprotect, (void *at, size_t size, int protection),
     (at, size, protection))
WRAP(MEMORY, EPERM, -1, int, madvise, (void *at, size_t size, int advice), (at, size, advice))
WRAP(MEMORY, ENOMEM, NULL, locale_t, newlocale, (int mask, const char *name, locale_t base),
     (mask, name, base))
WRAP(MEMORY, ENOMEM, NULL, FILE *, fopencookie,
     (void *cookie, const char *mode, cookie_io_functions_t functions), (cookie, mode, functions))
WRAP(MEMORY, EFAULT, -1, int, sysinfo, (struct sysinfo * info), (info))
WRAP(FILES, ENOSPC, -1, int, ftruncate, (int fd, off_t size), (fd, size))
WRAP(FILES, ENOSPC, -1, ssize_t, write, (int fd, const void *bytes, size_t size), (fd, bytes, size))
WRAP(FILES, EIO, -1, ssize_t, read, (int fd, void *bytes, size_t size), (fd, bytes, size))
WRAP(FILES, EACCES, -1, int, rename, (const char *from, const char *to), (from, to))
WRAP(FILES, EACCES, -1, int, mkstemp, (char *path), (path))
WRAP(FILES, EACCES, NULL, char *, mkdtemp, (char *path), (path))
WRAP(FILES, EACCES, -1, int, mkdir, (const char *path, mode_t mode), (path, mode))
WRAP(FILES, EPERM, -1, int, fchmod, (int fd, mode_t mode), (fd, mode))
WRAP(FILES, EMFILE, NULL, FILE *, fopen, (const char *path, const char *mode), (path, mode))
WRAP(FILES, EMFILE, NULL, FILE *, fdopen, (int fd, const char *mode), (fd, mode))
WRAP(FILES, EMFILE, NULL, DIR *, opendir, (const char *path), (path))
WRAP(PROCESS, EAGAIN, -1, pid_t, fork, (void), ())
WRAP(PROCESS, EMFILE, -1, int, dup, (int fd), (fd))
WRAP(PROCESS, EBUSY, -1, int, dup2, (int fd, int to), (fd, to))
WRAP(PROCESS, ENOENT, -1, int, execvp, (const char *file, char *const argv[]), (file, argv))
WRAP(PROCESS, EAGAIN, EAGAIN, int, pthread_create,
     (pthread_t * ret, const pthread_attr_t *attributes, void *(*run)(void *), void *context),
     (ret, attributes, run, context))

/* As the runtime calls it: with a fifth argument. */
void *__real_mremap(void *old, size_t old_size, size_t size, int flags, ...) __attribute__((weak));
void *__wrap_mremap(void *old, size_t old_size, size_t size, int flags, void *at);
void *__wrap_mremap(void *old, size_t old_size, size_t size, int flags, void *at)
{
  return fails(MEMORY, ENOMEM) ? MAP_FAILED : __real_mremap(old, old_size, size, flags, at);
}

int __real_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...)
{
  va_list arguments;
  va_start(arguments, flags);
  mode_t mode = flags & O_CREAT ? (mode_t)va_arg(arguments, unsigned) : 0;
  va_end(arguments);
  return fails(FILES, EMFILE) ? -1 : __real_open(path, flags, mode);
}

/* A call that fails to write its last bytes shows at close only. */
int __real_close(int fd);
int __wrap_close(int fd);
int __wrap_close(int fd)
{
  int result = __real_close(fd);
  return fails(FILES, EIO) ? -1 : result;
}

/* The names that the library's headers put there where files may be large. */
int __wrap_open64(const char *path, int flags, ...) __attribute__((alias("__wrap_open")));
int __wrap_mkstemp64(char *path) __attribute__((alias("__wrap_mkstemp")));
int __wrap_ftruncate64(int fd, off_t size) __attribute__((alias("__wrap_ftruncate")));
FILE *__wrap_fopen64(const char *path, const char *mode) __attribute__((alias("__wrap_fopen")));
void *__wrap_mmap64(void *at, size_t size, int protection, int flags, int fd, off_t offset)
    __attribute__((alias("__wrap_mmap")));

struct isl_ctx;
void __real_isl_ctx_set_max_operations(struct isl_ctx *, unsigned long) __attribute__((weak));
void __real_isl_ctx_reset_operations(struct isl_ctx *) __attribute__((weak));
void __wrap_isl_ctx_set_max_operations(struct isl_ctx *, unsigned long);
void __wrap_isl_ctx_reset_operations(struct isl_ctx *);

/* A question begins where the limit is set or the count starts anew. */
static void ask(struct isl_ctx *ctx, unsigned long usual)
{
  static struct isl_ctx *short_of;
  enum { LIMITS = 4 };
  made[QUESTION] += LIMITS;
  if (wanted[QUESTION] && wanted[QUESTION] / LIMITS == made[QUESTION] / LIMITS) {
    short_of = ctx;
    __real_isl_ctx_set_max_operations(ctx, 8UL << 3 * (wanted[QUESTION] % LIMITS));
  } else if (short_of) {
    if (short_of == ctx) __real_isl_ctx_set_max_operations(ctx, usual);
    short_of = NULL;
  }
}

static unsigned long last_limit;

void __wrap_isl_ctx_set_max_operations(struct isl_ctx *ctx, unsigned long operations)
{
  last_limit = wanted[ISL] ? wanted[ISL] : operations;
  __real_isl_ctx_set_max_operations(ctx, last_limit);
  ask(ctx, last_limit);
}

void __wrap_isl_ctx_reset_operations(struct isl_ctx *ctx)
{
  __real_isl_ctx_reset_operations(ctx);
  ask(ctx, last_limit);
}
