/* panel_bidiagonal.cuh - the columns and rows of a panel of gebrd in one launch. */

/* Column i without what the panel's reflectors do to it; X's column i - 1 becomes whole. */
static __device__ void bidiagonal_take_column(panel_shared &s, const panel_bidiagonal &p, int i,
                                              REAL tau)
{
  int whole = i ? i - 1 : 0;
  narrow m = {p.v, p.ldv, i, p.x, p.ldv, whole, p.row_product, i > 0, tau};
  REAL square = 0;

  load_numbers(s.of_others, p.seen, 1, i);
  load_numbers(s.of_own, p.seen + PANEL_SIDE, 1, whole);
  load_numbers(s.row_others, p.y + i, p.ldu, i);
  load_numbers(s.row_own, p.u + i, p.ldu, i);
  __syncthreads();
  for (int row = i + blockIdx.x * PANEL_ROWS; row < p.rows; row += gridDim.x * PANEL_ROWS) {
    int valid = valid_rows(row, p.rows), at = row + threadIdx.x;
    REAL taken = finish_rows(s, m, row, valid);
    if ((int)threadIdx.x >= valid) continue;
    REAL x = p.a[at + i * p.lda] - taken;
    p.column[at] = x;
    if (at > i) square += x * x;
  }
  square = block_sum(s, square);
  if (threadIdx.x == 0) p.squares[blockIdx.x] = square;
}

static __device__ reflector bidiagonal_multiply_column(panel_shared &s, const panel_bidiagonal &p,
                                                       int i)
{
  int next = i + 1, tall = (int)p.rows - i;
  reflector r = reflector_of(s, p.column + i, p.squares);

  if (blockIdx.x == 0 && threadIdx.x == 0) {
    p.d[i] = r.beta;
    p.tauq[i] = r.tau;
    p.a[i + i * p.lda] = r.beta;
  }
  store_reflector(p.v + i * p.ldv, p.column, i, p.rows, r.factor);
  multiply_columns({p.a + i + next * p.lda, p.lda, (int)p.columns - next, p.column_product + next},
                   {p.x + i, p.ldv, i, p.seen}, {p.v + i, p.ldv, i, p.seen + PANEL_SIDE},
                   p.column + i, tall, r.factor);
  return r;
}

/* Row i, right of the diagonal; Y's column i becomes whole. */
static __device__ void bidiagonal_take_row(panel_shared &s, const panel_bidiagonal &p, int i,
                                           REAL tau)
{
  narrow m = {p.u, p.ldu, i, p.y, p.ldu, i, p.column_product, 1, tau};
  REAL square = 0;

  load_numbers(s.of_others, p.seen, 1, i);
  load_numbers(s.of_own, p.seen + PANEL_SIDE, 1, i);
  load_numbers(s.row_others, p.x + i, p.ldv, i);
  load_numbers(s.row_own, p.v + i, p.ldv, i + 1);
  __syncthreads();
  for (int row = i + 1 + blockIdx.x * PANEL_ROWS; row < p.columns; row += gridDim.x * PANEL_ROWS) {
    int valid = valid_rows(row, p.columns), at = row + threadIdx.x;
    REAL taken = finish_rows(s, m, row, valid);
    if ((int)threadIdx.x >= valid) continue;
    REAL x = p.a[i + at * p.lda] - taken;
    p.row[at] = x;
    if (at > i + 1) square += x * x;
  }
  square = block_sum(s, square);
  if (threadIdx.x == 0) p.squares[blockIdx.x] = square;
}

static __device__ reflector bidiagonal_multiply_row(panel_shared &s, const panel_bidiagonal &p,
                                                    int i)
{
  int next = i + 1, right = (int)p.columns - next;
  reflector r = reflector_of(s, p.row + next, p.squares);

  if (blockIdx.x == 0 && threadIdx.x == 0) {
    p.e[i] = r.beta;
    p.taup[i] = r.tau;
    p.a[i + next * p.lda] = r.beta;
  }
  store_reflector(p.u + i * p.ldu, p.row, next, p.columns, r.factor);
  multiply_rows(s, p.row_product, p.a + next * p.lda, p.lda, next, p.rows, p.row + next, right,
                r.factor);
  multiply_columns({NULL, 0, 0, NULL}, {p.y + next, p.ldu, next, p.seen},
                   {p.u + next, p.ldu, i, p.seen + PANEL_SIDE}, p.row + next, right, r.factor);
  return r;
}

__global__ __launch_bounds__(PANEL_THREADS) void bidiagonal_columns(panel_bidiagonal p)
{
  __shared__ panel_shared s;
  cooperative_groups::grid_group grid = cooperative_groups::this_grid();
  int last = (int)p.count - 1;
  reflector r = {0, 0, 0};

  for (int i = 0; i < p.count; i++) {
    bidiagonal_take_column(s, p, i, r.tau);
    grid.sync();
    r = bidiagonal_multiply_column(s, p, i);
    if (i + 1 == p.columns) return;
    grid.sync();
    bidiagonal_take_row(s, p, i, r.tau);
    grid.sync();
    r = bidiagonal_multiply_row(s, p, i);
    grid.sync();
  }
  load_numbers(s.of_others, p.seen, 1, last + 1);
  load_numbers(s.of_own, p.seen + PANEL_SIDE, 1, last);
  load_numbers(s.row_others, p.seen, 0, last + 1); /* nothing is taken */
  load_numbers(s.row_own, p.seen, 0, last + 1);
  __syncthreads();
  finish_all(s, {p.v, p.ldv, last + 1, p.x, p.ldv, last, p.row_product, 1, r.tau}, last + 1,
             p.rows);
}
