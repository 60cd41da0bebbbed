/* words.c - the options of a verb by glibc's argp, and the usage. */
#include "words.h"

#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "blas2.h"

static const char usage[] =
    "blas2 check [--random N] [--seed S] [--largest N] [--edges whole|apart]\n"
    "            [--symv rule|once|twice|atomic]\n"
    "blas2 bench [--largest N] [--repeats N] [--edges whole|apart] "
    "[--symv rule|once|twice|atomic]\n"
    "            [--products NTUL] [--cublas LIBRARY] [--magma LIBRARY] [--step N]\n"
    "            [--shape square|tall|wide]\n"
    "blas2 edges [--largest N] [--repeats N]\n"
    "blas2 hessenberg|bidiagonal|tridiagonal check [--random N] [--seed S] [--largest N]\n"
    "            [--panels rule|one|launches]\n"
    "blas2 hessenberg|bidiagonal|tridiagonal bench [--smallest N] [--largest N] [--repeats N]\n"
    "            [--panels rule|one|launches] [--cublas LIBRARY] [--cusolver LIBRARY]\n"
    "blas2 all [--random N] [--seed S] [--largest N]\n";

enum { MOST = 16, HELP = 256, FIRST_KEY /* no character: there are no short options */ };

static struct argp_option options[MOST + 2]; /* --help and an empty one behind them */
static const char *choices[MOST];            /* behind "=" of a known word; NULL: a number */
static const char *values[MOST];             /* NULL: not given */

void words_usage(int is_error) { fputs(usage, is_error ? stderr : stdout); }

const char *words_value(const char *name, const char *other)
{
  for (unsigned i = 0; options[i].name; i++)
    if (!strcmp(options[i].name, name + 2) && values[i]) return values[i];
  return other;
}

long words_number(const char *name, long other)
{
  const char *value = words_value(name, NULL);

  return value ? strtol(value, NULL, 10) : other;
}

void words_edges(void)
{
  const char *value = words_value("--edges", "whole");

  blas2_set_edges(*value == 'a' ? BLAS2_APART : BLAS2_WHOLE);
}

enum blas2_symv_way words_symv(void)
{
  const char *value = words_value("--symv", "rule");
  enum blas2_symv_way way = *value == 'o'   ? BLAS2_SYMV_ONCE
                            : *value == 't' ? BLAS2_SYMV_TWICE
                            : *value == 'a' ? BLAS2_SYMV_ATOMIC
                                            : BLAS2_SYMV_BY_RULE;

  blas2_set_symv(way);
  return way;
}

enum blas2_panels words_panels(void)
{
  const char *value = words_value("--panels", "rule");

  return *value == 'o'   ? BLAS2_PANELS_IN_ONE
         : *value == 'l' ? BLAS2_PANELS_BY_LAUNCHES
                         : BLAS2_PANELS_BY_RULE;
}

/* One of "whole|apart"; of "" each is. */
static int is_choice(const char *list, const char *value)
{
  size_t length = strlen(value);

  if (!*list) return 1;
  for (const char *at = list; length && (at = strstr(at, value)); at += length)
    if ((at == list || at[-1] == '|') && (at[length] == '|' || !at[length])) return 1;
  return 0;
}

static int is_number(const char *value)
{
  char *end;
  long number = strtol(value, &end, 10);

  return end != value && !*end && number >= 1 && number <= 1000000000;
}

static error_t take(int key, char *value, struct argp_state *state)
{
  unsigned i = (unsigned)key - FIRST_KEY;

  if (key == HELP) {
    words_usage(0);
    exit(0);
  }
  if (key == ARGP_KEY_ARG) argp_error(state, "'%s' is not understood", value);
  if (key == ARGP_KEY_ARG) return EINVAL;
  if (key < FIRST_KEY || i >= MOST) return ARGP_ERR_UNKNOWN;
  values[i] = value;
  if (choices[i] ? is_choice(choices[i], value) : is_number(value)) return 0;
  argp_error(state, "'--%s %s' is not understood", options[i].name, value);
  return EINVAL;
}

/* "--n", "--edges=whole|apart" */
static void add_option(unsigned i, const char *known)
{
  size_t length = strcspn(known, "=");

  options[i] = (struct argp_option){/* for as long as the program runs */
                                    .name = strndup(known + 2, length - 2),
                                    .key = FIRST_KEY + (int)i,
                                    .arg = "VALUE"};
  choices[i] = known[length] ? known + length + 1 : NULL;
  values[i] = NULL;
}

void words_read(int argc, char **argv, const char *const *known)
{
  struct argp argp = {.options = options, .parser = take};
  char program[] = "blas2", **words = calloc((size_t)argc + 2, sizeof *words);
  unsigned count = 0;

  for (; known[count] && count < MOST; count++) add_option(count, known[count]);
  options[count] = (struct argp_option){.name = "help", .key = HELP};
  options[count + 1] = (struct argp_option){0};
  if (!words) exit(1);
  words[0] = program;
  for (int i = 0; i < argc; i++) words[i + 1] = argv[i];
  if (argp_parse(&argp, argc + 1, words, ARGP_NO_EXIT | ARGP_NO_HELP, NULL, NULL)) {
    words_usage(1);
    exit(1);
  }
  free(words);
}
