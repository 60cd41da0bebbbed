/* panel_hessenberg.cuh - the columns of a panel of gehrd in one launch. Rows count from behind the
 * panel's first column on. */

/* Column j of T from what reflector j's vector has in common with those in front, by one block. */
static __device__ void hessenberg_append(const panel_hessenberg &p, int j, REAL tau)
{
  int i = threadIdx.x;

  if (blockIdx.x || i >= PANEL_SIDE) return;
  REAL sum = 0;
  for (int l = i; l < j; l++) sum += p.t[i + l * PANEL_SIDE] * p.seen[l];
  p.t[i + j * PANEL_SIDE] = i < j ? -tau * sum : i == j ? tau : 0;
}

/* Column j without Y V^T; Y's column j - 1 becomes whole. Blocks leave their parts of V^T times the
 * column. */
static __device__ void hessenberg_take(panel_shared &s, const panel_hessenberg &p, int j, REAL tau)
{
  int whole = j ? j - 1 : 0, t = threadIdx.x, warp = t / 32, lane = t % 32;

  if (j) hessenberg_append(p, whole, tau);
  load_numbers(s.of_own, p.seen, 1, whole);
  load_numbers(s.row_own, p.v + whole, p.ldv, j);
  if (t < PANEL_SIDE) s.products[t] = 0;
  __syncthreads();
  for (int row = blockIdx.x * PANEL_ROWS; row < p.rows; row += gridDim.x * PANEL_ROWS) {
    int valid = valid_rows(row, p.rows);
    REAL taken = finish_rows(s, {NULL, 0, 0, p.y, p.ldv, whole, p.product, j > 0, tau}, row, valid);
    if (t < valid) p.column[row + t] = s.taken[t] = p.a[row + t + j * p.lda] - taken;
    __syncthreads();
    for (int l = warp; l < j; l += PANEL_WARPS) {
      REAL sum = warp_sum(lane < valid ? p.v[row + lane + l * p.ldv] * s.taken[lane] : 0);
      if (lane == 0) s.products[l] += sum;
    }
  }
  __syncthreads();
  if (t < j) p.parts[blockIdx.x * PANEL_SIDE + t] = s.products[t];
}

/* Numbers l < j of all blocks' parts, then T^T times these in row_own. */
static __device__ void hessenberg_turn(panel_shared &s, const panel_hessenberg &p, int j)
{
  int t = threadIdx.x, lane = t % 32;

  for (int l = t / 32; l < j; l += PANEL_WARPS) {
    REAL sum = 0;
    for (int b = lane; b < (int)gridDim.x; b += 32) sum += p.parts[b * PANEL_SIDE + l];
    sum = warp_sum(sum);
    if (lane == 0) s.of_own[l] = sum;
  }
  __syncthreads();
  if (t < j) {
    REAL sum = 0;
    for (int l = 0; l <= t; l++) sum += p.t[l + t * PANEL_SIDE] * s.of_own[l];
    s.row_own[t] = sum;
  }
  __syncthreads();
}

/* Column j without V T^T V^T times it. */
static __device__ void hessenberg_reflect(panel_shared &s, const panel_hessenberg &p, int j)
{
  REAL square = 0;

  hessenberg_turn(s, p, j);
  for (int row = blockIdx.x * PANEL_ROWS; row < p.rows; row += gridDim.x * PANEL_ROWS) {
    int valid = valid_rows(row, p.rows), at = row + threadIdx.x;
    REAL sum = 0;
    add_columns(sum, p.v + row, p.ldv, valid, j, s.row_own);
    sum = folded_rows(s, sum);
    if ((int)threadIdx.x < valid) {
      REAL x = p.column[at] - sum;
      p.column[at] = x;
      if (at > j) square += x * x;
    }
  }
  square = block_sum(s, square);
  if (threadIdx.x == 0) p.squares[blockIdx.x] = square;
}

static __device__ reflector hessenberg_multiply(panel_shared &s, const panel_hessenberg &p, int j)
{
  reflector r = reflector_of(s, p.column + j, p.squares);
  int terms = (int)p.rows - j;

  if (blockIdx.x == 0 && (int)threadIdx.x <= j)
    p.a[threadIdx.x + j * p.lda] = (int)threadIdx.x < j ? p.column[threadIdx.x] : r.beta;
  if (blockIdx.x == 0 && threadIdx.x == 0) p.tau[j] = r.tau;
  store_reflector(p.v + j * p.ldv, p.column, j, p.rows, r.factor);
  multiply_rows(s, p.product, p.a + (j + 1) * p.lda, p.lda, 0, p.rows, p.column + j, terms,
                r.factor);
  multiply_columns({NULL, 0, 0, NULL}, {NULL, 0, 0, NULL}, {p.v + j, p.ldv, j, p.seen},
                   p.column + j, terms, r.factor);
  return r;
}

__global__ __launch_bounds__(PANEL_THREADS) void hessenberg_columns(panel_hessenberg p)
{
  __shared__ panel_shared s;
  cooperative_groups::grid_group grid = cooperative_groups::this_grid();
  int last = (int)p.count - 1;
  reflector r = {0, 0, 0};

  for (int j = 0; j < p.count; j++) {
    hessenberg_take(s, p, j, r.tau);
    grid.sync();
    hessenberg_reflect(s, p, j);
    grid.sync();
    r = hessenberg_multiply(s, p, j);
    grid.sync();
  }
  hessenberg_append(p, last, r.tau);
  load_numbers(s.of_own, p.seen, 1, last);
  load_numbers(s.row_own, p.seen, 0, last + 1); /* nothing is taken */
  __syncthreads();
  finish_all(s, {NULL, 0, 0, p.y, p.ldv, last, p.product, 1, r.tau}, 0, p.rows);
}
