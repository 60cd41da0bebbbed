/* updates.cuh - what the reductions do on the device beside gemv and symv, see device.h: plain
 * kernels, a thread an element. */
#include <float.h>
#include <math.h>

#include "device.h"

enum { ROWS = 32, COLUMNS = 8 /* of threads, for kernels over matrices */ };

/* ---- products of matrices ---- */

__global__ void times(REAL *__restrict__ c, const REAL *__restrict__ a, const REAL *__restrict__ b,
                      int m, int n, int k, long long ldc, long long lda, long long ldb,
                      int subtracts)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;

  if (i < m && j < n && i < lda && i < ldc && k <= ldb) {
    REAL sum = 0;
    for (int l = 0; l < k; l++) sum += a[i + l * lda] * b[l + j * ldb];
    c[i + j * ldc] = subtracts ? c[i + j * ldc] - sum : sum;
  }
}

__global__ void subtract_turned(REAL *__restrict__ c, const REAL *__restrict__ a,
                                const REAL *__restrict__ b, int m, int n, int k, long long ldc,
                                long long lda, long long ldb, int lower)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;

  if (i < m && j < n && i < lda && i < ldc && j < ldb) {
    REAL sum = 0;
    for (int l = 0; l < k; l++) sum += a[i + l * lda] * b[j + l * ldb];
    if (!lower || i >= j) c[i + j * ldc] -= sum;
  }
}

/* ---- vectors ---- */

__global__ void take(REAL *__restrict__ to, const REAL *__restrict__ from, long long increment,
                     int count, int zeros)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  if (i < count) to[i] = i < zeros ? 0 : from[i * increment];
}

__global__ void scale_by(REAL *__restrict__ x, int count, const REAL *__restrict__ factor)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  if (i < count) x[i] *= factor[0];
}

__global__ void subtract_projection(REAL *__restrict__ w, const REAL *__restrict__ v, int count,
                                    const REAL *__restrict__ tau, const REAL *__restrict__ product)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  if (i < count) w[i] -= tau[0] / 2 * product[0] * v[i];
}

/* ---- reflectors ---- */

/* From the first element and the square of the others' norm; what is below `least` is nothing
 * beside the matrix. */
__global__ void find_reflector(const REAL *__restrict__ x, const REAL *__restrict__ square,
                               REAL *__restrict__ beta, REAL *__restrict__ tau,
                               REAL *__restrict__ factor, REAL least)
{
  REAL alpha = x[0];

  if (square[0] <= least) {
    beta[0] = alpha;
    tau[0] = 0;
    factor[0] = 0;
  } else {
    REAL norm = sqrt(alpha * alpha + square[0]);
    norm = alpha < 0 ? norm : -norm;
    beta[0] = norm;
    tau[0] = (norm - alpha) / norm;
    factor[0] = 1 / (alpha - norm);
  }
}

__global__ void make_reflector(REAL *__restrict__ a, REAL *__restrict__ x, int lead, int count,
                               const REAL *__restrict__ beta, const REAL *__restrict__ factor)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  if (i < count) {
    if (i < lead) {
      a[i] = x[i];
      x[i] = 0;
    } else if (i == lead) {
      a[i] = beta[0];
      x[i] = 1;
    } else {
      x[i] *= factor[0];
    }
  }
}

__global__ void append(REAL *t, int ldt, int j, int rows, const REAL *__restrict__ products,
                       const REAL *__restrict__ tau)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  if (i < rows) {
    REAL sum = 0;
    for (int l = i; l < j; l++) sum += t[i + l * ldt] * products[l];
    t[i + j * ldt] = i < j ? -tau[0] * sum : i == j ? tau[0] : 0;
  }
}

/* ---- copies of matrices ---- */

__global__ void store_columns(REAL *__restrict__ a, const REAL *__restrict__ v, long long lda,
                              long long ldv, int rows, int columns, int below)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;

  if (i < rows && j < columns && i > j + below) a[i + j * lda] = v[i + j * ldv];
}

__global__ void store_rows(REAL *__restrict__ a, const REAL *__restrict__ v, long long lda,
                           long long ldv, int rows, int columns, int below)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;

  if (i < rows && j < columns && i > j + below) a[j + i * lda] = v[i + j * ldv];
}

__global__ void turn(REAL *__restrict__ to, const REAL *__restrict__ from, long long ldto,
                     long long ldfrom, int m, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;

  if (i < m && j < n) to[j + i * ldto] = from[i + j * ldfrom];
}

__global__ void reverse(REAL *__restrict__ to, const REAL *__restrict__ from, long long ldto,
                        long long ldfrom, int n, int upper)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;

  if (i < n && j < n && (upper ? i <= j : i >= j))
    to[i + j * ldto] = from[n - 1 - i + (n - 1 - j) * ldfrom];
}

__global__ void mirror(REAL *__restrict__ to, const REAL *__restrict__ from, long long ldto,
                       long long ldfrom, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;

  if (i < n && j < n) to[i + j * ldto] = i >= j ? from[i + j * ldfrom] : from[j + i * ldfrom];
}

/* ---- sizes ---- */

__global__ void largest_of_column(const REAL *__restrict__ a, REAL *__restrict__ largest,
                                  long long lda, int m, int n, int above, int below, REAL finite)
{
  int j = blockIdx.x * blockDim.x + threadIdx.x;

  if (j < n && m <= lda) {
    REAL most = 0;
    for (int i = 0; i < m; i++)
      if (j - above <= i && i <= j + below) {
        REAL size = a[i + j * lda] < 0 ? -a[i + j * lda] : a[i + j * lda];
        size = size <= finite ? size : (REAL)INFINITY;
        most = size > most ? size : most;
      }
    largest[j] = most;
  }
}

__global__ void scale_band(REAL *a, long long lda, int m, int n, int above, int below, REAL factor)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;

  if (i < m && j < n && j - above <= i && i <= j + below) a[i + j * lda] *= factor;
}

/* ---- for the host ---- */

static dim3 grid_for(int m, int n)
{
  return dim3((m + ROWS - 1) / ROWS, (n + COLUMNS - 1) / COLUMNS);
}

#define OVER(m, n) grid_for(m, n), dim3(ROWS, COLUMNS)

void device_take(real *to, const real *from, long long increment, int count, int zeros)
{
  take<<<blocks_for(count), THREADS>>>(to, from, increment, count, zeros);
}

void device_clear(real *x, int count) { scale<<<blocks_for(count), THREADS>>>(x, count, 1, 0, 0); }

void device_scale_by(real *x, int count, const real *factor)
{
  if (count > 0) scale_by<<<blocks_for(count), THREADS>>>(x, count, factor);
}

void device_subtract_projection(real *w, const real *v, int count, const real *tau,
                                const real *product)
{
  subtract_projection<<<blocks_for(count), THREADS>>>(w, v, count, tau, product);
}

int device_reflect(real *a, real *x, int lead, int count, real *beta, real *tau, real *work)
{
  const real least = sizeof(real) == sizeof(float) ? (real)FLT_MIN / FLT_EPSILON / FLT_EPSILON
                                                   : (real)(DBL_MIN / DBL_EPSILON / DBL_EPSILON);
  int others = count - lead - 1, status = 0;

  if (others > 0)
    status = blas2_gemv('T', others, 1, 1, x + lead + 1, others, x + lead + 1, 1, 0, work, 1);
  else
    device_take(work, x, 1, 1, 1);
  find_reflector<<<1, 1>>>(x + lead, work, beta, tau, work + 1, least);
  make_reflector<<<blocks_for(count), THREADS>>>(a, x, lead, count, beta, work + 1);
  return status;
}

void device_append(real *t, int ldt, int j, int rows, const real *products, const real *tau)
{
  append<<<blocks_for(rows), THREADS>>>(t, ldt, j, rows, products, tau);
}

/* Launches at one place: mesicc makes versions of a kernel for each. */
static void start_times(real *c, long long ldc, const real *a, long long lda, const real *b,
                        long long ldb, int m, int n, int k, int subtracts)
{
  if (m > 0 && n > 0) times<<<OVER(m, n)>>>(c, a, b, m, n, k, ldc, lda, ldb, subtracts);
}

static void start_subtract_turned(real *c, long long ldc, const real *a, long long lda,
                                  const real *b, long long ldb, int m, int n, int k, int lower)
{
  if (m > 0 && n > 0 && k > 0)
    subtract_turned<<<OVER(m, n)>>>(c, a, b, m, n, k, ldc, lda, ldb, lower);
}

void device_times(real *c, long long ldc, const real *a, long long lda, const real *b,
                  long long ldb, int m, int n, int k)
{
  start_times(c, ldc, a, lda, b, ldb, m, n, k, 0);
}

void device_subtract_times(real *c, long long ldc, const real *a, long long lda, const real *b,
                           long long ldb, int m, int n, int k)
{
  start_times(c, ldc, a, lda, b, ldb, m, n, k, 1);
}

void device_subtract_turned(real *c, long long ldc, const real *a, long long lda, const real *b,
                            long long ldb, int m, int n, int k)
{
  start_subtract_turned(c, ldc, a, lda, b, ldb, m, n, k, 0);
}

void device_subtract_turned_lower(real *c, long long ldc, const real *a, long long lda,
                                  const real *b, long long ldb, int n, int k)
{
  start_subtract_turned(c, ldc, a, lda, b, ldb, n, n, k, 1);
}

void device_store(real *a, long long lda, const real *v, long long ldv, int rows, int columns,
                  int below, int turned)
{
  if (columns < 1) return;
  if (turned)
    store_rows<<<OVER(rows, columns)>>>(a, v, lda, ldv, rows, columns, below);
  else
    store_columns<<<OVER(rows, columns)>>>(a, v, lda, ldv, rows, columns, below);
}

void device_turn(real *to, long long ldto, const real *from, long long ldfrom, int m, int n)
{
  turn<<<OVER(m, n)>>>(to, from, ldto, ldfrom, m, n);
}

void device_mirror(real *to, long long ldto, const real *from, long long ldfrom, int n)
{
  mirror<<<OVER(n, n)>>>(to, from, ldto, ldfrom, n);
}

void device_reverse(real *to, long long ldto, const real *from, long long ldfrom, int n, int upper)
{
  reverse<<<OVER(n, n)>>>(to, from, ldto, ldfrom, n, upper);
}

double device_largest(const real *a, long long lda, struct band band, real *work)
{
  const real finite = sizeof(real) == sizeof(float) ? (real)FLT_MAX : (real)DBL_MAX;
  double most = 0;

  largest_of_column<<<blocks_for(band.n), THREADS>>>(a, work, lda, band.m, band.n, band.above,
                                                     band.below, finite);
  for (int j = 0; j < band.n; j++) most = work[j] > most ? work[j] : most;
  return most;
}

void device_scale(real *a, long long lda, struct band band, double factor)
{
  scale_band<<<OVER(band.m, band.n)>>>(a, lda, band.m, band.n, band.above, band.below,
                                       (real)factor);
}
