/* SPDX-License-Identifier: MIT */
/* json_file.h - files of JSON that users write, or that other programs do. */
#ifndef MESI_DRIVER_JSON_FILE_H
#define MESI_DRIVER_JSON_FILE_H

#include <jansson.h>

#include "translator/base/arena.h"
#include "translator/base/diag.h"

/* What a file has; NULL after a diagnostic `id`, at its place where the text is no JSON. */
json_t *json_file_read(struct arena *, const char *path, enum diag_id id, struct diag *);
/* The same of a text that is read already: zero-terminated, the arena's. */
json_t *json_file_parse(const char *path, const char *text, size_t length, enum diag_id id,
                        struct diag *);

#endif
