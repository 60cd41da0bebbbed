/* gemv.cuh - gemv by one of three: plain kernels (products.cuh), the paper's (gemv_paper.cuh), or
 * cuBLAS. */
#include "cublas.h"
#include "products.cuh"
#include "gemv_paper.cuh"

static struct {
  enum blas2_gemv_way way;
  const struct cublas *library;
} gemv_asked;

void blas2_set_gemv(enum blas2_gemv_way way, const struct cublas *library)
{
  gemv_asked.way = way;
  gemv_asked.library = library;
}

static bool gemv_is_own(void) { return gemv_asked.way == BLAS2_GEMV_OWN; }

static int by_library(bool rows, int m, int n, const struct gemv *g)
{
  struct cublas_product product = {.kind = rows ? 'N' : 'T', .m = m, .n = n, .lda = g->lda};

  product.a = blas2_device_address(g->a);
  product.x = blas2_device_address(g->x);
  if (g->beta != 0) blas2_device_address(g->y);
  product.y = blas2_device_result(g->y) + g->first;
  return cublas_gemv(gemv_asked.library, &product, g->alpha, g->beta, g->incy);
}

static int check_gemv(char trans, int m, int n, int lda, int incx, int incy)
{
  if (trans != 'N' && trans != 'n' && trans != 'T' && trans != 't' && trans != 'C' && trans != 'c')
    return 1;
  if (m < 0) return 2;
  if (n < 0) return 3;
  if (lda < (m > 1 ? m : 1)) return 6;
  return incx == 0 ? 8 : incy == 0 ? 11 : 0;
}

int blas2_gemv(char trans, int m, int n, real alpha, const real *a, int lda, const real *x,
               int incx, real beta, real *y, int incy)
{
  int wrong = check_gemv(trans, m, n, lda, incx, incy);
  bool rows = trans == 'N' || trans == 'n';
  struct gemv g = {rows, rows ? m : n, rows ? n : m, a, x, lda, alpha, beta, y, incy, 0};

  if (wrong || !m || !n || only_scaled(g.outputs, alpha, beta, y, incy)) return wrong;
  g.x = packed(x, g.terms, incx);
  g.first = first_of(g.outputs, incy);
  if (!g.x) return -1;
  if (gemv_asked.way == BLAS2_GEMV_PAPER) return gemv_paper(&g);
  if (gemv_asked.way == BLAS2_GEMV_LIBRARY) return by_library(rows, m, n, &g);
  if (edges_apart(&g)) return in_parts(&g);
  launch(&g, 0);
  return 0;
}
