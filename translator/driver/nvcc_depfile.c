/* SPDX-License-Identifier: MIT */
/* nvcc_depfile.c - a rule for make, word by word.
 *
 *     a.o : /tmp/mesicc-x/0/a.cu \           =>  a.o : src/a.cu \
 *         /usr/include/stdc-predef.h \               /usr/include/stdc-predef.h \
 *         /opt/mesicc/include/mesi_cuda.h \          src/a.h \
 *         src/a.h                                    src/kernels.h
 *
 * The emitted file includes the text of src/kernels.h, so that nvcc does not see that header; the
 * translation's rule names it. With -MP each header has an empty rule after the first, "src/a.h
 * :". */
#include "translator/driver/nvcc_depfile.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "translator/base/file.h"
#include "translator/base/text.h"

struct words { /* quoted as for make */
  const char **items;
  unsigned count, capacity;
};

struct rules {
  struct arena *arena;
  const struct nvcc_depfile *wanted;
  const char *target; /* of the first rule, without its colon */
  struct words names; /* the words after the target, each once */
  bool phony;         /* empty rules follow */
};

/* The length of a word. Blanks after a backslash are part of a name. */
static size_t word_length(const char *text)
{
  size_t length = 0;
  while (text[length] && !strchr(" \t\n", text[length]))
    length += text[length] == '\\' && text[length + 1] && text[length + 1] != '\n' ? 2 : 1;
  return length;
}

static void add_name(struct rules *r, const char *word)
{
  size_t own = strlen(r->wanted->runtime);
  if (!strncmp(word, r->wanted->runtime, own) && word[own] == '/') return;
  if (!strcmp(word, r->wanted->emitted)) word = r->wanted->input;
  for (unsigned i = 0; i < r->names.count; i++)
    if (!strcmp(r->names.items[i], word)) return;
  *ARENA_PUSH(r->arena, &r->names) = word;
}

/* Reads the words after the colon of the first rule. */
static const char *read_names(struct rules *r, const char *text)
{
  while (*text && *text != '\n') {
    size_t length = word_length(text);
    if (text[0] == '\\' && text[1] == '\n')
      text += 2;
    else if (length)
      add_name(r, arena_copy(r->arena, text, length)), text += length;
    else
      text++;
  }
  return text;
}

/* Reads the target. nvcc writes "a.o : b.cu", mesicc "a.o: b.cu". */
static const char *read_target(struct rules *r, const char *text)
{
  const char *colon = strstr(text, ": "), *end = text + strcspn(text, "\n");
  if (!colon || colon > end) return text;
  size_t length = (size_t)(colon - text);
  while (length && text[length - 1] == ' ') length--;
  if (!r->target) r->target = arena_copy(r->arena, text, length);
  return colon + 2;
}

static void read_rules(struct rules *r, const char *text)
{
  text = read_names(r, read_target(r, text));
  while (*text == '\n') text++;
  r->phony |= *text != '\0';
}

static void print_rules(const struct rules *r, struct text *out)
{
  text_format(out, "%s :", r->target ? r->target : "");
  for (unsigned i = 0; i < r->names.count; i++)
    text_format(out, "%s%s", i ? " \\\n    " : " ", r->names.items[i]);
  text_add(out, "\n");
  for (unsigned i = 0; r->phony && i < r->names.count; i++)
    if (strcmp(r->names.items[i], r->wanted->input))
      text_format(out, "\n%s :\n", r->names.items[i]);
}

int nvcc_depfile_rename(struct arena *arena, const struct nvcc_depfile *wanted)
{
  const char *text, *own;
  size_t length;
  struct text out = {0};
  struct rules rules = {.arena = arena, .wanted = wanted};
  if (file_read(arena, wanted->path, &text, &length) != FILE_OK) return errno = ENOENT, -1;
  read_rules(&rules, text);
  bool phony = rules.phony;
  if (file_read(arena, wanted->dependencies, &own, &length) == FILE_OK) read_rules(&rules, own);
  rules.phony = phony;
  print_rules(&rules, &out);
  int result = file_write(wanted->path, text_string(&out), out.length);
  text_finish(&out);
  return result;
}
