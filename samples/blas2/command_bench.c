/* command_bench.c - how fast: products over n; edges apart or not. */
#include <math.h>
#include <stdio.h>

#include "commands.h"
#include "product.h"
#include "words.h"

static void run_once(void *context)
{
  product_run(context);
}

/* Milliseconds of a product with m x n elements; not a number: no memory. */
static double milliseconds(char kind, int symmetric, int m, int n, int lda, int repeats)
{
  struct product product = { .symmetric = symmetric, .m = m, .n = n, .lda = lda, .incx = 1, .incy = 1, .kind = kind, .alpha = 1, .beta = 0 };
  uint64_t random = random_seed(1);
  double time = product_fill(&random, &product) ? NAN : blas2_time(run_once, &product, repeats);

  product_release(&product);
  return time;
}

/* Bytes of the matrix a second; a symmetric one's stored half counts. */
static double rate(char kind, int symmetric, int n, int repeats)
{
  return (double)n * n * sizeof(real) / (symmetric ? 2 : 1) / milliseconds(kind, symmetric, n, n, n, repeats) * 1e-6;
}

static const char *type_name(void)
{
  return sizeof(real) == sizeof(float) ? "float" : "double";
}

int command_bench(int argc, char **argv)
{
  static const char *const known[] = { "--largest", "--repeats", "--edges=rule|whole|apart", NULL };
  int largest = (int)words_number(argc, argv, "--largest", 16384), repeats = (int)words_number(argc, argv, "--repeats", 11);

  if (!words_known(argc, argv, known))
    return 1;
  words_edges(argc, argv);
  printf("%s, %s: GB/s of the matrix (symv: of its stored half)\n%7s %9s %9s %9s %9s\n", blas2_device(), type_name(), "n", "gemv N", "gemv T",
         "symv U", "symv L");
  for (int n = 128; n <= largest; n *= 2) {
    printf("%7d %9.1f %9.1f %9.1f %9.1f\n", n, rate('N', 0, n, repeats), rate('T', 0, n, repeats), rate('U', 1, n, repeats),
           rate('L', 1, n, repeats));
    fflush(stdout);
  }
  return 0;
}

static double with_edges(enum blas2_edges edges, char kind, int n, int lda, int repeats)
{
  blas2_set_edges(edges);
  double time = milliseconds(kind, 0, n, n, lda, repeats);
  blas2_set_edges(BLAS2_BY_RULE);
  return time;
}

/* n one more than a multiple of the block, columns that begin at multiples of 16 bytes or of one element. */
int command_edges(int argc, char **argv)
{
  static const char *const known[] = { "--largest", "--repeats", NULL };
  int largest = (int)words_number(argc, argv, "--largest", 16384), repeats = (int)words_number(argc, argv, "--repeats", 11);

  if (!words_known(argc, argv, known))
    return 1;
  printf("%s, %s: milliseconds in one kernel, apart, by rule\n%7s %7s  %-29s  %s\n", blas2_device(), type_name(), "n", "lda", "gemv N", "gemv T");
  for (int n = 257; n <= largest + 1; n = 2 * n - 1)
    for (int lda = n + 3; lda >= n; lda -= 3) {
      printf("%7d %7d", n, lda);
      for (int t = 0; t < 2; t++)
        printf("  %9.4f %9.4f %9.4f", with_edges(BLAS2_WHOLE, "NT"[t], n, lda, repeats), with_edges(BLAS2_APART, "NT"[t], n, lda, repeats),
               with_edges(BLAS2_BY_RULE, "NT"[t], n, lda, repeats));
      printf("\n");
      fflush(stdout);
    }
  return 0;
}
