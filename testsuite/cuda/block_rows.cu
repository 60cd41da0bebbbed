// args: --mapping=always
// A row a block, a column a thread: blocks whose size only the launch knows, smaller than rows, or
// larger; a block of a fixed size that goes through its row in steps; numbers of blocks and threads
// as values, and sizes of the launch as strides; grids and blocks of two dimensions, which stay.
#include <cstdio>
#include <cstdlib>

__global__ void add_rows(int *x, const int *bias, int n)
{
  int i = blockIdx.x, j = threadIdx.x;
  x[i * n + j] += bias[j];
}

__global__ void product(int *c, const int *a, const int *b, int n, int depth)
{
  int row = blockIdx.x, col = threadIdx.x;
  int sum = 0;
  for (int k = 0; k < depth; k++) sum += a[row * depth + k] * b[k * n + col];
  c[row * n + col] = sum;
}

__global__ void product_steps(int *c, const int *a, const int *b, int n, int depth)
{
  for (int col = threadIdx.x; col < n; col += blockDim.x) {
    int sum = 0;
    for (int k = 0; k < depth; k++) sum += a[blockIdx.x * depth + k] * b[k * n + col];
    c[blockIdx.x * n + col] = sum;
  }
}

__global__ void values(int *c, const int *f)
{
  unsigned i = blockIdx.x, j = threadIdx.x;
  int sum = 0;
  for (int k = 0; k < 9; k++) sum += f[k] * (int)(i + k * j);
  c[i * blockDim.x + j] = sum + (int)(gridDim.x * 1000 + blockDim.x);
}

__global__ void ids_too(int *c, const int *f)
{
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = threadIdx.x;
  for (int k = 0; k < 9; k++) sum = sum * 3 + f[blockIdx.x + k];
  c[id] = sum;
}

__global__ void columns(int *c, const int *a, int rows)
{
  int col = blockIdx.x, row = threadIdx.x;
  if (row < rows) c[row * gridDim.x + col] = a[col * rows + row] * 2;
}

static int wrong;

static void expect(const char *what, int n, int at, int is, int should)
{
  if (is != should && wrong++ < 10) printf("%s, %d [%d]: %d, not %d\n", what, n, at, is, should);
}

static int *da, *db, *dc, *a, *b, *c;
static size_t bytes;

static void back() { cudaMemcpy(c, dc, bytes, cudaMemcpyDeviceToHost); }

static int product_at(int i, int n, int depth)
{
  int sum = 0;
  for (int k = 0; k < depth; k++) sum += a[i / n * depth + k] * b[k * n + i % n];
  return sum;
}

static void try_sizes(int rows, int threads, int n, int depth)
{
  cudaMemcpy(dc, a, bytes, cudaMemcpyHostToDevice);
  if (threads <= n) {
    add_rows<<<rows, threads>>>(dc, db, n);
    back();
    for (int i = 0; i < rows * n; i++)
      expect("add_rows", threads, i, c[i], a[i] + (i % n < threads ? b[i % n] : 0));
    product<<<rows, threads>>>(dc, da, db, n, depth);
    back();
    for (int i = 0; i < rows * n; i++)
      if (i % n < threads) expect("product", threads, i, c[i], product_at(i, n, depth));
  }
  product_steps<<<rows, 64>>>(dc, da, db, n, depth);
  back();
  for (int i = 0; i < rows * n; i++)
    expect("product_steps", n, i, c[i], product_at(i, n, depth));
  values<<<rows, threads>>>(dc, da);
  back();
  for (int i = 0; i < rows * threads; i++) {
    int sum = 0;
    for (int k = 0; k < 9; k++) sum += a[k] * (i / threads + k * (i % threads));
    expect("values", threads, i, c[i], sum + rows * 1000 + threads);
  }
  ids_too<<<rows, threads>>>(dc, da);
  back();
  for (int i = 0; i < rows * threads; i++) {
    int sum = i % threads;
    for (int k = 0; k < 9; k++) sum = sum * 3 + a[i / threads + k];
    expect("ids_too", threads, i, c[i], sum);
  }
  columns<<<rows, threads>>>(dc, da, threads);
  back();
  for (int i = 0; i < rows * threads; i++)
    expect("columns", threads, i, c[i], a[i % rows * threads + i / rows] * 2);
}

int main(int argc, char **argv)
{
  int most = argc > 1 ? atoi(argv[1]) : 144;
  bytes = sizeof(int) * most * most;
  a = (int *)malloc(bytes), b = (int *)malloc(bytes), c = (int *)malloc(bytes);
  cudaMalloc(&da, bytes), cudaMalloc(&db, bytes), cudaMalloc(&dc, bytes);
  for (int i = 0; i < most * most; i++) a[i] = i * 7 % 19 - 9, b[i] = i * 5 % 23 - 11;
  cudaMemcpy(da, a, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(db, b, bytes, cudaMemcpyHostToDevice);
  try_sizes(most, most, most, most);
  try_sizes(most - 1, most / 2, most, 37);
  try_sizes(33, 65, 70, 33);
  try_sizes(most, 1, most, 3);
  try_sizes(1, most, 7, 1);
  // two blocks along y, and two rows of threads, do the same again
  add_rows<<<dim3(40, 1), dim3(most, 1)>>>(dc, db, most);
  cudaMemcpy(dc, a, bytes, cudaMemcpyHostToDevice);
  int along_y = argc > 2 ? atoi(argv[2]) : 2;
  product<<<dim3(40, along_y), most / 2>>>(dc, da, db, most, most);
  back();
  for (int i = 0; i < 40 * most; i++)
    expect("along y", most, i, c[i], i % most < most / 2 ? product_at(i, most, most) : a[i]);
  product_steps<<<40, dim3(32, along_y)>>>(dc, da, db, most, most);
  back();
  for (int i = 0; i < 40 * most; i++)
    expect("rows of threads", most, i, c[i], product_at(i, most, most));
  printf(wrong ? "wrong: %d\n" : "ok\n", wrong);
  return wrong != 0;
}
