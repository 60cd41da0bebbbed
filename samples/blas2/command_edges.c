/* command_edges.c - sides that are no multiples of a block: in one kernel, and apart in a second
 * stream. */
#include <math.h>
#include <stdio.h>

#include "commands.h"
#include "product.h"
#include "words.h"

static void run_once(void *context) { product_run(context); }

/* Milliseconds of a product with n x n elements; not a number: no memory. */
static double with_edges(enum blas2_edges edges, char kind, int n, int lda, int repeats)
{
  struct product product = {
      .m = n, .n = n, .lda = lda, .incx = 1, .incy = 1, .kind = kind, .alpha = 1, .beta = 0};
  uint64_t random = random_seed(1);

  blas2_set_edges(edges);
  double time = product_fill(&random, &product) ? NAN : blas2_time(run_once, &product, repeats);
  blas2_set_edges(BLAS2_WHOLE);
  product_release(&product);
  return time;
}

/* n one more than a multiple of the block, columns that begin at multiples of 16 bytes or of one
 * element. */
int command_edges(int argc, char **argv)
{
  static const char *const known[] = {"--largest", "--repeats", NULL};

  words_read(argc, argv, known);
  int largest = (int)words_number("--largest", 16384), repeats = (int)words_number("--repeats", 11);

  printf("%s, %s: milliseconds in one kernel, apart\n%7s %7s  %-19s  %s\n", blas2_device(),
         sizeof(real) == sizeof(float) ? "float" : "double", "n", "lda", "gemv N", "gemv T");
  for (int n = 257; n <= largest + 1; n = 2 * n - 1)
    for (int lda = n + 3; lda >= n; lda -= 3) {
      printf("%7d %7d", n, lda);
      for (int t = 0; t < 2; t++)
        printf("  %9.4f %9.4f", with_edges(BLAS2_WHOLE, "NT"[t], n, lda, repeats),
               with_edges(BLAS2_APART, "NT"[t], n, lda, repeats));
      printf("\n");
      fflush(stdout);
    }
  return 0;
}
