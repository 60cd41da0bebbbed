/* panel_tridiagonal.cuh - the columns of a panel of sytrd in one launch. `full` is the rest of the
 * matrix with both of its triangles, so that a product with it is one with its columns. */

/* Column i without what the panel's reflectors do to it; W's column i - 1 becomes whole. */
static __device__ void tridiagonal_take(panel_shared &s, const panel_tridiagonal &p, int i,
                                        REAL alpha)
{
  int whole = i ? i - 1 : 0, t = threadIdx.x;
  REAL square = 0;

  if (t < i) {
    s.of_others[t] =
        t < whole ? p.w[i + t * p.ldv] : p.product[i] - alpha * p.v[i + t * p.ldv];
    s.of_own[t] = p.v[i + t * p.ldv];
  }
  __syncthreads();
  for (int row = i + blockIdx.x * PANEL_ROWS; row < p.rows; row += gridDim.x * PANEL_ROWS) {
    int valid = valid_rows(row, p.rows), at = row + t;
    REAL sum = 0;
    add_columns(sum, p.v + row, p.ldv, valid, i, s.of_others);
    add_columns(sum, p.w + row, p.ldv, valid, whole, s.of_own);
    sum = folded_rows(s, sum);
    if (t >= valid) continue;
    if (i) {
      REAL w = p.product[at] - alpha * p.v[at + whole * p.ldv];
      p.w[at + whole * p.ldv] = w;
      sum += w * s.of_own[whole];
    }
    REAL x = p.full[at + i * p.ldfull] - sum;
    p.column[at] = x;
    if (at == i) p.a[i + i * p.lda] = x;
    if (at > i + 1) square += x * x;
  }
  square = block_sum(s, square);
  if (t == 0) p.squares[blockIdx.x] = square;
}

static __device__ reflector tridiagonal_multiply(panel_shared &s, const panel_tridiagonal &p, int i)
{
  int next = i + 1, under = (int)p.rows - next;
  reflector r = reflector_of(s, p.column + next, p.squares);

  if (blockIdx.x == 0 && threadIdx.x == 0) {
    p.e[i] = r.beta;
    p.tau[i] = r.tau;
    p.a[next + i * p.lda] = r.beta;
  }
  store_reflector(p.v + i * p.ldv, p.column, next, p.rows, r.factor);
  multiply_columns({p.full + next + next * p.ldfull, p.ldfull, under, p.product + next},
                   {p.w + next, p.ldv, i, p.seen}, {p.v + next, p.ldv, i, p.seen + PANEL_SIDE},
                   p.column + next, under, r.factor);
  return r;
}

/* w = tau (A v - V W^T v - W V^T v), but for a multiple of v: that needs w^T v. */
static __device__ void tridiagonal_scale(panel_shared &s, const panel_tridiagonal &p, int i,
                                         REAL tau)
{
  REAL product = 0;

  load_numbers(s.of_others, p.seen, 1, i);
  load_numbers(s.of_own, p.seen + PANEL_SIDE, 1, i);
  __syncthreads();
  for (int row = i + 1 + blockIdx.x * PANEL_ROWS; row < p.rows; row += gridDim.x * PANEL_ROWS) {
    int valid = valid_rows(row, p.rows), at = row + threadIdx.x;
    REAL sum = 0;
    add_columns(sum, p.v + row, p.ldv, valid, i, s.of_others);
    add_columns(sum, p.w + row, p.ldv, valid, i, s.of_own);
    sum = folded_rows(s, sum);
    if ((int)threadIdx.x < valid) {
      REAL w = tau * (p.product[at] - sum);
      p.product[at] = w;
      product += w * p.v[at + i * p.ldv];
    }
  }
  product = block_sum(s, product);
  if (threadIdx.x == 0) p.parts[blockIdx.x] = product;
}

__global__ __launch_bounds__(PANEL_THREADS) void tridiagonal_columns(panel_tridiagonal p)
{
  __shared__ panel_shared s;
  cooperative_groups::grid_group grid = cooperative_groups::this_grid();
  REAL alpha = 0; /* of the column of W that is not whole */

  for (int i = 0; i < p.count; i++) {
    tridiagonal_take(s, p, i, alpha);
    if (i + 1 == p.rows) return;
    grid.sync();
    reflector r = tridiagonal_multiply(s, p, i);
    grid.sync();
    tridiagonal_scale(s, p, i, r.tau);
    grid.sync();
    alpha = r.tau / 2 * grid_sum(s, p.parts);
  }
  int last = (int)p.count - 1;
  for (long long row = p.count + blockIdx.x * PANEL_THREADS + threadIdx.x; row < p.rows;
       row += gridDim.x * PANEL_THREADS)
    p.w[row + last * p.ldv] = p.product[row] - alpha * p.v[row + last * p.ldv];
}
