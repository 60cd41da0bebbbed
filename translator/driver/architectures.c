/* SPDX-License-Identifier: MIT */
/* architectures.c - the options that name architectures of GPUs.
 *
 *     -arch=sm_90 -gencode arch=compute_80,code=[sm_80,compute_80]
 *
 * An architecture that mesicc does not know may be newer than mesicc: the toolkit's nvcc decides.
 * One that nvcc does not know either is refused after all options are read, since one of them names
 * the toolkit. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/seeded.h"
#include "translator/driver/option_reader.h"
#include "translator/driver/paths.h"

enum { OLDEST = 70, FIRST_WITH_A = 90, FIRST_WITH_F = 100 };

/* sm_88 is Orin's in CUDA 13, sm_101 Thor's in CUDA 12. */
static const unsigned known[] = {
#define TARGET(arch, ...) arch,
#include "analysis/model/targets.def"
#undef TARGET
    88, 101};
enum { KNOWN = sizeof known / sizeof *known };

/* 90 of "sm_90a"; -1: the text is no architecture. *ret_variant: 'a', 'f' or 0. */
static int arch_number(const char *text, char *ret_variant)
{
  static const char *const kinds[] = {"sm_", "compute_", "lto_"};
  *ret_variant = 0;
  for (unsigned i = 0; i < 3; i++) {
    size_t prefix = strlen(kinds[i]);
    if (strncmp(text, kinds[i], prefix) || !isdigit((unsigned char)text[prefix])) continue;
    char *end;
    long number = strtol(text + prefix, &end, 10);
    if (*end == 'a' || *end == 'f') *ret_variant = *end++;
    return *end || number > 999 ? -1 : (int)number;
  }
  return -1;
}

static int compare(const void *a, const void *b)
{
  unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;
  return x < y ? -1 : x > y;
}

/* "sm_70, sm_72, ... and sm_121" */
static const char *list_of_known(struct arena *arena)
{
  unsigned sorted[KNOWN];
  const char *list = "";
  memcpy(sorted, known, sizeof known);
  qsort(sorted, KNOWN, sizeof *sorted, compare);
  for (unsigned i = 0; i < KNOWN; i++)
    list = arena_format(arena, "%s%ssm_%u", list,
                        !i              ? ""
                        : i + 1 < KNOWN ? ", "
                                        : " and ",
                        sorted[i]);
  return list;
}

static bool is_known(int number)
{
  bool found = SEEDED(ANY_ARCHITECTURE);
  for (unsigned i = 0; i < KNOWN; i++) found |= (int)known[i] == number;
  return found;
}

/* The number of an architecture by the form of its name; -1 after a diagnostic. option_settle_archs
 * checks whether the architecture exists. */
static int note_name(struct reader *r, const char *text)
{
  char variant;
  int number = arch_number(text, &variant);
  if (number < 0)
    return option_refuse(r, "'%s' is no name of a GPU architecture, as sm_90 and compute_90 are",
                         text);
  if (number < OLDEST)
    return option_refuse(r, "'%s' is older than sm_70, the first one that mesicc works for", text);
  bool has_variant = !variant || number >= (variant == 'a' ? FIRST_WITH_A : FIRST_WITH_F);
  if (!has_variant && is_known(number))
    return option_refuse(
        r, "there is no '%s': names end in a from sm_90 on and in f from sm_100 on", text);
  if (!is_known(number)) option_push(r, &r->new_archs, text);
  return number;
}

/* Of several architectures the oldest counts: emitted code has to run on all. */
static int note_arch(struct reader *r, const char *text)
{
  struct options *o = r->options;
  int number = note_name(r, text);
  if (number < 0) return -1;
  if (!o->arch_given || (unsigned)number < o->arch) o->arch = (unsigned)number;
  if (!o->arch_given || (unsigned)number > o->newest_arch) o->newest_arch = (unsigned)number;
  o->arch_given = true;
  return 0;
}

int option_settle_archs(struct reader *r)
{
  struct paths paths = {0};
  const char *lists = NULL;
  char variant;
  if (!r->new_archs.count) return 0;
  paths_find(r->arena, r->options, r->diag, &paths);
  if (paths.nvcc) lists = paths_nvcc_archs(r->arena, paths.nvcc);
  for (unsigned i = 0; i < r->new_archs.count; i++) {
    const char *text = r->new_archs.items[i],
               *name = arena_format(r->arena, "compute_%d\n", arch_number(text, &variant));
    if (lists && strstr(lists, name)) continue;
    const char *format = arena_format(
        r->arena, "there is no GPU architecture '%%s'; mesicc knows %s%s%s",
        list_of_known(r->arena), lists ? "; it is unknown to " : "", lists ? paths.nvcc : "");
    return option_refuse(r, format, text);
  }
  return 0;
}

int option_arch(struct reader *r, const char *text)
{
  static const char *const groups[] = {"native", "all", "all-major"};
  bool group = false;
  for (unsigned i = 0; i < 3; i++) group |= !strcmp(text, groups[i]);
  struct string_list *kept = &r->options->arch_args;
  unsigned count = 0;
  for (unsigned i = 0; i < kept->count; i++) /* the last -arch counts */
    if (strncmp(kept->items[i], "-arch=", 6)) kept->items[count++] = kept->items[i];
  if (count < kept->count) r->options->arch_given = false;
  kept->count = count;
  option_push(r, kept, arena_format(r->arena, "-arch=%s", text));
  return group ? 0 : note_arch(r, text);
}

int option_code(struct reader *r, const char *text)
{
  for (const char *at = text; *at;) {
    size_t length = strcspn(at, ",");
    if (note_name(r, arena_copy(r->arena, at, length)) < 0) return -1;
    at += length + (at[length] == ',');
  }
  option_push(r, &r->options->arch_args, arena_format(r->arena, "-code=%s", text));
  return 0;
}

/* arch=compute_90,code=[sm_90,compute_90], with or without quotes around the list. nvcc gets a word
 * for each code, without characters that a shell would interpret. */
int option_gencode(struct reader *r, const char *text)
{
  const char *arch = NULL;
  unsigned codes = 0;
  char *words = arena_string(r->arena, text), *rest = NULL;
  for (char *at = words; *at; at++)
    if (strchr("[]\"'\\ ", *at)) *at = ',';
  for (char *word = strtok_r(words, ",", &rest); word; word = strtok_r(NULL, ",", &rest)) {
    if (!strncmp(word, "arch=", 5)) {
      if (arch && !codes)
        option_push(r, &r->options->arch_args, arena_format(r->arena, "-gencode=arch=%s", arch));
      arch = word + 5;
      codes = 0;
      if (note_arch(r, arch)) return -1;
      continue;
    }
    const char *code = !strncmp(word, "code=", 5) ? word + 5 : word;
    if (!*code) continue; /* before a bracket */
    if (!arch) break;
    if (note_name(r, code) < 0) return -1;
    option_push(r, &r->options->arch_args,
                arena_format(r->arena, "-gencode=arch=%s,code=%s", arch, code));
    codes++;
  }
  if (!arch) return option_refuse(r, "'--generate-code=%s' names no GPU architecture", text);
  if (!codes)
    option_push(r, &r->options->arch_args, arena_format(r->arena, "-gencode=arch=%s", arch));
  return 0;
}
