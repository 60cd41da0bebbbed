/* words.c - the options of a verb, and the usage. */
#include "words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "blas2.h"

static const char usage[] =
    "blas2 check [--random N] [--seed S] [--largest N] [--edges whole|apart]\n"
    "            [--symv rule|once|twice|atomic]\n"
    "blas2 bench [--largest N] [--repeats N] [--edges whole|apart] "
    "[--symv rule|once|twice|atomic]\n"
    "            [--products NTUL] [--cublas LIBRARY] [--step N] [--shape square|tall|wide]\n"
    "blas2 edges [--largest N] [--repeats N]\n"
    "blas2 hessenberg|bidiagonal|tridiagonal check [--random N] [--seed S] [--largest N]\n"
    "blas2 hessenberg|bidiagonal|tridiagonal bench [--largest N] [--repeats N]\n"
    "            [--cublas LIBRARY] [--cusolver LIBRARY]\n"
    "blas2 all [--random N] [--seed S] [--largest N]\n";

void words_usage(int is_error) { fputs(usage, is_error ? stderr : stdout); }

const char *words_value(int argc, char **argv, const char *name, const char *other)
{
  for (int i = 0; i + 1 < argc; i += 2)
    if (!strcmp(argv[i], name)) return argv[i + 1];
  return other;
}

long words_number(int argc, char **argv, const char *name, long other)
{
  const char *value = words_value(argc, argv, name, NULL);

  return value ? strtol(value, NULL, 10) : other;
}

void words_edges(int argc, char **argv)
{
  const char *value = words_value(argc, argv, "--edges", "whole");

  blas2_set_edges(*value == 'a' ? BLAS2_APART : BLAS2_WHOLE);
}

enum blas2_symv_way words_symv(int argc, char **argv)
{
  const char *value = words_value(argc, argv, "--symv", "rule");
  enum blas2_symv_way way = *value == 'o'   ? BLAS2_SYMV_ONCE
                            : *value == 't' ? BLAS2_SYMV_TWICE
                            : *value == 'a' ? BLAS2_SYMV_ATOMIC
                                            : BLAS2_SYMV_BY_RULE;

  blas2_set_symv(way);
  return way;
}

static int is_choice(const char *choices, const char *value)
{
  size_t length = strlen(value);

  for (const char *at = choices; length && (at = strstr(at, value)); at += length)
    if ((at == choices || at[-1] == '|') && (at[length] == '|' || !at[length])) return 1;
  return 0;
}

static int is_number(const char *value)
{
  char *end;
  long number = strtol(value, &end, 10);

  return end != value && !*end && number >= 1 && number <= 1000000000;
}

static int is_known(const char *known, const char *name, const char *value)
{
  size_t length = strcspn(known, "=");

  if (strncmp(known, name, length) || name[length]) return 0;
  if (known[length] && !known[length + 1]) return 1;
  return known[length] ? is_choice(known + length + 1, value) : is_number(value);
}

int words_known(int argc, char **argv, const char *const *known)
{
  for (int i = 0; i < argc; i += 2) {
    const char *const *option = known;
    while (*option && !(i + 1 < argc && is_known(*option, argv[i], argv[i + 1]))) option++;
    if (!*option) {
      fprintf(stderr, "blas2: '%s%s%s' is not understood\n", argv[i], i + 1 < argc ? " " : "",
              i + 1 < argc ? argv[i + 1] : "");
      words_usage(1);
      return 0;
    }
  }
  return 1;
}
