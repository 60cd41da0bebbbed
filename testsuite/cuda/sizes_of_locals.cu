// design 6: sizeof and casts that name a local which a changed kernel no longer has: a record, a
// pointer that walks, a tile.
#include <cstdio>
#include <cuda_runtime.h>

template <class T, int K> __global__ void sums(const float3 *v, float3 *out, T scale, int rows)
{
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float3 s = make_float3(0, 0, 0);
  T more = scale * (T)sizeof(s);
  for (int k = 0; k < K; k++) {
    float3 e = v[k * rows + r];
    T add = scale * e.x, other = s.x * 0 + add;
    s.x += other;
    s.y += e.y;
    s.z += e.z + more;
  }
  T last = s.x + s.y;
  s.z += last * 0;
  out[r] = s;
}
__global__ void plain(const float3 *v, float3 *out, float scale, int rows)
{
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float3 s = make_float3(0, 0, 0);
  float more = scale * sizeof s + sizeof(s.x);
  decltype(s.x) f = (decltype(s.y))2;
  for (int k = 0; k < 64; k++) {
    s.x += v[k * rows + r].x * f;
    s.y += v[k * rows + r].y;
    s.z += v[k * rows + r].z + more;
  }
  out[r] = s;
}
__global__ void walks(const float *a, float *out, int n, int m)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float *q = a + i;
  float s = 0;
  for (int k = 0; k < m; k++) {
    s += *q + sizeof(*q);
    q += n;
  }
  out[i] = s;
}
__global__ void walks2(const float *a, float *out, int n, int m)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int at = i;
  float s = 0;
  for (int k = 0; k < m; k++) {
    s += a[at] * (decltype(at))2;
    at += n;
  }
  out[i] = s;
}
const int TILE = 16;
__global__ void tiles(const float *a, const float *b, float *c, int n, int depth)
{
  __shared__ float s[TILE][TILE], u[TILE][TILE];
  int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
  float sum = 0;
  for (int t = 0; t < depth / TILE; t++) {
    s[threadIdx.y][threadIdx.x] = a[y * n + t * TILE + threadIdx.x];
    u[threadIdx.y][threadIdx.x] = b[(t * TILE + threadIdx.y) * n + x];
    __syncthreads();
    for (int k = 0; k < TILE; k++) sum += s[threadIdx.y][k] * u[k][threadIdx.x];
    __syncthreads();
  }
  c[y * n + x] = sum + sizeof(s) - 1024;
}
struct square {
  const float *data;
  int n;
};

/* members become parameters of the analysis, behind the kernel's own */
__global__ void structured(square a, square b, float *out)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float3 s = make_float3(0, 0, 0);
  for (int k = 0; k < 64; k++) {
    s.x += a.data[k * a.n + i];
    s.y += b.data[k * b.n + i];
  }
  out[i] = s.x + s.y + sizeof(s);
}

int main()
{
  const int rows = 700;
  float3 *v, *o;
  cudaMallocManaged(&v, rows * 64 * 12);
  cudaMallocManaged(&o, rows * 12);
  for (int i = 0; i < rows * 64; i++) v[i] = make_float3(i % 7, i % 5, i % 3);
  int bad = 0;
  sums<float, 64><<<(rows + 127) / 128, 128>>>(v, o, 2, rows);
  cudaDeviceSynchronize();
  for (int r = 0; r < rows; r++) {
    float x = 0, y = 0, z = 0;
    for (int k = 0; k < 64; k++) {
      float3 e = v[k * rows + r];
      x += 2 * e.x;
      y += e.y;
      z += e.z + 24;
    }
    bad += o[r].x != x || o[r].y != y || o[r].z != z;
  }
  plain<<<(rows + 127) / 128, 128>>>(v, o, 2, rows);
  cudaDeviceSynchronize();
  for (int r = 0; r < rows; r++) {
    float x = 0, y = 0, z = 0;
    for (int k = 0; k < 64; k++) {
      float3 e = v[k * rows + r];
      x += 2 * e.x;
      y += e.y;
      z += e.z + 28;
    }
    bad += o[r].x != x || o[r].y != y || o[r].z != z;
  }
  const int n = 512, m = 64;
  float *a, *b, *c;
  cudaMallocManaged(&a, n * n * 4);
  cudaMallocManaged(&b, n * n * 4);
  cudaMallocManaged(&c, n * n * 4);
  for (int i = 0; i < n * n; i++) a[i] = i % 7, b[i] = i % 5;
  walks<<<n / 128, 128>>>(a, c, n, m);
  cudaDeviceSynchronize();
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int k = 0; k < m; k++) s += a[i + k * n] + 4;
    bad += s != c[i];
  }
  walks2<<<n / 128, 128>>>(a, c, n, m);
  cudaDeviceSynchronize();
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int k = 0; k < m; k++) s += a[i + k * n] * 2;
    bad += s != c[i];
  }
  tiles<<<dim3(n / TILE, n / TILE), dim3(TILE, TILE)>>>(a, b, c, n, 2 * m);
  cudaDeviceSynchronize();
  for (int i = 0; i < n * n; i += 97) {
    float s = 0;
    for (int k = 0; k < 2 * m; k++) s += a[i / n * n + k] * b[k * n + i % n];
    bad += s != c[i];
  }
  square of_a = {a, n}, of_b = {b, n};
  structured<<<n / 128, 128>>>(of_a, of_b, c);
  cudaDeviceSynchronize();
  for (int i = 0; i < n; i++) {
    float s = 12;
    for (int k = 0; k < 64; k++) s += a[i + k * n] + b[i + k * n];
    bad += s != c[i];
  }
  if (bad) printf("%d wrong\n", bad);
  return bad != 0;
}
