/* SPDX-License-Identifier: MIT */
/* guard_open.c - an include of a FIFO or of /dev/zero must not hang the parser or fill its memory.
 *
 * libclang opens files through the C library. The program's own definitions of open and open64 take
 * precedence over the library's, also for calls from shared libraries. They refuse a file that is
 * neither regular nor a directory with EACCES, so that the parser reports the #include at its
 * place. */
#undef _FILE_OFFSET_BITS /* open must stay open: with 64 the headers turn it into open64 */
#include "translator/driver/guard_open.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static bool enabled;

void guard_open_enable(void) { enabled = true; }

static int open_file(const char *path, int flags, mode_t mode)
{
  bool reads = (flags & O_ACCMODE) == O_RDONLY;
  if (!enabled || !reads || !strcmp(path, "/dev/null"))
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
  int fd = (int)syscall(SYS_openat, AT_FDCWD, path, flags | O_NONBLOCK, mode);
  if (fd < 0) return fd;
  struct stat info;
  if (fstat(fd, &info) || !(S_ISREG(info.st_mode) || S_ISDIR(info.st_mode))) {
    close(fd);
    errno = EACCES;
    return -1;
  }
  if (!(flags & O_NONBLOCK)) fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
  return fd;
}

#define WITH_MODE(flags, mode) \
  mode_t mode = 0; \
  if ((flags)&O_CREAT) { \
    va_list arguments; \
    va_start(arguments, flags); \
    mode = (mode_t)va_arg(arguments, unsigned); \
    va_end(arguments); \
  }

__attribute__((visibility("default"))) int open(const char *path, int flags, ...)
{
  WITH_MODE(flags, mode)
  return open_file(path, flags, mode);
}

__attribute__((visibility("default"))) int open64(const char *path, int flags, ...)
{
  WITH_MODE(flags, mode)
  return open_file(path, flags, mode);
}
