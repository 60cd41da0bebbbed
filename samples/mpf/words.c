/* words.c - the words of a command line. */
#include "words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *program_name = "", *program_usage = "";

void mpf_words_begin(const char *program, const char *usage)
{
  program_name = program;
  program_usage = usage;
}

const char *mpf_option(int argc, char **argv, const char *name)
{
  for (int i = 0; i + 1 < argc; i++)
    if (!strcmp(argv[i], name)) return argv[i + 1];
  return NULL;
}

int mpf_flag(int argc, char **argv, const char *name)
{
  for (int i = 0; i < argc; i++)
    if (!strcmp(argv[i], name)) return 1;
  return 0;
}

double mpf_number(int argc, char **argv, const char *name, double other)
{
  const char *text = mpf_option(argc, argv, name);
  char *end;

  if (!text) return other;
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

/* Words that the option takes, 0: it is another one. */
static int words_of(const char *option, const char *word)
{
  size_t length = strlen(option);
  int valued = option[length - 1] == '=';

  return !strncmp(word, option, length - valued) && !word[length - valued] ? 1 + valued : 0;
}

const char *mpf_known(int argc, char **argv, const char *const *known)
{
  const char *other = NULL;

  for (int i = 0; i < argc;) {
    int words = 0;
    for (const char *const *option = known; *option && !words; option++)
      words = words_of(*option, argv[i]);
    if (i + words > argc) {
      fprintf(stderr, "%s: %s needs a value\n", program_name, argv[i]);
      exit(1);
    }
    if (!words && (argv[i][0] == '-' || other)) {
      fprintf(stderr, "%s: unknown word '%s'\n%s", program_name, argv[i], program_usage);
      exit(1);
    }
    other = words ? other : argv[i];
    i += words ? words : 1;
  }
  return other;
}
