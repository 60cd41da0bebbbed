// Sums of two products whose loads come in another order than the products: which one nvcc fuses
// has to be the same where elements come from tiles and registers. A GPU shows that
// (docs/inside/rounding.md); here small whole numbers are exact.
#include <cstdio>
#include <cstdlib>

#define XY int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y

__global__ void complex(float *cr, float *ci, const float *ar, const float *ai,
                        const float *br, const float *bi, int n)
{
  XY;
  if (x >= n || y >= n) return;
  float re = 0, im = 0;
  for (int k = 0; k < n; k++) {
    float p = ar[y * n + k], q = ai[y * n + k], u = br[k * n + x], v = bi[k * n + x];
    re += p * u - q * v;
    im += p * v + q * u;
  }
  cr[y * n + x] = re;
  ci[y * n + x] = im;
}

__global__ void scaled(float *c, const float *a, const float *b, int n, float alpha, float beta)
{
  XY;
  if (x >= n || y >= n) return;
  float old = c[y * n + x], s = 0;
  for (int k = 0; k < n; k++) s += a[y * n + k] * b[k * n + x];
  c[y * n + x] = alpha * s + beta * old;
}

__global__ void rows(float *out, const float *a, const float *b, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float s = 0, t = 0;
  for (int k = 0; k < n; k++) {
    float q = b[i * n + k], p = a[i * n + k];
    s += p * p + q * q;
    t = t * q + p * s;
  }
  out[i] = s;
  out[n + i] = t;
}

__global__ void weighted(float *out, const float *a, int n)
{
  XY;
  if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1) return;
  int i = y * n + x;
  float r = a[i + 1], l = a[i - 1], u = a[i - n], d = a[i + n];
  out[i] = 3.f * l + 2.f * r + 4.f * u + 5.f * d;
}

static int wrong;

static void expect(const char *name, float have, double want)
{
  if (have == want) return;
  printf("%s is %g, not %g\n", name, have, want);
  wrong++;
}

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 40;
  float *m[6];
  for (int k = 0; k < 6; k++) {
    cudaMallocManaged(&m[k], sizeof(float) * n * n);
    for (int i = 0; i < n * n; i++) m[k][i] = (float)((i * 7 + k * 3) % 5 - 2);
  }
  dim3 block(16, 16), grid((n + 15) / 16, (n + 15) / 16);
  complex<<<grid, block>>>(m[4], m[5], m[0], m[1], m[2], m[3], n);
  cudaDeviceSynchronize();
  for (int i = 0; i < n * n; i += 37) {
    double re = 0, im = 0;
    for (int k = 0; k < n; k++) {
      double p = m[0][i / n * n + k], q = m[1][i / n * n + k];
      double u = m[2][k * n + i % n], v = m[3][k * n + i % n];
      re += p * u - q * v;
      im += p * v + q * u;
    }
    expect("a real part", m[4][i], re);
    expect("an imaginary part", m[5][i], im);
  }
  for (int i = 0; i < n * n; i++) m[4][i] = i % 3;
  scaled<<<grid, block>>>(m[4], m[0], m[2], n, 2.f, 3.f);
  cudaDeviceSynchronize();
  for (int i = 0; i < n * n; i += 41) {
    double s = 0;
    for (int k = 0; k < n; k++) s += m[0][i / n * n + k] * m[2][k * n + i % n];
    expect("a scaled product", m[4][i], 2 * s + 3 * (i % 3));
  }
  for (int i = 0; i < n * n; i++) m[1][i] = i % n < 3 ? m[1][i] : (float)(i % 2) - 0.5f;
  rows<<<(n + 31) / 32, 32>>>(m[4], m[0], m[1], n);
  cudaDeviceSynchronize();
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int k = 0; k < n; k++) {
      float p = m[0][i * n + k], q = m[1][i * n + k];
      s += p * p + q * q;
    }
    expect("a row", m[4][i], s);
  }
  weighted<<<grid, block>>>(m[5], m[0], n);
  cudaDeviceSynchronize();
  for (int y = 1; y < n - 1; y++)
    for (int x = 1; x < n - 1; x++) {
      const float *a = &m[0][y * n + x];
      expect("a weighted sum", m[5][y * n + x], 3 * a[-1] + 2 * a[1] + 4 * a[-n] + 5 * a[n]);
    }
  if (!wrong) printf("sums of products ok\n");
  return wrong != 0;
}
