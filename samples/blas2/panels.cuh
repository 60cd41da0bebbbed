/* panels.cuh - all columns of a panel in one launch, for the three reductions: see panel.h.
 *
 * A column by launches is 12 to 14 kernels of a few microseconds, each of which waits for the one
 * in front of it; on small matrices that is most of the time. Here a block of threads stays on each
 * multiprocessor, and the grid waits for itself where a step needs what other blocks have found: 3
 * times a column, 4 times for a column and a row. Numbers that a column needs, of its reflector and
 * of products with narrow matrices, never leave the device.
 *
 * A step goes over rows of narrow matrices (a block takes PANEL_ROWS of them, its warps the
 * columns), or it has products of columns with a vector (a warp each). Sums are added up in an
 * order that the number of blocks gives, so that runs on one device have the same result.
 *
 * What other blocks write is read as ordinary memory: no pointer here is __restrict__, except for
 * matrices that a launch only reads. */
#include <cooperative_groups.h>

#ifndef PANEL_THREADS
#ifdef __NVCC__
#define PANEL_THREADS 512
#else
#define PANEL_THREADS 64 /* of the CPU backend: fibers */
#endif
#endif

enum {
  PANEL_WARPS = PANEL_THREADS / 32,
  PANEL_ROWS = 64 / sizeof(REAL), /* whole sectors of memory */
  PANEL_SIDE = 32                 /* panel.h's PANEL */
};

struct panel_shared {
  REAL parts[PANEL_WARPS];
  REAL rows[PANEL_WARPS][PANEL_ROWS];
  REAL of_others[PANEL_SIDE], of_own[PANEL_SIDE]; /* coefficients of columns of two matrices */
  REAL row_others[PANEL_SIDE], row_own[PANEL_SIDE];
  REAL taken[PANEL_ROWS];
  REAL products[PANEL_SIDE];
};

/* ---- sums ---- */

static __device__ REAL warp_sum(REAL value)
{
#pragma unroll
  for (int half = 16; half > 0; half /= 2) value += __shfl_xor_sync(0xffffffffu, value, half);
  return value;
}

/* Of all threads of the block, for each of them. */
static __device__ REAL block_sum(panel_shared &s, REAL value)
{
  value = warp_sum(value);
  __syncthreads();
  if (threadIdx.x % 32 == 0) s.parts[threadIdx.x / 32] = value;
  __syncthreads();
  REAL sum = 0;
  for (int w = 0; w < PANEL_WARPS; w++) sum += s.parts[w];
  return sum;
}

/* Of one number of each block of the grid, for each thread. */
static __device__ REAL grid_sum(panel_shared &s, const REAL *parts)
{
  REAL sum = 0;

  for (int b = threadIdx.x; b < (int)gridDim.x; b += PANEL_THREADS) sum += parts[b];
  return block_sum(s, sum);
}

/* ---- rows of a block ---- */

/* Adds what the thread has of a x: rows are the first `valid` of PANEL_ROWS, x is `count` long. */
static __device__ void add_columns(REAL &sum, const REAL *a, long long lda, int valid, int count,
                                   const REAL *x)
{
  int row = threadIdx.x % PANEL_ROWS;

  if (row >= valid) return;
#pragma unroll 4
  for (int j = threadIdx.x / PANEL_ROWS; j < count; j += PANEL_THREADS / PANEL_ROWS)
    sum += a[row + j * lda] * x[j];
}

/* The same with the vector v = (1, x[1] factor, x[2] factor ...), but for what folded_rows does. */
static __device__ REAL columns_times_reflector(const REAL *__restrict__ a, long long lda, int valid,
                                               int count, const REAL *x)
{
  int row = threadIdx.x % PANEL_ROWS;
  REAL sum = 0;

  if (row >= valid) return 0;
#pragma unroll 8
  for (int j = 1 + threadIdx.x / PANEL_ROWS; j < count; j += PANEL_THREADS / PANEL_ROWS)
    sum += a[row + j * lda] * x[j];
  return sum;
}

/* The sums of row threadIdx.x, in the first PANEL_ROWS threads. */
static __device__ REAL folded_rows(panel_shared &s, REAL sum)
{
#pragma unroll
  for (int lanes = PANEL_ROWS; lanes < 32; lanes *= 2)
    sum += __shfl_xor_sync(0xffffffffu, sum, lanes);
  __syncthreads();
  if (threadIdx.x % 32 < PANEL_ROWS) s.rows[threadIdx.x / 32][threadIdx.x % 32] = sum;
  __syncthreads();
  sum = 0;
  if (threadIdx.x < PANEL_ROWS)
    for (int w = 0; w < PANEL_WARPS; w++) sum += s.rows[w][threadIdx.x];
  return sum;
}

static __device__ int valid_rows(int row, int rows)
{
  return rows - row < PANEL_ROWS ? rows - row : PANEL_ROWS;
}

/* ---- products with a reflector's vector ---- */

struct reflector {
  REAL beta, tau, factor; /* of the elements behind the first */
};

static __device__ reflector reflector_of(panel_shared &s, const REAL *x, const REAL *squares)
{
  const REAL least = sizeof(REAL) == sizeof(float) ? (REAL)FLT_MIN / FLT_EPSILON / FLT_EPSILON
                                                   : (REAL)(DBL_MIN / DBL_EPSILON / DBL_EPSILON);
  REAL alpha = x[0], square = grid_sum(s, squares);
  reflector r = {alpha, 0, 0};

  if (square > least) {
    REAL norm = sqrt(alpha * alpha + square);
    r.beta = alpha < 0 ? norm : -norm;
    r.tau = (r.beta - alpha) / r.beta;
    r.factor = 1 / (alpha - r.beta);
  }
  return r;
}

/* v = (0, ... 0, 1, x factor ...), the 1 at `lead`, by all threads of the grid. */
static __device__ void store_reflector(REAL *v, const REAL *x, int lead, int count, REAL factor)
{
  for (int i = blockIdx.x * PANEL_THREADS + threadIdx.x; i < count; i += gridDim.x * PANEL_THREADS)
    v[i] = i < lead ? 0 : i == lead ? 1 : x[i] * factor;
}

/* Columns that are multiplied by (1, x[1] factor, ...), their products into `products`. */
struct columns {
  const REAL *a;
  long long lda;
  int count;
  REAL *products;
};

/* Column `task` of three matrices, by a warp. */
static __device__ void multiply_column(int task, const columns &first, const columns &second,
                                       const columns &third, const REAL *x, int terms, REAL factor)
{
  int behind = task - first.count, last = behind - second.count, lane = threadIdx.x % 32;
  const REAL *a = behind < 0 ? first.a + task * first.lda
                  : last < 0 ? second.a + behind * second.lda
                             : third.a + last * third.lda;
  REAL sum = 0;

#pragma unroll 8
  for (int i = lane; i < terms; i += 32) sum += i ? a[i] * x[i] : 0;
  sum = warp_sum(sum) * factor + a[0];
  if (lane == 0)
    (behind < 0 ? first.products + task
     : last < 0 ? second.products + behind
                : third.products + last)[0] = sum;
}

/* All columns of three matrices; tasks go to the last block first, since rows go to the first. */
static __device__ void multiply_columns(const columns &first, const columns &second,
                                        const columns &third, const REAL *x, int terms, REAL factor)
{
  int tasks = first.count + second.count + third.count;

  for (int task = gridDim.x - 1 - blockIdx.x + gridDim.x * (threadIdx.x / 32); task < tasks;
       task += gridDim.x * PANEL_WARPS)
    multiply_column(task, first, second, third, x, terms, factor);
}

/* products = a v for all rows of a, by blocks. */
static __device__ void multiply_rows(panel_shared &s, REAL *products, const REAL *a, long long lda,
                                     int begin, int rows, const REAL *x, int terms, REAL factor)
{
  for (int row = begin + blockIdx.x * PANEL_ROWS; row < rows; row += gridDim.x * PANEL_ROWS) {
    int valid = valid_rows(row, rows);
    REAL sum = folded_rows(s, columns_times_reflector(a + row, lda, valid, terms, x));
    if ((int)threadIdx.x < valid)
      products[row + threadIdx.x] = sum * factor + a[row + threadIdx.x];
  }
}

/* ---- a vector of the panel becomes whole ---- */

/* A x of the last reflector is a product still: column `own_count` of `own` becomes
 * tau (product - others of_others - own of_own). */
struct narrow {
  const REAL *others;
  long long ldothers;
  int others_count;
  REAL *own;
  long long ldown;
  int own_count;
  const REAL *product;
  int finishes; /* else there is none */
  REAL tau;
};

static __device__ void load_numbers(REAL *to, const REAL *from, long long step, int count)
{
  if ((int)threadIdx.x < count) to[threadIdx.x] = from[threadIdx.x * step];
}

/* Makes rows of a block whole. In the first `valid` threads: others row_others + own row_own, the
 * new column among them. */
static __device__ REAL finish_rows(panel_shared &s, const narrow &m, int row, int valid)
{
  REAL seen = 0, taken = 0;

  add_columns(seen, m.others + row, m.ldothers, valid, m.others_count, s.of_others);
  add_columns(seen, m.own + row, m.ldown, valid, m.own_count, s.of_own);
  add_columns(taken, m.others + row, m.ldothers, valid, m.others_count, s.row_others);
  add_columns(taken, m.own + row, m.ldown, valid, m.own_count, s.row_own);
  seen = folded_rows(s, seen);
  taken = folded_rows(s, taken);
  if (m.finishes && (int)threadIdx.x < valid) {
    REAL whole = m.tau * (m.product[row + threadIdx.x] - seen);
    m.own[row + threadIdx.x + m.own_count * m.ldown] = whole;
    taken += whole * s.row_own[m.own_count];
  }
  return taken;
}

static __device__ void finish_all(panel_shared &s, const narrow &m, int begin, int rows)
{
  for (int row = begin + blockIdx.x * PANEL_ROWS; row < rows; row += gridDim.x * PANEL_ROWS)
    finish_rows(s, m, row, valid_rows(row, rows));
}

#include "panel_tridiagonal.cuh"
#include "panel_bidiagonal.cuh"
#include "panel_hessenberg.cuh"

/* ---- for the host ---- */

int device_panel_blocks(void)
{
  int waits = 0, processors = 0;

  if (!gemv_is_own() ||
      cudaDeviceGetAttribute(&waits, cudaDevAttrCooperativeLaunch, 0) != cudaSuccess ||
      cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0) != cudaSuccess)
    return 0;
  return !waits ? 0 : processors < PANEL_BLOCKS ? processors : PANEL_BLOCKS;
}

/* A block for each of PANEL_ROWS rows, and for the products with narrow matrices. */
static dim3 panel_grid(long long rows)
{
  long long wanted = (rows + PANEL_ROWS - 1) / PANEL_ROWS + 2 * PANEL_SIDE / PANEL_WARPS,
            most = device_panel_blocks();

  return dim3((unsigned)(wanted < most ? wanted : most));
}

/* Blocks that wait for each other. */
static cudaLaunchAttribute panel_waits()
{
  cudaLaunchAttribute waits;

  waits.id = cudaLaunchAttributeCooperative;
  waits.val.cooperative = 1;
  return waits;
}

static cudaLaunchConfig_t panel_launch(long long rows, cudaLaunchAttribute *waits)
{
  cudaLaunchConfig_t launch = {};

  launch.gridDim = panel_grid(rows);
  launch.blockDim = dim3(PANEL_THREADS);
  launch.attrs = waits;
  launch.numAttrs = 1;
  return launch;
}

int device_panel_tridiagonal(panel_tridiagonal p)
{
  cudaLaunchAttribute waits = panel_waits();
  cudaLaunchConfig_t launch = panel_launch(p.rows, &waits);

  return cudaLaunchKernelEx(&launch, tridiagonal_columns, p) == cudaSuccess ? 0 : -1;
}

int device_panel_bidiagonal(panel_bidiagonal p)
{
  cudaLaunchAttribute waits = panel_waits();
  cudaLaunchConfig_t launch = panel_launch(p.rows, &waits);

  return cudaLaunchKernelEx(&launch, bidiagonal_columns, p) == cudaSuccess ? 0 : -1;
}

int device_panel_hessenberg(panel_hessenberg p)
{
  cudaLaunchAttribute waits = panel_waits();
  cudaLaunchConfig_t launch = panel_launch(p.rows, &waits);

  return cudaLaunchKernelEx(&launch, hessenberg_columns, p) == cudaSuccess ? 0 : -1;
}
