/* verbs.c - blas2: matrix-vector products and reductions that use them.
 *
 *     blas2 check    random shapes, strides and increments against Debian's reference BLAS
 *     blas2 bench    bytes of the matrix a second over n
 *     blas2 edges    sides that are no multiples of a block: in one kernel,
 *         and apart in a second stream
 *     blas2 hessenberg | bidiagonal | tridiagonal
 *           check    random matrices: residual, orthogonality,
 *               eigenvalues or singular values against Debian's LAPACK
 *           bench    times over n
 *     blas2 all      every check
 */
#include <stddef.h>
#include <string.h>

#include "blas2.h"
#include "commands.h"
#include "words.h"

static int command_all(int argc, char **argv)
{
  static int (*const reductions[])(int, char **) = {command_hessenberg, command_bidiagonal,
                                                    command_tridiagonal};
  char check[] = "check", *words[] = {check, NULL};
  int status = command_check(argc, argv);

  for (unsigned i = 0; i < sizeof reductions / sizeof *reductions && status == 0; i++)
    status = reductions[i](1, words);
  return status;
}

static const struct verb {
  const char *name;
  int (*run)(int argc, char **argv);
} verbs[] = {
    {"check", command_check},
    {"bench", command_bench},
    {"edges", command_edges},
    {"hessenberg", command_hessenberg},
    {"bidiagonal", command_bidiagonal},
    {"tridiagonal", command_tridiagonal},
    {"all", command_all},
};

int blas2_command(int argc, char **argv)
{
  for (unsigned i = 0; argc > 1 && i < sizeof verbs / sizeof *verbs; i++)
    if (!strcmp(argv[1], verbs[i].name)) return verbs[i].run(argc - 2, argv + 2);
  words_usage(argc > 1);
  return argc > 1;
}
