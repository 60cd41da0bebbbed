/* SPDX-License-Identifier: MIT */
/* file.h - reading and writing whole files. */
#ifndef MESI_BASE_FILE_H
#define MESI_BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>

struct arena;

#define FILE_LIMIT (64u * 1024u * 1024u) /* bytes: a source file larger than this is refused */

enum file_status { FILE_OK, FILE_MISSING, FILE_UNREADABLE, FILE_NOT_REGULAR, FILE_TOO_LARGE };

/* Reads a regular file ("-" is standard input) into the arena, zero-terminated. */
enum file_status file_read(struct arena *, const char *path, const char **ret_text,
                           size_t *ret_length);
/* Maps a regular file of any size for reading, until the process ends; not zero-terminated. */
enum file_status file_map(const char *path, const char **ret_bytes, size_t *ret_length);
const char *file_status_text(enum file_status);

/* Writes a new file beside `path` and renames it, so that a failure never leaves half a file. "-"
 * is standard output. Returns 0, or -1 with errno set. */
int file_write(const char *path, const char *text, size_t length);

bool file_exists(const char *path);
/* The directory part of a path in the arena: "." where there is none. */
const char *file_directory(struct arena *, const char *path);
const char *file_name(const char *path); /* after the last / */

#endif
