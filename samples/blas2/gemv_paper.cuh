/* gemv_paper.cuh - gemv as the paper has it by hand (section 4), to compare with products.cuh.
 *
 * A block of threads goes along a row of blocks of the matrix (N), or down a column of them (T). A
 * block's upper and lower half are two chunks: all threads load theirs of one into registers before
 * they use the other's.
 *
 *     N:  a row of blocks       a block:  upper  |  PAPER_THREADS * 2 threads side by side,
 *         -> -> -> ->                     lower  |  PAPER_EACH columns of a chunk each,
 *                                                   a row of each chunk
 *
 * Parts of sums are put together in shared memory. What is no whole block at the end of the sums is
 * loaded as zeros; what is none at the end of the outputs is a kernel of one block of its own, in
 * another stream.
 *
 * -DPAPER_BLOCK=64      rows and columns of a block
 * -DPAPER_THREADS=8     threads are PAPER_BLOCK times so many; divides half of PAPER_BLOCK */
#ifndef PAPER_BLOCK
#define PAPER_BLOCK 64
#endif
#ifndef PAPER_THREADS
#define PAPER_THREADS 8
#endif

enum {
  PAPER_HALF = PAPER_BLOCK / 2,
  PAPER_ACROSS = 2 * PAPER_THREADS,
  PAPER_EACH = PAPER_BLOCK / PAPER_ACROSS
};

/* What a thread loads of a chunk: row `row`, PAPER_EACH columns from `column` on; zeros outside. */
template <bool SOME>
static __device__ void paper_load(REAL (&chunk)[PAPER_EACH], const REAL *a, long long lda, int row,
                                  int column, int rows, int columns)
{
#pragma unroll
  for (int k = 0; k < PAPER_EACH; k++)
    chunk[k] = !SOME || (row < rows && column + k < columns) ? a[row + (column + k) * lda] : 0;
}

/* SOME_ROWS: the rows are fewer than a block's. */
template <bool SOME_ROWS>
__global__ void paper_rows(const REAL *__restrict__ a, const REAL *__restrict__ x,
                           REAL *__restrict__ y, int m, int n, long long lda, long long incy,
                           long long first, REAL alpha, REAL beta)
{
  __shared__ REAL sums[PAPER_ACROSS][PAPER_BLOCK];
  int thread = threadIdx.y * PAPER_BLOCK + threadIdx.x, place = thread % PAPER_HALF;
  int across = thread / PAPER_HALF, row = blockIdx.x * PAPER_BLOCK + place;
  REAL upper[PAPER_EACH], lower[PAPER_EACH], of_upper = 0, of_lower = 0;

  if (SOME_ROWS || n < PAPER_BLOCK)
    paper_load<true>(upper, a, lda, row, across * PAPER_EACH, m, n);
  else
    paper_load<false>(upper, a, lda, row, across * PAPER_EACH, m, n);
  for (int block = 0; block < n; block += PAPER_BLOCK) {
    int column = block + across * PAPER_EACH, next = block + PAPER_BLOCK;
    if (SOME_ROWS || next > n)
      paper_load<true>(lower, a, lda, row + PAPER_HALF, column, m, n);
    else
      paper_load<false>(lower, a, lda, row + PAPER_HALF, column, m, n);
#pragma unroll
    for (int k = 0; k < PAPER_EACH; k++)
      of_upper += upper[k] * (column + k < n ? x[column + k] : 0);
    if (SOME_ROWS || next + PAPER_BLOCK > n)
      paper_load<true>(upper, a, lda, row, column + PAPER_BLOCK, m, n);
    else
      paper_load<false>(upper, a, lda, row, column + PAPER_BLOCK, m, n);
#pragma unroll
    for (int k = 0; k < PAPER_EACH; k++)
      of_lower += lower[k] * (column + k < n ? x[column + k] : 0);
  }
  sums[across][place] = of_upper;
  sums[across][place + PAPER_HALF] = of_lower;
  __syncthreads();
  int i = blockIdx.x * PAPER_BLOCK + thread;
  if (thread < PAPER_BLOCK && i < m) {
    REAL sum = 0;
    for (int k = 0; k < PAPER_ACROSS; k++) sum += sums[k][thread];
    y[first + i * incy] = beta == 0 ? alpha * sum : alpha * sum + beta * y[first + i * incy];
  }
}

/* SOME_COLUMNS: the columns are fewer than a block's. */
template <bool SOME_COLUMNS>
__global__ void paper_columns(const REAL *__restrict__ a, const REAL *__restrict__ x,
                              REAL *__restrict__ y, int m, int n, long long lda, long long incy,
                              long long first, REAL alpha, REAL beta)
{
  __shared__ REAL sums[PAPER_BLOCK][PAPER_HALF + 1];
  int thread = threadIdx.y * PAPER_BLOCK + threadIdx.x, place = thread % PAPER_HALF;
  int column = blockIdx.x * PAPER_BLOCK + thread / PAPER_HALF * PAPER_EACH;
  REAL upper[PAPER_EACH], lower[PAPER_EACH], sum[PAPER_EACH] = {0};

  if (SOME_COLUMNS || m < PAPER_BLOCK)
    paper_load<true>(upper, a, lda, place, column, m, n);
  else
    paper_load<false>(upper, a, lda, place, column, m, n);
  for (int block = 0; block < m; block += PAPER_BLOCK) {
    int row = block + place, under = row + PAPER_HALF, next = block + PAPER_BLOCK;
    REAL term = row < m ? x[row] : 0, term_under = under < m ? x[under] : 0;
    if (SOME_COLUMNS || next > m)
      paper_load<true>(lower, a, lda, under, column, m, n);
    else
      paper_load<false>(lower, a, lda, under, column, m, n);
#pragma unroll
    for (int k = 0; k < PAPER_EACH; k++) sum[k] += upper[k] * term;
    if (SOME_COLUMNS || next + PAPER_BLOCK > m)
      paper_load<true>(upper, a, lda, row + PAPER_BLOCK, column, m, n);
    else
      paper_load<false>(upper, a, lda, row + PAPER_BLOCK, column, m, n);
#pragma unroll
    for (int k = 0; k < PAPER_EACH; k++) sum[k] += lower[k] * term_under;
  }
#pragma unroll
  for (int k = 0; k < PAPER_EACH; k++) sums[thread / PAPER_HALF * PAPER_EACH + k][place] = sum[k];
  __syncthreads();
  int j = blockIdx.x * PAPER_BLOCK + thread;
  if (thread < PAPER_BLOCK && j < n) {
    REAL all = 0;
    for (int k = 0; k < PAPER_HALF; k++) all += sums[thread][k];
    y[first + j * incy] = beta == 0 ? alpha * all : alpha * all + beta * y[first + j * incy];
  }
}

static void launch_paper(const struct gemv *g, bool some, int blocks, cudaStream_t stream)
{
  int m = g->rows ? g->outputs : g->terms, n = g->rows ? g->terms : g->outputs;
  dim3 threads(PAPER_BLOCK, PAPER_THREADS);

  if (g->rows && some)
    paper_rows<true><<<blocks, threads, 0, stream>>>(g->a, g->x, g->y, m, n, g->lda, g->incy,
                                                     g->first, g->alpha, g->beta);
  else if (g->rows)
    paper_rows<false><<<blocks, threads, 0, stream>>>(g->a, g->x, g->y, m, n, g->lda, g->incy,
                                                      g->first, g->alpha, g->beta);
  else if (some)
    paper_columns<true><<<blocks, threads, 0, stream>>>(g->a, g->x, g->y, m, n, g->lda, g->incy,
                                                        g->first, g->alpha, g->beta);
  else
    paper_columns<false><<<blocks, threads, 0, stream>>>(g->a, g->x, g->y, m, n, g->lda, g->incy,
                                                         g->first, g->alpha, g->beta);
}

static int gemv_paper(const struct gemv *g)
{
  int blocks = g->outputs / PAPER_BLOCK;
  struct gemv whole = *g, rest = from_output(*g, blocks * PAPER_BLOCK);

  whole.outputs = blocks * PAPER_BLOCK;
  if (!blocks || !rest.outputs) {
    launch_paper(blocks ? &whole : &rest, !blocks, blocks ? blocks : 1, 0);
    return 0;
  }
  if (!second_stream()) return -1;
  fork_second();
  launch_paper(&rest, true, 1, second.stream);
  launch_paper(&whole, false, blocks, 0);
  join_second();
  return 0;
}
