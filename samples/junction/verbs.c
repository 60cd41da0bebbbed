/* verbs.c - junction: the node-level primitives of exact inference.
 *
 *     junction bench [options]   the paper's sweep: one computation kernel on the device and on the
 *         CPU
 *     junction figures [options] the paper's figures 3 to 5, with versions by hand
 *     junction check [options]   small cases against double precision, and junction trees
 */
#include "verbs.h"

#include <stdio.h>
#include <string.h>

#include "words.h"

static const char usage[] =
    "junction bench [--widths LIST] [--states LIST] [--separators LIST] [--children LIST] [--all] "
    "[--log] [--memory BYTES]\n"
    "               [--repeats N] [--fan-in N] [--seed S]\n"
    "junction figures [--figure 3|4|5] [--width W] [--entries N] [--repeats N]\n"
    "junction check [--random N] [--seed S] [--keep]\n"
    "\n"
    "A LIST is numbers with commas, as in 15,20,25. Other numbers may end in K, M or G.\n";

int junction_command(int argc, char **argv)
{
  mpf_words_begin("junction", usage);
  if (argc > 1 && !strcmp(argv[1], "bench")) return junction_bench(argc - 2, argv + 2);
  if (argc > 1 && !strcmp(argv[1], "figures")) return junction_figures(argc - 2, argv + 2);
  if (argc > 1 && !strcmp(argv[1], "check")) return junction_check(argc - 2, argv + 2);
  fputs(usage, argc > 1 ? stderr : stdout);
  return argc > 1;
}
