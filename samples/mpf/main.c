/* main.c - mpf: marginalizes products of functions.
 *
 *     mpf solve net.uai [options]   the partition function of a network, and posteriors
 *     mpf bench [options]           random buckets on the device and on the CPU
 *     mpf bench net.uai...          the buckets of networks
 *     mpf sweep [options]           the cache's size and pages, unrolling, overheads
 *     mpf core [options]            one core beside a BLAS
 *     mpf check [options]           small cases against the definition
 */
#include <malloc.h>
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "words.h"

static const char usage[] =
    "mpf solve FILE [--evidence FILE] [--log | --linear] [--order minfill|weighted|edges|random:N] "
    "[--seed N] [--memory BYTES]\n"
    "               [--threshold FLOP] [--marginals] [--by tree|buckets] [--branches N] [--ahead "
    "N] "
    "[--single] [--quiet]\n"
    "mpf bench [--random N] [--summed N] [--seed S] [--log | --linear] [--min-flop X] [--max-flop "
    "X] [--memory "
    "BYTES] [--pages N]\n"
    "          [--repeats N] [--list FILE] [--plot PREFIX] [--no-cpu] [--turns FILE] [--share "
    "I/N]\n"
    "mpf bench FILE... [--log | --linear] [--tries N] [--seed S] [--memory BYTES] "
    "[--threshold FLOP] [--repeats N]\n"
    "mpf sweep [--seed S] [--log | --linear] [--max-flop X] [--pages N] [--repeats N] [--copy "
    "BYTES] [--turns FILE]\n"
    "mpf core [--sizes LIST] [--library NAME] [--repeats N]\n"
    "mpf check [--random N] [--summed N] [--seed S] [--max-flop X] [--keep]\n"
    "\n"
    "FILE is a network in UAI or BIF format, gzipped or not. Numbers may end in K, M or G.\n";

/* Memory of a bucket is kept for the next one: to get pages from the system takes longer than many
 * a bucket. */
static void keep_memory(void)
{
#ifdef M_MMAP_THRESHOLD
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 256 << 20);
#endif
}

int main(int argc, char **argv)
{
  keep_memory();
  mpf_words_begin("mpf", usage);
  if (argc > 1 && !strcmp(argv[1], "solve")) return mpf_command_solve(argc - 2, argv + 2);
  if (argc > 1 && !strcmp(argv[1], "bench")) return mpf_command_bench(argc - 2, argv + 2);
  if (argc > 1 && !strcmp(argv[1], "sweep")) return mpf_command_sweep(argc - 2, argv + 2);
  if (argc > 1 && !strcmp(argv[1], "core")) return mpf_command_core(argc - 2, argv + 2);
  if (argc > 1 && !strcmp(argv[1], "check")) return mpf_command_check(argc - 2, argv + 2);
  fputs(usage, argc > 1 ? stderr : stdout);
  return argc > 1;
}
