// SPDX-License-Identifier: MIT
// Offsets of unsigned 64-bit numbers, which wrap around as addresses do: products of three sizes
// whose product is not known to fit, terms below zero, offsets in variables, from functions, and
// stepped. Conditions, quotients and loop ends on the same sums see the wrapped number.
#include <cstdio>
#include <cstdlib>
#include <vector>

#define AT(x, y, z) (((size_t)(z) * ny + (y)) * nx + (x))
#define INSIDE(x, y, z) \
  ((x) > 0 && (y) > 0 && (z) > 0 && (x) < nx - 1 && (y) < ny - 1 && (z) < nz - 1)
#define PLACE \
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, \
      z = blockIdx.z * blockDim.z + threadIdx.z

__host__ __device__ inline size_t place(int x, int y, int z, int nx, int ny) {
  return ((size_t)z * ny + y) * nx + x;
}

__global__ void by_macro(const double *u, double *v, int nx, int ny, int nz) {
  PLACE;
  if (x < 1 || y < 1 || z < 1 || x >= nx - 1 || y >= ny - 1 || z >= nz - 1) return;
  v[AT(x, y, z)] = 0.4 * u[AT(x, y, z)] + 0.1 * (u[AT(x - 1, y, z)] + u[AT(x + 1, y, z)] +
                   u[AT(x, y - 1, z)] + u[AT(x, y + 1, z)] + u[AT(x, y, z - 1)] + u[AT(x, y, z + 1)]);
}

__global__ void by_variable(const double *u, double *v, int nx, int ny, int nz) {
  PLACE;
  if (x < 1 || y < 1 || z < 1 || x >= nx - 1 || y >= ny - 1 || z >= nz - 1) return;
  size_t i = (size_t)z * ny * nx + (size_t)y * nx + x, layer = (size_t)nx * ny;
  size_t j = i;
  j -= layer;
  v[i] = 0.4 * u[i] + 0.1 * (u[i - 1] + u[i + 1] + u[i - nx] + u[i + nx] + u[j] + u[i + layer]);
}

__global__ void by_function(const double *u, double *v, int nx, int ny, int nz) {
  PLACE;
  if (x < 1 || y < 1 || z < 1 || x >= nx - 1 || y >= ny - 1 || z >= nz - 1) return;
  v[place(x, y, z, nx, ny)] =
      0.4 * u[place(x, y, z, nx, ny)] +
      0.1 * (u[place(x - 1, y, z, nx, ny)] + u[place(x + 1, y, z, nx, ny)] +
             u[place(x, y - 1, z, nx, ny)] + u[place(x, y + 1, z, nx, ny)] +
             u[place(x, y, z - 1, nx, ny)] + u[place(x, y, z + 1, nx, ny)]);
}

// a filter whose terms are below zero before they are added
__global__ void filter(const float *a, float *b, int w, int h, int r) {
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x < r || y < r || x >= w - r || y >= h - r) return;
  float sum = 0;
  for (int j = -r; j <= r; j++)
    for (int i = -r; i <= r; i++) sum = sum * 0.5f + a[(size_t)(y + j) * w + x + i];
  b[(size_t)y * w + x] = sum;
}

// the wrapped numbers in conditions, a quotient, a choice and a loop's end
__global__ void compared(const int *a, int *b, int w, int h, size_t back) {
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x >= w || y >= h) return;
  size_t i = (size_t)y * w + x - back; // in front of the first element it is a large number
  int sum = 0;
  if (i < (size_t)w * h) sum += a[i];
  if ((size_t)(x - 2) < (size_t)w) sum += 3 * a[(size_t)y * w + (x - 2)];
  sum += (i >> 60 ? 5 : 7) + (int)(i / 1000000007 % 31);
  for (size_t k = (size_t)x - 1; k <= (size_t)x + 1 && k < (size_t)w; k++) sum += a[k];
  size_t top = i > (size_t)w * h ? 0 : i;
  top += (size_t)w * h;
  b[(size_t)y * w + x] = sum + a[top % ((size_t)w * h)];
}

// a variable that is stepped below zero and back, beside rows that threads share
__global__ void stepped(const int *a, const int *row, int *b, int w, int h) {
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x >= w || y >= h) return;
  size_t i = (size_t)y * w;
  i--;
  int sum = 0;
  for (int k = 0; k < w; k++) sum += a[i + 1 + k] * row[(size_t)k * w + x];
  i += x;
  i++;
  b[i] = sum + (i == (size_t)y * w + x);
}

// a condition that holds for the first three, too, whose numbers wrap
__global__ void far_ones(const int *a, int *b) {
  int i = blockIdx.x * 64 + threadIdx.x;
  if ((size_t)i - 3 > 100) b[i] = 2 * a[i];
}

static int failures;
template <class T> static void expect(const char *what, const std::vector<T> &got,
                                      const std::vector<T> &wanted) {
  for (size_t i = 0; i < got.size(); i++)
    if (got[i] != wanted[i]) {
      printf("%s: element %zu is %g, not %g\n", what, i, (double)got[i], (double)wanted[i]);
      failures++;
      return;
    }
}

template <class T> struct array {
  T *p;
  size_t n;
  explicit array(const std::vector<T> &from) : n(from.size()) {
    cudaMalloc(&p, n * sizeof(T));
    cudaMemcpy(p, from.data(), n * sizeof(T), cudaMemcpyHostToDevice);
  }
  ~array() { cudaFree(p); }
  std::vector<T> get() const {
    std::vector<T> to(n);
    cudaMemcpy(to.data(), p, n * sizeof(T), cudaMemcpyDeviceToHost);
    return to;
  }
};

static void volumes(int nx, int ny, int nz) {
  size_t n = (size_t)nx * ny * nz;
  std::vector<double> u(n), v(n);
  for (size_t i = 0; i < n; i++) v[i] = u[i] = (double)(i * 37 % 101);
  array<double> du(u), d1(u), d2(u), d3(u);
  dim3 block(32, 4, 2), grid((nx + 31) / 32, (ny + 3) / 4, (nz + 1) / 2);
  by_macro<<<grid, block>>>(du.p, d1.p, nx, ny, nz);
  by_variable<<<grid, block>>>(du.p, d2.p, nx, ny, nz);
  by_function<<<grid, block>>>(du.p, d3.p, nx, ny, nz);
  for (int z = 0; z < nz; z++)
    for (int y = 0; y < ny; y++)
      for (int x = 0; x < nx; x++)
        if (INSIDE(x, y, z))
          v[AT(x, y, z)] = 0.4 * u[AT(x, y, z)] + 0.1 * (u[AT(x - 1, y, z)] + u[AT(x + 1, y, z)] +
                           u[AT(x, y - 1, z)] + u[AT(x, y + 1, z)] + u[AT(x, y, z - 1)] + u[AT(x, y, z + 1)]);
  expect("by_macro", d1.get(), v);
  expect("by_variable", d2.get(), v);
  expect("by_function", d3.get(), v);
}

static void images(int w, int h, int r, size_t back) {
  size_t n = (size_t)w * h;
  std::vector<float> a(n), b(n);
  for (size_t i = 0; i < n; i++) a[i] = (float)(i * 31 % 17), b[i] = -1;
  std::vector<int> ia(a.begin(), a.end()), ib(n), is(n), square((size_t)w * w);
  for (size_t i = 0; i < square.size(); i++) square[i] = (int)(i * 7 % 11) - 5;
  array<float> da(a), db(b);
  array<int> dia(ia), dib(ib), dis(is), dsq(square);
  dim3 block(16, 16), grid((w + 15) / 16, (h + 15) / 16);
  filter<<<grid, block>>>(da.p, db.p, w, h, r);
  compared<<<grid, block>>>(dia.p, dib.p, w, h, back);
  stepped<<<grid, block>>>(dia.p, dsq.p, dis.p, w, h);
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      size_t at = (size_t)y * w + x, i = at - back;
      if (x >= r && y >= r && x < w - r && y < h - r) {
        float sum = 0;
        for (int j = -r; j <= r; j++)
          for (int k = -r; k <= r; k++) sum = sum * 0.5f + a[(size_t)((y + j) * w + x + k)];
        b[at] = sum;
      }
      int sum = 0;
      if (i < n) sum += ia[i];
      if (x >= 2) sum += 3 * ia[at - 2];
      sum += (i >> 60 ? 5 : 7) + (int)(i / 1000000007 % 31);
      for (size_t k = (size_t)x - 1; k <= (size_t)x + 1 && k < (size_t)w; k++) sum += ia[k];
      ib[at] = sum + ia[((i > n ? 0 : i) + n) % n];
      int dot = 0;
      for (int k = 0; k < w; k++) dot += ia[(size_t)y * w + k] * square[(size_t)k * w + x];
      is[at] = dot + 1;
    }
  expect("filter", db.get(), b);
  expect("compared", dib.get(), ib);
  expect("stepped", dis.get(), is);
}

static void conditions() {
  std::vector<int> a(256), b(256, -1);
  for (int i = 0; i < 256; i++) a[i] = i * 5 % 23;
  array<int> da(a), db(b);
  far_ones<<<4, 64>>>(da.p, db.p);
  for (int i = 0; i < 256; i++)
    if (i < 3 || i > 103) b[i] = 2 * a[i];
  expect("far_ones", db.get(), b);
}

int main() {
  conditions();
  volumes(40, 18, 12);
  volumes(33, 5, 3);
  volumes(1, 1, 1);
  images(70, 40, 2, 33);
  images(16, 16, 1, 0);
  images(5, 3, 1, 9);
  if (!failures) printf("ok\n");
  return failures != 0;
}
