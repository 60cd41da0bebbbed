/* main.c - mpf: marginalizes products of functions.
 *
 *     mpf solve net.uai [options]   the partition function of a network, and posteriors
 *     mpf bench [options]           random buckets on the device and on the CPU
 *     mpf check [options]           small cases against the definition
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"

static const char usage[] =
    "mpf solve FILE [--evidence FILE] [--log | --linear] [--order minfill|weighted|random:N] [--seed N] [--memory BYTES]\n"
    "               [--threshold FLOP] [--marginals] [--quiet]\n"
    "mpf bench [--random N] [--seed S] [--log | --linear] [--min-flop X] [--max-flop X] [--memory BYTES] [--pages N]\n"
    "          [--repeats N] [--list FILE] [--plot PREFIX] [--no-cpu]\n"
    "mpf check [--random N] [--seed S] [--max-flop X] [--keep]\n"
    "\n"
    "FILE is a network in UAI or BIF format, gzipped or not. Numbers may end in K, M or G.\n";

const char *mpf_option(int argc, char **argv, const char *name)
{
  for (int i = 0; i + 1 < argc; i++)
    if (!strcmp(argv[i], name))
      return argv[i + 1];
  return NULL;
}

int mpf_flag(int argc, char **argv, const char *name)
{
  for (int i = 0; i < argc; i++)
    if (!strcmp(argv[i], name))
      return 1;
  return 0;
}

double mpf_number(int argc, char **argv, const char *name, double other)
{
  const char *text = mpf_option(argc, argv, name);
  char *end;

  if (!text)
    return other;
  double value = strtod(text, &end);
  const char *suffix = *end ? strchr("KMG", *end) : NULL;
  if (end != text && suffix) {
    value *= *end == 'K' ? 1e3 : *end == 'M' ? 1e6 : 1e9;
    end++;
  }
  if (end == text || *end || !(value >= 0)) {
    fprintf(stderr, "mpf: '%s' of %s is no number\n", text, name);
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
      fprintf(stderr, "mpf: %s needs a value\n", argv[i]);
      exit(1);
    }
    if (!words && (argv[i][0] == '-' || other)) {
      fprintf(stderr, "mpf: unknown word '%s'\n%s", argv[i], usage);
      exit(1);
    }
    other = words ? other : argv[i];
    i += words ? words : 1;
  }
  return other;
}

int main(int argc, char **argv)
{
  if (argc > 1 && !strcmp(argv[1], "solve"))
    return mpf_command_solve(argc - 2, argv + 2);
  if (argc > 1 && !strcmp(argv[1], "bench"))
    return mpf_command_bench(argc - 2, argv + 2);
  if (argc > 1 && !strcmp(argv[1], "check"))
    return mpf_command_check(argc - 2, argv + 2);
  fputs(usage, argc > 1 ? stderr : stdout);
  return argc > 1;
}
