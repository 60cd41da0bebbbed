/* SPDX-License-Identifier: MIT */
/* option_messages.c - options about messages: their form, and -W words.
 *
 * A -W word is for clang, which parses the source, and for the host's compiler, which gets the
 * emitted file with -c; -Wmesi, -Wno-mesi-KIND and their like are for mesicc alone. */
#include <string.h>

#include "translator/driver/messages.h"
#include "translator/driver/option_reader.h"

int option_message_form(struct reader *r, const char *value)
{
  return messages_is_form(value)
             ? 0
             : option_refuse(r, "'-fdiagnostics-format=%s' is none of text, json, sarif", value);
}

bool option_is_error_kind(const char *list)
{
  static const char *const kinds[] = {"all-warnings",
                                      "cross-execution-space-call",
                                      "default-stream-launch",
                                      "deprecated-declarations",
                                      "ext-lambda-captures-this",
                                      "missing-launch-bounds",
                                      "reorder"};
  while (list) {
    size_t length = strcspn(list, ",");
    bool known = false;
    for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++)
      known |= strlen(kinds[i]) == length && !strncmp(list, kinds[i], length);
    if (!known) return false;
    if (!list[length]) return true;
    list += length + 1;
  }
  return false;
}

static bool is_word(const char *text, const char *word, size_t length)
{
  return text && strlen(text) == length && !strncmp(text, word, length);
}

static bool is_remark_kind(const char *word, size_t length)
{
  for (int id = 0; id < DIAG_COUNT; id++) {
    const char *kind = diag_severity_of(id) == DIAG_REMARK ? diag_kind_of(id) : NULL;
    const char *earlier = kind ? diag_earlier_kind(kind) : NULL;
    if (is_word(kind, word, length) || is_word(earlier, word, length)) return true;
  }
  return false;
}

/* stage, promote, ...: each once, in the order of their codes */
static const char *remark_kinds(struct arena *arena)
{
  const char *list = "";
  for (int id = 0; id < DIAG_COUNT; id++) {
    const char *kind = diag_severity_of(id) == DIAG_REMARK ? diag_kind_of(id) : NULL;
    bool first = kind != NULL;
    for (int other = 0; other < id && first; other++)
      first = diag_severity_of(other) != DIAG_REMARK || !diag_kind_of(other) ||
              strcmp(diag_kind_of(other), kind) != 0;
    if (first) list = arena_format(arena, "%s%s%s", list, *list ? ", " : "", kind);
  }
  return list;
}

int option_remark_kinds(struct reader *r, const char *list)
{
  for (const char *word = list;; word++) {
    size_t length = strcspn(word, ",");
    if (!is_remark_kind(word, length))
      return option_refuse(r, "%s",
                           arena_format(r->arena, "'-Rmesi=%.*s': the kinds are %s", (int)length,
                                        word, remark_kinds(r->arena)));
    word += length;
    if (!*word) return 0;
  }
}

/* Is the word -Wmesi..., -Wno-mesi..., -Werror=mesi... one that exists? */
static bool is_about_mesi(const char *word)
{
  const char *name = word + 2;
  if (!strncmp(name, "no-", 3)) name += 3;
  if (!strncmp(name, "error=", 6)) name += 6;
  return !strncmp(name, "mesi", 4);
}

int option_warning(struct reader *r, const char *word)
{
  option_push(r, &r->options->warning_words, word);
  if (!is_about_mesi(word)) {
    option_host_args(r, arena_format(r->arena, "%s", word));
    return 0;
  }
  if (diag_is_own_word(word)) return 0;
  return option_refuse(r,
                       "'%s': mesicc's own warnings are -Wmesi-bounds, -Wmesi-block, "
                       "-Wmesi-unread and -Wmesi-zero",
                       word);
}
