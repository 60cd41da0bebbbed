// args: --mapping=always
// Matrix products with tiles in shared memory by hand, in the forms in which people write them, and
// kernels whose tiles have to stay: windows that overlap, weights by places in a tile, sums that
// begin with -0, stores in front of the last condition. Sizes are multiples of a tile, and none.
#include <cstdio>
#include <cstdlib>
#include <cstring>

enum { T = 16, MOST = 96 * 96 };

__global__ void guarded(const float *a, const float *b, float *c, int m, int n, int k)
{
  __shared__ float as[T][T], bs[T][T];
  int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  float sum = 0.0f;
  for (int t = 0; t < (k + T - 1) / T; ++t) {
    if (row < m && t * T + tx < k) as[ty][tx] = a[row * k + t * T + tx];
    else as[ty][tx] = 0.0f;
    if (col < n && t * T + ty < k) bs[ty][tx] = b[(t * T + ty) * n + col];
    else bs[ty][tx] = 0.0f;
    __syncthreads();
    for (int i = 0; i < T; ++i) sum += as[ty][i] * bs[i][tx];
    __syncthreads();
  }
  if (row < m && col < n) c[row * n + col] = sum;
}

// Whole tiles only: what is behind the last one is left out.
__global__ void whole(const float *a, const float *b, float *c, int m, int n, int k)
{
  __shared__ float as[T][T];
  __shared__ float bs[T][T];
  int bx = blockIdx.x, by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
  int row = by * T + ty, col = bx * T + tx;
  float sum = 0;
  for (int p = 0; p < k / T; p++) {
    as[ty][tx] = a[row * k + p * T + tx];
    bs[ty][tx] = b[(p * T + ty) * n + col];
    __syncthreads();
    for (int i = 0; i < T; i++) sum += as[ty][i] * bs[i][tx];
    __syncthreads();
  }
  if (row < m && col < n) c[row * n + col] = sum;
}

// Everything unsigned, a step of a tile, an update of the result, a tile with a column more.
__global__ void update(const float *a, const float *b, float *c, unsigned m, unsigned n, unsigned k)
{
  __shared__ float as[T][T], bs[T][T + 1];
  unsigned row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.f;
  for (unsigned t = 0; t < k; t += T) {
    as[threadIdx.y][threadIdx.x] =
        row < m && t + threadIdx.x < k ? a[row * k + t + threadIdx.x] : 0.f;
    bs[threadIdx.y][threadIdx.x] =
        col < n && t + threadIdx.y < k ? b[(t + threadIdx.y) * n + col] : 0.f;
    __syncthreads();
    for (unsigned i = 0; i < T; i++) sum += as[threadIdx.y][i] * bs[i][threadIdx.x];
    __syncthreads();
  }
  if (row < m && col < n) c[row * n + col] = 2 * sum + c[row * n + col];
}

// Two counters, and the parts of blocks and threads apart, as in a well-known sample.
__global__ void counters(const float *a, const float *b, float *c, int m, int n, int k)
{
  int tx = threadIdx.x, ty = threadIdx.y;
  int from = k * T * blockIdx.y, last = from + k - 1;
  float sum = 0;
  for (int i = from, j = T * blockIdx.x; i <= last; i += T, j += T * n) {
    __shared__ float as[T][T];
    __shared__ float bs[T][T];
    as[ty][tx] = a[i + k * ty + tx];
    bs[ty][tx] = b[j + n * ty + tx];
    __syncthreads();
    for (int p = 0; p < T; ++p) sum += as[ty][p] * bs[p][tx];
    __syncthreads();
  }
  int at = n * T * blockIdx.y + T * blockIdx.x;
  c[at + n * ty + tx] = sum;
}

// The left matrix is read by columns, the tile is turned, and its first row stays free.
__global__ void turned(const float *a, const float *b, float *c, int m, int n, int k)
{
  __shared__ float as[T + 1][T], bs[T][T];
  int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  float sum = 0.0f;
  for (int t = 0; t < (k - 1) / T + 1; ++t) {
    as[tx + 1][ty] = row < m && t * T + tx < k ? a[(t * T + tx) * m + row] : 0.0f;
    bs[ty][tx] = col < n && t * T + ty < k ? b[(t * T + ty) * n + col] : 0.0f;
    __syncthreads();
    for (int i = 0; i < T; ++i) sum += as[i + 1][ty] * bs[i][tx];
    __syncthreads();
  }
  if (row < m && col < n) c[row * n + col] = sum;
}

// Tiles of one dimension, and a block's size in the place of a constant.
__global__ void flat(const float *a, const float *b, float *c, int m, int n, int k)
{
  __shared__ float as[T * T], bs[T * (T + 2)];
  int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  float sum = 0.0f;
  for (int t = 0; t < (k + blockDim.x - 1) / blockDim.x; ++t) {
    as[tx + ty * T] = row < m && t * T + tx < k ? a[row * k + t * T + tx] : 0.0f;
    bs[ty * (T + 2) + tx + 1] = col < n && t * T + ty < k ? b[(t * T + ty) * n + col] : 0.0f;
    __syncthreads();
    for (int i = 0; i < blockDim.x; ++i) sum += as[ty * T + i] * bs[1 + i * (T + 2) + tx];
    __syncthreads();
  }
  if (row < m && col < n) c[row * n + col] = sum;
}

// The tile of a step overlaps the one before by half.
__global__ void windows(const float *a, const float *b, float *c, int m, int n, int k)
{
  __shared__ float as[T][T], bs[T][T];
  int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  float sum = 0.0f;
  for (int t = 0; t < k; t += T / 2) {
    as[ty][tx] = row < m && t + tx < k ? a[row * k + t + tx] : 0.0f;
    bs[ty][tx] = col < n && t + ty < k ? b[(t + ty) * n + col] : 0.0f;
    __syncthreads();
    for (int i = 0; i < T; ++i) sum += as[ty][i] * bs[i][tx];
    __syncthreads();
  }
  if (row < m && col < n) c[row * n + col] = sum;
}

// Terms have weights by their places in a tile.
__global__ void weighted(const float *a, const float *b, float *c, int m, int n, int k)
{
  __shared__ float as[T][T], bs[T][T];
  int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  float sum = 0.0f;
  for (int t = 0; t < (k + T - 1) / T; ++t) {
    as[ty][tx] = row < m && t * T + tx < k ? a[row * k + t * T + tx] : 0.0f;
    bs[ty][tx] = col < n && t * T + ty < k ? b[(t * T + ty) * n + col] : 0.0f;
    __syncthreads();
    for (int i = 0; i < T; ++i) sum += as[ty][i] * bs[i][tx] * (float)(i + 1);
    __syncthreads();
  }
  if (row < m && col < n) c[row * n + col] = sum;
}

// -0 plus products that are -0 is -0, until +0 is added behind the end.
__global__ void negative(const float *a, const float *b, float *c, int m, int n, int k)
{
  __shared__ float as[T][T], bs[T][T];
  int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  float sum = -0.0f;
  for (int t = 0; t < (k + T - 1) / T; ++t) {
    as[ty][tx] = row < m && t * T + tx < k ? a[row * k + t * T + tx] : 0.0f;
    bs[ty][tx] = col < n && t * T + ty < k ? b[(t * T + ty) * n + col] : 0.0f;
    __syncthreads();
    for (int i = 0; i < T; ++i) sum += as[ty][i] * bs[i][tx];
    __syncthreads();
  }
  if (row < m && col < n) c[row * n + col] = sum;
}

// All threads store to one array, those within the matrix to another one.
__global__ void marked(const float *a, const float *b, float *c, int *marks, int m, int n, int k)
{
  __shared__ float as[T][T], bs[T][T];
  int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  float sum = 0.0f;
  for (int t = 0; t < (k + T - 1) / T; ++t) {
    as[ty][tx] = row < m && t * T + tx < k ? a[row * k + t * T + tx] : 0.0f;
    bs[ty][tx] = col < n && t * T + ty < k ? b[(t * T + ty) * n + col] : 0.0f;
    __syncthreads();
    for (int i = 0; i < T; ++i) sum += as[ty][i] * bs[i][tx];
    __syncthreads();
  }
  marks[row * 128 + col] = 1;
  if (row < m && col < n) c[row * n + col] = sum;
}

static float *a, *b, *c, *left, *right, *out, *expected;
static int *marks;
static int failures;

static void fill(int m, int n)
{
  for (int i = 0; i < MOST; i++) {
    a[i] = (float)((i * 37 + 11) % 17 - 8);
    b[i] = (float)((i * 23 + 5) % 13 - 6);
    c[i] = (float)(i % 7);
  }
  for (int i = 0; i < m * n; i++) expected[i] = c[i];
  cudaMemcpy(left, a, MOST * sizeof *a, cudaMemcpyHostToDevice);
  cudaMemcpy(right, b, MOST * sizeof *b, cudaMemcpyHostToDevice);
  cudaMemcpy(out, c, MOST * sizeof *c, cudaMemcpyHostToDevice);
}

static void check(const char *what, int m, int n, int k)
{
  cudaMemcpy(c, out, MOST * sizeof *c, cudaMemcpyDeviceToHost);
  for (int i = 0; i < m * n; i++)
    if (memcmp(&c[i], &expected[i], sizeof *c)) {
      printf("%s %d %d %d: element %d is %g, not %g\n", what, m, n, k, i, c[i], expected[i]);
      failures++;
      return;
    }
}

static float element(int i, int p, int k, bool turn, int m)
{
  return turn ? a[p * m + i] : a[i * k + p];
}

static void multiply(int m, int n, int k, int end, bool turn, float times, float add)
{
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      float sum = 0;
      for (int p = 0; p < end; p++) sum += element(i, p, k, turn, m) * b[p * n + j];
      expected[i * n + j] = times * sum + add * expected[i * n + j];
    }
}

static void products(int m, int n, int k)
{
  dim3 block(T, T), grid((n + T - 1) / T, (m + T - 1) / T);

  fill(m, n);
  guarded<<<grid, block>>>(left, right, out, m, n, k);
  multiply(m, n, k, k, false, 1, 0);
  check("guarded", m, n, k);
  if (m % T == 0 && n % T == 0) {
    fill(m, n);
    whole<<<grid, block>>>(left, right, out, m, n, k);
    multiply(m, n, k, k / T * T, false, 1, 0);
    check("whole", m, n, k);
  }
  if (m % T == 0 && n % T == 0 && k % T == 0) {
    fill(m, n);
    counters<<<grid, block>>>(left, right, out, m, n, k);
    multiply(m, n, k, k, false, 1, 0);
    check("counters", m, n, k);
  }
  fill(m, n);
  update<<<grid, block>>>(left, right, out, m, n, k);
  multiply(m, n, k, k, false, 2, 1);
  check("update", m, n, k);
  fill(m, n);
  flat<<<grid, block>>>(left, right, out, m, n, k);
  multiply(m, n, k, k, false, 1, 0);
  check("flat", m, n, k);
  fill(m, n);
  turned<<<grid, block>>>(left, right, out, m, n, k);
  multiply(m, n, k, k, true, 1, 0);
  check("turned", m, n, k);
}

static void others(int m, int n, int k)
{
  dim3 block(T, T), grid((n + T - 1) / T, (m + T - 1) / T);

  fill(m, n);
  windows<<<grid, block>>>(left, right, out, m, n, k);
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      float sum = 0;
      for (int t = 0; t < k; t += T / 2)
        for (int p = t; p < t + T && p < k; p++) sum += a[i * k + p] * b[p * n + j];
      expected[i * n + j] = sum;
    }
  check("windows", m, n, k);
  fill(m, n);
  weighted<<<grid, block>>>(left, right, out, m, n, k);
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      float sum = 0;
      for (int p = 0; p < k; p++) sum += a[i * k + p] * b[p * n + j] * (float)(p % T + 1);
      expected[i * n + j] = sum;
    }
  check("weighted", m, n, k);
  fill(m, n);
  for (int i = 0; i < MOST; i++) a[i] = 0, b[i] = -1;
  cudaMemcpy(left, a, MOST * sizeof *a, cudaMemcpyHostToDevice);
  cudaMemcpy(right, b, MOST * sizeof *b, cudaMemcpyHostToDevice);
  negative<<<grid, block>>>(left, right, out, m, n, k);
  for (int i = 0; i < m * n; i++) expected[i] = k % T ? 0.0f : -0.0f;
  check("negative", m, n, k);
  fill(m, n);
  cudaMemset(marks, 0, 128 * 128 * sizeof *marks);
  marked<<<grid, block>>>(left, right, out, marks, m, n, k);
  multiply(m, n, k, k, false, 1, 0);
  check("marked", m, n, k);
  static int seen[128 * 128];
  cudaMemcpy(seen, marks, sizeof seen, cudaMemcpyDeviceToHost);
  int count = 0;
  for (int i = 0; i < 128 * 128; i++) count += seen[i];
  if (count != (int)(grid.x * grid.y) * T * T) {
    printf("marked %d %d: %d marks\n", m, n, count);
    failures++;
  }
}

int main(int argc, char **)
{
  a = (float *)malloc(MOST * sizeof *a), b = (float *)malloc(MOST * sizeof *b);
  c = (float *)malloc(MOST * sizeof *c), expected = (float *)malloc(MOST * sizeof *expected);
  cudaMalloc((void **)&left, MOST * sizeof *a);
  cudaMalloc((void **)&right, MOST * sizeof *b);
  cudaMalloc((void **)&out, MOST * sizeof *c);
  cudaMalloc((void **)&marks, 128 * 128 * sizeof *marks);
  products(64 * argc, 96 * argc, 48 * argc);
  products(70 * argc, 65 * argc, 33 * argc);
  products(48 * argc, 64 * argc, 40 * argc);
  products(3 * argc, 5 * argc, 1 * argc);
  others(64 * argc, 96 * argc, 48 * argc);
  others(70 * argc, 65 * argc, 33 * argc);
  printf(failures ? "wrong\n" : "ok\n");
  return failures != 0;
}
