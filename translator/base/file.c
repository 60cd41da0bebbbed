/* SPDX-License-Identifier: MIT */
/* file.c - reading and writing whole files. */
#include "translator/base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "translator/base/arena.h"
#include "translator/base/text.h"

static enum file_status read_all(struct arena *arena, int fd, const char **ret_text,
                                 size_t *ret_length)
{
  struct text text = {0};
  char buffer[65536];
  ssize_t count;
  while ((count = read(fd, buffer, sizeof buffer)) > 0) {
    text_add_bytes(&text, buffer, (size_t)count);
    if (text.length > FILE_LIMIT) break;
  }
  enum file_status status = count < 0                  ? FILE_UNREADABLE
                            : text.length > FILE_LIMIT ? FILE_TOO_LARGE
                                                       : FILE_OK;
  if (status == FILE_OK) {
    *ret_text = arena_copy(arena, text_string(&text), text.length);
    *ret_length = text.length;
  }
  text_finish(&text);
  return status;
}

/* Opens a regular file, or returns the reason why not. */
static enum file_status open_regular(const char *path, int *ret_fd, unsigned long long *ret_size)
{
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return errno == ENOENT || errno == ENOTDIR ? FILE_MISSING : FILE_UNREADABLE;
  struct stat info;
  enum file_status status = fstat(fd, &info)        ? FILE_UNREADABLE
                            : S_ISREG(info.st_mode) ? FILE_OK
                                                    : FILE_NOT_REGULAR;
  if (status != FILE_OK) {
    close(fd);
    return status;
  }
  *ret_fd = fd;
  *ret_size = (unsigned long long)info.st_size;
  return FILE_OK;
}

enum file_status file_read(struct arena *arena, const char *path, const char **ret_text,
                           size_t *ret_length)
{
  if (!strcmp(path, "-")) return read_all(arena, 0, ret_text, ret_length);
  int fd;
  unsigned long long size;
  enum file_status status = open_regular(path, &fd, &size);
  if (status != FILE_OK) return status;
  status = size > FILE_LIMIT ? FILE_TOO_LARGE : read_all(arena, fd, ret_text, ret_length);
  close(fd);
  return status;
}

enum file_status file_map(const char *path, const char **ret_bytes, size_t *ret_length)
{
  int fd;
  unsigned long long size;
  enum file_status status = open_regular(path, &fd, &size);
  if (status != FILE_OK) return status;
  void *bytes = size ? mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0) : "";
  close(fd);
  if (bytes == MAP_FAILED) return FILE_UNREADABLE;
  *ret_bytes = bytes;
  *ret_length = size;
  return FILE_OK;
}

const char *file_status_text(enum file_status status)
{
  switch (status) {
  case FILE_OK: return "fine";
  case FILE_MISSING: return "there is no such file";
  case FILE_UNREADABLE: return "the file cannot be read";
  case FILE_NOT_REGULAR: return "it is no regular file";
  case FILE_TOO_LARGE: return "it is larger than 64 MB";
  }
  return "";
}

static int write_all(int fd, const char *text, size_t length)
{
  while (length) {
    ssize_t count = write(fd, text, length);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return -1;
    text += count;
    length -= (size_t)count;
  }
  return 0;
}

int file_write(const char *path, const char *text, size_t length)
{
  if (!strcmp(path, "-")) return write_all(1, text, length);
  struct stat info;
  if (!stat(path, &info) && !S_ISREG(info.st_mode)) { /* a rename would replace it */
    int fd = S_ISDIR(info.st_mode) ? (errno = EISDIR, -1) : open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0) return -1;
    int result = write_all(fd, text, length);
    return close(fd) || result ? -1 : 0;
  }
  char *beside = malloc(strlen(path) + 16);
  if (!beside) return -1;
  sprintf(beside, "%s.XXXXXX", path);
  int fd = mkstemp(beside), result = -1;
  if (fd >= 0) {
    mode_t mask = umask(0);
    umask(mask);
    result = fchmod(fd, 0666 & ~mask) || write_all(fd, text, length) ? -1 : 0;
    if (close(fd)) result = -1;
    if (!result) result = rename(beside, path);
    if (result) {
      int saved = errno;
      unlink(beside);
      errno = saved;
    }
  }
  free(beside);
  return result;
}

bool file_exists(const char *path) { return !access(path, R_OK); }

const char *file_directory(struct arena *arena, const char *path)
{
  const char *slash = strrchr(path, '/');
  if (!slash) return ".";
  return slash == path ? "/" : arena_copy(arena, path, (size_t)(slash - path));
}

const char *file_name(const char *path)
{
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}
