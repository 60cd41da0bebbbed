/* verbs.c - blas2: matrix-vector products and reductions that use them.
 *
 *     blas2 check    random shapes, strides and increments against Debian's reference BLAS
 *     blas2 bench    bytes of the matrix a second over n
 *     blas2 edges    sides that are no multiples of a block: in one kernel, and apart in a second stream
 */
#include <string.h>

#include "blas2.h"
#include "commands.h"
#include "words.h"

static const struct verb { const char *name; int (*run)(int argc, char **argv); } verbs[] = {
  { "check", command_check }, { "bench", command_bench }, { "edges", command_edges },
};

int blas2_command(int argc, char **argv)
{
  for (unsigned i = 0; argc > 1 && i < sizeof verbs / sizeof *verbs; i++)
    if (!strcmp(argv[1], verbs[i].name))
      return verbs[i].run(argc - 2, argv + 2);
  words_usage(argc > 1);
  return argc > 1;
}
