/* symv_blocks.cuh - symv in one kernel that loads an element of the triangle twice, once for each
 * of its sums; for matrices that a cache keeps.
 *
 * A block of threads has SUMS rows of the full matrix. What the other triangle has of them is in
 * the columns of these numbers, so that all blocks load as much, n elements a row:
 *
 *     lower   |\          === across: elements of the rows, one after another in memory for each
 *             | \             column
 *             |==d        |d| the block's part of the diagonal
 *             |  |\       ||| down: elements of the columns of these numbers
 *
 * Warps share the n elements of a row in units, of which a lane loads SUMS vectors before it uses
 * the first. Across, a lane has a vector's rows of some columns; down, a vector of each column. The
 * unit with the diagonal is three pieces of work, each as long as another unit: what is across,
 * what is down, and the diagonal. Lanes then fold what they have of SUMS sums until each has one.
 *
 * The work of a thread, its order and its vectors are by hand: mesicc makes teams of threads for a
 * sum, but not one sum of two loops whose lanes lie in different directions. */
enum { SUMS = 8, BLOCK_WARPS = 8, BLOCK_THREADS = 32 * BLOCK_WARPS };

/* W numbers at a multiple of their size. */
template <int W> struct alignas(W * sizeof(REAL)) vector {
  REAL of[W];
};

/* The first `count` of W numbers, then zeros. */
template <int W, bool WHOLE> static __device__ vector<W> load(const REAL *from, int count)
{
  vector<W> result;

  if (WHOLE || count >= W) return *reinterpret_cast<const vector<W> *>(from);
#pragma unroll
  for (int i = 0; i < W; i++) result.of[i] = i < count ? from[i] : 0;
  return result;
}

/* A block's rows of a matrix, from `begin` on. */
struct rows_of_block {
  const REAL *a, *x;
  long long lda;
  int n, begin;
};

/* Columns or, mirrored, rows that are to be used. */
struct range {
  int low, high;
};

/* Where the vector of a lane begins: the bits of the lane, from the lowest on, halve the rows. */
template <int W> static __device__ int row_of_lane(int lane)
{
  int row = 0;

#pragma unroll
  for (int half = SUMS / 2, bit = 0; half >= W; half /= 2, bit++) row += (lane >> bit & 1) * half;
  return row;
}

template <int W, bool WHOLE>
static __device__ void add_across(rows_of_block rows, range used, int unit, int lane,
                                  REAL (&sums)[W])
{
  constexpr int LANES = SUMS / W, STEP = 32 / LANES;
  int row = rows.begin + row_of_lane<W>(lane), column = unit + lane / LANES;
  vector<W> values[SUMS];
  REAL terms[SUMS];

#pragma unroll
  for (int k = 0; k < SUMS; k++) {
    int j = column + k * STEP;
    bool is_used = WHOLE || (j >= used.low && j < used.high);
    values[k] = load<W, WHOLE>(rows.a + row + j * rows.lda, is_used ? rows.n - row : 0);
    terms[k] = is_used ? rows.x[j] : 0;
  }
#pragma unroll
  for (int k = 0; k < SUMS; k++)
#pragma unroll
    for (int i = 0; i < W; i++) sums[i] += values[k].of[i] * terms[k];
}

template <int W, bool WHOLE>
static __device__ void add_down(rows_of_block rows, range used, int unit, int lane,
                                REAL (&sums)[SUMS])
{
  int j = unit + lane * W, count = j < used.low ? 0 : used.high - j;
  vector<W> values[SUMS], terms = load<W, WHOLE>(rows.x + j, count);

#pragma unroll
  for (int k = 0; k < SUMS; k++)
    values[k] = load<W, WHOLE>(rows.a + j + (rows.begin + k) * rows.lda,
                               rows.begin + k < rows.n ? count : 0);
#pragma unroll
  for (int k = 0; k < SUMS; k++)
#pragma unroll
    for (int i = 0; i < W; i++) sums[k] += values[k].of[i] * terms.of[i];
}

/* The block's part of the diagonal, SUMS x SUMS elements of which one triangle is there. */
template <int W>
static __device__ void add_diagonal(rows_of_block rows, int lane, int upper, REAL (&sums)[W])
{
  constexpr int LANES = SUMS / W;

  for (int column = lane / LANES; column < SUMS; column += 32 / LANES)
#pragma unroll
    for (int i = 0; i < W; i++) {
      int row = row_of_lane<W>(lane) + i, most = row > column ? row : column,
          least = row + column - most;
      if (rows.begin + most < rows.n)
        sums[i] += rows.a[rows.begin + (upper ? least : most) +
                          (rows.begin + (upper ? most : least)) * rows.lda] *
                   rows.x[rows.begin + column];
    }
}

/* The warp's sum of row row_of_lane<1>(lane). */
template <int W> static __device__ REAL fold(REAL (&down)[SUMS], const REAL (&across)[W], int lane)
{
#pragma unroll
  for (int half = SUMS / 2, bit = 1; bit < 32; half /= 2, bit *= 2) {
#pragma unroll
    for (int i = 0; i < half; i++) {
      REAL kept = lane & bit ? down[i + half] : down[i],
           given = lane & bit ? down[i] : down[i + half];
      down[i] = kept + __shfl_xor_sync(0xffffffffu, given, bit);
    }
    if (half == 0) down[0] += __shfl_xor_sync(0xffffffffu, down[0], bit);
    if (half == W)
#pragma unroll
      for (int i = 0; i < W; i++) down[i] += across[i];
  }
  return down[0];
}

/* Piece 0 to units - 1: a unit, of the middle one what is across; then what is down of that; then
 * the diagonal. */
template <int W>
static __device__ void add_piece(rows_of_block rows, int piece, int units, int lane, int upper,
                                 REAL (&down)[SUMS], REAL (&across)[W])
{
  constexpr int UNIT = 32 * W;
  int end = rows.begin + SUMS, middle = rows.begin / UNIT, unit = piece == units ? middle : piece,
      first = unit * UNIT;
  range all = {0, rows.n}, across_used = {upper ? end : 0, upper ? rows.n : rows.begin},
        down_used = {upper ? 0 : end, upper ? rows.begin : rows.n};
  bool is_across = piece < units && (unit == middle || (unit > middle) == (upper != 0));
  bool is_whole = unit != middle && end <= rows.n && first + UNIT <= rows.n;

  if (piece > units)
    add_diagonal<W>(rows, lane, upper, across);
  else if (is_across && is_whole)
    add_across<W, true>(rows, all, first, lane, across);
  else if (is_across)
    add_across<W, false>(rows, across_used, first, lane, across);
  else if (is_whole)
    add_down<W, true>(rows, all, first, lane, down);
  else
    add_down<W, false>(rows, down_used, first, lane, down);
}

/* W numbers are loaded at once: rows and columns begin at multiples of their size. */
template <int W>
__global__ __launch_bounds__(BLOCK_THREADS) void symv_blocks(
    const REAL *__restrict__ a, const REAL *__restrict__ x, REAL *__restrict__ y, int n,
    long long lda, long long incy, long long first, REAL alpha, REAL beta, int upper)
{
  __shared__ REAL parts[BLOCK_WARPS][SUMS];
  int begin = blockIdx.x * SUMS, warp = threadIdx.x / 32, lane = threadIdx.x % 32,
      units = (n - 1) / (32 * W) + 1;
  rows_of_block rows = {a, x, lda, n, begin};
  REAL down[SUMS] = {0}, across[W] = {0};

  for (int piece = warp; piece < units + 2; piece += BLOCK_WARPS)
    add_piece<W>(rows, piece, units, lane, upper, down, across);
  REAL part = fold<W>(down, across, lane);
  if (lane < SUMS) parts[warp][row_of_lane<1>(lane)] = part;
  __syncthreads();
  int i = begin + threadIdx.x;
  if (threadIdx.x < SUMS && i < n) {
    REAL sum = 0;
    for (int w = 0; w < BLOCK_WARPS; w++) sum += parts[w][threadIdx.x];
    y[first + i * incy] = beta == 0 ? alpha * sum : alpha * sum + beta * y[first + i * incy];
  }
}
