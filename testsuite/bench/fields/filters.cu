// Image filters with static tables, run-time radii and clipped borders; unsigned char and float.
#include <cstdio>
#include <cstdlib>
#include <vector>
typedef unsigned char uchar;
__constant__ float gauss[33];

__global__ void sobel(const uchar *img, uchar *dst, int w, int h)
{
  static const int gx[3][3] = {{-1, 0, 1}, {-2, 0, 2}, {-1, 0, 1}};
  static const int gy[3][3] = {{-1, -2, -1}, {0, 0, 0}, {1, 2, 1}};
  int x = blockDim.x * blockIdx.x + threadIdx.x;
  int y = blockDim.y * blockIdx.y + threadIdx.y;
  if (x == 0 || y == 0 || x >= w - 1 || y >= h - 1) return;
  int sx = 0, sy = 0;
  for (int j = 0; j < 3; j++)
    for (int i = 0; i < 3; i++) {
      int p = img[(y + j - 1) * w + (x + i - 1)];
      sx += gx[j][i] * p;
      sy += gy[j][i] * p;
    }
  int m = abs(sx) + abs(sy);
  dst[y * w + x] = m > 255 ? 255 : m;
}

__global__ void gaussian5(const float *in, float *out, int w, int h)
{
  const float k[25] = {1,  4, 7, 4,  1,  4,  16, 26, 16, 4, 7, 26, 41,
                       26, 7, 4, 16, 26, 16, 4,  1,  4,  7, 4, 1};
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float acc = 0.f;
  for (int j = -2; j <= 2; ++j)
    for (int i = -2; i <= 2; ++i) {
      int yy = min(max(y + j, 0), h - 1), xx = min(max(x + i, 0), w - 1);
      acc += k[(j + 2) * 5 + i + 2] * in[yy * w + xx];
    }
  out[y * w + x] = acc / 273.f;
}

__global__ void rowGauss(const float *in, float *out, int w, int h, int r)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float s = 0, n = 0;
  for (int i = -r; i <= r; i++) {
    if (x + i < 0 || x + i >= w) continue;
    s += gauss[i + r] * in[y * w + x + i];
    n += gauss[i + r];
  }
  out[y * w + x] = s / n;
}

__global__ void dilate(const float *in, float *out, int w, int h, int r)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float m = -1e30f;
  for (int yy = max(y - r, 0); yy <= min(y + r, h - 1); yy++)
    for (int xx = max(x - r, 0); xx <= min(x + r, w - 1); xx++) m = fmaxf(m, in[yy * w + xx]);
  out[y * w + x] = m;
}

__global__ void median3(const float *in, float *out, int w, int h)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1) return;
  float v[9];
  int n = 0;
  for (int j = -1; j <= 1; j++)
    for (int i = -1; i <= 1; i++) v[n++] = in[(y + j) * w + x + i];
  for (int i = 0; i < 5; i++)
    for (int j = i + 1; j < 9; j++)
      if (v[j] < v[i]) {
        float t = v[i];
        v[i] = v[j];
        v[j] = t;
      }
  out[y * w + x] = v[4];
}

__global__ void bilateral(const float *in, float *out, int w, int h, int r, float ss, float sr)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float c = in[y * w + x], sum = 0, norm = 0;
  for (int dy = -r; dy <= r; dy++)
    for (int dx = -r; dx <= r; dx++) {
      int yy = y + dy, xx = x + dx;
      if (yy >= 0 && yy < h && xx >= 0 && xx < w) {
        float v = in[yy * w + xx];
        float g = expf(-(dx * dx + dy * dy) * ss - (v - c) * (v - c) * sr);
        sum += g * v;
        norm += g;
      }
    }
  out[y * w + x] = sum / norm;
}

template <class T> struct Image {
  T *d;
  int w, h;
  Image(int w, int h) : w(w), h(h)
  {
    cudaMalloc(&d, sizeof(T) * w * h);
    cudaMemset(d, 0, sizeof(T) * w * h);
  }
  ~Image() { cudaFree(d); }
  double sum() const
  {
    std::vector<T> v(w * h);
    cudaMemcpy(v.data(), d, sizeof(T) * w * h, cudaMemcpyDeviceToHost);
    double s = 0;
    for (int i = 0; i < w * h; i++) s += (double)v[i] * (1 + i % 7);
    return s;
  }
};

int main(int argc, char **argv)
{
  int w = argc > 1 ? atoi(argv[1]) : 61, h = argc > 2 ? atoi(argv[2]) : 47,
      reps = argc > 3 ? atoi(argv[3]) : 1;
  int r = argc > 4 ? atoi(argv[4]) : 4;
  Image<uchar> a(w, h), b(w, h);
  Image<float> f(w, h), g(w, h);
  std::vector<uchar> u(w * h);
  std::vector<float> v(w * h);
  for (int i = 0; i < w * h; i++) u[i] = (i * 73 + i / w * 11) % 251, v[i] = u[i] / 255.f;
  float table[33];
  for (int i = 0; i < 33; i++) table[i] = 1.f / (1 + abs(i - r));
  cudaMemcpyToSymbol(gauss, table, sizeof table);
  cudaMemcpy(a.d, u.data(), w * h, cudaMemcpyHostToDevice);
  cudaMemcpy(f.d, v.data(), 4 * w * h, cudaMemcpyHostToDevice);
  dim3 t(16, 16), n((w + 15) / 16, (h + 15) / 16);
  for (int i = 0; i < reps; i++) {
    bool last = i == reps - 1;
    sobel<<<n, t>>>(a.d, b.d, w, h);
    if (last) printf("sobel %.0f\n", b.sum());
    gaussian5<<<n, t>>>(f.d, g.d, w, h);
    if (last) printf("gaussian5 %.6g\n", g.sum());
    rowGauss<<<n, t>>>(f.d, g.d, w, h, r);
    if (last) printf("rowGauss %.6g\n", g.sum());
    dilate<<<n, t>>>(f.d, g.d, w, h, r);
    if (last) printf("dilate %.6g\n", g.sum());
    median3<<<n, t>>>(f.d, g.d, w, h);
    if (last) printf("median3 %.6g\n", g.sum());
    bilateral<<<n, t>>>(f.d, g.d, w, h, r, 0.02f, 8.f);
    if (last) printf("bilateral %.6g\n", g.sum());
  }
  cudaDeviceSynchronize();
  return 0;
}
