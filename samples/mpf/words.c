/* words.c - the words of a command line, by glibc's argp: --name VALUE, --name=VALUE, names cut
 * short. */
#include "words.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 24, FIRST_KEY = 256 /* no character: there are no short options */ };

static const char *program_name = "", *program_usage = "";
static struct argp_option options[MOST + 1]; /* ends with an empty one */
static const char *values[MOST];             /* "" of a flag; NULL: not given */
static const char **others;                  /* words that are no options; the caller's */
static unsigned other_count, other_most;

void mpf_words_begin(const char *program, const char *usage)
{
  program_name = program;
  program_usage = usage;
}

const char *mpf_option(const char *name)
{
  for (unsigned i = 0; options[i].name; i++)
    if (!strcmp(options[i].name, name + 2)) return values[i];
  return NULL;
}

int mpf_flag(const char *name) { return mpf_option(name) != NULL; }

double mpf_number(const char *name, double otherwise)
{
  const char *text = mpf_option(name);
  char *end;

  if (!text) return otherwise;
  double value = strtod(text, &end);
  const char *suffix = *end ? strchr("KMG", *end) : NULL;
  if (end != text && suffix) {
    value *= *end == 'K' ? 1e3 : *end == 'M' ? 1e6 : 1e9;
    end++;
  }
  if (end == text || *end || !(value >= 0)) {
    fprintf(stderr, "%s: '%s' of %s is no number\n", program_name, text, name);
    exit(1);
  }
  return value;
}

static error_t take(int key, char *value, struct argp_state *state)
{
  if (key == ARGP_KEY_ARG && other_count == other_most)
    argp_error(state, "unknown word '%s'", value);
  if (key == ARGP_KEY_ARG) others[other_count++] = value;
  if (key >= FIRST_KEY && key < FIRST_KEY + MOST) values[key - FIRST_KEY] = value ? value : "";
  return key == ARGP_KEY_ARG || (key >= FIRST_KEY && key < FIRST_KEY + MOST) ? 0 : ARGP_ERR_UNKNOWN;
}

/* "--name=" or "--name" */
static void add_option(unsigned number, const char *known)
{
  size_t length = strcspn(known, "=");

  free((char *)options[number].name);
  options[number] = (struct argp_option){.name = strndup(known + 2, length - 2),
                                         .key = FIRST_KEY + (int)number,
                                         .arg = known[length] ? "VALUE" : NULL};
  values[number] = NULL;
}

static void read_words(int argc, char **argv, const char *const *known)
{
  struct argp argp = {.options = options, .parser = take, .doc = program_usage};
  char **words = calloc((size_t)argc + 2, sizeof *words);
  unsigned count = 0;

  for (; known[count] && count < MOST; count++) add_option(count, known[count]);
  options[count] = (struct argp_option){0};
  other_count = 0;
  if (!words) exit(1);
  words[0] = (char *)program_name;
  memcpy(words + 1, argv, (size_t)argc * sizeof *words);
  argp_err_exit_status = 1;
  argp_parse(&argp, argc + 1, words, 0, NULL, NULL);
  free(words);
}

unsigned mpf_known_words(int argc, char **argv, const char *const *known, const char **ret_words)
{
  others = ret_words;
  other_most = (unsigned)argc;
  read_words(argc, argv, known);
  return other_count;
}

const char *mpf_known(int argc, char **argv, const char *const *known)
{
  const char *word = NULL;

  others = &word;
  other_most = 1;
  read_words(argc, argv, known);
  return word;
}
