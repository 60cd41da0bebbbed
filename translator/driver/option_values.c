/* SPDX-License-Identifier: MIT */
/* option_values.c - the values of options. Invalid ones are reported here, before any work. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "translator/driver/option_reader.h"

int option_number(struct reader *r, const char *name, const char *text, uint64_t largest,
                  uint64_t *ret)
{
  char *end;
  errno = 0;
  unsigned long long value = strtoull(text, &end, 10);
  if (end != text && (*end == 'K' || *end == 'k')) value *= 1024, end++;
  if (end == text || *end || errno || *text == '-' || value > largest)
    return option_refuse(r, "%s",
                         arena_format(r->arena, "'%s=%s' is no number from 0 to %llu", name, text,
                                      (unsigned long long)largest));
  *ret = value;
  return 0;
}

int option_mapping(struct reader *r, const char *value)
{
  static const char *const names[] = {"auto", "never", "always", "untiled"};
  for (int i = 0; i < 4; i++)
    if (!strcmp(value, names[i])) return r->options->mapping = (enum plan_mapping)i, 0;
  if (mapping_shape_parse(value, &r->options->mapping_shape))
    return r->options->mapping = MAPPING_BLOCK, 0;
  return option_refuse(
      r,
      "'--mapping=%s' is none of auto, never, always, untiled, WxH, WxH/UxV, WxH/UxV/K, "
      "WxH/UxV/K/N with U and V dividing W and H",
      value);
}

int option_split(struct reader *r, const char *value)
{
  static const char *const names[] = {"auto", "never", "always"};
  char *end;
  for (unsigned i = 0; i < 3; i++)
    if (!strcmp(value, names[i])) return r->options->share = (enum block_sharing)i, 0;
  unsigned long count = strtoul(value, &end, 10);
  if (*value < '0' || *value > '9' || *end || count < 2 || count > 256)
    return option_refuse(r, "'--split=%s' is none of auto, never, always, 2 ... 256", value);
  r->options->share = SHARE_ALWAYS;
  r->options->share_count = (unsigned)count;
  return 0;
}

int option_effort(struct reader *r, const char *value)
{
  char *end;
  unsigned long times = strtoul(value, &end, 10);

  if (*value < '0' || *value > '9' || *end || times < 1 || times > PLAN_MOST_EFFORT)
    return option_refuse(r, "'--effort=%s' is none of 1 ... 100", value);
  r->options->effort = (unsigned)times;
  return 0;
}

int option_products(struct reader *r, const char *value)
{
  static const char *const names[] = {"auto", "never", "always"};
  for (int i = 0; i < 3; i++)
    if (!strcmp(value, names[i])) return r->options->products = (enum plan_products)i, 0;
  return option_refuse(r, "'--products=%s' is none of auto, never, always", value);
}

int option_parts(struct reader *r, const char *value)
{
  static const char *const names[] = {"auto", "never", "always"};
  for (int i = 0; i < 3; i++)
    if (!strcmp(value, names[i])) return r->options->launch_parts = (enum plan_parts)i, 0;
  return option_refuse(r, "'--parts=%s' is none of auto, never, always", value);
}

int option_temporal(struct reader *r, const char *value)
{
  static const char *const names[] = {"auto", "never", "always"};
  for (int i = 0; i < 3; i++)
    if (!strcmp(value, names[i])) return r->options->temporal = (enum plan_temporal)i, 0;
  int used = 0;
  struct temporal_wish *wish = &r->options->temporal_wish;
  unsigned *tile = wish->tile, *threads = wish->threads;
  int read = sscanf(value, "%2u%n/%4ux%4ux%4u/%4ux%4ux%4u%n", &wish->depth, &used, &tile[0],
                    &tile[1], &tile[2], &threads[0], &threads[1], &threads[2], &used);
  if (read == 7 && value[used] == 'w') wish->warps = true, used++;
  if (wish->warps && value[used] >= '1' && value[used] <= '8')
    wish->resident = (unsigned)(value[used++] - '0');
  bool fits = wish->depth > 2 && (read == 1 || read == 7) && !value[used];
  for (int axis = 0; axis < 3 && read == 7; axis++)
    fits &= tile[axis] && threads[axis] && (wish->warps || tile[axis] % threads[axis] == 0);
  fits &= read == 1 || threads[0] * threads[1] * threads[2] <= 1024;
  if (fits) return r->options->temporal = TEMPORAL_ALWAYS, 0;
  return option_refuse(
      r,
      "'--temporal=%s' is none of auto, never, always, N, N/XxYxZ/UxVxW with N from 3 to "
      "99 and U, V, W dividing X, Y, Z",
      value);
}

int option_explain(struct reader *r, const char *value)
{
  static const char *const names[] = {"none", "text", "json", "html"};
  for (int i = EXPLAIN_TEXT; i <= EXPLAIN_HTML; i++)
    if (!strcmp(value, names[i])) return r->options->explain = (enum explain_form)i, 0;
  return option_refuse(r, "'--explain=%s' is none of text, json, html", value);
}

int option_level(struct reader *r, const char *text)
{
  if (strlen(text) != 1 || *text < '0' || *text > '3')
    return option_refuse(r, "there is no level -O%s; the levels are 0 to 3", text);
  r->options->level = (enum plan_level)(*text - '0');
  r->options->level_given = true;
  return 0;
}

int option_levels(struct reader *r, const char *text)
{
  r->options->levels = 0;
  for (const char *c = text; *c; c++) {
    if (*c == ',') continue;
    if (*c < '0' || *c > '3') return option_refuse(r, "'--levels=%s' is no list of levels", text);
    r->options->levels |= 1u << (*c - '0');
  }
  return 0;
}

int option_devices(struct reader *r, const char *text)
{
  enum { MOST = sizeof r->options->devices / sizeof *r->options->devices };
  r->options->device_runs = 0;
  for (const char *c = text; *c; c += c[1] == ',' ? 2 : 1) {
    bool ends = !c[1] || (c[1] == ',' && c[2]);
    if (*c < '1' || *c > '0' + MOST || !ends || r->options->device_runs == MOST)
      return option_refuse(r, "'--devices=%s' is no list of numbers from 1 to 8", text);
    r->options->devices[r->options->device_runs++] = (unsigned)(*c - '0');
  }
  return *text ? 0 : option_refuse(r, "'%s' names no number of devices", "--devices=");
}

int option_target(struct reader *r, const char *text)
{
  if (!strcmp(text, "cuda"))
    r->options->target = TARGET_CUDA;
  else if (!strcmp(text, "cpu"))
    r->options->target = TARGET_CPU;
  else
    return option_refuse(r, "there is no target '%s'; the targets are cuda and cpu", text);
  return 0;
}

int option_macro(struct reader *r, const char *spelling, const char *text)
{
  size_t length = strcspn(text, "=(");
  bool fine = length && !(text[0] >= '0' && text[0] <= '9');
  for (size_t i = 0; i < length; i++)
    fine &= (text[i] >= '0' && text[i] <= '9') || (text[i] >= 'a' && text[i] <= 'z') ||
            (text[i] >= 'A' && text[i] <= 'Z') || text[i] == '_';
  if (!fine) return option_refuse(r, "'%s' does not begin with a macro name", text);
  if (strpbrk(text, "\n\r")) return option_refuse(r, "the macro '%s' has a newline in it", text);
  const char *word = arena_format(r->arena, "%s%s", spelling, text);
  option_push(r, &r->options->clang_args, word);
  option_push(r, &r->options->build_args, word);
  return 0;
}

/* "-O3,-fopenmp" */
void option_host_args(struct reader *r, const char *text)
{
  for (size_t length; *text; text += length + (text[length] == ',')) {
    length = strcspn(text, ",");
    const char *word = arena_copy(r->arena, text, length);
    if (*word) option_push(r, &r->options->host_args, word);
    if (!strncmp(word, "-fopenmp", 8)) option_push(r, &r->options->clang_args, "-D_OPENMP=201511");
  }
}

/* ---- C++ and CUDA ---- */

/* nvcc has no gnu++; what is emitted needs C++11. */
int option_standard(struct reader *r, const char *text)
{
  static const char *const known[] = {"c++11",   "c++14",   "c++17",   "c++20",   "c++23",
                                      "gnu++11", "gnu++14", "gnu++17", "gnu++20", "gnu++23"};
  for (unsigned i = 0; i < sizeof known / sizeof *known; i++)
    if (!strcmp(text, known[i])) return r->options->standard = text, 0;
  if (!strcmp(text, "c++03"))
    return option_refuse(r, "'%s' is refused: the emitted code needs C++11", text);
  return option_refuse(
      r,
      "there is no standard '%s'; c++11, c++14, c++17, c++20, c++23 and gnu++ of these are known",
      text);
}

const char *option_cpu_standard(const char *standard)
{
  if (!strcmp(standard, "c++11")) return "c++14";
  return !strcmp(standard, "gnu++11") ? "gnu++14" : standard;
}

int option_language(struct reader *r, const char *text)
{
  if (!strcmp(text, "cu")) return 0;
  if (!strcmp(text, "c") || !strcmp(text, "c++"))
    return option_refuse(r, "'-x %s' is refused: mesicc translates CUDA only", text);
  return option_refuse(r, "there is no language '%s'; mesicc translates cu", text);
}

int option_stream(struct reader *r, const char *text)
{
  if (!strcmp(text, "legacy") || !strcmp(text, "null")) return 0;
  if (!strcmp(text, "per-thread"))
    return option_refuse(r,
                         "'--default-stream=%s' is refused: the runtime orders transfers by the "
                         "legacy stream",
                         text);
  return option_refuse(r, "there is no default stream '%s', but legacy and null", text);
}

/* ---- lists ---- */

/* Does the comma belong to a macro's value: in brackets or quotes, or before something other than a
 * macro's name? */
static bool parts_macros(const char *at, unsigned depth, char quote)
{
  return !depth && !quote && (isalpha((unsigned char)at[1]) || at[1] == '_');
}

int option_list(struct reader *r, const char *spelling, const char *list,
                int (*take)(struct reader *, const char *spelling, const char *))
{
  struct text part = {0};
  bool macro = take == option_macro;
  unsigned depth = 0;
  char quote = 0;
  int status = 0;
  for (const char *at = list;; at++) {
    bool ends = *at == ',' && (!macro || parts_macros(at, depth, quote));
    if (!*at || ends) {
      if (!status)
        status = take(r, spelling, arena_copy(r->arena, text_string(&part), part.length));
      part.length = 0;
      if (!*at) break;
      continue;
    }
    if (*at == '\\' && at[1] == ',') at++;
    if (macro && (*at == '"' || *at == '\'')) quote = quote == *at ? 0 : quote ? quote : *at;
    depth += *at == '(';
    depth -= *at == ')' && depth;
    text_add_bytes(&part, at, 1);
  }
  text_finish(&part);
  return status;
}
