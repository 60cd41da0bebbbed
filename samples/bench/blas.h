/* blas.h - cuBLAS for the peers. Matrices lie by rows; cuBLAS takes them by columns, that is
 * transposed. */
#pragma once
#include <cublas_v2.h>

#include "peer.h"

#define MUST_BLAS(call) \
  do { \
    int status_ = (int)(call); \
    if (status_ != 0) { \
      printf("check: FAILED: %s: cuBLAS status %d\n", #call, status_); \
      exit(1); \
    } \
  } while (0)

/* In pedantic mode: arithmetic in the type of the elements, no reduced precision. */
static cublasHandle_t blas(void)
{
  static cublasHandle_t handle;

  if (!handle) {
    MUST_BLAS(cublasCreate(&handle));
    MUST_BLAS(cublasSetMathMode(handle, CUBLAS_PEDANTIC_MATH));
  }
  return handle;
}

static inline cublasOperation_t turned(bool transposed)
{
  return transposed ? CUBLAS_OP_T : CUBLAS_OP_N;
}

/* c = alpha op(a) op(b) + beta c, with m x n elements over k; leading dimensions are those of the
 * rows as they lie. */
static inline void gemm(bool ta, bool tb, int m, int n, int k, float alpha, const float *a,
                        const float *b, float beta, float *c)
{
  MUST_BLAS(cublasSgemm(blas(), turned(tb), turned(ta), n, m, k, &alpha, b, tb ? k : n, a,
                        ta ? m : k, &beta, c, n));
}

static inline void gemm(bool ta, bool tb, int m, int n, int k, double alpha, const double *a,
                        const double *b, double beta, double *c)
{
  MUST_BLAS(cublasDgemm(blas(), turned(tb), turned(ta), n, m, k, &alpha, b, tb ? k : n, a,
                        ta ? m : k, &beta, c, n));
}

/* y = alpha op(a) x + beta y for a of m rows and n columns. */
static inline void gemv(bool ta, int m, int n, float alpha, const float *a, const float *x,
                        float beta, float *y)
{
  MUST_BLAS(cublasSgemv(blas(), turned(!ta), n, m, &alpha, a, n, x, 1, &beta, y, 1));
}
