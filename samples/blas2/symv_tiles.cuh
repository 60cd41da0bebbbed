/* symv_tiles.cuh - symv that loads an element of the triangle once for both of its sums; for
 * matrices that no cache keeps.
 *
 * The triangle is cut into tiles of TILE_COLUMNS columns (a strip) and TILE_ROWS rows, a block of
 * threads each. A warp has WARP_COLUMNS of the columns and goes down the rows, a vector of rows for
 * each lane: all of a step's elements are loaded before the first is used.
 *
 *     strips       |\         rows:     a[i][j] x[j] over the j of the strip
 *     of columns   |_\                   ->  a slot of row i for each strip
 *                  |1|\       columns:  a[i][j] x[i] over the i of the tile
 *                                       ->  a slot of row j for each tile of its strip
 *
 * A lane adds up its rows over the warp's columns, which the block's warps put together in shared
 * memory, and has a sum for each column in registers, which the warp's lanes fold at the end. A
 * plain kernel adds up the slots: nothing is added in an order that differs from run to run.
 *
 * Tiles, vectors and folds are by hand. Of a plain kernel with both halves in a thread mesicc makes
 * such tiles itself (analysis/transform/both_halves), without vectors. */
enum {
  VECTOR = 16 / sizeof(REAL),
  WARP_COLUMNS = 64 / sizeof(REAL),
  TILE_WARPS = 8,
  TILE_THREADS = 32 * TILE_WARPS,
  TILE_COLUMNS = WARP_COLUMNS * TILE_WARPS,
  STEP_ROWS = 32 * VECTOR,
  TILE_ROWS = 256,
  TILE_BLOCKS = sizeof(REAL) == 4 ? 2 : 3 /* of a multiprocessor: as its registers allow */,
  JOIN_WARPS = 8
};

/* Where the rows of a strip that are in the triangle end, and how many tiles they are. */
static __host__ __device__ int end_of_strip(int strip, int n, int upper)
{
  return upper && (strip + 1) * TILE_COLUMNS < n ? (strip + 1) * TILE_COLUMNS : n;
}

static __host__ __device__ int tiles_of_strip(int strip, int n, int upper)
{
  return (end_of_strip(strip, n, upper) - (upper ? 0 : strip * TILE_COLUMNS) + TILE_ROWS - 1) /
         TILE_ROWS;
}

/* How many slots of the strip's rows are for other strips' rows, those of columns come behind. */
static __host__ __device__ int row_slots(int strip, int strips, int upper)
{
  return upper ? strips - strip : strip + 1;
}

struct tile {
  int strip, number; /* of the strips, of the strip's tiles; there is none: strip -1 */
};

/* A long and a short strip together are as many tiles as another two: the grid's x is such a pair.
 */
static __device__ tile tile_of(int pair, int number, int strips, int n, int upper)
{
  int other = strips - 1 - pair, tiles = tiles_of_strip(pair, n, upper);

  if (number < tiles) return tile{pair, number};
  if (other > pair && number - tiles < tiles_of_strip(other, n, upper))
    return tile{other, number - tiles};
  return tile{-1, 0};
}

/* What a warp loads in a step: rows from `row` on below `end`, columns from `column` on. */
struct step {
  const REAL *a, *x;
  const REAL *terms; /* x of the columns */
  long long lda;
  int n, row, end, column;
};

/* Where element i of a lane's vector is: beside the one in front of it, or that far apart that all
 * lanes' elements i are beside one another. */
template <bool WIDE> static __device__ int row_in_step(int lane, int i)
{
  return WIDE ? lane * VECTOR + i : lane + 32 * i;
}

template <bool WIDE>
static __device__ void load_rows(const REAL *from, int lane, REAL (&values)[VECTOR])
{
  if (WIDE) {
    vector<VECTOR> loaded = *reinterpret_cast<const vector<VECTOR> *>(from + lane * VECTOR);
#pragma unroll
    for (int i = 0; i < VECTOR; i++) values[i] = loaded.of[i];
  } else {
#pragma unroll
    for (int i = 0; i < VECTOR; i++) values[i] = from[row_in_step<false>(lane, i)];
  }
}

/* A step whose elements are all there. */
template <bool WIDE>
static __device__ void add_whole(const step &s, int lane, REAL (&rows)[VECTOR],
                                 REAL (&columns)[WARP_COLUMNS])
{
  REAL values[WARP_COLUMNS][VECTOR], terms[VECTOR];
  const REAL *from = s.a + s.row + s.column * s.lda;

  load_rows<WIDE>(s.x + s.row, lane, terms);
#pragma unroll
  for (int j = 0; j < WARP_COLUMNS; j++, from += s.lda) load_rows<WIDE>(from, lane, values[j]);
#pragma unroll
  for (int j = 0; j < WARP_COLUMNS; j++) {
    REAL term = s.terms[j];
#pragma unroll
    for (int i = 0; i < VECTOR; i++) {
      rows[i] += values[j][i] * term;
      columns[j] += values[j][i] * terms[i];
    }
  }
}

/* One at the diagonal or at the matrix's end. */
template <bool WIDE>
static __device__ void add_some(const step &s, int lane, int upper, REAL (&rows)[VECTOR],
                                REAL (&columns)[WARP_COLUMNS])
{
#pragma unroll
  for (int i = 0; i < VECTOR; i++) {
    int row = s.row + row_in_step<WIDE>(lane, i);
    REAL values[WARP_COLUMNS], of_row = row < s.end ? s.x[row] : 0;
    const REAL *from = s.a + row + s.column * s.lda;
#pragma unroll
    for (int j = 0; j < WARP_COLUMNS; j++, from += s.lda) {
      int column = s.column + j;
      bool is_there = row < s.end && column < s.n && (upper ? row <= column : row >= column);
      values[j] = is_there ? *from : 0;
    }
#pragma unroll
    for (int j = 0; j < WARP_COLUMNS; j++) {
      rows[i] += values[j] * s.terms[j];
      columns[j] += s.column + j == row ? 0 : values[j] * of_row;
    }
  }
}

/* The warp's sum of column lane * WARP_COLUMNS / 32: half of the columns goes to the other lanes as
 * long as there are two. */
template <int LEFT, int BIT>
static __device__ void fold_columns(REAL (&sums)[WARP_COLUMNS], int lane)
{
#pragma unroll
  for (int j = 0; j < LEFT / 2; j++) {
    REAL kept = lane & BIT ? sums[j + LEFT / 2] : sums[j],
         given = lane & BIT ? sums[j] : sums[j + LEFT / 2];
    sums[j] = kept + __shfl_xor_sync(0xffffffffu, given, BIT);
  }
  if (LEFT == 1) sums[0] += __shfl_xor_sync(0xffffffffu, sums[0], BIT);
  if constexpr (BIT > 1) fold_columns<LEFT == 1 ? 1 : LEFT / 2, BIT / 2>(sums, lane);
}

template <bool WIDE>
__global__ __launch_bounds__(TILE_THREADS, TILE_BLOCKS) void symv_tiles(const REAL *__restrict__ a,
                                                                        const REAL *__restrict__ x,
                                                                        REAL *__restrict__ slots,
                                                                        int n, long long lda,
                                                                        int strips, int upper)
{
  __shared__ REAL of_rows[TILE_WARPS][TILE_ROWS], terms[TILE_COLUMNS];
  tile t = tile_of(blockIdx.x, blockIdx.y, strips, n, upper);
  if (t.strip < 0) return;
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32, first = t.strip * TILE_COLUMNS,
      begin = (upper ? 0 : first) + t.number * TILE_ROWS;
  int inner = upper ? first : n, end = end_of_strip(t.strip, n, upper);
  REAL columns[WARP_COLUMNS] = {0};
  step s = {a, x, terms + warp * WARP_COLUMNS, lda, n, begin, end, first + warp * WARP_COLUMNS};

  for (int j = threadIdx.x; j < TILE_COLUMNS; j += TILE_THREADS)
    terms[j] = first + j < n ? x[first + j] : 0;
  __syncthreads();
#pragma unroll 1
  for (; s.row < end && s.row < begin + TILE_ROWS; s.row += STEP_ROWS) {
    REAL rows[VECTOR] = {0};
    if (s.row + STEP_ROWS <= inner && (upper || s.row >= first + TILE_COLUMNS) &&
        first + TILE_COLUMNS <= n)
      add_whole<WIDE>(s, lane, rows, columns);
    else
      add_some<WIDE>(s, lane, upper, rows, columns);
#pragma unroll
    for (int i = 0; i < VECTOR; i++)
      of_rows[warp][s.row - begin + row_in_step<WIDE>(lane, i)] = rows[i];
  }
  fold_columns<WARP_COLUMNS, 16>(columns, lane);
  int column = s.column + lane * WARP_COLUMNS / 32;
  if (lane % (32 / WARP_COLUMNS) == 0 && column < n)
    slots[(row_slots(t.strip, strips, upper) + t.number) * (long long)n + column] = columns[0];
  __syncthreads();
  for (int row = begin + threadIdx.x; row < end && row < begin + TILE_ROWS; row += TILE_THREADS) {
    REAL of_row = 0;
#pragma unroll
    for (int w = 0; w < TILE_WARPS; w++) of_row += of_rows[w][row - begin];
    slots[(upper ? t.strip - row / TILE_COLUMNS : t.strip) * (long long)n + row] = of_row;
  }
}

/* y = alpha (the slots of row i) + beta y; warps share the slots of 32 rows. */
__global__ __launch_bounds__(32 * JOIN_WARPS) void join_slots(const REAL *__restrict__ slots,
                                                              REAL *__restrict__ y, int n,
                                                              int strips, long long incy,
                                                              long long first, REAL alpha,
                                                              REAL beta, int upper)
{
  __shared__ REAL parts[JOIN_WARPS][32];
  int i = blockIdx.x * 32 + threadIdx.x, strip = i / TILE_COLUMNS,
      used = row_slots(strip, strips, upper) + tiles_of_strip(strip, n, upper);
  REAL sum = 0;

  if (i < n)
#pragma unroll 8
    for (int s = threadIdx.y; s < used; s += JOIN_WARPS) sum += slots[i + s * (long long)n];
  parts[threadIdx.y][threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.y == 0 && i < n) {
    for (int w = 1; w < JOIN_WARPS; w++) sum += parts[w][threadIdx.x];
    y[first + i * incy] = beta == 0 ? alpha * sum : alpha * sum + beta * y[first + i * incy];
  }
}
