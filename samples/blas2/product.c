/* product.c - one call of gemv or symv with its data. */
#include "product.h"

#include <math.h>
#include <stdlib.h>

int product_is_rows(const struct product *product)
{
  return product->symmetric || product->kind == 'N' || product->kind == 'n';
}

void product_release(struct product *product)
{
  real *device[] = {product->a, product->x, product->y};

  for (int i = 0; i < 3; i++) blas2_free(device[i]);
  free(product->before);
  free(product->wanted);
}

int product_fill(uint64_t *random, struct product *product)
{
  product->outputs = product_is_rows(product) ? product->m : product->n;
  product->terms = product_is_rows(product) ? product->n : product->m;
  product->size = (long)product->lda * (product->n ? product->n : 1);
  product->x_size = 1 + (long)(product->terms ? product->terms - 1 : 0) * abs(product->incx);
  product->y_size = 1 + (long)(product->outputs ? product->outputs - 1 : 0) * abs(product->incy);
  product->a = blas2_alloc(product->size);
  product->x = blas2_alloc(product->x_size);
  product->y = blas2_alloc(product->y_size);
  product->before = malloc((size_t)product->y_size * sizeof(real));
  product->wanted = malloc((size_t)product->y_size * sizeof(real));
  if (!product->a || !product->x || !product->y || !product->before || !product->wanted) return -1;
  int upper = product->kind == 'U' || product->kind == 'u';
  for (long j = 0; j < (product->n ? product->n : 1); j++)
    for (long i = 0; i < product->lda; i++) {
      int unread = i >= product->m || (product->symmetric && (upper ? i > j : i < j));
      product->a[j * product->lda + i] = unread ? NAN : random_value(random);
    }
  for (long i = 0; i < product->x_size; i++) product->x[i] = random_value(random);
  for (long i = 0; i < product->y_size; i++) {
    product->y[i] =
        product->beta == 0 && product->alpha != 0 && product->terms && i % abs(product->incy) == 0
            ? NAN
            : random_value(random);
    product->before[i] = product->wanted[i] = product->y[i];
  }
  return 0;
}

int product_run(const struct product *product)
{
  return product->symmetric
             ? blas2_symv(product->kind, product->n, product->alpha, product->a, product->lda,
                          product->x, product->incx, product->beta, product->y, product->incy)
             : blas2_gemv(product->kind, product->m, product->n, product->alpha, product->a,
                          product->lda, product->x, product->incx, product->beta, product->y,
                          product->incy);
}
