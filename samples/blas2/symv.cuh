/* symv.cuh - symv, in one of two ways.
 *
 * Twice: a thread computes a sum, of what its row has in the stored triangle and, in a second kernel, of what its column has there: plain
 * kernels, each element of the triangle is loaded twice.
 *
 * Once: a block has a strip of WIDTH columns and some rows of it, a thread has rows. It loads an element for two sums: that of its row over
 * the strip, which goes to an array with a row for each strip, and that of the column, which it keeps in registers; a warp adds its
 * columns' sums up in the end. A last kernel puts strips and warps together. Nothing is added in an order that differs from run to run.
 *
 *     strips       |\         rows of strip 1:  a[i][j] x[j] over j of the strip   ->  row_sums[1][i]
 *     of columns   |_\        columns:          a[i][j] x[i] over i of the warp    ->  column_sums[warp][j]
 *                  |1|\
 */
#include "products.cuh"

enum { WIDTH = 32, ROWS_OF_THREAD = 8, WARPS = THREADS / 32, ROWS_OF_BLOCK = THREADS * ROWS_OF_THREAD };

/* ---- twice ---- */

/* What row i has in the stored triangle, the diagonal included. */
__global__
void symv_rows(const REAL *__restrict__ a, const REAL *__restrict__ x, REAL *__restrict__ sums, int n, long long lda, int upper)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  if (i < n && i < lda) {
    REAL sum = 0;
    for (int j = 0; j < n; j++)
      if (upper ? j >= i : j <= i)
        sum += a[i + j * lda] * x[j];
    sums[i] = sum;
  }
}

/* What column i has in the triangle, without the diagonal: the other half of row i. */
__global__
void symv_columns(const REAL *__restrict__ a, const REAL *__restrict__ x, REAL *__restrict__ sums, int n, long long lda, int upper)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  if (i < n && n <= lda) {
    REAL sum = 0;
    for (int j = 0; j < n; j++)
      if (upper ? j < i : j > i)
        sum += a[j + i * lda] * x[j];
    sums[i] = sum;
  }
}

/* ---- once ---- */

/* The rows of a strip that a block has begin with the strip's first one that is in the triangle. */
__global__ __launch_bounds__(THREADS)
void symv_strip(const REAL *__restrict__ a, const REAL *__restrict__ x, REAL *__restrict__ row_sums, REAL *__restrict__ column_sums, int n,
                long long lda, int upper)
{
  int first = blockIdx.x * WIDTH, width = n - first < WIDTH ? n - first : WIDTH;
  int begin = (upper ? 0 : first) + blockIdx.y * ROWS_OF_BLOCK, end = upper ? first + width : n;
  REAL sums[WIDTH];

  for (int j = 0; j < WIDTH; j++)
    sums[j] = 0;
  for (int i = begin + threadIdx.x; i < begin + ROWS_OF_BLOCK && i < end; i += THREADS) {
    REAL sum = 0, of_row = x[i];
    if (width == WIDTH && (upper ? i < first : i >= first + WIDTH)) {
#pragma unroll
      for (int j = 0; j < WIDTH; j++) {
        REAL value = a[i + (first + j) * lda];
        sum += value * x[first + j];
        sums[j] += value * of_row;
      }
    } else {
#pragma unroll
      for (int j = 0; j < WIDTH; j++)
        if (j < width && (upper ? i <= first + j : i >= first + j)) {
          REAL value = a[i + (first + j) * lda];
          sum += value * x[first + j];
          if (i != first + j)
            sums[j] += value * of_row;
        }
    }
    row_sums[blockIdx.x * (long long)n + i] = sum;
  }
#pragma unroll
  for (int j = 0; j < WIDTH; j++) {
    REAL sum = sums[j];
    for (int lane = 16; lane > 0; lane /= 2)
      sum += __shfl_down_sync(0xffffffffu, sum, lane);
    if (threadIdx.x % 32 == 0 && j < width)
      column_sums[(blockIdx.y * WARPS + threadIdx.x / 32) * (long long)n + first + j] = sum;
  }
}

/* y = alpha (all sums of row i) + beta y. The sums have a row for each strip, of which those count that have row i, then one for each warp. */
__global__
void join_strips(const REAL *__restrict__ sums, REAL *__restrict__ y, int n, int strips, int rows, long long incy, long long first, REAL alpha,
                 REAL beta, int upper)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  if (i < n) {
    REAL sum = 0;
    for (int s = 0; s < rows; s++)
      if (s >= strips || (upper ? s >= i / WIDTH : s <= i / WIDTH))
        sum += sums[i + s * (long long)n];
    y[first + i * incy] = beta == 0 ? alpha * sum : alpha * sum + beta * y[first + i * incy];
  }
}

/* ---- for the host ---- */

static enum blas2_symv_way symv_asked = BLAS2_SYMV_BY_RULE;

void blas2_set_symv(enum blas2_symv_way way)
{
  symv_asked = way;
}

static bool loads_once(int n)
{
  return symv_asked == BLAS2_SYMV_ONCE || (symv_asked == BLAS2_SYMV_BY_RULE && (double)n * n * sizeof(real) >= BLAS2_ONCE_BYTES);
}

/* Blocks without rows of their own leave column sums of zero. */
static int symv_once(int n, const real *a, int lda, const real *x, int upper, real alpha, real beta, real *y, int incy)
{
  int strips = (n - 1) / WIDTH + 1, chunks = (n - 1) / ROWS_OF_BLOCK + 1, rows = strips + chunks * WARPS;

  if (!reserve(&sums_room, (long)n * rows))
    return -1;
  real *sums = sums_room.memory;
  symv_strip<<<dim3(strips, chunks), THREADS>>>(a, x, sums, sums + (long)n * strips, n, lda, upper);
  join_strips<<<blocks_for(n), THREADS>>>(sums, y, n, strips, rows, incy, first_of(n, incy), alpha, beta, upper);
  return 0;
}

static int symv_twice(int n, const real *a, int lda, const real *x, int upper, real alpha, real beta, real *y, int incy)
{
  if (!reserve(&sums_room, 2L * n))
    return -1;
  symv_rows<<<blocks_for(n), THREADS>>>(a, x, sums_room.memory, n, lda, upper);
  symv_columns<<<blocks_for(n), THREADS>>>(a, x, sums_room.memory + n, n, lda, upper);
  join_sums<<<blocks_for(n), THREADS>>>(sums_room.memory, sums_room.memory + n, y, n, incy, first_of(n, incy), alpha, beta);
  return 0;
}

static int check_symv(char uplo, int n, int lda, int incx, int incy)
{
  if (uplo != 'U' && uplo != 'u' && uplo != 'L' && uplo != 'l')
    return 1;
  if (n < 0)
    return 2;
  if (lda < (n > 1 ? n : 1))
    return 5;
  return incx == 0 ? 7 : incy == 0 ? 10 : 0;
}

int blas2_symv(char uplo, int n, real alpha, const real *a, int lda, const real *x, int incx, real beta, real *y, int incy)
{
  int wrong = check_symv(uplo, n, lda, incx, incy), upper = uplo == 'U' || uplo == 'u';

  if (wrong || !n || only_scaled(n, alpha, beta, y, incy))
    return wrong;
  const real *terms = packed(x, n, incx);
  if (!terms)
    return -1;
  return (loads_once(n) ? symv_once : symv_twice)(n, a, lda, terms, upper, alpha, beta, y, incy);
}
