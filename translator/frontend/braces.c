/* braces.c - braced launch shapes, which nvcc accepts and clang does not parse.
 *
 *     k<<<{4, 2}, {8, 1}>>>(a)   =>   k<<<dim3{4, 2}, dim3{8, 1}>>>(a)
 *
 * Works on the main file's text before the first parse; nothing else changes. */
#include <string.h>

#include "translator/frontend/internal.h"

static bool at_launch(const char *text, unsigned at) { return !strncmp(text + at, "<<<", 3) && text[at + 3] != '<'; }

/* Inserts before each argument that begins with a brace, up to the >>> of the launch at `at`. */
static unsigned copy_launch(const char *text, unsigned at, struct text *out) {
  text_add(out, "<<<");
  at += 3;
  bool first = true;
  while (text[at] && strncmp(text + at, ">>>", 3) && text[at] != ';') {
    unsigned next = scan_skip_space(text, at);
    text_add_bytes(out, text + at, next - at);
    at = next;
    if (!text[at] || !strncmp(text + at, ">>>", 3) || text[at] == ';') break;
    if (first && text[at] == '{') text_add(out, "dim3");
    first = text[at] == ',';
    next = strchr("([{", text[at]) ? scan_skip_group(text, at) : scan_skip_token(text, at);
    text_add_bytes(out, text + at, next - at);
    at = next;
  }
  return at;
}

void braces_rewrite(struct arena *arena, struct unit_file *file) {
  const char *text = file->text;
  if (!strstr(text, "<<<") || strlen(text) != file->length) return;
  struct text out = {0};
  for (unsigned at = 0; at < file->length;) {
    unsigned next = scan_skip_space(text, at);
    if (next == at) {
      if (at_launch(text, at)) {
        at = copy_launch(text, at, &out);
        continue;
      }
      next = scan_skip_token(text, at);
    }
    text_add_bytes(&out, text + at, next - at);
    at = next;
  }
  if (out.length != file->length) {
    file->text = arena_copy(arena, text_string(&out), out.length);
    file->length = out.length;
  }
  text_finish(&out);
}
