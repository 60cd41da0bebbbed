/* symv_atomic.cuh - symv that adds to y by atomic operations, as cuBLAS does in its atomics mode,
 * to compare with the two ways that do not. Sums are added in an order that differs from run to
 * run.
 *
 * A block has a square of the triangle, a warp some of its columns, a lane two of its rows. */
enum {
  ATOMIC_SIDE = 64,
  ATOMIC_WARPS = 8,
  ATOMIC_COLUMNS = ATOMIC_SIDE / ATOMIC_WARPS,
  ATOMIC_THREADS = 32 * ATOMIC_WARPS
};

/* The square's place among those with outer >= inner, which are numbered outer by outer. */
static __device__ int outer_of(int square)
{
  int outer = (int)((sqrt(8.0 * square + 1) - 1) / 2);

  while ((long long)outer * (outer + 1) / 2 > square) outer--;
  while ((long long)(outer + 1) * (outer + 2) / 2 <= square) outer++;
  return outer;
}

/* y += alpha A x */
__global__ void symv_atomic(const REAL *__restrict__ a, const REAL *__restrict__ x, REAL *y, int n,
                            long long lda, long long incy, long long first, REAL alpha, int upper)
{
  __shared__ REAL of_rows[ATOMIC_WARPS][ATOMIC_SIDE];
  int outer = outer_of(blockIdx.x);
  int inner = (int)(blockIdx.x - (long long)outer * (outer + 1) / 2);
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  int row = (upper ? inner : outer) * ATOMIC_SIDE, under = row + lane + 32;
  int column = (upper ? outer : inner) * ATOMIC_SIDE + warp * ATOMIC_COLUMNS;
  REAL values[2][ATOMIC_COLUMNS], sums[2] = {0};
  REAL terms[2] = {row + lane < n ? x[row + lane] : 0, under < n ? x[under] : 0};

#pragma unroll
  for (int j = 0; j < ATOMIC_COLUMNS; j++)
#pragma unroll
    for (int half = 0; half < 2; half++) {
      int i = row + lane + 32 * half, to = column + j;
      bool is_there = i < n && to < n && (upper ? i <= to : i >= to);
      values[half][j] = is_there ? a[i + to * lda] : 0;
    }
#pragma unroll
  for (int j = 0; j < ATOMIC_COLUMNS; j++) {
    int to = column + j;
    REAL term = to < n ? x[to] : 0;
    REAL sum = (row + lane == to ? 0 : values[0][j] * terms[0]) +
               (under == to ? 0 : values[1][j] * terms[1]);
    sums[0] += values[0][j] * term;
    sums[1] += values[1][j] * term;
#pragma unroll
    for (int bit = 16; bit; bit /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, bit);
    if (lane == 0 && to < n) atomicAdd(&y[first + to * incy], alpha * sum);
  }
  of_rows[warp][lane] = sums[0];
  of_rows[warp][lane + 32] = sums[1];
  __syncthreads();
  int i = row + threadIdx.x;
  if (threadIdx.x < ATOMIC_SIDE && i < n) {
    REAL sum = 0;
    for (int w = 0; w < ATOMIC_WARPS; w++) sum += of_rows[w][threadIdx.x];
    atomicAdd(&y[first + i * incy], alpha * sum);
  }
}
