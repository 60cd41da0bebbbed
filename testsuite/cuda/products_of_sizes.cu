// args: --mapping=always
// Indices with strides of two to four factors that only the launch knows: each kernel sums whole
// numbers, so that every order gives the same; `crossing` runs over the ends of its rows.
#include <cstdio>
#include <cstdlib>
#include <cstring>

enum { MOST = 40000 };

#define IDS \
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;

__global__ void scores(const float *q, const float *k, float *att, int B, int T, int H, int D)
{
  IDS int b = blockIdx.z / H, h = blockIdx.z % H;
  if (x >= T || y >= T) return;
  float s = 0;
  for (int i = 0; i < D; i++)
    s += q[((b * T + y) * H + h) * D + i] * k[((b * T + x) * H + h) * D + i];
  att[((b * H + h) * T + y) * T + x] = s;
}

__global__ void heads(const float *q, const float *k, float *att, int B, int T, int H, int D)
{
  IDS int bh = blockIdx.z, b = bh / H, h = bh % H;
  if (x >= T || y >= T) return;
  const float *rows = q + (b * H + h) * T * D, *columns = k + (b * H + h) * T * D;
  float s = 0;
  for (int i = 0; i < D; i++) s += rows[y * D + i] * columns[x * D + i];
  att[((b * H + h) * T + y) * T + x] = s;
}

__global__ void channels(const float *q, const float *k, float *att, int B, int T, int H, int D)
{
  IDS const int C = H * D;
  if (x >= T || y >= T) return;
  float s = 0;
  for (int i = 0; i < C; i++)
    s += q[(blockIdx.z * T + y) * C + i] * k[(blockIdx.z * T + x) * C + i];
  att[(blockIdx.z * T + y) * T + x] = s;
}

__global__ void filter(const float *q, const float *k, float *att, int B, int T, int H, int D)
{
  IDS int b = blockIdx.z / H, h = blockIdx.z % H;
  if (x >= D - 2 || y >= T - 2) return;
  float s = 0;
  for (int c = 0; c < H; c++)
    for (int r = 0; r < 3; r++)
      for (int w = 0; w < 3; w++)
        s += q[((b * H + c) * T + y + r) * D + x + w] * k[((h * H + c) * 3 + r) * 3 + w];
  att[((b * H + h) * (T - 2) + y) * (D - 2) + x] = s;
}

__global__ void turned(const float *q, const float *, float *att, int B, int T, int H, int D)
{
  IDS int b = blockIdx.z / H, h = blockIdx.z % H;
  if (x < T && y < D) att[((b * H + h) * D + y) * T + x] = q[((b * H + h) * T + x) * D + y];
}

__global__ void five(const float *q, const float *k, float *att, int B, int T, int H, int D)
{
  IDS int b = blockIdx.z;
  if (x >= T || y >= T) return;
  float s = 0;
  for (int h = 0; h < H; h++)
    for (int i = 0; i < D; i++)
      for (int j = 0; j < 2; j++)
        s += q[(((b * T + y) * H + h) * D + i) / 2 * 2 + j] * k[((b * T + x) * H + h) * D + i];
  att[(b * T + y) * T + x] = s;
}

__global__ void crossing(const float *q, const float *k, float *att, int B, int T, int H, int D)
{
  IDS int b = blockIdx.z;
  if (x >= T || y >= T || y + b > T) return;
  float s = 0;
  for (int h = 0; h < H; h++)
    for (int i = -1; i <= D; i++)
      if (b + y + h + i >= 0) s += q[((b * T + y) * H + h) * D + i] * k[((b * T + x) * H + h) * D];
  att[(b * T + y) * T + x] = s;
}

typedef void kernel(const float *, const float *, float *, int, int, int, int);
static float q[MOST], k[MOST], r[MOST], wanted[MOST];

/* If it is not 0, `scores` divides its layers by -1, which is (unsigned)-1, and goes downwards. */
static int shift;

static float score(int n, int b, int h, int y, int x, int T, int H, int D)
{
  float s = 0;
  if (n == 4) return q[((b * H + h) * T + x) * D + y];
  for (int c = 0; n == 3 && c < H; c++)
    for (int i = 0; i < 9; i++)
      s += q[((b * H + c) * T + y + i / 3) * D + x + i % 3] * k[(h * H + c) * 9 + i];
  for (int i = 0; n < 2 && i < D; i++) {
    int at = n ? ((b * H + h) * T + y) * D : ((b * T + y) * H + h) * D,
        to = n ? ((b * H + h) * T + x) * D : ((b * T + x) * H + h) * D;
    if (shift) at = shift + (h - y) * D, to = shift + (h - x) * D;
    s += q[at + i] * k[to + i];
  }
  for (int i = 0; n == 2 && i < H * D; i++)
    s += q[(b * T + y) * H * D + i] * k[(b * T + x) * H * D + i];
  for (int c = 0; n > 4 && c < H; c++)
    for (int i = n == 6 ? -1 : 0; i < D + (n == 6); i++) {
      int at = ((b * T + y) * H + c) * D + i, to = ((b * T + x) * H + c) * D;
      if (n == 6 && b + y + c + i < 0) continue;
      s += n == 6 ? q[at] * k[to] : (q[at / 2 * 2] + q[at / 2 * 2 + 1]) * k[to + i];
    }
  return s;
}

static int run(int n, float *a, float *b, float *c, const int s[4], dim3 block)
{
  int B = s[0], T = s[1], H = s[2], D = s[3],
      rows = n == 3   ? T - 2
             : n == 4 ? D
                      : T,
      columns = n == 3 ? D - 2 : T, layers = n == 2 || n > 4 ? 1 : H;
  dim3 grid((columns + block.x - 1) / block.x, (rows + block.y - 1) / block.y, B * layers);

  memset(wanted, 0, sizeof wanted);
  for (int i = 0; i < B * layers; i++)
    for (int y = 0; y < rows; y++)
      for (int x = 0; x < columns; x++)
        if (n < 6 || y + i <= T)
          wanted[(i * rows + y) * columns + x] = score(n, i / layers, i % layers, y, x, T, H, D);
  cudaMemset(c, 0, sizeof r);
  if (n == 0) scores<<<grid, block>>>(a + shift, b + shift, c, B, T, shift ? -1 : H, D);
  if (n == 1) heads<<<grid, block>>>(a, b, c, B, T, H, D);
  if (n == 2) channels<<<grid, block>>>(a, b, c, B, T, H, D);
  if (n == 3) filter<<<grid, block>>>(a, b, c, B, T, H, D);
  if (n == 4) turned<<<grid, block>>>(a, b, c, B, T, H, D);
  if (n == 5) five<<<grid, block>>>(a, b, c, B, T, H, D);
  if (n == 6) crossing<<<grid, block>>>(a, b, c, B, T, H, D);
  cudaMemcpy(r, c, sizeof r, cudaMemcpyDeviceToHost);
  for (int i = 0; i < MOST; i++)
    if (r[i] != wanted[i]) {
      printf("kernel %d, %d %d %d %d: [%d] is %g, not %g\n", n, B, T, H, D, i, r[i], wanted[i]);
      return 1;
    }
  return 0;
}

int main()
{
  const int sizes[][4] = {{2, 36, 3, 20}, {1, 70, 2, 9}, {3, 5, 4, 33}, {2, 33, 2, 32}};
  float *a, *b, *c;
  int failed = 0;

  for (int i = 0; i < MOST; i++) q[i] = i * 7 % 13 - 6, k[i] = i * 5 % 11 - 5;
  cudaMalloc(&a, sizeof q);
  cudaMalloc(&b, sizeof k);
  cudaMalloc(&c, sizeof r);
  cudaMemcpy(a, q, sizeof q, cudaMemcpyHostToDevice);
  cudaMemcpy(b, k, sizeof k, cudaMemcpyHostToDevice);
  for (auto &s : sizes)
    for (int n = 0; n < 7; n++) failed |= run(n, a, b, c, s, n % 2 ? dim3(32, 4) : dim3(16, 16));
  const int one[] = {1, 40, 2, 20};
  shift = one[1] * one[3];
  failed |= run(0, a, b, c, one, dim3(16, 16));
  puts(failed ? "FAILED" : "ok");
  return failed;
}
