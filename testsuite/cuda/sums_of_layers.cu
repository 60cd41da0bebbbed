// args: --mapping=always --split=3
// Sums that several blocks share in kernels that name gridDim.z and blockIdx.z: as launched there
// is one layer of blocks. By teams, by columns, in tiles, and over both halves of a triangle.
#include <cstdio>
#include <cstdlib>

__global__ void rows(int *y, const int *a, const int *x, int m, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m) return;
  int s = 0;
  for (int j = 0; j < n; j++) s += a[i * n + j] * x[j];
  y[i + blockIdx.z * m] = s + 1000 * gridDim.z;
}

__global__ void columns(int *y, const int *a, const int *x, int m, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m) return;
  int s = 0;
  for (int j = 0; j < n; j++) s += a[j * m + i] * x[j + blockIdx.z];
  y[i] = s + 1000 * gridDim.z + blockIdx.z;
}

__global__ void product(int *c, const int *a, const int *b, int m, int n)
{
  int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m || j >= m) return;
  int s = 0;
  for (int k = 0; k < n; k++) s += a[i * n + k] * b[k * m + j];
  c[(i + blockIdx.z) * m + j] = s * gridDim.z;
}

__global__ void halves(int *y, const int *a, const int *x, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int s = 0;
  for (int j = 0; j <= i; j++) s += a[i * n + j] * x[j];
  for (int j = i + 1; j < n; j++) s += a[j * n + i] * x[j];
  y[i + blockIdx.z * n] = s + 1000 * gridDim.z;
}

enum { M = 64, N = 4096 };
static int a[M * N], b[M * N], c[M * M], failures;
static int *da, *db, *dc;

static void compare(const char *what, int count, int (*wanted)(int))
{
  cudaMemcpy(c, dc, sizeof c, cudaMemcpyDeviceToHost);
  for (int i = 0; i < count; i++)
    if (c[i] != wanted(i) && failures++ < 9)
      printf("%s: [%d] is %d, not %d\n", what, i, c[i], wanted(i));
}

static int of_row(int i)
{
  int s = 1000;
  for (int j = 0; j < N; j++) s += a[i * N + j] * b[j];
  return s;
}

static int of_column(int i)
{
  int s = 1000;
  for (int j = 0; j < N; j++) s += a[j * M + i] * b[j];
  return s;
}

static int of_product(int at)
{
  int s = 0;
  for (int k = 0; k < N; k++) s += a[at / M * N + k] * b[k * M + at % M];
  return s;
}

enum { H = 300 };

static int of_halves(int i)
{
  int s = 1000;
  for (int j = 0; j < H; j++) s += (j <= i ? a[i * H + j] : a[j * H + i]) * b[j];
  return s;
}

int main()
{
  for (int i = 0; i < M * N; i++) a[i] = i * 7 % 11 - 5, b[i] = i * 3 % 5 - 2;
  cudaMalloc(&da, sizeof a), cudaMalloc(&db, sizeof b), cudaMalloc(&dc, sizeof c);
  cudaMemcpy(da, a, sizeof a, cudaMemcpyHostToDevice);
  cudaMemcpy(db, b, sizeof b, cudaMemcpyHostToDevice);
  int m = M, n = N, h = H;
  rows<<<(m + 31) / 32, 32>>>(dc, da, db, m, n);
  compare("rows", M, of_row);
  columns<<<(m + 31) / 32, 32>>>(dc, da, db, m, n);
  compare("columns", M, of_column);
  product<<<dim3((m + 15) / 16, (m + 15) / 16), dim3(16, 16)>>>(dc, da, db, m, n);
  compare("product", M * M, of_product);
  halves<<<(h + 31) / 32, 32>>>(dc, da, db, h);
  compare("halves", H, of_halves);
  puts(failures ? "FAILED" : "ok");
  return failures != 0;
}
