/* SPDX-License-Identifier: MIT */
/* json_file.c - reads JSON; errors are shown at their places. */
#include "translator/driver/json_file.h"

#include "translator/base/file.h"

json_t *json_file_parse(const char *path, const char *text, size_t length, enum diag_id id,
                        struct diag *diag)
{
  json_error_t error;
  json_t *root = json_loadb(text, length, 0, &error);
  if (root) return root;
  struct diag_place place = {.file = path};
  if (error.line > 0 && error.column > 0) {
    place.line = (unsigned)error.line;
    place.column = (unsigned)error.column;
    place.source = text;
  }
  diag_report(diag, id, &place, "this is no JSON: %s", error.text);
  return NULL;
}

json_t *json_file_read(struct arena *arena, const char *path, enum diag_id id, struct diag *diag)
{
  const char *text;
  size_t length;
  enum file_status status = file_read(arena, path, &text, &length);
  if (status == FILE_OK) return json_file_parse(path, text, length, id, diag);
  diag_report(diag, id, &(struct diag_place){.file = path}, "%s", file_status_text(status));
  return NULL;
}
