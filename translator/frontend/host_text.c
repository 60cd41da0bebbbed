/* SPDX-License-Identifier: MIT */
/* host_text.c - rewrites device code for the host's compiler, before the parse.
 *
 *     __global__ void k(int *p) {              __global__ void k(int *p) {
 *     #if __CUDA_ARCH__ >= 700            =>   #if MESI_CUDA_ARCH >= 700
 *       p[threadIdx.x] = 1;                      p[threadIdx.x] = 1;
 *     __shared__ alignas(16) int s[4];    =>   alignas(16) __shared__ int s[4];
 *
 * nvcc compiles device functions with __CUDA_ARCH__ and the rest without it; the host's compiler
 * sees the file once. So a directive gets a macro of the project's own where it means the device's
 * view: in functions for the device alone, and elsewhere where the number is compared (host code
 * never does that) or where the guarded text is for the device alone. Of two branches the one
 * without inline assembly is chosen. In functions for both, and where the directive only asks for a
 * definition, the host's view stays. g++ accepts alignas only before the other words of a
 * declaration. Lines keep their numbers. */
#include <string.h>

#include "translator/frontend/internal.h"

#define ARCH "__CUDA_ARCH__"
#define HOST_ARCH "MESI_CUDA_ARCH"
#define DEPTH_MAX 256u

enum view { VIEW_FILE, VIEW_HOST, VIEW_DEVICE };

struct host_text {
  const char *text;
  struct text out;
  enum view views[DEPTH_MAX]; /* by depth of braces */
  unsigned depth;
  unsigned head; /* the start of the declaration or statement whose tokens are being passed */
};

static bool is_word_at(const char *text, unsigned at, const char *word)
{
  size_t length = strlen(word);
  return !strncmp(text + at, word, length) && !scan_is_identifier(text[at + length]) &&
         (!at || !scan_is_identifier(text[at - 1]));
}

static bool has_word(const char *text, unsigned begin, unsigned end, const char *word)
{
  for (unsigned at = begin; at < end; at++)
    if (is_word_at(text, at, word)) return true;
  return false;
}

static bool is_device_only(const char *text, unsigned begin, unsigned end)
{
  bool device =
      has_word(text, begin, end, "__global__") || has_word(text, begin, end, "__device__");
  return device && !has_word(text, begin, end, "__host__");
}

static enum view current_view(const struct host_text *h)
{
  return h->views[h->depth < DEPTH_MAX ? h->depth : DEPTH_MAX - 1];
}

static void open_brace(struct host_text *h, unsigned at)
{
  enum view view = current_view(h);
  bool scope = has_word(h->text, h->head, at, "namespace") ||
               has_word(h->text, h->head, at, "class") ||
               has_word(h->text, h->head, at, "struct") || has_word(h->text, h->head, at, "extern");
  bool marked =
      has_word(h->text, h->head, at, "__global__") || has_word(h->text, h->head, at, "__device__");
  if (marked)
    view = is_device_only(h->text, h->head, at) ? VIEW_DEVICE : VIEW_HOST;
  else if (view == VIEW_FILE && !scope)
    view = VIEW_HOST;
  if (++h->depth < DEPTH_MAX) h->views[h->depth] = view;
}

/* ---- directives ---- */

static unsigned logical_line_end(const char *text, unsigned at)
{
  while (text[at] && text[at] != '\n')
    at += text[at] == '\\' && text[at + 1] ? 1 + (text[at + 1] == '\r') + 1 : 1;
  return at;
}

static bool is_directive(const char *text, unsigned line, const char *name)
{
  unsigned at = line;
  while (text[at] == ' ' || text[at] == '\t') at++;
  if (text[at++] != '#') return false;
  while (text[at] == ' ' || text[at] == '\t') at++;
  return !strncmp(text + at, name, strlen(name));
}

/* The end of the branch that the conditional directive before `at` begins: the line of its #else,
 * #elif or #endif. */
static unsigned branch_end(const char *text, unsigned at)
{
  for (unsigned nested = 0; text[at]; at += text[at] == '\n') {
    if (is_directive(text, at, "if"))
      nested++;
    else if (is_directive(text, at, "endif") && !nested--)
      return at;
    else if (is_directive(text, at, "el") && !nested)
      return at;
    at = logical_line_end(text, at);
  }
  return at;
}

static bool wants_device_view(const struct host_text *h, unsigned line, unsigned end)
{
  const char *text = h->text;
  bool conditional = is_directive(text, line, "if") || is_directive(text, line, "el");
  if (!conditional && !is_directive(text, line, "define")) return false;
  unsigned branch = end + (text[end] == '\n'),
           close = conditional ? branch_end(text, branch) : branch;
  bool alternative = is_directive(text, close, "el");
  bool assembly = has_word(text, branch, close, "asm") || has_word(text, branch, close, "__asm__");
  if (alternative && assembly) return false;
  if (current_view(h) == VIEW_DEVICE) return true;
  bool defined = is_directive(text, line, "ifdef") || is_directive(text, line, "ifndef");
  defined |= has_word(text, line, end, "defined");
  return !defined || (current_view(h) == VIEW_FILE && is_device_only(text, branch, close));
}

static unsigned copy_directive(struct host_text *h, unsigned line)
{
  unsigned end = logical_line_end(h->text, line);
  bool device = has_word(h->text, line, end, ARCH) && wants_device_view(h, line, end);
  for (unsigned at = line; at < end;) {
    bool here = device && is_word_at(h->text, at, ARCH);
    if (here)
      text_add(&h->out, HOST_ARCH);
    else
      text_add_bytes(&h->out, h->text + at, 1);
    at += here ? (unsigned)strlen(ARCH) : 1;
  }
  return end;
}

/* ---- the pass ---- */

/* At __shared__: writes a following alignas(...) before it. */
static unsigned copy_shared(struct host_text *h, unsigned at)
{
  unsigned end = scan_skip_token(h->text, at), next = scan_skip_space(h->text, end);
  if (!is_word_at(h->text, next, "alignas")) {
    text_add_bytes(&h->out, h->text + at, end - at);
    return end;
  }
  unsigned open = scan_skip_space(h->text, scan_skip_token(h->text, next));
  unsigned close = h->text[open] == '(' ? scan_skip_group(h->text, open) : open;
  text_add_bytes(&h->out, h->text + next, close - next);
  text_add(&h->out, " __shared__");
  for (unsigned i = end; i < next; i++)
    if (h->text[i] == '\n') text_add(&h->out, "\n");
  return close;
}

static unsigned copy_token(struct host_text *h, unsigned at)
{
  char c = h->text[at];
  if (is_word_at(h->text, at, "__shared__")) return copy_shared(h, at);
  unsigned next = scan_skip_token(h->text, at);
  if (next == at) next++;
  text_add_bytes(&h->out, h->text + at, next - at);
  if (c == '{') open_brace(h, at);
  if (c == '}' && h->depth) h->depth--;
  if (c == '{' || c == '}' || c == ';') h->head = next;
  return next;
}

/* The offset after the blank or the comment at `at`; `at`: there is neither. */
static unsigned blank_end(const char *text, unsigned at)
{
  if (text[at] && strchr(" \t\r\n\f\v", text[at])) return at + 1;
  if (text[at] == '/' && text[at + 1] == '/') return logical_line_end(text, at);
  if (text[at] != '/' || text[at + 1] != '*') return at;
  const char *end = strstr(text + at + 2, "*/");
  return end ? (unsigned)(end - text) + 2 : (unsigned)strlen(text);
}

static void copy_text(struct host_text *h, size_t length)
{
  bool line_start = true;
  for (unsigned at = 0; at < length;) {
    unsigned blank = blank_end(h->text, at);
    if (line_start && blank <= at + 1 && is_directive(h->text, at, "")) {
      at = copy_directive(h, at);
    } else if (blank > at) {
      line_start |= h->text[at] == '\n';
      text_add_bytes(&h->out, h->text + at, blank - at);
      at = blank;
    } else {
      at = copy_token(h, at);
      line_start = false;
    }
  }
}

bool host_text(struct arena *arena, struct unit_file *file)
{
  struct host_text h = {.text = file->text};
  if (strlen(file->text) != file->length ||
      (!strstr(file->text, ARCH) && !strstr(file->text, "alignas")))
    return false;
  copy_text(&h, file->length);
  bool changed = strcmp(text_string(&h.out), file->text) != 0;
  if (changed) {
    file->text = arena_copy(arena, text_string(&h.out), h.out.length);
    file->length = h.out.length;
    file->is_rewritten = true;
  }
  text_finish(&h.out);
  return changed;
}
