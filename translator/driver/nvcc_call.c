/* SPDX-License-Identifier: MIT */
/* nvcc_call.c - reads a command line of nvcc.
 *
 *     nvcc -O3 -Iinc -Rmesi -c src/a.cu -o a.o
 *     =>  words  -O3 -Iinc -c src/a.cu -o a.o      own  -Rmesi
 *         wanted -Iinc                             inputs  src/a.cu, word 3
 *
 * The words in options files, NVCC_PREPEND_FLAGS and NVCC_APPEND_FLAGS are read for their meaning;
 * nvcc reads them itself. */
#include "translator/driver/nvcc_call.h"

#include <stdlib.h>
#include <string.h>

#include "translator/base/file.h"
#include "translator/driver/option_reader.h"
#include "translator/driver/option_table.h"

struct scan {
  struct arena *arena;
  struct nvcc_call *call;
  const struct string_list *words;
  unsigned at;
  bool counts_only;                 /* only inputs: the words of the command line itself */
  bool any_language;                /* -x cu */
  bool phase;                       /* -c or another phase */
  LIST_OF(struct nvcc_input) names; /* words that are neither an option nor a value */
};

static bool ends_with(const char *text, const char *end)
{
  size_t length = strlen(text), wanted = strlen(end);
  return length > wanted && !strcmp(text + length - wanted, end);
}

static bool is_linked(const char *path)
{
  static const char *const endings[] = {".o", ".obj", ".a", ".so", ".res", ".ptx", ".cubin"};
  for (unsigned i = 0; i < sizeof endings / sizeof *endings; i++)
    if (ends_with(path, endings[i])) return true;
  return strstr(file_name(path), ".so.") != NULL;
}

static void keep(struct scan *s, const char *why, const char *word)
{
  if (!s->call->kept) s->call->kept = arena_format(s->arena, "'%s' %s", word, why);
}

static void want(struct scan *s, const struct option_row *row, const char *value)
{
  *ARENA_PUSH(s->arena, &s->call->wanted) = row->spellings[0];
  if (value) *ARENA_PUSH(s->arena, &s->call->wanted) = value;
}

/* Reads phases that make an object or a program. */
static void read_phase(struct scan *s, const struct option_row *row, const char *word)
{
  static const char *const compiling[] = {"--compile", "--device-c", "--device-w"};
  s->phase = true;
  for (unsigned i = 0; i < sizeof compiling / sizeof *compiling; i++)
    if (!strcmp(row->spellings[0], compiling[i])) return;
  keep(s, "makes no object", word);
}

static void read_forwarded(struct scan *s, const struct option_row *row, const char *word)
{
  if (row->form == PHASE) read_phase(s, row, word);
  if (!strcmp(row->spellings[0], "--device-debug")) keep(s, "is for the kernels as written", word);
  if (!strcmp(row->spellings[0], "--fdevice-syntax-only")) keep(s, "makes no object", word);
}

/* nvcc handles options that mesicc refuses; some of them keep sources from being translated. */
static void read_refused(struct scan *s, const struct option_row *row, const char *word)
{
  bool archive = !strcmp(row->spellings[0], "--lib");
  if (archive) s->phase = true;
  if (!archive && strcmp(row->spellings[0], "--run")) keep(s, "makes no object", word);
}

static void read_language(struct scan *s, const char *value)
{
  s->any_language = !strcmp(value, "cu");
  if (!s->any_language) keep(s, "is another language", value);
}

static void read_own(struct scan *s, const struct option_row *row, const char *word,
                     const char *value)
{
  struct nvcc_call *call = s->call;
  switch (row->id) {
  case OPTION_DEFINE:
  case OPTION_UNDEFINE:
  case OPTION_INCLUDE_DIR:
  case OPTION_SYSTEM_DIR:
  case OPTION_QUOTE_DIR:
  case OPTION_INCLUDE_FILE:
  case OPTION_STANDARD:
  case OPTION_ARCH:
  case OPTION_CODE:
  case OPTION_GENCODE:
  case OPTION_XCOMPILER:
  case OPTION_FAST_MATH: want(s, row, value); break;
  case OPTION_DEFAULT_STREAM: want(s, row, value); break;
  case OPTION_DEP_MD: call->depfile = true; break;
  case OPTION_DEP_MF: call->dep_file = value; break;
  case OPTION_OUTPUT: call->output = value; break;
  case OPTION_OUTPUT_DIR: call->output_dir = value; break;
  case OPTION_LANGUAGE: read_language(s, value); break;
  case OPTION_DEPENDENCIES:
  case OPTION_HELP:
  case OPTION_VERSION: keep(s, "makes no object", word); break;
  default: break;
  }
}

/* Does the next word belong to the option? -Werror has a value where one of nvcc's kinds follows
 * it. */
static bool takes_next(const struct option_row *row, const char *next)
{
  if (!option_has_value(row)) return false;
  return strcmp(row->spellings[0], "--Werror") ||
         (next && *next != '-' && !next[strspn(next, "abcdefghijklmnopqrstuvwxyz-,")]);
}

static void read_word(struct scan *s)
{
  unsigned at = s->at++;
  const char *word = s->words->items[at], *value;
  const char *next = s->at < s->words->count ? s->words->items[s->at] : NULL;
  if (word[0] != '-' || !word[1]) {
    if (word[0] != '@') *ARENA_PUSH(s->arena, &s->names) = (struct nvcc_input){word, at};
    return;
  }
  const struct option_row *row = option_find(word, &value);
  if (!row) return;
  if (!value && takes_next(row, next)) value = next, s->at++;
  if (s->counts_only && row->id != OPTION_LANGUAGE) return;
  if (option_has_value(row) && !value) return;
  if (row->fate == FATE_OWN) read_own(s, row, word, value);
  if (row->fate == FATE_FORWARDED) read_forwarded(s, row, word);
  if (row->fate == FATE_REFUSED) read_refused(s, row, word);
}

static void scan_words(struct scan *s)
{
  while (s->at < s->words->count) read_word(s);
}

static bool is_input(const struct scan *s, const char *name)
{
  return ends_with(name, ".cu") || (s->any_language && !is_linked(name));
}

/* ---- the compiler, mesicc's own options ---- */

/* The compiler, where CMAKE_CUDA_COMPILER_LAUNCHER puts it after `mesicc nvcc`. */
static const char *compiler_of(struct arena *arena, struct nvcc_call *call, const char *word)
{
  const char *name = file_name(word);
  if (*word == '-' || *word == '@') return NULL;
  if (!strncmp(name, "nvcc", 4) && !ends_with(name, ".cu")) return word;
  if (strchr(name, '.')) return NULL;
  call->kept = arena_format(arena, "'%s' is not nvcc", word);
  return word;
}

static bool is_remarks(const char *word)
{
  return !strcmp(word, "-Rmesi") || !strncmp(word, "-Rmesi=", 7);
}

static void add_environment(struct arena *arena, const char *name, struct string_list *words)
{
  const char *text = getenv(name);
  for (size_t length; text && *text; text += length) {
    text += strspn(text, " \t\n");
    length = strcspn(text, " \t\n");
    if (length) *ARENA_PUSH(arena, words) = arena_copy(arena, text, length);
  }
}

/* Expands options files: all words, in order. */
static int expand(struct arena *arena, const struct nvcc_call *call, struct string_list *ret)
{
  FILE *nowhere = fopen("/dev/null", "w");
  if (!nowhere) return -1;
  struct diag diag = {.out = nowhere};
  struct options unused = {0};
  struct reader r = {.arena = arena, .diag = &diag, .options = &unused};
  add_environment(arena, "NVCC_PREPEND_FLAGS", &r.words);
  struct string_list mutable = call->words;
  int status = option_expand(&r, (int)mutable.count, (char **)(void *)mutable.items);
  add_environment(arena, "NVCC_APPEND_FLAGS", &r.words);
  fclose(nowhere);
  *ret = r.words;
  return status;
}

/* Finds the inputs. Inputs in an options file cannot be replaced. */
static void find_inputs(struct arena *arena, struct nvcc_call *call, const struct scan *all)
{
  struct scan top = {.arena = arena, .call = call, .words = &call->words, .counts_only = true};
  unsigned wanted = 0;
  scan_words(&top);
  top.any_language = all->any_language;
  for (unsigned i = 0; i < all->names.count; i++) wanted += is_input(all, all->names.items[i].path);
  for (unsigned i = 0; i < top.names.count; i++)
    if (is_input(&top, top.names.items[i].path))
      *ARENA_PUSH(arena, &call->inputs) = top.names.items[i];
  if (call->inputs.count != wanted && !call->kept)
    call->kept = "the names of its sources stand in an options file";
}

void nvcc_call_read(struct arena *arena, int argc, char **argv, struct nvcc_call *ret)
{
  *ret = (struct nvcc_call){0};
  int at = 0;
  if (argc) ret->compiler = compiler_of(arena, ret, argv[0]), at = ret->compiler != NULL;
  for (; at < argc; at++)
    *ARENA_PUSH(arena, is_remarks(argv[at]) ? &ret->own : &ret->words) = argv[at];
  struct string_list words = {0};
  struct scan all = {.arena = arena, .call = ret, .words = &words};
  if (expand(arena, ret, &words)) {
    ret->kept = "an options file cannot be read";
    return;
  }
  scan_words(&all);
  ret->links = !all.phase;
  find_inputs(arena, ret, &all);
}

static const char *stem(struct arena *arena, const char *path)
{
  const char *dot = strrchr(file_name(path), '.');
  return dot ? arena_copy(arena, path, (size_t)(dot - path)) : path;
}

const char *nvcc_call_depfile(struct arena *arena, const struct nvcc_call *call, const char *input)
{
  if (!call->depfile || call->dep_file) return call->depfile ? call->dep_file : NULL;
  if (call->output) return arena_format(arena, "%s.d", stem(arena, call->output));
  const char *name = stem(arena, file_name(input));
  return call->output_dir ? arena_format(arena, "%s/%s.d", call->output_dir, name)
                          : arena_format(arena, "%s.d", name);
}
