/* SPDX-License-Identifier: MIT */
/* json_file.h - JSON files of users or of other programs. */
#ifndef MESI_DRIVER_JSON_FILE_H
#define MESI_DRIVER_JSON_FILE_H

#include <jansson.h>

#include "translator/base/arena.h"
#include "translator/base/diag.h"

/* The contents of a file; NULL after a diagnostic `id`, at its place where the text is no JSON. */
json_t *json_file_read(struct arena *, const char *path, enum diag_id id, struct diag *);
/* The same for a text that is already in memory: zero-terminated, the arena's. */
json_t *json_file_parse(const char *path, const char *text, size_t length, enum diag_id id,
                        struct diag *);

#endif
