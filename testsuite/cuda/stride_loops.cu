// args: --mapping=always
// Loops by which the threads of a launch, or of a block, share elements: around a product and a
// sum, with fewer threads than elements and with more, and with none; and loops whose iterations
// hand something on, jump, share elements or use a thread's own number, which stay.
#include <cstdio>
#include <cstdlib>

__global__ void product(int *c, const int *a, const int *b, int n, int m, int depth)
{
  for (int row = blockIdx.y * blockDim.y + threadIdx.y; row < n; row += blockDim.y * gridDim.y)
    for (int col = blockIdx.x * blockDim.x + threadIdx.x; col < m; col += blockDim.x * gridDim.x) {
      int sum = 0;
      for (int k = 0; k < depth; k++) sum += a[row * depth + k] * b[k * m + col];
      c[row * m + col] = sum;
    }
}

__global__ void product_rows(int *c, const int *a, const int *b, int n, int m, int depth)
{
  int row = blockIdx.x;
  for (int col = threadIdx.x; col < m; col += blockDim.x) {
    int sum = 0;
    for (int k = 0; k < depth; k++) sum += a[row * depth + k] * b[k * m + col];
    c[row * m + col] = sum + n;
  }
}

__global__ void sums(int *c, const int *a, int n, int m)
{
  int first = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
  for (int i = first; i < n; i += all) {
    c[2 * i + 1] = 0;
    for (int k = 0; k < m; k++) c[2 * i + 1] += a[k * n + i];
  }
}

// rows that lie over each other by half: a thread's later row stays
__global__ void overlapping(int *c, const int *a, int n, int m)
{
  for (int row = blockIdx.y * blockDim.y + threadIdx.y; row < n; row += blockDim.y * gridDim.y)
    for (int col = blockIdx.x * blockDim.x + threadIdx.x; col < m; col += blockDim.x * gridDim.x) {
      int sum = row;
      for (int k = 0; k < 9; k++) sum += a[row * 9 + k] * a[k * m + col];
      c[row * 32 + col] = sum;
    }
}

// all iterations of a thread have one element
__global__ void of_threads(int *c, const int *a, int n)
{
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = id; i < n; i += gridDim.x * blockDim.x) {
    int sum = 0;
    for (int k = 0; k < 9; k++) sum += a[k * n + i];
    c[id] = sum;
  }
}

__global__ void handed_on(int *c, const int *a, int n)
{
  int sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    for (int k = 0; k < 9; k++) sum += a[k * n + i];
    c[i] = sum;
  }
}

__global__ void ended(int *c, const int *a, int n)
{
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    int sum = 0;
    for (int k = 0; k < 9; k++) sum += a[k * n + i];
    if (sum > 40) break;
    c[i] = sum;
  }
}

// an iteration reads what the thread's iteration before has written, in launches of 64 threads
__global__ void before(int *c, const int *a, int n)
{
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    int sum = i >= 64 ? c[i - 64] : 0;
    for (int k = 0; k < 9; k++) sum += a[k * n + i];
    c[i] = sum;
  }
}

static int wrong;

static void expect(const char *what, int n, int at, int is, int should)
{
  if (is != should && wrong++ < 10) printf("%s, %d [%d]: %d, not %d\n", what, n, at, is, should);
}

static int *da, *db, *dc, *a, *b, *c;
static size_t bytes;

static void back() { cudaMemcpy(c, dc, bytes, cudaMemcpyDeviceToHost); }
static void clear() { cudaMemset(dc, 0, bytes); }

static int product_at(int i, int m, int depth)
{
  int sum = 0;
  for (int k = 0; k < depth; k++) sum += a[i / m * depth + k] * b[k * m + i % m];
  return sum;
}

static int column(int i, int n, int rows)
{
  int sum = 0;
  for (int k = 0; k < rows; k++) sum += a[k * n + i];
  return sum;
}

static void try_products(int n, int m, int depth)
{
  for (int few = 0; few < 2; few++) {
    dim3 grid = few ? dim3(2, 1) : dim3((m + 15) / 16, (n + 7) / 8 + 1);
    clear();
    product<<<grid, dim3(16, 8)>>>(dc, da, db, n, m, depth);
    back();
    for (int i = 0; i < n * m; i++) expect("product", n, i, c[i], product_at(i, m, depth));
    if (n * m) expect("behind product", n, n * m, c[n * m], 0);
    clear();
    product_rows<<<n + !n, few ? 32 : 256>>>(dc, da, db, n, m, depth);
    back();
    for (int i = 0; i < n * m; i++) expect("product_rows", n, i, c[i], product_at(i, m, depth) + n);
  }
}

static void try_sums(int n)
{
  clear();
  sums<<<2, 32>>>(dc, da, n, 12);
  back();
  for (int i = 0; i < n; i++) expect("sums", n, 2 * i + 1, c[2 * i + 1], column(i, n, 12));
  for (int i = 0; i < n; i++) expect("beside sums", n, 2 * i, c[2 * i], 0);
  clear();
  of_threads<<<2, 32>>>(dc, da, n);
  back();
  for (int i = 0; i < 64 && i < n; i++) expect("of_threads", n, i, c[i], column((n - 1 - i) / 64 * 64 + i, n, 9));
  clear();
  handed_on<<<2, 32>>>(dc, da, n);
  back();
  for (int i = n - 1; i >= 0; i--)
    expect("handed_on", n, i, c[i], column(i, n, 9) + (i < 64 ? 0 : c[i - 64]));
  clear();
  before<<<2, 32>>>(dc, da, n);
  back();
  for (int i = n - 1; i >= 0; i--)
    expect("before", n, i, c[i], column(i, n, 9) + (i < 64 ? 0 : c[i - 64]));
  clear();
  ended<<<2, 32>>>(dc, da, n);
  back();
  for (int i = 0; i < 64; i++)
    for (int k = i, over = 0; k < n; k += 64) {
      over |= column(k, n, 9) > 40;
      expect("ended", n, k, c[k], over ? 0 : column(k, n, 9));
    }
}

int main(int argc, char **argv)
{
  int most = argc > 1 ? atoi(argv[1]) : 136;
  bytes = sizeof(int) * (most * most + 1);
  a = (int *)malloc(bytes), b = (int *)malloc(bytes), c = (int *)malloc(bytes);
  cudaMalloc(&da, bytes), cudaMalloc(&db, bytes), cudaMalloc(&dc, bytes);
  for (int i = 0; i <= most * most; i++) a[i] = i * 7 % 19 - 9, b[i] = i * 5 % 23 - 11;
  cudaMemcpy(da, a, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(db, b, bytes, cudaMemcpyHostToDevice);
  try_products(most, most, most);
  try_products(33, 70, 21);
  try_products(0, 70, 21);
  try_products(3, 0, 21);
  try_sums(1000), try_sums(64), try_sums(200);
  clear();
  overlapping<<<1, 1>>>(dc, da, 20, 64); // one thread: its later rows stay
  back();
  for (int i = 0; i < 21 * 32; i++) {
    int row = i / 32 < 20 ? i / 32 : 19, col = i - row * 32, sum = row;
    for (int k = 0; k < 9; k++) sum += a[row * 9 + k] * a[k * 64 + col];
    expect("overlapping", 20, i, c[i], sum);
  }
  printf(wrong ? "wrong: %d\n" : "ok\n", wrong);
  return wrong != 0;
}
